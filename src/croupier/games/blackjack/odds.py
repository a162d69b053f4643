"""Exact odds of the bets of blackjack.

Side bets are counted exactly, with the rules that pay them. None of them depends on how the player plays: the unseen
cards may be dealt in any order, so that the dealer's hand comes out as likely whether the player draws first or not.

The main bet is worth what the policy makes of it. Its figures come with the game (`strategy`): they were added up over
every card that can come, splits included, in floats whose error is far below the bounds given here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, perm, prod

from msgspec.structs import replace

from croupier.games.blackjack import rules, solver, strategy
from croupier.games.blackjack.bets import BETS, INSURANCE, MAIN
from croupier.games.blackjack.options import BlackjackOptions
from croupier.house.odds import OddsRow, Returns, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import mean_boosts, shares_of

ERROR = Fraction(1, 10**10)  # of the shipped figures: floats at 1e-15, and a unit of 1e-12
BOOST = Fraction(rules.BOOST_NUMERATOR, rules.BOOST_DENOMINATOR)


def odds(options: BlackjackOptions) -> tuple[OddsRow, ...]:
    """Return a row for the main bet and each policy, for each side bet, and where there is a peek for insurance.

    Edges of the main bet are for stakes that naturals and surrender leave whole, and are bounds, which differ in the
    tenth digit; `win`, `push` and `lose` are the chances of the opening stake.

    >>> [f"{float(row.edge):.4%}" for row in odds(BlackjackOptions())[:3]]
    ['0.5226%', '3.8156%', '5.8937%']
    """
    rows = [_main_row(policy, options) for policy in strategy.POLICIES]
    side_bets = _side_returns(options.decks, options.hit_soft_17)
    rows += [row_from_returns(bet, returns) for bet, returns in side_bets.items()]
    if options.peek:
        tens = Fraction(16 * options.decks, 52 * options.decks - 1)  # beside the ace that is up
        rows.append(row_from_returns(INSURANCE, {rules.insurance_return(1, True): tens, 0: 1 - tens}))
    return tuple(rows)


def prices(options: BlackjackOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(BlackjackOptions(six_to_five=True, surrender=True))["main"]]
    ['0', '1/2', '1', '2', '11/5']
    """

    def hand(*statuses: int) -> tuple[Fraction, ...]:
        ends = product(statuses, (19, 20, 21), (False, True))
        return per_chip(
            10, (rules.hand_return(10, one, total, 20, natural, options.six_to_five) for one, total, natural in ends)
        )

    found = {MAIN: hand(rules.STANDING, rules.NATURAL, *([rules.SURRENDERED] if options.surrender else []))}
    for bet, returns in _side_returns(options.decks, options.hit_soft_17).items():
        found[bet] = tuple(sorted(Fraction(returned) for returned, chance in returns.items() if chance))
    if options.peek:
        found[INSURANCE] = per_chip(1, (rules.insurance_return(1, natural) for natural in (False, True)))
    raised = hand(rules.STANDING)
    return found | {bet: raised for bet in BETS if bet.startswith(("double:", "split:"))}


def super_odds(options: BlackjackOptions) -> tuple[OddsRow, ...]:
    """Return the main bet's rows in super mode, the fee part of the loss; side bets keep theirs.

    >>> [f"{float(row.edge_per_chip):.4%}" for row in super_odds(BlackjackOptions())]
    ['3.1761%', '7.0918%', '7.5089%']
    """
    rows = []
    naturals = natural_chances(options.decks)[1]
    natural_boost = _natural_pays(options) * (mean_boost((1, 0, 0, 0, 0, 0, 0, 0, 0, 1), options.decks) - 1)
    for policy in strategy.POLICIES:
        row, found = _main_row(policy, options), strategy.round_worth(policy, options)
        other_wins = row.win - naturals
        boosted = Fraction(found.boosted, strategy.SCALE) - other_wins + naturals * natural_boost
        low = replace(row, edge=row.edge - BOOST * boosted - ERROR, variance_max=None)  # boosts stray too
        row = with_super_fee(low, Fraction(found.staked, strategy.SCALE))
        rows.append(replace(row, low=row.edge, high=row.edge + 4 * ERROR))
    return tuple(rows)


def mean_boost(counts: Sequence[int], decks: int) -> Fraction:
    """Return the mean boost of hands with so many cards of each value, ace first; there must be so many.

    >>> float(mean_boost((0, 0, 0, 0, 0, 0, 0, 0, 0, 2), 1))
    1.3403187680079696
    """
    return _from_a_shoe(decks)(counts[9], tuple(sorted(filter(None, counts[:9]))))


@cache
def _from_a_shoe(decks: int) -> Callable[[int, tuple[int, ...]], Fraction]:
    shares = shares_of(rules.MULTIPLIERS, rules.MULTIPLIER_LIMITS)
    return mean_boosts(decks, {rules.LIT_COUNT: 1}, shares, rules.BOOST_MAX)


# The main bet.


def _natural_pays(options: BlackjackOptions) -> Fraction:
    stake = 10  # neither price leaves a part of a chip
    returned = rules.hand_return(stake, rules.NATURAL, rules.TWENTY_ONE, 0, False, options.six_to_five)
    return Fraction(returned - stake, stake)


