// The digest of a state, from a view that hides nothing: what two machines compare. docs/record-format.md has its fields.

import { canonicalJson } from "./json.js";
import { sha256Hex } from "./sha256.js";

const FACTS = ["match_id", "game_id", "rules_version", "options", "players", "status", "turn", "game", "result", "version"];

/** Return the digest of the state that a view shows, in hex. */
export function digestOf(view, seed, sessionId) {
  const facts = Object.fromEntries(FACTS.map((name) => [name, view[name]]));
  const rng = { seed, session_id: sessionId, move_number: view.version + 1 };
  return sha256Hex(canonicalJson({ ...facts, rng_state: rng }));
}
