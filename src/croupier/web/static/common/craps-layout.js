// The craps layout, drawn for both craps tables: numbers and lines, bets of one roll, bets on the whole hand.
// It shows what states say; which gesture sends what is up to the table.

import { el, show, t } from "../lib/dom.js";
import { drawDice } from "../draw/dice.js";
import { SpotLayer } from "./spots.js";
import { paysOf } from "./pays.js";
import { makeTabs } from "./layout-tabs.js";
import { Dice } from "./tumble.js";
import { fullTable, HOPS, POINTS, TOTALS, wordsOf } from "./craps-bets.js";

const PANELS = [["lines", t`Lines`], ["numbers", t`Numbers`], ["roll", t`One roll`], ["hand", t`Whole hand`]];
const KEPT = 14;

const dice = (faces) => drawDice(faces, "craps");

/** The layout: `element` to show, `layer` for what lies on it, `show(table, lying, options)`, `roll(faces)`. */
export class CrapsLayout {
  constructor(ctx, hands) {
    this.ctx = ctx;
    this.tracks = [];
    this.numbers = new Map();
    this.board = el("div", {
      class: "craps-board",
      role: "group",
      "aria-label": t`Layout. Arrow keys move between the bets, Enter adds a chip, Backspace takes one off.`,
    });
    this.layer = new SpotLayer(this.board, ctx, hands);
    this.panels = Object.fromEntries(
      PANELS.map(([id, title]) => [id, el("section", { class: `craps-panel craps-panel-${id}`, "aria-label": title })]),
    );
    this.panels.numbers.append(el("div", { class: "craps-wings" }, this.wing(TOTALS.slice(0, 5)), this.wing(TOTALS.slice(5))));
    this.panels.lines.append(this.lines());
    this.panels.roll.append(...this.oneRoll());
    this.panels.hand.append(...this.wholeHand());
    this.board.append(...Object.values(this.panels));
    const faces = PANELS.map(([id, title]) => [id, title, this.panels[id]]);
    this.faces = makeTabs(this.board, faces, () => this.layer.refresh());
    this.dice = new Dice(2, "craps-thrown");
    this.puck = el("span", { class: "craps-puck" });
    this.phase = el("p", { class: "craps-phase" });
    this.last = el("ol", { class: "craps-last", "aria-label": t`Last rolls, the newest first` });
    this.head = el(
      "div",
      { class: "craps-head" },
      this.dice.element,
      el("div", { class: "craps-status" }, el("div", { class: "craps-point" }, this.puck, this.phase), this.last),
    );
    this.element = el("div", { class: "craps" }, el("div", { class: "craps-top" }, this.head, this.faces.element), this.board);
    this.faces.turnTo("lines");
  }

  // Making it.

  spot(bet, kind, ...printed) {
    return this.layer.box({ bet, label: wordsOf(bet), class: `craps-spot craps-${kind}` }, printed);
  }

  // What the felt says of a price, if it is short enough to be printed.
  price(bet) {
    const pays = paysOf(this.ctx, bet);
    return pays ? el("small", {}, pays.replace(/ less 5 %$/, " −5 %").replace(" to ", ":")) : null;
  }

  wing(totals) {
    const cells = totals.flatMap((total, place) => {
      const hasLane = POINTS.includes(total);
      const title = el(
        "div",
        { class: "craps-number" },
        el("b", {}, total === 6 ? t`SIX` : total === 9 ? t`NINE` : String(total)),
        el("span", { class: "craps-on", hidden: true }, t`ON`),
      );
      this.numbers.set(total, title);
      const lane = (kind) =>
        hasLane ? el("div", { class: `craps-lane craps-row-${kind}` }, this.travelled(kind, total), this.travelled(`odds_${kind}`, total)) : null;
      const found = [
        this.spot(`no:${total}`, "row-no", el("span", {}, t`Lay`), this.price(`no:${total}`)),
        hasLane ? this.spot(`lose:${total}`, "row-lose craps-moded", el("span", {}, t`Lose`), this.price(`lose:${total}`)) : null,
        lane("dont_come"),
        title,
        lane("come"),
        this.spot(`yes:${total}`, "row-yes", el("span", {}, t`Place`), this.price(`yes:${total}`)),
        this.spot(`buy:${total}`, "row-buy craps-moded", el("span", {}, t`Buy`), this.price(`buy:${total}`)),
      ].filter(Boolean);
      for (const cell of found) cell.style.gridColumn = String(place + 1);
      return found;
    });
    return el("div", { class: "craps-wing" }, cells);
  }

