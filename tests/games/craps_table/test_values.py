"""Expected values of bets that are up: one law for every bet in every state, and figures found in other ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.games.craps.bets import POINTS
from croupier.games.craps.layout import CrapsTable, LiveBet, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import ids, prices, roll
from croupier.games.craps.values import seat_value
from croupier.rng import GameRng
from tests.games.craps.test_odds import WAYS, all_before_seven, fire_counts, replay_chances

STAKE = 37  # prices do not divide it: whatever rounds does so here
PAIRS = [(low, high, 1 if low == high else 2) for low in range(1, 7) for high in range(low, 7)]
TABLES: dict[str, CrapsOptions] = {
    "casino": CrapsOptions(),
    "up front": CrapsOptions(vig="upfront", fire="fire-d", ride="ride-6", hot_roller="rolls"),
    "bitcraps": CrapsOptions(pay_table="bitcraps"),
    "nullspace": CrapsOptions(pay_table="nullspace"),
}
BOOK = book_of(CrapsOptions())


def every_bet(book: PriceBook, ways: Iterable[int] = (ids.WORKS,)) -> Iterator[LiveBet]:
    """Yield every bet that can be placed, come bets and odds on every number, switched in these ways."""
    for bet in range(ids.BET_COUNT):
        numbers = POINTS if ids.is_odds(bet) else (0, *POINTS) if ids.has_number(bet) else (0,)
        modes = (0, 1) if prices.has_modes(bet) else (0,)
        can_rest = ids.is_odds(bet) or ids.YES <= bet < ids.ODDS_PASS or bet >= ids.BIG_6
        stake = STAKE * prices.parts_of(bet)
        for number in numbers:
            for mode in modes:
                if prices.is_offered(prices.slot_of(bet, number, mode), book.prices):
                    for working in ways if can_rest else (ids.WORKS,):
                        yield LiveBet(bet, stake, number, mode, working)


def bet_value(table: CrapsTable, bet: LiveBet, book: PriceBook) -> Fraction:
    return seat_value(table, (bet,), book)


def walk(seed: int, rolls: int) -> Iterator[tuple[int, int]]:
    rng = GameRng.new(b"values", 0, seed)
    for _ in range(rolls):
        yield rng.roll_die(), rng.roll_die()


# The law.


@pytest.mark.parametrize("name", TABLES)
def test_a_value_is_the_mean_of_what_the_next_roll_returns_and_of_the_values_after_it(name):
    """For every bet, in all states that some hands lead through: with it, whoever chooses the moment at
    which bets are bought gains nothing by the choice."""
    book, checked, kinds = book_of(TABLES[name]), 0, set()
    for seed, rolls, ways in ((0, 2, (0, 1, 2, 3)), (1, 5, (2,)), (2, 5, (3,))):
        table, seat = CrapsTable(), tuple(every_bet(book, ways))
        for dice in walk(seed, rolls):
            after = {pair: throw(table, (seat,), *pair[:2], book) for pair in PAIRS}
            brought = dict.fromkeys(seat, Fraction(0))
            for (_, _, count), outcome in after.items():
                returned = {decision.bet: decision.returned for decision in outcome.decisions}
                moved = {before: there for _, before, there in outcome.travelled}
                for bet in seat:
                    worth: Any = returned.get(bet)
                    if worth is None:
                        worth = bet_value(outcome.table, moved.get(bet, bet), book)
                    brought[bet] += Fraction(count, 36) * worth
            for bet in seat:
                assert bet_value(table, bet, book) == brought[bet], (table, bet)
                kinds.add(bet.id)
            checked += len(seat)
            outcome = throw(table, (seat,), *dice, book)
            table, seat = outcome.table, outcome.seats[0]
    assert checked > 800
    assert kinds == {bet.id for bet in every_bet(book)}


def test_a_seat_is_worth_what_its_bets_are_worth_together():
    table = CrapsTable("point", 6, 1)
    seat = (LiveBet(ids.PASS, 10), LiveBet(ids.ODDS_PASS, 50, 6), LiveBet(ids.FIELD, 18), LiveBet(ids.DONT_COME, 9, 4))

    assert seat_value(table, seat, BOOK) == sum(bet_value(table, bet, BOOK) for bet in seat)
    assert seat_value(table, (), BOOK) == 0


def test_a_value_that_was_worked_out_is_not_worked_out_again(monkeypatch):
    """A table of sixteen with fifty bets each closes at once: what a bet is worth depends on few things."""
    table = CrapsTable("point", 8, 3, hand_rolls=3, set_rolls=3, points_made=(0, 0, 1, 0, 0, 0), fire_points=(6,))
    seat = tuple(every_bet(BOOK))
    worth = seat_value(table, seat, BOOK)

    monkeypatch.setattr(roll, "judge", lambda *_: pytest.fail("asked the rules again"))

    assert seat_value(table, tuple(replace(bet, stake=2 * bet.stake) for bet in seat), BOOK) > worth
    assert seat_value(table, seat, BOOK) == worth


# Figures found in other ways.


@pytest.mark.parametrize("point", POINTS)
def test_a_line_bet_with_a_number_wins_as_often_as_the_number_comes_before_a_seven(point):
    ways, table = WAYS[point], CrapsTable("point", point, 1)
    made = Fraction(ways, ways + 6)

    assert bet_value(table, LiveBet(ids.PASS, 10), BOOK) == 20 * made
    assert bet_value(table, LiveBet(ids.DONT_PASS, 10), BOOK) == 20 * (1 - made)
    for somewhere in (table, CrapsTable()):
        assert bet_value(somewhere, LiveBet(ids.COME, 10, point), BOOK) == 20 * made
        assert bet_value(somewhere, LiveBet(ids.DONT_COME, 10, point), BOOK) == 20 * (1 - made)
        assert bet_value(somewhere, LiveBet(ids.ODDS_COME, 60, point, working=3), BOOK) == 60  # odds are fair
        assert bet_value(somewhere, LiveBet(ids.ODDS_DONT_COME, 60, point), BOOK) == 60
        # Off at the come-out they are sometimes handed back, and worth their stake all the same.
        assert bet_value(somewhere, LiveBet(ids.ODDS_COME, 60, point, working=2), BOOK) == 60
        assert bet_value(somewhere, LiveBet(ids.ODDS_COME, 61, point, working=0), BOOK) == 61  # handed back


@pytest.mark.parametrize(
    ("bet", "number", "returned", "wins", "loses"),
    [
        (LiveBet(ids.YES + 2, 25), 4, 25 + 45, 3, 6),  # place 4 pays 9 to 5
        (LiveBet(ids.YES + 2, 40, mode=1), 4, 40 + 80 - 2, 3, 6),  # buy 4 pays 2 to 1 less 5 % of the stake
        (LiveBet(ids.NO + 2, 40), 4, 40 + 20 - 1, 6, 3),  # lay 4 pays 1 to 2 less 5 % of the win
        (LiveBet(ids.HARD, 10), 4, 80, 1, 8),  # hard 4 pays 7 to 1; six sevens and two easy fours lose
        (LiveBet(ids.BIG_8, 10), 8, 20, 5, 6),
    ],
)
@pytest.mark.parametrize("working", [1, 2, 3])
def test_a_bet_on_a_number_wins_as_often_on_the_rolls_on_which_it_works(bet, number, returned, wins, loses, working):
    """Whether it works is known before each roll, so being off delays the bet and changes nothing about it."""
    for table in (CrapsTable(), CrapsTable("point", number, 1), CrapsTable("point", 5, 1)):
        assert bet_value(table, replace(bet, working=working), BOOK) == returned * Fraction(wins, wins + loses)
        assert bet_value(table, replace(bet, working=0), BOOK) == bet.stake


@pytest.mark.parametrize("hits", range(6))
def test_a_repeater_half_way_needs_the_hits_that_are_left(hits):
    counts = tuple(hits if total == 6 else 0 for total in range(2, 13))
    table = CrapsTable(repeater_counts=counts)
    bet = LiveBet(ids.REPEATER + 4, 10)
    assert bet.name == "repeater:6"

    assert bet_value(table, bet, BOOK) == 910 * Fraction(5, 11) ** (6 - hits)


@pytest.mark.parametrize("seen", [(), (2, 3), (4, 8, 11), (2, 3, 4, 5, 6, 8, 9, 10, 11)])
def test_a_bonus_half_way_needs_the_totals_that_are_left(seen):
    chance = all_before_seven(frozenset(WAYS) - {7, *seen})

    assert bet_value(CrapsTable(bonus_numbers=seen), LiveBet(ids.BONUS_ALL, 10), BOOK) == 1510 * chance


@pytest.mark.parametrize("made", [(), (4,), (6, 8, 9), (4, 5, 6, 8, 9)])
def test_a_fire_bet_half_way_is_worth_the_sets_of_points_it_can_still_make(made):
    worth = sum(chance * (0, 0, 0, 0, 25, 250, 1000)[count] for count, chance in fire_counts(made).items())

    assert bet_value(CrapsTable(fire_points=made), LiveBet(ids.FIRE, 1), BOOK) == worth


@pytest.mark.parametrize("made", [(0,) * 6, (1, 0, 2, 0, 3, 1), (3, 0, 0, 0, 0, 3)])
def test_a_replay_bet_half_way_is_worth_what_the_points_still_bring(made):
    worth = sum(chance * (1 + price) for chance, price in replay_chances("casino", made))

    assert bet_value(CrapsTable(points_made=made), LiveBet(ids.REPLAY, 1), BOOK) == worth


def test_muggsy_counts_its_own_rolls():
    """It pays 2 to 1 for a 7 at once and 3 to 1 for a 7 after a point: 6/36 of 3 and 24/36 times 6/36 of 4."""
    fresh = CrapsTable(roll_count=70)
    on_its_way = CrapsTable("point", 9, 71)

    assert bet_value(fresh, LiveBet(ids.MUGGSY, 36, placed=70), BOOK) == Fraction(17, 18) * 36
    assert bet_value(on_its_way, LiveBet(ids.MUGGSY, 36, placed=70), BOOK) == 24


def test_all_values_together_are_less_than_what_was_staked_on_new_bets():
    """The bank has an edge on everything but odds; `croupier odds craps` has the figures."""
    new = tuple(bet for bet in every_bet(BOOK) if not bet.number)
    assert seat_value(CrapsTable(), new, BOOK) < sum(bet.stake for bet in new)
