"""Queries about a chain, answered as JSON with proofs.

/status              height, app hash, roots
/value/KEY           a value of the state with its proof, or the proof that there is none
/event/HEIGHT/INDEX  an event with its proof
/events/HEIGHT/FROM  the events of a block, at most a thousand from an index on
/seed/HEIGHT         T and seed of a height
/block/HEIGHT        time, transactions, results and changed keys of a block
/genesis             the chain's id and its genesis document
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from croupier.chain.abci.messages import Query, QueryAnswer
from croupier.chain.beacon import seed_of
from croupier.chain.block import CODES, BlockRecord
from croupier.chain.limits import HEIGHT_MAX, QUERY_EVENTS_MAX, QUERY_PATH_BYTES_MAX
from croupier.chain.merkle import event_proof, prove
from croupier.chain.state import ChainState
from croupier.chain.store import ChainStore
from croupier.engine.plain import canonical

Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]


class PlainBlock(Struct, frozen=True):
    """The answer to `/block`: a block without its events, bytes as hex. An observer reads no other shape."""

    height: int
    time: int
    txs: tuple[Hex, ...]
    beacon: Hex
    app_hash: str
    results: tuple[dict[str, Any], ...]
    changes: dict[str, str]


class _BadQuery(Exception):
    pass


def answer_query(state: ChainState, store: ChainStore, chain_id: str, request: Query) -> QueryAnswer:
    """Return the answer to a query, or why there is none."""
    try:
        return QueryAnswer(value=_answer(state, store, chain_id, request.path), height=state.height)
    except _BadQuery as error:
        return QueryAnswer(code=CODES["bad_query"], log=str(error), height=state.height)


def _answer(state: ChainState, store: ChainStore, chain_id: str, path: str) -> bytes:
    if len(path) > QUERY_PATH_BYTES_MAX:
        raise _BadQuery(f"a path of {len(path)} characters; at most {QUERY_PATH_BYTES_MAX}")
    _, _, rest = path.partition("/")
    kind, _, argument = rest.partition("/")
    match kind:
        case "status":
            return canonical({"chain_id": chain_id, **_roots(state, store)})
        case "value":
            data = state.raw.get(argument)
            value = None if data is None else msgspec.Raw(data)
            return canonical({"value": value, "proof": prove(state.tree, argument), **_roots(state, store)})
        case "seed":
            following = _block(store, _number(argument) + 1)
            if not following.beacon:
                raise _BadQuery("the first height that has a seed is 1")
            return canonical({"signature": following.beacon.hex(), "seed": seed_of(following.beacon).hex()})
        case "block":
            return _plain(_block(store, _number(argument)))
        case "genesis":
            start = store.start()
            return canonical({"chain_id": chain_id, "genesis": start.genesis.hex() if start else ""})
        case "event" | "events":
            height, _, index = argument.partition("/")
            return _events(_block(store, _number(height)), _number(index or "0"), one=kind == "event")
    raise _BadQuery(f"there is no query {path!r}")


def _roots(state: ChainState, store: ChainStore) -> dict[str, Any]:
    last = store.block(state.height)
    events = "" if last is None else last.events_root.hex()
    roots = {"state_root": state.root.hex(), "events_root": events}
    return {"height": state.height, "app_hash": state.app_hash.hex(), **roots}


def _block(store: ChainStore, height: int) -> BlockRecord:
    found = store.block(height)
    if found is None:
        raise _BadQuery(f"there is no block {height} here yet")
    return found


def _plain(record: BlockRecord) -> bytes:
    results = tuple({"code": each.code, "message": each.message, "data": each.data} for each in record.results)
    txs, hashes = tuple(data.hex() for data in record.txs), (record.beacon.hex(), record.app_hash.hex())
    return canonical(PlainBlock(record.height, record.time, txs, *hashes, results, record.changes))


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 19 or int(text) >= HEIGHT_MAX:
        raise _BadQuery(f"{text[:40]!r} is no number")
    return int(text)


def _events(record: BlockRecord, index: int, *, one: bool) -> bytes:
    if one:
        if index >= len(record.events):
            raise _BadQuery(f"block {record.height} has {len(record.events)} events")
        roots = {"state_root": record.state_root.hex(), "events_root": record.events_root.hex()}
        proof = event_proof(record.events, index)
        return canonical({"event": msgspec.Raw(record.events[index]), "proof": proof, "height": record.height, **roots})
    shown = [msgspec.Raw(event) for event in record.events[index : index + QUERY_EVENTS_MAX]]
    return canonical({"height": record.height, "count": len(record.events), "events": shown})
