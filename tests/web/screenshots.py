"""Screenshots of every table before, during and after a round, in five sizes, and of the other screens.

`SCREENSHOTS=folder pytest tests/web/screenshots.py [-k craps]`; by its name the suite leaves it alone. Nothing is
compared with anything: the pictures are to be looked at. Those of the README, one of them moving:
`SCREENSHOTS=docs/images pytest tests/web/screenshots.py -k readme`.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from tests.web.conftest import SIZES  # type: ignore[import-not-found, unused-ignore]

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Motions of the wheel and of a win stand still until `MOVE` says where they are, however slow the machine is.
HOLD = """
(() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const motion = animate.apply(this, given);
    if (this.closest(".wheel") || this.matches(".burst")) motion.pause();
    return motion;
  };
})();
"""
MOVE = "(at) => document.getAnimations().forEach((one) => at === null ? one.finish() : (one.currentTime = at))"


def folder() -> Path:
    """Return where pictures go."""
    made = Path(os.environ.get("SCREENSHOTS", "screenshots"))
    made.mkdir(parents=True, exist_ok=True)
    return made


def shoot(visitor: Any, name: str) -> None:
    """Write one picture for each size, and one each at a desk and on a phone in the dark."""
    for size, (width, height) in SIZES.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark") if size in ("desk", "phone") else ("light",):
            visitor.page.emulate_media(color_scheme=theme)
            visitor.page.evaluate(TWO_FRAMES)
            visitor.page.screenshot(path=folder() / f"{name}-{size}{'-dark' if theme == 'dark' else ''}.png")
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


def test_readme(meet):
    """Write a round of roulette that wins as an animation, and a match of Lanes and a proof as pictures."""
    from PIL import Image

    def write(name: str, frames: list[tuple[bytes, int]]) -> None:
        first, *others = [Image.open(io.BytesIO(frame)).convert("RGB") for frame, _ in frames]
        times = [ms for _, ms in frames]
        path = folder() / f"{name}.webp"
        first.save(path, quality=70, method=6, save_all=True, append_images=others, duration=times, loop=0)

    visitor = meet(width=1280, height=720, device_scale_factor=0.6, reduced_motion="no-preference")
    page = visitor.page
    page.add_init_script(HOLD)
    page.reload()
    visitor.open_table("roulette")
    while not page.locator(".lines-sum.good").count():
        frames = []
        for bet in ("red", "dozen:2", "straight:17"):
            visitor.bet(bet)
            frames.append((page.screenshot(), 350))
        visitor.press("Spin")
        page.wait_for_selector(".felt[data-status=finished]", state="attached")
        for at in range(0, 1400, 50):
            page.evaluate(MOVE, at)
            frames.append((page.screenshot(), 80))
        page.evaluate(MOVE, None)
        visitor.settle()
    for burst, ms in ((200, 600), (500, 600), (None, 2500)):
        page.evaluate(MOVE, burst)
        frames.append((page.screenshot(), ms))
    write("roulette", frames)

    visitor = meet(width=1280, height=720)
    for _ in visitor.phases("lanes"):
        pass
    write("lanes", [(visitor.page.screenshot(), 0)])
    visitor.play("baccarat")
    visitor.proof()
    write("proof", [(visitor.page.screenshot(), 0)])
