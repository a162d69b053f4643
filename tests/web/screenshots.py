"""Screenshots of every table before, during and after a round, in five sizes, and of the other screens.

`SCREENSHOTS=folder pytest tests/web/screenshots.py [-k craps]`; by its name the suite leaves it alone. Nothing is
compared with anything: the pictures are to be looked at.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

SIZES = {"desk": (1280, 720), "laptop": (1366, 768), "large": (1920, 1080), "phone": (390, 844), "sideways": (844, 390)}
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def shoot(visitor: Any, name: str) -> None:
    """Write one picture for each size, and one each at a desk and on a phone in the dark."""
    folder = Path(os.environ.get("SCREENSHOTS", "screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    for size, (width, height) in SIZES.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark") if size in ("desk", "phone") else ("light",):
            visitor.page.emulate_media(color_scheme=theme)
            visitor.page.evaluate(TWO_FRAMES)
            visitor.page.screenshot(path=folder / f"{name}-{size}{'-dark' if theme == 'dark' else ''}.png")
    visitor.page.emulate_media(color_scheme="light")


def test_tables(visitor, any_game):
    for phase in visitor.phases(any_game):
        shoot(visitor, f"{any_game}-{phase.replace(' ', '-')}")


def test_screens(visitor):
    shoot(visitor, "lobby")
    visitor.open_room("lanes", "^Open a room")
    shoot(visitor, "room")
    visitor.play("blackjack")
    visitor.press("Deal")
    visitor.settle()
    for drawer in ("Rules", "Odds", "Coach", "Steps", "Proof"):
        visitor.page.get_by_role("tab", name=drawer).click()
        visitor.page.wait_for_selector(".drawer *")
        visitor.settle()
        shoot(visitor, f"drawer-{drawer.lower()}")
    for screen in ("history", "account", "decks"):
        visitor.go(screen)
        shoot(visitor, screen)
