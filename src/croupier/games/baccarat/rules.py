"""The rules of baccarat in numbers: two hands, a fixed drawing table, ten bets.

Player and Banker are hands, not people. Each gets two cards from eight decks; the table says who draws a third.
Aces count 1, tens and courts 0, and a hand is worth the last digit of its sum. The higher total wins, and a tie
pushes the two main bets. Nobody chooses anything once the bets are down.

A round is six slots in the order of the draw: player 1, player 2, banker 1, banker 2, player 3, banker 3, with
`NO_CARD` where none was drawn. Everything here is in the numeric subset and trusts its arguments.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded_u32
from croupier.kit.cards import rank0
from croupier.kit.lit import draw_unlit, lit_place

DECKS = 8
PACK_SIZE = 52 * DECKS
SLOTS = FIND_SIZE = 6
FIND_COUNT = 9 * 2 * 2 * 10 * 10
NO_CARD = -1
VALUES = 0x0000987654321  # by rank, the ace last: read without a branch, which nothing could foresee

# The bets (rules.md, Bets). The first three are the ones super mode boosts.
PLAYER, BANKER, TIE, PLAYER_PAIR, BANKER_PAIR = 0, 1, 2, 3, 4
LUCKY_SIX, PLAYER_DRAGON, BANKER_DRAGON, PANDA_EIGHT, PERFECT_PAIR = 5, 6, 7, 8, 9

LUCKY_SIX_PAYS = (12, 23)  # with two cards, with three
DRAGON_PAYS = (-1, -1, -1, -1, 1, 2, 4, 6, 10, 30)  # by the gap; -1 is a lost stake
PANDA_EIGHT_PAYS = 25
PERFECT_PAIR_PAYS = (25, 250)  # one hand, both hands

# What `pair_bits` may find, added up.
PLAYER_HAS_PAIR, BANKER_HAS_PAIR, PLAYER_HAS_PERFECT, BANKER_HAS_PERFECT = 1, 2, 4, 8

# Super mode (rules.md, Super mode). Chances are out of 10000.
LIT_MIN, LIT_MAX = 3, 5
LIT_COUNT_LIMITS = (6000, 9000, 10000)  # 3, 4 or 5 lit cards
MULTIPLIERS = (2, 3, 4, 5, 8)
MULTIPLIER_LIMITS = (4500, 8000, 9500, 9900, 10000)
BOOST_MAX = 512
SUPER_TIE_PAYS = 6

# Compiled integers wrap silently: one stake on each of the ten bets returns no more than 4,488 stakes (the sum of
# `return_max` in super mode), and those must fit 63 bits.
STAKE_MAX = (2**63 - 1) // 4488


def card_at(place: int, taken: tuple[int, ...]) -> int:
    """Return the card at a place of the sorted pack of eight decks from which those at `taken` were drawn, in order.

    Equal cards are adjacent in it, and a draw fills the place it took from with the last card (`draw_card`). No pack is
    written: what lies at a place is known from the draws, looked at backwards.

    >>> card_at(7, (0,)), card_at(0, (0,)), card_at(0, (415, 0))
    (0, 51, 51)
    """
    for drawn in range(len(taken) - 1, -1, -1):
        if taken[drawn] == place:
            place = PACK_SIZE - 1 - drawn
    return place // DECKS


def card_value(card: int) -> int:
    """Return what a card counts: ace 1, two to nine as printed, tens and courts 0, and so does `NO_CARD`.

    >>> card_value(0), card_value(8), card_value(9), card_value(25), card_value(NO_CARD)
    (1, 9, 0, 0, 0)
    """
    return VALUES >> 4 * _rank(card) & 15


def _rank(card: int) -> int:
    return rank0(card & 63)  # of a few bits, a remainder takes few instructions; `NO_CARD` becomes a queen


def is_natural(total: int) -> bool:
    """Tell whether a two-card total ends the round: 8 or 9."""
    return total >= 8


def player_draws(player_total: int, banker_total: int) -> bool:
    """Tell whether Player takes a third card, from the two-card totals."""
    return (player_total <= 5) & (not is_natural(banker_total))


def banker_draws(player_total: int, banker_total: int, player_third: int) -> bool:
    """Tell whether Banker takes a third card, from the two-card totals and the value of Player's third card.

    `player_third` is a value from 0 to 9, or `NO_CARD` if Player stood.

    >>> banker_draws(0, 3, 8), banker_draws(0, 3, 9), banker_draws(6, 5, NO_CARD)
    (False, True, True)
    """
    third = 4 if player_third == NO_CARD else player_third  # who stood is met like a 4: Banker draws to 5 or less
    # 3 draws to all but an 8, 4 to 2-7, 5 to 4-7, 6 to 6-7, and 7 would need 8-7: it stands.
    by_range = (2 * banker_total - 6 <= third) & (third <= 7)
    return (not is_natural(player_total)) & ((banker_total <= 2) | (banker_total == 3) & (third == 9) | by_range)


# The round: deal the six slots, settle. The options of its steps are what Tie and the pairs pay; a bet has no number.


def draw(stream: Stream, find: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> None:
    """Deal a round from eight sorted decks into the six slots."""
    a = bounded_u32(stream, PACK_SIZE)
    b = bounded_u32(stream, PACK_SIZE - 1)
    c = bounded_u32(stream, PACK_SIZE - 2)
    d = bounded_u32(stream, PACK_SIZE - 3)
    find[0] = a // DECKS
    find[1] = card_at(b, (a,))
    find[2] = card_at(c, (a, b))
    find[3] = card_at(d, (a, b, c))
    find[4] = NO_CARD
    find[5] = NO_CARD
    player_total = (card_value(find[0]) + card_value(find[1])) % 10
    banker_total = (card_value(find[2]) + card_value(find[3])) % 10
    if player_draws(player_total, banker_total):
        e = bounded_u32(stream, PACK_SIZE - 4)
        find[4] = card_at(e, (a, b, c, d))
        if banker_draws(player_total, banker_total, card_value(find[4])):
            find[5] = card_at(bounded_u32(stream, PACK_SIZE - 5), (a, b, c, d, e))
    elif banker_draws(player_total, banker_total, NO_CARD):
        find[5] = card_at(bounded_u32(stream, PACK_SIZE - 4), (a, b, c, d))


def settle(kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for one bet."""
    return bet_return(kind, stake, outcome(find), options[0], options[1])


