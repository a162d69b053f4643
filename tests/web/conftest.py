"""A real browser over a real server, and visitors who play through the page.

Nothing here waits for a time: the felt says which state it shows (`data-version`), whether somebody may act
(`data-turn`), how the round stands (`data-status`), and whether an answer is awaited (`data-busy`, `aria-busy`).
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.client.conftest import ServerProcess  # type: ignore[import-not-found, unused-ignore]

# The first of these is the same engine without a window's own pages, and takes half the processor's time.
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--js-flags=--liftoff-only"]  # Python is compiled once, not again for speed
LATE_MS = 120_000
"""How late a busy machine may be. Nothing waits that long where all is well."""

SPOTS = {"baccarat": "player", "craps": "field", "roulette": "red", "sic-bo": "small"}
"""House games with a layout, and the spot that a chip goes on: one that a single draw decides, or that comes back."""
CARDS = ("blackjack", "casino-war", "hi-lo", "three-card-poker", "ultimate-texas-holdem", "video-poker")
"""House games that are played with buttons."""
HOUSE = (*SPOTS, *CARDS)
ROOMS = {"craps-table": "Craps Table", "lanes": "Lanes", "shut-the-box": "Shut the Box"}
ALL = (*HOUSE, *ROOMS)

SIZES = {"desk": (1280, 720), "laptop": (1366, 768), "large": (1920, 1080), "phone": (390, 844), "sideways": (844, 390)}
"""Screens that every table fits."""

ONWARD = ("Deal", "Draw", "Play", "Stand", "No insurance", "Check", "Higher", "Lower", "Cash", "War", "Go to", "Reveal")
"""Buttons that bring a round of cards nearer to its end, in the order they are looked for."""

IDLE = "#main[data-shown] .felt[data-status]:not([data-busy]):not(:has([aria-busy=true]))"

# Written down before any script of the page runs: which states were shown, what was said, when it was ready, and what
# the policy of the page refused.
WATCH = """
(() => {
  const noted = (name) => JSON.parse(sessionStorage.getItem(name) ?? "[]");
  const note = (name, one) => sessionStorage.setItem(name, JSON.stringify([...noted(name), one].slice(-500)));
  let last = "";
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI}`));
  new MutationObserver((changes) => {
    const felt = document.querySelector(".felt[data-version]");
    const now = felt ? `${felt.dataset.match}/${felt.dataset.version}` : "";
    if (now && now !== "/" && now !== last) note("test.shown", (last = now));
    for (const change of changes) {
      if (change.target.id !== "live") continue;
      for (const added of change.addedNodes) note("test.said", added.textContent);
    }
    if (document.documentElement?.dataset.ready && !window.readyAt) window.readyAt = performance.now();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-version", "data-ready"] });
})();
"""


# The policy of the page lets nobody evaluate a text again and again, as `wait_for_function` does: this looks when
# something has changed.
UNTIL_VERSION = """
(version) => new Promise((done) => {
  const look = () => {
    if (Number(document.querySelector(".felt[data-version]")?.dataset.version || -1) < version) return;
    watch.disconnect();
    done();
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributeFilter: ["data-version"] });
  look();
})
"""

# Where the focus is, and whether somebody who looks can tell: in sight, with an outline, under nothing.
FOCUS = """
(selector) => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  const isInSight = right - left > 1 && bottom - top > 1;
  const drawn = at instanceof SVGElement ? getComputedStyle(at.firstElementChild) : null; // a picture has its own line
  const hasLine = drawn
    ? drawn.stroke !== "none" && parseFloat(drawn.strokeWidth) >= 3
    : style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const parts = [0.15, 0.5, 0.85];
  const isOnTop = parts.some((x) => parts.some((y) => {
    const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
    return hit && (at.contains(hit) || hit.contains(at));
  }));
  const why = [isInSight ? "" : "out of sight", hasLine ? "" : "no outline", isOnTop ? "" : "covered"];
  return {
    isThere: at.matches(selector),
    isSeen: isInSight && hasLine && isOnTop,
    what: at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 60),
    why: why.filter(Boolean).join(", "),
  };
}
"""


AXE = """
async (options) => (await axe.run(document, options)).violations
  .filter(({ impact }) => impact !== "minor")
  .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`))
