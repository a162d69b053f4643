"""Absorbing Markov chains of craps bets: every step is a roll taken through the rules.

A state is what the bet needs of the table's row, and the number of a come bet; the rest of the row cannot matter to the
bet and is left at zero. The 21 pairs of dice lead from state to state, or to the verdict of `rules.roll.judge` that
ends the bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.games.craps.rules import roll, table
from croupier.games.craps.rules.prices import STAYS, TRAVELS
from croupier.kit.chains import Step

Key = tuple[int, ...]

PAIRS = tuple((low, high, 1 if low == high else 2) for low in range(1, 7) for high in range(low, 7))
"""The 21 pairs of dice with how many of the 36 rolls show them."""


def each_pair(key: Key) -> tuple[int, Iterable[tuple[Key, int, int, int]]]:
    """Return the rolls that a state may meet: of 36 ways, from where, with which dice, in how many ways."""
    return 36, ((key, *pair) for pair in PAIRS)


def roll_steps(
    bet: int,
    working: int,
    prices: tuple[int, ...],
    fields: tuple[int, ...],
    canonical: Callable[[Key], Key] = lambda key: key,
    rolls: Callable[[Key], tuple[int, Iterable[tuple[Key, int, int, int]]]] = each_pair,
) -> Callable[[Key], Step[Key, tuple[int, int]]]:
    """Return the step function of a bet: states are the given fields of the row and the bet's number last.

    Ends are the verdict and the total that fell. `canonical` puts states together that are worth the same; `rolls` are
    those that decide anything, where others can be left out.
    """

    def step(key: Key) -> Step[Key, tuple[int, int]]:
        states: dict[Key, int] = {}
        ends: dict[tuple[int, int], int] = {}
        whole, found = rolls(key)
        for start, die1, die2, ways in found:
            row, number, verdicts = make_row(fields, start), start[-1], [STAYS]
            if roll.resolve(row, (bet, number, 0, 0, working, 0), 0, 1, die1, die2, prices, verdicts):
                end = verdicts[0], die1 + die2
                ends[end] = ends.get(end, 0) + ways
                continue
            after = canonical((*(row[field] for field in fields), die1 + die2 if verdicts[0] == TRAVELS else number))
            states[after] = states.get(after, 0) + ways
        return whole, states, ends

    return step


def make_row(fields: tuple[int, ...], key: Key) -> list[int]:
    """Return a table that has these fields, its phase as the point says."""
    row = [0] * table.TABLE_SIZE
    for field, value in zip(fields, key, strict=False):
        row[field] = value
    row[table.PHASE] = table.POINT_UP if row[table.POINT] else table.COME_OUT
    return row
