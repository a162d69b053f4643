"""Requests: one operation, asked for by whichever transport, carried out in one transaction, once under its key.

    a long check, if there is one ─► transaction: token or account ─► role ─► key ─► frozen? ─► the operation
                                  ─► answer kept ─► commit ─► what takes long to work out ─► answer

Requests are idempotent: one that is sent again under its key gets the answer it got. A request that changes something
may carry a key: an `Idempotency-Key`, or the `id` of an action or a frame. The answer is kept under it for a day,
unless the operator says otherwise, with a digest of what was asked, in the same transaction. Whether a request comes
over HTTP or live makes no difference: the digest is over the operation and its arguments. A refusal is not kept, since
it changed nothing, unless it is a `KeptRefusal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.server.operations.accounts import authenticate, hash_of
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.operation import Later, Operation
from croupier.server.operations.operators import FROZEN, is_frozen
from croupier.server.problems import KeptRefusal, Problem, ensure, existing
from croupier.server.running.service import Service, as_problem
from croupier.store.interface import Reads
from croupier.store.model import Reply

HOUR_MS = 3_600_000
KEY = re.compile(r"[!-~]{1,64}")
VERSION_ONLY = 204
"""The status of an answer that holds a version and nothing else: whoever asked is shown the rest by other means."""

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


class Answer(Struct, frozen=True):
    """Answer to a request: JSON, with a status of HTTP, and who it was that asked."""

    status: int
    body: bytes
    account_id: str = ""
    version: int | None = None
    """That of the room or session as it is now, where it is known without reading the body."""


class Request(Struct):
    """An operation that is asked for, with its arguments, by the bearer of a token or over somebody's connection."""

    operation: Operation
    arguments: dict[str, Any]
    token: str | None = None
    account_id: str = ""
    """Account of the live connection it comes over; then there is no token to look at."""
    key: str | None = None
    address: str = ""
    known_as: str = ""
    """Account that the token had when it was last seen, to read that account with others'."""

    @property
    def reads(self) -> Reads:
        """Reads that every operation needs when it is carried out."""
        account_id = self.account_id or self.known_as
        accounts = (account_id,) if account_id else ()
        tokens = (hash_of(self.token),) if self.token and not self.account_id else ()
        rooms = (self.arguments["room_id"],) if "room_id" in self.arguments else ()
        return Reads(accounts, tokens, tuple((one, self.key) for one in accounts if self.key), rooms, (FROZEN,))

    @property
    def is_live(self) -> bool:
        """Whether it comes over a live connection, where a room's followers see it by themselves."""
        return bool(self.account_id)

    @property
    def digest(self) -> str:
        """Digest of what is asked for."""
        return sha256(_encode_sorted((self.operation.name, self.arguments))).hexdigest()


class _Version(Struct, frozen=True):
    """The answer on a live connection, where followers get the rest by broadcast."""

    version: int


async def carry_out(service: Service, asked: Request) -> Answer:
    """Carry a request out and return its answer when what it changed is on disk. Raises `Problem`."""
    operation = asked.operation
    if operation.before is not None:
        caller = await service.look(_authorize, asked)
        await service.work(caller.id, operation.before, **asked.arguments)
    if operation.is_change:
        return await _changed(service, asked)
    answer: Answer | Later[Any] = await service.look(perform, asked)
    if not isinstance(answer, Later):
        return answer
    try:
        found = await service.work(answer.account_id or asked.address, answer)
    except Exception as error:
        raise as_problem(error) from None
    return Answer(operation.status, _encoded(found), answer.account_id)


async def _changed(service: Service, asked: Request) -> Answer:
    try:
        answer: Answer = await service.change(perform, asked)
        return answer
    except Problem:
        if not asked.key or not service.is_shared:
            raise
        kept = await service.look(_answered_elsewhere, asked)
        if kept is None:
            raise
        return kept


