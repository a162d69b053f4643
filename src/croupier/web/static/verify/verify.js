// Verify anything: files that are dropped here are executed again, and checked by the page's own code beside it.

import { python, showPackages, showVerdict } from "../common/executed.js";
import { DiceBook } from "../lib/dice-book.js";
import { el, show } from "../lib/dom.js";
import { parseJson } from "../lib/json.js";
import { checkRecord } from "../lib/proof.js";

const [drop, input, status, list] = ["drop", "files", "status", "verdicts"].map((id) => document.getElementById(id));

const tried = (act) => {
  try {
    return act();
  } catch {
    return null;
  }
};

/** What the page's own code says of a file: null where it holds, else what does not. */
function ownProblem(found, text, kept) {
  if (found?.document === "dice-transcript") {
    try {
      found.entries.reduce((book, { event }) => (book.apply(event), book), new DiceBook(found.terms));
    } catch (error) {
      return error.message;
    }
    return null;
  }
  const texts = found?.records ?? [typeof found?.record === "string" ? found.record : text];
  return texts.flatMap((one) => checkRecord(one, { kept }).checks).find((one) => one.ok === false)?.text ?? null;
}

async function checkOne(name, text, found, kept) {
  const item = list.appendChild(el("li", { dataset: { file: name } }, `${name} …`));
  const own = tried(() => ({ problem: ownProblem(found, text, kept) })) ?? { problem: "The file cannot be read." };
  const words = el("p", { dataset: { own: own.problem ? "bad" : "good" } }, `The page's own check: ${own.problem ?? "holds."}`);
  try {
    const verdicts = await python.check(text, { kept: kept && JSON.stringify(kept) });
    const good = verdicts.filter((one) => one.ok).length;
    const shown = verdicts.length === 1 ? verdicts : verdicts.filter((one) => !one.ok).slice(0, 50);
    show(item, el("strong", {}, name), verdicts.length > 1 ? el("p", {}, `${good} of ${verdicts.length} records hold.`) : null, shown.map(showVerdict), words, showPackages());
    return good === verdicts.length && !own.problem;
  } catch (error) {
    show(item, el("strong", {}, name), el("p", { class: "bad", dataset: { executed: "none" } }, error.message), words);
    return false;
  }
}

async function checkAll(files) {
  const read = await Promise.all([...files].map(async (file) => ({ name: file.name, text: await file.text() })));
  for (const one of read) one.found = tried(() => parseJson(one.text));
  const kept = read.find(({ found }) => Array.isArray(found?.kept));
  const others = read.filter((one) => one !== kept);
  show(list);
  let good = 0;
  for (const [i, { name, text, found }] of others.entries()) {
    status.textContent = `Checking ${i + 1} of ${others.length} …`;
    if (await checkOne(name, text, found, kept && JSON.parse(kept.text))) good += 1;
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
