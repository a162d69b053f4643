"""The door that every request goes through, inside the transaction: who asks, whether they may, and whether it is new.

A request that changes something may carry a key. Its answer is kept for a day with what it was about, in the same
transaction: whoever sends it again gets that answer, and nothing happens twice. A refusal is not kept, since it changed
nothing, unless it is a `KeptRefusal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.server.accounts import authenticate
from croupier.server.desk import Call, Caller
from croupier.server.operators import is_frozen
from croupier.server.problems import KeptRefusal, Problem
from croupier.store.interface import Store
from croupier.store.model import Reply

__all__ = [
    "REPLIES_MS",
    "Answer",
    "Asked",
    "Role",
    "Route",
    "admit",
    "answer_of_another",
    "is_shared",
    "kept_reply",
    "once",
    "reply_of_another",
    "request_digest",
]

REPLIES_MS = 86_400_000
KEY = re.compile(r"[!-~]{1,64}")

Role = Literal["anyone", "player", "operator"]

_encode = msgspec.json.Encoder().encode


class Asked(Struct, frozen=True):
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


class Answer(Struct, frozen=True):
    """What goes back: JSON, and who it was that asked."""

    status: int
    body: bytes
    account_id: str = ""


class Route(Struct, frozen=True, kw_only=True):
    """One thing that can be asked for. What is in no row of the table cannot be."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    """Below the prefix of the API, such as /rooms/{room_id}."""
    name: str
    role: Role
    op: Callable[[Call, Caller, Asked], Any]
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
    before: Callable[[Asked], None] | None = None
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


def request_digest(*parts: bytes) -> str:
    """Return a digest of what a request is about."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def admit(call: Call, route: Route, asked: Asked) -> tuple[Any, str]:
    """Carry out a request if whoever asks may, and return its answer and the id of the account.

    The answer to a request that changes something is an `Answer`; one that only looks has what was found.
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
    return once(call, account_id, key, asked.digest, route.status, lambda: route.op(call, caller, asked)), account_id


def answer_of_another(call: Call, asked: Asked) -> Answer | None:
    """Return what another process has answered to the same request, if it has."""
    caller = authenticate(call, asked.token)
    if caller.account is None or not asked.key:
        return None
    kept = reply_of_another(call, caller.account.id, asked.key, asked.digest)
    return None if kept is None else Answer(kept.status, kept.body, caller.account.id)


def once(call: Call, account_id: str, key: str | None, digest: str, status: int, run: Callable[[], Any]) -> Answer:
    """Run something that may happen once under a key, and return its answer: the kept one, if it has happened."""
    kept = None if key is None else kept_reply(call, account_id, key, digest)
    if kept is not None:
        return Answer(kept.status, kept.body, account_id)
    found = run()
    if isinstance(found, KeptRefusal):
        status, found = found.problem.status, found.problem.body
    body = encoded(found)
    if key is None:
        return Answer(status, body, account_id)
    call.tx.keep_reply(Reply(account_id, key, digest, status, body, call.now))
    return Answer(status, body, account_id)


def kept_reply(call: Call, account_id: str, key: str, digest: str) -> Reply | None:
    """Return what was answered under a key within a day; raises `Problem` if that was to another request."""
    if not KEY.fullmatch(key):
        raise Problem("bad_request", "a key is 1 to 64 visible ASCII characters")
    kept = call.tx.find_reply(account_id, key)
    if kept is not None and kept.at <= call.now - REPLIES_MS:
        call.tx.forget_replies(call.now - REPLIES_MS + 1)
        return None
    if kept is not None and kept.request_digest != digest:
        raise Problem("key_reused")
    return kept


def reply_of_another(call: Call, account_id: str, key: str, digest: str) -> Reply | None:
    """Return what another process has answered to a request that was refused here meanwhile; None if nothing.

    Where processes share a database, the same request may come to two of them at the same moment. One waits for what
    the other has locked, and then finds a version or a key taken: by the very thing that it was asked for.
    """
    kept = call.tx.find_reply(account_id, key)
    is_same = kept is not None and kept.request_digest == digest and kept.at > call.now - REPLIES_MS
    return kept if is_same else None


def is_shared(store: Store) -> bool:
    """Tell whether other processes may write into the same database at the same time."""
    backend = getattr(store, "backend", None)
    return backend is not None and not backend.writes_alone


def encoded(value: Any) -> bytes:
    """Return a value as JSON."""
    return value if isinstance(value, bytes) else _encode(value)
