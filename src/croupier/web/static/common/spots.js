// Spots: places of a layout where bets are laid and taken back, in one layer that gives all of them the same gestures.
// Click, drag from the tray, Enter add a chip; right click, long press, Backspace take one off; arrow keys go to the
// neighbour. The layer knows no bets: what a gesture does is up to the table, and so is what the spots are drawn with.

import { chips, chipsOf, el, show, svg, t } from "../lib/dom.js";
import { drawChip } from "../draw/chips.js";
import { paysOf } from "./pays.js";

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

const LONG_PRESS_MS = 450;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** What lies on a spot: { stake, others: [{name, stake, tone}], mark: "won" | "lost" | "held", isOff, returned, note }. */
const NOTHING = Object.freeze({ stake: 0 });

function mute(value, attributes) {
  return drawChip(value, { role: null, "aria-label": null, ...attributes });
}

/** The spots of one layout. `hands` is {add(bet, amount), take(bet, amount), point(bet)}; `point` tells of a new focus. */
export class SpotLayer {
  constructor(root, ctx, hands) {
    this.root = root;
    this.ctx = ctx;
    this.hands = hands;
    this.isOpen = true;
    this.spots = new Map();
    this.lying = new Map();
    this.current = null;
    this.press = null;
    this.wasLong = false;
    this.tip = el("div", { class: "spot-tip", "aria-hidden": "true", hidden: true });
    this.told = "";
    root.classList.add("spot-layer");
    root.append(this.tip);
    this.ends = new AbortController();
    const on = (name, handle, more = {}) => root.addEventListener(name, handle, { signal: this.ends.signal, ...more });
    on("click", (event) => this.clicked(event));
    on("contextmenu", (event) => this.rightClicked(event));
    on("keydown", (event) => this.keyed(event));
    on("pointerdown", (event) => this.pressed(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) on(name, () => clearTimeout(this.press));
    on("pointermove", (event) => Math.hypot(event.movementX, event.movementY) > 6 && clearTimeout(this.press));
    on("pointerover", (event) => event.pointerType === "mouse" && this.pointAt(this.under(event)));
    on("pointerout", () => this.pointAt(null));
    on("focusin", (event) => this.focused(event));
    on("focusout", () => this.pointAt(null));
    on("dragover", (event) => this.under(event) && this.isOpen && event.preventDefault());
    on("drop", (event) => this.dropped(event));
    globalThis.addEventListener("resize", () => this.pointAt(null), { signal: this.ends.signal });
  }

  /** Make a spot of HTML: a box of the layout with what is printed on it. */
  box({ bet, label, class: kind = "", covers = null }, ...printed) {
    const name = el("span", { class: "spot-name sr-only" });
    const holder = el("span", { class: "spot-chips" });
    const element = el("div", { class: `spot ${kind}` }, printed, holder, name);
    return this.keep({ bet, label, covers, element, holder, name });
  }

  /** Make a spot of SVG: `shape` takes the clicks, chips lie at x, y with a diameter. */
  area({ bet, label, class: kind = "", covers = null, x, y, size = 30 }, shape, ...printed) {
    const name = svg("text", { class: "spot-name", x, y });
    const holder = svg("g", { class: "spot-chips", transform: `translate(${x} ${y})` });
    const element = svg("g", { class: `spot ${kind}` }, shape, printed, holder, name);
    return this.keep({ bet, label, covers, element, holder, name, size });
  }

  keep(spot) {
    const { element, bet } = spot;
    element.setAttribute("role", "button");
    // Everything that is seen is also said by the name, and better.
    for (const child of element.children) if (child !== spot.name) child.setAttribute("aria-hidden", "true");
    element.setAttribute("tabindex", "-1");
    element.dataset.bet = bet;
    this.spots.set(bet, spot);
    this.draw(spot);
    return element;
  }

  /** Forget the spots, to lay out anew. */
  reset() {
    this.spots.clear();
    this.pointAt(null);
  }

  /** Show what lies where: a Map from bet to what lies on it. What is not in it is bare. */
  show(lying) {
    this.lying = lying;
    for (const spot of this.spots.values()) this.draw(spot);
  }

  /** Say whether chips can be put down and taken off. */
  open(isOpen) {
    this.isOpen = isOpen;
    this.root.classList.toggle("is-closed", !isOpen);
  }

  /** Put one visible spot into the order of the Tab key; call it when spots were hidden or shown. */
  refresh() {
    const seen = (spot) => spot && spot.element.getClientRects().length > 0;
    const kept = this.spots.get(this.current);
    const stop = seen(kept) ? kept : [...this.spots.values()].find(seen);
    for (const spot of this.spots.values()) spot.element.setAttribute("tabindex", spot === stop ? "0" : "-1");
  }

  destroy() {
    this.ends.abort();
    clearTimeout(this.press);
  }

  // Gestures.

  under(event) {
    const element = event.target.closest?.("[data-bet]");
    return element && this.spots.get(element.dataset.bet)?.element === element ? element.dataset.bet : null;
  }

  clicked(event) {
    const bet = this.under(event);
    if (bet === null || this.wasLong) return;
    this.add(bet, this.ctx.chip);
  }

  rightClicked(event) {
    const bet = this.under(event);
    if (bet === null) return;
    event.preventDefault();
    clearTimeout(this.press);
    if (!this.wasLong) this.take(bet);
    this.wasLong = event.pointerType === "touch";
  }

  pressed(event) {
    clearTimeout(this.press);
    this.wasLong = false;
    const bet = this.under(event);
    if (bet === null || event.pointerType === "mouse") return;
    this.press = setTimeout(() => {
      this.wasLong = true;
      this.take(bet);
    }, LONG_PRESS_MS);
  }

  dropped(event) {
    const bet = this.under(event);
    if (bet === null) return;
    event.preventDefault();
    this.add(bet, Number.parseInt(event.dataTransfer.getData("text/plain").replace("chip:", ""), 10) || this.ctx.chip);
  }

  keyed(event) {
    const bet = this.under(event);
    if (bet === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.add(bet, this.ctx.chip);
    else if (event.key === "Backspace" || event.key === "Delete") this.take(bet);
    else if (event.key in ARROWS) this.neighbour(bet, ARROWS[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  add(bet, amount) {
    this.tell(bet);
    if (this.isOpen) this.hands.add(bet, amount);
  }

  take(bet) {
    this.tell(bet);
    if (this.isOpen) this.hands.take(bet, this.ctx.chip);
  }

  // The nearest spot that way; what lies aside counts double, so that rows and columns are kept to.
  neighbour(bet, [right, down]) {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(this.spots.get(bet).element);
    let best = null;
    let least = Infinity;
    for (const { element } of this.spots.values()) {
      if (!element.getClientRects().length) continue;
      const [toX, toY] = middle(element);
      const ahead = (toX - x) * right + (toY - y) * down;
      const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
      if (ahead > 2 && aside <= 3 * ahead && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = element;
      }
    }
    return best;
  }

  focused(event) {
    const bet = this.under(event);
    if (bet === null) return;
    this.current = bet;
    this.refresh();
    this.tell(bet);
    if (event.target.matches(":focus-visible")) this.pointAt(bet);
  }

  // Words.

  priceOf(bet) {
    const kind = bet.split(":")[0];
    const pays = paysOf(this.ctx, bet);
    const edge = this.ctx.edge(bet) ?? this.ctx.edge(kind);
    return { pays: pays ? t`pays ${pays}` : null, edge: edge ? t`edge ${edge}` : null };
  }

  /** Return a spot in words: straight 17, edge 2.70 %, 25 chips on it. */
  words(spot) {
    const lies = this.lying.get(spot.bet) ?? NOTHING;
    const parts = [spot.label, this.priceOf(spot.bet).edge, spot.more];
    if (lies.stake) parts.push(t`${chipsOf(lies.stake)} on it`);
    for (const one of lies.others ?? []) parts.push(t`${one.name} has ${chipsOf(one.stake)}`);
    if (lies.isOff) parts.push(t`off`);
    if (lies.note) parts.push(lies.note);
    if (lies.mark === "won") parts.push(t`returned ${chipsOf(lies.returned)}`);
    if (lies.mark === "lost") parts.push(t`lost`);
    return parts.filter(Boolean).join(", ");
  }

  // On the felt: on a screen that is touched there is nothing to hover with.
  tell(bet) {
    const spot = this.spots.get(bet);
    const { pays, edge } = this.priceOf(bet);
    this.told = [sentence(spot.label), pays, edge].filter(Boolean).join(" · ");
    this.hands.point?.(bet);
  }

  pointAt(bet) {
    const spot = this.spots.get(bet);
    for (const one of this.spots.values()) {
      one.element.classList.toggle("is-covered", Boolean(spot?.covers?.includes(one.bet)));
    }
    this.tip.hidden = !spot;
    if (!spot) return;
    const { pays, edge } = this.priceOf(bet);
    show(this.tip, el("b", {}, spot.label), el("span", {}, [pays, edge].filter(Boolean).join(", ")));
    const [box, around] = [spot.element.getBoundingClientRect(), this.root.getBoundingClientRect()];
    const scale = around.width / this.root.offsetWidth || 1; // the stage makes layouts larger and smaller
    const middle = (box.x - around.x + box.width / 2) / scale - this.tip.offsetWidth / 2;
    const above = (box.y - around.y) / scale - this.tip.offsetHeight - 6;
    this.tip.style.left = `${Math.max(0, Math.min(this.root.offsetWidth - this.tip.offsetWidth, middle))}px`;
    this.tip.style.top = `${above < 0 ? (box.bottom - around.y) / scale + 6 : above}px`;
  }

  // Chips.

  draw(spot) {
    const lies = this.lying.get(spot.bet) ?? NOTHING;
    const { element, holder, size } = spot;
    const words = this.words(spot);
    if (spot.name.textContent !== words) spot.name.textContent = words;
    element.classList.toggle("has-chips", Boolean(lies.stake));
    element.classList.toggle("is-won", lies.mark === "won");
    element.classList.toggle("is-lost", lies.mark === "lost");
    element.classList.toggle("is-held", lies.mark === "held");
    const drawn = JSON.stringify(lies);
    if (spot.drawn === drawn) return;
    spot.drawn = drawn;
    show(holder, size ? this.pile(lies, size) : this.stack(lies));
  }

  stack(lies) {
    const found = [];
    for (const one of (lies.others ?? []).slice(0, 3)) {
      found.push(el("i", { class: `spot-other tone-${one.tone}` }, chips(one.stake)));
    }
    if (lies.stake) found.push(mute(lies.stake));
    if (lies.isOff) found.push(el("b", { class: "spot-off" }, t`OFF`));
    if (lies.mark === "won") found.push(el("b", { class: "spot-paid" }, `+${chips(lies.returned - lies.stake)}`));
    return found;
  }

  pile(lies, size) {
    if (!lies.stake) return [];
    const found = [mute(lies.stake, { x: -size / 2, y: -size / 2, width: size, height: size })];
    if (lies.mark === "held") found.push(svg("path", { class: "spot-bars", d: "M-6-11V11M0-13V13M6-11V11" }));
    if (lies.mark === "won") {
      const paid = `+${chips(lies.returned - lies.stake)}`;
      const width = 10 + 7.4 * paid.length;
      found.push(
        svg("rect", { class: "spot-paid", x: -width / 2, y: -size / 2 - 14, width, height: 17, rx: 8.5 }),
        svg("text", { class: "spot-paid-text", x: 0, y: -size / 2 - 1, "text-anchor": "middle" }, paid),
      );
    }
    return found;
  }
}
