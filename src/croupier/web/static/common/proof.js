// The proof drawer: what was committed when, what the page has worked out by itself, and what is left to `croupier verify`.

import { el, t } from "../lib/dom.js";
import { checkRecord } from "../lib/proof.js";
import { checkRow, executedProof } from "./executed.js";
import { drawSeal, sealWords } from "./seal.js";
import { KEPT_NAME, keptButton, saveFile, shareButton } from "./share.js";

/**
 * Show a proof: `source` is { isOver, commitment, clientSeed, kept, sessionId, times, text, steps, ledger, pricesOf, fileName, link },
 * as the functions of sources.js give it.
 */
export function showProof(source) {
  const facts = el(
    "dl",
    { class: "facts" },
    el("dt", {}, t`The server committed to`),
    el("dd", {}, el("code", {}, source.commitment ?? t`nothing yet`)),
    el("dt", {}, t`Your part of the seed`),
    el("dd", {}, el("code", {}, source.clientSeed || t`none`)),
    (source.times ?? []).filter(([, at]) => at).map(([what, at]) => [el("dt", {}, what), el("dd", {}, el("time", { datetime: new Date(at).toISOString() }, moment(at)))]),
  );
  if (!source.isOver) {
    return [
      el("h2", {}, t`Proof`),
      el(
        "p",
        { class: "seal-words" },
        t`Nobody can choose what falls: the house has fixed its number before it knew yours. When the round is over it shows its number, and this page works everything out again.`,
      ),
      drawSeal(source),
      el("details", { class: "proof-more" }, el("summary", {}, t`Details`), facts),
    ];
  }
  const { checks, record } = checkRecord(source.text, source);
  const failed = checks.filter((one) => one.ok === false);
  const isFirm = ["commitment", "seed"].every((name) => checks.find((one) => one.name === name)?.ok);
  return [
    el("h2", {}, t`Proof`),
    el("p", { class: failed.length ? "bad verdict seal-words" : "good verdict seal-words", role: "status" }, sealWords(checks, record?.game_id)),
    drawSeal({ ...source, isOk: isFirm }),
    el("h3", {}, t`What your browser checked`),
    el("ul", { class: "checks" }, checks.map((one) => checkRow(one, sentence(one.text.replace(HEX, "")), itemsOf(one)))),
    el("h3", {}, t`What the rules say`),
    el("p", {}, t`That was the page's own check: it knows how chance was made, not the rules. The rules themselves can play every move and payment again:`),
    executedProof(async () => source),
    el(
      "div",
      { class: "row" },
      keptButton(),
      el("button", { type: "button", onclick: () => saveFile(source.fileName, source.text) }, t`Download the record`),
      source.link ? shareButton(source.link, t`Share this round`) : null,
    ),
    source.link ? el("p", {}, el("a", { href: source.link }, t`Step through it`)) : null,
    el(
      "details",
      { class: "proof-more" },
      el("summary", {}, t`Details`),
      facts,
      el("ul", {}, checks.filter((one) => one.text.search(HEX) >= 0).map((one) => el("li", {}, sentence(one.text)))),
      el("p", {}, t`Or on your own machine, without this page:`),
      el("pre", { tabindex: "0" }, `croupier verify ${source.fileName} --kept ${KEPT_NAME}`),
    ),
  ];
}

// Long numbers are for Details: a sentence is read without them.
const HEX = /,? [0-9a-f]{32,}/g;

// The checks of seeds have the words of `croupier verify`, which begin small and end without a full stop.
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");

// Thousandths of a second: a round of one click is over within one.
function moment(at) {
  const when = new Date(at);
  const digits = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 };
  return `${when.toLocaleDateString()} ${when.toLocaleTimeString(undefined, digits)}`;
}

function itemsOf({ items }) {
  if (!items?.length) return null;
  return el("details", {}, el("summary", {}, t`each of them`), el("ul", {}, items.map((text) => el("li", {}, text))));
}
