"""The 23 mistakes of the original description (craps-table, section 3.5), each with a test that finds it.

The number of the mistake is in the name of its test.
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine.turn import Refusal
from croupier.games.craps import placing
from croupier.games.craps.bets import IDS
from croupier.games.craps.layout import CrapsTable, LiveBet, RollOutcome, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import table as rows
from tests.games.craps.seats import live

BOOK = book_of(CrapsOptions())
POINTS = (4, 5, 6, 8, 9, 10)
Dice = tuple[int, int]


def point(number: int, **more: Any) -> CrapsTable:
    return CrapsTable(phase="point", point=number, roll_count=3, hand_rolls=3, set_rolls=3, **more)


def returns(outcome: RollOutcome) -> dict[str, int]:
    return {decision.bet.name: decision.returned for decision in outcome.decisions}


def rolled(table: CrapsTable, seat: Seat, *dice: Dice) -> tuple[CrapsTable, Seat, list[dict[str, int]]]:
    """Return table and seat after some rolls, and what each roll handed back."""
    told = []
    for pair in dice:
        outcome = throw(table, [seat], *pair, BOOK)
        table, (seat,) = outcome.table, outcome.seats
        told.append(returns(outcome))
    return table, seat, told


def test_01_every_family_settles():
    """Resolution that returns nothing would leave all of them on the table."""
    seat = tuple(live(name, 20) for name in IDS if not name.startswith(("odds", "come", "dont_come")))
    seat += (LiveBet(29, 20, 6), LiveBet(30, 20, 6), live("come", 20), live("dont_come", 20))
    seat += tuple(live(f"{kind}:{number}", 20) for kind in ("come", "dont_come", "odds_come") for number in POINTS)
    _, left, (told,) = rolled(point(6), seat, (3, 4))

    assert left == ()
    assert len(told) == len(seat)


def test_02_a_seven_out_pays_dont_come_winners_and_books_come_losers():
    seat = (live("come:5"), live("odds_come:5", 20), live("dont_come:9"), live("odds_dont_come:9", 30))
    _, left, (told,) = rolled(point(6), seat, (3, 4))

    assert told == {"come:5": 0, "odds_come:5": 0, "dont_come:9": 20, "odds_dont_come:9": 50}
    assert left == ()


def test_03_a_made_point_takes_the_dont_come_bet_on_it_too():
    _, left, (told,) = rolled(point(8), (live("come:8"), live("dont_come:8"), live("odds_dont_come:8", 12)), (5, 3))

    assert told == {"come:8": 20, "dont_come:8": 0, "odds_dont_come:8": 0}
    assert left == ()


@pytest.mark.parametrize("table", [CrapsTable(), point(6)], ids=["come-out", "another point"])
def test_04_any_roll_of_the_number_decides_a_come_bet_whatever_the_tables_point(table):
    _, left, (told,) = rolled(table, (live("come:9"), live("dont_come:9")), (4, 5))

    assert told == {"come:9": 20, "dont_come:9": 0}
    assert left == ()


def test_05_travelled_flats_work_at_the_come_out():
    _, _, (told,) = rolled(CrapsTable(), (live("come:5"), live("dont_come:9")), (3, 4))
    assert told == {"come:5": 0, "dont_come:9": 20}


def test_06_the_old_come_bet_wins_before_the_new_one_takes_its_place():
    table, seat, (told,) = rolled(point(6), (live("come:5", 10), live("odds_come:5", 20), live("come", 25)), (1, 4))
    assert told == {"come:5": 20, "odds_come:5": 50}
    assert [(bet.name, bet.stake) for bet in seat] == [("come:5", 25)]

    _, seat, (told,) = rolled(table, seat, (4, 1))
    assert told == {"come:5": 50}
    assert seat == ()


def test_07_repeaters_count_from_the_start_of_a_set_and_no_sevens():
    """Any 7 clears the counts, 7 is not counted, and nobody joins a set that has begun."""
    table, _, _ = rolled(CrapsTable(), (), (1, 1), (3, 3), (3, 4))
    assert table.repeater_counts == (0,) * 11
    table, seat, _ = rolled(table, (live("repeater:2", 5),), (1, 1))
    assert [bet.name for bet in seat] == ["repeater:2"]  # the two before the 7 was another set's
    with pytest.raises(Refusal, match="2"):
        placing.place_bet(table, (), "repeater:2", 5, BOOK)
    _, _, (told,) = rolled(table, seat, (1, 1))
    assert told == {"repeater:2": 205}


def test_08_a_repeater_on_six_needs_six_sixes():
    table, seat, told = rolled(CrapsTable(), (live("repeater:6", 5),), *[(3, 3), (2, 4), (1, 5), (5, 1), (3, 3)])
    assert told == [{}] * 5
    _, _, (last,) = rolled(table, seat, (4, 2))
    assert last == {"repeater:6": 455}


def test_09_counters_do_not_overflow_on_a_long_table():
    table, _, _ = rolled(CrapsTable(), (), *[(3, 3)] * 1000)

    assert table.repeater_counts[6 - 2] == 1000
    assert table.hard_streak[1] == 1000
    assert table.points_made[2] == 500
    assert (table.hot_streak, table.pass_wins, table.hand_rolls) == (500, 500, 1000)


def test_10_bonus_numbers_do_not_survive_a_come_out_seven():
    table, _, told = rolled(CrapsTable(), (live("bonus_small", 5),), (1, 1), (1, 2), (3, 4))

    assert told[-1] == {"bonus_small": 0}
    assert table.bonus_numbers == ()


def test_11_hardway_streaks_end_with_any_seven_and_nobody_joins_one():
    table, _, _ = rolled(CrapsTable(), (), (2, 2), (2, 2))
    assert table.hard_streak == (2, 0, 0, 0)
    with pytest.raises(Refusal):
        placing.place_bet(table, (), "twice_hard", 5, BOOK)  # it would win at once
    table, _, _ = rolled(table, (), (3, 4))
    assert table.hard_streak == (0, 0, 0, 0)
    _, seat, told = rolled(table, (live("twice_hard", 5),), (2, 2))
    assert (told, len(seat)) == ([{}], 1)


def test_12_the_point_decides_hardways_and_numbers_like_any_other_roll():
    seat = (live("hard:6"), live("yes:6", 12), live("no:6", 60), live("big:6"))
    _, left, (told,) = rolled(point(6), seat, (3, 3))
    assert told == {"hard:6": 100, "yes:6": 26, "no:6": 0, "big:6": 20}
    _, left, (told,) = rolled(point(6), seat, (2, 4))
    assert told == {"hard:6": 0, "yes:6": 26, "no:6": 0, "big:6": 20}
    assert left == ()


@pytest.mark.parametrize("table", [CrapsTable(), point(6), point(10)], ids=["come-out", "point 6", "point 10"])
def test_13_no_bets_are_paid_on_every_seven(table):
    for number, profit in ((2, 19), (3, 38), (4, 57), (5, 76), (6, 95), (8, 95), (9, 76), (10, 57), (11, 38), (12, 19)):
        _, _, (told,) = rolled(table, (live(f"no:{number}", 120),), (5, 2))
        assert told == {f"no:{number}": 120 + profit}


def test_14_one_roll_bets_are_settled_once_on_a_come_out_roll():
    cases = {(3, 4): {"field": 0, "next:7": 50, "any_craps": 0}, (1, 1): {"field": 30, "next:7": 0, "any_craps": 80}}
    for dice, told in cases.items():
        outcome = throw(CrapsTable(), [(live("field"), live("next:7"), live("any_craps"))], *dice, BOOK)
        assert len(outcome.decisions) == 3
        assert returns(outcome) == told


def test_15_decided_bets_are_removed_and_never_pay_again():
    _, seat, told = rolled(CrapsTable(), (live("pass"), live("field")), (5, 6), (5, 6), (5, 6))

    assert told == [{"pass": 20, "field": 20}, {}, {}]
    assert seat == ()


def test_16_a_point_being_set_decides_nothing_and_moves_no_money():
    _, seat, told = rolled(CrapsTable(), (live("pass"), live("dont_pass")), (4, 4))

    assert told == [{}]
    assert [bet.stake for bet in seat] == [10, 10]


def test_17_a_return_is_stake_and_profit_and_even_money_is_a_profit_of_one_stake():
    (decision,) = throw(CrapsTable(), [(live("pass", 10),)], 3, 4, BOOK).decisions
    assert decision.returned == 20
    assert decision.returned - decision.bet.stake == 10


def test_18_side_bets_settle_before_their_trackers_are_wiped():
    made = {"points_made": (4, 0, 0, 0, 0, 0), "fire_points": (4, 5, 6, 8), "hot_streak": 6, "pass_wins": 7}
    table = point(9, **made, doubles_seen=(1, 2, 3, 4), bonus_numbers=(2, 3, 4, 5))
    seat = tuple(
        live(name, 5) for name in ("fire", "replay", "hot_roller", "ride_line", "different_doubles", "bonus_small")
    )
    after, left, (told,) = rolled(table, seat, (3, 4))
    assert told == {
        "fire": 125, "replay": 5005, "hot_roller": 165, "ride_line": 45, "different_doubles": 45, "bonus_small": 0,
    }  # fmt: skip
    assert left == ()
    assert (after.fire_points, after.points_made, after.doubles_seen) == ((), (0,) * 6, ())
    _, _, (told,) = rolled(point(9, repeater_counts=(1, *(0,) * 10)), (live("repeater:2", 5),), (1, 1))
    assert told == {"repeater:2": 205}


def test_19_the_hot_streak_counts_points_and_pass_wins_count_naturals_too():
    table, _, _ = rolled(CrapsTable(), (), (5, 6), (3, 4), (2, 2), (2, 2))
    assert (table.hot_streak, table.pass_wins) == (1, 3)


def test_20_a_roll_is_written_down_once():
    table, _, _ = rolled(CrapsTable(), (live("pass"),), (2, 2), (3, 4))

    assert [(entry.number, entry.die1, entry.die2) for entry in table.history] == [(1, 2, 2), (2, 3, 4)]
    assert table.roll_count == 2


def test_21_the_log_is_bounded_so_that_a_roll_costs_the_same_on_a_long_table():
    table, _, _ = rolled(CrapsTable(), (), *[(1, 1)] * 1500)

    assert len(table.history) == 1000
    assert (table.history[0].number, table.history[-1].number) == (501, 1500)


def test_22_a_bet_may_be_placed_again_once_it_is_decided_and_not_before():
    seat = placing.place_bet(CrapsTable(), (), "pass", 10, BOOK).seat
    with pytest.raises(Refusal) as no:
        placing.place_bet(CrapsTable(), seat, "pass", 10, BOOK)
    assert no.value.code == "already_placed"
    table, seat, _ = rolled(CrapsTable(), seat, (5, 6))
    assert len(placing.place_bet(table, seat, "pass", 10, BOOK).seat) == 1


def test_23_the_field_has_sixteen_ways_to_win():
    wins = 0
    for die1 in range(1, 7):
        for die2 in range(1, 7):
            wins += returns(throw(CrapsTable(), [(live("field"),)], die1, die2, BOOK))["field"] > 0
    assert wins == 16


def test_the_steps_that_must_come_in_order_do():
    """Section 3.1: trackers are fed before bets settle, and cleared after; the phase is that from before the roll."""
    row = point(6).row()
    rows.feed(row, 3, 4)
    assert (row[rows.PHASE], row[rows.POINT], row[rows.HAND_NUMBER]) == (rows.POINT_UP, 6, 0)
    rows.advance(row, 7)
    assert (row[rows.PHASE], row[rows.POINT], row[rows.HAND_NUMBER]) == (rows.COME_OUT, 0, 1)
