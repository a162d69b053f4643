"""The rules of casino war in numbers: one card each, ace high, the higher wins even money.

Player and dealer get a card each from six decks. Equal ranks leave the player a choice: give up half the main bet,
or raise by as much again and go to war. War burns three cards and deals one more each; the player wins with an
equal or higher rank, and a second tie pays a bonus where the table offers it. The tie bet is on equal first cards.

Everything here is in the numeric subset and trusts its arguments.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded_usize, draw_card
from croupier.kit.cards import rank0, rank_high
from croupier.kit.lit import lit_place, mark
from croupier.rounds import DONE, EACH_BET, PHASE, STAYS

DECKS = 6
PACK_SIZE = 52 * DECKS
WAR_PACK_SIZE = PACK_SIZE - 2
BURN_COUNT = 3
WORK_SIZE = WAR_PACK_SIZE

MAIN, RAISE, TIE = 0, 1, 2
RAISED_BET = RAISE
DEAL_MOVE = EACH_BET

# What may be decided after a tie, the phase that waits for it, and the hand: first cards, war cards, how it stands.
WAR, SURRENDER = 1, 2
TIE_PHASE = 1
PLAYER_CARD, DEALER_CARD, WAR_PLAYER_CARD, WAR_DEALER_CARD, ENDING = range(5)
NO_CARD = -1
# The options: what the tie bet pays, whether a second tie pays a bonus; for a policy, what it answers to a tie.
TIE_PAYS, SECOND_TIE_BONUS, ANSWER = 1, 2, 3

# How a round stands. What comes after a tie is above it.
DEAL_LOST, DEAL_WON, DEAL_TIED, SURRENDERED, WAR_LOST, WAR_WON, WAR_TIED = 0, 1, 2, 3, 4, 5, 6

MARKED_COUNT = 3  # ranks that super mode marks (rules.md, Super mode)
BOOST_MARKED, BOOST_MARKED_WAR = 2, 4

# Compiled integers wrap silently: one stake on each of the three bets returns no more than 19 stakes (the sum of
# `return_max` in super mode), and those must fit 63 bits.
STAKE_MAX = (2**63 - 1) // 19


def fill_war_pack(pack: MutableSequence[int], player_card: int, dealer_card: int) -> int:
    """Write the sorted pack without the two cards that tied, and return its size."""
    size = 0
    for card in range(52):
        copies = DECKS - (card == player_card) - (card == dealer_card)
        for _ in range(copies):
            pack[size] = card
            size += 1
    return size


def draw_first(stream: Stream) -> tuple[int, int]:
    """Draw the player's card, then the dealer's, from six sorted decks, as `draw_card` would, without writing them.

    The first draw moves the last card of the pack to its own place.
    """
    player_place = bounded_usize(stream, PACK_SIZE)
    dealer_place = bounded_usize(stream, PACK_SIZE - 1)
    if dealer_place == player_place:
        dealer_place = PACK_SIZE - 1
    return player_place // DECKS, dealer_place // DECKS


def draw_war(stream: Stream, pack: MutableSequence[int], count: int) -> tuple[int, int]:
    """Burn three cards, then draw the player's war card and the dealer's."""
    for burned in range(BURN_COUNT):
        draw_card(stream, pack, count - burned)
    count -= BURN_COUNT
    player_card = draw_card(stream, pack, count)
    dealer_card = draw_card(stream, pack, count - 1)
    return player_card, dealer_card


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


# The round: deal, and after a tie go to war or surrender.


def deal(stream: Stream, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Deal one card each, and return what comes next."""
    player_card, dealer_card = draw_first(stream)
    return show(player_card, dealer_card, hand)


