"""The odds of the craps table: what its dice bring on average, counted through the table, is what the sheet says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.engine import Match, act, chance_outcomes
from croupier.games.craps import Craps
from croupier.games.craps.bets import IDS
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids
from croupier.games.craps.table.state import SharedTable
from croupier.games.craps.values import seat_value
from tests.games.craps_table.conftest import GAME, opened

STAKES = {ids.TABLE_LIMITS: 1320, ids.PROP_LIMITS: 60, ids.SIDE_LIMITS: 60}  # no price of the table is rounded
SHEET = {(row.bet, row.policy): row for row in Craps().odds()}


def is_counted(bet: str) -> bool:
    """Tell whether a bet can be laid before the first roll and is decided by what its own bets see."""
    code = IDS.index(bet)
    return not (ids.needs_trackers(code) or ids.is_come(code) or bet.startswith("odds"))


def position(match: Match[SharedTable]) -> tuple[Any, ...]:
    table, (chair,) = match.game.table, match.game.seats
    return table.phase, table.point, tuple((bet.id, bet.number, bet.mode) for bet in chair.bets)


def worth(match: Match[SharedTable]) -> Fraction:
    """Return the chips of the only player, and the expected value of the bets."""
    (chair,) = match.game.seats
    return chair.chips + seat_value(match.game.table, chair.bets, book_of(match.options))


@pytest.mark.parametrize("bet", [bet for bet in IDS if is_counted(bet)])
def test_a_bet_at_the_table_is_worth_what_the_odds_sheet_says(bet):
    """At every position a roll brings on average what there was: so until no bet is up, and chips are all there is."""
    stake = STAKES[ids.LIMITS_OF[IDS.index(bet)]]
    table = opened("ann", chips=5_000, bank=10**9)
    table.do("ann", "place", bet=bet, stake=stake)
    assert worth(table.match) == 5_000 - stake * SHEET[bet, "-"].edge

    known, waiting = {position(table.match)}, [table.match]
    for match in waiting:  # grows while it is walked
        outcomes = list(chance_outcomes(GAME, match, act("roll")))
        assert sum(outcome.chance * worth(outcome.state) for outcome in outcomes) == worth(match)
        for state in [outcome.state for outcome in outcomes if outcome.state.game.has_bets]:
            if position(state) not in known:
                known.add(position(state))
                waiting.append(state)
