"""Exact odds of hi-lo: what one guess is worth, what playing for a streak is worth, and why nobody beats the house.

Without commission no guess gains: a right one multiplies the pot by 12 / w rounded down, w of 13 ranks are right and
one leaves the pot alone, so on average it stays where it was at best. A cash-out pays no more than the pot, so by
optional stopping no plan of guesses, however clever, returns more than the stake; the best is to cash out at once, a
push. The commission takes its share of every profit, and as the pot is fair, what it takes on average is that share of
the chance that the stake is lost: an edge of 3 % of it, rounding aside. Tests work the same out by trying every plan up
to a length.

In super mode the player can see the boost grow with the streak, so the best plan is another: do not stop before ten
right guesses, then wait for an ace. The pot is still fair, hence no plan returns more than the stake times the largest
boost, which bounds the edge from below; `_patient_plan` bounds it from above by following one such plan. This is what
sets the constant of the boost: 1/1250 leaves the house 3.7 % of stake and fee against the best play, and 0.7 % where
there is no commission; 1/1200 would leave it less than 0.1 % there. Those who cash out early pay the fee for very
little: one guess gives a profit of less than a quarter of the stake on average, so only a boost that nearly doubles it
would be worth the fee, and such a boost could not grow with the streak without giving the house away.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from operator import add

from msgspec.structs import replace

from croupier.games.hi_lo import rules
from croupier.games.hi_lo.bets import BETS, PATIENCE, POLICIES, STAKE, patient
from croupier.games.hi_lo.options import HiLoOptions
from croupier.house.card_round import option_numbers
from croupier.house.odds import OddsRow, Returns, row_from_returns, with_super_fee
from croupier.kit.chains import Step, absorbed, follow
from croupier.rounds import DONE

RANKS = range(1, 14)
UNIT = 10**8 * rules.BOOST_DIVISOR  # chips enough that nothing but the factor is rounded

# The policies that have a row under their own name. To cash out at once or to be patient is the best there is, under
# other options or in other modes, and has its row as such.
AT_ONCE, PATIENT = "cash_out_at_once", "patient"
LISTED = {name: policy for name, policy in POLICIES.items() if name not in (AT_ONCE, PATIENT)}

Hand = tuple[int, ...]
Numbers = tuple[int, ...]


def odds(options: HiLoOptions) -> tuple[OddsRow, ...]:
    """Return each guess alone, then the whole game under several policies.

    `one_guess` is the guess that the bet names, then a cash-out whatever it brought; of the stake, a guess of the
    likelier side. `three_guesses` takes that side three times, a push included, `streak_3` until three guesses were
    right. `best` is the best there is, to cash out at once. Per chip, for large stakes: the last rounding down costs
    small ones up to a chip.
    """
    rows = [row_from_returns(name, returns, "one_guess") for name, returns in _guesses(options).items()]
    rows += _policy_rows(option_numbers(options))
    assert _growth_max(options) <= 1, "a guess gains on average, so cashing out at once is not the best"
    return (*rows, row_from_returns(STAKE, {1: Fraction(1)}, "best"))


def prices(options: HiLoOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip can return after each guess and a cash-out; see `HouseGame.prices`.

    >>> [str(price) for price in prices(HiLoOptions())["lower:2"]]
    ['0', '1', '1167/100']
    """
    return {name: tuple(sorted(map(Fraction, returns))) for name, returns in _guesses(options).items()}


def _guesses(options: HiLoOptions) -> dict[str, Returns]:
    """Returns of each guess on offer and of a cash-out."""
    numbers, found = option_numbers(options), dict[str, Returns]()
    for name, (guess, rank) in _offered(options).items():
        counts = Counter(_pay(after, numbers) for after, _ in _after(guess, _hand(rank), numbers))
        found[name] = {returned: Fraction(count, 13) for returned, count in counts.items()}
    return found


def _offered(options: HiLoOptions) -> dict[str, tuple[int, int]]:
    return {name: bet for name, bet in BETS.items() if rules.is_offered(*bet, options.same_anywhere)}


@lru_cache(maxsize=64)
def _policy_rows(numbers: Numbers) -> tuple[OddsRow, ...]:
    return tuple(row_from_returns(STAKE, _policy_returns(policy, numbers), name) for name, policy in LISTED.items())


def _pay(hand: Hand, numbers: Numbers) -> Fraction:
    """Return per chip of a session that ends with this hand."""
    return Fraction(rules.settle(0, 0, UNIT, hand, numbers), UNIT)


def _hand(rank: int, streak: int = 0, factor: int = rules.ONE) -> Hand:
    """A hand with a rank on show. The first card and the number of guesses do not matter here."""
    return 0, rank - 1, streak, streak, factor


def _after(guess: int, hand: Hand, numbers: Numbers) -> Iterator[tuple[Hand, bool]]:
    """The hand after each of the 13 equally likely ranks, and whether the session is over."""
    for card in range(13):
        after = [*hand]
        is_over = rules.turn_up(guess, card, after, numbers) == DONE
        yield tuple(after), is_over


def _policy_returns(policy: Numbers, numbers: Numbers) -> Returns:
    """Return of a policy from a random first card to the cash-out."""
    # To who waits for right guesses a push changes nothing: it leads back to the same hand.
    table, keeps_guesses, start = (*numbers, *policy), policy[0] == rules.GUESSES, Hand()

    def step(hand: Hand) -> Step[Hand, int]:
        onward, over = Counter[Hand](), Counter[int]()
        first = ((_hand(rank), False) for rank in RANKS)
        for after, is_over in _after(rules.choose(hand, table, []), hand, numbers) if hand else first:
            if is_over or rules.choose(after, table, []) == rules.CASH_OUT:
                over[rules.settle(0, 0, UNIT, after, numbers)] += 1
            else:
                onward[0, after[rules.CARD], keeps_guesses * after[rules.GUESSES], *after[rules.STREAK :]] += 1
        return 13, onward, over

    return {Fraction(chips, UNIT): chance for chips, chance in absorbed(follow(step, start), start).items()}


