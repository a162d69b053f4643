// Players in words: who sits at the table, whose turn it is, and how a match ended.

import { el, t } from "../lib/dom.js";
import { sentence } from "./card-round.js";

/** Return what a player is called here. */
export function nameOf(ctx, state, id) {
  const player = state.view.players.find((one) => one.id === id);
  return ctx.names?.[id] ?? (player?.name || id);
}

/** Tell whether the reader is to act now. */
export function isMyTurn(state) {
  return state.status === "active" && Boolean(state.legal?.length);
}

/** Return whose turn it is as a short sentence. */
export function turnWords(ctx, state) {
  const { current } = state.view.turn;
  if (!current) return "";
  if (current === ctx.me) return t`Your turn`;
  const name = nameOf(ctx, state, current);
  const isBot = state.view.players.find((one) => one.id === current)?.is_bot;
  return isBot ? t`${name} is thinking` : t`${name} to play`;
}

/** Return how the match ended: who won, and why. */
export function resultWords(ctx, state) {
  const { result } = state.view;
  if (!result) return "";
  // Alone there is nobody to beat: the score is what it was about.
  if (state.view.players.length === 1 && result.scores) {
    const [score] = Object.values(result.scores);
    return t`Your score is ${Math.abs(score)}${result.reason?.includes("shut") ? t`: the box is shut!` : ""}`;
  }
  const names = (result.winners ?? []).map((id) => (id === ctx.me ? t`You` : nameOf(ctx, state, id)));
  const isYou = result.winners?.length === 1 && result.winners[0] === ctx.me;
  const who = names.length ? `${names.join(" and ")} ${names.length > 1 || isYou ? t`win` : t`wins`}` : t`A draw`;
  return result.reason ? `${who}: ${result.reason}` : who;
}

/** Return how it ended for the felt: lit for whoever won or played alone. */
export function drawResult(ctx, state, words = resultWords(ctx, state)) {
  const { winners = [], scores } = state.view.result ?? {};
  const isWon = winners.includes(ctx.me) || Object.keys(scores ?? {}).length === 1;
  return el("b", { class: `match-end ${isWon ? "good" : winners.length && ctx.me ? "bad" : ""}` }, sentence(words));
}
