// Dice animation: they tumble for less than a second and a half and then show what fell.

import { el, show } from "../lib/dom.js";
import { drawDie } from "../draw/dice.js";

const ROLL_MS = 1000;
const FACE_MS = 110;

/** Some dice: `element` to show, `rest(faces)` to show at once, `roll(faces)` to get there in motion. */
export class Dice {
  constructor(count, kind = "") {
    this.count = count;
    this.element = el("div", { class: `tumble ${kind}` });
    this.motions = [];
    this.timer = null;
    this.rest([]);
  }

  /** Show the faces at once; none are dice that have not been thrown. */
  rest(faces) {
    this.stop();
    this.draw(faces);
  }

  draw(faces) {
    show(this.element, Array.from({ length: this.count }, (_, place) => drawDie(faces[place] ?? 0)));
  }

  /** Roll until the faces show; a promise that holds when they do. */
  async roll(faces) {
    this.stop();
    // The faces that flicker past are no chance of anything, so they need none.
    let shown = 0;
    const next = () => {
      shown += 1;
      [...this.element.children].forEach((die, place) => die.replaceChildren(...drawDie(((shown * 5 + place * 2) % 6) + 1).children));
    };
    this.draw(faces.map((face) => (face % 6) + 1));
    this.timer = setInterval(next, FACE_MS);
    this.motions = [...this.element.children].map((die, place) =>
      die.animate(
        [
          { transform: `translate(${90 + 30 * place}px, -70px) rotate(${540 + 90 * place}deg)` },
          { transform: "translate(20px, 6px) rotate(180deg)", offset: 0.55 },
          { transform: "translate(8px, -14px) rotate(80deg)", offset: 0.75 },
          { transform: "none" },
        ],
        { duration: ROLL_MS + 80 * place, easing: "ease-out" },
      ),
    );
    await Promise.allSettled(this.motions.map((motion) => motion.finished));
    if (this.timer === null) return;
    this.rest(faces);
  }

  /** Stop moving. */
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    for (const motion of this.motions) motion.cancel();
    this.motions = [];
  }
}
