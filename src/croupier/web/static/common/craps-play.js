// Play at both craps tables: gestures become actions at once, one after another; a roll is shown before its results.
// The bet that was pointed at last can be switched, kept up, or taken down.

import { chips, chipsOf, el, show, t } from "../lib/dom.js";
import { CrapsLayout } from "./craps-layout.js";
import { canSwitch, fullTable, isWorking, nameOf, wordsOf } from "./craps-bets.js";

const SEEN_MS = 6000;

/** A craps table in play. `seat` tells a game's state apart: betsOf(state), others(game), decided(state, before), isOpen, controls. */
export class CrapsPlay {
  constructor(ctx, seat) {
    this.ctx = ctx;
    this.seat = seat;
    this.state = null;
    this.shown = null;
    this.rolls = 0;
    this.pointed = null;
    this.held = null;
    this.isRolling = false;
    this.isGone = false;
    this.sent = 0;
    this.decided = [];
    this.fading = null;
    this.queue = Promise.resolve();
    this.layout = new CrapsLayout(ctx, {
      add: (bet, amount) => this.add(bet, amount),
      take: (bet, amount) => this.take(bet, amount),
      point: (bet) => this.point(bet),
    });
    this.card = el("div", { class: "craps-card", role: "group", "aria-label": t`The bet you point at` });
    this.bar = el("div", { class: "bet-bar", role: "group", "aria-label": t`Bets and dice` });
    ctx.foot?.append(this.card, this.bar);
  }

  get game() {
    return this.state?.view.game ?? null;
  }

  get table() {
    return fullTable(this.game?.table);
  }

  /** The player's own bets: a Map from name to the bet as the state has it. */
  get bets() {
    return new Map((this.state ? this.seat.betsOf(this.state) : []).map((bet) => [nameOf(bet), bet]));
  }

  can(type) {
    return Boolean(this.state?.legal?.some((action) => action.type === type));
  }

  // Sending.

  /** Send something after everything that was sent before; what is refused, the page says. */
  send(job) {
    this.sent += 1;
    this.tellBusy();
    this.queue = this.queue
      .then(job)
      .catch((problem) => {
        if (!problem?.code) reportError(problem); // thrown, it would hold up everything sent after it
      })
      .finally(() => {
        this.sent -= 1;
        this.tellBusy();
      });
    return this.queue;
  }

  tellBusy() {
    this.bar.setAttribute("aria-busy", String(this.sent > 0 || this.isRolling));
  }

  // A session that is over, or not yet begun, is followed by the next one with its first action.
  async act(type, payload = {}) {
    const isNew = this.ctx.begin && this.state?.status !== "active";
    await this.update(await (isNew ? this.ctx.begin({ action: { type, payload } }) : this.ctx.act(type, payload)), this.state);
  }

  add(bet, amount) {
    this.decided = [];
    this.send(() => this.act(this.bets.has(bet) ? "raise" : "place", { bet, stake: amount }));
  }

  take(bet, amount) {
    this.send(async () => {
      const up = this.bets.get(bet);
      if (!up) return;
      if (up.stake > amount) await this.act("lower", { bet, stake: amount });
      else await this.act("remove", { bet });
    });
  }

  /** Put bets up that are not; one that is refused does not keep the others down. */
  place(list) {
    this.decided = [];
    for (const { bet, stake } of list) this.send(() => (this.bets.has(bet) ? null : this.act("place", { bet, stake })));
  }

  /** Tell whether a bet of a list is not up. */
  lacks(list) {
    return Boolean(list?.some(({ bet }) => !this.bets.has(bet)));
  }

  /** Raise what can be raised by as much as is on it: bets that have their number, odds and bets on the hand stay. */
  double() {
    const { point } = this.table;
    const stays = (bet) => (point && /^(dont_)?pass$/.test(bet)) || /^(dont_)?come:|^odds_|^repeater|^bonus/.test(bet);
    for (const [bet, { stake }] of this.bets) if (!stays(bet)) this.send(() => this.act("raise", { bet, stake }));
  }

