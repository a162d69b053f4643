// A confirmation dialog before something that cannot be taken back.

import { el, t } from "../lib/dom.js";

/** Ask; a promise of whether the answer was yes. `yes` and `no` are the words on the buttons, `kind` the look of yes. */
export function ask(question, yes, no = t`No`, kind = "danger") {
  return new Promise((done) => {
    const answer = (value) => () => dialog.close(value);
    const dialog = el(
      "dialog",
      { class: "ask", "aria-label": question, onclose: () => (dialog.remove(), done(dialog.returnValue === "yes")) },
      el("p", {}, question),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", autofocus: true, onclick: answer("no") }, no),
        el("button", { type: "button", class: kind, onclick: answer("yes") }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
