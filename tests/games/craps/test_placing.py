"""Between rolls: every bet inside and outside its window, and what may be raised, lowered, removed and switched.

Windows and take-down classes are the published columns, written down again by name.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest

from croupier.engine.turn import Refusal
from croupier.games.craps import placing
from croupier.games.craps.bets import IDS
from croupier.games.craps.layout import CrapsTable, LiveBet, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.rng import GameRng
from tests.games.craps.seats import (
    CLOSED,
    FRESH,
    NATURAL_SEVEN,
    POINT_MADE,
    SHOOTING,
    Felt,
    code,
    point_up,
    stake_for,
    stakes,
)
from tests.games.scenes import play, scenes

BOOK = book_of(CrapsOptions())
POINTS = (4, 5, 6, 8, 9, 10)
SEVENED_OUT = CrapsTable(roll_count=2, hand_id=1, series_id=1)

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


def placed(table: CrapsTable, *bets: tuple[str, int], seat: Seat = (), book: PriceBook = BOOK) -> Seat:
    for name, stake in bets:
        seat = placing.place_bet(table, seat, name, stake, book).seat
    return seat


# Scenes: a table, its prices, bets that are up, and what may be done to them.

SCENES = scenes("""
# the hot roller by ways is a set bet | natural_seven hot_roller='ways'
place hot_roller 5; ? seat {'hot_roller': 5}; at point_made
place hot_roller 5 -> already_placed; remove hot_roller -> stays_up
# the hot roller by ways is not placed when the set has begun | point_made hot_roller='ways'
place hot_roller 5 -> window_closed
# the usual hot roller is a bet on the hand | natural_seven
place hot_roller 5 -> window_closed
# odds need a point | fresh
place odds_pass 10 -> window_closed; place odds_dont_pass 10 -> window_closed; place pass 10
place odds_pass 10 -> window_closed
# odds need their flat bet | shooting
place odds_pass 10 -> no_flat_bet; place odds_dont_pass 10 -> no_flat_bet; up pass 10
place odds_dont_pass 10 -> no_flat_bet; place odds_pass 50; ? seat {'pass': 10, 'odds_pass': 50}
# come odds need a bet on their number with a point up | shooting
up come:5 10; up dont_come:9 10; place odds_come:9 10 -> no_flat_bet; place odds_dont_come:5 10 -> no_flat_bet
place odds_come:5 40; ? seat {'come:5': 10, 'dont_come:9': 10, 'odds_come:5': 40}
# come odds need a bet on their number at the come out | point_made
up come:5 10; up dont_come:9 10; place odds_come:9 10 -> no_flat_bet; place odds_dont_come:5 10 -> no_flat_bet
place odds_come:5 40; ? seat {'come:5': 10, 'dont_come:9': 10, 'odds_come:5': 40}
# a come bet in its box has no odds | shooting
place come 10; place odds_come:6 10 -> no_flat_bet
# a number that is not there is no bet and nobody names the number of a come bet | shooting
place yes:7 10 -> unknown_bet; place come:7 10 -> unknown_bet; place hard:5 10 -> unknown_bet
place hop:0-1 10 -> unknown_bet; place odds_come 10 -> unknown_bet; place odds_come:7 10 -> unknown_bet
place next:1 10 -> unknown_bet; place pass:4 10 -> unknown_bet; place come:4 10 -> unknown_bet
place come:5 10 -> unknown_bet; place come:6 10 -> unknown_bet; place come:8 10 -> unknown_bet
place come:9 10 -> unknown_bet; place come:10 10 -> unknown_bet; place dont_come:4 10 -> unknown_bet
place dont_come:5 10 -> unknown_bet; place dont_come:6 10 -> unknown_bet; place dont_come:8 10 -> unknown_bet
place dont_come:9 10 -> unknown_bet; place dont_come:10 10 -> unknown_bet
# a mode or a bet that the pay table has not is refused | fresh pay_table='bitcraps'
place buy:4 20 -> not_offered; place lose:4 20 -> not_offered; place hop:1-1 20 -> not_offered
place hop:1-2 20 -> not_offered; place hop:5-6 20 -> not_offered; place hop:6-6 20 -> not_offered
place place:4 20; ? seat {'yes:4': 20}
# a number that is no point is not laid without commission | fresh
place lose:2 20 -> unknown_bet; place lose:3 20 -> unknown_bet; place lose:11 20 -> unknown_bet
place lose:12 20 -> unknown_bet
# a bet that is up is not placed again in whichever mode | fresh
place yes:4 20; place no:6 30; place pass 10; place yes:4 20 -> already_placed; place buy:4 20 -> already_placed
place place:4 20 -> already_placed; place no:6 20 -> already_placed; place lose:6 20 -> already_placed
place lay:6 20 -> already_placed; place pass 20 -> already_placed
# a come bet is placed again when the one before it has travelled | shooting
place come 10; place come 10 -> already_placed; 33; at shooting; place come 15; ? seat {'come:6': 10, 'come': 15}
# a map of odds may leave a number out | four odds_map=(0,1,2,2,1,0)
up pass 10; place odds_pass 1 -> over_odds; at six; place odds_pass 20; ? seat {'pass': 10, 'odds_pass': 20}
# odds that could not win a chip are refused | shooting
## For example odds of 1 laid against the 6.
up dont_pass 10; place odds_dont_pass 1 -> profit_too_small; place odds_dont_pass 2; ? cost 2
# a bet that could not win a chip is refused | fresh
## It wins 1, and the commission is 1.
place no:2 11 -> profit_too_small; place no:2 12; ? seat {'no:2': 12}
# a bet that could not win a chip without commission is refused | fresh pay_table='bitcraps'
place no:2 6 -> profit_too_small; place no:2 7; ? seat {'no:2': 7}
# a stake that could win too much is refused not clipped | fresh max_profit=1_000
place next:2 34 -> over_profit; place fire 2 -> over_profit; place next:2 33; place fire 1
? seat {'next:2': 33, 'fire': 1}
# a name that is none never reaches a table | closed
## Of several reasons the first one is told: open, known, window, whole, limits, multiple.
place nonsense:1 -5 -> unknown_bet; place come -5 -> table_closed
# the checks come in their published order | fresh
place come:5 -5 -> unknown_bet; place come -5 -> window_closed; place pass -5 -> stake_too_small
place horn 2 -> not_a_multiple; place horn 501 -> over_limit
# odds have a limit of their own | shooting
up pass 10; place odds_pass 1000000000 -> over_odds
# muggsy in its second roll stays at a come out | second_muggsy
up muggsy 5 0 8; raise muggsy 5 -> stays_up
# odds are free but laid ones always work | shooting
up pass 10; up dont_pass 10; up odds_pass 20 6; up odds_dont_pass 24 6; up come:5 10; up odds_come:5 20
raise odds_pass 6; ? cost 6; lower odds_pass 6; ? cost -6; raise odds_dont_pass 6; ? cost 6
lower odds_dont_pass 6; ? cost -6; raise odds_come:5 6; ? cost 6; lower odds_come:5 6; ? cost -6
switch odds_dont_pass no yes -> always_works; switch odds_come:5 yes yes; ? working [3, 3, 3, 3, 3, 3]
remove odds_pass; ? cost -20; remove odds_dont_pass; ? cost -24; remove odds_come:5; ? cost -20
# odds come down with their flat bet | shooting
up dont_pass 20; up odds_dont_pass 120 6; up dont_come:9 20; up odds_dont_come:9 60; up odds_dont_come:4 30
up dont_come:4 5; lower dont_pass 10; ? cost -70
? seat {'dont_pass': 10, \
'odds_dont_pass': 60, 'dont_come:9': 20, 'odds_dont_come:9': 60, 'odds_dont_come:4': 30, 'dont_come:4': 5}
lower dont_come:9 5; ? seat {'dont_pass': 10, \
'odds_dont_pass': 60, 'dont_come:9': 15, 'odds_dont_come:9': 60, 'odds_dont_come:4': 30, 'dont_come:4': 5}
remove dont_come:9; ? cost -75
? seat {'dont_pass': 10, 'odds_dont_pass': 60, 'odds_dont_come:4': 30, 'dont_come:4': 5}
# odds on a number stay when the bet in the box is lowered | shooting
place come 20; up come:5 10; up odds_come:5 40; lower come 15; ? seat {'come': 5, 'come:5': 10, 'odds_come:5': 40}
# what is not up cannot be changed | fresh
raise pass 5 -> not_placed; lower pass 5 -> not_placed; remove pass -> not_placed; switch yes:6 yes yes -> not_placed
keep_up yes:6 yes -> not_placed
# a bet is changed under its own name and not that of the other mode | fresh
place buy:6 20; raise yes:6 5 -> not_placed; lower place:6 5 -> not_placed; remove yes:6 -> not_placed
switch yes:6 yes yes -> not_placed; keep_up yes:6 yes -> not_placed; raise buy:6 5; ? seat {'buy:6': 25}
place lose:8 30; lower no:8 5 -> not_placed; remove lay:8 -> not_placed; lower place_to_lose:8 5
? seat {'buy:6': 25, 'lose:8': 25}; remove buy:6; remove lose:8; ? seat {}
# lowering takes some chips and leaves some | fresh
place yes:6 60; lower yes:6 0 -> bad_lowering; lower yes:6 60 -> bad_lowering; lower yes:6 61 -> bad_lowering
lower yes:6 56 -> under_limit; raise yes:6 0 -> stake_too_small; raise yes:6 4941 -> over_limit
# a closed table changes nothing | fresh
place yes:6 60; at closed; raise yes:6 6 -> table_closed; lower yes:6 6 -> table_closed; remove yes:6 -> table_closed
switch yes:6 yes yes -> table_closed
# taking all down leaves what must stay | fresh
place pass 10; place dont_pass 10; place yes:6 60; place fire 5; place field 5; 22
place odds_pass 30; place odds_dont_pass 20; remove_all; ? seat {'pass': 10, 'fire': 5}; ? cost -120
remove_all; ? seat {'pass': 10, 'fire': 5}; ? cost 0
# a commission paid up front comes back with the bet | fresh vig='upfront'
## 5 % of 130 is 6.
place buy:4 100; ? cost 105; raise buy:4 30; ? cost 31; lower buy:4 100; ? cost -105; remove buy:4; ? cost -31
# a pass without a point has no odds | fresh
place pass 10; odds_target -> no_flat_bet
# odds go on the pass | shooting
up pass 10; up field 5; ? odds_target 'odds_pass'
# odds go on the newest bet that has its number | shooting
up pass 10; up dont_come:9 10; ? odds_target 'odds_dont_come:9'
# odds do not go on a bet in the box | shooting
up dont_pass 10; up come 10; ? odds_target 'odds_dont_pass'
# odds go on a come bet at the come out | point_made
up come:5 10; up pass 10; ? odds_target 'odds_come:5'
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_bets_are_placed_and_changed_as_written(head, scene):
    play(Felt(head), scene)


