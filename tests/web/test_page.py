"""The page in a real browser, over a real server: every game is played, proven, reloaded, and fits a phone."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

playwright: Any = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOUSE = {
    "baccarat": "player",
    "blackjack": "",
    "casino-war": "",
    "craps": "field",
    "hi-lo": "",
    "roulette": "red",
    "sic-bo": "small",
    "three-card-poker": "",
    "ultimate-texas-holdem": "",
    "video-poker": "",
}
"""The house games, and the spot that a chip goes on where there is a layout."""
BUTTONS = ("Deal", "Draw", "Play", "Stand", "Check", "Higher", "Cash", "War", "Reveal", "Show", "See")

# Not among the tests of every change yet: a browser on a busy machine is late now and then.
pytestmark = pytest.mark.soak

if CHROMIUM is None and os.environ.get("CI") != "true":
    pytest.skip("no chromium: apt-get install chromium", allow_module_level=True)


def load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("server_process", Path(__file__).parents[1] / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    made = load("unit/client/conftest.py").ServerProcess(tmp_path_factory.mktemp("web"))
    yield made.url
    made.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    assert CHROMIUM is not None, "the browser tests need chromium"
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


class Visitor:
    """Somebody with a browser of their own, who writes down what the console says."""

    def __init__(self, browser: Any, url: str, width: int = 1280, **options: Any) -> None:
        self.url = url
        self.context = browser.new_context(viewport={"width": width, "height": 860}, reduced_motion="reduce", **options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(url)
        self.page.wait_for_selector("html[data-ready=yes]")

    def go(self, path: str) -> None:
        self.page.goto(f"{self.url}/#/{path}")
        self.page.wait_for_selector(".felt *, .cover")

    @property
    def status(self) -> str:
        return str(self.page.locator(".table-status").inner_text())

    def press(self, *names: str) -> bool:
        """Press the first button of these that can be pressed on the felt."""
        for name in names:
            found = self.page.locator(".felt button:visible:not([disabled])").filter(
                has_text=re.compile(rf"^\s*{name}")
            )
            if found.count():
                with suppress(playwright.TimeoutError):  # it was drawn anew meanwhile: look again
                    found.first.click(timeout=1_000)
                return True
        return False

    def play(self, game: str, spot: str) -> None:
        """Play one round to its end."""
        self.go(f"play/{game}")
        if spot:
            self.page.locator(f'.felt [data-bet="{spot}"]').first.click()
            verb = self.page.locator(".bet-bar .primary")
            playwright.expect(verb).to_be_enabled()
            verb.click()
        for _ in range(200):
            if self.status == "the round is over":
                return
            if not spot:
                self.press(*BUTTONS)
            self.page.wait_for_timeout(150)
        raise AssertionError(f"{game} did not end: {self.status}")

    def proof(self) -> list[tuple[str, str]]:
        """Open the proof and return its checks by name, with what became of each."""
        tab = self.page.get_by_role("tab", name="Proof")
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
        self.page.wait_for_selector(".verdict")
        rows = self.page.locator(".check").all()
        return [
            (row.get_attribute("data-check"), row.get_attribute("class").removeprefix("check").strip()) for row in rows
        ]


@pytest.fixture
def visitor(browser: Any, url: str) -> Iterator[Visitor]:
    made = Visitor(browser, url)
    yield made
    assert made.complaints == []
    made.context.close()


@pytest.mark.parametrize("game", HOUSE)
def test_a_round_is_played_and_proven(visitor, game):
    visitor.play(game, HOUSE[game])

    assert re.match(r"You (win|lose) [\d,]+|Even", visitor.page.locator(".lines-sum").inner_text())
    assert visitor.proof() == [(name, "") for name in ("form", "seal", "commitment", "seen before", "seed", "draws")]


def test_a_match_of_shut_the_box_is_played_and_proven(visitor):
    card = visitor.page.locator("li.game").filter(
        has=visitor.page.get_by_role("heading", name="Shut the Box", exact=True)
    )
    card.get_by_role("button", name="Play").click()
    visitor.page.wait_for_selector(".felt *")
    for _ in range(120):
        if visitor.status == "the match is over":
            break
        if not visitor.press("Roll", "Shut"):
            tile = visitor.page.locator(".felt button.is-lit:visible, .felt [aria-pressed=false].is-lit:visible")
            if tile.count():
                with suppress(playwright.TimeoutError):
                    tile.first.click(timeout=1_000)
        visitor.page.wait_for_timeout(80)

    assert visitor.status == "the match is over"
    assert ("commitment", "") in visitor.proof()


@pytest.mark.parametrize("game", ["lanes", "craps-table"])
def test_a_room_with_a_bot_opens_at_its_table(visitor, game):
    name = {"lanes": "Lanes", "craps-table": "Craps Table"}[game]
    card = visitor.page.locator("li.game").filter(has=visitor.page.get_by_role("heading", name=name, exact=True))
    card.get_by_role("button", name=re.compile("^Play")).click()
    visitor.page.wait_for_selector(".felt *")

    assert visitor.status


def test_two_browsers_meet_in_a_room_by_its_code(browser, url, visitor):
    card = visitor.page.locator("li.game").filter(has=visitor.page.get_by_role("heading", name="Lanes", exact=True))
    card.get_by_role("button", name="Open a room").click()
    code = visitor.page.locator(".code").inner_text()
    other = Visitor(browser, url)
    other.page.fill("#code", code.lower())
    other.page.get_by_role("button", name="Enter").click()
    other.page.get_by_role("button", name="Take a seat").click()
    visitor.page.get_by_role("button", name="I am ready").click()
    for one in (visitor, other):
        one.page.wait_for_selector(".felt *")

    assert {visitor.status.split()[-1], other.status.split()[-1]} == {"turn", "move"}
    assert other.complaints == []
    other.context.close()


def test_a_round_goes_on_after_a_reload(visitor):
    visitor.go("play/blackjack")
    for _ in range(20):  # until a hand is to be played
        visitor.press("Deal")
        visitor.page.wait_for_timeout(400)
        if "in play" in visitor.status:
            break
    before = visitor.status
    visitor.page.reload()
    visitor.page.wait_for_selector(".felt *")
    visitor.page.wait_for_timeout(500)

    assert visitor.status == before
    assert visitor.page.locator(".felt .card").count() >= 3


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("seal", lambda text: text.replace('"bet":"red"', '"bet":"odd"', 1)),
        ("commitment", lambda text: re.sub(r'"server_seed":"\w{2}', '"server_seed":"00', text, count=1)),
    ],
)
def test_a_record_that_was_tampered_with_is_caught(visitor, what, change):
    def tamper(route: Any) -> None:
        answer = route.fetch()
        text = answer.text()
        assert change(text) != text
        route.fulfill(response=answer, body=change(text))

    visitor.page.route(re.compile(r"/sessions/\d+/record"), tamper)
    visitor.play("roulette", "red")

    assert (what, "bad") in visitor.proof()
    assert visitor.page.locator(".verdict").inner_text() == "This record does not hold."


def test_a_pocket_that_was_changed_after_the_commitment_is_caught(visitor):
    def tamper(route: Any) -> None:
        answer = route.fetch()
        changed = re.sub(r'"pockets":\[(\d+)\]', lambda found: f'"pockets":[{(int(found[1]) + 1) % 37}]', answer.text())
        route.fulfill(response=answer, body=changed)

    visitor.page.route(re.compile(r"/sessions/\d+/(moves|recall)"), tamper)
    visitor.play("roulette", "red")

    assert ("draws", "bad") in visitor.proof()


def test_every_table_fits_a_phone(browser, url):
    small = Visitor(browser, url, width=360, color_scheme="dark")
    for game in HOUSE:
        small.go(f"play/{game}")
        small.page.wait_for_timeout(200)
        wide = small.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, f"{game} is {wide} wide"

    assert small.complaints == []
    small.context.close()


def test_roulette_is_played_with_the_keyboard_alone(visitor):
    visitor.go("play/roulette")
    page = visitor.page
    page.locator('.felt [data-bet="red"]').first.focus()
    page.keyboard.press("Enter")
    page.locator(".bet-bar .primary").focus()
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".table-status")).to_have_text("the round is over")

    assert page.locator("#live p").count() > 0
