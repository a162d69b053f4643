// Shut the Box on the server: a wooden box with tiles that flip, two dice, and the boxes of the others beside it.

import { el, show, t } from "../lib/dom.js";
import { Buttons } from "../common/buttons.js";
import { isActive, isQuiet, newsOf, sentence } from "../common/card-round.js";
import { keepFocus } from "../common/focus.js";
import { pause } from "../common/pause.js";
import { drawResult, isMyTurn, nameOf, resultWords, turnWords } from "../common/players.js";
import { drawDie } from "../draw/dice.js";

export const css = ["shut-the-box.css"];

const ROLL_MS = 700;
const listed = (tiles) => (tiles.length ? tiles.join(", ") : t`none`);

/** The sets of tiles that may be shut now, as the server lists them. */
function setsOf(state) {
  return (state?.legal ?? []).filter((action) => action.type === "shut").map((action) => action.payload.tiles);
}

// What happened between two states, where nobody has put it in words: a roll, tiles that fell, a round that ended.
function eventWords(ctx, state, before) {
  const { game } = state.view;
  const old = before?.view;
  if (!old || old.match_id !== state.view.match_id || before.version === state.version) return "";
  const player = old.players.find((one) => one.id === old.turn.current);
  if (!player) return "";
  const name = player.id === ctx.me ? t`You` : nameOf(ctx, state, player.id);
  const [box, now] = [old.game.boxes[player.seat], game.boxes[player.seat]];
  const isOver = now.rounds_played > box.rounds_played;
  if (old.turn.phase === "shut") {
    const fallen = box.tiles.filter((tile) => isOver || !now.tiles.includes(tile));
    return t`${name} shut ${listed(fallen)}${isOver ? t`: the box is shut!` : ""}`;
  }
  const faces = game.dice.filter(Boolean).join(" and ");
  return t`${name} rolled ${faces}${isOver ? t`: no tiles make it, the score is ${box.score}` : ""}`;
}

