"""Exact odds of craps: every bet of every pay table, counted with the rules that settle it.

Figures are for bets that work on every roll and stakes that need no rounding. A bet with a commission that is paid up
front is worth what it is per chip of stake and commission together (craps-table, section 5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from math import lcm

from croupier.errors import BadOptions
from croupier.games.craps.bets import IDS, POINTS, name_of
from croupier.games.craps.chains import Key, Step, absorbed, follow, make_row, roll_steps
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import boost, ids, placing, prices, progress, roll, table
from croupier.house.odds import OddsRow, row_from_returns

__all__ = ["bet_odds", "check_paytable", "lit_chances", "odds", "super_odds"]

# Every price and commission of every table comes out whole on it: hundredths, elevenths, eighths, 5 % of a sixth.
STAKE = 13_200_000
SUPER_FEE = Fraction(1, 5)

WITH_ODDS = {"single_odds": 1, "double_odds": 2, "full_odds": 1_000}
"""The policies that put odds on the line: how many times the stake at most, where the table allows so much."""

Ends = dict[tuple[int, int], Fraction]
"""The chips returned and the total that decided, with the chance of it."""


def odds(options: CrapsOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every bet: first the 91 of the sheet by id, then other modes, odds, lines with odds.

    A bet that the pay table refuses has a row that says so.

    >>> rows = {row.bet: row for row in odds(CrapsOptions())[:91]}
    >>> str(rows["pass"].edge), str(rows["dont_pass"].edge), str(rows["field"].edge), str(rows["next:7"].edge)
    ('7/495', '3/220', '1/18', '1/6')
    """
    book = book_of(options)
    rows = list(_rows(book.prices))
    for policy, most in WITH_ODDS.items():
        multiples = tuple(min(multiple, most) for multiple in book.limits[placing.ODDS_MULTIPLES :])
        rows += _with_odds(policy, book.prices, multiples)
    return tuple(rows)


