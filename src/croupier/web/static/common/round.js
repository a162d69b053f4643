// Rounds of the games in which chips are collected on the layout and played at once: roulette, sic bo, baccarat.
// The slip holds what the player has laid out but not sent; a round shows it, sends it, and shows what came of it.

import { chips, el } from "../lib/dom.js";
import { chipsOf } from "./spots.js";

/** Bets that have been laid out but not sent: a Map from bet to stake, with a way back. */
export class Slip {
  constructor(ctx, changed, refuse) {
    this.ctx = ctx;
    this.changed = changed;
    this.refuse = refuse;
    this.bets = new Map();
    this.past = [];
  }

  get total() {
    return [...this.bets.values()].reduce((sum, stake) => sum + stake, 0);
  }

  get list() {
    return [...this.bets].map(([bet, stake]) => ({ bet, stake }));
  }

  add(bet, amount) {
    const before = this.bets.get(bet) ?? 0;
    const left = this.ctx.balance() - this.total;
    const room = Math.min((this.ctx.limits?.max ?? Infinity) - before, left);
    const most = this.ctx.game.actions?.batch?.payload?.properties?.bets?.maxItems ?? Infinity;
    if (room < 1) return this.refuse(left > 0 ? "That is the most for this bet." : "You have no more chips.");
    if (!before && this.bets.size >= most) return this.refuse(`${most} bets are the most for one round.`);
    const least = Math.min(this.ctx.limits?.min ?? 1, before + room);
    this.set(new Map(this.bets).set(bet, Math.max(before + Math.min(amount, room), least)));
    this.ctx.say(`${chipsOf(this.bets.get(bet))} on ${bet.replaceAll(":", " ").replaceAll("_", " ")}`);
  }

  take(bet, amount) {
    if (!this.bets.has(bet)) return;
    const left = this.bets.get(bet) - amount;
    const bets = new Map(this.bets);
    if (left < (this.ctx.limits?.min ?? 1)) bets.delete(bet);
    else bets.set(bet, left);
    this.set(bets);
    this.ctx.say(left > 0 ? `${chipsOf(left)} left` : "taken off");
  }

  /** Lay these bets, as far as the chips reach. */
  put(list) {
    const bets = new Map();
    let left = this.ctx.balance();
    for (const { bet, stake } of list) {
      const most = Math.min(stake, left, this.ctx.limits?.max ?? Infinity);
      if (most < (this.ctx.limits?.min ?? 1)) continue;
      bets.set(bet, most);
      left -= most;
    }
    this.set(bets);
    this.ctx.say(`${chipsOf(this.total)} on ${bets.size} bets`);
  }

  double() {
    this.put(this.list.map(({ bet, stake }) => ({ bet, stake: 2 * stake })));
  }

  undo() {
    if (this.past.length) this.set(this.past.pop(), false);
  }

  set(bets, isNew = true) {
    if (isNew) this.past.push(this.bets);
    this.past = this.past.slice(-50);
    this.bets = bets;
    this.changed();
  }

  /** Forget everything: the chips have been played. */
  empty() {
    this.bets = new Map();
    this.past = [];
  }
}

/** What comes between a layer of spots and the server.

`reveal(state, isNew)` shows the draw and may return a promise; `stage` is where it is seen, and is scrolled to. */
export class Round {
  constructor(ctx, layer, { verb, word, reveal, stage }) {
    Object.assign(this, { ctx, layer, verb, reveal, stage });
    this.state = null;
    this.shown = null;
    this.isBusy = false;
    this.isSent = false;
    this.isResult = false;
    this.isGone = false;
    const changed = () => {
      this.isResult = false;
      this.render();
    };
    this.slip = new Slip(ctx, changed, (text) => {
      layer.info.textContent = text;
      ctx.say(text);
    });
    layer.hands = {
      add: (bet, amount) => this.slip.add(bet, amount),
      take: (bet, amount) => this.slip.take(bet, amount),
    };
    const button = (text, act, kind = null) => el("button", { type: "button", class: kind, onclick: act }, text);
    this.total = el("span", { class: "bet-total" });
    this.buttons = {
      undo: button("Undo", () => this.slip.undo()),
      clear: button("Clear", () => this.slip.set(new Map())),
      rebet: button("Rebet", () => this.slip.put(ctx.memory.last ?? [])),
      double: button("Double", () => this.slip.double()),
      go: button(word, () => this.play(), "primary"),
    };
    this.element = el(
      "div",
      { class: "bet-bar", role: "group", "aria-label": "Bets" },
      this.total,
      Object.values(this.buttons),
    );
  }

