"""Tables shipped with the game because they take millions of hands to count: read here, made by one command.

    python -m tools.video_poker_tables src/croupier/games/video_poker/data

`counts.zlib` says, for every set of up to four cards, how many hands of five that contain it are of which kind; from
that follow the sums of `rules.holds` under any pay table. `best_play.json` says how often each final hand comes about
under each policy. Tests make both again and compare them with what is here.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib import resources
from struct import unpack_from
from typing import NamedTuple

import msgspec
from msgspec import Struct

from croupier.games.video_poker.bets import Hand, PayTable, Policy
from croupier.games.video_poker.rules import hands, holds

FAMILIES: tuple[tuple[int, ...], ...] = (
    (
        hands.HIGH_PAIR,
        hands.TWO_PAIR,
        hands.TRIPS,
        hands.STRAIGHT,
        hands.FLUSH,
        hands.FULL_HOUSE,
        hands.FOUR,
        hands.STRAIGHT_FLUSH,
        hands.ROYAL,
        hands.FOUR_LOW,
        hands.FOUR_ACES,
    ),
    (
        hands.TRIPS,
        hands.STRAIGHT,
        hands.FLUSH,
        hands.FULL_HOUSE,
        hands.FOUR,
        hands.STRAIGHT_FLUSH,
        hands.ROYAL,
        hands.FIVE,
        hands.WILD_ROYAL,
        hands.FOUR_DEUCES,
    ),
)
"""The hands that there are without wild cards, and with wild deuces, in the order of the counts; without `NOTHING`."""

# Of one hand: its count in every slot of up to three cards, four bytes each with the lowest first, then a byte for
# every slot of four cards, because no more than 48 hands contain any four.
WIDE_SLOTS = holds.FIRST_SLOTS[4]
NARROW_SLOTS = holds.SLOTS - WIDE_SLOTS
COLUMN_BYTES = 4 * WIDE_SLOTS + NARROW_SLOTS


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
    data = zlib.decompress(_shipped("counts.zlib"))
    first = len(FAMILIES[0]) if is_wild else 0
    starts = [column * COLUMN_BYTES for column in range(first, first + len(FAMILIES[is_wild]))]
    return tuple(
        Column(unpack_from(f"<{WIDE_SLOTS}I", data, start), data[start + 4 * WIDE_SLOTS : start + COLUMN_BYTES])
        for start in starts
    )


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
