"""Exact odds of ultimate texas hold'em, and what every decision is worth.

The main game is one bet in three parts: its `edge` is what Ante, Blind and Play lose together per chip of the Ante, and
its `variance` that of all three. Both were counted over all boards and all hands of the dealer (`tables`). What lies
ahead on the flop and at the river is counted here, when somebody asks, with the rules that settle the bets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, lcm
from typing import Any

from msgspec.structs import replace

from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.bets import BETS, POLICIES
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.tables import PER_HOLE, ROUND_COUNT, Rounds, hole_count, solution
from croupier.house.odds import SUPER_FEE, OddsRow, add, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import marked_chances as chances_of_marks
from croupier.kit.poker import category

FOLD = Fraction(-2)
"""Worth of folding, in Antes."""


def odds(options: HoldemOptions) -> tuple[OddsRow, ...]:
    """Return the main game under both policies, by its `ante`, then the side bets.

    Edges are for an even Ante: the Blind pays a flush 3 to 2, and half a chip is not paid.

    >>> [f"{row.bet} {float(row.edge):.4%}" for row in odds(HoldemOptions())]
    ['ante 2.1850%', 'ante 2.3814%', 'trips 0.9018%', 'six_card 8.5614%', 'progressive 29.3764%']
    """
    return (*(_main_row(policy, options) for policy in POLICIES), *_side_rows())


def prices(options: HoldemOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`. No option changes it.

    >>> [str(price) for price in prices(HoldemOptions())["blind"]]
    ['0', '1', '2', '5/2', '4', '11', '51', '501']
    """
    ends = tuple(product(range(rules.WON + 1), range(len(rules.BOOSTS))))
    return {name: per_chip(2, (rules.bet_return(kind, 2, *end) for end in ends)) for name, (kind, _) in BETS.items()}


def super_odds(options: HoldemOptions) -> tuple[OddsRow, ...]:
    """Return the main game in super mode under both policies, the fee on the Ante included.

    `edge_per_chip` is per chip of all three bets and the fee. Side bets pay no fee and keep their rows of `odds`.
    """
    rows = []
    for policy in POLICIES:
        plain, rounds = _main_row(policy, options), _rounds(policy, options)
        edge = plain.edge - Fraction(rounds.gain * rules.BOOST_NUMERATOR, ROUND_COUNT * boost_unit())
        square = Fraction(rounds.square * marked_denominator() + rounds.gain_square, ROUND_COUNT * marked_denominator())
        boosted = replace(plain, edge=edge, variance=square / 4 - edge * edge)
        rows.append(with_super_fee(boosted, 2 + Fraction(rounds.bet, ROUND_COUNT)))
    return tuple(rows)


def sharp_edge(options: HoldemOptions) -> Fraction:
    """Return the edge in super mode against the best play there is, which raises a little more often for the boosts."""
    key = (options.dealer_qualifies, options.play_3x, options.play_4x)
    (found,) = [row for row in solution().sharp if (row.dealer_qualifies, row.play_3x, row.play_4x) == key]
    return SUPER_FEE - Fraction(found.profit, 2 * ROUND_COUNT * boost_unit())


def _main_row(policy: str, options: HoldemOptions) -> OddsRow:
    rounds = _rounds(policy, options)
    edge = -Fraction(rounds.profit, 2 * ROUND_COUNT)
    win, push = Fraction(rounds.wins, ROUND_COUNT), Fraction(rounds.ties, ROUND_COUNT)
    staked = 2 + Fraction(rounds.bet, ROUND_COUNT)
    variance = Fraction(rounds.square, 4 * ROUND_COUNT) - edge * edge
    return OddsRow("ante", policy, win, push, 1 - win - push, edge, edge / staked, variance=variance)


def _rounds(policy: str, options: HoldemOptions) -> Rounds:
    key = (options.dealer_qualifies, options.play_3x, options.play_4x, policy)
    (found,) = [row for row in solution().rounds if (row.dealer_qualifies, row.play_3x, row.play_4x, row.policy) == key]
    return found


