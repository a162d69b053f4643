"""The house's state in tables: what `house.execute` keeps under keys, under columns here.

balance/ACCOUNT     balances         movement/N     movements, append only
player/ID           house_players    leaderboard    house_values
session/ID          sessions and snapshots: see `store.sessions`; its moves are for the host to write down
ledger/count and ledger/accounts are asked of movements and balances, ledger/sums of carried;
ledger/carried is in house_values, as is the leaderboard
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.engine.plain import INT64_MAX, canonical
from croupier.house.ledger import CARRIED_KEY, SUMS_KEY, LedgerBroken, Movement
from croupier.house.modifiers import Player
from croupier.store.sessions import keep_session, load_session

if TYPE_CHECKING:
    from croupier.store.transaction import Transaction

__all__ = ["HouseTables"]

Entries = tuple[tuple[str, int], ...]

_player = msgspec.json.Decoder(Player).decode
_VALUES: dict[str, Callable[[bytes], Any]] = {"leaderboard": msgspec.json.Decoder(Entries).decode, CARRIED_KEY: int}


class HouseTables:
    """A `house.ledger.State` within one transaction. What it has read or written it remembers until `forget`."""

    def __init__(self, asks: Transaction) -> None:
        self._asks = asks
        self._known: dict[str, Any] = {}
        self._sql = asks.backend.statements
        self._getters: dict[str, Callable[[str], Any]] = {
            "balance": self._balance,
            "movement": self._movement,
            "player": self._player,
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
        if key == SUMS_KEY:
            return dict(self._asks.all(self._sql.carried))
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
            case "player":
                self._asks.do(self._sql.put_house_player, id=name, body=canonical(value))
            case "session":
                keep_session(self._asks, value, is_new=self.get(key) is None)
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

    # What is over.

    def carry_forward(self, limit: int) -> int:
        """Replace up to so many of the oldest movements by what they come to, and return how many those were.

        Only what came before the last movement of a session that is gone is as old as that session. The newest
        movement stays, whatever it was.
        """
        begin = end = self.get(CARRIED_KEY) or 0
        rows = [read_movement(row) for row in self._asks.all(self._sql.movements_after, after=begin, limit=limit)]
        for movement in rows:
            if movement.session is not None:
                if self._is_kept(movement.session):
                    break
                end = movement.number
        else:
            later = self._asks.one(self._sql.next_session_moved, after=begin + limit)
            if later is not None and not self._is_kept(later[0]):
                end = begin + len(rows)
        end = min(end, (self.get("ledger/count") or 0) - 1)
        if end <= begin:
            return 0
        sums: dict[str, int] = {}
        for movement in rows[: end - begin]:
            sums[movement.source] = sums.get(movement.source, 0) - movement.amount
            sums[movement.target] = sums.get(movement.target, 0) + movement.amount
        for account, chips in sorted(sums.items()):
            self._asks.do(self._sql.add_carried, account=account, chips=chips)
        self._asks.do(self._sql.drop_movements, number=end)
        self._asks.do(self._sql.put_house_value, name=CARRIED_KEY, body=canonical(end))
        self.forget()
        return end - begin

    def _is_kept(self, session_id: int) -> bool:
        key = f"kept/{session_id}"
        if key not in self._known:
            self._known[key] = self._asks.get_session(session_id) is not None
        return bool(self._known[key])

    def _find(self, key: str) -> Any:
        kind, _, name = key.partition("/")
        if kind in self._getters:
            return self._getters[kind](name)
        if key == "ledger/count":
            return self._asks.one(self._sql.ledger_count)[0]
        if key in _VALUES:
            row = self._asks.one(self._sql.house_value, name=key)
            return None if row is None else _VALUES[key](row[0])
        raise LookupError(f"the house keeps nothing under {key!r}")

    def _balance(self, name: str) -> int | None:
        row = self._asks.one(self._sql.get_balance, account=name)
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
        return load_session(self._asks, int(name))


def read_movement(row: Any) -> Movement:
    """Return the movement in a row of its table, whose columns are in the order of the schema."""
    source, target, reason, number, amount, session = row
    return Movement(number, source, target, amount, reason, session)
