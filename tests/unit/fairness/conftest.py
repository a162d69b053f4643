"""A table of shared dice to test with: every message is delivered by hand, and time is a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

import pytest

from croupier.fairness.dice import (
    Contributor,
    DiceHost,
    Ed25519Signer,
    Ed25519Verifier,
    Event,
    HashChain,
    Reveal,
    Stakes,
    Terms,
)
from croupier.fairness.dice.contributor import Complaint
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.host import Answer
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import Ack, Close, Commit, M, Position, signed
from croupier.fairness.dice.table import DiceTable, Round, Seat
from tools.adversaries import MacSigner, MacVerifier

CHAIN = HashChain.make(bytes(31) + b"\x07", 60)
SCHEMES: dict[str, tuple[Callable[[str], Any], Callable[[], Any]]] = {
    "test-mac": (MacSigner, MacVerifier),
    "ed25519": (lambda name: Ed25519Signer(name.ljust(32, ".").encode()), Ed25519Verifier),
}


class Sitting:
    """A host, some players, and what they have said."""

    def __init__(self, names: Iterable[str] = ("ann", "bob"), *, bank: bool = True, bond: int = 100, **terms: Any):
        settings = {"table_bond": 1000, "fee": 5, "scheme": "test-mac", **terms}
        self.signer, verifier = SCHEMES[settings["scheme"]]
        self.verifier, signer, end = verifier(), self.signer("table"), CHAIN.end if bank else ""
        self.terms = Terms(name="test", session_id=9, table_key=signer.key, chain_end=end, rounds_max=60, **settings)
        self.host = DiceHost(self.terms, signer, self.verifier, CHAIN if bank else None)
        self.now = 0
        self.players: dict[str, Contributor] = {}
        self.complaints: dict[str, list[Complaint]] = {}
        self.answers: list[Answer] = []
        self.moves = 0
        for name in names:
            self.sit(name, bond)

    def watch(self, name: str, entropy: Callable[[int], bytes]) -> Contributor:
        """Let somebody read the book so far, and hear the rest."""
        entries = self.host.book.entries
        self.players[name] = Contributor(self.terms, self.signer(name), self.verifier, entropy, entries=entries)
        self.complaints[name] = []
        return self.players[name]

    def sit(self, name: str, bond: int = 100, entropy: Callable[[int], bytes] | None = None) -> Contributor:
        """Seat a player, whose salt and secrets are all different unless they come from elsewhere."""
        used = count()
        player = self.watch(name, entropy or (lambda size: f"{name}/{next(used)}/".ljust(size, ".").encode()[:size]))
        assert self.send(player.join(bond)) == []
        assert self.last.ok, self.last
        return player

    def key(self, name: str) -> str:
        return self.players[name].key if name in self.players else self.terms.table_key

    def seat(self, name: str) -> Seat:
        return self.state.seats[self.key(name)]

    @property
    def state(self) -> DiceTable:
        """The table as the host keeps it."""
        return self.host.table

    @property
    def on(self) -> Round:
        """The round that is on."""
        assert self.state.round is not None
        return self.state.round

    @property
    def last(self) -> Answer:
        """The host's last answer."""
        return self.answers[-1]

    @property
    def events(self) -> list[Event]:
        """The events of the host's book."""
        return [entry.event for entry in self.host.book.entries]

    def complaint_codes(self, name: str) -> list[str]:
        return [complaint.code for complaint in self.complaints[name]]

    def sign(self, name: str, message: M, **fields: bytes) -> M:
        """Return a message signed by a player, or by the table."""
        return signed(self.signer(name), message, self.state.game_id, **fields)

    def stakes(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> Stakes:
        """Return stakes in which each named player has (stake, largest win) on the table."""
        bets = bets or {}
        positions = tuple(Position(self.key(name), stake, win) for name, (stake, win) in bets.items())
        entries = tuple(live_bet(self.key(name), 48, 0, stake).hex() for name, (stake, _) in bets.items())
        return Stakes(**{"move_number": self.moves + 1, "entries": entries, "positions": positions, **more})

    def lock(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> list[tuple[str, Event]]:
        """Lock a round that everybody expects; return what the players would send."""
        stakes = self.stakes(bets, **more)
        for player in self.players.values():
            player.expect(stakes)
        return self.tell(self.host.lock(stakes, self.now))

    def send(self, *messages: Event) -> list[tuple[str, Event]]:
        """Hand messages to the table one by one; return what the players would send in answer."""
        sent = []
        for message in messages:
            sent += self.tell(self.host.receive(message, self.now, sender="wire"))
        return sent

    def tell(self, answer: Answer) -> list[tuple[str, Event]]:
        """Tell every player what the table sends."""
        self.answers.append(answer)
        self.moves += answer.rolled is not None
        sent: list[tuple[str, Event]] = []
        for event in answer.send:
            for name, player in self.players.items():
                reply = player.receive(event, self.now)
                if reply.complaint:
                    self.complaints[name].append(reply.complaint)
                sent += [(name, message) for message in reply.send]
        return sent

    def wait(self, ms: int) -> list[tuple[str, Event]]:
        """Let time pass at the table."""
        self.now += ms
        return self.tell(self.host.tick(self.now))

    def commits(self, sent: Iterable[tuple[str, Event]]) -> dict[str, Commit]:
        return {name: message for name, message in sent if isinstance(message, Commit)}

    def reveals(self, sent: Iterable[tuple[str, Event]]) -> dict[str, Reveal]:
        return {name: message for name, message in sent if isinstance(message, Reveal)}

    def acks(self, sent: Iterable[tuple[str, Event]]) -> dict[str, Ack]:
        return {name: message for name, message in sent if isinstance(message, Ack)}

    def to_commits(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> dict[str, Commit]:
        """Lock a round; return the commitments that the players are about to send."""
        return self.commits(self.lock(bets, **more))

    def overlook(self, *names: str, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> dict[str, Event]:
        """Play a round up to CLOSE without some COMMITs; return what the players are about to say to it."""
        commits = self.to_commits(bets, **more)
        self.send(*(commits[name] for name in commits if name not in names))
        return dict(self.wait(self.terms.commit_ms))

    def withhold(self, *names: str, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> Answer:
        """Play a round in which some do not open, to the end of the time for that."""
        reveals = self.to_reveals(bets, **more)
        self.send(*(reveals[name] for name in reveals if name not in names))
        self.wait(self.terms.reveal_ms)
        return self.last

    def to_acks(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> dict[str, Ack]:
        """Play a round up to CLOSE; return what the players are about to say to it."""
        return self.acks(self.send(*self.to_commits(bets, **more).values()))

    def to_reveals(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> dict[str, Reveal]:
        """Play a round up to OPEN; return the openings that the players are about to send."""
        return self.reveals(self.send(*self.to_acks(bets, **more).values()))

    def opened(self, sent: Iterable[tuple[str, Event]]) -> dict[str, Reveal]:
        """Let everybody who is about to say ACK do so, and time pass for the others; return what follows OPEN."""
        found = self.send(*self.acks(sent).values())
        on = self.host.table.round
        if on is not None and on.phase == "closed":
            found += self.wait(self.terms.object_ms)
        return self.reveals(found)

    def roll(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> Answer:
        """Play a whole round."""
        self.send(*self.to_reveals(bets, **more).values())
        assert self.answers[-1].rolled is not None
        return self.answers[-1]

    def void(self, bets: dict[str, tuple[int, int]] | None = None, **more: Any) -> Answer:
        """Play a round in which nobody commits."""
        self.lock(bets, **more)
        self.wait(self.terms.commit_ms)
        assert self.answers[-1].voided is not None
        return self.answers[-1]

    def close(self) -> Close:
        """Return the CLOSE of the round that is on."""
        assert self.on.close is not None
        return self.on.close

    def refused(self, *messages: Event) -> str:
        """Hand messages to the table, and return the code that the last one was dropped with; nothing is sent."""
        self.send(*messages)
        assert not self.last.ok
        assert self.last.send == ()
        return self.last.code

    def judge(self, event: Any) -> str:
        """Return the code that the machine would drop an event with, or nothing; it is not written down."""
        answer = step(self.host.table, event, self.verifier)
        assert answer.ok or answer.table is self.host.table
        return "" if answer.ok else answer.code

    def same_books(self) -> bool:
        """Tell whether everybody holds the same table."""
        return all(player.table == self.host.table for player in self.players.values())


@pytest.fixture(scope="session")
def sitting() -> Callable[..., Sitting]:
    """Return the class of tables to test with."""
    return Sitting