"""

NEXT_FRAME = """([type, does]) => {
  const send = WebSocket.prototype.send;
  const change = { go: (socket, text) => send.call(socket, text),
                   hold: (socket, text) => (window.goOn = () => send.call(socket, text)),
                   lose: (socket) => socket.close(),
                   cut: (socket, text) => (send.call(socket, text), socket.close()) }[does];
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).type !== type) return send.call(this, text);
    WebSocket.prototype.send = send;
    change(this, text);
  };
}"""
"""Sends, holds or loses the next frame of a type on the live connection, or loses its answer."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a `house_game` or `any_game` with each of them."""
    for name, games in {"house_game": HOUSE, "any_game": ALL}.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, games)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the page out where there is no browser; in CI that is a fault."""
    if CHROMIUM is not None and importlib.util.find_spec("playwright"):
        return
    if os.environ.get("CI") == "true":
        return
    skip = pytest.mark.skip(reason="no chromium or no playwright: apt-get install chromium")
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def web_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One server for all tests of a worker that do nothing to it."""
    made = ServerProcess(tmp_path_factory.mktemp("web"))
    yield made
    made.end()


@pytest.fixture(scope="session")
def url(web_server: Any) -> str:
    """Where the page is."""
    return str(web_server.url)


@pytest.fixture
def own_web_server(tmp_path: Path) -> Iterator[Any]:
    """A server that a test may kill and start again on the same port and database."""
    made = ServerProcess(tmp_path)
    yield made
    if made.process.poll() is None:
        made.end()


_opened: list[Any] = []
"""The driver and its browser, while tests that follow each other want one."""


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser before a file that needs none: its driver runs an event loop, and others start their own."""
    is_wanted = nextitem and (nextitem.path == item.path or "browser" in getattr(nextitem, "fixturenames", ()))
    if _opened and not is_wanted:
        _opened.pop().close()
        _opened.pop().stop()


@pytest.fixture(scope="module")
def browser() -> Any:
    """A browser, which files of tests that follow each other share."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "the browser tests need chromium"
    if not _opened:
        _opened.append(sync_playwright().start())
        _opened.append(_opened[0].chromium.launch(executable_path=CHROMIUM, args=FLAGS))
    return _opened[1]


def open_page(browser: Any, url: str, script: str = "", **options: Any) -> Any:
    """Return a page in a browser of its own, ready; what its console complains of and what it asks for is noted."""
    context = browser.new_context(**options)
    context.set_default_timeout(LATE_MS)
    context.add_init_script(script)
    page = context.new_page()
    page.complaints, page.asked = [], []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(url)
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    return page


