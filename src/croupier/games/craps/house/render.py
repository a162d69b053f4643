"""Text of the craps layout, with chips or prices in its cells; and each roll as a log line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.engine import MatchView
from croupier.games.craps.bets import IDS, POINTS, BetName, name_of, read_name
from croupier.games.craps.layout import CrapsTable, LiveBet, dice_words
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import ids, prices, table
from croupier.house import Line
from croupier.house.show import lit_words
from croupier.kit.dice import dice_art

if TYPE_CHECKING:
    from croupier.games.craps.house.game import CrapsState

TOTALS = range(2, 13)
CELL = 6
LINES_SHOWN = 8
BY_TIERS = (ids.FIELD, ids.HOT_ROLLER, ids.FIRE, ids.RIDE_LINE, ids.MUGGSY, ids.REPLAY, ids.DIFFERENT_DOUBLES)


def price_words(bet: int, number: int, mode: int, book: PriceBook) -> str:
    """Return the price of a bet with one price, a to b.

    >>> price_words(9, 0, 0, book_of(CrapsOptions())), price_words(5, 0, 0, book_of(CrapsOptions(pay_table="bitcraps")))
    ('7 to 6', '5.88 to 1')
    """
    price = _price(prices.slot_of(bet, number, mode), book)
    return " to ".join(price.split(":") if ":" in price else (price, "1"))


def _price(slot: int, book: PriceBook) -> str:
    """A price in few letters: 7:6, 5.88, 30."""
    profit = book.prices[slot * prices.ROW + prices.PROFIT]
    per = book.prices[slot * prices.ROW + prices.PER]
    if per == 0:
        return ""
    ratio = Fraction(profit, per)
    if per == 100:
        return f"{profit / per:.2f}"
    return str(ratio.numerator) if ratio.denominator == 1 else f"{ratio.numerator}:{ratio.denominator}"


# A roll in words.


def roll_words(before: CrapsState, after: CrapsState, options: CrapsOptions) -> str:
    """Return one line that tells the dice, what they were for the line, and what every bet that was decided came to."""
    book = book_of(options)
    parts = [dice_words(before.table, after.table)]
    parts += [_line_words(line, book, before.table.point) for line in after.money.lines[len(before.money.lines) :]]
    here = {bet.name for bet in before.bets}
    parts += [f"{IDS[bet.id]} goes to {bet.number}" for bet in after.bets if bet.name not in here]
    return "; ".join(parts)


def _line_words(line: Line, book: PriceBook, point: int) -> str:
    if line.profit == 0:
        return f"{line.bet} gets its {line.stake:,} back"
    if line.returned == 0:
        return f"{line.bet} loses {line.stake:,}"
    named = read_name(line.bet)
    assert named is not None
    wins = f"{line.bet} wins {line.profit:,}"
    if prices.parts_of(named.id) > 1:
        return f"{wins}, the other parts lost"
    if named.id == ids.PASS and line.profit > line.stake:
        return f"{wins}, boosted by a lit point"
    if named.id in BY_TIERS:
        return f"{wins} ({line.profit // line.stake} to 1)"
    number = named.number or point
    less = (
        " less commission" if prices.commission_of(prices.slot_of(named.id, number, named.mode), 1, book.prices) else ""
    )
    return f"{wins} ({price_words(named.id, number, named.mode, book)}{less})"


# The layout.


def render_table(view: MatchView[CrapsState]) -> str:
    """Return a view in Rich markup: the numbers with their prices or chips, the other bets, the dice, the accounts."""
    state = view.game
    book = book_of(view.options)
    cells = _Cells(state, book)
    rows = [
        _head(state.table),
        "",
        "  [dim]         [/dim]" + "".join(_number(total, state.table) for total in TOTALS),
        *cells.come(ids.COME),
        *cells.come(ids.DONT_COME),
        *(cells.numbers(kind) for kind in ("yes", "no", "big", "hard", "next", "repeater")),
        "",
        "  " + "   ".join(cells.plain(bet) for bet in (ids.PASS, ids.DONT_PASS, ids.COME, ids.DONT_COME, ids.FIELD)),
        "  " + "   ".join(cells.plain(bet) for bet in (ids.ANY_CRAPS, ids.HORN, ids.WORLD, ids.C_AND_E)),
        "  " + "   ".join(cells.plain(bet) for bet in (ids.BONUS_SMALL, ids.BONUS_TALL, ids.BONUS_ALL, ids.TWICE_HARD)),
        "  " + "   ".join(cells.plain(bet) for bet in (ids.FIRE, ids.RIDE_LINE, ids.REPLAY, ids.HOT_ROLLER)),
        "  " + "   ".join([cells.plain(ids.DIFFERENT_DOUBLES), cells.plain(ids.MUGGSY)]),
        *cells.hops(),
        *_progress(state, book),
    ]
    if state.bets:
        rows += _legend(state)
    if state.table.dice:
        art = [f"  {line}" for line in dice_art(state.table.dice)]
        art[2] += f"   [bold]{sum(state.table.dice)}[/bold]"
        rows += ["", *art]
    return "\n".join([*rows, *_accounts(state)])


def _head(table_now: CrapsTable) -> str:
    where = f"[bold]point {table_now.point}[/bold]" if table_now.point else "[bold]come-out roll[/bold]"
    rolls = f"{table_now.hand_rolls} roll{'' if table_now.hand_rolls == 1 else 's'}"
    return f"  {where}   [dim]hand {table_now.hand_id + 1}, {rolls} in it[/dim]"


def _number(total: int, table_now: CrapsTable) -> str:
    if total == table_now.point:
        return f"[bold reverse]{f'({total})':>{CELL}}[/bold reverse]"
    return f"[bold]{total:>{CELL}}[/bold]"


class _Cells:
    """Cells of the layout: chips, or the price."""

    def __init__(self, state: CrapsState, book: PriceBook) -> None:
        self.bets = {(bet.id, bet.number): bet for bet in state.bets}
        self.book = book
        self.table = state.table

    def row(self, label: str, cell: Callable[[int], str]) -> str:
        return f"  [dim]{label:<9}[/dim]" + "".join(cell(total) for total in TOTALS)

    def chips(self, bet: LiveBet, mark: str = "") -> str:
        style = "bold yellow" if bet.works(self.table) else "yellow"
        stake = str(bet.stake) if bet.stake < 10_000 else f"{bet.stake // 1000}k"
        return f"[{style}]{'●' + mark + stake:>{CELL}}[/{style}]"

    def come(self, bet: int) -> list[str]:
        """The bets that have travelled, and below them the odds, where there are any."""
        odds = bet - ids.COME + ids.ODDS_COME
        rows = [self.row(IDS[bet], lambda total: self.travelled(bet, total))]
        if any(key[0] == odds for key in self.bets):
            rows.append(self.row("  odds", lambda total: self.travelled(odds, total)))
        return rows

    def travelled(self, bet: int, total: int) -> str:
        lying = self.bets.get((bet, total)) if ids.is_point(total) else None
        return self.chips(lying) if lying else f"[dim]{'·' if ids.is_point(total) else '':>{CELL}}[/dim]"

    def numbers(self, kind: str) -> str:
        """The bets of a kind, one a total."""
        return self.row(kind, lambda total: self.priced(read_name(f"{kind}:{total}")))

    def priced(self, named: BetName | None) -> str:
        if named is None:
            return " " * CELL
        lying = self.bets.get((named.id, 0))
        if lying is None:
            return f"[dim]{_price(named.id, self.book):>{CELL}}[/dim]"
        return self.chips(lying, ("b" if ids.is_yes(named.id) else "l") * lying.mode)

    def plain(self, bet: int) -> str:
        lying = self.bets.get((bet, 0))
        if lying is None:
            return f"[dim]{IDS[bet]} –[/dim]"
        odds = next((live for key, live in self.bets.items() if bet <= 1 and key[0] == bet + ids.ODDS_PASS), None)
        more = f" odds [bold yellow]{odds.stake}[/bold yellow]" if odds else ""
        return f"{IDS[bet]} [bold yellow]{lying.stake}[/bold yellow]{more}"

    def hops(self) -> list[str]:
        hops = [bet for bet in self.bets.values() if ids.HOP <= bet.id < ids.ANY_CRAPS]
        up = [f"{name_of(bet.id)[4:]} [bold yellow]{bet.stake}[/bold yellow]" for bet in hops]
        return [f"  hop  {'   '.join(up[first : first + 6])}" for first in range(0, len(up), 6)]


def _legend(state: CrapsState) -> list[str]:
    off = [bet.name for bet in state.bets if not bet.works(state.table)]
    text = "● chips, b bought, l placed to lose; a bare number is a price"
    return [f"  [dim]{line}[/dim]" for line in (text, *(f"off on the next roll: {name}" for name in off))]


def _progress(state: CrapsState, book: PriceBook) -> list[str]:
    """Progress of the bets on a set or a hand, where some are up."""
    now, up = state.table, {bet.id for bet in state.bets}
    hot = {
        prices.STREAK: ("points made in the hand", str(now.hot_streak)),
        prices.ALL_WAYS: (
            "points thrown every way",
            f"{table.points_of_all_ways(now.row())}, pairs {_joined(now.ways_seen)}",
        ),
        prices.HAND_LENGTH: ("rolls in the hand", str(now.hand_rolls)),
    }[book.prices[prices.HOT_RULE]]
    told = [
        (up & {ids.FIRE}, "different points made", _joined(now.fire_points)),
        (up & {ids.HOT_ROLLER}, *hot),
        (up & {ids.RIDE_LINE}, "line wins", str(now.pass_wins)),
        (up & set(range(ids.BONUS_SMALL, ids.BONUS_ALL + 1)), "totals seen", _joined(now.bonus_numbers)),
        (up & {ids.DIFFERENT_DOUBLES}, "doubles seen", _joined(f"{face}-{face}" for face in now.doubles_seen)),
        (
            up & {ids.REPLAY},
            "points made",
            _joined(f"{point} (×{n})" for point, n in zip(POINTS, now.points_made, strict=True) if n),
        ),
        (
            up & set(range(ids.REPEATER, ids.HOP)),
            "thrown",
            _joined(f"{total} (×{n})" for total, n in zip(TOTALS, now.repeater_counts, strict=True) if n),
        ),
    ]
    return [f"  [dim]{label}: {text or 'none'}[/dim]" for wanted, label, text in told if wanted]


def _joined(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


def _accounts(state: CrapsState) -> list[str]:
    """The bets settled last, what is lit, and what it came to so far."""
    money = state.money
    rows = []
    for line in money.lines[-LINES_SHOWN:]:
        colour = "green" if line.profit > 0 else "red" if line.profit < 0 else "dim"
        rows.append(f"  {line.bet:<20} {line.stake:>8,}  [{colour}]returned {line.returned:,}[/{colour}]")
    earlier = len(money.lines) - LINES_SHOWN
    if earlier > 0:
        rows.insert(0, f"  [dim]{earlier} bets settled before these[/dim]")
    if state.lit:
        rows.append("  lit: " + ", ".join(lit_words(lit.kind, lit.id, lit.multiplier) for lit in state.lit))
    if money.fees:
        rows.append(f"  [dim]super fee {money.fees:,}[/dim]")
    if money.staked:
        up = sum(stake.stake for stake in money.open)
        rows.append(f"  [dim]staked {money.staked:,}, returned {money.returned:,}, on the table {up:,}[/dim]")
    return ["", *rows] if rows else rows
