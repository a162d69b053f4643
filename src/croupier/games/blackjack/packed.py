"""Decoder of `values.xz`: each value is stored as its difference from a prediction by the values before it.

A value hardly bends with one over the number of decks, so the curve through the numbers of decks before foretells the
next one to some digits; where the dealer hits soft 17 it is much what it is where not; and two options together add
about what each does alone. The rest is kept in bytes of equal weight side by side: half of what the digits take.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product, repeat, starmap, zip_longest
from operator import add, mul
from typing import Any

DECK_ORDER = (8, 1, 2, 4, 6)
RULES = "sh"
"""Letters for a dealer who stands on soft 17, and who hits it: those of `strategy.dealer_key`."""
WIDTH = 6  # bytes of a number
ROUND_KEYS = ("", "s", "d", "ds", "h", "hs", "hr", "hrs", "hd", "hds", "hrd", "hrds")
"""The keys of `strategy.round_key`."""
SMALL = 6
"""The hard total up to which a hand has thousands of ways to go on."""
SMALL_HANDS = tuple((low, high) for low in range(1, SMALL) for high in range(low, SMALL + 1 - low))
"""Values of two cards, the lower first, of which the file has what a hit is worth."""

# What there is for each number of decks and each rule, and how many numbers: by part, letter of the peek, and names.
COLUMNS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("hits", "", ""), 10 * len(SMALL_HANDS)),
    *((("splits", peek, "pairs", key), 80) for peek, key in product("np", ("", "d"))),
    *((("splits", peek, "aces", key), 10) for peek, key in product("np", ("", "h", "hr", "hd", "hrd"))),
    *(((policy, peek, key), 6) for policy, peek, key in product(("basic", "never_bust"), "np", ROUND_KEYS)),
)


def foretold(known: Sequence[Sequence[int]]) -> list[int]:
    """Return what the columns of some numbers of decks foretell for the next in `DECK_ORDER`, rounded down.

    >>> foretold([[1000], [8000]])  # a line over one over the decks: 8 and 1 are known, 2 is next
    [4000]
    """
    *decks, wanted = DECK_ORDER[: len(known) + 1]
    weights = [
        math.prod(
            (Fraction(one * (other - wanted), wanted * (other - one)) for other in decks if other != one), start=1
        )
        for one in decks
    ]
    unit = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * unit) for weight in weights]
    return [sum(map(mul, whole, row)) // unit for row in zip(*known, strict=True)]


def added(found: Mapping[str, Sequence[int]], key: str) -> Iterable[int]:
    """Return what values by letters of options foretell for some letters together: the last adds what it does alone.

    >>> list(added({"": [10], "d": [13], "s": [11]}, "ds"))
    [14]
    """
    if not key:
        return repeat(0)
    none = found[""]
    alone = found.get(key[-1], none) if len(key) > 1 else none
    return (one + other - base for one, other, base in zip(found[key[:-1]], alone, none, strict=True))


def read_values(data: bytes) -> dict[str, Any]:
    """Return what the file holds: values by part, key and names, in `strategy.SCALE` parts of the stake."""
    import lzma  # Python can be built without it, and then plays all the same

    found: dict[str, Any] = {}
    plain, at = lzma.decompress(data), 0
    for (part, peek, *names), length in COLUMNS:
        less: list[list[int]] = [[0] * length] * len(DECK_ORDER)
        for rule in RULES:
            count = length * len(DECK_ORDER)
            numbers = _numbers(plain[at + byte * count : at + (byte + 1) * count] for byte in range(WIDTH))
            at += WIDTH * count
            rows: list[list[int]] = []
            for start in range(0, count, length):
                rest = numbers[start : start + length]
                rows.append(list(starmap(add, zip_longest(rest, foretold(rows), fillvalue=0))))
            less = [list(map(add, row, base)) for row, base in zip(rows, less, strict=True)]
            for decks, row in zip(DECK_ORDER, less, strict=True):
                place = found.setdefault(part, {}).setdefault(f"{decks}{rule}{peek}", {})
                for name in names[:-1]:
                    place = place.setdefault(name, {})
                place[names[-1]] = list(map(add, row, added(place, names[-1])))
    return found


def _numbers(planes: Iterable[bytes]) -> list[int]:
    """Return numbers from their bytes, the least first; the last bit says whether one is negative."""
    plain = (int.from_bytes(number, "little") for number in zip(*planes, strict=True))
    return [number >> 1 ^ -(number & 1) for number in plain]
