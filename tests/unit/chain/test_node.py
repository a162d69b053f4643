"""Nodes: homes, the client, a simulated network over HTTP, the observer, and finding CometBFT."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.chain.abci.messages import Commit, FinalizeBlock
from croupier.chain.app import HouseApp, init_request
from croupier.chain.beacon import check_keys, public_share
from croupier.chain.errors import BadGenesis, BadProof, ChainFault, ChainMismatch, NodeError
from croupier.chain.genesis import make_network_keys, read_genesis
from croupier.chain.node import cometbft, commands
from croupier.chain.node.client import AccountClient, NodeClient, Refused
from croupier.chain.node.commands import init_network, read_body
from croupier.chain.node.home import Ports, deal_network, new_key, read_key, read_share
from croupier.chain.node.observer import observe
from croupier.chain.node.run import LocalNetwork, free_ports, run_node
from croupier.chain.node.simulated import SimulatedNode
from croupier.chain.store import ChainStore
from croupier.chain.transactions import ApproveUpgrade, Sender
from croupier.cli.errors import exit_code_of
from croupier.engine.plain import canonical
from croupier.house import CloseSession, Deposit, GameMove, PlayerAction, Register, StartGame
from tests.unit.chain.world import red


@pytest.fixture(scope="module")
def node() -> Iterator[SimulatedNode]:
    with SimulatedNode(make_network_keys("simulated", 4, b"node tests")) as running:
        yield running


@pytest.fixture(scope="module")
def ann(node: SimulatedNode) -> AccountClient:
    player = AccountClient(NodeClient(node.url), Sender(b"a" * 32))
    assert player.send(Register("Ann"))["code"] == 0
    return player


def test_a_session_is_played_over_http(ann: AccountClient):
    seated = ann.send(StartGame(6, 0, 0))
    assert seated["events"][0]["type"] == "GameStarted"
    moved = ann.send(red(seated["data"]["session_id"], 100))

    assert moved["events"][0]["type"] == "GameMoved"
    assert moved["data"]["settled_at"] == moved["height"] + 2
    assert ann.client.value(f"balance/player/{ann.sender.id}") in (900, 1100)


def test_a_refused_transaction_has_its_code(ann: AccountClient):
    with pytest.raises(Refused) as refused:
        ann.client.submit(b"junk")
    assert (refused.value.number, exit_code_of(refused.value)) == (1, 1)  # the second as the page of commands says
    again = ann.send(Register("Ann again"))
    assert (again["code"], again["data"]["reason"]) == (12, "already_registered")


def test_a_transaction_that_no_block_takes_is_named_with_the_seconds_that_were_waited(node: SimulatedNode):
    class Forgetful(NodeClient):
        def submit(self, data: bytes) -> None:
            pass

    with pytest.raises(NodeError, match=r"carried out the transaction within 0\.2 s"):
        AccountClient(Forgetful(node.url), Sender(b"f" * 32)).send(Register("Fay"), 0.2)


def test_the_observer_comes_to_the_same_hash(node: SimulatedNode, ann: AccountClient):
    found = observe(NodeClient(node.url))
    assert found.chain_id == "simulated"
    assert found.transactions >= 1
    assert found.app_hash == ann.client.query(f"/block/{found.height}")["app_hash"]


def said(value: bytes | None) -> bytes:
    """Return a node's answer to a query."""
    return canonical({"result": {"response": {"value": value}}})


class Altered(NodeClient):
    """A node that says something else in one answer."""

    def __init__(self, client: NodeClient, path: str, change: Any) -> None:
        super().__init__(client.url)
        self.path, self.change = path, change

    def query(self, path: str, **shape: type) -> Any:
        found = super().query(path, **shape)
        if path == self.path:
            self.change(found)
        return found


