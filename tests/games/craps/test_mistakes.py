"""The 23 mistakes of the original description, which is not in this repository, each with a test that finds it.

The number of the mistake is in the name of its test.
"""

from __future__ import annotations

import pytest

from croupier.games.craps.bets import IDS
from croupier.games.craps.layout import CrapsTable, LiveBet, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from tests.games.craps.seats import Felt, live, point_up, returns
from tests.games.scenes import play, scenes

BOOK = book_of(CrapsOptions())
POINTS = (4, 5, 6, 8, 9, 10)
Dice = tuple[int, int]


def rolled(table: CrapsTable, seat: Seat, *dice: Dice) -> tuple[CrapsTable, Seat, list[dict[str, int]]]:
    """Return table and seat after some rolls, and what each roll handed back."""
    told = []
    for pair in dice:
        outcome = throw(table, [seat], *pair, BOOK)
        table, (seat,) = outcome.table, outcome.seats
        told.append(returns(outcome))
    return table, seat, told


NO_PROFITS = {2: 19, 3: 38, 4: 57, 5: 76, 6: 95, 8: 95, 9: 76, 10: 57, 11: 38, 12: 19}
NO_BETS = "; ".join(f"up no:{number} 120" for number in NO_PROFITS)
NO_PAID = str({f"no:{number}": 120 + profit for number, profit in NO_PROFITS.items()})


SCENES = scenes(
    """
# 02 a seven out pays dont come winners and books come losers | point_6
up come:5 10; up odds_come:5 20; up dont_come:9 10; up odds_dont_come:9 30
34; ? last {'come:5': 0, 'odds_come:5': 0, 'dont_come:9': 20, 'odds_dont_come:9': 50}; ? seat {}
# 03 a made point takes the dont come bet on it too | point_8
up come:8 10; up dont_come:8 10; up odds_dont_come:8 12
53; ? last {'come:8': 20, 'dont_come:8': 0, 'odds_dont_come:8': 0}; ? seat {}
# 04 any roll of the number decides a come bet at the come out | fresh
up come:9 10; up dont_come:9 10; 45; ? last {'come:9': 20, 'dont_come:9': 0}; ? seat {}
# 04 any roll of the number decides a come bet whatever the tables point | point_6
up come:9 10; up dont_come:9 10; 45; ? last {'come:9': 20, 'dont_come:9': 0}; ? seat {}
# 05 travelled flats work at the come out | fresh
up come:5 10; up dont_come:9 10; 34; ? last {'come:5': 0, 'dont_come:9': 20}
# 06 the old come bet wins before the new one takes its place | point_6
up come:5 10; up odds_come:5 20; up come 25; 14; ? last {'come:5': 20, 'odds_come:5': 50}; ? seat {'come:5': 25}
41; ? last {'come:5': 50}; ? seat {}
# 07 repeaters count from the start of a set and no sevens | fresh
## Any 7 clears the counts, 7 is not counted, and nobody joins a set that has begun; the two before was another set's.
11; 33; 34; ? repeater_counts (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); up repeater:2 5; 11; ? seat {'repeater:2': 5}
place repeater:3 5 -> window_closed; 11; ? last {'repeater:2': 205}
# 08 a repeater on six needs six sixes | fresh
up repeater:6 5; 33; ? last {}; 24; ? last {}; 15; ? last {}; 51; ? last {}; 33; ? last {}
42; ? last {'repeater:6': 455}
# 09 counters do not overflow on a long table | fresh
33*1000; ? repeater_counts.4 1000; ? hard_streak.1 1000; ? points_made.2 500; ? hot_streak 500; ? pass_wins 500
? hand_rolls 1000
# 10 bonus numbers do not survive a come out seven | fresh
up bonus_small 5; 11; 12; 34; ? last {'bonus_small': 0}; ? bonus_numbers ()
# 11 hardway streaks end with any seven and nobody joins one | fresh
## Twice hard would win at once.
22; 22; ? hard_streak (2, 0, 0, 0); place twice_hard 5 -> window_closed; 34; ? hard_streak (0, 0, 0, 0)
up twice_hard 5; 22; ? last {}; ? seat {'twice_hard': 5}
# 12 the point decides hardways and numbers like any other roll | point_6
up hard:6 10; up yes:6 12; up no:6 60; up big:6 10; 33; ? last {'hard:6': 100, 'yes:6': 26, 'no:6': 0, 'big:6': 20}
# 12 the point thrown easy decides them too | point_6
up hard:6 10; up yes:6 12; up no:6 60; up big:6 10; 24; ? last {'hard:6': 0, 'yes:6': 26, 'no:6': 0, 'big:6': 20}
? seat {}
# 13 no bets are paid on every seven at the come out | fresh
{no}
# 13 no bets are paid on every seven with a point of six | point_6
{no}
# 13 no bets are paid on every seven with a point of ten | point_10
{no}
# 14 one roll bets are settled once on a come out seven | fresh
up field 10; up next:7 10; up any_craps 10; 34; ? last {'field': 0, 'next:7': 50, 'any_craps': 0}
# 14 one roll bets are settled once on a come out two | fresh
up field 10; up next:7 10; up any_craps 10; 11; ? last {'field': 30, 'next:7': 0, 'any_craps': 80}
# 15 decided bets are removed and never pay again | fresh
up pass 10; up field 10; 56; ? last {'pass': 20, 'field': 20}; 56; ? last {}; 56; ? last {}; ? seat {}
# 16 a point being set decides nothing and moves no money | fresh
up pass 10; up dont_pass 10; 44; ? last {}; ? seat {'pass': 10, 'dont_pass': 10}
# 17 a return is stake and profit and even money is a profit of one stake | fresh
up pass 10; 34; ? last {'pass': 20}
# 19 the hot streak counts points and pass wins count naturals too | fresh
56; 34; 22; 22; ? hot_streak 1; ? pass_wins 3
# 20 a roll is written down once | fresh
up pass 10; 22; 34; ? rolls [(1, 2, 2), (2, 3, 4)]; ? roll_count 2
# 21 the log is bounded so that a roll costs the same on a long table | fresh
11*1500; ? log (1000, 501, 1500)
# 22 a bet may be placed again once it is decided and not before | fresh
place pass 10; place pass 10 -> already_placed; 56; place pass 10; ? seat {'pass': 10}
""".replace("{no}", NO_BETS + "; 52; ? last " + NO_PAID)
)


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_mistake_of_the_list_is_not_made(head, scene):
    play(Felt(head), scene)


