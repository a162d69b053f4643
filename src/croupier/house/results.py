"""Results of a move against the house: continue, win, loss or push, with the chips; or one of five errors.

A result must be settled: a session whose last result nobody settled takes no further move. Its `logs` tell in words
what happened.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, get_args

from msgspec import Struct

from croupier.engine import Refused
from croupier.errors import CroupierError
from croupier.house.money import Money


class _Result(Struct, frozen=True):
    """The outcome of a move: one of seven variants, which are also its attributes (`GameResult.Win(200)`)."""


class Continue(_Result, frozen=True, tag=True):
    """The session goes on, and no chips moved."""

    logs: tuple[str, ...] = ()


class ContinueWithUpdate(_Result, frozen=True, tag=True):
    """The session goes on; `payout` chips moved to the player, or from them where it is negative."""

    payout: int
    logs: tuple[str, ...] = ()


class Win(_Result, frozen=True, tag=True):
    """The session is over and `amount` is handed back, stakes included. It may be less than was staked."""

    amount: int
    logs: tuple[str, ...] = ()


class Loss(_Result, frozen=True, tag=True):
    """The session is over; the opening stake, which was all that was at risk, is gone."""

    logs: tuple[str, ...] = ()


class LossWithExtraDeduction(_Result, frozen=True, tag=True):
    """The session is over, and `extra` chips that were reserved before the draw are taken now."""

    extra: int
    logs: tuple[str, ...] = ()


class LossPreDeducted(_Result, frozen=True, tag=True):
    """The session is over; `total` chips are lost, all of them taken during play."""

    total: int
    logs: tuple[str, ...] = ()


class Push(_Result, frozen=True, tag=True):
    """The session is over, and just what was staked comes back."""

    amount: int
    logs: tuple[str, ...] = ()


AnyResult = Continue | ContinueWithUpdate | Win | Loss | LossWithExtraDeduction | LossPreDeducted | Push
"""The variants as a type that can be stored and read."""
if TYPE_CHECKING:
    GameResult = AnyResult
else:
    GameResult = _Result
    GameResult.__name__ = GameResult.__qualname__ = "GameResult"
    for _variant in get_args(AnyResult):
        setattr(GameResult, _variant.__name__, _variant)


def game_result_delta(result: GameResult) -> int:
    """Return the chips that a result by itself moves to the player; stakes were taken when they were placed.

    >>> game_result_delta(Win(200)), game_result_delta(Loss()), game_result_delta(LossWithExtraDeduction(50))
    (200, 0, -50)
    """
    match result:
        case ContinueWithUpdate(payout=payout):
            return payout
        case Win(amount=amount) | Push(amount=amount):
            return amount
        case LossWithExtraDeduction(extra=extra) if extra >= 0:  # a loss never pays
            return -extra
        case Continue() | Loss() | LossPreDeducted():
            return 0
        case _:
            raise TypeError(f"a result of a move is wanted, got {result!r:.80}")


def result_of(before: Money, after: Money, logs: tuple[str, ...] = ()) -> GameResult:
    """Return the result of a move from the accounts before and after it. This is the only place that makes one."""
    returned = after.returned - before.returned
    moved = returned - (after.taken - before.taken)
    if not after.finished:
        return ContinueWithUpdate(moved, logs) if moved else Continue(logs)
    handed = returned - (after.extra - before.extra)  # what was reserved until now is taken with this result
    if after.net == 0:
        return Push(handed, logs)
    if handed > 0 or after.net > 0:  # ahead by earlier moves: still a win, though the last bet was lost
        return Win(handed, logs)
    if handed < 0:
        return LossWithExtraDeduction(-handed, logs)
    if after.staked == after.opening:
        return Loss(logs)
    return LossPreDeducted(-after.net, logs)


class ErrorKind(Enum):
    """Why a move was not made, with the code its event carries (docs/protocol.md, Event codes)."""

    INVALID_PAYLOAD = 16
    INVALID_MOVE = 9
    GAME_ALREADY_COMPLETE = 8
    INVALID_STATE = 17
    DECK_EXHAUSTED = 18


class GameError(CroupierError, ValueError):
    """A move that was not made: nothing was drawn, taken or changed. `reason` is the code of the refusal behind it.

    It is of one of five classes, by its kind: `InvalidPayload`, `InvalidMove`, `GameAlreadyComplete`, `InvalidState`
    and `DeckExhausted`, which are also attributes of this one and take a message alone, or nothing.
    """

    code = "game_error"
    kind = ErrorKind.INVALID_MOVE

    def __new__(cls, kind: ErrorKind | str = "", *more: str) -> GameError:
        """Return an error of the class of its kind."""
        return super().__new__(_CLASSES[kind] if isinstance(kind, ErrorKind) else cls, kind, *more)

    def __init__(self, kind: ErrorKind | str = "", *more: str) -> None:
        message, *reason = (more or ("",)) if isinstance(kind, ErrorKind) else (kind, *more)
        super().__init__(message or self.kind.name.lower().replace("_", " "))
        self.reason = next(filter(None, reason), self.kind.name.lower())

    def __reduce__(self) -> tuple[Any, ...]:
        return GameError, (self.kind, str(self), self.reason)

    @classmethod
    def invalid_payload(cls, message: str) -> GameError:
        """Return the error for bytes that are no action."""
        return cls(ErrorKind.INVALID_PAYLOAD, message)

    @classmethod
    def of(cls, refused: Refused[Any]) -> GameError:
        """Return the error for a refusal of the rules."""
        return cls.of_code(refused.code, refused.error)

    @classmethod
    def of_code(cls, code: str, sentence: str) -> GameError:
        """Return the error for a refusal, at set-up or in play, by its code."""
        return cls(ErrorKind.__members__.get(code.upper(), _KINDS.get(code, ErrorKind.INVALID_MOVE)), sentence, code)


_CLASSES = {
    kind: type(kind.name.title().replace("_", ""), (GameError,), {"kind": kind, "__doc__": f"`{kind}`."})
    for kind in ErrorKind
}
for _class in _CLASSES.values():
    setattr(GameError, _class.__name__, _class)

_KINDS = {
    "finished": ErrorKind.GAME_ALREADY_COMPLETE,
    "deck_exhausted": ErrorKind.DECK_EXHAUSTED,
    "bad_action": ErrorKind.INVALID_PAYLOAD,
    "unknown_action": ErrorKind.INVALID_PAYLOAD,
    "bad_payload": ErrorKind.INVALID_PAYLOAD,
    "unknown_bet": ErrorKind.INVALID_PAYLOAD,
    "stake_too_small": ErrorKind.INVALID_PAYLOAD,
}


class UnsettledResult(CroupierError, RuntimeError):
    """A move was asked of a session whose last result has not been settled."""

    code = "unsettled_result"
