// Cards of lanes, drawn from their data: the pattern alone, and the whole card.

import { svg, t } from "../lib/dom.js";
import { drawScene } from "./lanes-scene.js";

const PAPER = "#faf5e9";
const LIGHT = "#fffdf6";
const INK = "#2a241c";
const MARK = "#c2410c"; // one colour in every faction: what an ability reaches
const PLAIN = { id: "plain", title: t`Unaligned`, colour: "#6b6459" };
const EDGES = { common: "#3a3228", rare: "#b8892b", token: "#8d8573" };
const COSTS = { 1: t`one pawn`, 2: t`two pawns`, 3: t`three pawns`, replace: t`replaces one of your cards` };
const SHIFTS = { 1: [0], 2: [-4, 4], 3: [-5, 0, 5] };
const STEP = 20;

/** Return the faction of a card; a grey one where it has none. */
export function factionOf(card, factions = []) {
  return factions.find((one) => one.id === card.faction) ?? PLAIN;
}

/** Return the cells of a pattern: "B3P,C2X" is one ahead with a pawn, and one up with a pawn and a mark. */
export function patternCells(card) {
  return (card.pattern ?? "")
    .split(",").filter(Boolean).map((cell) => ({ forward: "EDCBA".indexOf(cell[0]) - 2, down: Number(cell[1]) - 3, kind: cell[2] }));
}

/** Return a pawn around the origin, `half` as high as it reaches. */
export function drawPawn(half, attributes = {}) {
  const foot = (half * 2) / 3;
  return svg(
    "g",
    attributes,
    svg("path", { d: `M${-foot} ${half}q${half / 3} ${-foot} ${half / 3} ${-half}h${foot}q0 ${half / 3} ${half / 3} ${half}z` }),
    svg("circle", { cy: -half / 2, r: half * 0.4 + 1 }),
  );
}

function direction({ forward, down }) {
  const along = forward ? `${Math.abs(forward)} ${forward > 0 ? t`ahead` : t`back`}` : "";
  const across = down ? `${Math.abs(down)} ${down > 0 ? t`down` : t`up`}` : "";
  return [along, across].filter(Boolean).join(", ");
}

/** Return everything on a card as a paragraph, for those who listen. */
export function cardLabel(card, factions) {
  const cells = patternCells(card);
  const pawns = cells.filter((cell) => "PX".includes(cell.kind)).map(direction);
  const marked = cells.filter((cell) => "EX".includes(cell.kind)).map(direction);
  const parts = [`${card.name}: ${factionOf(card, factions).title}, ${card.tier}.`, t`Cost: ${COSTS[card.cost]}.`, t`Power ${card.power}.`];
  parts.push(t`Pawns: ${pawns.join("; ") || t`none`}.`);
  if (marked.length) parts.push(t`Marked: ${marked.join("; ")}.`);
  return [...parts, card.text].join(" ");
}

function patternShapes(card, colour, isMirrored) {
  const cells = new Map(patternCells(card).map((cell) => [`${cell.forward},${cell.down}`, cell.kind]));
  const shapes = [];
  for (let down = -2; down <= 2; down += 1) {
    for (let forward = -2; forward <= 2; forward += 1) {
      const kind = cells.get(`${forward},${down}`) ?? "";
      const x = ((isMirrored ? -forward : forward) + 2) * STEP;
      const y = (down + 2) * STEP;
      const isMarked = kind === "E" || kind === "X";
      const fill = forward === 0 && down === 0 ? INK : isMarked ? "#fbe3d3" : "#e4dac4";
      shapes.push(svg("rect", { x, y, width: 18, height: 18, rx: 3, fill }));
      if (isMarked) {
        shapes.push(
          svg("rect", { x: x + 1, y: y + 1, width: 16, height: 16, rx: 2, fill: "none", stroke: MARK, "stroke-width": 2, "stroke-dasharray": "4 2" }),
        );
      }
      if (kind === "P" || kind === "X") {
        for (const shift of SHIFTS[card.raise ?? 1])
          shapes.push(drawPawn(6, { transform: `translate(${x + 9 + shift} ${y + 9})`, fill: colour }));
      }
    }
  }
  const arrow = isMirrored ? "M52 44l-7 5l7 5z" : "M46 44l7 5l-7 5z";
  return [...shapes, svg("path", { d: arrow, fill: PAPER })];
}

