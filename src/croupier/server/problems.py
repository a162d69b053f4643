"""Refusals of the server (problem+json): every no has a stable code, a status, and a sentence for people."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct

from croupier.errors import CroupierError

T = TypeVar("T")

_STATUS = {
    # Who asks.
    "no_token": (401, "a token is needed for this"),
    "bad_token": (401, "the token is unknown or has run out"),
    "forbidden": (403, "this is not for you to do"),
    "account_frozen": (403, "an operator has stopped this account"),
    "account_closed": (403, "this account has been deleted"),
    "excluded": (403, "you have asked to be kept from playing until later"),
    "loss_limit": (403, "this stake could take you past the loss you allow yourself in a day"),
    "time_limit": (403, "you have played as long as you allow yourself in a day"),
    "wrong_host": (421, "this server does not answer to that name"),
    "bad_origin": (403, "the request comes from another site"),
    # What is asked for.
    "not_found": (404, "there is nothing here"),
    "no_such_game": (404, "no game has that id"),
    "no_such_room": (404, "there is no such room, or it is not for you to see"),
    "no_such_session": (404, "there is no such session, or it is not yours"),
    "no_longer_kept": (410, "this was over long ago: of it only its number, commitment and seed are kept"),
    "no_such_account": (404, "nobody has that id"),
    "method_not_allowed": (405, "this address takes other methods"),
    # How it is asked.
    "bad_request": (400, "the request cannot be read"),
    "bad_name": (400, "a name is 1 to 32 printable characters"),
    "bad_seed": (400, "a client seed is lower-case hex, up to 64 bytes"),
    "bad_commitment": (400, "to be ready, send the hash of a secret: 32 bytes in lower-case hex"),
    "bad_limits": (400, "limits are whole numbers from 0"),
    "length_required": (411, "say how long the body is, with Content-Length; it is not taken in chunks"),
    "too_large": (413, "the request is larger than allowed"),
    "wrong_type": (415, "requests are application/json"),
    "key_reused": (409, "the same key came with another request"),
    "too_many_requests": (429, "slow down a little"),
    # When it is asked.
    "stale_version": (409, "the match has moved on"),
    "conflict": (409, "somebody was faster: ask again"),
    "room_full": (409, "every seat is taken"),
    "already_seated": (409, "you sit here already"),
    "not_seated": (409, "you have no seat here"),
    "not_open": (409, "the match has begun"),
    "not_started": (409, "the match has not begun"),
    "not_finished": (409, "this is shown when the match is over"),
    "finished": (409, "the match is over"),
    "frozen": (423, "an operator has stopped this for now"),
    "no_undo": (409, "there is nothing to undo that would not show what chance or others hid"),
    "undo_not_asked": (409, "nobody has asked to undo"),
    "no_seed": (409, "ask for a commitment first"),
    "seed_used": (409, "this commitment has been used"),
    "commitment_expired": (409, "this commitment has run out and is opened: ask for another"),
    "too_many_commitments": (409, "you have 20 commitments that are not used: start with one of those"),
    "too_many_rooms": (409, "you have a seat in as many rooms as one may: finish or leave one first"),
    "too_many_sessions": (409, "you have as many sessions open as one may: finish or close one first"),
    "too_many_moves": (409, "this session has had all its moves: close it"),
    "table_changed": (409, "the table was changed after this commitment: ask for another"),
    "seats_opening": (409, "everybody was ready, and the seats are being opened"),
    "not_opening": (409, "the seats are not being opened now"),
    "wrong_secret": (409, "this secret does not open what you sent when you were ready"),
    "no_bots": (422, "no such bot plays this game"),
    "no_coach": (404, "this game has no coach"),
    "no_preview": (404, "this action is not shown beforehand"),
    "no_odds": (404, "this game has no odds"),
    "dice_room": (409, "the dice of this room are everybody's: use its messages"),
    "not_a_dice_room": (409, "the dice of this room are the host's"),
    # What went wrong here.
    "store_unavailable": (503, "nothing can be written now; what was not acknowledged did not happen"),
    "overloaded": (503, "too much is waiting; try again"),
    "shutting_down": (503, "the server is about to stop"),
    "game_fault": (500, "the game broke; the match is as it was"),
    "internal": (500, "something broke here; nothing was changed"),
}
PROBLEMS = MappingProxyType(_STATUS)
"""The status and the usual sentence of every code. A game's own refusals have status 422 and their own codes."""


class Problem(CroupierError):
    """A request is refused. `reason` is the stable code."""

    code = "problem"

    def __init__(self, reason: str, detail: str = "", **extra: Any) -> None:
        self.reason = reason
        self.status, usual = PROBLEMS.get(reason, (422, ""))
        self.detail = detail or usual
        self.extra = extra
        super().__init__(f"{reason}: {self.detail}")

    @classmethod
    def of(cls, code: str, error: str, **extra: Any) -> Problem:
        """Return the rules' no as a problem; it keeps its code, even where the server uses the same one."""
        problem = cls(code, error, **extra)
        problem.status = 422
        return problem

    @property
    def body(self) -> dict[str, Any]:
        """Body of the answer, as problem+json."""
        return {
            "type": "about:blank",
            "title": self.reason.replace("_", " "),
            "status": self.status,
            "code": self.reason,
            "detail": self.detail,
            **self.extra,
        }


def ensure(condition: object, reason: str, detail: str = "", **extra: Any) -> None:
    """Raise `Problem` unless the condition holds."""
    if not condition:
        raise Problem(reason, detail, **extra)


def existing(value: T | None, reason: str, detail: str = "") -> T:
    """Return a value that was looked for, or raise `Problem` if there is none."""
    if value is None:
        raise Problem(reason, detail)
    return value


class KeptRefusal(Struct, frozen=True):
    """A refusal that has changed something, and so is an answer like any other: committed, and given again."""

    problem: Problem
