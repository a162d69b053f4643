// Helpers of the card tables: whose turn it is, what is dealt and allowed, read from a state; a round's result in words.

import { chips, isStill, t } from "../lib/dom.js";
import { pause } from "./pause.js";

/** Tell whether nothing should move: the reader's system says so, or their preferences here. */
export function isQuiet(ctx) {
  const wish = ctx.preferences?.isStill;
  return isStill() || (typeof wish === "function" ? wish() : Boolean(wish));
}

/** Tell whether a round is being played. */
export function isActive(state) {
  return state?.status === "active";
}

/** Tell whether an action of this type is legal now. */
export function canDo(state, type) {
  return Boolean(state?.legal?.some((action) => action.type === type));
}

/** Take a step, which begins the round where none is on, and reveal after it where the player has nothing left to choose. */
export async function takeStep(ctx, state, stake, type, payload = {}) {
  const after = await (isActive(state) ? ctx.act(type, payload) : ctx.begin({ stake, action: { type, payload } }));
  if (isActive(after) && after.legal?.length && after.legal.every((one) => one.type === "reveal")) {
    await pause(450, isQuiet(ctx));
    await ctx.act("reveal", {});
  }
}

/** Return the chips that lie on a bet now. */
export function stakeOn(state, bet) {
  return state?.view.game.money?.open.find((stake) => stake.bet === bet)?.stake ?? 0;
}

/** Return the settled line of a bet, or null. */
export function lineOf(state, bet) {
  const lines = state?.view.game.money?.lines ?? state?.lines ?? [];
  return lines.find((line) => line.bet === bet) ?? null;
}

/** Return an amount with its sign. */
export function signed(amount) {
  return amount > 0 ? `+${chips(amount)}` : amount < 0 ? `−${chips(-amount)}` : "0";
}

/** Return a sentence with a capital letter. */
export function sentence(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

/** Return what a line came to in a word or two, and how it is coloured. */
export function outcomeOf(line) {
  const profit = line.returned - line.stake;
  if (profit > 0) return { text: signed(profit), tone: "good" };
  if (profit === 0) return { text: t`push`, tone: "even" };
  return { text: line.returned ? signed(profit) : t`lost`, tone: "bad" };
}

/** Return the lines of the log that are new: those of the last action, or those after the log shown before. */
export function newsOf(state, before) {
  const lines = state?.logs ?? [];
  if (!before || before.view.match_id !== state.view.match_id) return lines;
  if (before.version === state.version) return [];
  const known = before.logs ?? [];
  const isLonger = known.length < lines.length && known.every((line, place) => line === lines[place]);
  return isLonger ? lines.slice(known.length) : lines;
}

// "ann: play_2x stake=10" is how the engine tells what a game has no words for; the chips on the circle say as much.
export const BARE = /^[^:]+: [a-z_0-9]+( [a-z_]+=\S+)*$/;

const LANES = { TOP: t`top`, MID: t`middle`, BOT: t`bottom` };

/** Return a sentence of the log as people write it: lucky_six is "lucky six", MID-2 is "middle lane 2". */
export function humane(text) {
  const tiles = text.replace(/\b(TOP|MID|BOT)\b(?:-(\d))?/g, (_, lane, place) => (place ? t`${LANES[lane]} lane ${place}` : LANES[lane]));
  return tiles.replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (name) => name.replaceAll("_", " "));
}

/** Speak what is new. The first state shown is not news: a reader who reloads has heard it. */
export function tell(ctx, state, before, more = "") {
  if (!state || !before || state === before) return;
  const words = [...newsOf(state, before).filter((line) => !BARE.test(line)).map((line) => humane(sentence(line))), more].filter(Boolean).join(". ");
  if (words) ctx.say(words);
}