@cache
def _side_rows() -> tuple[OddsRow, ...]:
    rows = []
    for bet, kind, cards in (
        ("trips", rules.TRIPS_BET, 7),
        ("six_card", rules.SIX_CARD, 6),
        ("progressive", rules.PROGRESSIVE, 5),
    ):
        counts = solution().categories[cards]
        returns: dict[Fraction | int, Fraction] = {}
        for hand, count in enumerate(counts):
            returned = rules.bet_return(kind, 1, rules.FOLDED, hand)
            add(returns, returned, Fraction(count, sum(counts)))
        rows.append(row_from_returns(bet, returns))
    return tuple(rows)


# Super mode.


@cache
def marked_chances() -> dict[tuple[int, int], Fraction]:
    """Return the chances of the two ranks that super mode marks, the lower number first."""
    return {(one, other): chance for (one, other), chance in chances_of_marks(13, rules.MARKED_COUNT).items()}


@cache
def marked_denominator() -> int:
    """Return the common denominator of the chances of marked ranks."""
    return lcm(*(chance.denominator for chance in marked_chances().values()))


def boost_unit() -> int:
    """Return the denominator of what boosts are worth on average: that of the chances, and of the rule's share."""
    return marked_denominator() * rules.BOOST_DENOMINATOR


# What a decision is worth: the expected profit of Ante, Blind and Play, in Antes.


def hole_values(cards: Sequence[int], options: HoldemOptions) -> dict[int, Fraction]:
    """Return what checking (0) and betting 3 and 4 Antes is worth before the flop, whether on offer or not.

    >>> values = hole_values((0, 13), HoldemOptions())  # a pair of aces
    >>> [(multiple, f"{float(value):.3f}") for multiple, value in values.items()]
    [(0, '2.193'), (3, '2.897'), (4, '3.601')]
    """
    kind = rules.hole_class(cards[0], cards[1])
    count = 2 * hole_count(kind) * PER_HOLE
    check, play_3, play_4 = solution().holes[options.dealer_qualifies][kind]
    return {0: Fraction(check, count), 3: Fraction(play_3, count), 4: Fraction(play_4, count)}


def flop_values(cards: Sequence[int], options: HoldemOptions, multiple: int = 2) -> dict[int, Fraction]:
    """Return what checking (0) and a Play bet is worth on the flop, for two hole cards and three of the flop.

    Counted over the 1,081 ways to go on and the 990 hands of the dealer in each; it takes about half a second.
    """
    work = [0] * rules.SHOWDOWN_WORK
    needs_pair = options.dealer_qualifies == "pair"
    fold = rules.fold_profit()
    checked = played = 0
    for last, weight in _ways_to_go_on(cards):
        spread = (*cards, *last)
        hand = category(rules.player_rank(spread))
        counts = rules.count_showdowns(spread, work)
        checked += weight * max(fold, rules.showdown_profit(1, needs_pair, hand, *counts))
        played += weight * rules.showdown_profit(multiple, needs_pair, hand, *counts)
    count = 2 * comb(47, 2) * rules.SHOWDOWN_COUNT
    return {0: Fraction(checked, count), multiple: Fraction(played, count)}


def _ways_to_go_on(cards: Sequence[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield what turn and river may be, one of each kind that differs in more than the names of suits, and its size."""
    suits = [
        tuple(tuple(card % 13 for card in part if card // 13 == suit) for part in (cards[:2], cards[2:]))
        for suit in range(4)
    ]
    kinds: dict[Any, tuple[tuple[int, int], int]] = {}
    for last in combinations([card for card in range(52) if card not in cards], 2):
        kind = tuple(
            sorted((*suits[suit], tuple(card % 13 for card in last if card // 13 == suit)) for suit in range(4))
        )
        kinds[kind] = (last, kinds[kind][1] + 1 if kind in kinds else 1)
    yield from kinds.values()


def river_values(cards: Sequence[int], options: HoldemOptions, multiple: int = 1) -> dict[int, Fraction]:
    """Return what folding (0) and a Play bet is worth at the river, for two hole cards and the board."""
    work = [0] * rules.SHOWDOWN_WORK
    profit = rules.river_profit(cards, multiple, options.dealer_qualifies == "pair", work)
    return {0: FOLD, multiple: Fraction(profit, 2 * rules.SHOWDOWN_COUNT)}
