// The page's side of Python: starts a worker when somebody asks, and ends it when it gives no sign of life in time.

import { t } from "../lib/dom.js";

/** The largest file that is checked, in characters; a record of a hundred thousand moves is smaller. */
export const SIZE_MAX = 32 * 2 ** 20;
const START = { limit: 120_000, late: t`Python did not start in time.`, wrong: t`Python cannot be started here` };
const CHECK = { limit: 60_000, late: t`The check took too long and was stopped.`, wrong: t`Python stopped` }; // for each record of a file

export const tooLarge = () => new Error(t`The file is larger than ${SIZE_MAX / 2 ** 20} MiB, which is more than is checked here.`);

/** Where Python is: on this server, or in the page itself where it is one file. Throws where there is none. */
export async function findPython() {
  if (globalThis.croupierFiles) return globalThis.croupierFiles;
  const address = new URL("./manifest.json", import.meta.url);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(t`This server does not have Python for the browser.`);
  const manifest = await answer.json();
  const urls = Object.fromEntries(Object.keys(manifest.files).map((name) => [name.replace(/\.gz$/, ""), new URL(manifest.base + name.replace(/\.gz$/, ""), address).href]));
  const source = await (await fetch(new URL("./check.py", import.meta.url))).text();
  return { manifest, urls, source, makeWorker: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }) };
}

export class Python {
  #worker = null; // a promise of one
  #post = () => {};
  #waiting = new Map();
  #last = 0;
  /** The archives that were unpacked, with their hashes; known once something was checked. */
  archives = [];

  /**
   * Return the verdicts on a file's text. `kept` is what the player kept, `record` the match beside a transcript, `limit`
   * how many milliseconds each record may take; `onProgress` is told how many are done.
   */
  async check(text, { kept = null, record = null, ...more } = {}) {
    if (text.length > SIZE_MAX) throw tooLarge();
    await (this.#worker ??= this.#begin().catch((error) => (this.end(), Promise.reject(error))));
    return this.#ask({ text, kept: kept ?? undefined, record: record ?? undefined }, { ...CHECK, ...more });
  }

  /** End the worker; the next check starts another. */
  end(why = t`Python was stopped.`) {
    this.#worker?.then?.((worker) => worker.terminate(), () => {});
    this.#worker = null;
    for (const { fail } of this.#waiting.values()) fail(new Error(why));
    this.#waiting.clear();
  }

  async #begin() {
    const { manifest, urls, source, makeWorker } = await findPython();
    const worker = await makeWorker();
    worker.onmessage = ({ data: { id, count, error, found } }) => {
      const one = this.#waiting.get(id);
      if (!one) return;
      if (count) return one.goOn(count);
      this.#waiting.delete(id);
      if (error) one.fail(new Error(`${one.wrong}: ${error}`), this.end());
      else one.done(found);
    };
    worker.onerror = (event) => this.end(`${START.wrong}: ${event.message ?? t`the browser does not allow it`}.`);
    this.#post = (message) => worker.postMessage(message);
    const archives = Object.keys(urls).filter((name) => name.endsWith(".whl") || (name.endsWith(".zip") && name !== "python_stdlib.zip"));
    this.archives = await this.#ask({ start: { urls, archives, source, lock: manifest.lock } }, START).catch((error) => {
      worker.terminate();
      throw error;
    });
    return worker;
  }

  #ask(message, { limit, late, wrong, onProgress = () => {} }) {
    return new Promise((done, fail) => {
      const id = (this.#last += 1);
      const wait = () => setTimeout(() => this.end(late), limit);
      let timer = wait();
      const settle = (act) => (value) => (clearTimeout(timer), act(value));
      const goOn = (count) => (clearTimeout(timer), (timer = wait()), onProgress(count));
      this.#waiting.set(id, { done: settle(done), fail: settle(fail), goOn, wrong });
      this.#post({ id, ...message });
    });
  }
}
