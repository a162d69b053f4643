"""The rules of blackjack in numbers: what hands count, what every bet brings back; `rounds` has the course of a round.

A hand is known by its hard total, in which aces count 1, and whether an ace is in it: one ace then counts 11 while that
does not pass 21, and the hand is soft. A card's value is 1 for an ace, its pips, or 10 for tens and courts.

Everything here is in the numeric subset and trusts its arguments. The pay tables and options are explained in rules.md.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded_u32
from croupier.kit.cards import is_red, rank0, rank1, suit
from croupier.kit.lit import draw_unlit, lit_place

# What a player decides, by the opcodes (docs/protocol.md; surrender and the answers to a peek have some of their own).
HIT, STAND, DOUBLE, SPLIT, DEAL, REVEAL, SURRENDER, INSURE, TAKE_EVEN_MONEY, DECLINE = 0, 1, 2, 3, 4, 6, 9, 10, 11, 12

# How a hand stands; a natural that took even money is ours.
PLAYING, STANDING, BUSTED, NATURAL, SURRENDERED, EVEN_MONEY = range(6)

# The bets. Each side bet stands where the payload that lays all five has it; the last three come later.
MAIN, TWENTY_ONE_PLUS_THREE, LUCKY_LADIES, PERFECT_PAIRS, BUST_IT, ROYAL_MATCH = range(6)
INSURANCE, DOUBLED, SPLIT_OFF = range(6, 9)

HANDS_MAX = 4
# A hand that reaches 21 stands by itself, and every card adds one at least: no hand has more cards.
CARDS_MAX = 21

TWENTY_ONE = 21

# What side bets pay (rules.md, Side bets). All in halves to 1, best line first.
TWENTY_ONE_PLUS_THREE_HALVES = (200, 80, 60, 20, 10)
LUCKY_LADIES_HALVES = (2000, 250, 38, 18, 8)
PERFECT_PAIRS_HALVES = (50, 20, 10)
BUST_IT_HALVES = (2, 4, 18, 100)  # with three, four, five, and six cards or more
ROYAL_MATCH_HALVES = (50, 5)
MOST_HALVES = (
    TWENTY_ONE_PLUS_THREE_HALVES[0],
    LUCKY_LADIES_HALVES[0],
    PERFECT_PAIRS_HALVES[0],
    BUST_IT_HALVES[3],
    ROYAL_MATCH_HALVES[0],
)

QUEEN_OF_HEARTS = 24

# Super mode: lit cards (rules.md, Super mode), and the share of their boost that is paid (decision 0011).
LIT_COUNT = 5
MULTIPLIERS = (2, 3, 4, 6, 8)
MULTIPLIER_LIMITS = (5000, 8500, 9700, 9950, 10000)
BOOST_NUMERATOR, BOOST_DENOMINATOR = 3, 4
BOOST_MAX = 512  # as in baccarat: without it a hand of lit aces could owe more than there is

# Compiled integers wrap silently: what all bets of one stake each return, and the boosted profit of the main bet before
# it is divided, come to less than 4096 stakes.
STAKE_MAX = (2**63 - 1) // 4096


# Hands.


def card_value(card: int) -> int:
    """Return what a card counts, an ace 1.

    >>> card_value(0), card_value(8), card_value(9), card_value(25)
    (1, 9, 10, 10)
    """
    return min(rank1(card), 10)


def is_soft(hard: int, has_ace: bool) -> bool:
    """Tell whether an ace counts 11 in a hand."""
    return has_ace and hard <= 11


def best_total(hard: int, has_ace: bool) -> int:
    """Return what a hand comes to.

    >>> best_total(11, True), best_total(12, True), best_total(22, False)
    (21, 12, 22)
    """
    if is_soft(hard, has_ace):
        return hard + 10
    return hard


def is_natural(first: int, second: int) -> bool:
    """Tell whether two cards are an ace and a ten or court.

    >>> is_natural(0, 12), is_natural(12, 13), is_natural(0, 8)
    (True, True, False)
    """
    return card_value(first) + card_value(second) == 11 and min(card_value(first), card_value(second)) == 1


def status_after(hard: int, has_ace: bool, is_double: bool) -> int:
    """Return how a hand stands after a card was hit or doubled on: a double ends it, and so does 21."""
    if hard > TWENTY_ONE:
        return BUSTED
    if is_double or best_total(hard, has_ace) == TWENTY_ONE:
        return STANDING
    return PLAYING


def dealer_draws(hard: int, has_ace: bool, hit_soft_17: bool) -> bool:
    """Tell whether the dealer takes another card.

    >>> dealer_draws(16, True, False), dealer_draws(7, True, False), dealer_draws(7, True, True)
    (True, False, True)
    """
    total = best_total(hard, has_ace)
    return total < 17 or (hit_soft_17 and total == 17 and is_soft(hard, has_ace))


def natural_value(up_value: int) -> int:
    """Return what a hole card counts that makes a natural with an up card of this value; 0 where none does.

    >>> natural_value(1), natural_value(10), natural_value(9)
    (10, 1, 0)
    """
    return 11 - up_value if up_value == 1 or up_value == 10 else 0


# What bets bring back.


def hand_return(stake: int, status: int, total: int, dealer_total: int, dealer_natural: bool, six_to_five: bool) -> int:
    """Return the chips handed back for a stake on a hand: the opening stake, a raise, or the stake of a split.

    A dealer's natural beats everything but a natural, twenty-one and surrender included.

    >>> hand_return(5, NATURAL, 21, 20, False, False), hand_return(5, NATURAL, 21, 20, False, True)
    (12, 11)
    >>> hand_return(5, SURRENDERED, 16, 22, False, False), hand_return(5, SURRENDERED, 16, 21, True, False)
    (2, 0)
    """
    if status == BUSTED:
        return 0
    if status == EVEN_MONEY:
        return 2 * stake
    if dealer_natural:
        return stake if status == NATURAL else 0
    if status == SURRENDERED:
        return stake // 2
    if status == NATURAL:
        return 11 * stake // 5 if six_to_five else 5 * stake // 2
    if dealer_total > TWENTY_ONE or total > dealer_total:
        return 2 * stake
    return stake if total == dealer_total else 0


def insurance_return(stake: int, dealer_natural: bool) -> int:
    """Return the chips handed back for insurance: 2 to 1 where the dealer has a natural."""
    return 3 * stake if dealer_natural else 0


def side_return(
    kind: int, stake: int, first: int, second: int, up_card: int, dealer_natural: bool, dealer_total: int, size: int
) -> int:
    """Return the chips handed back for a side bet, from the first three cards and how the dealer ended.

    Royal match pays 5 to 2 on most of its wins, half a chip of which is rounded down.

    >>> side_return(ROYAL_MATCH, 5, 1, 7, 30, False, 20, 2), side_return(BUST_IT, 5, 1, 7, 30, False, 22, 5)
    (17, 50)
    """
    halves = side_halves(kind, first, second, up_card, dealer_natural, dealer_total, size)
    return stake + stake * halves // 2 if halves > 0 else 0


def side_halves(
    kind: int, first: int, second: int, up_card: int, dealer_natural: bool, dealer_total: int, size: int
) -> int:
    """Return what a side bet pays, in halves of a chip for each chip; 0 where it is lost."""
    if kind == TWENTY_ONE_PLUS_THREE:
        return twenty_one_plus_three_halves(first, second, up_card)
    if kind == LUCKY_LADIES:
        return lucky_ladies_halves(first, second, dealer_natural)
    if kind == PERFECT_PAIRS:
        return perfect_pairs_halves(first, second)
    if kind == ROYAL_MATCH:
        return royal_match_halves(first, second)
    if dealer_total <= TWENTY_ONE:
        return 0
    return BUST_IT_HALVES[min(size, 6) - 3]


def twenty_one_plus_three_halves(first: int, second: int, up_card: int) -> int:
    """Return what 21+3 pays, from the player's two cards and the dealer's up card.

    >>> twenty_one_plus_three_halves(12, 0, 11), twenty_one_plus_three_halves(12, 0, 1)  # Q-K-A, but not K-A-2
    (80, 10)
    """
    low = min(rank0(first), rank0(second), rank0(up_card))
    high = max(rank0(first), rank0(second), rank0(up_card))
    middle = rank0(first) + rank0(second) + rank0(up_card) - low - high
    is_flush = suit(first) == suit(second) == suit(up_card)
    is_straight = middle == low + 1 and high == low + 2
    if low == 0 and middle == 11 and high == 12:
        is_straight = True
    if low == high:
        return TWENTY_ONE_PLUS_THREE_HALVES[0] if is_flush else TWENTY_ONE_PLUS_THREE_HALVES[2]
    if is_straight:
        return TWENTY_ONE_PLUS_THREE_HALVES[1] if is_flush else TWENTY_ONE_PLUS_THREE_HALVES[3]
    return TWENTY_ONE_PLUS_THREE_HALVES[4] if is_flush else 0


def lucky_ladies_halves(first: int, second: int, dealer_natural: bool) -> int:
    """Return what lucky ladies pays, from the player's two cards: they count 20, an ace 11."""
    has_ace = card_value(first) == 1 or card_value(second) == 1
    if best_total(card_value(first) + card_value(second), has_ace) != 20:
        return 0
    if first == second:
        if first != QUEEN_OF_HEARTS:
            return LUCKY_LADIES_HALVES[2]
        return LUCKY_LADIES_HALVES[0] if dealer_natural else LUCKY_LADIES_HALVES[1]
    return LUCKY_LADIES_HALVES[3] if suit(first) == suit(second) else LUCKY_LADIES_HALVES[4]


