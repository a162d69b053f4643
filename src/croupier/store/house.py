"""The house's state in tables: maps the keys of `house.execute` to rows and columns.

balance/ACCOUNT     balances         movement/N     movements, append only
player/ID           house_players
session/ID          sessions and snapshots: see `store.sessions`; its moves are for the host to write down
ledger/count and ledger/accounts are asked of movements and balances, ledger/sums of carried;
ledger/carried is in house_values. No leaderboard is kept: the balances tell who leads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.engine.plain import INT64_MAX, canonical
from croupier.house.ledger import CARRIED_KEY, SUMS_KEY, LedgerBroken, Movement
from croupier.house.modifiers import Player
from croupier.store.sessions import keep_session, load_session
from croupier.store.statements import get, insert, put

if TYPE_CHECKING:
    from croupier.store.transaction import Transaction

PAGE = 500
MOVEMENT = "number, source, target, amount, reason, session"

OWN = ("session/", "movement/")

_player = msgspec.json.Decoder(Player).decode


class HouseTables:
    """A `house.ledger.State` within one transaction, which remembers what it has read or written.

    `known` is what may be known to the next transaction; sessions, movements and what is kept of them are not among it.
    """

    def __init__(self, asks: Transaction, known: dict[str, Any]) -> None:
        self._asks = asks
        self._lasting = known
        self._own: dict[str, Any] = {}
        self._page: dict[str, Movement] = {}

    def get(self, key: str) -> Any:
        """Return what was put under a key, or None."""
        known = self._own if key.startswith(OWN) else self._lasting
        if key in known:
            return known[key]
        if key == "ledger/accounts":
            return tuple(row[0] for row in self._asks.all("SELECT account FROM balances ORDER BY account")) or None
        if key == SUMS_KEY:
            return dict(self._asks.all("SELECT account, chips FROM carried"))
        value = self._find(key)
        if not key.startswith("movement/"):
            known[key] = value
        return value

    def put(self, key: str, value: Any) -> None:
        """Keep a value under a key. A movement cannot be put twice."""
        kind, _, name = key.partition("/")
        match kind:
            case "balance":
                if not -INT64_MAX <= value <= INT64_MAX:
                    raise LedgerBroken(f"{name} would hold {value} chips, which is more than can be kept")
                self._asks.do(put("balances"), account=name, chips=value)
            case "movement":
                assert int(name) == value.number, f"movement {value.number} under {key}"
                self._asks.do(insert("movements", is_exact=True), **msgspec.structs.asdict(value))
            case "player":
                self._asks.do(put("house_players"), id=name, body=canonical(value))
            case "session":
                keep_session(self._asks, value, is_new=self.get(key) is None)
            case "ledger" if name == "accounts":
                return  # the balances tell, and at once
            case "ledger" if name == "count":
                pass  # the movements tell; known until the end of the transaction
            case _:
                raise LookupError(f"the house keeps nothing under {key!r}")
        (self._own if key.startswith(OWN) else self._lasting)[key] = value

    def richest(self, count: int) -> list[tuple[str, int]]:
        """Return the players' accounts with the most chips, best first, equal ones by name; no deleted ones."""
        # "player/" up to "player0": all names that begin with it, and none of the others.
        text = (
            "SELECT account, chips FROM balances WHERE account >= 'player/' AND account < 'player0' AND NOT EXISTS"
            " (SELECT 1 FROM accounts WHERE id = substr(balances.account, 8) AND recovery_hash = '')"
        )
        found = self._asks.all(f"{text} ORDER BY chips DESC, account LIMIT :limit", limit=count)
        return [(account, chips) for account, chips in found]

    # What is over.

    def carry_forward(self, limit: int) -> int:
        """Replace up to so many of the oldest movements by what they come to, and return how many those were.

        Only what came before the last movement of a session that is gone is as old as that session. The newest
        movement stays, whatever it was.
        """
        begin = end = self.get(CARRIED_KEY) or 0
        rows = self._movements(begin, limit)
        for movement in rows:
            if movement.session is not None:
                if self._is_kept(movement.session):
                    break
                end = movement.number
        else:
            text = "SELECT session FROM movements WHERE number > :beyond AND session IS NOT NULL"
            later = self._asks.one(f"{text} ORDER BY number LIMIT 1", beyond=begin + limit)
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
            self._asks.do(
                "INSERT INTO carried (account, chips) VALUES (:account, :chips)"
                " ON CONFLICT (account) DO UPDATE SET chips = carried.chips + excluded.chips",
                account=account,
                chips=chips,
            )
        self._asks.do("DELETE FROM movements WHERE number <= :number", number=end)
        self._asks.do(put("house_values"), name=CARRIED_KEY, body=canonical(end))
        self._asks.forget()
        return end - begin

    def _movements(self, beyond: int, limit: int) -> list[Movement]:
        """Return the movements after a number, in order."""
        text = f"SELECT {MOVEMENT} FROM movements WHERE number > :beyond ORDER BY number LIMIT :limit"
        return [Movement(*row) for row in self._asks.all(text, beyond=beyond, limit=limit)]

    def _is_kept(self, session_id: int) -> bool:
        key = f"kept/{session_id}"
        if key not in self._own:
            self._own[key] = self._asks.get_session(session_id) is not None
        return bool(self._own[key])

    def _find(self, key: str) -> Any:
        kind, _, name = key.partition("/")
        match kind:
            case "balance":
                return self._asks.found(int, get("balances", "chips"), account=name)
            case "player":
                return self._asks.found(_player, get("house_players"), id=name)
            case "movement":
                if key not in self._page:  # many at a time, in order: who reads them all reads a page once
                    page = self._movements(int(name) - 1, PAGE)
                    self._page = {f"movement/{movement.number}": movement for movement in page}
                return self._page.get(key)
            case "session":
                # The id came from a player: whatever is no number has no session.
                is_number = name.isascii() and name.isdecimal() and len(name) <= 19 and int(name) <= INT64_MAX
                return load_session(self._asks, int(name)) if is_number else None
            case "ledger" if name == "count":
                return self._asks.one("SELECT max(number) FROM movements")[0]
            case _ if key == CARRIED_KEY:
                return self._asks.found(int, get("house_values"), name=key)
        raise LookupError(f"the house keeps nothing under {key!r}")
