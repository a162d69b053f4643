"""Exact odds of baccarat, counted over the full shoe of eight decks with the rules that settle the bets.

Bets on totals depend on the values of the cards alone, so rounds are counted by values: three thousand pairs of
opening hands and their third cards, each with the number of card orders behind it. Pairs are counted over the
cards themselves. A round that ends early stands for all orders of the cards it left undrawn, so that every
count is out of `ORDERS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import perm

from croupier.games.baccarat import rules
from croupier.games.baccarat.bets import BETS, NAMES
from croupier.games.baccarat.options import BaccaratOptions
from croupier.house.odds import OddsRow, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import mean_boosts, shares_of

ORDERS = perm(rules.PACK_SIZE, rules.SLOTS)
VALUE_COUNTS = tuple(rules.DECKS * sum(rules.card_value(card) == value for card in range(52)) for value in range(10))
CARDS = (9, *range(9))  # a card of each value: a ten, an ace, a two, …
PAIR_BETS = (rules.PLAYER_PAIR, rules.BANKER_PAIR, rules.PERFECT_PAIR)

Outcome = tuple[int, int, int, int, int]
# How many of some cards count 0, and how the others fall on the nine values, most first: 7, 7, 2 and a king are
# (1, (2, 1)). The mean boost depends on no more than that.
Shape = tuple[int, tuple[int, ...]]
mean_boost, mean_boost_square = (
    mean_boosts(
        rules.DECKS,
        lit=shares_of(range(rules.LIT_MIN, rules.LIT_MAX + 1), rules.LIT_COUNT_LIMITS),
        multipliers=shares_of(rules.MULTIPLIERS, rules.MULTIPLIER_LIMITS),
        most=rules.BOOST_MAX,
        power=power,
    )
    for power in (1, 2)
)


def odds(options: BaccaratOptions) -> tuple[OddsRow, ...]:
    """Return one row a bet, in the order of the catalogue. Banker's is for even stakes: see `banker_edge`.

    >>> [str(row.edge) for row in odds(BaccaratOptions()) if row.bet == "player_pair"]
    ['12/415']
    """
    return tuple(row_from_returns(name, _returns(kind, 2, options)) for name, (kind, _) in BETS.items())


def prices(options: BaccaratOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(BaccaratOptions())["banker"]]
    ['0', '1', '3/2', '2']
    """
    outcomes = tuple(product(range(10), range(10), (2, 3), (2, 3), range(16)))
    pays = options.tie_pays, options.pair_pays
    return {
        name: per_chip(2, (rules.bet_return(kind, 2, found, *pays) for found in outcomes))
        for name, (kind, _) in BETS.items()
    }


def banker_edge(stake: int) -> Fraction:
    """Return the edge of a Banker bet of `stake` chips, which is larger for odd stakes, most of all for one chip.

    Half of an odd stake is rounded down, which costs half a chip each time Banker wins with six.

    >>> [f"{float(banker_edge(stake)):.4%}" for stake in (1, 2, 3, 101)]
    ['4.1513%', '1.4581%', '2.3558%', '1.4848%']
    """
    returns = _returns(rules.BANKER, stake, BaccaratOptions())
    return 1 - sum((returned * chance for returned, chance in returns.items()), Fraction(0))


def _returns(kind: int, stake: int, options: BaccaratOptions) -> dict[Fraction | int, Fraction]:
    """Return the chances of what a bet returns per chip staked."""
    ways: Counter[Fraction | int] = Counter()
    for found, count in _pairs().items() if kind in PAIR_BETS else _totals().items():
        returned = rules.bet_return(kind, stake, found, options.tie_pays, options.pair_pays)
        ways[Fraction(returned, stake)] += count
    everything = sum(ways.values())
    return {returned: Fraction(count, everything) for returned, count in ways.items()}


@cache
def _pairs() -> dict[Outcome, int]:
    """Return how often each set of pairs is dealt, for a first card that is the ace of spades; totals are left at 0.

    The other 51 first cards give the same counts, because pairs care only which cards are alike.
    """
    ways: Counter[Outcome] = Counter()
    left = [rules.DECKS] * 52
    left[0] -= 1
    for second in range(52):
        second_ways = left[second]
        left[second] -= 1
        for third in range(52):
            third_ways = second_ways * left[third]
            left[third] -= 1
            for fourth in range(52):
                bits = rules.pair_bits((0, second, third, fourth))
                ways[0, 0, 2, 2, bits] += third_ways * left[fourth]
            left[third] += 1
        left[second] += 1
    return dict(ways)


