"""Counts of the dealer's 18,424 hands that beat, tie or lose to a player's three cards, without dealing them out.

The dealer's hand avoids the player's cards. Hands that do are all hands, less those with one of the cards, and, since
those with two of them have then been taken away twice, those again, less the player's own:

    N = N() - N(a) - N(b) - N(c) + N(a, b) + N(a, c) + N(b, c) - N(a, b, c)

That holds for the hands below any rank as well. How many of them hold a card depends on its rank alone, and how many
hold two depends on their ranks and on whether they share a suit; so a few small tables answer for every player's hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cache, lru_cache
from itertools import accumulate, combinations, permutations
from typing import NamedTuple

from croupier.games.three_card_poker import rules
from croupier.kit.cards import rank0, suit
from croupier.kit.poker import rank3

Hand = tuple[int, int, int]


@cache
def starting_hands() -> tuple[tuple[Hand, int], ...]:
    """Return one hand for all that differ only in which suit is which, and how many it stands for: 1,755 of 22,100.

    >>> len(starting_hands()), sum(count for _, count in starting_hands())
    (1755, 22100)
    """
    hands: list[tuple[Hand, int]] = []
    for x, y, z in combinations(range(13), 3):
        # All of one suit; the three ways to have two of one suit; three suits.
        hands += [((x, y, z), 4), ((x, y, z + 13), 12), ((x, y + 13, z), 12), ((x + 13, y, z), 12)]
        hands += [((x, y + 13, z + 26), 24)]
    for pair, kicker in permutations(range(13), 2):
        hands += [((pair, pair + 13, kicker), 12), ((pair, pair + 13, kicker + 26), 12)]
    return (*hands, *(((rank, rank + 13, rank + 26), 4) for rank in range(13)))


class _Tables(NamedTuple):
    """Every rank in order; and how many hands lie below each, of all, of those with a card, of those with two."""

    ranks: tuple[int, ...]
    of_all: tuple[int, ...]
    with_one: dict[int, tuple[int, ...]]
    with_two: dict[Two, tuple[int, ...]]


@cache
def _tables() -> _Tables:
    worth = [(hand, rank3(*hand), count) for hand, count in starting_hands()]
    ranks = tuple(sorted({rank for _, rank, _ in worth}))
    place = {rank: index for index, rank in enumerate(ranks)}
    of_all = [0] * len(ranks)
    with_one: defaultdict[int, list[int]] = defaultdict(lambda: [0] * len(ranks))
    with_two: defaultdict[Two, list[int]] = defaultdict(lambda: [0] * len(ranks))
    for hand, rank, count in worth:
        of_all[place[rank]] += count
        for card in hand:
            with_one[rank0(card)][place[rank]] += count
        for two in combinations(hand, 2):
            with_two[_kind_of(*two)][place[rank]] += count
    # So far every card and every two of a kind have been counted together; each has its even share.
    return _Tables(
        ranks,
        _below(of_all, 1),
        {rank: _below(counts, 4) for rank, counts in with_one.items()},
        {kind: _below(counts, _number_of(kind)) for kind, counts in with_two.items()},
    )


Two = tuple[int, int, bool]  # two cards: the lower rank, the higher, and whether they share a suit


def _kind_of(one: int, other: int) -> Two:
    ranks = rank0(one), rank0(other)
    return min(ranks), max(ranks), suit(one) == suit(other)


def _number_of(kind: Two) -> int:
    """Return how many pairs of cards are of a kind."""
    lower, higher, suited = kind
    return 4 if suited else 6 if lower == higher else 12


def _below(counts: list[int], shared_by: int) -> tuple[int, ...]:
    return (0, *accumulate(count // shared_by for count in counts))


def count_below(limit: int, held: Hand) -> int:
    """Return how many of the dealer's hands rank below `limit` when the player holds three cards."""
    tables = _tables()
    index = bisect_left(tables.ranks, limit)
    a, b, c = held
    with_one = sum(tables.with_one[rank0(card)][index] for card in held)
    with_two = sum(tables.with_two[_kind_of(*two)][index] for two in ((a, b), (a, c), (b, c)))
    return tables.of_all[index] - with_one + with_two - (rank3(a, b, c) < limit)


@lru_cache(4096)
def outcome_counts(held: Hand, qualifier: int) -> tuple[int, int, int, int, int]:
    """Return how many of the dealer's 18,424 hands end the round in each way, by the numbers of `rules`.

    >>> outcome_counts((11, 18, 29), rules.QUEEN)  # Q-6-4: none folded, not qualified, won, tied, lost
    (0, 5758, 305, 26, 12335)
    """
    rank = rank3(*held)
    lowest = rules.LOWEST_QUALIFYING[qualifier]
    not_qualified = count_below(lowest, held)
    lower = count_below(max(rank, lowest), held)
    not_higher = count_below(max(rank + 1, lowest), held)
    higher = rules.DEALER_HAND_COUNT - not_higher
    return 0, not_qualified, lower - not_qualified, not_higher - lower, higher
