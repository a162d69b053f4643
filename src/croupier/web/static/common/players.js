// Who sits at the table, whose turn it is, and how a match ended, in words.

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
  if (current === ctx.me) return "Your turn";
  const name = nameOf(ctx, state, current);
  const isBot = state.view.players.find((one) => one.id === current)?.is_bot;
  return isBot ? `${name} is thinking` : `${name} to play`;
}

/** Return how the match ended: who won, and why. */
export function resultWords(ctx, state) {
  const { result } = state.view;
  if (!result) return "";
  // Alone there is nobody to beat: the score is what it was about.
  if (state.view.players.length === 1 && result.scores) {
    const [score] = Object.values(result.scores);
    return `Your score is ${Math.abs(score)}${result.reason?.includes("shut") ? ": the box is shut!" : ""}`;
  }
  const names = (result.winners ?? []).map((id) => (id === ctx.me ? "You" : nameOf(ctx, state, id)));
  const isYou = names.length === 1 && names[0] === "You";
  const who = names.length ? `${names.join(" and ")} ${names.length > 1 || isYou ? "win" : "wins"}` : "A draw";
  return result.reason ? `${who}: ${result.reason}` : who;
}
