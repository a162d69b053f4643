// A row of buttons for what can be done now, with a letter each for the keyboard.

import { el, show, t } from "../lib/dom.js";

/** The buttons of a table. One action at a time: while an answer is awaited nothing else can be pressed. */
export class Buttons {
  constructor(ctx = {}, label = t`What you can do`) {
    this.element = el("div", { class: "table-buttons", role: "group", "aria-label": label });
    this.isBusy = false;
    this.choices = [];
    this.onkey = (event) => this.#press(event);
    document.addEventListener("keydown", this.onkey);
    ctx.foot?.append(this.element);
  }

  /**
   * Show these choices: { id, label, note, hint, key, isPrimary, isQuiet, isOff, isKeyOnly, run }. One that `isKeyOnly`
   * has a button elsewhere on the table. Focus stays in the row if it was there.
   */
  show(choices) {
    this.choices = choices.filter(Boolean);
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    show(this.element, this.choices.filter((choice) => !choice.isKeyOnly).map((choice) => this.#button(choice)));
    if (focused === null) return;
    const again = this.element.querySelector(`[data-id="${CSS.escape(focused)}"]:not(:disabled)`);
    (again ?? this.element.querySelector(".table-primary, button:not(:disabled)"))?.focus();
  }

  #button(choice) {
    return el(
      "button",
      {
        type: "button",
        class: choice.isPrimary
          ? "table-button table-primary" : choice.isQuiet ? "table-button table-quiet" : "table-button",
        disabled: Boolean(choice.isOff),
        "aria-keyshortcuts": choice.key ?? null,
        title: choice.hint ?? null,
        dataset: { id: choice.id, action: choice.id },
        onclick: () => this.choices.includes(choice) && this.run(choice), // a button that is gone does nothing
      },
      el("span", { class: "table-button-label" }, choice.label),
      choice.note ? el("span", { class: "table-button-note" }, choice.note) : null,
      choice.key ? el("kbd", { "aria-hidden": "true" }, choice.key === "escape" ? t`Esc` : choice.key.toUpperCase()) : null,
    );
  }

  /** Run a choice; refusals are told by the shell, and the table shows the state it has. */
  async run(choice) {
    if (this.isBusy || choice.isOff) return;
    this.isBusy = true;
    this.element.setAttribute("aria-busy", "true");
    try {
      await choice.run();
    } catch (refusal) {
      if (!refusal?.code) throw refusal;
    } finally {
      this.isBusy = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  #press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target.closest?.("input, select, textarea, [contenteditable]") || document.querySelector("dialog[open]"))
      return;
    const choice = this.choices.find((one) => one.key === event.key.toLowerCase());
    if (!choice) return;
    event.preventDefault();
    this.run(choice);
  }

  destroy() {
    document.removeEventListener("keydown", this.onkey);
  }
}
