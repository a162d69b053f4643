"""Exact odds of hi-lo: what one guess is worth, what playing for a streak is worth, and why nobody beats the house.

Without commission no guess gains: a right one multiplies the pot by 12 / w rounded down, w of 13 ranks are right and
one leaves the pot alone, so on average it stays where it was at best. A cash-out pays no more than the pot, so by
optional stopping no plan of guesses, however clever, returns more than the stake; the best is to cash out at once, a
push. The commission takes its share of every profit, and as the pot is fair, what it takes on average is that share of
the chance that the stake is lost: an edge of 3 % of it, rounding aside. `best_value` works the same out by trying every
plan up to a length.

In super mode the player can see the boost grow with the streak, so the best plan is another: do not stop before ten
right guesses, then wait for an ace. The pot is still fair, hence no plan returns more than the stake times the largest
boost, which bounds the edge from below; `_patient_plan` bounds it from above by following one such plan. This is what
sets the constant of the boost: 1/1250 leaves the house 3.7 % of stake and fee against the best play, and 0.7 % where
there is no commission; 1/1200 would leave it less than 0.1 % there. Those who cash out early pay the fee for very
little: one guess gives a profit of less than a quarter of the stake on average, so only a boost that nearly doubles it
would be worth the fee, and such a boost could not grow with the streak without giving the house away.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from croupier.games.hi_lo import rules
from croupier.games.hi_lo.bets import BETS, POLICIES, STAKE
from croupier.games.hi_lo.options import HiLoOptions
from croupier.house.odds import SUPER_FEE, OddsRow, row_from_returns, with_super_fee

__all__ = ["best_plan", "best_value", "guess_value", "odds", "prices", "super_odds"]

RANKS = range(1, 14)
UNIT = 10**8 * rules.BOOST_DIVISOR  # chips enough that nothing but the factor is rounded

# The policies that have a row under their own name. To cash out at once or to be patient is the best there is, under
# other options or in other modes, and has its row as such.
LISTED = {name: policy for name, policy in POLICIES.items() if rules.CASH_OUT_AT_ONCE < policy < rules.PATIENT}

Returns = dict[Fraction | int, Fraction]
Pay = Callable[[int, int, int], Fraction]
"""What a cash-out returns per chip: by factor, streak and the rank on show."""


def odds(options: HiLoOptions) -> tuple[OddsRow, ...]:
    """Return each guess alone, then the whole game under several policies.

    `one_guess` is the guess that the bet names, then a cash-out whatever it brought; of the stake, a guess of the
    likelier side. `three_guesses` takes that side three times, a push included, `streak_3` until three guesses were
    right. `best` is the best there is, to cash out at once. Per chip, for large stakes: the last rounding down costs
    small ones up to a chip.
    """
    rows = [
        row_from_returns(name, _one_guess(guess, rank, options), "one_guess")
        for name, (guess, rank) in BETS.items()
        if rules.legal(guess, rank, options.same_anywhere)
    ]
    pay = _plain_pay(options)
    rows += [row_from_returns(STAKE, _policy_returns(policy, options, pay), name) for name, policy in LISTED.items()]
    assert _growth_max(options) <= 1, "a guess gains on average, so cashing out at once is not the best"
    return (*rows, row_from_returns(STAKE, {1: Fraction(1)}, "best"))


def prices(options: HiLoOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip can return after each guess and a cash-out; see `HouseGame.prices`.

    >>> [str(price) for price in prices(HiLoOptions())["lower:2"]]
    ['0', '1', '1167/100']
    """
    guesses = {name: code for name, code in BETS.items() if rules.legal(*code, options.same_anywhere)}
    return {name: tuple(sorted(map(Fraction, _one_guess(*code, options)))) for name, code in guesses.items()}


def _plain_pay(options: HiLoOptions) -> Pay:
    def pay(factor: int, streak: int, rank: int) -> Fraction:
        return Fraction(rules.cash_out_return(UNIT, factor, options.commission_bps), UNIT)

    return pay


@cache
def _outcomes(guess: int, rank: int, options: HiLoOptions) -> tuple[tuple[int, int], ...]:
    """The 13 equally likely ranks of the next card, each with what it does to the guess."""
    return tuple((other, rules.outcome(guess, rank - 1, other - 1, options.tie_pushes)) for other in RANKS)


