"""The state of a chain: values under keys, their canonical bytes, and the Merkle tree over them.

    balance/ACCOUNT   chips                      account/ID       nonces and lock of a sender
    player/ID         the house's player         pending/0, /1    moves that wait, by the parity of their block
    session/ID        a session                  params           the constants
    ledger/count      movements so far           upgrade          constants that are to come, and from when
    leaderboard       the ten richest            approval/ID      an operator's word for an upgrade
    sessions          how many have begun        quorum           how many operators make an upgrade

Movements of the ledger are events, not state: each is proved by the block it happened in.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from croupier.chain.genesis import Genesis, Params
from croupier.chain.limits import NONCE_WINDOW, SETTLED_AFTER
from croupier.chain.merkle import Node, root_of, update
from croupier.chain.sessions import read_session, write_session
from croupier.engine.plain import canonical
from croupier.house import CloseSession, GameMove, Player, StartGame
from croupier.house.ledger import Movement, player_account

PLAYERS = f"balance/{player_account('')}"


class Account(Struct, frozen=True):
    """A sender: the lowest nonce that is free, those used above it as bits, and the block of its last move."""

    next: int = 0
    used: int = 0
    moved: int = -SETTLED_AFTER

    def with_nonce(self, nonce: int) -> Account | None:
        """Return the account with a nonce used up, or None if it was used or is too far ahead."""
        ahead = nonce - self.next
        if not 0 <= ahead < NONCE_WINDOW or self.used >> ahead & 1:
            return None
        used, following = self.used | 1 << ahead, self.next
        while used & 1:
            used, following = used >> 1, following + 1
        return Account(following, used, self.moved)


class Pending(Struct, frozen=True):
    """A move that waits for its seed: who asked for what and when, and whose account is locked meanwhile."""

    player: str
    owner: str
    body: StartGame | GameMove | CloseSession
    time: int
    transaction: int


class Upgrade(Struct, frozen=True):
    """Constants that shall hold from a height on: approved, or an operator's word, which a later one replaces."""

    height: int
    params: Params


_read = {
    **dict.fromkeys(("balance", "ledger", "sessions", "quorum"), msgspec.json.Decoder(int).decode),
    **dict.fromkeys(("upgrade", "approval"), msgspec.json.Decoder(Upgrade | None).decode),
    "player": msgspec.json.Decoder(Player).decode,
    "session": read_session,
    "leaderboard": msgspec.json.Decoder(tuple[tuple[str, int], ...]).decode,
    "account": msgspec.json.Decoder(Account).decode,
    "pending": msgspec.json.Decoder(tuple[Pending, ...]).decode,
    "params": msgspec.json.Decoder(Params).decode,
}
_write: dict[str, Callable[[Any], bytes]] = {"session": write_session}


def decode_value(key: str, data: bytes) -> Any:
    """Return the value that stands under a key in these bytes."""
    return _read[key.partition("/")[0]](data)


def _encode_value(key: str, value: Any) -> bytes:
    return _write.get(key.partition("/")[0], canonical)(value)


class ChainState:
    """The state after a block. `advance` moves it on; nothing else changes it."""

    def __init__(self, raw: Mapping[str, bytes] | None = None, *, height: int = 0, app_hash: bytes = b"") -> None:
        self.height = height
        self.app_hash = app_hash
        self.raw: dict[str, bytes] = dict(raw or {})
        self.tree: Node = update(None, {key: sha256(value).digest() for key, value in self.raw.items()})
        self.ranking: list[tuple[int, str]] = sorted(
            (-int(value), key.partition("/")[2]) for key, value in self.raw.items() if key.startswith(PLAYERS)
        )
        self._values: dict[str, Any] = {}

    @property
    def root(self) -> bytes:
        """The Merkle root."""
        return root_of(self.tree)

    def get(self, key: str) -> Any:
        """Return the value under a key, or None."""
        if key in self._values:
            return self._values[key]
        data = self.raw.get(key)
        value = None if data is None else decode_value(key, data)
        if data is not None:
            self._values[key] = value
        return value

    def advance(self, block: BlockState, height: int, app_hash: bytes) -> None:
        """Take over what a block wrote."""
        assert block.base is self, "the block was made on another state"
        for name, chips in block.moved.items():
            before = self.get(f"balance/{name}")
            if before is not None:
                del self.ranking[bisect_left(self.ranking, (-before, name))]
            insort(self.ranking, (-chips, name))
        self.raw.update(block.encoded)
        self._values.update(block.writes)
        self.tree = block.tree
        self.height, self.app_hash = height, app_hash


class BlockState:
    """A state being changed by one block: `house.execute` reads and writes through it. The base stays as it is."""

    def __init__(self, base: ChainState) -> None:
        self.base = base
        self.writes: dict[str, Any] = {}
        self.movements: list[Movement] = []
        self.encoded: dict[str, bytes] = {}
        self.digests: dict[str, bytes] = {}
        self.tree: Node = base.tree
        self.moved: dict[str, int] = {}  # players' accounts whose place in the ranking is not that of the base

    def get(self, key: str) -> Any:
        """Return the value under a key, or None."""
        return self.writes[key] if key in self.writes else self.base.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a value. A movement goes to the events of the block."""
        if key.startswith("movement/"):
            self.movements.append(value)
            return
        if key.startswith(PLAYERS):
            self.moved[key.partition("/")[2]] = value
        self.writes[key] = value

    def richest(self, count: int) -> list[tuple[str, int]]:
        """Return the players' accounts with the most chips, best first, equal ones by name."""
        others = islice((entry for entry in self.base.ranking if entry[1] not in self.moved), count)
        ranking = sorted([*others, *((-chips, name) for name, chips in self.moved.items())])
        return [(name, -chips) for chips, name in ranking[:count]]

    def seal(self) -> bytes:
        """Encode and hash what changed, and return the new Merkle root."""
        encoded = {key: _encode_value(key, value) for key, value in self.writes.items()}
        self.encoded = {key: data for key, data in encoded.items() if self.base.raw.get(key) != data}
        self.digests = {key: sha256(data).digest() for key, data in sorted(self.encoded.items())}
        self.tree = update(self.base.tree, self.digests)
        return root_of(self.tree)


class Trial:
    """A block's state that forgets what is put: it tells how an instruction would fare."""

    def __init__(self, block: BlockState) -> None:
        self.get, self.richest = block.get, block.richest

    def put(self, key: str, value: Any) -> None:
        """Forget a value."""


def genesis_state(genesis: Genesis) -> ChainState:
    """Return the state before the first block."""
    values: dict[str, Any] = {
        "params": genesis.params,
        "upgrade": None,
        "sessions": 0,
        "pending/0": (),
        "pending/1": (),
        "quorum": genesis.quorum,
    }
    for operator in genesis.operators:
        values[f"account/{operator}"] = Account()
        values[f"approval/{operator}"] = None
    return ChainState({key: _encode_value(key, value) for key, value in values.items()})
