// Tabs of a betting layout: one part is shown at a time, the bets that most rounds begin with first.

import { el, t } from "../lib/dom.js";

/** Make the tabs of a board: `faces` are [id, title, element]s. Returns { element, turnTo, count(bets) }. */
export function makeTabs(board, faces, turned = () => {}) {
  const tabs = new Map(faces.map(([id, title]) => [id, el("button", { type: "button", dataset: { face: id }, onclick: () => turnTo(id) }, title)]));
  function turnTo(id) {
    board.dataset.face = id;
    for (const [each, tab] of tabs) tab.setAttribute("aria-pressed", String(each === id));
    turned();
  }
  return {
    element: el("div", { class: "faces", role: "group", "aria-label": t`Parts of the layout` }, [...tabs.values()]),
    turnTo,
    /** Say on each tab how many of these elements with chips are on its face. */
    count(elements) {
      for (const [id, , face] of faces) {
        const found = elements.filter((one) => face.contains(one)).length;
        tabs.get(id).dataset.count = found ? String(found) : "";
      }
    },
  };
}
