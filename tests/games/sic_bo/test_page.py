"""The page of sic bo: the prices, chances and edges it states are those that are counted."""

from __future__ import annotations

import pytest

from croupier.games.sic_bo import SicBo
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions
from tests.games.pages import bet_rows, percent

GAME = SicBo()
PAGE = GAME.rules_text()
ATLANTIC_CITY = SicBoOptions("atlantic_city")


@pytest.mark.parametrize(
    ("head", "options"),
    [
        ("bet | wins when | pays | chance to win | edge", SicBoOptions()),
        ("bet | pays | chance to win | edge", SicBoOptions()),
        ("bet | pays at `atlantic_city` | edge there", ATLANTIC_CITY),
    ],
)
def test_bets_have_the_edges_the_page_says(head, options):
    odds = {row.bet: row for row in GAME.odds(options)}
    for bets, cells in bet_rows(PAGE, head):
        for bet in bets:
            row = odds[bet]
            assert cells[-1] == percent(row.edge), bet
            if "chance" in head:
                assert cells[-2] == percent(row.win), bet
            if not bet.startswith("single"):
                to_1 = (1 - row.edge) / row.win - 1
                assert f"{to_1} to 1" in cells, bet


def test_the_page_names_every_kind_of_bet_and_every_total():
    named = {bet for bets, _ in bet_rows(PAGE, "bet | wins when | pays | chance to win | edge") for bet in bets}
    named |= {bet for bets, _ in bet_rows(PAGE, "bet | pays | chance to win | edge") for bet in bets}

    assert {bet.split(":")[0] for bet in named} == {bet.split(":")[0] for bet in BETS}
    assert {bet for bet in named if bet.startswith("total")} == {bet for bet in BETS if bet.startswith("total")}


def test_atlantic_city_differs_where_the_page_says_and_nowhere_else():
    usual, kinder = ({row.bet: row.edge for row in GAME.odds(options)} for options in (SicBoOptions(), ATLANTIC_CITY))
    listed = {
        bet.split(":")[0] for bets, _ in bet_rows(PAGE, "bet | pays at `atlantic_city` | edge there") for bet in bets
    }

    differing = {bet for bet in BETS if usual[bet] != kinder[bet]}
    assert {bet.split(":")[0] for bet in differing} == listed
    assert {bet for bet in differing if bet.startswith("total")} == {
        f"total:{total}" for total in (4, 5, 6, 15, 16, 17)
    }


def test_totals_have_the_edges_in_super_mode_that_the_page_says():
    macau, atlantic_city = (
        {row.bet: percent(row.edge_per_chip, 2) for row in GAME.super_odds(options)}
        for options in (SicBoOptions(), ATLANTIC_CITY)
    )
    stated = {bet: cells for bets, cells in bet_rows(PAGE, "bet | `macau` | `atlantic_city`") for bet in bets}

    assert stated == {bet: [macau[bet], atlantic_city[bet]] for bet in macau}
