"""A chain in memory for tests: fixed keys, players by number, blocks with seeds that a test chooses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from croupier.chain import beacon
from croupier.chain.block import BlockRecord, apply_block
from croupier.chain.genesis import Genesis, default_params, make_genesis
from croupier.chain.state import BlockState, ChainState, genesis_state
from croupier.chain.transactions import Body, Sender, sign_transaction
from croupier.engine import act, get_game
from croupier.engine.plain import canonical
from croupier.house import GameMove, HouseGame, Register, StartGame, encode_payload

CHAIN = "test-chain"


@cache
def keys(count: int = 4) -> tuple[beacon.BeaconKeys, tuple[bytes, ...]]:
    coefficients = [sha256(b"coefficient %d" % i).digest() for i in range(beacon.threshold_of(count))]
    return beacon.deal(coefficients, count)


@cache
def sender(name: str | int) -> Sender:
    return Sender(sha256(f"sender {name}".encode()).digest())


@cache
def genesis(operators: int = 3, quorum: int = 2, count: int = 4) -> Genesis:
    votes = tuple(sender(f"validator {i}").public for i in range(count))
    ids = tuple(sender(f"operator {i}").id for i in range(operators))
    return make_genesis(keys(count)[0], votes, ids, quorum, default_params())


def seed_at(height: int) -> bytes:
    return sha256(b"seed %d" % height).digest()


class World:
    """A chain whose blocks a test makes one by one."""

    def __init__(self, state: ChainState | None = None, seeds: Any = seed_at) -> None:
        self.state = genesis_state(genesis()) if state is None else state
        self.nonces: dict[str | int, int] = {}
        self.seeds = seeds

    def tx(self, name: str | int, body: Body, nonce: int | None = None) -> bytes:
        if nonce is None:
            nonce = self.nonces.get(name, 0)
            self.nonces[name] = nonce + 1
        return sign_transaction(sender(name), CHAIN, nonce, body)

    def apply(self, txs: Sequence[bytes] = (), time: int | None = None) -> tuple[BlockRecord, BlockState]:
        height = self.state.height + 1
        seed = None if height == 1 else self.seeds(height - 1)
        return apply_block(self.state, CHAIN, height, txs, seed, height * 1000 if time is None else time)

    def block(self, *txs: bytes, time: int | None = None) -> BlockRecord:
        record, after = self.apply(txs, time)
        self.state.advance(after, record.height, record.app_hash)
        return record

    def register(self, *names: str | int) -> None:
        result = self.block(*(self.tx(name, Register("player")) for name in names))
        assert {each.reason for each in result.results} == {"ok"}

    def sit(self, name: str | int, table: int = 6, stake: int = 0) -> int:
        """Start a session, wait until it has begun, and return its number."""
        result, _ = self.settle(self.tx(name, StartGame(table, stake, 0)))
        assert result.results[0].reason == "ok", result.results
        number: int = result.results[0].data["session_id"]
        return number

    def settle(self, *txs: bytes, time: int | None = None) -> tuple[BlockRecord, BlockRecord]:
        """Make a block and the two after it; return it, and the one that settles its moves."""
        made, _, settled = self.block(*txs, time=time), self.block(time=time), self.block(time=time)
        return made, settled

    @classmethod
    def seated(cls, *names: str, **table: int) -> tuple[World, int]:
        """Return a chain with players, the first of whom has sat down, and the number of the session."""
        world = cls()
        world.register(*names)
        return world, world.sit(names[0], **table)

    def chips(self, name: str | int) -> int:
        held: int = self.state.get(f"balance/player/{sender(name).id}")
        return held

    def total(self) -> int:
        return sum(int(data) for key, data in self.state.raw.items() if key.startswith("balance/"))


def reasons(result: BlockRecord) -> list[str]:
    return [each.reason for each in result.results]


def events_of(result: BlockRecord, kind: str | None = None) -> list[dict[str, Any]]:
    found = [msgspec.json.decode(event) for event in result.events]
    return [each["event"] for each in found if kind is None or each["event"].get("type") == kind]


def red(session: int, stake: int = 10) -> GameMove:
    roulette = get_game("roulette")
    assert isinstance(roulette, HouseGame)
    payload = encode_payload(roulette, act("batch", bets=[{"bet": "red", "stake": stake}]))
    return GameMove(session, payload)


def genesis_bytes(**kinds: int) -> bytes:
    return canonical(genesis(**kinds))