def find_number(find: Sequence[int]) -> int:
    """Return a number below `FIND_COUNT` for the outcome of the round that was dealt."""
    player_total, banker_total, player_count, banker_count, bits = outcome(find)
    # A hand began with no pair, a pair, or a perfect one.
    pairs = 3 * ((bits & 1) + (bits >> 2 & 1)) + (bits >> 1 & 1) + (bits >> 3)
    return (((pairs * 2 + player_count - 2) * 2 + banker_count - 2) * 10 + player_total) * 10 + banker_total


def third_slot(cards: Sequence[int], last: int) -> int:
    """Return the slot of the next third card, after the card in slot `last`: 4, 5, or `SLOTS` where nobody draws.

    >>> third_slot((0, 1, 2, 3, NO_CARD, NO_CARD), 3), third_slot((7, 9, 3, 4, NO_CARD, NO_CARD), 3)
    (4, 6)
    """
    player_total = (card_value(cards[0]) + card_value(cards[1])) % 10
    banker_total = (card_value(cards[2]) + card_value(cards[3])) % 10
    player_third = NO_CARD if cards[4] == NO_CARD else card_value(cards[4])
    if last < 4 and player_draws(player_total, banker_total):
        return 4
    if last < 5 and banker_draws(player_total, banker_total, player_third):
        return 5
    return SLOTS


