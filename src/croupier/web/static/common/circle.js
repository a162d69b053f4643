// Bet circles: where the chips of a card game lie, before the deal, during the round and when it is settled.

import { chips, el, show, t } from "../lib/dom.js";
import { chipsFor, drawChip } from "../draw/chips.js";
import { isActive, lineOf, outcomeOf, stakeOn } from "./card-round.js";
import { pause } from "./pause.js";
import { clearRefusal, refuseAt, tooMuch } from "./refusal.js";

const LONG_PRESS_MS = 500;

/** Return chips as a pile; the one on top says how much it is. */
export function drawPile(amount) {
  if (!amount) return null;
  const below = chipsFor(amount, 5).slice(0, -1);
  const hidden = { role: null, "aria-label": null, "aria-hidden": "true" };
  return el("span", { class: "pile" }, below.map((value) => drawChip(value, hidden)), drawChip(amount, hidden));
}

/**
 * The circles of a table. A spec is { bet, label, kind, most, mirrors, about }: kind is "opening" (the stake a session
 * begins with), "side" (laid with it, or not) or "raise" (chips that the game puts there); `mirrors` names a bet whose
 * stake lies here as well; `most` limits a stake that the game limits; one that `isOptional` is there while chips are.
 */
export class Circles {
  constructor(ctx, specs, { onchange = () => {} } = {}) {
    this.ctx = ctx;
    this.specs = specs;
    this.onchange = onchange;
    this.state = null;
    this.hasChanged = false;
    this.isVeiled = false; // while cards are dealt nobody knows what they come to
    ctx.memory.bets ??= Object.fromEntries(
      specs.filter((spec) => spec.kind === "opening").map((spec) => [spec.bet, Math.min(ctx.chip, ctx.limits?.max ?? Infinity)]),
    );
    this.plan = { ...ctx.memory.bets };
    this.places = new Map(specs.map((spec) => [spec.bet, this.#place(spec)]));
  }

  /** Show the chips of a state while its cards are dealt, and nothing of what they come to. */
  async veil(state, ms) {
    this.isVeiled = true;
    this.update(state);
    this.ctx.prompt?.(t`The cards are dealt.`);
    await pause(ms);
  }

  /** The element of one circle. */
  at(bet) {
    return this.places.get(bet);
  }

  /** The stake the next session begins with. */
  get opening() {
    return this.plan[this.specs.find((spec) => spec.kind === "opening").bet] ?? 0;
  }

  /** The side bets as they are planned, 0 for none. */
  get sides() {
    return Object.fromEntries(this.specs.filter((spec) => spec.kind === "side").map((spec) => [spec.bet, this.plan[spec.bet] ?? 0]));
  }

  /** Whether any side bet is planned. */
  get hasSides() {
    return Object.values(this.sides).some(Boolean);
  }

  /** All chips that the next round takes at once. */
  get total() {
    return this.specs.reduce((sum, spec) => sum + (spec.kind === "raise" && !spec.mirrors ? 0 : this.#planned(spec)), 0);
  }

  /** Keep the bets for the next time. */
  remember() {
    this.ctx.memory.bets = { ...this.plan };
    this.ctx.memory.hasDealt = true;
    this.hasChanged = false;
  }

  clear() {
    this.ctx.memory.cleared = { ...this.plan };
    this.#set({});
    this.ctx.say(t`All bets are taken off.`);
  }

  rebet() {
    if (this.#set({ ...this.ctx.memory.cleared })) this.ctx.say(t`The last bets again: ${chips(this.total)} in all.`);
  }

  /** Double what can be doubled: a bet that is one chip by its rules stays. */
  double() {
    const doubled = this.specs
      .filter((spec) => this.plan[spec.bet]).map((spec) => [spec.bet, spec.most ? this.plan[spec.bet] : 2 * this.plan[spec.bet]]);
    if (this.#set(Object.fromEntries(doubled))) this.ctx.say(t`Doubled: ${chips(this.total)} in all.`);
  }

  /** What there is to do before the deal, in full for whoever is here for the first time. */
  get ask() {
    return this.ctx.memory.cleared || this.ctx.memory.hasDealt ? t`Place your bet and deal.` : t`1. Choose a chip · 2. Click a circle · 3. Deal`;
  }

  /** Return why the bets as they are planned cannot be played, or null. */
  get problem() {
    return this.#problemOf(this.plan);
  }

  #problemOf(plan) {
    const laid = this.specs.filter((spec) => spec.kind !== "raise" || spec.mirrors);
    const limits = { min: 1, max: this.ctx.limits?.max ?? Infinity };
    return tooMuch(new Map(laid.map((spec) => [spec.bet, plan[spec.mirrors ?? spec.bet] ?? 0])), { balance: this.ctx.balance, limits });
  }

  // All of it, or nothing: chips are never put down that nobody has asked for.
  #set(plan) {
    const grows = Object.entries(plan).some(([bet, stake]) => stake > (this.plan[bet] ?? 0));
    const why = grows ? this.#problemOf(plan) : null;
    if (why) {
      this.ctx.say(why);
      refuseAt(why);
      return false;
    }
    this.plan = plan;
    this.hasChanged = true;
    clearRefusal();
    this.update(this.state);
    this.onchange();
    return true;
  }

  #planned(spec) {
    return this.plan[spec.mirrors ?? spec.bet] ?? 0;
  }

  #isOpen(spec) {
    if (spec.kind === "raise" || !this.ctx.begin) return false;
    if (!isActive(this.state)) return true;
    return spec.kind === "side" && this.state.view.turn.phase === "deal";
  }

  /** Put a chip on a bet, or take one off; each change is spoken. */
  add(spec, amount) {
    if (!this.#isOpen(spec)) return;
    const before = this.plan[spec.bet] ?? 0;
    const after = Math.max(0, Math.min(before + (spec.most === 1 ? Math.sign(amount) : amount), spec.most ?? Infinity));
    if (after === before && amount > 0) {
      this.ctx.say(t`${spec.label} takes no more than ${chips(after)}.`);
      refuseAt(t`${spec.label} takes no more than ${chips(after)}.`);
    }
    if (after === before || !this.#set({ ...this.plan, [spec.bet]: after })) return;
    this.ctx.say(after ? `${spec.label}: ${chips(after)}` : t`${spec.label}: no chips`);
  }

  #place(spec) {
    if (spec.kind === "raise") {
      return el("div", { class: `circle circle-raise circle-${spec.bet}`, role: "group" });
    }
    let press = 0;
    let wasLong = false;
    const stop = () => clearTimeout(press);
    return el("button", {
      type: "button",
      class: `circle circle-${spec.kind} circle-${spec.bet}`,
      dataset: { bet: spec.bet },
      onclick: () => {
        if (!wasLong) this.add(spec, this.ctx.chip);
        wasLong = false;
      },
      oncontextmenu: (event) => {
        event.preventDefault();
        if (!wasLong) this.add(spec, -this.ctx.chip);
      },
      onkeydown: (event) => {
        if (event.key !== "Backspace" && event.key !== "Delete") return;
        event.preventDefault();
        this.add(spec, event.key === "Delete" ? -Infinity : -this.ctx.chip);
      },
      onpointerdown: (event) => {
        wasLong = false;
        if (event.pointerType === "mouse") return;
        press = setTimeout(() => {
          wasLong = true;
          this.add(spec, -this.ctx.chip);
        }, LONG_PRESS_MS);
      },
      onpointerup: stop,
      onpointerleave: stop,
      onpointercancel: stop,
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => {
        event.preventDefault();
        this.add(spec, this.ctx.chip); // the tray chooses the chip that is dragged
      },
    });
  }

  /** Show a state: what lies on each circle, and what became of it. */
  update(state) {
    if (state && state.view.match_id !== this.state?.view.match_id) {
      this.hasChanged = false;
      this.#adopt(state);
    }
    this.state = state;
    for (const spec of this.specs) this.#draw(spec);
  }

  // What lies there after a reload is what the next round is played for, until the player changes it.
  #adopt(state) {
    for (const spec of this.specs) {
      const stake = stakeOn(state, spec.bet) || lineOf(state, spec.bet)?.stake;
      if (stake && spec.kind !== "raise") this.plan[spec.bet] = stake;
    }
  }

  #draw(spec) {
    const place = this.places.get(spec.bet);
    const isOpen = this.#isOpen(spec);
    const isShowing = this.state && (isActive(this.state) || !this.hasChanged);
    const line = isShowing ? lineOf(this.state, spec.bet) : null;
    const lying = stakeOn(this.state, spec.bet);
    const planned = spec.kind === "raise" && !spec.mirrors ? 0 : this.#planned(spec);
    const isBefore = isOpen || (spec.mirrors && !isActive(this.state));
    const amount = lying || (isBefore && !line ? planned : 0) || line?.stake || 0;
    const outcome = line && !this.isVeiled ? outcomeOf(line) : null;
    const isLost = outcome && !line.returned && !isBefore;
    show(
      place,
      el("span", { class: "circle-ring" }, isLost ? null : drawPile(amount), amount ? null : el("span", { class: "circle-hint" }, spec.hint ?? "")),
      el("span", { class: "circle-label" }, spec.label),
      outcome ? el("span", { class: `circle-outcome is-${outcome.tone}` }, outcome.text) : null,
    );
    place.hidden = Boolean(spec.isOptional) && !amount;
    place.classList.toggle("is-open", isOpen);
    place.classList.toggle("is-won", outcome?.tone === "good");
    place.classList.toggle("is-lost", Boolean(outcome) && !line.returned);
    if (place instanceof HTMLButtonElement) place.disabled = !isOpen;
    const edge = this.ctx.edge?.(spec.bet);
    const pays = this.ctx.pays?.(spec.bet);
    const parts = [
      spec.label,
      edge ? t`edge ${edge}` : "",
      amount ? t`${chips(amount)} ${amount === 1 ? t`chip` : t`chips`} on it` : t`no chips on it`,
    ];
    if (outcome) parts.push(outcome.text);
    place.setAttribute("aria-label", parts.filter(Boolean).join(", "));
    place.title = [spec.about ?? spec.label, pays ? t`pays ${pays}` : "", edge ? t`edge ${edge}` : ""].filter(Boolean).join("; ");
  }
}
