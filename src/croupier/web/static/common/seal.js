// The proof in plain words: a seal, a sentence, a picture of three steps. It says what the page has checked, no more.

import { el, svg, t } from "../lib/dom.js";
import { clock } from "../lib/numbers.js";

const THINGS = { roulette: t`The numbers`, "video-poker": t`The cards`, craps: t`The dice`, "craps-table": t`The dice`, "sic-bo": t`The dice`, "shut-the-box": t`The dice` };
const CARDS = /^(baccarat|blackjack|casino-war|hi-lo|three-card|ultimate|lanes)/;

const thingsOf = (gameId = "") => THINGS[gameId] ?? (CARDS.test(gameId) ? t`The cards` : t`The draws`);

/** Return the sentence of a proof: `checks` as they came out, by name. */
export function sealWords(checks, gameId) {
  const found = new Map(checks.map((one) => [one.name, one.ok]));
  const wrong = checks.find((one) => one.ok === false);
  if (wrong) return t`This record does not hold. Do not trust this round.`;
  const things = thingsOf(gameId);
  if (!found.get("kept")) return t`Everything in this record fits together. It was not compared with what you saw: this browser was not there when the round began.`;
  const mixed = found.get("client seed") ? t`, and you mixed in a number of your own` : "";
  const fixed = t`${things} were fixed before you bet${mixed}.`;
  if (found.get("draws")) return t`${fixed} Your browser worked them out again: the same.`;
  return t`${fixed} Your browser has checked what they were made of; how this game draws from it is for croupier verify.`;
}

const PICTURES = {
  locked: () => [
    svg("path", { d: "M12 22v-7a8 8 0 0 1 16 0v7", class: "seal-line" }),
    svg("rect", { x: 7, y: 20, width: 26, height: 18, rx: 3, class: "seal-box" }),
    svg("circle", { cx: 20, cy: 29, r: 3, class: "seal-dot" }),
  ],
  number: () => [
    svg("rect", { x: 7, y: 10, width: 26, height: 26, rx: 5, class: "seal-box" }),
    [[14, 17], [26, 17], [20, 23], [14, 29], [26, 29]].map(([cx, cy]) => svg("circle", { cx, cy, r: 2.6, class: "seal-dot" })),
  ],
  opened: () => [
    svg("path", { d: "M12 20v-6a8 8 0 0 1 15-4", class: "seal-line" }),
    svg("rect", { x: 7, y: 20, width: 26, height: 18, rx: 3, class: "seal-box" }),
    svg("path", { d: "M13 29l5 5 9-10", class: "seal-tick" }),
  ],
};

function step(kind, title, fact, isDone) {
  const picture = svg("svg", { viewBox: "0 0 40 42", "aria-hidden": "true" }, PICTURES[kind]());
  return el("li", { class: isDone ? "is-done" : null }, picture, el("b", {}, title), el("span", {}, fact));
}

/** Return the picture: the locked box, the reader's number, the box opened; with the facts of this round. */
export function drawSeal({ commitment, clientSeed, isOver, times = [], isOk = null }) {
  const when = (at) => (at ? t` at ${clock(at)}` : "");
  const [locked, named] = [times.find(([what]) => what === t`The server fixed its part`)?.[1], times.find(([what]) => what === t`Your part was named, and the round began`)?.[1]];
  return el(
    "ol",
    { class: "seal-steps" },
    step(
      "locked",
      t`A locked box`,
      commitment ? t`The house locked its number away${when(locked)} and gave you its fingerprint` : t`The house locks its number when a round begins`,
      Boolean(commitment),
    ),
    step("number", t`Your number`, clientSeed ? t`Then your browser chose one the house could not know${when(named)}` : t`Then your browser chooses one of its own`, Boolean(clientSeed)),
    step(
      "opened",
      t`The box opened`,
      isOver ? (isOk ? t`What was inside has the fingerprint you were given` : t`What was inside does not fit`) : t`When the round is over you see what was inside`,
      isOver && isOk,
    ),
  );
}
