// Verify anything: files that are dropped here are executed again, and checked by the page's own code beside it.

import { judged, python, showPackages, showVerdict } from "../common/executed.js";
import { DiceBook } from "../lib/dice-book.js";
import { recordSeeds } from "../lib/dice-record.js";
import { el, show, t } from "../lib/dom.js";
import { canonicalJson, parseJson } from "../lib/json.js";
import { checkRecord } from "../lib/proof.js";
import { SIZE_MAX, tooLarge } from "../python/python.js";

const SHOWN_MAX = 50;
const SLICE_MS = 50; // the page answers between two slices of work
const OWN_MS = 60_000;
const OWN_NOTES = t`Compared with what the file itself holds as kept: that proves it to whoever saved the file.`;

const [drop, input, status, list, packages] = ["drop", "files", "status", "verdicts", "packages"].map((id) => document.getElementById(id));

/** Read a file: { name, text, found }, or { name, error } where it is no JSON or too large to be read. */
async function read(file) {
  const { name, size } = file;
  if (size > SIZE_MAX) return { name, text: "", error: tooLarge() };
  const text = await file.text();
  try {
    return { name, text, found: parseJson(text) };
  } catch (error) {
    return { name, text, error: new Error(t`the file is not JSON: ${error.message}`) };
  }
}

const isTranscript = ({ found }) => found?.document === "dice-transcript";
const recordsIn = ({ found, text }) => (Array.isArray(found?.records) ? found.records : [typeof found?.record === "string" ? found.record : text]);

// Works through a list and lets the page breathe; a file that takes too long is given up.
async function inSlices(items, act) {
  const begun = performance.now();
  let last = begun;
  for (const item of items) {
    act(item);
    const now = performance.now();
    if (now - begun > OWN_MS) throw new Error(t`The check took too long and was stopped.`);
    if (now - last > SLICE_MS) last = await new Promise((done) => setTimeout(() => done(performance.now())));
  }
}

/** What the page's own code says of a file: nothing where it holds, else what does not. */
async function ownProblem(file, beside, kept) {
  const checks = [];
  try {
    if (file.error) throw file.error;
    if (isTranscript(file)) {
      const book = new DiceBook(file.found.terms);
      await inSlices(file.found.entries, ({ event }) => book.apply(event));
      if (beside) checks.push(...recordSeeds(beside.text, book));
    } else {
      await inSlices(recordsIn(file), (text) => checks.push(...checkRecord(typeof text === "string" ? text : canonicalJson(text), { kept }).checks));
    }
  } catch (error) {
    return error.message;
  }
  return checks.find((one) => one.ok === false)?.text;
}

// Of many records those that do not hold, each behind a line of its own.
function showMany(verdicts) {
  const wrong = verdicts.flatMap((one, i) => (one.isOk ? [] : [{ ...one, name: `Record ${i + 1}${one.rules ? t`, ${one.rules.name}, session ${one.session}` : ""}` }]));
  const isOk = !wrong.length;
  return [
    el("p", { class: `verdict ${isOk ? "good" : "bad"}`, dataset: { executed: isOk ? "good" : "bad" } }, t`${verdicts.length - wrong.length} of ${verdicts.length} records hold.`),
    wrong.slice(0, SHOWN_MAX).map((one) => el("details", {}, el("summary", {}, `${one.name}: ${one.text}`), showVerdict(one).slice(1))),
    wrong.length > SHOWN_MAX ? el("p", {}, t`The first ${SHOWN_MAX} that do not hold are shown.`) : null,
  ];
}

async function checkOne(file, beside, notes, onProgress) {
  const [kept, log] = [notes ?? file.found?.kept, file.found?.log]; // the reader's own notes before those that a file brings
  const own = await ownProblem(file, beside, kept);
  const words = el("p", { class: own ? "bad" : null, dataset: { own: own ? "bad" : "good" } }, t`The page's own check: ${own ?? "holds"}`);
  let [shown, isOk, isCompared] = [null, false, false];
  try {
    if (!file.text && file.error) throw file.error;
    const found = await python.check(file.text, { kept: kept && canonicalJson(kept), record: beside?.text, onProgress });
    const verdicts = found.map((one) => ({ ...one, ...judged(one, log) }));
    isOk = !own && verdicts.every((one) => one.isOk);
    isCompared = verdicts.every((one) => one.checks.some(({ name, ok }) => name === "kept" && ok));
    shown = verdicts.length > 1 ? showMany(verdicts) : showVerdict(verdicts[0]);
  } catch (error) {
    shown = el("p", { class: "bad", dataset: { executed: "none" } }, error.message);
  }
  list.append(el("li", { dataset: { file: file.name } }, el("h2", {}, file.name), beside ? el("p", { class: "quiet" }, t`beside ${beside.name}`) : null, shown, words, kept && !notes ? el("p", { class: "quiet" }, OWN_NOTES) : null));
  return { isOk, isCompared };
}

async function checkAll(files) {
  const all = await Promise.all([...files].map(read));
  const keptFile = all.find(({ found }) => Array.isArray(found?.kept)); // what the browser kept, to compare with
  const others = all.filter((one) => one !== keptFile);
  show(list);
  input.disabled = true;
  const done = [];
  for (const [i, file] of others.entries()) {
    const say = (more = "") => (status.textContent = t`Checking ${file.name}, ${i + 1} of ${others.length}${more} …`);
    const many = recordsIn(file).length;
    say();
    const beside = isTranscript(file) && others.find(({ found }) => found?.seeds && String(found.session_id) === String(file.found.terms?.session_id));
    done.push(await checkOne(file, beside || null, keptFile?.found, (count) => many > 1 && say(t`: ${count} of ${many} records`)));
  }
  input.disabled = false;
  const [good, compared] = ["isOk", "isCompared"].map((name) => done.filter((one) => one[name]).length);
  status.textContent = t`${good} of ${others.length} ${others.length === 1 ? t`file holds` : t`files hold`}${compared ? t`, ${compared} compared with what was kept` : ""}.`;
  show(packages, python.archives.length ? showPackages() : null);
  list.dataset.done = "yes";
}

input.addEventListener("change", () => checkAll(input.files));
for (const name of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("is-over", name === "dragover");
    if (name === "drop" && !input.disabled) checkAll(event.dataTransfer.files);
  });
}
if (!globalThis.croupierFiles) document.getElementById("main").append(el("p", {}, el("a", { href: "/" }, t`To the lobby`)));
document.documentElement.dataset.ready = "yes";
