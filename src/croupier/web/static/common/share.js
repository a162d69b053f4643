// A link to give away: copied where the browser lets us, and shown in any case.

import { el, show } from "../lib/dom.js";
import { canonicalJson } from "../lib/json.js";
import { keptFile } from "../lib/keep.js";

/** The file of what this browser kept, for `croupier verify --kept`. */
export const KEPT_NAME = "croupier-kept.json";

export function keptButton() {
  return el("button", { type: "button", onclick: () => saveFile(KEPT_NAME, canonicalJson(keptFile())) }, "Download what this browser kept");
}

/** Return a button that copies a link and shows it. */
export function shareButton(link, text) {
  const place = el("span", { class: "share", role: "status" });
  const copy = async () => {
    const field = el("input", { class: "share-link", readonly: true, value: link, "aria-label": "The link" });
    const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    show(place, field, el("span", { class: "quiet" }, isCopied ? "copied" : "copy it from here"));
    field.select();
  };
  return el("span", { class: "row" }, el("button", { type: "button", class: "share-button", onclick: copy }, text), place);
}

/** Save text as a file of the reader's. */
export function saveFile(name, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
