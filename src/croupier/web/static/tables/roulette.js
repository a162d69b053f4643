// Roulette: the wheel and the full layout, along the screen where there is room, down the screen where there is not.
// `place` is all that differs between the two directions.

import { chips, el, show, svg, t } from "../lib/dom.js";
import { SpotLayer } from "../common/spots.js";
import { pause } from "../common/pause.js";
import { Round } from "../common/round.js";
import { COLOURS, colourOf, pocketText, Wheel } from "../draw/wheel.js";

export const css = ["roulette.css"];

// How large the parts of the layout are, by the shape of the felt.
const UNITS = {
  wide: { street: 64, column: 80, dozens: 62, outside: 60, columns: 66 },
  flat: { street: 64, column: 62, dozens: 54, outside: 46, columns: 66 },
  tall: { street: 52, column: 60, dozens: 46, outside: 46, columns: 46, gap: 12, left: 15 },
};
const ZONE = 32; // splits and corners: no smaller than a fingertip

/** Return every place of the layout: {bet, label, covers, at: [u, v], size: [u, v]}, u along the streets from the zero. */
export function placesOf(hasTwoZeros) {
  const found = [];
  const named = (kind, numbers, at, size = null) => {
    const text = numbers.map(pocketText);
    found.push({
      bet: kind === "first_four" || kind === "top_line" ? kind : `${kind}:${text.join("-")}`,
      label: `${kind.replace("_", " ")} ${text.join("-")}`,
      covers: numbers,
      at,
      size,
    });
  };
  const outside = (bet, text, label, covers, at, size) => found.push({ bet, text, label, covers, at, size });
  const all = Array.from({ length: 36 }, (_, place) => place + 1);
  const depth = hasTwoZeros ? 1.5 : 1;
  if (hasTwoZeros) {
    named("straight", [0], [-depth / 2, 0.75], [depth, 1.5]);
    named("straight", [37], [-depth / 2, 2.25], [depth, 1.5]);
  } else named("straight", [0], [-depth / 2, 1.5], [depth, 3]);
  for (const n of all) named("straight", [n], [Math.floor((n - 1) / 3) + 0.5, ((n - 1) % 3) + 0.5], [1, 1]);
  for (const dozen of [1, 2, 3]) {
    const covers = all.filter((n) => Math.ceil(n / 12) === dozen);
    const text = t`${12 * dozen - 11} to ${12 * dozen}`;
    outside(`dozen:${dozen}`, text, t`dozen ${dozen}, ${text}`, covers, [4 * dozen - 2, "dozens"], [4, 1]);
    const column = all.filter((n) => n % 3 === dozen % 3);
    outside(`column:${dozen}`, t`2 to 1`, t`column ${dozen}`, column, ["columns", dozen - 0.5], [1, 1]);
  }
  const halves = [
    ["low", t`1 to 18`, (n) => n <= 18],
    ["even", t`Even`, (n) => n % 2 === 0],
    ["red", t`Red`, (n) => colourOf(n) === "red"],
    ["black", t`Black`, (n) => colourOf(n) === "black"],
    ["odd", t`Odd`, (n) => n % 2 === 1],
    ["high", t`19 to 36`, (n) => n > 18],
  ];
  halves.forEach(([bet, text, isIn], place) =>
    outside(bet, text, bet === "low" || bet === "high" ? `${bet}, ${text}` : bet, all.filter(isIn), [2 * place + 1, "outside"], [2, 1]),
  );
  for (let street = 0; street < 12; street += 1) {
    const [a, b, c] = [1, 2, 3].map((column) => 3 * street + column);
    const next = [a + 3, b + 3, c + 3];
    named("split", [a, b], [street + 0.5, 1]);
    named("split", [b, c], [street + 0.5, 2]);
    named("street", [a, b, c], [street + 0.5, 0]);
    if (street === 11) continue;
    [a, b, c].forEach((n, column) => named("split", [n, n + 3], [street + 1, column + 0.5]));
    named("corner", [a, b, next[0], next[1]], [street + 1, 1]);
    named("corner", [b, c, next[1], next[2]], [street + 1, 2]);
    named("six_line", [a, b, c, ...next], [street + 1, 0]);
  }
  named("split", [0, 1], [0, 0.5]);
  named("trio", [0, 1, 2], [0, 1]);
  if (hasTwoZeros) {
    named("top_line", [0, 37, 1, 2, 3], [0, 0]);
    named("split", [0, 37], [-1, 1.5]);
    // Both zeros touch the 2 on half its width, too little for a fingertip: these two lie a little back.
    named("split", [0, 2], [-0.52, 1]);
    found.at(-1).hint = "0·2";
    named("split", [37, 2], [-0.52, 2]);
    found.at(-1).hint = "00·2";
    named("trio", [0, 37, 2], [0, 1.5]);
    named("trio", [37, 2, 3], [0, 2]);
    named("split", [37, 3], [0, 2.5]);
  } else {
    named("first_four", [0, 1, 2, 3], [0, 0]);
    named("split", [0, 2], [0, 1.5]);
    named("trio", [0, 2, 3], [0, 2]);
    named("split", [0, 3], [0, 2.5]);
  }
  return found;
}

