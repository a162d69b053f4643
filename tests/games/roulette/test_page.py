"""The page of roulette: the prices, chances and edges it states are those that are counted."""

from __future__ import annotations

from fractions import Fraction

from croupier.games.roulette import Roulette
from croupier.games.roulette.bets import BETS, KINDS
from croupier.games.roulette.options import ZERO_RULES, RouletteOptions
from tests.games.pages import bet_rows, percent

GAME = Roulette()
PAGE = GAME.rules_text()
DOUBLE_ZERO = RouletteOptions("double_zero")


def test_bets_have_the_edges_the_page_says():
    odds = {row.bet: row for row in GAME.odds()}
    for bets, (_, pays, chance, edge) in bet_rows(PAGE, "bet | covers | pays | chance to win | edge"):
        for bet in bets:
            row = odds[bet]
            assert [chance, edge] == [percent(row.win), percent(row.edge)], bet
            assert pays == f"{(1 - row.edge) / row.win - 1} to 1"
    assert {row.edge for row in odds.values()} == {Fraction(1, 37)}


def test_bets_near_the_zeros_pay_what_the_page_says_on_the_wheels_it_says():
    one, two = ({row.bet: row for row in GAME.odds(options)} for options in (RouletteOptions(), DOUBLE_ZERO))
    named = []
    for bets, (_, pays, where) in bet_rows(PAGE, "bet | covers | pays | where"):
        named += bets
        for bet in bets:
            assert (bet in one, bet in two) == {
                "on both wheels": (True, True),
                "with one zero": (True, False),
                "with two zeros": (False, True),
            }[where]
            row = (one | two)[bet]
            assert str((1 - row.edge) / row.win - 1) in pays.split()
    near_zero = [bet for bet, (kind, _) in BETS.items() if kind >= KINDS.index("trio") - 1]
    assert sorted(named) == sorted(near_zero)


def test_zero_rules_give_even_money_the_edges_the_page_says():
    stated = {
        rule: cells[-1]
        for (rule, *_), cells in bet_rows(PAGE, "`zero_rule` | on zero a bet that pays 1 to 1 | its edge")
    }

    assert list(stated) == list(ZERO_RULES)
    for rule in ZERO_RULES:
        (red,) = [row for row in GAME.odds(RouletteOptions(rule)) if row.bet == "red"]
        assert stated[rule] == f"{red.edge}, or {percent(red.edge)}"
    for row in GAME.odds(DOUBLE_ZERO):
        assert percent(row.edge) == ("7.8947 %" if row.bet == "top_line" else "5.2632 %")
    assert "5.2632 %, but `top_line`: 3/38, or 7.8947 %" in PAGE


def test_numbers_have_the_edges_in_super_mode_that_the_page_says():
    one, two = ({row.bet: row.edge_per_chip for row in GAME.super_odds(options)} for options in (None, DOUBLE_ZERO))
    for (first, last), cells in bet_rows(PAGE, "bet | edge of what you lay out, fee included | with two zeros"):
        for number in range(int(first.split(":")[1]), int(last.split(":")[1]) + 1):
            bet = f"straight:{number}"
            assert cells == [percent(one[bet]), percent(two[bet])], bet
            del one[bet], two[bet]
    assert not one
    assert not two
