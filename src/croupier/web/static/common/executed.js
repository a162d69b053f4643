// Proof by execution: the record is played again by the installed rules, in this browser's Python, and the verdict shown.

import { el, show, t } from "../lib/dom.js";
import { canonicalJson } from "../lib/json.js";
import { announced } from "../lib/keep.js";
import { Python } from "../python/python.js";

export const python = new Python();

/** Show one thing that was checked: it held, it did not, or it is left open. */
export const checkRow = (one, text = one.text, ...more) => el("li", { class: `check ${one.ok === false ? "bad" : one.ok === null ? "open" : ""}`, dataset: { check: one.name } }, text, ...more);

// The rules that ran, and whether they are those that the host had announced when it committed itself.
function rulesCheck({ rules, log_n: last }, log) {
  const told = announced(`rules/${rules.game}`, last ?? 0, log)[1];
  const words = !told ? t`what the host had announced is not known here` : told === rules.digest ? t`announced with the commitment` : t`but announced with the commitment was ${told}`;
  return { name: "executed", ok: told ? told === rules.digest : null, text: t`${rules.name}, rules version ${rules.version}, ran with the digest ${rules.digest}, ${words}` };
}

/** Return a verdict of Python's with the check of the rules that ran. `log` is what the host had announced, as it was kept. */
export function judged(verdict, log) {
  const checks = verdict.rules ? [...verdict.checks, rulesCheck(verdict, log)] : verdict.checks;
  const wrong = checks.find((one) => one.ok === false);
  const isOk = verdict.ok && !wrong;
  return { isOk, checks, text: isOk || !verdict.ok ? verdict.verdict : t`not verified: ${wrong.text}` };
}

/** Show a verdict in the words of `croupier verify`, then which rules ran, then every other check. */
export function showVerdict({ isOk, text, checks }) {
  const first = checks.filter((one) => one.name === "executed" && one.ok !== false); // else the verdict says it
  const rest = checks.filter((one) => !first.includes(one));
  return [
    el("p", { class: `verdict seal-words ${isOk ? "good" : "bad"}`, role: "status", dataset: { executed: isOk ? "good" : "bad" } }, text),
    first.length ? el("ul", { class: "checks" }, first.map((one) => checkRow(one))) : null,
    rest.length ? el("details", { class: "proof-more" }, el("summary", {}, t`${rest.length} more ${rest.length === 1 ? t`check` : t`checks`}`), el("ul", { class: "checks" }, rest.map((one) => checkRow(one)))) : null,
  ];
}

/** Show where the rules came from: the archives that were unpacked, with the hashes that the worker worked out. */
export const showPackages = () => el(
  "details",
  { class: "proof-more" },
  el("summary", {}, t`What was executed`),
  el("dl", { class: "facts" }, python.archives.map(({ name, hash }) => [el("dt", {}, name), el("dd", {}, el("code", {}, `SHA-256 ${hash}`))])),
);

/** Return a button that executes: `ask` gives { text, kept, record }. Where Python cannot run, that is said and nothing else. */
export function executedProof(ask) {
  const run = async () => {
    show(place, el("p", { role: "status" }, python.archives.length ? t`The rules are running …` : t`Python is starting; the first time this takes some seconds …`));
    try {
      const { text, kept, record } = await ask();
      const verdicts = await python.check(text, { kept: kept && canonicalJson(kept), record });
      show(place, verdicts.map((one) => showVerdict(judged(one))), showPackages());
    } catch (error) {
      show(place, el("p", { class: "warn", role: "status", dataset: { executed: "none" } }, t`${error.message} The page's own check stands; croupier verify knows the rules.`), button);
    }
  };
  const button = el("button", { type: "button", class: "execute primary", onclick: run }, t`Execute the rules again, in this browser`);
  const place = el("div", { class: "executed" }, button);
  return place;
}
