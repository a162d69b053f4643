"""The rules of ultimate texas hold'em in numbers: what the cards are worth, what each bet returns, how to play them.

Ante and Blind are equal. The player sees two cards and may raise once, 3 or 4 times the Ante; or sees the flop and may
raise 2 times; or sees the whole board, and raises once the Ante or folds. Then the dealer shows two cards, and the best
five of seven win. Cards lie in one flat array in the order they are dealt: two in the hole, the five of the board, two
of the dealer, and four more where the six-card bet was laid.

Everything here is in the numeric subset and trusts its arguments.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.kit.cards import draw_until, rank0, rank_high
from croupier.kit.holdem import FLOP_CLASSES, HOLDINGS, flop_place
from croupier.kit.lit import lit_place, mark
from croupier.kit.poker import PAIR, STRAIGHT, STRAIGHT_FLUSH, TRIPS, card_bit, category, rank_hand
from croupier.rounds import DONE, PHASE

ANTE, BLIND, PLAY, TRIPS_BET, SIX_CARD, PROGRESSIVE = range(6)
RAISED_BET = PLAY
DEAL_MOVE = 1

# What may be decided: to raise so many Antes, 1 to 4; or one of these. And the phases that wait for it.
RAISE_MAX, CHECK, FOLD, REVEAL = 4, 5, 6, 7
PREFLOP_PHASE, FLOP_PHASE, RIVER_PHASE, REVEAL_PHASE = 1, 2, 3, 4

# How many cards are known: after the deal, on the flop, at the river, once the dealer has shown, with the extra four.
NONE_KNOWN, HOLE_KNOWN, FLOP_KNOWN, BOARD_KNOWN, DEALER_KNOWN, EXTRA_KNOWN = 0, 2, 5, 7, 9, 13
NO_CARD = -1
# The hand: the cards, how many Antes were raised, how the round ended; and behind the phase the rank of the player's.
RAISED, ENDING, RANK = EXTRA_KNOWN, EXTRA_KNOWN + 1, PHASE + 1

# How a round ended. Those in the middle leave the Ante where it is: the dealer had less than a pair, or it was a tie.
FOLDED, LOST, LOST_UNQUALIFIED, TIED, WON_UNQUALIFIED, WON = range(6)

# By category, high card to royal flush (rules.md, What the hands pay).
BLIND_HALVES = (0, 0, 0, 0, 2, 3, 6, 20, 100, 1000)  # the bonus of the Blind, in halves of it: a flush pays 3 to 2
TRIPS_PAYS = (0, 0, 0, 3, 4, 7, 9, 30, 40, 50)
SIX_CARD_PAYS = (0, 0, 0, 7, 10, 15, 20, 100, 200, 1000)
PROGRESSIVE_RETURNS = (0, 0, 0, 15, 30, 50, 50, 300, 1000, 10_000)

# Super mode: what a marked rank in a winning hand multiplies by (rules.md, Super mode), and the share of that
# which the Ante is paid: its profit is multiplied by 1 + (multiplier - 1) / 2.
MARKED_COUNT = 2
BOOSTS = (1, 2, 2, 4, 3, 3, 5, 10, 15, 30)
BOOST_BOTH_HOLE = 4
BOOST_NUMERATOR, BOOST_DENOMINATOR = 1, 2

PROGRESSIVE_STAKE = 1

# Compiled integers wrap silently. With one stake on every bet but the progressive one, and four on Play, the returns
# come to no more than 1577.5 stakes in super mode (the sum of `return_max`) and the prize of the progressive bet, and
# those must fit 63 bits.
STAKE_MAX = (2**63 - 1 - 10_000) * 2 // 3155


# The round: two cards, then the flop, then the board, with a raise at any time; and the dealer's cards. The options of
# its steps begin with whether it is a super session, whether the dealer needs a pair, whether the six-card bet is laid,
# and whether 3 and 4 Antes are offered before the flop.
NEEDS_PAIR_AT, SIX_CARD_AT, OFFERS_3X_AT, OFFERS_4X_AT = 1, 2, 3, 4


def deal(stream: Stream, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Deal the player's two cards, and return what comes next."""
    draw_until(stream, hand, NONE_KNOWN, HOLE_KNOWN, work)
    for place in range(HOLE_KNOWN, EXTRA_KNOWN):
        hand[place] = NO_CARD
    return PREFLOP_PHASE


