"""A shared craps table to test with: actions by name, dice that are told what to show, and books kept by the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.engine import HOST, Action, LogEntry, Match, apply_action, create_match
from croupier.games.craps.paytables import book_of
from croupier.games.craps.table.game import SharedCraps
from croupier.games.craps.table.state import Chair, SharedTable
from croupier.testing import ScriptedRng

GAME = SharedCraps()
SEED = bytes(range(32))


class Table:
    """A match that is driven by hand. After every action it checks the books, with a tally of its own."""

    def __init__(self, players: list[str], **options: Any) -> None:
        self.match: Match[SharedTable] = create_match(GAME, players, seed=SEED, session_id=7, options=options)
        self.start = self.match
        self.log: list[LogEntry] = []
        self.brought = self.match.options.bank
        """The bank's chips and everything bought, less everything taken home, as the test counts them."""

    def do(self, player: str, type: str, /, dice: tuple[int, int] | None = None, **payload: Any) -> Match[SharedTable]:
        """Take an action that must be accepted."""
        answer = self.attempt(player, type, dice, **payload)
        assert answer.ok, (answer.code, answer.error)
        return self.match

    def attempt(self, player: str, type: str, /, dice: tuple[int, int] | None = None, **payload: Any) -> Any:
        """Take an action, or be refused."""
        rng = None if dice is None else ScriptedRng.of_dice(*dice)
        before = self.match
        answer = apply_action(GAME, before, Action(type, payload, player), rng=rng)
        if not answer.ok:
            assert answer.state is before
            return answer
        self.match = answer.state
        self.log.append(LogEntry(answer.action, answer.state.version, drew=answer.drew))
        self._count(before, answer.action)
        self.check()
        return answer

    def refused(self, player: str, type: str, /, **payload: Any) -> str:
        """Return the code of a refusal."""
        answer = self.attempt(player, type, **payload)
        assert not answer.ok, f"{type} {payload} was accepted"
        return str(answer.code)

    def roll(self, *rolls: tuple[int, int]) -> Match[SharedTable]:
        """Let everybody be ready and the shooter throw these dice."""
        for dice in rolls:
            for player in self.match.turn.order:
                if player != self.shooter and self.chair(player).is_waited_for:
                    self.do(player, "ready")
            self.do(self.shooter, "roll", dice)
        return self.match

    def seat(self, *players: str, chips: int = 1000) -> Table:
        """Let players buy in."""
        for player in players:
            self.do(player, "buy_in", chips=chips)
        return self

    @property
    def shooter(self) -> str:
        return self.match.turn.current

    def chair(self, player: str) -> Chair:
        (seat,) = [one.seat for one in self.match.players if one.id == player]
        return self.match.game.seats[seat]

    def bets(self, player: str) -> dict[str, int]:
        return {bet.name: bet.stake for bet in self.chair(player).bets}

    def settled(self) -> list[tuple[int, str, int]]:
        """What the last roll decided: seat, bet, profit."""
        return [(one.seat, one.bet, one.returned - one.outlay) for one in self.match.game.settled]

    def close(self, reason: str = "ended", at_value: bool = True) -> Match[SharedTable]:
        return self.do(HOST, "close", reason=reason, at_value=at_value)

    def _count(self, before: Match[SharedTable], action: Action) -> None:
        if action.type == "buy_in":
            self.brought += action.payload["chips"]
        taken = [chair.paid_out for chair in self.match.game.seats]
        had = [chair.paid_out for chair in before.game.seats] + [0] * (len(taken) - len(before.game.seats))
        self.brought -= sum(taken) - sum(had)

    def check(self) -> None:
        """Hold the state to its laws."""
        state, book = self.match.game, book_of(self.match.options)
        racks = sum(chair.chips for chair in state.seats)
        laid = sum(bet.outlay(book) for chair in state.seats for bet in chair.bets)
        over = sum(chair.unclaimed for chair in state.seats)
        assert racks + laid + over + state.bank == self.brought
        assert state.cover == sum(bet.return_max(book) for chair in state.seats for bet in chair.bets) <= state.bank
        assert all(chair.chips >= 0 for chair in state.seats)
        assert GAME.audit(state) is None
        assert (self.match.status == "finished") == (state.table.phase == "closed")
        assert (state.table.point > 0) == (state.table.phase == "point")
        current = self.match.turn.current
        assert self.match.status == "finished" or current in self.match.turn.order


@pytest.fixture
def open_table() -> Callable[..., Table]:
    """Return a function that opens a table for players with 1,000 chips each."""

    def open_it(*players: str, chips: int = 1000, **options: Any) -> Table:
        table = Table(list(players or ("ann", "bob", "cid")), **options)
        return table.seat(*[player.id for player in table.match.players], chips=chips) if chips else table

    return open_it