def bet_odds(bet: int, options: CrapsOptions) -> OddsRow:
    """Return the worth of one bet of the sheet by its id.

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
            found.append(_row(name_of(bet, mode=1), "-", _ends(bet, 1, book), prices.slot_of(bet, 0, 1), book))
    for bet in range(ids.ODDS_PASS, ids.ODDS_DONT_COME + 1):
        for number in POINTS:
            slot = prices.slot_of(bet, number, 0)
            found.append(_row(IDS[bet], f"on_{number}", _odds_ends(bet, number, book), slot, book))
    return tuple(found)


def _sheet_row(bet: int, book: tuple[int, ...]) -> OddsRow:
    if not prices.is_offered(bet, book):
        nothing = Fraction(0)
        return OddsRow(IDS[bet], "-", nothing, nothing, nothing, nothing, nothing, id=bet, refused=True)
    ends = _average_odds(bet, book) if ids.is_odds(bet) else _ends(bet, 0, book)
    return _row(IDS[bet], "-", ends, bet, book, bet)


def _row(name: str, policy: str, ends: Ends, slot: int, book: tuple[int, ...], bet: int | None = None) -> OddsRow:
    outlay = prices.outlay_of(slot, STAKE, book)
    returns: dict[Fraction | int, Fraction] = {}
    for (returned, _), chance in ends.items():
        key = Fraction(returned, outlay)
        returns[key] = returns.get(key, Fraction(0)) + chance
    row = row_from_returns(name, returns, policy)
    return OddsRow(
        name, policy, row.win, row.push, row.lose, row.edge, row.edge_per_chip, variance=row.variance, id=bet
    )


# How each family is counted.


def _ends(bet: int, mode: int, book: tuple[int, ...]) -> Ends:
    """How a bet ends, from the moment it is placed."""
    if bet == ids.FIRE or bet == ids.REPLAY or (bet == ids.HOT_ROLLER and book[prices.HOT_RULE] == prices.STREAK):
        return _hand_ends(bet, book)
    fields, canonical = _needed(bet, book)
    start = (0,) * (len(fields) + 1)
    steps = follow(roll_steps(bet, mode, STAKE, book, fields, canonical), start)
    return absorbed(steps, start)


def _needed(bet: int, book: tuple[int, ...]) -> tuple[tuple[int, ...], Callable[[Key], Key]]:
    """The fields of the table that a bet is decided by, and which of their values are worth the same."""
    if bet <= ids.DONT_PASS:
        return (table.POINT,), _as_it_is
    if bet == ids.MUGGSY:
        return (table.POINT, table.ROLL_COUNT), _as_it_is
    if bet == ids.RIDE_LINE:
        return (table.POINT, table.PASS_WINS), partial(_capped, prices.RIDE_TOP)
    if bet == ids.HOT_ROLLER and book[prices.HOT_RULE] == prices.HAND_LENGTH:
        return (table.POINT, table.HAND_ROLLS), partial(_capped, prices.HOT_TOP)
    if bet == ids.HOT_ROLLER:
        return (table.WAYS_SEEN,), _alike_ways
    if bet == ids.TWICE_HARD:
        return tuple(range(table.HARD_STREAK, table.HARD_STREAK + 4)), _as_it_is
    if bet == ids.DIFFERENT_DOUBLES:
        return (table.DOUBLES_SEEN,), partial(_masked, book[prices.DOUBLES_MASK])
    if ids.BONUS_SMALL <= bet <= ids.BONUS_ALL:
        return (table.BONUS_NUMBERS,), partial(_masked, progress.bonus_numbers(bet))
    if ids.REPEATER <= bet < ids.HOP:
        return (table.REPEATER_COUNTS + ids.target(bet) - 2,), _as_it_is
    return (), _as_it_is


def _as_it_is(key: Key) -> Key:
    return key


def _capped(most: int, key: Key) -> Key:
    point, count, number = key
    return point, min(count, most), number


def _masked(mask: int, key: Key) -> Key:
    seen, number = key
    return seen & mask, number


def _alike_ways(key: Key) -> Key:
    """Ways seen, with 4 and 10, 5 and 9, 6 and 8 exchanged, and equally likely pairs of a point, where it is the same.

    The pairs of a point stand in a run of bits, the easy ones first and the double, if there is one, last.
    """
    seen, number = key
    runs = [(seen & mask) >> shift for mask, shift in zip(table.WAYS_OF_POINT, (0, 2, 4, 7, 10, 12), strict=True)]
    low, middle, high = (sorted(pair) for pair in ((runs[0], runs[5]), (runs[1], runs[4]), (runs[2], runs[3])))
    middle = sorted(1 if run == 2 else run for run in middle)
    high = sorted(run - 1 if run & 3 == 2 else run for run in high)
    merged = low[0] | middle[0] << 2 | high[0] << 4 | high[1] << 7 | middle[1] << 10 | low[1] << 12
    return merged, number


# Bets on the points made in a hand: one step is a whole point cycle.


def _hand_ends(bet: int, book: tuple[int, ...]) -> Ends:
    fields = {
        ids.FIRE: (table.FIRE_POINTS,),
        ids.REPLAY: tuple(range(table.POINTS_MADE, table.POINTS_MADE + 6)),
        ids.HOT_ROLLER: (table.HOT_STREAK,),
    }[bet]
    most = {ids.REPLAY: _replay_top(book), ids.HOT_ROLLER: prices.HOT_TOP}.get(bet)

    def canonical(key: Key) -> Key:
        if most is None:
            return key
        capped = [min(count, most) for count in key]
        if bet == ids.HOT_ROLLER:
            return tuple(capped)
        # 4 and 10, 5 and 9, 6 and 8 are made equally often and pay the same.
        (a, f), (b, e), (c, d) = (sorted(pair) for pair in zip(capped[:3], capped[:2:-1], strict=True))
        return a, b, c, d, e, f

    def step(key: Key) -> Step[Key, tuple[int, int]]:
        states: dict[Key, int] = {}
        ends: dict[tuple[int, int], int] = {}
        for (point, total), ways in cycles.items():
            row = make_row((*fields, table.POINT), (*key, point))
            die1 = max(1, total - 6)
            table.feed(row, die1, total - die1)
            chips = roll.settle(row, bet, 0, STAKE, 0, 3, 0, die1, total - die1, book)
            if chips >= 0:
                ends[chips, total] = ends.get((chips, total), 0) + ways
                continue
            table.advance(row, total)
            after = canonical(tuple(row[field] for field in fields))
            states[after] = states.get(after, 0) + ways
        return whole, states, ends

    whole, cycles = _cycles()
    start = (0,) * len(fields)
    return absorbed(follow(step, start), start)


def _replay_top(book: tuple[int, ...]) -> int:
    """From how many times on a point that is made once more pays no better, at any of the numbers."""
    rows = [book[prices.REPLAY_PAYS + 6 * place : prices.REPLAY_PAYS + 6 * place + 6] for place in range(3)]
    return max(count for row in rows for count in range(1, 6) if row[count] != row[count - 1])


@cache
def _cycles() -> tuple[int, dict[tuple[int, int], int]]:
    """How a point cycle ends, which point was up and what fell, in so many of equally likely ways."""

    def step(point: int) -> Step[int, tuple[int, int]]:
        states: dict[int, int] = {}
        ends: dict[tuple[int, int], int] = {}
        for total in range(2, 13):
            if table.roll_event(point, total) in (table.POINT_MADE, table.SEVEN_OUT):
                # A hand ends alike whatever the point was: one seven-out stands for all.
                ends[4 if total == 7 else point, total] = ids.ways(total)
            else:
                after = table.next_point(point, total)
                states[after] = states.get(after, 0) + ids.ways(total)
        return 36, states, ends

    found = absorbed(follow(step, 0), 0)
    whole = lcm(*(chance.denominator for chance in found.values()))
    return whole, {end: int(chance * whole) for end, chance in found.items()}


# Odds.


def _odds_ends(bet: int, number: int, book: tuple[int, ...]) -> Ends:
    key: Key = (number, number)
    steps = follow(roll_steps(bet, 0, STAKE, book, (table.POINT,)), key)
    return absorbed(steps, key)


def _average_odds(bet: int, book: tuple[int, ...]) -> Ends:
    """How odds end on whatever number comes first, each as often as it is thrown."""
    found: Ends = {}
    for number in POINTS:
        for end, chance in _odds_ends(bet, number, book).items():
            found[end] = found.get(end, Fraction(0)) + chance * Fraction(ids.ways(number), 24)
    return found


def _with_odds(policy: str, book: tuple[int, ...], multiples: tuple[int, ...]) -> Iterator[OddsRow]:
    """Pass and DontPass with odds on every point: the edge per chip of the flat bet, and of all chips."""
    for bet in (ids.PASS, ids.DONT_PASS):
        flat = _rows(book)[bet]
        edge, staked = flat.edge, Fraction(1)
        for number, multiple in zip(POINTS, multiples, strict=True):
            chance = Fraction(ids.ways(number), 36)
            most = Fraction(placing.odds_max(bet + ids.ODDS_PASS, number, STAKE, multiple), STAKE)
            laid = _row("", "", _odds_ends(bet + ids.ODDS_PASS, number, book), bet + ids.ODDS_PASS, book)
            edge += chance * most * laid.edge
            staked += chance * most
        yield OddsRow(IDS[bet], policy, flat.win, flat.push, flat.lose, edge, edge / staked)


# Super mode.


def super_odds(options: CrapsOptions) -> tuple[OddsRow, ...]:
    """Return the worth of Pass placed before the first roll of a super session, its fee of a fifth included.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together. The chances to win
    and lose are the bet's own; they do not count the fee.
    """
    returns: dict[Fraction | int, Fraction] = {}
    for (returned, total), chance in _ends(ids.PASS, 0, book_of(options).prices).items():
        for multiplier, lit in _multiplier_chances(total).items():
            key = Fraction(boost.boosted(returned, STAKE, multiplier), STAKE)
            returns[key] = returns.get(key, Fraction(0)) + chance * lit
    row = row_from_returns("pass", returns)
    edge = row.edge + SUPER_FEE
    figures = (row.win, row.push, row.lose, edge, edge / (1 + SUPER_FEE))
    return (OddsRow("pass", "-", *figures, variance=row.variance, id=ids.PASS),)


def _multiplier_chances(total: int) -> dict[int, Fraction]:
    """The chance of each multiplier on a total; 0 stands for not lit."""
    lit = lit_chances().get(total, Fraction(0))
    drawn = Counter(boost.lit_multiplier(total, percentile) for percentile in range(10_000))
    return {0: 1 - lit} | {multiplier: lit * Fraction(count, 10_000) for multiplier, count in drawn.items()}


@cache
def lit_chances() -> dict[int, Fraction]:
    """Return the chance that each point is lit: about a half, not quite, because 256 does not divide by 6 or 5."""
    found = dict.fromkeys(POINTS, Fraction(0))
    for first in range(6):
        for second in range(5):
            for third in range(4):
                chance = Fraction(_bytes(first, 6) * _bytes(second, 5) * _bytes(third, 4), 256**3)
                lit, multipliers = [0] * boost.LIT_POINTS, [0] * boost.LIT_POINTS
                boost.generate(_Script(bytes((first, second, third))), lit, multipliers)
                for number in lit[: boost.LIT_COUNT]:
                    found[number] += chance
    return found


def _bytes(remainder: int, m: int) -> int:
    """How many of the 256 bytes leave a remainder."""
    return sum(1 for byte in range(256) if byte % m == remainder)


class _Script:
    """A stream of known bytes, and then zeros."""

    def __init__(self, data: bytes) -> None:
        self.block = data.ljust(32, b"\0")
        self.index = 0

    def rehash(self) -> None:
        """Never needed: three points and three multipliers take 15 bytes."""
        raise AssertionError
