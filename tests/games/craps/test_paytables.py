"""Prices against the published tables: every cell, roundings, commissions, limits and what a bet can win at most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.craps import Craps
from croupier.games.craps.bets import IDS
from croupier.games.craps.layout import CrapsTable, LiveBet, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import boost, placing
from croupier.games.craps.rules.prices import STAKE_MAX, is_offered
from tests.games.craps.seats import live, point_up

CASINO, BITCRAPS, NULLSPACE = (book_of(CrapsOptions(pay_table=name)) for name in ("casino", "bitcraps", "nullspace"))
DICE = [(die1, die2) for die1 in range(1, 7) for die2 in range(1, 7)]


def profit(book: PriceBook, name: str, stake: int, dice: tuple[int, int], table: CrapsTable | None = None) -> int:
    """Return what a bet wins when it is decided by these dice, on a table with a point that they do not touch."""
    point = next(number for number in (4, 10) if number != sum(dice))
    table = point_up(point) if table is None else table
    (decision,) = throw(table, [(live(name, stake),)], *dice, book).decisions
    return decision.returned - stake


def pair(total: int) -> tuple[int, int]:
    return max(1, total - 6), min(6, total - 1)


# YES and NO.

BY_CLASS = {(2, 12): 0, (3, 11): 1, (4, 10): 2, (5, 9): 3, (6, 8): 4}
YES_AND_NO = [
    (CASINO, "yes", ["11/2", "11/4", "9/5", "7/5", "7/6"], 0),
    (CASINO, "buy", ["6/1", "3/1", "2/1", "3/2", "6/5"], 1),
    (CASINO, "no", ["1/6", "1/3", "1/2", "2/3", "5/6"], 2),
    (CASINO, "lose", [None, None, "5/11", "5/8", "4/5"], 0),
    (BITCRAPS, "yes", ["588/100", "294/100", "196/100", "147/100", "118/100"], 0),
    (BITCRAPS, "no", ["16/100", "33/100", "49/100", "65/100", "82/100"], 0),
    (NULLSPACE, "yes", ["6/1", "3/1", "2/1", "3/2", "6/5"], 3),
    (NULLSPACE, "no", ["1/6", "1/3", "1/2", "2/3", "5/6"], 3),
]


@pytest.mark.parametrize(("book", "kind", "cells", "commission"), YES_AND_NO, ids=lambda value: str(value)[:12])
@pytest.mark.parametrize("stake", [120, 25, 7, 1320])
def test_yes_and_no_pay_their_published_prices(book, kind, cells, commission, stake):
    for totals, place in BY_CLASS.items():
        if cells[place] is None:
            continue
        a, b = map(int, cells[place].split("/"))
        win = floor(stake * a / b)
        vig = [0, max(1, stake * 5 // 100), max(1, win * 5 // 100), max(1, win // 100)][commission]
        for total in totals:
            dice = (3, 4) if kind in ("no", "lose") else pair(total)
            assert profit(book, f"{kind}:{total}", stake, dice) == win - vig


def test_the_published_examples_of_prices():
    """Published: buying the 4 for 25 wins 49; laying 40 against the 10 wins 19."""
    assert profit(CASINO, "buy:4", 25, (2, 2)) == 49
    assert profit(CASINO, "no:10", 40, (3, 4)) == 19


@pytest.mark.parametrize(
    ("name", "clean"),
    [("buy:4", 20), ("no:4", 40), ("no:10", 40), ("no:5", 30), ("no:6", 24), ("no:3", 60), ("no:2", 120)],
)
def test_clean_stakes_lose_nothing_to_rounding(name, clean):
    dice = (2, 2) if name == "buy:4" else (3, 4)
    once = profit(CASINO, name, clean, dice)
    for times in (2, 3, 10):
        assert profit(CASINO, name, clean * times, dice) == once * times


# The other prices.

BITCRAPS_NEXT = {2: 34.30, 3: 16.66, 4: 10.78, 5: 7.84, 6: 6.08, 7: 4.90}
BITCRAPS_NEXT |= {8: 6.08, 9: 7.84, 10: 10.78, 11: 16.66, 12: 34.30}
NULLSPACE_NEXT = {2: 35, 3: 17, 4: 11, 5: 8, 6: 6, 7: 5, 8: 6, 9: 8, 10: 11, 11: 17, 12: 35}


def test_next_pays_its_published_prices():
    """Those of the casino, and of hops and hardways, are the second calculation's in test_vectors."""
    for total, price in BITCRAPS_NEXT.items():
        assert profit(BITCRAPS, f"next:{total}", 100, pair(total)) == round(100 * price)
    for total, price in NULLSPACE_NEXT.items():
        assert profit(NULLSPACE, f"next:{total}", 100, pair(total)) == 100 * price - price