@cache
def _totals() -> dict[Outcome, int]:
    """Return in how many orders each outcome is dealt; its pairs are not counted and left at 0."""
    ways: Counter[Outcome] = Counter()
    for (found, _), count in _rounds().items():
        ways[found] += count
    return dict(ways)


@cache
def _rounds() -> dict[tuple[Outcome, Shape], int]:
    """Return the orders by outcome and by the shape of the cards that would boost it: the winner's, in a tie all."""
    ways: Counter[tuple[Outcome, Shape]] = Counter()
    for cards, count in _deals():
        player_total, banker_total, player_count, banker_count, _ = rules.outcome(cards)
        found = (player_total, banker_total, player_count, banker_count, 0)
        values = [rules.card_value(card) for card in cards]
        player = [values[0], values[1], values[4]][:player_count]
        banker = [values[2], values[3], values[5]][:banker_count]
        boosting = Counter((player, banker, player + banker)[_winner(found)])
        zeros = boosting.pop(0, 0)
        ways[found, (zeros, tuple(sorted(boosting.values(), reverse=True)))] += count
    assert sum(ways.values()) == ORDERS, "some order of the cards was counted twice or not at all"
    return dict(ways)


def _winner(found: Outcome) -> int:
    """Return the one of `PLAYER`, `BANKER` and `TIE` that has won."""
    if found[0] == found[1]:
        return rules.TIE
    return rules.PLAYER if found[0] > found[1] else rules.BANKER


def _deals() -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every round by values: the six slots, with one card for all of its value, and in how many orders."""
    left = list(VALUE_COUNTS)
    hands = tuple(combinations_with_replacement(range(10), 2))
    for player in hands:
        player_ways = _take_two(left, player)
        for banker in hands:
            ways = player_ways * _take_two(left, banker)
            cards = [*(CARDS[value] for value in (*player, *banker)), rules.NO_CARD, rules.NO_CARD]
            yield from _third_cards(left, cards, 3, ways)
            _put_back(left, banker)
        _put_back(left, player)


def _third_cards(left: list[int], cards: list[int], last: int, ways: int) -> Iterator[tuple[tuple[int, ...], int]]:
    slot = rules.third_slot(cards, last)
    if slot == rules.SLOTS:
        yield tuple(cards), ways * perm(sum(left), cards.count(rules.NO_CARD))
        return
    for value in range(10):
        cards[slot] = CARDS[value]
        left[value] -= 1
        yield from _third_cards(left, cards, slot, ways * (left[value] + 1))
        left[value] += 1
    cards[slot] = rules.NO_CARD


def _take_two(left: list[int], hand: tuple[int, ...]) -> int:
    """Take a hand out of the shoe and return in how many orders it can come."""
    first, second = hand
    ways = left[first] * (1 if first == second else 2)
    left[first] -= 1
    ways *= left[second]
    left[second] -= 1
    return ways


def _put_back(left: list[int], hand: tuple[int, ...]) -> None:
    for value in hand:
        left[value] += 1


def super_odds(options: BaccaratOptions) -> tuple[OddsRow, ...]:
    """Return the worth of each bet that super mode boosts, as `with_super_fee` tells it; Banker's is for even stakes.

    >>> [f"{float(row.edge_per_chip):.4%}" for row in super_odds(BaccaratOptions())]
    ['5.4490%', '6.5433%', '5.7025%']
    """
    return tuple(_super_row(kind, options) for kind in (rules.PLAYER, rules.BANKER, rules.TIE))


def _super_row(kind: int, options: BaccaratOptions) -> OddsRow:
    stake = 2
    win = push = mean = square = Fraction(0)
    for (found, shape), count in _rounds().items():
        chance = Fraction(count, ORDERS)
        profit = Fraction(rules.super_return(kind, stake, found, 1, options.tie_pays, options.pair_pays), stake) - 1
        if profit > 0:
            win += chance
            # A profit is multiplied by the boost, so the means of boosts and of their squares give those of profits.
            mean += chance * profit * mean_boost(*shape)
            square += chance * profit * profit * mean_boost_square(*shape)
            continue
        if profit == 0:
            push += chance
        mean += chance * profit
        square += chance * profit * profit
    row = OddsRow(NAMES[kind, 0], "-", win, push, 1 - win - push, -mean, -mean, variance=square - mean * mean)
    return with_super_fee(row)
