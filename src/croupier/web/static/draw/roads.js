// Baccarat roads, drawn: how players note what has won. A round is {winner: "P" | "B" | "T", pairs: [player, banker]}.

import { svg, t } from "../lib/dom.js";

const ROWS = 6;

/** Return the columns of the big road: runs of one winner, each entry with the ties that followed it. */
export function bigRoad(rounds) {
  const columns = [];
  let early = 0; // ties before anybody has won
  for (const { winner, pairs } of rounds) {
    const column = columns.at(-1);
    if (winner === "T") {
      if (column) column.at(-1).ties += 1;
      else early += 1;
      continue;
    }
    const entry = { winner, pairs, ties: column ? 0 : early };
    if (column && column[0].winner === winner) column.push(entry);
    else columns.push([entry]);
  }
  return columns;
}

/** Return the colours of a derived road: `behind` is 1 for big eye boy, 2 for the small road, 3 for the cockroach. */
export function derivedRoad(columns, behind) {
  const found = [];
  columns.forEach((column, place) => {
    column.forEach((_, row) => {
      if (row === 0 ? place < behind + 1 : place < behind) return;
      const isEven = row === 0 ? columns[place - 1].length === columns[place - 1 - behind].length : columns[place - behind].length !== row;
      found.push(isEven ? "red" : "blue");
    });
  });
  return found;
}

// Runs go down; at the bottom, or where another run stands, they turn to the right.
function laid(columns) {
  const taken = new Set();
  const found = [];
  let start = 0;
  for (const column of columns) {
    while (taken.has(`${start},0`)) start += 1;
    let [x, y] = [start, -1];
    let isTurned = false;
    for (const entry of column) {
      if (!isTurned && y + 1 < ROWS && !taken.has(`${x},${y + 1}`)) y += 1;
      else {
        isTurned = true;
        x += 1;
      }
      taken.add(`${x},${y}`);
      found.push({ x, y, entry });
    }
    start += 1;
  }
  return found;
}

function runs(values) {
  const found = [];
  for (const value of values) {
    if (found.at(-1)?.[0] === value) found.at(-1).push(value);
    else found.push([value]);
  }
  return found;
}

// The paper: as many columns as there is room for, the newest always in sight.
function paper(kind, title, columns, cell, marks) {
  const most = Math.max(-1, ...marks.map(({ x }) => x)) + 1;
  const shift = Math.max(0, most + 1 - columns);
  const lines = [];
  for (let x = 0; x <= columns; x += 1) lines.push(`M${x * cell} 0V${ROWS * cell}`);
  for (let y = 0; y <= ROWS; y += 1) lines.push(`M0 ${y * cell}H${columns * cell}`);
  return svg(
    "svg",
    { viewBox: `-1 -1 ${columns * cell + 2} ${ROWS * cell + 2}`, class: `road road-${kind}`, role: "img", "aria-label": title },
    svg("rect", { width: columns * cell, height: ROWS * cell, class: "road-paper" }),
    svg("path", { d: lines.join(""), class: "road-lines" }),
    marks
      .filter(({ x }) => x >= shift)
      .map(({ x, y, draw }) => svg("g", { transform: `translate(${(x - shift + 0.5) * cell} ${(y + 0.5) * cell})` }, draw())),
  );
}

const WORDS = { P: t`Player`, B: t`Banker`, T: t`tie` };

function pairDots([player, banker], reach) {
  return [
    player ? svg("circle", { cx: reach, cy: reach, r: 3, class: "road-dot is-P" }) : null,
    banker ? svg("circle", { cx: -reach, cy: -reach, r: 3, class: "road-dot is-B" }) : null,
  ];
}

/** Draw the bead plate: every round in order, column by column. */
export function drawBeads(rounds, columns) {
  const marks = rounds.map(({ winner, pairs }, place) => ({
    x: Math.floor(place / ROWS),
    y: place % ROWS,
    draw: () => [
      svg("circle", { r: 8.5, class: `road-bead is-${winner}` }),
      svg("text", { "text-anchor": "middle", "dominant-baseline": "central", class: "road-letter" }, winner),
      pairDots(pairs, 6.5),
    ],
  }));
  const counts = ["P", "B", "T"].map((one) => `${WORDS[one]} ${rounds.filter(({ winner }) => winner === one).length}`);
  const newest = rounds.slice(-6).map(({ winner }) => WORDS[winner]);
  return paper("beads", t`Bead plate: ${counts.join(", ")}. Last: ${newest.join(", ") || t`none`}`, columns, 20, marks);
}

/** Draw the big road. */
export function drawBigRoad(rounds, columns) {
  const marks = laid(bigRoad(rounds)).map(({ x, y, entry }) => ({
    x,
    y,
    draw: () => [
      svg("circle", { r: 7, class: `road-ring is-${entry.winner}` }),
      entry.ties ? svg("path", { d: "M-7 7L7-7", class: "road-tie" }) : null,
      entry.ties > 1 ? svg("text", { "text-anchor": "middle", "dominant-baseline": "central", class: "road-count" }, String(entry.ties)) : null,
      pairDots(entry.pairs, 6.5),
    ],
  }));
  const run = bigRoad(rounds).at(-1);
  return paper("big", t`Big road${run ? t`: ${WORDS[run[0].winner]} ${run.length} in a row` : ""}`, columns, 20, marks);
}

/** Draw big eye boy, the small road or the cockroach. */
export function drawDerived(rounds, behind, columns) {
  const [kind, title] = [null, ["eye", t`Big eye boy`], ["small", t`Small road`], ["roach", t`Cockroach road`]][behind];
  const colours = derivedRoad(bigRoad(rounds), behind);
  const marks = laid(runs(colours)).map(({ x, y, entry }) => ({
    x,
    y,
    draw: () => [
      kind === "roach"
        ? svg("path", { d: "M-3 3L3-3", class: `road-slash is-${entry}` })
        : svg("circle", { r: 3, class: `road-${kind === "eye" ? "hollow" : "full"} is-${entry}` }),
    ],
  }));
  const words = colours.length ? t`last ${colours.at(-1)}` : t`empty`;
  return paper(kind, `${title}: ${words}`, columns, 10, marks);
}
