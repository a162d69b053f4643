// Chips: the value and colour of each, and piles of them for any amount.

import { chips, svg, t } from "../lib/dom.js";

export const CHIP_VALUES = [1, 5, 25, 100, 500, 1000, 5000];

/** Return what is printed on a chip: 1000 is 1K. */
export function chipText(value) {
  const units = [[1e9, "B"], [1e6, "M"], [1e3, "K"]];
  for (const [unit, letter] of units) {
    if (value >= unit) return `${Math.floor(value / (unit / 10)) / 10}${letter}`.replace(".0", "");
  }
  return String(value);
}

function kindOf(value) {
  return CHIP_VALUES.findLast((one) => one <= value) ?? 1;
}

/** Return a chip as an SVG element. The colour is that of the largest chip the amount holds. */
export function drawChip(value, attributes = {}) {
  const stripes = [0, 60, 120, 180, 240, 300].map((angle) =>
    svg("rect", { x: 26, y: 1, width: 8, height: 9, class: "chip-stripe", transform: `rotate(${angle} 30 30)` }),
  );
  const text = chipText(value);
  return svg(
    "svg",
    {
      viewBox: "0 0 60 60",
      class: `chip chip-${kindOf(value)}`,
      role: "img",
      "aria-label": `${chips(value)} ${value === 1 ? t`chip` : t`chips`}`,
      ...attributes,
    },
    svg("circle", { cx: 30, cy: 30, r: 28.5, class: "chip-edge" }),
    stripes,
    svg("circle", { cx: 30, cy: 30, r: 19.5, class: "chip-face" }),
    svg("text", { x: 30, y: 30, "text-anchor": "middle", "dominant-baseline": "central", class: `chip-text long-${text.length}` }, text),
  );
}

/** Return the chips that make up an amount, the largest first, at most `most` of them. */
export function chipsFor(amount, most = 8) {
  const found = [];
  let left = amount;
  for (const value of [...CHIP_VALUES].reverse()) {
    while (left >= value && found.length < most) {
      found.push(value);
      left -= value;
    }
  }
  return found;
}