def _main_row(policy: str, options: BlackjackOptions) -> OddsRow:
    found = strategy.round_worth(policy, options)
    less = (Fraction(3, 2) - _natural_pays(options)) * natural_chances(options.decks)[1]
    low = less - Fraction(found.net, strategy.SCALE) - ERROR
    win, push = Fraction(found.win, strategy.SCALE), Fraction(found.push, strategy.SCALE)
    of_all = low * strategy.SCALE / found.staked
    row = OddsRow(MAIN, policy, win, push, 1 - win - push, low, of_all, "bounded", low, low + 2 * ERROR)
    less_square = (Fraction(9, 4) - _natural_pays(options) ** 2) * natural_chances(options.decks)[1]
    square = Fraction(found.square, strategy.SQUARE_SCALE) - less_square
    return replace(row, variance_max=square - low * low)


@cache
def natural_chances(decks: int) -> tuple[Fraction, Fraction]:
    """Return the chance that the player has a natural, and that the player has one and the dealer has none.

    >>> [f"{float(chance):.4%}" for chance in natural_chances(8)]
    ['4.7451%', '4.5266%']
    """
    cards, aces, tens = 52 * decks, 4 * decks, 16 * decks
    player = Fraction(2 * aces * tens, perm(cards, 2))
    dealer = Fraction(2 * (aces - 1) * (tens - 1), perm(cards - 2, 2))
    return player, player * (1 - dealer)


# Side bets. What they pay comes in halves to 1, as the rules tell it.


@cache
def _side_returns(decks: int, hit_soft_17: bool) -> dict[str, Returns]:
    return {
        "twenty_one_plus_three": three_card_returns(decks, rules.twenty_one_plus_three_halves),
        "lucky_ladies": two_card_returns(decks, rules.lucky_ladies_halves),
        "perfect_pairs": two_card_returns(decks, lambda one, other, _: rules.perfect_pairs_halves(one, other)),
        "bust_it": _bust_it_returns(decks, hit_soft_17),
        "royal_match": two_card_returns(decks, lambda one, other, _: rules.royal_match_halves(one, other)),
    }


def two_card_returns(decks: int, halves: Callable[[int, int, bool], int]) -> Returns:
    """Return the chances of what a bet on the player's first two cards, and on a natural of the dealer's, returns."""
    returns: Returns = {}
    left = 52 * decks - 2
    for first, second, ways in _two_cards(decks):
        chance = Fraction(ways, comb(52 * decks, 2))
        values = [rules.card_value(first), rules.card_value(second)]
        aces, tens = 4 * decks - values.count(1), 16 * decks - values.count(10)
        natural = Fraction(2 * aces * tens, left * (left - 1))
        _add(returns, halves(first, second, True), chance * natural)
        _add(returns, halves(first, second, False), chance * (1 - natural))
    return returns


def three_card_returns(decks: int, halves: Callable[[int, int, int], int]) -> Returns:
    """Return the chances of what a bet on three cards returns that asks for ranks, and whether all suits are one."""
    returns: Returns = {}
    every = comb(52 * decks, 3)
    for low, middle, high in combinations_with_replacement(range(13), 3):
        flush = 4 * _ways((low, middle, high), decks)
        ways = _ways((low, middle, high), 4 * decks)
        _add(returns, halves(low, middle, high), Fraction(flush, every))
        _add(returns, halves(low, middle + 13, high + 26), Fraction(ways - flush, every))
    return returns


def _ways(ranks: tuple[int, ...], copies: int) -> int:
    """Return in how many ways cards of these ranks can be taken where there are so many of each."""
    return prod(comb(copies, ranks.count(rank)) for rank in set(ranks))


def _two_cards(decks: int) -> Iterator[tuple[int, int, int]]:
    """Yield every two cards, and in how many ways they can be taken."""
    for first in range(52):
        yield first, first, comb(decks, 2)
        for second in range(first + 1, 52):
            yield first, second, decks * decks


def _bust_it_returns(decks: int, hit_soft_17: bool) -> Returns:
    returns: Returns = {}
    busts = dealer_busts(decks, hit_soft_17)
    for size, chance in busts.items():
        _add(returns, rules.side_halves(rules.BUST_IT, 0, 0, 0, False, rules.TWENTY_ONE + 1, size), chance)
    _add(returns, 0, 1 - sum(busts.values(), Fraction(0)))
    return returns


@cache
def dealer_busts(decks: int, hit_soft_17: bool) -> dict[int, Fraction]:
    """Return the chance that a dealer busts, by the number of cards.

    >>> f"{float(sum(dealer_busts(8, True).values())):.5f}"
    '0.28567'
    """
    found: dict[int, Fraction] = {}
    for up_value in range(1, 11):
        nodes = solver.dealer_nodes(up_value, hit_soft_17)
        left = [4 * decks] * 9 + [16 * decks]
        up_cards = left[up_value - 1]
        left[up_value - 1] -= 1
        for node, size in enumerate(nodes.size):
            held = nodes.held[10 * node : 10 * node + 10]
            hard = up_value + solver.hard_total(held)
            lasts = sum(left[i] - held[i] for i in range(10) if hard + i + 1 > rules.TWENTY_ONE)
            ways = up_cards * int(nodes.orders[node]) * lasts * prod(map(perm, left, held))
            found[size + 2] = found.get(size + 2, Fraction(0)) + Fraction(ways, perm(52 * decks, size + 2))
    return {size: chance for size, chance in sorted(found.items()) if chance}


def _add(returns: Returns, halves: int, chance: Fraction) -> None:
    """Add a chance to what a chip returns; a bet that pays nothing is lost."""
    returned = 1 + Fraction(halves, 2) if halves else Fraction(0)
    returns[returned] = returns.get(returned, Fraction(0)) + chance
