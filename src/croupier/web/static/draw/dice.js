// Dice, drawn as SVG: the faces one to six.

import { el, svg, t } from "../lib/dom.js";

const SPOTS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** Return a die as an SVG element; a face of 0 is a die that has not been thrown. */
export function drawDie(face, attributes = {}) {
  const spots = (SPOTS[face] ?? []).map(([x, y]) => svg("circle", { cx: 30 + 15 * x, cy: 30 + 15 * y, r: 5.4 }));
  return svg(
    "svg",
    { viewBox: "0 0 60 60", class: face ? "die" : "die is-blank", role: "img", "aria-label": face ? t`a die: ${face}` : t`a die`, ...attributes },
    svg("rect", { x: 2, y: 2, width: 56, height: 56, rx: 11, class: "die-body" }),
    svg("rect", { x: 6, y: 6, width: 48, height: 48, rx: 9, class: "die-shine" }),
    svg("g", { class: "die-spots" }, spots),
  );
}

/** Return small dice that stand for a bet or for what fell, named beside them. */
export function drawDice(faces, kind) {
  const one = (face) => drawDie(face, { class: `die ${kind}-die`, role: null, "aria-label": null, "aria-hidden": "true" });
  return el("span", { class: `${kind}-dice` }, faces.map(one));
}
