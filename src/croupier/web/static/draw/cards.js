// Playing cards, drawn. A card is a number: suit times 13 plus rank, as everywhere in croupier; null is a face-down card.

import { svg, t } from "../lib/dom.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const RANK_WORDS = [t`ace`, t`two`, t`three`, t`four`, t`five`, t`six`, t`seven`, t`eight`, t`nine`, t`ten`, t`jack`, t`queen`, t`king`];
const SUITS = ["spades", "hearts", "diamonds", "clubs"];
const SUIT_WORDS = [t`spades`, t`hearts`, t`diamonds`, t`clubs`];
const SHAPES = [
  "M0-9C3-4 8-1 8 3C8 7 3 8 1 5L2.5 9H-2.5L-1 5C-3 8-8 7-8 3C-8-1-3-4 0-9Z",
  "M0 9C-4 4-9 0-9-4C-9-8-3-9 0-5C3-9 9-8 9-4C9 0 4 4 0 9Z",
  "M0-10L7.5 0L0 10L-7.5 0Z",
  "M0-9A4.2 4.2 0 0 1 3.4-2.6A4.2 4.2 0 1 1 1.2 4.6L2.6 9H-2.6L-1.2 4.6A4.2 4.2 0 1 1-3.4-2.6A4.2 4.2 0 0 1 0-9Z",
];

// Where the pips stand, in columns -1, 0, 1 and rows -3 to 3, by rank.
const PIPS = {
  2: [[0, -3], [0, 3]],
  3: [[0, -3], [0, 0], [0, 3]],
  4: [[-1, -3], [1, -3], [-1, 3], [1, 3]],
  5: [[-1, -3], [1, -3], [0, 0], [-1, 3], [1, 3]],
  6: [[-1, -3], [1, -3], [-1, 0], [1, 0], [-1, 3], [1, 3]],
  7: [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [-1, 3], [1, 3]],
  8: [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [0, 1.5], [-1, 3], [1, 3]],
  9: [[-1, -3], [1, -3], [-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1], [-1, 3], [1, 3]],
  10: [[-1, -3], [1, -3], [0, -2], [-1, -1], [1, -1], [-1, 1], [1, 1], [0, 2], [-1, 3], [1, 3]],
};

/** Return a card in words. */
export function cardName(card) {
  return card === null ? t`a card face down` : t`${RANK_WORDS[card % 13]} of ${SUIT_WORDS[Math.floor(card / 13)]}`;
}

/** Return a card in two or three characters, such as 10♥. */
export function cardShort(card) {
  return RANKS[card % 13] + "♠♥♦♣"[Math.floor(card / 13)];
}

function pip(suit, x, y, size, isTurned) {
  const turn = isTurned ? " rotate(180)" : "";
  return svg("path", { d: SHAPES[suit], transform: `translate(${x} ${y}) scale(${size})${turn}` });
}

function corner(rank, suit, isTurned) {
  return svg(
    "g",
    { transform: isTurned ? "rotate(180 50 70)" : null },
    svg("text", { x: 13, y: 21, class: "card-rank", "text-anchor": "middle", textLength: rank === 9 ? 19 : null, lengthAdjust: "spacingAndGlyphs" }, RANKS[rank]),
    pip(suit, 13, 33, 0.62, false),
  );
}

// A court card: a half figure with a crown or cap, mirrored; the suit on its breast.
function court(rank, suit) {
  const crown = {
    10: "M-13-26H13L10-33H-10Z",
    11: "M-14-25L-16-37L-7-30L0-40L7-30L16-37L14-25Z",
    12: "M-14-25V-37L-7-31L0-40L7-31L14-37V-25Z",
  }[rank];
  const half = () =>
    svg(
      "g",
      {},
      svg("path", { d: "M-27 0C-27-14-14-16 0-16C14-16 27-14 27 0Z", class: "court-robe" }),
      svg("path", { d: "M-7-16L0 0L7-16Z", class: "court-trim" }),
      svg("circle", { cx: 0, cy: -21, r: 7.5, class: "court-face" }),
      svg("path", { d: crown, transform: "scale(.62) translate(0 -20)", class: "court-crown" }),
      rank === 11 ? svg("path", { d: "M-8-22C-12-14-11-10-9-8M8-22C12-14 11-10 9-8", class: "court-hair" }) : null,
      rank === 12 ? svg("path", { d: "M-5-17C-3-11 3-11 5-17C3-14-3-14-5-17Z", class: "court-hair" }) : null,
    );
  return svg(
    "g",
    {},
    svg("rect", { x: 22, y: 20, width: 56, height: 100, rx: 4, class: "court-frame" }),
    svg("g", { transform: "translate(50 70)" }, half(), svg("g", { transform: "rotate(180)" }, half())),
    pip(suit, 33, 33, 0.7, false),
    pip(suit, 67, 107, 0.7, true),
  );
}

function face(card) {
  const [rank, suit] = [card % 13, Math.floor(card / 13)];
  const middle =
    rank === 0
      ? pip(suit, 50, 70, 2.6, false)
      : rank >= 10 ? court(rank, suit) : PIPS[rank + 1].map(([column, row]) => pip(suit, 50 + 17 * column, 70 + 13.5 * row, 1, row > 0));
  return [
    svg("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "card-paper" }),
    svg("g", { class: `card-suit suit-${SUITS[suit]}` }, middle, corner(rank, suit, false), corner(rank, suit, true)),
  ];
}

function back() {
  const lines = [];
  for (let i = -6; i <= 10; i += 1) {
    lines.push(`M${10 * i} 12L${10 * i + 116} 128`, `M${10 * i + 40} 12L${10 * i - 76} 128`);
  }
  return [
    svg("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "card-paper" }),
    svg(
      "svg",
      { x: 9, y: 9, width: 82, height: 122, viewBox: "9 9 82 122" },
      svg("rect", { x: 9, y: 9, width: 82, height: 122, rx: 5, class: "card-back" }),
      svg("path", { d: lines.join(""), class: "card-lattice" }),
      svg("circle", { cx: 50, cy: 70, r: 16, class: "card-back" }),
      svg("path", { d: SHAPES[0], transform: "translate(50 70) scale(1.3)", class: "card-back-mark" }),
    ),
  ];
}

/** Return a card as an SVG element, 100 by 140 in its own units; `null` shows the back. */
export function drawCard(card, attributes = {}) {
  return svg(
    "svg",
    { viewBox: "0 0 100 140", class: "card", role: "img", "aria-label": cardName(card), ...attributes },
    card === null ? back() : face(card),
  );
}
