// The roulette wheel, drawn. Pockets stand in the order of the real wheels; 37 is the second zero.

import { svg, t } from "../lib/dom.js";

const ONE_ZERO = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7,
  28, 12, 35, 3, 26,
];
const TWO_ZEROS = [
  0, 28, 9, 26, 30, 11, 7, 20, 32, 17, 5, 22, 34, 15, 3, 24, 36, 13, 1, 37, 27, 10, 25, 29, 12, 8, 19, 31, 18, 6, 21,
  33, 16, 4, 23, 35, 14, 2,
];
const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
const SPIN_MS = 1400;

/** Return the pockets of a wheel in their order. */
export function orderOf(hasTwoZeros) {
  return hasTwoZeros ? TWO_ZEROS : ONE_ZERO;
}

/** The colours in words. */
export const COLOURS = { red: t`red`, black: t`black`, green: t`zero` };

/** Return the colour of a pocket. */
export function colourOf(pocket) {
  return pocket === 0 || pocket === 37 ? "green" : RED.has(pocket) ? "red" : "black";
}

/** Return what is painted in a pocket. */
export function pocketText(pocket) {
  return pocket === 37 ? "00" : String(pocket);
}

function at(radius, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
}

function ring(inner, outer, from, to) {
  return `M${at(inner, from)}L${at(outer, from)}A${outer} ${outer} 0 0 1 ${at(outer, to)}L${at(inner, to)}A${inner} ${inner} 0 0 0 ${at(inner, from)}Z`;
}

/** A wheel: `element` to show, `rest(pocket)` to lay the ball there, `spin(pocket)` to get there in motion. */
export class Wheel {
  constructor(hasTwoZeros) {
    this.order = orderOf(hasTwoZeros);
    this.step = 360 / this.order.length;
    const pockets = this.order.map((pocket, place) => {
      const [from, to] = [(place - 0.5) * this.step, (place + 0.5) * this.step];
      return svg(
        "g",
        { class: `wheel-pocket is-${colourOf(pocket)}` },
        svg("path", { d: ring(98, 122, from, to), class: "wheel-number" }),
        svg("path", { d: ring(74, 98, from, to), class: "wheel-floor" }),
        svg(
          "text",
          { transform: `rotate(${place * this.step}) translate(0 -110)`, "text-anchor": "middle", "dominant-baseline": "central" },
          pocketText(pocket),
        ),
      );
    });
    const arms = [0, 90, 180, 270].map((turn) =>
      svg(
        "g",
        { transform: `rotate(${turn})`, class: "wheel-arm" },
        svg("path", { d: "M-3-10L-2-44H2L3-10Z" }),
        svg("circle", { cx: 0, cy: -46, r: 5 }),
      ),
    );
    this.rotor = svg(
      "g",
      { class: "wheel-rotor" },
      pockets,
      svg("circle", { r: 74, class: "wheel-cone" }),
      svg("circle", { r: 56, class: "wheel-cone-inner" }),
      arms,
      svg("circle", { r: 15, class: "wheel-hub" }),
      svg("circle", { r: 7, class: "wheel-hub-top" }),
    );
    this.ball = svg("circle", { cx: 0, cy: -86, r: 6, class: "wheel-ball" });
    this.orbit = svg("g", { class: "wheel-orbit" }, this.ball);
    const studs = [22.5, 67.5, 112.5, 157.5, 202.5, 247.5, 292.5, 337.5].map((turn) =>
      svg("path", { d: "M0-139L3-132L0-125L-3-132Z", transform: `rotate(${turn})`, class: "wheel-stud" }),
    );
    this.element = svg(
      "svg",
      { viewBox: "-150 -150 300 300", class: "wheel", role: "img", "aria-label": t`The wheel` },
      svg("circle", { r: 148, class: "wheel-rim" }),
      svg("circle", { r: 140, class: "wheel-track" }),
      studs,
      svg("circle", { r: 124, class: "wheel-lip" }),
      this.rotor,
      this.orbit,
      svg("path", { d: "M0-127L-6-142H6Z", class: "wheel-pointer" }),
    );
    this.motions = [];
    this.rest(null);
  }

  /** Lay the ball into a pocket, which then stands on top; null takes the ball away. */
  rest(pocket) {
    this.stop();
    this.turn = pocket === null ? 0 : -this.order.indexOf(pocket) * this.step;
    this.rotor.style.transform = `rotate(${this.turn}deg)`;
    this.orbit.style.display = pocket === null ? "none" : "";
    this.element.setAttribute(
      "aria-label",
      pocket === null ? t`The wheel` : t`The wheel: the ball lies in ${pocketText(pocket)} ${COLOURS[colourOf(pocket)]}`,
    );
  }

  /** Spin until the ball lies in the pocket; a promise that holds when it does. */
  async spin(pocket) {
    this.rest(pocket);
    const turned = (from, to) => [{ transform: `rotate(${from}deg)` }, { transform: `rotate(${to}deg)` }];
    const slowing = { duration: SPIN_MS, easing: "cubic-bezier(0.15, 0.6, 0.3, 1)" };
    this.motions = [
      this.rotor.animate(turned(this.turn - 540, this.turn), slowing),
      this.orbit.animate(turned(1440, 0), slowing),
      // The ball runs in the track, then drops into the pockets.
      this.ball.animate(
        [
          { transform: "translateY(-46px)" },
          { transform: "translateY(-44px)", offset: 0.5 },
          { transform: "translateY(-16px)", offset: 0.68 },
          { transform: "translateY(-26px)", offset: 0.78 },
          { transform: "translateY(0)", offset: 0.9 },
          { transform: "translateY(-5px)", offset: 0.95 },
          { transform: "translateY(0)" },
        ],
        { duration: SPIN_MS },
      ),
    ];
    await Promise.allSettled(this.motions.map((motion) => motion.finished));
  }

  /** Stop at once where the ball will lie. */
  stop() {
    for (const motion of this.motions) motion.cancel();
    this.motions = [];
  }
}
