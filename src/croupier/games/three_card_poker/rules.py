"""The rules of three card poker in numbers: which hand wins, and what every bet brings back.

Three cards each. The player, who has an Ante on the table, folds or plays for as much again; the dealer must then
qualify. Side bets are on the player's own cards (Pair Plus, Progressive) and on the best five of all six (Six-Card).

Everything here is in the numeric subset and trusts its arguments. Hands
are ranked by `croupier.kit.poker`.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.kit.cards import draw_until, suit
from croupier.kit.lit import lit_place, mark
from croupier.kit.poker import THREE_STRAIGHT, THREE_STRAIGHT_FLUSH, rank3, rank6
from croupier.rounds import DONE, PHASE

HAND_SIZE = 3
HAND_COUNT = 22_100
DEALER_HAND_COUNT = 18_424

WORK_SIZE = 52

ANTE, PLAY, PAIR_PLUS, SIX_CARD, PROGRESSIVE = range(5)
RAISED_BET = PLAY
DEAL_MOVE = 1

# What may be decided, and the phases that wait for it: fold or raise with the cards in hand, reveal after a raise.
FOLD, RAISE, REVEAL = 1, 2, 3
DECIDE_PHASE, REVEAL_PHASE = 1, 2
# The hand: the cards of both, how the round ended; and behind the phase the rank of the player's.
PLAYER, DEALER, ENDING, RANK = 0, HAND_SIZE, 2 * HAND_SIZE, PHASE + 1
# The options: the lowest hand that the dealer qualifies with; for a policy, the words of the hands that it plays.
QUALIFIER, POLICY = 1, 2

# How a round ended.
FOLDED, NOT_QUALIFIED, WON, TIED, LOST = range(5)

# The lowest rank that the dealer qualifies with (rules.md, Options): any queen, or queen, six and four.
QUEEN, QUEEN_SIX_FOUR = 0, 1
LOWEST_QUALIFYING = (0xC0000, 0xC6400)

# By the player's category: high card, pair, flush, straight, three of a kind, straight flush.
ANTE_BONUS = (0, 0, 0, 1, 4, 5)
PAIR_PLUS_TO_1 = (0, 1, 3, 6, 30, 40)
PROGRESSIVE_FOR_1 = (0, 0, 0, 6, 60, 70)
# The straight flush A-K-Q in spades, hearts, diamonds, clubs.
ROYAL_TOP = 14
PROGRESSIVE_ROYAL_FOR_1 = (10_000, 500, 500, 500)
PROGRESSIVE_STAKE = 1

# By the category of the best five of six, high card to royal flush (rules.md, Side bets).
SIX_CARD_TO_1 = (0, 0, 0, 7, 10, 15, 20, 100, 200, 1000)

MARKED_COUNT = 2  # suits that super mode marks (rules.md, Super mode)
BOOST_STRAIGHT_FLUSH, BOOST_FLUSH, BOOST_STRAIGHT, BOOST_TWO = 15, 4, 3, 2
# A boost of m multiplies the Ante's profit by 1 + (m - 1) * 2/5. Antes are multiples of 5: nothing is ever rounded.
BOOST_NUMERATOR, BOOST_DENOMINATOR = 2, 5

# Compiled integers wrap silently: one stake on each bet returns no more than this many stakes (the sum of `return_max`
# in super mode) and the Progressive's 10,000, and those must fit 63 bits.
STAKE_MAX = (2**63 - 1 - 10_000) // 1085


def qualifies(dealer_rank: int, qualifier: int) -> bool:
    """Tell whether the dealer's hand is good enough to play.

    >>> qualifies(0xC3200, QUEEN), qualifies(0xC3200, QUEEN_SIX_FOUR), qualifies(0xC6400, QUEEN_SIX_FOUR)
    (True, False, True)
    """
    return dealer_rank >= LOWEST_QUALIFYING[qualifier]


def outcome(player_rank: int, dealer_rank: int, qualifier: int) -> int:
    """Return how a round ends that was played: `NOT_QUALIFIED`, `WON`, `TIED` or `LOST`."""
    if not qualifies(dealer_rank, qualifier):
        return NOT_QUALIFIED
    if player_rank > dealer_rank:
        return WON
    if player_rank < dealer_rank:
        return LOST
    return TIED


# The round: three cards, fold or raise, and the dealer's three.


def deal(stream: Stream, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Deal the player's cards, and return what comes next."""
    draw_until(stream, hand, PLAYER, DEALER, work)
    return DECIDE_PHASE


