// The board of lanes: three lanes of five tiles, seen from the viewer's side, with the powers at their ends.

import { el, show, svg, t } from "../lib/dom.js";
import { keepFocus } from "../common/focus.js";
import { drawPattern, drawPawn, factionOf } from "../draw/lanes-cards.js";

const LANES = [t`top lane`, t`middle lane`, t`bottom lane`];

/** Return a tile in words: 6 is middle lane 2, which logs call MID-2. */
export function tileName(tile) {
  return `${LANES[Math.floor(tile / 5)]} ${(tile % 5) + 1}`;
}

/** Return who a side is to the viewer: "mine", "theirs" or "nobody". */
export function whose(side, look) {
  return side === "N" || !side ? "nobody" : side === look ? "mine" : "theirs";
}

const OWNERS = { mine: "your", theirs: t`the enemy's`, nobody: t`nobody's` };

function drawPawns(rank) {
  return svg(
    "svg",
    { viewBox: `0 0 ${Math.max(1, rank) * 18} 24`, class: "lanes-pawns", "aria-hidden": "true", fill: "currentcolor" },
    Array.from({ length: rank }, (_, index) => drawPawn(10, { transform: `translate(${9 + 18 * index} 12)` })),
  );
}

/** The board. `onpick(tile)` hears which tile was chosen, `onpoint(tile)` which one is looked at, null for none. */
export class Board {
  constructor(cards, factions, onpick, onpoint = () => {}) {
    this.cards = cards;
    this.factions = factions;
    this.onpick = onpick;
    this.onpoint = onpoint;
    this.pointed = null;
    this.pressed = null; // the tile that a pointer went down on
    this.isDrawing = false;
    this.focus = 0;
    this.element = el("div", {
      class: "lanes-board",
      role: "group",
      "aria-label": t`The board`,
      onkeydown: (event) => this.#move(event),
      onpointerdown: (event) => (this.pressed = event.target.closest("[data-tile]")),
      onpointerup: (event) => this.#release(event.target),
      onclick: (event) => this.#pick(event.target.closest("[data-tile]")),
      onpointerover: (event) => event.pointerType !== "touch" && this.#point(event.target),
      onpointerleave: () => this.#point(this.element.contains(document.activeElement) ? document.activeElement : null),
      onfocusin: (event) => this.#point(event.target),
      onfocusout: (event) => !this.element.contains(event.relatedTarget) && this.#point(null),
    });
  }

