"""The coach: the worth of every hold of five cards, as exact fractions, in a few milliseconds of plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from msgspec import Struct

from croupier.games.video_poker import tables
from croupier.games.video_poker.odds import boost_chances, expected_boost
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import hands, holds, rounds

LIGHT = tuple(range(rounds.FIRST_LIGHT_CARD, rounds.PACK_SIZE))


class HoldValue(Struct, frozen=True):
    """A hold as a mask over the cards as dealt: what it returns per chip on average, and how likely it pays what."""

    mask: int
    value: Fraction
    win: Fraction
    """The chance of a profit."""
    push: Fraction
    """The chance that the stake comes back, and no more."""


def hold_values(dealt: Sequence[int], options: VideoPokerOptions, super_mode: bool = False) -> tuple[HoldValue, ...]:
    """Return all 32 holds, best first; of equals the one that `rules.holds.best_hold` would take comes first.

    In super mode the value counts what the marked cards, which nobody has seen, add on average.
    """
    order = [0] * rounds.CARDS
    holds.sort_by_rank(dealt, 0, order)
    deal = _Deal([dealt[place] for place in order], options.is_wild, LIGHT if super_mode else ())
    pays = options.pays
    returned = deal.after_draw(pays)
    wins = deal.after_draw([int(paid > 1) for paid in pays])
    pushes = deal.after_draw([int(paid == 1) for paid in pays])
    boosts = _boosts(deal, options) if super_mode else [Fraction(0)] * 32
    found = []
    for mask in range(32):
        draws = holds.DRAWS[holds.KEPT[mask]]
        value = (returned[mask] + boosts[mask]) / draws
        chances = Fraction(wins[mask], draws), Fraction(pushes[mask], draws)
        found.append((-value, -holds.KEPT[mask], mask, HoldValue(holds.unsorted(mask, order), value, *chances)))
    return tuple(row[-1] for row in sorted(found, key=lambda row: row[:3]))


def best_mask(dealt: Sequence[int], options: VideoPokerOptions, prices: tuple[int, ...]) -> int:
    """Return the hold to play where hands are worth `prices`, which need not be what the table pays."""
    sums = tables.sums(options.is_wild, prices)
    own = prices[hands.hand_at(dealt, 0, options.is_wild)]
    return holds.choose(dealt, 0, own, sums, 0, [0] * 5, [0] * holds.WORK_SIZE)


class _Deal:
    """Five cards by rank: how many hands that contain some of them, and others besides, are of which kind."""

    def __init__(self, cards: Sequence[int], is_wild: bool, others: tuple[int, ...]) -> None:
        self._is_wild = is_wild
        self._known = sorted({*cards, *others}, key=holds.sort_key)
        places = [self._known.index(card) for card in cards]
        self._masks = [sum(1 << place for bit, place in enumerate(places) if mask >> bit & 1) for mask in range(32)]
        self._slots = [0] * (3 << len(self._known))
        holds.fill_slots(self._known, 0, range(len(self._known)), len(self._known), self._slots)

    def after_draw(self, values: Sequence[int], also: tuple[int, ...] = ()) -> list[int]:
        """Return what all final hands after each hold that contain `also` are worth together, by mask."""
        more = sum(1 << self._known.index(card) for card in also)
        work = [self._worth(mask | more, values) for mask in self._masks]
        holds.leave_out(work)
        return work

    def _worth(self, mask: int, values: Sequence[int]) -> int:
        """Return what all hands that contain a set of known cards are worth together."""
        size = mask.bit_count()
        if size > rounds.CARDS:
            return 0
        if size == rounds.CARDS:
            cards = [card for place, card in enumerate(self._known) if mask >> place & 1]
            return values[hands.hand_at(cards, 0, self._is_wild)]
        slot = self._slots[mask]
        columns = zip(tables.FAMILIES[self._is_wild], tables.counts(self._is_wild), strict=True)
        return sum(values[hand] * column.count(slot) for hand, column in columns if values[hand])


def _boosts(deal: _Deal, options: VideoPokerOptions) -> list[Fraction]:
    """Return what the boosts of all draws after each hold add together, on average over what is marked.

    The more light cards a hand has, the less often it is boosted. What is expected with k of them can be written as a
    sum over the sets of light cards in the hand, each adding a term that depends on its size alone: so it is enough to
    know of each set of light cards what the final hands that contain it are worth.
    """
    profits = [max(paid - 1, 0) for paid in options.pays]
    royal = [profit if hand == hands.ROYAL else 0 for hand, profit in enumerate(profits)]
    others = [profit if hand != hands.ROYAL else 0 for hand, profit in enumerate(profits)]
    found = [Fraction(0)] * 32
    for hand, values in ((hands.NOTHING, others), (hands.ROYAL, royal)):
        terms = _terms([expected_boost(hand, boost_chances(light)) for light in range(rounds.LIGHT_CARDS + 1)])
        for size, term in enumerate(terms):
            together = [0] * 32
            for light in combinations(LIGHT, size):
                together = [a + b for a, b in zip(together, deal.after_draw(values, light), strict=True)]
            found = [total + term * worth for total, worth in zip(found, together, strict=True)]
    return found


def _terms(values: Sequence[Fraction]) -> list[Fraction]:
    """Return the terms, by size, whose sum over all subsets of k things is `values[k]`.

    >>> _terms([Fraction(1), Fraction(3), Fraction(7)])  # 7 = 1 + 2 * 2 + 2
    [Fraction(1, 1), Fraction(2, 1), Fraction(2, 1)]
    """
    return [
        sum(((-1) ** (k - size) * comb(k, size) * values[size] for size in range(k + 1)), Fraction(0))
        for k in range(len(values))
    ]
