"""`execute`: one instruction in, events out. Pure: it reads and writes through `get` and `put` alone.

A refused instruction changes nothing. Every chip moves through the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from msgspec.structs import replace

from croupier.engine import Action, view_for
from croupier.engine.checks import is_name
from croupier.house.catalogue import ABANDONED_MS, EXPOSURE_MAX, Table, default_catalogue
from croupier.house.instructions import (
    Balances,
    CasinoError,
    CloseSession,
    Deposit,
    Deposited,
    Event,
    GameCompleted,
    GameMove,
    GameMoved,
    GameStarted,
    Instruction,
    LeaderboardUpdated,
    ModifierToggled,
    PlayerAction,
    PlayerRegistered,
    Register,
    StartGame,
    Together,
)
from croupier.house.ledger import DEPOSITS, HOUSE, Ledger, RankedState, State, is_ranked, player_account
from croupier.house.modifiers import CHIPS_AT_FIRST, Player, apply_modifiers
from croupier.house.money import CHIPS_MAX, Cover, Money
from croupier.house.payload import read_payload
from croupier.house.results import GameError
from croupier.house.session import Session, deal, game_of, make_move
from croupier.rng import SESSION_MAX, GameRng

DEPOSIT_MAX = 1000
DEPOSIT_COOLDOWN_MS = 300_000
DAY_MS = 86_400_000
AUTO_MOVES_MAX = 1000
LEADERS = 10
NAME_BYTES_MAX = 32

# Event codes (docs/protocol.md, Event codes).
ALREADY_REGISTERED, PLAYER_NOT_FOUND, INSUFFICIENT_FUNDS, INVALID_BET = 1, 2, 3, 4
SESSION_EXISTS, SESSION_NOT_FOUND, SESSION_NOT_OWNED, SESSION_COMPLETE = 5, 6, 7, 8
INVALID_MOVE, RATE_LIMITED, INVALID_PAYLOAD, FEATURE_DISABLED, EXPOSURE_LIMIT = 9, 10, 16, 19, 21

_CODES = {
    "insufficient_funds": INSUFFICIENT_FUNDS,
    "stake_too_small": INVALID_BET,
    "under_limit": INVALID_BET,
    "over_limit": INVALID_BET,
    "super_stake": INVALID_BET,
    "exposure_limit": EXPOSURE_LIMIT,
}


class MemoryState:
    """A state in a dictionary: for tests, scripts and one player at a terminal."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.values: dict[str, Any] = dict(values or {})

    def get(self, key: str) -> Any:
        """Return what was put under a key, or None."""
        return self.values.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a value under a key."""
        self.values[key] = value


class _Draft:
    """Writes that are kept back until the instruction has succeeded."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.writes: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self.writes[key] if key in self.writes else self.state.get(key)

    def put(self, key: str, value: Any) -> None:
        self.writes[key] = value

    def commit(self) -> None:
        for key in sorted(self.writes):
            self.state.put(key, self.writes[key])


class _RankedDraft(_Draft):
    """A draft over a state that ranks its accounts: what has been drafted is ranked among them."""

    state: RankedState

    def richest(self, count: int) -> list[tuple[str, int]]:
        prefix = f"balance/{player_account('')}"
        drafted = {key.partition("/")[2]: chips for key, chips in self.writes.items() if key.startswith(prefix)}
        others = [entry for entry in self.state.richest(count + len(drafted)) if entry[0] not in drafted]
        return sorted([*others, *drafted.items()], key=lambda entry: (-entry[1], entry[0]))[:count]


class _Refusal(Exception):
    """An instruction is refused; `args` are event code, reason and message."""


def execute(
    state: State,
    instruction: Instruction,
    seed: bytes,
    time: int,
    *,
    tables: Mapping[int, Table] | None = None,
    board: bool = True,
) -> tuple[Event, ...]:
    """Carry out one instruction and return its events. `seed` feeds whatever it draws, `time` is in milliseconds.

    An instruction names who asks: `Instruction("ann", Register("Ann"))`. `tables` is the operator's catalogue, by
    default one table a game. With `board=False` no leaderboard is kept or told of: the host ranks accounts when asked.
    A refused instruction changes nothing.
    """
    draft = _RankedDraft(state) if is_ranked(state) else _Draft(state)
    player, body = instruction.player, instruction.body
    tables = default_catalogue(trusts_own=True) if tables is None else tables
    house = _House(draft, player, seed, time, tables, keeps_board=board)
    try:
        house.carry_out(body)
    except _Refusal as no:
        error_code, reason, message = no.args
        return (CasinoError(player, getattr(body, "session_id", None), error_code, reason, message),)
    draft.commit()
    return tuple(house.events)


