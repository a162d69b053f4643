// The craps table for many: everybody's chips on one layout, racks and who shoots, buying in and cashing out.

import { chips, el, show, t } from "../lib/dom.js";
import { drawDie } from "../draw/dice.js";
import { CrapsPlay } from "../common/craps-play.js";
import { nameOf, wordsOf } from "../common/craps-bets.js";

export const css = ["craps.css"];

const TONES = 8;
const STATUS = { out: t`out`, shooter: t`shooter`, ready: t`ready`, betting: t`betting` };

function mount(felt, ctx) {
  const root = felt.appendChild(el("div", {}));
  const seatOf = (state) => state?.view.players.find(({ id }) => id === ctx.me)?.seat ?? null;
  const chairOf = (state) => (seatOf(state) === null ? null : state.view.game.seats[seatOf(state)]);
  const nameAt = (state, seat) => {
    const player = state.view.players.find((one) => one.seat === seat);
    return player ? (ctx.names?.[player.id] ?? player.name ?? player.id) : t`Seat ${seat + 1}`;
  };
  const phaseOf = (state) => state?.view.turn.phase;
  const isOut = (chair) => chair.has_left || (chair.has_cashed && !chair.chips && !chair.bets?.length);
  const last = (list) => list.filter(({ bet }) => !bet.includes("come") && !bet.startsWith("odds_"));

  const play = new CrapsPlay(ctx, {
    keepsUp: !ctx.hasSharedDice, // every bet is a signed order there, and every one that comes down
    betsOf: (state) => chairOf(state)?.bets ?? [],
    others(game) {
      const own = seatOf(play.state);
      return game.seats.flatMap((chair, seat) =>
        seat === own
          ? [] : (chair.bets ?? []).map((bet) => ({ bet: nameOf(bet), stake: bet.stake, name: nameAt(play.state, seat), tone: seat % TONES })),
      );
    },
    decided(state) {
      const own = seatOf(state);
      return state.view.game.settled.filter(([seat]) => seat === own).map(([, bet, stake, returned]) => ({ bet, stake, returned }));
    },
    isBroke: (state) => Boolean(chairOf(state)) && !chairOf(state).chips && !chairOf(state).bets?.length && Boolean(state.ranges?.buy_in),
    isOpen: (state) => Boolean(chairOf(state)) && state.status === "active" && phaseOf(state) === "betting" && !chairOf(state).is_ready,
    controls: () => controls(),
  });

  const seats = el("ul", { class: "shared-seats", "aria-label": t`Players` });
  const notice = el("p", { class: "shared-notice" });
  const amount = el("input", { type: "number", name: "chips", inputmode: "numeric", "aria-label": t`Chips to buy` });
  const more = el("div", { class: "shared-more" });
  const rack = el("summary", {});
  const buy = el(
    "form",
    {
      class: "shared-buy",
      onsubmit(event) {
        event.preventDefault();
        bank.open = false;
        play.send(() => play.act("buy_in", { chips: Number(amount.value) }));
      },
    },
    amount,
    el("button", { type: "submit" }, t`Buy in`),
  );
  // Chips are changed rarely: it is all folded behind the rack, but for whoever has none.
  const bank = el("details", { class: "shared-bank" }, rack, el("div", { class: "shared-side" }, buy, more));

  function controls() {
    const { state } = play;
    const chair = chairOf(state);
    showSeats();
    const range = state?.ranges?.buy_in?.chips;
    buy.hidden = !range || !chair;
    const isBroke = play.seat.isBroke(state);
    bank.hidden = !chair;
    bank.classList.toggle("is-bare", isBroke);
    bank.open ||= isBroke;
    show(rack, t`Rack `, el("b", {}, chips(chair?.chips ?? 0)));
    buy.lastChild.classList.toggle("primary", isBroke);
    if (range) {
      Object.assign(amount, { min: range.low, max: range.high, step: range.step ?? 1 });
      const offered = state.legal.find(({ type }) => type === "buy_in")?.payload.chips;
      if (!amount.value) amount.value = offered ?? Math.min(range.high, 10 * range.low);
    }
    if (!chair) show(more);
    if (!chair) return [el("span", { class: "bet-total" }, t`You are watching`)];
    const list = [...play.bets].map(([bet, { stake }]) => ({ bet, stake }));
    const isShooter = state.view.turn.current === ctx.me;
    const act = (type) => () => {
      if (type === "ready" || type === "roll") ctx.memory.last = list.length ? last(list) : ctx.memory.last;
      bank.open = false;
      if (type === "cash_out" && ctx.hasSharedDice) clear();
      play.send(() => play.act(type));
    };
    const removable = state.legal.filter(({ type }) => type === "remove");
    const clear = () => removable.forEach(({ payload }) => play.send(() => play.act("remove", payload)));
    show(
      more,
      isBroke ? null : play.button(t`Cash out`, act("cash_out"), play.can("cash_out")),
      isShooter && !isBroke && play.can("pass_dice") ? play.button(t`Pass dice`, act("pass_dice"), true) : null,
      isShooter && !isBroke && !ctx.hasSharedDice && play.can("lock") ? play.button(t`Close the bets`, act("lock"), true) : null,
    );
    return [
      play.button(t`Clear`, clear, removable.length > 0),
      list.length
        ? play.button(t`Double`, () => play.double(), play.seat.isOpen(state))
        : play.button(t`Rebet`, () => play.place(ctx.memory.last), play.lacks(ctx.memory.last) && play.seat.isOpen(state)),
      ...play.oddsButtons(),
      isShooter
        ? play.button(t`Roll`, act("roll"), play.can("roll") && !(ctx.hasSharedDice && phaseOf(state) === "locked"), isBroke ? null : "primary")
        : play.button(t`Ready`, act("ready"), play.can("ready"), "primary"),
    ];
  }

  function showSeats() {
    const { state } = play;
    if (!state) return show(seats);
    const { game, turn } = state.view;
    const rows = state.view.players.map(({ id, seat, is_bot: isBot }) => {
      const chair = game.seats[seat];
      const isShooter = turn.current === id;
      const atRisk = chair.at_risk ?? 0;
      const net = (chair.chips ?? 0) + atRisk + (chair.paid_out ?? 0) - (chair.bought ?? 0);
      const status = isOut(chair) ? "out" : isShooter ? "shooter" : chair.is_ready ? "ready" : "betting";
      return el(
        "li",
        { class: `tone-${seat % TONES}${id === ctx.me ? " is-me" : ""}${isOut(chair) ? " is-out" : ""}` },
        el("b", { class: "shared-name" }, nameAt(state, seat), isBot ? t` (bot)` : ""),
        el(
          "span",
          { class: `shared-status is-${status}` },
          isShooter ? drawDie(5, { role: null, "aria-label": null, "aria-hidden": "true" }) : null,
          STATUS[status],
        ),
        el("span", {}, t`rack ${chips(chair.chips ?? 0)}`, atRisk ? t`, on the table ${chips(atRisk)}` : ""),
        el("span", { class: net < 0 ? "is-down" : net > 0 ? "is-up" : null }, net > 0 ? `+${chips(net)}` : net < 0 ? `−${chips(-net)}` : t`even`),
      );
    });
    show(seats, rows);
    const late = state.view.players.filter(({ id, seat }) => id !== turn.current && !game.seats[seat].is_ready && !isOut(game.seats[seat]));
    const waiting = late.map(({ id, seat }) => (id === ctx.me ? "you" : nameAt(state, seat)));
    const shooter =
      turn.current === ctx.me ? t`You shoot` : t`${nameAt(state, state.view.players.find(({ id }) => id === turn.current)?.seat)} shoots`;
    show(
      notice,
      state.status !== "active"
        ? t`The table is closed`
        : phaseOf(state) === "locked"
          ? t`Bets are closed. ${shooter}.` : waiting.length ? t`${shooter}. Waiting for ${waiting.join(", ")}.` : t`${shooter}. All are ready.`,
    );
  }

  root.append(el("div", { class: "shared" }, seats, notice), play.layout.element);
  ctx.foot?.insertBefore(bank, play.card);
  play.render();
  return { ...play.mounted(root), reach: (state) => chairOf(state)?.chips || Infinity };
}

export default { layout: "spots", nameOf: wordsOf, mount };
