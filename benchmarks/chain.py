"""`make bench ARGS=chain`: blocks in one process, the share of the Merkle root, and a network of four validators.

A move here is a transaction of a session that waits for its seed: a bet on roulette that spins, or sitting down for it.
The network is four validators with CometBFT and their applications on this one machine, with the load beside them.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Row, not_measured, row
from croupier.chain.beacon import deal
from croupier.chain.block import BlockRecord, apply_block
from croupier.chain.errors import NodeError
from croupier.chain.genesis import default_params, make_genesis
from croupier.chain.merkle import update
from croupier.chain.node.client import AccountClient, NodeClient
from croupier.chain.node.cometbft import find_cometbft
from croupier.chain.node.home import deal_network
from croupier.chain.node.run import LocalNetwork, free_ports
from croupier.chain.state import ChainState, genesis_state
from croupier.chain.transactions import Body, Sender, read_transaction, sign_transaction
from croupier.engine import act, get_game
from croupier.house import GameMove, HouseGame, Register, StartGame, encode_payload

CHAIN = "bench"
BLOCK_MOVES, MANY_KEYS, FEW_MOVES = 1000, 100_000, 100
ACCOUNTS, ROUNDS, WAITS = 600, 3, 8


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    rates = _Chain(BLOCK_MOVES).play(repeats)[0]
    small, shares = _Chain(FEW_MOVES, MANY_KEYS).play(repeats)
    return [
        row(
            "apply_block, 1,000 moves a block",
            rates,
            "moves/s",
            at_least=3000,
            note="processor time",
        ),
        row("apply_block, 100 moves, 100,000 keys", small, "moves/s"),
        row("the Merkle root's share of that", shares, "of the block's time", at_most=0.25),
        *_network(),
    ]


def _red(session: int) -> GameMove:
    roulette = get_game("roulette")
    assert isinstance(roulette, HouseGame)
    return GameMove(session, encode_payload(roulette, act("batch", bets=[{"bet": "red", "stake": 1}])))


class _Chain:
    """A chain in memory whose accounts play roulette, all in every block."""

    def __init__(self, moves: int, keys: int = 0) -> None:
        publics, _ = deal([bytes([i + 1]) * 32 for i in range(3)], 4)
        genesis = make_genesis(publics, tuple(bytes([i]) * 32 for i in range(4)), (), 1, default_params())
        strangers = {f"balance/player/{i:064x}": str(i % 5000).encode() for i in range(keys)}
        self.state = ChainState({**genesis_state(genesis).raw, **strangers})
        self.senders = [Sender(i.to_bytes(32, "big")) for i in range(1, moves + 1)]
        self.nonce = 0
        self.block([Register("player")] * moves)

    def block(self, bodies: list[Body]) -> tuple[BlockRecord, float, float]:
        """Carry out a block; return it, the processor's seconds it took, and those that its Merkle root takes."""
        pairs = zip(self.senders, bodies, strict=False)
        txs = [sign_transaction(sender, CHAIN, self.nonce, body) for sender, body in pairs]
        self.nonce += bool(bodies)
        for data in txs:
            read_transaction(data, CHAIN)  # a node has read them when they came
        height = self.state.height + 1
        seed = None if height == 1 else sha256(b"%d" % height).digest()
        start = time.process_time()
        result, after = apply_block(self.state, CHAIN, height, txs, seed, height * 1000)
        taken = time.process_time() - start
        start = time.process_time()
        update(self.state.tree, after.digests)
        hashing = time.process_time() - start
        assert all(each.reason == "ok" for each in result.results)
        self.state.advance(after, result.height, result.app_hash)
        return result, taken, hashing

    def play(self, repeats: int) -> tuple[list[float], list[float]]:
        """Return moves a second and the Merkle root's share, once a repeat: sent, waiting, settled."""
        rates, shares = [], []
        for _ in range(repeats):
            seated, *_ = self.block([StartGame(6, 0, 0)] * len(self.senders))
            sessions = [each.data["session_id"] for each in seated.results]
            self.block([])
            self.block([])
            parts = [self.block([_red(session) for session in sessions]), self.block([]), self.block([])]
            total = sum(taken for _, taken, _ in parts)
            rates.append(len(sessions) / total)
            shares.append(sum(hashing for _, _, hashing in parts) / total)
        return rates, shares


def _network() -> list[Row]:
    names = ("four validators with CometBFT, moves settled", "from sent to settled")
    try:
        find_cometbft()
    except NodeError as error:
        return [not_measured(name, unit, error) for name, unit in zip(names, ("moves/s", "s"), strict=True)]
    ports = free_ports(4)
    with TemporaryDirectory(prefix="croupier-bench-") as folder:
        homes = deal_network(Path(folder) / "net", ports, chain_id=CHAIN, commit_ms=200)
        with LocalNetwork(homes, ports) as network:
            waits = _wait_for_moves(network)
            rates = _load(network)
    return [
        row(names[0], rates, "moves/s", at_least=300, note=f"{ACCOUNTS} accounts, all at once, load on the same cores"),
        row(names[1], waits, "s", note=f"one account, median {median(waits):.2f} s"),
    ]


def _wait_for_moves(network: LocalNetwork) -> list[float]:
    """Return the seconds from sent to settled, move after move of one account."""
    player = AccountClient(network.client(0), Sender(b"w" * 32))
    player.send(Register("one"))
    waits = []
    for _ in range(WAITS):
        session = player.send(StartGame(6, 0, 0))["data"]["session_id"]
        start = time.perf_counter()
        assert player.send(_red(session))["code"] == 0
        waits.append(time.perf_counter() - start)
    return waits


def _load(network: LocalNetwork) -> list[float]:
    """Return moves a second, once a round: every account sends one at once, and the last must be settled."""
    senders = [Sender(sha256(b"bench %d" % i).digest()) for i in range(ACCOUNTS)]
    clients = [network.client(index) for index in range(4)]
    height = _send(clients, senders, [Register("player")] * ACCOUNTS, 0)[1]
    clients[0].wait_for(height)
    rates, sessions = [], [0] * ACCOUNTS
    for number in range(2 * ROUNDS):
        bodies: list[Body] = [_red(each) for each in sessions] if number % 2 else [StartGame(6, 0, 0)] * ACCOUNTS
        start = time.perf_counter()
        data, last = _send(clients, senders, bodies, 1 + number)
        network.wait_for(last + 2)
        rates.append(ACCOUNTS / (time.perf_counter() - start))
        sessions = [each.get("session_id", 0) for each in data]
    return rates


def _send(
    clients: list[NodeClient], senders: list[Sender], bodies: list[Body], nonce: int
) -> tuple[list[dict[str, int]], int]:
    """Send one transaction for each account; return the data of their results and the height of the last."""
    txs = [sign_transaction(sender, CHAIN, nonce, body) for sender, body in zip(senders, bodies, strict=True)]
    height = clients[0].query("/status")["height"]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda pair: clients[pair[0] % 4].submit(pair[1]), enumerate(txs)))
    waiting = {data.hex(): index for index, data in enumerate(txs)}
    found: list[dict[str, int]] = [{} for _ in txs]
    while waiting:
        height += 1
        clients[0].wait_for(height)
        block = clients[0].query(f"/block/{height}")
        for data, result in zip(block["txs"], block["results"], strict=True):
            if data in waiting:
                assert result["code"] == 0, result
                found[waiting.pop(data)] = result["data"]
    return found, height