  get isHeld() {
    return this.state?.status === "active" && this.state.view.turn.phase !== "betting";
  }

  /** Show a state; what has been shown is not shown twice. */
  async update(state, before) {
    const key = state ? `${state.view.match_id}/${state.version}` : "";
    if (key === this.shown) return;
    const isNew = Boolean(state) && (this.isSent || Boolean(before)) && state.view.game.money.drawn;
    this.shown = key;
    this.state = state;
    this.isResult = false;
    if (state?.status === "active" && !this.isHeld && !this.slip.bets.size) {
      this.slip.bets = new Map(state.view.game.money.open.map(({ bet, stake }) => [bet, stake]));
    }
    if (state?.view.game.money.drawn) this.slip.empty();
    this.isBusy = isNew;
    this.render();
    if (isNew) this.stage?.scrollIntoView({ block: "nearest" });
    await this.reveal(state, isNew);
    if (this.shown !== key || this.isGone) return;
    this.isBusy = false;
    this.isResult = Boolean(state?.view.game.money.drawn);
    this.render();
  }

  async play() {
    const { ctx, slip } = this;
    if (this.isSent || this.isBusy) return;
    const [bets, had] = [slip.list, document.activeElement === this.buttons.go];
    this.isSent = true;
    this.render();
    try {
      let state;
      if (this.isHeld) state = await ctx.act(this.verb, {});
      else if (this.state?.status !== "active") state = await ctx.begin({ bets });
      else {
        // A session that was begun before: a reload, or bets that were refused.
        if (this.state.view.game.money.open.length) await ctx.act("clear", {});
        state = await ctx.act("batch", { bets });
      }
      if (bets.length) ctx.memory.last = bets;
      await this.update(state, this.state);
    } catch (problem) {
      if (!problem?.code) throw problem;
    } finally {
      this.isSent = false;
      if (!this.isGone) this.render();
      // A button that is switched off loses the focus, at once or a little later.
      const { go, rebet } = this.buttons;
      if (had && !this.isGone && (go.disabled || document.activeElement === document.body))
        (go.disabled ? rebet : go).focus();
    }
  }

  lying() {
    const money = this.state?.view.game.money;
    const found = new Map();
    if (money && (this.isBusy || this.isHeld || this.isResult)) {
      for (const { bet, stake, returned } of money.lines) {
        const mark = returned > stake ? "won" : returned === stake ? null : "lost";
        found.set(bet, this.isBusy ? { stake } : { stake, returned, mark, note: mark ? null : "came back" });
      }
      for (const { bet, stake } of money.open) found.set(bet, { stake, mark: "held", note: "imprisoned" });
    }
    if (!this.isResult) for (const [bet, stake] of this.slip.bets) found.set(bet, { stake });
    return found;
  }

  render() {
    const { slip, buttons, ctx } = this;
    const isClosed = this.isSent || this.isBusy || this.isHeld;
    this.element.setAttribute("aria-busy", String(this.isSent || this.isBusy));
    this.layer.show(this.lying());
    this.layer.open(!isClosed);
    const total = this.isHeld ? this.state.view.game.money.open.reduce((sum, one) => sum + one.stake, 0) : slip.total;
    this.total.replaceChildren("On the table ", el("b", {}, chips(total)));
    buttons.undo.disabled = isClosed || !slip.past.length;
    buttons.clear.disabled = isClosed || !slip.bets.size;
    buttons.rebet.disabled = isClosed || !ctx.memory.last?.length;
    buttons.double.disabled = isClosed || !slip.bets.size;
    buttons.go.disabled = this.isSent || this.isBusy || (!this.isHeld && !slip.bets.size);
  }

  destroy() {
    this.isGone = true;
  }
}
