"""Bounds: each constant of the page is kept where something is decoded, seen one step beyond it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.chain import limits
from croupier.chain.abci.messages import ACCEPT, REJECT, PrepareProposal, Query, QueryAnswer
from croupier.chain.block import CODES
from croupier.chain.errors import BadGenesis, BadProof
from croupier.chain.genesis import default_params, read_genesis, read_params
from croupier.chain.merkle import EventProof, StateProof, read_proof
from croupier.chain.transactions import ApproveUpgrade, sign_transaction
from croupier.engine.plain import canonical
from croupier.house import GameMove, Register
from tests.unit.chain.test_app import ask, judged, make_app, step
from tests.unit.chain.test_transactions import refusal
from tests.unit.chain.world import CHAIN, World, genesis, genesis_bytes, sender

GENESIS, PARAMS = genesis(), default_params()
SIBLING = "0" * 64


def refused(body: Any) -> str:
    return refusal(sign_transaction(sender("ann"), CHAIN, 0, body))


def fared(body: Any, name: str = "ann") -> str:
    world = World()
    world.register("ann")
    return world.block(world.tx(name, body)).results[0].reason


def bad_genesis(**changes: Any) -> None:
    refused_genesis("of length <=", canonical(replace(GENESIS, **changes)))


def refused_genesis(why: str, data: bytes, chain_id: str = CHAIN) -> None:
    with pytest.raises(BadGenesis, match=why):
        read_genesis(data, chain_id)


def bad_params(**changes: Any) -> None:
    with pytest.raises(BadGenesis, match="<="):
        read_params(canonical(replace(PARAMS, **changes)))


def bad_proof(kind: Any, data: bytes) -> None:
    with pytest.raises(BadProof):
        read_proof(data, kind)


def query(path: str) -> QueryAnswer:
    return make_app().query(Query(path=path))


def query_events() -> None:
    app = make_app()
    step(app, *(sign_transaction(sender(name), CHAIN, 0, Register("x")) for name in range(limits.QUERY_EVENTS_MAX)))
    page: dict[str, Any] = ask(app, "/events/1/0")
    assert len(page["events"]) == limits.QUERY_EVENTS_MAX < page["count"]


def block_bytes() -> None:
    app, size = make_app(), limits.UPGRADE_BYTES_MAX - 200
    txs = tuple(sign_transaction(sender(i), CHAIN, 0, ApproveUpgrade(1, bytes(size))) for i in range(33))
    assert sum(map(len, txs)) > limits.BLOCK_BYTES_MAX
    assert judged(app, *txs, height=1) == REJECT
    assert judged(app, *txs[:31], height=1) == ACCEPT


def block_transactions() -> None:
    bad_params(transactions_max=limits.TRANSACTIONS_MAX + 1)
    app = make_app()
    app.state._values["params"] = replace(PARAMS, transactions_max=3)
    txs = tuple(sign_transaction(sender(i), CHAIN, 0, Register("x")) for i in range(4))
    assert app.prepare_proposal(PrepareProposal(limits.BLOCK_BYTES_MAX, txs, None, 1)).txs == txs[:3]
    assert judged(app, *txs, height=1) == REJECT


def settled_after() -> None:
    world = World()
    world.register("ann")
    result = world.block(world.tx("ann", GameMove(1, b"")))
    assert result.results[0].data["settled_at"] == result.height + limits.SETTLED_AFTER


KEPT: dict[str, Callable[[], Any]] = {
    "CHAIN_ID_BYTES_MAX": lambda: refused_genesis("chain id", genesis_bytes(), "x" * (limits.CHAIN_ID_BYTES_MAX + 1)),
    "VALIDATORS_MAX": lambda: bad_genesis(validators=GENESIS.validators * 17),
    "OPERATORS_MAX": lambda: bad_genesis(operators=tuple(sender(i).id for i in range(limits.OPERATORS_MAX + 1))),
    "TABLES_MAX": lambda: bad_params(
        tables=tuple(replace(PARAMS.tables[0], id=i) for i in range(limits.TABLES_MAX + 1))
    ),
    "TRANSACTION_BYTES_MAX": lambda: refusal(bytes(limits.TRANSACTION_BYTES_MAX + 1)) == "too_large",
    "UPGRADE_BYTES_MAX": lambda: refused(ApproveUpgrade(1, bytes(limits.UPGRADE_BYTES_MAX))) == "too_large",
    "NAME_BYTES_MAX": lambda: refused(Register("x" * (limits.NAME_BYTES_MAX + 1))) == "too_large",
    "PAYLOAD_BYTES_MAX": lambda: refused(GameMove(1, bytes(limits.PAYLOAD_BYTES_MAX + 1))) == "too_large",
    "NONCE_WINDOW": lambda: (
        World().state.get(f"account/{sender('operator 0').id}").with_nonce(limits.NONCE_WINDOW) is None
    ),
    "TRANSACTIONS_MAX": block_transactions,
    "TRANSACTIONS_PER_ACCOUNT_MAX": lambda: bad_params(
        transactions_per_account_max=limits.TRANSACTIONS_PER_ACCOUNT_MAX + 1
    ),
    "BLOCK_BYTES_MAX": block_bytes,
    "UPGRADE_NOTICE_MIN": lambda: (
        fared(ApproveUpgrade(1 + limits.UPGRADE_NOTICE_MIN, canonical(PARAMS)), "operator 0") == "bad_upgrade"
    ),
    "UPGRADE_NOTICE_MAX": lambda: (
        fared(ApproveUpgrade(3 + limits.UPGRADE_NOTICE_MAX, canonical(PARAMS)), "operator 0") == "bad_upgrade"
    ),
    "SETTLED_AFTER": settled_after,
    "STATE_PROOF_DEPTH_MAX": lambda: bad_proof(
        StateProof, canonical({"siblings": [15 * SIBLING] * (limits.STATE_PROOF_DEPTH_MAX + 1)})
    ),
    "EVENT_PROOF_DEPTH_MAX": lambda: bad_proof(
        EventProof, canonical({"index": 0, "count": 2, "siblings": [SIBLING] * (limits.EVENT_PROOF_DEPTH_MAX + 1)})
    ),
    "PROOF_BYTES_MAX": lambda: bad_proof(StateProof, b'{"siblings":[]}' + b" " * limits.PROOF_BYTES_MAX),
    "QUERY_PATH_BYTES_MAX": lambda: query("/value/" + "x" * limits.QUERY_PATH_BYTES_MAX).code == CODES["bad_query"],
    "QUERY_EVENTS_MAX": query_events,
    "GENESIS_BYTES_MAX": lambda: refused_genesis("at most", genesis_bytes() + b" " * limits.GENESIS_BYTES_MAX),
    "HEIGHT_MAX": lambda: "no number" in query(f"/block/{limits.HEIGHT_MAX}").log,
}


@pytest.mark.parametrize("name", [name for name in vars(limits) if name.isupper()])
def test_one_step_beyond_a_bound_is_refused(name):
    assert KEPT[name]() is not False


def test_documents_within_the_bounds_are_taken():
    """The cases above break one bound each of documents that are good as they are."""
    assert read_genesis(genesis_bytes(), CHAIN) == GENESIS
    assert read_params(canonical(PARAMS)) == PARAMS
    deepest = StateProof((15 * SIBLING,) * limits.STATE_PROOF_DEPTH_MAX)
    assert read_proof(canonical(deepest), StateProof) == deepest
    event = EventProof(0, 2, (SIBLING,))
    assert read_proof(canonical(event), EventProof) == event
    assert fared(ApproveUpgrade(2 + limits.UPGRADE_NOTICE_MIN, canonical(PARAMS)), "operator 0") == "ok"
