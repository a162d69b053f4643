"""The page's Python gives the verdicts of `croupier verify`, in the same words; no file can harm the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from croupier.engine import list_games
from tests.conformance.outcomes import read_vectors
from tests.web.page_modules import HOUSE_GAMES, played, seal
from tests.web.python.page_python import (
    LONG,
    PagePython,
    by_cpython,
    changed,
    needs_python,
    quick_records,
    records_of,
    same,
)

pytestmark = needs_python

RECORDS, SOAK_RECORDS = 200, 1000
WHOLE = 10
"""Matches of any length and any player, beside those that are made quickly."""


@pytest.fixture(scope="module")
def python(browser: Any, url: str) -> Iterator[PagePython]:
    """A page that has Python; it starts once for the file."""
    made = PagePython(browser, url)
    yield made
    made.page.context.close()


def compare(python: PagePython, texts: list[str]) -> None:
    """Let the page's Python check a file of records, and compare its words with those of this interpreter."""
    verdicts = python.check([json.dumps({"records": texts})])

    assert [same(one) for one in verdicts] == [by_cpython(text) for text in texts]
    assert all(one["ok"] for one in verdicts)


@pytest.mark.parametrize("game_id", list_games())
def test_two_hundred_records_of_every_game_have_the_verdict_of_cpython(python, game_id):
    """The records are those of the vectors, so every interpreter that passes this makes the same bytes."""
    texts = quick_records(game_id, RECORDS)
    compare(python, texts)

    assert len(set(texts)) == RECORDS
    if game_id not in LONG:
        (published,) = (case["records"] for case in read_vectors("records") if case["game"] == game_id)
        assert [sha256(text.encode()).hexdigest()[:8] for text in texts] == [one.split()[0] for one in published]


@pytest.mark.soak
@pytest.mark.parametrize("game_id", list_games())
def test_a_thousand_records_of_every_game_have_the_verdict_of_cpython(python, game_id):
    compare(python, quick_records(game_id, SOAK_RECORDS))
    compare(python, records_of(game_id, range(WHOLE)))


def test_records_with_commitments_are_compared_with_what_was_kept(python):
    for number, game_id in enumerate(HOUSE_GAMES):
        session = played(game_id, 20 + number)
        kept = json.dumps(session["kept"])
        (verdict,) = python.check([session["text"]], kept)

        assert same(verdict) == by_cpython(session["text"], kept)
        assert verdict["verdict"] == "verified: it is what you saw"
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
    assert [path for path, one in verdicts.items() if one["ok"] or not one["verdict"].startswith("not ")] == []


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


def test_a_check_compiles_nothing_of_the_standard_library(python):
    """That takes seconds. Where this fails, add to the list in `tools.web_python` and build the package again."""
    for game_id in list_games():
        python.check(quick_records(game_id, 1))
    origins = python.check(["loaded"])

    assert [one for one in origins if one.startswith("/lib/python314.zip/") and not one.endswith(".pyc")] == []
    assert sum(one.endswith(".pyc") for one in origins) > 100
    assert any(one.endswith("/croupier/engine/game.py") for one in origins)  # the rules that ran are source


def test_nothing_comes_from_elsewhere(python, url):
    assert any("/web/python/" in asked for asked in python.page.asked)
    assert [asked for asked in python.page.asked if not asked.startswith(url)] == []
    assert python.page.complaints == []


def test_files_that_would_harm_are_stopped_and_the_page_lives_on(python):
    """Too deep, too large, or longer than it may take: then the worker is ended, and the next check starts another."""
    deep, large, endless, text, good = python.page.evaluate(
        """async ([deep, good, many]) => {
          const told = async (text, more) =>
            python.check(text, more).then(([one]) => one.verdict, (error) => error.message);
          return [
            await told(deep),
            await told(" ".repeat(33 * 2 ** 20)),
            await told(many, { limit: 0 }),
            await told("not JSON"),
            await told(good),
          ];
        }""",
        ["[" * 200_000 + "]" * 200_000, played("roulette", 41)["text"], many_records(300)],
    )

    assert "nested too deeply" in deep or "Python stopped" in deep or "wrong shape" in deep
    assert "larger than 32 MiB" in large
    assert endless == "The check took too long and was stopped."
    assert "not JSON" in text
    assert good == "consistent; not compared with what you saw"


def many_records(count: int) -> str:
    return json.dumps({"records": [played("baccarat", 42)["text"]] * count})


def test_a_file_of_many_records_has_the_limit_for_each_of_them(python):
    """The check of a whole history tells how far it is, and each sign of life puts the time-out off."""
    counts, held = python.page.evaluate(
        """async (text) => {
          const counts = [];
          const found = await python.check(text, { onProgress: (count) => counts.push(count) });
          return [counts, found.filter((one) => one.ok).length];
        }""",
        many_records(30),
    )

    assert counts == list(range(1, 31))
    assert held == 30
