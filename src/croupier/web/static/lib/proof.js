// The proof: everything that can be checked without the rules, worked out in the page from the record alone.

import { canonicalJson, parseJson } from "./json.js";
import { derive, GameRng } from "./rng.js";
import { fromHex, joinBytes, sha256, sha256Hex, toHex } from "./sha256.js";
import { readDraws } from "./draws.js";
import { checkLedger, checkLines, checkStates } from "./lines.js";

// Besides the house's: games of several players in which everybody sees everything.
const OPEN = new Set(["shut-the-box", "craps-table"]);

/** One thing that was checked: its name, whether it held, what was found in words. */
const check = (name, ok, text) => ({ name, ok, text });

/** Check a record's text. `seen` is the commitment that this browser wrote down before it named its part of the seed. */
export function checkRecord(text, { seen = null, steps = null, pricesOf = undefined, ledger = null } = {}) {
  const checks = [];
  let record;
  try {
    record = parseJson(text);
  } catch (error) {
    return { checks: [check("form", false, `The record cannot be read: ${error.message}`)], record: null };
  }
  const { record_digest: sealed, ...rest } = record;
  const isCanonical = canonicalJson(record) === text;
  checks.push(
    check("form", isCanonical, isCanonical ? "The record is written in the one way it can be." : "The record is not in canonical form."),
  );
  const digest = sha256Hex(canonicalJson(rest));
  checks.push(
    check("seal", digest === sealed, digest === sealed ? "Its digest fits all that it holds." : "Its digest does not fit: something was changed."),
  );
  checks.push(...checkSeeds(record, seen));
  checks.push(...checkDraws(record, steps));
  checks.push(...checkMoney(record, steps, pricesOf, ledger));
  return { checks, record };
}

function checkSeeds(record, seen) {
  const pair = record.commitments;
  if (!pair) {
    return [check("commitment", null, "The seed of this match was not committed to by one host: every roll has a seed of its own.")];
  }
  const opened = toHex(sha256(fromHex(pair.server_seed)));
  const found = [
    check(
      "commitment",
      opened === pair.commitment,
      opened === pair.commitment
        ? "The server's seed hashes to its commitment."
        : "The server's seed is not the one that was committed to.",
    ),
  ];
  if (seen) {
    const same = seen.commitment === pair.commitment;
    const when = new Date(seen.at).toLocaleTimeString();
    found.push(
      check(
        "seen before",
        same,
        same
          ? `This browser saw that very commitment at ${when}, before it named its own part.`
          : `At ${when} the server had committed to something else.`,
      ),
    );
  }
  const seed = toHex(derive(joinBytes(fromHex(pair.server_seed), fromHex(pair.client_seed)), `match/${record.session_id}`));
  found.push(
    check(
      "seed",
      seed === record.seed,
      seed === record.seed ? "The seed of the match follows from both parts." : "The seed of the match does not follow from the two parts.",
    ),
  );
  return found;
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
  if (!found) return [check("draws", null, "How this game draws is known to croupier verify alone.")];
  const wrong = found.find((draw) => !draw.ok);
  if (wrong) return [check("draws", false, `Move ${wrong.move}: the stream gives ${wrong.drawn}, the table showed ${wrong.shown}.`)];
  return [
    check("draws", true, `${found.length} ${found.length === 1 ? "draw" : "draws"} worked out again: ${found.map((draw) => draw.drawn).join("; ")}.`),
  ];
}
