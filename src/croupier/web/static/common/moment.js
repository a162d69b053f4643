// The result on the felt: who won, what that means for the reader, and why; told when the draw has been seen.

import { chips, chipsOf, el, t } from "../lib/dom.js";

const netOf = (lines, fees) => lines.reduce((sum, line) => sum + line.returned - line.stake, 0) - fees;

/** Return what the reader wins or loses, in words. */
export function sumWords(net) {
  return net > 0 ? t`You win ${chips(net)}` : net < 0 ? t`You lose ${chips(-net)}` : t`Even`;
}

/** Return one settled bet as a sentence. */
export function lineText(line, nameOf) {
  const name = nameOf(line.bet);
  const profit = line.returned - line.stake;
  if (profit > 0) return t`${name}: ${chips(line.stake)} wins ${chips(profit)}, ${chips(line.returned)} back`;
  if (profit === 0) return t`${name}: ${chips(line.stake)} back`;
  if (line.returned > 0) return t`${name}: ${chips(line.returned)} of ${chips(line.stake)} back`;
  return t`${name}: ${chips(line.stake)} lost`;
}

/** Return what a round came to: the table's own words, the sum, and every bet behind it. */
export function drawMoment({ words, lines, fees = 0, nameOf }) {
  if (!lines.length) return el("p", { class: "moment-words" }, words ?? "");
  const net = netOf(lines, fees);
  const rows = lines.map((line) => {
    const profit = line.returned - line.stake;
    return el("li", { class: profit > 0 ? "good" : profit < 0 ? "bad" : "even" }, lineText(line, nameOf));
  });
  if (fees) rows.push(el("li", { class: "bad" }, t`super mode: ${chipsOf(fees)}`));
  return [
    words ? el("p", { class: "moment-words" }, words) : null,
    el("p", { class: `lines-sum ${net > 0 ? "good" : net < 0 ? "bad" : "even"}` }, sumWords(net)),
    el("details", { class: "lines" }, el("summary", {}, lines.length > 1 ? t`${lines.length} bets` : t`Why`), el("ul", {}, rows)),
  ];
}

// The chips that won go where the reader keeps theirs.
function flyHome(play) {
  const home = document.querySelector(".purse strong")?.getBoundingClientRect();
  for (const chip of home ? [...play.querySelectorAll(".is-won .chip")].slice(0, 12) : []) {
    const { left, top, width } = chip.getBoundingClientRect();
    const flying = document.body.appendChild(chip.cloneNode(true));
    flying.style.cssText = `position: fixed; z-index: 30; pointer-events: none; left: ${left}px; top: ${top}px; width: ${width}px`;
    flying.ariaHidden = "true";
    const to = `translate(${home.left - left}px, ${home.top - top}px) scale(0.5)`;
    const motion = flying.animate([{}, { transform: to, opacity: 0.3 }], { duration: 800, delay: 900, easing: "ease-in" });
    motion.finished.catch(() => {}).finally(() => flying.remove());
  }
}

/** Let a win be seen from across the room: large over the felt for a moment, and chips that fly to the reader. */
export function celebrate(play, lines, fees = 0) {
  const net = netOf(lines, fees);
  if (net <= 0) return;
  const burst = el("p", { class: "burst", "aria-hidden": "true" }, el("b", {}, `+${chips(net)}`));
  play.append(burst);
  flyHome(play);
  const motion = burst.animate(
    [
      { transform: "translate(-50%, -30%) scale(0.6)", opacity: 0 },
      { transform: "translate(-50%, -50%) scale(1.1)", opacity: 1, offset: 0.18 },
      { transform: "translate(-50%, -50%) scale(1)", opacity: 1, offset: 0.75 },
      { transform: "translate(-50%, -90%) scale(0.9)", opacity: 0 },
    ],
    { duration: 1700, easing: "ease-out" },
  );
  motion.finished.catch(() => {}).finally(() => burst.remove());
}
