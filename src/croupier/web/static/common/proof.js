// The proof drawer: what was committed when, what the page has worked out by itself, and what is left to `croupier verify`.

import { el } from "../lib/dom.js";
import { checkRecord } from "../lib/proof.js";

/** Show a proof: `source` is { isOver, commitment, clientSeed, seen, text, steps, fileName }. */
export function showProof(source) {
  const facts = [
    el("h2", {}, "Proof"),
    el(
      "dl",
      { class: "facts" },
      el("dt", {}, "The server committed to"),
      el("dd", {}, el("code", {}, source.commitment ?? "nothing yet")),
      el("dt", {}, "Your part of the seed"),
      el("dd", {}, el("code", {}, source.clientSeed || "none")),
      source.seen ? [el("dt", {}, "This browser saw the commitment"), el("dd", {}, new Date(source.seen.at).toLocaleString())] : null,
    ),
  ];
  if (!source.isOver) {
    return [
      ...facts,
      el("p", {}, "The server fixed its part before it knew yours, so neither could choose the cards. When the round is over it shows its part, and this page works everything out again."),
    ];
  }
  const { checks } = checkRecord(source.text, { seen: source.seen, steps: source.steps });
  const failed = checks.filter((one) => one.ok === false);
  const file = URL.createObjectURL(new Blob([source.text], { type: "application/json" }));
  return [
    ...facts,
    el(
      "p",
      { class: failed.length ? "bad verdict" : "good verdict", role: "status" },
      failed.length ? "This record does not hold." : "Everything that can be checked here holds.",
    ),
    el(
      "ul",
      { class: "checks" },
      checks.map((one) => el("li", { class: `check ${one.ok === false ? "bad" : one.ok === null ? "open" : ""}`, dataset: { check: one.name } }, one.text)),
    ),
    el("p", {}, "The page knows how chance was made, not the rules of the game. To have every move and every payment worked out again, on your own machine:"),
    el("pre", { tabindex: "0" }, `croupier verify ${source.fileName}`),
    el("a", { class: "button", href: file, download: source.fileName }, "Download the record"),
  ];
}
