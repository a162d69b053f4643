"""The page of hi-lo: the prices, chances and edges it states are those that are counted."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from croupier.games.hi_lo import HiLo, rules
from croupier.games.hi_lo.bets import POLICIES
from croupier.games.hi_lo.options import HiLoOptions
from croupier.games.hi_lo.render import factor_words
from tests.games.pages import percent, plain_table

GAME = HiLo()
PAGE = GAME.rules_text()
rows = partial(plain_table, PAGE)


def test_a_guess_has_the_price_chance_and_edge_the_page_says():
    odds = {row.bet: row for row in GAME.odds() if row.bet != "stake"}
    for bets, pays, chance, edge in rows("bet | pays | chance to win | edge"):
        for bet in bets.split(", "):
            word, rank = bet.split(":")
            guess = rules.SAME if word == "same" else rules.HIGHER
            row = odds.pop(bet)
            assert pays == factor_words(rules.multiplier(guess, int(rank)))
            assert chance == (percent(row.win) if row.win else "a push")
            assert edge == (percent(row.edge) if row.edge else "0")
            if word == "higher":
                assert odds.pop(f"lower:{14 - int(rank)}").edge == row.edge
    assert not odds


def test_prices_are_those_of_the_page():
    ((label, *prices),) = rows("ranks that win | " + " | ".join(map(str, range(1, 13))))

    assert label == "the pot times"
    assert [f"×{price}" for price in prices] == [
        factor_words(rules.multiplier(rules.HIGHER, 13 - ranks)) for ranks in range(1, 13)
    ]


def test_policies_have_the_edges_the_page_says():
    odds = {row.policy: row for row in GAME.odds() if row.bet == "stake"}
    stated = {policy: cells for policy, *cells in rows("policy | plays | chance to win | edge")}

    assert [*stated, "patient"] == list(POLICIES)
    assert stated.pop("cash_out_at_once")[-2:] == ["a push", "0"]
    for policy, (_, chance, edge) in stated.items():
        assert [chance, edge] == [percent(odds[policy].win), percent(odds[policy].edge)], policy


def test_policies_have_the_edges_in_super_mode_that_the_page_says():
    odds = {row.policy: row for row in GAME.super_odds()}
    stated = {policy: edge for policy, _, edge in rows("policy | plays | edge")}

    assert list(stated) == [*POLICIES, "best"]
    assert stated.pop("cash_out_at_once") == percent(Fraction(1, 6))
    best = odds.pop("best")
    assert best.low is not None
    assert best.high is not None
    low, high = percent(best.low * Fraction(5, 6)), percent(best.high * Fraction(5, 6))
    assert stated.pop("patient") == f"at most {high}"
    assert stated.pop("best") == f"between {low} and {high}"
    assert stated == {policy: percent(row.edge_per_chip) for policy, row in odds.items()}
    assert round(1 / best.win) == 110


def test_options_change_the_edge_of_one_guess_as_the_page_says():
    for options, edge in ((HiLoOptions(commission_bps=0), "0.0012 %"), (HiLoOptions(tie_pushes=False), "8.3325 %")):
        (row,) = [row for row in GAME.odds(options) if (row.bet, row.policy) == ("stake", "one_guess")]
        assert percent(row.edge) == edge
        assert edge in PAGE


def test_one_chip_wins_nothing_below_the_pot_the_page_says():
    assert [rules.cash_out_return(1, factor, 300) for factor in (20_309, 20_310)] == [1, 2]
    assert "below ×2.031" in PAGE


def test_boosts_are_those_of_the_page():
    (row,) = rows("right guesses | " + " | ".join(map(str, range(10))) + " | 10 and more")

    assert [Fraction(cell) for cell in row[1:]] == [Fraction(rules.streak_tenths(n, 5), 10) for n in range(11)]
    assert rules.streak_tenths(10, 0) - 10 == Fraction(1912, 10_000) * rules.BOOST_DIVISOR
    assert "add 19.12 % to the profit" in PAGE
