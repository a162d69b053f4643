"""A table's network in memory: every message takes the time it is told to take, and the clock jumps to the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from croupier.fairness.dice import Contributor, DiceHost, Event, Rolled, Stakes
from croupier.fairness.dice.answers import Movement
from croupier.fairness.dice.host import Answer

TABLE = ""


class Sent(NamedTuple):
    """A message on its way to the table."""

    message: Event
    delay_ms: int = 0


class Outcome(NamedTuple):
    """How an attempt at a roll ended: with dice, void, or with the end of the table."""

    rolled: Rolled | None
    closed: str
    movements: tuple[Movement, ...]


class Player:
    """An honest player: sends what its contributor says, at once. Adversaries do something else in `hear`."""

    def __init__(self, contributor: Contributor) -> None:
        self.me = contributor
        self.complaints: list[str] = []

    @property
    def key(self) -> str:
        """The player's key."""
        return self.me.key

    def hear(self, event: Event, now: int) -> Sequence[Sent]:
        """Take a message and return what to send."""
        reply = self.me.receive(event, now)
        if reply.complaint is not None:
            self.complaints.append(reply.complaint.code)
        return [Sent(message) for message in reply.send]

    def wait(self, now: int) -> None:
        """See that time has passed, and that nothing came."""
        reply = self.me.tick(now)
        if reply.complaint is not None:
            self.complaints.append(reply.complaint.code)


class Network:
    """Carries messages between one host and its players, in the order of their arrival."""

    def __init__(self, host: DiceHost) -> None:
        self.host = host
        self.players: dict[str, Player] = {}
        self.now = 0
        self.dropped: dict[str, int] = {}
        """How many messages the host dropped, by code."""
        self._queue: list[tuple[int, int, str, Event, str]] = []
        self._order = count()
        self._movements: list[Movement] = []
        self._rolled: Rolled | None = None

    def seat(self, player: Player, bond: int) -> None:
        """Sit a player down; whoever comes later reads the book so far."""
        for entry in self.host.book.entries:
            player.hear(entry.event, self.now)
        self.players[player.key] = player
        self._post(player.key, [Sent(player.me.join(bond))])
        self._deliver()

    def play(self, stakes: Stakes) -> Outcome:
        """Run one round to its end."""
        self._movements, self._rolled = [], None
        for player in self.players.values():
            player.me.expect(stakes)
        locked = self.host.lock(stakes, self.now)
        if not locked.ok:  # nobody is left who may contribute, say: stakes are handed back
            return Outcome(None, locked.code, ())
        self._spread(locked)
        self._deliver()
        closed = self.host.table.closed
        if not closed:  # in the books of the players it may be: what a table does to itself they find out
            given_up = [player.me for player in self.players.values() if player.me.table.closed]
            if given_up:
                closed = given_up[0].table.closed
                self._movements += given_up[0].book.entries[-1].movements
        return Outcome(self._rolled, closed, tuple(self._movements))

    def _deliver(self) -> None:
        """Hand over messages in order of time until nothing is under way and nobody waits for anything."""
        while self._queue or self.host.deadline is not None:
            deadline = self.host.deadline
            if self._queue and (deadline is None or self._queue[0][0] < deadline):
                self._hand_over()
                continue
            assert deadline is not None
            self.now = max(self.now, deadline)
            answer = self.host.tick(self.now)
            if not answer.send:  # a host that does nothing when its time is up has stopped
                self._queue.clear()
                self.now += self.host.table.terms.reveal_ms
                for player in self.players.values():
                    player.wait(self.now)
                return
            self._spread(answer)

    def _hand_over(self) -> None:
        time, _, target, message, sender = heappop(self._queue)
        self.now = max(self.now, time)
        if target != TABLE:
            self._post(target, self.players[target].hear(message, self.now))
            return
        answer = self.host.receive(message, self.now, sender)
        if not answer.ok:
            self.dropped[answer.code] = self.dropped.get(answer.code, 0) + 1
        self._spread(answer)

    def _spread(self, answer: Answer) -> None:
        self._movements += answer.movements
        self._rolled = answer.rolled or self._rolled
        for event in answer.send:
            for key in self.players:
                self._push(0, key, event, TABLE)

    def _post(self, sender: str, messages: Iterable[Sent]) -> None:
        for message, delay_ms in messages:
            self._push(delay_ms, TABLE, message, sender)

    def _push(self, delay_ms: int, target: str, message: Event, sender: str) -> None:
        heappush(self._queue, (self.now + delay_ms, next(self._order), target, message, sender))