class Visitor:
    """Somebody with a browser of their own; what its console complains of is written down."""

    def __init__(
        self, browser: Any, url: str, width: int = 1280, height: int = 860, hand: str = "mouse", **options: Any
    ) -> None:
        self.url = url
        self.hand = hand
        """Input that tables are played with: "mouse", "touch" or "keyboard"."""
        if hand == "touch":
            options["has_touch"] = True
        options = {"reduced_motion": "reduce", **options}
        self.page = open_page(browser, url, WATCH, viewport={"width": width, "height": height}, **options)
        self.context = self.page.context
        self.complaints: list[str] = self.page.complaints
        self.forgives = re.compile("(?!)")
        """Complaints that a test brings about itself."""

    # Where one is.

    def go(self, path: str) -> None:
        """Open a screen and wait until it stands."""
        self.page.goto(f"{self.url}/#/{path}")
        self.page.wait_for_selector(f'#main[data-shown="{path}"]', state="attached")

    def open_table(self, game: str) -> None:
        """Open a table of the house, and wait until nothing is under way."""
        self.go(f"play/{game}")
        self.settle()

    def deal(self, game: str) -> None:
        """Open a table of cards and have them dealt."""
        self.open_table(game)
        self.act("Deal")

    def drawer(self, name: str) -> None:
        """Open one of the drawers beside a table, if it is not open."""
        tab = self.page.get_by_role("tab", name=name)
        if tab.get_attribute("aria-selected") != "true":
            tab.click()

    def ask_by_requests(self) -> None:
        """Keep the page from its live connection: the ticket for one never comes."""
        self.page.route("**/api/v1/tickets", lambda route: None)

    def alter(self, paths: str, change: Callable[[bytes], bytes]) -> list[bool]:
        """Change what the server answers; return, for each answer, whether there was something to change."""
        altered: list[bool] = []

        def tamper(route: Any) -> None:
            answer = route.fetch()
            body = change(answer.body())
            altered.append(body != answer.body())
            headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
            route.fulfill(status=answer.status, headers=headers, body=body)

        self.page.route(re.compile(paths), tamper)
        return altered

    def press_in_lobby(self, game: str, button: str) -> None:
        """Press a button of a game's card in the lobby."""
        heading = self.page.get_by_role("heading", name=ROOMS[game], exact=True)
        self.page.locator("li.game").filter(has=heading).get_by_role("button", name=re.compile(button)).click()

    def open_room(self, game: str, button: str) -> None:
        """Open a room from the lobby, by a button of the game's card."""
        self.press_in_lobby(game, button)
        self.page.wait_for_selector("#main[data-shown^=room]", state="attached")

    def unfold(self) -> None:
        """Unfold the menu of a match: where there is little room it is closed at first."""
        fold = self.page.locator(".menu:not([open]) > summary")
        if fold.is_visible():
            fold.click()

    def hit(self, target: Any) -> None:
        """Press something at the table with what the visitor plays with."""
        if self.hand == "touch":
            target.tap()
        elif self.hand == "mouse":
            target.click()
        else:
            target.focus()
            self.page.keyboard.press("Enter")

    # What the table shows.

    def settle(self, *also: str) -> None:
        """Wait until nothing is under way, and any of these holds of the felt: [data-turn=mine], [data-status=…]."""
        found = ", ".join(f"{IDLE}{one}" for one in also) if also else IDLE
        self.page.wait_for_selector(found, state="attached")

    def wait_for_turn(self) -> bool:
        """Wait until one may act; return False if it is over instead."""
        self.settle("[data-turn=mine]", "[data-status=finished]")
        return not self.is_over

    def wait_for_version(self, version: int) -> None:
        """Wait until this version of the match is shown, or a later one."""
        self.page.evaluate(UNTIL_VERSION, version)
        self.settle()

    def felt(self, name: str) -> str:
        return str(self.page.locator(".felt").get_attribute(f"data-{name}"))

    @property
    def is_over(self) -> bool:
        return self.felt("status") == "finished"

    @property
    def version(self) -> int:
        return int(self.felt("version"))

    @property
    def shown(self) -> list[tuple[str, int]]:
        """Every state that was shown in this tab, as match and version, also before a reload."""
        found = self.page.evaluate('JSON.parse(sessionStorage.getItem("test.shown") ?? "[]")')
        return [(match, int(version)) for match, version in (one.rsplit("/", 1) for one in found)]

    @property
    def went_back(self) -> bool:
        """Whether a state was shown that is older than one shown before it."""
        newest: dict[str, int] = {}
        for match, version in self.shown:
            if version < newest.get(match, 0):
                return True
            newest[match] = version
        return False

    def warning(self) -> str:
        """Wait until the banner warns of something, and return its words."""
        self.page.wait_for_selector("#banner:not([hidden])")
        return str(self.page.locator("#banner").inner_text())

    @property
    def said(self) -> list[str]:
        """Everything that the live region said."""
        return list(self.page.evaluate('JSON.parse(sessionStorage.getItem("test.said") ?? "[]")'))

    def press(self, *names: str) -> bool:
        """Press the first button on the felt whose text begins with one of these; False if none can be pressed."""
        buttons = self.page.locator(".felt button:not([disabled]):visible")
        texts = [text.strip() for text in buttons.all_inner_texts()]
        for name in names:
            if any(text.startswith(name) for text in texts):
                self.hit(buttons.filter(has_text=re.compile(rf"^\s*{re.escape(name)}")).first)
                return True
        return False

    def act(self, *names: str, until: str = "") -> None:
        """Press the first of these buttons, one of which must be there, and wait until what it does is done."""
        assert self.press(*names), names
        self.settle(*filter(None, [until]))

    # Playing.

    def play(self, game: str) -> None:
        """Play one round of a house game to its end; at craps, one roll."""
        if game in CARDS:
            for _ in self.phases(game):
                pass
            return
        self.open_table(game)
        self.bet(SPOTS[game])
        for _ in range(1 if game == "craps" else 60):  # bets in prison go on; the others are over at once
            self.hit(self.page.locator(".bet-bar .primary"))
            self.settle()
            if self.is_over:
                return

    def phases(self, game: str) -> Iterator[str]:
        """Play a round at any table, and pause before it, in the middle and after it; yields where it is."""
        if game in ROOMS:
            self.open_room(game, "^Play")
        else:
            self.go(f"play/{game}")
        self.settle()
        yield "before"
        if game == "shut-the-box":
            self.act("Roll")
            yield "ways"
            self.play_box()
        elif game == "lanes":
            for move in range(4):
                assert self.wait_for_turn()
                self.move_in_lanes(plays=move < 3)
                if move == 1 and self.wait_for_turn():
                    yield "with a card"
            self.wait_for_turn()
        elif game in SPOTS or game == "craps-table":
            if self.press("Buy in"):
                self.settle()
            self.bet({"baccarat": "banker", "roulette": "red", "sic-bo": "big"}.get(game, "pass"))
            yield "with a bet"
            self.act("Roll", "Spin", "Deal")
        else:
            self.act("Deal")
            yield "dealt"
            while not self.is_over:
                self.act(*(word for word in ONWARD if word not in ("Deal", "Check")))
        yield "after"

    def bet(self, bet: str) -> None:
        """Put a chip on a spot, and wait until it lies there."""
        self.hit(self.page.locator(f'.felt [data-bet="{bet}"]').first)
        self.page.wait_for_selector(f'.felt [data-bet="{bet}"].has-chips', state="attached")
        self.settle()

    def play_box(self) -> None:
        """Shut tiles and roll until the match is over or another is to move."""
        for _ in range(100):
            if not self.wait_for_turn():
                return
            if self.press("Roll"):
                continue
            way = self.page.locator(".shut-box-way").first
            self.hit(way)
            assert self.press("Shut")
        raise AssertionError("the box did not end")

    def move_in_lanes(self, plays: bool) -> None:
        """Make one move: keep the hand, play the first card that goes anywhere, or pass."""
        if self.press("Keep this hand"):
            return
        card = self.page.locator(".lanes-hand-card:not(.is-dim)").first
        if plays and card.count():
            self.hit(card)
            self.hit(self.page.locator(".lanes-tile.is-lit").first)
            assert self.press("Play")
        else:
            assert self.press("Pass")

    def pick_in_lanes(self) -> None:
        """Begin a match with a bot, keep the hand, and take the first card that goes anywhere."""
        self.open_room("lanes", "^Play")
        assert self.wait_for_turn()
        self.press("Keep this hand")
        assert self.wait_for_turn()
        self.page.locator(".lanes-hand-card:not(.is-dim)").first.click()

    # With the keyboard alone.

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """Press Tab until the focus is on such an element; at every stop it must be seen where it is."""
        ends = 0
        for _ in range(150):
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
            stop = self.page.evaluate(FOCUS, selector)
            if stop is None:  # past the end of the page, where the browser's own buttons come
                ends += 1
                assert ends < 3, f"Tab does not come to {selector}"
                continue
            assert stop["isSeen"], f"the focus on {stop['what']!r} is not seen: {stop['why']}"
            if stop["isThere"]:
                return
        raise AssertionError(f"Tab does not come to {selector}")

    def proof(self) -> dict[str, str]:
        """Open the proof and return what became of each check: "", "bad" or "open"."""
        self.drawer("Proof")
        self.page.wait_for_selector(".drawer:not([aria-busy]) .verdict")
        return self.checks(".check")

    def checks(self, rows: str) -> dict[str, str]:
        """Return what became of each check in rows of a proof: "", "bad" or "open"."""
        states = 'rows => rows.map((row) => [row.dataset.check, row.className.replace("check", "").trim()])'
        return dict(self.page.locator(rows).evaluate_all(states))

    # For everybody.

    def findings(self, themes: str = "light dark") -> list[str]:
        """Return what axe finds that is more than minor. Of a second theme only the contrast is new."""
        if not self.page.evaluate("Boolean(window.axe)"):
            found = importlib.util.find_spec("axe_playwright_python")
            assert found is not None
            assert found.origin is not None
            self.page.evaluate((Path(found.origin).parent / "axe.min.js").read_text())
        findings = []
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        for theme in themes.split():
            self.page.emulate_media(color_scheme=theme)
            findings += [f"{theme}: {one}" for one in self.page.evaluate(AXE, options)]
            options = {**options, "runOnly": ["color-contrast"]}
        return findings

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def meet(browser: Any, url: str) -> Iterator[Callable[..., Visitor]]:
    """Let visitors in; at the end no console may have complained."""
    met: list[Visitor] = []

    def one(**options: Any) -> Visitor:
        met.append(Visitor(browser, options.pop("url", url), **options))
        return met[-1]

    yield one
    for each in met:
        each.close()
    complaints = [[text for text in each.complaints if not each.forgives.search(text)] for each in met]
    assert complaints == [[] for _ in met]


@pytest.fixture
def visitor(meet: Callable[..., Visitor]) -> Visitor:
    """Somebody who has just come in."""
    return meet()
