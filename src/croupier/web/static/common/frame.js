// The frame around every table: the felt as a stage, its controls, the moment of the result, and the drawers beside it.

import { el, isStill, show, t } from "../lib/dom.js";
import { keep, recall } from "../lib/keep.js";
import { percent, ratio } from "../lib/numbers.js";
import { play, soundsFor } from "../lib/sound.js";
import { makeDrawers, policyName } from "./drawers.js";
import { celebrate, drawMoment } from "./moment.js";
import { pause } from "./pause.js";
import { clearRefusal } from "./refusal.js";
import { fitStage } from "./stage.js";
import { makeTray } from "./tray.js";

const PRICES_MS = 200;
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
 * Put a table on the page. `actions` are what it can do: act, begin, preview; `odds` is a promise, or null for none.
 * Returns { update(state, before), result, seats, destroy }.
 */
export async function makeFrame(root, page, { game, actions, odds, limits, options, names, hasTray, sources }) {
  const [table, extras] = await Promise.all([loadTable(game.summary.id), loadExtras(game.summary.id)]);
  let byBet = new Map();
  // Odds that nobody has counted yet take seconds: the table stands before them, and its prices come later.
  const priced = odds?.then(({ bets }) => (byBet = bestOdds(bets))).catch(() => {});
  await Promise.race([priced, pause(PRICES_MS)]);
  const stage = el("div", { class: "felt-play" });
  const moment = el("div", { class: "moment", role: "group", "aria-label": t`What the bets came to` });
  const foot = el("div", { class: "table-foot" });
  const felt = el("div", { class: `felt felt-${game.summary.id}` }, stage, moment, foot);
  const status = el("p", { class: "quiet table-status" });
  const head = el("div", { class: "table-head" }, el("h1", {}, game.summary.name), actions.begin ? status : null);
  const seats = el("ul", { class: "seats", "aria-label": t`Seats` });
  const left = el("div", { class: "stage-left" }, actions.begin ? null : el("div", { class: "stage-bar" }, seats, status), felt);
  const memory = recall(`memory.${game.summary.id}`, {});
  const listeners = new Set();

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
  const telling = (action) =>
    action &&
    (async (...given) => {
      awaited += 1;
      felt.dataset.busy = "yes";
      try {
        return await action(...given);
      } finally {
        awaited -= 1;
        if (!awaited) delete felt.dataset.busy;
      }
    });

  const ctx = {
    game: { ...game.summary, ...game, extras },
    act: telling(actions.act),
    begin: telling(actions.begin),
    preview: actions.preview ?? null,
    get chip() {
      return tray?.value ?? 1;
    },
    onchip: (fn) => listeners.add(fn),
    balance: () => page.account?.house.chips ?? 0,
    limits: limits ?? { min: 1, max: Infinity },
    say: page.say,
    edge: (bet) => edgeWords(findOdds(byBet, bet)),
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
    me: actions.me ?? null,
    hasSharedDice: actions.hasSharedDice ?? false,
    foot,
    /** Say on the felt what there is to do, or what has happened. */
    prompt: (words) => tellMoment(words, []),
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

  let words = "";
  let current = null;
  const linesOf = (state) => mounted.lines?.(state) ?? (state?.status === "finished" ? state.lines : []);
  const nameOf = (bet) => table.nameOf?.(bet) ?? betName(bet);
  function tellMoment(next = words, lines = []) {
    words = next;
    show(moment, isBroke() ? brokeNotice() : drawMoment({ words, lines, fees: lines.length ? (current?.fees ?? 0) : 0, nameOf }));
  }

  // Nobody is left standing at a table without chips: there are some every day.
  const isBroke = () => hasTray && Boolean(actions.begin) && current?.status !== "active" && ctx.balance() < (limits?.min || 1);
  function brokeNotice() {
    const thank = () => page.say(t`1,000 chips are yours.`);
    const takeChips = () => actions.askForChips().then(thank).catch(page.complain);
    return [el("p", { class: "moment-words" }, t`Your chips are gone.`), el("button", { type: "button", class: "primary", onclick: takeChips }, t`Take today's 1,000 chips`)];
  }
  const refreshReach = () => tray?.setReach(mounted?.reach?.(current) ?? (actions.begin ? Math.max(ctx.balance(), 1) : Infinity));
  function refreshPurse() {
    refreshReach();
    if (current?.status !== "active") mounted?.purse?.();
    if (isBroke() || moment.querySelector("button.primary")) tellMoment();
  }

  const drawers = makeDrawers(page, { game, odds, sources, nameOf, wordsOf: (action, state = null) => actionWords(table, action, state, ctx) });
  page.setTable(head, drawers.tabs);
  show(root, el("div", { class: "stage" }, left, drawers.root));
  if (document.activeElement === document.body) root.parentElement.focus({ preventScroll: true }); // what had it is gone
  const mounted = table.mount(stage, ctx);
  if (odds && !byBet.size) priced.then(() => root.contains(felt) && (mounted.priced ?? mounted.purse)?.());
  const unfit = fitStage(felt, stage);
  const unpurse = page.onPurse(refreshPurse);
  refreshPurse();
  return {
    ctx,
    status,
    seats,
    foot,
    head,
    drawers,
    layout: table.layout,
    telling,
    /** Show a state. What it came to is told when the table has shown it: a promise that holds then. */
    update: telling(async (state, before) => {
      const isNews = !isFirst && Boolean(state) && (before?.version !== state.version || before?.view.match_id !== state.view.match_id);
      const sounds = isFirst ? [] : soundsFor(state, before);
      for (const sound of sounds) if (sound !== "win") play(sound);
      isFirst = false;
      current = state;
      clearRefusal();
      felt.dataset.match = state?.view.match_id ?? "";
      felt.dataset.turn = state?.legal?.length ? "mine" : "others";
      felt.dataset.status = state?.status ?? "none";
      felt.dataset.version = state?.version ?? "";
      await mounted.update(state, before);
      if (current !== state) return;
      drawers.update(state);
      refreshReach();
      const lines = linesOf(state);
      tellMoment(mounted.headline?.(state) ?? words, lines);
      if (sounds.includes("win")) play("win");
      if (isNews && lines.length && !isStill()) celebrate(stage, lines, state.fees ?? 0);
    }),
    destroy() {
      unfit();
      unpurse();
      page.setTable();
      mounted.destroy?.();
      tray?.destroy();
    },
  };
}

// A bet that can be played in several ways is worth what its best way is worth.
function bestOdds(bets) {
  const found = new Map();
  for (const bet of bets) {
    const known = found.get(bet.bet);
    if (!known || (bet.edge !== null && ratio(bet.edge) < ratio(known.edge))) found.set(bet.bet, bet);
  }
  return found;
}

// The edge of a bet, and the way of playing that has it where there are several.
function edgeWords(found) {
  const edge = percent(found?.edge);
  if (edge === null) return null;
  return ["-", "one_guess"].includes(found.policy ?? "-") ? edge : t`${edge} with ${policyName(found.policy)}`;
}

/** Return an action in words: by the table that knows it, else by its name. Without a state it is one that is past. */
export function actionWords(table, { type, payload }, state, ctx) {
  const known = table?.wordsFor?.({ type, payload: payload ?? {} }, state, ctx);
  if (known) return known;
  const values = Object.values(payload ?? {}).flat().map((value) => (value !== null && typeof value === "object" ? "" : betName(String(value))));
  const text = [betName(type), ...values].filter(Boolean).join(" ");
  return text[0].toUpperCase() + text.slice(1);
}

// Odds are listed by kind where all numbers are alike: straight:17 is worth what straight is.
function findOdds(byBet, bet) {
  return byBet.get(bet) ?? byBet.get(bet.split(":")[0]) ?? null;
}
