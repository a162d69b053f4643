// Result lines: what every bet came to, in words that say why the number is what it is.

import { chips, el } from "../lib/dom.js";

/** Return one settled bet as a sentence. */
export function lineText(line, nameOf) {
  const name = nameOf(line.bet);
  const profit = line.returned - line.stake;
  if (profit > 0) return `${name}: ${chips(line.stake)} wins ${chips(profit)}, ${chips(line.returned)} back`;
  if (profit === 0) return `${name}: ${chips(line.stake)} back`;
  if (line.returned > 0) return `${name}: ${chips(line.returned)} of ${chips(line.stake)} back`;
  return `${name}: ${chips(line.stake)} lost`;
}

/** Return the lines of a round with their sum. */
export function showLines(lines, nameOf, fees = 0) {
  if (!lines.length) return el("p", { class: "quiet" }, "Nothing has been settled yet.");
  const net = lines.reduce((sum, line) => sum + line.returned - line.stake, 0) - fees;
  const kind = net > 0 ? "good" : net < 0 ? "bad" : "even";
  return el(
    "div",
    { class: "lines" },
    el("p", { class: `lines-sum ${kind}` }, net > 0 ? `You win ${chips(net)}` : net < 0 ? `You lose ${chips(-net)}` : "Even"),
    el(
      "ul",
      {},
      lines.map((line) => {
        const profit = line.returned - line.stake;
        return el("li", { class: profit > 0 ? "good" : profit < 0 ? "bad" : "even" }, lineText(line, nameOf));
      }),
      fees ? el("li", { class: "bad" }, `super mode: ${chips(fees)} fee`) : null,
    ),
  );
}