def perform(call: Context, asked: Request) -> Any:
    """Carry a request out within a transaction, if whoever asks may, and return an `Answer`, or a `Later` one."""
    operation, arguments = asked.operation, asked.arguments
    caller = _authorize(call, asked)
    account_id = "" if caller.account is None else caller.account.id
    if not operation.is_change:
        found = operation.run(call, caller, arguments)
        if isinstance(found, Later):
            found.account_id = account_id
            return found
        return Answer(operation.status, _encoded(found), account_id)

    def run() -> Any:
        ensure(operation.role == "operator" or not is_frozen(call), "frozen")
        done = operation.run(call, caller, arguments)
        if operation.shown is None or isinstance(done, KeptRefusal):
            return done
        return _Version(done.version) if asked.is_live else operation.show(call, caller, arguments)

    key = None if operation.shows_secret or not account_id else asked.key
    digest = "" if key is None else asked.digest
    status = VERSION_ONLY if asked.is_live and operation.shown is not None else operation.status
    return _as_asked(call, caller, asked, run_once(call, account_id, key, digest, status, run))


def _as_asked(call: Context, caller: Caller, asked: Request, answer: Answer) -> Answer:
    """Return an answer as the transport has it: what was asked live, and again over HTTP, is shown as it is now."""
    if answer.status != VERSION_ONLY or asked.is_live:
        return answer
    shown = asked.operation.show(call, caller, asked.arguments)
    return Answer(asked.operation.status, _encoded(shown), answer.account_id)


def _answered_elsewhere(call: Context, asked: Request) -> Answer | None:
    """Return what another process has answered to a request that was refused here meanwhile; None if nothing.

    Where processes share a database, the same request may come to two of them at the same moment. One waits for what
    the other has locked, and then finds a version or a key taken: by the very thing that it was asked for.
    """
    caller = _authorize(call, asked)
    kept = None if caller.account is None or asked.key is None else call.tx.find_reply(caller.id, asked.key)
    if kept is None or kept.request_digest != asked.digest or _is_old(call, kept):
        return None
    return _as_asked(call, caller, asked, Answer(kept.status, kept.body, caller.id))


def _authorize(call: Context, asked: Request) -> Caller:
    """Return who asks, as they are now, or raise `Problem` if this is not for them."""
    if asked.account_id:
        account = existing(call.tx.get_account(asked.account_id), "account_closed")
        ensure(not account.closed_at, "account_closed")  # since the connection was made
        caller = Caller(account)
    else:
        caller = authenticate(call, asked.token)
    role = asked.operation.role
    ensure(role == "anyone" or caller.account is not None, "no_token")
    if role == "operator" and (caller.account is None or caller.account.role != "operator"):
        raise Problem("forbidden")
    return caller


# Once under a key.


def run_once(
    call: Context, account_id: str, key: str | None, digest: str, status: int, run: Callable[[], Any]
) -> Answer:
    """Run something that may happen once under a key, and return its answer: the kept one, if it has happened."""
    kept = None if key is None else _kept_reply(call, account_id, key, digest)
    if kept is not None:
        return Answer(kept.status, kept.body, account_id)
    found = run()
    if isinstance(found, KeptRefusal):
        status, found = found.problem.status, found.problem.body
    body = _encoded(found)
    if key is not None:
        call.tx.keep_reply(Reply(account_id, key, digest, status, body, call.now))
    return Answer(status, body, account_id, getattr(found, "version", None))


def _kept_reply(call: Context, account_id: str, key: str, digest: str) -> Reply | None:
    """Return what was answered under a key while it was good; raises `Problem` if that was to another request."""
    ensure(KEY.fullmatch(key), "bad_request", "a key is 1 to 64 visible ASCII characters")
    kept = call.tx.find_reply(account_id, key)
    if kept is not None and _is_old(call, kept):
        call.tx.drop_reply(account_id, key)
        return None
    ensure(kept is None or kept.request_digest == digest, "key_reused")
    return kept


def _is_old(call: Context, kept: Reply) -> bool:
    return kept.at <= call.now - call.settings.keep_replies_hours * HOUR_MS


def _encoded(value: Any) -> bytes:
    """Return a value as JSON."""
    return value if isinstance(value, bytes) else _encode(value)
