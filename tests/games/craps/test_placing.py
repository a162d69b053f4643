"""Between rolls: every bet inside and outside its window, and what may be raised, lowered, removed and switched.

Windows and take-down classes are the sheet's columns (craps-table, sections 2.1 to 2.3), written down again by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine.turn import Refusal
from croupier.games.craps import placing
from croupier.games.craps.bets import IDS
from croupier.games.craps.layout import CrapsTable, LiveBet, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of

BOOK = book_of(CrapsOptions())
POINTS = (4, 5, 6, 8, 9, 10)
FRESH = CrapsTable()
SHOOTING = CrapsTable(phase="point", point=6, roll_count=1, hand_rolls=1, set_rolls=1)
POINT_MADE = CrapsTable(roll_count=2, hand_rolls=2, set_rolls=2)
NATURAL_SEVEN = CrapsTable(roll_count=1, hand_rolls=1, set_rolls=0, pass_wins=1)
SEVENED_OUT = CrapsTable(roll_count=2, hand_id=1, series_id=1)
CLOSED = CrapsTable(phase="closed", roll_count=5)

# Which of the tables above a window is open at.
WINDOWS = {
    "CO": (FRESH, POINT_MADE, NATURAL_SEVEN, SEVENED_OUT),
    "PT": (SHOOTING,),
    "ANY": (FRESH, SHOOTING, POINT_MADE, NATURAL_SEVEN, SEVENED_OUT),
    "HAND": (FRESH, SEVENED_OUT),
    "SET": (FRESH, NATURAL_SEVEN, SEVENED_OUT),
}
SET_BETS = ["twice_hard", "bonus_small", "bonus_tall", "bonus_all", "different_doubles"]
SET_BETS += [name for name in IDS if name.startswith("repeater")]
WINDOW_OF = {
    **dict.fromkeys(["pass", "dont_pass", "muggsy"], "CO"),
    **dict.fromkeys(["come", "dont_come"], "PT"),
    **dict.fromkeys(["hot_roller", "fire", "ride_line", "replay"], "HAND"),
    **dict.fromkeys(SET_BETS, "SET"),
}
WITHOUT_FLAT = [name for name in IDS if not name.startswith("odds")]


def stake_for(name: str) -> int:
    return {"horn": 4, "world": 5, "c_and_e": 2}.get(name, 60 if name.startswith(("no", "yes", "lose", "buy")) else 20)


def code(action: Callable[..., Any], *given: Any, **more: Any) -> str:
    with pytest.raises(Refusal) as no:
        action(*given, **more)
    assert no.value.sentence
    return no.value.code


def placed(table: CrapsTable, *bets: tuple[str, int], seat: Seat = (), book: PriceBook = BOOK) -> Seat:
    for name, stake in bets:
        seat = placing.place_bet(table, seat, name, stake, book).seat
    return seat


def names(seat: Seat) -> dict[str, int]:
    return {bet.name: bet.stake for bet in seat}


# Windows.


@pytest.mark.parametrize("name", WITHOUT_FLAT)
def test_every_bet_is_taken_in_its_window_and_refused_outside(name):
    window = WINDOWS[WINDOW_OF.get(name, "ANY")]
    for table in (FRESH, SHOOTING, POINT_MADE, NATURAL_SEVEN, SEVENED_OUT):
        if table in window:
            (bet,) = placed(table, (name, stake_for(name)))
            assert (bet.name, bet.stake, bet.placed) == (name, stake_for(name), table.roll_count)
        else:
            assert code(placed, table, (name, stake_for(name))) == "window_closed"
    assert code(placed, CLOSED, (name, stake_for(name))) == "table_closed"


def test_the_hot_roller_by_ways_is_a_set_bet():
    ways = book_of(CrapsOptions(hot_roller="ways"))
    assert names(placed(NATURAL_SEVEN, ("hot_roller", 5), book=ways)) == {"hot_roller": 5}
    assert code(placed, POINT_MADE, ("hot_roller", 5), book=ways) == "window_closed"
    assert code(placed, NATURAL_SEVEN, ("hot_roller", 5)) == "window_closed"


def test_odds_need_their_flat_bet_and_its_number():
    for odds in ("odds_pass", "odds_dont_pass"):
        assert code(placed, FRESH, (odds, 10)) == "window_closed"
        assert code(placed, SHOOTING, (odds, 10)) == "no_flat_bet"
    line = placed(FRESH, ("pass", 10))
    assert code(placed, FRESH, ("odds_pass", 10), seat=line) == "window_closed"
    assert names(placed(SHOOTING, ("odds_pass", 50), seat=line)) == {"pass": 10, "odds_pass": 50}
    assert code(placed, SHOOTING, ("odds_dont_pass", 10), seat=line) == "no_flat_bet"
    come = (LiveBet(2, 10, 5), LiveBet(3, 10, 9))
    for table in (SHOOTING, POINT_MADE):  # in either phase
        assert names(placed(table, ("odds_come:5", 40), seat=come)) == {
            "come:5": 10,
            "dont_come:9": 10,
            "odds_come:5": 40,
        }
        assert code(placed, table, ("odds_come:9", 10), seat=come) == "no_flat_bet"
        assert code(placed, table, ("odds_dont_come:5", 10), seat=come) == "no_flat_bet"
    box = placed(SHOOTING, ("come", 10))
    assert code(placed, SHOOTING, ("odds_come:6", 10), seat=box) == "no_flat_bet"


@pytest.mark.parametrize(
    "name", ["yes:7", "come:7", "hard:5", "hop:0-1", "odds_come", "odds_come:7", "next:1", "pass:4"]
)
def test_a_number_that_is_not_there_is_no_bet(name):
    assert code(placed, SHOOTING, (name, 10)) == "unknown_bet"


def test_nobody_names_the_number_of_a_come_bet():
    for number in POINTS:
        assert code(placed, SHOOTING, (f"come:{number}", 10)) == "unknown_bet"
        assert code(placed, SHOOTING, (f"dont_come:{number}", 10)) == "unknown_bet"


def test_a_mode_or_a_bet_that_the_pay_table_has_not_is_refused():
    bitcraps = book_of(CrapsOptions(pay_table="bitcraps"))
    for name in ("buy:4", "lose:4", "hop:1-1", "hop:1-2", "hop:5-6", "hop:6-6"):
        assert code(placed, FRESH, (name, 20), book=bitcraps) == "not_offered"
    assert names(placed(FRESH, ("place:4", 20), book=bitcraps)) == {"yes:4": 20}
    for number in (2, 3, 11, 12):
        assert code(placed, FRESH, (f"lose:{number}", 20)) == "unknown_bet"


def test_a_bet_that_is_up_is_not_placed_again_in_whichever_mode():
    seat = placed(FRESH, ("yes:4", 20), ("no:6", 30), ("pass", 10))
    for name in ("yes:4", "buy:4", "place:4", "no:6", "lose:6", "lay:6", "pass"):
        assert code(placed, FRESH, (name, 20), seat=seat) == "already_placed"
    box = placed(SHOOTING, ("come", 10))
    assert code(placed, SHOOTING, ("come", 10), seat=box) == "already_placed"
    travelled = (replace(box[0], number=6),)
    assert names(placed(SHOOTING, ("come", 15), seat=travelled)) == {"come:6": 10, "come": 15}


# Stakes.


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        *((name, 5, 5_000) for name in ("pass", "dont_pass", "yes:6", "buy:4", "no:4", "lose:6", "big:6")),
        *((name, 1, 500) for name in ("field", "next:7", "hop:1-3", "hard:8", "any_craps")),
        ("horn", 4, 500), ("world", 5, 500), ("c_and_e", 2, 500),
        *((name, 1, 100) for name in ("fire", "hot_roller", "twice_hard", "ride_line", "muggsy", "bonus_all",
                                      "replay", "different_doubles", "repeater:6")),
    ],
)  # fmt: skip
def test_the_limits_of_each_family_are_those_of_section_4(name, low, high):
    assert placed(FRESH, (name, low))
    assert placed(FRESH, (name, high))
    if low > {"horn": 4, "world": 5, "c_and_e": 2}.get(name, 1):
        assert code(placed, FRESH, (name, low - 1)) == "under_limit"
    parts = {"horn": 4, "world": 5, "c_and_e": 2}.get(name, 1)
    assert code(placed, FRESH, (name, high + parts)) == "over_limit"
    assert code(placed, FRESH, (name, 0)) == "stake_too_small"
    assert code(placed, FRESH, (name, -1)) == "stake_too_small"


def test_combinations_are_divided_into_equal_parts():
    for name, parts in (("horn", 4), ("world", 5), ("c_and_e", 2)):
        for stake in range(1, 25):
            if stake % parts:
                assert code(placed, FRESH, (name, stake)) == "not_a_multiple"
            else:
                assert placed(FRESH, (name, stake))


@pytest.mark.parametrize(
    ("plan", "taken", "laid"),
    [
        ("3-4-5", (30, 40, 50, 50, 40, 30), (60,) * 6),
        ("single", (10,) * 6, (20, 15, 12, 12, 15, 20)),
        ("double", (20,) * 6, (40, 30, 24, 24, 30, 40)),
        ("10x", (100,) * 6, (200, 150, 120, 120, 150, 200)),
    ],
)
def test_odds_go_up_to_their_multiple_and_laid_ones_to_what_wins_it(plan, taken, laid):
    book = book_of(CrapsOptions(odds_plan=plan))
    for number, most_taken, most_laid in zip(POINTS, taken, laid, strict=True):
        table = CrapsTable(phase="point", point=number, roll_count=1, hand_rolls=1, set_rolls=1)
        seat = (LiveBet(0, 10), LiveBet(1, 10), LiveBet(2, 10, number), LiveBet(3, 10, number))
        for odds, most in (
            ("odds_pass", most_taken), ("odds_dont_pass", most_laid),
            (f"odds_come:{number}", most_taken), (f"odds_dont_come:{number}", most_laid),
        ):  # fmt: skip
            assert placed(table, (odds, most), seat=seat, book=book)
            assert code(placed, table, (odds, most + 1), seat=seat, book=book) == "over_odds"


def test_a_map_of_odds_may_leave_a_number_out():
    book = book_of(CrapsOptions(odds_map=(0, 1, 2, 2, 1, 0)))
    seat = (LiveBet(0, 10),)
    assert code(placed, CrapsTable(phase="point", point=4), ("odds_pass", 1), seat=seat, book=book) == "over_odds"
    assert placed(CrapsTable(phase="point", point=6), ("odds_pass", 20), seat=seat, book=book)


def test_a_bet_that_could_not_win_a_chip_is_refused():
    """Section 4: for example odds of 1 laid against the 6."""
    seat = (LiveBet(1, 10),)
    assert code(placed, SHOOTING, ("odds_dont_pass", 1), seat=seat) == "profit_too_small"
    assert placed(SHOOTING, ("odds_dont_pass", 2), seat=seat)
    assert code(placed, FRESH, ("no:2", 11)) == "profit_too_small"  # wins 1, and the commission is 1
    assert placed(FRESH, ("no:2", 12))
    cheap = book_of(CrapsOptions(pay_table="bitcraps"))
    assert code(placed, FRESH, ("no:2", 6), book=cheap) == "profit_too_small"
    assert placed(FRESH, ("no:2", 7), book=cheap)


def test_a_stake_that_could_win_too_much_is_refused_not_clipped():
    book = book_of(CrapsOptions(max_profit=1_000))
    assert placed(FRESH, ("next:2", 33), book=book)
    assert code(placed, FRESH, ("next:2", 34), book=book) == "over_profit"
    assert code(placed, FRESH, ("fire", 2), book=book) == "over_profit"
    assert placed(FRESH, ("fire", 1), book=book)


def test_no_player_has_too_much_at_risk_or_too_many_bets():
    book = book_of(CrapsOptions(player_max=100, max_bets=3, vig="upfront"))
    placing.check_caps(placed(FRESH, ("yes:6", 60), ("field", 40), book=book), book)
    assert code(placing.check_caps, placed(FRESH, ("yes:6", 60), ("field", 41), book=book), book) == "player_limit"
    # The commission that was paid with the stake is at risk too.
    assert code(placing.check_caps, placed(FRESH, ("buy:6", 60), ("field", 40), book=book), book) == "player_limit"
    four = placed(FRESH, ("field", 1), ("next:2", 1), ("next:3", 1), ("next:4", 1), book=book)
    assert code(placing.check_caps, four, book) == "too_many_bets"
    usual = [
        ("field", 1),
        *((name, stake_for(name)) for name in WITHOUT_FLAT if name.startswith(("hop", "next", "hard"))),
    ]
    placing.check_caps(placed(FRESH, *usual), BOOK)


def test_the_checks_come_in_the_order_of_section_4():
    """Of several reasons the first one is told: open, known, window, whole, limits, multiple."""
    assert code(placed, CLOSED, ("nonsense:1", -5)) == "unknown_bet"  # a name that is none never reaches a table
    assert code(placed, CLOSED, ("come", -5)) == "table_closed"
    assert code(placed, FRESH, ("come:5", -5)) == "unknown_bet"
    assert code(placed, FRESH, ("come", -5)) == "window_closed"
    assert code(placed, FRESH, ("pass", -5)) == "stake_too_small"
    assert code(placed, FRESH, ("horn", 2)) == "not_a_multiple"
    assert code(placed, FRESH, ("horn", 501)) == "over_limit"
    assert code(placed, SHOOTING, ("odds_pass", 10**9), seat=(LiveBet(0, 10),)) == "over_odds"


# Take-down classes.

CONTRACT = {"pass": "pass", "come": "come:6"}
LOWER_ONLY = {"dont_pass": "dont_pass", "dont_come": "dont_come:6"}
FREE = [name for name in IDS if name.startswith(("yes", "no:", "hard", "big"))]
UNTIL_ROLL = ["field", "any_craps", "horn", "world", "c_and_e"]
UNTIL_ROLL += [name for name in IDS if name.startswith(("next", "hop"))]
NEVER = ["hot_roller", "fire", "ride_line", "replay", *SET_BETS]


def test_the_take_down_classes_name_every_bet_once():
    listed = [*CONTRACT, *LOWER_ONLY, *FREE, *UNTIL_ROLL, *NEVER, "muggsy"]
    assert sorted(listed) == sorted(WITHOUT_FLAT)


@pytest.mark.parametrize("name", CONTRACT)
def test_a_contract_bet_is_free_until_it_has_a_number_and_then_stays(name):
    before = FRESH if name == "pass" else SHOOTING
    seat = placed(before, (name, 20))
    assert names(placing.raise_bet(before, seat, name, 5, BOOK).seat) == {name: 25}
    assert names(placing.lower_bet(before, seat, name, 5, BOOK).seat) == {name: 15}
    assert placing.remove_bet(before, seat, name, BOOK).seat == ()
    with_number = throw(before, [seat], 3, 3, BOOK)
    on = CONTRACT[name]
    for action in (placing.raise_bet, placing.lower_bet):
        assert code(action, with_number.table, with_number.seats[0], on, 5, BOOK) == "contract_bet"
    assert code(placing.remove_bet, with_number.table, with_number.seats[0], on, BOOK) == "contract_bet"


@pytest.mark.parametrize("name", LOWER_ONLY)
def test_a_dark_bet_may_always_come_down_and_never_be_raised_on_its_number(name):
    before = FRESH if name == "dont_pass" else SHOOTING
    seat = placed(before, (name, 20))
    assert names(placing.raise_bet(before, seat, name, 5, BOOK).seat) == {name: 25}
    outcome = throw(before, [seat], 3, 3, BOOK)
    on = LOWER_ONLY[name]
    assert code(placing.raise_bet, outcome.table, outcome.seats[0], on, 5, BOOK) == "only_lower"
    assert names(placing.lower_bet(outcome.table, outcome.seats[0], on, 5, BOOK).seat) == {on: 15}
    assert placing.remove_bet(outcome.table, outcome.seats[0], on, BOOK).seat == ()


@pytest.mark.parametrize("name", FREE)
def test_a_free_bet_may_be_raised_lowered_removed_and_switched_at_any_time(name):
    for table in (FRESH, SHOOTING, POINT_MADE):
        seat = placed(FRESH, (name, 60))
        assert names(placing.raise_bet(table, seat, name, 60, BOOK).seat) == {name: 120}
        assert names(placing.lower_bet(table, seat, name, 24, BOOK).seat) == {name: 36}
        assert placing.remove_bet(table, seat, name, BOOK).seat == ()
        for come_out, point in ((True, True), (False, True), (True, False), (False, False)):
            (bet,) = placing.switch_bet(table, seat, name, come_out, point, BOOK).seat
            assert bet.working == come_out + 2 * point


@pytest.mark.parametrize("name", UNTIL_ROLL)
def test_a_one_roll_bet_may_come_down_until_the_roll_and_always_works(name):
    seat = placed(SHOOTING, (name, 20))
    assert placing.remove_bet(SHOOTING, seat, name, BOOK).seat == ()
    assert names(placing.raise_bet(SHOOTING, seat, name, 20, BOOK).seat) == {name: 40}
    assert code(placing.switch_bet, SHOOTING, seat, name, False, True, BOOK) == "always_works"


@pytest.mark.parametrize("name", NEVER)
def test_a_side_bet_stays_until_it_is_decided_and_is_raised_in_its_window_only(name):
    seat = placed(FRESH, (name, 5))
    assert names(placing.raise_bet(FRESH, seat, name, 5, BOOK).seat) == {name: 10}
    assert code(placing.raise_bet, SHOOTING, seat, name, 5, BOOK) == "window_closed"
    for table in (FRESH, SHOOTING):
        assert code(placing.remove_bet, table, seat, name, BOOK) == "stays_up"
        assert code(placing.lower_bet, table, seat, name, 1, BOOK) == "stays_up"


def test_muggsy_may_come_down_until_it_has_been_rolled():
    seat = placed(POINT_MADE, ("muggsy", 5))
    assert placing.remove_bet(POINT_MADE, seat, "muggsy", BOOK).seat == ()
    rolled = throw(POINT_MADE, [seat], 3, 3, BOOK)
    assert code(placing.remove_bet, rolled.table, rolled.seats[0], "muggsy", BOOK) == "stays_up"
    second = CrapsTable(roll_count=9, hand_rolls=9, set_rolls=0)  # a come-out again, Muggsy in its second roll
    assert code(placing.raise_bet, second, (LiveBet(37, 5, placed=8),), "muggsy", 5, BOOK) == "stays_up"


def test_odds_are_free_but_laid_ones_always_work():
    seat = (
        LiveBet(0, 10),
        LiveBet(1, 10),
        LiveBet(29, 20, 6),
        LiveBet(30, 24, 6),
        LiveBet(2, 10, 5),
        LiveBet(31, 20, 5),
    )
    for name in ("odds_pass", "odds_dont_pass", "odds_come:5"):
        assert placing.raise_bet(SHOOTING, seat, name, 6, BOOK).cost(BOOK) == 6
        assert placing.lower_bet(SHOOTING, seat, name, 6, BOOK).cost(BOOK) == -6
        assert placing.remove_bet(SHOOTING, seat, name, BOOK).cost(BOOK) == -names(seat)[name]
    assert placing.switch_bet(SHOOTING, seat, "odds_come:5", True, True, BOOK).seat[-1].working == 3
    assert code(placing.switch_bet, SHOOTING, seat, "odds_dont_pass", False, True, BOOK) == "always_works"


def test_odds_come_down_with_their_flat_bet():
    seat = (
        LiveBet(1, 20),
        LiveBet(30, 120, 6),
        LiveBet(3, 20, 9),
        LiveBet(32, 60, 9),
        LiveBet(32, 30, 4),
        LiveBet(3, 5, 4),
    )
    lowered = placing.lower_bet(SHOOTING, seat, "dont_pass", 10, BOOK)
    assert names(lowered.seat) == names(seat) | {"dont_pass": 10, "odds_dont_pass": 60}
    assert lowered.cost(BOOK) == -70
    removed = placing.remove_bet(SHOOTING, seat, "dont_come:9", BOOK)
    assert names(removed.seat) == {"dont_pass": 20, "odds_dont_pass": 120, "odds_dont_come:4": 30, "dont_come:4": 5}
    assert removed.cost(BOOK) == -80
    within = placing.lower_bet(SHOOTING, seat, "dont_come:9", 5, BOOK)
    assert names(within.seat) == names(seat) | {"dont_come:9": 15}
    box = (*placed(SHOOTING, ("come", 20)), LiveBet(2, 10, 5), LiveBet(31, 40, 5))
    assert names(placing.lower_bet(SHOOTING, box, "come", 15, BOOK).seat) == {
        "come": 5,
        "come:5": 10,
        "odds_come:5": 40,
    }


def test_what_is_not_up_cannot_be_changed():
    for action in (placing.raise_bet, placing.lower_bet):
        assert code(action, FRESH, (), "pass", 5, BOOK) == "not_placed"
    assert code(placing.remove_bet, FRESH, (), "pass", BOOK) == "not_placed"
    assert code(placing.switch_bet, FRESH, (), "yes:6", True, True, BOOK) == "not_placed"
    assert code(placing.keep_up, FRESH, (), "yes:6", True) == "not_placed"


def test_lowering_takes_some_chips_and_leaves_some():
    seat = placed(FRESH, ("yes:6", 60))
    for less in (0, 60, 61):
        assert code(placing.lower_bet, FRESH, seat, "yes:6", less, BOOK) == "bad_lowering"
    assert code(placing.lower_bet, FRESH, seat, "yes:6", 56, BOOK) == "under_limit"
    assert code(placing.raise_bet, FRESH, seat, "yes:6", 0, BOOK) == "stake_too_small"
    assert code(placing.raise_bet, FRESH, seat, "yes:6", 4_941, BOOK) == "over_limit"


def test_a_closed_table_changes_nothing():
    seat = placed(FRESH, ("yes:6", 60))
    assert code(placing.raise_bet, CLOSED, seat, "yes:6", 6, BOOK) == "table_closed"
    assert code(placing.lower_bet, CLOSED, seat, "yes:6", 6, BOOK) == "table_closed"
    assert code(placing.remove_bet, CLOSED, seat, "yes:6", BOOK) == "table_closed"
    assert code(placing.switch_bet, CLOSED, seat, "yes:6", True, True, BOOK) == "table_closed"


def test_taking_all_down_leaves_what_must_stay():
    seat = placed(FRESH, ("pass", 10), ("dont_pass", 10), ("yes:6", 60), ("fire", 5), ("field", 5))
    after = throw(FRESH, [seat], 2, 2, BOOK)
    seat = placed(after.table, ("odds_pass", 30), ("odds_dont_pass", 20), seat=after.seats[0])
    change = placing.remove_all(after.table, seat)
    assert names(change.seat) == {"pass": 10, "fire": 5}
    assert change.cost(BOOK) == -(10 + 60 + 30 + 20)
    assert code(placing.remove_all, after.table, change.seat) == "no_bets"


def test_a_commission_paid_up_front_comes_back_with_the_bet():
    book = book_of(CrapsOptions(vig="upfront"))
    change = placing.place_bet(FRESH, (), "buy:4", 100, book)
    assert change.cost(book) == 105
    raised = placing.raise_bet(FRESH, change.seat, "buy:4", 30, book)
    assert raised.cost(book) == 31  # 5 % of 130 is 6
    lowered = placing.lower_bet(FRESH, raised.seat, "buy:4", 100, book)
    assert lowered.cost(book) == -105
    assert placing.remove_bet(FRESH, lowered.seat, "buy:4", book).cost(book) == -31


# Keep up, and odds on the newest bet.


def test_a_bet_that_is_kept_up_is_placed_again_while_its_window_is_open():
    seat = placing.place_bet(FRESH, (), "field", 5, BOOK, keep=True).seat
    seat = placed(FRESH, ("pass", 10), ("bonus_small", 5), seat=seat)
    seat = placing.keep_up(FRESH, seat, "pass", True).seat
    outcome = throw(FRESH, [seat], 5, 6, BOOK)
    again = {decision.bet.name: placing.place_again(outcome.table, outcome.seats[0], decision.bet, BOOK)
             for decision in outcome.decisions if decision.bet.keep_up}  # fmt: skip
    assert {name: change and names(change.seat) for name, change in again.items()} == {
        "pass": {"bonus_small": 5, "pass": 10},
        "field": {"bonus_small": 5, "field": 5},
    }
    change = again["pass"]
    assert change is not None
    assert change.seat[-1] == LiveBet(0, 10, placed=1, keep_up=True)
    small = LiveBet(38, 5, keep_up=True)
    assert placing.place_again(outcome.table, (), small, BOOK) is None  # the set has begun
    assert placing.place_again(SHOOTING, (), LiveBet(0, 10), BOOK) is None
    travelled = placing.place_again(SHOOTING, (), LiveBet(2, 10, 9, keep_up=True), BOOK)
    assert travelled is not None
    assert names(travelled.seat) == {"come": 10}


def test_odds_go_on_the_newest_bet_that_has_its_number():
    assert code(placing.odds_target, FRESH, placed(FRESH, ("pass", 10))) == "no_flat_bet"
    assert placing.odds_target(SHOOTING, (LiveBet(0, 10), LiveBet(4, 5))) == "odds_pass"
    assert placing.odds_target(SHOOTING, (LiveBet(0, 10), LiveBet(3, 10, 9))) == "odds_dont_come:9"
    assert placing.odds_target(SHOOTING, (LiveBet(1, 10), LiveBet(2, 10))) == "odds_dont_pass"  # one is in the box
    assert placing.odds_target(POINT_MADE, (LiveBet(2, 10, 5), LiveBet(0, 10))) == "odds_come:5"


# Nothing is free and nothing is lost: whatever is done between rolls, what was paid is what can come back.


TRIED = ["pass", "dont_pass", "come", "dont_come", "buy:4", "no:6", "yes:9", "fire", "field"]
TRIED += ["odds_pass", "odds_dont_pass", "odds_come:5", "odds_dont_come:8"]


@given(data=st.data(), upfront=st.booleans())
def test_what_a_seat_paid_is_what_its_bets_cost(data, upfront):
    book = book_of(CrapsOptions(vig="upfront" if upfront else "win"))
    table, paid = FRESH, 0
    seat: Seat = ()
    for _ in range(12):
        kind = data.draw(st.sampled_from(["place", "raise", "lower", "remove", "roll"]))
        name = data.draw(st.sampled_from(TRIED))
        stake = data.draw(st.integers(1, 60))
        try:
            if kind == "roll":
                die1, die2 = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
                outcome = throw(table, [seat], die1, die2, book)
                paid -= sum(decision.bet.outlay(book) for decision in outcome.decisions)
                table, (seat,) = outcome.table, outcome.seats
                continue
            if kind == "remove":
                change = placing.remove_bet(table, seat, name, book)
            else:
                action = {"place": placing.place_bet, "raise": placing.raise_bet, "lower": placing.lower_bet}[kind]
                change = action(table, seat, name, stake, book)
        except Refusal:
            continue
        paid += change.cost(book)
        seat = change.seat
    assert paid == sum(bet.outlay(book) for bet in seat)
    keys = [(bet.id, bet.number) for bet in seat]
    assert len(keys) == len(set(keys))
    for bet in seat:
        if bet.id in (29, 30):
            assert any(flat.id == bet.id - 29 for flat in seat)
            assert bet.number == table.point
        if bet.id in (31, 32):
            assert any((flat.id, flat.number) == (bet.id - 29, bet.number) for flat in seat)
