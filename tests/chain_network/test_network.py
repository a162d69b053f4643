"""Four validators with real CometBFT: all ten house games, validators that die, lie and compute differently.

One network tells the whole story, because starting it takes longer than anything that is asked of it. CI must find or
build CometBFT; elsewhere the story is skipped where it is not there and Go is missing.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.chain import beacon
from croupier.chain.errors import NodeError
from croupier.chain.genesis import read_genesis
from croupier.chain.node.client import AccountClient, Refused
from croupier.chain.node.cometbft import find_cometbft
from croupier.chain.node.home import deal_network
from croupier.chain.node.observer import observe
from croupier.chain.node.run import LocalNetwork, free_ports
from croupier.chain.sessions import read_session
from croupier.chain.transactions import Sender, sign_transaction
from croupier.engine import Action, get_game, legal_actions
from croupier.engine.plain import canonical
from croupier.house import Deposit, GameMove, HouseGame, Register, StartGame, default_catalogue, encode_payload
from croupier.rng import GameRng

CHAIN = "croupier-test"


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalNetwork]:
    if not os.environ.get("CI") and not shutil.which("go"):
        try:
            find_cometbft(build=False)
        except NodeError as error:
            pytest.skip(str(error))
    find_cometbft()
    ports = free_ports(4)
    homes = deal_network(tmp_path_factory.mktemp("network") / "net", ports, chain_id=CHAIN, commit_ms=200)
    with LocalNetwork(homes, ports) as running:
        yield running


def account(network: LocalNetwork, number: int, node: int | None = None) -> AccountClient:
    sender = Sender(sha256(b"network player %d" % number).digest())
    return AccountClient(network.client(number % 4 if node is None else node), sender)


def play_game(network: LocalNetwork, number: int, table: int) -> tuple[str, int]:
    """Register, sit down and move until the session ends, three times at most; return the game and its moves."""
    player = account(network, number)
    assert player.send(Register(f"player {number}"))["code"] == 0
    game = get_game(default_catalogue(trusts_own=True)[table].game_id)
    assert isinstance(game, HouseGame)
    seated = player.send(StartGame(table, 20 if game.opens_with_stake else 0, 0))
    assert [event.get("type") for event in seated["events"]][:1] == ["GameStarted"], seated
    session_id = seated["data"]["session_id"]
    rng, moves = GameRng.new(bytes(32), number, 0), 0
    while moves < 3:
        session = read_session(canonical(player.client.value(f"session/{session_id}")))
        if session.is_complete:
            break
        assert session.match is not None
        legal: list[Action] = list(legal_actions(game, session.match))
        done = player.send(GameMove(session_id, encode_payload(game, rng.pick(legal))))
        assert [event.get("type") for event in done["events"]][:1] == ["GameMoved"], done
        moves += 1
    return game.id, moves


def app_hashes(network: LocalNetwork, height: int, nodes: range | list[int] = range(4)) -> None:
    """Compare what the nodes' applications have at every height, and with the headers that were voted on."""
    for each in range(1, height + 1):
        found = {network.client(node).query(f"/block/{each}")["app_hash"] for node in nodes}
        assert len(found) == 1, f"height {each}: {found}"
        if each < height:
            header = network.client(nodes[0]).call("block", height=str(each + 1))["block"]["header"]
            assert header["app_hash"].lower() in found


def seeds(network: LocalNetwork, node: int, height: int) -> list[str]:
    """Return a node's seeds up to a height, each checked against the network's key."""
    start = network.client(node).query("/genesis")
    genesis = read_genesis(bytes.fromhex(start["genesis"]), start["chain_id"])
    found = []
    for each in range(1, height + 1):
        seed = network.client(node).query(f"/seed/{each}")
        signature = bytes.fromhex(seed["signature"])
        assert beacon.verify(genesis.keys.group, beacon.message(CHAIN, each), signature)
        assert seed["seed"] == beacon.seed_of(signature).hex()
        found.append(seed["seed"])
    return found


def height_of(network: LocalNetwork, node: int) -> int:
    height: int = network.client(node).query("/status")["height"]
    return height


