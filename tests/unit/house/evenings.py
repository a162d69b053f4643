"""Evenings at a casino in memory: any instructions to it, each checked, and all of them carried out again."""

from hashlib import sha256
from random import Random
from typing import Any

from croupier.house import CasinoError, Instruction, MemoryState, Session, StartGame, check_ledger, execute
from croupier.house.instructions import Deposited, GameCompleted, PlayerRegistered

START = 1_700_000_000_000
PLAYERS = ("ann", "bob")


class Evening:
    """One state, and what is asked of it; chance is fixed by the evening's name.

    After every instruction: the ledger adds up and its movements make it; nobody is below nothing; what the ledger
    calls open is what lies on the tables; a refusal changed nothing; and each player holds what their sessions, by
    plain counting, leave them.
    """

    def __init__(self, name: Any, tables: Any = None, values: Any = None) -> None:
        self.rng = Random(name)
        self.tables, self.values = tables, values
        self.state, self.time = MemoryState(values), START
        self.log: list[tuple[Any, ...]] = []
        self.events: list[Any] = []
        self.sessions: list[int] = []
        self.gifts = {player: 1000 if self.state.get(f"player/{player}") else 0 for player in PLAYERS}
        self.bonus = dict.fromkeys(PLAYERS, 0)

    def session(self, session_id: int) -> Session:
        found = self.state.values[f"session/{session_id}"]
        assert isinstance(found, Session)
        return found

    def running(self) -> list[int]:
        return [number for number in self.sessions if not self.session(number).is_complete]

    def do(self, player: str, body: Any) -> tuple[Any, ...]:
        """Carry out an instruction, check what it did, and return its events."""
        entry = (Instruction(player, body), sha256(self.rng.randbytes(8)).digest(), self.time)
        before = dict(self.state.values)
        events = execute(self.state, *entry, tables=self.tables)
        self.log.append(entry)
        self.events.append(events)
        check_ledger(self.state, thorough=True)
        if isinstance(events[0], CasinoError):
            assert len(events) == 1
            assert self.state.values == before, "a refusal changed something"
            return events
        if isinstance(body, StartGame):
            self.sessions.append(body.session_id)
        for event in events:
            if isinstance(event, PlayerRegistered):
                self.gifts[event.player] = 1000
            elif isinstance(event, Deposited):
                self.gifts[event.player] += event.amount
            elif isinstance(event, GameCompleted):
                self.bonus[event.player] += event.net - (event.returned - event.staked)
                assert event.balances.chips == self.state.values[f"balance/player/{event.player}"]
        self.count_chips()
        return events

    def count_chips(self) -> None:
        """Count what everybody must hold from the sessions alone."""
        values, lying = self.state.values, 0
        chips = {player: self.gifts[player] + self.bonus[player] for player in PLAYERS}
        for number in self.sessions:
            session = self.session(number)
            money = session.money
            assert session.unsettled is None
            assert money.staked == sum(stake.stake for stake in money.open) + sum(line.stake for line in money.lines)
            assert money.returned == sum(line.returned for line in money.lines)
            assert not (session.is_complete and money.open)
            lying += sum(stake.stake for stake in money.open)
            chips[session.player] += money.returned - money.staked - money.fees
        for player, held in chips.items():
            assert values.get(f"balance/player/{player}", 0) == held >= 0
        assert values.get("balance/open", 0) == lying
        assert sum(chips.values()) + values.get("balance/house", 0) + lying == sum(self.gifts.values())

    def replay(self) -> None:
        """Carry the same log out once more: the same events and the same state must come of it."""
        state = MemoryState(self.values)
        assert [execute(state, *entry, tables=self.tables) for entry in self.log] == self.events
        assert state.values == self.state.values