def is_legal(choice: int, hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether a decision may be made."""
    if hand[PHASE] == DECIDE_PHASE:
        return choice == FOLD or choice == RAISE
    return hand[PHASE] == REVEAL_PHASE and choice == REVEAL


def cost(choice: int) -> int:
    """Return how many Antes a decision stakes: a raise as much again."""
    return 1 if choice == RAISE else 0


def draws(choice: int) -> bool:
    """Tell whether a decision draws cards: a raise waits for the reveal."""
    return choice != RAISE


def take(
    stream: Stream, choice: int, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]
) -> int:
    """Raise; or draw the dealer's cards, after a fold too, for the side bets. Return what comes next."""
    if choice == RAISE:
        return REVEAL_PHASE
    draw_until(stream, hand, DEALER, ENDING, work)
    hand[RANK] = rank3(hand[0], hand[1], hand[2])
    dealer_rank = rank3(hand[3], hand[4], hand[5])
    hand[ENDING] = FOLDED if choice == FOLD else outcome(hand[RANK], dealer_rank, options[QUALIFIER])
    return DONE


def choose(hand: Sequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Return what a policy decides."""
    if hand[PHASE] == REVEAL_PHASE:
        return REVEAL
    return RAISE if is_played(options, POLICY, hand[PLAYER], hand[PLAYER + 1], hand[PLAYER + 2]) else FOLD


def settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for one bet, once the round is over."""
    six_rank = 0
    if kind == SIX_CARD:
        six_rank = rank6(hand[0], hand[1], hand[2], hand[3], hand[4], hand[5])
    return bet_return(kind, stake, hand[ENDING], hand[RANK], suit(hand[PLAYER]), six_rank)


def bet_return(kind: int, stake: int, found: int, player_rank: int, player_suit: int, six_rank: int) -> int:
    """Return the chips handed back for one bet: stake and profit, the stake, the bonus, or nothing.

    Side bets do not ask how the round ended. `player_suit` is the suit of any of the player's cards: it matters where
    all three share it. `six_rank` is the rank of all six cards, and matters to the Six-Card bet alone.

    >>> bet_return(ANTE, 100, WON, THREE_STRAIGHT << 20, 0, 0), bet_return(PLAY, 100, NOT_QUALIFIED, 0, 0, 0)
    (300, 100)
    >>> bet_return(PROGRESSIVE, 1, FOLDED, 0x5E0000, 0, 0), bet_return(PROGRESSIVE, 1, FOLDED, 0x5E0000, 1, 0)
    (10000, 500)
    """
    category = player_rank >> 20
    if kind == ANTE:
        return _ante_return(stake, found, category)
    if kind == PLAY:
        if found == WON:
            return 2 * stake
        return 0 if found == LOST else stake
    if kind == PAIR_PLUS:
        return _paid(stake, PAIR_PLUS_TO_1[category])
    if kind == SIX_CARD:
        return _paid(stake, SIX_CARD_TO_1[six_rank >> 20])
    if category == THREE_STRAIGHT_FLUSH and player_rank >> 16 & 15 == ROYAL_TOP:
        return stake * PROGRESSIVE_ROYAL_FOR_1[player_suit]
    return stake * PROGRESSIVE_FOR_1[category]


def _ante_return(stake: int, found: int, category: int) -> int:
    if found == FOLDED:
        return 0
    bonus = stake * ANTE_BONUS[category]
    if found == LOST:
        return bonus
    if found == TIED:
        return stake + bonus
    return 2 * stake + bonus


def _paid(stake: int, to_1: int) -> int:
    return stake + stake * to_1 if to_1 > 0 else 0


def return_max(kind: int, stake: int, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay.

    >>> [return_max(kind, 10, False) for kind in (ANTE, PLAY, PAIR_PLUS, SIX_CARD)], return_max(PROGRESSIVE, 1, False)
    ([70, 20, 410, 10010], 10000)
    >>> return_max(ANTE, 10, True)
    406
    """
    if kind == ANTE:
        profit = stake + stake * ANTE_BONUS[THREE_STRAIGHT_FLUSH]
        if is_super:
            return stake + profit + _boosted(profit, BOOST_STRAIGHT_FLUSH)
        return stake + profit
    if kind == PLAY:
        return 2 * stake
    if kind == PAIR_PLUS:
        return stake + stake * PAIR_PLUS_TO_1[THREE_STRAIGHT_FLUSH]
    if kind == SIX_CARD:
        return stake + stake * SIX_CARD_TO_1[9]
    return stake * PROGRESSIVE_ROYAL_FOR_1[0]


# Policies. A policy is the set of hands that are played: one bit a hand, fifty hands a word.

HANDS_PER_WORD = 50
POLICY_WORDS = HAND_COUNT // HANDS_PER_WORD


def hand_number(a: int, b: int, c: int) -> int:
    """Return the number of a hand, 0 to 22,099, in whatever order its cards come.

    >>> hand_number(2, 0, 1), hand_number(51, 50, 49)
    (0, 22099)
    """
    low, middle, high = min(a, min(b, c)), max(min(a, b), min(max(a, b), c)), max(a, max(b, c))
    return low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6


def is_played(words: Sequence[int], first: int, a: int, b: int, c: int) -> bool:
    """Tell whether the policy in `words`, from place `first` on, plays the hand rather than fold it."""
    number = hand_number(a, b, c)
    return words[first + number // HANDS_PER_WORD] >> number % HANDS_PER_WORD & 1 == 1


# Super mode.


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Mark two suits: all pairs of suits are equally likely. What a mark is worth is up to `boost_of`."""
    return mark(stream, 4, MARKED_COUNT, ids, multipliers)


def is_eligible(kind: int, number: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee: the Ante."""
    return kind == ANTE


def boost(
    kind: int, number: int, hand: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the boost of an Ante that wins; 1 for any other."""
    if _ante_return(1, hand[ENDING], hand[RANK] >> 20) <= 1:
        return 1
    return boost_of(ids, count, hand[RANK], hand[PLAYER], hand[PLAYER + 1], hand[PLAYER + 2])


def super_settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int], times: int) -> int:
    """Return the chips handed back for the Ante in super mode."""
    return super_ante_return(stake, hand[ENDING], hand[RANK], times)


def boost_of(ids: Sequence[int], count: int, player_rank: int, a: int, b: int, c: int) -> int:
    """Return the boost of the Ante, from how many of the player's cards share one marked suit.

    Three make a flush, which is boosted by 4 and a straight flush by 15; two are worth 3 in a straight, else 2.

    >>> boost_of((3, 0), 2, THREE_STRAIGHT_FLUSH << 20, 0, 11, 12), boost_of((3, 0), 2, 0, 0, 13, 15)
    (15, 1)
    """
    category = player_rank >> 20
    most = 0
    for card in (a, b, c):
        if lit_place(suit(card), ids, count) >= 0:
            same = (suit(a) == suit(card)) + (suit(b) == suit(card)) + (suit(c) == suit(card))
            most = max(most, same)
    if most == 3:
        return BOOST_STRAIGHT_FLUSH if category == THREE_STRAIGHT_FLUSH else BOOST_FLUSH
    if most == 2:
        return BOOST_STRAIGHT if category == THREE_STRAIGHT else BOOST_TWO
    return 1


def super_ante_return(stake: int, found: int, player_rank: int, boost: int) -> int:
    """Return the chips handed back for the Ante in super mode: its profit, bonus included, is boosted.

    An Ante that pushes or loses is as ever; so is one that the bonus of a beaten straight just brings back.

    >>> [super_ante_return(100, found, 0, 2) for found in (WON, TIED, LOST)]
    [240, 100, 0]
    """
    returned = _ante_return(stake, found, player_rank >> 20)
    if returned > stake:
        return returned + _boosted(returned - stake, boost)
    return returned


def _boosted(profit: int, boost: int) -> int:
    return profit * (boost - 1) * BOOST_NUMERATOR // BOOST_DENOMINATOR