def test_the_story_of_a_network(network: LocalNetwork) -> None:
    all_ten_games_are_played(network)
    bad_transactions_are_refused(network)
    one_is_killed_and_comes_back(network)
    two_are_killed_and_nothing_moves(network)
    a_validator_with_bad_shares_changes_nothing(network)
    a_validator_that_computes_differently_stops_alone(network)


def all_ten_games_are_played(network: LocalNetwork) -> None:
    tables = sorted(default_catalogue(trusts_own=True))
    with ThreadPoolExecutor(10) as pool:
        played = dict(pool.map(lambda pair: play_game(network, *pair), enumerate(tables)))
    assert len(played) == 10
    assert all(moves >= 1 for moves in played.values()), played
    height = height_of(network, 0)
    network.wait_for(height)
    app_hashes(network, height)
    # An observer that re-executes everything from genesis, in memory, comes to the same hash.
    observed = observe(network.client(1), height)
    assert observed.app_hash == network.client(2).query(f"/block/{height}")["app_hash"]
    assert observed.transactions >= 10 + 10 + sum(played.values())


def bad_transactions_are_refused(network: LocalNetwork) -> None:
    player = account(network, 0)
    nonce = player.nonce()
    good = sign_transaction(player.sender, CHAIN, nonce, Deposit(5))
    for data, code in (
        (b"junk", 1),
        (bytes(5000), 2),
        (sign_transaction(player.sender, "elsewhere", nonce, Deposit(5)), 3),
        (good[:-1] + bytes([good[-1] ^ 1]), 4),
        (sign_transaction(player.sender, CHAIN, 0, Deposit(5)), 5),
        (b"\0" + bytes(48), 1),
    ):
        with pytest.raises(Refused) as refused:
            player.client.submit(data)
        assert refused.value.number == code


def one_is_killed_and_comes_back(network: LocalNetwork) -> None:
    network.stop(2, kill=True)
    before = height_of(network, 0)
    assert account(network, 1, node=1).send(Deposit(7))["code"] == 0
    network.wait_for(before + 4, [0, 1, 3])
    network.start(2)
    after = height_of(network, 0)
    network.wait_for(after + 1, [2])
    assert seeds(network, 2, after) == seeds(network, 0, after)
    app_hashes(network, after)


def two_are_killed_and_nothing_moves(network: LocalNetwork) -> None:
    for node in (1, 2):
        network.stop(node, kill=True)
    halted = height_of(network, 0) + 1  # a block may have been decided just before
    time.sleep(3)  # fifteen blocks' time: not luck, the thing asked for is that nothing happens
    assert max(height_of(network, node) for node in (0, 3)) <= halted
    for node in (1, 2):
        network.start(node)
    network.wait_for(halted + 3)
    app_hashes(network, halted + 3)


def a_validator_with_bad_shares_changes_nothing(network: LocalNetwork) -> None:
    assert network.stop(3) == 0  # asked to stop, it ends CometBFT and then itself
    faulty = str(Path(__file__).with_name("faulty_node.py"))
    network.start(3, [sys.executable, faulty, "bad_share"])
    before = height_of(network, 0)
    network.wait_for(before + 8)
    height = height_of(network, 0)
    seeds(network, 0, height - 1)
    app_hashes(network, height - 1)
    # It has given bad shares all the while; those that came in time were rejected, late ones were left out.
    assert network.words(3).count("bad share for height") >= 5


def a_validator_that_computes_differently_stops_alone(network: LocalNetwork) -> None:
    network.stop(3)
    faulty = str(Path(__file__).with_name("faulty_node.py"))
    network.start(3, [sys.executable, faulty, "other_sums"])
    network.wait_for(height_of(network, 0) + 1, [3])
    assert account(network, 2, node=0).send(Deposit(7))["code"] == 0
    before = height_of(network, 0)
    end = time.monotonic() + 60
    while network.is_running(3):
        assert time.monotonic() < end, "the node that differs goes on"
        time.sleep(0.1)
    assert "disagrees with the other validators" in network.words(3)
    network.wait_for(before + 3, [0, 1, 2])
    app_hashes(network, before + 3, [0, 1, 2])