def _one_guess(guess: int, rank: int, options: HiLoOptions) -> Returns:
    pay = _plain_pay(options)
    right = pay(rules.next_factor(rules.ONE, guess, rank), 1, rank)
    found: Returns = {}
    for _, outcome in _outcomes(guess, rank, options):
        returned = right if outcome == rules.RIGHT else Fraction(1 if outcome == rules.PUSH else 0)
        found[returned] = found.get(returned, Fraction(0)) + Fraction(1, 13)
    return found


def _policy_returns(policy: int, options: HiLoOptions, pay: Pay) -> Returns:
    """What the game returns to who follows a policy from a random first card to the cash-out."""
    # To who waits for right guesses a push changes nothing: the guess is simply made again, so the ranks that decide
    # it are all there is.
    is_waiting = rules.GUESSES_WANTED[policy] == 0
    found: Returns = {}
    pots = {(rank, rules.ONE, 0): 1 for rank in RANKS}  # rank, factor, streak
    ways, guesses = 13, 0
    while pots:
        following: dict[tuple[int, int, int], int] = {}
        for (rank, factor, streak), count in pots.items():
            guess = rules.choose(policy, rank, guesses, streak)
            if guess == rules.CASH_OUT:
                returned = pay(factor, streak, rank)
                found[returned] = found.get(returned, Fraction(0)) + Fraction(count, ways)
                continue
            grown = rules.next_factor(factor, guess, rank)
            for other, outcome in _outcomes(guess, rank, options):
                if outcome == rules.RIGHT:
                    key = other, grown, streak + 1
                elif outcome == rules.PUSH and not is_waiting:
                    key = other, factor, streak
                else:
                    continue
                following[key] = following.get(key, 0) + count
        pots = following
        ways *= _deciding(options) if is_waiting else 13
        guesses += 1
    lost = 1 - sum(found.values(), Fraction(0))
    return {**found, 0: lost} if lost else found


def _deciding(options: HiLoOptions) -> int:
    """How many ranks decide a guess of higher or lower. A push changes nothing, so the guess is simply made again."""
    return 12 if options.tie_pushes else 13


# The best play.


def guess_value(guess: int, rank: int, options: HiLoOptions) -> Fraction:
    """Return what a guess multiplies the pot by on average, before any rounding of the pot.

    >>> guess_value(rules.HIGHER, 3, HiLoOptions()), guess_value(rules.SAME, 1, HiLoOptions())
    (Fraction(1, 1), Fraction(12, 13))
    """
    total = 0
    for _, outcome in _outcomes(guess, rank, options):
        if outcome == rules.RIGHT:
            total += rules.multiplier(guess, rank)
        elif outcome == rules.PUSH:
            total += rules.ONE
    return Fraction(total, 13 * rules.ONE)


def _growth_max(options: HiLoOptions) -> Fraction:
    return max(
        guess_value(guess, rank, options)
        for guess, rank in BETS.values()
        if rules.legal(guess, rank, options.same_anywhere)
    )


def best_value(options: HiLoOptions, guesses: int) -> Fraction:
    """Return what the best plan of at most so many guesses returns per chip, from a random first card.

    Tries everything, pots rounded as in play; the work grows about tenfold with each guess.

    >>> best_value(HiLoOptions(), 2)
    Fraction(1, 1)
    """

    @cache
    def best(rank: int, factor: int, left: int) -> Fraction:
        value = pay(factor, 0, rank)
        if left == 0 or rules.must_cash_out(factor):
            return value
        for guess in (rules.HIGHER, rules.LOWER, rules.SAME):
            if rules.legal(guess, rank, options.same_anywhere):
                value = max(value, after(guess, rank, factor, left - 1))
        return value

    def after(guess: int, rank: int, factor: int, left: int) -> Fraction:
        total = Fraction(0)
        for other, outcome in _outcomes(guess, rank, options):
            if outcome == rules.RIGHT:
                total += best(other, rules.next_factor(factor, guess, rank), left)
            elif outcome == rules.PUSH:
                total += best(other, factor, left)
        return total / 13

    pay = _plain_pay(options)
    return sum((best(rank, rules.ONE, guesses) for rank in RANKS), Fraction(0)) / 13


# Super mode.


