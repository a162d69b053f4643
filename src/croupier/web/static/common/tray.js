// The chip tray: which chip a click puts down. Keys 1 to 7 choose, too.

import { el, show } from "../lib/dom.js";
import { CHIP_VALUES, drawChip } from "../draw/chips.js";

/** Make a tray; `onchoose(value)` hears the choice. Values beyond the table's limit are not offered. */
export function makeTray({ chosen, most, onchoose }) {
  const values = CHIP_VALUES.filter((value) => value <= most);
  let value = values.includes(chosen) ? chosen : values[0];
  const root = el("div", { class: "tray", role: "radiogroup", "aria-label": "The chip to put down" });

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
            "aria-label": `${one} ${one === 1 ? "chip" : "chips"}`,
            title: `key ${index + 1}`,
            draggable: "true",
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
              choose(values[(index + step + values.length) % values.length]);
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
    const typing = event.target.closest("input, select, textarea");
    const index = Number(event.key) - 1;
    if (!typing && !event.ctrlKey && !event.altKey && !event.metaKey && values[index]) choose(values[index]);
  }

  document.addEventListener("keydown", key);
  draw();
  return { root, get value() { return value; }, destroy: () => document.removeEventListener("keydown", key) };
}