def test_the_observer_names_the_first_height_and_key_that_differ(node: SimulatedNode, ann: AccountClient):
    ann.client.wait_for(8)
    height = next(h for h in range(1, 100) if ann.client.query(f"/block/{h}")["txs"])
    key = f"balance/player/{ann.sender.id}"

    def mismatch(change: Any) -> tuple[int, str]:
        with pytest.raises(ChainMismatch) as found:
            observe(Altered(ann.client, f"/block/{height}", change), height + 1)
        return found.value.height, found.value.key

    def richer(block: Any) -> None:
        assert key in block["changes"]
        block["changes"][key] = "0" * 64
        block["app_hash"] = "0" * 64

    assert mismatch(richer) == (height, key)
    assert mismatch(lambda block: block.update(app_hash="0" * 64)) == (height, "events")
    assert mismatch(lambda block: block["results"][0].update(code=12)) == (height, "results")
    assert mismatch(lambda block: block.update(txs=[]))[0] == height


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("/block/3", lambda block: block.update(txs=7)),
        ("/block/3", lambda block: block.update(txs=["zz"])),
        ("/block/3", lambda block: block.update(height=4)),
        ("/block/3", lambda block: block.clear()),
        ("/block/3", lambda block: block.update(beacon="0")),
        ("/genesis", lambda start: start.clear()),
        ("/genesis", lambda start: start.update(genesis="zz")),
        ("/status", lambda status: status.update(height="high")),
    ],
)
def test_the_observer_says_so_if_a_node_answers_in_another_shape(ann: AccountClient, path: str, change: Any):
    ann.client.wait_for(5)
    with pytest.raises(NodeError):
        observe(Altered(ann.client, path, change), None if path == "/status" else 5)


def test_a_client_takes_no_value_that_is_not_proved(ann: AccountClient):
    key = f"balance/player/{ann.sender.id}"
    for said in (key, "balance/player/nobody", "upgrade"):
        assert ann.client.value(said) == ann.client.query(f"/value/{said}")["value"]

    def forged(told: Any) -> None:
        told["proof"]["siblings"][0] = "0" * 960

    for change in (
        lambda told: told.update(value=1_000_000),
        lambda told: told.update(value=None),
        lambda told: told.update(app_hash="0" * 64),
        lambda told: told.update(proof={}),
        lambda told: told.pop("proof"),
        forged,
    ):
        with pytest.raises(BadProof):
            Altered(ann.client, f"/value/{key}", change).value(key)


def test_a_client_does_not_ask_for_ever_for_events_that_a_node_counts_and_does_not_show(ann: AccountClient):
    asked: list[object] = []

    def hide(page: Any) -> None:
        asked.append(page.update(events=[], count=1))
        assert len(asked) < 3

    ann.client.wait_for(2)
    assert Altered(ann.client, "/events/2/0", hide).events(2) == []


def test_the_observer_checks_every_beacon(ann: AccountClient):
    ann.client.wait_for(5)
    other = ann.client.query("/block/5")["beacon"]
    with pytest.raises(ChainFault, match="beacon"):
        observe(Altered(ann.client, "/block/4", lambda block: block.update(beacon=other)), 5)


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]", b"[" * 9999, b'{"method":"nothing"}', b'{"method":"broadcast_tx_sync","params":{"tx":"?"}}'],
)
def test_a_bad_request_is_answered_with_an_error(node: SimulatedNode, body: bytes):
    with urllib.request.urlopen(node.url, body, timeout=10) as answer:
        assert "error" in msgspec.json.decode(answer.read())


@pytest.mark.parametrize(
    "answer",
    [
        b"5",
        b"[]",
        b"[" * 9999,
        b'{"result":{}}',
        *map(said, (b"{", b"[" * 9999, b"5", b"{}", b'{"chain_id":"x"}', None)),
    ],
)
def test_an_answer_of_another_shape_is_an_error_with_a_code(monkeypatch: pytest.MonkeyPatch, answer: bytes):
    monkeypatch.setattr(urllib.request, "urlopen", lambda *asked, **more: BytesIO(answer))
    with pytest.raises(NodeError, match=r"answers with|as a node does"):
        AccountClient(NodeClient("http://127.0.0.1:9"), Sender(b"a" * 32)).send(Register("Ann"))


def test_nobody_there_is_an_error_with_a_code():
    with pytest.raises(NodeError, match="does not answer"):
        NodeClient("http://127.0.0.1:9").query("/status")
    with pytest.raises(NodeError, match="no address"):
        NodeClient("127.0.0.1:9")


# Homes.


