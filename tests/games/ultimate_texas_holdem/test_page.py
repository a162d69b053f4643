"""The page of ultimate texas hold'em: the prices, hands and edges it states are those that are counted and paid."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import comb

from croupier.games.ultimate_texas_holdem import UltimateTexasHoldem, rules
from croupier.games.ultimate_texas_holdem.odds import sharp_edge
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.tables import ROUND_COUNT, solution
from croupier.kit.poker import CATEGORY_NAMES
from tests.games.pages import percent, plain_table

GAME = UltimateTexasHoldem()
PAGE = GAME.rules_text()
rows = partial(plain_table, PAGE)


def test_hands_pay_what_the_page_says():
    stated = {cells[0]: cells[1:] for cells in rows("hand | Blind | `trips` | `six_card` | `progressive` returns")}

    assert list(stated) == [*CATEGORY_NAMES[:2:-1], "less"]
    assert stated.pop("less") == ["pushes", "lost", "lost", "lost"]
    for hand, (blind, trips, six_card, progressive) in stated.items():
        kind = CATEGORY_NAMES.index(hand)
        halves = rules.bet_return(rules.BLIND, 2, rules.WON, kind) - 2
        to_one = f"{halves // 2} to 1" if halves % 2 == 0 else f"{halves} to 2"
        assert blind == (to_one if halves else "pushes")
        assert trips == f"{rules.bet_return(rules.TRIPS_BET, 1, rules.FOLDED, kind) - 1} to 1"
        assert six_card == f"{rules.bet_return(rules.SIX_CARD, 1, rules.FOLDED, kind) - 1} to 1"
        assert progressive == f"{rules.bet_return(rules.PROGRESSIVE, 1, rules.FOLDED, kind):,}"


def test_bets_cost_what_the_page_says():
    stated = [
        [bet, policy, win, tie, edge, per_chip]
        for bet, policy, win, tie, edge, per_chip in rows("bet | you play | chance to win | a tie | edge | per chip")
    ]

    assert stated == [
        [
            row.bet,
            row.policy.strip("-"),
            percent(row.win),
            percent(row.push) if row.push else "",
            percent(row.edge),
            percent(row.edge_per_chip),
        ]
        for row in GAME.odds()
    ]


def test_options_change_the_edge_as_the_page_says():
    offers = {"4 or 3": (True, True), "4": (False, True), "3": (True, False), "nothing": (False, False)}
    stated = rows("dealer qualifies | before the flop | `best` | `simple`")
    cells = [(needs, each, *edges) for needs, before, *edges in stated for each in before.split(", or ")]

    assert len(cells) == 8
    for needs, before, best, simple in cells:
        options = HoldemOptions("always" if needs == "always" else "pair", *offers[before])
        assert [best, simple] == [percent(row.edge) for row in GAME.odds(options)[:2]]


def test_super_mode_costs_what_the_page_says():
    assert rows("you play | edge of the Ante, fee included | per chip laid out") == [
        [row.policy, percent(row.edge), percent(row.edge_per_chip)] for row in GAME.super_odds()
    ]
    assert f"edge down to {percent(sharp_edge(HoldemOptions()))} and no further" in PAGE


def test_boosts_are_those_of_the_page():
    seen = set()
    for hands, multiplier, pays in rows("hand | m | the Ante pays"):
        for hand in hands.split(", "):
            kind = CATEGORY_NAMES.index(hand)
            seen.add(kind)
            assert int(multiplier) == rules.BOOSTS[kind]
            profit = rules.super_ante_return(10, rules.WON, rules.BOOSTS[kind]) - 10
            assert Fraction(pays.removesuffix(" to 1")) == Fraction(profit, 10)
    assert seen == set(range(10))


def test_the_hands_to_raise_are_those_of_the_page():
    letters = {"ace": 14, "king": 13, "queen": 12, "jack": 11, "ten": 10, "eight": 8, "six": 6, "five": 5, "threes": 3}
    lowest = {"anything": 2, "–": 99} | {f"{word} or better": rank for word, rank in letters.items()} | letters
    stated = {high: (lowest[suited], lowest[other]) for high, suited, other in rows(
        "your higher card | suited with | not suited with"
    )}  # fmt: skip
    for first in range(52):
        for second in range(first):
            ranks = sorted((14 if card % 13 == 0 else card % 13 + 1) for card in (first, second))
            high = next((word for word, rank in letters.items() if rank == ranks[1]), "")
            if ranks[0] == ranks[1]:
                expected = ranks[0] >= stated["a pair"][1]
            else:
                suited = first // 13 == second // 13
                expected = high in stated and ranks[0] >= stated[high][0 if suited else 1]
            assert rules.simple_preflop(first, second) == expected


def test_what_the_page_says_in_passing_is_so():
    best, simple = GAME.odds()[:2]
    (rounds,) = [row for row in solution().rounds[:1] if row.policy == "best"]

    assert f"{best.edge.numerator}/{best.edge.denominator}" in PAGE
    assert f"costs {percent(simple.edge - best.edge)} of the Ante more" in PAGE
    assert f"{float(Fraction(rounds.bet, ROUND_COUNT)):.4f} Antes are bet on Play" in PAGE
    assert round(comb(52, 2) * comb(50, 5) * comb(45, 2) / 10**12, 1) == 2.8
