"""The page's Python gives the verdicts of `croupier verify`, in the same words; no file can harm the page."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from croupier.engine import list_games
from tests.web.page_modules import USUAL, played, seal
from tests.web.python.page_python import PagePython, by_cpython, changed, needs_python, records_of, same

pytestmark = needs_python

RECORDS, SOAK_RECORDS = 2, 200
FIRST_MS, LATER_MS = 4_000, 25


@pytest.fixture(scope="module")
def python(browser: Any, url: str) -> Iterator[PagePython]:
    """A page that has Python; it starts once for the file, and how long that took is kept."""
    made = PagePython(browser, url)
    made.start(records_of(list_games()[0], [1])[0])
    yield made
    made.close()


def compare(python: PagePython, game_id: str, count: int) -> None:
    texts = records_of(game_id, range(count))
    verdicts = python.check(texts)

    assert [same(one) for one in verdicts] == [by_cpython(text) for text in texts]
    assert all(one["ok"] for one in verdicts)


@pytest.mark.parametrize("game_id", list_games())
def test_records_of_every_game_have_the_verdict_of_cpython(python, game_id):
    compare(python, game_id, RECORDS)


@pytest.mark.soak
@pytest.mark.parametrize("game_id", list_games())
def test_two_hundred_records_of_every_game_have_the_verdict_of_cpython(python, game_id):
    compare(python, game_id, SOAK_RECORDS)


def test_records_with_commitments_are_compared_with_what_was_kept(python):
    for number, game_id in enumerate(USUAL):
        session = played(game_id, 20 + number)
        kept = json.dumps(session["kept"])
        (verdict,) = python.check([session["text"]], kept)

        assert verdict["compared"]
        assert same(verdict) == by_cpython(session["text"], kept)
        assert {one["name"]: one["ok"] for one in verdict["checks"]}["receipt"] is True  # by the page's Ed25519


def test_every_changed_field_is_named_as_verify_names_it(python):
    """Sealed anew, so that the digest of the whole does not give it away."""
    session = played("blackjack", 33)
    kept = json.dumps(session["kept"])
    record = json.loads(session["text"])
    texts = {path: seal(copy) for path, copy in changed(record)}
    verdicts = dict(zip(texts, python.check(list(texts.values()), kept), strict=True))

    assert len(texts) > 30
    for path, text in texts.items():
        assert same(verdicts[path]) == by_cpython(text, kept), path
    # The receipt that counts is the one that was kept; the one on record is checked where none was.
    (verdicts["commitments/receipt"],) = python.check([texts["commitments/receipt"]])
    assert [path for path, one in verdicts.items() if one["ok"] or not one["problem"]] == []


def test_every_changed_bit_of_a_sample_is_caught(python):
    raw = played("roulette", 40)["text"].encode()
    random = Random(11)
    texts: list[str] = []
    while len(texts) < 150:
        place = random.randrange(len(raw))
        flipped = raw[:place] + bytes([raw[place] ^ 1 << random.randrange(7)]) + raw[place + 1 :]
        texts.append(flipped.decode())

    verdicts = python.check(texts)

    assert [same(one) for one in verdicts] == [by_cpython(text) for text in texts]
    assert not any(one["ok"] for one in verdicts)


def test_nothing_comes_from_elsewhere(python, url):
    assert any("/web/python/" in asked for asked in python.asked)
    assert [asked for asked in python.asked if not asked.startswith(url)] == []
    assert python.complaints == []


def test_files_that_would_harm_are_stopped_and_the_page_lives_on(python):
    """Too deep, too large, and one that would take longer than it may: then the worker is ended and started again."""
    tried = python.page.evaluate(
        """async ([deep, good, many]) => {
          const { Python } = await import("/web/python/python.js");
          const told = async (python, text) =>
            python.check(text).then(([one]) => one.problem ?? "good", (error) => error.message);
          const hasty = new Python({ check: 300 });
          return [
            await told(globalThis.python, deep),
            await told(globalThis.python, " ".repeat(17 * 2 ** 20)),
            await told(hasty, many),
            await told(globalThis.python, "not JSON"),
            await told(globalThis.python, good),
            await hasty.check(good).then(() => "answered", (error) => error.message),
          ];
        }""",
        ["[" * 200_000 + "]" * 200_000, played("roulette", 41)["text"], many_records()],
    )

    deep, large, endless, text, good, again = tried
    assert "nested too deeply" in deep or "Python stopped" in deep or "wrong shape" in deep
    assert "larger than 16 MiB" in large
    assert endless == "The check took too long and was stopped."
    assert "not JSON" in text
    assert good == "good"
    assert again in ("answered", "The check took too long and was stopped.")


def many_records() -> str:
    return json.dumps({"records": [played("baccarat", 42)["text"]] * 3000})


def test_the_first_verdict_and_those_after_it_are_quick(python):
    """Median over all games of a warm check, and the work before the first; ten times as long on a busy machine."""
    texts = {game_id: records_of(game_id, [1])[0] for game_id in list_games()}
    later = python.page.evaluate(
        """async (texts) => {
          const later = [];
          for (const text of texts) {
            await globalThis.python.check(text);
            const begun = performance.now();
            await globalThis.python.check(text);
            later.push(performance.now() - begun);
          }
          return later;
        }""",
        list(texts.values()),
    )

    print(f"first verdict {python.first_ms:.0f} ms, later {statistics.median(later):.1f} ms (median), all {later}")
    assert python.first_ms < 10 * FIRST_MS
    assert statistics.median(later) < 10 * LATER_MS
