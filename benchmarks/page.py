"""`make bench ARGS=page`: first visits to the lobby and to every table, an action, and Python in the browser.

A server and a headless Chromium run here. A first visit has a browser that has kept nothing, and goes straight to its
screen; it is usable when the page says so. The first verdict is told in processor time of all processes of the browser,
from asking for it until it stands: fetching, compiling WebAssembly on any thread, starting Python, loading the rules.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import Row, row
from benchmarks.server import ServerProcess
from croupier.engine import get_game, list_games, make_record, write_record
from croupier.sim.engine_rounds import play_client
from croupier.sim.jobs import make_job
from croupier.web.python_files import has_runtime

TIMEOUT_MS = 300_000
FIRST = """async (text) => {
  const { Python } = await import("/web/python/python.js");
  globalThis.python = new Python();
  const [found] = await python.check(text);
  return found.ok;
}"""
LATER = """async (texts) => {
  const took = [];
  for (const text of texts) {
    await python.check(text);
    const begun = performance.now();
    await python.check(text);
    took.push(performance.now() - begun);
  }
  return took;
}"""
BOX = """async (number) => {
  const { default: init, Game } = await import(`/web/offline/shut-the-box.js?${number}`);
  const begun = performance.now();
  await init();
  new Game().roll_dice();
  return performance.now() - begun;
}"""

LOBBY, TABLE = "html[data-ready=yes]", "#main[data-shown] .felt[data-status]:not([data-busy])"
USABLE = """
const watch = new MutationObserver(() => {
  if (document.querySelector(WANTED)) window.usableAt ??= performance.now();
});
watch.observe(document, { subtree: true, childList: true, attributes: true });
"""
VISIT = """() => {
  const all = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
  return [window.usableAt, all.length, all.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000];
}"""
ACTIONS = """async (rounds) => {
  const felt = document.querySelector(".felt");
  const shown = () => `${felt.dataset.match}/${felt.dataset.version}`;
  const frame = () => new Promise(requestAnimationFrame);
  const took = [];
  for (let round = 0; round < 2 * rounds; round += 1) {
    const wanted = round % 2 ? "Cash" : "Deal";
    let button = null;
    while (!button) {
      await frame();
      const open = felt.dataset.busy ? [] : [...felt.querySelectorAll("button:not(:disabled)")];
      button = open.find((one) => one.textContent.trim().startsWith(wanted));
    }
    const [before, begun] = [shown(), performance.now()];
    button.click();
    while (shown() === before) await frame();
    took.push(performance.now() - begun);
  }
  return took;
}"""


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    if not has_runtime():
        raise SystemExit("Python for the browser is not installed: `make web-python` builds it")
    records = [_record(game_id) for game_id in list_games()]
    first, later, box = list[float](), list[float](), list[float]()
    with TemporaryDirectory() as folder, ServerProcess.run(f"sqlite:///{folder}/server.db") as server:
        visits = _visits(server.url, repeats)
        for number in range(repeats):
            with _page(server.url) as page:
                before = _browser_seconds()
                assert page.evaluate(FIRST, records[number % len(records)])
                first.append(_browser_seconds() - before)
                later.append(median(page.evaluate(LATER, records)))
                box.append(page.evaluate(BOX, number))
    note = "a new browser each time; processor time of all its processes"
    return [
        *visits,
        row("the first verdict of Python", first, "s", at_most=4, note=note),
        row("a later verdict, median over all games", later, "ms", at_most=25),
        row("Shut the Box fetched, compiled and rolled", box, "ms", at_most=50),
    ]


def _visits(url: str, repeats: int) -> list[Row]:
    """Return the rows of first visits, and of an action at hi-lo."""
    took, sizes, actions = dict[str, list[float]](), dict[str, tuple[int, float]](), list[float]()
    with _browser() as browser:
        addresses = {"lobby": url} | {name: f"{url}/#/play/{name}" for name in list_games()}
        for name in ("craps-table", "lanes", "shut-the-box"):
            host = _visit(browser, url, LOBBY)
            title = host.get_by_role("heading", name=get_game(name).name, exact=True)
            host.locator("li.game").filter(has=title).get_by_role("button", name=re.compile("^Play")).click()
            host.wait_for_selector(TABLE, state="attached")
            addresses[name] = host.url
        for name, address in addresses.items():
            for _ in range(repeats):
                page = _visit(browser, address, LOBBY if name == "lobby" else TABLE)
                ms, requests, kilobytes = page.evaluate(VISIT)
                took.setdefault(name, []).append(ms)
                sizes[name] = max(sizes.get(name, (0, 0.0)), (requests, kilobytes))
                if name == "hi-lo":
                    page.evaluate(ACTIONS, 2)
                    actions += page.evaluate(ACTIONS, 10)
                page.context.close()
    rows = [
        row(f"a first visit to {name}", times, "ms", at_most=500 if name == "lobby" else 1000, note=_told(*sizes[name]))
        for name, times in took.items()
    ]
    most = [max(found) for found in zip(*sizes.values(), strict=True)]
    rows.append(row("requests of a first visit, the most", [most[0]], "requests", at_most=15))
    rows.append(row("data of a first visit, the most", [most[1]], "kB", at_most=250))
    return [*rows, row("an action on screen", [median(actions)], "ms", at_most=100, note=f"median of {len(actions)}")]


def _told(requests: int, kilobytes: float) -> str:
    return f"{requests} requests, {kilobytes:.0f} kB"


def _visit(browser: Any, address: str, usable: str) -> Any:
    """Return the page of a visitor who has just come, when nothing is fetched any more."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.add_init_script(USABLE.replace("WANTED", json.dumps(usable)))
    page.goto(address)
    page.wait_for_selector(usable, state="attached")
    page.wait_for_load_state("networkidle")
    return page


def _browser_seconds() -> float:
    """Return the processor seconds of all browsers that this process has started."""
    parents, names, ticks = dict[int, int](), dict[int, str](), dict[int, int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            head, _, rest = path.read_text().rpartition(") ")
            pid, fields = int(path.parent.name), rest.split()
            parents[pid], names[pid], ticks[pid] = int(fields[1]), head, int(fields[11]) + int(fields[12])

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    browsers = [pid for pid in ticks if "chrom" in names[pid] or "headless" in names[pid]]
    return sum(ticks[pid] for pid in browsers if is_ours(pid)) / os.sysconf("SC_CLK_TCK")


def _record(game_id: str) -> str:
    """Return the record of a round with the usual bets, or of a match between bots."""
    game = get_game(game_id)
    client = play_client(make_job(game), 1)
    return write_record(make_record(game, client.base, client.get_log())).decode()


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def _page(url: str) -> Iterator[Any]:
    with _browser() as browser:
        page = browser.new_context(service_workers="block").new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(f"{url}/web/verify/index.html")
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        yield page
