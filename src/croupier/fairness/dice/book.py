"""The book: a table and the log of its events, kept alike by the host, the players and any auditor."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.errors import BadDocument
from croupier.fairness.dice.answers import Dropped, Step
from croupier.fairness.dice.machine import Machine, step
from croupier.fairness.dice.messages import Event
from croupier.fairness.dice.table import open_table
from croupier.fairness.dice.terms import Terms
from croupier.fairness.dice.transcript import Entry, Transcript, make_transcript
from croupier.fairness.signing import Signer, Verifier


class Book:
    """A table and its accepted events, in order.

    It grows with every round; the terms bound it, by rounds, seats and messages. `entries` of earlier may be given to
    go on with a table, by a host that starts again or a player who sits down late: they are replayed, not believed.
    """

    def __init__(
        self, terms: Terms, verifier: Verifier, entries: Iterable[Entry] = (), *, machine: Machine = step
    ) -> None:
        self.table = open_table(terms)
        self.verifier = verifier
        self.machine = machine
        self.entries: list[Entry] = []
        for number, entry in enumerate(entries):
            answer = self.apply(entry.event)
            if not answer.ok:
                raise BadDocument(f"entry {number} cannot be replayed: {answer.error}")

    def apply(self, event: Event) -> Step | Dropped:
        """Write an event into the book, unless the machine says no."""
        answer = self.judge(event)
        if isinstance(answer, Step):
            self.table = answer.table
            self.entries.append(Entry(event, answer.movements))
        return answer

    def judge(self, event: Event) -> Step | Dropped:
        """Return what the machine would say to an event; nothing is written down."""
        return self.machine(self.table, event, self.verifier)

    def transcript(self, signer: Signer) -> Transcript:
        """Return the book as a file, sealed by its keeper."""
        return make_transcript(self.table.terms, tuple(self.entries), signer)
