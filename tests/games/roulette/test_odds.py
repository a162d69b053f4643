"""Edges against published figures, a calculation by covered pockets, and one of the lit numbers by draw sequences."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.games.roulette import rules
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.odds import lit_chance, odds, super_odds
from croupier.games.roulette.options import ZERO_RULES, RouletteOptions
from croupier.rng import SUPER_MOVE, GameRng
from tests.games.second_lit import lit_sets

EVEN_MONEY = {"red", "black", "even", "odd", "low", "high"}


def edges(zero_rule):
    return {row.bet: row.edge for row in odds(RouletteOptions(zero_rule))}


@pytest.mark.parametrize(
    ("zero_rule", "even_money", "others"),
    [
        ("standard", "2.7027%", "2.7027%"),
        ("la_partage", "1.3514%", "2.7027%"),
        ("en_prison", "1.3879%", "2.7027%"),
        ("en_prison_repeat", "1.3514%", "2.7027%"),
        ("double_zero", "5.2632%", "5.2632%"),
    ],
)
def test_edges_are_the_published_ones(zero_rule, even_money, others, checks):
    found = edges(zero_rule)
    checks("published", "roulette", odds(RouletteOptions(zero_rule)))
    top_line = found.pop("top_line", None)

    assert {f"{float(edge):.4%}" for bet, edge in found.items() if bet in EVEN_MONEY} == {even_money}
    assert {f"{float(edge):.4%}" for bet, edge in found.items() if bet not in EVEN_MONEY} == {others}
    assert top_line == (Fraction(3, 38) if zero_rule == "double_zero" else None)  # the worst bet on the layout


def test_la_partage_and_prison_have_the_edges_of_their_closed_forms():
    zero = Fraction(1, 37)
    released = Fraction(18, 37)

    assert edges("la_partage")["red"] == zero / 2
    assert edges("en_prison")["red"] == zero * (1 - released)
    # Repeats: released with chance x = 18/37 + x/37, so one time in two.
    assert edges("en_prison_repeat")["red"] == zero * (1 - released / (1 - zero))


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_chances_and_edges_count_the_pockets_covered(zero_rule, checks):
    wheel = 38 if zero_rule == "double_zero" else 37
    size = {"straight": 1, "split": 2, "street": 3, "trio": 3, "corner": 4, "first_four": 4, "top_line": 5}
    size |= {"six_line": 6, "dozen": 12, "column": 12}
    prison = {"en_prison": Fraction(18, 37) / 37, "en_prison_repeat": Fraction(1, 2) / 37}.get(zero_rule, Fraction(0))
    rows = odds(RouletteOptions(zero_rule))
    assert [row.bet for row in rows] == list(bets_of(ZERO_RULES.index(zero_rule)))
    for row in rows:
        assert row.win == Fraction(size.get(row.bet.split(":")[0], 18), wheel), row.bet
        assert row.push == (prison if row.bet in EVEN_MONEY else 0), row.bet
        back = {12: 3, 18: 2, 5: 7}.get(covered := size.get(row.bet.split(":")[0], 18), 36 // covered)
        half = prison + (Fraction(1, 74) if zero_rule == "la_partage" else 0) if row.bet in EVEN_MONEY else 0
        assert row.edge == row.edge_per_chip == 1 - back * row.win - half, row.bet
    checks("closed form", "roulette", rows)


def oracle_lit_chance(number):
    """Followed draw by draw: 34 numbers have seven bytes of 256, three have six."""
    counts = {5: Fraction(86, 256), 6: Fraction(85, 256), 7: Fraction(85, 256)}
    own = (7 if number < 34 else 6,)
    return 1 - sum(share * lit_sets(own, {7: 34, 6: 3}, count)[frozenset()] for count, share in counts.items())


def test_the_chance_to_be_lit_agrees_with_a_sum_over_draw_sequences():
    for number in (0, 17, 33, 34, 36):
        assert lit_chance(number) == oracle_lit_chance(number)
    # Every session lights 5, 6 or 7 numbers, with 86, 85 and 85 bytes of 256.
    assert sum(lit_chance(number) for number in range(37)) == Fraction(86 * 5 + 85 * 6 + 85 * 7, 256)


def test_the_generator_lights_the_rare_numbers_as_often_as_counted():
    """2,000 sessions, 5,996 numbers expected in all; the bound is four standard errors, a false alarm 1 in 15,000."""
    found = 0
    for session_id in range(2000):
        ids, multipliers = [0] * 7, [0] * 7
        count = rules.generate(GameRng.new(b"rare", session_id, SUPER_MOVE), ids, multipliers)
        found += sum(1 for number in ids[:count] if number >= 34)

    assert abs(found - 2000 * 3 * float(lit_chance(36))) < 4 * 27


@pytest.mark.parametrize(("zero_rule", "wheel"), [("standard", 37), ("en_prison", 37), ("double_zero", 38)])
def test_the_super_edge_is_that_of_the_mean_multiplier(zero_rule, wheel, checks):
    mean = Fraction(45 * 50 + 35 * 100 + 15 * 150 + 4 * 200 + 1 * 400, 100)
    rows = super_odds(RouletteOptions(zero_rule))

    assert mean == 92
    assert [row.bet for row in rows] == [f"straight:{number}" for number in range(37)]
    for number, row in enumerate(rows):
        lit = oracle_lit_chance(number)
        returned = (1 + 30 * (1 - lit) + mean * lit) / wheel
        assert row.edge == Fraction(6, 5) - returned
        assert row.edge_per_chip == 1 - returned / Fraction(6, 5)
        assert row.win == Fraction(1, wheel)
    checks("model", "roulette", rows, super_mode=True)


@pytest.mark.parametrize(
    ("zero_rule", "common", "rare"), [("standard", "7.30%", "10.36%"), ("double_zero", "9.74%", "12.71%")]
)
def test_the_super_edge_is_the_published_one(zero_rule, common, rare):
    rows = super_odds(RouletteOptions(zero_rule))

    assert [f"{float(row.edge_per_chip):.2%}" for row in rows] == [common] * 34 + [rare] * 3
