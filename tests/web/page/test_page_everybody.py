"""Accessibility and layout: every table and screen on phones and large screens, in light and dark, by axe."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import ALL, HOUSE, SIZES  # type: ignore[import-not-found, unused-ignore]

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
    visitor = meet(width=PHONE, height=740, hand="touch")
    for phase in visitor.phases(any_game):
        if phase != "with a bet":
            check(visitor, "light dark" if phase == "after" else "light")
    if any_game in HOUSE and visitor.is_over:
        assert visitor.page.locator(".lines-sum").is_visible()


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


def test_the_drawers_beside_a_table_are_accessible(visitor):
    visitor.play("blackjack")
    for name in ("Rules", "Odds", "Coach", "Steps", "Proof"):
        visitor.drawer(name)
        visitor.page.wait_for_selector(".drawer *")
        assert visitor.findings() == []


# Every table is a stage: nothing has to be scrolled to be played, and nothing lies over what can be pressed.

# Everything that can be pressed now is inside the window, and what is under its middle is itself. Two frames pass
# first: a table is fitted when its room has changed.
MISPLACED = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const wanted = ".stage :is(button, [data-bet], input, summary), #header :is(button, summary, input)";
  const found = [];
  for (const one of document.querySelectorAll(wanted)) {
    if (one.disabled || !one.getClientRects().length) continue;
    if (one.closest("details:not([open])") && !one.closest("summary")) continue;
    const box = one.getBoundingClientRect();
    const name = one.dataset.bet ?? one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 30);
    const isInside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    if (one.closest(".bet-bar") && one.scrollWidth > one.clientWidth) found.push(`${name} is wider than its button`);
    if (!isInside) found.push(`${name} is outside: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const target = one.closest("label") ?? one;
    if (isInside && !(hit && (target.contains(hit) || hit.contains(one) && hit.tagName === "LABEL"))) {
      found.push(`${name} is under ${hit?.className?.baseVal ?? hit?.className ?? hit}`);
    }
  }
  const play = document.querySelector(".felt-play");
  const below = play.scrollHeight - play.clientHeight;
  if (below > 1) found.push(`the table scrolls by ${below}`);
  if (Number(play.firstElementChild.style.zoom) <= 0.5) found.push("the table is as small as can be");
  if (document.documentElement.scrollHeight > innerHeight) found.push("the page scrolls");
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is too wide");
  return found;
}
"""


def misplaced(visitor: Any, phase: str, sizes: tuple[str, ...] = tuple(SIZES)) -> list[str]:
    """Return what is out of place in each size, for a table in one phase of a round."""
    wrong = []
    for size in sizes:
        width, height = SIZES[size]
        visitor.page.set_viewport_size({"width": width, "height": height})
        wrong += [f"{phase}, {size}: {one}" for one in visitor.page.evaluate(MISPLACED)]
    return wrong


def phases(visitor: Any, game: str, sizes: tuple[str, ...] = tuple(SIZES)) -> list[str]:
    """Play a round, and look at every size before it, in the middle and after it."""
    return [one for phase in visitor.phases(game) for one in misplaced(visitor, phase, sizes)]


# Pairs in the suite: every game with every size, with the keyboard here, a finger on a phone and the mouse in the other
# tests; themes change from game to game, and one game is played with a finger at every size. The soak has them all.
def test_every_table_fits_every_screen(meet, any_game):
    theme = ("light", "dark")[ALL.index(any_game) % 2]
    assert phases(meet(hand="keyboard", color_scheme=theme), any_game) == []


def test_a_long_hand_pushes_no_circle_out_on_a_phone_on_its_side(meet):
    one = meet(width=844, height=390)
    assert [phase for phase in one.phases("three-card-poker") if phase == "after"]
    name = "(words) => document.querySelectorAll('.hand-words').forEach((one) => (one.textContent = words))"
    for length in range(8, 40):
        one.page.evaluate(name, "A flush, 10-8-3 and so on, for ever"[:length])
        assert one.page.evaluate(MISPLACED) == [], length


def test_all_chips_are_whole_on_the_smallest_phone(meet):
    one = meet(width=320, height=568)
    one.open_table("roulette")
    boxes = [chip.bounding_box() for chip in one.page.locator(".tray-chip").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 320 for box in boxes)


def test_the_felt_keeps_its_colours_where_others_are_forced(meet):
    """They tell what nothing else does: the chosen chip, whose pawns are whose; and bets stand on a dark ground."""
    one = meet(forced_colors="active")
    one.open_table("roulette")
    rings = "(chips) => chips.map((chip) => getComputedStyle(chip).borderTopColor)"
    assert len(set(one.page.locator(".tray-chip:not(:disabled)").evaluate_all(rings))) == 2
    one.go("")
    one.open_room("lanes", "^Play")
    one.settle()
    pawns = "(pawns) => pawns.map((pawn) => getComputedStyle(pawn).color)"
    assert len(set(one.page.locator(".lanes-pawns").evaluate_all(pawns))) == 2


