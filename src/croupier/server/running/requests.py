"""Requests: one operation, asked for by whichever transport, carried out in one transaction, once under its key.

a long check, if there is one ─► transaction: token or account ─► role ─► key ─► frozen? ─► the operation ─► answer kept
                              ─► commit ─► what takes long to work out ─► answer
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.server.operations.accounts import authenticate, hash_of
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.operation import Later, Operation
from croupier.server.operations.operators import FROZEN, is_frozen
from croupier.server.problems import KeptRefusal, Problem
from croupier.server.running.idempotency import VERSION_ONLY, Answer, digest_of, encoded, reply_of_another, run_once
from croupier.server.running.service import Service, as_problem
from croupier.store.interface import Reads


class Request(Struct):
    """An operation that is asked for, with its arguments, by the bearer of a token or over somebody's connection."""

    operation: Operation
    arguments: dict[str, Any]
    token: str | None = None
    account_id: str = ""
    """Whose live connection it comes over; then there is no token to look at."""
    key: str | None = None
    address: str = ""
    known_as: str = ""
    """Whose the token was when it was last seen, to read their account with others'."""

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


class _Version(Struct, frozen=True):
    """What is answered where the rest is shown by other means."""

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
    return Answer(operation.status, encoded(found), answer.account_id)


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
        return Answer(operation.status, encoded(found), account_id)

    def run() -> Any:
        if operation.role != "operator" and is_frozen(call):
            raise Problem("frozen")
        done = operation.run(call, caller, arguments)
        if operation.shown is None or isinstance(done, KeptRefusal):
            return done
        return _Version(done.version) if asked.is_live else operation.show(call, caller, arguments)

    key = None if operation.shows_secret or not account_id else asked.key
    digest = "" if key is None else digest_of(operation.name, arguments)
    status = VERSION_ONLY if asked.is_live and operation.shown is not None else operation.status
    return _as_asked(call, caller, asked, run_once(call, account_id, key, digest, status, run))


def _as_asked(call: Context, caller: Caller, asked: Request, answer: Answer) -> Answer:
    """Return an answer as the transport has it: what was asked live, and again over HTTP, is shown as it is now."""
    if answer.status != VERSION_ONLY or asked.is_live:
        return answer
    shown = asked.operation.show(call, caller, asked.arguments)
    return Answer(asked.operation.status, encoded(shown), answer.account_id)


def _answered_elsewhere(call: Context, asked: Request) -> Answer | None:
    caller = _authorize(call, asked)
    if caller.account is None or asked.key is None:
        return None
    kept = reply_of_another(call, caller.id, asked.key, digest_of(asked.operation.name, asked.arguments))
    return None if kept is None else _as_asked(call, caller, asked, kept)


def _authorize(call: Context, asked: Request) -> Caller:
    """Return who asks, as they are now, or raise `Problem` if this is not for them."""
    if asked.account_id:
        account = call.tx.get_account(asked.account_id)
        if account is None or account.closed_at:  # since the connection was made
            raise Problem("account_closed")
        caller = Caller(account)
    else:
        caller = authenticate(call, asked.token)
    role = asked.operation.role
    if role != "anyone" and caller.account is None:
        raise Problem("no_token")
    if role == "operator" and (caller.account is None or caller.account.role != "operator"):
        raise Problem("forbidden")
    return caller