def test_the_field_pays_double_on_both_ends_and_triple_on_twelve_where_the_option_says_so():
    triple = book_of(CrapsOptions(field_triple=True))
    for book, on_twelve in ((CASINO, 2), (BITCRAPS, 2), (NULLSPACE, 3), (triple, 3)):
        assert profit(book, "field", 10, (1, 1)) == 20
        assert profit(book, "field", 10, (6, 6)) == 10 * on_twelve
        assert {profit(book, "field", 10, dice) for dice in DICE if sum(dice) in (3, 4, 9, 10, 11)} == {10}


def test_combinations_pay_by_their_parts():
    for book in (CASINO, BITCRAPS, NULLSPACE):
        for name, stake, paid in (
            ("horn", 4, {11: 27, 12: 12, 56: 12, 66: 27, 34: -4}),
            ("world", 5, {11: 26, 12: 11, 34: 0, 22: -5}),
            ("c_and_e", 2, {11: 6, 12: 6, 66: 6, 56: 14, 34: -2}),
        ):
            assert {dice: profit(book, name, stake, divmod(dice, 10)) for dice in paid} == paid


@pytest.mark.parametrize(
    ("book", "taken", "laid"),
    [
        (CASINO, (60, 45, 36), (15, 20, 25)),
        (NULLSPACE, (60, 45, 36), (15, 20, 25)),
        (BITCRAPS, (60, 45, 36), (15, 20, 24)),  # 30 at 0.67 is 20.1, at 0.83 it is 24.9
    ],
    ids=["casino", "nullspace", "bitcraps"],
)
def test_odds_pay_their_published_prices(book, taken, laid):
    for number, place in {4: 0, 10: 0, 5: 1, 9: 1, 6: 2, 8: 2}.items():
        table = point_up(number)
        for bet, dice, wins in ((29, pair(number), taken), (30, (3, 4), laid)):
            (decision,) = throw(table, [(LiveBet(bet, 30, number),)], *dice, book).decisions
            assert decision.returned - 30 == wins[place]


def test_bitcraps_lays_above_true_odds_on_five_and_nine():
    (decision,) = throw(point_up(5), [(LiveBet(30, 300, 5),)], 3, 4, BITCRAPS).decisions

    assert decision.returned - 300 == 201  # two thirds of 300 is 200


# Bets with tiers.

