"""The rules of casino war against the published tables, streams, and a dealer who works on lists."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.casino_war import rules
from croupier.games.casino_war.bets import BETS
from croupier.rng import GameRng
from tests.games.casino_war.test_vectors import gap

SEED_Z = bytes(32)
SEED_C = bytes(range(48))
SEED_O = b"\x00\x01" + b"\xa5" * 48

DEAL_LOST, DEAL_WON, DEAL_TIED, SURRENDERED, WAR_LOST, WAR_WON, WAR_TIED = range(7)


def super_return(stake: int, found: int, boost: int) -> int:
    return rules.super_settle(rules.MAIN, 0, stake, (0, 0, 0, 0, found), (), boost)


# Dealing.


def test_the_first_cards_are_drawn_from_six_decks_sorted_by_card():
    """About six of these streams draw the same place twice."""
    for session_id in range(2000):
        left, stream = GameRng.new(SEED_C, session_id, 1), GameRng.new(SEED_C, session_id, 1)
        pack = sorted(list(range(52)) * 6)

        assert rules.draw_first(stream) == (left.draw_card(pack), left.draw_card(pack))
        assert stream == left


@pytest.mark.parametrize(("player_card", "dealer_card"), [(46, 33), (5, 5), (0, 51), (51, 51)])
def test_the_war_pack_lacks_the_two_cards_on_the_table(player_card, dealer_card):
    pack = [99] * 312
    expected = sorted(list(range(52)) * 6)
    expected.remove(player_card)
    expected.remove(dealer_card)

    assert rules.fill_war_pack(pack, player_card, dealer_card) == 310
    assert pack[:310] == expected


@pytest.mark.parametrize(
    ("seed", "session_id", "move_number", "dealt"),
    # V15: the first two cards of six decks.
    [(SEED_Z, 1, 0, (44, 51)), (SEED_C, 42, 0, (21, 47)), (SEED_C, 42, 1, (25, 33)), (SEED_O, 7, 1, (46, 34))],
)
def test_published_streams_deal_these_cards(seed, session_id, move_number, dealt):
    assert rules.draw_first(GameRng.new(seed, session_id, move_number)) == dealt


@pytest.mark.parametrize("session_id", range(50))
def test_war_burns_three_cards_and_deals_the_next_two(session_id):
    pack = [0] * 312
    left = GameRng.new(SEED_C, session_id, 2)
    remaining = left.create_shoe_excluding((46, 33), 6, shuffled=False)
    drawn = [left.draw_card(remaining) for _ in range(5)]
    stream = GameRng.new(SEED_C, session_id, 2)

    assert rules.draw_war(stream, pack, rules.fill_war_pack(pack, 46, 33)) == tuple(drawn[3:])
    assert stream == left


def test_the_higher_rank_wins_whatever_the_suits():
    for player_card, dealer_card in product(range(52), range(52)):
        ahead = gap(player_card, dealer_card)
        expected = DEAL_WON if ahead > 0 else DEAL_LOST if ahead < 0 else DEAL_TIED

        assert rules.compare(player_card, dealer_card) == expected
        in_war = {DEAL_WON: WAR_WON, DEAL_LOST: WAR_LOST, DEAL_TIED: WAR_TIED}[expected]
        assert rules.compare_war(player_card, dealer_card) == in_war


# Settling; what comes back for each ending is among the facts.


@given(kind=st.integers(0, 2), found=st.integers(0, 6), boost=st.sampled_from([1, 2, 4]))
def test_the_largest_stake_returns_no_more_than_63_bits_hold(kind, found, boost):
    assert rules.bet_return(kind, rules.STAKE_MAX, found, 11, True) < 2**63
    assert super_return(rules.STAKE_MAX, found, boost) < 2**63


# Super mode.


@pytest.mark.parametrize(
    ("found", "first", "last", "boost"),
    [
        # Aces, fives and kings are marked.
        (DEAL_WON, 13, 13, 2),
        (DEAL_WON, 14, 14, 1),
        (DEAL_TIED, 4, 4, 2),  # no war yet
        (WAR_WON, 4, 3, 4),  # the tie was on a marked rank
        (WAR_WON, 4, 12, 4),
        (WAR_WON, 3, 25, 2),  # the war card alone is marked
        (WAR_WON, 3, 2, 1),
        (WAR_TIED, 4, 3, 4),
        (WAR_TIED, 3, 4, 2),
        (WAR_TIED, 3, 2, 1),
    ],
)
def test_marked_ranks_boost_by_the_table(found, first, last, boost):
    hand = (first, 0, last if found > DEAL_TIED else rules.NO_CARD, 0, found)
    assert rules.boost(rules.MAIN, 0, hand, (0, 12, 4), (), 3) == boost


def test_super_mode_boosts_the_one_stake_that_a_win_pays():
    returned = [super_return(100, found, 4) for found in (0, 1, 3, 4, 5, 6)]

    assert returned == [0, 500, 50, 0, 400, 400]


@given(found=st.sampled_from([0, 1, 3, 4, 5, 6]), stake=st.integers(1, rules.STAKE_MAX))
def test_a_boost_of_one_changes_nothing(found, stake):
    assert super_return(stake, found, 1) == rules.bet_return(rules.MAIN, stake, found, 10, True)


# Words.


def test_three_bets_have_their_codes():
    assert BETS == {"main": (0, 0), "raise": (1, 0), "tie": (2, 0)}