def test_a_dealt_network_has_a_home_for_each_and_secrets_for_their_owner_alone(tmp_path: Path):
    homes = deal_network(tmp_path / "net", [Ports(1, 2), Ports(3, 4), Ports(5, 6), Ports(7, 8)])
    documents = {(home / "config" / "genesis.json").read_bytes() for home in homes}
    assert len(homes) == 4
    assert len(documents) == 1
    file = msgspec.json.decode(documents.pop())
    genesis = read_genesis(canonical(file["app_state"]), file["chain_id"])
    check_keys(genesis.keys)
    for home, keys in zip(homes, genesis.validators, strict=True):
        assert public_share(read_share(home)).hex() == keys.share_key
        for path in home.rglob("*.json"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert file["consensus_params"]["abci"]["vote_extensions_enable_height"] == "1"
    with pytest.raises(NodeError, match="not empty"):
        deal_network(tmp_path / "net", [Ports(1, 2)])


@pytest.mark.parametrize("count", [0, 65])
def test_a_network_has_a_bounded_number_of_validators(tmp_path: Path, count: int):
    with pytest.raises(BadGenesis, match="1 to 64"):
        init_network(tmp_path / "net", count)


def test_a_key_file_is_written_once_and_read_back(tmp_path: Path):
    account = new_key(tmp_path / "key.json")
    assert read_key(tmp_path / "key.json").id == account
    with pytest.raises(FileExistsError):
        new_key(tmp_path / "key.json")
    for data in (b"", b"{}", b'{"secret":"zz"}', b'{"secret":"00"}', b"[]", b"[" * 9999):
        (tmp_path / "bad.json").write_bytes(data)
        with pytest.raises(NodeError, match="no key file"):
            read_key(tmp_path / "bad.json")


def test_the_words_of_send_are_bodies(tmp_path: Path):
    (tmp_path / "params").write_bytes(b"{}")
    (tmp_path / "deep").write_bytes(b"[" * 9999)
    for words, body in {
        "register Ann": Register("Ann"),
        "deposit 5": Deposit(5),
        "sit 6 0": StartGame(6, 0, 0),
        "move 3 0101": GameMove(3, b"\1\1"),
        "arm shield": PlayerAction("shield"),
        "close 3": CloseSession(3),
        f"upgrade 90 {tmp_path}/params": ApproveUpgrade(90, b"{}"),
    }.items():
        assert read_body(words.split()) == body
    for words, told in {
        "": "send takes one of",
        "register \udcff": "surrogates not allowed",  # of a byte that is not UTF-8
        "deposit": "send takes one of",
        "deposit x": "deposit x: 'x' is no whole number from 0",
        "deposit -5": "'-5' is no whole number from 0",
        f"deposit {2**64}": "'18446744073709551616' is no whole number from 0",
        "arm sword": "send takes one of",
        "move 1 0g": "'0g' is no hex, two digits a byte",
        f"upgrade 1 {tmp_path}/deep": "recursion",
        "upgrade 1 /nosuch": "upgrade 1 /nosuch: No such file or directory",
    }.items():
        with pytest.raises(NodeError, match=told):
            read_body(words.split())


# CometBFT.


def fake_go(folder: Path, sum_: str) -> None:
    """A `go` that downloads a module with a given sum and builds a program that does nothing."""
    script = folder / "go"
    script.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = mod ]; then mkdir -p "$GOMODCACHE/m"; touch "$GOMODCACHE/m/x";\n'
        f'  echo "{{\\"Sum\\": \\"{sum_}\\", \\"Dir\\": \\"$GOMODCACHE/m\\"}}"; exit 0; fi\n'
        'while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\\n" > "$2"; chmod +x "$2"\n'
    )
    script.chmod(0o755)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.delenv("CROUPIER_COMETBFT", raising=False)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def test_cometbft_is_built_once_from_the_pinned_sum_and_leaves_nothing_else(bare: Path):
    fake_go(bare, cometbft.SUM)
    said: list[str] = []
    built = cometbft.find_cometbft(said.append)
    assert built == bare / "cache" / "croupier" / "cometbft-v0.38.26" / "cometbft"
    assert os.access(built, os.X_OK)
    assert "two minutes" in said[0]
    assert list((bare / "tmp").iterdir()) == []
    said.clear()
    assert cometbft.find_cometbft(said.append) == built
    assert said == []


