"""The page of blackjack: the chart, prices and edges it states are those of the game."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from croupier.games.blackjack import Blackjack, coach, rules, strategy
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.games.blackjack.options import BlackjackOptions
from croupier.games.blackjack.render import REASONS
from croupier.kit.cards import parse_card
from tests.games.pages import plain_table

GAME = Blackjack()
PAGE = GAME.rules_text()
table = partial(plain_table, PAGE)
TEXT = " ".join(PAGE.split())


def percent(value: Fraction) -> str:
    return f"{float(100 * value):.4f} %".replace("-", "−")


def edge(**options: object) -> str:
    return percent(GAME.odds(BlackjackOptions(**options))[0].edge)  # type: ignore[arg-type]


def test_policies_cost_what_the_page_says():
    stated = {row[0]: row[2:] for row in table("policy | plays | the stake wins | pushes | edge | per chip")}

    assert list(stated) == list(strategy.POLICIES)
    for row in GAME.odds()[: len(stated)]:
        assert stated[row.policy] == [percent(value) for value in (row.win, row.push, row.edge, row.edge_per_chip)]


def test_super_mode_costs_what_the_page_says():
    stated = {row[0]: row[1:] for row in table("policy | edge of the main bet, fee included | per chip laid out")}

    assert stated == {row.policy: [percent(row.edge), percent(row.edge_per_chip)] for row in GAME.super_odds()}
    assert "1 + ¾ (m − 1), rounded down" in TEXT
    assert f"to m, {rules.BOOST_MAX} at most" in TEXT


def test_the_chart_is_that_of_the_usual_table():
    chart = strategy.chart(BlackjackOptions())
    rows: dict[str, str] = {}
    for names, *cells in table("you have | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | A"):
        first, *others = names.split(", ")  # "hard 10, 11" is two rows that are alike, and so is "2 2, 3 3"
        kind = first.partition(" ")[0]
        named = [first, *(f"{kind} {name}" if kind in ("hard", "soft") else name for name in others)]
        rows |= dict.fromkeys(named, "".join(cells))

    hard, soft = dict(enumerate(chart.hard, 4)), dict(enumerate(chart.soft, 12))
    assert {hard[total] for total in range(4, 9)} == {rows["hard 8 or less"]}
    assert {hard[total] for total in range(18, 21)} == {rows["hard 18 or more"]}
    for total in range(9, 18):
        assert rows[f"hard {total}"] == hard[total]
    for total in range(13, 21):
        assert rows[f"soft {total}"] == soft[total]
    for value, row in enumerate(chart.pairs, 1):
        name = "A" if value == 1 else str(value)
        assert rows[f"{name} {name}"] == row
    assert len(rows) == 2 + 9 + 8 + 10
    assert soft[12] == "HHHHDHHHHH"  # told below the chart


def test_side_bets_pay_what_the_page_says():
    bet = ""
    prices: dict[str, list[int]] = {}
    for name, _, pays in table("bet | wins with | pays"):
        bet = name or bet
        left, right = map(int, pays.split(" to "))
        prices.setdefault(bet, []).append(2 * left // right)

    assert prices == {
        "twenty_one_plus_three": list(rules.TWENTY_ONE_PLUS_THREE_HALVES),
        "lucky_ladies": list(rules.LUCKY_LADIES_HALVES),
        "perfect_pairs": list(rules.PERFECT_PAIRS_HALVES),
        "bust_it": list(rules.BUST_IT_HALVES),
        "royal_match": list(rules.ROYAL_MATCH_HALVES),
    }
    assert list(prices) == list(SIDE_BETS)
    assert all(len(REASONS[kind]) == len(prices[name]) for name, kind in SIDE_BETS.items() if kind in REASONS)


def test_side_bets_cost_what_the_page_says():
    stated = {row[0]: row[1:] for row in table("bet | 8 decks | 6 decks | 4 decks | 2 decks | 1 deck")}

    for decks, column in zip((8, 6, 4, 2, 1), zip(*stated.values(), strict=True), strict=True):
        edges = {row.bet: percent(row.edge) for row in GAME.odds(BlackjackOptions(decks=decks))}  # type: ignore[arg-type]
        assert dict(zip(stated, column, strict=True)) == {bet: edges[bet] for bet in SIDE_BETS}


def test_options_are_those_of_the_game_and_change_the_edge_as_the_page_says():
    usual = BlackjackOptions()
    rows = table("option | values | meaning | changed")

    assert [row[0] for row in rows] == list(BlackjackOptions.__struct_fields__)
    for option, values, _, changed in rows:
        first, *others = values.split(", ")
        assert first == str(getattr(usual, option)).lower()
        readings = [int(value) if value.isdigit() else value == "true" for value in others]
        assert changed == ", ".join(edge(**{option: value}) for value in readings)
    assert f"the usual table has {edge()}." in TEXT


@pytest.mark.parametrize(("decks", "words"), [(8, "of what you lay with eight decks"), (1, "with one: `decline` it")])
def test_insurance_costs_what_the_page_says(decks, words):
    row = next(row for row in GAME.odds(BlackjackOptions(decks=decks, peek=True)) if row.bet == "insurance")

    assert f"{percent(row.edge)} {words}" in TEXT


def test_declining_even_money_is_worth_what_the_page_says():
    first = tuple(map(parse_card, ("AS", "KH")))
    worths = coach.insurance_worths(first, parse_card("AD"), True, BlackjackOptions(peek=True))

    assert f"Declining is worth {float(worths['decline']):.4f} stakes with eight decks" in TEXT
