"""Shut the Box in a browser: the class as it is documented, and whole games without an account or a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest

from tests.web.conftest import open_page  # type: ignore[import-not-found, unused-ignore]
from tests.web.offline.test_box import AFTERWARDS, NAMES, TEN, TUTORIAL, WITH_INIT


@pytest.fixture
def page(browser: Any, url: str) -> Iterator[Any]:
    """The page of Shut the Box, opened by somebody who was never here."""
    made = open_page(browser, f"{url}/web/offline/index.html", reduced_motion="reduce")
    yield made
    made.context.close()


def play_on(page: Any) -> None:
    """Play one player's box to its end: always the first set of tiles that is found to make the sum."""
    while True:
        button = page.locator("button.primary")
        text = button.inner_text()
        if text == "Roll":
            button.click()
        elif text == "Shut":
            total = int(page.locator("#status").inner_text().split(":")[0].split()[-1])
            for tile in first_set(page, total):
                page.locator(f'[data-tile="{tile}"]').click()
            page.locator("button.primary:not([disabled])").click()
        else:
            return


def first_set(page: Any, total: int) -> list[int]:
    """Return a set of tiles that are up and add up to the total, worked out here."""
    up = [int(tile.get_attribute("data-tile")) for tile in page.locator("[data-tile]:not(.is-down)").all()]
    found: list[list[int]] = [[]]
    for tile in up:
        found += [[*chosen, tile] for chosen in found]
    return next(chosen for chosen in found if sum(chosen) == total)


@pytest.mark.parametrize("tutorial", [TUTORIAL, WITH_INIT], ids=["document", "init"])
def test_the_tutorial_runs_in_chromium_as_it_stands(browser, url, tutorial):
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text))
    text = tutorial + AFTERWARDS
    page.route("**/tutorial.js", lambda route: route.fulfill(body=text, content_type="text/javascript"))
    page.goto(f"{url}/web/offline/index.html")

    page.evaluate("import('/web/offline/tutorial.js').then(() => null)")

    told = json.loads(said[-1])
    assert all(1 <= die <= 6 for die in told["dice"])
    assert told["isValid"] == told["success"] == told["isSeven"]
    context.close()


def test_the_ten_tests_of_the_document_hold_in_chromium(page, url):
    ten = page.evaluate(f"""async () => {{ const where = "{url}/web/offline"; {TEN}
        return Object.entries(tests).map(([name, test]) => [name, test()]); }}""")

    assert ten == [[name, True] for name in NAMES]
    assert page.complaints == []


def test_two_play_on_one_screen_without_a_network_or_an_account(page):
    page.wait_for_selector("html[data-offline=yes]", state="attached")  # the service worker has everything
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("html[data-ready=yes]", state="attached")

    page.get_by_role("button", name="2 players").click()
    play_on(page)
    assert "Player 2 is next" in page.locator("#status").inner_text()
    first = page.locator(".offline-scores li").first.inner_text()
    page.get_by_role("button", name="Hand over to Player 2").click()
    play_on(page)

    ended = page.locator("#status").inner_text()
    scores = [int(text.split(": ")[1]) for text in page.locator(".offline-scores li").all_inner_texts()]
    assert page.locator(".offline-scores li").first.inner_text() == first
    assert f"with {min(scores)}" in ended
    assert not any("/v1/" in asked or "/api" in asked for asked in page.asked)  # nobody became somebody
    assert page.evaluate("Object.keys(localStorage)") == []


def test_the_lobby_leads_there(visitor):
    link = visitor.page.get_by_role("link", name="Offline, without an account")

    link.click()
    visitor.page.wait_for_selector("html[data-ready=yes]", state="attached")

    assert visitor.page.get_by_role("button", name="Alone").is_visible()


@pytest.mark.parametrize("path", ["/", "/web/offline/index.html", "/web/verify/index.html", "/web/python/worker.js"])
def test_nothing_is_allowed_that_is_not_needed(web_server, path):
    """WebAssembly may be compiled; no text is evaluated, nothing stands in the page, nothing comes from elsewhere."""
    with urlopen(f"{web_server.url}{path}") as answer:
        policy = dict(one.strip().split(" ", 1) for one in answer.headers["content-security-policy"].split(";"))

    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    allowed = {"'self'", "'none'", "'wasm-unsafe-eval'", "data:"}
    assert {word for words in policy.values() for word in words.split()} <= allowed
