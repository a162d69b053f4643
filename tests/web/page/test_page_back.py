"""Reconnection: after a reload, a lost line or a killed server, the page shows nothing older than before."""

from __future__ import annotations

import re

import pytest

# The browser's own words for what does not get through; a killed process may still take a call before it is all closed.
LOST = re.compile("net::ERR_|failed: Connection closed before receiving a handshake response")


def deal_until_there_is_a_choice(visitor) -> None:
    """Deal blackjack until a hand is to be played; one in twenty is over at once."""
    visitor.open_table("blackjack")
    for _ in range(60):
        visitor.act("Deal")
        if not visitor.is_over:
            return
    raise AssertionError("every hand was over at once")


def finish(visitor) -> None:
    while not visitor.is_over:
        visitor.act("No insurance", "Stand", "Reveal")


def cards(visitor) -> list[str]:
    return list(visitor.page.locator(".felt .card[aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)"))


def begin(visitor, where: str) -> None:
    """Begin a round, or a match by oneself, and come to a choice."""
    if where == "session":
        deal_until_there_is_a_choice(visitor)
    else:
        visitor.open_room("shut-the-box", "^Play")
        assert visitor.wait_for_turn()
        visitor.act("Roll")


def end(visitor, where: str) -> None:
    finish(visitor) if where == "session" else visitor.play_box()
    assert visitor.is_over
    assert not visitor.went_back


@pytest.mark.parametrize("where", ["session", "room"])
def test_play_goes_on_after_a_reload(visitor, where):
    begin(visitor, where)
    before, lay = visitor.version, cards(visitor)
    visitor.page.reload()
    visitor.settle("[data-status=active]")

    assert visitor.version == before
    assert cards(visitor) == lay
    assert len(lay) >= (3 if where == "session" else 0)
    end(visitor, where)


def test_a_line_that_is_lost_comes_back_by_itself(visitor):
    visitor.forgives = LOST
    deal_until_there_is_a_choice(visitor)
    visitor.context.set_offline(True)
    visitor.page.wait_for_selector("body.offline", state="attached")
    assert "cannot be reached" in visitor.page.locator("#banner").inner_text()
    visitor.press("No insurance", "Stand")
    visitor.context.set_offline(False)
    visitor.page.wait_for_selector("body:not(.offline)", state="attached")
    visitor.settle()

    visitor.page.wait_for_selector("#banner", state="hidden")
    end(visitor, "session")


def test_what_a_proxy_answers_while_the_server_starts_is_waited_out(visitor):
    visitor.forgives, away = re.compile("502|504"), [502, 504]
    visitor.page.route("**/api/v1/rooms", lambda it: it.fulfill(status=away.pop()) if away else it.continue_())
    begin(visitor, "room")

    assert not away
    end(visitor, "room")


@pytest.mark.parametrize("where", ["session", "room"])
def test_a_server_that_was_killed_is_found_again(meet, own_web_server, where):
    visitor = meet(url=own_web_server.url)
    visitor.forgives = LOST
    begin(visitor, where)
    before = visitor.version
    own_web_server.kill()
    if where == "session":
        assert visitor.press("No insurance", "Stand")  # on its way while there is nobody to hear it
    visitor.page.wait_for_selector("body.offline", state="attached")
    assert "cannot be reached" in visitor.page.locator("#banner").inner_text()
    assert visitor.version == before, "what was shown is still there"
    own_web_server.start()
    visitor.page.wait_for_selector("body:not(.offline)", state="attached")
    visitor.settle()

    end(visitor, where)
    assert "bad" not in visitor.proof().values()
