"""Bots of the shared table: they play the pass line, with odds or without, or the don't pass line.

They buy in once and play until they have doubled that, cannot pay for another bet, have seen `ROLLS_MAX` rolls, or the
last person at the table has cashed out; then they do, too. Odds cost nothing and change nothing but the ups and downs.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from croupier.engine import Action, Bot, MatchView, act
from croupier.games.craps import placing
from croupier.games.craps.bets import name_of
from croupier.games.craps.layout import CrapsTable
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import prices
from croupier.games.craps.table.state import Chair, SharedTable, TableOptions
from croupier.rng import GameRng

ROLLS_MAX = 120
BUY_IN = 40  # smallest bets


def usual_buy_in(chair: Chair, options: TableOptions) -> int:
    """Return what somebody might buy in for: forty of the smallest bets, if the table's limits let them."""
    left = options.buy_in_max - chair.bought
    return min(max(BUY_IN * options.table_min, options.buy_in_min), left)


def largest_odds(table: CrapsTable, chair: Chair, book: PriceBook) -> tuple[str, int] | None:
    """Return the name and the stake of the largest odds that a bet without any can have, at no loss by rounding."""
    for flat, odds in placing.odds_places(table, chair.bets, bare=True):
        stake = min(placing.odds_max(odds.id, odds.number, flat.stake, book), chair.chips)
        stake -= stake % book.prices[prices.slot_of(*odds) * prices.ROW + prices.PER]
        if stake > 0:
            return name_of(*odds), stake
    return None


def _play(bet: str, with_odds: bool, view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    state: SharedTable = view.game
    options: TableOptions = view.options
    seat = next(player.seat for player in view.players if player.id == view.viewer)
    chair = state.seats[seat]
    people = [state.seats[player.seat] for player in view.players if not player.is_bot]
    is_over = bool(people) and all(one.is_out for one in people)
    is_done = is_over or chair.net >= chair.bought > 0 or state.table.roll_count >= ROLLS_MAX
    odds = largest_odds(state.table, chair, book_of(options)) if with_odds else None
    wanted = [
        *([] if is_done else [act("buy_in", chips=usual_buy_in(chair, options))] if not chair.bought else []),
        *([] if is_done else [act("place", bet=bet, stake=options.table_min)]),
        *([act("place", bet=odds[0], stake=odds[1])] if odds else []),
        *([] if chair.bets else [act("cash_out")] if is_done or chair.chips < options.table_min else []),
        act("roll"),
        act("ready"),
    ]
    listed = [(one.type, one.payload) for one in legal]
    return next((one for one in wanted if (one.type, one.payload) in listed), legal[0])


SEAT_BOT = "full_odds"
BOTS: dict[str, Bot] = {
    "no_odds": partial(_play, "pass", False),
    "dont_pass": partial(_play, "dont_pass", True),
    SEAT_BOT: partial(_play, "pass", True),
}
