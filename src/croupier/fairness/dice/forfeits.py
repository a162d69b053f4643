"""Forfeits: bonds that are lost and to whom, bonds that go back, and what happens to stakes when a table closes.

Three rules keep this from being a way to make money. Forfeits never go to the table. Where a party may have known the
roll when it withheld, what it loses is shared in proportion to what each of the others could have had from the roll:
since the bond covers all of that together, everyone gets at least their own, and partners of the withholder no more.
And where nobody can tell whether a player withheld or the table looked away, the table loses the cover, too, and
nobody gets it: a player could earn by withholding otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from croupier.fairness.dice.answers import Movement, Step
from croupier.fairness.dice.messages import Position
from croupier.fairness.dice.table import DiceTable, Seat

Moved = tuple[DiceTable, tuple[Movement, ...]]


def share(chips: int, weights: Mapping[str, int]) -> dict[str, int]:
    """Return chips divided by weight, each share rounded down; what is left goes out chip by chip in order of keys.

    >>> share(10, {"a": 1, "b": 1, "c": 1})
    {'a': 4, 'b': 3, 'c': 3}
    >>> share(10, {"a": 3, "b": 0, "c": 1})
    {'a': 8, 'c': 2}
    >>> share(10, {"a": 0, "b": 0})  # nobody weighs anything: all alike
    {'a': 5, 'b': 5}
    """
    if not any(weights.values()):
        weights = dict.fromkeys(weights, 1)
    total = sum(weights.values())
    shares = {key: chips * weights[key] // total for key in sorted(weights) if weights[key]}
    left = chips - sum(shares.values())
    return {key: part + (index < left) for index, (key, part) in enumerate(shares.items())}


def forfeit_bond(table: DiceTable, key: str, chips: int, weights: Mapping[str, int], reason: str) -> Moved:
    """Take chips from a seat's bond, or as many as there are, and share them out; nobody there: unclaimed."""
    seat = table.seats[key]
    taken = min(chips, seat.bond)
    table = table.with_seat(key, replace(seat, bond=seat.bond - taken))
    return _hand_out(table, f"bond:{key}", taken, weights, reason)


def forfeit_cover(table: DiceTable, reason: str) -> Moved:
    """Take from the table's bond what the roll could have cost it."""
    cover, _ = table.cover(table.positions)
    taken = min(cover, table.table_bond)
    table = replace(table, table_bond=table.table_bond - taken)
    return _hand_out(table, f"bond:{table.terms.table_key}", taken, {}, reason)


def _hand_out(table: DiceTable, source: str, chips: int, weights: Mapping[str, int], reason: str) -> Moved:
    if not chips:
        return table, ()
    if not weights:
        moved = Movement(source, "unclaimed", chips, reason)
        return replace(table, unclaimed=table.unclaimed + chips), (moved,)
    parts = [(key, part) for key, part in share(chips, weights).items() if part]
    movements = tuple(Movement(source, f"player:{key}", part, reason) for key, part in parts)
    return replace(table, paid_out=table.paid_out + chips), movements


def forfeit_stake(place: Position, weights: Mapping[str, int], reason: str) -> tuple[Movement, ...]:
    """Return the movements of a stake that is lost to others. Stakes are in the game's keeping, not in the table's."""
    if not place.stake:
        return ()
    source = f"stake:{place.key}"
    if not weights:
        return (Movement(source, "unclaimed", place.stake, reason),)
    parts = share(place.stake, weights)
    return tuple(Movement(source, f"player:{key}", part, reason) for key, part in parts.items() if part)


def table_at_fault(table: DiceTable, code: str) -> Step:
    """Close the table and share its bond among the players with live bets, by what the roll could have won them.

    The code is that of the failure, which the step names.
    """
    weights = {place.key: place.win_max for place in table.positions if place.win_max and _has_claim(table, place.key)}
    if not weights:
        weights = dict.fromkeys((key for key in sorted(table.seats) if table.seats[key].status in ("in", "out")), 1)
    source = f"bond:{table.terms.table_key}"
    lost, movements = _hand_out(replace(table, table_bond=0), source, table.table_bond, weights, code)
    closed, more = close_table(lost, code)
    return Step(closed, movements + more, failure=code)


def _has_claim(table: DiceTable, key: str) -> bool:
    seat = table.seats.get(key)
    return seat is not None and seat.status != "closed"


def close_table(table: DiceTable, code: str, *, taken: Iterable[str] = ()) -> Moved:
    """Close the table: every bond that is left goes back. What undecided bets are paid is for the game to say.

    In protocol 1 the stakes of a round that was on went back; `taken` names keys whose stakes somebody else has got.
    """
    movements: list[Movement] = []
    seats: dict[str, Seat] = {}
    paid = table.table_bond
    for key, seat in table.seats.items():
        seats[key] = replace(seat, bond=0)
        paid += seat.bond
        if seat.bond:
            movements.append(Movement(f"bond:{key}", f"player:{key}", seat.bond, code))
    if table.table_bond:
        movements.append(Movement(f"bond:{table.terms.table_key}", "table", table.table_bond, code))
    if table.round is not None and table.terms.protocol == 1:
        gone = set(taken)
        movements += [
            Movement(f"stake:{place.key}", f"player:{place.key}", place.stake, code)
            for place in table.positions
            if place.stake and place.key not in gone
        ]
    closed = replace(table, seats=seats, table_bond=0, paid_out=table.paid_out + paid, round=None, closed=code)
    return closed, tuple(movements)
