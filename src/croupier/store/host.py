"""The host's signing key: what receipts and the log of versions are signed with. It belongs to the database."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import Struct

from croupier.store.transaction import Transaction

HOST = "host_key"
"""The setting that holds it."""


class Host(Struct, frozen=True):
    """A key pair for Ed25519, in hex. The secret stays in the database."""

    key: str
    secret: str

    def __repr__(self) -> str:
        return f"<Host {self.key[:16]}…>"  # a log line must not sign for it


def find_host(transaction: Transaction) -> Host | None:
    """Return the host's key; None in a database that has not been served yet."""
    data = transaction.get_setting(HOST)
    return None if data is None else _host(data)


_host = lru_cache(maxsize=4)(msgspec.json.Decoder(Host).decode)


def put_host(transaction: Transaction, host: Host) -> None:
    """Keep the host's key."""
    transaction.put_setting(HOST, msgspec.json.encode(host))
