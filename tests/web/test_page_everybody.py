"""On a phone, in light and dark, and for those who do not see the page: every table and every screen."""

from __future__ import annotations

from typing import Any

PHONE = 360

# What can be pressed and is smaller than a finger. Links in a sentence are text, not targets; what cannot be pressed
# now is not needed now. Bets of a layout that fits the screen whole may be as small as WCAG 2.2 allows a target to be.
TOO_SMALL = """
() => [...document.querySelectorAll("button, input, select, a.button, nav a, summary, [role=button], [role=tab]")]
  .filter((one) => one.getClientRects().length && !one.disabled && !one.closest("[inert], .skip"))
  .map((one) => {
    const target = one.closest("label") ?? one;
    const { width, height } = target.getBoundingClientRect();
    const least = one.dataset.bet ? 24 : 31.5;
    return [one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 40), width, height, least];
  })
  .filter(([, width, height, least]) => width < least || height < least)
  .map(([name, width, height]) => `${name}: ${Math.round(width)} x ${Math.round(height)}`)
"""


def check(visitor: Any, themes: str = "light dark") -> None:
    """Nothing is wider than the phone, everything that can be pressed is big enough, and axe finds nothing serious."""
    page = visitor.page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    assert page.evaluate(TOO_SMALL) == []
    assert visitor.findings(themes) == []


def test_every_game_is_played_on_a_phone(meet, any_game):
    visitor = meet(width=PHONE, height=740, has_touch=True)
    if any_game == "shut-the-box":
        visitor.open_room(any_game, "^Play")
        visitor.settle()
        check(visitor, "light")
        visitor.play_box()
    elif any_game == "lanes":
        visitor.open_room(any_game, "^Play")
        for move in range(3):
            assert visitor.wait_for_turn()
            if move < 2:
                check(visitor, "light")
            visitor.move_in_lanes(plays=True)
        visitor.wait_for_turn()
    elif any_game == "craps-table":
        visitor.open_room(any_game, "^Play")
        visitor.settle()
        check(visitor, "light")
        assert visitor.press("Buy in")
        visitor.settle()
        visitor.bet("field")
        assert visitor.press("Roll")
        visitor.settle()
        assert visitor.page.locator(".craps-last li").count() == 1
    else:
        visitor.go(f"play/{any_game}")
        visitor.settle()
        check(visitor, "light")
        visitor.play(any_game)
        assert visitor.page.locator(".lines-sum").is_visible()
    check(visitor)


def test_every_screen_is_for_everybody(meet):
    visitor = meet(width=PHONE, height=740)
    visitor.play("hi-lo")
    session = visitor.felt("match")
    visitor.proof()
    check(visitor)
    for path in ("", "account", "history", f"history/session/{session}", "decks"):
        visitor.go(path)
        check(visitor)
    visitor.go("")
    visitor.open_room("lanes", "^Open a room")
    check(visitor)


def test_what_stands_beside_a_table_is_for_everybody(visitor):
    visitor.play("blackjack")
    for name in ("Rules", "Odds", "Coach", "Steps", "Proof"):
        tab = visitor.page.get_by_role("tab", name=name)
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
        visitor.page.wait_for_selector(".drawer *")
        assert visitor.findings() == []
