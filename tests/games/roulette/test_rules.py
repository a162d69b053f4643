"""The layout drawn again as a grid, the zero rules, and the published spins and super multipliers."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.games.roulette import rules
from croupier.games.roulette.bets import BETS, KINDS, bets_of
from croupier.games.roulette.options import ZERO_RULES, RouletteOptions
from croupier.rng import GameRng
from croupier.rounds import STAYS
from tests.games.roulette.test_vectors import HALVES, first_return, read_bet

SEED_Z = bytes(32)

ALL = set(range(1, 37))
OUTSIDE = {word for word, _ in HALVES.values()} | {f"{kind}:{n}" for kind in ("dozen", "column") for n in (1, 2, 3)}
EVEN_MONEY = ("red", "black", "even", "odd", "low", "high")

SINGLE_ZERO_ONLY = {"split:0-3", "trio:0-2-3", "first_four"}
DOUBLE_ZERO_ONLY = {"straight:00", "split:0-00", "split:00-2", "split:00-3", "trio:0-00-2", "trio:00-2-3", "top_line"}
NEAR_ZERO_ON_BOTH = {"straight:0", "split:0-1", "split:0-2", "trio:0-1-2"}


def inside_names():
    """The inside bets of 1 to 36, found by walking a grid of twelve rows and three columns."""
    grid = [[3 * row + column + 1 for column in range(3)] for row in range(12)]
    found = {f"straight:{number}" for number in ALL}
    for row, column in product(range(12), range(3)):
        here = grid[row][column]
        if column < 2:
            found.add(f"split:{here}-{grid[row][column + 1]}")
        if row < 11:
            found.add(f"split:{here}-{grid[row + 1][column]}")
        if column < 2 and row < 11:
            square = sorted([*grid[row][column : column + 2], *grid[row + 1][column : column + 2]])
            found.add("corner:" + "-".join(map(str, square)))
    for row in range(12):
        found.add("street:" + "-".join(map(str, grid[row])))
        if row < 11:
            found.add("six_line:" + "-".join(map(str, grid[row] + grid[row + 1])))
    return found


def test_the_catalogue_holds_the_bets_of_both_layouts_and_no_others():
    everything = inside_names() | OUTSIDE | SINGLE_ZERO_ONLY | DOUBLE_ZERO_ONLY | NEAR_ZERO_ON_BOTH

    assert set(BETS) == everything
    assert len(BETS) == 164


@pytest.mark.parametrize("zero_rule", range(5))
def test_a_table_offers_what_touches_on_its_layout(zero_rule):
    missing = SINGLE_ZERO_ONLY if zero_rule == 4 else DOUBLE_ZERO_ONLY

    assert set(bets_of(zero_rule)) == set(BETS) - missing


@pytest.mark.parametrize("zero_rule", range(5))
def test_every_other_kind_and_number_is_no_bet(zero_rule):
    offered = set(bets_of(zero_rule).values())
    for kind, number in product(range(-1, 256), range(-1, 256)):
        name_has_no_number = 1 <= kind <= 6 or kind in (16, 17)
        expected = (kind, 0 if name_has_no_number else number) in offered
        assert rules.valid(kind, number, zero_rule) == expected, (kind, number)


def test_names_stand_for_their_codes_on_the_wire():
    codes = {"straight:17": (0, 17), "straight:00": (0, 37), "dozen:1": (7, 0), "column:3": (8, 2), "split:1-2": (9, 1)}
    codes |= {"split:1-4": (10, 1), "street:34-35-36": (11, 34), "corner:32-33-35-36": (12, 32), "split:0-3": (14, 3)}
    codes |= {"six_line:31-32-33-34-35-36": (13, 31), "split:0-00": (14, 37), "split:00-2": (14, 39)}
    codes |= {"trio:0-2-3": (15, 5), "trio:00-2-3": (15, 42), "first_four": (16, 0), "top_line": (17, 0)}

    assert {name: BETS[name] for name in codes} == codes
    assert len(set(BETS.values())) == len(BETS)


def test_the_number_of_a_red_bet_is_ignored():
    assert rules.valid(rules.RED, 200, rules.STANDARD)
    assert [rules.covers(rules.RED, 200, pocket) for pocket in (1, 2)] == [True, False]


def test_a_bet_covers_and_pays_what_the_second_calculation_reads_from_its_code():
    """The fair price of a wheel without zeros, but for the top line."""
    for name, (kind, number) in BETS.items():
        covered = {pocket for pocket in range(38) if rules.covers(kind, number, pocket)}
        assert (name, covered, rules.PROFIT_TO_1[kind]) == read_bet(kind, number)


def test_every_code_of_a_kind_has_one_name():
    assert len(KINDS) == len(rules.PROFIT_TO_1) == rules.KIND_COUNT == 18


# Zero.


def after(pocket: int, zero_rule: int, kind: int, number: int, stake: int = 1000, *, spins: int = 1) -> int:
    """Return what a bet brings back when the ball falls into a pocket; before a second spin it fell into zero."""
    return rules.settle(kind, number, stake, (pocket if spins == 1 else 0, pocket, spins), (zero_rule,))


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_the_first_spin_returns_what_the_second_calculation_says(zero_rule):
    """Zero takes, halves or imprisons even money and changes nothing else."""
    code, case = ZERO_RULES.index(zero_rule), {"super": False, "options": {"zero_rule": zero_rule}}
    for bet, pocket, stake in product(bets_of(code).values(), range(38 if code == 4 else 37), (1, 2, 101, 1000)):
        expected = first_return(*bet, stake, pocket, case)
        assert after(pocket, code, *bet, stake) == (STAYS if expected is None else expected), (bet, pocket)


def test_a_prison_spin_gives_back_the_stake_alone():
    for rule in (rules.EN_PRISON, rules.EN_PRISON_REPEAT):
        assert [after(pocket, rule, rules.RED, 0, 100, spins=2) for pocket in (32, 12, 2)] == [100, 100, 0]
    assert after(0, rules.EN_PRISON, rules.RED, 0, 100, spins=2) == 0


def test_only_the_rule_of_repeats_keeps_a_bet_imprisoned_on_a_second_zero():
    spins = product(range(38), range(5), EVEN_MONEY)
    kept = {(pocket, rule) for pocket, rule, name in spins if after(pocket, rule, *BETS[name], spins=2) == STAYS}

    assert kept == {(0, rules.EN_PRISON_REPEAT)}


# The published spins; single ones are among the vectors.


def test_ten_spins_match_the_published_vector():
    rng = GameRng.new(SEED_Z, 1, 0)

    assert [rules.spin(rng, rules.STANDARD) for _ in range(10)] == [10, 11, 16, 7, 19, 4, 34, 5, 0, 9]
    assert rng.bytes_used == 11

    rng = GameRng.new(SEED_Z, 1, 0)

    assert [rules.spin(rng, rules.DOUBLE_ZERO_WHEEL) for _ in range(10)] == [8, 10, 33, 11, 2, 15, 3, 29, 3, 34]


# Super mode.


def test_straight_bets_on_what_can_be_lit_are_eligible_and_no_others():
    eligible = {name for name, code in BETS.items() if rules.is_eligible(*code)}

    assert eligible == {f"straight:{number}" for number in range(37)}


def test_a_lit_number_pays_its_multiplier_and_an_unlit_one_thirty():
    for pocket, multiplier, expected in ((17, 400, 40_100), (17, 0, 3_100), (18, 400, 0)):
        find = (pocket, pocket, 1)
        assert rules.super_settle(rules.STRAIGHT, 17, 100, find, (rules.STANDARD,), multiplier) == expected


def test_twenty_largest_returns_fit_63_bits():
    most = [rules.return_max(*code, rules.STAKE_MAX, True) for code in BETS.values()]

    assert rules.BETS_MAX * max(most) < 2**63
    assert max(most) == 401 * rules.STAKE_MAX


def test_no_pocket_brings_more_than_the_largest_return():
    for code in BETS.values():
        found = [after(pocket, rules.STANDARD, *code, 100) for pocket in range(38)]
        assert max(found) == rules.return_max(*code, 100, False)


def test_options_know_the_number_of_their_zero_rule():
    assert [RouletteOptions(rule).zero_rule_code for rule in ZERO_RULES] == [0, 1, 2, 3, 4]
    assert RouletteOptions().zero_rule == "standard"
