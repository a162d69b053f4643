"""Closed forms of every guess, streaks summed path by path, and the limits of the best play."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.hi_lo import odds as odds_module
from croupier.games.hi_lo import rules
from croupier.games.hi_lo.bets import POLICIES
from croupier.games.hi_lo.odds import best_plan, guess_value
from croupier.games.hi_lo.options import HiLoOptions

odds, super_odds = cache(odds_module.odds), cache(odds_module.super_odds)  # many tests look at the same tables

FEE = Fraction(1, 5)
TABLES = [
    HiLoOptions(),
    HiLoOptions(commission_bps=0),
    HiLoOptions(same_anywhere=True, commission_bps=2500),
    HiLoOptions(same_anywhere=True, tie_pushes=False),
]


def decision(hand, policy):
    """Return what a policy does with a hand; it comes behind the options, which it does not look at."""
    return rules.choose(hand, (*[0] * rules.POLICY, *POLICIES[policy]), [])


def rows_of(found, bet, policy):
    return next(row for row in found if (row.bet, row.policy) == (bet, policy))


@pytest.mark.parametrize("options", TABLES)
def test_one_guess_has_its_closed_form(options, checks):
    """w ranks of 13 win floor(12/w) to four places, less commission; one ties."""
    found = odds(options)
    keep = 1 - Fraction(options.commission_bps, 10_000)
    push = Fraction(1 if options.tie_pushes else 0, 13)
    for rank in range(1, 14):
        for word, w in (("higher", 13 - rank), ("lower", rank - 1)):
            if w == 0:
                continue
            profit = (Fraction(120_000 // w, 10_000) - 1) * keep
            row = rows_of(found, f"{word}:{rank}", "one_guess")
            assert row.edge == 1 - push - Fraction(w, 13) * (1 + profit), row.bet
            assert row.win + row.push + row.lose == 1
            assert row.lose == 1 - push - Fraction(w, 13)
            checks("closed form", "hi-lo", [row])
        if options.same_anywhere or rank in (1, 13):
            row = rows_of(found, f"same:{rank}", "one_guess")
            assert row.edge == 1 - Fraction(1, 13) * (1 + 11 * keep)
            checks("closed form", "hi-lo", [row])


def test_without_commission_a_guess_loses_to_rounding_alone():
    """The published figures: nothing but for 7, 9 and 11 winning ranks, and 7.6923 % for "same"."""
    found = odds(HiLoOptions(commission_bps=0))
    edges = {w: f"{float(rows_of(found, f'higher:{13 - w}', 'one_guess').edge):.4%}" for w in range(1, 13)}

    assert edges == dict.fromkeys(range(1, 13), "0.0000%") | {7: "0.0046%", 9: "0.0023%", 11: "0.0008%"}
    assert rows_of(found, "higher:4", "one_guess").edge > 0
    assert rows_of(found, "same:13", "one_guess").edge == Fraction(1, 13)


def test_lost_ties_cost_about_a_thirteenth():
    found = odds(HiLoOptions(tie_pushes=False, commission_bps=0))

    assert f"{float(rows_of(found, 'higher:7', 'one_guess').edge):.2%}" == "7.69%"


# Streaks.


def oracle(turns, options, waits, boosted=False):
    """Walk every path of so many guesses; who `waits` counts right ones, and ties are left out or lost."""
    keep = 1 - Fraction(options.commission_bps, 10_000)
    deciding = 12 if waits and options.tie_pushes else 13

    @cache
    def walk(rank, factor, left, streak=0):
        if left == 0:
            return 1 + (Fraction(factor, 10_000) - 1) * keep * (boost(streak, rank) if boosted else 1)
        nexts = range(rank + 1, 14) if rank <= 7 else range(1, rank)
        grown = factor * (120_000 // len(nexts)) // 10_000
        tie = walk(rank, factor, left - 1, streak) if options.tie_pushes and not waits else 0
        return (tie + sum(walk(other, grown, left - 1, streak + 1) for other in nexts)) / deciding

    return sum(walk(rank, 10_000, turns) for rank in range(1, 14)) / 13


WALKED = [HiLoOptions(), HiLoOptions(tie_pushes=False), HiLoOptions(tie_pushes=False, commission_bps=500)]
TURNS = {"one_guess": (1, False), "three_guesses": (3, False)}
TURNS |= {f"streak_{streak}": (streak, True) for streak in (1, 3, 5)}


@pytest.mark.parametrize("options", WALKED, ids=str)
def test_guesses_and_streaks_are_worth_the_sum_over_their_paths(options, checks):
    """In super mode too, where what is paid depends on the right guesses and the last card."""
    plain, boosted = odds(options), super_odds(options)
    for policy, (turns, waits) in TURNS.items():
        row, in_super = rows_of(plain, "stake", policy), rows_of(boosted, "stake", policy)
        assert row.edge == 1 - oracle(turns, options, waits)
        assert in_super.edge == 1 + FEE - oracle(turns, options, waits, boosted=True)
        checks("model", "hi-lo", [row])
        checks("model", "hi-lo", [in_super], super_mode=True)


def test_the_edge_is_the_commission_on_the_chance_to_lose_and_a_little_rounding():
    for row in odds(HiLoOptions()):
        if not row.bet.startswith("same"):
            fair = Fraction(3, 100) * row.lose
            assert fair <= row.edge < fair + Fraction(1, 2000), row


def test_one_guess_is_decided_twelve_times_of_thirteen():
    found = odds(HiLoOptions())

    assert rows_of(found, "stake", "one_guess").edge == Fraction(54097, 8450000)
    assert rows_of(found, "stake", "streak_1").edge == Fraction(54097, 8450000) * Fraction(13, 12)


# Nobody beats the house.


@pytest.mark.parametrize("options", TABLES)
def test_no_row_favours_the_player(options, checks):
    found = odds(options)

    assert all(row.edge >= 0 for row in found)
    assert found[-1].policy == "best"
    assert found[-1].push == 1
    assert found[-1].edge == 0
    checks("closed form", "hi-lo", found[-1:])  # no guess makes a pot grow: the next test


@given(
    factor=st.integers(rules.ONE, rules.FACTOR_CAP - 1),
    rank=st.integers(1, 13),
    guess=st.sampled_from([rules.HIGHER, rules.LOWER, rules.SAME]),
    tie_pushes=st.booleans(),
)
def test_no_guess_makes_any_pot_grow_on_average(factor, rank, guess, tie_pushes):
    """Together with a cash-out that pays no more than the pot, this bounds every plan of any length."""
    if not rules.is_offered(guess, rank, True):
        return
    right = rules.winning_ranks(guess, rank)
    ties = 1 if tie_pushes and guess != rules.SAME else 0

    assert right * rules.next_factor(factor, guess, rank) + ties * factor <= 13 * factor
    assert rules.cash_out_return(10**8, factor, 300) <= 10**4 * factor
    assert guess_value(guess, rank, HiLoOptions(tie_pushes=tie_pushes)) <= 1


@pytest.mark.parametrize(
    ("policy", "counted", "turns"),
    [("cash_out_at_once", rules.STREAK, 0), ("one_guess", rules.GUESSES, 1), ("three_guesses", rules.GUESSES, 3)]
    + [(f"streak_{streak}", rules.STREAK, streak) for streak in (1, 3, 5)],
)
def test_a_policy_cashes_out_after_so_many_guesses_or_right_guesses(policy, counted, turns):
    for count, rank in product(range(12), range(1, 14)):
        hand = [0, rank - 1, 99, 99, 10_000]
        hand[counted] = count
        wanted = rules.CASH_OUT if count >= turns else rules.HIGHER if rank <= 7 else rules.LOWER
        assert decision(hand, policy) == wanted


def test_the_patient_wait_for_an_ace_after_ten_right_guesses():
    for streak, rank in product(range(13), range(1, 14)):
        late = rules.CASH_OUT if rank == 1 else rules.LOWER
        wanted = late if streak >= 10 else rules.HIGHER if rank <= 7 else rules.LOWER
        assert decision((0, rank - 1, 99, streak, 10_000), "patient") == wanted


# Super mode.


def boost(streak, rank):
    tenths = [10, 13, 20, 30, 50, 80, 150, 250, 400, 700, 1200][min(streak, 10)]
    return 1 + (Fraction(tenths * (2 if rank == 1 and streak else 1), 10) - 1) / 1250


def oracle_plan(patience, keep):
    """Follow the patient plan through every pot as the game rounds it, the cap included."""
    pots = {(rank, 10_000): 1 for rank in range(1, 14)}
    value, ways, streak = Fraction(0), 13, 0
    while pots:
        following: dict[tuple[int, int], int] = {}
        for (rank, factor), count in pots.items():
            if factor >= 10**9 or (streak >= patience and rank == 1):
                value += Fraction(count, ways) * (1 + (Fraction(factor, 10_000) - 1) * keep * boost(streak, rank))
                continue
            higher = streak < patience and rank <= 7
            nexts = range(rank + 1, 14) if higher else range(1, rank)
            grown = factor * (120_000 // len(nexts)) // 10_000
            for other in nexts:
                following[other, grown] = following.get((other, grown), 0) + count
        pots = following
        ways *= 12
        streak += 1
    return value


def test_the_bound_on_a_plan_lies_just_below_its_value():
    """A plan short enough to follow through every pot: the three averages lose almost nothing."""
    low, _ = odds_module._patient_plan(HiLoOptions(), 2)
    value = oracle_plan(2, Fraction(97, 100))

    assert low <= value < low + Fraction(1, 500)


def per_outlay(row):
    """The two bounds of a bounded row, per chip of stake and fee."""
    return [f"{float(bound / (1 + FEE)):.3%}" for bound in (row.low, row.high)]


def test_the_best_super_play_leaves_the_house_between_these_edges(checks):
    best = super_odds(HiLoOptions())[-1]

    assert best.method == "bounded"
    # An ace after ten right guesses pays 97 % of the profit times 1 + 239/1250, and no pot grows on average.
    assert best.low == best.edge == 1 + FEE - Fraction(97, 100) * (1 + Fraction(239, 1250))
    assert per_outlay(best) == ["3.711%", "4.173%"]  # at least half a percent, at most 15
    assert best.edge_per_chip == best.edge / (1 + FEE)
    checks("closed form", "hi-lo", [best], super_mode=True)


def test_even_a_table_without_commission_keeps_an_edge_in_super_mode():
    best = super_odds(HiLoOptions(commission_bps=0))[-1]

    assert per_outlay(best) == ["0.733%", "1.293%"]
    assert best.edge_per_chip >= Fraction(1, 200)


def test_where_no_boost_makes_up_for_the_rules_the_best_is_to_cash_out_at_once(checks):
    """A pot F, boosted, is worth 1 + (F - 1) b < F max(b, 1), and n right guesses leave the pot its share to the n-th.

    Where that share makes up for b after however many guesses, no plan is worth more than the stake.
    """
    for options, share in ((HiLoOptions(tie_pushes=False), Fraction(12, 13)), (HiLoOptions(commission_bps=2500), 1)):
        keep = 1 - Fraction(options.commission_bps, 10_000)
        assert all(share**n * max(keep * boost(n, 1), 1) <= 1 for n in range(11))  # beyond ten no boost is larger
        best = super_odds(options)[-1]
        assert best_plan(options, True) == "cash_out_at_once"

        assert best.low == best.high == best.edge == FEE
        assert best.push == 1
        checks("closed form", "hi-lo", [best], super_mode=True)


@pytest.mark.parametrize("options", TABLES)
def test_every_super_row_is_whole_and_leaves_the_house_half_a_percent(options):
    for row in super_odds(options):
        assert row.win + row.push + row.lose == 1
        assert row.edge_per_chip >= Fraction(1, 200)


def best_of(guesses, options, boosted):
    """Try every plan of up to so many guesses, over pots as the game rounds them; `boosted` as in super mode."""
    keep = 1 - Fraction(options.commission_bps, 10_000)

    @cache
    def best(rank, factor, streak, left):
        value = 1 + (Fraction(factor, 10_000) - 1) * keep * (boost(streak, rank) if boosted else 1)
        same = [rank] if options.same_anywhere or rank in (1, 13) else []
        for nexts in (range(rank + 1, 14), range(1, rank), same) if left else ():
            if nexts:
                grown = factor * (120_000 // len(nexts)) // 10_000
                right = sum(best(other, grown, streak + 1, left - 1) for other in nexts)
                tie = best(rank, factor, streak, left - 1) if options.tie_pushes and nexts is not same else 0
                value = max(value, (right + tie) / 13)
        return value

    return sum(best(rank, 10_000, 0, guesses) for rank in range(1, 14)) / 13


@pytest.mark.parametrize("options", TABLES)
def test_no_plan_of_up_to_three_guesses_returns_more_than_the_stake(options):
    assert [best_of(guesses, options, boosted=False) for guesses in range(4)] == [1, 1, 1, 1]


def test_short_super_plans_stay_below_the_bound():
    options = HiLoOptions()
    bound = 1 + FEE - super_odds(options)[-1].edge

    assert 1 <= best_of(3, options, boosted=True) <= bound
