"""Exact odds of three card poker against published figures and against counts written in another way."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games.three_card_poker import ThreeCardPoker, rules
from croupier.games.three_card_poker.dealer import _tables, count_below, outcome_counts, starting_hands
from croupier.games.three_card_poker.odds import _side_rows, odds, play_chance, six_card_counts, super_odds
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.games.three_card_poker.policies import POLICIES, _value, hands_played, play_value, plays
from croupier.kit.cards import parse_card
from croupier.kit.poker import rank3
from croupier.sim import compiled
from tests.games.three_card_poker import test_vectors as second

QUEEN, Q64 = ThreeCardOptions(), ThreeCardOptions(qualifier="q64")
BOTH = pytest.mark.parametrize("options", [QUEEN, Q64], ids=["queen", "q64"])


def row(bet, options=QUEEN, policy="-", super_mode=False):
    rows = super_odds(options) if super_mode else odds(options)
    return next(found for found in rows if (found.bet, found.policy) == (bet, policy))


def percent(value, digits=4):
    return f"{float(value):.{digits}%}"


# Published figures.


@pytest.mark.parametrize(
    ("options", "bet", "policy", "edge", "per_chip"),
    [
        # Published.
        (QUEEN, "ante", "best", "3.3730%", "2.0147%"),
        (QUEEN, "ante", "q64", "3.3730%", "2.0147%"),
        (Q64, "ante", "best", "4.8312%", "2.8951%"),
        (Q64, "ante", "q72", "4.8312%", "2.8951%"),
        (QUEEN, "pair_plus", "-", "7.2760%", "7.2760%"),
        (QUEEN, "six_card", "-", "8.5614%", "8.5614%"),
        (QUEEN, "progressive", "-", "0.3620%", "0.3620%"),
        # As everybody who writes about the game has them: 3.45 % for playing any queen, 7.65 % for playing everything.
        (QUEEN, "ante", "queen_high", "3.4491%", "2.0338%"),
        (QUEEN, "ante", "always_play", "7.6538%", "3.8269%"),
    ],
)
def test_edges_are_the_published_ones(options, bet, policy, edge, per_chip, checks):
    found = row(bet, options, policy)
    checks("published", "three-card-poker", [found])

    assert (percent(found.edge), percent(found.edge_per_chip), found.method) == (edge, per_chip, "exact")


def test_q64_or_better_is_played_in_the_published_share_of_hands():
    assert percent(play_chance("q64", QUEEN, False), 3) == "67.421%"
    assert play_chance("best", QUEEN, False) == play_chance("q64", QUEEN, False) == Fraction(14_900, 22_100)


def test_side_bets_match_their_closed_forms(checks):
    checks("closed form", "three-card-poker", odds(QUEEN)[len(POLICIES) :])
    pair_plus = Fraction(41 * 48 + 31 * 52 + 7 * 720 + 4 * 1096 + 2 * 3744, 22_100)
    progressive = Fraction(10_000 + 3 * 500 + 44 * 70 + 52 * 60 + 720 * 6, 22_100)
    six = {1001: 188, 201: 1656, 101: 14_664, 21: 165_984, 16: 205_792, 11: 361_620, 8: 732_160}
    six_card = Fraction(sum(pays * count for pays, count in six.items()), 20_358_520)

    assert [row(bet).edge for bet in ("pair_plus", "six_card", "progressive")] == [
        1 - pair_plus,
        1 - six_card,
        1 - progressive,
    ]
    assert [row(bet).win for bet in ("pair_plus", "six_card", "progressive")] == [
        Fraction(5660, 22_100),
        Fraction(sum(six.values()), 20_358_520),
        Fraction(820, 22_100),
    ]


def test_six_cards_fall_into_the_published_categories():
    assert six_card_counts()[3:] == (732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188)
    assert sum(six_card_counts()) == comb(52, 6)


@BOTH
def test_side_bets_do_not_ask_for_the_qualifier(options):
    rows = odds(options)

    assert all(0 <= found.edge <= Fraction(3, 10) for found in rows)
    assert rows[len(POLICIES) :] == odds(QUEEN)[len(POLICIES) :]


# A second count: every hand of the player against every hand of the dealer, as machine code.


def all_deals(ranks, bits, lowest, counts):
    """Count for each of the player's hands how the dealer's that avoid it end: not qualified, lower, equal, higher."""
    for mine in range(len(ranks)):
        for other in range(len(ranks)):
            if bits[mine] & bits[other] == 0:
                if ranks[other] < lowest:
                    counts[mine, 0] += 1
                elif ranks[other] < ranks[mine]:
                    counts[mine, 1] += 1
                elif ranks[other] == ranks[mine]:
                    counts[mine, 2] += 1
                else:
                    counts[mine, 3] += 1


HANDS: list[tuple[int, ...]] = list(combinations(range(52), 3))
LOWEST = {"q64": 0xC6400, "q72": 0xC7200, "queen_high": 0xC0000, "always_play": 0}
"""The lowest hand that a policy plays, as ranks are written."""


@pytest.fixture(scope="module")
def counted():
    """Return, for both qualifiers, what 407 million deals come to for each hand."""
    ranks = np.array([rank3(*hand) for hand in HANDS])
    bits = np.array([sum(1 << card for card in hand) for hand in HANDS])
    found = {}
    for options, lowest in ((QUEEN, 12 << 16), (Q64, 12 << 16 | 6 << 12 | 4 << 8)):
        counts = np.zeros((22_100, 4), np.int64)
        compiled(all_deals)(ranks, bits, lowest, counts)
        found[options] = counts
    return found


@BOTH
def test_the_dealers_hands_are_counted_right_for_every_hand_of_the_player(counted, options):
    """Compared for one hand of each of the 1,755 kinds."""
    by_hand = dict(zip(HANDS, counted[options].tolist(), strict=True))
    qualifier = {QUEEN: 0, Q64: 1}[options]

    for hand, _ in starting_hands():
        assert list(outcome_counts(hand, qualifier)) == [0, *by_hand[tuple(sorted(hand))]]


@BOTH
def test_no_play_is_better_than_best_and_the_others_cost_what_their_hands_lose(counted, options, checks):
    """A second maximum: for every hand fold or play, whichever loses less, from the deals counted one by one."""
    bonus = np.array([{5: 5, 4: 4, 3: 1}.get(rank3(*hand) >> 20, 0) for hand in HANDS])
    missed, won, tied, lost = counted[options].T
    profit = (1 + bonus) * missed + (2 + bonus) * won + bonus * tied + (bonus - 2) * lost
    best = np.maximum(profit, -18_424)

    assert row("ante", options, "best").edge == Fraction(-int(best.sum()), 22_100 * 18_424)
    ranks = np.array([rank3(*hand) for hand in HANDS])
    for policy, lowest in LOWEST.items():
        net = int(np.where(ranks >= lowest, profit, -18_424).sum())
        assert row("ante", options, policy).edge == Fraction(-net, 22_100 * 18_424)
    checks("model", "three-card-poker", odds(options)[: len(POLICIES)])
    played = hands_played("best", options, False)
    assert [rules.is_played(played, 0, *hand) for hand in HANDS] == (profit > -18_424).tolist()


def test_the_best_play_is_the_published_one():
    """Q-6-4 or better where a queen qualifies, Q-7-2 or better where the dealer needs Q-6-4."""
    assert hands_played("best", QUEEN, False) == hands_played("q64", QUEEN, False)
    assert hands_played("best", Q64, False) == hands_played("q72", Q64, False)
    for policy, lowest in (("q64", [12, 6, 4]), ("q72", [12, 7, 2]), ("queen_high", [12, 3, 2])):
        played = hands_played(policy, QUEEN, False)
        for hand in HANDS:
            kind, ranks = second.three_value([*hand])
            assert rules.is_played(played, 0, *hand) == (kind != "high_card" or ranks >= lowest)


def test_the_best_policy_is_one_of_the_others_in_a_plan():
    plans = {policy: ThreeCardPoker().plan({"ante": 10}, policy).options for policy in POLICIES}

    assert ThreeCardPoker().plan({"ante": 10, "pair_plus": 2}).opening == 10  # the edge is a share of the Ante
    assert set(plans.values()) == {plans[policy] for policy in ("q64", "q72", "queen_high", "always_play")}


# The dealer's tables.


def test_starting_hands_stand_for_every_hand_once():
    """Each kind is every way to give its cards other suits; no hand is of two kinds."""
    seen: set[tuple[int, ...]] = set()
    for hand, count in starting_hands():
        kind = {tuple(sorted(suits[card // 13] * 13 + card % 13 for card in hand)) for suits in permutations(range(4))}
        assert len(kind) == count
        seen |= kind

    assert seen == set(HANDS)
    assert sum(count for _, count in starting_hands()) == len(HANDS)
    assert len(starting_hands()) == 1755


@settings(max_examples=10)
@given(deck=st.permutations(range(52)), limit=st.sampled_from([0, 0xC0000, 0xC6400, 0x130000, 0x2E0000, 1 << 23]))
def test_hands_below_a_rank_are_as_many_as_can_be_dealt(deck, limit):
    held = tuple(deck[:3])

    assert count_below(limit, held) == sum(rank3(*hand) < limit for hand in combinations(deck[3:], 3))


def test_the_edge_takes_less_than_five_seconds_without_a_compiler():
    """Processor time with empty caches; about half a second here."""
    for cached in (odds, _side_rows, six_card_counts, starting_hands, _tables, outcome_counts, _value):
        cached.cache_clear()
    begun = process_time()

    assert percent(row("ante", QUEEN, "best").edge) == "3.3730%"
    assert process_time() - begun < 5


# Super mode.


def mean_boost(hand):
    """Return the mean of (m - 1) * 2/5 over the six pairs of suits, by the second calculation's boosts."""
    boosts = [second.boost([*hand], [*marked]) for marked in combinations(range(4), 2)]
    return Fraction(2 * (sum(boosts) - 6), 5 * 6)


