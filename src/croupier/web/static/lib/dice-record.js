// The record of a match beside its dice: it drew from these rolls, in their order, and from nothing else.

import { canonicalJson, parseJson } from "./json.js";
import { sha256Hex } from "./sha256.js";

const check = (name, ok, text) => ({ name, ok, text });

/** Return what the first difference between a record and a book of dice is, in words; null if there is none. */
export function recordProblem(record, book) {
  if (String(record.session_id) !== String(book.terms.session_id)) return "the record is of another session";
  const wanted = new Map((record.seeds ?? []).map((seed, index) => [index + 1, seed]).filter(([, seed]) => seed));
  let last = -1; // move 0 is the deal
  for (const { round, move, seed, state, action } of book.rolls) {
    if (move <= last) return `round ${round} is for move ${move}, which does not come after move ${last}`;
    if ((move ? wanted.get(move) : record.seed) !== seed) return `round ${round} gives move ${move} another seed than the record has`;
    if (move && state && state !== record.digests[move - 1]) return `move ${move} was locked over another state than the record has`;
    if (move && action && action !== canonicalJson(record.actions[move - 1])) return `move ${move} was locked for another action`;
    wanted.delete(move);
    last = move;
  }
  return wanted.size ? `move ${[...wanted.keys()][0]} has a seed that no round made` : null;
}

/** Return the checks of a record's text beside a book of dice. */
export function recordSeeds(text, book) {
  let record;
  try {
    record = parseJson(text);
  } catch (error) {
    return [check("form", false, `The record cannot be read: ${error.message}`)];
  }
  const { record_digest: sealed, ...rest } = record;
  const holds = canonicalJson(record) === text && sha256Hex(canonicalJson(rest)) === sealed;
  const problem = recordProblem(record, book);
  return [
    check("seal", holds, holds ? "The record's digest fits all that it holds." : "The record's digest does not fit: something was changed."),
    check("seeds", !problem, problem ? `The match did not draw from these rolls: ${problem}.` : `${book.rolls.length} moves of the match drew from these rolls, in order, and no other seed was used.`),
  ];
}
