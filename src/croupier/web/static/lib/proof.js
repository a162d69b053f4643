// Verification of a record in the page: all that can be checked without the rules, worked out from the record alone.

import { t } from "./dom.js";
import { canonicalJson, parseJson } from "./json.js";
import { GameRng } from "./rng.js";
import { sha256Hex } from "./sha256.js";
import { readDraws } from "./draws.js";
import { checkLedger, checkLines, checkStates } from "./lines.js";
import { seedChecks } from "./seed-checks.js";
import { isWellFormed } from "./seeds.js";

// Besides the house's: games of several players in which everybody sees everything.
const OPEN = new Set(["shut-the-box", "craps-table"]);

/** One thing that was checked: its name, whether it held, what was found in words. */
const check = (name, ok, text) => ({ name, ok, text });

/**
 * Check a record's text. `kept` is all that this browser wrote down before it named its parts of seeds, and `sessionId`
 * the session whose record was asked for.
 */
export function checkRecord(text, { kept = null, sessionId = null, steps = null, pricesOf = undefined, ledger = null } = {}) {
  const checks = [];
  let record;
  try {
    record = parseJson(text);
  } catch (error) {
    return { checks: [check("form", false, t`The record cannot be read: ${error.message}`)], record: null };
  }
  const { record_digest: sealed, ...rest } = record;
  const isReadable = isWellFormed(record);
  const isCanonical = isReadable && canonicalJson(record) === text;
  checks.push(check("form", isCanonical, isCanonical ? t`The record is written in the one way it can be.` : t`The record is not in canonical form.`));
  const digest = sha256Hex(canonicalJson(rest));
  checks.push(
    check("seal", digest === sealed, digest === sealed ? t`Its digest fits all that it holds.` : t`Its digest does not fit: something was changed.`),
  );
  if (sessionId !== null && String(sessionId) !== String(record.session_id)) {
    checks.push(check("session", false, t`This is the record of session ${record.session_id}, not of session ${sessionId}.`));
  }
  if (isReadable) checks.push(...seedChecks(record, kept));
  checks.push(...checkDraws(record, steps));
  checks.push(...checkMoney(record, steps, pricesOf, ledger));
  return { checks, record };
}

// Where a view hides nothing, as against the house, the states can be compared with the record, and the money counted.
function checkMoney(record, steps, pricesOf, ledger) {
  const money = steps?.at(-1)?.view.game?.money;
  if (steps && OPEN.has(record.game_id)) return [checkStates(record, steps)];
  if (!money) return [];
  const found = [checkStates(record, steps), ...checkLines(steps, pricesOf)];
  if (ledger) found.push(checkLedger(money, ledger.movements, ledger.account));
  return found;
}

function checkDraws(record, steps) {
  if (!steps) return [];
  const found = readDraws(record, steps, (move, seed) => new GameRng(seed ?? record.seed, record.session_id, move));
  if (!found) return [check("draws", null, t`How this game draws is known to croupier verify alone.`)];
  const wrong = found.find((draw) => !draw.ok);
  if (wrong) return [check("draws", false, t`Move ${wrong.move}: the stream gives ${wrong.drawn}, the table showed ${wrong.shown}.`)];
  return [
    check("draws", true, t`${found.length} ${found.length === 1 ? t`draw` : t`draws`} worked out again: ${found.map((draw) => draw.drawn).join("; ")}.`),
  ];
}
