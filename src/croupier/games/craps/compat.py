"""`CrapsGame` as plain objects with the names of the founding document, for scripts, notebooks and lessons.

`CrapsGame` is mutable, knows no balances and no turns, and keeps no record; the match game, `craps-table`, has all that
and is the interface to build on. Every rule is that of the one engine: these objects wrap `CrapsTable`, `place_bet` and
`throw`. Where they differ from the document on purpose, the page Conformance of the documents says why.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar, NoReturn, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.engine.rate_limit import IntervalLimiter
from croupier.engine.turn import Refusal
from croupier.errors import BadDocument, BadPlayers, CroupierError
from croupier.fairness.dice import EntropyContribution, Rolled, encoding
from croupier.games.craps import placing
from croupier.games.craps.bets import POINTS, BetState, BetType, GamePhase, name_of
from croupier.games.craps.layout import HISTORY_MAX as MAX_HISTORY
from croupier.games.craps.layout import CrapsTable, LiveBet, RollOutcome, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, prices
from croupier.games.craps.rules.roll import roll_dice
from croupier.games.craps.rules.table import HOT_STREAK, SEVEN_OUT, advance, feed
from croupier.rng import GameRng, draw_seed

__all__ = [
    "MAX_HISTORY", "BadRoll", "Bet", "BetLimits", "BetResolution", "BetState", "BetType", "CrapTokens", "CrapsGame",
    "DiceRoll", "EntropyContribution", "GameCrypto", "GameId", "GamePhase", "HopBet", "InvalidBet", "OddsBet", "PeerId",
    "RateLimiter", "RollSequence", "calculate_odds_payout", "roll_dice_from_sources", "roll_dice_secure",
]  # fmt: skip

PeerId = str
GameId = str
CrapTokens = int
RateLimiter = partial(IntervalLimiter, clock=time.monotonic)
USUAL = CrapsOptions(pay_table="document")


class BadRoll(CroupierError, ValueError):
    """Impossible dice: a face outside 1 … 6, sources that are not 32 bytes, a roll that nobody can check."""

    code = "bad_roll"


class InvalidBet(CroupierError, ValueError):
    """A bet that the rules refuse; `reason` is the code of the refusal."""

    code = "invalid_bet"

    def __init__(self, message: str, reason: str = "unknown_bet") -> None:
        super().__init__(message)
        self.reason = reason


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

    def __iter__(self) -> Iterator[int]:
        return iter((self.die1, self.die2))

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
    return DiceRoll(*roll_dice(GameRng.new(draw_seed(), 0, 0)))


def roll_dice_from_sources(entropy_sources: Sequence[bytes | EntropyContribution]) -> DiceRoll:
    """Return the roll that follows from everybody's 32 bytes, joined by XOR and hashed, in whatever order they come.

    >>> roll_dice_from_sources([bytes([1] * 32), bytes([2] * 32)])
    DiceRoll(die1=5, die2=1, is_verifiable=False)

    A die is the next byte of the stream below 252, modulo 6, plus 1. Nonces and signatures are not looked at, and who
    hands theirs in last can choose the roll; so it counts as one that nobody can check. Where people do not trust each
    other they commit first: `croupier.fairness.dice`.
    """
    sources: list[Any] = [getattr(source, "entropy", source) for source in entropy_sources]
    if {len(source) if isinstance(source, (bytes, bytearray)) else 0 for source in sources} != {encoding.SECRET_LENGTH}:
        raise BadRoll(f"dice come from one source or more, each of {encoding.SECRET_LENGTH} bytes")
    return DiceRoll(*roll_dice(GameRng.new(encoding.roll_seed(b"", encoding.xor(sources)), 0, 0)))


class GameCrypto:
    """Both ways to dice by the names of the document; `die1, die2 = GameCrypto.generate_secure_dice_roll()`."""

    generate_secure_dice_roll = staticmethod(roll_dice_secure)
    combine_randomness = staticmethod(roll_dice_from_sources)


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
        """Count of each pattern among the rolls that are kept."""
        found = Counter(f"total:{roll.total()}" for roll in self.rolls)
        found.update(f"hop:{min(roll)}-{max(roll)}" for roll in self.rolls)
        found.update(f"hard:{roll.total()}" for roll in self.rolls if roll.is_hard_way())
        found.update(f"again:{one.total()}" for one, other in pairwise(self.rolls) if one.total() == other.total())
        return found


class Bet(Struct, frozen=True):
    """A bet: what it is on, and the chips. `number` is that of the come bet which odds are on.

    `mode` 1 buys a YES instead of placing it, and places a NO to lose instead of laying it.
    """

    bet_type: BetType
    amount: CrapTokens
    number: int = 0
    mode: int = 0

    kind = property(lambda bet: getattr(bet.bet_type, "bet_type", bet.bet_type), doc="Its type, also if that is a hop.")
    name = property(lambda bet: name_of(bet.kind, bet.number, bet.mode), doc="Its name, as everywhere in croupier.")


class HopBet(Bet, frozen=True):
    """A bet on a pair of dice for one roll: a hard one is named by its face, an easy one by two different faces.

    >>> HopBet.hard(3).bet_type.name, HopBet.easy(4, 2).bet_type.name
    ('HOP_3_3', 'HOP_2_4')
    """

    @classmethod
    def hard(cls, face: int, amount: CrapTokens = 1) -> HopBet:
        """Return the hop of two equal dice."""
        return cls(BetType(ids.hop_bet(*DiceRoll(face, face))), amount)

    @classmethod
    def easy(cls, die1: int, die2: int, amount: CrapTokens = 1) -> HopBet:
        """Return the hop of two different dice, in whatever order they fall."""
        if die1 == die2:
            raise InvalidBet(f"{die1}-{die2} is a hard hop: name it by its face")
        return cls(BetType(ids.hop_bet(*DiceRoll(die1, die2))), amount)

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
        number = self.point if ids.has_number(self.base_bet) else 0
        return Bet(BetType(self.base_bet + ids.ODDS_PASS), self.odds_amount, number)


def calculate_odds_payout(point: int, amount: CrapTokens) -> CrapTokens:
    """Return the profit of odds taken on a point: true odds, rounded down.

    >>> calculate_odds_payout(4, 10), calculate_odds_payout(9, 10), calculate_odds_payout(6, 10)
    (20, 15, 12)
    """
    if not ids.is_point(point):
        raise InvalidBet(f"{point} is no point: odds are on 4, 5, 6, 8, 9 or 10", "no_flat_bet")
    return prices.win_of(prices.slot_of(ids.ODDS_PASS, point, 0), amount, book_of(USUAL).prices)


class BetLimits(Struct, frozen=True):
    """The smallest and the largest bet, and how many times the flat bet odds may be."""

    min_bet: CrapTokens = 1
    max_bet: CrapTokens = 5_000
    max_odds_multiple: int = 5

    def options(self, base: CrapsOptions = USUAL) -> CrapsOptions:
        """Return the options of a table with these limits, otherwise like `base`."""
        ends = {"min": self.min_bet, "max": self.max_bet}
        limits = {f"{family}_{end}": bet for family in ("table", "prop", "side") for end, bet in ends.items()}
        return replace(base, odds_map=(self.max_odds_multiple,) * len(POINTS), **limits)


class BetResolution(Struct, frozen=True):
    """Result of a bet on a roll: `BetResolution.Won`, `.Lost` or `.Push`; the stake is in `payout`."""

    player: PeerId
    bet_type: BetType
    amount: CrapTokens
    payout: CrapTokens
    number: int = 0
    fee: CrapTokens = 0  # what the bet cost besides the chips on it
    outcome: ClassVar[BetState]
    profit = property(lambda one: one.payout - one.amount - one.fee, doc="What the player has more, or less, by it.")


VARIANTS = [
    type(one.title(), (BetResolution,), {"outcome": one, "__qualname__": f"BetResolution.{one.title()}"}, frozen=True)
    for one in (BetState.PUSH, BetState.WON, BetState.LOST)
]
for _variant in VARIANTS:
    setattr(BetResolution, _variant.__name__, _variant)


class PlayerBets(dict[tuple[BetType, int], Bet]):
    """The bets of one player by type and number; a type alone finds the first bet of that type."""

    def __missing__(self, key: object) -> Any:
        if key not in self:
            raise KeyError(key)
        return self.get(key)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or any(kind is key for kind, _ in self)

    def get(self, key: Any, default: Any = None) -> Any:
        return next((bet for (kind, number), bet in self.items() if key in (kind, (kind, number))), default)


class _Participants(list[PeerId]):
    """The ids of all who play, to be read: one that is appended here would not sit at the table."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise BadPlayers("participants is a copy: a player sits down with a first bet, or when the game is made")

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = _refuse