def test_a_node_whose_cometbft_ends_says_its_last_words_and_not_a_peer_s(tmp_path: Path):
    program = tmp_path / "cometbft"
    peer = "echo I[0] Inbound Peer rejected err='Got E[] CONSENSUS FAILURE!!!'"
    program.write_text(f"#!/bin/sh\necho first\n{peer}\necho address already in use\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(NodeError, match="CometBFT ended: address already in use; "):
        run_node(deal_network(tmp_path / "net", free_ports(1))[0], program)


@pytest.mark.parametrize("table", ["value", "block"])
def test_a_node_whose_file_is_damaged_behind_its_beginning_says_so(tmp_path: Path, table: str):
    home = deal_network(tmp_path / "net", free_ports(1))[0]
    file, document = home / "chain.db", msgspec.json.decode((home / "config" / "genesis.json").read_bytes())
    app = HouseApp(ChainStore(file), read_share(home))
    app.init_chain(init_request(document["chain_id"], canonical(document["app_state"])))
    app.finalize_block(FinalizeBlock((), b"", 1))
    app.commit(Commit())
    app.store.close()
    with closing(sqlite3.connect(file)) as database, database:
        if table == "block":
            database.execute("UPDATE block SET data = x'ff'")
        root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'value'").fetchone()[0]
        size = database.execute("PRAGMA page_size").fetchone()[0]
    with file.open("r+b") as raw:
        raw.seek((root - 1) * size)
        raw.write(b"\xff" * size if table == "value" else b"")
    with pytest.raises(ChainFault, match=r"chain\.db cannot be read"):
        run_node(home, Path("/bin/true"))


def test_a_network_that_is_asked_to_end_while_it_starts_ends_its_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def start(network: LocalNetwork, index: int) -> None:
        assert signal.getsignal(signal.SIGTERM) is not before  # which would end this process, and no node
        assert network.ports[0].rpc > 0  # port 0 is any that is free; at 0 itself nobody could be asked
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(commands, "find_cometbft", lambda say: Path("/bin/true"))
    monkeypatch.setattr(LocalNetwork, "start", start)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        commands.run_localnet(tmp_path, 1, 0, simulated=False, say=print)
    signal.signal(signal.SIGTERM, before)


def test_a_network_says_which_of_its_nodes_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    start, said = LocalNetwork.start, list[str]()

    def say(text: str) -> None:
        said.append(text)
        if "has ended" in text:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(commands, "find_cometbft", lambda say: Path("/bin/true"))
    monkeypatch.setattr(LocalNetwork, "start", lambda network, index: start(network, index, ["sh", "-c", "exit 3"]))
    monkeypatch.setattr(LocalNetwork, "wait_for", lambda network, height: None)
    before = signal.getsignal(signal.SIGTERM)
    give_up = threading.Timer(10, os.kill, (os.getpid(), signal.SIGTERM))
    give_up.start()
    try:
        commands.run_localnet(tmp_path, 1, 0, simulated=False, say=say)
    finally:
        give_up.cancel()
        signal.signal(signal.SIGTERM, before)
    assert said[-1].startswith("node 0 has ended with exit code 3")


def test_a_module_with_another_sum_is_not_built(bare: Path):
    fake_go(bare, "h1:another")
    with pytest.raises(NodeError, match="not built"):
        cometbft.find_cometbft(lambda text: None)
    assert not (bare / "cache" / "croupier" / "cometbft-v0.38.26" / "cometbft").exists()
    assert list((bare / "tmp").iterdir()) == []


def test_a_named_program_comes_first_and_must_be_one(bare: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CROUPIER_COMETBFT", "/bin/sh")
    assert cometbft.find_cometbft() == Path("/bin/sh")
    monkeypatch.setenv("CROUPIER_COMETBFT", str(bare / "nothing"))
    with pytest.raises(NodeError, match="no program"):
        cometbft.find_cometbft()


def test_without_go_and_without_cometbft_the_error_says_what_to_set(bare: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(bare))
    with pytest.raises(NodeError, match="CROUPIER_COMETBFT"):
        cometbft.find_cometbft()