  travelled(kind, total) {
    const word = { come: "C", dont_come: "DC", odds_come: "odds", odds_dont_come: "odds" }[kind];
    return this.spot(`${kind}:${total}`, "travelled", el("span", {}, word));
  }

  lines() {
    const big = (bet, text, ...more) => this.spot(bet, `line craps-${bet.replace(":", "")}`, el("b", {}, text), more);
    const odds = (bet) => this.spot(bet, `line craps-odds`, el("span", {}, t`Odds`));
    const field = el(
      "span",
      { class: "craps-field-numbers" },
      [2, 3, 4, 9, 10, 11, 12].map((total) => el("i", { class: total === 2 || total === 12 ? "is-ringed" : null }, String(total))),
    );
    return el(
      "div",
      { class: "craps-lines" },
      big("dont_come", t`Don't come`),
      big("come", t`Come`),
      big("big:6", t`Big 6`),
      big("big:8", t`Big 8`),
      big("field", t`Field`, field, this.price("field")),
      big("dont_pass", t`Don't pass`),
      odds("odds_dont_pass"),
      big("pass", t`Pass line`),
      odds("odds_pass"),
    );
  }

  part(title, kind, spots) {
    return el(
      "div",
      { class: `craps-part craps-of-${kind}`, role: "group", "aria-label": title },
      el("p", { class: "craps-title" }, title),
      el("div", { class: "craps-grid" }, spots),
    );
  }

  oneRoll() {
    const hard = [4, 6, 8, 10].map((total) => this.spot(`hard:${total}`, "prop", dice([total / 2, total / 2]), this.price(`hard:${total}`)));
    const next = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((total) =>
      this.spot(`next:${total}`, `prop${total === 7 ? " craps-seven" : ""}`, el("b", {}, String(total)), this.price(`next:${total}`)),
    );
    const mixed = [
      ["any_craps", t`Any craps`],
      ["c_and_e", "C & E"],
      ["horn", t`Horn`],
      ["world", t`World`],
    ].map(([bet, text]) => this.spot(bet, "prop", el("b", {}, text)));
    const hops = HOPS.map((faces) => this.spot(`hop:${faces.join("-")}`, "prop", dice(faces)));
    return [
      this.part(t`Hardways`, "hard", hard),
      this.part(t`Next roll`, "next", next),
      this.part(t`Together`, "mixed", mixed),
      this.part(t`Hops ${paysOf(this.ctx, "hop:1-2") ? t`${paysOf(this.ctx, "hop:1-2")}, pairs ${paysOf(this.ctx, "hop:2-2")}` : ""}`, "hop", hops),
    ];
  }

  // A bet on the hand or the set, with what the table has counted for it.
  tracked(bet, text, count) {
    const track = el("span", { class: "craps-track" });
    const element = this.spot(bet, "side", el("b", {}, text), track);
    this.tracks.push({ track, count, spot: this.layer.spots.get(bet) });
    return element;
  }