def _fits(name: str) -> bool:
    try:
        return len(name.encode()) <= NAME_BYTES_MAX
    except UnicodeEncodeError:  # a lone surrogate: no store and no wire could take it
        return False


def cover_of(table: Table | None, session: Session, chips: int) -> Cover:
    """Return what covers a move of a session, for a player with so many chips."""
    if table is None:  # taken out of the catalogue while somebody played at it
        return Cover(chips, *game_of(session).stake_limits, EXPOSURE_MAX)
    return Cover(chips, table.stake_min, table.stake_max, table.exposure_max)


class _House:
    """One instruction being carried out."""

    def __init__(
        self, state: _Draft, player: str, seed: bytes, time: int, tables: Mapping[int, Table], *, keeps_board: bool
    ) -> None:
        self.state = state
        self.ledger = Ledger(state)
        self.player_id = player
        self.seed = seed
        self.time = time
        self.tables = tables
        self.keeps_board = keeps_board
        self.events: list[Event] = []

    def carry_out(self, body: Any) -> None:
        handler = _HANDLERS.get(type(body))
        if handler is None:
            self.refuse(INVALID_PAYLOAD, "bad_instruction", f"{type(body).__name__} is no instruction")
        handler(self, body)

    def together(self, body: Together) -> None:
        for each in body.bodies:
            self.carry_out(each)

    # Players.

    def register(self, body: Register) -> None:
        if self.state.get(f"player/{self.player_id}") is not None:
            self.refuse(ALREADY_REGISTERED, "already_registered", f"{self.player_id} is registered already")
        if not is_name(self.player_id):
            self.refuse(INVALID_PAYLOAD, "bad_player", "a player's id is 1 to 64 printable characters")
        if not isinstance(body.name, str) or not _fits(body.name):
            self.refuse(INVALID_PAYLOAD, "bad_name", f"a name has at most {NAME_BYTES_MAX} bytes")
        self.ledger.move(DEPOSITS, player_account(self.player_id), CHIPS_AT_FIRST, "welcome")
        self.put_player(Player(self.player_id, body.name, registered_at=self.time))
        self.events.append(PlayerRegistered(self.player_id, body.name))
        self.leaderboard()

    def deposit(self, body: Deposit) -> None:
        player = self.player()
        if type(body.amount) is not int or not 1 <= body.amount <= DEPOSIT_MAX:
            self.refuse(INVALID_BET, "bad_amount", f"deposit {body.amount!r}: 1 to {DEPOSIT_MAX} chips at a time")
        last = player.deposited_at
        if last >= 0 and (self.time - last < DEPOSIT_COOLDOWN_MS or self.time // DAY_MS == last // DAY_MS):
            self.refuse(RATE_LIMITED, "deposit_too_soon", "one deposit a day")
        if player.chips + body.amount > CHIPS_MAX:
            self.refuse(INVALID_BET, "bad_amount", "nobody can hold that many chips")
        self.ledger.move(DEPOSITS, player_account(player.id), body.amount, "deposit")
        self.put_player(replace(player, deposited_at=self.time))
        self.events.append(Deposited(player.id, body.amount, self.player().chips))
        self.leaderboard()

    def toggle(self, body: PlayerAction) -> None:
        player = self.player()
        match body.modifier:
            case "shield":
                if not player.active_shield and player.shields == 0:
                    self.refuse(INVALID_MOVE, "no_shield", "there is no shield left to arm")
                player = replace(player, active_shield=not player.active_shield)
            case "double":
                if not player.active_double and player.doubles == 0:
                    self.refuse(INVALID_MOVE, "no_double", "there is no double left to arm")
                player = replace(player, active_double=not player.active_double)
            case "super":
                player = replace(player, active_super=not player.active_super)
            case _:
                self.refuse(INVALID_PAYLOAD, "bad_instruction", f"there is no modifier {body.modifier!r}")
        self.put_player(player)
        armed = (player.active_shield, player.active_double, player.active_super)
        self.events.append(ModifierToggled(player.id, *armed))

    # Sessions.

    def start_game(self, body: StartGame) -> None:
        player = self.player()
        table = self.tables.get(body.table) if isinstance(body.table, int) else None
        if table is None:
            self.refuse(FEATURE_DISABLED, "no_such_table", f"there is no table {body.table!r}")
        if type(body.session_id) is not int or not 0 <= body.session_id <= SESSION_MAX:
            self.refuse(INVALID_PAYLOAD, "bad_session_id", f"session id {body.session_id!r}: 0 to {SESSION_MAX}")
        if player.active_super and not table.super_allowed:
            self.refuse(FEATURE_DISABLED, "no_super_mode", f"table {table.id} has no super mode")
        shield, double = player.active_shield and player.shields > 0, player.active_double and player.doubles > 0
        session = Session(
            body.session_id,
            player.id,
            table.game_id,
            body.stake,
            self.seed.hex(),
            table.options,
            player.active_super,
            shield,
            double,
            started_at=self.time,
            table=table.id,
            reserved=shield or double,
        )
        game = game_of(session)
        if type(body.stake) is not int or (body.stake == 0) == game.opens_with_stake or body.stake < 0:
            wanted = "a stake is needed to sit down" if game.opens_with_stake else "sit down with 0 and place bets"
            self.refuse(INVALID_BET, "bad_stake", f"stake {body.stake!r} at {game.name}: {wanted}")
        started, _ = self.try_game(
            lambda: deal(session, GameRng.new(self.seed, session.id, 0), cover_of(table, session, player.chips))
        )
        if self.state.get(f"session/{session.id}") is not None:
            self.refuse(SESSION_EXISTS, "session_exists", f"there is a session {session.id} already")
        player = replace(player, shields=player.shields - shield, doubles=player.doubles - double)
        self.put_player(replace(player, active_shield=False, active_double=False, active_super=False))
        self.ledger.book(player.id, session.id, Money(), started.money)
        view = view_for(game, started.match, player.id) if started.match else None
        self.put_session(started)
        self.events.append(GameStarted(session.id, player.id, game.id, body.stake, view, self.balances()))
        if started.is_complete:
            self.complete(started)
        else:
            self.leaderboard()

    def game_move(self, body: GameMove) -> None:
        session = self.session(body.session_id)
        if session.player != self.player_id:
            self.refuse(SESSION_NOT_OWNED, "session_not_owned", f"session {session.id} is not {self.player_id}'s")
        if not isinstance(body.payload, bytes | Action):
            self.refuse(INVALID_PAYLOAD, "bad_payload", "a payload is an action, or the bytes of one")
        self.check_goes_on(session)
        self.move(session, self.try_game(lambda: read_payload(game_of(session), body.payload)))

    def close_session(self, body: CloseSession) -> None:
        session = self.session(body.session_id)
        idle = self.time - (session.match.updated_at or session.started_at if session.match else session.started_at)
        table = self.tables.get(session.table)
        if idle < (ABANDONED_MS if table is None else table.abandoned_ms):
            self.refuse(RATE_LIMITED, "not_abandoned", f"session {session.id} has been idle for {idle // 1000} s only")
        for _ in range(AUTO_MOVES_MAX):
            abandoned = "time_out" if session.money.open else "leave"
            session = self.move(session, Action(abandoned, {}, session.player))
            if session.is_complete:
                return
        self.refuse(INVALID_MOVE, "cannot_close", f"session {session.id} does not come to an end")

    def check_goes_on(self, session: Session) -> None:
        if session.is_complete:
            self.refuse(SESSION_COMPLETE, "finished", f"session {session.id} is over")

    def move(self, session: Session, action: Action) -> Session:
        """Make one move of a session and book what it did."""
        self.check_goes_on(session)
        player = self.player(session.player)
        cover = cover_of(self.tables.get(session.table), session, player.chips)
        before = session.money
        moved: Session
        moved, result, done = self.try_game(
            lambda: make_move(session, action, seed=self.seed, cover=cover, now=self.time)
        )
        self.ledger.book(player.id, session.id, before, moved.money)
        self.put_session(moved)
        assert moved.match is not None
        view = view_for(game_of(moved), moved.match, player.id)
        lines = moved.money.lines[len(before.lines) :]
        said = (view, lines, result.logs, self.balances(player.id), done)
        self.events.append(GameMoved(session.id, moved.move_count, *said))
        if moved.is_complete:
            self.complete(moved)
        else:
            self.leaderboard(player.id)
        return moved

    def complete(self, session: Session) -> None:
        """Give back the modifiers that were reserved, use those that take effect, and say how the session ended."""
        player = self.player(session.player)
        if session.reserved:
            pools = player.shields + session.shield, player.doubles + session.double
            player = replace(player, shields=pools[0], doubles=pools[1])
        money = session.money
        armed = replace(player, active_shield=session.shield, active_double=session.double)
        modified = apply_modifiers(armed, money.net)
        reason = "shield" if modified.was_shielded else "double"
        bonus = min(modified.net - money.net, CHIPS_MAX - player.chips)
        self.ledger.move(HOUSE, player_account(player.id), bonus, reason, session.id)
        self.put_player(
            replace(
                player,
                shields=modified.player.shields,
                doubles=modified.player.doubles,
                sessions_played=player.sessions_played + 1,
            )
        )
        self.leaderboard(player.id)
        result = (money.staked, money.returned, money.fees, modified.net, modified.was_shielded, modified.was_doubled)
        ended = GameCompleted(session.id, player.id, session.game_id, *result, self.balances(player.id))
        self.events.append(ended)

    # Shared by all instructions.

    def refuse(self, error_code: int, reason: str, message: str) -> NoReturn:
        raise _Refusal(error_code, reason, message)

    def try_game(self, move: Any) -> Any:
        try:
            return move()
        except GameError as error:
            code = _CODES.get(error.reason, error.kind.value)
            raise _Refusal(code, error.reason, str(error)) from None

    def player(self, player_id: str | None = None) -> Player:
        """Return a player, with the chips that the ledger says."""
        player_id = self.player_id if player_id is None else player_id
        found: Player | None = self.state.get(f"player/{player_id}")
        if found is None:
            self.refuse(PLAYER_NOT_FOUND, "player_not_found", f"{player_id} is not registered")
        return replace(found, chips=self.ledger.balance(player_account(player_id)))

    def put_player(self, player: Player) -> None:
        self.state.put(f"player/{player.id}", replace(player, chips=0))

    def session(self, session_id: Any) -> Session:
        found: Session | None = self.state.get(f"session/{session_id}")
        if found is None:
            self.refuse(SESSION_NOT_FOUND, "session_not_found", f"there is no session {session_id!r}")
        return found

    def put_session(self, session: Session) -> None:
        self.state.put(f"session/{session.id}", session)

    def balances(self, player_id: str | None = None) -> Balances:
        player = self.player(player_id)
        return Balances(player.chips, player.shields, player.doubles)

    def leaderboard(self, player_id: str | None = None) -> None:
        """Move a player to their place among the ten with the most chips, and say so if that changed anything."""
        if not self.keeps_board:
            return
        player_id = self.player_id if player_id is None else player_id
        before: tuple[tuple[str, int], ...] = self.state.get("leaderboard") or ()
        mine = (player_id, self.ledger.balance(player_account(player_id)))
        if mine in before:
            return
        entries = [entry for entry in before if entry[0] != player_id]
        if len(before) == LEADERS and _rank(mine) > _rank(entries[-1]):
            if len(entries) == LEADERS:
                return
            # A leader fell behind the others: somebody who is not on the board may be ahead of them now.
            richest = self.ledger.richest(LEADERS)
            after = tuple((name.removeprefix(player_account("")), chips) for name, chips in richest)
        else:
            after = tuple(sorted([*entries, mine], key=_rank)[:LEADERS])
        if after != before:
            self.state.put("leaderboard", after)
            self.events.append(LeaderboardUpdated(after))


def _rank(entry: tuple[str, int]) -> tuple[int, str]:
    """Return the key that orders players by their chips, equal ones by name."""
    return -entry[1], entry[0]


_HANDLERS: dict[type, Callable[[_House, Any], None]] = {
    Register: _House.register,
    Deposit: _House.deposit,
    StartGame: _House.start_game,
    GameMove: _House.game_move,
    PlayerAction: _House.toggle,
    CloseSession: _House.close_session,
    Together: _House.together,
}
