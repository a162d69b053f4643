"""`make bench ARGS=page`: Python in the browser, from a new browser to its first verdict and when it is warm.

A server and a headless Chromium run here. The first verdict is told in processor time of all processes of the browser,
from asking for it until it stands: fetching, compiling WebAssembly on any thread, starting Python, loading the rules.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import Report, Row, machine, row
from benchmarks.server import ServerProcess
from croupier.engine import get_game, list_games, make_record, write_record
from croupier.sim.engine_rounds import play_client
from croupier.sim.jobs import make_job
from croupier.web.python_files import has_runtime

__all__ = ["measure"]

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


def measure(*, repeats: int, peers: bool) -> Report:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    if not has_runtime():
        raise SystemExit("Python for the browser is not installed: `make web-python` builds it")
    records = [_record(game_id) for game_id in list_games()]
    first, later, box = list[float](), list[float](), list[float]()
    with TemporaryDirectory() as folder, ServerProcess.run(f"sqlite:///{folder}/server.db") as server:
        for number in range(repeats):
            with _page(server.url) as page:
                before = _browser_seconds()
                assert page.evaluate(FIRST, records[number % len(records)])
                first.append(_browser_seconds() - before)
                later.append(median(page.evaluate(LATER, records)))
                box.append(page.evaluate(BOX, number))
    note = "a new browser each time; processor time of all its processes"
    rows: tuple[Row, ...] = (
        row("the first verdict of Python", first, "s", at_most=4, note=note),
        row("a later verdict, median over all games", later, "ms", at_most=25),
        row("Shut the Box fetched, compiled and rolled", box, "ms", at_most=50),
    )
    return Report("page", machine(), "make bench ARGS=page", rows)


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
def _page(url: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(service_workers="block").new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(f"{url}/web/verify/index.html")
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        yield page
        browser.close()
