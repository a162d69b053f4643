"""Edges against the published tables, closed forms, and lit totals counted by ordered triples."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.games.sic_bo.odds import lit_chance, odds, super_odds
from croupier.games.sic_bo.options import PAY_TABLES, SicBoOptions
from tests.games.second_lit import lit_sets
from tests.games.sic_bo.test_vectors import TOTALS as PAYS

# Winning rolls of 216, edge in Macau, edge in Atlantic City (published).
PUBLISHED = {
    **dict.fromkeys(("small", "big", "odd", "even"), (105, "2.78%", "2.78%")),
    "triple": (1, "30.09%", "16.20%"),
    "any_triple": (6, "30.56%", "13.89%"),
    "double": (16, "33.33%", "18.52%"),
    "single": (91, "7.87%", "7.87%"),
    "domino": (30, "16.67%", "16.67%"),
    "easy_hop": (6, "13.89%", "13.89%"),
    "hard_hop": (3, "29.17%", "29.17%"),
    "four_faces": (24, "11.11%", "11.11%"),
}
TOTALS = {
    3: (1, "16.20%", "16.20%"),
    4: (3, "29.17%", "15.28%"),
    5: (6, "47.22%", "13.89%"),
    6: (10, "30.56%", "16.67%"),
    7: (15, "9.72%", "9.72%"),
    8: (21, "12.50%", "12.50%"),
    9: (25, "18.98%", "18.98%"),
    10: (27, "12.50%", "12.50%"),
}


@pytest.mark.parametrize("pay_table", PAY_TABLES)
def test_edges_and_winning_rolls_are_the_published_ones(pay_table, checks):
    rows = odds(SicBoOptions(pay_table))
    checks("published", "sic-bo", rows)

    assert len(rows) == 119
    for row in rows:
        kind, _, number = row.bet.partition(":")
        low_total = min(int(number), 21 - int(number)) if kind == "total" else 0
        ways, macau, atlantic_city = TOTALS[low_total] if kind == "total" else PUBLISHED[kind]
        assert f"{float(row.edge):.2%}" == (macau if pay_table == "macau" else atlantic_city), row.bet
        assert row.win == Fraction(ways, 216), row.bet
        assert row.push == 0


def test_a_single_bet_has_the_edge_of_three_tries():
    """One, two or three dice in 75, 15 and 1 of 216 rolls pay 1, 2, 3 to 1; the rest loses."""
    edge = Fraction(125 - 75 - 2 * 15 - 3, 216)

    assert edge == Fraction(17, 216)
    assert {row.edge for row in odds(SicBoOptions()) if row.bet.startswith("single")} == {edge}


def test_no_bet_favours_the_player():
    assert all(row.edge >= Fraction(6, 216) for table in PAY_TABLES for row in odds(SicBoOptions(table)))


# Super mode.


def oracle_lit_chance(total):
    """Followed draw by draw: totals 4 to 7 have 19 bytes of 256, the others 18."""
    return 1 - lit_sets((19 if total <= 7 else 18,), {19: 4, 18: 10}, 3)[frozenset()]


def oracle_mean_multiplier(total):
    if total in (10, 11):
        return Fraction(5, 2)
    if total in (7, 8, 13, 14):
        return Fraction(11, 2)
    return Fraction(sum(8 + byte % 23 for byte in range(256)), 256)


def test_the_chance_to_be_lit_agrees_with_the_count_of_triples():
    chances = [lit_chance(total) for total in range(4, 18)]

    assert chances == [oracle_lit_chance(total) for total in range(4, 18)]
    assert sum(chances) == 3
    assert f"{float(chances[0]):.4f} {float(chances[-1]):.4f}" == "0.2219 0.2112"


@pytest.mark.parametrize("pay_table", PAY_TABLES)
def test_the_super_edge_is_that_of_the_mean_multiplier(pay_table, checks):
    rows = super_odds(SicBoOptions(pay_table))
    checks("model", "sic-bo", rows, super_mode=True)

    assert [row.bet for row in rows] == [f"total:{total}" for total in range(4, 18)]
    for total, row in zip(range(4, 18), rows, strict=True):
        low_total = min(total, 21 - total)
        boost = 1 + oracle_lit_chance(total) * (oracle_mean_multiplier(total) - 1) / 10
        returned = Fraction(TOTALS[low_total][0], 216) * (1 + PAYS[pay_table][low_total] * boost)
        assert row.edge == Fraction(6, 5) - returned
        assert row.edge_per_chip == 1 - returned / Fraction(6, 5)


@pytest.mark.parametrize(
    ("pay_table", "expected"),
    [
        ("macau", "18.01 39.48 20.69 17.83 20.92 10.62 25.10 25.10 10.62 20.92 18.17 21.73 40.28 19.11"),
        ("atlantic_city", "1.84 0.68 4.53 17.83 20.92 10.62 25.10 25.10 10.62 20.92 18.17 5.78 2.01 3.17"),
    ],
)
def test_the_super_edge_of_every_total_is_the_published_one(pay_table, expected):
    rows = super_odds(SicBoOptions(pay_table))

    assert " ".join(f"{float(row.edge_per_chip) * 100:.2f}" for row in rows) == expected
