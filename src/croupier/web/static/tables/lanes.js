// Lanes: the board between two players, the hand of the one who looks, and what a move would do before it is made.

import { el, show, t } from "../lib/dom.js";
import { Buttons } from "../common/buttons.js";
import { humane, isActive, sentence } from "../common/card-round.js";
import { drawResult, isMyTurn, nameOf, resultWords, turnWords } from "../common/players.js";
import { drawLanesCard } from "../draw/lanes-cards.js";
import { Board, tileName } from "../lanes/board.js";
import { HandOfCards } from "../lanes/hand.js";

export const css = ["lanes.css"];

function mount(root, ctx) {
  const factions = ctx.game.extras?.factions ?? [];
  const cards = new Map((ctx.game.extras?.cards ?? []).map((card) => [card.id, card]));
  const buttons = new Buttons(ctx);
  const board = new Board(cards, factions, (tile) => pickTile(tile), (tile) => foresee(tile));
  const hand = new HandOfCards(cards, factions, (index) => pickCard(index));
  const head = el("div", { class: "lanes-head" });
  const detail = el("div", { class: "lanes-detail", dataset: { hint: t`Choose a card to read it here.` } });
  let state = null;
  let before = null; // the view before the last move, to mark what changed
  let look = "Y"; // the side the board is seen from
  let chosen = []; // places in the hand: one to play, or several to replace
  let picked = null; // the tile a move is previewed on
  let preview = null; // the view after that move
  let asked = 0; // answers to older questions are dropped

  show(root, el("div", { class: "card-table lanes" }, head, board.element, hand.element, detail));

  const isMulligan = () => state.view.turn.phase === "mulligan";
  const canPlay = () => isMyTurn(state);

  // The tiles where a card may go, as the server lists them.
  function tilesFor(index) {
    return state.legal.filter((one) => one.type === "play" && one.payload.hand_index === index).map((one) => 5 * one.payload.lane + one.payload.col);
  }

  function moveAt(tile) {
    return { hand_index: chosen[0], lane: Math.floor(tile / 5), col: tile % 5 };
  }

  function forget() {
    asked += 1;
    chosen = [];
    picked = null;
    preview = null;
  }

  function pickCard(index) {
    const ids = myHand();
    showDetail(ids[index], false);
    if (!canPlay()) return draw();
    if (isMulligan()) {
      chosen = chosen.includes(index) ? chosen.filter((one) => one !== index) : [...chosen, index].sort((one, other) => one - other);
      ctx.say(`${cards.get(ids[index])?.name}: ${chosen.includes(index) ? t`to be replaced` : "kept"}`);
    } else {
      const isSame = chosen[0] === index;
      forget();
      if (!isSame) {
        chosen = [index];
        const tiles = tilesFor(index);
        ctx.say(`${cards.get(ids[index])?.name}: ${tiles.length ? t`can go to ${tiles.map(tileName).join(", ")}` : t`has no tile now`}`);
      }
    }
    draw();
  }

  // What a play would do is asked for when a lit tile is pointed at or has the focus, and shown until it has not.
  async function foresee(tile) {
    if (picked !== null) return undefined;
    asked += 1;
    const mine = asked;
    const isLit = tile !== null && state && canPlay() && !isMulligan() && chosen.length && tilesFor(chosen[0]).includes(tile);
    const found = isLit ? await previewAt(tile) : null;
    if (mine !== asked || (!found && !preview)) return undefined;
    preview = found;
    draw();
    return undefined;
  }

  const known = new Map(); // what was asked for this version of the match
  function previewAt(tile) {
    const move = moveAt(tile);
    const key = `${state.version}/${JSON.stringify(move)}`;
    if (!known.has(key)) known.set(key, Promise.resolve(ctx.preview?.({ type: "play", payload: move }) ?? null).catch(() => null));
    return known.get(key);
  }

  async function pickTile(tile) {
    const placed = state.view.game.tiles[tile].card;
    if (!canPlay() || isMulligan() || !chosen.length || !tilesFor(chosen[0]).includes(tile)) {
      if (placed) showDetail(placed.card_id, placed.side !== (look === "E" ? "E" : "Y"));
      return draw();
    }
    if (picked === tile) return buttons.run({ run: playPicked });
    picked = tile;
    if (board.pointed !== tile) preview = null; // what is foreseen for the tile pointed at stands already
    asked += 1;
    const mine = asked;
    draw();
    const name = cards.get(myHand()[chosen[0]])?.name;
    ctx.say(t`${name} on ${tileName(tile)}: choose Play, or the tile again`);
    const found = await previewAt(tile);
    if (mine !== asked || !found) return undefined;
    preview = found;
    draw();
    if (preview.reasons?.length) ctx.say(preview.reasons.map(inWords).join("; "));
    return undefined;
  }

  // The coach speaks of sides by letter; at this table they are yours and the other.
  function inWords(reason) {
    const other = state.view.game.side === "E" ? "Y" : "E";
    return humane(reason.replace(new RegExp(`\\bfrom ${other}\\b`), t`from the other side`).replace(/\bfrom [YE]\b/, t`from you`));
  }

  async function playPicked() {
    const move = moveAt(picked);
    await previewAt(picked); // answered first: of a move that is made there is nothing to foresee
    return ctx.act("play", move);
  }

  function myHand() {
    const { game } = state.view;
    return game.side ? game.hands[game.side === "Y" ? 0 : 1] : [];
  }

  function choices() {
    if (!canPlay()) return [];
    if (isMulligan()) {
      const count = chosen.length;
      const label = count ? t`Replace ${count} ${count === 1 ? t`card` : t`cards`}` : t`Keep this hand`;
      return [{ id: "mulligan", label, key: "k", isPrimary: true, run: () => ctx.act("mulligan", count ? { indices: chosen } : {}) }];
    }
    const card = chosen.length ? cards.get(myHand()[chosen[0]]) : null;
    return [
      picked === null ? null : { id: "play", label: t`Play ${card?.name} on ${tileName(picked)}`, key: "p", isPrimary: true, run: playPicked },
      chosen.length ? { id: "cancel", label: t`Cancel`, key: "escape", isQuiet: true, run: () => (forget(), draw()) } : null,
      state.legal.some((one) => one.type === "pass") && picked === null
        ? {
            id: "pass",
            label: state.view.game.passes ? t`Pass and end the match` : t`Pass`,
            key: "x",
            isQuiet: true,
            run: () => ctx.act("pass", {}),
          }
        : null,
    ];
  }

  function showDetail(id, isMirrored) {
    const card = cards.get(id);
    show(detail, card ? drawLanesCard(card, factions, { isMirrored }) : null);
  }

  function side(number) {
    const { game } = state.view;
    const letter = "YE"[number];
    const points = (preview?.game ?? game).lanes.filter((lane) => lane.winner === letter).reduce((sum, lane) => sum + lane.lane_points, 0);
    const id = game.players[number];
    const isTurn = isActive(state) && game.side_to_act === letter;
    const owner = letter === look ? "mine" : "theirs";
    const held = game.hands[number];
    const known = owner === "theirs" ? held.filter((one, place) => one && game.shown[number].includes(place)) : [];
    return el(
      "section",
      { class: `lanes-side is-${owner} ${isTurn ? "is-turn" : ""}` },
      el("span", { class: "lanes-name" }, nameOf(ctx, state, id), isTurn ? el("span", { class: "lanes-turn" }, t`to play`) : null),
      el("b", { class: "lanes-points" }, String(points), el("span", { class: "sr-only" }, t` points`)),
      el("span", { class: "lanes-counts" }, t`${held.length} in hand · ${game.deck_counts[number]} in deck`),
      known.length ? el("span", { class: "lanes-counts" }, t`seen: ${known.map((one) => cards.get(one)?.name ?? one).join(", ")}`) : null,
    );
  }

  // What the last action did, as everybody saw it.
  function eventWords() {
    const { game } = state.view;
    const called = (event) => cards.get(event.card)?.name ?? event.card;
    const player = (letter) => (letter === game.side ? t`You` : nameOf(ctx, state, game.players["YE".indexOf(letter)]));
    const tellers = {
      mulligan: (event) => `${player(event.owner)} ${event.amount ? t`replaced ${event.amount} of the opening hand` : t`kept the hand`}`,
      pass: (event) => t`${player(event.owner)} passed`,
      play: (event) => t`${player(event.owner)} played ${called(event)} on ${event.tile}`,
      destroyed: (event) => t`${called(event)} on ${event.tile} was ${event.cause === "replaced" ? t`replaced` : t`destroyed`}`,
      one_shot: (event) => t`${called(event)} on ${event.tile} went off`,
      spawned: (event) => t`${called(event)} appeared on ${event.tile}`,
      hand_add: (event) => t`${called(event)} went to the hand of ${player(event.owner)}`,
    };
    return humane(game.happened.map((event) => tellers[event.type]?.(event)).filter(Boolean).join("; "));
  }

  function promptWords() {
    if (!isActive(state)) return [drawResult(ctx, state)];
    // Why, and what a chosen card does, stand where the last move stood: the board is not to move under a finger.
    const read = chosen.length && !isMulligan() ? cards.get(myHand()[chosen[0]])?.text : "";
    const more = preview?.reasons?.length ? sentence(preview.reasons.map(inWords).join("; ")) : read || eventWords();
    const ask = !canPlay()
      ? turnWords(ctx, state)
      : isMulligan()
        ? t`Choose cards to replace, or keep your hand`
        : preview ? t`This is how the board would look` : chosen.length ? t`Choose a lit tile` : t`Choose a card, or pass`;
    return [el("span", {}, ask), more ? el("small", {}, more) : null].filter(Boolean);
  }

  function draw() {
    const { game } = state.view;
    const isPlaying = canPlay() && !isMulligan();
    const ids = myHand();
    const lit = isPlaying && chosen.length ? tilesFor(chosen[0]) : [];
    const dim = isPlaying ? ids.map((_, index) => index).filter((index) => !tilesFor(index).length) : [];
    show(head, look === "E" ? [side(1), side(0)] : [side(0), side(1)]);
    board.show(preview?.game ?? game, look, { lit, picked, before: preview ? game : before });
    board.element.classList.toggle("is-preview", Boolean(preview));
    hand.show(ids, { chosen, dim, isOff: !canPlay(), word: isMulligan() ? t`replace` : t`chosen` });
    ctx.prompt?.(promptWords());
    buttons.show(choices());
  }

  function update(next, earlier) {
    if (!next) return ctx.prompt?.(t`Waiting for the match.`);
    const isNews = next.version !== state?.version || next.view.match_id !== state?.view.match_id;
    if (isNews) {
      before = earlier && earlier.view.match_id === next.view.match_id && earlier.version < next.version ? earlier.view.game : null;
      forget();
      known.clear();
    }
    state = next;
    look = state.view.game.side ?? "Y";
    draw();
    if (earlier && earlier !== state && isNews) {
      const words = [eventWords()].filter(Boolean);
      if (state.view.result) words.push(resultWords(ctx, state));
      else words.push(turnWords(ctx, state));
      ctx.say(words.join(". "));
    }
    return undefined;
  }

  return { update, destroy: () => buttons.destroy() };
}

function wordsFor({ type, payload }, state, ctx) {
  const game = state?.view.game;
  const held = game?.hands[game.side === "E" ? 1 : 0] ?? []; // of a hand that is past nobody knows the places

  const named = (index) => ctx.game.extras?.cards?.find((card) => card.id === held[index])?.name ?? t`a card`;
  if (type === "play" && payload.lane === undefined) return t`Play a card`;
  if (type === "play") return t`Play ${named(payload.hand_index)} on ${tileName(5 * payload.lane + payload.col)}`;
  if (type === "mulligan") return payload.indices?.length ? t`Replace ${payload.indices.map(named).join(", ")}` : t`Keep this hand`;
  return undefined;
}

export default { layout: "board", wordsFor, mount };
