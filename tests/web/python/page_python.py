"""Python in a browser, for tests: a page that has it, records of every game, and what CPython says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import pytest

from croupier.engine import MatchClient, make_record, verify, write_record
from croupier.engine.records.seed_checks import read_kept
from croupier.sim.engine_rounds import play_client
from croupier.transcripts import conclusion
from croupier.web.python_files import has_runtime
from tests.conformance.outcomes import job_of, read_vectors
from tests.web.conftest import open_page  # type: ignore[import-not-found, unused-ignore]
from tests.web.page_modules import other_than, paths_in, place_of

LATE_MS = 180_000
LONG = {"craps-table": range(1, 41), "lanes": range(2, 100, 3)}
"""Games whose matches take long to play, and the lengths at which they are cut."""

needs_python = pytest.mark.skipif(not has_runtime(), reason="no croupier-web-python here: make web-python")

START = """async () => {
  const { Python } = await import("/web/python/python.js");
  globalThis.python = new Python();
}"""
CHECK = """async ([texts, kept]) => {
  const found = [];
  for (const text of texts) found.push(...(await python.check(text, { kept })));
  return found;
}"""

# One more thing that a test may ask of the page's Python: where its modules came from.
LOADED = """
_check = check

def check(text, *more):
    if text != "loaded":
        return _check(text, *more)
    return _told([str(getattr(one.__spec__, "origin", "")) for one in list(sys.modules.values())])
"""


class PagePython:
    """A page of the server whose Python is asked."""

    def __init__(self, browser: Any, url: str) -> None:
        self.page = open_page(browser, f"{url}/web/verify/index.html", service_workers="block")
        self.page.set_default_timeout(LATE_MS)
        self.page.route("**/python/check.py", self._add_question)
        self.page.evaluate(START)

    def _add_question(self, route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + LOADED)

    def check(self, texts: Sequence[str], kept: str | None = None) -> list[dict[str, Any]]:
        """Return the verdicts of the page's Python, file after file."""
        return list(self.page.evaluate(CHECK, [list(texts), kept]))


def by_cpython(text: str, kept: str | None = None) -> dict[str, Any]:
    """Return the verdict of `croupier verify`, as the page tells it."""
    found = verify(text, kept=None if kept is None else read_kept(kept))
    checks = [{"name": one.name, "ok": one.ok, "text": one.text} for one in found.checks]
    return {"ok": found.ok, "checks": checks, "verdict": conclusion(found)}


def same(verdict: dict[str, Any]) -> dict[str, Any]:
    """The part of a verdict that `by_cpython` has as well."""
    return {name: verdict[name] for name in ("ok", "checks", "verdict")}


def records_of(game_id: str, numbers: Sequence[int]) -> list[str]:
    """Return records of a game: its cases of options, policies and modes take turns, as in the vectors of records."""
    cases = [case for case in read_vectors("rounds") if case["game"] == game_id]
    return [_written(_played(cases[number % len(cases)], number)) for number in numbers]


def quick_records(game_id: str, count: int) -> list[str]:
    """Like `records_of`, in milliseconds each: Lanes is played at random, and long matches are cut at many lengths."""
    cases = [case for case in read_vectors("rounds") if case["game"] == game_id]
    if game_id not in LONG:
        return records_of(game_id, range(count))
    if game_id == "lanes":
        cases = [case for case in cases if set(case["bots"]) == {"random"}]
    found: list[str] = []
    for number in range(count):
        match = _played(cases[number % len(cases)], number)
        found += [_written(match, length) for length in LONG[game_id] if length <= len(match.get_log())]
        if len(found) >= count:
            break
    return found[:count]


def _played(case: dict[str, Any], number: int) -> MatchClient[Any]:
    return play_client(job_of(case), case["first_session"] + number)


def _written(client: MatchClient[Any], length: int | None = None) -> str:
    return write_record(make_record(client.game, client.base, client.get_log()[:length])).decode()


def changed(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the record with one value changed, for every value in it but its own digest."""
    for path in paths_in({name: value for name, value in record.items() if name != "record_digest"}):
        copy = deepcopy(record)
        place, last = place_of(copy, path), path[-1]
        if not isinstance(place[last], dict | list):
            place[last] = other_than(place[last])
            yield "/".join(map(str, path)), copy