  // Showing.

  /** Show a state; a roll is shown first, then what it decided. */
  async update(state, before) {
    const key = state ? `${state.view.match_id}/${state.version}` : "";
    if (key === this.shown || this.isGone) return;
    const old = state && this.state?.view.match_id === state.view.match_id ? this.state : null;
    const rolled = fullTable(state?.view.game.table).roll_count;
    const isRoll = Boolean(before && this.state) && rolled > (old ? this.rolls : 0);
    this.shown = key;
    this.state = state;
    this.rolls = rolled;
    if (isRoll && !this.ctx.preferences.isStill) {
      this.isRolling = true;
      this.ctx.prompt?.(this.ask);
      this.controls();
      await this.layout.roll(state.view.game.table);
      if (this.shown !== key || this.isGone) return;
    } else this.layout.rest(state?.view.game.table);
    this.isRolling = false;
    if (isRoll) this.keep(this.seat.decided(state, old));
    this.render();
    if (old) this.tell(state, old, isRoll);
  }

  // What a roll decided is seen for a while, also when others go on betting meanwhile.
  keep(decided) {
    this.decided = decided;
    clearTimeout(this.fading);
    this.fading = setTimeout(() => {
      this.decided = [];
      if (!this.isRolling && this.state?.status === "active") this.render();
      if (!this.isRolling) this.ctx.prompt?.(this.ask);
    }, SEEN_MS);
  }

  render() {
    if (!this.state) this.ctx.prompt?.(this.ask);
    this.layout.show(this.game?.table, this.lying(), this.state?.view.options ?? this.ctx.options);
    this.controls();
  }

  lying() {
    const found = new Map();
    for (const { bet, stake, returned } of this.decided) {
      found.set(bet, { stake, returned, mark: returned > stake ? "won" : returned < stake ? "lost" : null });
    }
    for (const [bet, up] of this.bets) {
      const isOff = !isWorking(up, this.table);
      found.set(bet, { stake: up.stake, isOff, note: up.keep_up ? t`kept up` : null, ...this.paid(found.get(bet)) });
    }
    for (const { bet, ...other } of this.game && this.seat.others ? this.seat.others(this.game) : []) {
      const lies = found.get(bet) ?? { stake: 0 };
      found.set(bet, { ...lies, others: [...(lies.others ?? []), other] });
    }
    return found;
  }

  // A bet that was paid and stays, or was put up again at once.
  paid(lies) {
    return lies?.mark === "won" ? { mark: "won", returned: lies.returned } : {};
  }

  // What a roll came to is logged by a session, and said by the page; a match logs only what was done.
  tell(state, old, isRoll) {
    if (state.kind === "session" && isRoll) return;
    const words = [];
    if (isRoll) {
      const [, , one, other] = this.table.history.at(-1);
      const [was, is] = [fullTable(old.view.game.table).point, this.table.point];
      words.push(t`${one} and ${other}: ${one + other}`);
      if (was && !is) words.push(one + other === 7 ? t`seven-out` : t`the point is made`);
      if (!was && is) words.push(t`the point is ${is}`);
      for (const { bet, stake, returned } of this.decided) {
        const profit = returned - stake;
        words.push(`${wordsOf(bet)} ${profit > 0 ? t`wins ${chips(profit)}` : profit < 0 ? t`loses ${chips(-profit)}` : t`comes back`}`);
      }
    } else {
      const was = new Map(this.seat.betsOf(old).map((bet) => [nameOf(bet), bet.stake]));
      for (const [bet, { stake }] of this.bets)
        if (was.get(bet) !== stake) words.push(t`${chipsOf(stake)} on ${wordsOf(bet)}`);
      for (const bet of was.keys()) if (!this.bets.has(bet)) words.push(t`${wordsOf(bet)} taken down`);
    }
    if (words.length) this.ctx.say(words.join(", "));
  }

