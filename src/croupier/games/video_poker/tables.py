"""Tables shipped with the game because they take millions of hands to count: read here, made by one command.

    python -m tools.video_poker_tables src/croupier/games/video_poker/data

`counts.xz` says, for every set of up to four cards, how many hands of five that contain it are of which kind; from
that follow the sums of `rules.holds` under any pay table. `best_play.json` says how often each final hand comes about
under each policy. Tests make both again and compare them with what is here.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from struct import unpack_from
from typing import NamedTuple

import msgspec
from msgspec import Struct

from croupier.games.video_poker.bets import Hand, PayTable, Policy
from croupier.games.video_poker.rules import hands, holds

# The hands that there are without wild cards, and with wild deuces, in the order of the counts; without `NOTHING`.
FAMILIES: tuple[tuple[int, ...], ...] = (
    tuple(range(hands.HIGH_PAIR, hands.FIVE)),
    (*range(hands.TRIPS, hands.FOUR_LOW), *range(hands.FIVE, hands.HANDS)),
)

# Slot by slot, the counts of all hands of both families: for sets of up to three cards four bytes each, the lowest
# first, then a byte for sets of four cards, because no more than 48 hands contain any four.
WIDE_SLOTS = holds.FIRST_SLOTS[4]
HAND_COLUMNS = sum(map(len, FAMILIES))


ByLight = tuple[int, int, int, int, int]
"""A count for each number of light cards in a hand, none to four."""


class Solution(Struct, frozen=True, forbid_unknown_fields=True):
    """Solution of one pay table: its totals."""

    policies: dict[Policy, dict[Hand, ByLight]]
    """How often each hand is the final one, of all `deals`."""
    super_bound: tuple[int, int]
    """No play returns more than this per chip staked in super mode, as numerator and denominator."""


class BestPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `best_play.json`."""

    deals: int
    """Deals, each counted as often as makes all draws whole."""
    pay_tables: dict[PayTable, Solution]


@cache
def best_play() -> BestPlay:
    """Return what every policy comes to under every pay table."""
    return msgspec.json.decode(_shipped("best_play.json"), type=BestPlay)


class Column(NamedTuple):
    """Counts of hands of one kind that contain a set, by slot: of up to three cards, and of four."""

    wide: tuple[int, ...]
    narrow: bytes

    def count(self, slot: int) -> int:
        """Return how many hands contain a set with this slot."""
        return self.wide[slot] if slot < WIDE_SLOTS else self.narrow[slot - WIDE_SLOTS]


@cache
def counts(is_wild: bool) -> tuple[Column, ...]:
    """Return a column for each hand of the family."""
    import lzma  # Python can be built without it, and then plays all the same

    data = lzma.decompress(_shipped("counts.xz"))
    first = len(FAMILIES[0]) if is_wild else 0
    wide, narrow = unpack_from(f"<{WIDE_SLOTS * HAND_COLUMNS}I", data), data[4 * WIDE_SLOTS * HAND_COLUMNS :]
    columns = range(first, first + len(FAMILIES[is_wild]))
    return tuple(Column(wide[column::HAND_COLUMNS], narrow[column::HAND_COLUMNS]) for column in columns)


@cache
def sums(is_wild: bool, pays: tuple[int, ...]) -> tuple[int, ...]:
    """Return what all hands that contain a set return together, by the slot of the set, where hands return `pays`."""
    found = [0] * holds.SLOTS
    for hand, column in zip(FAMILIES[is_wild], counts(is_wild), strict=True):
        if pays[hand]:
            counted = (*column.wide, *column.narrow)
            found = [total + pays[hand] * count for total, count in zip(found, counted, strict=True)]
    return tuple(found)


def _shipped(name: str) -> bytes:
    return (resources.files("croupier.games.video_poker") / "data" / name).read_bytes()
