"""Every table on every screen: nothing has to be scrolled to be played, and nothing lies over what can be pressed."""

from __future__ import annotations

from typing import Any

import pytest

SIZES = {"desk": (1280, 720), "laptop": (1366, 768), "large": (1920, 1080), "phone": (390, 844), "sideways": (844, 390)}

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
  if (document.documentElement.scrollHeight > innerHeight) found.push("the page scrolls");
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is too wide");
  return found;
}
"""


def check(visitor: Any, phase: str, sizes: tuple[str, ...] = tuple(SIZES)) -> list[str]:
    """Return what is out of place in each size, for a table in one phase of a round."""
    wrong = []
    for size in sizes:
        width, height = SIZES[size]
        visitor.page.set_viewport_size({"width": width, "height": height})
        wrong += [f"{phase}, {size}: {one}" for one in visitor.page.evaluate(MISPLACED)]
    return wrong


def phases(visitor: Any, game: str, sizes: tuple[str, ...] = tuple(SIZES)) -> list[str]:
    """Play a round, and look at every size before it, in the middle and after it."""
    if game in ("craps-table", "lanes", "shut-the-box"):
        visitor.open_room(game, "^Play")
    else:
        visitor.go(f"play/{game}")
    visitor.settle()
    wrong = check(visitor, "before", sizes)
    if game == "shut-the-box":
        assert visitor.press("Roll")
        visitor.settle()
        wrong += check(visitor, "ways", sizes)
        visitor.play_box()
    elif game == "lanes":
        for move in range(4):
            assert visitor.wait_for_turn()
            visitor.move_in_lanes(plays=move < 3)
        visitor.wait_for_turn()
    elif game == "craps-table":
        assert visitor.press("Buy in")
        visitor.settle()
        visitor.bet("pass")
        wrong += check(visitor, "with a bet", sizes)
        assert visitor.press("Roll")
        visitor.settle()
    elif game in ("baccarat", "craps", "roulette", "sic-bo"):
        visitor.bet({"baccarat": "banker", "craps": "pass", "roulette": "red", "sic-bo": "big"}[game])
        wrong += check(visitor, "with a bet", sizes)
        visitor.page.locator(".bet-bar .primary").click()
        visitor.settle()
    else:
        assert visitor.press("Deal")
        visitor.settle()
        wrong += check(visitor, "dealt", sizes)
        while not visitor.is_over:
            assert visitor.press(
                "Draw", "Stand", "Play", "No insurance", "Higher", "Lower", "Cash", "War", "Go to", "Reveal"
            )
            visitor.settle()
    return wrong + check(visitor, "after", sizes)


def test_every_table_fits_every_screen(visitor, any_game):
    assert phases(visitor, any_game) == []


@pytest.mark.parametrize("game", ["craps", "sic-bo"])
def test_every_face_of_a_layout_fits(visitor, game):
    visitor.go(f"play/{game}")
    visitor.settle()
    wrong = []
    for name in ("Numbers", "One roll", "Whole hand", "Combinations"):
        visitor.page.set_viewport_size({"width": 390, "height": 844})
        tab = visitor.page.locator(".faces button", has_text=name)
        if tab.count():
            tab.click()
            wrong += check(visitor, name)
    assert wrong == []


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_table_is_played_on_every_screen_with_a_finger(meet, any_game, size, theme):
    width, height = SIZES[size]
    visitor = meet(width=width, height=height, color_scheme=theme, has_touch=True, reduced_motion="no-preference")
    assert phases(visitor, any_game, (size,)) == []


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_nothing_moves_under_a_finger(meet, size):
    """What is pressed stays where it is until it is let go, whatever the press brings up elsewhere."""
    width, height = SIZES[size]
    visitor = meet(width=width, height=height)
    visitor.go("play/craps")
    visitor.settle()
    visitor.bet("field")
    spot = visitor.page.locator('.felt [data-bet="pass"]')
    spot.hover()
    before = spot.bounding_box()
    visitor.page.mouse.down()
    visitor.page.evaluate(MISPLACED)  # two frames later
    assert spot.bounding_box() == before
    visitor.page.mouse.up()
    visitor.page.wait_for_selector('.felt [data-bet="pass"].has-chips', state="attached")