// Turns the units of a layout into points. Along the screen it is as on the felt; on a phone it has two halves side by
// side, 0 to 18 and 19 to 36, with the dozens and the even chances below.
class Plan {
  constructor(shape, hasTwoZeros) {
    const isWide = shape !== "tall";
    this.isWide = isWide;
    this.unit = UNITS[shape];
    this.depth = hasTwoZeros ? 1.5 : 1;
    const { street, column, dozens, outside, columns, gap } = this.unit;
    this.zeros = isWide ? this.depth * street : hasTwoZeros ? 70 : columns;
    this.half = 6 * street + this.zeros;
    const [long, across] = [12 * street + this.zeros + columns, 3 * column + dozens + outside];
    this.size = isWide ? [long + 4, across + 4] : [6 * column + gap + this.unit.left + 4, this.half + dozens + outside + 4];
  }

  // Along the streets, from the end of the zeros.
  along(u) {
    const { street, columns } = this.unit;
    return u === "columns" ? 12 * street + columns / 2 : u < 0 ? (u * this.zeros) / this.depth : u * street;
  }

  place({ at: [u, v], size }) {
    const { street, column, dozens, outside, columns, gap, left } = this.unit;
    const isBelow = v === "dozens" || v === "outside";
    const long = size ? (u === "columns" ? columns : u < 0 ? (size[0] * this.zeros) / this.depth : size[0] * street) : ZONE;
    const across = size ? (this.unit[v] ?? size[1] * column) : ZONE;
    if (this.isWide) {
      const y = isBelow ? 3 * column + (v === "dozens" ? dozens / 2 : dozens + outside / 2) : (3 - v) * column;
      return { x: 2 + this.zeros + this.along(u), y: 2 + y, width: long, height: across };
    }
    if (isBelow) {
      const all = 6 * column + gap;
      const width = (all * size[0]) / 12;
      return { x: 2 + left + (all * u) / 12, y: 2 + this.half + (v === "dozens" ? dozens / 2 : dozens + outside / 2), width, height: across };
    }
    const isSecond = u === "columns" || u > 6;
    const y = isSecond ? this.along(u) - 6 * street : this.zeros + this.along(u);
    return { x: 2 + left + v * column + (isSecond ? 3 * column + gap : 0), y: 2 + y, width: across, height: long };
  }
}

function printed(place, box) {
  const { x, y } = box;
  const text = place.text ?? (place.bet.startsWith("straight") ? pocketText(place.covers[0]) : null);
  if (place.bet === "red" || place.bet === "black") {
    const [w, h] = [26, 13];
    return svg("path", { class: `roulette-diamond is-${place.bet}`, d: `M${x - w} ${y}L${x} ${y - h}L${x + w} ${y}L${x} ${y + h}Z` });
  }
  return text ? svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text) : null;
}

