// Sic bo: three dice and the full board, thirteen kinds of bets on 119 spots.

import { chips, el, show, t } from "../lib/dom.js";
import { drawDice } from "../draw/dice.js";
import { SpotLayer } from "../common/spots.js";
import { paysOf } from "../common/pays.js";
import { Round } from "../common/round.js";
import { makeTabs } from "../common/layout-tabs.js";
import { pause } from "../common/pause.js";
import { Dice } from "../common/tumble.js";

export const css = ["sic-bo.css"];

const FACES = [1, 2, 3, 4, 5, 6];

function subsets(size, from = 1) {
  if (size === 0) return [[]];
  return FACES.filter((face) => face >= from).flatMap((face) => subsets(size - 1, face + 1).map((rest) => [face, ...rest]));
}

/** Return the names of all bets by kind, in the order of the board. */
export function betsOf() {
  const named = (kind, lists) => lists.map((list) => ({ bet: `${kind}:${list.join("-")}`, faces: list }));
  return {
    double: named("double", FACES.map((face) => [face])),
    triple: named("triple", FACES.map((face) => [face])),
    total: named("total", Array.from({ length: 16 }, (_, place) => [place + 3])),
    single: named("single", FACES.map((face) => [face])),
    domino: named("domino", subsets(2)),
    easy_hop: named("easy_hop", subsets(3)),
    hard_hop: named("hard_hop", FACES.flatMap((pair) => FACES.filter((odd) => odd !== pair).map((odd) => [pair, pair, odd]))),
    four_faces: named("four_faces", subsets(4)),
  };
}

/** Tell whether three dice make a bet: what they make is lit, whoever had chips on it. */
export function isMade(bet, dice) {
  const [kind, rest = ""] = bet.split(":");
  const [faces, total, kinds] = [rest.split("-").map(Number), dice[0] + dice[1] + dice[2], new Set(dice).size];
  const count = (face) => dice.filter((die) => die === face).length;
  const made = {
    small: () => kinds > 1 && total <= 10,
    big: () => kinds > 1 && total >= 11,
    odd: () => kinds > 1 && total % 2 === 1,
    even: () => kinds > 1 && total % 2 === 0,
    any_triple: () => kinds === 1,
    total: () => total === faces[0],
    double: () => count(faces[0]) >= 2,
    triple: () => count(faces[0]) === 3,
    four_faces: () => kinds === 3 && dice.every((die) => faces.includes(die)),
    hard_hop: () => [...dice].sort().join() === [...faces].sort().join(),
  };
  return (made[kind] ?? (() => faces.every(count)))(); // the others are faces that all show
}

const dice = (faces) => drawDice(faces, "sicbo");

// What is printed on the felt: the price as the house has it, shortened.
function price(ctx, bet) {
  const pays = paysOf(ctx, bet);
  return pays ? el("small", {}, pays.replace(" to 1", ":1").replace(" for each die that shows it", " a die")) : null;
}

