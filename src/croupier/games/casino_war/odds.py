"""Exact odds of casino war, counted over the ranks of six decks with the rules that settle the bets.

The three burned cards are not counted: unseen cards are as likely to lie anywhere, so the war cards are drawn as
if they came first of the 310 left.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Literal, get_args

from msgspec.structs import replace

from croupier.games.casino_war import rules
from croupier.games.casino_war.bets import BETS
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.house.odds import SUPER_FEE, OddsRow, per_chip, row_from_returns

__all__ = ["POLICIES", "Policy", "main_edge", "odds", "prices", "second_tie_chance", "super_odds", "tie_chance"]

Policy = Literal["always_war", "always_surrender"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

# Cards 0 to 12 stand for their ranks: ace, two, ... king.
RANKS = range(13)
COPIES = 4 * rules.DECKS

# How a round ended, the player's first card, and the player's card that decided.
Ending = tuple[int, int, int]
Returns = dict[Fraction | int, Fraction]


def odds(options: CasinoWarOptions) -> tuple[OddsRow, ...]:
    """Return the main bet under both policies, then the tie bet.

    The raise has no row of its own: it is part of what `always_war` stakes, and what it brings or costs is in the
    `edge` of the main bet. The row of `always_surrender` is for even stakes: see `main_edge`.

    >>> [f"{float(row.edge):.4%}" for row in odds(CasinoWarOptions())]
    ['2.3301%', '3.6977%', '18.6495%']
    """
    rows = [_main_row(policy, _main_returns(policy, 2, options), Fraction(0)) for policy in POLICIES]
    return (*rows, row_from_returns("tie", _tie_returns(options)))


def prices(options: CasinoWarOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(CasinoWarOptions())["raise"]]
    ['0', '2', '3']
    """
    pays = options.tie_pays, options.second_tie_bonus
    return {
        name: per_chip(2, (rules.bet_return(kind, 2, found, *pays) for found in range(rules.WAR_TIED + 1)))
        for name, (kind, _) in BETS.items()
    }


def main_edge(policy: Policy, stake: int, options: CasinoWarOptions) -> Fraction:
    """Return the edge of a main bet of `stake` chips. The stake matters to surrender alone, which halves it.

    A single chip comes back whole, so that it has no edge under `always_surrender`; half of any other odd stake is
    rounded down, which costs a little more than an even one.

    >>> [f"{float(main_edge('always_surrender', stake, CasinoWarOptions())):.4%}" for stake in (1, 2, 3, 101)]
    ['0.0000%', '3.6977%', '4.9303%', '3.7344%']
    """
    returns = _main_returns(policy, stake, options)
    return 1 - sum((returned * chance for returned, chance in returns.items()), Fraction(0))


def tie_chance() -> Fraction:
    """Return the chance that the first two cards tie.

    >>> tie_chance()
    Fraction(23, 311)
    """
    return _chance_from(rules.DEAL_TIED)


def second_tie_chance() -> Fraction:
    """Return the chance that a war ends in a second tie."""
    return _chance_from(rules.WAR_TIED) / tie_chance()


def _chance_from(lowest: int) -> Fraction:
    return sum((chance for (found, _, _), chance in _endings("always_war").items() if found >= lowest), Fraction(0))


def super_odds(options: CasinoWarOptions) -> tuple[OddsRow, ...]:
    """Return the main bet in super mode under both policies, its fee of a fifth included.

    `edge` is the expected loss per chip of the main bet, `edge_per_chip` per chip of both stakes and the fee together;
    the raise comes after the first draw and pays none. The chances to win and lose do not count the fee. The row of
    `always_surrender` is for even stakes. The tie bet pays no fee and keeps its row of `odds`.

    >>> [f"{float(row.edge):.4%}" for row in super_odds(CasinoWarOptions())]
    ['8.2793%', '13.1011%']
    """
    return tuple(_main_row(policy, _super_returns(policy, 10, options), SUPER_FEE) for policy in POLICIES)