# The best play.


def guess_value(guess: int, rank: int, options: HiLoOptions) -> Fraction:
    """Return what a guess multiplies the pot by on average, before any rounding of the pot.

    >>> guess_value(rules.HIGHER, 3, HiLoOptions()), guess_value(rules.SAME, 1, HiLoOptions())
    (Fraction(1, 1), Fraction(12, 13))
    """
    factors = [after[rules.FACTOR] for after, _ in _after(guess, _hand(rank), option_numbers(options))]
    return Fraction(sum(factors), 13 * rules.ONE)


def _growth_max(options: HiLoOptions) -> Fraction:
    return max(guess_value(*guess, options) for guess in _offered(options).values())


# Super mode.


def super_odds(options: HiLoOptions) -> tuple[OddsRow, ...]:
    """Return what a stake is worth in super mode, its fee included, to early leavers and to the best.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together. The chances to win
    and lose are the bet's own; they do not count the fee. Of the best play `edge`, equal to `low`, is what no plan
    undercuts, and `high` what a plan that anyone can follow is sure not to exceed; the chances are those of that plan.
    """
    return (*map(with_super_fee, _policy_rows(option_numbers(options, super_mode=True))), _super_best(options))


@cache
def best_plan(options: HiLoOptions, super_mode: bool) -> str:
    """Return the policy to play by: to be patient where the boost of super mode is worth it, else to cash out at once.

    >>> [best_plan(HiLoOptions(), super_mode) for super_mode in (False, True)]
    ['cash_out_at_once', 'patient']
    """
    return PATIENT if super_mode and _patient_plan(options)[0] >= 1 else AT_ONCE


def _super_best(options: HiLoOptions) -> OddsRow:
    bound, is_patient = _super_bound(options), best_plan(options, True) == PATIENT
    value, win = _patient_plan(options) if is_patient else (Fraction(1), Fraction(0))
    push = Fraction(not is_patient)
    row = with_super_fee(OddsRow(STAKE, "best", win, push, 1 - win - push, 1 - bound, 1 - bound, "bounded"))
    return replace(row, low=row.edge, high=row.edge + bound - value)


def _slope(streak: int, rank: int, options: HiLoOptions) -> Fraction:
    """Slope of a cash-out: what it pays for each chip of profit in the pot: a factor of 2 has one."""
    return _pay(_hand(rank, streak, 2 * rules.ONE), option_numbers(options, super_mode=True)) - 1


def _super_bound(options: HiLoOptions) -> Fraction:
    """Upper bound of plans: the pot grows by `_growth_max` a guess at best, and pays at most itself times its slope.

    A slope below 1 pays no more than the pot: the stake in it is not cut.
    """
    growth = _growth_max(options)
    return max(growth**streak * max(Fraction(1), _slope(streak, 1, options)) for streak in range(11))


def _patient_plan(options: HiLoOptions, patience: int = PATIENCE) -> tuple[Fraction, Fraction]:
    """Lower bound by a patient plan, for players who play for ten right guesses and then for an ace.

    With it the chance to get that far. Rank and streak are all that the plan looks at, so three averages over the pots
    of each rank suffice to value it: the chance to be there, the expected pot (each rounding taken as a whole
    ten-thousandth, so not above the truth), and the expected square of the pot (unrounded, so not below it). The square
    bounds how much reaches the cap and is cashed out without an ace; the first ten guesses cannot reach it.
    """
    numbers = option_numbers(options, super_mode=True)
    here: dict[int, tuple[Fraction, ...]] = {rank: (Fraction(1, 13),) * 3 for rank in RANKS}
    paid = win = square_paid = Fraction(0)
    # A push changes nothing, so the guess is simply made again, and twelve ranks decide it.
    share, streak = Fraction(1, 12 if options.tie_pushes else 13), 0
    while here:
        following: dict[int, tuple[Fraction, ...]] = defaultdict(lambda: (Fraction(0),) * 3)
        for rank, (chance, pot, square) in here.items():
            hand = _hand(rank, streak)
            guess = rules.choose(hand, (*numbers, *patient(patience)), [])
            if guess == rules.CASH_OUT:
                slope = _slope(streak, rank, options)
                paid += chance * (1 - slope) + pot * slope
                win, square_paid = win + chance, square_paid + square
                continue
            for after, _ in _after(guess, hand, numbers):
                if after[rules.STREAK] > streak:
                    growth = Fraction(after[rules.FACTOR], rules.ONE)
                    step = chance * share, (pot * growth - chance / rules.ONE) * share, square * growth**2 * share
                    following[after[rules.CARD] + 1] = tuple(map(add, following[after[rules.CARD] + 1], step))
        here, streak = following, streak + 1
    # A pot at the cap is paid with the slope of any rank, at least as it is where that is above 1, instead of an ace's.
    # Pots only grow, so the share of them that passes the cap is at most their mean square over it.
    missed = _slope(patience, 1, options) - min(Fraction(1), _slope(patience, 2, options))
    return paid - missed * square_paid * rules.ONE / rules.FACTOR_CAP, win