function mount(felt, ctx) {
  const root = felt.appendChild(el("div", { class: "sicbo" }));
  const board = el("div", {
    class: "sicbo-board",
    role: "group",
    "aria-label": t`Board. Arrow keys move between the bets, Enter adds a chip, Backspace takes one off.`,
  });
  const layer = new SpotLayer(board, ctx, {});
  const bets = betsOf();
  const spot = (bet, label, kind, ...printed) => layer.box({ bet, label, class: `sicbo-spot sicbo-${kind}` }, printed);

  const half = (bet, title, range) => spot(bet, `${bet}, ${range}`, "half", el("b", {}, title), el("span", {}, range), price(ctx, bet));
  const section = (kind, title, content, price_) =>
    el(
      "div",
      { class: `sicbo-section sicbo-of-${kind}`, role: "group", "aria-label": title },
      el("p", { class: "sicbo-title" }, title, price_ ? el("small", {}, ` ${price_}`) : null),
      el("div", { class: "sicbo-grid" }, content),
    );
  const combos = (kind, title) =>
    section(
      kind,
      title,
      bets[kind].map(({ bet, faces }) => spot(bet, `${kind.replace("_", " ")} ${faces.join("-")}`, "combo", dice(faces))),
      paysText(kind),
    );
  const paysText = (kind) => (paysOf(ctx, bets[kind][0].bet) ? t`pays ${paysOf(ctx, bets[kind][0].bet)}` : null);

  const totals = bets.total.map(({ bet, faces: [total] }) =>
    spot(bet, t`total ${total}`, "total", el("b", {}, String(total)), el("span", { class: "sicbo-lit", hidden: true }), price(ctx, bet)),
  );
  const main = el("div", { class: "sicbo-face is-main" });
  const more = el("div", { class: "sicbo-face is-more" }, combos("easy_hop", t`Three different dice`), combos("hard_hop", t`A pair and one`), combos("four_faces", t`Three of four faces`));
  board.append(main, more);
  const faces = makeTabs(board, [["main", t`Main bets`, main], ["more", t`Combinations`, more]], () => layer.refresh());
  main.append(
    el(
      "div",
      { class: "sicbo-heads" },
      el("div", { class: "sicbo-halves" }, half("small", t`SMALL`, t`4 to 10`), half("odd", t`ODD`, t`no triple`)),
      section(
        "double",
        t`Double`,
        bets.double.map(({ bet, faces: [face] }) => spot(bet, t`double ${face}`, "combo", dice([face, face]))),
        paysText("double"),
      ),
      el(
        "div",
        { class: "sicbo-section sicbo-of-any" },
        el("p", { class: "sicbo-title", "aria-hidden": "true" }, t`Any triple`),
        spot(
          "any_triple",
          t`any triple`,
          "any",
          el("span", { class: "sicbo-all" }, FACES.map((face) => dice([face, face, face]))),
          price(ctx, "any_triple"),
        ),
      ),
      section(
        "triple",
        t`Triple`,
        bets.triple.map(({ bet, faces: [face] }) => spot(bet, t`triple ${face}`, "combo", dice([face, face, face]))),
        paysText("triple"),
      ),
      el("div", { class: "sicbo-halves" }, half("big", t`BIG`, t`11 to 17`), half("even", t`EVEN`, t`no triple`)),
    ),
    section("total", t`Total`, totals),
    combos("domino", t`Two faces`),
    section(
      "single",
      t`One face`,
      bets.single.map(({ bet, faces: [face] }) => spot(bet, t`single ${face}`, "single", dice([face]))),
      paysText("single"),
    ),
  );

  const thrown = new Dice(3, "sicbo-thrown");
  const sum = el("p", { class: "sicbo-sum" });
  const last = el("ol", { class: "sicbo-last", "aria-label": t`Last totals` });

  function showLast() {
    show(last, (ctx.memory.rolls ?? []).map(([, ...faces]) => el("li", {}, el("b", {}, String(faces.reduce((a, b) => a + b))), dice(faces))));
  }

  function showLit(lit) {
    for (const [
      place,
      { faces: [total] },
    ] of bets.total.entries()) {
      const found = lit.find(({ id }) => id === total);
      const mark = totals[place].querySelector(".sicbo-lit");
      mark.hidden = !found;
      mark.textContent = found ? `×${chips(found.multiplier)}` : "";
      totals[place].classList.toggle("is-lit", Boolean(found));
    }
  }

  const round = new Round(ctx, layer, {
    verb: "roll",
    word: t`Roll`,
    async reveal(state, isNew) {
      const fallen = state?.view.game.dice ?? [];
      for (const { element } of layer.spots.values()) element.classList.remove("is-fallen");
      showLit(state?.view.game.lit ?? []);
      show(sum);
      if (isNew && state.view.game.lit?.length) await pause(1200, ctx.preferences.isStill);
      if (isNew && fallen.length && !ctx.preferences.isStill) await thrown.roll(fallen);
      else thrown.rest(fallen);
      if (!fallen.length || round.state !== state) return;
      const total = fallen.reduce((a, b) => a + b);
      show(sum, el("b", {}, String(total)));
      for (const { bet, element } of layer.spots.values()) element.classList.toggle("is-fallen", isMade(bet, fallen));
      round.remember("rolls", state.view.match_id, ...fallen);
      showLast();
    },
  });

  root.append(el("div", { class: "sicbo-top" }, el("div", { class: "sicbo-tray" }, thrown.element, sum), last), faces.element, board);
  faces.turnTo("main");
  showLast();
  round.render();
  layer.refresh();
  const headline = (state) => {
    const fallen = state?.view.game.dice ?? [];
    const total = fallen.reduce((sum, face) => sum + face, 0);
    if (!total) return undefined;
    const isTriple = new Set(fallen).size === 1;
    const kind = isTriple ? t`, a triple` : t`, ${total > 10 ? t`big` : t`small`} and ${total % 2 ? t`odd` : t`even`}`;
    return t`${fallen.join(" · ")} makes ${total}${kind}`;
  };
  return round.mounted(root, headline, () => thrown.stop());
}

export default { layout: "spots", mount };
