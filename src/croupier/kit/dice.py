"""Dice: rolls, the exact chances of their totals, and dice drawn in text."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Protocol

from msgspec import Struct

from croupier.kit.errors import KitError


class Roller(Protocol):
    """The one draw that dice need; `GameRng` has it."""

    def dice(self, sides: int, count: int = 1, /) -> tuple[int, ...]:
        """Return that many faces."""


class Roll(Struct, frozen=True):
    """The faces in the order they were drawn, and what they add up to."""

    dice: tuple[int, ...]
    total: int


def roll(rng: Roller, sides: int = 6, count: int = 1) -> Roll:
    """Return `count` dice drawn from the stream, each from 1 to `sides`; the stream refuses other numbers."""
    dice = rng.dice(sides, count)
    return Roll(dice=dice, total=sum(dice))


def d6(rng: Roller) -> int:
    """Return the face of one six-sided die."""
    return roll(rng).total


def sum_distribution(sides: int, count: int) -> dict[int, Fraction]:
    """Return the exact chance of every total of `count` dice, lowest total first.

    >>> chances = sum_distribution(6, 2)
    >>> chances[2], chances[7], sum(chances.values())
    (Fraction(1, 36), Fraction(1, 6), Fraction(1, 1))
    """
    if sides < 1 or count < 0:
        raise KitError(f"{count} dice of {sides} sides: dice have 1 side or more, and there are 0 or more")
    ways = {0: 1}
    for _ in range(count):
        longer: dict[int, int] = {}
        for total, so_far in ways.items():
            for face in range(1, sides + 1):
                longer[total + face] = longer.get(total + face, 0) + so_far
        ways = longer
    return {total: Fraction(ways[total], sides**count) for total in sorted(ways)}


def die_glyph(face: int) -> str:
    """Return the Unicode character for a face of a six-sided die.

    >>> "".join(die_glyph(face) for face in range(1, 7))
    '⚀⚁⚂⚃⚄⚅'
    """
    return "⚀⚁⚂⚃⚄⚅"[require_face(face) - 1]


_NONE, _LEFT, _MIDDLE, _RIGHT, _BOTH = "       ", " ●     ", "   ●   ", "     ● ", " ●   ● "
_PIP_ROWS = (
    (_NONE, _MIDDLE, _NONE),
    (_LEFT, _NONE, _RIGHT),
    (_LEFT, _MIDDLE, _RIGHT),
    (_BOTH, _NONE, _BOTH),
    (_BOTH, _MIDDLE, _BOTH),
    (_BOTH, _BOTH, _BOTH),
)


def dice_art(faces: Iterable[int]) -> list[str]:
    r"""Return five lines of text that show six-sided dice side by side, nine columns each and one between.

    >>> print(*dice_art((5, 2)), sep="\n")
    ╭───────╮ ╭───────╮
    │ ●   ● │ │ ●     │
    │   ●   │ │       │
    │ ●   ● │ │     ● │
    ╰───────╯ ╰───────╯
    """
    dice = [_PIP_ROWS[require_face(face) - 1] for face in faces]
    middle = [" ".join(f"│{die[row]}│" for die in dice) for row in range(3)]
    return [" ".join("╭───────╮" for _ in dice), *middle, " ".join("╰───────╯" for _ in dice)]


def require_face(face: int) -> int:
    """Return the face, or raise `KitError` when a six-sided die has none such."""
    if not 1 <= face <= 6:
        raise KitError(f"{face} is no face of a die: faces are 1 to 6")
    return face
