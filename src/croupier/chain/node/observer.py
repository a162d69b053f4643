"""The observer: re-execute a chain from its genesis, and name the first height and key that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from msgspec import Struct

from croupier.chain.abci.messages import (
    Commit,
    FinalizeBlock,
    InitChain,
    PublicKey,
    Timestamp,
    ValidatorUpdate,
)
from croupier.chain.app import HouseApp, beacon_transaction
from croupier.chain.errors import ChainMismatch, NodeError
from croupier.chain.genesis import read_genesis
from croupier.chain.store import MemoryChain

__all__ = ["Observed", "observe"]


class Observed(Struct, frozen=True):
    """What was re-executed and found equal."""

    chain_id: str
    height: int
    transactions: int
    app_hash: str


class Source(Protocol):
    """Where blocks come from: a node's client."""

    def query(self, path: str) -> Any:
        """Return the application's answer to a query."""


def observe(source: Source, to: int | None = None) -> Observed:
    """Re-execute a chain and compare every app hash; raise `ChainMismatch` at the first that differs.

    Every seed is checked against the genesis document's key. That a block was decided by the validators is not: that
    is a light client's work, and needs their signatures.
    """
    start = source.query("/genesis")
    genesis_bytes = bytes.fromhex(start["genesis"])
    genesis = read_genesis(genesis_bytes, start["chain_id"])
    app = HouseApp(MemoryChain())
    votes = tuple(ValidatorUpdate(PublicKey(bytes.fromhex(each.vote_key)), 1) for each in genesis.validators)
    app.init_chain(InitChain(Timestamp(), start["chain_id"], votes, genesis_bytes, 1))
    last = source.query("/status")["height"] if to is None else to
    count = 0
    for block in _blocks(source, last):
        _execute(app, block)
        count += len(block["txs"])
    return Observed(start["chain_id"], app.state.height, count, app.state.app_hash.hex())


def _blocks(source: Source, last: int) -> Iterator[Any]:
    for height in range(1, last + 1):
        block = source.query(f"/block/{height}")
        if block["height"] != height:
            raise NodeError(f"asked for block {height}, got {block['height']}")
        yield block


def _execute(app: HouseApp, block: Any) -> None:
    txs = tuple(bytes.fromhex(data) for data in block["txs"])
    if block["height"] > 1:
        txs = (beacon_transaction(bytes.fromhex(block["beacon"])), *txs)
    time = Timestamp(block["time"] // 1000, block["time"] % 1000 * 1_000_000)
    app.finalize_block(FinalizeBlock(txs, b"", block["height"], time))
    app.commit(Commit())
    own = app.store.block(block["height"])
    assert own is not None
    if own.app_hash.hex() == block["app_hash"]:
        return
    theirs = block["changes"]
    keys = sorted(set(own.changes) | set(theirs))
    key = next((key for key in keys if own.changes.get(key) != theirs.get(key)), "events")
    what = f"key {key!r}" if key != "events" else "the events"
    raise ChainMismatch(f"block {block['height']}: {what} differ from re-execution", block["height"], key)
