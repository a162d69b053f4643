// The proof of shared dice: for every roll who added what, and what the page has checked of it by itself.

import { el, t } from "../lib/dom.js";
import { recordSeeds } from "../lib/dice-record.js";
import { checkRow, executedProof } from "./executed.js";
import { saveFile } from "./share.js";

const check = (name, ok, text) => ({ name, ok, text });
const short = (hex) => `${hex.slice(0, 8)}…`;
const are = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** Return what holds of a book, as a list of checks. `text` is the record's text once the match is over. */
export function diceChecks(play, text) {
  const { book, trouble } = play;
  const amiss = trouble ? [check("trouble", false, t`${trouble.code === "old_protocol" ? t`The page cannot check this` : t`The table said something that it must not`}: ${trouble.text} (${trouble.code}). Do not bet here.`)] : [];
  if (!book) return [check("terms", null, t`Nothing has been told yet that this page could check.`), ...amiss];
  const names = [
    check("terms", true, t`The table's name follows from all of its terms: everybody was shown the same ones.`),
    check("signatures", true, t`${are(book.signatures, t`message is`, t`messages are`)} signed by those who sent them.`),
    check("rounds", true, t`Everybody who could add a secret was asked to, and no secret was opened while somebody could still object.`),
    check("commitments", true, t`Every secret is the one that its owner had committed to before any was opened.`),
  ];
  if (book.bank) names.push(check("chain", true, t`The bank's secrets fit the chain that it had fixed before the table opened.`));
  names.push(check("dice", true, t`${are(book.rolls.length, "roll", "rolls")} worked out again from everybody's secrets.`));
  names.push(...amiss);
  if (text) names.push(...recordSeeds(text, book));
  return names;
}

/** Show the proof of shared dice: `source` is { play, nameOf, text, files: [{ name, text }], isOver }. */
export function showDiceProof(source) {
  const { play, nameOf, files } = source;
  const checks = diceChecks(play, source.text);
  const isBad = checks.some((one) => one.ok === false);
  const owner = (key) => (key === play.key ? "you" : key === play.book.bank ? t`the bank` : nameOf(key));
  const roll = (one) =>
    el(
      "li",
      { dataset: { round: String(one.round) } },
      el("strong", {}, `${one.faces.join(" and ")}`),
      t` from ${one.parts.map(({ key, secret }) => `${owner(key)} ${short(secret)}`).join(", ")}; seed `,
      el("code", {}, short(one.seed)),
    );
  return [
    el("h2", {}, t`Proof`),
    el("p", {}, t`The dice of this table are everybody's. Each adds a secret to every roll, committed to before any is opened; if one of them is honest, nobody chose the dice. Your key and your secrets were made in this browser and are kept here.`),
    play.key ? el("dl", { class: "facts" }, el("dt", {}, t`Your key`), el("dd", {}, el("code", {}, play.key))) : null,
    el("p", { class: isBad ? "bad verdict" : "good verdict", role: "status" }, isBad ? t`This table does not hold.` : t`Everything that can be checked here holds.`),
    el("ul", { class: "checks" }, checks.map((one) => checkRow(one))),
    play.book?.rolls.length ? [el("h3", {}, t`Which secrets made which roll`), el("ol", { class: "dice-rolls" }, play.book.rolls.map(roll))] : null,
    play.book?.voids.length ? el("p", { class: "quiet" }, t`${are(play.book.voids.length, t`round was`, t`rounds were`)} void; bets stood.`) : null,
    el("p", {}, t`That was the page's own check: it knows how the dice were made, not the rules of craps nor who is paid what. The rules themselves can play it again, here or on your own machine:`),
    files.length ? executedProof(async () => ({ text: await files[0].get(), record: source.text })) : null,
    el("pre", { tabindex: "0" }, `croupier verify ${files.map(({ name }) => name).join(" --record ") || "TRANSCRIPT"}`),
    files.map(({ name, what, get }) => el("button", { type: "button", onclick: async () => saveFile(name, await get()) }, t`Download the ${what}`)),
  ];
}
