"""The page of sic bo: the prices, chances and edges it states are those that are counted."""

from __future__ import annotations

import re

import pytest

from croupier.games.sic_bo import SicBo
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions

GAME = SicBo()
PAGE = GAME.rules_text()
ATLANTIC_CITY = SicBoOptions("atlantic_city")


def rows(head: str) -> list[tuple[list[str], list[str]]]:
    """Return the tables with that head, row by row: the bets a row names, and its other cells."""
    found = []
    for table in re.findall(rf"^\| {re.escape(head)} \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        for line in table.splitlines():
            first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.append((re.findall(r"`([^`]+)`", first), cells))
    assert found, head
    return found


def percent(value: object, digits: int = 4) -> str:
    return f"{float(value):.{digits}%}".replace("%", " %")  # type: ignore[arg-type]


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
    for bets, cells in rows(head):
        for bet in bets:
            row = odds[bet]
            assert cells[-1] == percent(row.edge), bet
            if "chance" in head:
                assert cells[-2] == percent(row.win), bet
            if not bet.startswith("single"):
                to_1 = (1 - row.edge) / row.win - 1
                assert f"{to_1} to 1" in cells, bet


def test_the_page_names_every_kind_of_bet_and_every_total():
    named = {bet for bets, _ in rows("bet | wins when | pays | chance to win | edge") for bet in bets}
    named |= {bet for bets, _ in rows("bet | pays | chance to win | edge") for bet in bets}

    assert {bet.split(":")[0] for bet in named} == {bet.split(":")[0] for bet in BETS}
    assert {bet for bet in named if bet.startswith("total")} == {bet for bet in BETS if bet.startswith("total")}


def test_atlantic_city_differs_where_the_page_says_and_nowhere_else():
    usual, kinder = ({row.bet: row.edge for row in GAME.odds(options)} for options in (SicBoOptions(), ATLANTIC_CITY))
    listed = {bet.split(":")[0] for bets, _ in rows("bet | pays at `atlantic_city` | edge there") for bet in bets}

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
    stated = {bet: cells for bets, cells in rows("bet | `macau` | `atlantic_city`") for bet in bets}

    assert stated == {bet: [macau[bet], atlantic_city[bet]] for bet in macau}
