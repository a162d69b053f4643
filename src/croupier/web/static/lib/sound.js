// Sound, off unless the reader wants it: a chip, a card, dice, a win. Made here from noise and tones; there are no files.

let context = null;
let isOn = false;

/** Switch sound on or off. Nothing is made, and no device opened, before the first sound that is wanted. */
export function setSound(wanted) {
  isOn = wanted;
  if (!wanted) context?.suspend();
}

// A burst of noise through a filter: what things of wood, clay and paper sound like.
function tap(at, { length, pitch, width, volume }) {
  const samples = Math.ceil(context.sampleRate * length);
  const buffer = context.createBuffer(1, samples, context.sampleRate);
  const bytes = crypto.getRandomValues(new Uint8Array(Math.min(samples, 65536)));
  const data = buffer.getChannelData(0);
  for (let i = 0; i < samples; i += 1) data[i] = (bytes[i % bytes.length] / 127.5 - 1) * (1 - i / samples) ** 3;
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const gain = context.createGain();
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = width;
  gain.gain.value = volume;
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(at);
}

function tone(at, { pitch, length, volume }) {
  const source = context.createOscillator();
  const gain = context.createGain();
  source.type = "triangle";
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

const SOUNDS = {
  chip(at) {
    tap(at, { length: 0.05, pitch: 3800, width: 4, volume: 0.5 });
    tap(at + 0.035, { length: 0.04, pitch: 4600, width: 6, volume: 0.25 });
  },
  card: (at) => tap(at, { length: 0.11, pitch: 1700, width: 0.7, volume: 0.3 }),
  dice(at) {
    for (const [i, wait] of [0, 0.07, 0.12, 0.21, 0.27, 0.36].entries()) {
      tap(at + wait, { length: 0.045, pitch: 1500 + 260 * (i % 3), width: 3, volume: 0.5 - 0.05 * i });
    }
  },
  wheel(at) {
    for (let i = 0, wait = 0; i < 14; i += 1, wait += 0.045 + 0.009 * i) tap(at + wait, { length: 0.02, pitch: 2900, width: 8, volume: 0.3 });
  },
  win(at) {
    [523.25, 659.25, 783.99, 1046.5].forEach((pitch, i) => tone(at + 0.09 * i, { pitch, length: 0.35, volume: 0.12 }));
  },
};

/** Play a sound by its name, if sound is wanted. A browser that has none, or forbids it, is no reason to stop. */
export function play(name) {
  if (!isOn || !SOUNDS[name]) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    SOUNDS[name](context.currentTime + 0.01);
  } catch (error) {
    console.info("no sound:", error);
  }
}

const CARDS = ["player", "dealer", "banker", "cards", "hole", "board", "extra", "dealt"];

// How many cards lie there, and which throw or spin is the last; found by the names that states give them.
function lying(view) {
  const game = view?.game ?? {};
  const count = (value) => (Array.isArray(value) ? value.flat().length : 0);
  const hands = (game.hands ?? []).reduce((sum, hand) => sum + count(hand?.cards ?? []), 0);
  return {
    cards: CARDS.reduce((sum, name) => sum + count(game[name]), hands),
    rolls: game.table?.roll_count ?? 0,
    faces: (game.dice ?? []).every((face) => face > 0) ? (game.dice ?? []).join() : "",
    spins: count(game.pockets),
    tiles: (game.tiles ?? []).filter((tile) => tile?.card).length,
  };
}

const profit = (state) => (state?.lines ?? []).reduce((sum, line) => sum + line.returned - line.stake, 0);

/** Return the sounds of what happened between two states of a table. */
export function soundsFor(state, before) {
  if (!state?.view || (before && before.view.match_id === state.view.match_id && before.version === state.version)) return [];
  const isNext = before?.view.match_id === state.view.match_id;
  if (!isNext && state.kind === "match") return []; // somebody has come to a table: nothing has happened there
  const [was, is] = [lying(isNext ? before.view : null), lying(state.view)];
  const found = [];
  // The same faces may come again: then it is the phase that tells of a throw.
  const isThrow = isNext && before.view.turn.phase === "roll" && state.view.turn.phase === "shut";
  if (is.rolls > was.rolls || isThrow || (is.faces && is.faces !== was.faces)) found.push("dice");
  if (is.spins > was.spins) found.push("wheel");
  if (is.cards > was.cards || is.tiles > was.tiles) found.push("card");
  const isWon = state.status === "finished" && (state.kind === "session" ? profit(state) > 0 : false);
  if (isWon && (!isNext || before.status !== "finished")) found.push("win");
  if (state.kind === "match" && state.view.result?.winners?.includes(state.view.viewer) && !before?.view.result) found.push("win");
  return found;
}
