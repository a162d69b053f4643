"""The application: genesis, proposals, shares, durability and queries, each refusal seen."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier.chain import beacon
from croupier.chain.abci import messages as abci
from croupier.chain.app import HouseApp, beacon_transaction
from croupier.chain.block import CODES, app_hash_of, apply_block
from croupier.chain.errors import BadGenesis, ChainFault
from croupier.chain.genesis import read_genesis
from croupier.chain.limits import TRANSACTIONS_PER_ACCOUNT_MAX
from croupier.chain.merkle import EventProof, StateProof, read_proof, verify_event, verify_value
from croupier.chain.state import genesis_state
from croupier.chain.store import ChainStore
from croupier.chain.transactions import sign_transaction
from croupier.engine.plain import canonical
from croupier.house import PlayerAction, Register, StartGame
from tests.unit.chain.oracle import slow_app_hash
from tests.unit.chain.world import CHAIN, World, genesis, genesis_bytes, keys, red, sender

SECRETS = keys()[1]
ADDRESSES = [each.address for each in genesis().validators]


def init(data: bytes | None = None, powers: tuple[int, ...] = (10, 10, 10, 10), **more: object) -> abci.InitChain:
    votes = tuple(
        abci.ValidatorUpdate(abci.PublicKey(bytes.fromhex(each.vote_key)), power)
        for each, power in zip(genesis().validators, powers, strict=True)
    )
    values = {"chain_id": CHAIN, "validators": votes, "app_state": genesis_bytes() if data is None else data, **more}
    return abci.InitChain(**values)  # type: ignore[arg-type]


def make_app(store: ChainStore | None = None, index: int = 0) -> HouseApp:
    app = HouseApp(ChainStore() if store is None else store, SECRETS[index])
    if app.genesis is None:
        app.init_chain(init())
    return app


def share_of(index: int, height: int) -> bytes:
    return beacon.sign(SECRETS[index], beacon.message(CHAIN, height))


def signature(height: int) -> bytes:
    return beacon.combine({index + 1: share_of(index, height) for index in range(len(SECRETS))}, 3)


def decided(app: HouseApp, *txs: bytes, height: int | None = None) -> abci.FinalizeBlock:
    height = app.state.height + 1 if height is None else height
    first = () if height == 1 else (beacon_transaction(signature(height - 1)),)
    return abci.FinalizeBlock((*first, *txs), b"h" * 32, height, abci.Timestamp(height))


def step(app: HouseApp, *txs: bytes) -> bytes:
    done = app.finalize_block(decided(app, *txs))
    app.commit(abci.Commit())
    return done.app_hash


def judged(app: HouseApp, *txs: bytes, height: int = 2) -> int:
    """Return what a validator says to a proposal."""
    return app.process_proposal(abci.ProcessProposal(txs, b"", height)).status


def ask(app: HouseApp, path: str) -> dict[str, object]:
    answer = app.query(abci.Query(path=path))
    assert answer.code == 0, answer.log
    found: dict[str, object] = msgspec.json.decode(answer.value)
    return found


REGISTER = sign_transaction(sender("ann"), CHAIN, 0, Register("Ann"))
FIRST = beacon_transaction(signature(1))  # of block 2


# Genesis.


@pytest.mark.parametrize(
    "request_",
    [
        lambda: init(powers=(10, 10, 10, 11)),
        lambda: init(b"{}"),
        lambda: init(canonical(replace(genesis(), set_digest="0" * 64))),
        lambda: init(canonical(replace(genesis(), group_key=genesis().validators[0].share_key))),
        lambda: init(canonical(replace(genesis(), quorum=4))),
        lambda: init(canonical(replace(genesis(), operators=(sender(1).id, sender(1).id)))),
        lambda: init(chain_id=""),
        lambda: init(initial_height=2),
        lambda: replace(init(), validators=init().validators[:3]),
        lambda: replace(init(), validators=(*init().validators[:3], init().validators[0])),
    ],
)
def test_a_genesis_that_does_not_fit_is_refused(request_):
    app = HouseApp(ChainStore(), SECRETS[0])
    with pytest.raises(BadGenesis):
        app.init_chain(request_())


def test_a_node_with_a_strange_share_does_not_start():
    with pytest.raises(ChainFault, match="share"):
        HouseApp(ChainStore(), bytes(31) + b"\x05").init_chain(init())


# Shares.


def test_a_validator_signs_the_height_and_nothing_else():
    app = make_app()
    shares = {app.extend_vote(abci.ExtendVote(block, 1)).extension for block in (b"one", b"two", b"")}

    assert shares == {share_of(0, 1)}


@pytest.mark.parametrize("height", [0, 2, 3, -1])
def test_no_height_is_signed_before_the_block_below_it_is_committed(height):
    with pytest.raises(ChainFault, match="asked to sign"):
        make_app().extend_vote(abci.ExtendVote(b"", height))


def test_a_validator_does_not_hand_out_a_share_of_its_own_that_is_bad(monkeypatch):
    app, other = make_app(), share_of(1, 1)
    monkeypatch.setattr(beacon, "sign", lambda secret, signed: other)
    with pytest.raises(ChainFault, match="own share"):
        app.extend_vote(abci.ExtendVote(b"", 1))


def test_a_bad_share_is_rejected():
    app = make_app()
    good, other, late = share_of(1, 1), share_of(2, 1), share_of(1, 2)

    def status(share: bytes, address: bytes = ADDRESSES[1]) -> int:
        return app.verify_vote_extension(abci.VerifyVoteExtension(b"h", address, 1, share)).status

    assert status(good) == abci.ACCEPT
    for bad in (other, late, b"", good + b"\0", bytes([0xC0]) + bytes(47)):
        assert status(bad) == abci.REJECT
    assert status(good, b"stranger") == abci.REJECT
    below = abci.VerifyVoteExtension(b"h", ADDRESSES[1], -1, good)
    assert app.verify_vote_extension(below).status == abci.REJECT


# Proposals.


def commit_of(shares: dict[int, bytes]) -> abci.ExtendedCommit:
    votes = tuple(abci.ExtendedVote(abci.Validator(ADDRESSES[i]), share) for i, share in shares.items())
    return abci.ExtendedCommit(votes)


def test_a_proposer_combines_the_good_shares_and_leaves_out_the_bad():
    app = make_app()
    step(app)
    shares = {0: share_of(0, 1), 1: b"bad", 2: share_of(2, 1), 3: share_of(3, 1)}
    prepared = app.prepare_proposal(abci.PrepareProposal(100_000, (REGISTER, b"junk"), commit_of(shares), 2))

    assert prepared.txs == (FIRST, REGISTER)


def test_with_too_few_shares_there_is_no_block_to_accept():
    app = make_app()
    step(app)
    commit = commit_of({0: share_of(0, 1), 1: b"bad", 2: share_of(2, 1)})
    request = abci.PrepareProposal(100_000, (REGISTER,), commit, 2)
    assert app.prepare_proposal(request).txs == ()
    assert judged(app) == abci.REJECT

    # A share that came late, outside the commit, makes it three.
    late = make_app()
    late.verify_vote_extension(abci.VerifyVoteExtension(b"", ADDRESSES[3], 1, share_of(3, 1)))
    step(late)
    assert late.prepare_proposal(request).txs == (FIRST, REGISTER)


def test_proposals_keep_to_the_bytes_and_to_the_number_for_one_account():
    app = make_app()
    many = tuple(sign_transaction(sender("ann"), CHAIN, i, PlayerAction("super")) for i in range(9))
    prepared = app.prepare_proposal(abci.PrepareProposal(100_000, many, None, 1))
    assert len(prepared.txs) == TRANSACTIONS_PER_ACCOUNT_MAX
    assert judged(app, *prepared.txs, height=1) == abci.ACCEPT
    assert judged(app, *many, height=1) == abci.REJECT
    short = app.prepare_proposal(abci.PrepareProposal(2 * (len(many[0]) + 8), many, None, 1))
    assert len(short.txs) == 2


@pytest.mark.parametrize(
    "txs",
    [
        (),
        (REGISTER,),
        (beacon_transaction(signature(2)),),
        (beacon_transaction(bytes([0xC0]) + bytes(47)),),
        (REGISTER, FIRST),
        (FIRST, FIRST),
        (FIRST, b"junk"),
        (FIRST, REGISTER[:-1] + b"\0"),
        (beacon_transaction(signature(1) + b"\0"),),
        (b"\x01" + FIRST[1:],),
    ],
)
def test_a_hostile_proposal_is_rejected(txs):
    app = make_app()
    step(app)
    assert judged(app, FIRST, REGISTER) == abci.ACCEPT
    assert judged(app, *txs) == abci.REJECT
    assert {judged(app, FIRST, height=height) for height in (-(2**63), -1, 0, 3, 2**63 - 1)} == {abci.REJECT}
    assert judged(app, beacon_transaction(signature(2)), height=3) == abci.REJECT  # the right seed, too early


def test_a_waiting_transaction_is_checked_against_nonce_and_lock():
    app = make_app()

    def code(data: bytes) -> int:
        return app.check_tx(abci.CheckTx(data)).code

    sit = sign_transaction(sender("ann"), CHAIN, 1, StartGame(6, 0, 0))
    assert (code(REGISTER), code(sit), code(b"")) == (0, CODES["not_registered"], CODES["malformed"])
    step(app, REGISTER)
    assert (code(REGISTER), code(sit)) == (CODES["bad_nonce"], 0)
    step(app, sit)
    again = sign_transaction(sender("ann"), CHAIN, 2, red(1))
    assert code(again) == CODES["pending"]
    step(app)
    assert code(again) == 0  # the next block settles before its transactions


# Durability.


def test_a_block_that_was_not_committed_is_forgotten(tmp_path: Path):
    app = make_app(ChainStore(tmp_path / "chain.db"))
    step(app)
    first = app.finalize_block(decided(app, REGISTER)).app_hash
    app.store.close()  # a crash between abci.FinalizeBlock and abci.Commit
    again = make_app(ChainStore(tmp_path / "chain.db"))

    assert again.info(abci.Info()).height == 1
    assert again.finalize_block(decided(again, REGISTER)).app_hash == first
    again.store.close()


def test_the_same_height_again_changes_nothing_and_a_gap_is_refused():
    app = make_app()
    step(app)
    request = decided(app, REGISTER)
    first = app.finalize_block(request)
    app.commit(abci.Commit())
    assert app.finalize_block(request) == first
    app.commit(abci.Commit())
    assert app.state.height == 2
    with pytest.raises(ChainFault, match="other transactions"):
        app.finalize_block(replace(request, txs=request.txs[:1]))
    with pytest.raises(ChainFault, match="came after"):
        app.finalize_block(decided(app, height=4))
    with pytest.raises(ChainFault, match="came after"):
        app.finalize_block(decided(app, height=1))


@pytest.mark.parametrize("height", [0, 1, 3])
def test_a_store_keeps_no_block_out_of_order(height, tmp_path: Path):
    for store in (ChainStore(), ChainStore(tmp_path / "chain.db")):
        app = make_app(store)
        step(app)
        record = store.block(1)
        assert record is not None
        with pytest.raises(ChainFault, match="cannot be kept"):
            store.commit(replace(record, height=height), {})
        assert store.height() == 1
        store.close()


def test_a_decided_block_without_its_beacon_stops_the_node():
    app = make_app()
    step(app)
    with pytest.raises(ChainFault, match="beacon"):
        app.finalize_block(abci.FinalizeBlock((REGISTER,), b"", 2, abci.Timestamp(2)))


def test_a_chain_in_a_file_is_not_begun_again(tmp_path: Path):
    app = make_app(ChainStore(tmp_path / "chain.db"))
    step(app)
    with pytest.raises(ChainFault, match="already"):
        app.init_chain(init())
    with pytest.raises(ChainFault, match="cannot be opened"):
        ChainStore(tmp_path / "chain.db")
    app.store.close()


def test_a_node_whose_values_are_not_those_of_its_last_block_does_not_start(tmp_path: Path):
    app = make_app(ChainStore(tmp_path / "chain.db"))
    step(app, REGISTER)
    app.store.close()
    with closing(sqlite3.connect(tmp_path / "chain.db", isolation_level=None)) as database:
        database.execute("UPDATE value SET data = x'31303031' WHERE key LIKE 'balance/player/%'")
    store = ChainStore(tmp_path / "chain.db")
    with pytest.raises(ChainFault, match="not those of block 1"):
        make_app(store)
    store.close()


# Queries.


def test_a_value_and_an_event_are_proved_up_to_the_app_hash():
    app = make_app()
    app_hash = step(app, REGISTER)
    key = f"balance/player/{sender('ann').id}"
    found = ask(app, f"/value/{key}")
    assert found["value"] == 1000
    state_root, events_root = (bytes.fromhex(str(found[name])) for name in ("state_root", "events_root"))
    assert app_hash_of(1, state_root, events_root) == app_hash
    proof = read_proof(canonical(found["proof"]), StateProof)
    assert verify_value(state_root, key, b"1000", proof)
    assert not verify_value(state_root, key, b"1001", proof)

    event = ask(app, "/event/1/0")
    event_proof = read_proof(canonical(event["proof"]), EventProof)
    assert verify_event(events_root, canonical(event["event"]), event_proof)

    absent = ask(app, "/value/balance/player/nobody")
    proof = read_proof(canonical(absent["proof"]), StateProof)
    assert absent["value"] is None
    assert verify_value(state_root, "balance/player/nobody", None, proof)


def test_seeds_are_kept_by_height():
    app = make_app()
    for _ in range(4):
        step(app)

    for height in (1, 2, 3):
        expected = {"signature": signature(height).hex(), "seed": beacon.seed_of(signature(height)).hex()}
        assert ask(app, f"/seed/{height}") == expected


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/nothing", "/seed/", "/seed/x", "/seed/-1", "/seed/0", "/seed/9", "/seed/٣", "/seed/" + "9" * 30,
        "/event/1/99", "/event/1/x", "/block/0",
    ],
)  # fmt: skip
def test_a_bad_query_has_a_code(path):
    app = make_app()
    step(app)
    answer = app.query(abci.Query(path=path))

    assert (answer.code, answer.value) == (CODES["bad_query"], b"")
    assert answer.log


VECTOR = msgspec.json.decode((Path(__file__).parents[2] / "vectors" / "chain" / "blocks.json").read_bytes())


def test_one_block_list_gives_the_recorded_app_hashes():
    """The same on every machine and version of Python: literals, not what this run worked out."""
    state = genesis_state(read_genesis(VECTOR["genesis"].encode(), CHAIN))
    for block in VECTOR["blocks"]:
        before = [""] if block["height"] == 1 else []
        first, *txs = map(bytes.fromhex, [*before, *block["txs"]])
        seed = beacon.seed_of(first[1:]) if first else None
        record, after = apply_block(state, CHAIN, block["height"], txs, seed, block["time"])
        state.advance(after, record.height, record.app_hash)
        assert record.app_hash.hex() == block["app_hash"], block["height"]
        assert slow_app_hash(record.height, state.raw, record.events) == block["app_hash"]
    assert {World(state).total(), len(VECTOR["blocks"]) > 20} == {0, True}