FIRE: dict[str, tuple[int | None, ...]] = {
    "fire-a": (None, None, None, None, 24, 249, 999),
    "fire-b": (None, None, None, None, 10, 200, 2000),
    "fire-c": (None, None, None, None, 39, 199, 499),
    "fire-d": (None, None, None, 6, 29, 149, 299),
}
RIDE: dict[str, tuple[int | None, ...]] = {
    "ride-1": (None, None, 0, 1, 2, 4, 6, 8, 15, 20, 25, 50),
    "ride-2": (None, None, None, 1, 2, 4, 6, 12, 20, 30, 40, 75),
    "ride-3": (None, None, None, 1, 2, 3, 6, 10, 20, 30, 40, 100),
    "ride-4": (None, None, None, 1, 2, 3, 4, 10, 15, 20, 30, 150),
    "ride-5": (None, None, None, 1, 2, 5, 8, 10, 20, 30, 40, 50),
    "ride-6": (None, None, None, 0, 3, 5, 7, 12, 20, 25, 30, 100),
    "ride-7": (None, None, None, 0, 2, 4, 7, 10, 15, 25, 40, 150),
    "bitcraps": (None, None, None, 3, 5, 10, 25, 25, 25, 25, 25, 25),
}
HOT = {
    "streak": [(0, 1, None), (2, 2, 2), (3, 3, 4), (4, 4, 8), (5, 5, 16), (6, 60, 32)],
    "rolls": list(
        zip(
            (1, 8, 16, 24, 32, 40, 45, 51), (7, 15, 23, 31, 39, 44, 50, 90), (None, 0, 2, 4, 6, 11, 29, 99), strict=True
        )
    ),
    "bitcraps": [(1, 20, None), (21, 30, 2), (31, 40, 5), (41, 50, 10), (51, 90, 20)],
}
DOUBLES = [("casino", 0, (None, None, None, 4, 8, 15), 100), ("bitcraps", 1, (None, None, 6, 25, 100), 250)]
"""The pay table, how many doubles do not count, the prices by those that do, and with the last of six."""
REPLAY: dict[tuple[int, ...], tuple[int | None, ...]] = {
    (0, 0, 2, 2, 0, 0): (None, None), (0, 0, 3, 0, 0, 0): (70, 10), (0, 0, 0, 4, 0, 0): (100, 25),
    (0, 3, 0, 0, 0, 0): (95, 10), (0, 0, 0, 0, 7, 0): (500, 50), (3, 0, 0, 0, 0, 0): (120, 10),
    (0, 0, 0, 0, 0, 5): (1000, 50), (3, 0, 9, 0, 0, 0): (120, 50), (0, 3, 4, 0, 0, 0): (100, 25),
}  # fmt: skip
"""Prices by how often each point was made: by `casino`, the best tier of one number, and by `bitcraps`."""
WAYS = ["1-3 2-2", "1-4 2-3", "1-5 2-4 3-3", "2-6 3-5 4-4", "3-6 4-5", "4-6 5-5"]
"""The pairs of dice that make each point."""
ALL_WAYS = tuple(" ".join(WAYS).split())
REPEATERS = {2: (2, 40), 3: (3, 50), 4: (4, 65), 5: (5, 80), 6: (6, 90)}
REPEATERS |= {14 - total: row for total, row in REPEATERS.items()}
POINTS = (4, 5, 6, 8, 9, 10)
SEVEN = (3, 4)

Row = tuple[dict[str, Any], str, CrapsTable, tuple[int, int], int | None]


def by_tiers() -> Iterator[Row]:
    """Yield options, a bet, the table it lies on, a roll, and what that pays to 1; None where the bet is lost."""
    for name, prices in FIRE.items():
        for count, pays in enumerate(prices):
            yield {"fire": name}, "fire", point_up(4, 9, fire_points=POINTS[:count]), SEVEN, pays
        yield {"fire": name}, "fire", point_up(10, 9, fire_points=POINTS[:5]), (4, 6), prices[6]
    for name, prices in RIDE.items():
        for count in range(15):
            yield {"ride": name}, "ride_line", point_up(4, 20, pass_wins=count), SEVEN, prices[min(count, 11)]
    for name, left_out, prices, last in DOUBLES:
        for count, pays in enumerate(prices, left_out):  # the aces are the first of them
            seen = point_up(9, 9, doubles_seen=tuple(range(1, count + 1)))
            yield {"pay_table": name}, "different_doubles", seen, SEVEN, pays
        yield {"pay_table": name}, "different_doubles", point_up(9, 9, doubles_seen=(1, 2, 3, 4, 5)), (6, 6), last
    for made, prices in REPLAY.items():
        for name, pays in zip(("casino", "bitcraps"), prices, strict=True):
            yield {"pay_table": name}, "replay", point_up(4, 30, points_made=made), SEVEN, pays
    for rule, steps in HOT.items():
        for low, high, pays in steps:
            for count in (low, high):  # the seven-out itself is one of the rolls
                table = point_up(4, 30, hot_streak=count) if rule == "streak" else point_up(4, count - 1)
                yield {"hot_roller": rule}, "hot_roller", table, SEVEN, pays
    yield from hot_roller_by_ways()
    yield from bets_of_one_prize()


def hot_roller_by_ways() -> Iterator[Row]:
    """Points thrown in every pair that makes them; any 7 settles it, and the last pair of all."""
    option = {"hot_roller": "ways"}
    for count, pays in enumerate((None, None, 5, 10, 20, 50)):
        seen = (*" ".join(WAYS[:count]).split(), *["5-5"] * (count < 5))
        for table in (point_up(4, 30, ways_seen=seen), CrapsTable(roll_count=30, hand_rolls=30, ways_seen=seen)):
            yield option, "hot_roller", table, SEVEN, pays
    yield option, "hot_roller", point_up(4, 30, ways_seen=ALL_WAYS[:-1]), (5, 5), 200