@pytest.mark.parametrize(
    ("action", "bet", "said"),
    [
        ("place", "yes:6", "buy:6 is up, and a number has one bet: remove it before you place yes:6"),
        ("place", "buy:6", "buy:6 is up already: raise it, or lower it"),
        ("raise", "yes:6", "there is no bet on yes:6: buy:6 is up"),
    ],
)
def test_a_refusal_names_the_bet_that_is_up_in_the_other_mode(action, bet, said):
    with pytest.raises(Refusal, match=said):
        getattr(placing, f"{action}_bet")(FRESH, placed(FRESH, ("buy:6", 20)), bet, 20, BOOK)


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
def test_each_family_of_bets_has_its_published_limits(name, low, high):
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
        table = point_up(number)
        seat = (LiveBet(0, 10), LiveBet(1, 10), LiveBet(2, 10, number), LiveBet(3, 10, number))
        for odds, most in (
            ("odds_pass", most_taken), ("odds_dont_pass", most_laid),
            (f"odds_come:{number}", most_taken), (f"odds_dont_come:{number}", most_laid),
        ):  # fmt: skip
            assert placed(table, (odds, most), seat=seat, book=book)
            assert code(placed, table, (odds, most + 1), seat=seat, book=book) == "over_odds"


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


# Take-down classes.

