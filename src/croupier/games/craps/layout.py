"""State of a craps table between rolls, the bets that are up, and `throw`, which takes both through a roll.

Both games use it, the house game with one seat and the shared table with many. The rules are numbers
(`croupier.games.craps.rules`); here they get their names, and nothing is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from croupier.games.craps.bets import POINTS, name_of
from croupier.games.craps.paytables import PriceBook
from croupier.games.craps.rules import ids, prices, roll
from croupier.games.craps.rules import table as rows

Phase = Literal["come_out", "point", "closed"]
PHASES: tuple[Phase, ...] = get_args(Phase)
HISTORY_MAX = 1000
EVENTS = {
    rows.NATURAL: "a natural",
    rows.CRAPS: "craps",
    rows.POINT_SET: "the point is {}",
    rows.POINT_MADE: "the point is made",
    rows.SEVEN_OUT: "seven-out",
}
"""Words for what a roll did to the table."""

WAY_PAIRS = ("1-3", "2-2", "1-4", "2-3", "1-5", "2-4", "3-3", "2-6", "3-5", "4-4", "3-6", "4-5", "4-6", "5-5")


class PastRoll(Struct, frozen=True, array_like=True):
    """One roll of the log: its number, the hand, both dice in the order drawn, and the phase before it."""

    number: int
    hand: int
    die1: int
    die2: int
    phase: int


class LiveBet(Struct, frozen=True, omit_defaults=True):
    """A bet that is up."""

    id: int
    stake: int
    number: int = 0
    """Where a come bet has travelled to; for odds, the number they are on."""
    mode: int = 0
    """1 where a YES is bought, or a NO is placed to lose."""
    working: int = ids.WORKS
    """Bit 0: works on come-out rolls; bit 1: works with a point up."""
    placed: int = 0
    """How many rolls the table had seen when the bet was placed."""
    keep_up: bool = False
    """Whether the bet is to be placed again when it is decided."""

    @property
    def name(self) -> str:
        """The bet's name."""
        return name_of(self.id, self.number, self.mode)

    def outlay(self, book: PriceBook) -> int:
        """Return what the bet has cost: its stake, and a commission where that is paid with it."""
        return prices.outlay_of(self.slot, self.stake, book.prices)

    def return_max(self, book: PriceBook) -> int:
        """Return the most that the bet can hand back: the bank covers as much until the bet is decided."""
        return self.stake + prices.profit_max(self.id, self.slot, self.stake, book.prices)

    def mode_word(self, book: PriceBook) -> str:
        """Return the bet's mode in a word, where the pay table has modes: place or buy, lay or lose; else nothing."""
        if not prices.has_modes(self.id) or not prices.is_offered(prices.slot_of(ids.YES, 0, 1), book.prices):
            return ""
        return ("place", "buy")[self.mode] if ids.is_yes(self.id) else ("lay", "lose")[self.mode]

    def works(self, table: CrapsTable) -> bool:
        """Tell whether the bet works on the next roll."""
        return roll.works_now(self.working, PHASES.index(table.phase))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The bet as `rules.roll` reads it."""
        return self.id, self.number, self.stake, self.mode, self.working, self.placed

    @property
    def slot(self) -> int:
        """Index of the bet's price in the pay table."""
        return prices.slot_of(self.id, self.number, self.mode)


Seat = tuple[LiveBet, ...]
"""The bets of one player, in the order they were placed."""


