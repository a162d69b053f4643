// Parser of files that the page reads without a server: a record, a replay, or a transcript of shared dice.
// A replay is a record with every step of it.

import { t } from "./dom.js";
import { canonicalJson, parseJson } from "./json.js";

const SIZE_MAX = 64 * 2 ** 20;

/** Return the text of a replay file: the record as it is, and what the table showed at every step. */
export function writeReplay(recordText, steps, facts = {}) {
  const shown = steps.map(({ version, text, at, view }) => ({ version, text, at, view }));
  return canonicalJson({ document: "croupier-replay", schema: 1, record: recordText, steps: shown, ...facts });
}

/** Return what a file holds: { kind: "replay" | "record" | "transcript", … }. Throws with a sentence for people. */
export function readReplay(text) {
  if (text.length > SIZE_MAX) throw new Error(t`The file is larger than any record.`);
  let found;
  try {
    found = parseJson(text);
  } catch (error) {
    throw new Error(t`The file is not JSON: ${error.message}`);
  }
  if (found?.document === "dice-transcript" && Array.isArray(found.entries)) return { kind: "transcript", transcript: found, text };
  if (found?.document === "croupier-replay" && typeof found.record === "string" && Array.isArray(found.steps)) {
    const { record } = readReplay(found.record);
    if (!record || !found.steps.every((step) => step?.view?.turn)) throw new Error(t`The steps of the replay cannot be read.`);
    return { kind: "replay", record, text: found.record, steps: found.steps, names: found.names ?? {} };
  }
  if (typeof found?.game_id === "string" && Array.isArray(found.actions) && Array.isArray(found.digests)) {
    return { kind: "record", record: found, text, steps: null, names: {} };
  }
  throw new Error(t`The file is neither a record, nor a replay, nor a transcript of dice.`);
}
