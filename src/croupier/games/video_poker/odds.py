"""Exact odds of video poker: how often each final hand comes about, from counts over every deal and every draw.

The counts are shipped (`tables`), because they take a pass over 2,598,960 deals with 32 holds each; what they are worth
is worked out here, with the rules that pay. Super mode marks the light cards of `rules.rounds` less often than others,
so the counts tell apart how many of those a final hand holds.

Marked cards are shown after the draw, but a royal flush with one of them is worth so much that a player who knows the
boosts keeps other cards than the pay table alone would say. `royal_hunter` plays that way, and `super_bound` is what
no play at all exceeds: the constant of the boost is set by it, not by the usual best play.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

from croupier.games.video_poker.bets import HAND_NAMES, POLICIES, STAKE, Hand, Policy
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import hands, rounds
from croupier.games.video_poker.tables import best_play
from croupier.house.odds import SUPER_FEE, OddsRow, Returns, add, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import exactly_lit

UNIT = 10 * rounds.BOOST_DIVISOR  # chips enough that no boost is rounded
HUNTER_UNIT = 1000


def odds(options: VideoPokerOptions) -> tuple[OddsRow, ...]:
    """Return what the stake is worth under every policy.

    >>> [f"{row.policy} {float(row.edge):.4%}" for row in odds(VideoPokerOptions())]
    ['optimal 0.4561%', 'hold_all 66.3133%', 'royal_hunter 1.7506%']
    """
    return tuple(row_from_returns(STAKE, _returns(policy, options), policy) for policy in POLICIES)


def prices(options: VideoPokerOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(VideoPokerOptions())["stake"]]
    ['0', '1', '2', '3', '4', '6', '9', '25', '50', '800']
    """
    return {STAKE: per_chip(1, (_settled(1, made, options) for made in range(hands.HANDS)))}


def hand_chances(options: VideoPokerOptions, policy: Policy) -> dict[Hand, Fraction]:
    """Return how likely each final hand is under a policy; those that the pay table does not know are left out.

    >>> round(1 / hand_chances(VideoPokerOptions(), "optimal")["royal_flush"])
    40391
    """
    found = best_play()
    ways = found.pay_tables[options.pay_table].policies[policy]
    return {hand: Fraction(sum(by_light), found.deals) for hand, by_light in ways.items()}


def _returns(policy: Policy, options: VideoPokerOptions) -> Returns:
    returns: Returns = {}
    for name, chance in hand_chances(options, policy).items():
        add(returns, _settled(1, HAND_NAMES.index(name), options), chance)
    return returns


def _settled(stake: int, made: int, options: VideoPokerOptions, tenths: int = rounds.BOOST_TENTHS[0]) -> int:
    """Return what a stake returns for what the final cards make, in super mode with a boost."""
    return rounds.super_settle(0, 0, stake, [0] * rounds.MADE + [made], options.numbers(False), tenths)


# Super mode.


def super_odds(options: VideoPokerOptions) -> tuple[OddsRow, ...]:
    """Return what the stake is worth in super mode under every policy, its fee included.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together. The chances to win
    and lose do not count the fee. For stakes of which no boost is rounded: multiples of 125.

    >>> [f"{row.policy} {float(row.edge_per_chip):.4%}" for row in super_odds(VideoPokerOptions())]
    ['optimal 5.7309%', 'hold_all 71.1615%', 'royal_hunter 2.6087%']
    """
    rows = (row_from_returns(STAKE, _super_returns(policy, options), policy) for policy in POLICIES)
    return tuple(map(with_super_fee, rows))


def super_bound(options: VideoPokerOptions) -> Fraction:
    """Return the edge per chip of stake and fee that no play in super mode gets below."""
    most = Fraction(*best_play().pay_tables[options.pay_table].super_bound)
    return 1 - most / (1 + SUPER_FEE)


def _super_returns(policy: Policy, options: VideoPokerOptions) -> Returns:
    found = best_play()
    returns: Returns = {}
    for name, by_light in found.pay_tables[options.pay_table].policies[policy].items():
        hand = HAND_NAMES.index(name)
        for light, ways in enumerate(by_light):
            for marked, chance in enumerate(boost_chances(light)):
                returned = Fraction(_settled(UNIT, hand, options, rounds.boost_tenths(hand, marked)), UNIT)
                add(returns, returned, chance * Fraction(ways, found.deals))
    return returns


@cache
def boost_chances(light: int) -> tuple[Fraction, ...]:
    """Return how likely 0 to 4 marked cards are in a hand with so many light cards.

    >>> sum(boost_chances(0)), boost_chances(0)[1] > boost_chances(4)[1]
    (Fraction(1, 1), True)
    """
    heavy = rounds.CARDS - light
    found = [Fraction(0)] * (rounds.MARKED_COUNT + 1)
    for marked in product(range(heavy + 1), range(light + 1)):
        if sum(marked) <= rounds.MARKED_COUNT:
            chance = exactly_lit(rounds.PACK_SIZE, rounds.MARKED_COUNT, marked, (heavy, light))
            found[sum(marked)] += comb(heavy, marked[0]) * comb(light, marked[1]) * chance
    return tuple(found)


def expected_boost(hand: int, chances: tuple[Fraction, ...]) -> Fraction:
    """Return what a boost adds to each chip of profit on average, where marked cards have these chances."""
    tenths = [rounds.boost_tenths(hand, marked) - 10 for marked in range(len(chances))]
    return sum((extra * chance for extra, chance in zip(tenths, chances, strict=True)), Fraction(0)) / UNIT


@cache
def hunter_pays(options: VideoPokerOptions) -> tuple[int, ...]:
    """Return what `royal_hunter` plays for: what hands return on average in super mode, in thousandths, rounded down.

    As if any four cards were as likely to be marked as any other four; the few that are a little less likely would
    hardly change what to keep.

    >>> hunter_pays(VideoPokerOptions())[5:10]  # flush to royal flush
    (6038, 9062, 25186, 50380, 6240801)
    """
    any_four = comb(rounds.PACK_SIZE, rounds.MARKED_COUNT)
    elsewhere = rounds.PACK_SIZE - rounds.CARDS
    chances = tuple(
        Fraction(comb(rounds.CARDS, marked) * comb(elsewhere, rounds.MARKED_COUNT - marked), any_four)
        for marked in range(rounds.MARKED_COUNT + 1)
    )
    return tuple(
        int(HUNTER_UNIT * (pays + max(pays - 1, 0) * expected_boost(hand, chances)))
        for hand, pays in enumerate(options.pays)
    )
