"""Context of a game's own code while it runs: `Setup`, `Turn` and its `Events`; and refusals."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

from croupier.engine.model import MatchResult, Player, RngState, TurnState
from croupier.errors import GameFault
from croupier.rng import GameRng


class Refusal(Exception):
    """Carries a refusal from a game's code to the engine. Only the engine catches it; raise it with `refuse`."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence


def refuse(code: str, sentence: str) -> NoReturn:
    """Refuse the action: nothing happens, and the player reads the sentence. Check before you draw."""
    raise Refusal(code, sentence)


def require(condition: object, code: str, sentence: str) -> None:
    """Refuse the action unless the condition holds."""
    if not condition:
        raise Refusal(code, sentence)


class Events(Protocol):
    """Events that an action asks of the match; they happen after the action returns, whatever the order of the calls.

    Each kind of request is one slot: the last call wins.
    """

    def set_phase(self, name: str) -> None:
        """Go to another phase."""

    def end_turn(self, next: str | None = None) -> None:
        """Pass the turn on: to the next in order, or to the player of that id. It may be the same player again."""

    def end_game(self, result: MatchResult) -> None:
        """Finish the match."""


class TurnBase:
    """Base of `Setup` and `Turn`: the players, the options, and the stream of the move, opened when first used."""

    __slots__ = ("_rng", "_rng_state", "_seed", "host", "options", "players")

    def __init__(
        self,
        players: tuple[Player, ...],
        options: Any,
        rng_state: RngState,
        seed: bytes | None = None,
        rng: GameRng | None = None,
        host: Any = None,
    ) -> None:
        self.host = host  # what the host lets this move use besides the stream; None for most games
        self.players = players
        self.options = options
        self._rng_state = rng_state
        self._seed = seed
        self._rng = rng

    @property
    def rng(self) -> GameRng:
        """The stream of this move: the only chance there is."""
        rng = self._rng
        if rng is None:
            state = self._rng_state
            seed = self._seed
            if seed is None:
                seed = bytes.fromhex(state.seed)
            rng = self._rng = GameRng.new(seed, state.session_id, state.move_number)
        return rng

    random = rng  # the match engine's document calls it so

    @property
    def drew(self) -> bool:
        """Whether anything has been drawn in this move so far."""
        return self._rng is not None and self._rng.bytes_used > 0


class Setup(TurnBase):
    """Context of `Game.setup`: `players`, `options`, `rng`, and the first `turn`."""

    __slots__ = ("turn",)

    def __init__(
        self,
        players: tuple[Player, ...],
        options: Any,
        rng_state: RngState,
        turn: TurnState,
        rng: GameRng | None = None,
        host: Any = None,
    ) -> None:
        super().__init__(players, options, rng_state, None, rng, host)
        self.turn = turn

    @property
    def order(self) -> tuple[str, ...]:
        """The players' ids in the order they take turns."""
        return self.turn.order


class Turn(TurnBase):
    """Context of an action: who acts (`actor`), whose go it is, the phase, the stream, and the `events` to ask for."""

    __slots__ = ("actor", "asked_end", "asked_next", "asked_phase", "asked_result", "rules_version", "state")

    rules_version: int
    """Which version of the game's rules the match follows: the newest, or one of the game's `older_rules`."""

    def __init__(
        self,
        players: tuple[Player, ...],
        options: Any,
        rng_state: RngState,
        seed: bytes | None,
        rng: GameRng | None,
        state: TurnState,
        actor: str,
        host: Any = None,
    ) -> None:
        # Spelled out rather than by super(): this runs once an action.
        self.host = host
        self.players = players
        self.options = options
        self._rng_state = rng_state
        self._seed = seed
        self._rng = rng
        self.state = state
        self.actor = actor
        self.asked_phase: str | None = None
        self.asked_end = False
        self.asked_next: str | None = None
        self.asked_result: MatchResult | None = None

    def begin(self, game: Any, state: Any) -> None:
        """Look at the state before the action runs; for families of games that declare things on the turn."""

    @property
    def events(self) -> Events:
        """Events to ask of the match. It is the turn itself, which saves an object an action."""
        return self

    def set_phase(self, name: str) -> None:
        """Go to another phase."""
        self.asked_phase = name

    def end_turn(self, next: str | None = None) -> None:
        """Pass the turn on."""
        self.asked_end = True
        self.asked_next = next

    def end_game(self, result: MatchResult) -> None:
        """Finish the match."""
        if not isinstance(result, MatchResult):
            raise GameFault(f"a match ends with a MatchResult, got {type(result).__name__}")
        self.asked_result = result

    def hand_over(self, state: TurnState, actor: str) -> None:
        """Go on as the turn of a hook that runs after the action, on the same stream, with nothing asked for yet."""
        self.state = state
        self.actor = actor
        self.asked_phase = self.asked_next = self.asked_result = None
        self.asked_end = False

    @property
    def current(self) -> str:
        """The id of the player whose go it is; not always the actor."""
        return self.state.current

    @property
    def phase(self) -> str:
        """The part of the turn."""
        return self.state.phase

    @property
    def number(self) -> int:
        """Which turn this is, counting from 1."""
        return self.state.turn_number

    @property
    def order(self) -> tuple[str, ...]:
        """The ids of all who still play, in the order they take turns."""
        return self.state.order

    @property
    def seat(self) -> int:
        """The actor's seat, counting from 0."""
        actor = self.actor
        for player in self.players:  # as seat_of does: actions ask for this more than for anything else
            if player.id == actor:
                return player.seat
        return self.seat_of(actor)

    def seat_of(self, player_id: str) -> int:
        """Return the seat of a player."""
        for player in self.players:
            if player.id == player_id:
                return player.seat
        raise GameFault(f"no player {player_id!r} is seated; seated are {[player.id for player in self.players]}")
