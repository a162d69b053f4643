"""The bets of the craps document: types, bets, odds, hops, limits, resolutions, and the limit on how often one bets."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, StrEnum

from msgspec import Struct

from croupier.engine import rate_limit
from croupier.errors import BadDocument, CroupierError
from croupier.games.craps.bets import POINTS, name_of
from croupier.games.craps.compat.rolls import DiceRoll
from croupier.games.craps.layout import CrapsTable
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, placing, prices

PeerId = str
GameId = str
CrapTokens = int


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


class BetState(StrEnum):
    """How a bet stands: up and working, up and off, or decided."""

    WORKING = "working"
    OFF = "off"
    WON = "won"
    LOST = "lost"
    PUSH = "push"


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
        shut = placing.window_shut(table.row(), self, 0, book_of(CrapsOptions()).prices)
        return shut in (placing.OK, placing.NEEDS_FLAT_BET)


class HopBet(Struct, frozen=True):
    """A bet on a pair of dice for one roll: a hard one is named by its face, an easy one by two different faces.

    >>> HopBet.hard(3).bet_type.name, HopBet.easy(4, 2).bet_type.name
    ('HOP_3_3', 'HOP_2_4')
    """

    bet_type: BetType
    amount: CrapTokens = 1

    @classmethod
    def hard(cls, face: int, amount: CrapTokens = 1) -> HopBet:
        """Return the hop of two equal dice."""
        return cls(_hop(face, face), amount)

    @classmethod
    def easy(cls, die1: int, die2: int, amount: CrapTokens = 1) -> HopBet:
        """Return the hop of two different dice, in whatever order they fall."""
        if die1 == die2:
            raise InvalidBet(f"{die1}-{die2} is a hard hop: name it by its face")
        return cls(_hop(die1, die2), amount)

    @property
    def bet(self) -> Bet:
        """The hop as a bet that can be placed."""
        return Bet(self.bet_type, self.amount)


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
    def outcome(self) -> BetState:
        """How it went: `WON`, `LOST` or `PUSH`."""
        return BetState.WON if self.profit > 0 else BetState.LOST if self.profit < 0 else BetState.PUSH

    @property
    def payout(self) -> CrapTokens:
        """The chips handed back; the other word for `returned`."""
        return self.returned


class RateLimiter:
    """The document's limit on bets: at most one a player every `min_interval` seconds, by the host's clock.

    >>> limiter = RateLimiter(min_interval=0.5)
    >>> [limiter.allow("ann", now) for now in (0.0, 0.2, 0.6)], limiter.last_bet_time
    ([True, False, True], {'ann': 0.6})

    The server's own gate is `croupier.engine.rate_limit.RateLimiter`, a bucket of tokens: a player may bet in bursts.
    """

    def __init__(self, min_interval: float, clock: Callable[[], float] | None = None) -> None:
        self.min_interval = min_interval
        self.last_bet_time: dict[PeerId, float] = {}
        self._clock = clock
        self._now_ms = 0
        self._gate = rate_limit.RateLimiter(
            lambda: self._now_ms, tokens=1, refill_ms=max(round(min_interval * 1000), 1)
        )

    def allow(self, player: PeerId, now: float | None = None) -> bool:
        """Note a bet and return True, or return False where the last one was too short a time ago."""
        if now is None:
            if self._clock is None:
                raise BadDocument("give the time of the bet, or a clock when the limiter is made")
            now = self._clock()
        self._now_ms = round(now * 1000)
        is_allowed = self._gate.allow(player)
        if is_allowed:
            self.last_bet_time[player] = now
        return is_allowed