@BOTH
def test_super_edges_match_a_second_count(counted, options, checks):
    """From the deals counted one by one, for the hands of one suit pattern at a time."""
    by_hand = dict(zip(HANDS, counted[options].tolist(), strict=True))
    best, plays_best = Fraction(0), 0
    by_policy, played = dict.fromkeys(LOWEST, Fraction(0)), dict.fromkeys(LOWEST, 0)
    for hand, count in starting_hands():
        missed, won, tied, lost = by_hand[tuple(sorted(hand))]
        bonus, gain = {5: 5, 4: 4, 3: 1}.get(rank3(*hand) >> 20, 0), mean_boost(hand)
        ante = (1 + gain) * ((1 + bonus) * (missed + won) + bonus * tied + max(bonus - 1, 0) * lost)
        value = (ante + won - lost - lost * (bonus == 0)) / 18_424
        assert value == play_value(hand, options, True)
        best += count * max(value, Fraction(-1))
        plays_best += count * (value > -1)
        for policy, lowest in LOWEST.items():
            plays = rank3(*hand) >= lowest
            by_policy[policy] += count * (value if plays else Fraction(-1))
            played[policy] += count * plays

    found = row("ante", options, "best", True)
    assert found.edge == Fraction(1, 5) - best / 22_100
    assert found.edge_per_chip == found.edge / (1 + Fraction(1, 5) + Fraction(plays_best, 22_100))
    for policy in LOWEST:
        other = row("ante", options, policy, True)
        assert other.edge == Fraction(1, 5) - by_policy[policy] / 22_100
        assert other.edge_per_chip == other.edge / (1 + Fraction(1, 5) + Fraction(played[policy], 22_100))
    checks("model", "three-card-poker", super_odds(options), super_mode=True)