/** Return the pattern of a card: the card dark with an arrow ahead, pawns as pawns, marked tiles framed. */
export function drawPattern(card, factions, { isMirrored = false } = {}) {
  return svg(
    "svg",
    { viewBox: "-2 -2 102 102", class: "lanes-pattern", "aria-hidden": "true" },
    patternShapes(card, factionOf(card, factions).colour, isMirrored),
  );
}

/** Return what a card costs as pawns in a row, or two arrows for one that replaces. */
export function drawCost(card) {
  if (card.cost === "replace") {
    return svg(
      "svg",
      {
        viewBox: "-14 -14 28 28",
        class: "lanes-cost",
        "aria-hidden": "true",
        fill: "none",
        stroke: "currentcolor",
        "stroke-width": 3,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      },
      svg("path", { d: "M-11-5h20l-6-6" }),
      svg("path", { d: "M11 5h-20l6 6" }),
    );
  }
  return svg(
    "svg",
    { viewBox: `0 0 ${16 * card.cost + 4} 22`, class: "lanes-cost", "aria-hidden": "true", fill: "currentcolor" },
    Array.from({ length: card.cost }, (_, index) => drawPawn(9, { transform: `translate(${10 + 16 * index} 11)` })),
  );
}

function wrapped(text, columns) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

function textLines(lines, x, y, step, attributes) {
  return svg("text", attributes, lines.map((line, index) => svg("tspan", { x, y: y + step * index }, line)));
}

/** Return a whole card as an SVG element, 300 by 420. */
export function drawLanesCard(card, factions, { isMirrored = false } = {}) {
  const faction = factionOf(card, factions);
  const sizes = [[15, 17], [14, 19], [13, 20], [12, 22], [11, 25]];
  const [size, columns] = sizes.find(([one, wide]) => wrapped(card.text, wide).length * (one + 3) <= 110) ?? sizes.at(-1);
  const lines = wrapped(card.text, columns);
  const end = card.cost === "replace" ? 44 : 18 + 16 * card.cost;
  const room = 242 - end;
  const cost = drawCost(card);
  cost.setAttribute("x", 16);
  cost.setAttribute("y", 19);
  cost.setAttribute("height", 22);
  cost.setAttribute("width", card.cost === "replace" ? 24 : 16 * card.cost + 4);
  cost.setAttribute("color", LIGHT);
  const told = card.flavour ? wrapped(card.flavour, 35) : [];
  return svg(
    "svg",
    {
      viewBox: "0 0 300 420",
      class: "lanes-card",
      role: "img",
      "aria-label": cardLabel(card, factions),
      "font-family": "Georgia, 'DejaVu Serif', serif",
    },
    svg("rect", { x: 2, y: 2, width: 296, height: 416, rx: 16, fill: EDGES[card.tier] }),
    svg("rect", { x: 6, y: 6, width: 288, height: 408, rx: 13, fill: faction.colour }),
    svg("rect", { x: 12, y: 50, width: 276, height: 336, rx: 4, fill: PAPER }),
    drawScene(card, faction.colour),
    cost,
    svg(
      "text",
      {
        x: end + room / 2,
        y: 35,
        "text-anchor": "middle",
        "font-size": Math.min(18, Math.floor((room * 3) / (2 * card.name.length))),
        "font-weight": "bold",
        fill: LIGHT,
      },
      card.name,
    ),
    svg("circle", { cx: 267, cy: 36, r: 22, fill: PAPER, stroke: faction.colour, "stroke-width": 4 }),
    svg("text", { x: 267, y: 45, "text-anchor": "middle", "font-size": 26, "font-weight": "bold", fill: INK }, String(card.power)),
    svg("g", { transform: "translate(18 202)" }, patternShapes(card, faction.colour, isMirrored)),
    textLines(lines, 128, 254 - Math.floor((lines.length * (size + 3)) / 2) + size, size + 3, { "font-size": size, fill: INK }),
    told.length ? svg("path", { d: "M30 322h240", stroke: "#cfc3a8" }) : null,
    told.length
      ? textLines(told, 150, 357 - 9 * (told.length - 1), 18, {
          "font-size": 14,
          "font-style": "italic",
          fill: "#5c5142",
          "text-anchor": "middle",
        })
      : null,
    svg("text", { x: 20, y: 405, "font-size": 12, fill: LIGHT }, faction.title),
    svg("text", { x: 280, y: 405, "text-anchor": "end", "font-size": 12, fill: LIGHT }, `${card.tier} ${card.id}`),
  );
}