SIDE_BETS = ["hot_roller", "fire", "ride_line", "replay", *SET_BETS]
ONE_ROLL = ["field", "any_craps", "horn", "world", "c_and_e"]
ONE_ROLL += [name for name in IDS if name.startswith(("next", "hop"))]
FREE = [name for name in IDS if name.startswith(("yes", "no:", "hard", "big"))]
AS_IT_IS = {"raise": "contract_bet", "lower": "contract_bet", "remove": "contract_bet"}
STAYS = {"lower": "stays_up", "remove": "stays_up"}
# Bets, the table they are placed at, what may not be done to them there, and what may not be done with a six thrown.
CLASSES: dict[str, tuple[list[str], CrapsTable, dict[str, str], dict[str, str]]] = {
    "a pass is under contract once it has a number": (["pass"], FRESH, {}, AS_IT_IS),
    "a come bet is under contract once it has a number": (["come"], SHOOTING, {}, AS_IT_IS),
    "a dont pass is never raised on its number": (["dont_pass"], FRESH, {}, {"raise": "only_lower"}),
    "a dont come is never raised on its number": (["dont_come"], SHOOTING, {}, {"raise": "only_lower"}),
    "a bet on a number is free at any time": (FREE, FRESH, {}, {}),
    "a bet of one roll may come down until the roll": (ONE_ROLL, SHOOTING, {}, {}),
    "a side bet stays and is raised in its window only": (SIDE_BETS, FRESH, STAYS, {"raise": "window_closed"} | STAYS),
    "muggsy may come down until it has been rolled": (["muggsy"], FRESH, {}, {"raise": "stays_up"} | STAYS),
}


