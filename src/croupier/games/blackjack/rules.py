"""The rules of blackjack in numbers: what hands count, how cards leave the shoe, what every bet brings back.

A hand is known by its hard total, in which aces count 1, and whether an ace is in it: one ace then counts 11 while that
does not pass 21, and the hand is soft. A card's value is 1 for an ace, its pips, or 10 for tens and courts.

The shoe is never stored. What is left of it is known from the cards that were seen, so it is told by the places those
took in the sorted shoe, and a draw picks one of the others: just the card, and just the bytes, that `draw_card` would
take from the sorted remaining shoe.

Everything here is in the numeric subset and trusts its arguments. Sections refer to the blackjack sheet.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded_u32, bounded_usize
from croupier.kit.cards import is_red, rank0, rank1, suit
from croupier.kit.lit import draw_unlit, lit_place

# The actions of the player's turn, by their opcodes (section 3; surrender has one of its own).
HIT, STAND, DOUBLE, SPLIT, SURRENDER = 0, 1, 2, 3, 9

# How a hand stands (section 2); a natural that took even money is ours.
PLAYING, STANDING, BUSTED, NATURAL, SURRENDERED, EVEN_MONEY = range(6)

# The bets. Each side bet stands where the payload that lays all five has it (section 3).
MAIN, TWENTY_ONE_PLUS_THREE, LUCKY_LADIES, PERFECT_PAIRS, BUST_IT, ROYAL_MATCH = range(6)

HANDS_MAX = 4
# A hand that reaches 21 stands by itself, and every card adds one at least: no hand has more cards.
CARDS_MAX = 21
SEEN_MAX = HANDS_MAX * CARDS_MAX + 1
# Two numbers for each card of one move: a hole card, the player's two, and all that the dealer draws.
MOVED_SIZE = 2 * (CARDS_MAX + 3)

TWENTY_ONE = 21
NOT_BARRED = 0

# Section 5, and decisions, section 4, for lucky ladies and royal match. All in halves to 1, best line first.
TWENTY_ONE_PLUS_THREE_HALVES = (200, 80, 60, 20, 10)
LUCKY_LADIES_HALVES = (2000, 250, 38, 18, 8)
PERFECT_PAIRS_HALVES = (50, 20, 10)
BUST_IT_HALVES = (2, 4, 18, 100)  # with three, four, five, and six cards or more
ROYAL_MATCH_HALVES = (50, 5)

QUEEN_OF_HEARTS = 24

# Super mode: lit cards (casino-core, section 7.1), and s of decisions, section 3.
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


def can_double(card_count: int, is_split: bool, double_after_split: bool) -> bool:
    """Tell whether a hand that is playing may double."""
    return card_count == 2 and (double_after_split or not is_split)


def can_split(first: int, second: int, card_count: int, hand_count: int, resplit_aces: bool) -> bool:
    """Tell whether a hand that is playing may split: two cards of one rank. Ten and king are two ranks.

    >>> can_split(9, 22, 2, 1, True), can_split(9, 12, 2, 1, True), can_split(0, 13, 2, 2, False)
    (True, False, False)
    """
    if card_count != 2 or hand_count >= HANDS_MAX or rank0(first) != rank0(second):
        return False
    return resplit_aces or hand_count == 1 or rank0(first) != 0


def can_surrender(card_count: int, is_split: bool, surrender: bool) -> bool:
    """Tell whether a hand that is playing may surrender."""
    return surrender and card_count == 2 and not is_split


# The shoe.


def note_seen(taken: MutableSequence[int], start: int, count: int, card: int, decks: int) -> int:
    """Mark one copy of a card as seen, and return how many are now.

    From `start` on, `taken` holds the places of the `count` seen cards in the sorted shoe, ascending. Equal cards are
    adjacent there, and the first copies go first.
    """
    place = card * decks
    end = start + count
    while end > start and taken[end - 1] >= place + decks:
        taken[end] = taken[end - 1]
        end -= 1
    if end > start and taken[end - 1] >= place:
        place = taken[end - 1] + 1
    taken[end] = place
    return count + 1


def _place_at(index: int, taken: Sequence[int], start: int, count: int, moved: Sequence[int], drawn: int) -> int:
    """Return which place of the sorted shoe the card at an index of the remaining shoe has."""
    for before in range(drawn - 1, -1, -1):
        if moved[2 * before] == index:
            return moved[2 * before + 1]
    place = index
    for i in range(start, start + count):
        if taken[i] > place:
            return place
        place += 1
    return place


def draw(
    stream: Stream,
    decks: int,
    taken: Sequence[int],
    start: int,
    count: int,
    moved: MutableSequence[int],
    drawn: int,
    barred: int,
) -> int:
    """Take a card from the shoe without its `count` seen cards and the `drawn` ones that this move took before.

    A draw fills the index it took from with the last card; `moved` remembers that. A card whose value is `barred` is
    left where it is, and another index drawn; `NOT_BARRED` takes any.
    """
    left = 52 * decks - count - drawn
    index = 0
    place = 0
    is_barred = True
    while is_barred:  # one call in a loop: a compiler copies what is called to each place that calls it
        index = bounded_usize(stream, left)
        place = _place_at(index, taken, start, count, moved, drawn)
        is_barred = card_value(place // decks) == barred
    moved[2 * drawn + 1] = _place_at(left - 1, taken, start, count, moved, drawn)
    moved[2 * drawn] = index
    return place // decks


def barred_hole(up_card: int) -> int:
    """Return the value that the dealer's hole card cannot have after a peek: it would be a natural.

    >>> barred_hole(0), barred_hole(12)
    (10, 1)
    """
    return 11 - card_value(up_card)


def is_peek_card(up_card: int) -> bool:
    """Tell whether a dealer who peeks does so with this card up: a natural is possible."""
    return card_value(up_card) == 1 or card_value(up_card) == 10


def play_dealer(
    stream: Stream,
    decks: int,
    taken: Sequence[int],
    start: int,
    count: int,
    moved: MutableSequence[int],
    drawn: int,
    dealer: MutableSequence[int],
    size: int,
    size_max: int,
    hit_soft_17: bool,
) -> int:
    """Draw the dealer's hand to its end, or to `size_max` cards, and return its new size.

    Its first `size` cards are in `dealer`: the up card at least, on which alone the dealer always draws.
    """
    hard = 0
    has_ace = False
    for i in range(size):
        hard += card_value(dealer[i])
        has_ace = has_ace or card_value(dealer[i]) == 1
    while size < size_max and dealer_draws(hard, has_ace, hit_soft_17):
        card = draw(stream, decks, taken, start, count, moved, drawn, NOT_BARRED)
        drawn += 1
        dealer[size] = card
        size += 1
        hard += card_value(card)
        has_ace = has_ace or card_value(card) == 1
    return size


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
    """Return the most that a bet can bring back, for the house to know what it stands to pay. A raise pays 1 to 1.

    >>> return_max(MAIN, 10, False, False), return_max(MAIN, 20, False, True), return_max(BUST_IT, 10, False, True)
    (25, 11547, 510)
    """
    if kind == MAIN:
        natural = hand_return(stake, NATURAL, TWENTY_ONE, 0, False, six_to_five)
        return super_return(stake, natural, BOOST_MAX) if is_super else natural
    if kind == TWENTY_ONE_PLUS_THREE:
        return stake + stake * TWENTY_ONE_PLUS_THREE_HALVES[0] // 2
    if kind == LUCKY_LADIES:
        return stake + stake * LUCKY_LADIES_HALVES[0] // 2
    if kind == PERFECT_PAIRS:
        return stake + stake * PERFECT_PAIRS_HALVES[0] // 2
    if kind == BUST_IT:
        return stake + stake * BUST_IT_HALVES[3] // 2
    return stake + stake * ROYAL_MATCH_HALVES[0] // 2


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