def show(player_card: int, dealer_card: int, hand: MutableSequence[int]) -> int:
    """Compare the first cards, and return what comes next.

    >>> hand = [0] * 5
    >>> show(13, 12, hand) == DONE, show(13, 0, hand) == TIE_PHASE
    (True, True)
    """
    hand[PLAYER_CARD] = player_card
    hand[DEALER_CARD] = dealer_card
    hand[WAR_PLAYER_CARD] = NO_CARD
    hand[WAR_DEALER_CARD] = NO_CARD
    hand[ENDING] = compare(player_card, dealer_card)
    return TIE_PHASE if hand[ENDING] == DEAL_TIED else DONE


def show_war(player_card: int, dealer_card: int, hand: MutableSequence[int]) -> int:
    """Compare the war cards, and return what comes next."""
    hand[WAR_PLAYER_CARD] = player_card
    hand[WAR_DEALER_CARD] = dealer_card
    hand[ENDING] = compare_war(player_card, dealer_card)
    return DONE


def is_legal(choice: int, hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether a decision may be made: either of them, where the first cards tied."""
    return hand[PHASE] == TIE_PHASE and (choice == WAR or choice == SURRENDER)


def cost(choice: int) -> int:
    """Return how many times the main bet a decision stakes: going to war as much again."""
    return 1 if choice == WAR else 0


def draws(choice: int) -> bool:
    """Tell whether a decision draws cards."""
    return choice == WAR


def take(
    stream: Stream, choice: int, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]
) -> int:
    """Surrender, or burn three cards and deal one more each; return what comes next."""
    if choice == SURRENDER:
        hand[ENDING] = SURRENDERED
        return DONE
    size = fill_war_pack(work, hand[PLAYER_CARD], hand[DEALER_CARD])
    player_card, dealer_card = draw_war(stream, work, size)
    return show_war(player_card, dealer_card, hand)


def choose(hand: Sequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Return what the policy answers to a tie: always the same."""
    return options[ANSWER]


def settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for one bet, or `STAYS` while a tie leaves it open.

    >>> settle(TIE, 0, 5, (13, 0, -1, -1, DEAL_TIED), (0, 10, 1)), settle(MAIN, 0, 5, (13, 0, -1, -1, DEAL_TIED), ())
    (55, -1)
    """
    if kind != TIE and hand[ENDING] == DEAL_TIED:
        return STAYS
    if kind == MAIN:  # no option changes it
        return bet_return(kind, stake, hand[ENDING], 0, False)
    return bet_return(kind, stake, hand[ENDING], options[TIE_PAYS], options[SECOND_TIE_BONUS] == 1)


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
    """Mark three ranks (ace 0, king 12), ten to king a little less often than others: 256 bytes do not divide by 13."""
    return mark(stream, 13, MARKED_COUNT, ids, multipliers)


def is_eligible(kind: int, number: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee: the main bet."""
    return kind == MAIN


def boost(
    kind: int, number: int, hand: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the boost of a main bet that won, from the player's first card and the one that decided.

    A war won after a tie on a marked rank boosts by 4; any other win with a marked card, the war card in a war, by 2.
    """
    if hand[ENDING] > DEAL_TIED and lit_place(rank0(hand[PLAYER_CARD]), ids, count) >= 0:
        return BOOST_MARKED_WAR
    last_card = hand[PLAYER_CARD] if hand[WAR_PLAYER_CARD] == NO_CARD else hand[WAR_PLAYER_CARD]
    if lit_place(rank0(last_card), ids, count) >= 0:
        return BOOST_MARKED
    return 1


def super_settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int], times: int) -> int:
    """Return the chips handed back for the main bet in super mode: the one stake that a win pays, times its boost.

    A won war pays that stake on the raise, and it stays there; the boost comes on top here, where its fee was
    paid. The bonus of a second tie is not boosted, and the raise and the tie bet are as without super mode.

    >>> [super_settle(MAIN, 0, 100, (0, 0, 0, 0, found), (), 4) for found in (DEAL_WON, WAR_WON, WAR_LOST)]
    [500, 400, 0]
    """
    found = hand[ENDING]
    returned = bet_return(MAIN, stake, found, 0, False)
    if found == DEAL_WON or found >= WAR_WON:
        return returned + stake * (times - 1)
    return returned
