// What stands around every table: the felt, the tray, the result lines, and the drawers beside it.

import { el, isStill, show } from "../lib/dom.js";
import { keep, recall } from "../lib/keep.js";
import { percent } from "../lib/numbers.js";
import { play, soundsFor } from "../lib/sound.js";
import { makeDrawers } from "./drawers.js";
import { showLines } from "./lines.js";
import { makeTray } from "./tray.js";

const OWN = new Set([
  "baccarat", "blackjack", "casino-war", "craps", "craps-table", "hi-lo", "lanes", "roulette", "shut-the-box", "sic-bo",
  "three-card-poker", "ultimate-texas-holdem", "video-poker",
]);

function link(name) {
  const href = `/web/css/${name}`;
  if (document.head.querySelector(`link[href="${href}"]`)) return null;
  return new Promise((done) => {
    document.head.append(el("link", { rel: "stylesheet", href, onload: done, onerror: done }));
  });
}

/** Return what a module of tables/ exports, with its styles in place. */
export async function loadModule(name) {
  const module = await import(`../tables/${name}.js`);
  await Promise.all((module.css ?? []).map(link));
  return module.default;
}

/** Return the module that shows a game; one that we do not know is shown from its schemas. */
export function loadTable(gameId) {
  return loadModule(OWN.has(gameId) ? gameId : "generic");
}

/** Return what a table shows beside the rules: the cards of Lanes. */
export async function loadExtras(gameId) {
  return gameId === "lanes" ? (await fetch("/web/data/lanes.json")).json() : {};
}

/** Return a bet's name for people: straight:17 is "straight 17". */
export function betName(bet) {
  return bet.replaceAll("_", " ").replace(":", " ");
}

/**
 * Put a table on the page. `deeds` are what it can do: act, begin, preview; `info` is the game and its odds.
 * Returns { update(state, before), result, seats, destroy }.
 */
export async function makeFrame(root, page, { game, deeds, odds, limits, options, names, hasTray, sources }) {
  const [table, extras] = await Promise.all([loadTable(game.summary.id), loadExtras(game.summary.id)]);
  const felt = el("div", { class: `felt felt-${game.summary.id}` });
  const result = el("div", { class: "result", role: "group", "aria-label": "What the bets came to" });
  const status = el("p", { class: "quiet table-status" });
  const foot = el("div", { class: "table-foot" });
  const head = el("div", { class: "table-head" }, el("h1", {}, game.summary.name), status);
  const seats = el("ul", { class: "seats", "aria-label": "Seats" });
  const left = el("div", {}, seats, felt, foot, result);
  const memory = recall(`memory.${game.summary.id}`, {});
  const listeners = new Set();
  const byBet = new Map((odds?.bets ?? []).map((bet) => [bet.bet, bet]));

  const tray = hasTray
    ? makeTray({
        chosen: memory.chip ?? 5,
        most: limits?.max ?? Infinity,
        onchoose: (value) => {
          memory.chip = value;
          for (const fn of listeners) fn(value);
          keepMemory();
        },
      })
    : null;
  if (tray) foot.append(tray.root);
  const keepMemory = () => keep(`memory.${game.summary.id}`, memory);

  // Whoever drives the page goes by what the felt says of itself: an answer is awaited, this state is drawn.
  let awaited = 0;
  const telling = (deed) =>
    deed &&
    (async (...given) => {
      awaited += 1;
      felt.dataset.busy = "yes";
      try {
        return await deed(...given);
      } finally {
        awaited -= 1;
        if (!awaited) delete felt.dataset.busy;
      }
    });

  const ctx = {
    game: { ...game.summary, ...game, bets: odds?.bets ?? [], extras },
    act: telling(deeds.act),
    begin: telling(deeds.begin),
    preview: deeds.preview ?? null,
    get chip() {
      return tray?.value ?? 1;
    },
    onchip: (fn) => listeners.add(fn),
    balance: () => page.account?.house.chips ?? 0,
    limits: limits ?? { min: 1, max: Infinity },
    say: page.say,
    edge: (bet) => percent(findOdds(byBet, bet)?.edge),
    pays: (bet) => findOdds(byBet, bet)?.pays ?? null,
    memory: new Proxy(memory, {
      set(target, name, value) {
        target[name] = value;
        keepMemory();
        return true;
      },
    }),
    names: names ?? {},
    options: options ?? null,
    me: deeds.me ?? null,
    hasSharedDice: deeds.hasSharedDice ?? false,
    foot,
    preferences: {
      get deck() {
        return page.preferences.deck;
      },
      get isStill() {
        return isStill();
      },
    },
  };

  // A chip that is put down, or taken off, is heard where it lies.
  const chipSound = (event) => {
    const isKey = event.type === "keydown" && ["Enter", " ", "Backspace", "Delete"].includes(event.key);
    if ((event.type === "click" || isKey) && event.target.closest?.("[data-bet]")) play("chip");
  };
  felt.addEventListener("click", chipSound);
  felt.addEventListener("keydown", chipSound);
  let isFirst = true; // what was there when the page came is no news

  const drawers = makeDrawers(page, { game, odds, sources, betName });
  show(root, head, el("div", { class: "place" }, left, drawers.root));
  const mounted = table.mount(felt, ctx);
  return {
    ctx,
    status,
    seats,
    foot,
    head,
    drawers,
    layout: table.layout,
    telling,
    update(state, before) {
      for (const sound of isFirst ? [] : soundsFor(state, before)) play(sound);
      isFirst = false;
      mounted.update(state, before);
      drawers.update(state);
      const lines = state?.lines ?? [];
      show(result, state?.kind === "session" ? showLines(lines, betName, state.fees ?? 0) : null);
      felt.dataset.match = state?.view.match_id ?? "";
      felt.dataset.turn = state?.legal?.length ? "mine" : "others";
      felt.dataset.status = state?.status ?? "none";
      felt.dataset.version = state?.version ?? "";
    },
    destroy() {
      mounted.destroy?.();
      tray?.destroy();
    },
  };
}

// Odds are listed by kind where all numbers are alike: straight:17 is worth what straight is.
function findOdds(byBet, bet) {
  return byBet.get(bet) ?? byBet.get(bet.split(":")[0]) ?? null;
}
