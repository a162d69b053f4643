"""Exact chances of blackjack hands: totals, the dealer's draws, split pairs; for coach, odds and `tools/solvers`.

For the dealer it is enough to follow the hands on which another card is taken: the chance to end on a total is that to
come to such a hand, over all orders of its cards, times that of the last card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from croupier.games.blackjack import rules

ENDS = 5  # totals that the dealer stands on: 17 to 21


class Nodes(NamedTuple):
    """The hands on which a dealer takes another card, parents first; the first is the up card alone."""

    parent: Sequence[int]
    value: Sequence[int]
    """The value of the card that came last from the parent."""
    size: Sequence[int]
    """How many cards were drawn to the up card."""
    orders: Sequence[float]
    """In how many orders they can have come."""
    held: Sequence[int]
    """How many of each value are among them, ten numbers a node."""
    ends: Sequence[int]
    """The value of the card that ends the hand on 17, 18, 19, 20 and 21 without a natural, 0 where none does."""


def hard_and_ace(cards: Sequence[int]) -> tuple[int, bool]:
    """Return the hard total of cards, and whether an ace is among them.

    >>> hard_and_ace((0, 5, 9))
    (17, True)
    """
    values = [rules.card_value(card) for card in cards]
    return sum(values), 1 in values


def with_card(counts: tuple[int, ...], value: int) -> tuple[int, ...]:
    """Return counts of the ten values with one card more."""
    return (*counts[: value - 1], counts[value - 1] + 1, *counts[value:])


def hard_total(counts: Sequence[int]) -> int:
    """Return what cards come to with every ace as one."""
    return sum(value * count for value, count in enumerate(counts, 1))


@cache
def dealer_nodes(up_value: int, hit_soft_17: bool) -> Nodes:
    """Return the dealer's hands that go on, from an up card.

    >>> len(dealer_nodes(10, True).size), len(dealer_nodes(2, True).size)
    (24, 364)
    """
    parents, values, sizes, orders, held = [0], [0], [0], [1.0], [0] * 10
    ends: list[int] = []
    level: dict[tuple[int, ...], int] = {(0,) * 10: 0}
    while level:
        following: dict[tuple[int, ...], int] = {}
        for counts, node in level.items():
            last = [0] * ENDS
            for value in range(1, 11):
                grown = with_card(counts, value)
                hard, has_ace = up_value + hard_total(grown), up_value == 1 or grown[0] > 0
                if rules.dealer_draws(hard, has_ace, hit_soft_17):
                    if grown not in following:
                        following[grown] = len(sizes)
                        parents.append(node)
                        values.append(value)
                        sizes.append(sum(grown))
                        orders.append(0.0)
                        held += grown
                    orders[following[grown]] += orders[node]
                elif hard <= rules.TWENTY_ONE and not (node == 0 and value == rules.natural_value(up_value)):
                    last[rules.best_total(hard, has_ace) - 17] = value
            ends += last
        level = following
    return Nodes(parents, values, sizes, orders, held, ends)


def split_paths(splits_max: int) -> dict[tuple[int, int, bool], int]:
    """Return how pairs can go on splitting, and in how many ways.

    After a split each hand gets a card. One of the pair's rank splits again while `splits_max` allows it, and stays
    where it is afterwards. The keys are how many such cards came in all, how many others, and whether the first hand
    ended with one of them. A way is worth what its cards are likely, whichever came first.

    >>> split_paths(1)
    {(0, 2, False): 1, (1, 1, False): 1, (1, 1, True): 1, (2, 0, True): 1}
    """
    found: Counter[tuple[int, int, bool]] = Counter()

    def follow(waiting: int, splits: int, same: int, other: int, first: bool | None) -> None:
        if waiting == 0:
            assert first is not None
            found[same, other, first] += 1
            return
        follow(waiting - 1, splits, same, other + 1, False if first is None else first)
        if splits < splits_max:
            follow(waiting + 1, splits + 1, same + 1, other, first)
        else:
            follow(waiting - 1, splits, same + 1, other, True if first is None else first)

    follow(2, 1, 0, 0, None)
    return dict(found)
