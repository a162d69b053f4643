"""The log of versions: which rules and tables a host offers, in a hash chain that can only grow.

Every entry is hashed together with the head before it, and the newest head is signed. A commitment names the head of
its moment, so what was played is what stood in the log by then. Whoever keeps a head can check that a later one extends
it; two signed heads of one number prove that the host shows different logs to different people.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.errors import BadDocument
from croupier.fairness.seeds import join, u64

LOG = b"croupier/log/1"
LOG_HEAD = b"croupier/log-head/1"
TABLE = b"croupier/table/1"

Kind = Literal["rules", "table", "constants"]

_encode = msgspec.json.Encoder(order="sorted").encode


class VersionEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the log. `at` is the host's time in milliseconds; `body` says what holds from here on."""

    n: int
    at: int
    kind: Kind
    body: dict[str, Any]


class LogHead(Struct, frozen=True):
    """Head of a log: how many entries, and the hash over all of them, in hex."""

    host_key: str
    n: int
    head: str


def first_head(host_key: bytes) -> bytes:
    """Return the head of a log without entries."""
    return sha256(join(LOG, host_key)).digest()


def extend_head(head: bytes, entry: VersionEntry) -> bytes:
    """Return the head after one more entry, which is hashed as canonical JSON."""
    return sha256(join(LOG, head, _encode(entry))).digest()


def head_message(n: int, head: bytes) -> bytes:
    """Return what a host signs about its log."""
    return join(LOG_HEAD) + u64(n) + join(head)


def digest_of_table(body: dict[str, Any]) -> bytes:
    """Return the digest of a table from everything that was announced about it."""
    return sha256(join(TABLE, _encode(body))).digest()


def follow(known: LogHead, entries: Iterable[VersionEntry]) -> LogHead:
    """Return the head after the entries that a host has shown, or raise `BadDocument` where they leave a gap."""
    n, head = known.n, bytes.fromhex(known.head)
    for entry in entries:
        if entry.n != n + 1:
            raise BadDocument(f"the log of versions goes from entry {n} to entry {entry.n}")
        n, head = entry.n, extend_head(head, entry)
    return LogHead(known.host_key, n, head.hex())
