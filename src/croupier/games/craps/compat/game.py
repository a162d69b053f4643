"""`CrapsGame`: the craps document's table as an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine.turn import Refusal
from croupier.errors import BadDocument, BadPlayers
from croupier.games.craps import placing
from croupier.games.craps.bets import name_of
from croupier.games.craps.compat.bets import (
    Bet,
    BetLimits,
    BetResolution,
    BetState,
    BetType,
    CrapTokens,
    GameId,
    GamePhase,
    HopBet,
    InvalidBet,
    OddsBet,
    PeerId,
)
from croupier.games.craps.compat.rolls import BadRoll, DiceRoll, RollSequence, roll_dice_secure
from croupier.games.craps.layout import CrapsTable, Decision, LiveBet, RollOutcome, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import ids
from croupier.games.craps.rules.table import SEVEN_OUT, advance, feed

HARD_TOTALS = (4, 6, 8, 10)


class PlayerBets(dict[tuple[BetType, int], Bet]):
    """The bets of one player by type and number; a type alone finds the bet of that type."""

    def _of_type(self, bet_type: object) -> Bet | None:
        return next((bet for key, bet in self.items() if key[0] is bet_type), None)

    def __missing__(self, key: object) -> Bet:
        """Return the bet of a type, the one that was placed first where come bets have several numbers."""
        found = self._of_type(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or self._of_type(key) is not None


class _AllBets(Mapping[PeerId, PlayerBets]):
    """A live view of a table's bets: each look asks the table for one player."""

    def __init__(self, game: CrapsGame) -> None:
        self._game = game

    def __getitem__(self, player: PeerId) -> PlayerBets:
        if player not in self._game._seats:
            raise KeyError(player)
        return self._game.get_player_bets(player)

    def __iter__(self) -> Iterator[PeerId]:
        return iter(self._game.participants)

    def __len__(self) -> int:
        return len(self._game.participants)

    def __repr__(self) -> str:
        return repr(dict(self))


