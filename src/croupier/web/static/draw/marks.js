// A small picture for each game in the lobby, drawn from the same things as the tables.

import { el, svg } from "../lib/dom.js";
import { drawCard } from "./cards.js";
import { drawDie } from "./dice.js";

const CARDS = {
  baccarat: [8, 26],
  blackjack: [0, 23],
  "casino-war": [12, 38],
  "hi-lo": [20, 45],
  "three-card-poker": [11, 24, 37],
  "ultimate-texas-holdem": [0, 13],
  "video-poker": [9, 10, 11],
};
const DICE = { craps: [3, 4], "craps-table": [6, 5], "sic-bo": [1, 2, 6], "shut-the-box": [5, 4] };
const QUIET = { role: "presentation", "aria-label": null, "aria-hidden": "true" };

function wheel() {
  const pockets = Array.from({ length: 37 }, (_, i) => {
    const [a, b] = [(i * 2 * Math.PI) / 37, ((i + 1) * 2 * Math.PI) / 37];
    const [x1, y1, x2, y2] = [30 + 28 * Math.sin(a), 30 - 28 * Math.cos(a), 30 + 28 * Math.sin(b), 30 - 28 * Math.cos(b)];
    const fill = i === 0 ? "#1c7a34" : i % 2 ? "#b3261e" : "#1b1d20";
    return svg("path", { d: `M30 30L${x1} ${y1}A28 28 0 0 1 ${x2} ${y2}Z`, fill });
  });
  return svg(
    "svg",
    { viewBox: "0 0 60 60", class: "mark-wheel", ...QUIET },
    pockets,
    [[28, "none", 3], [17, "#6d3f1b", 1.5], [4, "#e2c26b", 0]].map(([r, fill, width]) => svg("circle", { cx: 30, cy: 30, r, fill, stroke: width > 2 ? "#7a4a22" : "#d8c58c", "stroke-width": width })),
  );
}

function lanes() {
  const tiles = [];
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 5; column += 1) {
      const fill = column < 2 ? "#2f8fc8" : column > 2 ? "#d2603e" : "#cfc7b4";
      tiles.push(svg("rect", { x: 3 + 11 * column, y: 12 + 13 * row, width: 10, height: 12, rx: 1.5, fill }));
    }
  }
  return svg("svg", { viewBox: "0 0 60 60", class: "mark-wheel", ...QUIET }, tiles);
}

/** Return the picture of a game. */
export function gameMark(id) {
  if (id === "roulette") return el("div", { class: "mark" }, wheel());
  if (id === "lanes") return el("div", { class: "mark" }, lanes());
  if (CARDS[id]) return el("div", { class: "mark" }, CARDS[id].map((card) => drawCard(card, QUIET)));
  return el("div", { class: "mark" }, (DICE[id] ?? [0]).map((face) => drawDie(face, QUIET)));
}
