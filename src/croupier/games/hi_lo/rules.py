"""The rules of hi-lo in numbers: what a guess pays, what the next card does to it, what a cash-out returns.

Each card comes from a fresh pack of 52, so the card on show may come again. Aces are low. The pot is the stake times
a factor, kept in ten-thousandths and rounded down after each right guess. Higher and lower are priced fairly: a guess
that wins with w of 13 ranks and ties with one pays 12 / w, and the house lives on its commission on the profit.

A session is `deal`, then `take` for each decision until it returns `DONE`, then `settle`, for `house.card_round`; what
they have to remember is the hand. There is one bet, which has no kind or number. Everything here is in the numeric
subset and trusts its arguments, of which `is_legal` is the judge.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded
from croupier.kit.cards import rank1
from croupier.rounds import DONE

# The decisions, three guesses and the cash-out between them, by their opcodes (docs/protocol.md).
HIGHER, LOWER, CASH_OUT, SAME = range(4)

# What the next card does to a guess.
WRONG, PUSH, RIGHT = range(3)

# The hand: the first card and the one on show, how many guesses were made and how many were right, and the factor.
FIRST_CARD, CARD, GUESSES, STREAK, FACTOR = range(5)
DEAL_MOVE, WORK_SIZE = 0, 1

# The options of the steps, in the order of `HiLoOptions`. A policy comes after them.
IS_SUPER, SAME_ANYWHERE, TIE_PUSHES, COMMISSION_BPS, POLICY = range(5)

GUESSING = 1  # what comes next, as long as it is not `DONE`

ONE = 10_000  # a factor of 1, and 100 % in basis points
FACTOR_CAP = 100_000 * ONE  # the game cashes out by itself here

# Super mode (rules.md, Super mode). Tenths by the number of right guesses, none at 0 and
# the last from ten on; an ace on show doubles them. The profit is multiplied by 1 + (tenths / 10 - 1) / 1250.
STREAK_TENTHS = (10, 13, 20, 30, 50, 80, 150, 250, 400, 700, 1200)
BOOST_DIVISOR = 12_500  # 10 * 1250: the odds say why it must be so large

# Compiled integers wrap silently. A factor just below the cap may still be multiplied by 12, and a profit in
# ten-thousandths must then fit 63 bits; the boost of a profit in chips needs less.
STAKE_MAX = (2**63 - 1) // (12 * FACTOR_CAP)


# The round.


def deal(stream: Stream, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Show the first card: what `draw_card` takes from the sorted pack, without building it."""
    return show(bounded(stream, 52), hand)


def show(card: int, hand: MutableSequence[int]) -> int:
    """Begin a hand with a card on show."""
    hand[FIRST_CARD] = card
    hand[CARD] = card
    hand[GUESSES] = 0
    hand[STREAK] = 0
    hand[FACTOR] = ONE
    return GUESSING


