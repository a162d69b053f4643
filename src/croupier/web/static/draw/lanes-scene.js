// The scene on a card of lanes: the bay at low water with what its people bring there. It follows from the card's id.

import { svg } from "../lib/dom.js";

const LEFT = 12;
const TOP = 50;
const WIDE = 276;
const HIGH = 136;
const HORIZON = TOP + 70;
const FOOT = TOP + HIGH;
const SIZES = { 1: 1.05, 2: 0.95, 3: 0.78 };
const DARK = "#1c1a17";
const PALE = "#fff8e6";

/** Return a colour between two: `share` of the second, 0 to 1. */
export function mixed(first, second, share) {
  const channel = (at) => {
    const [one, other] = [first, second].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    return Math.floor(one * (1 - share) + other * share).toString(16).padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

function path(d, fill, stroke = null, width = 3, opacity = null) {
  return svg("path", { d, fill, stroke, "stroke-width": stroke ? width : null, "stroke-linecap": "round", "stroke-linejoin": "round", opacity });
}

function disc(cx, cy, r, fill, opacity = null, stroke = null) {
  return svg("circle", { cx, cy, r, fill, opacity, stroke, "stroke-width": stroke ? 2 : null });
}

// Each motif stands with its foot at the origin and is about 90 high.
const MOTIFS = {
  lampwrights: (colour) => [
    disc(0, -70, 34, "#ffe9a8", 0.35),
    disc(0, -70, 21, "#ffefbd", 0.55),
    path("M-3 0v-52h6v52zM-11 0l6-6h10l6 6z", DARK),
    path("M-10-52h20l4-28h-28z", "#fff3c4", DARK),
    path("M-17-80h34l-17-15z", DARK),
    path("M0-74q9 10 0 18q-9-8 0-18z", mixed(colour, "#e2571b", 0.4)),
  ],
  reedfolk: (colour, index) => [
    ...[
      [-18, 72],
      [-7, 92],
      [4, 80],
      [15, 62],
    ].flatMap(([bend, height]) => {
      const lean = bend + (index % 2 ? 3 : -3);
      return [
        path(`M${bend / 2} 0Q${bend / 2} ${-height / 2} ${lean} ${-height}`, "none", mixed(colour, DARK, 0.45)),
        svg("rect", { x: lean - 4, y: -height - 4, width: 8, height: 26, rx: 4, fill: "#6b4423" }),
      ];
    }),
    path("M0 0q-26-18-34-46q22 16 34 46q10-30 36-40q-10 28-36 40z", mixed(colour, PALE, 0.12)),
  ],
  tollkeepers: (colour) => [
    path("M-34 0v-66h8v-10h10v10h9v-10h14v10h9v-10h10v10h8v66h-20v-28q-14-22-28 0v28z", mixed(colour, PALE, 0.55), mixed(colour, DARK, 0.55)),
    path("M-14 0v-24q14-20 28 0v24", DARK, null, 3, 0.75),
    path("M-7-34v34m7-38v38m7-34v34", "none", mixed(colour, PALE, 0.55), 2),
    disc(0, -52, 8, "#f2c14e", null, mixed(colour, DARK, 0.55)),
  ],
  wreckers: (colour, index) => [
    svg(
      "g",
      { transform: `rotate(${index % 2 ? -12 : 10})` },
      path("M-42-26q40 14 78-6l-12 30q-30 12-54 2z", mixed("#7a4a2b", colour, 0.25), mixed(colour, DARK, 0.65)),
      path("M-30-12q30 9 58-4", "none", mixed(colour, DARK, 0.65), 2),
      path("M-6-22l4-68l5 2l-2 66zM-22-66l44-8l1 4l-44 8z", mixed(colour, DARK, 0.65)),
      path("M3-66l22-3l-4 30l-9-9l-8 8z", mixed(colour, PALE, 0.35)),
    ),
  ],
  fogcourt: (colour) => [
    path(
      "M0-52q-16-36-46-28q-4 26 22 36q-18 4-16 24q26 8 40-22q14 30 40 22q2-20-16-24q26-10 22-36q-30-8-46 28z",
      mixed(colour, PALE, 0.45),
      mixed(colour, DARK, 0.5),
    ),
    disc(-24, -60, 6, mixed(colour, DARK, 0.5)),
    disc(24, -60, 6, mixed(colour, DARK, 0.5)),
    path("M-3-64h6v40l-3 6l-3-6z", DARK),
    path("M-70-8h60m20 0h70m-120 10h90", "none", PALE, 7, 0.5),
  ],
};

function stone(colour) {
  return [path("M-16 0l4-62q12-16 24 0l4 62z", mixed(colour, PALE, 0.3), mixed(colour, DARK, 0.5))];
}

/** Return the scene of a card in a faction's colour, cut to its window, in the units of a card 300 by 420. */
export function drawScene(card, colour) {
  const chosen = [...card.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const count = card.cost === "replace" ? 2 : card.cost;
  const span = WIDE / count;
  const middle = LEFT + WIDE / 2;
  const first = 10 + (chosen % 17);
  const second = 6 + (chosen % 11);
  const roads = [-1, 0, 1].map(
    (way) => `M${middle + 6 * way - 1} ${HORIZON}L${middle + 92 * way - 9} ${FOOT}h18L${middle + 6 * way + 1} ${HORIZON}z`,
  );
  const waves = Array.from({ length: 9 }, (_, index) => `M${LEFT + ((chosen * 13 + index * 67) % WIDE)} ${HORIZON + 8 + index * 7}q6-3 12 0t12 0`);
  const motif = MOTIFS[card.faction] ?? stone;
  return svg(
    "svg",
    { x: LEFT, y: TOP, width: WIDE, height: HIGH, viewBox: `${LEFT} ${TOP} ${WIDE} ${HIGH}` },
    svg("rect", { x: LEFT, y: TOP, width: WIDE, height: HORIZON - TOP + 1, fill: mixed(colour, PALE, 0.3) }),
    svg("rect", { x: LEFT, y: TOP, width: WIDE, height: 30, fill: mixed(colour, DARK, 0.3), opacity: 0.6 }),
    disc(LEFT + 30 + ((chosen * 37) % (WIDE - 60)), TOP + 26 + (chosen % 23), 13 + (chosen % 6), PALE, 0.85),
    path(`M${LEFT} ${HORIZON}q46 ${-first} 92 0q50 ${-second} 100 0q42 ${-first} 84 0z`, mixed(colour, DARK, 0.35), null, 3, 0.75),
    svg("rect", { x: LEFT, y: HORIZON, width: WIDE, height: HIGH, fill: mixed(colour, DARK, 0.15) }),
    path(roads.join(""), mixed(colour, PALE, 0.75), null, 3, 0.7),
    path(waves.join(""), "none", mixed(colour, PALE, 0.6), 2, 0.8),
    Array.from({ length: count }, (_, index) => {
      const x = LEFT + span / 2 + span * index + ((chosen * (7 + index)) % 31) - 15;
      const y = FOOT - 14 - 9 * (index % 2);
      return svg("g", { transform: `translate(${x} ${y}) scale(${SIZES[count]})` }, motif(colour, index));
    }),
  );
}
