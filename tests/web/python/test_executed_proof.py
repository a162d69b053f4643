"""Proof by execution in the drawer, for every game, and cheats that it catches."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from tests.environments import with_path
from tests.unit.client.conftest import ServerProcess  # type: ignore[import-not-found, unused-ignore]
from tests.web.conftest import ALL, HOUSE, Visitor  # type: ignore[import-not-found, unused-ignore]
from tests.web.page_modules import seal
from tests.web.python.page_python import LATE_MS, needs_python

pytestmark = needs_python


def execute(visitor: Any) -> tuple[str, dict[str, str]]:
    """Press the button of the open proof; return the verdict and what became of each check."""
    visitor.page.locator(".execute").click()
    visitor.page.wait_for_selector("[data-executed]", timeout=LATE_MS)
    return visitor.page.locator("[data-executed]").inner_text(), visitor.checks(".executed .check")


@pytest.fixture(scope="module")
def executor(browser: Any, url: str) -> Iterator[Any]:
    """Somebody whose page has started Python, which takes seconds: for the tests that leave it as it is."""
    made = Visitor(browser, url)
    yield made
    made.close()
    assert made.complaints == []


def without_webassembly(route: Any) -> None:
    """Answer with a policy that lets no WebAssembly be compiled."""
    answer = route.fetch()
    policy = answer.headers["content-security-policy"].replace(" 'wasm-unsafe-eval'", "")
    assert policy != answer.headers["content-security-policy"]
    route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})


def no_webassembly(route: Any) -> None:
    """Answer with a worker of a browser that has none."""
    answer = route.fetch()
    route.fulfill(response=answer, body=f"delete globalThis.WebAssembly;\n{answer.text()}")


def test_a_worker_that_cannot_start_leaves_the_pages_own_check(executor):
    """It is blocked, a policy forbids WebAssembly, or the browser has none: that is said, and all else works."""
    visitor = executor
    visitor.page.reload()  # a Python that has started needs no worker
    visitor.play("roulette")
    visitor.proof()
    found = []
    for obstacle in (lambda route: route.abort(), without_webassembly, no_webassembly):
        visitor.page.route("**/python/worker.js", obstacle)
        visitor.page.locator(".execute").click()
        visitor.page.wait_for_selector("[data-executed]", timeout=LATE_MS)
        found.append(visitor.page.locator("[data-executed]").inner_text())
        visitor.page.unroute_all()
    visitor.complaints.clear()

    assert all(text.startswith("Python cannot be started here: ") for text in found), found
    assert all("The page's own check stands" in text for text in found), found
    assert "bad" not in visitor.proof().values()
    verdict, _ = execute(visitor)
    assert verdict == "verified: it is what you saw"


def finish(visitor: Any, game: str) -> None:
    """Play a round or a match until it is over; Lanes is left after a move."""
    if game in HOUSE:
        visitor.play(game)
        return
    visitor.go("")
    visitor.open_room(game, "^Play")
    if game == "shut-the-box":
        visitor.play_box()
    elif game == "craps-table":
        visitor.settle()
        visitor.act("Buy in")
        visitor.bet("field")
        visitor.act("Roll")
        visitor.page.locator(".shared-bank summary").click()
        visitor.act("Cash out")
    else:
        for _ in range(2):  # the hand, and a card
            visitor.settle("[data-turn=mine]")
            visitor.move_in_lanes(plays=True)
        visitor.settle("[data-turn=mine]")
        visitor.unfold()
        visitor.page.get_by_role("button", name="Leave").click()
        visitor.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    visitor.settle("[data-status=finished]")


def test_the_drawer_executes_every_game(executor):
    """Of all thirteen: both verdicts are shown, the page's own and that of the rules."""
    for game in ALL:
        finish(executor, game)
        own = executor.proof()

        verdict, checks = execute(executor)

        assert verdict == "verified: it is what you saw", game
        assert checks["moves"] == checks["seal"] == checks["executed"] == "", game
        assert "bad" not in own.values(), game
        assert executor.page.locator(".verdict").count() == 2, game


def test_a_record_with_another_stake_is_caught(executor):
    """The server changes what was staked, and seals a record that fits in every other way."""

    def other_stake(body: bytes) -> bytes:
        record = json.loads(body)
        record["actions"][0]["payload"]["bets"][0]["stake"] += 5
        return seal(record).encode()

    altered = executor.alter(r"/sessions/\d+/record", other_stake)
    executor.play("roulette")
    executor.proof()

    verdict, checks = execute(executor)
    executor.page.unroute_all()

    assert altered
    assert all(altered)
    assert verdict.startswith("not verified: version 1")
    assert checks["moves"] == "bad"


CHEAT = """
from importlib.machinery import SourceFileLoader

honest = SourceFileLoader.get_code

def other_rules(self, name):
    if name != "croupier.games.roulette.rules":
        return honest(self, name)
    source = self.get_data(self.path)
    assert {old!r} in source
    return compile(source.replace({old!r}, {new!r}, 1), self.path, "exec", dont_inherit=True)

SourceFileLoader.get_code = other_rules
"""
CHEATS = {
    "one number of the pay table": (b"PROFIT_TO_1 = (35, 1, 1,", b"PROFIT_TO_1 = (35, 2, 1,"),
    "one character of a rule": (b"(pocket % 2 == 1) == odd_is_red", b"(pocket % 2 == 0) == odd_is_red"),
}


def test_a_server_that_plays_by_other_rules_after_the_commitment_is_caught(browser, tmp_path, monkeypatch):
    """It committed itself, is started again with another rule in its memory, and goes on to announce the old ones."""
    server = ServerProcess(tmp_path)
    visitor = Visitor(browser, server.url)
    try:
        visitor.play("roulette")
        visitor.proof()
        assert execute(visitor)[0] == "verified: it is what you saw"
        for number, (what, (old, new)) in enumerate(CHEATS.items()):
            committed = visitor.page.evaluate("JSON.parse(localStorage.getItem('croupier.next')).commitment")
            folder = tmp_path / str(number)
            folder.mkdir()
            (folder / "sitecustomize.py").write_text(CHEAT.format(old=old, new=new))
            monkeypatch.setenv("PYTHONPATH", with_path(folder))
            server.end()
            server.start()
            play_until_won(visitor)
            visitor.proof()

            verdict, checks = execute(visitor)

            assert committed in visitor.page.evaluate("localStorage.getItem('croupier.kept')"), what
            assert verdict.startswith("not verified: version 1"), what
            assert checks["moves"] == "bad", what
            assert checks["executed"] == "", what  # what the page ran is what was announced
    finally:
        visitor.close()
        server.end()


def play_until_won(visitor: Any) -> None:
    for _ in range(100):
        visitor.play("roulette")
        if visitor.page.locator(".lines-sum").inner_text().startswith("You win"):
            return
    raise AssertionError("a hundred spins, and none was won")


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

    altered = visitor.alter(r"/croupier-[0-9.]+\.zip", other_rules)
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
