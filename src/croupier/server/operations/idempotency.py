"""Idempotency keys: a request that is sent again gets the answer it got, and nothing happens twice.

A request that changes something may carry a key. Its response is kept for a day, unless
the operator says otherwise, with a digest of what was asked, in the
same transaction. A refusal is not kept, since it changed nothing, unless it is a `KeptRefusal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.server.operations.context import Context
from croupier.server.problems import KeptRefusal, Problem
from croupier.store.interface import Store
from croupier.store.model import Reply

__all__ = ["OperationResult", "is_shared", "kept_reply", "reply_of_another", "request_digest", "run_once"]

HOUR_MS = 3_600_000
KEY = re.compile(r"[!-~]{1,64}")

_encode = msgspec.json.Encoder().encode


class OperationResult(Struct, frozen=True):
    """What goes back: JSON, and who it was that asked."""

    status: int
    body: bytes
    account_id: str = ""


def request_digest(*parts: bytes) -> str:
    """Return a digest of what a request is about."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def run_once(
    call: Context, account_id: str, key: str | None, digest: str, status: int, run: Callable[[], Any]
) -> OperationResult:
    """Run something that may happen once under a key, and return its answer: the kept one, if it has happened."""
    kept = None if key is None else kept_reply(call, account_id, key, digest)
    if kept is not None:
        return OperationResult(kept.status, kept.body, account_id)
    found = run()
    if isinstance(found, KeptRefusal):
        status, found = found.problem.status, found.problem.body
    body = encoded(found)
    if key is None:
        return OperationResult(status, body, account_id)
    call.tx.keep_reply(Reply(account_id, key, digest, status, body, call.now))
    return OperationResult(status, body, account_id)


def kept_reply(call: Context, account_id: str, key: str, digest: str) -> Reply | None:
    """Return what was answered under a key while it was good; raises `Problem` if that was to another request."""
    if not KEY.fullmatch(key):
        raise Problem("bad_request", "a key is 1 to 64 visible ASCII characters")
    kept = call.tx.find_reply(account_id, key)
    if kept is not None and _is_old(call, kept):
        call.tx.drop_reply(account_id, key)
        return None
    if kept is not None and kept.request_digest != digest:
        raise Problem("key_reused")
    return kept


def reply_of_another(call: Context, account_id: str, key: str, digest: str) -> Reply | None:
    """Return what another process has answered to a request that was refused here meanwhile; None if nothing.

    Where processes share a database, the same request may come to two of them at the same moment. One waits for what
    the other has locked, and then finds a version or a key taken: by the very thing that it was asked for.
    """
    kept = call.tx.find_reply(account_id, key)
    is_same = kept is not None and kept.request_digest == digest and not _is_old(call, kept)
    return kept if is_same else None


def _is_old(call: Context, kept: Reply) -> bool:
    return kept.at <= call.now - call.settings.keep_replies_hours * HOUR_MS


def is_shared(store: Store) -> bool:
    """Tell whether other processes may write into the same database at the same time."""
    backend = getattr(store, "backend", None)
    return backend is not None and not backend.writes_alone


def encoded(value: Any) -> bytes:
    """Return a value as JSON."""
    return value if isinstance(value, bytes) else _encode(value)