class _Plain(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as plain data."""

    game_id: GameId
    participants: tuple[PeerId, ...]
    shooter: PeerId
    options: CrapsOptions
    is_chained: bool
    table: CrapsTable
    bets: tuple[Seat, ...]
    rolls: tuple[DiceRoll, ...]


class CrapsGame:
    """A craps table as an object: players bet, dice are processed, bets resolve.

    >>> game = CrapsGame("table 1", ["ann", "bob"])
    >>> game.place_bet("ann", Bet(BetType.PASS, 10))
    >>> [(one.player, one.outcome.value, one.profit) for one in game.process_roll(DiceRoll(6, 5))]
    [('ann', 'won', 10)]

    With `is_chained` it takes no roll that cannot be checked: rolls of one machine are not mixed into such a table.
    """

    __slots__ = (
        "_pending",
        "_seats",
        "game_id",
        "is_chained",
        "options",
        "participants",
        "sequence",
        "shooter",
        "table",
    )

    def __init__(
        self,
        game_id: GameId,
        participants: PeerId | Iterable[PeerId],
        options: CrapsOptions | None = None,
        *,
        is_chained: bool = False,
    ) -> None:
        self.game_id = game_id
        self.participants: list[PeerId] = [participants] if isinstance(participants, str) else list(participants)
        if not self.participants or len(set(self.participants)) < len(self.participants):
            raise BadPlayers("a table has one participant or more, each with an id of their own")
        self.shooter: PeerId = self.participants[0]
        self.options = CrapsOptions() if options is None else options
        self.is_chained = is_chained
        self.table = CrapsTable()
        self.sequence = RollSequence()
        self._seats: dict[PeerId, Seat] = dict.fromkeys(self.participants, ())
        self._pending: tuple[DiceRoll, RollOutcome] | None = None  # tracked, and not yet through `update_phase`

    # Values: two games are equal where they have seen the same, and a game goes to plain data and back.

    def _plain(self) -> _Plain:
        bets = tuple(self._seats[player] for player in self.participants)
        table, rolls = self.table, tuple(self.sequence.rolls)
        players = tuple(self.participants)
        return _Plain(self.game_id, players, self.shooter, self.options, self.is_chained, table, bets, rolls)

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self._plain())
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CrapsGame:
        """Return the game that `to_dict` wrote, or raise `BadDocument`."""
        try:
            plain = msgspec.convert(data, _Plain)
            game = cls(plain.game_id, plain.participants, plain.options, is_chained=plain.is_chained)
            game._seats = dict(zip(game.participants, plain.bets, strict=True))
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            raise BadDocument(f"this is no craps game: {error}") from None
        if plain.shooter not in game._seats:
            raise BadDocument(f"the shooter {plain.shooter!r} does not play at this table")
        game.shooter, game.table, game.sequence = plain.shooter, plain.table, RollSequence(plain.rolls)
        return game

    def clone(self) -> CrapsGame:
        """Return a game of its own that stands where this one does and shares nothing with it."""
        twin = CrapsGame(self.game_id, self.participants, self.options, is_chained=self.is_chained)
        twin.shooter, twin.table, twin.sequence = self.shooter, self.table, RollSequence(self.sequence.rolls)
        twin._seats, twin._pending = dict(self._seats), self._pending
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> CrapsGame:
        return self.clone()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CrapsGame):
            return NotImplemented
        return (self._plain(), self._pending) == (other._plain(), other._pending)

    __hash__ = None  # type: ignore[assignment]  # it changes in place

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
    def player_bets(self) -> Mapping[PeerId, PlayerBets]:
        """The bets that are up, by player: a live view, in which a look costs what one player's bets do."""
        return _AllBets(self)

    def get_player_bets(self, player: PeerId) -> PlayerBets:
        """Return the bets of one player by type and number; the number is 0 but for come bets and odds."""
        return PlayerBets({(BetType(bet.id), bet.number): _bet(bet) for bet in self._seat(player)})

    def bet_state(self, player: PeerId, bet_type: BetType, number: int = 0) -> BetState:
        """Return whether a bet that is up works on the next roll."""
        try:
            bet = placing.find_bet(self.table, self._seat(player), name_of(bet_type, number))
        except Refusal as no:
            raise InvalidBet(no.sentence, no.code) from None
        wanted = ids.WORKS_WITH_POINT if self.point else ids.WORKS_AT_COME_OUT
        return BetState.WORKING if bet.working & wanted else BetState.OFF

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

    def place_bet(self, player: PeerId, bet: Bet | OddsBet | HopBet, limits: BetLimits | None = None) -> None:
        """Put a bet up, or raise `InvalidBet`: the wrong phase, a bet that is up already, limits and caps."""
        if not isinstance(bet, Bet):
            bet = bet.bet
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
        self.update_special_tracking(roll)
        resolved = [self._resolution(decision) for decision in self._outcome(roll).decisions]
        self.track_roll(roll)
        self.update_phase(roll.total())
        return resolved

    # The steps of a roll, one by one, as the document has them. A roll that has gone through `update_special_tracking`
    # is settled by `update_phase` with its total; the resolving ones change nothing.

    def track_roll(self, roll: DiceRoll) -> None:
        """Add a roll to the history, of which the last `MAX_HISTORY` are kept."""
        self.sequence.add(roll)

    def update_special_tracking(self, roll: DiceRoll) -> None:
        """Count a roll, and fill the trackers of Fire, Repeater, Bonus and hardways; nothing is cleared yet."""
        if self.phase is GamePhase.CLOSED:
            raise BadRoll("the table is closed")
        if self.is_chained and not roll.is_verifiable:
            raise BadRoll("this table takes no roll that cannot be checked")
        self._pending = None
        self._pending = roll, self._outcome(roll)
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
        if self._pending is None or self._pending[0].total() != total:
            row = self.table.row()
            advance(row, total)
            self.table = CrapsTable.from_row(row, self.table.history)
            return
        outcome, self._pending = self._pending[1], None
        self.table = outcome.table
        self._seats = dict(zip(self.participants, outcome.seats, strict=True))
        if outcome.event == SEVEN_OUT:
            place = self.participants.index(self.shooter) + 1
            self.shooter = self.participants[place % len(self.participants)]

    def _outcome(self, roll: DiceRoll) -> RollOutcome:
        """What a roll makes of the table, whether or not the trackers have been fed with it."""
        if self._pending is not None and self._pending[0] == roll:
            return self._pending[1]
        seats = [self._seats[player] for player in self.participants]
        return throw(self.table, seats, roll.die1, roll.die2, self.book)

    def _resolved(self, roll: DiceRoll, is_asked: bool, *, is_one_roll: bool) -> list[BetResolution]:
        decisions = self._outcome(roll).decisions if is_asked else ()
        return [self._resolution(one) for one in decisions if ids.is_one_roll(one.bet.id) == is_one_roll]

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
