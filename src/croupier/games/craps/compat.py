"""The craps document's objects: `CrapsGame` and what goes with it, for scripts, notebooks and lessons.

It changes in place, knows no balances and no turns, and keeps no record; the match game, `craps-table`, has all that
and is the interface to build on. Every rule is that of the one engine: this is a shell around `CrapsTable`, `place_bet`
and `throw`. Where it differs from the document on purpose, `docs/conformance.md` says why.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import pairwise
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from croupier.engine.turn import Refusal
from croupier.errors import BadDocument, BadPlayers, CroupierError
from croupier.fairness.dice import Reveal, Rolled, encoding
from croupier.fairness.dice.messages import Commit, to_sign
from croupier.fairness.signing import Verifier
from croupier.games.craps import placing
from croupier.games.craps.bets import POINTS, name_of
from croupier.games.craps.layout import HISTORY_MAX as MAX_HISTORY
from croupier.games.craps.layout import CrapsTable, Decision, LiveBet, RollOutcome, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, prices
from croupier.games.craps.rules.placing import NEEDS_FLAT_BET, OK, window_shut
from croupier.games.craps.rules.roll import roll_dice
from croupier.games.craps.rules.table import SEVEN_OUT, advance, feed
from croupier.rng import GameRng

__all__ = [
    "MAX_HISTORY", "BadRoll", "Bet", "BetLimits", "BetResolution", "BetState", "BetType", "CrapTokens", "CrapsGame",
    "DiceRoll", "EntropyContribution", "GameId", "GamePhase", "HopBet", "InvalidBet", "OddsBet", "PeerId",
    "RateLimiter", "RollSequence", "calculate_odds_payout", "roll_dice_from_sources", "roll_dice_secure",
]  # fmt: skip

PeerId = str
GameId = str
CrapTokens = int


class BadRoll(CroupierError, ValueError):
    """Dice that cannot be: a face outside 1 … 6, sources that are not 32 bytes, a roll that nobody can check."""

    code = "bad_roll"


class InvalidBet(CroupierError, ValueError):
    """A bet that the rules refuse; `reason` is the code of the refusal."""

    code = "invalid_bet"

    def __init__(self, message: str, reason: str = "unknown_bet") -> None:
        super().__init__(message)
        self.reason = reason


# Dice. Those of one machine are for practice: nobody can check them later, and they say so.


class DiceRoll(Struct, frozen=True):
    """Two dice in the order they were drawn.

    >>> roll = DiceRoll(4, 4)
    >>> roll.total(), roll.is_hard_way(), DiceRoll(6, 6).is_hard_way()
    (8, True, False)
    """

    die1: int
    die2: int
    is_verifiable: bool = False
    """Whether the roll is that of a round of commit and reveal (`DiceRoll.of`), which anyone can work out again."""

    def __post_init__(self) -> None:
        for die in (self.die1, self.die2):
            if type(die) is not int or not 1 <= die <= 6:
                raise BadRoll(f"a die shows 1 to 6, not {die!r:.40}")

    new = classmethod(lambda cls, die1, die2: cls(die1, die2))

    @classmethod
    def of(cls, rolled: Rolled) -> DiceRoll:
        """Return the roll that a round of shared dice has made."""
        if len(rolled.faces) != 2:
            raise BadRoll(f"craps is played with two dice, the round made {len(rolled.faces)}")
        return cls(*rolled.faces, is_verifiable=True)

    def total(self) -> int:
        """Return what the dice add up to."""
        return self.die1 + self.die2

    def is_hard_way(self) -> bool:
        """Tell whether it is a 4, 6, 8 or 10 with equal dice; 1-1 and 6-6 are doubles, and no hardways."""
        return self.die1 == self.die2 and ids.is_point(self.total())


def roll_dice_secure() -> DiceRoll:
    """Return a roll from the operating system's generator. Nobody can check it."""
    return DiceRoll(*roll_dice(GameRng.new(os.urandom(encoding.SECRET_LENGTH), 0, 0)))


