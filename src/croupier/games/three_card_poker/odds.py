"""Exact odds of three card poker, counted with the rules that settle the bets.

The Ante is counted over the 1,755 hands that a player can hold, suits aside, each against all 18,424 of the dealer's
(`dealer`). The side bets look at cards that nobody chose: three of 52, or six.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod

from msgspec.structs import replace

from croupier.games.three_card_poker import rules
from croupier.games.three_card_poker.bets import BETS
from croupier.games.three_card_poker.dealer import starting_hands
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.games.three_card_poker.policies import MARKED, POLICIES, UNIT, Policy, play_profits, plays
from croupier.house.odds import OddsRow, per_chip, row_from_returns, with_super_fee
from croupier.kit.cards import suit
from croupier.kit.poker import rank3, rank6

SIX_CARD_HANDS = comb(52, 6)


@cache
def odds(options: ThreeCardOptions) -> tuple[OddsRow, ...]:
    """Return the Ante under each policy, then the side bets.

    Play has no row of its own: what it brings or costs is in the `edge` of the Ante, and it is among the chips that
    `edge_per_chip` is a share of.

    >>> ante, *_, pair_plus, six_card, progressive = odds(ThreeCardOptions())
    >>> ante.policy, [f"{float(row.edge):.4%}" for row in (ante, pair_plus, six_card, progressive)]
    ('best', ['3.3730%', '7.2760%', '8.5614%', '0.3620%'])
    """
    return (*(_ante_row(policy, options, False) for policy in POLICIES), *_side_rows())


def prices(options: ThreeCardOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`. The qualifier does not matter to it.

    >>> [str(price) for price in prices(ThreeCardOptions())["ante"]]
    ['0', '1', '2', '3', '4', '5', '6', '7']
    """
    hands = [*(category << 20 for category in range(6)), 5 << 20 | rules.ROYAL_TOP << 16]
    ends = tuple(product(range(5), hands, range(4), (category << 20 for category in range(10))))
    return {name: per_chip(1, (rules.bet_return(kind, 1, *end) for end in ends)) for name, (kind, _) in BETS.items()}


@cache
def super_odds(options: ThreeCardOptions) -> tuple[OddsRow, ...]:
    """Return the Ante in super mode under each policy, its fee included.

    `edge` is the expected loss per chip of the Ante, `edge_per_chip` per chip of Ante, Play and fee together; Play
    comes after the first draw and pays none. The chances to win and lose do not count the fee. The side bets pay no fee
    and keep their rows of `odds`. `best` is what is best in super mode: it plays a few hands more.

    >>> [f"{float(row.edge):.4%}" for row in super_odds(ThreeCardOptions())[:2]]
    ['11.2548%', '11.2926%']
    """
    return tuple(_ante_row(policy, options, True) for policy in POLICIES)


def play_chance(policy: Policy, options: ThreeCardOptions, super_mode: bool) -> Fraction:
    """Return how often a policy plays its hand.

    >>> float(round(play_chance("q64", ThreeCardOptions(), False), 5))
    0.67421
    """
    played = sum(count for hand, count in starting_hands() if plays(policy, hand, options, super_mode))
    return Fraction(played, rules.HAND_COUNT)


def _ante_row(policy: Policy, options: ThreeCardOptions, super_mode: bool) -> OddsRow:
    cases: Counter[int] = Counter()
    for hand, count in starting_hands():
        if plays(policy, hand, options, super_mode):
            for profit, ways in play_profits(hand, options, super_mode):
                cases[profit] += count * ways
        else:
            cases[-UNIT] += count * rules.DEALER_HAND_COUNT * len(MARKED)
    of = rules.HAND_COUNT * rules.DEALER_HAND_COUNT * len(MARKED)
    row = row_from_returns("ante", {1 + Fraction(profit, UNIT): Fraction(n, of) for profit, n in cases.items()}, policy)
    staked = 1 + play_chance(policy, options, super_mode)
    return with_super_fee(row, staked) if super_mode else replace(row, edge_per_chip=row.edge / staked)


# Side bets.


@cache
def _side_rows() -> tuple[OddsRow, ...]:
    pair_plus: Counter[int] = Counter()
    progressive: Counter[int] = Counter()
    for hand, count in starting_hands():
        rank, stake = rank3(*hand), rules.PROGRESSIVE_STAKE
        pair_plus[rules.bet_return(rules.PAIR_PLUS, 1, rules.FOLDED, rank, 0, 0)] += count
        for of_suit in range(4):  # a hand of one suit stands for one in each
            returned = rules.bet_return(rules.PROGRESSIVE, stake, rules.FOLDED, rank, (suit(hand[0]) + of_suit) % 4, 0)
            progressive[returned] += count // 4
    six_card: Counter[int] = Counter()
    for category, count in enumerate(six_card_counts()):
        six_card[rules.bet_return(rules.SIX_CARD, 1, rules.FOLDED, 0, 0, category << 20)] += count
    return (
        _side_row("pair_plus", pair_plus, rules.HAND_COUNT),
        _side_row("six_card", six_card, SIX_CARD_HANDS),
        _side_row("progressive", progressive, rules.HAND_COUNT),
    )


def _side_row(bet: str, returns: Counter[int], of: int) -> OddsRow:
    return row_from_returns(bet, {returned: Fraction(count, of) for returned, count in returns.items()})


@cache
def six_card_counts() -> tuple[int, ...]:
    """Return how many of the 20,358,520 hands of six cards are best at high card, at a pair, … at a royal flush."""
    counts = [0] * 10
    for cards, ways in _six_card_patterns():
        counts[rank6(*cards) >> 20] += ways
    return tuple(counts)


def _six_card_patterns() -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield hands of six cards, each with the number of hands that have its ranks and as good a flush, or none.

    With six ranks a flush is six cards of a suit, or five and any one card of the three others; with five ranks it is
    one card of each, and the sixth is of another suit; with fewer there is none.
    """
    for ranks in combinations_with_replacement(range(13), 6):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        flushes: list[tuple[tuple[int, ...], int]] = []
        if len(held) == 6:
            flushes = [(ranks, 4), *((_with(ranks, rank + 13, without=rank), 12) for rank in ranks)]
        elif len(held) == 5:
            (twice,) = (rank for rank, count in held.items() if count == 2)
            flushes = [(_with(ranks, twice + 13, without=twice), 12)]
        yield from flushes
        ways = prod(comb(4, count) for count in held.values())
        mixed = tuple(rank + place % 4 * 13 for place, rank in enumerate(ranks))  # no suit more often than twice
        yield mixed, ways - sum(count for _, count in flushes)


def _with(ranks: tuple[int, ...], card: int, without: int) -> tuple[int, ...]:
    place = ranks.index(without)
    return (*ranks[:place], card, *ranks[place + 1 :])
