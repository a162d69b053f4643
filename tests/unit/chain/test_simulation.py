"""Whole networks on a seeded event loop: agreement, chips, pending moves, and every kind of fault seen."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from croupier.chain import beacon
from croupier.chain.genesis import make_network_keys
from croupier.chain.simulation.network import FAULTS, NO_FAULTS, Faults, SimulatedNetwork, Violation
from croupier.chain.transactions import Sender, Transaction, read_transaction, sign_transaction
from croupier.engine import act, get_game, legal_actions
from croupier.house import Deposit, GameMove, HouseGame, PlayerAction, Register, StartGame, encode_payload
from croupier.house.session import game_of
from croupier.rng import GameRng

KEYS = make_network_keys("simulated", 4, b"simulation")
TABLES = ((6, 0), (7, 0), (5, 20), (2, 20), (1, 20), (0, 0))
HEIGHT = 12


class Players:
    """Accounts that play at random through whichever validator runs."""

    def __init__(self, network: SimulatedNetwork, seed: bytes, count: int = 5) -> None:
        self.network = network
        self.rng = GameRng.new(seed, 1, 0)
        self.senders = [Sender(sha256(b"player %d" % i).digest()) for i in range(count)]
        self.sessions: dict[str, int] = {}
        self.next = 0

    def act(self) -> None:
        if self.network.now() < self.next:
            return
        self.next = self.network.now() + 40
        running = [i for i in self.network.honest if self.network.replicas[i] is not None]
        if not running:
            return
        app = self.network.app(max(running, key=lambda i: self.network.stores[i].height()))
        sender = self.rng.pick(self.senders)
        account = app.state.get(f"account/{sender.id}")
        nonce = 0 if account is None else account.next
        body = self.body(app.state, sender.id) if account is not None else Register("player")
        data = sign_transaction(sender, KEYS.chain_id, nonce, body)
        self.network.submit(data, to=self.rng.pick(running) if self.rng.next_bounded(2) else None)

    def body(self, state: Any, player: str) -> Any:
        if self.rng.next_bounded(8) == 0:
            return self.rng.pick([Deposit(50), PlayerAction("shield"), PlayerAction("double")])
        mine = [state.get(key) for key in state.raw if key.startswith("session/")]
        open_ = [session for session in mine if session.player == player and not session.is_complete]
        if not open_ or self.rng.next_bounded(6) == 0:
            table, stake = self.rng.pick(TABLES)
            return StartGame(table, stake, 0)
        session = self.rng.pick(open_)
        game = game_of(session)
        assert isinstance(game, HouseGame)
        if game.id == "roulette":
            return GameMove(session.id, encode_payload(game, act("batch", bets=[{"bet": "red", "stake": 5}])))
        return GameMove(session.id, encode_payload(game, self.rng.pick(list(legal_actions(game, session.match)))))


def play(seed: bytes, faults: Faults, height: int = HEIGHT) -> SimulatedNetwork:
    network = SimulatedNetwork(KEYS, seed, faults)
    players = Players(network, seed)

    def is_done() -> bool:
        players.act()
        return min(network.heights()[i] for i in network.honest) >= height

    network.run_until(is_done)
    return network


def check(network: SimulatedNetwork) -> Counter[str]:
    """Check what must hold after a run; return how many transactions fared how."""
    fared: Counter[str] = Counter()
    for index in network.honest:
        store = network.stores[index]
        assert sum(int(v) for k, v in store.values().items() if k.startswith("balance/")) == 0
        for height in range(1, store.height() + 1):
            record = store.block(height)
            assert record is not None
            if height > 1:
                signed = beacon.message(KEYS.chain_id, height - 1)
                assert beacon.verify(KEYS.genesis.keys.group, signed, record.beacon)
            for place, (data, result) in enumerate(zip(record.txs, record.results, strict=True)):
                fared[result.reason] += 1
                if "settled_at" in result.data:
                    check_pending(store, height, place, data)
                    fared["pending move"] += 1
    return fared


def check_pending(store: Any, height: int, place: int, data: bytes) -> None:
    """Nothing of the account or the session changes in the block after a move; the one after that settles it."""
    read = read_transaction(data, KEYS.chain_id)
    assert isinstance(read, Transaction)
    between, settled = store.block(height + 1), store.block(height + 2)
    session = getattr(read.body, "session_id", 0)
    if between is not None:
        own = {f"balance/player/{read.sender}", f"player/{read.sender}", f"session/{session}"}
        assert not own & set(between.changes)
    if settled is not None:
        causes = [msgspec.json.decode(event) for event in settled.events]
        assert any((each["cause"], each["index"]) == ("settled", place) for each in causes)


def seed_of(number: int) -> bytes:
    return sha256(b"simulation %d" % number).digest()


def test_fifty_seeds_with_faults_agree_and_every_kind_of_fault_happened():
    counts: Counter[str] = Counter()
    fared: Counter[str] = Counter()
    for number in range(50):
        network = play(seed_of(number), Faults(liars=number % 2, calm_after_ms=6_000))
        counts += network.counts
        fared += check(network)

    assert [kind for kind in FAULTS if counts[kind] == 0] == []
    assert fared["pending move"] > 500
    assert {"ok", "pending"} <= set(fared)


@pytest.mark.soak
@pytest.mark.parametrize("tens", range(100))
def test_a_thousand_seeds_with_faults_agree(tens):
    for number in range(1000 + tens * 10, 1010 + tens * 10):
        check(play(seed_of(number), Faults(liars=number % 2, calm_after_ms=10_000, crash=20), HEIGHT + 6))


def test_one_seed_replays_one_run():
    first, second = (play(seed_of(7), Faults()) for _ in range(2))

    assert first.counts == second.counts
    assert first.now() == second.now()
    assert first.agreed == second.agreed
    assert first.agreed != play(seed_of(8), Faults()).agreed


def test_without_faults_nothing_is_counted_and_all_four_arrive():
    network = play(seed_of(0), NO_FAULTS)

    assert not set(network.counts) - {"reorder"}
    assert min(network.heights()) >= HEIGHT


def test_one_of_four_may_be_down_and_two_may_not():
    network = play(seed_of(1), NO_FAULTS, 3)
    network.stop(3)
    network.run_until(lambda: min(network.heights()[:3]) >= 8)
    assert network.heights()[3] < 8
    network.stop(2)
    before = max(network.heights())
    with pytest.raises(Violation, match="have passed"):
        network.run_until(lambda: max(network.heights()) > before + 1, limit_ms=30_000)
    for index in (2, 3):
        network.restart(index)
    network.run_until(lambda: min(network.heights()) >= before + 3)
    # Who was down has every seed afterwards.
    for height in range(2, before + 3):
        assert len({store.block(height).beacon for store in network.stores}) == 1  # type: ignore[union-attr]


def test_a_node_that_computes_differently_is_found(monkeypatch):
    network = play(seed_of(2), NO_FAULTS, 3)
    app = network.app(1)
    real = app.apply

    def wrong(height: int, txs: Any, seed: bytes | None, time: int) -> Any:
        return real(height, txs, bytes(32) if height == 6 else seed, time)

    monkeypatch.setattr(app, "apply", wrong)
    with pytest.raises(Violation, match="differs at height 6"):
        network.run_until(lambda: min(network.heights()) >= 8)


def test_all_games_of_the_workload_are_house_games():
    catalogue = {table.id: table.game_id for table in KEYS.genesis.params.tables}

    assert all(isinstance(get_game(catalogue[table]), HouseGame) for table, _ in TABLES)