def roll_dice_from_sources(entropy_sources: Sequence[bytes]) -> DiceRoll:
    """Return the roll that follows from everybody's 32 bytes together, in whatever order they come.

    >>> roll_dice_from_sources([bytes([1] * 32), bytes([2] * 32)])
    DiceRoll(die1=5, die2=1, is_verifiable=False)

    Whoever hands theirs in last, having seen the others', can choose the roll; so it counts as one that nobody can
    check. Where people do not trust each other they commit first: `croupier.fairness.dice`.
    """
    is_right = [isinstance(source, bytes) and len(source) == encoding.SECRET_LENGTH for source in entropy_sources]
    if not is_right or not all(is_right):
        raise BadRoll(f"dice come from one source or more, each of {encoding.SECRET_LENGTH} bytes")
    seed = encoding.roll_seed(b"", encoding.xor(entropy_sources))
    return DiceRoll(*roll_dice(GameRng.new(seed, 0, 0)))


class EntropyContribution(Struct, frozen=True):
    """What one player adds to a roll: 32 secret bytes, a nonce that is never used again, and a signature.

    It is a REVEAL of the protocol in other words, and worth nothing without the COMMIT before it.
    """

    player: str
    """The public key, in hex."""
    entropy: bytes
    nonce: int
    signature: bytes

    @classmethod
    def of(cls, reveal: Reveal) -> EntropyContribution:
        """Return what a REVEAL contributes."""
        return cls(reveal.key, bytes.fromhex(reveal.secret), reveal.nonce, bytes.fromhex(reveal.signature))

    def opens(self, commit: Commit) -> bool:
        """Tell whether these are the bytes that were committed to."""
        context, key = bytes.fromhex(commit.context), bytes.fromhex(self.player)
        found = encoding.commitment(context, key, self.nonce, self.entropy)
        return (self.player, self.nonce, found.hex()) == (commit.key, commit.nonce, commit.commitment)

    def is_signed(self, commits: bytes, verifier: Verifier) -> bool:
        """Tell whether the player signed this for the round with these commitments (K)."""
        message = to_sign(Reveal(0, self.player, self.nonce, self.entropy.hex()), b"", commits=commits)
        return verifier.verify(bytes.fromhex(self.player), message, self.signature)


class RollSequence:
    """The last rolls, and how often each pattern is among them.

    Patterns are totals (`total:7`), pairs (`hop:1-6`), hardways (`hard:8`), and a total twice in a row (`again:6`).

    >>> sequence = RollSequence([DiceRoll(3, 3), DiceRoll(2, 4)])
    >>> sequence.patterns["total:6"], sequence.patterns["again:6"], sequence.patterns["hard:6"]
    (2, 1, 1)
    """

    def __init__(self, rolls: Iterable[DiceRoll] = (), *, keep: int = MAX_HISTORY) -> None:
        if keep < 1:
            raise BadRoll(f"a sequence keeps one roll or more, not {keep}")
        self.rolls = deque(rolls, maxlen=keep)

    @property
    def patterns(self) -> Counter[str]:
        """How often each pattern is among the rolls that are kept."""
        found = Counter(f"total:{roll.total()}" for roll in self.rolls)
        found.update(f"hop:{min(roll.die1, roll.die2)}-{max(roll.die1, roll.die2)}" for roll in self.rolls)
        found.update(f"hard:{roll.total()}" for roll in self.rolls if roll.is_hard_way())
        totals = pairwise(roll.total() for roll in self.rolls)
        found.update(f"again:{total}" for total, following in totals if total == following)
        return found


class GamePhase(StrEnum):
    """Which part of a cycle it is."""

    COME_OUT, POINT, CLOSED = "come_out", "point", "closed"


