"""Tallies of simulated rounds: sums and a count of every result, in whole numbers that can be added up.

A compiled `harvest` takes a block of rounds into one array; `read_tally` makes Python's unbounded numbers of it. How
often each net result came up is counted in a hash table inside the array. A round whose result finds no place there,
after sixteen thousand different ones, goes into a pool: its squares still count, its place in the distribution is known
to the power of two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from operator import add
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import astuple
from numpy.typing import NDArray

from croupier.errors import BadOptions
from croupier.house.modifiers import modified_net
from croupier.rounds import FEES, LINES, NOT_LAID, RETURNED, STAKED

NET_MAX = 3_000_000_000  # its square fits 63 bits
SQUARE_BITS = 31  # a square is added up in two halves: a chunk of them would not fit 63 bits
SQUARE_MASK = (1 << SQUARE_BITS) - 1

# The array: sums, the pool (a count for each power of two, losses first), four sums a bet, then keys and counts.
STAKED_AT, RETURNED_AT, FEES_AT, LARGEST_AT, POOL_LOW_AT, POOL_HIGH_AT = range(6)
SHIELD_AT, DOUBLE_AT, LATE_AT, BONUS_AT, MODIFIED_AT = range(6, 11)  # the first three are for `harvest` to read
POOL_AT, POOL_HALF = 11, 33
LINES_AT, LINE_SIZE = POOL_AT + 2 * POOL_HALF, 4
PLACE_BITS = 15
PLACES = 1 << PLACE_BITS
TRIES = 24
MIX = -7046029254386353131  # 2**64 divided by the golden ratio, and odd: it spreads results over the places


class LineTotals(Struct, frozen=True):
    """Totals of one bet."""

    bet: str
    staked: int
    returned: int
    net_squares: int
    """The squares of its profits, added up."""
    rounds: int
    """In how many rounds it was laid."""

    @property
    def edge(self) -> Fraction:
        """The share of the stakes that was lost."""
        return Fraction(self.staked - self.returned, self.staked)

    @property
    def stderr(self) -> float:
        """The standard error of the edge."""
        return mean_stderr(self.rounds, self.returned - self.staked, self.net_squares) * self.rounds / self.staked


def mean_stderr(rounds: int, net: int, net_squares: int) -> float:
    """Return the standard error of the mean net result of a round, worked out in whole numbers."""
    variance = Fraction(net_squares, rounds) - Fraction(net, rounds) ** 2
    return sqrt(variance / rounds)


class Tally(Struct):
    """Totals of a number of rounds against the house; tallies of different rounds of a job are added up with `add`."""

    rounds: int = 0
    opening: int = 0
    """Chips staked at the start of all rounds."""
    staked: int = 0
    returned: int = 0
    fees: int = 0
    bonus: int = 0
    """Chips that modifiers added to the returns."""
    modified: int = 0
    """In how many rounds one of them took effect."""
    pool_squares: int = 0
    nets: Counter[int] = field(default_factory=Counter)
    """How often each net result came up, pooled rounds left out."""
    pool: Counter[tuple[int, int]] = field(default_factory=Counter)
    """Rounds pooled between two bounds, both included."""
    lines: dict[str, LineTotals] = field(default_factory=dict)
    """The totals of each bet."""

    def add(self, other: Tally) -> None:
        """Take in the rounds of another tally of the same job."""
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.nets.update(other.nets)
        self.pool.update(other.pool)
        for bet, line in other.lines.items():
            known = astuple(self.lines[bet])[1:] if bet in self.lines else (0, 0, 0, 0)
            self.lines[bet] = LineTotals(bet, *map(add, known, astuple(line)[1:]))


SUMS = ("rounds", "opening", "staked", "returned", "fees", "bonus", "modified", "pool_squares")


def new_tally(line_count: int, *, late: int = 0, shield: bool = False, double: bool = False) -> NDArray[np.int64]:
    """Return an empty array for `harvest`, which applies the modifiers named to every round.

    `late` is a mask of the bets that may not have been laid in a round.
    """
    totals = np.zeros(LINES_AT + LINE_SIZE * line_count + 2 * PLACES, np.int64)
    totals[SHIELD_AT], totals[DOUBLE_AT], totals[LATE_AT] = shield, double, late
    return totals


def read_tally(totals: NDArray[np.int64], rounds: int, bets: Mapping[str, int], opening: int) -> Tally:
    """Return what `harvest` left in an array, of rounds with these bets (name to stake), `opening` chips a round."""
    largest = int(totals[LARGEST_AT])
    if largest > NET_MAX:
        raise BadOptions(f"a round came to {largest} chips: stakes that large cannot be added up; use smaller ones")
    keys, counts = totals[-2 * PLACES : -PLACES], totals[-PLACES:]
    found = np.flatnonzero(counts)
    pool: Counter[tuple[int, int]] = Counter()
    for half in range(POOL_HALF):
        low, high = (1 << half) >> 1, (1 << half) - 1  # numbers of so many bits
        pool[-high, -low] += int(totals[POOL_AT + half])
        pool[low, high] += int(totals[POOL_AT + POOL_HALF + half])
    lines = {}
    for place, (bet, stake) in enumerate(bets.items()):
        profits, below, above, not_laid = totals[LINES_AT + LINE_SIZE * place :][:LINE_SIZE].tolist()
        staked = stake * (rounds - not_laid)
        lines[bet] = LineTotals(bet, staked, profits + staked, below + (above << SQUARE_BITS), rounds - not_laid)
    return Tally(
        rounds=rounds,
        opening=rounds * opening,
        staked=int(totals[STAKED_AT]),
        returned=int(totals[RETURNED_AT]) - int(totals[BONUS_AT]),
        fees=int(totals[FEES_AT]),
        bonus=int(totals[BONUS_AT]),
        modified=int(totals[MODIFIED_AT]),
        pool_squares=int(totals[POOL_LOW_AT]) + (int(totals[POOL_HIGH_AT]) << SQUARE_BITS),
        nets=Counter(dict(zip(keys[found].tolist(), counts[found].tolist(), strict=True))),
        pool=+pool,
        lines=lines,
    )


def harvest(
    states: Any, size: int, totals: Any, kinds: Any, numbers: Any, stakes: Any, options: Any, work: Any, spare: Any
) -> None:
    """Add the rounds of a block to the array."""
    shield = totals[SHIELD_AT] == 1
    double = totals[DOUBLE_AT] == 1
    if shield or double:
        modify(states, size, totals, shield, double)
    keys_at = len(totals) - 2 * PLACES
    counts_at = len(totals) - PLACES
    staked = returned = fees = 0
    largest = totals[LARGEST_AT]
    for i in range(size):
        row = states[i]
        net = row[RETURNED] - row[STAKED] - row[FEES]
        staked += row[STAKED]
        returned += row[RETURNED]
        fees += row[FEES]
        largest = max(largest, abs(net))
        place = (net * MIX) >> (64 - PLACE_BITS) & (PLACES - 1)
        tries = 0
        while totals[counts_at + place] != 0 and totals[keys_at + place] != net and tries < TRIES:
            place = (place + 1) & (PLACES - 1)
            tries += 1
        if tries < TRIES:
            totals[keys_at + place] = net
            totals[counts_at + place] += 1
        else:
            pool(totals, net)
    totals[STAKED_AT] += staked
    totals[RETURNED_AT] += returned
    totals[FEES_AT] += fees
    # Line by line, so that the sums of one stay in registers.
    for line in range(len(stakes)):
        stake = stakes[line]
        at = LINES_AT + LINE_SIZE * line
        if totals[LATE_AT] >> line & 1 == 1:
            totals[at + 3] += even_out(states, size, line, stake)
        profits = low = high = 0
        for i in range(size):
            profit = states[i, LINES + line] - stake
            square = profit * profit
            profits += profit
            low += square & SQUARE_MASK
            high += square >> SQUARE_BITS
            largest = max(largest, abs(profit))
        totals[at] += profits
        totals[at + 1] += low
        totals[at + 2] += high
    totals[LARGEST_AT] = largest


def even_out(states: Any, size: int, line: int, stake: int) -> int:
    """Let a bet that was not laid neither win nor lose, and return in how many rounds that was."""
    count = 0
    for i in range(size):
        if states[i, LINES + line] == NOT_LAID:
            states[i, LINES + line] = stake
            count += 1
    return count


def modify(states: Any, size: int, totals: Any, shield: bool, double: bool) -> None:
    """Apply modifiers to every round of a block: fees aside, as the house does when a session is over."""
    for i in range(size):
        net = states[i, RETURNED] - states[i, STAKED]
        bonus = modified_net(net, shield, double) - net
        states[i, RETURNED] += bonus
        totals[BONUS_AT] += bonus
        totals[MODIFIED_AT] += int(bonus != 0)


def pool(totals: Any, net: int) -> None:
    """Add one round that found no place of its own."""
    square = net * net
    totals[POOL_LOW_AT] += square & SQUARE_MASK
    totals[POOL_HIGH_AT] += square >> SQUARE_BITS
    bits = 0
    rest = abs(net)
    while rest > 0 and bits < POOL_HALF - 1:
        rest >>= 1
        bits += 1
    if net < 0:
        totals[POOL_AT + bits] += 1
    else:
        totals[POOL_AT + POOL_HALF + bits] += 1
