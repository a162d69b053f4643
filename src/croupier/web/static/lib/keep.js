// Local storage of the browser: account, preferences, receipts of commitments, own parts of seeds, the last bets.

const PREFIX = "croupier.";
const memory = new Map(); // for as long as the page lasts, where the browser keeps nothing

/** Return what is kept under a name, or a stand-in. A browser that keeps nothing is no reason to stop. */
export function recall(name, otherwise = null) {
  try {
    const text = memory.get(name) ?? localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  memory.delete(name);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    memory.set(name, JSON.stringify(value)); // full or forbidden: a reload forgets it
  }
}

const KEPT_MAX = 1000;

/** Return all that was kept about commitments, as `croupier verify --kept` reads it. A second player has a file of their own. */
export function keptFile(owner = "") {
  return recall(`kept${owner}`) ?? { schema: 1, kept: [], log: null };
}

/** Write down what is known about a session or room: the receipt the moment it is seen, later one's own part of the seed. */
export function keepFacts(facts, owner = "") {
  const file = keptFile(owner);
  const isIt = (one) => one.session_id === facts.session_id;
  const kept = [...file.kept.filter((one) => !isIt(one)), { ...file.kept.find(isIt), ...facts }];
  keep(`kept${owner}`, { ...file, kept: kept.slice(-KEPT_MAX) });
}

/** Forget what was kept about a session: one has left the room before it began, and has no part in it. */
export function forgetFacts(sessionId) {
  const file = keptFile();
  keep("kept", { ...file, kept: file.kept.filter((one) => one.session_id !== sessionId) });
}

/** Return what the log had announced of a subject by an entry; empty if it does not say. */
export function announced(subject, n, log = recall("log")) {
  return log?.entries.findLast(([at, about]) => about === subject && at <= n)?.[2] ?? "";
}

/** Write down where the host's log of versions stands. */
export function keepLog(log) {
  keep("kept", { ...keptFile(), log });
}
