// Small helpers to make elements. Text is always text: nothing here parses HTML.

import { recall } from "./keep.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Make an HTML element: el("button", { type: "button", onclick: go }, "Go"). */
export function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Make an SVG element. */
export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Make a table: the heads of its columns, if it has any, and rows of cells, which may be elements td or th themselves. */
export function tableOf(heads, rows, attributes = {}) {
  const cell = (one) => (/^T[DH]$/.test(one?.tagName) ? one : el("td", {}, one));
  const head = heads && el("thead", {}, el("tr", {}, heads.map((one) => el("th", { scope: "col" }, one))));
  return el("table", attributes, head, el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell)))));
}

/** Replace everything in an element. */
export function show(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return parent;
}

/** Tell whether the reader asked for less motion. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const whole = new Intl.NumberFormat();

/** Whole chips, with separators as the reader's language has them. */
export const chips = (amount) => whole.format(amount);

/** Return "1 chip" or "25 chips". */
export function chipsOf(amount) {
  return `${chips(amount)} ${amount === 1 ? t`chip` : t`chips`}`;
}

// Texts stand in the modules in English; docs/page-texts.json lists all. Another language is kept as { text: its own }.
const words = recall("words", {});

/** Return a text in the reader's language: t`You win ${chips(5)}` is looked up as "You win {0}". */
export function t(parts, ...values) {
  const text = parts.reduce((before, part, place) => `${before}{${place - 1}}${part}`);
  return (words[text] ?? text).replace(/\{(\d)\}/g, (hole, place) => (place in values ? values[place] : hole));
}
