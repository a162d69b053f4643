"""Craps as plain objects, for scripts, notebooks and lessons: `CrapsGame` and what goes with it.

It changes in place, knows no balances and no turns, and keeps no record; the match game, `craps-table`, has all that.
Every rule is that of the one engine: this is a shell around `CrapsTable`, `place_bet` and `throw`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Literal

from msgspec import Struct

from croupier.engine.rate_limit import RateLimiter
from croupier.engine.turn import Refusal
from croupier.errors import BadPlayers, CroupierError
from croupier.games.craps import placing
from croupier.games.craps.bets import POINTS, name_of
from croupier.games.craps.layout import CrapsTable, Decision, LiveBet, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rolls import (
    BadRoll,
    DiceRoll,
    EntropyContribution,
    RollSequence,
    roll_dice_from_sources,
    roll_dice_secure,
)
from croupier.games.craps.rules import ids, prices
from croupier.games.craps.rules import placing as rules
from croupier.games.craps.rules.table import SEVEN_OUT

__all__ = [
    "Bet",
    "BetLimits",
    "BetResolution",
    "BetType",
    "CrapTokens",
    "CrapsGame",
    "DiceRoll",
    "EntropyContribution",
    "GameId",
    "GamePhase",
    "HopBet",
    "InvalidBet",
    "OddsBet",
    "PeerId",
    "RateLimiter",
    "RollSequence",
    "calculate_odds_payout",
    "roll_dice_from_sources",
    "roll_dice_secure",
]

PeerId = str
GameId = str
CrapTokens = int

HARD_TOTALS = (4, 6, 8, 10)


class InvalidBet(CroupierError, ValueError):
    """A bet that the rules refuse; `reason` is the code of the refusal."""

    code = "invalid_bet"

    def __init__(self, message: str, reason: str = "unknown_bet") -> None:
        super().__init__(message)
        self.reason = reason


class GamePhase(StrEnum):
    """Which part of a cycle it is."""

    COME_OUT = "come_out"
    POINT = "point"
    CLOSED = "closed"


class BetType(IntEnum):
    """Every bet by its number on the sheet."""

    PASS, DONT_PASS, COME, DONT_COME, FIELD = range(5)
    YES_2, YES_3, YES_4, YES_5, YES_6, YES_8, YES_9, YES_10, YES_11, YES_12 = range(5, 15)
    NO_2, NO_3, NO_4, NO_5, NO_6, NO_8, NO_9, NO_10, NO_11, NO_12 = range(15, 25)
    HARD_4, HARD_6, HARD_8, HARD_10 = range(25, 29)
    ODDS_PASS, ODDS_DONT_PASS, ODDS_COME, ODDS_DONT_COME = range(29, 33)
    HOT_ROLLER, FIRE, TWICE_HARD, RIDE_LINE, MUGGSY = range(33, 38)
    BONUS_SMALL, BONUS_TALL, BONUS_ALL, REPLAY, DIFFERENT_DOUBLES = range(38, 43)
    NEXT_2, NEXT_3, NEXT_4, NEXT_5, NEXT_6, NEXT_7, NEXT_8, NEXT_9, NEXT_10, NEXT_11, NEXT_12 = range(43, 54)
    REPEATER_2, REPEATER_3, REPEATER_4, REPEATER_5, REPEATER_6 = range(54, 59)
    REPEATER_8, REPEATER_9, REPEATER_10, REPEATER_11, REPEATER_12 = range(59, 64)
    HOP_1_1, HOP_1_2, HOP_1_3, HOP_1_4, HOP_1_5, HOP_1_6, HOP_2_2 = range(64, 71)
    HOP_2_3, HOP_2_4, HOP_2_5, HOP_2_6, HOP_3_3, HOP_3_4, HOP_3_5 = range(71, 78)
    HOP_3_6, HOP_4_4, HOP_4_5, HOP_4_6, HOP_5_5, HOP_5_6, HOP_6_6 = range(78, 85)
    ANY_CRAPS, HORN, WORLD, C_AND_E, BIG_6, BIG_8 = range(85, 91)

    def is_valid_for_phase(self, phase: GamePhase) -> bool:
        """Tell whether the bet can be placed in a phase at all; odds also need the bet they are on.

        >>> BetType.PASS.is_valid_for_phase(GamePhase.POINT), BetType.COME.is_valid_for_phase(GamePhase.POINT)
        (False, True)
        """
        if phase is GamePhase.CLOSED:
            return False
        table = CrapsTable()
        if phase is GamePhase.POINT:  # which comes after a roll of the hand, and of the set
            table = CrapsTable("point", 4, hand_rolls=1, set_rolls=1)
        shut = rules.window_shut(table.row(), self, 0, book_of(CrapsOptions()).prices)
        return shut in (rules.OK, rules.NEEDS_FLAT_BET)


class HopBet(Struct, frozen=True):
    """A bet on a pair of dice for one roll: a hard one is named by its face, an easy one by two different faces.

    >>> HopBet.hard(3).bet_type.name, HopBet.easy(4, 2).bet_type.name
    ('HOP_3_3', 'HOP_2_4')
    """

    bet_type: BetType

    @classmethod
    def hard(cls, face: int) -> HopBet:
        """Return the hop of two equal dice."""
        return cls(_hop(face, face))

    @classmethod
    def easy(cls, die1: int, die2: int) -> HopBet:
        """Return the hop of two different dice, in whatever order they fall."""
        if die1 == die2:
            raise InvalidBet(f"{die1}-{die2} is a hard hop: name it by its face")
        return cls(_hop(die1, die2))


def _hop(die1: int, die2: int) -> BetType:
    roll = DiceRoll(die1, die2)
    return BetType(ids.hop_bet(roll.die1, roll.die2))


class Bet(Struct, frozen=True):
    """A bet: what it is on, and the chips. `number` is that of the come bet which odds are on.

    `mode` 1 buys a YES instead of placing it, and places a NO to lose instead of laying it.
    """

    bet_type: BetType
    amount: CrapTokens
    number: int = 0
    mode: int = 0

    @property
    def name(self) -> str:
        """The name of the bet, as everywhere in croupier."""
        return name_of(self.bet_type, self.number, self.mode)


class OddsBet(Struct, frozen=True):
    """Odds on a line or come bet that has its number."""

    base_bet: BetType
    odds_amount: CrapTokens
    point: int

    @property
    def bet(self) -> Bet:
        """The odds as a bet that can be placed."""
        if not BetType.PASS <= self.base_bet <= BetType.DONT_COME or not ids.is_point(self.point):
            raise InvalidBet("odds go on pass, dont_pass, come or dont_come with a number")
        has_number = ids.has_number(self.base_bet)
        return Bet(BetType(self.base_bet + ids.ODDS_PASS), self.odds_amount, self.point if has_number else 0)


def calculate_odds_payout(point: int, amount: CrapTokens) -> CrapTokens:
    """Return the profit of odds taken on a point: true odds, rounded down.

    >>> calculate_odds_payout(4, 10), calculate_odds_payout(9, 10), calculate_odds_payout(6, 10)
    (20, 15, 12)
    """
    if not ids.is_point(point):
        raise InvalidBet(f"{point} is no point: odds are on 4, 5, 6, 8, 9 or 10", "no_flat_bet")
    slot = prices.slot_of(ids.ODDS_PASS, point, 0)
    return prices.win_of(slot, amount, book_of(CrapsOptions()).prices)


class BetLimits(Struct, frozen=True):
    """The smallest and the largest bet, and how many times the flat bet odds may be."""

    min_bet: CrapTokens = 1
    max_bet: CrapTokens = 5_000
    max_odds_multiple: int = 5

    def options(self, base: CrapsOptions | None = None) -> CrapsOptions:
        """Return the options of a table with these limits, otherwise like `base`."""
        fields = {} if base is None else {name: getattr(base, name) for name in base.__struct_fields__}
        for family in ("table", "prop", "side"):
            fields |= {f"{family}_min": self.min_bet, f"{family}_max": self.max_bet}
        return CrapsOptions(**{**fields, "odds_map": (self.max_odds_multiple,) * len(POINTS)})


class BetResolution(Struct, frozen=True):
    """What a roll decided about a bet. `returned` is the chips handed back, the stake among them."""

    player: PeerId
    bet_type: BetType
    number: int
    amount: CrapTokens
    returned: CrapTokens
    profit: int

    @property
    def outcome(self) -> Literal["won", "lost", "push"]:
        """How it went."""
        return "won" if self.profit > 0 else "lost" if self.profit < 0 else "push"

    @property
    def payout(self) -> CrapTokens:
        """The chips handed back; the other word for `returned`."""
        return self.returned


class CrapsGame:
    """A craps table as an object: players bet, dice are processed, bets resolve.

    >>> game = CrapsGame("table 1", ["ann", "bob"])
    >>> game.place_bet("ann", Bet(BetType.PASS, 10))
    >>> [(one.player, one.outcome, one.profit) for one in game.process_roll(DiceRoll(6, 5))]
    [('ann', 'won', 10)]

    With `is_chained` it takes no roll that cannot be checked: rolls of one machine are not mixed into such a table.
    """

    __slots__ = ("_seats", "game_id", "is_chained", "options", "participants", "sequence", "shooter", "table")

    def __init__(
        self,
        game_id: GameId,
        participants: Iterable[PeerId],
        options: CrapsOptions | None = None,
        *,
        is_chained: bool = False,
    ) -> None:
        self.game_id = game_id
        self.participants: list[PeerId] = list(participants)
        if not self.participants or len(set(self.participants)) < len(self.participants):
            raise BadPlayers("a table has one participant or more, each with an id of their own")
        self.shooter: PeerId = self.participants[0]
        self.options = CrapsOptions() if options is None else options
        self.is_chained = is_chained
        self.table = CrapsTable()
        self.sequence = RollSequence()
        self._seats: dict[PeerId, Seat] = dict.fromkeys(self.participants, ())

    @property
    def book(self) -> PriceBook:
        """The prices and limits."""
        return book_of(self.options)

    # What there is to see.

    @property
    def phase(self) -> GamePhase:
        """Which part of the cycle it is."""
        return GamePhase(self.table.phase)

    @property
    def point(self) -> int | None:
        """The point; None unless the phase is POINT."""
        return self.table.point or None

    @property
    def series_id(self) -> int:
        """How many point cycles have closed."""
        return self.table.series_id

    @property
    def roll_count(self) -> int:
        """How many rolls there have been."""
        return self.table.roll_count

    @property
    def roll_history(self) -> list[DiceRoll]:
        """The last thousand rolls."""
        return list(self.sequence.rolls)

    @property
    def player_bets(self) -> dict[PeerId, dict[tuple[BetType, int], Bet]]:
        """The bets that are up, by player, and by type and number."""
        return {player: self.get_player_bets(player) for player in self.participants}

    def get_player_bets(self, player: PeerId) -> dict[tuple[BetType, int], Bet]:
        """Return the bets of one player by type and number; the number is 0 but for come bets and odds."""
        return {(BetType(bet.id), bet.number): _bet(bet) for bet in self._seat(player)}

    @property
    def fire_points(self) -> set[int]:
        """The different points made in this hand."""
        return set(self.table.fire_points)

    @property
    def repeater_counts(self) -> dict[int, int]:
        """How often each total but 7 has fallen since the last 7."""
        return {total: count for total, count in enumerate(self.table.repeater_counts, 2) if count}

    @property
    def bonus_numbers(self) -> set[int]:
        """The totals seen since the last 7."""
        return set(self.table.bonus_numbers)

    @property
    def hot_roller_streak(self) -> int:
        """How many points in a row the shooter has made."""
        return self.table.hot_streak

    @property
    def hardway_streak(self) -> dict[int, int]:
        """How often 4, 6, 8 and 10 have fallen hard since they last fell easy."""
        return {total: count for total, count in zip(HARD_TOTALS, self.table.hard_streak, strict=True) if count}

    @property
    def come_points(self) -> dict[PeerId, dict[int, CrapTokens]]:
        """The come bets that have travelled, by player and number."""
        return self._travelled(BetType.COME)

    @property
    def dont_come_points(self) -> dict[PeerId, dict[int, CrapTokens]]:
        """The don't come bets that have travelled, by player and number."""
        return self._travelled(BetType.DONT_COME)

    def _travelled(self, kind: BetType) -> dict[PeerId, dict[int, CrapTokens]]:
        return {
            player: {bet.number: bet.stake for bet in seat if bet.id == kind and bet.number}
            for player, seat in self._seats.items()
        }

    # What can be done.

    def place_bet(self, player: PeerId, bet: Bet, limits: BetLimits | None = None) -> None:
        """Put a bet up, or raise `InvalidBet`: the wrong phase, a bet that is up already, limits and caps."""
        book = self.book if limits is None else book_of(limits.options(self.options))
        seat = self._seat(player)
        try:
            change = placing.place_bet(self.table, seat, bet.name, bet.amount, book)
            placing.check_caps(change.seat, book)
        except Refusal as no:
            raise InvalidBet(no.sentence, no.code) from None
        self._seats[player] = change.seat

    def remove_bet(self, player: PeerId, bet_type: BetType, number: int = 0) -> Bet:
        """Take a bet down, and odds with it, or raise `InvalidBet`; return the bet that is gone."""
        seat = self._seat(player)
        try:
            change = placing.remove_bet(self.table, seat, name_of(bet_type, number), self.book)
        except Refusal as no:
            raise InvalidBet(no.sentence, no.code) from None
        self._seats[player] = change.seat
        before = change.steps[0][0]
        assert before is not None
        return _bet(before)

    def process_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Take a roll: history, trackers, every bet, then the phase. Return what was decided, by player."""
        if self.phase is GamePhase.CLOSED:
            raise BadRoll("the table is closed")
        if self.is_chained and not roll.is_verifiable:
            raise BadRoll("this table takes no roll that cannot be checked")
        seats = [self._seats[player] for player in self.participants]
        outcome = throw(self.table, seats, roll.die1, roll.die2, self.book)
        self.table = outcome.table
        self.sequence.add(roll)
        self._seats = dict(zip(self.participants, outcome.seats, strict=True))
        if outcome.event == SEVEN_OUT:
            place = self.participants.index(self.shooter) + 1
            self.shooter = self.participants[place % len(self.participants)]
        return [self._resolution(decision) for decision in outcome.decisions]

    def roll_dice(self) -> list[BetResolution]:
        """Throw dice of this machine and process them: practice, which nobody can check."""
        return self.process_roll(roll_dice_secure())

    def close(self) -> dict[PeerId, CrapTokens]:
        """Close the table and return the stakes that go back to each player. No bet is taken after that."""
        back = {player: sum(bet.outlay(self.book) for bet in seat) for player, seat in self._seats.items()}
        self._seats = dict.fromkeys(self.participants, ())
        self.table = CrapsTable(
            "closed",
            roll_count=self.table.roll_count,
            series_id=self.table.series_id,
            hand_id=self.table.hand_id,
            history=self.table.history,
        )
        return back

    def _seat(self, player: PeerId) -> Seat:
        if player not in self._seats:
            raise BadPlayers(f"{player!r} does not play at this table")
        return self._seats[player]

    def _resolution(self, decision: Decision) -> BetResolution:
        bet = decision.bet
        profit = decision.returned - bet.outlay(self.book)
        player = self.participants[decision.seat]
        return BetResolution(player, BetType(bet.id), bet.number, bet.stake, decision.returned, profit)

    def __repr__(self) -> str:
        where = f"point {self.point}" if self.point else str(self.phase)
        return f"<CrapsGame {self.game_id!r}, {where}, {self.roll_count} rolls>"


def _bet(live: LiveBet) -> Bet:
    return Bet(BetType(live.id), live.stake, live.number, live.mode)
