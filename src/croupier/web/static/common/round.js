// Rounds of the games in which chips are collected on the layout and played at once: roulette, sic bo, baccarat.
// The slip holds what the player has laid out but not sent; a round shows it, sends it, and shows what came of it.

import { chips, chipsOf, el, t } from "../lib/dom.js";
import { clearRefusal, refuseAt, tooMuch } from "./refusal.js";

const KEPT = 14;

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

  /** Put chips on a bet: exactly these, or none. */
  add(bet, amount) {
    const most = this.ctx.game.actions?.batch?.payload?.properties?.bets?.maxItems ?? Infinity;
    if (!this.bets.has(bet) && this.bets.size >= most) return this.refuse(t`${most} bets are the most for one round.`);
    const stake = (this.bets.get(bet) ?? 0) + amount;
    return this.#lay(new Map(this.bets).set(bet, stake), t`${chipsOf(stake)} on ${bet.replaceAll(":", " ").replaceAll("_", " ")}`);
  }

  #lay(bets, words) {
    const why = tooMuch(bets, this.ctx);
    if (why) return this.refuse(why);
    this.set(bets);
    this.ctx.say(words);
    return true;
  }

  take(bet, amount) {
    if (!this.bets.has(bet)) return;
    const left = this.bets.get(bet) - amount;
    const bets = new Map(this.bets);
    if (left < (this.ctx.limits?.min ?? 1)) bets.delete(bet);
    else bets.set(bet, left);
    this.set(bets);
    this.ctx.say(left > 0 ? t`${chipsOf(left)} left` : t`taken off`);
  }

  /** Lay these bets, all of them or none. Tells whether they lie. */
  put(list) {
    const total = list.reduce((sum, { stake }) => sum + stake, 0);
    return this.#lay(new Map(list.map(({ bet, stake }) => [bet, stake])), t`${chipsOf(total)} on ${list.length} bets`);
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
    clearRefusal();
    this.changed();
  }

  /** Forget everything: the chips have been played. */
  empty() {
    this.bets = new Map();
    this.past = [];
  }
}

/** What comes between a layer of spots and the server.

`reveal(state, isNew)` shows the draw and may return a promise. */
export class Round {
  constructor(ctx, layer, { verb, word, reveal }) {
    Object.assign(this, { ctx, layer, verb, reveal });
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
      ctx.say(text);
      refuseAt(text);
      return false;
    });
    layer.hands = {
      add: (bet, amount) => this.slip.add(bet, amount),
      take: (bet, amount) => this.slip.take(bet, amount),
    };
    const button = (text, act, kind = null) => el("button", { type: "button", class: kind, onclick: act }, text);
    this.word = word;
    this.total = el("span", { class: "bet-total" });
    this.buttons = {
      undo: button(t`Undo`, () => this.slip.undo()),
      clear: button(t`Clear`, () => this.slip.set(new Map())),
      rebet: button(t`Rebet`, () => this.slip.put(ctx.memory.last ?? [])),
      double: button(t`Double`, () => this.slip.double()),
      go: button(word, () => this.play(), "primary"),
    };
    this.element = el(
      "div",
      { class: "bet-bar", role: "group", "aria-label": t`Bets` },
      this.total,
      Object.values(this.buttons),
    );
    ctx.foot?.append(this.element);
  }

  /** The bets of the last round, where nothing else is laid and the chips are there: one press plays them again. */
  get again() {
    const last = this.ctx.memory.last ?? [];
    if (this.slip.bets.size || this.isHeld || !last.length || !this.ctx.begin) return null;
    return tooMuch(new Map(last.map(({ bet, stake }) => [bet, stake])), this.ctx) ? null : last;
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
    await this.reveal(state, isNew);
    if (this.shown !== key || this.isGone) return;
    this.isBusy = false;
    this.isResult = Boolean(state?.view.game.money.drawn);
    this.render();
  }

  async play() {
    const { ctx, slip } = this;
    if (this.isSent || this.isBusy || this.buttons.go.ariaDisabled === "true") return;
    if (this.again && !slip.put(this.again)) return;
    const bets = slip.list;
    this.layer.told = "";
    this.isSent = true;
    this.render();
    try {
      let state;
      if (this.isHeld) state = await ctx.act(this.verb, {});
      else if (this.state?.status !== "active") state = await ctx.begin({ action: { type: "batch", payload: { bets } } });
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
    }
  }

  lying() {
    const money = this.state?.view.game.money;
    const found = new Map();
    if (money && (this.isBusy || this.isHeld || this.isResult)) {
      for (const { bet, stake, returned } of money.lines) {
        const mark = returned > stake ? "won" : returned === stake ? null : "lost";
        found.set(bet, this.isBusy ? { stake } : { stake, returned, mark, note: mark ? null : t`came back` });
      }
      for (const { bet, stake } of money.open) found.set(bet, { stake, mark: "held", note: t`imprisoned` });
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
    const lying = this.isHeld ? this.state.view.game.money.open : this.isResult ? [] : [...this.lying().values()];
    const total = lying.reduce((sum, one) => sum + one.stake, 0);
    this.total.replaceChildren(t`On the table `, el("b", {}, chips(total)));
    buttons.undo.disabled = isClosed || !slip.past.length;
    buttons.clear.disabled = isClosed || !slip.bets.size;
    buttons.rebet.disabled = isClosed || !ctx.memory.last?.length;
    buttons.double.disabled = isClosed;
    buttons.rebet.hidden = slip.bets.size > 0; // what is not laid can be laid again, what is laid can be doubled
    buttons.double.hidden = !slip.bets.size;
    // It is off for as long as the draw is shown, but keeps the focus: the next round is one press away.
    const { again } = this;
    buttons.go.ariaDisabled = String(this.isSent || this.isBusy || (!this.isHeld && !slip.bets.size && !again));
    buttons.go.textContent = again && !isClosed ? t`${this.word} again` : this.word;
    if (!this.isResult) ctx.prompt?.(this.prompt());
  }

  prompt() {
    if (this.isSent || this.isBusy) return t`No more bets.`;
    if (this.isHeld) return t`Bets in prison wait for the next ${this.verb}.`;
    if (this.layer.told) return this.layer.told;
    if (this.slip.bets.size) return t`${this.word} when you are ready.`;
    return this.ctx.memory.last ? t`Choose a chip, and click a bet.` : t`1. Choose a chip · 2. Click a bet · 3. ${this.word}`;
  }

  /** Keep what fell in a round, the newest first, each once. */
  remember(name, key, ...fallen) {
    const known = this.ctx.memory[name] ?? [];
    if (!known.some(([one]) => one === key)) this.ctx.memory[name] = [[key, ...fallen], ...known].slice(0, KEPT);
  }

  /** Return what a table gives its frame; `stop` ends what still moves. */
  mounted(root, headline, stop) {
    const destroy = () => {
      this.isGone = true;
      stop();
      this.layer.destroy();
      root.remove();
    };
    return { update: (state, before) => this.update(state, before), headline, priced: () => this.render(), destroy };
  }
}