def super_odds(options: HiLoOptions) -> tuple[OddsRow, ...]:
    """Return what a stake is worth in super mode, its fee of a fifth included, to early leavers and to the best.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together. The chances to win
    and lose are the bet's own; they do not count the fee. Of the best play `edge`, equal to `low`, is what no plan
    undercuts, and `high` what a plan that anyone can follow is sure not to exceed; the chances are those of that plan.
    """
    pay = _super_pay(options)
    rows = []
    for name, policy in LISTED.items():
        rows.append(with_super_fee(row_from_returns(STAKE, _policy_returns(policy, options, pay), name)))
    return (*rows, _super_best(options))


@cache
def best_plan(options: HiLoOptions, super_mode: bool) -> int:
    """Return the policy to play by: to be patient where the boost of super mode is worth it, else to cash out at once.

    >>> [best_plan(HiLoOptions(), super_mode) == rules.PATIENT for super_mode in (False, True)]
    [False, True]
    """
    if super_mode and _patient_plan(options)[0] >= 1:
        return rules.PATIENT
    return rules.CASH_OUT_AT_ONCE


def _super_best(options: HiLoOptions) -> OddsRow:
    low = 1 + SUPER_FEE - _super_bound(options)
    value, win, push = Fraction(1), Fraction(0), Fraction(1)
    if best_plan(options, True) == rules.PATIENT:
        value, win = _patient_plan(options)
        push = Fraction(0)
    return OddsRow(
        STAKE,
        "best",
        win,
        push,
        1 - win - push,
        low,
        low / (1 + SUPER_FEE),
        method="bounded",
        low=low,
        high=1 + SUPER_FEE - value,
    )


def _super_pay(options: HiLoOptions) -> Pay:
    def pay(factor: int, streak: int, rank: int) -> Fraction:
        return Fraction(rules.super_return(UNIT, factor, options.commission_bps, streak, rank - 1), UNIT)

    return pay


def _slope(streak: int, rank: int, options: HiLoOptions) -> Fraction:
    """What a cash-out pays for each chip of profit in the pot: a factor of 2 has one."""
    return _super_pay(options)(2 * rules.ONE, streak, rank) - 1


def _super_bound(options: HiLoOptions) -> Fraction:
    """What no plan exceeds: the pot grows by `_growth_max` a guess at best, and pays at most itself times its slope.

    A slope below 1 pays no more than the pot: the stake in it is not cut.
    """
    growth = _growth_max(options)
    return max(growth**streak * max(Fraction(1), _slope(streak, 1, options)) for streak in range(11))


def _patient_plan(options: HiLoOptions) -> tuple[Fraction, Fraction]:
    """What is at least returned to the patient, who play for ten right guesses and then for an ace.

    With it the chance to get that far. Rank and streak are all that the plan looks at, so three averages over the pots
    of each rank suffice to value it: the chance to be there, the expected pot (each rounding taken as a whole
    ten-thousandth, so not above the truth), and the expected square of the pot (unrounded, so not below it). The square
    bounds how much reaches the cap and is cashed out without an ace; the first ten guesses cannot reach it.
    """
    here = {rank: (Fraction(1, 13), Fraction(1, 13), Fraction(1, 13)) for rank in RANKS}
    paid = win = square_paid = Fraction(0)
    streak = 0
    while here:
        following: dict[int, tuple[Fraction, Fraction, Fraction]] = {}
        for rank, (chance, pot, square) in here.items():
            guess = rules.choose(rules.PATIENT, rank, 0, streak)
            if guess == rules.CASH_OUT:
                slope = _slope(streak, rank, options)
                paid += chance * (1 - slope) + pot * slope
                win += chance
                square_paid += square
                continue
            growth = Fraction(rules.multiplier(guess, rank), rules.ONE)
            share = Fraction(1, _deciding(options))
            step = chance * share, (pot * growth - chance / rules.ONE) * share, square * growth**2 * share
            for other, outcome in _outcomes(guess, rank, options):
                if outcome == rules.RIGHT:
                    old = following.get(other, (Fraction(0), Fraction(0), Fraction(0)))
                    following[other] = old[0] + step[0], old[1] + step[1], old[2] + step[2]
        here = following
        streak += 1
    # A pot at the cap is paid with the slope of any rank, at least as it is where that is above 1, instead of an ace's.
    # Pots only grow, so the share of them that passes the cap is at most their mean square over it.
    goal = rules.STREAK_WANTED[rules.PATIENT]
    missed = _slope(goal, 1, options) - min(Fraction(1), _slope(goal, 2, options))
    return paid - missed * square_paid * rules.ONE / rules.FACTOR_CAP, win
