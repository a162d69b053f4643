"""Shipped tables of ultimate texas hold'em: the sums over all boards, and what a policy bets by them.

They lie in `data/` beside this module, and `python -m tools.holdem_tables FOLDER` makes them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import product
from math import comb
from struct import unpack
from typing import Literal

import msgspec
from msgspec import Struct

from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.kit import holdem

Qualifier = Literal["pair", "always"]
Policy = Literal["best", "simple"]

SOLUTION_FILE, FLOP_FILE = "solution.json", "flop.xz"

# Boards and hands of the dealer for two given hole cards, ten times over: a board has ten flops.
PER_HOLE = 10 * comb(50, 5) * rules.SHOWDOWN_COUNT
ROUND_COUNT = comb(52, 2) * PER_HOLE
"""How many rounds the sums of `Rounds` are over."""

# Whether 3 and whether 4 Antes may be bet before the flop.
RAISES: tuple[tuple[bool, bool], ...] = ((True, True), (False, True), (True, False), (False, False))


class Rounds(Struct, frozen=True):
    """Totals of a policy under one set of options, added up over `ROUND_COUNT` rounds."""

    dealer_qualifies: Qualifier
    play_3x: bool
    play_4x: bool
    policy: Policy
    profit: int
    """Of Ante, Blind and Play, in halves of the Ante."""
    bet: int
    """Antes that were bet on Play."""
    wins: int
    ties: int
    gain: int
    """Worth of boosts in super mode: boosts less 1 of Antes that won, times the denominator of their chances."""
    square: int
    """Of `profit`: that of each round squared."""
    gain_square: int
    """Amount that boosts add to `square` in super mode, times the denominator of their chances."""


class Sharp(Struct, frozen=True):
    """Totals of the best play in super mode, which reckons with boosts, fee aside."""

    dealer_qualifies: Qualifier
    play_3x: bool
    play_4x: bool
    profit: int
    """Over `ROUND_COUNT` rounds, in halves of the Ante over the denominator of the boosts."""


class Solution(Struct, frozen=True, forbid_unknown_fields=True):
    """All that was counted, but for what to do on the flop."""

    holes: dict[Qualifier, tuple[tuple[int, int, int], ...]]
    """For each kind of hole cards, over all of them: the profit of checking, of 3 and of 4 Antes, as in `Rounds`."""
    rounds: tuple[Rounds, ...]
    sharp: tuple[Sharp, ...]
    categories: dict[int, tuple[int, ...]]
    """How many hands there are of each category: of five, of six and of seven cards."""


@cache
def solution() -> Solution:
    """Return what was counted."""
    return msgspec.json.decode(_data(SOLUTION_FILE), type=Solution)


@cache
def flop_words(qualifier: Qualifier) -> tuple[int, ...]:
    """Return where the best policy raises on the flop: a bit for each place of `rules.flop_place`, in words of 32."""
    return _flop_tables()[qualifier]


@cache
def _flop_tables() -> dict[Qualifier, tuple[int, ...]]:
    return read_flop_words(_data(FLOP_FILE))


def read_flop_words(data: bytes) -> dict[Qualifier, tuple[int, ...]]:
    """Return the words of a file of flops.

    It has a byte for each two cards against each flop: 1 is a raise where the dealer needs a pair, and 2 one where not,
    both where they are not as `flop_guesses` has them. Rows are flops and columns are hole cards, so ordered that
    neighbours decide alike; and a place that is another by the names of suits, or that no cards come to, is as guessed.
    """
    import lzma  # Python can be built without it, and then plays all the same

    plain, order = lzma.decompress(data), holding_order()
    columns = sorted(range(len(order)), key=order.__getitem__)
    rows = sorted(range(len(flop_order())), key=flop_order().__getitem__)
    by_holding = b"".join(
        (int.from_bytes(plain[column :: len(columns)]) ^ int.from_bytes(guess)).to_bytes(len(guess))
        for column, guess in zip(columns, flop_guesses(), strict=True)
    )
    by_place = b"".join(by_holding[row :: len(rows)] for row in rows)[::-1]

    def words(digits: bytes) -> tuple[int, ...]:
        number = int(by_place.translate(digits.ljust(256)), 2)
        return unpack(f"<{rules.FLOP_WORDS}I", number.to_bytes(4 * rules.FLOP_WORDS, "little"))

    return {"pair": words(b"0101"), "always": words(b"0011")}


def flop_guesses() -> Iterator[bytes]:
    """Yield for each hole cards, by their numbers, a byte for each flop in `flop_order`: 3 for a likely raise.

    That is with a pair of which a hole card is one, and with four cards of the suit that the flop has most of.
    """

    def flops(*which: bool) -> int:
        return int.from_bytes(bytes(3 * one for one in which))

    paired = [flops(*(rank in ranks for _, ranks, _ in _flops())) for rank in range(13)]
    one_suit, two_suits, every = (flops(*(suits <= most for suits, _, _ in _flops())) for most in (0, 1, 2))
    for high in range(52):
        for low in range(high):
            pair = paired[high % 13] | paired[low % 13] if high % 13 != low % 13 else every
            draw = (0, one_suit, two_suits)[(high >= 39) + (low >= 39)]
            yield (pair | draw).to_bytes(len(_flops()))


def flop_order() -> tuple[int, ...]:
    """Return the numbers of the flops as the file has them: of one suit, two, three; with a pair last; by their ranks.

    >>> flop_order()[:3], len(flop_order()) == len(set(flop_order()))
    ((0, 1, 2), True)
    """
    return tuple(number for _, _, number in _flops())


@cache
def _flops() -> tuple[tuple[int, tuple[int, ...], int], ...]:
    """Return the flops in the order of the file: how many suits they have but one, their ranks, their numbers."""
    kinds = (((39, 39, 39), 1, 1), ((39, 39, 26), 1, -12), ((39, 26, 13), 0, 0))  # suits, and how far ranks are apart
    flops = [
        (suits, (a, b, c), holdem.flop_class(high + a, middle + b, low + c))
        for suits, ((high, middle, low), apart, below) in enumerate(kinds)
        for c, b, a in product(range(13), repeat=3)
        if a - b >= apart and b - c >= below
    ]
    return tuple(sorted(flops, key=lambda flop: (flop[0], len(set(flop[1])) < 3, sorted(flop[1])[::-1])))


def holding_order() -> tuple[int, ...]:
    """Return the numbers of hole cards as the file has them: by the higher rank, the lower one, then suits.

    >>> [holdem.holding(13, 0), holdem.holding(26, 0)] == list(holding_order()[:2])  # pairs of deuces
    True
    """
    pairs = [(high, low) for high in range(52) for low in range(high)]
    ordered = sorted(pairs, key=lambda pair: (*sorted((pair[0] % 13, pair[1] % 13), reverse=True), *pair))
    return tuple(holdem.holding(*pair) for pair in ordered)


def _data(name: str) -> bytes:
    package = resources.files("croupier.games.ultimate_texas_holdem")
    return (package / "data" / name).read_bytes()


@cache
def guide(options: HoldemOptions, policy: int) -> tuple[int, ...]:
    """Return what `rules.choose` goes by under these options, in a session without super mode or six-card bet."""
    preflop = [0] * rules.HOLE_CLASSES
    for first in range(52):
        for second in range(first):
            kind = rules.hole_class(first, second)
            if policy == rules.BEST:
                preflop[kind] = preflop_choice(solution().holes[options.dealer_qualifies][kind], options)
            elif rules.simple_preflop(first, second):
                preflop[kind] = 4 if options.play_4x else 3 if options.play_3x else 0
    head = (*options.numbers, policy, *preflop)
    return (*head, *flop_words(options.dealer_qualifies)) if policy == rules.BEST else head


def preflop_choice(profits: tuple[int, int, int], options: HoldemOptions) -> int:
    """Return what to bet before the flop, from the profits of checking, of 3 and of 4 Antes; where equal, the less."""
    check, play_3, play_4 = profits
    offers = [(check, 0)]
    if options.play_3x:
        offers.append((play_3, -3))
    if options.play_4x:
        offers.append((play_4, -4))
    return -max(offers)[1]


def hole_count(kind: int) -> int:
    """Return how many ways there are to hold two cards of a kind: 6 for a pair, 4 suited, 12 not suited.

    >>> [hole_count(kind) for kind in (168, 167, 155)]
    [6, 4, 12]
    """
    row, column = divmod(kind, 13)
    return 6 if row == column else 4 if row > column else 12
