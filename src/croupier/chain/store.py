"""Storage of a node's chain: one SQLite file, or SQLite in memory, written at Commit and at no other time.

A block's changes, its transactions, events and results go into one transaction of the database, so after a crash the
file holds the state after some block, whole. The Merkle tree is made again from the values when a node starts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.chain.block import BlockRecord
from croupier.chain.errors import ChainFault


class Start(Struct, frozen=True):
    """Start of a chain: its id and the bytes of its genesis document."""

    chain_id: str
    genesis: bytes


_SCHEMA = """
CREATE TABLE IF NOT EXISTS start (one INTEGER PRIMARY KEY CHECK (one = 1), chain_id TEXT, genesis BLOB);
CREATE TABLE IF NOT EXISTS value (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS block (height INTEGER PRIMARY KEY, data BLOB NOT NULL);
"""
_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(BlockRecord).decode


class ChainStore:
    """A chain in one SQLite file, which one process holds for itself; without a path, in memory alone."""

    def __init__(self, path: Path | str = ":memory:") -> None:
        # No waiting for a lock: another node that holds the file will not let go of it.
        self._database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(_SCHEMA)
            self._height: int = self._database.execute("SELECT coalesce(max(height), 0) FROM block").fetchone()[0]
        except sqlite3.Error as error:
            self._database.close()
            raise ChainFault(f"{path} cannot be opened: {error}") from None

    def start(self) -> Start | None:
        """Return what the chain began with, if it did."""
        row = self._database.execute("SELECT chain_id, genesis FROM start").fetchone()
        return None if row is None else Start(*row)

    def begin(self, start: Start, values: Mapping[str, bytes]) -> None:
        """Begin a chain, or begin it again before its first block."""
        if self._height:
            raise ChainFault(f"there is a chain here already, at block {self._height}")
        with self._database as database:  # commits, or rolls back if something is raised
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM start")
            database.execute("DELETE FROM value")
            database.execute("INSERT INTO start VALUES (1, ?, ?)", (start.chain_id, start.genesis))
            database.executemany("INSERT INTO value VALUES (?, ?)", values.items())

    def height(self) -> int:
        """Return the last durable height."""
        return self._height

    def values(self) -> dict[str, bytes]:
        """Return all values at that height."""
        return dict(self._database.execute("SELECT key, data FROM value"))

    def block(self, height: int) -> BlockRecord | None:
        """Return a block."""
        row = self._database.execute("SELECT data FROM block WHERE height = ?", (height,)).fetchone()
        return None if row is None else _decode(row[0])

    def commit(self, record: BlockRecord, values: Mapping[str, bytes]) -> None:
        """Make a block and the values it changed durable, both or neither."""
        if record.height != self._height + 1:
            raise ChainFault(f"block {record.height} cannot be kept after block {self._height}")
        with self._database as database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT OR REPLACE INTO value VALUES (?, ?)", values.items())
            database.execute("INSERT INTO block VALUES (?, ?)", (record.height, _encode(record)))
        self._height = record.height

    def close(self) -> None:
        """Close the file."""
        self._database.close()
