// A state of any game as panels that people can read: names in words, lists as rows, equal rows as tables.

import { chips, el, t, tableOf } from "../lib/dom.js";

const DEPTH_MAX = 4;

/** Return a name or a value in words: current_sum is "Current sum". */
export function wordsFor(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number") return Number.isInteger(value) ? chips(value) : String(value);
  const text = String(value).replaceAll("_", " ").trim();
  return text ? text[0].toUpperCase() + text.slice(1) : "–";
}

const isScalar = (value) => value === null || typeof value !== "object";
const isRow = (value) => Array.isArray(value) && value.every(isScalar);
// A board has three rows or more: two rows of one length are rather what each of two seats has.
const isGrid = (value) => value.length > 2 && value.every((row) => isRow(row) && row.length === value[0].length && row.length > 1);
const isTable = (value) =>
  value.length > 0 &&
  value.every((one) => !isScalar(one) && !Array.isArray(one)) &&
  value.every((one) => Object.values(one).every((part) => isScalar(part) || isRow(part)));

function scalar(value, names) {
  const text = typeof value === "string" && names[value] ? names[value] : wordsFor(value);
  return el("span", { class: "generic-value" }, text);
}

function row(values, names) {
  if (!values.length) return el("span", { class: "generic-value" }, "none");
  return el(
    "span",
    { class: "generic-row" },
    values.map((value) =>
      value === null
        ? el("span", { class: "generic-item is-hidden", role: "img", "aria-label": "hidden" }, "?")
        : el("span", { class: "generic-item" }, typeof value === "string" && names[value] ? names[value] : wordsFor(value)),
    ),
  );
}

const scroll = (label, table) => el("div", { class: "generic-scroll", tabindex: "0", role: "group", "aria-label": label }, table);

function grid(value, names) {
  const text = (cell) => (cell === null || cell === "" ? "" : (names[cell] ?? wordsFor(cell)));
  return scroll(t`Board`, tableOf(null, value.map((line) => line.map(text)), { class: "generic-grid" }));
}

function table(value, names, heads) {
  const columns = [...new Set(value.flatMap((one) => Object.keys(one)))];
  const parts = (one) => columns.map((column) => (isRow(one[column]) ? row(one[column], names) : scalar(one[column], names)));
  const rows = value.map((one, index) => [...(heads ? [el("th", { scope: "row" }, heads[index])] : []), ...parts(one)]);
  return scroll(t`Table`, tableOf([...(heads ? [t`Seat`] : []), ...columns.map(wordsFor)], rows, { class: "generic-table" }));
}

/** Return any value for reading. `names` are those of players by id; `seats` name rows that there is one of a seat. */
export function panel(value, { names = {}, seats = [], depth = 0 } = {}) {
  if (isScalar(value)) return scalar(value, names);
  if (Array.isArray(value)) {
    const heads = seats.length > 1 && value.length === seats.length ? seats : null;
    if (isRow(value)) return row(value, names);
    if (isGrid(value)) return grid(value, names);
    if (isTable(value)) return table(value, names, heads);
    return el(
      "ol",
      { class: "generic-list" },
      value.map((one, index) => el("li", {}, heads ? el("b", {}, `${heads[index]}: `) : null, panel(one, { names, seats, depth: depth + 1 }))),
    );
  }
  const entries = Object.entries(value);
  const byPlayer = entries.length > 0 && entries.every(([key]) => names[key]);
  const body = el(
    "dl",
    { class: "generic-parts" },
    entries.map(([key, part]) =>
      el("div", {}, el("dt", {}, byPlayer ? names[key] : wordsFor(key)), el("dd", {}, panel(part, { names, seats, depth: depth + 1 }))),
    ),
  );
  if (depth < DEPTH_MAX) return body;
  return el("details", {}, el("summary", {}, "more"), body);
}
