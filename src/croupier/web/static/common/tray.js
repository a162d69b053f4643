// The chip tray: which chips of `draw/chips.js` a table offers, and which one a click puts down; keys 1 to 7 choose.

import { el, show, t } from "../lib/dom.js";
import { CHIP_VALUES, drawChip } from "../draw/chips.js";

/** Make a tray; `onchoose(value)` hears the choice. Values beyond the table's limit are not offered. */
export function makeTray({ chosen, most, onchoose }) {
  const values = CHIP_VALUES.filter((value) => value <= most);
  let reach = Infinity;
  let value = values.includes(chosen) ? chosen : values[0];
  const root = el("div", { class: "tray", role: "radiogroup", "aria-label": t`The chip to put down` });

  function draw() {
    show(
      root,
      values.map((one, index) =>
        el(
          "button",
          {
            type: "button",
            class: "tray-chip",
            role: "radio",
            "aria-checked": String(one === value),
            "aria-label": `${one} ${one === 1 ? t`chip` : t`chips`}`,
            title: one > reach ? t`more than you have` : t`key ${index + 1}`,
            disabled: one > reach,
            draggable: one > reach ? null : "true",
            tabindex: one === value ? "0" : "-1",
            onclick: () => choose(one),
            ondragstart: (event) => {
              choose(one);
              event.dataTransfer.setData("text/plain", `chip:${one}`);
            },
            onkeydown: (event) => {
              const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
              if (!step) return;
              event.preventDefault();
              const open = values.filter((each) => each <= reach);
              choose(open[(open.indexOf(one) + step + open.length) % open.length]);
              root.querySelector('[aria-checked="true"]').focus();
            },
          },
          drawChip(one, { "aria-hidden": "true", role: null, "aria-label": null }),
        ),
      ),
    );
  }

  function choose(one) {
    value = one;
    draw();
    onchoose(one);
  }

  function key(event) {
    const typing = event.target.closest("input, select, textarea") || document.querySelector("dialog[open]");
    const index = Number(event.key) - 1;
    if (!typing && !event.ctrlKey && !event.altKey && !event.metaKey && values[index] <= reach) choose(values[index]);
  }

  // A chip that one does not have cannot be put down: it is off, and a smaller one is chosen for it.
  function setReach(most) {
    if (most === reach) return;
    reach = most;
    if (value > reach) {
      value = values.findLast((one) => one <= reach) ?? values[0];
      onchoose(value);
    }
    const held = root.contains(document.activeElement);
    draw();
    if (held) root.querySelector('[aria-checked="true"]:not(:disabled)')?.focus();
  }

  document.addEventListener("keydown", key);
  draw();
  return { root, setReach, get value() { return value; }, destroy: () => document.removeEventListener("keydown", key) };
}