def perfect_pairs_halves(first: int, second: int) -> int:
    """Return what perfect pairs pays: one card twice, one rank in one colour, or one rank."""
    if rank0(first) != rank0(second):
        return 0
    if first == second:
        return PERFECT_PAIRS_HALVES[0]
    return PERFECT_PAIRS_HALVES[1] if is_red(first) == is_red(second) else PERFECT_PAIRS_HALVES[2]


def royal_match_halves(first: int, second: int) -> int:
    """Return what royal match pays: king and queen of one suit, or any two cards of one suit."""
    if suit(first) != suit(second):
        return 0
    is_royal = min(rank0(first), rank0(second)) == 11 and max(rank0(first), rank0(second)) == 12
    return ROYAL_MATCH_HALVES[0] if is_royal else ROYAL_MATCH_HALVES[1]


def return_max(kind: int, stake: int, six_to_five: bool, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay.

    >>> return_max(MAIN, 10, False, False), return_max(MAIN, 20, False, True), return_max(BUST_IT, 10, False, True)
    (25, 11547, 510)
    """
    if kind == MAIN:
        natural = hand_return(stake, NATURAL, TWENTY_ONE, 0, False, six_to_five)
        return super_return(stake, natural, BOOST_MAX) if is_super else natural
    if kind == INSURANCE:
        return insurance_return(stake, True)
    if kind > INSURANCE:
        return 2 * stake  # a raise
    return stake + stake * MOST_HALVES[kind - 1] // 2


# Super mode.


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Light five cards: write them and their multipliers in the order drawn, and return how many.

    A card is one byte modulo 52, drawn again while it is lit already, so cards 48 to 51 are lit a little less often:
    the published streams are made that way.
    """
    for index in range(LIT_COUNT):
        ids[index] = draw_unlit(stream, 0, 52, ids, index)
        chance = bounded_u32(stream, 10000)
        step = 0
        while chance >= MULTIPLIER_LIMITS[step]:
            step += 1
        multipliers[index] = MULTIPLIERS[step]
    return LIT_COUNT


def boosted(boost: int, card: int, ids: Sequence[int], multipliers: Sequence[int], count: int) -> int:
    """Return the boost of a hand with one more card: a lit card multiplies it, to 512 at most.

    A lit card that is dealt twice counts twice. Begin with 1.

    >>> boosted(boosted(1, 30, (30, 41), (3, 8), 2), 30, (30, 41), (3, 8), 2), boosted(512, 41, (30, 41), (3, 8), 2)
    (9, 512)
    """
    place = lit_place(card, ids, count)
    if place < 0:
        return boost
    return min(boost * multipliers[place], BOOST_MAX)


def super_return(stake: int, returned: int, boost: int) -> int:
    """Return what the main bet hands back in super mode: its profit times 1 + 3/4 of the boost less one, rounded down.

    What is no profit is not boosted: a push, a surrender, a loss.

    >>> super_return(20, 40, 3), super_return(20, 50, 2), super_return(20, 20, 8), super_return(20, 10, 8)
    (70, 72, 20, 10)
    """
    if returned <= stake:
        return returned
    profit = returned - stake
    return stake + profit * (BOOST_DENOMINATOR + BOOST_NUMERATOR * (boost - 1)) // BOOST_DENOMINATOR


# Strategy tables: what a player does who follows one. 36 rows of ten numbers, a column for each value of the up card
# from the ace on: hard totals from 4 to 20, soft totals from 12 to 20, pairs from aces to tens.

HARD_LOW, SOFT_LOW, TOTAL_HIGH = 4, 12, 20
SOFT_ROW = TOTAL_HIGH - HARD_LOW + 1
PAIR_ROW = SOFT_ROW + TOTAL_HIGH - SOFT_LOW + 1
TABLE_ROWS = PAIR_ROW + 10
TABLE_SIZE = 10 * TABLE_ROWS

# What a cell may say, added up. A pair that says neither to split nor to surrender is played as its total.
HIT_BIT, DOUBLE_BIT, SURRENDER_BIT, SPLIT_BIT = 1, 2, 4, 8


def total_cell(total: int, soft: bool, up_value: int) -> int:
    """Return where a strategy table keeps a total, 20 at most."""
    row = SOFT_ROW + total - SOFT_LOW if soft else total - HARD_LOW
    return 10 * row + up_value - 1


def pair_cell(value: int, up_value: int) -> int:
    """Return where a strategy table keeps a pair of cards of this value."""
    return 10 * (PAIR_ROW + value - 1) + up_value - 1


def choose(
    table: Sequence[int],
    start: int,
    hard: int,
    has_ace: bool,
    pair_value: int,
    up_value: int,
    may_double: bool,
    may_surrender: bool,
) -> int:
    """Return what the table that begins at `start` does with a hand: first surrender, then split, double, hit, stand.

    `pair_value` is the value of the two cards where they may be split, or else 0.
    """
    total = best_total(hard, has_ace)
    if total > TOTAL_HIGH:
        return STAND
    if pair_value > 0:
        code = table[start + pair_cell(pair_value, up_value)]
        if code & SURRENDER_BIT and may_surrender:
            return SURRENDER
        if code & SPLIT_BIT:
            return SPLIT
    code = table[start + total_cell(total, is_soft(hard, has_ace), up_value)]
    if code & SURRENDER_BIT and may_surrender:
        return SURRENDER
    if code & DOUBLE_BIT and may_double:
        return DOUBLE
    return HIT if code & HIT_BIT else STAND
