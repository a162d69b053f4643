"""Expected value of craps bets: the chance of every verdict, from where the bet lies, and what it is worth.

A bet has a value in every state that it can be in: with a point up, a tracker half full, odds behind it, off at the
come-out. The value is the sum over all ends of their chance times the chips that the rules then hand back, in exact
fractions. So it is the mean of what the next roll returns and of the values after it, and a player who is paid the
value gets, on average, what playing on would have brought. `odds` counts new bets with the same chains.

The chains are absorbing Markov chains. A state is what the bet needs of the table's row, and the number of a come bet;
the rest of the row cannot matter to the bet and is left at zero. The 21 pairs of dice lead from state to state, or to
the verdict of `rules.roll.judge` that ends the bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import lcm

from croupier.games.craps.layout import CrapsTable, LiveBet, Seat
from croupier.games.craps.paytables import PriceBook
from croupier.games.craps.rules import ids, prices, progress, roll, table
from croupier.kit.chains import Step, absorbed, expected, follow

Key = tuple[int, ...]
Endings = dict[tuple[int, int], Fraction]
"""The verdict that ends a bet and the total that fell, with the chance of it."""
Rolls = tuple[int, Iterable[tuple[Key, int, int, int]]]
"""The rolls that a state may meet: of so many ways, from where, with which dice, in how many ways."""

PAIRS = tuple((low, high, 1 if low == high else 2) for low in range(1, 7) for high in range(low, 7))
"""The 21 pairs of dice with how many of the 36 rolls show them."""


def seat_value(on: CrapsTable, seat: Seat, book: PriceBook) -> Fraction:
    """Return the expected return of all bets of a seat, stakes included, if nobody touches them until they are decided.

    >>> from croupier.games.craps.options import CrapsOptions
    >>> from croupier.games.craps.paytables import book_of
    >>> book, with_point = book_of(CrapsOptions()), CrapsTable(phase="point", point=4)
    >>> [str(seat_value(with_point, (LiveBet(bet, 300),), book)) for bet in (ids.PASS, ids.DONT_PASS)]
    ['200', '400']
    """
    row = on.row()
    return sum((_value(row, bet, book.prices) for bet in seat), Fraction(0))


def _value(row: list[int], bet: LiveBet, book: tuple[int, ...]) -> Fraction:
    working = bet.working if ids.is_odds(bet.id) or _is_on_number(bet.id) else ids.WORKS
    if not working and _is_on_number(bet.id):
        return Fraction(prices.outlay_of(bet.slot, bet.stake, book))  # never at risk: it can only be taken down
    start = _where(bet.id, bet.number, working, row, bet.placed, book)
    if ids.is_tracked(bet.id):
        return bet.stake * _value_of_a_chip(bet.id, start, book)
    ends, slot = _ends(bet.id, working, start, _read(bet.id, book)), bet.slot
    return sum(
        (chance * prices.chips_of(verdict, bet.id, slot, bet.stake, book) for (verdict, _), chance in ends.items()),
        Fraction(0),
    )


def _value_of_a_chip(bet: int, start: Key, book: tuple[int, ...]) -> Fraction:
    """Return what a chip on a tracker is worth: their prices are whole, so every stake is worth as many times more."""
    step, known = _tracked(bet, book)
    if start not in known:
        expected(follow(step, start, known), start, lambda end: prices.chips_of(end[0], bet, bet, 1, book), known)
    return known[start]


@lru_cache(maxsize=256)
def _tracked(
    bet: int, book: tuple[int, ...]
) -> tuple[Callable[[Key], Step[Key, tuple[int, int]]], dict[Key, Fraction]]:
    """Return the steps of a bet on trackers, and what is known of its values: the states of a bet are visited often."""
    return _steps(bet, ids.WORKS, book), {}


def _is_on_number(bet: int) -> bool:
    """Tell whether a bet is one of YES, NO, hardways and Big: those that rest while they are off."""
    return ids.YES <= bet < ids.ODDS_PASS or bet >= ids.BIG_6


# Where a bet is, and how it ends from there.


def _where(bet: int, number: int, working: int, row: list[int], placed: int, book: tuple[int, ...]) -> Key:
    """Return the state of a bet's chain: what the bet needs of the table's row, and its number last."""
    fields, canonical = _needed(bet, working, book)
    found = [row[field] for field in fields]
    if bet == ids.MUGGSY:
        found[-1] -= placed  # it counts its own rolls
    return canonical((*found, number))


def _where_new(bet: int, number: int, book: tuple[int, ...]) -> Key:
    row = _make_row((table.POINT,), (number if ids.is_odds(bet) else 0,))
    return _where(bet, number, ids.WORKS, row, 0, book)


def ends_of(bet: int, number: int, book: tuple[int, ...]) -> Endings:
    """Return how a new bet ends that works on every roll; odds are placed on their number with that point up."""
    return _ends(bet, ids.WORKS, _where_new(bet, number, book), _read(bet, book))


@lru_cache(maxsize=4096)
def _ends(bet: int, working: int, start: Key, book: tuple[int, ...]) -> Endings:
    return absorbed(follow(_steps(bet, working, book), start), start)


def _read(bet: int, book: tuple[int, ...]) -> tuple[int, ...]:
    """Return the prices that judge a bet whose ends take long to find: tables that differ in others share them."""
    if bet == ids.REPLAY:
        return (0,) * prices.REPLAY_PAYS + book[prices.REPLAY_PAYS : prices.HOT_RULE]
    return () if ids.BONUS_SMALL <= bet <= ids.BONUS_ALL else book


def verdicts_of(bet: int, number: int, book: tuple[int, ...]) -> set[int]:
    """Return the verdicts of `ends_of`, in less time: one way to each of them is followed."""
    numbers = progress.bonus_numbers(bet) if ids.BONUS_SMALL <= bet <= ids.BONUS_ALL else 0
    one_way = partial(_one_way, numbers) if numbers or bet == ids.REPLAY else None
    reached = follow(_steps(bet, ids.WORKS, book, one_way), _where_new(bet, number, book)).values()
    return {verdict for _, _, ends in reached for verdict, _ in ends}


def _one_way(numbers: int, key: Key) -> Key:
    """Forget numbers seen before a lower one, and points made beside another: it takes all numbers or one point."""
    if numbers:
        missing = numbers & ~key[0]
        return key[0] & numbers & (missing & -missing) - 1, key[1]
    point, *made, number = key
    first = next((place for place, count in enumerate(made) if count), 0)
    return point, *(min(count, prices.REPLAY_TOP) * (place == first) for place, count in enumerate(made)), number


def _steps(
    bet: int, working: int, book: tuple[int, ...], merged: Callable[[Key], Key] | None = None
) -> Callable[[Key], Step[Key, tuple[int, int]]]:
    """Return the step function of a bet: ends are the verdict and the total that fell.

    `merged` puts states together, in place of those that are worth the same.
    """
    fields, canonical = _needed(bet, working, book)
    canonical = merged or canonical
    is_of_points = bet in (ids.FIRE, ids.REPLAY) or (bet == ids.HOT_ROLLER and book[prices.HOT_RULE] == prices.STREAK)
    rolls = _each_cycle if is_of_points else _each_pair

    def step(key: Key) -> Step[Key, tuple[int, int]]:
        states: dict[Key, int] = {}
        ends: dict[tuple[int, int], int] = {}
        whole, found = rolls(key)
        for start, die1, die2, ways in found:
            row, number, verdicts = _make_row(fields, start), start[-1], [prices.STAYS]
            if roll.resolve(row, (bet, number, 0, 0, working, 0), 0, 1, die1, die2, book, verdicts):
                end = verdicts[0], die1 + die2
                ends[end] = ends.get(end, 0) + ways
                continue
            number = die1 + die2 if verdicts[0] == prices.TRAVELS else number
            after = canonical((*(row[field] for field in fields), number))
            states[after] = states.get(after, 0) + ways
        return whole, states, ends

    return step


def _make_row(fields: tuple[int, ...], key: Key) -> list[int]:
    """Return a table that has these fields, its phase as the point says."""
    row = [0] * table.TABLE_SIZE
    for field, value in zip(fields, key, strict=False):
        row[field] = value
    row[table.PHASE] = table.POINT_UP if row[table.POINT] else table.COME_OUT
    return row


def _each_pair(key: Key) -> Rolls:
    return 36, ((key, *pair) for pair in PAIRS)


def _needed(bet: int, working: int, book: tuple[int, ...]) -> tuple[tuple[int, ...], Callable[[Key], Key]]:
    """The fields of the table that a bet is decided by, and which of their values are worth the same."""
    if ids.is_tracked(bet):
        return _needed_of_trackers(bet, book)
    return (table.POINT,) if bet <= ids.DONT_PASS or working != ids.WORKS else (), _as_it_is


def _needed_of_trackers(bet: int, book: tuple[int, ...]) -> tuple[tuple[int, ...], Callable[[Key], Key]]:
    if bet == ids.MUGGSY:
        return (table.POINT, table.ROLL_COUNT), _as_it_is
    if bet == ids.FIRE:
        return (table.POINT, table.FIRE_POINTS), _as_it_is
    if bet == ids.REPLAY:
        return (table.POINT, *range(table.POINTS_MADE, table.POINTS_MADE + 6)), partial(
            _alike_points, _replay_top(book), book
        )
    if bet == ids.RIDE_LINE:
        return (table.POINT, table.PASS_WINS), partial(_capped, prices.RIDE_TOP)
    if bet == ids.HOT_ROLLER and book[prices.HOT_RULE] == prices.STREAK:
        return (table.POINT, table.HOT_STREAK), partial(_capped, prices.HOT_TOP)
    if bet == ids.HOT_ROLLER and book[prices.HOT_RULE] == prices.HAND_LENGTH:
        return (table.POINT, table.HAND_ROLLS), partial(_capped, prices.HOT_TOP)
    if bet == ids.HOT_ROLLER:
        return (table.WAYS_SEEN,), _alike_ways
    if bet == ids.TWICE_HARD:
        return tuple(range(table.HARD_STREAK, table.HARD_STREAK + 4)), _as_it_is
    if bet == ids.DIFFERENT_DOUBLES:
        return (table.DOUBLES_SEEN,), partial(_masked, book[prices.DOUBLES_MASK])
    if bet <= ids.BONUS_ALL:
        return (table.BONUS_NUMBERS,), partial(_masked, progress.bonus_numbers(bet))
    return (table.REPEATER_COUNTS + ids.target(bet) - 2,), _as_it_is


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


def _alike_points(most: int, book: tuple[int, ...], key: Key) -> Key:
    """Points made, counted as far as it matters; 4 and 10, 5 and 9, 6 and 8 are made equally often and pay the same.

    With a point up it is not the same which of the two was made how often, unless they are exchanged as well. Once the
    best prize is certain nothing matters any more.
    """
    point, *made, number = key
    counts = [min(count, most) for count in made]
    rows = [prices.REPLAY_PAYS + (ids.ways(total) - 3) * (prices.REPLAY_TOP + 1) for total in ids.POINTS]
    if max(book[row + count] for row, count in zip(rows, counts, strict=True)) == max(book[row + most] for row in rows):
        return 0, *(most for _ in counts), number
    for low, high in ((0, 5), (1, 4), (2, 3)):
        if counts[low] > counts[high]:
            counts[low], counts[high] = counts[high], counts[low]
            if point in (ids.POINTS[low], ids.POINTS[high]):
                point = ids.POINTS[low] + ids.POINTS[high] - point
    return point, *counts, number


# Bets on the points made in a hand: one step is a whole point cycle.


def _each_cycle(key: Key) -> Rolls:
    """Return the rolls that can end a point cycle, from a point that is up or from the come-out: no other counts."""
    whole, cycles = _cycles(key[0])
    dice = {total: (max(1, total - 6), min(total - 1, 6)) for total in range(2, 13)}
    return whole, (((point, *key[1:]), *dice[total], ways) for (point, total), ways in cycles.items())


def _replay_top(book: tuple[int, ...]) -> int:
    """From how many times on a point that is made once more pays no better, at any of the numbers."""
    rows = [book[prices.REPLAY_PAYS + 6 * place : prices.REPLAY_PAYS + 6 * place + 6] for place in range(3)]
    return max(count for row in rows for count in range(1, 6) if row[count] != row[count - 1])


@cache
def _cycles(first: int) -> tuple[int, dict[tuple[int, int], int]]:
    """Endings of a point cycle: which point was up and what fell, in so many of equally likely ways.

    It begins with a point that is up, or with none.
    """

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

    found = absorbed(follow(step, first), first)
    whole = lcm(*(chance.denominator for chance in found.values()))
    return whole, {end: int(chance * whole) for end, chance in found.items()}