def outcome(cards: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Return all that bets ask of a round: player total, banker total, player cards, banker cards, `pair_bits`.

    >>> outcome((45, 28, 11, 18, 41, NO_CARD))
    (3, 6, 3, 2, 0)
    """
    player_total = (card_value(cards[0]) + card_value(cards[1]) + card_value(cards[4])) % 10
    banker_total = (card_value(cards[2]) + card_value(cards[3]) + card_value(cards[5])) % 10
    return player_total, banker_total, 2 + (cards[4] != NO_CARD), 2 + (cards[5] != NO_CARD), pair_bits(cards)


def pair_bits(cards: Sequence[int]) -> int:
    """Return which hands began with two cards of one rank, and which of those with two identical cards.

    >>> pair_bits((25, 25, 38, 12, 0, NO_CARD)) == PLAYER_HAS_PAIR + PLAYER_HAS_PERFECT + BANKER_HAS_PAIR
    True
    """
    bits = 0
    if _rank(cards[0]) == _rank(cards[1]):
        bits += PLAYER_HAS_PAIR
    if _rank(cards[2]) == _rank(cards[3]):
        bits += BANKER_HAS_PAIR
    if cards[0] == cards[1]:
        bits += PLAYER_HAS_PERFECT
    if cards[2] == cards[3]:
        bits += BANKER_HAS_PERFECT
    return bits


def bet_return(kind: int, stake: int, found: tuple[int, int, int, int, int], tie_pays: int, pair_pays: int) -> int:
    """Return the chips handed back for one bet on the `outcome` found: stake and profit, the stake, or nothing.

    Banker that wins with six pays half, rounded down: nothing on a stake of one chip.

    >>> bet_return(BANKER, 101, (3, 6, 3, 2, 0), 9, 12), bet_return(BANKER, 1, (3, 6, 3, 2, 0), 9, 12)
    (151, 1)
    """
    if kind == BANKER and found[1] == 6 and found[0] < 6:
        return stake + stake // 2
    return stake + stake * profit_to_1(kind, found, tie_pays, pair_pays)


def profit_to_1(kind: int, found: tuple[int, int, int, int, int], tie_pays: int, pair_pays: int) -> int:
    """Return the profit a chip makes, 0 for a push, -1 for a loss; Banker is told without its half pay on six."""
    player_total, banker_total, player_count, banker_count, pairs = found
    if kind == PLAYER:
        return _sign(player_total - banker_total)
    if kind == BANKER:
        return _sign(banker_total - player_total)
    if kind == TIE:
        return tie_pays if player_total == banker_total else -1
    if kind == PLAYER_PAIR:
        return pair_pays if pairs & PLAYER_HAS_PAIR else -1
    if kind == BANKER_PAIR:
        return pair_pays if pairs & BANKER_HAS_PAIR else -1
    if kind == LUCKY_SIX:
        return LUCKY_SIX_PAYS[banker_count - 2] if banker_total == 6 and player_total < 6 else -1
    if kind == PLAYER_DRAGON:
        return _dragon(player_total, player_count, banker_total)
    if kind == BANKER_DRAGON:
        return _dragon(banker_total, banker_count, player_total)
    if kind == PANDA_EIGHT:
        return PANDA_EIGHT_PAYS if player_total == 8 and player_count == 3 and banker_total < 8 else -1
    perfect_pairs = pairs // PLAYER_HAS_PERFECT  # PERFECT_PAIR: 1 and 2 are one hand, 3 is both
    if perfect_pairs == 0:
        return -1
    return PERFECT_PAIR_PAYS[perfect_pairs // 3]


def _sign(gap: int) -> int:
    return (gap > 0) - (gap < 0)  # no branch: nothing could foresee which way it goes


def _dragon(own_total: int, own_count: int, other_total: int) -> int:
    gap = own_total - other_total
    natural = own_count == 2 and is_natural(own_total)
    if gap == 0 and natural:
        return 0  # a natural stops the deal, so the other hand has two cards: both are naturals
    if gap <= 0:
        return -1
    if natural:
        return 1
    return DRAGON_PAYS[gap]


def return_max(kind: int, stake: int, tie_pays: int, pair_pays: int, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay.

    >>> return_max(TIE, 10, 9, 12, False), return_max(TIE, 10, 9, 12, True), return_max(PERFECT_PAIR, 10, 9, 12, True)
    (100, 30730, 2510)
    """
    if is_super and is_eligible(kind, 0):
        pays = SUPER_TIE_PAYS if kind == TIE else 1
        return stake + stake * pays * BOOST_MAX
    if kind == PLAYER or kind == BANKER:
        return 2 * stake
    if kind == TIE:
        return stake + stake * tie_pays
    if kind == PLAYER_PAIR or kind == BANKER_PAIR:
        return stake + stake * pair_pays
    if kind == LUCKY_SIX:
        return stake + stake * LUCKY_SIX_PAYS[1]
    if kind == PANDA_EIGHT:
        return stake + stake * PANDA_EIGHT_PAYS
    if kind == PERFECT_PAIR:
        return stake + stake * PERFECT_PAIR_PAYS[1]
    return stake + stake * DRAGON_PAYS[9]


# Super mode.


def is_eligible(kind: int, number: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee: Player, Banker and Tie."""
    return kind <= TIE


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Light three to five cards: write them and their multipliers in the order drawn, and return how many.

    A card is one byte modulo 52, drawn again while it is lit already, so cards 48 to 51 are lit a little less
    often: the published streams are made that way.
    """
    count = _step(bounded_u32(stream, 10000), LIT_COUNT_LIMITS) + LIT_MIN
    for index in range(count):
        ids[index] = draw_unlit(stream, 0, 52, ids, index)
        multipliers[index] = MULTIPLIERS[_step(bounded_u32(stream, 10000), MULTIPLIER_LIMITS)]
    return count


def _step(chance: int, limits: Sequence[int]) -> int:
    step = 0
    while chance >= limits[step]:
        step += 1
    return step


def super_settle(kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int], times: int) -> int:
    """Return the chips handed back for an eligible bet in super mode, its profit times the boost."""
    return super_return(kind, stake, outcome(find), times, options[0], options[1])


def boost(
    kind: int, number: int, find: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the boost of a winning bet: the product of the lit cards among those that count for it, at most 512.

    Player and Banker count the cards of their own hand, Tie those of both. A lit card dealt twice counts twice.
    Other bets are not boosted.

    >>> [boost(kind, 0, (36, 27, 41, 51, 42, 51), (24, 27, 51), (3, 5, 2), 3) for kind in (PLAYER, TIE)]
    [5, 20]
    """
    times = 1
    if not is_eligible(kind, 0):
        return times
    for slot in range(SLOTS):
        is_banker = slot == 2 or slot == 3 or slot == 5
        if kind == TIE or (kind == BANKER) == is_banker:
            place = lit_place(find[slot], ids, count)
            if place >= 0:
                times *= multipliers[place]
    return min(times, BOOST_MAX)


def super_return(
    kind: int, stake: int, found: tuple[int, int, int, int, int], boost: int, tie_pays: int, pair_pays: int
) -> int:
    """Return the chips handed back in super mode: the profit of a winning Player, Banker or Tie, times its boost.

    Tie pays 6 to 1 before its boost; the half pay of a Banker six is rounded down before it. Pushes and the other
    bets are as without super mode.

    >>> super_return(BANKER, 5, (3, 6, 3, 2, 0), 3, 9, 12), super_return(TIE, 5, (6, 6, 2, 2, 0), 2, 9, 12)
    (11, 65)
    """
    if kind == TIE:
        tie_pays = SUPER_TIE_PAYS
    returned = bet_return(kind, stake, found, tie_pays, pair_pays)
    if not is_eligible(kind, 0) or returned <= stake:
        return returned
    return stake + (returned - stake) * boost
