// What the browser keeps: who one is, what one likes, the commitments that were seen, the last bets.

const PREFIX = "croupier.";

/** Return what is kept under a name, or a stand-in. A browser that keeps nothing is no reason to stop. */
export function recall(name, otherwise = null) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs comfort, not correctness.
  }
}

const SEEN_MAX = 200;

/** Write down a commitment the moment it is seen, before anything of ours goes out: what the proof compares with. */
export function keepCommitment(kind, id, commitment, clientSeed) {
  const seen = recall("commitments", []).filter((one) => !(one.kind === kind && one.id === id));
  seen.push({ kind, id, commitment, clientSeed, at: Date.now() });
  keep("commitments", seen.slice(-SEEN_MAX));
}

export function commitmentSeen(kind, id) {
  return recall("commitments", []).find((one) => one.kind === kind && one.id === id) ?? null;
}
