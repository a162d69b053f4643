// Proof by execution: the record is played again by the installed rules, in this browser's Python, and the verdict shown.

import { el, show } from "../lib/dom.js";
import { canonicalJson } from "../lib/json.js";
import { recall } from "../lib/keep.js";
import { Python } from "../python/python.js";

export const python = new Python();

// The rules that ran, and whether they are those that the host had announced when it committed itself.
function rulesCheck({ rules, log_n: last }) {
  if (!rules) return [];
  const announced = (recall("log")?.entries ?? []).findLast(([n, subject]) => n <= (last ?? 0) && subject === `rules/${rules.game}`)?.[2][1];
  const words = !announced ? "what the host had announced is not known here" : announced === rules.digest ? "announced with the commitment" : `but announced with the commitment was ${announced}`;
  return [{ name: "executed", ok: announced ? announced === rules.digest : null, text: `${rules.name}, rules version ${rules.version}, ran with the digest ${rules.digest}, ${words}` }];
}

/** Show one verdict in the words of `croupier verify`. */
export function showVerdict(verdict) {
  const checks = [...verdict.checks, ...rulesCheck(verdict)];
  const isOk = verdict.ok && checks.every((one) => one.ok !== false);
  const good = verdict.compared ? "verified: it is what you saw" : verdict.rolls === undefined ? "consistent; not compared with what you saw" : "verified";
  const text = isOk ? good : `not verified: ${verdict.problem ?? checks.find((one) => one.ok === false).text}`;
  const row = (one) => el("li", { class: `check ${one.ok === false ? "bad" : one.ok === null ? "open" : ""}`, dataset: { check: one.name } }, one.text);
  return [el("p", { class: `verdict ${isOk ? "good" : "bad"}`, role: "status", dataset: { executed: isOk ? "good" : "bad" } }, text), el("ul", { class: "checks" }, checks.map(row))];
}

/** Show where the rules came from: the archives that were unpacked, with the hashes that the worker worked out. */
export const showPackages = () => el("p", { class: "quiet" }, `Executed by ${python.archives.map(({ name, hash }) => `${name} (SHA-256 ${hash})`).join(", ")}.`);

/** Return a button that executes: `ask` gives { text, kept, record }. Where Python cannot run, that is said and nothing else. */
export function executedProof(ask) {
  const run = async () => {
    show(place, el("p", { role: "status" }, "Python is starting; the first time this takes some seconds …"));
    try {
      const { text, kept, record } = await ask();
      const verdicts = await python.check(text, { kept: kept && canonicalJson(kept), record });
      show(place, verdicts.map(showVerdict), showPackages());
    } catch (error) {
      show(place, el("p", { class: "warn", role: "status", dataset: { executed: "none" } }, `${error.message} The page's own check stands; croupier verify knows the rules.`), button);
    }
  };
  const button = el("button", { type: "button", class: "execute", onclick: run }, "Execute the rules again, in this browser");
  const place = el("div", { class: "executed" }, button);
  return place;
}
