"""Exact odds of casino war, counted over the ranks of six decks with the rules that settle the bets.

The three burned cards are not counted: unseen cards are as likely to lie anywhere, so the war cards are drawn as
if they came first of the 310 left.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Literal, get_args

from msgspec.structs import replace

from croupier.games.casino_war import rules
from croupier.games.casino_war.bets import BETS
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.house.card_round import option_numbers
from croupier.house.odds import OddsRow, Returns, add, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import marked_chances
from croupier.rng import GameRng
from croupier.rounds import DONE

Policy = Literal["always_war", "always_surrender"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

# Cards 0 to 12 stand for their ranks: ace, two, ... king.
RANKS = range(13)
COPIES = 4 * rules.DECKS

Hand = tuple[int, ...]
"""A round that is over, as the steps of the rules leave it."""


def odds(options: CasinoWarOptions) -> tuple[OddsRow, ...]:
    """Return the main bet under both policies, then the tie bet.

    The raise has no row of its own: it is part of what `always_war` stakes, and what it brings or costs is in the
    `edge` of the main bet. The row of `always_surrender` is for even stakes: see `main_edge`.

    >>> [f"{float(row.edge):.4%}" for row in odds(CasinoWarOptions())]
    ['2.3301%', '3.6977%', '18.6495%']
    """
    rows = [_main_row(policy, _main_returns(policy, 2, options), is_super=False) for policy in POLICIES]
    tie: Returns = {}
    for hand, chance in _hands("always_war").items():
        add(tie, rules.settle(rules.TIE, 0, 1, hand, option_numbers(options)), chance)
    return (*rows, row_from_returns("tie", tie))


def prices(options: CasinoWarOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(CasinoWarOptions())["raise"]]
    ['0', '2', '3']
    """
    ends = (rules.DEAL_LOST, rules.DEAL_WON, *range(rules.SURRENDERED, rules.WAR_TIED + 1))
    hands = [(0, 0, rules.NO_CARD, rules.NO_CARD, found) for found in ends]
    return {
        name: per_chip(2, (rules.settle(*code, 2, hand, option_numbers(options)) for hand in hands))
        for name, code in BETS.items()
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
    hands = _hands("always_war").items()
    return sum((chance for hand, chance in hands if hand[rules.ENDING] >= rules.DEAL_TIED), Fraction(0))


def super_odds(options: CasinoWarOptions) -> tuple[OddsRow, ...]:
    """Return the main bet in super mode under both policies, its fee included.

    `edge` is the expected loss per chip of the main bet, `edge_per_chip` per chip of both stakes and the fee together;
    the raise comes after the first draw and pays none. The chances to win and lose do not count the fee. The row of
    `always_surrender` is for even stakes. The tie bet pays no fee and keeps its row of `odds`.

    >>> [f"{float(row.edge):.4%}" for row in super_odds(CasinoWarOptions())]
    ['8.2793%', '13.1011%']
    """
    return tuple(_main_row(policy, _super_returns(policy, 10, options), is_super=True) for policy in POLICIES)


def _main_row(policy: Policy, returns: Returns, *, is_super: bool) -> OddsRow:
    row = row_from_returns("main", returns, policy)
    staked = 1 + tie_chance() if policy == "always_war" else Fraction(1)
    return with_super_fee(row, staked) if is_super else replace(row, edge_per_chip=row.edge / staked)


def _main_returns(policy: Policy, stake: int, options: CasinoWarOptions) -> Returns:
    """Return the chances of what comes back per chip of the main bet, less the raise where one was made."""
    returns: Returns = {}
    for hand, chance in _hands(policy).items():
        main = rules.settle(rules.MAIN, 0, stake, hand, option_numbers(options))
        add(returns, Fraction(main + _raise_profit(stake, hand, options), stake), chance)
    return returns


def _super_returns(policy: Policy, stake: int, options: CasinoWarOptions) -> Returns:
    """Return the same as `_main_returns` in super mode, fee aside."""
    returns: Returns = {}
    for hand, chance in _hands(policy).items():
        raised = _raise_profit(stake, hand, options)
        for boost, share in _boosts(hand).items():
            main = rules.super_settle(rules.MAIN, 0, stake, hand, option_numbers(options), boost)
            add(returns, Fraction(main + raised, stake), chance * share)
    return returns


def _raise_profit(stake: int, hand: Hand, options: CasinoWarOptions) -> int:
    if hand[rules.WAR_PLAYER_CARD] == rules.NO_CARD:
        return 0
    return rules.settle(rules.RAISE, 0, stake, hand, option_numbers(options)) - stake


@cache
def _hands(policy: Policy) -> dict[Hand, Fraction]:
    """Return the chances of how rounds end under a policy; the dealer's cards are not told."""
    ends: dict[Hand, Fraction] = {}
    for first, dealer_first, chance in _two_cards((COPIES,) * 13):
        hand = [0] * (rules.ENDING + 1)
        if rules.show(first, dealer_first, hand) == DONE:
            add(ends, _without_dealer(hand), chance)
        elif policy == "always_surrender":
            rules.take(GameRng.from_state(bytes(32)), rules.SURRENDER, hand, (), [])
            add(ends, _without_dealer(hand), chance)
        else:
            left = tuple(COPIES - 2 * (rank == first) for rank in RANKS)
            for last, dealer_last, war_chance in _two_cards(left):
                rules.show_war(last, dealer_last, hand)
                add(ends, _without_dealer(hand), chance * war_chance)
    return ends


def _without_dealer(hand: list[int]) -> Hand:
    player, _, war_player, war_dealer, ending = hand
    return player, 0, war_player, min(war_dealer, 0), ending


def _two_cards(left: tuple[int, ...]) -> Iterator[tuple[int, int, Fraction]]:
    """Yield every two ranks drawn from what is left of each, with their chance."""
    cards = sum(left)
    for one in RANKS:
        for two in RANKS:
            yield one, two, Fraction(left[one] * (left[two] - (one == two)), cards * (cards - 1))


@cache
def _boosts(hand: Hand) -> dict[int, Fraction]:
    """Return the chances of the boosts that a round may have."""
    boosts: dict[int, Fraction] = {}
    for marked, share in marked_chances(13, rules.MARKED_COUNT).items():
        add(boosts, rules.boost(rules.MAIN, 0, hand, marked, (), rules.MARKED_COUNT), share)
    return boosts