function mount(root, ctx) {
  const buttons = new Buttons(ctx);
  const main = el("div", { class: "shut-box-main" });
  const dice = el("div", { class: "shut-box-dice", role: "group", "aria-label": t`The dice` });
  const ways = el("div", { class: "shut-box-ways" });
  const others = el("div", { class: "shut-box-others" });
  let state = null;
  let chosen = [];
  let event = "";

  show(root, el("div", { class: "card-table shut-box" }, main, others));
  ctx.foot?.prepend(ways);

  // Whose box lies in the middle: that of whoever plays, or at the end the reader's own.
  function focusSeat() {
    const { players, turn } = state.view;
    const wanted = isActive(state) ? turn.current : (ctx.me ?? players[0].id);
    return players.find((one) => one.id === wanted)?.seat ?? 0;
  }

  function toggle(tile) {
    chosen = chosen.includes(tile) ? chosen.filter((one) => one !== tile) : [...chosen, tile].sort((one, other) => one - other);
    const sum = chosen.reduce((total, one) => total + one, 0);
    ctx.say(chosen.length ? t`Chosen: ${chosen.join(" and ")}, ${sum} of ${state.view.game.current_sum}` : t`No tile chosen`);
    draw();
  }

  function choose(set) {
    chosen = [...set];
    ctx.say(t`Chosen: ${set.join(" and ")}`);
    draw();
  }

  let fallen = []; // tiles that this state has shut: they are seen to fall

  function tileButton(tile, box, sets) {
    const isUp = box.tiles.includes(tile);
    const isFalling = fallen.includes(tile) && !isUp && !isQuiet(ctx);
    const isChosen = chosen.includes(tile);
    const isLit = isUp && sets.some((set) => set.includes(tile) && chosen.every((one) => set.includes(one)));
    const isOpen = isUp && (isLit || isChosen);
    return el(
      "button",
      {
        type: "button",
        class: ["shut-box-tile", isUp ? "is-up" : isFalling ? "is-down is-falling" : "is-down", isChosen ? "is-chosen" : isLit ? "is-lit" : ""].join(" "),
        disabled: !isOpen,
        "aria-pressed": isUp ? String(isChosen) : null,
        "aria-label": isUp ? t`Tile ${tile}` : t`Tile ${tile}, shut`,
        dataset: { key: `tile-${tile}`, tile: String(tile) },
        onclick: () => toggle(tile),
      },
      el("span", { class: "shut-box-leaf" }, el("span", { class: "shut-box-front" }, String(tile)), el("span", { class: "shut-box-back" })),
    );
  }

  function drawMain() {
    const { game, options } = state.view;
    const seat = focusSeat();
    const box = game.boxes[seat];
    const player = state.view.players.find((one) => one.seat === seat);
    const sets = setsOf(state);
    const count = options.tile_count ?? 9;
    const tiles = Array.from({ length: count }, (_, index) => index + 1);
    const name = nameOf(ctx, state, player.id);
    show(
      main,
      el(
        "section",
        { class: `shut-box-wood tiles-${count}`, "aria-label": t`The box of ${name}: up are ${listed(box.tiles)}` },
        el("div", { class: "shut-box-plate" }, el("span", {}, name), el("span", {}, t`score ${box.score}`)),
        el("div", { class: "shut-box-tiles" }, tiles.map((tile) => tileButton(tile, box, sets))),
        dice,
      ),
    );
  }

  function drawDice(isRolling = false) {
    const { game } = state.view;
    const faces = game.dice.filter(Boolean);
    const shown = faces.length ? faces : [0, 0];
    show(
      dice,
      shown.map((face, index) => {
        const die = drawDie(face);
        die.classList.toggle("is-rolled", isRolling);
        if (isRolling) die.style.animationDelay = `${90 * index}ms`;
        return die;
      }),
      game.current_sum && !isRolling ? el("span", { class: "shut-box-sum" }, `= ${game.current_sum}`) : null,
    );
  }

  function drawWays() {
    const sets = setsOf(state);
    const isShutting = isMyTurn(state) && sets.length;
    show(
      ways,
      isShutting
        ? [
            el("span", { class: "shut-box-ways-label" }, t`Ways to make ${state.view.game.current_sum}:`),
            sets.map((set) =>
              el(
                "button",
                {
                  type: "button",
                  class: `shut-box-way ${set.join() === chosen.join() ? "is-chosen" : ""}`,
                  dataset: { key: `way-${set.join("-")}` },
                  "aria-label": t`Choose ${set.join(" and ")}`,
                  onclick: () => choose(set),
                },
                set.join(" + "),
              ),
            ),
          ]
        : [],
    );
  }

  function choices() {
    if (!isMyTurn(state)) return [];
    const rolls = state.legal.filter((action) => action.type === "roll");
    if (rolls.length) {
      const counts = rolls.map((action) => action.payload.dice).filter(Boolean);
      const isFree = counts.includes(1) && counts.includes(2);
      if (!isFree)
        return [{ id: "roll", label: counts.includes(1) ? t`Roll one die` : t`Roll`, key: "r", isPrimary: true, run: () => ctx.act("roll", {}) }];
      return [2, 1].map((count) => ({
        id: `roll-${count}`,
        label: count === 1 ? t`Roll one die` : t`Roll two dice`,
        key: count === 1 ? "o" : "r",
        isPrimary: count === 2,
        run: () => ctx.act("roll", { dice: count }),
      }));
    }
    const set = setsOf(state).find((one) => one.join() === chosen.join());
    return [
      {
        id: "shut",
        label: t`Shut`,
        note: chosen.length ? chosen.join(" + ") : t`choose tiles`,
        key: "s",
        isPrimary: true,
        isOff: !set,
        run: () => ctx.act("shut", { tiles: chosen }),
      },
    ];
  }

  function drawOthers() {
    const { game, players, options } = state.view;
    const seat = focusSeat();
    const rest = players.filter((one) => one.seat !== seat);
    const count = options.tile_count ?? 9;
    show(
      others,
      rest.map((player) => {
        const box = game.boxes[player.seat];
        return el(
          "section",
          { class: "shut-box-small", "aria-label": t`${nameOf(ctx, state, player.id)}: up are ${listed(box.tiles)}, total ${box.total}` },
          el("span", { class: "shut-box-name" }, nameOf(ctx, state, player.id)),
          el(
            "span",
            { class: "shut-box-minis", "aria-hidden": "true" },
            Array.from({ length: count }, (_, index) =>
              el("span", { class: box.tiles.includes(index + 1) ? "is-up" : "is-down" }, String(index + 1)),
            ),
          ),
          el("span", { class: "shut-box-total" }, box.rounds_played ? t`total ${box.total}` : t`not played`),
        );
      }),
    );
  }

  function promptWords() {
    if (!isActive(state)) return [drawResult(ctx, state)];
    const rounds = state.view.options.rounds > 1 ? t` · round ${state.view.game.round} of ${state.view.options.rounds}` : "";
    return [el("span", {}, `${turnWords(ctx, state)}${rounds}`), event ? el("small", {}, event) : null];
  }

  function draw() {
    keepFocus(root, () => {
      drawDice();
      drawMain();
      drawWays();
      drawOthers();
      ctx.prompt?.(promptWords().filter(Boolean));
      buttons.show(choices());
    });
  }

  async function update(next, before) {
    if (!next) return ctx.prompt?.(t`Waiting for the match.`);
    if (next.version !== state?.version || next.view.match_id !== state?.view.match_id) chosen = [];
    const was = state?.view.match_id === next.view.match_id && next.version > state.version ? state.view.game.boxes : [];
    state = next;
    fallen = was[focusSeat()]?.tiles ?? [];
    // The dice are seen to roll before anything tells what fell.
    const isRoll = before && before.version !== state.version && before.view.match_id === state.view.match_id && before.view.turn.phase !== "shut";
    if (isRoll && !isQuiet(ctx)) {
      drawDice(true);
      ctx.prompt?.(t`The dice roll.`);
      await pause(ROLL_MS);
      if (state !== next) return;
    }
    const news = newsOf(state, before).map(sentence);
    const seen = news.length ? news.join(". ") : eventWords(ctx, state, before);
    event = seen || (before?.version === state.version ? event : "");
    draw();
    fallen = [];
    if (before && before !== state && before.version !== state.version) {
      const words = seen ? [seen] : [];
      if (state.view.result && !before.view.result) words.push(resultWords(ctx, state));
      else if (before.view.turn.current !== state.view.turn.current) words.push(turnWords(ctx, state));
      else if (setsOf(state).length)
        words.push(
          t`Ways: ${setsOf(state)
            .map((set) => set.join(" and "))
            .join("; ")}`,
        );
      if (words.length) ctx.say(words.join(". "));
    }
  }

  return { update, destroy: () => buttons.destroy() };
}

const wordsFor = ({ type, payload }) =>
  type === "shut" ? t`Shut ${payload.tiles.join(" and ")}` : type === "roll" ? t`Roll ${payload.dice === 1 ? t`one die` : payload.dice ? t`two dice` : t`the dice`}` : undefined;

export default { layout: "board", wordsFor, mount };
