"""Authorization and idempotency of requests, inside the transaction: who asks, whether they may, whether it is new."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from croupier.server.operations.accounts import authenticate
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.idempotency import OperationResult, reply_of_another, run_once
from croupier.server.operations.operators import is_frozen
from croupier.server.problems import Problem

__all__ = ["RequestData", "Role", "Route", "answer_of_another", "authorize"]

Role = Literal["anyone", "player", "operator"]


class RequestData(Struct, frozen=True):
    """A request that has been read: what it names in its path, its query and its body, each of the route's types."""

    path: Mapping[str, str]
    query: Any = None
    body: Any = None
    token: str | None = None
    key: str | None = None
    digest: str = ""
    share: str = ""
    """What lets somebody see another's session: a header, so that no log of addresses holds it."""

    def number(self, name: str, problem: str) -> int:
        """Return a whole number that the path names; what is none names nothing there is."""
        text = self.path[name]
        if not (text.isascii() and text.isdecimal() and len(text) <= 18):
            raise Problem(problem)
        return int(text)


class Route(Struct, frozen=True, kw_only=True):
    """One thing that can be asked for. What is in no row of the table cannot be."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    """Below the prefix of the API, such as /rooms/{room_id}."""
    name: str
    role: Role
    op: Callable[[Context, Caller, RequestData], Any]
    answer: Any
    """The type of the answer; `bytes` that are JSON already are sent as they are."""
    query: type[Struct] | None = None
    body: type[Struct] | None = None
    status: int = 200
    codes: tuple[str, ...] = ()
    """Problems of its own, besides those that any request of its kind can meet."""
    summary: str
    tag: str
    shows_secret: bool = False
    """Whether the answer shows a token or a key: then it is kept nowhere, and a repetition makes another."""
    before: Callable[[RequestData], None] | None = None
    """What takes too long to do while others wait to write."""
    after: Callable[[Any], Any] | None = None
    """What makes the answer of what was read, where that takes long."""
    takes_share: bool = False
    """Whether it is asked for by somebody's link, whose token comes in a header."""
    is_opening: bool = False
    """Whether it opens an account, of which an address may open only so many."""

    @property
    def is_change(self) -> bool:
        """Whether it changes anything: then it is written, and refused while everything is stopped."""
        return self.method != "GET"


def authorize(call: Context, route: Route, asked: RequestData) -> tuple[Any, str]:
    """Carry out a request if whoever asks may, and return its answer and the id of the account.

    The answer to a request that changes something is an `OperationResult`; one that only looks has what was found.
    """
    caller = authenticate(call, asked.token)
    if route.role != "anyone" and caller.account is None:
        raise Problem("no_token")
    if route.role == "operator" and (caller.account is None or caller.account.role != "operator"):
        raise Problem("forbidden")
    account_id = "" if caller.account is None else caller.account.id
    if not route.is_change:
        return route.op(call, caller, asked), account_id
    if route.role != "operator" and is_frozen(call):
        raise Problem("frozen")
    key = None if route.shows_secret or not account_id else asked.key
    return run_once(
        call, account_id, key, asked.digest, route.status, lambda: route.op(call, caller, asked)
    ), account_id


def answer_of_another(call: Context, asked: RequestData) -> OperationResult | None:
    """Return what another process has answered to the same request, if it has."""
    caller = authenticate(call, asked.token)
    if caller.account is None or not asked.key:
        return None
    kept = reply_of_another(call, caller.account.id, asked.key, asked.digest)
    return None if kept is None else OperationResult(kept.status, kept.body, caller.account.id)
