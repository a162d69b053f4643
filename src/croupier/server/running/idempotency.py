"""Idempotent requests: one that is sent again under its key gets the answer it got, and nothing happens twice.

A request that changes something may carry a key: an `Idempotency-Key`, or the `id` of an action or a frame. The answer
is kept under it for a day, unless the operator says otherwise, with a digest of what was asked, in the same
transaction. Whether a request comes over HTTP or live makes no difference: the digest is over the operation and its
arguments. A refusal is not kept, since it changed nothing, unless it is a `KeptRefusal`.
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


def digest_of(name: str, arguments: dict[str, Any]) -> str:
    """Return a digest of what is asked for."""
    return sha256(_encode_sorted((name, arguments))).hexdigest()


def run_once(
    call: Context, account_id: str, key: str | None, digest: str, status: int, run: Callable[[], Any]
) -> Answer:
    """Run something that may happen once under a key, and return its answer: the kept one, if it has happened."""
    kept = None if key is None else kept_reply(call, account_id, key, digest)
    if kept is not None:
        return Answer(kept.status, kept.body, account_id)
    found = run()
    if isinstance(found, KeptRefusal):
        status, found = found.problem.status, found.problem.body
    body = encoded(found)
    if key is not None:
        call.tx.keep_reply(Reply(account_id, key, digest, status, body, call.now))
    return Answer(status, body, account_id, getattr(found, "version", None))


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


def reply_of_another(call: Context, account_id: str, key: str, digest: str) -> Answer | None:
    """Return what another process has answered to a request that was refused here meanwhile; None if nothing.

    Where processes share a database, the same request may come to two of them at the same moment. One waits for what
    the other has locked, and then finds a version or a key taken: by the very thing that it was asked for.
    """
    kept = call.tx.find_reply(account_id, key)
    is_same = kept is not None and kept.request_digest == digest and not _is_old(call, kept)
    return Answer(kept.status, kept.body, account_id) if kept is not None and is_same else None


def _is_old(call: Context, kept: Reply) -> bool:
    return kept.at <= call.now - call.settings.keep_replies_hours * HOUR_MS


def encoded(value: Any) -> bytes:
    """Return a value as JSON."""
    return value if isinstance(value, bytes) else _encode(value)
