"""The observer: re-execute a chain from its genesis, and name the first height and key that differ."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from croupier.chain.abci.messages import Commit, FinalizeBlock, Timestamp
from croupier.chain.app import HouseApp, beacon_transaction, init_request
from croupier.chain.errors import ChainMismatch, NodeError
from croupier.chain.node.client import NodeClient
from croupier.chain.queries import Hex, PlainBlock
from croupier.chain.store import ChainStore


class Observed(Struct, frozen=True):
    """Report of an observer: the heights re-executed and found equal."""

    chain_id: str
    height: int
    transactions: int
    app_hash: str


def observe(client: NodeClient, to: int | None = None) -> Observed:
    """Re-execute a chain and compare every app hash and result; raise `ChainMismatch` at the first that differs.

    Every seed is checked against the genesis document's key. That a block was decided by the validators is not: that
    is a light client's work, and needs their signatures. A node that answers in another shape is a `NodeError`.
    """
    count, app = 0, HouseApp(ChainStore())
    try:
        start = client.query("/genesis")
        app.init_chain(init_request(start["chain_id"], bytes.fromhex(msgspec.convert(start["genesis"], Hex))))
        last = client.query("/status")["height"] if to is None else to
        for height in range(1, last + 1):
            block = msgspec.convert(client.query(f"/block/{height}"), PlainBlock)
            if block.height != height:
                raise NodeError(f"asked for block {height}, got {block.height}")
            _execute(app, block)
            count += len(block.txs)
    except (msgspec.ValidationError, KeyError, TypeError, AttributeError) as error:
        raise NodeError(f"{client.url} does not answer as a node does: {error!r}") from None
    return Observed(start["chain_id"], app.state.height, count, app.state.app_hash.hex())


def _execute(app: HouseApp, block: PlainBlock) -> None:
    txs = tuple(bytes.fromhex(data) for data in block.txs)
    first = (beacon_transaction(bytes.fromhex(block.beacon)),) if block.height > 1 else ()
    app.finalize_block(FinalizeBlock((*first, *txs), b"", block.height, Timestamp.of(block.time)))
    app.commit(Commit())
    own = app.store.block(block.height)
    assert own is not None
    results = [(each.code, each.data) for each in own.results]
    rest = "results" if results != [(each.get("code"), each.get("data")) for each in block.results] else "events"
    if rest == "events" and own.app_hash.hex() == block.app_hash:
        return
    keys = sorted({*own.changes, *block.changes})
    key = next((key for key in keys if own.changes.get(key) != block.changes.get(key)), rest)
    what = f"key {key!r}" if key != rest else f"the {rest}"
    raise ChainMismatch(f"block {block.height}: {what} differ from re-execution", block.height, key)
