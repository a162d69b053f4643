// Verify anything: files that are dropped here are executed again, and checked by the page's own code beside it.

import { python, showPackages, showVerdict } from "../common/executed.js";
import { DiceBook } from "../lib/dice-book.js";
import { el, show } from "../lib/dom.js";
import { parseJson } from "../lib/json.js";
import { checkRecord } from "../lib/proof.js";

const [drop, input, status, list] = ["drop", "files", "status", "verdicts"].map((id) => document.getElementById(id));

/** What the page's own code says of a file: nothing where it holds, else what does not. */
function ownProblem(text, kept) {
  try {
    const found = parseJson(text);
    if (found?.document === "dice-transcript") return void found.entries.reduce((book, { event }) => (book.apply(event), book), new DiceBook(found.terms));
    const texts = found?.records ?? [typeof found?.record === "string" ? found.record : text];
    return texts.flatMap((one) => checkRecord(one, { kept }).checks).find((one) => one.ok === false)?.text;
  } catch (error) {
    return error.message;
  }
}

async function checkOne(name, text, kept) {
  const [item, own] = [list.appendChild(el("li", { dataset: { file: name } }, `${name} …`)), ownProblem(text, kept)];
  const words = el("p", { dataset: { own: own ? "bad" : "good" } }, `The page's own check: ${own ?? "holds."}`);
  try {
    const verdicts = await python.check(text, { kept: kept && JSON.stringify(kept) });
    const good = verdicts.filter((one) => one.ok).length;
    const shown = verdicts.length === 1 ? verdicts : verdicts.filter((one) => !one.ok).slice(0, 50);
    show(item, el("strong", {}, name), verdicts.length > 1 ? el("p", {}, `${good} of ${verdicts.length} records hold.`) : null, shown.map(showVerdict), words, showPackages());
    return good === verdicts.length && !own;
  } catch (error) {
    show(item, el("strong", {}, name), el("p", { class: "bad", dataset: { executed: "none" } }, error.message), words);
    return false;
  }
}

async function checkAll(files) {
  const read = await Promise.all([...files].map(async (file) => ({ name: file.name, text: await file.text() })));
  const kept = read.find(({ text }) => /^\s*\{\s*"kept"\s*:/.test(text)); // keys are in order, and this is its first
  const others = read.filter((one) => one !== kept);
  show(list);
  let good = 0;
  for (const [i, { name, text }] of others.entries()) {
    status.textContent = `Checking ${i + 1} of ${others.length} …`;
    good += await checkOne(name, text, kept && JSON.parse(kept.text));
  }
  status.textContent = `${good} of ${others.length} files hold${kept ? ", compared with what was kept" : ""}.`;
  list.dataset.done = "yes";
}

input.addEventListener("change", () => checkAll(input.files));
for (const name of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("is-over", name === "dragover");
    if (name === "drop") checkAll(event.dataTransfer.files);
  });
}
document.documentElement.dataset.ready = "yes";
