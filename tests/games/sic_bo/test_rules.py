"""Every bet against a reading of its name, over all 216 rolls, and what super mode does to it."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.sic_bo import rules
from croupier.games.sic_bo.bets import BETS, KINDS
from croupier.games.sic_bo.options import PAY_TABLES, SicBoOptions
from tests.games.sic_bo.test_vectors import TOTALS, pays

FACES = range(1, 7)
ROLLS = list(product(FACES, repeat=3))


def oracle_profit(name, dice, pay_table):
    """Profit to 1 of a bet by the second calculation, from its name and the dice; 0 where it loses."""
    word, _, rest = name.partition(":")
    return pays(word, [int(number) for number in rest.split("-")] if rest else [], list(dice), PAY_TABLES[pay_table])


def expected_names():
    names = {"small", "big", "odd", "even", "any_triple"}
    names |= {f"{kind}:{face}" for kind in ("triple", "double", "single") for face in FACES}
    names |= {f"total:{total}" for total in range(3, 19)}
    names |= {"domino:" + "-".join(map(str, pair)) for pair in combinations(FACES, 2)}
    names |= {"easy_hop:" + "-".join(map(str, three)) for three in combinations(FACES, 3)}
    names |= {f"hard_hop:{pair}-{pair}-{single}" for pair, single in permutations(FACES, 2)}
    names |= {"four_faces:" + "-".join(map(str, four)) for four in combinations(FACES, 4)}
    return names


def test_the_catalogue_holds_all_thirteen_kinds_and_nothing_else():
    assert set(BETS) == expected_names()
    assert len(BETS) == 119
    assert len(KINDS) == rules.KIND_COUNT == 13


def test_names_stand_for_their_codes_on_the_wire():
    codes = {"even": (3, 0), "triple:4": (4, 4), "total:18": (7, 18), "domino:1-4": (9, 0x14), "domino:5-6": (9, 0x56)}
    codes |= {"easy_hop:1-2-3": (10, 7), "easy_hop:4-5-6": (10, 56), "hard_hop:1-1-2": (11, 0x12)}
    codes |= {"hard_hop:6-6-5": (11, 0x65), "four_faces:1-2-3-4": (12, 15), "four_faces:3-4-5-6": (12, 60)}

    assert {name: BETS[name] for name in codes} == codes
    assert len(set(BETS.values())) == len(BETS)


def test_every_other_kind_and_number_is_no_bet():
    offered = set(BETS.values())
    for kind, number in product(range(-1, 256), range(-1, 257)):
        expected = 0 <= number <= 255 if kind in (0, 1, 2, 3, 5) else (kind, number) in offered
        assert rules.valid(kind, number) == expected, (kind, number)


@pytest.mark.parametrize("pay_table", [rules.MACAU, rules.ATLANTIC_CITY])
def test_every_bet_pays_what_its_name_says_on_every_roll(pay_table):
    for name, code in BETS.items():
        for dice in ROLLS:
            profit = oracle_profit(name, dice, pay_table)
            a, b, c = dice
            assert rules.times_won(*code, a, b, c) * rules.price(*code, pay_table) == profit, (name, dice)
            expected = 100 + 100 * profit if profit else 0
            assert rules.settle(*code, 100, (a, b, c), (pay_table,)) == expected, (name, dice)


# Super mode.


def test_rolls_are_numbered_without_a_gap():
    assert (
        sorted(map(rules.find_number, product(range(1, 7), repeat=3))) == list(range(rules.FIND_COUNT)) == [*range(216)]
    )


def test_totals_that_can_be_lit_are_eligible_and_no_other_bet_is():
    assert {name for name, code in BETS.items() if rules.is_eligible(*code)} == {f"total:{n}" for n in range(4, 18)}


def test_a_boost_multiplies_the_profit_by_a_tenth_of_each_extra_and_rounds_down():
    assert rules.boosted(1300, 100, 6) == 100 + 1800  # 12 to 1, times 1 + 5 / 10
    assert rules.boosted(95, 5, 2) == 104  # 90 times 1.1
    assert rules.boosted(90, 5, 2) == 98  # 85 times 1.1 is 93.5
    assert rules.boosted(1300, 100, 0) == 1300
    assert rules.boosted(0, 100, 30) == 0


@given(stake=st.integers(1, rules.STAKE_MAX), total=st.integers(4, 17), multiplier=st.integers(2, 30))
def test_a_boost_stays_below_63_bits_and_never_takes_chips_away(stake, total, multiplier):
    returned = stake + stake * max(table[min(total, 21 - total)] for table in TOTALS.values())

    assert (returned - stake) * (9 + multiplier) < 2**63
    assert returned <= rules.boosted(returned, stake, multiplier)
    assert rules.BETS_MAX * rules.boosted(returned, stake, 30) < 2**63


def test_no_roll_brings_more_than_the_largest_return():
    for pay_table in (rules.MACAU, rules.ATLANTIC_CITY):
        for name, code in BETS.items():
            most = max(oracle_profit(name, dice, pay_table) for dice in ROLLS)
            assert rules.return_max(*code, 100, pay_table, False) == 100 + 100 * most
    assert rules.return_max(rules.TOTAL, 9, 100, rules.MACAU, True) == 100 + 600 * 39 // 10
    assert rules.return_max(rules.TOTAL, 10, 100, rules.MACAU, True) == 100 + 600 * 12 // 10
    assert rules.return_max(rules.TOTAL, 3, 100, rules.MACAU, True) == 18_100


@pytest.mark.parametrize("pay_table", [rules.MACAU, rules.ATLANTIC_CITY])
@pytest.mark.parametrize("total", range(4, 18))
def test_chips_laid_in_parts_bring_no_more_than_their_largest_returns_together(total, pay_table):
    """Seventeen to one on five chips boosted 39 tenths is 331.5: twice that is a chip more than two times 331."""
    most = {stake: rules.return_max(rules.TOTAL, total, stake, pay_table, True) for stake in range(5, 41, 5)}
    to_1 = TOTALS[PAY_TABLES[pay_table]][min(total, 21 - total)]
    for first, second in product(range(5, 21, 5), repeat=2):
        together = first + second
        for byte in range(256):
            multiplier = rules.lit_multiplier(total, byte)
            returned = together + together * to_1 * (9 + multiplier) // 10
            assert rules.boosted(together + together * to_1, together, multiplier) == returned
            assert returned <= most[first] + most[second]


def test_options_know_the_number_of_their_pay_table():
    assert [SicBoOptions(table).pay_table_code for table in PAY_TABLES] == [0, 1]
    assert SicBoOptions().pay_table == "macau"
