"""Instructions to the house (register, deposit, start a game, move) and the events that answer them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from croupier.engine import Action
from croupier.house.money import Line

# Instructions.


class Register(Struct, frozen=True, tag=True):
    """Become a player."""

    name: str = ""


class Deposit(Struct, frozen=True, tag=True):
    """Ask for chips."""

    amount: int


class StartGame(Struct, frozen=True, tag=True):
    """Sit down at a table of the catalogue, of which a `GameType` is the usual one; the bet is the `stake`."""

    table: int
    stake: int
    session_id: int


class GameMove(Struct, frozen=True, tag=True):
    """Make a move: the action, or its bytes where a chain sends them."""

    session_id: int
    payload: bytes | Action


class PlayerAction(Struct, frozen=True, tag=True):
    """Arm or disarm a modifier for the next session."""

    modifier: Literal["shield", "double", "super"]


class CloseSession(Struct, frozen=True, tag=True):
    """Close a session that its player has abandoned; anyone may ask, once the time is up."""

    session_id: int


class Together(Struct, frozen=True, tag=True):
    """Carry out several, one after the other: all of them or none."""

    bodies: tuple[Register | Deposit | StartGame | GameMove | PlayerAction | CloseSession, ...]


Body = Register | Deposit | StartGame | GameMove | PlayerAction | CloseSession | Together


class Instruction(Struct, frozen=True):
    """Instruction and its player. That none is carried out twice, or out of order, is the host's business."""

    player: str
    body: Body


# Events.


class Balances(Struct, frozen=True):
    """Balances of a player after an event."""

    chips: int
    shields: int
    doubles: int


class PlayerRegistered(Struct, frozen=True, tag=True):
    """Somebody became a player."""

    player: str
    name: str


class Deposited(Struct, frozen=True, tag=True):
    """Chips were handed out."""

    player: str
    amount: int
    chips: int


class GameStarted(Struct, frozen=True, tag=True):
    """A session began; `view` is what its player sees."""

    session_id: int
    player: str
    game_id: str
    stake: int
    view: Any
    balances: Balances


class GameMoved(Struct, frozen=True, tag=True):
    """A move was made: its number, what happened in words, the bets it settled, and the action as a record keeps it."""

    session_id: int
    move_number: int
    view: Any
    lines: tuple[Line, ...]
    logs: tuple[str, ...]
    balances: Balances
    action: Action


class GameCompleted(Struct, frozen=True, tag=True):
    """A session is over. `net` is the profit or loss after modifiers, fees aside."""

    session_id: int
    player: str
    game_id: str
    staked: int
    returned: int
    fees: int
    net: int
    was_shielded: bool
    was_doubled: bool
    balances: Balances


class ModifierToggled(Struct, frozen=True, tag=True):
    """A modifier was armed or disarmed; these are armed now."""

    player: str
    shield: bool
    double: bool
    super: bool


class LeaderboardUpdated(Struct, frozen=True, tag=True):
    """The ten players with the most chips, best first; equal ones by id."""

    entries: tuple[tuple[str, int], ...]


class CasinoError(Struct, frozen=True, tag=True):
    """An instruction was refused: `error_code` as in docs/protocol.md, Event codes, `reason` the refusal's own code."""

    player: str
    session_id: int | None
    error_code: int
    reason: str
    message: str


Event = (
    PlayerRegistered
    | Deposited
    | GameStarted
    | GameMoved
    | GameCompleted
    | ModifierToggled
    | LeaderboardUpdated
    | CasinoError
)
