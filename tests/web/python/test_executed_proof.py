"""Proof by execution in the drawer, for every game, and cheats that it catches."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.conftest import HOUSE, Visitor  # type: ignore[import-not-found, unused-ignore]
from tests.web.page_modules import seal
from tests.web.python.page_python import LATE_MS, needs_python

pytestmark = needs_python


def execute(visitor: Any) -> tuple[str, dict[str, str]]:
    """Press the button of the open proof; return the verdict and what became of each check."""
    visitor.page.locator(".execute").click()
    visitor.page.wait_for_selector("[data-executed]", timeout=LATE_MS)
    rows = visitor.page.locator(".executed .check")
    states = rows.evaluate_all(
        'rows => rows.map((row) => [row.dataset.check, row.className.replace("check", "").trim()])'
    )
    return visitor.page.locator("[data-executed]").inner_text(), dict(states)


@pytest.fixture(scope="module")
def executor(browser: Any, url: str) -> Iterator[Any]:
    """Somebody whose page has started Python, which takes seconds: for the tests that leave it as it is."""
    made = Visitor(browser, url)
    yield made
    made.close()
    assert made.complaints == []


def test_the_drawer_executes_every_game_of_the_house(executor):
    for game in HOUSE:
        executor.play(game)
        if game == "craps" and not executor.is_over:
            continue  # a bet that stays on the table; craps has its own test
        executor.proof()

        verdict, checks = execute(executor)

        assert verdict == "verified: it is what you saw", game
        assert checks["moves"] == checks["seal"] == checks["executed"] == "", game


def test_the_drawer_executes_a_match_of_shut_the_box(executor):
    executor.go("")
    executor.open_room("shut-the-box", "^Play")
    executor.play_box()
    executor.settle("[data-status=finished]")
    executor.proof()

    verdict, checks = execute(executor)

    assert verdict == "verified: it is what you saw"
    assert checks["executed"] == ""


def alter(visitor: Any, paths: str, change: Any) -> list[bool]:
    altered: list[bool] = []

    def tamper(route: Any) -> None:
        answer = route.fetch()
        body = change(answer.body())
        altered.append(body != answer.body())
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
        route.fulfill(status=answer.status, headers=headers, body=body)

    visitor.page.route(re.compile(paths), tamper)
    return altered


def test_a_record_that_pays_by_another_table_is_caught(executor):
    """The server changes what a bet pays after the commitment, and seals a record that fits in every other way."""

    def other_stake(body: bytes) -> bytes:
        record = json.loads(body)
        record["actions"][0]["payload"]["bets"][0]["stake"] += 5
        return seal(record).encode()

    altered = alter(executor, r"/sessions/\d+/record", other_stake)
    executor.play("roulette")
    executor.proof()

    verdict, checks = execute(executor)
    executor.page.unroute_all()

    assert altered
    assert all(altered)
    assert verdict.startswith("not verified: version 1")
    assert checks["moves"] == "bad"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("croupier/games/roulette/rules.py", b"35", b"36"),
        pytest.param("croupier/games/roulette/rules.md", b"35 to 1", b"36 to 1", marks=pytest.mark.soak),
        pytest.param("croupier/draws.py", b"255 - 255 % m", b"256 - 256 % m", marks=pytest.mark.soak),
    ],
)
def test_a_server_that_changes_its_rules_after_the_commitment_is_caught(visitor, path, old, new):
    """One number of a pay table or one character of a rule: the rules that run are not those that were announced."""

    def other_rules(body: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(body)) as archive, zipfile.ZipFile(out, "w") as made:
            for name in archive.namelist():
                content = archive.read(name)
                made.writestr(name, content.replace(old, new, 1) if name == path else content)
        return out.getvalue()

    altered = alter(visitor, r"/croupier-[0-9.]+\.zip", other_rules)
    visitor.play("roulette")
    visitor.proof()

    verdict, checks = execute(visitor)

    assert altered == [True]
    assert verdict.startswith("not verified: ")
    assert checks["executed"] == "bad" or checks["moves"] == "bad"


def test_without_python_the_pages_own_check_stands(visitor):
    visitor.forgives = re.compile("404|Failed to load")
    visitor.page.route("**/python/manifest.json", lambda route: route.fulfill(status=404, body="{}"))
    visitor.play("roulette")
    checks = visitor.proof()

    verdict, _ = execute(visitor)

    assert "does not have Python for the browser" in verdict
    assert "The page's own check stands" in verdict
    assert checks["seal"] == checks["draws"] == ""


def test_a_worker_that_is_not_allowed_leaves_the_pages_own_check(visitor):
    visitor.forgives = re.compile(".")
    visitor.page.route("**/python/worker.js", lambda route: route.abort())
    visitor.play("roulette")
    visitor.proof()

    verdict, _ = execute(visitor)

    assert "Python cannot be started here" in verdict
