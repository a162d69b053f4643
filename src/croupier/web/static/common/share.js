// Links and downloads: links to give away, what this browser kept, and the records of the player's history.

import { get, getText } from "../lib/api.js";
import { el, show, t } from "../lib/dom.js";
import { canonicalJson } from "../lib/json.js";
import { keptFile, recall } from "../lib/keep.js";

/** The file of what this browser kept, for `croupier verify --kept`. */
export const KEPT_NAME = "croupier-kept.json";

export function keptButton() {
  return el("button", { type: "button", onclick: () => saveFile(KEPT_NAME, canonicalJson(keptFile())) }, t`Download what this browser kept`);
}

const PAGE = 100;

/** Return all of a list of one's own, page by page; `next` is how the page after a row is asked for. */
async function allOf(path, next) {
  const found = [];
  for (let more = ""; ; more = next(found.at(-1))) {
    const some = await get(`${path}?limit=${PAGE}${more}`);
    found.push(...some);
    if (some.length < PAGE) return found;
  }
}

async function saveRecords(tell) {
  const sessions = await allOf("/me/sessions", (one) => `&before=${one.session_id}`);
  const rooms = await allOf("/me/rooms", (one) => `&after=${one.id}`);
  const paths = [
    ...sessions.filter((one) => one.is_complete).map((one) => `/sessions/${one.session_id}/record`),
    ...rooms.filter((one) => one.status === "finished").map((one) => `/rooms/${one.id}/record`),
  ];
  const records = [];
  for (const path of paths) {
    const text = await getText(path).catch((error) => (error.code === "no_longer_kept" ? null : Promise.reject(error)));
    if (text) records.push(text);
    tell(t`Read ${records.length} of ${paths.length} …`);
  }
  saveFile("croupier-records.json", canonicalJson({ document: "croupier-records", kept: keptFile(), log: recall("log"), records }));
  tell(t`Saved: ${records.length} ${records.length === 1 ? t`record` : t`records`}`);
}

/**
 * Return a button that saves one file for the page that verifies anything: the records of all that is over, what this
 * browser kept, and what the host had announced.
 */
export function recordsButton() {
  const tell = (text) => (button.textContent = text);
  const save = async () => {
    button.disabled = true;
    await saveRecords(tell).catch((error) => tell(error.message));
    button.disabled = false;
  };
  const button = el("button", { type: "button", onclick: save }, t`Save all records`);
  return button;
}

/** Return a button that copies a link and shows it. */
export function shareButton(link, text) {
  const place = el("span", { class: "share", role: "status" });
  const copy = async () => {
    const field = el("input", { class: "share-link", readonly: true, value: link, "aria-label": t`The link` });
    const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    show(place, field, el("span", { class: "quiet" }, isCopied ? t`copied` : t`copy it from here`));
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