def test_the_drawers_tabs_are_clear_of_all_else_on_a_tablet_and_where_letters_are_twice_as_large(visitor):
    visitor.open_table("blackjack")
    visitor.page.wait_for_selector(".super")
    for width in (768, 1024, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 1024})
        name, tabs = (visitor.page.locator(one).bounding_box() for one in (".table-head h1", ".drawer-tabs"))
        assert name["x"] + name["width"] <= tabs["x"] or name["y"] + name["height"] <= tabs["y"], width
    visitor.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert [one for one in visitor.page.evaluate(MISPLACED) if "under" in one] == []


@pytest.mark.parametrize("game", ["blackjack", "roulette", "video-poker"])
def test_super_takes_no_row_of_its_own_on_the_smallest_phone(meet, game):
    one = meet(width=320, height=568)
    one.open_table(game)
    one.page.wait_for_selector(".super")
    assert one.page.evaluate(MISPLACED) == []


def test_tiles_that_are_shut_do_not_make_the_box_small(meet):
    """A tile that lies is drawn wider than its place, also in the last column."""
    one = meet(width=360, height=640)
    one.open_room("shut-the-box", "^Play")
    one.settle()
    one.page.evaluate("document.querySelectorAll('.shut-box-tile').forEach((tile) => tile.classList.add('is-down'))")
    assert misplaced(one, "shut", ("phone",)) == []


def test_a_table_fits_every_screen_that_is_touched(meet):
    assert phases(meet(hand="touch"), "roulette") == []


@pytest.mark.parametrize("game", ["craps", "sic-bo"])
def test_every_face_of_a_layout_fits(visitor, game):
    visitor.open_table(game)
    wrong = []
    for name in ("Numbers", "One roll", "Whole hand", "Combinations"):
        visitor.page.set_viewport_size({"width": 390, "height": 844})
        tab = visitor.page.locator(".faces button", has_text=name)
        if tab.count():
            tab.click()
            wrong += misplaced(visitor, name)
    assert wrong == []


def test_long_words_beside_the_hands_do_not_make_a_table_small(meet):
    """The name of a hand comes from the cards: here both have the longest words there are."""
    visitor = meet(width=844, height=390)
    visitor.deal("three-card-poker")
    visitor.page.evaluate(
        """() => {
          for (const head of document.querySelectorAll(".felt .card-side-head")) {
            for (const [kind, words] of [["words", "A straight flush, king high"], ["badge", "does not qualify"]]) {
              const more = document.createElement("span");
              more.className = `hand-${kind}`;
              more.textContent = words;
              head.append(more);
            }
          }
        }"""
    )
    assert misplaced(visitor, "dealt", ("desk", "sideways")) == []
    assert float(visitor.page.evaluate("document.querySelector('.felt-play > *').style.zoom")) > 0.8


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("hand", ["mouse", "touch", "keyboard"])
def test_every_table_is_played_on_every_screen_with_every_hand(meet, any_game, size, theme, hand):
    width, height = SIZES[size]
    visitor = meet(width=width, height=height, color_scheme=theme, hand=hand, reduced_motion="no-preference")
    assert phases(visitor, any_game, (size,)) == []


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_nothing_moves_under_a_finger(meet, size):
    """A spot that is pressed stays where it is until it is let go, whatever the press brings up elsewhere."""
    width, height = SIZES[size]
    visitor = meet(width=width, height=height)
    visitor.open_table("craps")
    visitor.bet("field")
    spot = visitor.page.locator('.felt [data-bet="pass"]')
    spot.hover()
    before = spot.bounding_box()
    visitor.page.mouse.down()
    visitor.page.evaluate(MISPLACED)  # two frames later
    assert spot.bounding_box() == before
    visitor.page.mouse.up()
    visitor.page.wait_for_selector('.felt [data-bet="pass"].has-chips', state="attached")


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_board_stays_where_it_is_while_a_play_is_previewed(meet, size):
    width, height = SIZES[size]
    visitor = meet(width=width, height=height)
    visitor.pick_in_lanes()
    board, tile = visitor.page.locator(".lanes-board"), visitor.page.locator(".lanes-tile.is-lit").first
    before, pressed = board.bounding_box(), tile.get_attribute("data-tile")
    tile.hover()
    visitor.page.mouse.down()
    visitor.page.wait_for_selector(".lanes-board.is-preview .lanes-placed")
    visitor.page.wait_for_selector(".moment small:has-text('lane')")
    visitor.page.evaluate(MISPLACED)  # two frames later
    assert board.bounding_box() == before
    visitor.page.mouse.up()
    visitor.page.wait_for_selector(f'.lanes-tile.is-picked[data-tile="{pressed}"]')
    assert visitor.press("Play")
