// Shut the Box on one screen, one player after the other: no account, no server, the real rules as WebAssembly.

import { drawDie } from "../draw/dice.js";
import { el, show, t } from "../lib/dom.js";
import init, { Game } from "./shut-the-box.js";

const PLAYERS_MAX = 6;
const root = document.getElementById("play");
const status = document.getElementById("status");

let [boxes, turn, chosen, dice] = [[], 0, new Set(), []];

const say = (text) => (status.textContent = text);
const nameOf = (seat) => (boxes.length === 1 ? t`You` : t`Player ${seat + 1}`);

function begin(count) {
  boxes = Array.from({ length: count }, () => new Game());
  play(0);
}

function play(seat) {
  [turn, chosen, dice] = [seat, new Set(), []];
  say(boxes.length === 1 ? t`Roll the dice.` : t`${nameOf(turn)}: roll the dice.`);
  draw();
}

function roll() {
  dice = [...boxes[turn].roll_dice()].filter((face) => face > 0);
  const sum = boxes[turn].get_current_sum();
  if (boxes[turn].is_game_over()) finish(t`${sum} cannot be made.`);
  else say(t`${nameOf(turn)} rolled ${sum}: shut tiles that add up to it.`);
  draw();
}

function toggle(tile) {
  if (!chosen.delete(tile)) chosen.add(tile);
  draw();
  root.querySelector(`[data-tile="${tile}"]`).focus();
}

function shut() {
  if (!boxes[turn].make_move([...chosen])) return;
  [chosen, dice] = [new Set(), []];
  if (boxes[turn].is_game_over()) finish(t`The box is shut!`);
  else say(t`${boxes[turn].get_score()} points are up. Roll again.`);
  draw();
}

function finish(why) {
  if (turn + 1 < boxes.length) return say(t`${why} ${nameOf(turn)} ends with ${boxes[turn].get_score()}. ${nameOf(turn + 1)} is next.`);
  const scores = boxes.map((box) => box.get_score());
  const best = Math.min(...scores);
  const winners = scores.flatMap((score, seat) => (score === best ? [nameOf(seat)] : []));
  return say(boxes.length === 1 ? t`${why} You end with ${best}; low is good.` : t`${why} ${winners.join(" and ")} ${winners.length > 1 ? "share" : "takes"} it with ${best}.`);
}

const button = (text, onclick, extra = {}) => el("button", { type: "button", onclick, ...extra }, text);

function drawTile(isUp, tile) {
  const classes = `shut-box-tile ${isUp ? "" : "is-down"} ${chosen.has(tile) ? "is-chosen" : ""}`;
  const isIdle = !isUp || boxes[turn].get_current_sum() === 0 || boxes[turn].is_game_over();
  const attributes = { type: "button", class: classes, dataset: { tile }, disabled: isIdle, "aria-pressed": String(chosen.has(tile)) };
  const leaf = el("span", { class: "shut-box-leaf" }, el("span", { class: "shut-box-front" }, String(tile)), el("span", { class: "shut-box-back" }));
  return el("button", { ...attributes, "aria-label": t`tile ${tile}${isUp ? "" : t`, shut`}`, onclick: () => toggle(tile) }, leaf);
}

function draw() {
  const counts = Array.from({ length: PLAYERS_MAX }, (_, i) => button(i ? t`${i + 1} players` : t`Alone`, () => begin(i + 1)));
  if (!boxes.length) return show(root, el("p", {}, t`No account, no server: the dice are thrown in this browser, the rules are the table's own. Who plays?`), el("div", { class: "offline-row" }, counts));
  const box = boxes[turn];
  const isLast = turn + 1 === boxes.length;
  const onward = () => (isLast ? begin(boxes.length) : play(turn + 1));
  const action = box.is_game_over()
    ? button(isLast ? t`Play again` : t`Hand over to ${nameOf(turn + 1)}`, onward, { class: "primary" })
    : box.get_current_sum() === 0
      ? button(t`Roll`, roll, { class: "primary" }) : button(t`Shut`, shut, { class: "primary", disabled: !box.is_valid_move([...chosen]) });
  show(
    root,
    el("ul", { class: "offline-scores" }, boxes.map((each, seat) => el("li", { "aria-current": seat === turn ? "true" : null }, `${nameOf(seat)}: ${each.get_score()}`))),
    el(
      "div",
      { class: "shut-box-wood tiles-9" },
      el("div", { class: "shut-box-tiles" }, [...box.get_tiles()].map((up, i) => drawTile(up === 1, i + 1))),
      el("div", { class: "shut-box-dice" }, dice.map((face) => drawDie(face, { width: 56, height: 56 }))),
    ),
    el("div", { class: "offline-row" }, action, button(t`Other players`, () => { boxes = []; say(""); draw(); })),
  );
  return chosen.size ? null : root.querySelector(".primary:not(:disabled), .shut-box-tile:not(:disabled)")?.focus();
}

await init();
draw();
document.documentElement.dataset.ready = "yes";
// Where it cannot be kept it is played all the same, as long as the page is open.
navigator.serviceWorker?.register("cache.js").then(() => navigator.serviceWorker.ready).then(() => (document.documentElement.dataset.offline = "yes"), () => {});
