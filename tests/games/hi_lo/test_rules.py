"""Cards, guesses, pots and cash-outs of hi-lo, against the published table and a plain reading of the rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.hi_lo import rules
from croupier.games.hi_lo.bets import BETS
from croupier.games.hi_lo.options import HiLoOptions
from croupier.rng import GameRng
from croupier.rounds import DONE

SEED_C = bytes(range(48))

ACE_OF_SPADES, FIVE_OF_SPADES = 0, 4

factors = st.integers(rules.ONE, 12 * rules.FACTOR_CAP)
stakes = st.integers(1, rules.STAKE_MAX)
commissions = st.integers(0, 10_000)


def test_multipliers_are_the_published_ones():
    table = [120000, 60000, 40000, 30000, 24000, 20000, 17142, 15000, 13333, 12000, 10909, 10000]

    assert [rules.multiplier(rules.HIGHER, 13 - w) for w in range(1, 13)] == table
    assert [rules.multiplier(rules.LOWER, 1 + w) for w in range(1, 13)] == table
    assert [rules.multiplier(rules.SAME, rank) for rank in (1, 13)] == [120000, 120000]


def test_a_guess_is_legal_where_some_rank_makes_it_right_and_same_at_ace_and_king():
    def ranks_for(choice, same_anywhere):
        return [
            rank for rank in range(1, 14) if rules.is_legal(choice, (0, rank - 1, 0, 0, 10_000), (0, same_anywhere))
        ]

    assert ranks_for(rules.HIGHER, 0) == list(range(1, 13))
    assert ranks_for(rules.LOWER, 0) == list(range(2, 14))
    assert ranks_for(rules.SAME, 0) == [1, 13]
    assert ranks_for(rules.SAME, 1) == ranks_for(rules.CASH_OUT, 0) == list(range(1, 14))
    assert ranks_for(4, 1) == []


def test_an_outcome_is_what_comparing_ranks_says():
    for card, next_card, tie_pushes in product(range(52), range(52), (True, False)):
        before, after = card % 13, next_card % 13  # an ace is 0: below everything
        tie = rules.PUSH if tie_pushes else rules.WRONG
        higher = rules.RIGHT if after > before else tie if after == before else rules.WRONG
        lower = rules.RIGHT if after < before else tie if after == before else rules.WRONG
        same = rules.RIGHT if after == before else rules.WRONG
        assert rules.outcome(rules.HIGHER, card, next_card, tie_pushes) == higher
        assert rules.outcome(rules.LOWER, card, next_card, tie_pushes) == lower
        assert rules.outcome(rules.SAME, card, next_card, tie_pushes) == same


def test_the_winning_ranks_are_the_ranks_that_win():
    for guess, rank in BETS.values():
        right = [other for other in range(13) if rules.outcome(guess, rank - 1, other, True) == rules.RIGHT]
        assert len(right) == rules.winning_ranks(guess, rank)


@given(stake=stakes, factor=factors, commission=commissions)
def test_a_cash_out_is_rounded_down_once_from_the_exact_profit(stake, factor, commission):
    exact = stake + Fraction(stake * (factor - 10_000) * (10_000 - commission), 10**8)

    assert rules.cash_out_return(stake, factor, commission) == exact.numerator // exact.denominator


def test_every_product_of_the_largest_stake_fits_63_bits():
    gross = rules.STAKE_MAX * (12 * rules.FACTOR_CAP - rules.ONE)
    profit = rules.cash_out_return(rules.STAKE_MAX, 12 * rules.FACTOR_CAP, 0) - rules.STAKE_MAX

    assert rules.STAKE_MAX == 768_614_336
    assert max(gross, gross // rules.ONE * rules.ONE, profit * 2390, rules.FACTOR_CAP * 120_000) < 2**63
    assert rules.return_max(rules.STAKE_MAX, (1, 0, 1, 0)) < 2**63


@pytest.mark.parametrize(
    ("guess", "card", "factor", "after", "following"),
    [
        (rules.HIGHER, 5, 999_999_999, (1, 1, 999_999_999), rules.GUESSING),  # higher at an ace multiplies by 1
        (rules.HIGHER, 5, 1_000_000_000, (1, 1, 1_000_000_000), DONE),
        (rules.SAME, 13, 20_000, (1, 1, 240_000), rules.GUESSING),
        (rules.HIGHER, 13, 20_000, (1, 0, 20_000), rules.GUESSING),
        (rules.SAME, 5, 20_000, (1, 0, 0), DONE),
    ],
)
def test_a_guess_ends_the_session_where_it_is_wrong_and_at_a_hundred_thousand(guess, card, factor, after, following):
    hand = [7, ACE_OF_SPADES, 0, 0, factor]

    assert rules.turn_up(guess, card, hand, (0, 0, 1, 300)) == following
    assert hand == [7, card, *after]


def test_a_cash_out_draws_nothing_and_leaves_the_hand():
    hand, stream = [7, 4, 3, 2, 20_000], GameRng.new(SEED_C, 42, 1)

    assert rules.take(stream, rules.CASH_OUT, hand, (0, 0, 1, 300), []) == DONE
    assert (hand, stream.bytes_used) == ([7, 4, 3, 2, 20_000], 0)
    returned = [rules.settle(0, 0, 1000, hand, (is_super, 0, 1, 300)) for is_super in (0, 1)]
    assert returned == [1970, 1970 + 970 * 10 // 12_500]
    assert rules.settle(0, 0, 1000, [7, 4, 3, 2, 0], (1, 0, 1, 300)) == 0


@given(factor=st.integers(rules.ONE, rules.FACTOR_CAP - 1), bet=st.sampled_from(sorted(BETS.values())))
def test_no_pot_exceeds_what_the_house_covers(factor, bet):
    after = rules.next_factor(factor, *bet)

    assert factor <= after < 12 * rules.FACTOR_CAP
    assert rules.cash_out_return(1000, after, 300) <= rules.return_max(1000, (0, 0, 1, 300))
    assert rules.super_return(1000, after, 300, 11, ACE_OF_SPADES) <= rules.return_max(1000, (1, 0, 1, 300))


# Super mode.


def test_the_streak_table_is_the_published_one_with_nothing_at_no_guess_and_aces_doubled():
    tenths = [10, 13, 20, 30, 50, 80, 150, 250, 400, 700, 1200, 1200, 1200]

    assert [rules.streak_tenths(streak, FIVE_OF_SPADES) for streak in range(13)] == tenths
    assert [rules.streak_tenths(streak, ACE_OF_SPADES) for streak in range(13)] == [10] + [2 * t for t in tenths[1:]]
    assert rules.streak_tenths(99, 39) == 2400  # the ace of clubs


@given(stake=stakes, factor=factors, commission=commissions, streak=st.integers(0, 20), card=st.integers(0, 51))
def test_a_boost_multiplies_the_profit_and_is_rounded_down(stake, factor, commission, streak, card):
    profit = rules.cash_out_return(stake, factor, commission) - stake
    boost = 1 + (Fraction(rules.streak_tenths(streak, card), 10) - 1) / 1250
    exact = stake + profit * boost

    assert rules.super_return(stake, factor, commission, streak, card) == exact.numerator // exact.denominator


# Names and options.


def test_names_and_codes_are_one_to_one():
    ranks = range(1, 14)
    names = {f"higher:{rank}" for rank in ranks if rank != 13} | {f"lower:{rank}" for rank in ranks if rank != 1}

    assert set(BETS) == names | {f"same:{rank}" for rank in ranks}
    assert len(set(BETS.values())) == len(BETS)
    assert (BETS["higher:5"], BETS["lower:9"], BETS["same:13"]) == ((0, 5), (1, 9), (3, 13))


def test_options_have_the_defaults_of_the_house():
    assert HiLoOptions() == HiLoOptions(same_anywhere=False, tie_pushes=True, commission_bps=300)
