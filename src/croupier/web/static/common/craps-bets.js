// The ninety-one craps bets as a page needs them: their names in states, their words, and where they stand.

import { t } from "../lib/dom.js";

export const POINTS = [4, 5, 6, 8, 9, 10];
export const TOTALS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
export const HOPS = [1, 2, 3, 4, 5, 6].flatMap((low) => [1, 2, 3, 4, 5, 6].filter((high) => high >= low).map((high) => [low, high]));

const on = (kind, numbers) => numbers.map((number) => `${kind}:${number}`);

// By id, as states have them.
const NAMES = [
  ...["pass", "dont_pass", "come", "dont_come", "field"],
  ...on("yes", TOTALS),
  ...on("no", TOTALS),
  ...on("hard", [4, 6, 8, 10]),
  ...["odds_pass", "odds_dont_pass", "odds_come", "odds_dont_come"],
  ...["hot_roller", "fire", "twice_hard", "ride_line", "muggsy"],
  ...["bonus_small", "bonus_tall", "bonus_all", "replay", "different_doubles"],
  ...on("next", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  ...on("repeater", TOTALS),
  ...HOPS.map(([low, high]) => `hop:${low}-${high}`),
  ...["any_craps", "horn", "world", "c_and_e", "big:6", "big:8"],
];
const TRAVELS = new Set(["come", "dont_come", "odds_come", "odds_dont_come"]);

const WORDS = {
  pass: t`pass line`,
  dont_pass: t`don't pass`,
  come: "come",
  dont_come: t`don't come`,
  odds_pass: t`odds on the pass line`,
  odds_dont_pass: t`odds on don't pass`,
  odds_come: t`odds on come`,
  odds_dont_come: t`odds on don't come`,
  yes: "place",
  buy: "buy",
  no: "lay",
  lose: t`place to lose`,
  next: t`next roll`,
  c_and_e: t`craps and eleven`,
  bonus_small: t`all small`,
  bonus_tall: t`all tall`,
  bonus_all: t`make them all`,
  twice_hard: t`twice hard`,
  ride_line: t`ride the line`,
};
const NICKNAMES = { "next:2": "aces", "next:3": t`ace deuce`, "next:7": t`any seven`, "next:11": "yo", "next:12": "boxcars" };

/** Return the name of a bet that is up: {id, number, mode} as a state has it. */
export function nameOf({ id, number = 0, mode = 0 }) {
  const name = NAMES[id];
  if (mode === 1) return name.replace("yes:", "buy:").replace("no:", "lose:");
  return number && TRAVELS.has(name) ? `${name}:${number}` : name;
}

const OFF_AT_COME_OUT = /^(yes|buy|hard|odds_come):/;

/** Return where a name puts a bet at a table: {id, number, mode, working} as a state would have it; null for no bet. */
export function placeOf(name, table) {
  const [kind, value] = name.split(":");
  const mode = kind === "buy" || kind === "lose" ? 1 : 0;
  const known = mode ? name.replace("buy:", "yes:").replace("lose:", "no:") : TRAVELS.has(kind) ? kind : name;
  const id = NAMES.indexOf(known);
  if (id < 0) return null;
  // Odds on the line lie on the point, whatever it is.
  const number = TRAVELS.has(kind) ? Number(value ?? 0) : /^odds_/.test(name) ? table.point : 0;
  return { id, number, mode, working: OFF_AT_COME_OUT.test(name) ? 2 : 3 };
}

/** Return every name that can be put up or lie on the layout. */
export function allNames() {
  const travelled = [...TRAVELS].flatMap((kind) => on(kind, POINTS));
  const offered = NAMES.filter((name) => name !== "odds_come" && name !== "odds_dont_come");
  return [...offered, ...on("buy", TOTALS), ...on("lose", POINTS), ...travelled];
}

/** Return a bet in words: place 6, odds on come 8, next roll 11 (yo). */
export function wordsOf(bet) {
  const [kind, number] = bet.split(":");
  const words = [WORDS[kind] ?? kind.replaceAll("_", " "), number].filter(Boolean).join(" ");
  return NICKNAMES[bet] ? `${words}, ${NICKNAMES[bet]}` : words;
}

/** Tell whether a bet works on the next roll of a table. */
export function isWorking({ working = 3 }, table) {
  return Boolean(working & ((table.phase ?? "come_out") === "point" ? 2 : 1));
}

/** Tell whether a bet has modes to switch: those that are off on come-out rolls unless their player says otherwise. */
export function canSwitch(bet) {
  return OFF_AT_COME_OUT.test(bet);
}

/** Return what a table remembers, with what states leave out filled in. */
export function fullTable(table) {
  return {
    phase: "come_out",
    point: 0,
    roll_count: 0,
    hand_rolls: 0,
    fire_points: [],
    hot_streak: 0,
    pass_wins: 0,
    points_made: [0, 0, 0, 0, 0, 0],
    bonus_numbers: [],
    doubles_seen: [],
    ways_seen: [],
    hard_streak: [0, 0, 0, 0],
    repeater_counts: Array(11).fill(0),
    history: [],
    ...table,
  };
}
