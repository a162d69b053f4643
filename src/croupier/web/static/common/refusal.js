// Refusals shown as a bubble at what was pressed last, until something else is pressed or has changed.

import { chips, chipsOf, el, t } from "../lib/dom.js";

let bubble = null;
let pressed = null; // { element, box }: tables draw their buttons anew, so the place is remembered as well

function note(event) {
  if (event.type === "keydown" && !["Enter", " ", "Backspace", "Delete"].includes(event.key) && !/^[a-z]$/i.test(event.key)) return;
  const element = event.target.closest?.("button, [data-bet], input, select, a, summary");
  if (event.type === "pointerdown" || element) clearRefusal();
  if (element) pressed = { element, box: element.getBoundingClientRect() };
}

for (const kind of ["pointerdown", "keydown", "input"]) globalThis.document?.addEventListener(kind, note, true);

/** Take the bubble away: what it said has been solved, or is no longer about what is shown. */
export function clearRefusal() {
  bubble?.remove();
  bubble = null;
}

/** Show why something was refused, at an element or where the reader pressed last; false if there is no such place. */
export function refuseAt(text, element = null) {
  clearRefusal();
  const place = element ?? (pressed?.element.isConnected ? pressed.element : null);
  const box = place?.getBoundingClientRect() ?? pressed?.box;
  const isSeen = box && box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  if (!isSeen) return false;
  bubble = el("p", { class: "refusal", role: "status" }, text);
  document.getElementById("main").append(bubble);
  const [width, height] = [bubble.offsetWidth, bubble.offsetHeight];
  const above = box.top - height - 10;
  const left = Math.max(6, Math.min(innerWidth - width - 6, box.left + box.width / 2 - width / 2));
  Object.assign(bubble.style, { left: `${left}px`, top: `${above > 0 ? above : Math.min(box.bottom + 10, innerHeight - height - 6)}px` });
  return true;
}

/** Return why these bets cannot be laid, a Map from bet to stake, or null: the purse and the table have their limits. */
export function tooMuch(bets, { balance, limits }) {
  const stakes = [...bets.values()].filter(Boolean);
  const total = stakes.reduce((sum, stake) => sum + stake, 0);
  const { min = 1, max = Infinity } = limits ?? {};
  if (total > balance()) return t`That takes ${chipsOf(total)}; you have ${chips(balance())}.`;
  if (stakes.some((stake) => stake > max)) return t`This table takes at most ${chipsOf(max)} on a bet.`;
  if (stakes.some((stake) => stake < min)) return t`This table takes at least ${chipsOf(min)} on a bet.`;
  return null;
}