class BetState(StrEnum):
    """How a bet stands: up and working, up and off, or decided."""

    WORKING, OFF, WON, LOST, PUSH = "working", "off", "won", "lost", "push"


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
    ANY_7 = NEXT_7

    def is_valid_for_phase(self, phase: GamePhase) -> bool:
        """Tell whether the bet can be placed in a phase at all; odds also need the bet they are on.

        >>> BetType.PASS.is_valid_for_phase(GamePhase.POINT), BetType.COME.is_valid_for_phase(GamePhase.POINT)
        (False, True)
        """
        # With a point up there was a roll of the hand, and of the set.
        rolled = int(phase is GamePhase.POINT)
        table = CrapsTable(phase.value, 4 * rolled, hand_rolls=rolled, set_rolls=rolled)
        shut = window_shut(table.row(), self, 0, book_of(CrapsOptions()).prices)
        return shut in (OK, NEEDS_FLAT_BET) and phase is not GamePhase.CLOSED


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


class HopBet(Bet, frozen=True):
    """A bet on a pair of dice for one roll: a hard one is named by its face, an easy one by two different faces.

    >>> HopBet.hard(3).bet_type.name, HopBet.easy(4, 2).bet_type.name
    ('HOP_3_3', 'HOP_2_4')
    """

    @classmethod
    def hard(cls, face: int, amount: CrapTokens = 1) -> HopBet:
        """Return the hop of two equal dice."""
        return cls(BetType(ids.hop_bet(DiceRoll(face, face).die1, face)), amount)

    @classmethod
    def easy(cls, die1: int, die2: int, amount: CrapTokens = 1) -> HopBet:
        """Return the hop of two different dice, in whatever order they fall."""
        roll = DiceRoll(die1, die2)
        if die1 == die2:
            raise InvalidBet(f"{die1}-{die2} is a hard hop: name it by its face")
        return cls(BetType(ids.hop_bet(roll.die1, roll.die2)), amount)

    Hard, Easy = hard, easy


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
    return prices.win_of(prices.slot_of(ids.ODDS_PASS, point, 0), amount, book_of(CrapsOptions()).prices)


class BetLimits(Struct, frozen=True):
    """The smallest and the largest bet, and how many times the flat bet odds may be."""

    min_bet: CrapTokens = 1
    max_bet: CrapTokens = 5_000
    max_odds_multiple: int = 5

    def options(self, base: CrapsOptions | None = None) -> CrapsOptions:
        """Return the options of a table with these limits, otherwise like `base`."""
        fields = asdict(base or CrapsOptions()) | {"odds_map": (self.max_odds_multiple,) * len(POINTS)}
        for family in ("table", "prop", "side"):
            fields |= {f"{family}_min": self.min_bet, f"{family}_max": self.max_bet}
        return CrapsOptions(**fields)


class BetResolution(Struct, frozen=True):
    """What a roll decided about a bet. `payout` is the chips handed back, the stake among them."""

    player: PeerId
    bet_type: BetType
    number: int
    amount: CrapTokens
    payout: CrapTokens
    profit: int

    @property
    def outcome(self) -> BetState:
        """How it went: `WON`, `LOST` or `PUSH`."""
        return BetState.WON if self.profit > 0 else BetState.LOST if self.profit < 0 else BetState.PUSH


