"""The player's side of shared dice: keep the table's book, make secrets, and open them only when it is safe to.

Every event that the table sends goes to `receive`, in order; what comes back is to be sent. Before each LOCK, `expect`
says what lies on the table in the player's own eyes. Keys and secrets stay here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from croupier.errors import BadSeed
from croupier.fairness.dice import encoding
from croupier.fairness.dice.answers import Dropped, Rolled
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.failures import FAILURES, TABLE_FAULTS, proof_problem, waits_for_bank
from croupier.fairness.dice.machine import Machine, step
from croupier.fairness.dice.messages import (
    Ack,
    Bet,
    Close,
    Commit,
    Complained,
    Equivocation,
    Event,
    Join,
    Leave,
    Lock,
    M,
    Objection,
    Open,
    Reveal,
    Roll,
    Silence,
    Stakes,
    Verb,
    Void,
    in_order,
    key_bytes,
    signed,
    stakes_of,
)
from croupier.fairness.dice.table import DiceTable, Round
from croupier.fairness.dice.terms import Terms, check_playable
from croupier.fairness.dice.transcript import Entry, Transcript
from croupier.fairness.signing import Signer, Verifier

_CODES = {
    "stakes_differ": "LOCK speaks of other stakes, or of another draw, than I see on the table",
    "commit_dropped": "the table left out my commitment",
    "open_too_early": "the table asked for openings before everybody could object, by my clock",
    "objection_ignored": "the table asked for openings although I have objected",
    "reveal_ignored": "the table says that somebody did not open whose opening I have",
    "void_too_early": "the table declared the round void before the time was up by my clock",
    "bank_missing": "the bank has not opened in time by my clock",
}


class Kept(Struct, frozen=True):
    """A secret that is not opened yet, with the commitment to it. Losing it counts as refusing to open it."""

    commit: Commit
    secret: bytes
    reveal: Reveal | None = None

    def __repr__(self) -> str:
        return f"<Kept for round {self.commit.round}>"  # a log line must not open it


class Complaint(Struct, frozen=True):
    """Something that the table should not have done: a code, a sentence, and the messages that show it."""

    code: str
    error: str
    evidence: tuple[Event, ...] = ()


class Reply(Struct, frozen=True):
    """Reply to an event: messages to send, seeds, and a complaint if there is one."""

    send: tuple[Event, ...] = ()
    rolled: tuple[Rolled, ...] = ()
    complaint: Complaint | None = None


class Contributor:
    """One player's part in the dice of one table.

    `entropy` returns as many random bytes as it is asked for: `os.urandom`, and nothing else outside of tests.
    `entries` are the table's book so far, for a player who sits down late; `kept` an unopened secret from before a
    restart.
    """

    def __init__(
        self,
        terms: Terms,
        signer: Signer,
        verifier: Verifier,
        entropy: Callable[[int], bytes],
        *,
        entries: Iterable[Entry] = (),
        kept: Kept | None = None,
        machine: Machine = step,
    ) -> None:
        check_playable(terms)
        self.signer = signer
        self.book = Book(terms, verifier, entries, machine=machine)
        self.kept = kept
        self._entropy = entropy
        self._used = b""  # the hash of the last secret: a source that repeats itself is noticed
        self._expected: Stakes | None = None
        self._seq = -1
        self._nonce = -1
        self._heard: dict[str, Reveal] = {}  # openings of this round that came from other players
        self._objection: Objection | None = None  # what this player has against the round
        # When this player saw LOCK, CLOSE, OPEN and the last REVEAL; after a restart the bank has its whole time again.
        self._locked_at, self._closed_at, self._asked_at, self._opened_at = 0, 0, 0, float("inf")

    @property
    def key(self) -> str:
        """The player's public key."""
        return self.signer.key

    @property
    def table(self) -> DiceTable:
        """The table in this player's book."""
        return self.book.table

    # Between rounds.

    def join(self, chips: int) -> Join:
        """Return the message that sits down with a bond, adds to it, or comes back."""
        return self._signed(Join(self.key, self._next_seq(), chips, self._random().hex()))

    def leave(self) -> Leave:
        """Return the message that stands up."""
        return self._signed(Leave(self.key, self._next_seq()))

    def bet(self, verb: Verb, bet: bytes) -> Bet:
        """Return the order for a bet, as `live_bet` encodes it."""
        return self._signed(Bet(self.key, self._next_seq(), verb, bet.hex()))

    def expect(self, stakes: Stakes) -> None:
        """Say what lies on the table and which draw comes next; a LOCK over anything else is objected to."""
        self._expected = stakes

    # Rounds.

    def receive(self, event: Event, now: int) -> Reply:
        """Take an event from the table, each in its turn, and return what to answer."""
        on = self.table.round
        if isinstance(event, Silence):
            return Reply()  # another player's word; this one has a clock of its own
        done = self.book.apply(event)
        if isinstance(done, Dropped):
            if done.code in ("again", "table_closed"):
                return Reply()
            return Reply(complaint=Complaint(done.code, done.error, (event,)))
        if self.table.closed and done.failure in TABLE_FAULTS:
            return Reply(complaint=Complaint(done.failure, FAILURES[done.failure], _evidence(on, event)))
        if isinstance(event, Lock):
            return self._on_lock(event, now)
        if isinstance(event, Close):
            self._closed_at = now
            return self.owed()
        if isinstance(event, Open):
            return self._on_open(event, now)
        if isinstance(event, Reveal):
            self._opened_at = now
        elif isinstance(event, Void) and on is not None:
            return self._on_void(event, on, now)
        elif isinstance(event, Roll):
            self.kept = None
        return Reply(rolled=done.rolled)

    def hear(self, message: Event) -> Reply:
        """Take what another player passes on: the openings and the CLOSE it has seen. Nothing is written down.

        An opening that the table then calls missing is complained of; a second CLOSE is a proof, to be sent to all.
        """
        on = self.table.round
        if isinstance(message, Reveal) and self.book.judge(message).ok:
            self._heard[message.key] = message
        if on is None or not isinstance(message, Close) or on.close is None:
            return Reply()
        proof = Equivocation(on.close, message)
        if proof_problem(self.table.terms, proof, self.book.verifier) is not None:
            return Reply()
        return Reply((proof,), complaint=Complaint("two_closes", FAILURES["two_closes"], (proof,)))

    def _on_lock(self, lock: Lock, now: int) -> Reply:
        on = self.table.round
        assert on is not None
        self._locked_at, self.kept, self._heard, self._objection = now, None, {}, None
        if self.key not in lock.roster:
            return Reply()
        if self._expected is None or in_order(self._expected) != stakes_of(lock):
            return self._object(on, "stakes_differ", lock)
        secret = self._secret()
        self._nonce = nonce = max(self._nonce, self.table.seats[self.key].nonce) + 1
        c = encoding.commitment(on.context, key_bytes(self.key), nonce, secret)
        commit = self._signed(Commit(lock.round, self.key, nonce, on.context.hex(), c.hex()))
        self.kept = Kept(commit, secret)
        return Reply((commit,))

    def _object(self, on: Round, reason: Complained, *evidence: Event) -> Reply:
        """Say no to a round; whoever has nothing to enclose has not committed."""
        dropped = self.kept.commit if reason == "commit_dropped" and self.kept else None
        objection = Objection(on.lock.round, self.key, reason, dropped)
        self._objection = self._signed(objection, context=on.context)
        return Reply((self._objection,), complaint=_complaint(reason, *evidence))

    def _on_open(self, event: Open, now: int) -> Reply:
        """Open what is in K. It costs more not to, even if others were not given the time to object."""
        on = self.table.round
        assert on is not None
        assert on.close is not None
        self._asked_at = self._opened_at = now
        complaint = None
        has_waited = now >= self._closed_at + self.table.terms.object_ms
        if self._objection is not None:
            complaint = _complaint("objection_ignored", on.close, self._objection, event)
        elif not has_waited and any(key not in on.acks for key in on.lock.roster if key != self.table.bank):
            complaint = _complaint("open_too_early", on.close, event)
        return Reply(self.owed().send, complaint=complaint)

    def owed(self) -> Reply:
        """Return what this player owes the round, for sending again after a restart or a lost connection."""
        on, kept = self.table.round, self.kept
        if on is None or self.key not in on.lock.roster:
            return Reply()
        if self._objection is not None and on.phase in ("commit", "closed"):
            return Reply((self._objection,))
        kept = kept if kept is not None and kept.commit.round == on.lock.round else None
        if on.phase == "closed" and self.key not in on.acks:
            if kept is not None and on.close is not None and self.key not in on.commits:
                return self._object(on, "commit_dropped", on.close, kept.commit)
            return Reply((self._signed(Ack(on.lock.round, self.key), commits=on.commit_set),))
        if kept is None:
            return Reply()
        if on.phase == "commit" and self.key not in on.commits:
            return Reply((kept.commit,))
        if on.phase != "reveal" or on.close is None or kept.commit not in on.close.commits or self.key in on.secrets:
            return Reply()
        reveal = Reveal(on.lock.round, self.key, kept.commit.nonce, kept.secret.hex())
        reveal = self._signed(reveal, commits=on.commit_set)
        self.kept = Kept(kept.commit, kept.secret, reveal)
        return Reply((reveal,))

    def _on_void(self, void: Void, on: Round, now: int) -> Reply:
        kept, self.kept = self.kept, None
        if kept is not None and kept.reveal is not None:
            self._heard[self.key] = kept.reveal
        if void.reason == "commit_missing" and self.key in void.keys and kept is not None:
            return Reply(complaint=_complaint("commit_dropped", void, kept.commit))
        overlooked = [self._heard[key] for key in void.keys if key in self._heard]
        if overlooked:
            return Reply(complaint=_complaint("reveal_ignored", void, *overlooked))
        terms = self.table.terms
        if void.reason in ("too_few", "commit_missing"):
            is_early = now < self._locked_at + terms.commit_ms and any(key not in on.commits for key in on.lock.roster)
        else:
            is_early = void.reason == "reveal_missing" and now < self._asked_at + terms.reveal_ms
        return Reply(complaint=_complaint("void_too_early", void) if is_early else None)

    def tick(self, now: int) -> Reply:
        """Say so, once, if the bank keeps everybody waiting in a round."""
        on, table, self._opened_at = self.table.round, self.table, min(self._opened_at, now)
        if on is None or not waits_for_bank(table, on) or now < self._opened_at + table.terms.reveal_ms:
            return Reply()
        return self.miss_bank()

    def miss_bank(self) -> Reply:
        """Give up on the bank: the table is closed in this player's book, and the message says so to others.

        For the end of a match with hidden cards, where only the player knows that the bank was given time enough.
        """
        on, table = self.table.round, self.table
        if on is None and not table.sealed:
            return Reply()
        last = on or table.sealed[-1]
        message = self._signed(Silence(last.lock.round, self.key), commits=last.commit_set)
        done = self.book.apply(message)
        return Reply((message,), complaint=_complaint("bank_missing", message)) if done.ok else Reply()

    def transcript(self) -> Transcript:
        """Return this player's book as a file, sealed by this player."""
        return self.book.transcript(self.signer)

    def _random(self) -> bytes:
        data = self._entropy(encoding.SECRET_LENGTH)
        if not isinstance(data, bytes) or len(data) != encoding.SECRET_LENGTH:
            raise BadSeed(f"the source of secrets must give {encoding.SECRET_LENGTH} bytes when asked for them")
        return data

    def _secret(self) -> bytes:
        secret = self._random()
        mark = encoding.chain_link(secret)
        if mark == self._used:
            raise BadSeed("the source of secrets gave the same bytes twice")
        self._used = mark
        return secret

    def _next_seq(self) -> int:
        seat = self.table.seats.get(self.key)
        self._seq = max(self._seq, seat.seq if seat else -1) + 1
        return self._seq

    def _signed(self, message: M, *, context: bytes = b"", commits: bytes = b"") -> M:
        return signed(self.signer, message, self.table.game_id, context=context, commits=commits)


def _evidence(on: Round | None, event: Event) -> tuple[Event, ...]:
    """Return what shows a fault of the table to others: a proof where two messages make one."""
    if on is not None and isinstance(event, Close) and on.close is not None:
        return (Equivocation(on.close, event),)
    if on is not None and isinstance(event, Lock):
        return (Equivocation(on.lock, event),)
    return (event,)


def _complaint(code: str, *evidence: Event) -> Complaint:
    return Complaint(code, _CODES[code], evidence)
