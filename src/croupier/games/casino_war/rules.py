"""The rules of casino war in numbers: one card each, ace high, the higher wins even money.

Player and dealer get a card each from six decks. Equal ranks leave the player a choice: give up half the main bet,
or raise by as much again and go to war. War burns three cards and deals one more each; the player wins with an
equal or higher rank, and a second tie pays a bonus where the table offers it. The tie bet is on equal first cards.

Everything here is in the numeric subset and trusts its arguments. Sections refer to the casino war sheet.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, draw_card
from croupier.kit.cards import rank0, rank_high
from croupier.kit.lit import draw_unlit, lit_place

DECKS = 6
PACK_SIZE = 52 * DECKS
WAR_PACK_SIZE = PACK_SIZE - 2
BURN_COUNT = 3

MAIN, RAISE, TIE = 0, 1, 2

# How a round stands. What comes after a tie is above it.
DEAL_LOST, DEAL_WON, DEAL_TIED, SURRENDERED, WAR_LOST, WAR_WON, WAR_TIED = 0, 1, 2, 3, 4, 5, 6

MARKED_COUNT = 3  # ranks that super mode marks (casino-core, section 7.1)
BOOST_MARKED, BOOST_MARKED_WAR = 2, 4  # casino-core, section 7.5

# Compiled integers wrap silently: one stake on each of the three bets returns no more than 19 stakes (the sum of
# `return_max` in super mode), and those must fit 63 bits.
STAKE_MAX = (2**63 - 1) // 19


def fill_pack(pack: MutableSequence[int]) -> int:
    """Write the sorted pack of six decks, equal cards adjacent, and return its size."""
    for place in range(PACK_SIZE):
        pack[place] = place // DECKS
    return PACK_SIZE


def fill_war_pack(pack: MutableSequence[int], player_card: int, dealer_card: int) -> int:
    """Write the sorted pack without the two cards that tied, and return its size."""
    size = 0
    for card in range(52):
        copies = DECKS - (card == player_card) - (card == dealer_card)
        for _ in range(copies):
            pack[size] = card
            size += 1
    return size


def deal(stream: Stream, pack: MutableSequence[int], count: int) -> tuple[int, int]:
    """Draw the player's card, then the dealer's, from the first `count` cards of `pack`."""
    player_card = draw_card(stream, pack, count)
    dealer_card = draw_card(stream, pack, count - 1)
    return player_card, dealer_card


def deal_war(stream: Stream, pack: MutableSequence[int], count: int) -> tuple[int, int]:
    """Burn three cards, then draw the player's war card and the dealer's."""
    for burned in range(BURN_COUNT):
        draw_card(stream, pack, count - burned)
    return deal(stream, pack, count - BURN_COUNT)


def compare(player_card: int, dealer_card: int) -> int:
    """Return how the deal ends: `DEAL_WON`, `DEAL_LOST` or `DEAL_TIED`. Suits never matter.

    >>> compare(13, 12) == DEAL_WON  # an ace beats a king
    True
    """
    player_rank = rank_high(player_card)
    dealer_rank = rank_high(dealer_card)
    if player_rank > dealer_rank:
        return DEAL_WON
    if player_rank < dealer_rank:
        return DEAL_LOST
    return DEAL_TIED


def compare_war(player_card: int, dealer_card: int) -> int:
    """Return how the war ends: `WAR_WON`, `WAR_LOST` or `WAR_TIED`."""
    return compare(player_card, dealer_card) + WAR_LOST


def bet_return(kind: int, stake: int, found: int, tie_pays: int, second_tie_bonus: bool) -> int:
    """Return the chips handed back for one bet: stake and profit, the stake, a part of it, or nothing.

    After a tie only the tie bet is settled; the main bet waits for surrender or war. In a war that is won the main
    bet pushes and the raise pays 1 to 1, with the bonus of a second tie 2 to 1.

    >>> bet_return(MAIN, 101, SURRENDERED, 10, True), bet_return(MAIN, 1, SURRENDERED, 10, True)
    (50, 1)
    >>> bet_return(RAISE, 100, WAR_TIED, 10, True), bet_return(TIE, 10, WAR_LOST, 10, True)
    (300, 110)
    """
    if kind == TIE:
        return stake + stake * tie_pays if found >= DEAL_TIED else 0
    if kind == RAISE:
        if found == WAR_TIED and second_tie_bonus:
            return 3 * stake
        return 2 * stake if found >= WAR_WON else 0
    if found == DEAL_WON:
        return 2 * stake
    if found == SURRENDERED:
        return max(stake // 2, 1)  # half a chip is rounded up only where nothing else would be left
    return stake if found >= WAR_WON else 0


def return_max(kind: int, stake: int, tie_pays: int, second_tie_bonus: bool, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay.

    >>> [return_max(kind, 10, 10, True, False) for kind in (MAIN, RAISE, TIE)]
    [20, 30, 110]
    """
    if kind == TIE:
        return stake + stake * tie_pays
    if kind == RAISE:
        return 3 * stake if second_tie_bonus else 2 * stake
    return BOOST_MARKED_WAR * stake if is_super else 2 * stake


# Super mode.


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Mark three ranks (ace 0, king 12): write them in the order drawn, with multiplier 1, and return how many.

    A rank is one byte modulo 13, drawn again while it is marked already, so ranks 9 to 12 (ten to king) are marked
    a little less often: the published streams are made that way. What a mark is worth is up to `boost_of`.
    """
    for index in range(MARKED_COUNT):
        ids[index] = draw_unlit(stream, 0, 13, ids, index)
        multipliers[index] = 1
    return MARKED_COUNT


def boost_of(found: int, first_card: int, last_card: int, ids: Sequence[int], count: int) -> int:
    """Return the boost of a main bet that won, from the player's first card and the one that decided.

    A war won after a tie on a marked rank boosts by 4; any other win with a marked card, the war card in a war, by
    2. On the deal both cards are the same one.
    """
    if found > DEAL_TIED and lit_place(rank0(first_card), ids, count) >= 0:
        return BOOST_MARKED_WAR
    if lit_place(rank0(last_card), ids, count) >= 0:
        return BOOST_MARKED
    return 1


def super_main_return(stake: int, found: int, boost: int) -> int:
    """Return the chips handed back for the main bet in super mode: the one stake that a win pays, times its boost.

    A won war pays that stake on the raise, and it stays there; the boost comes on top here, where its fee was
    paid. The bonus of a second tie is not boosted, and the raise and the tie bet are as without super mode.

    >>> super_main_return(100, DEAL_WON, 2), super_main_return(100, WAR_WON, 4), super_main_return(100, WAR_LOST, 4)
    (300, 400, 0)
    """
    returned = bet_return(MAIN, stake, found, 0, False)
    if found == DEAL_WON or found >= WAR_WON:
        return returned + stake * (boost - 1)
    return returned