def bets_of_one_prize() -> Iterator[Row]:
    """Bonus, repeaters and Twice Hard one roll before they are complete, and Muggsy."""
    classic = {"bonus": "bonus-classic", "repeater": "repeater-for-one"}
    for options, few, many in (({}, 30, 150), ({"pay_table": "bitcraps"}, 30, 150), (classic, 34, 175)):
        yield options, "bonus_small", point_up(9, 5, bonus_numbers=(2, 3, 4, 5)), (3, 3), few
        yield options, "bonus_tall", point_up(4, 5, bonus_numbers=(8, 9, 10, 11)), (6, 6), few
        yield options, "bonus_all", point_up(4, 9, bonus_numbers=(2, 3, 4, 5, 6, 8, 9, 10, 11)), (6, 6), many
    for total, (times, pays) in REPEATERS.items():
        counts = tuple(times - 1 if each == total else 0 for each in range(2, 13))
        for options, less in (({}, 0), (classic, 1)):
            table = point_up(4 if total != 4 else 5, 9, repeater_counts=counts)
            yield options, f"repeater:{total}", table, pair(total), pays - less
    for name, pays in (("casino", 15), ("bitcraps", 6), ("nullspace", 15)):
        yield {"pay_table": name}, "twice_hard", point_up(4, 9, hard_streak=(0, 1, 0, 0)), (3, 3), pays
    yield {}, "muggsy", CrapsTable(), SEVEN, 2
    yield {}, "muggsy", point_up(6, 1), SEVEN, 3
    yield {}, "muggsy", point_up(6, 1), (3, 3), None  # the point itself loses too
    for dice, lost in (((3, 3), 2), (SEVEN, None)):
        yield {"pay_table": "bitcraps"}, "muggsy", CrapsTable(roll_count=1, hand_rolls=1), dice, lost


@pytest.mark.parametrize("bet", sorted({row[1] for row in by_tiers()}))
def test_a_side_bet_pays_by_what_the_table_has_counted(bet):
    for options, name, table, dice, pays in by_tiers():
        if name == bet:
            wanted = -5 if pays is None else 5 * pays
            assert profit(book_of(CrapsOptions(**options)), bet, 5, dice, table) == wanted, (options, table)


def test_a_point_that_is_not_the_sixth_pays_fire_nothing_yet():
    for variant, count in product(FIRE, range(5)):
        table = point_up(10, 9, fire_points=POINTS[:count])
        assert (
            throw(table, [(live("fire", 5),)], 4, 6, book_of(Craps().read_options({"fire": variant}))).decisions == ()
        )


# What a table refuses, and what it costs up front.


def test_four_hops_are_refused_where_next_has_another_price():
    for book, refused in ((CASINO, set()), (BITCRAPS, None), (NULLSPACE, None)):
        found = {name for name in IDS if not is_offered(IDS.index(name), book.prices)}
        assert found == ({"hop:1-1", "hop:1-2", "hop:5-6", "hop:6-6"} if refused is None else refused)


def test_only_casino_sells_yes_and_no_in_two_modes():
    for book, words in ((CASINO, ("place", "buy", "lay", "lose")), (BITCRAPS, ("",) * 4), (NULLSPACE, ("",) * 4)):
        names = ("yes:4", "buy:4", "no:4", "lose:4")
        assert tuple(live(name, 5).mode_word(book) for name in names) == words
        offered = [is_offered(live(name, 5).slot, book.prices) for name in names]
        assert offered == [True, bool(words[0])] * 2
    assert live("pass", 5).mode_word(CASINO) == ""


def test_a_commission_up_front_is_paid_with_the_stake_and_the_whole_win_comes_back():
    book = book_of(CrapsOptions(vig="upfront"))
    for name, stake, vig, win in (
        ("buy:4", 25, 1, 50),
        ("no:10", 40, 1, 20),
        ("buy:6", 100, 5, 120),
        ("no:6", 60, 2, 50),
    ):
        bet = live(name, stake)
        assert bet.outlay(book) == stake + vig
        assert profit(book, name, stake, (3, 4) if name.startswith("no") else pair(int(name[4:]))) == win
        assert bet.outlay(CASINO) == stake
    assert live("yes:4", 25).outlay(book) == 25


