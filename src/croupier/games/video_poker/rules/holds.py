"""Values of the 32 holds, exactly, without trying any draw.

For a set of cards let its *sum* be what all hands of five that contain it return together. A hand that shares with the
five cards dealt exactly the ones that are kept can come from the draw, and every such hand is as likely as any other;
what they return together follows from the sums of the 32 subsets of the deal, by leaving out, one discarded card after
the other, the hands that contain it. So 31 sums, and what the deal itself returns, are all that has to be known.

Suits are alike, so most sets of one size have the same sum as others. A *slot* is what tells them apart: the ranks, and
which cards share a suit. Two sets with different slots may still be alike; two with one slot always are.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.kit.cards import rank0, suit

# Draws of so many new cards that there are, by how many are kept; COMMON is a multiple of all of them.
DRAWS = (1_533_939, 178_365, 16_215, 1_081, 47, 1)
COMMON = 7_669_695
SCALES = (5, 43, 473, 7_095, 163_185, 7_669_695)

# How many of the five cards a mask keeps.
KEPT = (0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5)

# Sets of the same size lie together. There are k! ways to say which of k cards share suits: 1, 1, 2, 6, 24, some of
# which cannot be; and C(13 + k - 1, k) ways to choose k ranks: 1, 13, 91, 455, 1820.
SUIT_PATTERNS = (1, 1, 2, 6, 24)
FIRST_SLOTS = (0, 1, 14, 196, 2_926)
SLOTS = 46_606

WORK_SIZE = 96


def sort_by_rank(cards: Sequence[int], at: int, order: MutableSequence[int]) -> None:
    """Write the places 0 to 4 of the five cards from `at` on: by rank, ace lowest, and by suit within a rank."""
    for place in range(5):
        key = sort_key(cards[at + place])
        hole = place
        while hole > 0 and sort_key(cards[at + order[hole - 1]]) > key:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = place


def sort_key(card: int) -> int:
    """Return where a card stands among all by rank, and by suit within a rank."""
    return rank0(card) * 4 + suit(card)


def fill_slots(cards: Sequence[int], at: int, order: Sequence[int], count: int, slots: MutableSequence[int]) -> None:
    """Write the slots of all sets of up to four of `count` cards by mask; bit 0 is the card at place `at + order[0]`.

    The cards must go by `sort_key` in that order. A set of k cards grows out of one of k - 1 by its highest card. Its
    ranks are numbered as multisets: a k-th card of rank r adds C(r + k - 1, k). Its pattern gets the place that the
    first card of the same suit has in the set, or k - 1 where there is none. `slots` has room for three times as many
    numbers as there are masks; the sizes of the sets are in the last third.
    """
    patterns, sizes = 1 << count, 2 << count
    slots[0] = 0
    slots[patterns] = 0
    slots[sizes] = 0
    for place in range(count):
        card = cards[at + order[place]]
        same_suit = 0
        for earlier in range(place):
            if suit(cards[at + order[earlier]]) == suit(card):
                same_suit |= 1 << earlier
        for smaller in range(1 << place):
            mask = smaller | 1 << place
            size = slots[sizes + smaller] + 1
            slots[sizes + mask] = size
            alike = smaller & same_suit
            before = size - 1
            if alike > 0:
                before = slots[sizes + (smaller & ((alike & -alike) - 1))]
            slots[mask] = slots[smaller] + _choose(rank0(card), size)
            slots[patterns + mask] = slots[patterns + smaller] * size + before
    for mask in range(1 << count):
        size = slots[sizes + mask]
        if size < 5:
            slots[mask] = FIRST_SLOTS[size] + slots[mask] * SUIT_PATTERNS[size] + slots[patterns + mask]


def _choose(rank: int, size: int) -> int:
    """Return C(rank + size - 1, size) for a size of 1 to 4."""
    if size == 1:
        return rank
    if size == 2:
        return rank * (rank + 1) // 2
    if size == 3:
        return rank * (rank + 1) * (rank + 2) // 6
    return rank * (rank + 1) * (rank + 2) * (rank + 3) // 24


def leave_out(work: MutableSequence[int]) -> None:
    """Turn the sums of the 32 subsets, by mask, into what all draws return together after each hold."""
    for place in range(5):
        bit = 1 << place
        for mask in range(32):
            if mask & bit == 0:
                work[mask] -= work[mask | bit]


def best_hold(work: Sequence[int]) -> int:
    """Return the mask whose draws return the most on average.

    Of equals the one that keeps more cards, and of those the one with the lowest mask. With the cards in the order of
    `sort_by_rank` the choice therefore depends on the five cards alone, not on the order in which they came.
    """
    best, worth = 0, -1
    for mask in range(32):
        found = work[mask] * SCALES[KEPT[mask]]
        if found > worth or (found == worth and KEPT[mask] > KEPT[best]):
            best = mask
            worth = found
    return best


def unsorted(mask: int, order: Sequence[int]) -> int:
    """Return a mask over the cards in `order` as the mask over the cards as they were dealt."""
    found = 0
    for place in range(5):
        if mask >> place & 1 == 1:
            found |= 1 << order[place]
    return found


def choose(
    cards: Sequence[int],
    at: int,
    own: int,
    sums: Sequence[int],
    sums_at: int,
    order: MutableSequence[int],
    work: MutableSequence[int],
) -> int:
    """Return the best hold of the five cards from `at` on, given what they return themselves and the sums by slot.

    Scratch: five places of `order`, `WORK_SIZE` of `work`.
    """
    sort_by_rank(cards, at, order)
    fill_slots(cards, at, order, 5, work)
    for mask in range(31):
        work[mask] = sums[sums_at + work[mask]]
    work[31] = own
    leave_out(work)
    return unsorted(best_hold(work), order)