def is_legal(choice: int, hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether a decision may be made: to cash out, always; a guess, where it is offered."""
    return choice == CASH_OUT or is_offered(choice, rank1(hand[CARD]), options[SAME_ANYWHERE] == 1)


def draws(choice: int) -> bool:
    """Tell whether a decision draws a card."""
    return choice != CASH_OUT


def take(
    stream: Stream, choice: int, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]
) -> int:
    """Carry a decision out, and return `GUESSING` or `DONE`."""
    if choice == CASH_OUT:
        return DONE
    return turn_up(choice, bounded(stream, 52), hand, options)


def turn_up(guess: int, card: int, hand: MutableSequence[int], options: Sequence[int]) -> int:
    """Show the card that decides a guess, and return `GUESSING`; `DONE` where the stake is lost or the cap reached.

    >>> hand = [4, 4, 0, 0, ONE]
    >>> turn_up(HIGHER, 12, hand, (0, 0, 1, 300)) == GUESSING, hand
    (True, [4, 12, 1, 1, 15000])
    """
    found = outcome(guess, hand[CARD], card, options[TIE_PUSHES] == 1)
    if found == RIGHT:
        hand[FACTOR] = next_factor(hand[FACTOR], guess, rank1(hand[CARD]))
        hand[STREAK] += 1
    elif found == WRONG:
        hand[FACTOR] = 0
    hand[GUESSES] += 1
    hand[CARD] = card
    return DONE if hand[FACTOR] == 0 or hand[FACTOR] >= FACTOR_CAP else GUESSING


def settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips that a session hands back when it ends with this hand: nothing, or a cash-out."""
    if hand[FACTOR] == 0:
        return 0
    if options[IS_SUPER] == 1:
        return super_return(stake, hand[FACTOR], options[COMMISSION_BPS], hand[STREAK], hand[CARD])
    return cash_out_return(stake, hand[FACTOR], options[COMMISSION_BPS])


def return_max(stake: int, options: Sequence[int]) -> int:
    """Return the most that a session can bring back, for the house to know what it stands to pay."""
    return settle(0, 0, stake, (0, 0, 10, 10, 12 * FACTOR_CAP), options)


# Guesses.


def winning_ranks(guess: int, rank: int) -> int:
    """Return how many of the 13 ranks make the guess right, with a card of `rank` (ace 1, king 13) on show."""
    if guess == HIGHER:
        return 13 - rank
    if guess == LOWER:
        return rank - 1
    return 1


def is_offered(guess: int, rank: int, same_anywhere: bool) -> bool:
    """Tell whether a guess may be made: some rank must make it right, and "same" needs an ace or a king on show.

    >>> is_offered(HIGHER, 13, False), [is_offered(SAME, *where) for where in ((13, False), (7, False), (7, True))]
    (False, [True, False, True])
    """
    if guess == SAME:
        return same_anywhere or rank == 1 or rank == 13
    return (guess == HIGHER or guess == LOWER) and winning_ranks(guess, rank) > 0


def multiplier(guess: int, rank: int) -> int:
    """Return what a right guess multiplies the factor by, in ten-thousandths rounded down; the guess must be legal.

    >>> [multiplier(HIGHER, rank) for rank in (1, 6, 12)]
    [10000, 17142, 120000]
    """
    return 12 * ONE // winning_ranks(guess, rank)


def outcome(guess: int, card: int, next_card: int, tie_pushes: bool) -> int:
    """Return what `next_card` does to a guess made with `card` on show: `RIGHT`, `PUSH` or `WRONG`."""
    step = rank1(next_card) - rank1(card)
    if guess == SAME:
        return RIGHT if step == 0 else WRONG
    if step == 0:
        return PUSH if tie_pushes else WRONG
    return RIGHT if (step > 0) == (guess == HIGHER) else WRONG


def next_factor(factor: int, guess: int, rank: int) -> int:
    """Return the factor after a right guess with `rank` on show, rounded down to a ten-thousandth."""
    return factor * multiplier(guess, rank) // ONE


def cash_out_return(stake: int, factor: int, commission_bps: int) -> int:
    """Return the chips handed back at cash-out: the stake and what the commission leaves of the profit.

    Rounded down once, at the end, so the commission is never less than its share. At a factor of 1 the stake comes
    back whole, so a cash-out before any guess is a push.

    >>> cash_out_return(100, 20000, 300), cash_out_return(100, 15000, 300), cash_out_return(100, 10000, 300)
    (197, 148, 100)
    """
    gross = stake * (factor - ONE)
    kept = ONE - commission_bps
    # In two steps, because gross * kept does not fit 63 bits; the result is that of the whole product.
    return stake + (gross // ONE * kept + gross % ONE * kept // ONE) // ONE


# Super mode.


def streak_tenths(streak: int, card: int) -> int:
    """Return the boost in tenths for so many right guesses, with `card` on show at cash-out.

    Pushes do not count. Right guesses that could not lose ("higher" at an ace, "lower" at a king) do.

    >>> streak_tenths(0, 0), streak_tenths(3, 5), streak_tenths(3, 13), streak_tenths(12, 0)
    (10, 30, 60, 2400)
    """
    tenths = STREAK_TENTHS[min(streak, 10)]
    return 2 * tenths if streak > 0 and rank1(card) == 1 else tenths


def super_return(stake: int, factor: int, commission_bps: int, streak: int, card: int) -> int:
    """Return the chips handed back at cash-out in super mode: the profit after commission, boosted and rounded down.

    >>> super_return(1000, 1000000, 300, 10, 5), super_return(1000, 1000000, 300, 10, 0)
    (106172, 115390)
    >>> super_return(1000, 10000, 300, 0, 0)
    1000
    """
    profit = cash_out_return(stake, factor, commission_bps) - stake
    return stake + profit + profit * (streak_tenths(streak, card) - 10) // BOOST_DIVISOR


# A policy is a caller's: whether guesses or right guesses count (`GUESSES` or `STREAK`), how many rows there are, and
# the rows: thirteen decisions, with an ace on show first, for every count, the last of them for more.


def choose(hand: Sequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Return the decision of the policy that stands in the options from `POLICY` on.

    >>> once = (*[0] * POLICY, GUESSES, 2, *[LOWER] * 13, *[CASH_OUT] * 13)
    >>> [choose((0, 4, guesses, 0, ONE), once, []) == LOWER for guesses in (0, 1, 2)]
    [True, False, False]
    """
    row = min(hand[options[POLICY]], options[POLICY + 1] - 1)
    return options[POLICY + 1 + 13 * row + rank1(hand[CARD])]