class _AllBets(Mapping[PeerId, PlayerBets]):
    """A live view of a table's bets: each look asks the table for one player."""

    def __init__(self, game: CrapsGame) -> None:
        self._game = game

    def __getitem__(self, player: PeerId) -> PlayerBets:
        if player not in self._game.seats:
            raise KeyError(player)
        return self._game.get_player_bets(player)

    def __iter__(self) -> Iterator[PeerId]:
        return iter(self._game.seats)

    def __len__(self) -> int:
        return len(self._game.seats)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(init=False, repr=False)
class CrapsGame:
    """A craps table as an object, of a shooter or of all who play: players bet, dice are processed, bets resolve.

    >>> game = CrapsGame("table 1", ["ann", "bob"])
    >>> game.place_bet("ann", Bet(BetType.PASS, 10))
    >>> [(one.player, one.outcome.value, one.profit) for one in game.process_roll(DiceRoll(6, 5))]
    [('ann', 'won', 10)]

    Prices are the document's (`CrapsOptions(pay_table="document")`) unless other options are given. With `is_chained`
    it takes no roll that cannot be checked. Two games are equal where they have seen the same. What it shows of its
    state are copies and views: bets and rolls change it.
    """

    game_id: GameId
    shooter: PeerId
    options: CrapsOptions
    is_chained: bool
    table: CrapsTable
    seats: dict[PeerId, Seat]
    """The bets of each participant, in the order they sat down."""
    roll_history: list[DiceRoll]
    """The last `MAX_HISTORY` rolls."""
    pending: tuple[DiceRoll, CrapsTable] | None
    """A roll that has been tracked and has not yet gone through `update_phase`, with the table before it."""

    def __init__(
        self, game_id: str, shooter: str | Iterable[str], options: CrapsOptions = USUAL, is_chained: bool = False
    ) -> None:
        players = [shooter] if isinstance(shooter, str) else list(shooter)
        if not players or len(set(players)) < len(players):
            raise BadPlayers("a table has one participant or more, each with an id of their own")
        self.game_id, self.shooter, self.options, self.is_chained = game_id, players[0], options, is_chained
        self.table, self.roll_history, self.pending = CrapsTable(), [], None
        self.seats = dict.fromkeys(players, ())

    new = classmethod(lambda cls, game_id, shooter: cls(game_id, shooter))

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain JSON values."""
        return dict(msgspec.to_builtins(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CrapsGame:
        """Return the game that `to_dict` wrote, or raise `BadDocument`."""
        try:
            game = msgspec.convert(dict(data), cls)
        except (ValueError, TypeError) as error:
            raise BadDocument(f"this is no craps game: {error}") from None
        if game.shooter not in game.seats or data.keys() != cls.__dataclass_fields__.keys():
            raise BadDocument("the shooter does not play at this table, or a field is new")
        return game

    def clone(self) -> CrapsGame:
        """Return a game of its own that stands where this one does and shares nothing with it."""
        return CrapsGame.from_dict(self.to_dict())

    __copy__ = clone
    book = property(lambda game: book_of(game.options), doc="The prices and limits.")
    participants = property(lambda game: _Participants(game.seats), doc="Who plays, in the order they sat down.")
    phase = property(lambda game: GamePhase(game.table.phase), doc="Which part of the cycle it is.")
    point = property(lambda game: game.table.point or None, doc="The point; None unless the phase is POINT.")
    series_id = property(lambda game: game.table.series_id, doc="How many point cycles have closed.")
    roll_count = property(lambda game: game.table.roll_count, doc="How many rolls there have been.")
    hot_roller_streak = property(lambda game: (game.pending or (0, game.table))[1].hot_streak, doc="Points in a row.")
    fire_points = property(lambda game: frozenset(game.table.fire_points), doc="The different points of this hand.")
    bonus_numbers = property(lambda game: frozenset(game.table.bonus_numbers), doc="The totals but 7 since the last 7.")
    player_bets = property(_AllBets, doc="The bets that are up, by player, then by type and number: a live view.")
    come_points = property(lambda game: game._travelled(ids.COME), doc="Come bets with a number, by player.")
    dont_come_points = property(lambda game: game._travelled(ids.DONT_COME), doc="Don't come bets with a number.")

    repeater_counts = property(
        lambda game: {total: count for total, count in enumerate(game.table.repeater_counts, 2) if count},
        doc="How often each total but 7 has fallen since the last 7.",
    )
    hardway_streak = property(
        lambda game: {2 * half: count for half, count in enumerate(game.table.hard_streak, 2) if count},
        doc="How often 4, 6, 8 and 10 have fallen hard since they last fell easy.",
    )

    def _travelled(self, kind: int) -> dict[PeerId, dict[int, CrapTokens]]:
        bets = {player: [bet for bet in seat if bet.id == kind and bet.number] for player, seat in self.seats.items()}
        return {player: {bet.number: bet.stake for bet in travelled} for player, travelled in bets.items()}

    def get_player_bets(self, player: PeerId) -> PlayerBets:
        """Return the bets of one player by type and number; the number is 0 but for come bets and odds."""
        bets = [Bet(BetType(live.id), live.stake, live.number, live.mode) for live in self._seat(player)]
        return PlayerBets({(bet.bet_type, bet.number): bet for bet in bets})

    def bet_state(self, player: PeerId, bet_type: BetType, number: int = 0) -> BetState:
        """Return whether a bet that is up works on the next roll."""
        return BetState.WORKING if self._live(player, bet_type, number).works(self.table) else BetState.OFF

    def place_bet(self, player: PeerId, bet: Bet | OddsBet, limits: BetLimits | None = None) -> None:
        """Put a bet up, or raise `InvalidBet`: the wrong phase, a bet that is up already, limits and caps.

        Whoever is not at the table yet sits down.
        """
        laid = bet.bet if isinstance(bet, OddsBet) else bet
        if isinstance(bet, OddsBet) and not laid.number and self.point not in (bet.point, None):
            raise InvalidBet(f"odds on {bet.point}: the point is {self.point}", "no_flat_bet")
        book = self.book if limits is None else book_of(limits.options(self.options))
        seat = self.seats.get(player, ())
        change = self._try(placing.place_bet, seat, laid.name, laid.amount, book)
        self._try(lambda *_: placing.check_caps(change.seat, book), seat)
        self.seats[player] = change.seat

    def remove_bet(self, player: PeerId, bet_type: BetType, number: int = 0) -> Bet:
        """Take a bet down, and odds with it, or raise `InvalidBet`; return the bet that is gone."""
        live = self._live(player, bet_type, number)
        bet = self.get_player_bets(player)[bet_type, live.number]
        self.seats[player] = self._try(placing.remove_bet, self._seat(player), live.name, self.book).seat
        return bet

    roll_dice_secure = staticmethod(roll_dice_secure)
    roll_dice_from_sources = staticmethod(roll_dice_from_sources)

    def process_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Take a roll and return what it decided: bets of the phase first, then those of one roll."""
        self.update_special_tracking(roll)
        resolved = self._resolved(roll, is_one_roll=False) + self._resolved(roll, is_one_roll=True)
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
        self.pending, row = (roll, self.table), self.table.row()
        feed(row, roll.die1, roll.die2)
        self.table = CrapsTable.from_row(row, self.table.history)

    def resolve_comeout_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Return what a roll decides at the come-out, bets of one roll apart; nothing with a point up."""
        return self._resolved(roll, is_one_roll=False) if self.phase is GamePhase.COME_OUT else []

    def resolve_point_roll(self, roll: DiceRoll) -> list[BetResolution]:
        """Return what a roll decides with a point up, bets of one roll apart; nothing at the come-out."""
        return self._resolved(roll, is_one_roll=False) if self.phase is GamePhase.POINT else []

    def resolve_one_roll_bets(self, roll: DiceRoll) -> list[BetResolution]:
        """Return what a roll decides about the bets of one roll: Field, Any 7, hops and the like."""
        return self._resolved(roll, is_one_roll=True)

    def update_phase(self, total: int) -> None:
        """Move the phase, and count the streak and clear what ends with it; decided bets go."""
        if self.pending is None or self.pending[0].total() != total:
            row = self.table.row()
            row[HOT_STREAK] += total == self.point
            advance(row, total)
            self.table = CrapsTable.from_row(row, self.table.history)
            return
        outcome, players = self._outcome(self.pending[0]), self.participants
        self.table, self.seats, self.pending = outcome.table, dict(zip(players, outcome.seats, strict=True)), None
        if outcome.event == SEVEN_OUT:
            self.shooter = players[(players.index(self.shooter) + 1) % len(players)]

    def close(self) -> dict[PeerId, CrapTokens]:
        """Close the table and return the stakes that go back to each player. No bet is taken after that."""
        back = {player: sum(bet.outlay(self.book) for bet in seat) for player, seat in self.seats.items()}
        self.seats, self.table = dict.fromkeys(self.seats, ()), replace(self.table, phase="closed", point=0)
        return back

    def _outcome(self, roll: DiceRoll) -> RollOutcome:
        """Outcome of a roll at the table, whether or not the trackers have been fed with it."""
        before = self.pending[1] if self.pending is not None and self.pending[0] == roll else self.table
        return throw(before, list(self.seats.values()), roll.die1, roll.die2, self.book)

    def _resolved(self, roll: DiceRoll, *, is_one_roll: bool) -> list[BetResolution]:
        found, players = [], self.participants
        for one in self._outcome(roll).decisions:
            outlay, stake = one.bet.outlay(self.book), one.bet.stake
            facts = players[one.seat], BetType(one.bet.id), stake, one.returned, one.bet.number, outlay - stake
            if ids.is_one_roll(one.bet.id) is is_one_roll:
                found.append(VARIANTS[(one.returned > outlay) - (one.returned < outlay)](*facts))
        return found

    def _seat(self, player: PeerId) -> Seat:
        if player not in self.seats:
            raise BadPlayers(f"{player!r} does not play at this table")
        return self.seats[player]

    def _live(self, player: PeerId, bet_type: BetType, number: int) -> LiveBet:
        """The bet of a type that is up, in whichever mode, or `InvalidBet`."""
        seat = self._seat(player)
        name = placing.meant(self.table, seat, name_of(bet_type, number), rules_version=1)
        return cast(LiveBet, self._try(placing.find_bet, seat, name))

    def _try(self, act: Callable[..., Any], seat: Seat, *arguments: Any) -> Any:
        try:
            return act(self.table, seat, *arguments)
        except Refusal as no:
            raise InvalidBet(no.sentence, no.code) from None

    def __repr__(self) -> str:
        where = f"point {self.point}" if self.point else str(self.phase)
        return f"<CrapsGame {self.game_id!r}, {where}, {self.roll_count} rolls>"