# The largest return.


@pytest.mark.parametrize(
    "options", [{}, {"pay_table": "bitcraps"}, {"pay_table": "nullspace"}, {"vig": "upfront"}], ids=str
)
def test_no_bet_ever_hands_back_more_than_its_largest_return_and_some_roll_reaches_it(options):
    """The bank covers just what it can lose: searched over rolls and trackers that are one step from their best."""
    book = book_of(CrapsOptions(**options))
    best: dict[str, int] = {}
    tables = [CrapsTable(), CrapsTable(roll_count=1, hand_rolls=1), *map(point_up, POINTS)]
    tables += [_nearly_done(point, rolls) for point, rolls in ((10, 60), (4, 6), (6, 60))]
    names = [name for name in IDS if not name.startswith("odds")]
    names += [f"{kind}:{number}" for kind in ("come", "dont_come", "odds_come", "odds_dont_come") for number in POINTS]
    names += ["buy:4", "lose:6"] if book.prices == CASINO.prices or options.get("vig") else []
    for name in names:
        bet = live(name, 60)
        if not is_offered(bet.slot, book.prices):
            continue
        for table, dice in product(tables, [pair for pair in DICE if pair[0] <= pair[1]]):
            for decision in throw(table, [(bet,)], *dice, book).decisions:
                assert decision.returned <= bet.return_max(book), name
                best[name] = max(best.get(name, 0), decision.returned)
        assert best[name] == bet.return_max(book), name


def _nearly_done(point: int, rolls: int) -> CrapsTable:
    return point_up(
        point,
        rolls,
        fire_points=tuple(number for number in POINTS if number != point),
        hot_streak=20,
        pass_wins=20,
        points_made=(5,) * 6,
        bonus_numbers=(3, 4, 5, 6, 8, 9, 10, 11, 12 if point == 4 else 2),
        doubles_seen=(1, 2, 3, 4, 5),
        ways_seen=ALL_WAYS[:-1],
        hard_streak=(1, 1, 1, 1),
        repeater_counts=tuple(6 - abs(total - 7) for total in range(2, 13)),
    )


def test_the_largest_stakes_of_a_usual_table_may_win_the_largest_profit():
    """Fire at 100 chips wins 99,900 at most, which is why the cap is 100,000."""
    assert live("fire", 100).return_max(CASINO) == 100_000
    assert live("replay", 100).return_max(CASINO) == 100_100


@given(stake=st.integers(1, STAKE_MAX), verdicts=st.sampled_from(["next:2", "fire", "replay", "yes:2", "no:12"]))
def test_products_at_the_largest_stake_fit_sixty_three_bits(stake, verdicts):
    for book in (CASINO, BITCRAPS, NULLSPACE):
        assert 20 * live(verdicts, stake).return_max(book) < 2**63
        assert stake * 3430 < 2**63


def test_a_boost_rounds_down_and_never_above_its_largest():
    for stake in (5, 10, 15, 5_000):
        for multiplier in (0, 2, 4, 7, 15):
            found = boost.boosted(2 * stake, stake, multiplier)
            assert found == stake + (stake if not multiplier else stake * (multiplier + 1) // 2)
            assert found <= boost.boosted_max(stake)


# Options.


def test_odds_plans_are_maps_from_number_to_multiple():
    plans = {"3-4-5": (3, 4, 5, 5, 4, 3), "single": (1,) * 6, "double": (2,) * 6, "10x": (10,) * 6, "100x": (100,) * 6}
    for name, multiples in plans.items():
        assert book_of(Craps().read_options({"odds_plan": name})).limits[placing.ODDS_MULTIPLES :] == multiples
    assert book_of(CrapsOptions(odds_map=(1, 2, 3, 4, 5, 6))).limits[placing.ODDS_MULTIPLES :] == (1, 2, 3, 4, 5, 6)


def test_books_of_options_that_strangers_choose_do_not_pile_up():
    for most in range(1_100):
        book_of(CrapsOptions(player_max=10_000 + most))
    assert book_of.cache_info().currsize <= 1_024
