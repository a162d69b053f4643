"""The odds of the craps table: every way its dice can fall, counted through the table itself, is what they say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.engine import Match, act, chance_outcomes
from croupier.games.craps import Craps
from croupier.games.craps.bets import IDS
from croupier.games.craps.rules import ids
from croupier.games.craps.table.state import SharedTable
from tests.games.craps_table.conftest import GAME, Table

CRAPS = Craps()
STAKES = {ids.TABLE_LIMITS: 1320, ids.PROP_LIMITS: 60, ids.SIDE_LIMITS: 60}  # no price of the table is rounded
SHEET = {(row.bet, row.policy): row for row in CRAPS.odds()}


def is_counted(bet: str) -> bool:
    """Tell whether a bet can be laid before the first roll and is decided by what its own bets see."""
    code = IDS.index(bet)
    return not (ids.needs_trackers(code) or ids.is_come(code) or bet.startswith("odds"))


def position(match: Match[SharedTable]) -> tuple[Any, ...]:
    table, (chair,) = match.game.table, match.game.seats
    return table.phase, table.point, tuple((bet.id, bet.number, bet.mode) for bet in chair.bets)


def edge_of(bet: str) -> Fraction:
    """Return what a bet loses on average per chip: a linear equation for each position of the table, solved."""
    stake = STAKES[ids.LIMITS_OF[IDS.index(bet)]]
    table = Table(["ann"], bank=10**9)
    table.do("ann", "buy_in", chips=5_000)
    chips = table.match.game.seats[0].chips
    table.do("ann", "place", bet=bet, stake=stake)
    places, waiting, rows = {position(table.match): 0}, [table.match], []
    for match in waiting:  # grows while it is walked
        row: dict[int, Fraction] = {}
        known = Fraction(0)
        for outcome in chance_outcomes(GAME, match, act("roll")):
            (chair,) = outcome.state.game.seats
            if not chair.bets:
                known += outcome.chance * (chips - chair.chips)
                continue
            place = position(outcome.state)
            if place not in places:
                places[place] = len(waiting)
                waiting.append(outcome.state)
            row[places[place]] = row.get(places[place], Fraction(0)) + outcome.chance
        rows.append((row, known))
    return solved(rows) / stake


def solved(rows: list[tuple[dict[int, Fraction], Fraction]]) -> Fraction:
    """Return the first unknown of x = sum of chances times x, and what is known: eliminated from the last."""
    left = [(dict(row), known) for row, known in rows]
    for last in range(len(left) - 1, -1, -1):
        row, known = left[last]
        again = 1 - row.pop(last, Fraction(0))
        row, known = {place: share / again for place, share in row.items()}, known / again
        left[last] = row, known
        for place, (other, value) in enumerate(left[:last]):
            share = other.pop(last, Fraction(0))
            for key, part in row.items():
                other[key] = other.get(key, Fraction(0)) + share * part
            left[place] = other, value + share * known
    return left[0][1]


@pytest.mark.parametrize("bet", [bet for bet in IDS if is_counted(bet)])
def test_a_bet_at_the_table_is_worth_what_the_odds_sheet_says(bet):
    assert edge_of(bet) == SHEET[bet, "-"].edge


def test_equations_are_solved_as_by_hand():
    """x = 1/2 y + 1 and y = 1/3 x + 1/3 y + 1: y = x/2 + 3/2, so x = x/4 + 7/4 and x = 7/3."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert solved([({1: half}, Fraction(1)), ({0: third, 1: third}, Fraction(1))]) == Fraction(7, 3)
