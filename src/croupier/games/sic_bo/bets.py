"""The names of the sic bo bets and their codes on the wire.

After the colon stands what the player points at: a face (`triple:4`, `double:3`, `single:5`), a total (`total:9`), or
faces. `domino:1-4` needs both faces; `easy_hop:1-2-3` is exactly these three dice; `hard_hop:4-4-1` is a pair and an
odd one, the pair first; `four_faces:1-2-3-4` is three different faces out of these four. Faces ascend, but for the
hard hop.
"""

from __future__ import annotations

from croupier.games.sic_bo import rules

KINDS = (
    "small", "big", "odd", "even", "triple", "any_triple", "double", "total", "single", "domino", "easy_hop",
    "hard_hop", "four_faces",
)  # fmt: skip


def _named(kind: int, number: int) -> str:
    if rules.number_is_ignored(kind):
        return KINDS[kind]
    first, second = number >> 4, number & 15
    if kind == rules.DOMINO:
        shown = [first, second]
    elif kind == rules.HARD_HOP:
        shown = [first, first, second]
    elif kind in (rules.EASY_HOP, rules.FOUR_FACES):
        shown = [face for face in range(1, 7) if number >> (face - 1) & 1]
    else:
        shown = [number]
    return f"{KINDS[kind]}:" + "-".join(map(str, shown))


def _catalogue() -> dict[str, tuple[int, int]]:
    found = {}
    for kind in range(rules.KIND_COUNT):
        for number in range(1 if rules.number_is_ignored(kind) else 256):
            if rules.valid(kind, number):
                found[_named(kind, number)] = kind, number
    return found


BETS: dict[str, tuple[int, int]] = _catalogue()
"""Every bet: name to kind and number."""