function mount(felt, ctx) {
  const root = felt.appendChild(el("div", { class: "roulette" }));
  const layout = el("div", {
    class: "roulette-layout",
    role: "group",
    "aria-label": t`Layout. Arrow keys move between the bets, Enter adds a chip, Backspace takes one off.`,
  });
  const layer = new SpotLayer(layout, ctx, {});
  const seat = el("div", { class: "roulette-wheel" });
  const last = el("ol", { class: "roulette-last", "aria-label": t`Last numbers` });
  const fell = el("p", { class: "roulette-fell" });
  let hasTwoZeros = null;
  let shape = null;
  let wheel = null;
  let lit = [];
  let marked = null;

  const litAt = ({ bet, covers }) => bet.startsWith("straight") && lit.find(({ id }) => id === covers[0]);

  function draw() {
    const plan = new Plan(shape, hasTwoZeros);
    const [width, height] = plan.size;
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "roulette-board", role: "presentation" });
    layer.reset();
    for (const place of placesOf(hasTwoZeros)) {
      const box = plan.place(place);
      const { x, y } = box;
      const colour = place.bet.startsWith("straight") ? ` is-${colourOf(place.covers[0])}` : "";
      const shape = svg("rect", { x: x - box.width / 2, y: y - box.height / 2, width: box.width, height: box.height, rx: place.size ? 0 : 16 });
      const covers = place.covers.map((n) => `straight:${pocketText(n)}`);
      const isOutside = place.at[1] === "dozens" || place.at[1] === "outside";
      const isZero = hasTwoZeros && colourOf(place.covers[0]) === "green" && place.covers.length === 1;
      const size = place.size ? (plan.isWide ? 34 : 30) : 28;
      const hasWords = isOutside && !(place.bet === "red" || place.bet === "black"); // a chip lies beside them
      picture.append(
        layer.area(
          {
            bet: place.bet,
            label: place.label,
            class: `roulette-${place.size ? "field" : "zone"}${colour}${litAt(place) ? " is-lit" : ""}`,
            covers,
            x: hasWords ? x + Math.min(box.width * 0.34, (box.width - size) / 2) : x,
            y,
            size,
          },
          shape,
          printed(place, { x: x - (isZero && plan.isWide ? 22 : 0), y: y - (isZero && !plan.isWide ? 22 : 0) }),
          place.hint ? svg("text", { x, y, class: "roulette-hint", "text-anchor": "middle", "dominant-baseline": "central" }, place.hint) : null,
        ),
      );
    }
    // After the spots, or the corner of the next number would cover the figures.
    for (const place of placesOf(hasTwoZeros)) {
      const found = litAt(place);
      if (!found) continue;
      const { x, y } = plan.place(place);
      picture.append(
        svg(
          "text",
          { class: "roulette-lit", x, y: y + (hasTwoZeros && !place.covers[0] ? 24 : -17), "text-anchor": "middle" },
          `×${chips(found.multiplier)}`,
        ),
      );
    }
    const held = layout.contains(document.activeElement) ? layer.current : null;
    layout.querySelector("svg")?.remove();
    layout.prepend(picture);
    if (held) layer.spots.get(held)?.element.focus();
    mark(marked);
    layer.show(layer.lying);
    layer.refresh();
  }

  function mark(pocket) {
    marked = pocket;
    for (const element of layout.querySelectorAll(".is-fallen")) element.classList.remove("is-fallen");
    if (pocket !== null) layer.spots.get(`straight:${pocketText(pocket)}`)?.element.classList.add("is-fallen");
  }

  function fit() {
    const next = root.closest("[data-shape]")?.dataset.shape ?? (root.clientWidth >= 620 ? "wide" : "tall");
    if (next === shape) return;
    shape = next;
    root.classList.toggle("is-wide", shape !== "tall");
    draw();
  }

  function setWheel(two) {
    if (two === hasTwoZeros) return;
    hasTwoZeros = two;
    wheel?.stop();
    wheel = new Wheel(two);
    show(seat, wheel.element);
    if (shape) draw();
  }

  function showLast() {
    const numbers = (ctx.memory.pockets ?? []).map(([, pocket]) => pocket);
    show(last, numbers.map((pocket) => el("li", { class: `is-${colourOf(pocket)}` }, pocketText(pocket))));
  }

  const round = new Round(ctx, layer, {
    verb: "spin",
    word: t`Spin`,
    async reveal(state, isNew) {
      setWheel((state?.view.options ?? ctx.options)?.zero_rule === "double_zero");
      const pockets = state?.view.game.pockets ?? [];
      const pocket = pockets.at(-1) ?? null;
      const wasLit = lit.length;
      lit = state?.view.game.lit ?? [];
      mark(null);
      show(fell);
      if (lit.length || wasLit) draw();
      // Super mode is a show: what is lit is seen before the ball is.
      if (isNew && lit.length) await pause(1200, ctx.preferences.isStill);
      if (isNew && pocket !== null && !ctx.preferences.isStill) await wheel.spin(pocket);
      else wheel.rest(pocket);
      if (pocket === null || round.state !== state) return;
      mark(pocket);
      show(fell, el("b", { class: `is-${colourOf(pocket)}` }, pocketText(pocket)), ` ${COLOURS[colourOf(pocket)]}`);
      round.remember("pockets", `${state.view.match_id}/${pockets.length}`, pocket);
      showLast();
    },
  });

  root.append(
    el("div", { class: "roulette-top" }, seat, el("div", { class: "roulette-side" }, fell, last)),
    el("div", { class: "roulette-main" }, layout),
  );
  setWheel(ctx.options?.zero_rule === "double_zero");
  felt.parentElement?.addEventListener("shape", fit);
  fit();
  showLast();
  round.render();
  const headline = (state) => {
    const pocket = state?.view.game.pockets?.at(-1);
    if (pocket === undefined || state.status !== "finished") return undefined;
    return `${pocketText(pocket)} ${colourOf(pocket) === "green" ? "" : COLOURS[colourOf(pocket)]}`;
  };
  return round.mounted(root, headline, () => wheel.stop());
}

export default { layout: "spots", mount };
