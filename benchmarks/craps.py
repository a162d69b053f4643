"""`make bench ARGS=craps`: a full table in the engine, the exact odds, and simulated hands beside crapssim."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from benchmarks import all_peers
from benchmarks.report import Row, row, time_per_call
from croupier.engine import Action, Match, act, apply_action, create_match
from croupier.games.craps import odds
from croupier.games.craps.bets import IDS
from croupier.games.craps.layout import CrapsTable, LiveBet, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids
from croupier.games.craps.table.game import SharedCraps

SEATS, BETS = 16, 50


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; crapssim is measured where it can be installed."""
    simulated = all_peers.measure(repeats=repeats, peers=peers, only="crapssim")
    return [*_full_table(repeats), *_shared_table(repeats), _exact_odds(repeats), *simulated]


def _seats(count: int) -> list[Seat]:
    """Return seats with fifty bets each, of all kinds."""
    kinds = [bet for bet in range(len(IDS)) if not ids.is_odds(bet)]
    chosen = [[kinds[(7 * seat + place) % len(kinds)] for place in range(BETS)] for seat in range(count)]
    return [tuple(LiveBet(bet, 60, working=ids.usual_working(bet)) for bet in seat) for seat in chosen]


def _full_table(repeats: int) -> list[Row]:
    book = book_of(CrapsOptions())
    table = CrapsTable(phase="point", point=6, roll_count=3, hand_rolls=3, set_rolls=3)

    def rolls(seats: list[Seat]) -> Callable[[], None]:
        def work() -> None:
            for die1, die2 in ((3, 1), (3, 4), (6, 6), (2, 4)):
                throw(table, seats, die1, die2, book)

        return work

    full, half = (
        [each / 1e6 for each in time_per_call(rolls(_seats(count)), 4, repeats)] for count in (SEATS, SEATS // 2)
    )
    name = f"a roll with {SEATS} seats of {BETS} bets each"
    return [
        row(name, full, "ms", at_most=5),
        row("the same with all seats", full, "ms", beside=("half of the seats", half), at_most=2.5),
    ]


def _shared_table(repeats: int) -> list[Row]:
    """Time rolls of the match, the same number of bets placed by players; and what the cost depends on."""
    game = SharedCraps()

    def rolls(match: Match[Any]) -> list[float]:
        seeds = [bytes([number]) for number in range(8)]  # what they roll decides a quarter to two thirds of the bets

        def work() -> None:
            for seed in seeds:
                assert apply_action(game, match, act("roll"), seed=seed).ok

        return [each / 1e6 for each in time_per_call(work, len(seeds), repeats)]

    table = _placed(game, BETS)
    full, half = rolls(table), rolls(_placed(game, BETS // 2))
    late = rolls(replace(table, game=replace(table.game, table=_long_table())))
    name = f"a roll of the match with {SEATS} players and {BETS} bets each"
    return [
        row(name, full, "ms", at_most=5),
        row("the same with all bets", full, "ms", beside=("half of the bets", half), at_most=2.5),
        row("the same after a thousand rolls", late, "ms", beside=("at a new table", full), at_most=1.3),
    ]


def _placed(game: SharedCraps, count: int) -> Match[Any]:
    """Return a match in which every player has that many bets up, and all are ready."""
    players = [f"p{seat}" for seat in range(SEATS)]
    match = create_match(game, players, seed=b"", options={"bank": 10**9})
    names = [name for name in IDS if not name.startswith("odds")]
    for seat, player in enumerate(players):
        asked = [act("buy_in", chips=10_000)]
        asked += [act("place", bet=names[(7 * seat + place) % len(names)], stake=60) for place in range(len(names))]
        for action in asked:
            if len(match.game.seats[seat].bets) < count:
                match = apply_action(game, match, replace(action, player_id=player)).state
        match = apply_action(game, match, Action("ready", {}, player)).state
    assert all(len(chair.bets) == count for chair in match.game.seats)
    return match


def _long_table() -> CrapsTable:
    """Return a table as it is after a thousand rolls, back at the come-out of a new hand."""
    table = CrapsTable()
    for number in range(1000):
        table = throw(table, (), *((3, 4) if number % 2 else (2, 2)), book_of(CrapsOptions())).table
    assert table.set_rolls == 0
    return table


def _exact_odds(repeats: int) -> Row:
    """Time the odds of all bets under a pay table; the second time they would be known."""
    found = []
    for number in range(min(repeats, 3)):
        prices = book_of(CrapsOptions(pay_table=("casino", "nullspace", "bitcraps")[number])).prices
        begin = time.perf_counter()
        odds._rows.__wrapped__(prices)
        found.append(time.perf_counter() - begin)
    return row("exact odds of all 91 bets of a pay table", found, "s", at_most=20)
