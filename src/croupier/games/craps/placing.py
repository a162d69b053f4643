"""Bets between rolls: place, raise, lower, remove, switch and keep up, with refusals in sentences.

Each function returns what changes, or refuses with a stable code (`croupier.engine.refuse`) and changes nothing. They
check what the rules say of the bet (docs/games/craps.md, What may be changed); the caller then takes the chips,
which is where a balance and the bank's cover are checked, and last asks `check_caps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

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
    usual = ids.usual_working(named.id)
    return _put_up(table, seat, LiveBet(named.id, stake, named.number, named.mode, usual, keep_up=keep), book)


def raise_bet(table: CrapsTable, seat: Seat, bet: str, stake: int, book: PriceBook) -> Change:
    """Put `stake` more chips on a bet that is up."""
    before = find_bet(table, seat, bet)
    if stake < 1:
        refuse("stake_too_small", f"raise {before.name} by {stake}: at least one chip")
    after = replace(before, stake=before.stake + stake)
    _check(_bound(table, after, is_raised=True), _too_late(table, seat, after, book), _misfit(after, seat, book))
    return _changed(seat, before, after)


def lower_bet(table: CrapsTable, seat: Seat, bet: str, stake: int, book: PriceBook) -> Change:
    """Take `stake` chips off a bet that is up; some must be left. Odds come down with their flat bet."""
    before = find_bet(table, seat, bet)
    if not 1 <= stake < before.stake:
        refuse("bad_lowering", f"lower {before.name} by {stake}: by 1 to {before.stake - 1}, or remove it")
    after = replace(before, stake=before.stake - stake)
    # What is smaller than what was allowed is not over anything; a flat bet was lowered since, perhaps.
    _check(_bound(table, after), (no for no in _misfit(after, seat, book) if not no[0].startswith("over_")))
    return _with_odds(_changed(seat, before, after), book)


def remove_bet(table: CrapsTable, seat: Seat, bet: str, book: PriceBook) -> Change:
    """Take a bet down, and odds with their flat bet."""
    before = find_bet(table, seat, bet)
    _check(_bound(table, before))
    return _with_odds(_changed(seat, before, None), book)


def remove_all(table: CrapsTable, seat: Seat) -> Change:
    """Take down every bet that may come down, perhaps none; the others stay."""
    down = [bet for bet in seat if not any(_bound(table, bet))]
    return Change(tuple(bet for bet in seat if bet not in down), tuple((bet, None) for bet in down))


def switch_bet(table: CrapsTable, seat: Seat, bet: str, come_out: bool, point: bool) -> Change:
    """Say when a bet works: on come-out rolls, and with a point up. An off bet neither wins nor loses."""
    before = find_bet(table, seat, bet)
    _check(_closed(table, before))
    is_free = ids.TAKE_DOWN[before.id] == ids.FREE and not (ids.is_odds(before.id) and ids.is_dark(before.id))
    if not is_free and not (come_out and point):
        refuse("always_works", f"{before.name} works on every roll and cannot be switched off")
    working = ids.WORKS_AT_COME_OUT * come_out + ids.WORKS_WITH_POINT * point
    return _changed(seat, before, replace(before, working=working))


def keep_up(table: CrapsTable, seat: Seat, bet: str, keep: bool) -> Change:
    """Ask that a bet be placed again when it is decided, or no longer."""
    before = find_bet(table, seat, bet)
    return _changed(seat, before, replace(before, keep_up=keep))


def place_again(table: CrapsTable, seat: Seat, decided: LiveBet, book: PriceBook) -> Change:
    """Put a decided bet up again with the same stake. A come bet goes back into the box."""
    number = table.point if decided.id in (ids.ODDS_PASS, ids.ODDS_DONT_PASS) else decided.number
    return _put_up(table, seat, replace(decided, number=0 if ids.is_come(decided.id) else number), book)


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
    return placing.odds_max(ids.flat_of(bet), number, flat_stake, book.limits, placing.ODDS_MULTIPLES)


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


def _lying(seat: Seat, named: BetName | LiveBet) -> LiveBet | None:
    """The bet of that id and number, whatever its mode: there is never a second one."""
    return next((bet for bet in seat if bet.id == named.id and bet.number == named.number), None)


def _is_on(odds: LiveBet, flat: LiveBet) -> bool:
    """Tell whether a bet is the odds on another one."""
    is_alike = ids.is_odds(odds.id) and ids.flat_of(odds.id) == flat.id
    return is_alike and (not ids.has_number(odds.id) or odds.number == flat.number)


def _flat_stake(seat: Seat, odds: LiveBet) -> int:
    """The stake of the bet that odds are on; 0 where there is none."""
    return next((flat.stake for flat in seat if _is_on(odds, flat)), 0)


def _put_up(table: CrapsTable, seat: Seat, bet: LiveBet, book: PriceBook) -> Change:
    placed = replace(bet, placed=table.roll_count)
    _check(_no_such_place(table, seat, bet, book), _too_late(table, seat, bet, book), _misfit(bet, seat, book))
    return Change((*seat, placed), ((None, placed),))


def _changed(seat: Seat, before: LiveBet, after: LiveBet | None) -> Change:
    place = seat.index(before)
    kept = () if after is None else (after,)
    return Change((*seat[:place], *kept, *seat[place + 1 :]), ((before, after),))


def _with_odds(change: Change, book: PriceBook) -> Change:
    """The change, and what it does to odds: they are never more than their flat bet allows, and gone without it."""
    ((flat, left),) = change.steps
    assert flat is not None
    odds = next((bet for bet in change.seat if _is_on(bet, flat)), None)
    if odds is None:
        return change
    most = odds_max(odds.id, odds.number, 0 if left is None else left.stake, book)
    if odds.stake <= most:
        return change
    left_odds = replace(odds, stake=most)
    lowered = _changed(change.seat, odds, None if any(_misfit(left_odds, change.seat, book)) else left_odds)
    return Change(lowered.seat, (*change.steps, *lowered.steps))


# Why not: what stands in the way, each as a code and a sentence, in the published order. The first is told.


def _check(*problems: Iterable[tuple[str, str]]) -> None:
    for problem in chain(*problems):
        refuse(*problem)


def _closed(table: CrapsTable, bet: LiveBet) -> Iterator[tuple[str, str]]:
    if table.phase == "closed":
        yield "table_closed", f"no bet on {bet.name}: the table is closed"


def _no_such_place(table: CrapsTable, seat: Seat, bet: LiveBet, book: PriceBook) -> Iterator[tuple[str, str]]:
    """Yield why a new bet has no place on this table, at any moment."""
    yield from _closed(table, bet)
    if ids.is_come(bet.id) and bet.number:
        yield "unknown_bet", f"{bet.name} cannot be placed: a come bet finds its number itself"
    if not prices.is_offered(bet.slot, book.prices):
        yield "not_offered", f"{bet.name} is not on offer at the prices of this table"
    lying = _lying(seat, bet)
    if lying is not None and lying.mode != bet.mode:
        text = f"{lying.name} is up, and a number has one bet: remove it before you place {bet.name}"
        yield "already_placed", text
    if lying is not None:
        yield "already_placed", f"{bet.name} is up already: raise it, or lower it"


WINDOWS = {
    placing.NEEDS_COME_OUT: "before a come-out roll, and the point is {0.point}",
    placing.NEEDS_POINT: "with a point up, and this is a come-out roll",
    placing.NEEDS_NEW_HAND: "before the first roll of a hand, and there were {0.hand_rolls}",
    placing.NEEDS_NEW_SET: "before a first roll or right after a 7; since then there were {0.set_rolls}",
}


def _too_late(table: CrapsTable, seat: Seat, bet: LiveBet, book: PriceBook) -> Iterator[tuple[str, str]]:
    """Yield why no chips can be put on a bet at this moment."""
    shut = placing.window_shut(table.row(), bet.id, book.prices)
    if shut != placing.OPEN:
        yield "window_closed", f"{bet.name} is placed {WINDOWS[shut].format(table)}"
    if ids.is_odds(bet.id) and not _flat_stake(seat, bet):
        yield "no_flat_bet", f"{bet.name} needs the bet that the odds are on"


def _misfit(bet: LiveBet, seat: Seat, book: PriceBook) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a stake, all chips on the bet together."""
    stake, slot, on = bet.stake, bet.slot, f"stake {bet.stake} on {bet.name}"
    if stake < 1:
        yield "stake_too_small", f"{on}: at least one chip"
    if not ids.is_odds(bet.id):
        first = placing.STAKE_LIMITS + 2 * ids.LIMITS_OF[bet.id]
        low, high = book.limits[first : first + 2]
        if not low <= stake <= high:
            yield "under_limit" if stake < low else "over_limit", f"{on}: this table takes {low} to {high}"
    if stake % prices.parts_of(bet.id):
        yield "not_a_multiple", f"{on}: it is divided into {prices.parts_of(bet.id)} equal parts"
    if ids.is_odds(bet.id):
        flat_stake = _flat_stake(seat, bet)
        most = odds_max(bet.id, bet.number, flat_stake, book)
        if stake > most:
            yield "over_odds", f"{on}: behind a bet of {flat_stake} on {bet.number} it is {most} at most"
    if prices.win_of(slot, stake, book.prices) - prices.commission_of(slot, stake, book.prices) < 1:
        yield "profit_too_small", f"{on}: too little to win a whole chip"
    if prices.profit_max(bet.id, slot, stake, book.prices) > book.limits[placing.MAX_PROFIT]:
        yield "over_profit", f"{on} could win more than {book.limits[placing.MAX_PROFIT]}, the most a bet may win"


def _bound(table: CrapsTable, bet: LiveBet, is_raised: bool = False) -> Iterator[tuple[str, str]]:
    """Yield why a bet that is up stays as it is: it may not come down or, if that is asked, not be raised."""
    yield from _closed(table, bet)
    has_number = placing.number_under(bet.id, bet.number, table.point) > 0
    take_down = ids.TAKE_DOWN[bet.id]
    if take_down == ids.CONTRACT and has_number:
        yield "contract_bet", f"{bet.name} has its number: it stays as it is until that or a 7 comes"
    if take_down == ids.LOWER_ONLY and has_number and is_raised:
        yield "only_lower", f"{bet.name} has its number: it may be lowered or removed, not raised"
    if take_down == ids.NEVER and (table.roll_count > bet.placed if bet.id == ids.MUGGSY else not is_raised):
        yield "stays_up", f"{bet.name} stays up until it is decided"
