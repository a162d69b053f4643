"""Where a node keeps its chain: in memory, or in one SQLite file that is written at Commit and at no other time.

A block's changes, its transactions, events and results go into one transaction of the database, so after a crash the
file holds the state after some block, whole. The Merkle tree is made again from the values when a node starts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from croupier.chain.block import BlockResult, Result
from croupier.chain.errors import ChainFault
from croupier.engine.plain import canonical

__all__ = ["BlockRecord", "ChainStore", "MemoryChain", "SqliteChain", "Start", "record_of"]


class Start(Struct, frozen=True):
    """What a chain began with: its id and the bytes of its genesis document."""

    chain_id: str
    genesis: bytes


class BlockRecord(Struct, frozen=True):
    """A block as a node keeps it. `changes` has the SHA-256 of each value that the block changed, by key."""

    height: int
    time: int
    txs: tuple[bytes, ...]
    app_hash: bytes
    state_root: bytes
    events_root: bytes
    events: tuple[bytes, ...]
    results: tuple[Result, ...]
    changes: dict[str, str]
    beacon: bytes = b""
    """T(height - 1); nothing at the first block."""


def record_of(result: BlockResult, txs: tuple[bytes, ...], beacon: bytes, time: int) -> BlockRecord:
    """Return the record of a block that has been carried out. `txs` are those without the beacon's."""
    return BlockRecord(
        result.height,
        time,
        txs,
        result.app_hash,
        result.state_root,
        result.events_root,
        result.events,
        result.results,
        {key: sha256(data).hexdigest() for key, data in sorted(result.state.encoded.items())},
        beacon,
    )


class ChainStore(Protocol):
    """Where blocks and values are kept."""

    def start(self) -> Start | None:
        """Return what the chain began with, if it did."""

    def begin(self, start: Start, values: Mapping[str, bytes]) -> None:
        """Begin a chain, or begin it again before its first block."""

    def height(self) -> int:
        """Return the last durable height."""

    def values(self) -> dict[str, bytes]:
        """Return all values at that height."""

    def block(self, height: int) -> BlockRecord | None:
        """Return a block."""

    def commit(self, record: BlockRecord, values: Mapping[str, bytes]) -> None:
        """Make a block and the values it changed durable, both or neither."""

    def close(self) -> None:
        """Let go of files."""


def _check_next(height: int, record: BlockRecord) -> None:
    if record.height != height + 1:
        raise ChainFault(f"block {record.height} cannot be kept after block {height}")


class MemoryChain:
    """A chain that is gone with its process."""

    def __init__(self) -> None:
        self._start: Start | None = None
        self._values: dict[str, bytes] = {}
        self._blocks: dict[int, BlockRecord] = {}

    def start(self) -> Start | None:
        """Return what the chain began with, if it did."""
        return self._start

    def begin(self, start: Start, values: Mapping[str, bytes]) -> None:
        """Begin a chain."""
        self._start, self._values, self._blocks = start, dict(values), {}

    def height(self) -> int:
        """Return the last height."""
        return len(self._blocks)

    def values(self) -> dict[str, bytes]:
        """Return all values at that height."""
        return dict(self._values)

    def block(self, height: int) -> BlockRecord | None:
        """Return a block."""
        return self._blocks.get(height)

    def commit(self, record: BlockRecord, values: Mapping[str, bytes]) -> None:
        """Keep a block and the values it changed."""
        _check_next(self.height(), record)
        self._values.update(values)
        self._blocks[record.height] = record

    def close(self) -> None:
        """Nothing is open."""


_SCHEMA = """
CREATE TABLE IF NOT EXISTS start (one INTEGER PRIMARY KEY CHECK (one = 1), chain_id TEXT, genesis BLOB);
CREATE TABLE IF NOT EXISTS value (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS block (height INTEGER PRIMARY KEY, data BLOB NOT NULL);
"""
_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(BlockRecord).decode


class SqliteChain:
    """A chain in one SQLite file, which one process holds for itself."""

    def __init__(self, path: Path | str) -> None:
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(_SCHEMA)
            self._height = self._ask("SELECT coalesce(max(height), 0) FROM block")[0]
        except sqlite3.Error as error:
            self._database.close()
            raise ChainFault(f"{path} cannot be opened: {error}") from None

    def _ask(self, statement: str, *values: object) -> tuple[int, ...]:
        row: tuple[int, ...] = self._database.execute(statement, values).fetchone()
        return row

    def start(self) -> Start | None:
        """Return what the chain began with, if it did."""
        row = self._database.execute("SELECT chain_id, genesis FROM start").fetchone()
        return None if row is None else Start(*row)

    def begin(self, start: Start, values: Mapping[str, bytes]) -> None:
        """Begin a chain, or begin it again before its first block."""
        if self._height:
            raise ChainFault(f"there is a chain here already, at block {self._height}")
        with self._transaction() as database:
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
        _check_next(self._height, record)
        with self._transaction() as database:
            database.executemany("INSERT OR REPLACE INTO value VALUES (?, ?)", values.items())
            database.execute("INSERT INTO block VALUES (?, ?)", (record.height, _encode(record)))
        self._height = record.height

    def _transaction(self) -> _Transaction:
        return _Transaction(self._database)

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class _Transaction:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> sqlite3.Connection:
        self._database.execute("BEGIN IMMEDIATE")
        return self._database

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._database.execute("COMMIT" if kind is None else "ROLLBACK")


def plain_block(record: BlockRecord) -> bytes:
    """Return a block as canonical JSON without its events: what an observer asks for."""
    return canonical(
        {
            "height": record.height,
            "time": record.time,
            "txs": [data.hex() for data in record.txs],
            "beacon": record.beacon.hex(),
            "app_hash": record.app_hash.hex(),
            "results": [{"code": each.code, "message": each.message, "data": each.data} for each in record.results],
            "changes": record.changes,
        }
    )
