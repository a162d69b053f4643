"""The coach: the expected value of every choice, with the very cards that are on the table.

Values are worked out from the cards that are left, which takes a few milliseconds. They are exact, but for floats: the
error is below 1e-12 of the stake. The smallest hands have thousands of ways to go on. A hit with the first two cards of
a round is shipped for those: the shoe is whole, so the two and the up card are all there is to know. In hands of a
split, cards after their second hit are taken to stay in the shoe: off by less than 0.0002 of the stake in eight decks,
0.002 in one. What follows a hit is played as is best for the very cards, where that can be
in doubt: hard 17 and more stand (14 against two to six), and so does soft 19; hard 11 and less is hit (14 against seven
to ace), and so is soft 17. No hand of a whole shoe is played worse for it.

Splits are valued for those who then follow the chart. The first split of a round is exact, pairs of tens aside. Of a
later one how many hands come of it is counted exactly, but they are all taken to be worth what one is as the shoe
stands now, and the cards they hit to stay in it: off by less than 0.002 of the stake in eight decks, 0.02 in one.

Values are the expected profit per chip on the hand, of all hands that come of it together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from operator import itemgetter, mul

from croupier.games.blackjack import rules, solver, strategy
from croupier.games.blackjack.options import BlackjackOptions
from croupier.games.blackjack.packed import SMALL
from croupier.kit.cards import rank0

Shoe = tuple[int, ...]
"""How many cards of each value are left, ace first."""

DEPTH = 14  # a dealer draws fewer cards of one value
SMALL_DRAWN = 2
"""A hand of a hard total up to `SMALL` is looked at exactly for so many hits; beyond, the shoe stays as it is."""


def play_worths(
    cards: Sequence[int], seen: Sequence[int], hand_count: int, up_card: int, is_peeked: bool, options: BlackjackOptions
) -> dict[str, Fraction]:
    """Return what each action is worth with a hand, whether or not it is allowed now, where that makes sense.

    `seen` are all cards on the table, the hand's and the dealer's among them.
    """
    up_value = rules.card_value(up_card)
    shoe = _left(seen, options.decks)
    is_pair = len(cards) == 2 and rank0(cards[0]) == rank0(cards[1])
    hard = sum(map(rules.card_value, cards))
    drawn = SMALL_DRAWN if hard <= SMALL else rules.TWENTY_ONE
    hands = _Hands(up_value, is_peeked, options, sum(shoe) - drawn)
    if hand_count == 1 and len(cards) == 2:
        shipped = _shipped(cards, shoe, up_value, is_peeked, options)
        worths = {**hands.worths(cards, shoe, shipped.get("hit")), **shipped, "surrender": hands.surrender(shoe)}
    else:
        worths = hands.worths(cards, shoe)
    if is_pair and "split" not in worths:
        same_left = 4 * options.decks - sum(rank0(card) == rank0(cards[0]) for card in seen)
        quicker = _Hands(up_value, is_peeked, options, sum(shoe))
        worths["split"] = quicker.split(rules.card_value(cards[0]), shoe, same_left, hand_count)
    return {action: Fraction(round(worth * strategy.SCALE), strategy.SCALE) for action, worth in worths.items()}


def insurance_worths(
    first: Sequence[int], up_card: int, is_natural: bool, options: BlackjackOptions
) -> dict[str, Fraction]:
    """Return what it is worth to answer the offer of insurance, the hand played on included."""
    shoe = _left((*first, up_card), options.decks)
    natural = Fraction(shoe[9], sum(shoe))
    if is_natural:
        played = (1 - natural) * (Fraction(6, 5) if options.six_to_five else Fraction(3, 2))
    else:
        worths = play_worths(first, (*first, up_card), 1, up_card, True, options)
        if not options.surrender:
            del worths["surrender"]
        played = (1 - natural) * max(worths.values()) - natural
    insured = played + Fraction(1, 2) * (3 * natural - 1)
    return {"decline": played, "insurance": insured, "even_money": Fraction(1)}


def _left(seen: Sequence[int], decks: int) -> Shoe:
    left = [4 * decks] * 9 + [16 * decks]
    for card in seen:
        left[rules.card_value(card) - 1] -= 1
    return tuple(left)


def _shipped(
    cards: Sequence[int], shoe: Shoe, up_value: int, is_peeked: bool, options: BlackjackOptions
) -> dict[str, float]:
    """Return what first decisions are worth that would take long to work out here."""
    low, high = sorted(map(rules.card_value, cards))
    found = strategy.first_values(options, low, high, up_value)
    at = rules.natural_value(up_value) - 1
    natural = shoe[at] / sum(shoe) if is_peeked and at >= 0 else 0.0
    worths = {}
    if found.hit is not None:  # it counts what a natural takes; after a peek there is none
        worths["hit"] = (found.hit / strategy.SCALE + natural) / (1 - natural)
    if found.split is not None:
        worths["split"] = found.split / strategy.SCALE / (1 - natural)
    return worths


class _Dealer:
    """Chances of the dealer's totals, from any shoe: the sums of `solver.dealer_nodes`, arranged for CPython."""

    def __init__(self, up_value: int, hit_soft_17: bool) -> None:
        nodes = solver.dealer_nodes(up_value, hit_soft_17)
        places = range(len(nodes.size))

        def cell(node: int, value: int) -> int:
            """Return where `weighed` keeps how many cards of a value are left beside a node's; none of no value."""
            return DEPTH * (value - 1) + nodes.held[10 * node + value - 1] if value else 10 * DEPTH

        self.steps = [(nodes.parent[node], cell(nodes.parent[node], nodes.value[node])) for node in places[1:]]
        self.ends = [
            itemgetter(*(cell(node, nodes.ends[solver.ENDS * node + end]) for node in places))
            for end in range(solver.ENDS)
        ]
        self.sizes, self.orders = nodes.size, nodes.orders
        self.shares: dict[int, list[float]] = {}

    def chances(self, shoe: Shoe, cards: int, total: int) -> tuple[float, float]:
        """Return the chances that the dealer ends on a total and above it, without a natural, from so many cards."""
        left = [number for count in shoe for number in _counted_down(count)]
        left.append(0)
        products = [1.0]
        add = products.append
        for parent, cell in self.steps:
            add(products[parent] * left[cell])
        weights = list(map(mul, products, self._shares(cards)))
        equal = sum(map(mul, weights, self.ends[total - 17](left))) if total >= 17 else 0.0
        above = sum(sum(map(mul, weights, end(left))) for end in self.ends[max(total - 16, 0) :])
        return equal, above

    def _shares(self, cards: int) -> list[float]:
        """Return in how many orders each node's cards can come, over all the ways to draw them and one more."""
        if cards not in self.shares:
            gone = range(1, max(self.sizes) + 1)
            ways = list(accumulate(gone, lambda share, number: share / (cards - number), initial=1 / cards))
            self.shares[cards] = [orders * ways[size] for orders, size in zip(self.orders, self.sizes, strict=True)]
        return self.shares[cards]


