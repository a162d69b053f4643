"""The house's state in tables: what `house.execute` keeps under keys, under columns here.

balance/ACCOUNT     balances         movement/N     movements, append only
player/ID           house_players    nonce/PLAYER   nonces
session/ID          house_sessions   leaderboard    house_values
ledger/count and ledger/accounts are asked of movements and balances
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from croupier.engine.plain import INT64_MAX, canonical
from croupier.house.ledger import LedgerBroken, Movement
from croupier.house.modifiers import Player
from croupier.store.sessions import read_session, write_session
from croupier.store.statements import Statement, Statements

__all__ = ["HouseTables"]

Entries = tuple[tuple[str, int], ...]

_player = msgspec.json.Decoder(Player).decode
_entries = msgspec.json.Decoder(Entries).decode


class Asks(Protocol):
    """What executes statements."""

    def one(self, statement: Statement, **values: Any) -> Any: ...
    def all(self, statement: Statement, **values: Any) -> list[Any]: ...
    def do(self, statement: Statement, **values: Any) -> int: ...


class HouseTables:
    """A `house.ledger.State` within one transaction. What it has read or written it remembers until `forget`."""

    def __init__(self, asks: Asks, statements: Statements) -> None:
        self._asks = asks
        self._known: dict[str, Any] = {}
        self._sql = statements
        self._getters: dict[str, Callable[[str], Any]] = {
            "balance": self._balance,
            "movement": self._movement,
            "player": self._player,
            "nonce": self._nonce,
            "session": self._session,
        }

    def forget(self) -> None:
        """Ask the tables again: something was undone."""
        self._known.clear()

    def get(self, key: str) -> Any:
        """Return what was put under a key, or None."""
        if key in self._known:
            return self._known[key]
        if key == "ledger/accounts":
            return tuple(row[0] for row in self._asks.all(self._sql.ledger_accounts)) or None
        value = self._find(key)
        self._known[key] = value
        return value

    def put(self, key: str, value: Any) -> None:
        """Keep a value under a key. A movement cannot be put twice."""
        kind, _, name = key.partition("/")
        match kind:
            case "balance":
                if not -INT64_MAX <= value <= INT64_MAX:
                    raise LedgerBroken(f"{name} would hold {value} chips, which is more than can be kept")
                self._asks.do(self._sql.put_balance, account=name, chips=value)
            case "movement":
                assert int(name) == value.number, f"movement {value.number} under {key}"
                self._asks.do(self._sql.add_movement, **msgspec.structs.asdict(value))
            case "nonce":
                self._asks.do(self._sql.put_house_nonce, player=name, next=value)
            case "player":
                self._asks.do(self._sql.put_house_player, id=name, body=canonical(value))
            case "session":
                body = write_session(value)
                self._asks.do(self._sql.put_house_session, id=value.id, player=value.player, body=body)
            case "ledger" if name == "accounts":
                return  # the balances tell, and at once
            case "ledger" if name == "count":
                pass  # the movements tell; known until the end of the transaction
            case "leaderboard":
                self._asks.do(self._sql.put_house_value, name=kind, body=canonical(value))
            case _:
                raise LookupError(f"the house keeps nothing under {key!r}")
        self._known[key] = value

    def richest(self, count: int) -> list[tuple[str, int]]:
        """Return the players' accounts with the most chips, best first, equal ones by name."""
        return [(account, chips) for account, chips in self._asks.all(self._sql.richest, limit=count)]

    def _find(self, key: str) -> Any:
        kind, _, name = key.partition("/")
        if kind in self._getters:
            return self._getters[kind](name)
        if key == "ledger/count":
            return self._asks.one(self._sql.ledger_count)[0]
        if key == "leaderboard":
            row = self._asks.one(self._sql.house_value, name=key)
            return None if row is None else _entries(row[0])
        raise LookupError(f"the house keeps nothing under {key!r}")

    def _balance(self, name: str) -> int | None:
        row = self._asks.one(self._sql.get_balance, account=name)
        return None if row is None else row[0]

    def _nonce(self, name: str) -> int | None:
        row = self._asks.one(self._sql.house_nonce, player=name)
        return None if row is None else row[0]

    def _player(self, name: str) -> Player | None:
        row = self._asks.one(self._sql.house_player, id=name)
        return None if row is None else _player(row[0])

    def _movement(self, name: str) -> Movement | None:
        row = self._asks.one(self._sql.get_movement, number=int(name))
        return None if row is None else read_movement(row)

    def _session(self, name: str) -> Any:
        # The id came from a player: whatever is no number has no session.
        if not (name.isascii() and name.isdecimal()) or len(name) > 19 or int(name) > INT64_MAX:
            return None
        row = self._asks.one(self._sql.house_session, id=int(name))
        return None if row is None else read_session(row[0])


def read_movement(row: Any) -> Movement:
    """Return the movement in a row of its table, whose columns are in the order of the schema."""
    source, target, reason, number, amount, session = row
    return Movement(number, source, target, amount, reason, session)
