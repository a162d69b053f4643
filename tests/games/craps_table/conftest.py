"""Test harness of the shared craps table: actions in words, scripted dice, and books that the test keeps itself."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from typing import Any

import pytest

from croupier.engine import Action, LogEntry, Match, apply_action, create_match, legal_actions
from croupier.engine.model import HOST
from croupier.games.craps.paytables import book_of
from croupier.games.craps.table.game import SharedCraps
from croupier.games.craps.table.state import Chair, SharedTable
from croupier.testing import ScriptedRng
from tests.games.craps.seats import payload_of
from tests.games.scenes import look_at, steps

GAME = SharedCraps()
SEED = bytes(range(32))


class Table:
    """A match that is driven by hand. After every action it checks the books, with a tally of its own."""

    def __init__(self, players: list[str], **options: Any) -> None:
        self.match: Match[SharedTable] = create_match(GAME, players, seed=SEED, session_id=7, options=options)
        self.start = self.before = self.match
        self.error = ""
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
            self.error = answer.error
            return answer
        self.before = before
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

    def roll(self, *rolls: tuple[int, int] | None) -> Match[SharedTable]:
        """Let everybody be ready and the shooter throw these dice, or those of the stream."""
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
        """Bets that the last roll decided: seat, bet, profit."""
        return [(one.seat, one.bet, one.returned - one.outlay) for one in self.match.game.settled]

    def take(self, words: list[str]) -> Any:
        """Take a step of a scene: `ann place pass 10`, `ann roll 22`, or `roll 22 34`, for which all are ready."""
        if words[0] == "roll":
            return self.roll(*[(int(dice[0]), int(dice[1])) for dice in words[1:]])
        player, type, *rest = words
        if type == "roll":
            return self.do(player, type, (int(rest[0][0]), int(rest[0][1])))
        return self.do(HOST if player == "host" else player, type, **payload_of(type, rest))

    def go(self, scene: str) -> None:
        """Take the steps of a scene."""
        for step in steps(scene):
            self.take(step.split())

    def refusal(self, words: list[str]) -> str:
        """Return the code with which a step of a scene is refused."""
        player, type, *rest = words
        return self.refused(HOST if player == "host" else player, type, **payload_of(type, rest))

    def look(self, path: str) -> Any:
        """Return what a scene asks for: `ann.chips`, `ann.bets`, one of those below, or a path of the match."""
        name, _, rest = path.partition(".")
        if name in [one.id for one in self.match.players]:
            if rest == "actions":
                return [one.type for one in legal_actions(GAME, self.match, name)]
            return self.bets(name) if rest == "bets" else look_at(self.chair(name), rest)
        match path:
            case "settled":
                return self.settled()
            case "shooter":
                return self.shooter
            case "error":
                return self.error
            case "game_changed":
                return self.match.game != self.before.game
            case "told":
                return GAME.describe(self.log[-1].action, self.before, self.match)
            case "chips_in_all":
                return sum(chair.chips for chair in self.match.game.seats) + self.match.game.bank
        return look_at(self.match, path)

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
    return opened


def opened(*players: str, chips: int = 1000, **options: Any) -> Table:
    """Return a table at which players have bought in."""
    table = Table(list(players or ("ann", "bob", "cid")), **options)
    return table.seat(*[player.id for player in table.match.players], chips=chips) if chips else table


def staged(head: str) -> Table:
    """Return the table that the first line of a scene asks for: `ann bob`, and options such as `bank=200`."""
    words = head.split()
    options = {name: literal_eval(value) for name, value in (word.split("=") for word in words if "=" in word)}
    return opened(*[word for word in words if "=" not in word], **options)
