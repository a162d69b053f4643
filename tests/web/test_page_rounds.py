"""Every game is played through the page, from the first chip to the proof."""

from __future__ import annotations

import re

KEPT = {"kept", "receipt", "mine", "client seed", "asked", "count", "log"}
USUAL = {"form", "seal", "commitment", "seed", *KEPT}
"""What the proof checks of every record whose seed was committed to while this browser kept the receipt."""


def test_a_round_is_played_and_proven(visitor, house_game):
    visitor.play(house_game)

    assert re.match(r"You (win|lose) [\d,]+|Even", visitor.page.locator(".lines-sum").inner_text())
    checks = visitor.proof()
    assert checks.keys() >= USUAL | {"draws"}
    # A dealer who has peeked draws by a rule of their own, which the page leaves to `croupier verify`.
    left_open = {"draws"} if house_game == "blackjack" else set()
    assert {name for name, what in checks.items() if what == "open"} <= left_open
    assert "bad" not in checks.values()
    verdict = visitor.page.locator(".verdict").inner_text()
    assert re.match(
        "The (cards|dice|numbers) were fixed before you bet, and you mixed in a number of your own", verdict
    )
    assert verdict.endswith("worked them out again: the same.") == (checks["draws"] == "")


def test_shut_the_box_is_played_alone_and_proven(visitor):
    visitor.open_room("shut-the-box", "^Play")
    visitor.play_box()

    assert visitor.is_over
    checks = visitor.proof()
    assert checks.keys() >= USUAL
    assert "bad" not in checks.values()


def test_lanes_is_played_against_a_bot_and_proven(visitor):
    visitor.open_room("lanes", "^Play")
    for turn in range(40):
        if not visitor.wait_for_turn():
            break
        visitor.move_in_lanes(plays=turn < 4)

    assert visitor.is_over
    checks = visitor.proof()
    assert checks.keys() >= USUAL
    assert "bad" not in checks.values()


def test_a_hand_at_the_craps_table_is_played_and_proven(visitor):
    visitor.open_room("craps-table", "^Play")
    visitor.settle()
    assert visitor.press("Buy in")
    visitor.settle()
    visitor.bet("pass")
    for _ in range(200):  # a line is open for longer than this once in 10^18 hands
        assert visitor.press("Roll")
        visitor.settle()
        if re.search("pass line (wins|loses|comes back)", visitor.said[-1]):
            break
    assert visitor.press("Cash out")
    visitor.settle("[data-status=finished]")

    rolls = [text for text in visitor.said if re.match(r"[1-6] and [1-6]: ", text)]
    assert len(rolls) == visitor.page.locator(".craps-last li").count()
    checks = visitor.proof()
    assert checks.keys() >= USUAL
    assert "bad" not in checks.values()