def test_the_take_down_classes_name_every_bet_once():
    assert sorted(name for names, *_ in CLASSES.values() for name in names) == sorted(WITHOUT_FLAT)


@pytest.mark.parametrize(
    ("name", "before", "at_first", "later"),
    [pytest.param(name, *rest, id=f"{title}: {name}") for title, (some, *rest) in CLASSES.items() for name in some],
)
def test_a_bet_is_raised_lowered_and_removed_by_its_class(name, before, at_first, later):
    seat = placed(before, (name, 60))
    outcome = throw(before, [seat], 3, 3, BOOK)
    tables = [(before, seat, at_first)]
    if name in FREE:
        tables += [(table, seat, later) for table in (SHOOTING, POINT_MADE)]
    elif name not in ONE_ROLL:
        tables.append((outcome.table, outcome.seats[0], later))
    for table, (bet,), refused in tables:
        for action, left in (("raise", {bet.name: 80}), ("lower", {bet.name: 40}), ("remove", {})):
            change = getattr(placing, f"{action}_bet")
            asked = (table, (bet,), bet.name, *([] if action == "remove" else [20]), BOOK)
            if action in refused:
                assert code(change, *asked) == refused[action]
            else:
                assert stakes(change(*asked).seat) == left
        for come_out, point in ((True, True), (False, True), (True, False), (False, False)):
            if name in FREE or (come_out and point):
                (switched,) = placing.switch_bet(table, (bet,), bet.name, come_out, point).seat
                assert switched.working == come_out + 2 * point
            else:
                assert code(placing.switch_bet, table, (bet,), bet.name, come_out, point) == "always_works"


