"""Exact odds of craps: every bet of every pay table, counted with the rules that settle it.

Figures are for bets that work on every roll and stakes that need no rounding. A bet with a commission that is paid up
front is worth what it is per chip of stake and commission together (docs/games/craps.md, Buying and laying).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from msgspec.structs import replace

from croupier.errors import BadOptions
from croupier.games.craps.bets import IDS, NAMED, POINTS, name_of
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import boost, ids, placing, prices
from croupier.games.craps.values import ends_of, verdicts_of
from croupier.house.odds import OddsRow, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import multiplier_chances
from croupier.rng import GameRng

# Every price and commission of every table comes out whole on it: hundredths, elevenths, eighths, 5 % of a sixth.
STAKE = 13_200_000

WITH_ODDS = {"single_odds": 1, "double_odds": 2, "full_odds": 1_000}
"""The policies that put odds on the line: how many times the stake at most, where the table allows so much."""

Ends = Iterable[tuple[int, int, Fraction]]
"""Chips returned, the total that decided, and the chance of it; the same chips and total may come again."""


def odds(options: CrapsOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every bet: first the 91 by id, then other modes, odds, lines with odds.

    A bet that the pay table refuses has a row that says so.

    >>> rows = {row.bet: row for row in odds(CrapsOptions())[:91]}
    >>> str(rows["pass"].edge), str(rows["dont_pass"].edge), str(rows["field"].edge), str(rows["next:7"].edge)
    ('7/495', '3/220', '1/18', '1/6')
    """
    book = book_of(options)
    rows = list(_rows(book.prices))
    for policy, most in WITH_ODDS.items():
        rows += _with_odds(policy, book.prices, book.odds_multiples(most))
    return tuple(rows)