def _main_row(policy: Policy, returns: Returns, fee: Fraction) -> OddsRow:
    """Return the main bet's row; `fee` is what a chip of it costs besides."""
    row = row_from_returns("main", returns, policy)
    edge = row.edge + fee
    raised = tie_chance() if policy == "always_war" else Fraction(0)
    return replace(row, edge=edge, edge_per_chip=edge / (1 + fee + raised))


def _main_returns(policy: Policy, stake: int, options: CasinoWarOptions) -> Returns:
    """Return the chances of what comes back per chip of the main bet, less the raise where one was made."""
    returns: Returns = {}
    for (found, _, _), chance in _endings(policy).items():
        main = rules.bet_return(rules.MAIN, stake, found, options.tie_pays, options.second_tie_bonus)
        returned = Fraction(main + _raise_profit(stake, found, options), stake)
        returns[returned] = returns.get(returned, Fraction(0)) + chance
    return returns


def _raise_profit(stake: int, found: int, options: CasinoWarOptions) -> int:
    if found < rules.WAR_LOST:
        return 0
    return rules.bet_return(rules.RAISE, stake, found, options.tie_pays, options.second_tie_bonus) - stake


def _tie_returns(options: CasinoWarOptions) -> Returns:
    returns: Returns = {}
    for (found, _, _), chance in _endings("always_war").items():
        returned = rules.bet_return(rules.TIE, 1, found, options.tie_pays, options.second_tie_bonus)
        returns[returned] = returns.get(returned, Fraction(0)) + chance
    return returns


def _super_returns(policy: Policy, stake: int, options: CasinoWarOptions) -> Returns:
    """Return the same as `_main_returns` in super mode, fee aside."""
    returns: Returns = {}
    for ending, chance in _endings(policy).items():
        found = ending[0]
        for boost, share in _boosts(ending).items():
            main = rules.super_main_return(stake, found, boost)
            returned = Fraction(main + _raise_profit(stake, found, options), stake)
            returns[returned] = returns.get(returned, Fraction(0)) + chance * share
    return returns


@cache
def _endings(policy: Policy) -> dict[Ending, Fraction]:
    """Return the chances of how rounds end under a policy."""
    endings: dict[Ending, Fraction] = {}
    for first, dealer_first, chance in _two_cards((COPIES,) * 13):
        found = rules.compare(first, dealer_first)
        if found != rules.DEAL_TIED:
            ending = (found, first, first)
            endings[ending] = endings.get(ending, Fraction(0)) + chance
        elif policy == "always_surrender":
            endings[rules.SURRENDERED, first, first] = chance
        else:
            left = tuple(COPIES - 2 * (rank == first) for rank in RANKS)
            for last, dealer_last, war_chance in _two_cards(left):
                ending = (rules.compare_war(last, dealer_last), first, last)
                endings[ending] = endings.get(ending, Fraction(0)) + chance * war_chance
    return endings


def _two_cards(left: tuple[int, ...]) -> Iterator[tuple[int, int, Fraction]]:
    """Yield every two ranks drawn from what is left of each, with their chance."""
    cards = sum(left)
    for one in RANKS:
        for two in RANKS:
            yield one, two, Fraction(left[one] * (left[two] - (one == two)), cards * (cards - 1))


@cache
def _boosts(ending: Ending) -> dict[int, Fraction]:
    """Return the chances of the boosts that an ending may have."""
    boosts: dict[int, Fraction] = {}
    for marked, share in _marked().items():
        boost = rules.boost_of(*ending, marked, rules.MARKED_COUNT)
        boosts[boost] = boosts.get(boost, Fraction(0)) + share
    return boosts


@cache
def _marked() -> dict[tuple[int, ...], Fraction]:
    """Return the chances of the sets of ranks that super mode marks."""
    # A byte modulo 13 is each of 0 to 8 twenty times in 256, and each of 9 to 12 nineteen times.
    weights = [len(range(rank, 256, 13)) for rank in RANKS]
    sets: dict[tuple[int, ...], Fraction] = {}
    for order in permutations(RANKS, rules.MARKED_COUNT):
        chance = Fraction(1)
        left = 256
        for rank in order:
            chance *= Fraction(weights[rank], left)
            left -= weights[rank]
        marked = tuple(sorted(order))
        sets[marked] = sets.get(marked, Fraction(0)) + chance
    return sets
