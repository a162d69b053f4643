// The page's side of Python: a worker that is started when somebody asks, and ended when it does not answer in time.

const SIZE_MAX = 16 * 2 ** 20; // of a file; a record of a hundred thousand moves is smaller
const LIMITS = { start: 120_000, check: 60_000 }; // milliseconds

/** Where Python is: on this server, or in the page itself where it is one file. Throws where there is none. */
export async function findPython() {
  if (globalThis.croupierFiles) return globalThis.croupierFiles;
  const address = new URL("./manifest.json", import.meta.url);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("This server does not have Python for the browser.");
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
  #limits;
  /** The archives that were unpacked, with their hashes; known once something was checked. */
  archives = [];

  constructor(limits = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Return the verdicts on a file's text. `kept` is what the player kept, `record` the match beside a transcript. */
  async check(text, { kept = null, record = null } = {}) {
    if (text.length > SIZE_MAX) throw new Error(`The file is larger than ${SIZE_MAX / 2 ** 20} MiB, which is more than is checked here.`);
    await (this.#worker ??= this.#begin().catch((error) => (this.end(), Promise.reject(error))));
    return this.#ask({ text, kept: kept ?? undefined, record: record ?? undefined }, this.#limits.check, "The check took too long and was stopped.");
  }

  /** End the worker; the next check starts another. */
  end(why = "Python was stopped.") {
    this.#worker?.then?.((worker) => worker.terminate(), () => {});
    this.#worker = null;
    for (const { fail } of this.#waiting.values()) fail(new Error(why));
    this.#waiting.clear();
  }

  async #begin() {
    const { manifest, urls, source, makeWorker } = await findPython();
    const worker = await makeWorker();
    worker.onmessage = ({ data }) => {
      const { done, fail } = this.#waiting.get(data.id) ?? {};
      this.#waiting.delete(data.id);
      if (data.error) fail?.(new Error(`Python stopped: ${data.error}`), this.end());
      else done?.(data.found);
    };
    worker.onerror = (event) => this.end(`Python cannot be started here: ${event.message ?? "the browser does not allow it"}.`);
    this.#post = (message) => worker.postMessage(message);
    const archives = Object.keys(urls).filter((name) => name.endsWith(".whl") || (name.endsWith(".zip") && name !== "python_stdlib.zip"));
    this.archives = await this.#ask({ start: { urls, archives, source, lock: manifest.lock } }, this.#limits.start, "Python did not start in time.").catch((error) => {
      worker.terminate();
      throw error;
    });
    return worker;
  }

  #ask(message, limit, late) {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => this.end(late), limit);
      const settle = (act) => (value) => (clearTimeout(timer), act(value));
      const id = (this.#last += 1);
      this.#waiting.set(id, { done: settle(done), fail: settle(fail) });
      this.#post({ id, ...message });
    });
  }
}