@cache
def _counted_down(count: int) -> tuple[int, ...]:
    """Return how many cards are left of some when 0, 1, 2 … are gone."""
    return tuple(max(count - gone, 0) for gone in range(DEPTH))


_dealer = cache(_Dealer)


class _Hands:
    """Values of hands beside one up card. Values are over the mass of chance of the solver.

    Cards that a hand hits leave the shoe until `kept` are in it; then they come from it, but stay in it.
    """

    def __init__(self, up_value: int, is_peeked: bool, options: BlackjackOptions, kept: int) -> None:
        self.kept = kept
        self.dealer = _dealer(up_value, options.hit_soft_17)
        self.table = strategy.table_for("basic", options)
        self.up_value = up_value
        self.natural_at = rules.natural_value(up_value) - 1
        self.is_peeked = is_peeked
        self.options = options
        is_low = 2 <= up_value <= 6
        self.stand_from = 12 if is_low else 15
        self.hit_to = 13 if is_low else 16
        self.known_chances: dict[tuple[Shoe, int], tuple[float, float]] = {}
        self.known_best: dict[tuple[Shoe, int, bool], float] = {}

    def worths(self, cards: Sequence[int], shoe: Shoe, hit: float | None = None) -> dict[str, float]:
        """Return what it is worth to stand, to hit unless that is known, and to double with a hand."""
        hard, has_ace = solver.hard_and_ace(cards)
        count = sum(shoe)
        total = rules.best_total(hard, has_ace)
        found = {
            "stand": self._stand(total, shoe, count),
            "hit": self._hit(hard, has_ace, shoe, count) if hit is None else hit * self._mass(shoe, count),
            "double": 2.0 * self._hit(hard, has_ace, shoe, count, is_last=True),
        }
        return {action: worth / self._mass(shoe, count) for action, worth in found.items()}

    def surrender(self, shoe: Shoe) -> float:
        """Return what it is worth to give a hand up: minus a half, or the stake to a natural nobody peeked for."""
        return -0.5 if self.is_peeked else -0.5 - self._natural(shoe, sum(shoe)) / 2

    def split(self, value: int, shoe: Shoe, same_left: int, hand_count: int) -> float:
        """Return about what a split is worth to who plays the second cards as the chart says."""
        count = sum(shoe)
        is_ace = value == 1
        stands = is_ace and not self.options.hit_split_aces
        by_card = [
            self._second_card(value, at, _without(shoe, at), count - 1, stands) if cards else 0.0
            for at, cards in enumerate(shoe)
        ]
        same = by_card[value - 1]
        other = (sum(map(mul, by_card, shoe)) - same_left * same) / (count - same_left)
        splits_max = 1
        is_split_again = self.table[rules.pair_cell(value, self.up_value)] & rules.SPLIT_BIT
        if is_split_again and not (is_ace and (stands or not self.options.resplit_aces)):
            splits_max = rules.HANDS_MAX - hand_count
        return _all_hands(splits_max, other, same, same_left, count) / self._mass(shoe, count)

    def _second_card(self, value: int, at: int, shoe: Shoe, count: int, stands: bool) -> float:
        """Return what a hand from a split is worth with its second card."""
        hard, has_ace = value + at + 1, value == 1 or at == 0
        may_double = self.options.double_after_split
        action = rules.choose(self.table, 0, hard, has_ace, 0, self.up_value, may_double, False)
        if stands or action == rules.STAND:
            return self._stand(rules.best_total(hard, has_ace), shoe, count)
        if action == rules.DOUBLE:
            return 2.0 * self._hit(hard, has_ace, shoe, count, is_last=True)
        return self._hit(hard, has_ace, shoe, count)

    def _natural(self, shoe: Shoe, count: int) -> float:
        return shoe[self.natural_at] / count if self.natural_at >= 0 else 0.0

    def _mass(self, shoe: Shoe, count: int) -> float:
        return 1.0 - self._natural(shoe, count) if self.is_peeked else 1.0

    def _stand(self, total: int, shoe: Shoe, count: int) -> float:
        key = shoe, total
        found = self.known_chances.get(key)
        if found is None:
            found = self.known_chances[key] = self.dealer.chances(shoe, count, total)
        equal, above = found
        natural = self._natural(shoe, count)
        wins = 1.0 - natural - equal - above
        return 2.0 * wins + equal - (1.0 - natural if self.is_peeked else 1.0)

    def _best(self, hard: int, has_ace: bool, shoe: Shoe, count: int) -> float:
        key = shoe, hard, has_ace
        found = self.known_best.get(key)
        if found is not None:
            return found
        if has_ace and hard <= 11:
            total, may_stand, may_hit = hard + 10, hard >= 8, hard <= 8
        else:
            total, may_stand, may_hit = hard, hard >= self.stand_from, hard <= self.hit_to
        found = self._stand(total, shoe, count) if may_stand else -2.0
        if may_hit:
            found = max(found, self._hit(hard, has_ace, shoe, count))
        self.known_best[key] = found
        return found

    def _hit(self, hard: int, has_ace: bool, shoe: Shoe, count: int, is_last: bool = False) -> float:
        """Return what a hand is worth with another card; after the last one it stands."""
        worth = 0.0
        for at, cards in enumerate(shoe):
            if cards:
                after, after_count = (_without(shoe, at), count - 1) if count > self.kept else (shoe, count)
                if hard + at >= rules.TWENTY_ONE:
                    worth -= cards * self._mass(after, after_count)
                elif is_last:
                    total = rules.best_total(hard + at + 1, has_ace or at == 0)
                    worth += cards * self._stand(total, after, after_count)
                else:
                    worth += cards * self._best(hard + at + 1, has_ace or at == 0, after, after_count)
        return worth / count


def _without(shoe: Shoe, at: int) -> Shoe:
    return (*shoe[:at], shoe[at] - 1, *shoe[at + 1 :])


def _all_hands(splits_max: int, other: float, same: float, same_left: int, count: int) -> float:
    """Return what all hands of a split are worth, from what one is with a second card of another rank, or the same."""
    worth = 0.0
    for (same_cards, other_cards, _), ways in solver.split_paths(splits_max).items():
        chance = float(ways)
        for gone in range(same_cards):
            chance *= max(same_left - gone, 0) / (count - gone)
        for gone in range(other_cards):
            chance *= (count - same_left - gone) / (count - same_cards - gone)
        hands = (same_cards + other_cards) // 2 + 1
        worth += chance * (other_cards * other + (hands - other_cards) * same)
    return worth
