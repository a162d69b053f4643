"""The terminal player's bankroll: a small house in a file, so that a session costs and pays chips.

Every move goes through `croupier.house.execute`, as at any other host. The file is written when a session is over: one
that is cut off, or left before anything was drawn, has not happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.cli.errors import Usage
from croupier.cli.files import check_writable, data_folder, now_ms, read_file, write_file
from croupier.engine import Accepted, Action, LogEntry, Match, MatchClient, Refused, apply_action
from croupier.engine.client import HistoryStep
from croupier.engine.records.documents import read_json
from croupier.errors import CroupierError
from croupier.house import (
    CasinoError,
    CloseSession,
    Deposit,
    Event,
    GameMove,
    GameMoved,
    HouseGame,
    Instruction,
    Ledger,
    MemoryState,
    Player,
    PlayerAction,
    Register,
    StartGame,
    Table,
    check_ledger,
    execute,
    make_table,
)
from croupier.house.instructions import GameCompleted
from croupier.house.ledger import Movement, player_account
from croupier.rng import SESSION_MAX

TABLE = 0
KINDS: Mapping[str, Any] = {"player": Player, "movement": Movement, "ledger": int | tuple[str, ...]}


class HouseRefusal(CroupierError, ValueError):
    """The house said no before the session began."""

    code = "house_refusal"


class Bankroll:
    """The chips of one player, in the file `bankroll.json` of the player's folder."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.file = data_folder() / "bankroll.json"
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        check_writable(str(self.file))  # or a stake would be drawn and its end never told
        self.load()

    def load(self) -> None:
        """Take the chips as the file has them; a new player is registered."""
        self.state = MemoryState(self._read())
        if self.state.get(f"player/{self.player}") is None:
            self.ask(Register(self.player[:32]), bytes(32))

    def _read(self) -> dict[str, Any]:
        try:
            data = read_file(self.file)
        except FileNotFoundError:
            return {}
        found: dict[str, Any] = read_json(data, dict[str, Any], "bankroll")
        try:
            values = {
                key: msgspec.convert(value, KINDS.get(key.partition("/")[0], Any)) for key, value in found.items()
            }
            check_ledger(MemoryState(values), thorough=True)
        except (msgspec.ValidationError, CroupierError, AttributeError, TypeError) as error:
            raise Usage(f"{self.file} is not a bankroll croupier wrote ({error}); move it away to begin anew") from None
        return values

    def keep(self) -> None:
        """Write everything but the sessions, which are over, to the file."""
        kept = {
            key: value
            for key, value in self.state.values.items()
            if not key.startswith(("session/", "leaderboard", "nonce/"))  # nonces: of an older croupier
        }
        write_file(self.file, msgspec.json.encode(kept, order="sorted"))

    @property
    def chips(self) -> int:
        """Balance in chips, without what lies on the table."""
        return Ledger(self.state).balance(player_account(self.player))

    @property
    def next_session(self) -> int:
        """The next session id, counted up; after the highest comes 1."""
        used: int = self.state.get("sessions") or 0
        return used % SESSION_MAX + 1

    def ask(self, body: Any, seed: bytes, tables: Mapping[int, Table] | None = None) -> tuple[Event, ...]:
        """Have the house carry out an instruction of the player, now."""
        return execute(self.state, Instruction(self.player, body), seed, now_ms(), tables=tables or {})

    def want(self, body: Any, seed: bytes = bytes(32), tables: Mapping[int, Table] | None = None) -> tuple[Event, ...]:
        """Have an instruction carried out; a refusal raises `HouseRefusal`."""
        events = self.ask(body, seed, tables)
        if events and isinstance(events[0], CasinoError):
            raise HouseRefusal(events[0].message)
        return events

    def deposit(self, amount: int) -> None:
        """Add chips to play with."""
        self.want(Deposit(amount))
        self.keep()


class HouseClient(MatchClient[Any]):
    """A session at the terminal: a match whose every action the house carries out. Chips that moved are not undone."""

    def __init__(
        self,
        game: HouseGame[Any],
        bankroll: Bankroll,
        *,
        seed: bytes,
        session_id: int,
        stake: int = 0,
        options: Any = None,
        modifiers: tuple[str, ...] = (),
    ) -> None:
        self.bankroll = bankroll
        self.seed = seed
        self.session_id = session_id
        self.tables = {TABLE: make_table(TABLE, game, options, abandoned_ms=0, allow_overpay=True)}
        self.completed: GameCompleted | None = None
        self.is_void = False
        for modifier in modifiers:
            bankroll.want(PlayerAction(modifier))  # type: ignore[arg-type]
        bankroll.want(StartGame(TABLE, stake, session_id), seed, self.tables)
        if session_id == bankroll.next_session:  # an id that somebody named does not use the others up
            bankroll.state.put("sessions", session_id)
        super().__init__(game, self._match())

    def _match(self) -> Match[Any]:
        match: Match[Any] = self.bankroll.state.get(f"session/{self.session_id}").match
        return match

    def dispatch(self, action: Action | Mapping[str, Any], **_: Any) -> Accepted[Any] | Refused[Any]:
        """Have the house carry the action out, with its own seed and clock; what it refuses is a refusal like any."""
        before = self.get_state()
        asked = action if isinstance(action, Action) else Action(**action)
        events = self.bankroll.ask(GameMove(self.session_id, asked), self.seed, self.tables)
        first = events[0]
        if isinstance(first, CasinoError):
            return Refused(first.reason, first.message, before)
        assert isinstance(first, GameMoved)
        return self._moved(before, first.action, events, self._match())

    def _moved(self, before: Match[Any], done: Action, events: tuple[Event, ...], after: Match[Any]) -> Accepted[Any]:
        self._line.append(HistoryStep(LogEntry(done, after.version, after.updated_at, True), before, after, False))
        self._go_to(after)
        self.completed = next((event for event in events if isinstance(event, GameCompleted)), self.completed)
        if after.status == "finished":
            self.bankroll.keep()
        return Accepted(after, done, True)

    def bets(self) -> tuple[Action, ...]:
        """Return what the player did until something was drawn: done again, it lays the same bets."""
        done: list[Action] = []
        is_drawn = self.base.game.money.drawn
        for step in self._line:
            if is_drawn:
                break
            done.append(step.entry.action)
            is_drawn = step.after.game.money.drawn
        return tuple(done)

    def abandon(self) -> None:
        """Close the session as the house closes one whose player has left: bets are played out by themselves.

        Where nothing has been drawn yet, no chips are in play: the session has not happened, and they come back.
        """
        before = self.get_state()
        if before.status != "active":
            return
        if not before.game.money.drawn:
            self.bankroll.load()
            self.is_void = True
            return
        events = self.bankroll.want(CloseSession(self.session_id), self.seed, self.tables)
        now = self._match().updated_at
        for event in events:
            if isinstance(event, GameMoved):  # the house keeps the last state alone: the others are made again
                answer = apply_action(self.game, self.get_state(), event.action, now=now)
                self._moved(self.get_state(), event.action, events, answer.state)
