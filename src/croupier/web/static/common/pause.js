// A pause between two steps that a player takes as one, so that the eye can follow.

/** Resolve after some milliseconds; at once where nothing moves. */
export function pause(ms, isStill = false) {
  return new Promise((done) => setTimeout(done, isStill ? 0 : ms));
}
