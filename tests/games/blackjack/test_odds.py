"""Odds of the bets of blackjack: published figures, counts written in another way, laws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest

from croupier.games.blackjack import Blackjack, odds, strategy
from croupier.games.blackjack.options import DECKS, BlackjackOptions
from croupier.house import OddsRow
from croupier.house.odds import Returns
from tests.games.blackjack.second_dealer import BUST, draws, sized_ends
from tests.games.blackjack.test_vectors import side_price
from tests.games.second_lit import lit_sets

GAME = Blackjack()
POINT = Fraction(1, 100)


def row(bet: str, policy: str = "-", **options: Any) -> OddsRow:
    found = GAME.odds(BlackjackOptions(**options))
    return next(line for line in found if (line.bet, line.policy) == (bet, policy))


def edge(**options: Any) -> float:
    """Return the edge of the main bet under basic strategy, in percent."""
    return float(100 * row("main", "basic", **options).edge)


# Side bets: published figures.


@pytest.mark.parametrize(
    ("bet", "option", "digits", "expected"),
    [
        ("twenty_one_plus_three", "decks", 4, {8: "3.7039", 6: "4.6210", 4: "6.3902", 2: "11.1672", 1: "18.2081"}),
        ("perfect_pairs", "decks", 4, {8: "11.8072", 6: "13.8264", 4: "17.8744", 2: "30.0971", 1: "54.9020"}),
        # Published for 25 and 5 to 2, to six places of the edge.
        ("royal_match", "decks", 4, {8: "6.4597", 6: "6.6658", 4: "7.0792", 2: "8.3271", 1: "10.8597"}),
        ("lucky_ladies", "decks", 2, {8: "24.05", 6: "24.71", 1: "38.16"}),
        ("bust_it", "hit_soft_17", 2, {True: "3.37", False: "7.25"}),
    ],
)
def test_side_bets_cost_what_is_published(bet, option, digits, expected, checks):
    rows = {value: row(bet, **{option: value}) for value in expected}
    checks("published", "blackjack", rows.values())
    assert {value: f"{float(100 * found.edge):.{digits}f}" for value, found in rows.items()} == expected


def old_lucky_ladies(first: int, second: int, natural: bool) -> int:
    """Return what the published table pays, in halves: 200, 25, 10 and 4 to 1."""
    points = sum({0: 11, 10: 10, 11: 10, 12: 10}.get(card % 13, card % 13 + 1) for card in (first, second))
    if points != 20:
        return 0
    if first == second == 24:
        return 400 if natural else 50
    return 20 if first % 13 == second % 13 == 11 else 8


def old_royal_match(first: int, second: int, natural: bool) -> int:
    """Return what the published table pays, in halves: 25 and 5 to 1."""
    if first // 13 != second // 13:
        return 0
    return 50 if {first % 13, second % 13} == {11, 12} else 10


def edge_of(returns: Returns) -> str:
    return f"{float(100 * (1 - sum(returned * chance for returned, chance in returns.items()))):.2f}"


def test_the_counts_give_the_published_edges_at_the_published_prices():
    """Hazards 2 and 3: with those prices royal match gave money away, and lucky ladies was a trap."""
    ladies = {decks: edge_of(odds.two_card_returns(decks, old_lucky_ladies)) for decks in (8, 6, 1)}
    match = {decks: edge_of(odds.two_card_returns(decks, old_royal_match)) for decks in (8, 6, 1)}

    assert ladies == {8: "42.79", 6: "42.94", 1: "46.00"}
    assert match == {8: "-54.85", 6: "-54.49", 1: "-47.21"}


def second_count(decks: int) -> dict[str, Fraction]:
    """Return edges of bets on the first cards from closed formulas, with nothing of the package."""
    cards = 52 * decks
    pairs = comb(cards, 2)
    perfect, colour, mixed = 52 * comb(decks, 2), 26 * decks**2, 52 * decks**2
    royal, suited = 4 * decks**2, 4 * comb(13 * decks, 2)
    return {
        "perfect_pairs": 1 - Fraction(26 * perfect + 11 * colour + 6 * mixed, pairs),
        "royal_match": 1 - Fraction(26 * royal + Fraction(7, 2) * (suited - royal), pairs),
    }


@pytest.mark.parametrize("decks", DECKS)
def test_bets_on_two_cards_have_the_edges_of_closed_formulas(decks, checks):
    checks("closed form", "blackjack", [row(bet, decks=decks) for bet in second_count(decks)])
    for bet, expected in second_count(decks).items():
        assert row(bet, decks=decks).edge == expected


def test_21_plus_3_on_one_deck_is_counted_card_by_card(checks):
    """All 22,100 sets of three cards."""
    pays: Counter[int] = Counter()
    for cards in combinations(range(52), 3):
        price = int(side_price("twenty_one_plus_three", [*cards[:2]], cards[2]))
        pays[price + 1 if price else 0] += 1

    found = row("twenty_one_plus_three", decks=1)

    assert found.edge == 1 - Fraction(sum(price * count for price, count in pays.items()), comb(52, 3))
    assert found.lose == Fraction(pays[0], comb(52, 3))
    checks("model", "blackjack", [found])


# The dealer.


@pytest.mark.parametrize("hits", [False, True], ids=["stands", "hits"])
def test_the_dealer_of_one_deck_busts_as_counted_card_by_card(hits):
    expected: dict[int, Fraction] = {}
    for up_value, chance, left in draws((4,) * 9 + (16,)):
        for (end, size), share in sized_ends(up_value, up_value == 1, 1, left, hits).items():
            if end == BUST:
                expected[size] = expected.get(size, Fraction(0)) + chance * share

    assert odds.dealer_busts(1, hits) == dict(sorted(expected.items()))


def test_the_dealer_of_eight_decks_busts_as_published():
    busts = odds.dealer_busts(8, True)

    assert f"{float(sum(busts.values())):.5f}" == "0.28567"
    assert [f"{float(busts[size]):.5f}" for size in (3, 4, 5)] == ["0.17301", "0.08928", "0.02049"]
    assert f"{float(sum(chance for size, chance in busts.items() if size >= 6)):.5f}" == "0.00289"


@pytest.mark.parametrize("decks", DECKS)
def test_insurance_is_one_bet_on_a_ten(decks, checks):
    found = row("insurance", decks=decks, peek=True)
    checks("closed form", "blackjack", [found])

    assert found.win == Fraction(16 * decks, 52 * decks - 1)
    assert found.edge == 1 - 3 * found.win
    assert [line.bet for line in GAME.odds(BlackjackOptions(decks=decks))].count("insurance") == 0


# The main bet.


@pytest.mark.parametrize(
    ("options", "expected", "bound"),
    [
        ({}, 0.52, 4.5 * 0.007),
        ({"hit_soft_17": False}, 0.31, 4.5 * 0.01),
        ({"surrender": True}, 0.43, 4.5 * 0.01),
        ({"hit_split_aces": False, "resplit_aces": False}, 0.77, 4.5 * 0.01),
    ],
)
def test_the_main_bet_costs_the_published_simulated_figure(options, expected, bound, checks):
    """The published figures have two places, which is half a hundredth more."""
    assert abs(edge(**options) - expected) <= bound + 0.005
    checks("published", "blackjack", [row("main", "basic", **options)])


@pytest.mark.parametrize(
    ("option", "expected", "within"),
    [
        ({"hit_soft_17": False}, -0.2, 0.05),
        ({"peek": True}, -0.1, 0.05),
        ({"six_to_five": True}, 1.4, 0.05),
        ({"resplit_aces": False}, 0.1, 0.05),
        ({"hit_split_aces": False}, 0.2, 0.06),
        ({"double_after_split": False}, 0.1, 0.06),
    ],
)
def test_options_change_the_main_bet_by_what_is_published(option, expected, within):
    """Published are the effects in tenths of a point; to hit split aces includes splitting them again."""
    assert abs(edge(**option) - edge() - expected) <= within


# As published for a dealer who peeks and stands on soft 17, split aces that get one card.
@pytest.mark.parametrize(
    ("decks", "double_after_split", "expected"), [(6, False, 0.56), (8, False, 0.58), (6, True, 0.42), (1, False, 0.02)]
)
def test_the_main_bet_costs_what_is_published_for_usual_tables(decks, double_after_split, expected):
    usual = {"hit_soft_17": False, "resplit_aces": False, "hit_split_aces": False, "peek": True}

    assert abs(edge(decks=decks, double_after_split=double_after_split, **usual) - expected) <= 0.06


def test_the_most_generous_table_of_one_deck_is_just_short_of_the_published_best_play():
    """0.37292 % for the player who looks at every card; a chart of totals gives up a little of it."""
    found = -edge(decks=1, hit_soft_17=False, surrender=True, peek=True)

    assert 0.31 < found < 0.37292


def test_6_to_5_costs_three_tenths_of_the_naturals_that_are_paid():
    """A chance that is counted here by dealing both hands."""
    for decks in DECKS:
        aces, tens, cards = 4 * decks, 16 * decks, 52 * decks
        natural = Fraction(aces * tens, comb(cards, 2))
        beaten = Fraction((aces - 1) * (tens - 1), comb(cards - 2, 2))
        difference = row("main", "basic", decks=decks, six_to_five=True).edge - row("main", "basic", decks=decks).edge
        assert difference == Fraction(3, 10) * natural * (1 - beaten)


def test_playing_as_the_dealer_loses_when_both_bust_and_gains_the_price_of_naturals():
    """Both hands are alike then, so all that tells them apart is who busts first, and the extra half of a natural."""
    for decks, hits in product(DECKS, (False, True)):
        found = row("main", "mimic_dealer", decks=decks, hit_soft_17=hits)
        extra = Fraction(1, 2) * odds.natural_chances(decks)[1]
        both_bust = found.edge + extra
        bust = sum(odds.dealer_busts(decks, hits).values())
        assert abs(both_bust - bust**2) < Fraction(2, 100)
        assert found.win + found.push + found.lose == 1
        # Who busts loses; of the other rounds each side wins as many.
        assert abs(found.lose - found.win - both_bust) < Fraction(1, 10**6)


def test_figures_of_the_main_bet_are_bounded_and_the_others_exact():
    for line in GAME.odds(BlackjackOptions(peek=True)):
        assert line.method == ("bounded" if line.bet == "main" else "exact")
        if line.low is not None and line.high is not None:
            assert line.edge == line.low < line.high <= line.low + Fraction(1, 10**9)
        assert line.win + line.push + line.lose == 1


@pytest.mark.parametrize("policy", strategy.POLICIES)
def test_every_set_of_options_has_figures_in_the_band_of_super_mode(policy):
    """All 640: between half a percent and the normal edge plus fifteen points, per chip laid out."""
    count = 0
    for options in option_sets():
        normal = next(line for line in GAME.odds(options)[:3] if line.policy == policy)
        boosted = next(line for line in GAME.super_odds(options) if line.policy == policy)
        assert Fraction(1, 200) <= boosted.edge_per_chip <= normal.edge + 15 * POINT
        count += 1
    assert count == 640


def option_sets() -> list[BlackjackOptions]:
    names = [name for name in BlackjackOptions.__struct_fields__ if name != "decks"]
    return [
        BlackjackOptions(decks=decks, **dict(zip(names, flags, strict=True)))  # type: ignore[arg-type]
        for decks in DECKS
        for flags in product((False, True), repeat=len(names))
    ]


def test_the_sets_of_options_that_favour_the_player_are_of_one_or_two_decks_with_a_natural_at_3_to_2():
    generous = [options for options in option_sets() if GAME.odds(options)[0].edge < 0]

    assert len(generous) == 38
    assert {options.decks for options in generous} == {1, 2}
    assert not any(options.six_to_five for options in generous)
    assert all(options.peek and not options.hit_soft_17 for options in generous if options.decks == 2)
    page = " ".join(GAME.rules_text().split())
    assert f"Of the 640 sets of options {len(generous)}, all of one or two decks, favour" in page


# Super mode.


def test_the_mean_boost_of_two_cards_is_that_of_all_lit_sets():
    """Second way, for an ace and a ten of one deck: over pairs of cards, their chances to be lit, and multipliers."""
    multiplier = Fraction(2 * 5000 + 3 * 3500 + 4 * 1200 + 6 * 250 + 8 * 50, 10000)

    mean = Fraction(0)
    for ace, ten in product((0, 13, 26, 39), [card for card in range(52) if card % 13 >= 9]):
        sets = lit_sets(tuple(5 if card < 48 else 4 for card in (ace, ten)), {5: 48, 4: 4}, 5)
        for lit, chance in sets.items():
            mean += chance * Fraction(multiplier ** len(lit)) / 64

    assert odds.mean_boost((1, 0, 0, 0, 0, 0, 0, 0, 0, 1), 1) == mean


def test_boosts_grow_with_the_hand_and_stay_below_the_cap():
    hands = [(2, 0, 0, 0, 0, 0, 0, 0, 0, 0), (0, 3, 0, 0, 0, 0, 0, 0, 0, 0), (8, 1, 0, 0, 0, 0, 0, 0, 0, 0)]
    means = [float(odds.mean_boost(hand, 8)) for hand in hands]

    assert means == sorted(means)
    assert means[0] > 1.3
    assert means[-1] < 512
