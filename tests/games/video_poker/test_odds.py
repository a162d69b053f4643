"""Exact odds of video poker: published returns and check values, and super mode worked out a second time."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

from croupier.games.video_poker import VideoPoker, odds
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, POLICIES, PayTable
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import hands, rounds
from croupier.games.video_poker.tables import best_play
from croupier.house import OddsRow, make_table
from tests.games.second_lit import lit_sets

GAME = VideoPoker()
FEE = Fraction(1, 5)


def rows(name: PayTable, super_mode: bool = False) -> dict[str, OddsRow]:
    options = VideoPokerOptions(name)
    found = odds.super_odds(options) if super_mode else odds.odds(options)
    return {row.policy: row for row in found}


# The best play.


@pytest.mark.parametrize(
    ("name", "returned"),
    [
        ("jacks_9_6", "99.5439%"),  # published
        ("jacks_8_5", "97.2984%"),  # published
        ("bonus_8_5", "99.1660%"),
        ("double_bonus_9_7", "99.1065%"),
        ("deuces_wild", "99.7283%"),
    ],
)
def test_the_best_play_returns_what_is_published(name, returned, checks):
    row = rows(name)["optimal"]
    checks("published", "video-poker", [row])

    assert f"{float(1 - row.edge):.4%}" == returned
    assert row.edge_per_chip == row.edge
    assert row.method == "exact"
    assert row.win + row.push + row.lose == 1


@pytest.mark.parametrize("name", PAY_TABLES)
@pytest.mark.parametrize("policy", POLICIES)
def test_an_edge_is_what_the_chances_of_the_hands_leave(name, policy):
    options = VideoPokerOptions(name)
    chances = odds.hand_chances(options, policy)
    pays = dict(zip(HAND_NAMES, hands.PAYS[PAY_TABLES.index(name)], strict=True))

    assert sum(chances.values()) == 1
    assert rows(name)[policy].edge == 1 - sum(pays[hand] * chance for hand, chance in chances.items())
    assert {hand for hand, paid in pays.items() if paid} <= set(chances)


@pytest.mark.parametrize("name", PAY_TABLES)
def test_no_other_policy_beats_the_best_play_by_the_pay_table(name):
    found = rows(name)

    assert 0 < found["optimal"].edge < found["royal_hunter"].edge < found["hold_all"].edge


# Keeping everything.


def test_keeping_all_five_cards_returns_the_published_check_value(checks):
    """875,504 of 2,598,960: published."""
    row = rows("jacks_9_6")["hold_all"]

    assert 1 - row.edge == Fraction(875_504, 2_598_960)
    assert row.push == Fraction(337_920, comb(52, 5))
    assert row.lose == Fraction(2_062_860, comb(52, 5))
    checks("published", "video-poker", [row])


def test_keeping_all_five_cards_returns_what_the_dealt_hands_pay(checks):
    """The counts of `test_rules`, paid at 8/5, by Bonus, by Double Bonus, with deuces wild."""
    eight_five = 337_920 + 2 * 123_552 + 3 * 54_912 + 4 * 10_200 + 5 * 5_108 + 8 * 3_744 + 50 * 36 + 800 * 4
    returned = {
        "jacks_8_5": eight_five + 25 * 624,
        "bonus_8_5": eight_five + 25 * 432 + 40 * 144 + 80 * 48,
        "double_bonus_9_7": (337_920 + 123_552 + 3 * 54_912 + 5 * 10_200 + 7 * 5_108 + 9 * 3_744 + 50 * 36 + 800 * 4)
        + (50 * 432 + 80 * 144 + 160 * 48),
        "deuces_wild": (355_080 + 2 * 62_232 + 3 * 14_472 + 4 * 12_672 + 4 * 31_552)
        + (10 * 2_068 + 16 * 624 + 25 * 480 + 200 * 48 + 800 * 4),
    }

    found = {name: (1 - rows(name)["hold_all"].edge) * comb(52, 5) for name in PAY_TABLES if name in returned}

    assert found == returned
    checks("closed form", "video-poker", [rows(name)["hold_all"] for name in found])


# Super mode.


@cache
def marked_chances(light: int) -> list[Fraction]:
    """Return how likely 0 to 4 marked cards are in a hand with so many light cards, draw by draw.

    A byte gives an unmarked heavy card with weight 5 and a light one with 4.
    """
    found = [Fraction(0)] * 5
    for marked, chance in lit_sets((5,) * (5 - light) + (4,) * light, {5: 48, 4: 4}, 4).items():
        found[len(marked)] += chance
    return found


@cache
def mean_boost(light: int, is_royal: bool) -> Fraction:
    """Return what boosts add to a chip of profit on average (the rules page, Super mode), by the light cards."""
    tenths = (10, *(5000,) * 4) if is_royal else (10, 12, 20, 500, 5000)
    return sum((p * Fraction(m - 10, 250) for p, m in zip(marked_chances(light), tenths, strict=True)), Fraction(0))


@pytest.mark.parametrize("light", range(5))
def test_marked_cards_are_as_likely_as_trying_every_way_to_draw_them_says(light):
    assert list(odds.boost_chances(light)) == marked_chances(light)


def test_marked_cards_add_up_to_four_in_the_whole_pack():
    """The mean count in a hand is linear in its light cards, so that 52 cards hold four marks."""
    means = [sum(k * chance for k, chance in enumerate(odds.boost_chances(light))) for light in range(5)]
    heavy, light_card = means[0] / 5, means[1] - means[0] * Fraction(4, 5)

    assert 48 * heavy + 4 * light_card == 4
    assert means[4] == heavy + 4 * light_card


@pytest.mark.parametrize("name", PAY_TABLES)
@pytest.mark.parametrize("policy", POLICIES)
def test_super_mode_costs_what_a_second_calculation_says(name, policy):
    """The boosts of the rules page, less one and divided by 25, on the profit of every final hand."""
    found = best_play()
    pays = dict(zip(HAND_NAMES, hands.PAYS[PAY_TABLES.index(name)], strict=True))
    extra = Fraction(0)
    for hand, by_light in found.pay_tables[name].policies[policy].items():
        for light, ways in enumerate(by_light):
            boost = mean_boost(light, hand == "royal_flush")
            extra += Fraction(ways, found.deals) * max(pays[hand] - 1, 0) * boost

    plain, row = rows(name)[policy], rows(name, super_mode=True)[policy]

    assert row.edge == plain.edge + FEE - extra
    assert row.edge_per_chip == row.edge / (1 + FEE)
    assert (row.win, row.push, row.lose) == (plain.win, plain.push, plain.lose)


@pytest.mark.parametrize("name", PAY_TABLES)
def test_super_mode_is_priced_within_its_band_for_whoever_plays_well(name):
    """Half a percent to the normal edge and 15 points (decision 0011), also for the best play there is."""
    plain, boosted = rows(name), rows(name, super_mode=True)
    bound = odds.super_bound(VideoPokerOptions(name))

    for policy in ("optimal", "royal_hunter"):
        assert Fraction(5, 1000) < boosted[policy].edge_per_chip < plain[policy].edge + Fraction(15, 100)
    assert Fraction(5, 1000) < bound <= boosted["royal_hunter"].edge_per_chip < boosted["optimal"].edge_per_chip
    # The hunter takes all cards as equally likely to be marked; that costs next to nothing.
    assert boosted["royal_hunter"].edge_per_chip - bound < Fraction(1, 10_000)


def test_every_pay_table_may_be_offered():
    """None overpays, in super mode neither."""
    for number, name in enumerate(PAY_TABLES):
        table = make_table(number, GAME, {"pay_table": name})
        assert (table.stake_min, table.stake_max) == (1, 1_000)


def test_the_hunter_plays_for_what_hands_are_worth_on_average_in_super_mode():
    """Any four of 52 cards marked: hypergeometric chances, boosts as above, in thousandths rounded down."""
    some = 1 - Fraction(comb(47, 4), comb(52, 4))
    royal = 1 + 799 * (1 + some * Fraction(499, 25))
    flush = 1 + 5 * (
        1
        + sum(
            Fraction(comb(5, k) * comb(47, 4 - k), comb(52, 4)) * Fraction(tenths - 10, 250)
            for k, tenths in enumerate(rounds.BOOST_TENTHS)
        )
    )

    found = odds.hunter_pays(VideoPokerOptions())

    assert (found[hands.ROYAL], found[hands.FLUSH]) == (int(1000 * royal), int(1000 * flush))
    assert found[: hands.TWO_PAIR] == (0, 1000)  # what brings no profit is not boosted
