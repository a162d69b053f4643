"""Animations: nothing on a table tells a result before the ball, the dice or the cards have."""

from __future__ import annotations

import itertools
import re

import pytest

# Notes the texts of what selectors find, and whether a ball or a die moves, whenever one changes: a slow machine
# misses nothing.
WATCH = """(selectors) => {
  const seen = (window.seen = []);
  const note = () => {
    const now = selectors.map((each) => [...document.querySelectorAll(each)].map((one) => one.textContent));
    const moving = document.querySelectorAll(".wheel-ball, :is(.craps, .shut-box) .die");
    const motions = [...moving].flatMap((one) => one.getAnimations());
    now.push(motions.some(({ playState }) => playState === "running"));
    if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
  };
  note();
  const changes = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(document.body, changes);
}"""


@pytest.fixture
def visitor(meet):
    """Somebody who sees everything move."""
    return meet(reduced_motion="no-preference")


def test_the_purse_and_the_result_wait_for_the_ball(visitor):
    visitor.open_table("roulette")
    for bet in ("red", "black", "straight:0"):  # whatever falls, something comes back
        visitor.bet(bet)
    purse = visitor.page.locator(".purse strong")
    assert purse.inner_text() == "1,000"
    visitor.page.evaluate(WATCH, [".purse strong", ".lines-sum", ".roulette-fell b"])
    visitor.page.locator(".bet-bar .primary").click()
    visitor.settle("[data-status=finished]")

    assert purse.inner_text() in ("995", "1,165")
    assert visitor.page.locator(".lines-sum").is_visible()
    seen = visitor.page.evaluate("window.seen")
    assert [told for *told, is_rolling in seen if is_rolling] == [[["985"], [], []]], seen


@pytest.mark.parametrize("game", ["craps", "craps-table"])
def test_nothing_tells_what_fell_while_the_dice_roll(visitor, game):
    """Buttons that bets are gone or odds are offered, what a rack holds, words: all are as before the roll."""
    if game == "craps":
        visitor.go("play/craps")
    else:
        visitor.open_room(game, "^Play")
    visitor.settle()
    if game == "craps-table":
        visitor.act("Buy in")
    told = [".bet-bar", ".bet-bar button", ".shared-seats", ".shared-bank summary", ".craps-card"]
    decided = offered = 0
    for _ in range(60):  # until a line was decided and odds were offered: at most twenty rolls, but once in 10^6
        if not visitor.page.locator(".craps-card button").count():
            visitor.bet("pass")
            visitor.settle()
        visitor.page.evaluate(WATCH, [".moment-words", *told])
        before = visitor.page.evaluate("window.seen")[-1][1:-1]
        visitor.act("Roll")
        rolling = [row[:-1] for row in visitor.page.evaluate("window.seen") if row[-1]]
        assert rolling
        assert {words for (words,), *_ in rolling[1:]} <= {"No more bets."}
        assert all(rest == before for _, *rest in rolling), (before, rolling)
        offered += visitor.page.get_by_role("button", name="Full odds").count()
        decided += visitor.page.locator(".craps-card button").count() == 0
        if offered and decided:
            break
    assert offered
    assert decided


def test_cards_are_dealt_before_it_is_told_what_they_came_to(visitor):
    visitor.open_table("casino-war")
    visitor.page.evaluate(WATCH, [".felt .card.is-dealt", ".felt .hand-badge"])
    for _ in range(20):
        visitor.page.locator(".felt .table-primary").click()
        visitor.page.wait_for_selector(".felt .hand-badge")
        visitor.settle()
        if visitor.is_over:
            break
        visitor.press("Surrender")
        visitor.settle()
    assert visitor.page.locator(".lines-sum").is_visible()
    seen = [[len(cards), len(badges)] for cards, badges, _ in visitor.page.evaluate("window.seen")]
    told = [(before, after) for before, after in itertools.pairwise(seen) if not before[1] and after[1]]
    assert told
    assert all(before[0] == after[0] == 2 for before, after in told), seen


def test_cards_that_lie_face_down_lie_there_until_they_are_turned(visitor):
    visitor.deal("three-card-poker")
    cards = ".three-card-poker-dealer .card"
    visitor.page.evaluate(WATCH, [cards, f"{cards}.is-turned"])
    visitor.act("Play", until="[data-status=finished]")
    seen = [(len(lying), len(turned)) for lying, turned, _ in visitor.page.evaluate("window.seen")]
    assert [turned for lying, turned in seen if lying == 3] == [0, 1, 2, 3], seen


def test_a_box_tells_nothing_before_its_dice_have_rolled(visitor):
    visitor.open_room("shut-the-box", "^Play")
    visitor.settle("[data-turn=mine]")
    visitor.page.evaluate(WATCH, [".moment-words", ".shut-box-sum", ".shut-box-way", ".table-status"])
    visitor.act("Roll", until="[data-turn=mine]")
    assert visitor.page.locator(".shut-box-way").count()
    seen = visitor.page.evaluate("window.seen")
    assert [row[:-1] for row in seen if row[-1]] == [[["The dice roll."], [], [], ["your turn"]]], seen


def test_what_is_lit_is_seen_before_the_ball_and_chips_that_win_fly_home(visitor):
    visitor.go("play/roulette")
    visitor.page.get_by_role("checkbox", name=re.compile("^Super")).click()
    with visitor.page.expect_response("**/me/modifiers"):
        visitor.page.get_by_role("button", name="Play super").click()
    watched = [".roulette-lit", ".roulette-fell b", ".burst", "body > .chip"]
    visitor.page.evaluate(WATCH, watched)
    visitor.bet("red")
    visitor.act("Spin", until="[data-status=finished]")
    shown = [row for row in visitor.page.evaluate("window.seen") if row[0]]
    assert not shown[0][-1], "the ball rests while the numbers are lit"
    assert [row[:2] for row in shown if row[-1]] == [[shown[0][0], []]]

    for _ in range(40):  # red loses that often once in 10^11
        if visitor.page.locator(".lines-sum.good").count():
            break
        visitor.act("Spin", until="[data-status=finished]")
    assert any(burst and chips for _, _, burst, chips, _ in visitor.page.evaluate("window.seen"))
