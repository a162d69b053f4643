// Baccarat: two hands, ten bets, and the roads of the rounds this player has seen.

import { el, show, t } from "../lib/dom.js";
import { drawCard } from "../draw/cards.js";
import { drawBeads, drawBigRoad, drawDerived } from "../draw/roads.js";
import { drawLit } from "../common/lit.js";
import { SpotLayer } from "../common/spots.js";
import { paysOf } from "../common/pays.js";
import { pause } from "../common/pause.js";
import { Round } from "../common/round.js";

export const css = ["baccarat.css"];

const KEPT = 120;
const EACH_MS = 210;
const BETS = [
  ["player_dragon", t`Player dragon`, "side is-player"],
  ["player_pair", t`Player pair`, "side is-player"],
  ["panda_eight", t`Panda 8`, "side is-player"],
  ["perfect_pair", t`Perfect pair`, "side is-tie"],
  ["lucky_six", t`Lucky 6`, "side is-banker"],
  ["banker_pair", t`Banker pair`, "side is-banker"],
  ["banker_dragon", t`Banker dragon`, "side is-banker"],
  ["player", t`Player`, "main is-player"],
  ["tie", t`Tie`, "main is-tie"],
  ["banker", t`Banker`, "main is-banker"],
];

// What the hand counts, for the eye: the bets are settled by the house, not by this.
function points(hand) {
  return hand.reduce((sum, card) => sum + (card % 13 < 9 ? (card % 13) + 1 : 0), 0) % 10;
}

function roundOf({ player, banker }) {
  const [ours, theirs] = [points(player), points(banker)];
  const isPair = (hand) => hand[0] % 13 === hand[1] % 13;
  return { winner: ours > theirs ? "P" : ours < theirs ? "B" : "T", pairs: [isPair(player), isPair(banker)] };
}

function mount(felt, ctx) {
  const root = felt.appendChild(el("div", { class: "baccarat" }));
  const board = el("div", {
    class: "baccarat-bets",
    role: "group",
    "aria-label": t`Bets. Arrow keys move between them, Enter adds a chip, Backspace takes one off.`,
  });
  const layer = new SpotLayer(board, ctx, {});
  for (const [bet, name, kind] of BETS) {
    const pays = paysOf(ctx, bet);
    board.append(
      layer.box({ bet, label: name, class: `baccarat-bet baccarat-${bet} baccarat-${kind}` }, el("b", {}, name), pays ? el("small", {}, pays) : null),
    );
  }
  const hands = Object.fromEntries(
    [
      ["player", t`Player`],
      ["banker", t`Banker`],
    ].map(([side, name]) => {
      const cards = el("div", { class: "baccarat-cards" });
      const total = el("span", { class: "baccarat-total" });
      const box = el(
        "div",
        { class: `baccarat-hand is-${side}`, role: "group", "aria-label": t`${name}'s hand` },
        el("p", { class: "baccarat-name" }, name, total),
        cards,
      );
      return [side, { box, cards, total }];
    }),
  );
  const lit = el("div", { class: "baccarat-lit" });
  const roads = el("div", { class: "baccarat-roads" });
  let motions = [];

  const blank = () => el("span", { class: "baccarat-blank" });
  function lay(game, isFaceUp) {
    for (const side of ["player", "banker"]) {
      const cards = game?.[side] ?? [];
      show(hands[side].cards, cards.length ? cards.map((card) => drawCard(card)) : [blank(), blank()]);
      show(hands[side].total, cards.length && isFaceUp ? String(points(cards)) : "");
      hands[side].box.classList.remove("is-winner");
    }
  }

  // Two to Player, two to Banker, then the third cards: the order they were drawn in.
  async function deal(game) {
    lay(game, false);
    const [ours, theirs] = [[...hands.player.cards.children], [...hands.banker.cards.children]];
    const order = [ours[0], ours[1], theirs[0], theirs[1], ours[2], theirs[2]].filter(Boolean);
    motions = order.map((card, place) =>
      card.animate(
        [{ transform: "translate(60px, -130px) rotate(25deg)", opacity: 0 }, { transform: "none", opacity: 1 }],
        { duration: 240, delay: place * EACH_MS, easing: "ease-out", fill: "backwards" },
      ),
    );
    await Promise.allSettled(motions.map((motion) => motion.finished));
  }

  function showRoads() {
    const rounds = (ctx.memory.rounds ?? []).map(([, winner, player, banker]) => ({ winner, pairs: [player, banker] }));
    const columns = root.clientWidth > 900 ? 30 : root.clientWidth > 480 ? 20 : 14;
    show(
      roads,
      el("div", { class: "baccarat-road is-beads" }, drawBeads(rounds, root.clientWidth > 480 ? 12 : 14)),
      el("div", { class: "baccarat-road is-big" }, drawBigRoad(rounds, columns)),
      el("div", { class: "baccarat-derived" }, [1, 2, 3].map((behind) => drawDerived(rounds, behind, root.clientWidth > 480 ? 20 : 10))),
    );
  }

  const round = new Round(ctx, layer, {
    verb: "deal",
    word: t`Deal`,
    async reveal(state, isNew) {
      for (const motion of motions) motion.cancel();
      motions = [];
      const game = state?.view.game;
      show(lit);
      if (!game?.player.length) return lay(null, false);
      show(lit, drawLit(state));
      if (isNew && game.lit?.length) await pause(1200, ctx.preferences.isStill);
      if (isNew && !ctx.preferences.isStill) await deal(game);
      if (round.state !== state) return;
      lay(game, true);
      const found = roundOf(game);
      if (found.winner !== "T") hands[found.winner === "P" ? "player" : "banker"].box.classList.add("is-winner");
      const known = ctx.memory.rounds ?? [];
      if (!known.some(([one]) => one === state.view.match_id)) {
        ctx.memory.rounds = [...known, [state.view.match_id, found.winner, ...found.pairs]].slice(-KEPT);
      }
      showRoads();
    },
  });

  root.append(
    el("div", { class: "baccarat-hands" }, hands.player.box, hands.banker.box),
    lit,
    board,
    el("details", { class: "baccarat-paper" }, el("summary", {}, t`Roads`), roads),
  );
  const watch = new ResizeObserver(showRoads);
  watch.observe(root);
  lay(null, false);
  showRoads();
  round.render();
  layer.refresh();
  const headline = (state) => {
    if (!state?.view.game.player?.length) return undefined;
    const [ours, theirs] = [points(state.view.game.player), points(state.view.game.banker)];
    if (ours === theirs) return t`A tie, ${ours} to ${theirs}`;
    return ours > theirs ? t`Player wins ${ours} to ${theirs}` : t`Banker wins ${theirs} to ${ours}`;
  };
  return round.mounted(root, headline, () => {
    watch.disconnect();
    for (const motion of motions) motion.cancel();
  });
}

export default { layout: "spots", mount };