  // A preview may draw the board anew between press and release. A browser tells of no click then: the tile that was
  // pressed is gone, and the one in its place was not pressed.
  #release(target) {
    const tile = target.closest("[data-tile]");
    if (this.pressed && !this.pressed.isConnected && tile?.dataset.tile === this.pressed.dataset.tile) this.#pick(tile);
    this.pressed = null;
  }

  #pick(tile) {
    if (!tile) return;
    this.focus = Number(tile.dataset.tile);
    this.onpick(this.focus);
  }

  // Tiles are made anew whenever the board is drawn, also under the pointer: only another tile is news.
  #point(target) {
    const at = target?.closest?.("[data-tile]")?.dataset.tile ?? null;
    const tile = at === null ? null : Number(at);
    if (tile === this.pointed || this.isDrawing) return;
    this.pointed = tile;
    this.onpoint(tile);
  }

  /**
   * Show a view's board from the side `look`. `lit` are tiles that may be chosen, `picked` the one that is; `before` is a
   * view to compare with: what differs from it is marked.
   */
  show(game, look, { lit = [], picked = null, before = null } = {}) {
    this.look = look;
    this.isDrawing = true;
    keepFocus(this.element, () => {
      show(
        this.element,
        [0, 1, 2].map((lane) => {
          const columns = look === "E" ? [4, 3, 2, 1, 0] : [0, 1, 2, 3, 4];
          const score = game.lanes[lane];
          return [
            this.#score(score, before?.lanes[lane], "mine", lane),
            columns.map((col) => this.#tile(game, 5 * lane + col, { lit, picked, before })),
            this.#score(score, before?.lanes[lane], "theirs", lane),
          ];
        }),
      );
    });
    this.isDrawing = false;
  }

  #score(score, before, owner, lane) {
    const isYou = (owner === "mine") === (this.look !== "E");
    const power = (one) => (isYou ? one.power_you : one.power_enemy);
    const isWon = score.winner === (isYou ? "Y" : "E");
    const changed = before && power(before) !== power(score);
    return el(
      "div",
      { class: `lanes-score is-${owner} ${isWon ? "is-won" : ""} ${changed ? "is-changed" : ""}` },
      el("span", { class: "sr-only" }, t`${LANES[lane]}, ${owner === "mine" ? "your" : t`the enemy's`} power: `),
      el("b", {}, String(power(score))),
      isWon && score.lane_points !== power(score) ? el("small", {}, t`scores ${score.lane_points}`) : null,
      isWon ? el("span", { class: "sr-only" }, t`, winning`) : null,
    );
  }

  #tile(game, number, { lit, picked, before }) {
    const tile = game.tiles[number];
    const { card } = tile;
    const owner = whose(card ? card.side : tile.owner, this.look);
    const isLit = lit.includes(number);
    const earlier = before?.tiles[number];
    const isNew = earlier && earlier.card?.uid !== card?.uid;
    const isChanged = earlier && !isNew && (earlier.rank !== tile.rank || earlier.owner !== tile.owner || earlier.card?.power !== card?.power);
    const state = [isLit ? "is-lit" : "", picked === number ? "is-picked" : "", isNew ? "is-new" : "", isChanged ? "is-changed" : ""];
    return el(
      "button",
      {
        type: "button",
        class: ["lanes-tile", `is-${owner}`, card ? "has-card" : "", ...state].filter(Boolean).join(" "),
        "aria-label": this.#words(tile, number, owner, isLit),
        "aria-pressed": picked === number ? "true" : null,
        tabindex: number === this.focus ? "0" : "-1",
        dataset: { key: `tile-${number}`, tile: String(number) },
      },
      card ? this.#card(card, earlier?.card) : tile.rank ? drawPawns(tile.rank) : el("span", { class: "lanes-bare" }),
    );
  }

  #card(placed, earlier) {
    const card = this.cards.get(placed.card_id);
    const power = placed.power ?? 0;
    const tone = power > (card?.power ?? power) ? "is-raised" : power < (card?.power ?? power) ? "is-lowered" : "";
    const colour = card ? factionOf(card, this.factions).colour : "#555";
    const body = el(
      "span",
      { class: "lanes-placed" },
      el("span", { class: "lanes-placed-name" }, card?.name ?? placed.card_id),
      card ? drawPattern(card, this.factions, { isMirrored: placed.side !== (this.look === "E" ? "E" : "Y") }) : null,
      el("span", { class: `lanes-power ${tone}` }, String(power)),
      earlier && earlier.uid === placed.uid && earlier.power !== power ? el("span", { class: "lanes-was" }, t`was ${earlier.power}`) : null,
    );
    body.style.setProperty("--faction", colour);
    return body;
  }

  #words(tile, number, owner, isLit) {
    const place = tileName(number);
    const open = isLit ? t`, can be chosen` : "";
    if (tile.card) {
      const card = this.cards.get(tile.card.card_id);
      const status = tile.card.status ? `, ${tile.card.status}` : "";
      return t`${place}: ${OWNERS[owner]} ${card?.name ?? tile.card.card_id}, power ${tile.card.power ?? 0}${status}${open}`;
    }
    const pawns = tile.rank === 1 ? t`one pawn` : t`${tile.rank} pawns`;
    return `${place}: ${tile.rank ? `${OWNERS[owner]}, ${pawns}` : t`nobody's`}${open}`;
  }

  // Arrow keys go where they point, on the board as it is seen.
  #move(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const at = event.target.dataset?.tile;
    if (!step || at === undefined) return;
    event.preventDefault();
    const [down, right] = step;
    const lane = Math.floor(Number(at) / 5) + down;
    const col = (Number(at) % 5) + (this.look === "E" ? -right : right);
    if (lane < 0 || lane > 2 || col < 0 || col > 4) return;
    const target = this.element.querySelector(`[data-tile="${5 * lane + col}"]`);
    this.focus = 5 * lane + col;
    event.target.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
  }
}