class CrapsTable(Struct, frozen=True, omit_defaults=True):
    """State of the table between rolls, apart from the bets."""

    phase: Phase = "come_out"
    point: int = 0
    """0 unless the phase is point."""
    roll_count: int = 0
    series_id: int = 0
    hand_id: int = 0
    hand_rolls: int = 0
    set_rolls: int = 0
    fire_points: tuple[int, ...] = ()
    hot_streak: int = 0
    pass_wins: int = 0
    points_made: tuple[int, ...] = (0,) * 6
    """How often 4, 5, 6, 8, 9, 10 were made in this hand."""
    bonus_numbers: tuple[int, ...] = ()
    doubles_seen: tuple[int, ...] = ()
    ways_seen: tuple[str, ...] = ()
    hard_streak: tuple[int, ...] = (0,) * 4
    """Hard throws of 4, 6, 8, 10 since the last easy one."""
    repeater_counts: tuple[int, ...] = (0,) * 11
    """How often 2 to 12 fell in this set; a 7 ends the set, so its own count stays 0."""
    history: tuple[PastRoll, ...] = ()
    """The last thousand rolls, for people to look at; no bet is decided from it."""

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice of the last roll; empty before the first."""
        return (self.history[-1].die1, self.history[-1].die2) if self.history else ()

    def row(self) -> list[int]:
        """Return the table as the rules have it."""
        return [
            PHASES.index(self.phase),
            self.point,
            self.roll_count,
            self.series_id,
            self.hand_id,
            self.hand_rolls,
            self.set_rolls,
            sum(1 << POINTS.index(point) for point in self.fire_points),
            self.hot_streak,
            self.pass_wins,
            *self.points_made,
            sum(1 << total for total in self.bonus_numbers),
            sum(1 << (face - 1) for face in self.doubles_seen),
            sum(1 << WAY_PAIRS.index(pair) for pair in self.ways_seen),
            *self.hard_streak,
            *self.repeater_counts,
        ]

    @classmethod
    def from_row(cls, row: Sequence[int], history: tuple[PastRoll, ...]) -> CrapsTable:
        """Return the table that a row of the rules stands for."""
        return cls(
            phase=PHASES[row[rows.PHASE]],
            point=row[rows.POINT],
            roll_count=row[rows.ROLL_COUNT],
            series_id=row[rows.SERIES],
            hand_id=row[rows.HAND_NUMBER],
            hand_rolls=row[rows.HAND_ROLLS],
            set_rolls=row[rows.SET_ROLLS],
            fire_points=tuple(point for place, point in enumerate(POINTS) if row[rows.FIRE_POINTS] >> place & 1),
            hot_streak=row[rows.HOT_STREAK],
            pass_wins=row[rows.PASS_WINS],
            points_made=tuple(row[rows.POINTS_MADE : rows.POINTS_MADE + 6]),
            bonus_numbers=tuple(total for total in range(2, 13) if row[rows.BONUS_NUMBERS] >> total & 1),
            doubles_seen=tuple(face for face in range(1, 7) if row[rows.DOUBLES_SEEN] >> (face - 1) & 1),
            ways_seen=tuple(pair for place, pair in enumerate(WAY_PAIRS) if row[rows.WAYS_SEEN] >> place & 1),
            hard_streak=tuple(row[rows.HARD_STREAK : rows.HARD_STREAK + 4]),
            repeater_counts=tuple(row[rows.REPEATER_COUNTS : rows.REPEATER_COUNTS + 11]),
            history=history,
        )


class Decision(Struct, frozen=True):
    """A bet that a roll decided: whose it was, the bet as it lay, and the chips handed back, stake included."""

    seat: int
    bet: LiveBet
    returned: int


class RollOutcome(Struct, frozen=True):
    """Outcome of a roll: everything is settled, and decided bets are gone."""

    table: CrapsTable
    seats: tuple[Seat, ...]
    decisions: tuple[Decision, ...]
    """By seat; bets that live on before those of one roll; then by id and number."""
    travelled: tuple[tuple[int, LiveBet, LiveBet], ...]
    """Come bets that went to a number: the seat, the bet in the box, the bet there."""
    event: int
    """The roll for the line: `rules.table.NATURAL`, `CRAPS`, `POINT_SET`, `POINT_MADE`, `SEVEN_OUT`, `NOTHING`."""


def throw(table: CrapsTable, seats: Sequence[Seat], die1: int, die2: int, book: PriceBook) -> RollOutcome:
    """Return what a roll makes of the table and the bets of every seat.

    >>> from croupier.games.craps.options import CrapsOptions
    >>> from croupier.games.craps.paytables import book_of
    >>> book = book_of(CrapsOptions())
    >>> outcome = throw(CrapsTable(), [(LiveBet(ids.PASS, 10),), (LiveBet(ids.DONT_PASS, 10),)], 6, 5, book)
    >>> [(decision.seat, decision.bet.name, decision.returned) for decision in outcome.decisions]
    [(0, 'pass', 20), (1, 'dont_pass', 0)]
    """
    row = table.row()
    event = rows.roll_event(table.point, die1 + die2)
    bets = [bet for seat in seats for bet in seat]
    lying = [number for bet in bets for number in bet.numbers]
    verdicts = [prices.STAYS] * len(bets)
    roll.resolve(row, lying, 0, (1 << len(bets)) - 1, die1, die2, book.prices, verdicts)
    decisions: list[Decision] = []
    travelled: list[tuple[int, LiveBet, LiveBet]] = []
    left: list[Seat] = []
    at = 0
    for place, seat in enumerate(seats):
        kept: list[LiveBet] = []
        for bet in seat:
            if verdicts[at] == prices.TRAVELS:
                kept.append(replace(bet, number=die1 + die2))
                travelled.append((place, bet, kept[-1]))
            elif verdicts[at] == prices.STAYS:
                kept.append(bet)
            else:
                returned = roll.chips_for(verdicts[at], lying, roll.BET_SIZE * at, book.prices)
                decisions.append(Decision(place, bet, returned))
            at += 1
        left.append(tuple(kept))
    decisions.sort(key=_listed)
    rolled = PastRoll(table.roll_count + 1, table.hand_id, die1, die2, PHASES.index(table.phase))
    after = CrapsTable.from_row(row, (*table.history[1 - HISTORY_MAX :], rolled))
    return RollOutcome(after, tuple(left), tuple(decisions), tuple(travelled), event)


def dice_words(before: CrapsTable, after: CrapsTable) -> str:
    """Return a roll in words: both dice, their total, and what it was for the line."""
    die1, die2 = after.dice
    event = EVENTS.get(rows.roll_event(before.point, die1 + die2), "").format(die1 + die2)
    return f"{die1} and {die2}: {die1 + die2}{', ' + event if event else ''}"


def _listed(decision: Decision) -> tuple[int, bool, int, int]:
    bet = decision.bet
    return decision.seat, ids.is_one_roll(bet.id), bet.id, bet.number