def is_legal(choice: int, hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether a decision may be made."""
    if hand[PHASE] == PREFLOP_PHASE:
        if choice == 3 or choice == 4:
            return options[OFFERS_3X_AT - 3 + choice] == 1
        return choice == CHECK
    if hand[PHASE] == FLOP_PHASE:
        return choice == CHECK or choice == 2
    if hand[PHASE] == RIVER_PHASE:
        return choice == FOLD or choice == 1
    return hand[PHASE] == REVEAL_PHASE and choice == REVEAL


def cost(choice: int) -> int:
    """Return how many Antes a decision stakes on Play."""
    return choice if choice <= RAISE_MAX else 0


def draws(choice: int) -> bool:
    """Tell whether a decision draws cards: a raise waits for the reveal."""
    return choice > RAISE_MAX


def take(
    stream: Stream, choice: int, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]
) -> int:
    """Raise, see more of the board, or draw all that is missing and compare; return what comes next."""
    if choice <= RAISE_MAX:
        hand[RAISED] = choice
        return REVEAL_PHASE
    known = lit_place(NO_CARD, hand, DEALER_KNOWN)
    if choice == CHECK:
        wanted = FLOP_KNOWN if known == HOLE_KNOWN else BOARD_KNOWN
        draw_until(stream, hand, known, wanted, work)
        return hand[PHASE] + 1
    # After a fold too: side bets are decided.
    draw_until(stream, hand, known, EXTRA_KNOWN if options[SIX_CARD_AT] == 1 else DEALER_KNOWN, work)
    hand[RANK] = player_rank(hand)
    hand[ENDING] = FOLDED
    if choice == REVEAL:
        hand[ENDING] = compare(hand[RANK], dealer_rank(hand), options[NEEDS_PAIR_AT] == 1)
    return DONE


def settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for one bet, once the round is over."""
    found = category(hand[RANK])
    if kind == SIX_CARD or kind == PROGRESSIVE:
        found = category_for(kind, hand)
    return bet_return(kind, stake, hand[ENDING], found)


# What the cards are worth.


def hand_bits(cards: Sequence[int], first: int, end: int) -> int:
    """Return the cards from place `first` up to `end` as a hand of bits."""
    bits = 0
    for place in range(first, end):
        bits |= card_bit(cards[place])
    return bits


def player_rank(cards: Sequence[int]) -> int:
    """Return the rank of the best five among the hole cards and the board."""
    return rank_hand(hand_bits(cards, 0, BOARD_KNOWN))


def dealer_rank(cards: Sequence[int]) -> int:
    """Return the rank of the best five among the board and the dealer's cards."""
    return rank_hand(hand_bits(cards, HOLE_KNOWN, DEALER_KNOWN))


def six_card_rank(cards: Sequence[int]) -> int:
    """Return the rank of the best five among the hole cards and the four extra ones."""
    return rank_hand(hand_bits(cards, 0, HOLE_KNOWN) | hand_bits(cards, DEALER_KNOWN, EXTRA_KNOWN))


def progressive_rank(cards: Sequence[int]) -> int:
    """Return the rank of the hole cards and the flop."""
    return rank_hand(hand_bits(cards, 0, FLOP_KNOWN))


def category_for(kind: int, cards: Sequence[int]) -> int:
    """Return the category of the hand that a bet is about: hole cards with the board, the flop or the extra four."""
    if kind == SIX_CARD:
        return category(six_card_rank(cards))
    if kind == PROGRESSIVE:
        return category(progressive_rank(cards))
    return category(player_rank(cards))


def compare(player: int, dealer: int, needs_pair: bool) -> int:
    """Return how a showdown ends, from both ranks; `needs_pair` says that the dealer qualifies with a pair only."""
    if player == dealer:
        return TIED
    if needs_pair and category(dealer) < PAIR:
        return WON_UNQUALIFIED if player > dealer else LOST_UNQUALIFIED
    return WON if player > dealer else LOST


# What the bets return.


def bet_return(kind: int, stake: int, ending: int, hand: int) -> int:
    """Return the chips handed back for one bet: stake and profit, the stake, or nothing.

    `hand` is the category that `category_for` gives. Side bets do not ask how the round ended.

    >>> bet_return(ANTE, 10, WON, 1), bet_return(ANTE, 10, WON_UNQUALIFIED, 1), bet_return(ANTE, 10, LOST, 1)
    (20, 10, 0)
    >>> [bet_return(BLIND, 5, WON, hand) for hand in (3, 4, 5, 9)]  # half a chip is not paid
    [5, 10, 12, 2505]
    """
    if kind == TRIPS_BET:
        return stake + stake * TRIPS_PAYS[hand] if hand >= TRIPS else 0
    if kind == SIX_CARD:
        return stake + stake * SIX_CARD_PAYS[hand] if hand >= TRIPS else 0
    if kind == PROGRESSIVE:
        return stake * PROGRESSIVE_RETURNS[hand]
    if ending == FOLDED or ending == LOST:
        return 0
    if ending == TIED:
        return stake
    if kind == ANTE:
        return 2 * stake if ending == WON else stake
    if ending == LOST_UNQUALIFIED:
        return 0
    if kind == BLIND:
        return stake + stake * BLIND_HALVES[hand] // 2
    return 2 * stake


def round_profit(stake: int, multiple: int, ending: int, hand: int) -> int:
    """Return what Ante, Blind and Play come to, with `stake` on the Ante and `multiple` times that on Play.

    >>> round_profit(10, 4, WON, 1), round_profit(10, 4, LOST, 1), round_profit(10, 0, FOLDED, 1)
    (50, -60, -20)
    """
    profit = 0
    for kind in range(ANTE, PLAY + 1):
        laid = multiple * stake if kind == PLAY else stake
        profit += bet_return(kind, laid, ending, hand) - laid
    return profit


def return_max(kind: int, stake: int, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay.

    >>> [return_max(kind, 10, False) for kind in (ANTE, BLIND, PLAY, TRIPS_BET, SIX_CARD)]
    [20, 5010, 20, 510, 10010]
    """
    if kind == ANTE and is_super:
        return super_ante_return(stake, WON, BOOSTS[-1])
    return bet_return(kind, stake, WON, len(BOOSTS) - 1)


# Super mode.


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Mark two ranks (ace 0, king 12), ten to king a little less often than others: 256 bytes do not divide by 13."""
    return mark(stream, 13, MARKED_COUNT, ids, multipliers)


def is_eligible(kind: int, number: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee: the Ante."""
    return kind == ANTE


def boost(
    kind: int, number: int, hand: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the boost of an Ante that won; 1 for any other."""
    return boost_of(hand[RANK], hand, ids, count) if hand[ENDING] == WON else 1


def super_settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int], times: int) -> int:
    """Return the chips handed back for the Ante in super mode."""
    return super_ante_return(stake, hand[ENDING], times)


def is_in_hand(rank: int, wanted: int) -> bool:
    """Tell whether the best five of a hand with that rank hold a card of rank `wanted` (ace 14, two 2).

    >>> wheel = rank_hand(hand_bits((0, 14, 28, 3, 4), 0, 5))
    >>> [is_in_hand(wheel, wanted) for wanted in (14, 2, 5, 6)]
    [True, True, True, False]
    """
    hand = category(rank)
    if hand == STRAIGHT or hand >= STRAIGHT_FLUSH:
        top = rank >> 16 & 15
        return top - 4 <= wanted <= top or (top == 5 and wanted == 14)
    for place in range(5):
        if rank >> (4 * place) & 15 == wanted:
            return True
    return False


def boost_of(rank: int, cards: Sequence[int], ids: Sequence[int], count: int) -> int:
    """Return the boost of an Ante that won: by the player's rank, the two hole cards, and the marked ranks.

    Without a marked rank among the best five there is none. With one it goes by the category, and is at least four
    where both hole cards are marked.
    """
    found = False
    for place in range(count):
        found = found or is_in_hand(rank, rank_high(ids[place]))
    if not found:
        return 1
    boost = BOOSTS[category(rank)]
    if lit_place(rank0(cards[0]), ids, count) >= 0 and lit_place(rank0(cards[1]), ids, count) >= 0:
        return max(boost, BOOST_BOTH_HOLE)
    return boost


def super_ante_return(stake: int, ending: int, boost: int) -> int:
    """Return the chips handed back for the Ante in super mode: the profit boosted, rounded down.

    >>> super_ante_return(100, WON, 4), super_ante_return(100, WON_UNQUALIFIED, 4), super_ante_return(5, WON, 2)
    (350, 100, 12)
    """
    returned = bet_return(ANTE, stake, ending, 0)
    if ending != WON:
        return returned
    return returned + stake * (boost - 1) * BOOST_NUMERATOR // BOOST_DENOMINATOR


# What lies ahead at the river: every hand the dealer may hold.

SHOWDOWN_COUNT = 990

# Parts of the scratch array: a card of each type, another one, one that may make a flush with another of its kind, how
# many there are; and behind them what has been counted.
TYPES_MAX = 26
OTHER_AT, FLUSH_AT, WAYS_AT, COUNTS_AT = TYPES_MAX, 2 * TYPES_MAX, 3 * TYPES_MAX, 4 * TYPES_MAX
SHOWDOWN_WORK = WORK_SIZE = COUNTS_AT + 5  # more than a pack of cards


def count_showdowns(cards: Sequence[int], work: MutableSequence[int]) -> tuple[int, int, int, int, int]:
    """Return how many of the 990 hands that the dealer may hold lose to the player, tie and win.

    After those three come how many of the losing and of the winning ones are less than a pair.

    Only one suit can make a flush, if any can: that of which the board has three. Cards of the others are alike but for
    their rank, so the dealer's cards are of few types, and two types stand for as many hands as there are ways to take
    them.
    """
    board, seen = hand_bits(cards, HOLE_KNOWN, BOARD_KNOWN), hand_bits(cards, 0, BOARD_KNOWN)
    player = rank_hand(seen)
    for place in range(COUNTS_AT, COUNTS_AT + 5):
        work[place] = 0
    types = _dealer_types(cards, seen, work)
    for one in range(types):
        ways = work[WAYS_AT + one]
        if ways > 1:
            _count(rank_hand(board | work[one] | work[OTHER_AT + one]), player, ways * (ways - 1) // 2, work)
        for other in range(one):
            ways = work[WAYS_AT + one] * work[WAYS_AT + other]
            if work[FLUSH_AT + one] > 0 and work[FLUSH_AT + other] > 0:
                _count(rank_hand(board | work[FLUSH_AT + one] | work[FLUSH_AT + other]), player, 1, work)
                ways -= 1
            if ways > 0:
                _count(rank_hand(board | work[one] | work[other]), player, ways, work)
    won, tied, lost = work[COUNTS_AT], work[COUNTS_AT + 1], work[COUNTS_AT + 2]
    return won, tied, lost, work[COUNTS_AT + 3], work[COUNTS_AT + 4]


def _count(dealer: int, player: int, ways: int, work: MutableSequence[int]) -> None:
    place = 0 if player > dealer else 1 if player == dealer else 2
    work[COUNTS_AT + place] += ways
    if category(dealer) < PAIR and place != 1:
        work[COUNTS_AT + 3 + place // 2] += ways


def _dealer_types(cards: Sequence[int], seen: int, work: MutableSequence[int]) -> int:
    """Write the types of cards that are not `seen`, and return how many there are.

    With three cards of a suit on the board it takes two more for a flush: a single one is like any other of its rank,
    and is remembered for the two together. With four or five there each card of the suit is a type of its own.
    """
    flush_suit, on_board = -1, 0
    for suit in range(4):
        count = 0
        for place in range(HOLE_KNOWN, BOARD_KNOWN):
            if cards[place] // 13 == suit:
                count += 1
        if count >= 3:
            flush_suit, on_board = suit, count
    types = 0
    for rank in range(13):
        first, second, ways, flush = 0, 0, 0, 0
        for suit in range(4):
            bit = card_bit(13 * suit + rank)
            if seen & bit:
                continue
            if suit == flush_suit:
                flush = bit
            else:
                first, second = bit, first
                ways += 1
        if flush > 0 and on_board == 3:
            if ways == 0:
                first = flush
            else:
                second = flush
            ways += 1
        if ways > 0:
            work[types] = first
            work[OTHER_AT + types] = second
            work[FLUSH_AT + types] = flush if on_board == 3 else 0
            work[WAYS_AT + types] = ways
            types += 1
        if flush > 0 and on_board > 3:
            work[types] = flush
            work[FLUSH_AT + types] = 0
            work[WAYS_AT + types] = 1
            types += 1
    return types


def river_profit(cards: Sequence[int], multiple: int, needs_pair: bool, work: MutableSequence[int]) -> int:
    """Return what a Play bet of `multiple` comes to over the 990 hands of the dealer, in halves of the Ante."""
    won, tied, lost, won_unqualified, lost_unqualified = count_showdowns(cards, work)
    hand = category(player_rank(cards))
    return showdown_profit(multiple, needs_pair, hand, won, tied, lost, won_unqualified, lost_unqualified)


def showdown_profit(
    multiple: int,
    needs_pair: bool,
    hand: int,
    won: int,
    tied: int,
    lost: int,
    won_unqualified: int,
    lost_unqualified: int,
) -> int:
    """Return what a Play bet comes to over showdowns counted as in `count_showdowns`, in halves of the Ante."""
    if not needs_pair:
        won_unqualified = lost_unqualified = 0
    counts = (0, lost - lost_unqualified, lost_unqualified, tied, won_unqualified, won - won_unqualified)
    profit = 0
    for ending in range(LOST, WON + 1):
        profit += counts[ending] * round_profit(2, multiple, ending, hand)
    return profit


def fold_profit() -> int:
    """Return what folding comes to, as `river_profit` counts it."""
    return SHOWDOWN_COUNT * round_profit(2, 0, FOLDED, 0)


# Policies.

BEST, SIMPLE = 0, 1

# What policies go by stands behind the other options: the policy; what to bet before the flop for each of 169 kinds of
# hole cards; and for the best policy one bit for each way to hold two cards against each flop, in words of 32 bits.
POLICY_AT, PREFLOP_AT = 5, 6
HOLE_CLASSES = 169
FLOP_AT = PREFLOP_AT + HOLE_CLASSES
FLOP_PLACES = FLOP_CLASSES * HOLDINGS
WORD_BITS = 32
FLOP_WORDS = (FLOP_PLACES + WORD_BITS - 1) // WORD_BITS


def choose(hand: Sequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Return what a policy decides, by options laid out as above."""
    phase, is_simple = hand[PHASE], options[POLICY_AT] == SIMPLE
    if phase == PREFLOP_PHASE:
        multiple = options[PREFLOP_AT + hole_class(hand[0], hand[1])]
        return multiple if multiple > 0 else CHECK
    if phase == FLOP_PHASE:
        if is_simple:
            raises = simple_flop(hand)
        else:
            place = flop_place(hand)
            raises = options[FLOP_AT + place // WORD_BITS] >> place % WORD_BITS & 1 == 1
        return 2 if raises else CHECK
    if phase == RIVER_PHASE:
        if is_simple:
            raises = simple_river(hand)
        else:
            raises = river_profit(hand, 1, options[NEEDS_PAIR_AT] == 1, work) > fold_profit()
        return 1 if raises else FOLD
    return REVEAL


def hole_class(first: int, second: int) -> int:
    """Return which of the 169 kinds of hole cards two cards are: the place in a square of ranks, twos first.

    Row and column are the higher and the lower rank where the cards are suited, and the other way round where not.

    >>> hole_class(0, 13), hole_class(0, 12), hole_class(25, 0)  # aces; ace and king suited; not suited
    (168, 167, 155)
    """
    one, other = rank_high(first) - 2, rank_high(second) - 2
    if (one < other) == (first // 13 == second // 13):
        return 13 * other + one
    return 13 * one + other


def simple_preflop(first: int, second: int) -> bool:
    """Tell whether the simple policy raises before the flop.

    It does with a pair of threes or better, any ace, a king with a five (suited: with anything), a queen with an eight
    (suited: with a six), and a jack with a ten (suited: with an eight).
    """
    high, low = max(rank_high(first), rank_high(second)), min(rank_high(first), rank_high(second))
    if high == low:
        return high >= 3
    suited = first // 13 == second // 13
    if high == 14:
        return True
    if high == 13:
        return suited or low >= 5
    if high == 12:
        return low >= (6 if suited else 8)
    if high == 11:
        return low >= (8 if suited else 10)
    return False


def simple_flop(cards: Sequence[int]) -> bool:
    """Tell whether the simple policy raises on the flop.

    It does with a hand of a better kind than the flop alone, unless that is a pair of deuces in the hole; and with four
    to a flush of which a hole card is a ten or better.
    """
    hand = category(rank_hand(hand_bits(cards, 0, FLOP_KNOWN)))
    if hand > _flop_category(cards):
        return hand != PAIR or rank_high(cards[0]) != 2 or rank_high(cards[1]) != 2
    for place in range(HOLE_KNOWN):
        count = 0
        for other in range(FLOP_KNOWN):
            if cards[other] // 13 == cards[place] // 13:
                count += 1
        if count == 4 and rank_high(cards[place]) >= 10:
            return True
    return False


def _flop_category(cards: Sequence[int]) -> int:
    """Return what the three cards of the flop are: three of a kind, a pair or nothing."""
    one, two, three = rank0(cards[2]), rank0(cards[3]), rank0(cards[4])
    equal = (one == two) + (one == three) + (two == three)
    if equal == 3:
        return TRIPS
    return PAIR if equal == 1 else 0


def simple_river(cards: Sequence[int]) -> bool:
    """Tell whether the simple policy bets at the river.

    It does with a hand of a better kind than the board alone, or if fewer than 21 cards would beat it: cards that with
    the board make a better hand, whatever else the dealer holds.
    """
    board, seen = hand_bits(cards, HOLE_KNOWN, BOARD_KNOWN), hand_bits(cards, 0, BOARD_KNOWN)
    player = rank_hand(seen)
    outs = 0
    for card in range(52):
        bit = card_bit(card)
        if not seen & bit and rank_hand(board | bit) > player:
            outs += 1
    return bets_with_outs(player, rank_hand(board), outs)


def bets_with_outs(player: int, board: int, outs: int) -> bool:
    """Tell what `simple_river` decides, by the player's rank, that of the board alone, and how many cards beat it."""
    return category(player) > category(board) or outs < 21