# Keep up, and odds on the newest bet.


def test_a_bet_that_is_kept_up_is_placed_again_while_its_window_is_open():
    seat = placing.place_bet(FRESH, (), "field", 5, BOOK, keep=True).seat
    seat = placed(FRESH, ("pass", 10), ("bonus_small", 5), seat=seat)
    seat = placing.keep_up(FRESH, seat, "pass", True).seat
    outcome = throw(FRESH, [seat], 5, 6, BOOK)
    again = {decision.bet.name: placing.place_again(outcome.table, outcome.seats[0], decision.bet, BOOK)
             for decision in outcome.decisions if decision.bet.keep_up}  # fmt: skip
    assert {name: stakes(change.seat) for name, change in again.items()} == {
        "pass": {"bonus_small": 5, "pass": 10},
        "field": {"bonus_small": 5, "field": 5},
    }
    assert again["pass"].seat[-1] == LiveBet(0, 10, placed=1, keep_up=True)
    small = LiveBet(38, 5, keep_up=True)
    assert code(placing.place_again, outcome.table, (), small, BOOK) == "window_closed"  # the set has begun
    assert code(placing.place_again, SHOOTING, (), LiveBet(0, 10), BOOK) == "window_closed"
    assert stakes(placing.place_again(SHOOTING, (), LiveBet(2, 10, 9, keep_up=True), BOOK).seat) == {"come": 10}


# Nothing is free and nothing is lost: whatever is done between rolls, what was paid is what can come back.


TRIED = ["pass", "dont_pass", "come", "dont_come", "buy:4", "no:6", "yes:9", "fire", "field", "odds_pass"]
TRIED += ["odds_dont_pass", *(f"odds_{kind}:{number}" for kind in ("come", "dont_come") for number in POINTS)]
TRIED += [f"{kind}:{number}" for kind in ("come", "dont_come") for number in POINTS]


def check_seat(table: CrapsTable, seat: Seat, paid: int, book: PriceBook) -> None:
    """No bet lies twice, and odds lie on their flat bet: those on the line never on a come-out roll."""
    assert paid == sum(bet.outlay(book) for bet in seat)
    keys = {(bet.id, bet.number) for bet in seat}
    assert len(keys) == len(seat)
    for bet in seat:
        if bet.id in (29, 30):
            assert (bet.id - 29, 0) in keys
            assert bet.number == table.point > 0
        if bet.id in (31, 32):
            assert (bet.id - 29, bet.number) in keys


@pytest.mark.parametrize("vig", ["win", "upfront"])
def test_a_seat_has_paid_what_its_bets_cost_and_odds_never_outlive_their_flat_bet(vig):
    book, rng = book_of(CrapsOptions(vig=vig)), GameRng.new(b"placing", 0, 0)
    table, paid = FRESH, 0
    seat: Seat = ()
    done: set[tuple[str, int]] = set()
    for _ in range(300):
        for name in 2 * TRIED:
            action = rng.pick(["place", "place", "place", "raise", "lower", "remove"])
            stake = [] if action == "remove" else [1 + rng.next_bounded(60)]
            with suppress(Refusal):
                change = getattr(placing, f"{action}_bet")(table, seat, name, *stake, book)
                seat, paid = change.seat, paid + change.cost(book)
                done |= {(action, (after or before).id) for before, after in change.steps}
        check_seat(table, seat, paid, book)
        outcome = throw(table, [seat], rng.roll_die(), rng.roll_die(), book)
        paid -= sum(decision.bet.outlay(book) for decision in outcome.decisions)
        table, (seat,) = outcome.table, outcome.seats
        check_seat(table, seat, paid, book)
    tried = ("place", "raise", "lower", "remove"), (0, 1, 2, 3, 29, 30, 31, 32)
    assert {*product(*tried)} <= done
