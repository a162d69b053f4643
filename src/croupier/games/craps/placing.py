"""Bets between rolls, in words: place, raise, lower, remove, switch, keep up.

Each function returns what changes, or refuses with a stable code (`croupier.engine.refuse`) and changes nothing. They
check what the rules say of the bet (docs/games/craps.md, What may be changed); the caller then takes the chips,
which is where a balance and the bank's cover are checked, and last asks `check_caps`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import refuse
from croupier.engine.plain import nearest
from croupier.games.craps.bets import IDS, BetName, name_of, read_name
from croupier.games.craps.layout import CrapsTable, LiveBet, Seat
from croupier.games.craps.paytables import PriceBook
from croupier.games.craps.rules import ids, placing, prices


class Change(Struct, frozen=True):
    """The bets of a seat after an action, and what was changed: each bet before and after, None where there is none."""

    seat: Seat
    steps: tuple[tuple[LiveBet | None, LiveBet | None], ...]

    def cost(self, book: PriceBook) -> int:
        """Return the chips the player pays; where it is negative, they come back."""
        return self._more(LiveBet.outlay, book)

    def cover(self, book: PriceBook) -> int:
        """Return how much more the bank has to cover, or less."""
        return self._more(LiveBet.return_max, book)

    def _more(self, chips: Callable[[LiveBet, PriceBook], int], book: PriceBook) -> int:
        return sum(
            (0 if after is None else chips(after, book)) - (0 if before is None else chips(before, book))
            for before, after in self.steps
        )


def place_bet(table: CrapsTable, seat: Seat, bet: str, stake: int, book: PriceBook, keep: bool = False) -> Change:
    """Put a new bet up."""
    named = _read(table, bet)
    lying, flat = _lying(seat, named), _flat_stake(seat, named)
    problem = placing.may_place(table.row(), *named, stake, lying is not None, flat, book.prices, book.limits)
    if problem == placing.ALREADY_PLACED and lying is not None and lying.mode != named.mode:
        name = name_of(*named)
        refuse("already_placed", f"{lying.name} is up, and a number has one bet: remove it before you place {name}")
    _check(problem, table, named, stake, flat, book)
    live = LiveBet(
        named.id, stake, named.number, named.mode, ids.usual_working(named.id), table.roll_count, keep_up=keep
    )
    return Change((*seat, live), ((None, live),))


def raise_bet(table: CrapsTable, seat: Seat, bet: str, stake: int, book: PriceBook) -> Change:
    """Put `stake` more chips on a bet that is up."""
    before = find_bet(table, seat, bet)
    if stake < 1:
        refuse("stake_too_small", f"raise {before.name} by {stake}: at least one chip")
    total, named = before.stake + stake, _named(before)
    flat = _flat_stake(seat, named)
    problem = placing.may_raise(table.row(), *named, total, flat, before.placed, book.prices, book.limits)
    _check(problem, table, named, total, flat, book)
    return _changed(seat, before, replace(before, stake=total))


def lower_bet(table: CrapsTable, seat: Seat, bet: str, stake: int, book: PriceBook) -> Change:
    """Take `stake` chips off a bet that is up; some must be left. Odds come down with their flat bet."""
    before = find_bet(table, seat, bet)
    if not 1 <= stake < before.stake:
        refuse("bad_lowering", f"lower {before.name} by {stake}: by 1 to {before.stake - 1}, or remove it")
    left, named = before.stake - stake, _named(before)
    problem = placing.may_lower(table.row(), *named, left, before.placed, book.prices, book.limits)
    _check(problem, table, named, left, 0, book)
    return _with_odds(_changed(seat, before, replace(before, stake=left)), book)


def remove_bet(table: CrapsTable, seat: Seat, bet: str, book: PriceBook) -> Change:
    """Take a bet down, and odds with their flat bet."""
    before = find_bet(table, seat, bet)
    problem = placing.may_remove(table.row(), before.id, before.number, before.placed)
    _check(problem, table, _named(before), before.stake, 0, book)
    return _with_odds(_changed(seat, before, None), book)


def remove_all(table: CrapsTable, seat: Seat) -> Change:
    """Take down every bet that may come down; the others stay. Refused where none may."""
    row = table.row()
    down = [bet for bet in seat if placing.may_remove(row, bet.id, bet.number, bet.placed) == placing.OK]
    if not down:
        refuse("no_bets", "there is no bet that may be taken down")
    return Change(tuple(bet for bet in seat if bet not in down), tuple((bet, None) for bet in down))


def switch_bet(table: CrapsTable, seat: Seat, bet: str, come_out: bool, point: bool, book: PriceBook) -> Change:
    """Say when a bet works: on come-out rolls, and with a point up. An off bet neither wins nor loses."""
    before = find_bet(table, seat, bet)
    working = ids.WORKS_AT_COME_OUT * come_out + ids.WORKS_WITH_POINT * point
    _check(placing.may_switch(table.row(), before.id, working), table, _named(before), before.stake, 0, book)
    return _changed(seat, before, replace(before, working=working))


def keep_up(table: CrapsTable, seat: Seat, bet: str, keep: bool) -> Change:
    """Ask that a bet be placed again when it is decided, or no longer."""
    before = find_bet(table, seat, bet)
    return _changed(seat, before, replace(before, keep_up=keep))


def place_again(table: CrapsTable, seat: Seat, decided: LiveBet, book: PriceBook) -> Change | None:
    """Return what puts a decided bet up again with the same stake, or None where its window is shut.

    A come bet goes back into the box.
    """
    number = table.point if decided.id in (ids.ODDS_PASS, ids.ODDS_DONT_PASS) else decided.number
    named = BetName(decided.id, 0 if decided.id in (ids.COME, ids.DONT_COME) else number, decided.mode)
    is_up, flat = _lying(seat, named) is not None, _flat_stake(seat, named)
    if placing.may_place(table.row(), *named, decided.stake, is_up, flat, book.prices, book.limits) != placing.OK:
        return None
    live = replace(decided, number=named.number, placed=table.roll_count)
    return Change((*seat, live), ((None, live),))


def check_caps(seat: Seat, book: PriceBook) -> None:
    """Refuse a seat that has too many bets up, or too much at risk; the last check of all."""
    most = book.limits[placing.MAX_BETS]
    if len(seat) > most:
        refuse("too_many_bets", f"{most} bets are up; that is the most")
    at_risk = sum(bet.outlay(book) for bet in seat)
    if at_risk > book.limits[placing.PLAYER_MAX]:
        refuse("player_limit", f"{at_risk} chips at risk: {book.limits[placing.PLAYER_MAX]} is the most for one player")


def odds_max(bet: int, number: int, flat_stake: int, book: PriceBook) -> int:
    """Return the largest odds of an id on a number, with this stake on the flat bet."""
    return placing.odds_max(bet, number, flat_stake, placing.multiple_on(number, book.limits))


def odds_places(table: CrapsTable, seat: Seat, *, bare: bool = False) -> list[tuple[LiveBet, BetName]]:
    """Return the line and come bets that have their number, each with the bet that odds on it are.

    `bare` leaves those out that have odds already.
    """
    numbered = ((flat, placing.number_under(flat.id, flat.number, table.point)) for flat in seat)
    places = [(flat, BetName(flat.id + ids.ODDS_PASS, number)) for flat, number in numbered if number]
    return [(flat, odds) for flat, odds in places if not bare or _lying(seat, odds) is None]


def odds_target(table: CrapsTable, seat: Seat) -> str:
    """Return the name of the odds on the newest line or come bet that has its number, or refuse."""
    places = odds_places(table, seat)
    if not places:
        refuse("no_flat_bet", "odds go on a line or come bet that has its number, and none is up")
    return name_of(*places[-1][1])


def meant(table: CrapsTable, seat: Seat, bet: str, rules_version: int) -> str:
    """Return the name of the bet that a name means: the same; by the first rules, of the bet up in either mode."""
    lying = _lying(seat, _read(table, bet)) if rules_version == 1 else None
    return bet if lying is None else lying.name


def find_bet(table: CrapsTable, seat: Seat, bet: str) -> LiveBet:
    """Return the bet of that name that is up, or refuse; where its number has a bet in the other mode, say which."""
    named = _read(table, bet)
    lying = _lying(seat, named)
    if lying is None:
        refuse("not_placed", f"there is no bet on {bet}")
    if lying.mode != named.mode:
        refuse("not_placed", f"there is no bet on {bet}: {lying.name} is up")
    return lying


def _read(table: CrapsTable, bet: str) -> BetName:
    named = read_name(bet)
    if named is None:
        meant = f"{nearest(bet, IDS)} (bets are named like pass, yes:6, hard:8, hop:1-3, odds_come:5)"
        refuse("unknown_bet", f"Craps has no bet {bet!r}{meant}")
    if named.id in (ids.ODDS_PASS, ids.ODDS_DONT_PASS):
        return named._replace(number=table.point)
    return named


def _named(bet: LiveBet) -> BetName:
    return BetName(bet.id, bet.number, bet.mode)


def _lying(seat: Seat, named: BetName) -> LiveBet | None:
    """The bet of that id and number, whatever its mode: there is never a second one."""
    return next((bet for bet in seat if bet.id == named.id and bet.number == named.number), None)


def _flat_stake(seat: Seat, named: BetName) -> int:
    """The stake of the bet that odds are on; 0 where there is none, or the bet is not odds."""
    if not ids.is_odds(named.id):
        return 0
    number = named.number if ids.has_number(named.id) else 0
    flat = _lying(seat, BetName(ids.flat_of(named.id), number))
    return 0 if flat is None else flat.stake


def _changed(seat: Seat, before: LiveBet, after: LiveBet | None) -> Change:
    place = seat.index(before)
    kept = () if after is None else (after,)
    return Change((*seat[:place], *kept, *seat[place + 1 :]), ((before, after),))


def _with_odds(change: Change, book: PriceBook) -> Change:
    """The change, and what it does to odds: they are never more than their flat bet allows, and gone without it."""
    ((flat, left),) = change.steps
    assert flat is not None
    if flat.id > ids.DONT_COME:
        return change
    if flat.id <= ids.DONT_PASS:
        odds = next((bet for bet in change.seat if bet.id == flat.id + ids.ODDS_PASS), None)
    else:
        odds = _lying(change.seat, BetName(flat.id - ids.COME + ids.ODDS_COME, flat.number))
    if odds is None:
        return change
    flat_stake = 0 if left is None else left.stake
    most = odds_max(odds.id, odds.number, flat_stake, book)
    if odds.stake <= most:
        return change
    problem = placing.stake_problem(odds.id, odds.number, 0, most, flat_stake, book.prices, book.limits)
    lowered = _changed(change.seat, odds, replace(odds, stake=most) if problem == placing.OK else None)
    return Change(lowered.seat, (*change.steps, *lowered.steps))


# Why not.


def _check(problem: int, table: CrapsTable, named: BetName, stake: int, flat_stake: int, book: PriceBook) -> None:
    """Refuse unless the rules found nothing wrong."""
    if problem == placing.OK:
        return
    if problem <= placing.NEEDS_FLAT_BET:
        refuse(*_why_not_here(problem, table, name_of(*named)))
    if problem <= placing.OVER_PROFIT:
        refuse(*_why_not_so_much(problem, named, stake, flat_stake, book))
    refuse(*_why_it_stays(problem, name_of(*named)))


def _why_not_here(problem: int, table: CrapsTable, name: str) -> tuple[str, str]:
    point = f"the point is {table.point}" if table.point else "this is a come-out roll"
    if problem == placing.TABLE_CLOSED:
        return "table_closed", f"no bet on {name}: the table is closed"
    if problem in (placing.UNKNOWN_BET, placing.UNKNOWN_NUMBER):
        return "unknown_bet", f"{name} cannot be placed: a come bet finds its number itself"
    if problem in (placing.UNKNOWN_MODE, placing.NOT_OFFERED):
        return "not_offered", f"{name} is not on offer at the prices of this table"
    if problem == placing.ALREADY_PLACED:
        return "already_placed", f"{name} is up already: raise it, or lower it"
    if problem == placing.NEEDS_FLAT_BET:
        return "no_flat_bet", f"{name} needs the bet that the odds are on"
    if problem == placing.NEEDS_NEW_HAND:
        rolls = table.hand_rolls
        return "window_closed", f"{name} is placed before the first roll of a hand, and there were {rolls}"
    if problem == placing.NEEDS_NEW_SET:
        rolls = table.set_rolls
        return (
            "window_closed",
            f"{name} is placed before a first roll or right after a 7; since then there were {rolls}",
        )
    when = "before a come-out roll" if problem == placing.NEEDS_COME_OUT else "with a point up"
    return "window_closed", f"{name} is placed {when}, and {point}"


def _why_not_so_much(problem: int, named: BetName, stake: int, flat_stake: int, book: PriceBook) -> tuple[str, str]:
    on = f"stake {stake} on {name_of(*named)}"
    if problem == placing.NOT_A_STAKE:
        return "stake_too_small", f"{on}: at least one chip"
    if problem in (placing.UNDER_LIMIT, placing.OVER_LIMIT):
        first = placing.STAKE_LIMITS + 2 * ids.LIMITS_OF[named.id]
        low, high = book.limits[first : first + 2]
        code = "under_limit" if problem == placing.UNDER_LIMIT else "over_limit"
        return code, f"{on}: this table takes {low} to {high}"
    if problem == placing.NOT_A_MULTIPLE:
        return "not_a_multiple", f"{on}: it is divided into {prices.parts_of(named.id)} equal parts"
    if problem == placing.OVER_ODDS:
        most = odds_max(named.id, named.number, flat_stake, book)
        return "over_odds", f"{on}: behind a bet of {flat_stake} on {named.number} it is {most} at most"
    if problem == placing.PROFIT_TOO_SMALL:
        return "profit_too_small", f"{on}: too little to win a whole chip"
    return "over_profit", f"{on} could win more than {book.limits[placing.MAX_PROFIT]}, the most a bet may win"


def _why_it_stays(problem: int, name: str) -> tuple[str, str]:
    if problem == placing.IS_CONTRACT:
        return "contract_bet", f"{name} has its number: it stays as it is until that or a 7 comes"
    if problem == placing.ONLY_LOWER:
        return "only_lower", f"{name} has its number: it may be lowered or removed, not raised"
    if problem == placing.STAYS_UP:
        return "stays_up", f"{name} stays up until it is decided"
    return "always_works", f"{name} works on every roll and cannot be switched off"