class RateLimiter:
    """The document's limit on bets: at most one a player every `min_interval` seconds, by the host's clock.

    >>> limiter = RateLimiter(min_interval=0.5)
    >>> [limiter.allow("ann", now) for now in (0.0, 0.2, 0.6)], limiter.last_bet_time
    ([True, False, True], {'ann': 0.6})

    The server's own gate is `croupier.engine.rate_limit.RateLimiter`, a bucket of tokens: a player may bet in bursts.
    """

    def __init__(self, min_interval: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.min_interval, self.clock = min_interval, clock
        self.last_bet_time: dict[PeerId, float] = {}

    def allow(self, player: PeerId, now: float | None = None) -> bool:
        """Note a bet and return True, or return False where the last one was too short a time ago."""
        at = self.clock() if now is None else now
        is_allowed = player not in self.last_bet_time or at - self.last_bet_time[player] >= self.min_interval
        if is_allowed:
            self.last_bet_time[player] = at
        return is_allowed


class PlayerBets(dict[tuple[BetType, int], Bet]):
    """The bets of one player by type and number; a type alone finds the first bet of that type."""

    def __missing__(self, key: object) -> Bet:
        found = next((bet for (kind, _), bet in self.items() if kind is key), None)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or any(kind is key for kind, _ in self)


class _AllBets(Mapping[PeerId, PlayerBets]):
    """A live view of a table's bets: each look asks the table for one player."""

    def __init__(self, game: CrapsGame) -> None:
        self._game = game

    def __getitem__(self, player: PeerId) -> PlayerBets:
        if player not in self._game.seats:
            raise KeyError(player)
        return self._game.get_player_bets(player)

    def __iter__(self) -> Iterator[PeerId]:
        return iter(self._game.participants)

    def __len__(self) -> int:
        return len(self._game.participants)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(init=False, repr=False)
class CrapsGame:
    """A craps table as an object: players bet, dice are processed, bets resolve.

    >>> game = CrapsGame("table 1", ["ann", "bob"])
    >>> game.place_bet("ann", Bet(BetType.PASS, 10))
    >>> [(one.player, one.outcome.value, one.profit) for one in game.process_roll(DiceRoll(6, 5))]
    [('ann', 'won', 10)]

    With `is_chained` it takes no roll that cannot be checked: rolls of one machine are not mixed into such a table.
    Two games are equal where they have seen the same.
    """

    game_id: GameId
    participants: list[PeerId]
    shooter: PeerId
    options: CrapsOptions
    is_chained: bool
    table: CrapsTable
    seats: dict[PeerId, Seat]
    roll_history: list[DiceRoll]
    """The last `MAX_HISTORY` rolls."""
    pending: tuple[DiceRoll, RollOutcome] | None
    """A roll that has been tracked, and has not yet gone through `update_phase`."""

    def __init__(
        self,
        game_id: GameId,
        participants: PeerId | Iterable[PeerId],
        options: CrapsOptions | None = None,
        *,
        is_chained: bool = False,
    ) -> None:
        self.game_id, self.is_chained = game_id, is_chained
        self.participants = [participants] if isinstance(participants, str) else list(participants)
        if not self.participants or len(set(self.participants)) < len(self.participants):
            raise BadPlayers("a table has one participant or more, each with an id of their own")
        self.shooter, self.options = self.participants[0], options or CrapsOptions()
        self.table, self.roll_history, self.pending = CrapsTable(), [], None
        self.seats = dict.fromkeys(self.participants, ())

    new = classmethod(lambda cls, game_id, shooter: cls(game_id, shooter))

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CrapsGame:
        """Return the game that `to_dict` wrote, or raise `BadDocument`."""
        try:
            game = msgspec.convert(dict(data), cls)
            cls(game.game_id, game.participants)
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            raise BadDocument(f"this is no craps game: {error}") from None
        if {game.shooter, *game.seats} != set(game.participants) or data.keys() != cls.__dataclass_fields__.keys():
            raise BadDocument("the shooter or whoever has bets does not play at this table, or a field is new")
        return game

    def clone(self) -> CrapsGame:
        """Return a game of its own that stands where this one does and shares nothing with it."""
        return CrapsGame.from_dict(self.to_dict())

    __copy__ = clone

    # What there is to see.

    book = property(lambda game: book_of(game.options), doc="The prices and limits.")
    phase = property(lambda game: GamePhase(game.table.phase), doc="Which part of the cycle it is.")
    point = property(lambda game: game.table.point or None, doc="The point; None unless the phase is POINT.")
    series_id = property(attrgetter("table.series_id"), doc="How many point cycles have closed.")
    roll_count = property(attrgetter("table.roll_count"), doc="How many rolls there have been.")
    hot_roller_streak = property(attrgetter("table.hot_streak"), doc="How many points in a row the shooter has made.")
    fire_points = property(lambda game: set(game.table.fire_points), doc="The different points made in this hand.")
    bonus_numbers = property(lambda game: set(game.table.bonus_numbers), doc="The totals but 7 since the last 7.")
    player_bets = property(_AllBets, doc="The bets that are up, by player: a live view, each look at one player.")
    come_points = property(lambda game: game._travelled(ids.COME), doc="Come bets with a number, by player.")
    dont_come_points = property(lambda game: game._travelled(ids.DONT_COME), doc="Don't come bets with a number.")

    @property
    def repeater_counts(self) -> dict[int, int]:
        """How often each total but 7 has fallen since the last 7."""
        return {total: count for total, count in enumerate(self.table.repeater_counts, 2) if count}

    @property
    def hardway_streak(self) -> dict[int, int]:
        """How often 4, 6, 8 and 10 have fallen hard since they last fell easy."""
        return {total: count for total, count in zip((4, 6, 8, 10), self.table.hard_streak, strict=True) if count}

    def _travelled(self, kind: int) -> dict[PeerId, dict[int, CrapTokens]]:
        bets = {player: [bet for bet in seat if bet.id == kind and bet.number] for player, seat in self.seats.items()}
        return {player: {bet.number: bet.stake for bet in travelled} for player, travelled in bets.items()}

    def get_player_bets(self, player: PeerId) -> PlayerBets:
        """Return the bets of one player by type and number; the number is 0 but for come bets and odds."""
        bets = [Bet(BetType(live.id), live.stake, live.number, live.mode) for live in self._seat(player)]
        return PlayerBets({(bet.bet_type, bet.number): bet for bet in bets})

    def bet_state(self, player: PeerId, bet_type: BetType, number: int = 0) -> BetState:
        """Return whether a bet that is up works on the next roll."""
        wanted = ids.WORKS_WITH_POINT if self.point else ids.WORKS_AT_COME_OUT
        return BetState.WORKING if self._live(player, bet_type, number).working & wanted else BetState.OFF

    # What can be done.

    def place_bet(self, player: PeerId, bet: Bet | OddsBet, limits: BetLimits | None = None) -> None:
        """Put a bet up, or raise `InvalidBet`: the wrong phase, a bet that is up already, limits and caps."""
        laid = bet.bet if isinstance(bet, OddsBet) else bet
        book = self.book if limits is None else book_of(limits.options(self.options))
        change = self._try(placing.place_bet, player, laid.name, laid.amount, book)
        self._try(lambda *_: placing.check_caps(change.seat, book), player)
        self.seats[player] = change.seat

    def remove_bet(self, player: PeerId, bet_type: BetType, number: int = 0) -> Bet:
        """Take a bet down, and odds with it, or raise `InvalidBet`; return the bet that is gone."""
        live = self._live(player, bet_type, number)
        bet = self.get_player_bets(player)[bet_type, live.number]
        self.seats[player] = self._try(placing.remove_bet, player, live.name, self.book).seat
        return bet

    roll_dice_secure = staticmethod(roll_dice_secure)
    roll_dice_from_sources = staticmethod(roll_dice_from_sources)

    def process_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Take a roll: history, trackers, every bet, then the phase. Return what was decided, by player."""
        self.update_special_tracking(roll)
        resolved = [self._resolution(decision) for decision in self._outcome(roll).decisions]
        self.track_roll(roll)
        self.update_phase(roll.total())
        return resolved

    # The steps of a roll, one by one, as the document has them. A roll that has gone through `update_special_tracking`
    # is settled by `update_phase` with its total; the resolving ones change nothing.

    def track_roll(self, roll: DiceRoll) -> None:
        """Add a roll to the history, of which the last `MAX_HISTORY` are kept."""
        self.roll_history = [*self.roll_history, roll][-MAX_HISTORY:]

    def update_special_tracking(self, roll: DiceRoll) -> None:
        """Count a roll, and fill the trackers of Fire, Repeater, Bonus and hardways; nothing is cleared yet."""
        if self.phase is GamePhase.CLOSED:
            raise BadRoll("the table is closed")
        if self.is_chained and not roll.is_verifiable:
            raise BadRoll("this table takes no roll that cannot be checked")
        self.pending = None
        self.pending = roll, self._outcome(roll)
        row = self.table.row()
        feed(row, roll.die1, roll.die2)
        self.table = CrapsTable.from_row(row, self.table.history)

    def resolve_comeout_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Return what a roll decides at the come-out, bets of one roll apart; nothing with a point up."""
        return self._resolved(roll, self.phase is GamePhase.COME_OUT, is_one_roll=False)

    def resolve_point_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Return what a roll decides with a point up, bets of one roll apart; nothing at the come-out."""
        return self._resolved(roll, self.phase is GamePhase.POINT, is_one_roll=False)

    def resolve_one_roll_bets(self, roll: DiceRoll) -> list[BetResolution]:
        """Return what a roll decides about the bets of one roll: Field, Any 7, hops and the like."""
        return self._resolved(roll, True, is_one_roll=True)

    def update_phase(self, total: int) -> None:
        """Move the phase, and clear what ends with a 7, with the point or with the hand; decided bets go."""
        if self.pending is None or self.pending[0].total() != total:
            row = self.table.row()
            advance(row, total)
            self.table = CrapsTable.from_row(row, self.table.history)
            return
        outcome, self.pending = self.pending[1], None
        self.table = outcome.table
        self.seats = dict(zip(self.participants, outcome.seats, strict=True))
        if outcome.event == SEVEN_OUT:
            place = self.participants.index(self.shooter) + 1
            self.shooter = self.participants[place % len(self.participants)]

    def close(self) -> dict[PeerId, CrapTokens]:
        """Close the table and return the stakes that go back to each player. No bet is taken after that."""
        back = {player: sum(bet.outlay(self.book) for bet in seat) for player, seat in self.seats.items()}
        self.seats = dict.fromkeys(self.participants, ())
        self.table = replace(self.table, phase="closed", point=0)
        return back

    def _outcome(self, roll: DiceRoll) -> RollOutcome:
        """What a roll makes of the table, whether or not the trackers have been fed with it."""
        if self.pending is not None and self.pending[0] == roll:
            return self.pending[1]
        return throw(self.table, [self.seats[one] for one in self.participants], roll.die1, roll.die2, self.book)

    def _resolved(self, roll: DiceRoll, is_asked: bool, *, is_one_roll: bool) -> list[BetResolution]:
        decisions = self._outcome(roll).decisions if is_asked else ()
        return [self._resolution(one) for one in decisions if ids.is_one_roll(one.bet.id) == is_one_roll]

    def _seat(self, player: PeerId) -> Seat:
        if player not in self.seats:
            raise BadPlayers(f"{player!r} does not play at this table")
        return self.seats[player]

    def _live(self, player: PeerId, bet_type: BetType, number: int) -> LiveBet:
        """The bet of a type that is up, in whichever mode, or `InvalidBet`."""
        name = placing.meant(self.table, self._seat(player), name_of(bet_type, number), rules_version=1)
        found: LiveBet = self._try(placing.find_bet, player, name)
        return found

    def _try(self, act: Callable[..., Any], player: PeerId, *arguments: Any) -> Any:
        try:
            return act(self.table, self._seat(player), *arguments)
        except Refusal as no:
            raise InvalidBet(no.sentence, no.code) from None

    def _resolution(self, decision: Decision) -> BetResolution:
        bet, player = decision.bet, self.participants[decision.seat]
        profit = decision.returned - bet.outlay(self.book)
        return BetResolution(player, BetType(bet.id), bet.number, bet.stake, decision.returned, profit)

    def __repr__(self) -> str:
        where = f"point {self.point}" if self.point else str(self.phase)
        return f"<CrapsGame {self.game_id!r}, {where}, {self.roll_count} rolls>"