def test_01_every_family_settles():
    """Resolution that returns nothing would leave all of them on the table; a side bet that loses is taken."""
    seat = tuple(live(name, 20) for name in IDS if not name.startswith("odds"))
    seat += (LiveBet(29, 20, 6), LiveBet(30, 20, 6))
    numbered = ("come", "dont_come", "odds_come", "odds_dont_come")
    seat += tuple(live(f"{kind}:{number}", 20) for kind in numbered for number in POINTS)
    _, left, (told,) = rolled(point_up(6, 3), seat, (3, 4))

    assert left == ()
    assert len(told) == len(seat)
    side_bets = {*IDS[33:43], *IDS[54:64]} - {"muggsy"}  # which alone wins on that 7
    assert {name for name in side_bets if told[name]} == set()
    assert {bet.id for bet in seat} == set(range(91))


def test_18_side_bets_settle_before_their_trackers_are_wiped():
    made = {"points_made": (4, 0, 0, 0, 0, 0), "fire_points": (4, 5, 6, 8), "hot_streak": 6, "pass_wins": 7}
    table = point_up(9, 3, **made, doubles_seen=(1, 2, 3, 4), bonus_numbers=(2, 3, 4, 5))
    seat = tuple(
        live(name, 5) for name in ("fire", "replay", "hot_roller", "ride_line", "different_doubles", "bonus_small")
    )
    after, left, (told,) = rolled(table, seat, (3, 4))
    assert told == {
        "fire": 125, "replay": 5005, "hot_roller": 165, "ride_line": 45, "different_doubles": 45, "bonus_small": 0,
    }  # fmt: skip
    assert left == ()
    assert (after.fire_points, after.points_made, after.doubles_seen) == ((), (0,) * 6, ())
    _, _, (told,) = rolled(point_up(9, 3, repeater_counts=(1, *(0,) * 10)), (live("repeater:2", 5),), (1, 1))
    assert told == {"repeater:2": 205}


def test_23_the_field_has_sixteen_ways_to_win():
    wins = 0
    for die1 in range(1, 7):
        for die2 in range(1, 7):
            wins += returns(throw(CrapsTable(), [(live("field"),)], die1, die2, BOOK))["field"] > 0
    assert wins == 16