@BOTH
def test_no_policy_has_a_lower_super_edge_than_the_best(options):
    assert min(found.edge for found in super_odds(options)) == super_odds(options)[0].edge


def test_the_super_edges_are_those_that_the_pages_tell():
    assert [percent(found.edge) for found in super_odds(QUEEN)[:2]] == ["11.2548%", "11.2926%"]
    assert [percent(found.edge_per_chip) for found in super_odds(QUEEN)[:2]] == ["5.9688%", "6.0253%"]
    assert [percent(found.edge) for found in (super_odds(Q64)[0], super_odds(Q64)[2])] == ["12.6921%", "12.7723%"]


def test_in_super_mode_the_best_play_needs_less_with_two_cards_of_a_suit():
    """Q-4-2 where a queen qualifies; with three suits it is as ever. Where Q-6-4 is needed no rank is the limit."""
    best = hands_played("best", QUEEN, True)
    for hand in HANDS:
        lowest = 0xC6400 if len({card // 13 for card in hand}) == 3 else 0xC4200
        assert rules.is_played(best, 0, *hand) == (rank3(*hand) >= lowest)

    def plays_q64(text):
        a, b, c = (parse_card(name) for name in text.split())
        return plays("best", (a, b, c), Q64, True)

    assert [plays_q64(hand) for hand in ("QS 3S 2H", "QS 6H 5H", "9S 7S 6H")] == [True] * 3
    assert [plays_q64(hand) for hand in ("JS 10S 8H", "QS 6H 5D")] == [False] * 2


def test_a_hand_is_worth_the_same_in_any_suits_and_any_order():
    for text in ("QS 6H 4D", "QS 6S 4D", "QS 6H 4S", "9S 9H 4S", "9S 9H 4D", "2S 3S 4S"):
        held = [parse_card(name) for name in text.split()]
        values = {
            play_value((a, b, c), QUEEN, True)
            for suits in permutations(range(4))
            for a, b, c in permutations([suits[card // 13] * 13 + card % 13 for card in held])
        }
        assert len(values) == 1
