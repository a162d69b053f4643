// The host's key, log of versions and receipts, as this browser kept them, and their check against what it says now.
// What does not fit is thrown as a refusal with the code "distrust", with what proves it where two signatures do.

import { t } from "./dom.js";
import { apiAs, Refusal } from "./api.js";
import { parseJson } from "./json.js";
import { announced, keep, keepFacts, keepLog, keptFile, recall } from "./keep.js";
import { findKept, receipt } from "./seed-checks.js";
import { commitmentTo, firstHead, headMessage, holds, nextHead, tableDigest } from "./seeds.js";

const distrust = (text, proof = null) => new Refusal("distrust", t`Do not play here: ${text}`, { proof });

const nothing = () => ({ heads: {}, entries: [] }); // heads by number, and [number, subject, what was announced]

const versionsSince = async (n) => parseJson(await apiAs().getText(`/versions?since=${n}`));

/** Read the host's log on from where it was last seen, work every entry out again, and return where it stands. */
export async function followLog() {
  const { log: known } = keptFile();
  const seen = recall("log");
  const { heads, entries } = seen ?? nothing();
  let now = seen && known;
  for (;;) {
    const page = await versionsSince(now?.n ?? 0);
    if (!known && !page.host_key) return null; // it has announced nothing yet
    now ??= { host_key: page.host_key, n: 0, head: firstHead(page.host_key) };
    if (page.host_key !== now.host_key) throw distrust(t`the host signs with another key than before.`);
    for (const entry of page.entries) {
      const { table_digest: digest, ...body } = entry.body;
      const { table, game_id: game, rules_version: version, rules_digest: rules } = body;
      if (entry.n !== now.n + 1) throw distrust(t`the host leaves something out of its list of rules and tables.`);
      if (entry.kind === "table" && tableDigest(body) !== digest) throw distrust(t`the host's list names a table by what it is not.`);
      if (entry.kind === "table") entries.push([entry.n, `table/${table}`, digest]);
      if (entry.kind === "rules") entries.push([entry.n, `rules/${game}`, [version, rules]]);
      now = { ...now, n: entry.n, head: nextHead(now.head, entry) };
      heads[now.n] = now.head;
    }
    if (page.entries.length && now.n < page.n) continue;
    const isSigned = holds(page.host_key, () => headMessage(page.n, page.head), page.signature);
    if (!isSigned) throw distrust(t`the host has not signed its list of rules and tables.`);
    heads[now.n] = now.head;
    if ((heads[page.n] ?? now.head) !== page.head || (known && heads[known.n] !== known.head)) {
      throw distrust(t`the host has changed its list of rules and tables afterwards.`, { first: known, second: page });
    }
    if (page.n !== now.n) throw distrust(t`the host's list of rules and tables is shorter than it was.`);
    now.signature = page.signature;
    keepLog(now);
    keep("log", { heads, entries });
    return now;
  }
}

const SOON_MS = 60_000;
let checked = ""; // the commitment that was checked last

/** Write down the commitment for the next session that came with an account, or with how a session ended. */
export const noteNext = (facts) => facts && keep("next", facts);

/**
 * Return the facts of the commitment for somebody's next session, written down and checked. It is one that came with
 * an answer, where there is one for which nothing was ever named; else the host is asked for it.
 */
export async function nextCommitment(account) {
  const known = recall("next");
  const isNamed = known && findKept(keptFile(), known.session_id)?.client_seed;
  const isGood = known?.account === account && !isNamed && known.expires_at > Date.now() + SOON_MS;
  const found = isGood ? known : await newCommitment();
  if (found.account !== account) throw distrust(t`the host has committed itself to somebody else.`);
  keep("next", found);
  const { expires_at: _, ...facts } = found;
  if (facts.commitment !== checked) await takeReceipt({ kind: "session", ...facts });
  checked = facts.commitment;
  return facts;
}

// A new commitment for a session; one that was given before and never used, where the host gives out no more.
async function newCommitment() {
  const { get, post } = apiAs();
  try {
    return await post("/commitments");
  } catch (error) {
    if (error.code !== "too_many_commitments") throw error;
    const { kept } = keptFile();
    const isUnused = (one) => one.state === "issued" && !kept.some((mine) => mine.session_id === one.session_id && mine.client_seed);
    const found = (await get("/me/commitments?limit=100")).findLast(isUnused);
    if (!found) throw error;
    const { session_id, commitment, host_key, account, n, log_n, log_head, receipt: signature, expires_at } = found;
    return { session_id, commitment, host_key, account, n, log_n, log_head, receipt: signature, expires_at };
  }
}

/** Write a receipt down and check it, before anything of ours goes out. */
export async function takeReceipt(facts, owner = "") {
  const known = findKept(keptFile(owner), facts.session_id);
  if (!known) keepFacts({ ...facts, at: Date.now() }, owner);
  else if (known.commitment !== facts.commitment) throw distrust(t`the host has given two commitments for one round.`, { first: known, second: facts });
  if (!receipt(facts).ok) throw distrust(t`the host has not signed its commitment.`);
  let { log } = keptFile();
  if (!log || log.n < facts.log_n) log = await followLog();
  if (log?.host_key !== facts.host_key) throw distrust(t`the host signs with another key than before.`);
  const head = recall("log", nothing()).heads[facts.log_n];
  if (head !== facts.log_head) throw distrust(t`the host shows you another list of rules and tables than before.`, { first: log, second: facts });
}

/** Check that a room plays by the rules that the log had announced, with the options that it shows. */
export function checkRules({ game, options, log_n: n, table_digest: digest }) {
  const [version, rules] = announced(`rules/${game}`, n);
  const body = { game_id: game, rules_version: version, rules_digest: rules, table: 0, options };
  if (tableDigest(body) !== digest) throw distrust(t`the host plays by other rules than it has announced.`);
}

/** Check that a commitment that came to nothing is opened as it was made. */
export function checkOpened(facts, opened) {
  if (opened && commitmentTo(opened.server_seed, facts) !== facts.commitment) throw distrust(t`the host has not opened what it committed to.`, { first: facts, second: opened });
}

export { distrust };