def price_list(options: CrapsOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return, of stake and commission where that is paid up front.

    See `HouseGame.prices`. Odds are named by their number, `odds_pass:4`.

    >>> [str(price) for bet in ("buy:4", "odds_pass:4", "horn") for price in price_list(CrapsOptions())[bet]]
    ['0', '59/20', '0', '3', '0', '4', '31/4']
    """
    return dict(_price_list(book_of(options).prices))


@cache
def _price_list(book: tuple[int, ...]) -> dict[str, tuple[Fraction, ...]]:
    found = {}
    for name, (bet, number, mode) in NAMED.items():
        for on in POINTS if ids.is_odds(bet) and not number else (number,):
            slot = prices.slot_of(bet, on, mode)
            if prices.is_offered(slot, book):
                verdicts = verdicts_of(bet, on, book)
                returned = (prices.chips_of(verdict, bet, slot, STAKE, book) for verdict in verdicts)
                found[name if on == number else f"{name}:{on}"] = per_chip(
                    prices.outlay_of(slot, STAKE, book), returned
                )
    return found


def bet_odds(bet: int, options: CrapsOptions) -> OddsRow:
    """Return the worth of one bet by its id.

    >>> str(bet_odds(ids.MUGGSY, CrapsOptions()).edge)
    '1/18'
    """
    return _sheet_row(bet, book_of(options).prices)


def check_paytable(options: CrapsOptions, allow_overpay: bool = False) -> tuple[OddsRow, ...]:
    """Return the odds of a pay table that may be loaded; one that gives players an edge on any bet raises."""
    rows = odds(options)
    overpaid = [f"{row.bet} {row.policy}".removesuffix(" -") for row in rows if row.edge < 0]
    if overpaid and not allow_overpay:
        raise BadOptions(f"pay table {options.pay_table}: these bets pay too much: {', '.join(overpaid)}")
    return rows


@cache
def _rows(book: tuple[int, ...]) -> tuple[OddsRow, ...]:
    found = [_sheet_row(bet, book) for bet in range(ids.BET_COUNT)]
    for bet in range(ids.YES, ids.HARD):
        if prices.is_offered(prices.slot_of(bet, 0, 1), book):
            found.append(_row(name_of(bet, mode=1), "-", _ends(bet, 0, 1, book), prices.slot_of(bet, 0, 1), book))
    for bet in range(ids.ODDS_PASS, ids.ODDS_DONT_COME + 1):
        for number in POINTS:
            slot = prices.slot_of(bet, number, 0)
            found.append(_row(IDS[bet], f"on_{number}", _ends(bet, number, 0, book), slot, book))
    return tuple(found)


def _sheet_row(bet: int, book: tuple[int, ...]) -> OddsRow:
    if not prices.is_offered(bet, book):
        nothing = Fraction(0)
        return OddsRow(IDS[bet], "-", nothing, nothing, nothing, nothing, nothing, id=bet, refused=True)
    ends = _average_odds(bet, book) if ids.is_odds(bet) else _ends(bet, 0, 0, book)
    return _row(IDS[bet], "-", ends, bet, book, bet)


def _ends(bet: int, number: int, mode: int, book: tuple[int, ...]) -> Ends:
    """Endings of a bet with their chances, from the moment it is placed."""
    slot = prices.slot_of(bet, number, mode)
    for (verdict, total), chance in ends_of(bet, number, book).items():
        yield prices.chips_of(verdict, bet, slot, STAKE, book), total, chance


def _row(name: str, policy: str, ends: Ends, slot: int, book: tuple[int, ...], bet: int | None = None) -> OddsRow:
    outlay = prices.outlay_of(slot, STAKE, book)
    returns: dict[Fraction | int, Fraction] = {}
    for returned, _, chance in ends:
        key = Fraction(returned, outlay)
        returns[key] = returns.get(key, Fraction(0)) + chance
    return replace(row_from_returns(name, returns, policy), id=bet)


# Odds.


def _average_odds(bet: int, book: tuple[int, ...]) -> Ends:
    """Endings of odds on whatever number comes first, each as often as it is thrown."""
    for number in POINTS:
        for returned, total, chance in _ends(bet, number, 0, book):
            yield returned, total, chance * Fraction(ids.ways(number), 24)


def _with_odds(policy: str, book: tuple[int, ...], multiples: tuple[int, ...]) -> Iterator[OddsRow]:
    """Pass and DontPass with odds on every point: the edge per chip of the flat bet, and of all chips."""
    for bet in (ids.PASS, ids.DONT_PASS):
        flat = _rows(book)[bet]
        edge, staked = flat.edge, Fraction(1)
        for number in POINTS:
            chance = Fraction(ids.ways(number), 36)
            most = Fraction(placing.odds_max(bet, number, STAKE, multiples, 0), STAKE)
            laid = _row("", "", _ends(bet + ids.ODDS_PASS, number, 0, book), bet + ids.ODDS_PASS, book)
            edge += chance * most * laid.edge
            staked += chance * most
        yield OddsRow(IDS[bet], policy, flat.win, flat.push, flat.lose, edge, edge / staked)


# Super mode.


def super_odds(options: CrapsOptions) -> tuple[OddsRow, ...]:
    """Return the worth of Pass placed before the first roll of a super session, its fee included.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together. The chances to win
    and lose are the bet's own; they do not count the fee.
    """
    returns: dict[Fraction | int, Fraction] = {}
    for returned, total, chance in _ends(ids.PASS, 0, 0, book_of(options).prices):
        drawn = (boost.lit_multiplier(total, percentile) for percentile in range(10_000))
        for multiplier, lit in multiplier_chances(lit_chances().get(total, Fraction(0)), drawn).items():
            key = Fraction(boost.boosted(returned, STAKE, multiplier), STAKE)
            returns[key] = returns.get(key, Fraction(0)) + chance * lit
    return (replace(with_super_fee(row_from_returns("pass", returns)), id=ids.PASS),)


@cache
def lit_chances() -> dict[int, Fraction]:
    """Return the chance that each point is lit: about a half, not quite, because 256 does not divide by 6 or 5."""
    found = dict.fromkeys(POINTS, Fraction(0))
    for drawn in product(range(6), range(5), range(4)):
        ways = prod(len(range(remainder, 256, m)) for remainder, m in zip(drawn, (6, 5, 4), strict=True))
        lit, multipliers = [0] * boost.LIT_POINTS, [0] * boost.LIT_POINTS
        boost.generate(GameRng.from_state(bytes(drawn).ljust(32, b"\0")), lit, multipliers)
        for number in lit[: boost.LIT_COUNT]:
            found[number] += Fraction(ways, 256**3)
    return found