  wholeHand() {
    const seen = (numbers, isSeen) => numbers.map((number) => el("i", { class: isSeen(number) ? "is-seen" : null }, String(number)));
    const bonus = (numbers) => (table) => seen(numbers, (number) => table.bonus_numbers.includes(number));
    const hand = [
      this.tracked("fire", t`Fire`, (table) => seen(POINTS, (point) => table.fire_points.includes(point))),
      this.tracked("hot_roller", t`Hot roller`, (table) => [t`${table.hot_streak} points in a row`]),
      this.tracked("ride_line", t`Ride the line`, (table) => [t`${table.pass_wins} line wins`]),
      this.tracked("replay", t`Replay`, (table) =>
        POINTS.flatMap((point, place) => table.points_made[place] ? [el("i", { class: "is-seen" }, `${point} ×${table.points_made[place]}`)] : []),
      ),
      this.tracked("muggsy", t`Muggsy`, () => []),
    ];
    const set = [
      this.tracked("bonus_small", t`All small`, bonus([2, 3, 4, 5, 6])),
      this.tracked("bonus_tall", t`All tall`, bonus([8, 9, 10, 11, 12])),
      this.tracked("bonus_all", t`Make them all`, bonus(TOTALS)),
      this.tracked("different_doubles", t`Different doubles`, (table) => seen([1, 2, 3, 4, 5, 6], (face) => table.doubles_seen.includes(face))),
      this.tracked("twice_hard", t`Twice hard`, (table) => seen([4, 6, 8, 10], (total) => table.hard_streak[[4, 6, 8, 10].indexOf(total)] > 0)),
    ];
    const repeaters = TOTALS.map((total) =>
      this.tracked(`repeater:${total}`, String(total), (table) => [
        t`${table.repeater_counts[total - 2]} of ${Math.min(total, total < 7 ? total : 14 - total)}`,
      ]),
    );
    return [this.part(t`On the hand`, "side", hand), this.part(t`Until a 7`, "side", set), this.part(t`Repeaters`, "repeater", repeaters)];
  }

  // Showing it.

  /** Show a table and what lies on it. */
  show(given, lying, options = {}) {
    const table = fullTable(given);
    this.board.classList.toggle("has-modes", (options.pay_table ?? "casino") === "casino");
    for (const [total, title] of this.numbers) {
      title.classList.toggle("is-point", total === table.point);
      title.querySelector(".craps-on").hidden = total !== table.point;
    }
    this.puck.textContent = table.point ? t`ON` : t`OFF`;
    this.puck.classList.toggle("is-on", Boolean(table.point));
    show(this.phase, table.phase === "closed" ? t`The table is closed` : table.point ? t`The point is ${table.point}` : t`Come-out roll`);
    for (const { track, count, spot } of this.tracks) {
      show(track, count(table));
      const seen = [...track.querySelectorAll(".is-seen")].map((one) => one.textContent);
      spot.more = track.children.length ? (seen.length ? t`so far ${seen.join(" ")}` : null) : track.textContent;
    }
    for (const total of POINTS) {
      for (const kind of ["come", "dont_come"]) {
        const flat = lying.get(`${kind}:${total}`);
        const odds = lying.get(`odds_${kind}:${total}`);
        this.layer.spots.get(`${kind}:${total}`).element.hidden = !flat;
        this.layer.spots.get(`odds_${kind}:${total}`).element.hidden = !odds && !(flat?.stake && !flat.mark);
      }
    }
    for (const bet of ["pass", "dont_pass"]) {
      const isIdle = !table.point || !lying.get(bet)?.stake;
      this.layer.spots.get(`odds_${bet}`).element.classList.toggle("is-idle", isIdle && !lying.has(`odds_${bet}`));
    }
    show(
      this.last,
      table.history
        .slice(-KEPT)
        .reverse()
        .map(([, , one, other]) => el("li", { class: one + other === 7 ? "is-seven" : null }, el("b", {}, String(one + other)), dice([one, other]))),
    );
    this.layer.show(lying);
    this.faces.count([...lying].filter(([, lies]) => lies.stake).map(([bet]) => this.layer.spots.get(bet)?.element));
    this.layer.refresh();
  }

  /** Show the dice of a table's last roll. */
  rest(given) {
    const newest = fullTable(given).history.at(-1);
    this.dice.rest(newest ? newest.slice(2, 4) : []);
  }

  /** Roll the dice to what fell last. */
  roll(given) {
    return this.dice.roll(fullTable(given).history.at(-1).slice(2, 4));
  }

  destroy() {
    this.dice.stop();
    this.layer.destroy();
  }
}