  point(bet) {
    this.pointed = bet;
    if (!this.isRolling) this.ctx.prompt?.(this.layout.layer.told);
    this.showCard();
  }

  /** Return what there is to do, in words. */
  get ask() {
    if (this.isRolling) return t`No more bets.`;
    if (this.seat.isBroke?.(this.state)) return t`Buy in first. This table has chips of its own; those of your account stay there.`;
    if (!this.bets.size && !this.ctx.memory.last) return t`1. Choose a chip · 2. Click the pass line · 3. Roll`;
    if (!this.bets.size) return t`Put chips on the pass line, or any bet you like.`;
    return this.table.point ? t`The point is ${this.table.point}: roll it again before a seven.` : t`Roll when you are ready.`;
  }

  /** Return what the last roll was, for the moment that tells what it decided. */
  headline() {
    const newest = this.table.history.at(-1);
    if (!newest || !this.decided.length) return this.ask;
    const [one, other] = newest.slice(2, 4);
    return t`${one} and ${other}: ${one + other}`;
  }

  showCard() {
    const bet = this.pointed;
    const up = bet && this.bets.get(bet);
    this.card.classList.toggle("is-empty", !up);
    if (!up) return show(this.card);
    const isOpen = this.seat.isOpen(this.state);
    const button = (text, act, isOn = isOpen) => el("button", { type: "button", disabled: !isOn, onclick: () => this.send(act) }, text);
    const works = isWorking(up, this.table);
    const bit = this.table.phase === "point" ? 2 : 1;
    const working = (up.working ?? 3) ^ bit;
    show(
      this.card,
      el("span", {}, el("b", {}, wordsOf(bet)), ` ${chipsOf(up.stake)}`, works ? "" : t`, off`),
      canSwitch(bet)
        ? button(works ? t`Turn off` : t`Turn on`, () =>
            this.act("switch", { bet, come_out: Boolean(working & 1), point: Boolean(working & 2) }),
          )
        : null,
      this.seat.keepsUp ? button(up.keep_up ? t`No longer keep up` : t`Keep up`, () => this.act("keep_up", { bet, keep: !up.keep_up })) : null,
      button(t`Take down`, () => this.act("remove", { bet })),
    );
  }

  /** Return a button of the bar that sends something. */
  button(text, act, isOn, kind = null) {
    return el("button", { type: "button", class: kind, disabled: !isOn, onclick: act }, text);
  }

  /** Return buttons for the odds that the server proposes. */
  oddsButtons() {
    const found = (this.state?.legal ?? []).filter(({ type, payload }) => type === "place" && payload.bet.startsWith("odds_"));
    return found.map(({ payload }) => this.button(t`Full odds ${chips(payload.stake)}`, () => this.send(() => this.act("place", payload)), true));
  }

  controls() {
    // Buttons are made anew, and are off while the dice roll: the one that had the focus gets it back.
    const active = document.activeElement;
    if (this.bar.contains(active)) this.held = active.textContent;
    else if (active !== document.body) this.held = null;
    this.layout.layer.open(this.seat.isOpen(this.state) && !this.isRolling);
    this.tellBusy();
    if (this.isRolling) {
      // Made of the new state they would tell what fell: they stay as they were, but off.
      for (const button of [...this.bar.querySelectorAll("button"), ...this.card.querySelectorAll("button")]) button.disabled = true;
      return;
    }
    show(this.bar, this.seat.controls(this));
    if (this.held) {
      const open = [...this.bar.querySelectorAll("button:not(:disabled)")];
      (open.find((button) => button.textContent === this.held) ?? open[0])?.focus();
    }
    this.showCard();
  }

  /** Return what a table gives its frame. */
  mounted(root) {
    const destroy = () => {
      this.isGone = true;
      clearTimeout(this.fading);
      this.layout.destroy();
      root.remove();
    };
    const [update, priced] = [(state, before) => this.update(state, before), () => this.render()];
    return { update, priced, headline: () => this.headline(), lines: () => this.decided, destroy };
  }
}
