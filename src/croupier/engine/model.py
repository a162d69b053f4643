"""The match as data: frozen values that go to JSON and back without loss.

    Match ── players: Player…      who sits where
         ├── turn: TurnState       whose go it is, and which part of it
         ├── rng_state: RngState   where the next move's stream begins
         ├── game                  the game's own state, of the type the game names
         └── result: MatchResult   None until the end

`MatchView` is what one seat may see of it. `Action` is what a player asks for; `Accepted` and `Refused` are the
answers.
"""

from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct

S = TypeVar("S")

Status = Literal["active", "finished"]

HOST = ""
"""The player id of an action that the host itself takes. Nobody can be seated under it."""


class Player(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Player at a seat. Seats count from 0 in the order given at the start and never change."""

    id: str
    name: str = ""
    seat: int = 0
    is_bot: bool = False


class TurnState(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """State of the turn: whose go it is. `order` holds the ids of all who still play; a player who leaves drops out."""

    current: str
    phase: str
    turn_number: int
    order: tuple[str, ...]


class RngState(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """State of the random stream: the seed in hex, and the number of the stream the next move will draw from."""

    seed: str
    session_id: int
    move_number: int


class MatchResult(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Result of a match. `scores` is keyed by player id and holds whole numbers, or exact fractions as text."""

    status: Literal["win", "draw"]
    winners: tuple[str, ...] = ()
    reason: str = ""
    scores: dict[str, int | str] = {}


class Match(Struct, Generic[S], frozen=True, eq=False):
    """The whole state of one play-through. `version` counts the accepted actions.

    `updated_at` is the caller's time of the last action in milliseconds; it takes no part in equality or digest.
    `croupier.engine.serialize_match` writes it as JSON, and `deserialize_match` reads that; `rng_state` is a struct.
    """

    match_id: str
    game_id: str
    rules_version: int
    options: Any
    players: tuple[Player, ...]
    status: Status
    turn: TurnState
    rng_state: RngState
    game: S
    result: MatchResult | None = None
    version: int = 0
    updated_at: int = 0

    def __eq__(self, other: object) -> bool:
        if type(other) is not Match:
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in MATCH_FACTS)

    def __ne__(self, other: object) -> bool:
        return not self == other  # a struct answers this by itself, and would compare what __eq__ leaves out

    def __hash__(self) -> int:
        return hash((self.match_id, self.game_id, self.version))


MatchState = Match
MATCH_FACTS = tuple(field for field in Match.__struct_fields__ if field != "updated_at")


class MatchView(Struct, Generic[S], frozen=True):
    """A match as one viewer may see it; `viewer` is None for a spectator. For looking at: actions need the match."""

    match_id: str
    game_id: str
    rules_version: int
    options: Any
    players: tuple[Player, ...]
    status: Status
    turn: TurnState
    game: S
    result: MatchResult | None
    version: int
    viewer: str | None


class Action(Struct, frozen=True, forbid_unknown_fields=True):
    """Action that a player asks for. Without a `player_id` it is the current player who asks; `HOST` is the host."""

    type: str
    payload: dict[str, Any] = {}
    player_id: str | None = None


def act(type: str, /, **payload: Any) -> Action:
    """Return an action, its payload given by name.

    >>> act("shut", tiles=(3, 4))
    Action(type='shut', payload={'tiles': (3, 4)}, player_id=None)
    """
    return Action(type, payload)


class Accepted(Struct, Generic[S], frozen=True):
    """The rules' yes: the match after the action, and the action as the log keeps it, player filled in.

    `drew` tells whether the move's stream was drawn from.
    """

    ok: ClassVar[Literal[True]] = True
    state: Match[S]
    action: Action
    drew: bool = False


class Refused(Struct, Generic[S], frozen=True):
    """The rules' no: a stable code, a sentence for people, and the very match that was given."""

    ok: ClassVar[Literal[False]] = False
    code: str
    error: str
    state: Match[S]


class LogEntry(Struct, frozen=True, omit_defaults=True):
    """One accepted action: the version it led to, when, whether it drew, and the host's seed if it had its own."""

    action: Action
    version: int
    at: int = 0
    drew: bool = False
    seed: str | None = None
