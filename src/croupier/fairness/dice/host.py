"""The table's side of shared dice: lock, close, hear objections, open last, roll, by deadlines of its own clock.

A host calls `lock` when betting is over, hands every message to `receive`, and calls `tick` at `deadline`. What comes
back goes to everybody, in order. `now` is in milliseconds of any clock that never goes back; nothing here reads one.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.errors import BadDocument, BadOptions, BadSeed
from croupier.fairness.dice import encoding
from croupier.fairness.dice.answers import MALFORMED, Drop, Dropped, Movement, Rolled
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.chain import HashChain
from croupier.fairness.dice.machine import Machine, step
from croupier.fairness.dice.messages import (
    Close,
    Commit,
    End,
    Event,
    Lock,
    M,
    Open,
    Reveal,
    Roll,
    Silence,
    Stakes,
    Void,
    VoidReason,
    in_order,
    key_bytes,
    read_message,
    signed,
    stakes_bytes,
)
from croupier.fairness.dice.rounds import faces_of, transcript_of
from croupier.fairness.dice.table import VOIDS_MAX, DiceTable, Round
from croupier.fairness.dice.terms import Terms, check_playable
from croupier.fairness.dice.transcript import Entry, Transcript
from croupier.fairness.signing import Signer, Verifier

SENDERS_MAX = 1024  # whose malformed messages are counted at a time; the oldest is forgotten


class Answer(Struct, frozen=True):
    """Answer to a call to the host. `send` goes to everybody; where `ok` is False a message was dropped."""

    ok: bool = True
    code: str = field(default="")
    error: str = ""
    send: tuple[Event, ...] = ()
    rolled: Rolled | None = None
    """The seed of the move, and the dice."""
    voided: Void | None = None
    sat_out: tuple[str, ...] = ()
    movements: tuple[Movement, ...] = ()
    closed: str = ""
    """The code that the table closed with, if it closed."""


class DiceHost:
    """Drives the rounds of one table with the table's key and, where there is a bank, its hash chain.

    `entries` of earlier go on with a table after a restart: deadlines then run anew.
    """

    def __init__(
        self,
        terms: Terms,
        signer: Signer,
        verifier: Verifier,
        chain: HashChain | None = None,
        entries: Iterable[Entry] = (),
        *,
        machine: Machine = step,
    ) -> None:
        check_playable(terms)
        if signer.key != terms.table_key or verifier.scheme != terms.scheme:
            raise BadOptions("the terms name another key or another scheme of signatures", "$.table_key")
        if terms.chain_end != (chain.end if chain else "") or (chain and len(chain) < terms.rounds_max):
            raise BadOptions("the terms name the end of another chain, or more rounds than it has", "$.chain_end")
        self.signer = signer
        self.chain = chain
        self.book = Book(terms, verifier, entries, machine=machine)
        self.malformed: dict[str, int] = {}
        """How many messages that no honest party sends came from each sender."""
        self._started: tuple[int, str, int] = (0, "", 0)  # round, phase, and when this host saw it begin

    @property
    def table(self) -> DiceTable:
        """The table as it stands."""
        return self.book.table

    @property
    def deadline(self) -> int | None:
        """When to call `tick`; None while there is nothing to wait for."""
        on, terms = self.table.round, self.table.terms
        if on is None:
            return None
        waits = {"commit": terms.commit_ms, "closed": terms.object_ms}
        return self._started[2] + waits.get(on.phase, terms.reveal_ms)

    def lock(self, stakes: Stakes, now: int) -> Answer:
        """Begin a round over what lies on the table. Refused while a round is on or a bond does not cover it."""
        try:
            message = self._lock(in_order(stakes))
        except (Drop, BadSeed) as error:
            return Answer(False, "wrong_stakes", f"the stakes cannot be written down: {error}")
        return self._do([message], now)

    def receive(self, message: Event | bytes, now: int, sender: str = "") -> Answer:
        """Take a message from outside. What no honest party sends is counted under its sender."""
        before = self.tick(now)  # a deadline that has passed comes first
        if isinstance(message, bytes):
            try:
                message = read_message(message)
            except BadDocument as error:
                self._count(sender)
                return replace(before, ok=False, code="unreadable", error=str(error))
        if isinstance(message, Silence):
            return replace(before, ok=False, code="not_due", error="the table does not take a player's word for that")
        return _joined(before, self._do([message], now, sender))

    def tick(self, now: int) -> Answer:
        """Do what is due: close, ask for openings, open, roll, or declare the round void."""
        return self._do([], now)

    def end(self, now: int) -> Answer:
        """End in good order: the bank opens what is still sealed, and every bond goes back."""
        done = self._do([self._unseal()], now) if self.table.sealed else Answer()
        return _joined(done, self._do([self._signed(End(self.table.transcript, self.table.book.hex()))], now))

    def transcript(self) -> Transcript:
        """Return everything so far as a file that anyone can verify."""
        return self.book.transcript(self.signer)

    def forget(self, sender: str) -> None:
        """Drop the count of a sender who is gone."""
        self.malformed.pop(sender, None)

    # What the table says, message by message.

    def _next(self, on: Round, now: int) -> Event | None:
        """Return the message that is due from the table, None while it waits for others."""
        bank, is_late = self.table.bank, now >= (self.deadline or 0)
        if on.phase == "objected":
            return self._void(on, "objected")
        if on.phase == "opened":
            return self._roll(on)
        if on.phase == "commit":
            return self._next_commit(on, is_late)
        if on.phase == "closed":
            is_due = is_late or all(key in on.acks for key in on.lock.roster if key != bank)
            return self._signed(Open(on.lock.round), commits=on.commit_set) if is_due else None
        missing = on.unopened(bank)
        if not missing:
            return self._open(on)
        return self._void(on, "reveal_missing", missing) if is_late else None

    def _next_commit(self, on: Round, is_late: bool) -> Event | None:
        if self.table.bank and self.table.bank not in on.commits:
            return self._commit(on)
        if not is_late and any(key not in on.commits for key in on.lock.roster):
            return None
        if not self.table.has_enough(on):
            return self._void(on, "too_few")
        missing = self.table.missing_bettors(on)
        return self._void(on, "commit_missing", missing) if missing else self._close(on)

    def _lock(self, stakes: Stakes) -> Lock:
        table = self.table
        message = Lock(
            table.round_number + 1,
            table.roster(stakes.hand, stakes.positions),
            stakes.entries,
            stakes_bytes(stakes, table.terms.session_id, table.book).hex(),
            table.transcript,
            table.book.hex(),
            stakes.move_number,
            stakes.state,
            stakes.action,
            stakes.hand,
            stakes.positions,
        )
        return self._signed(message, context=table.context_of(message))

    def _commit(self, on: Round) -> Commit:
        nonce, number = self.table.bank_nonce + 1, on.lock.round
        c = encoding.commitment(on.context, key_bytes(self.signer.key), nonce, self._value(number))
        return self._signed(Commit(number, self.signer.key, nonce, on.context.hex(), c.hex()))

    def _close(self, on: Round) -> Close:
        return self._signed(Close(on.lock.round, on.standing(), on.digest().hex()))

    def _open(self, on: Round) -> Event | None:
        return self._reveal(on)

    def _reveal(self, on: Round) -> Reveal:
        nonce, number = on.commits[self.signer.key].nonce, on.lock.round
        opening = Reveal(number, self.signer.key, nonce, self._value(number).hex())
        return self._signed(opening, commits=on.commit_set)

    def _roll(self, on: Round) -> Roll:
        faces = faces_of(self.table, self._seed(on), on.lock.move_number)
        message = Roll(on.lock.round, faces, transcript_of(on.commit_set, self._secrets(on), faces))
        return self._signed(message, commits=on.commit_set)

    def _seed(self, on: Round) -> bytes:
        """Return the seed of a round, which of hidden cards the bank alone knows until it opens."""
        return encoding.roll_seed(on.commit_set, encoding.xor(self._secrets(on).values()))

    def _secrets(self, on: Round) -> dict[str, bytes]:
        return {**on.secrets, self.signer.key: self._value(on.lock.round)} if self.table.terms.hidden else on.secrets

    def _void(self, on: Round, reason: VoidReason, keys: tuple[str, ...] = ()) -> Event:
        if self.table.sealed and self.table.voids >= VOIDS_MAX - 1:
            return self._unseal()  # the table ends with this void round: first everybody sees what was rolled
        return self._signed(Void(on.lock.round, reason, keys), context=on.context)

    def _unseal(self) -> Reveal:
        return self._reveal(self.table.sealed[-1])

    def _value(self, number: int) -> bytes:
        assert self.chain is not None
        return self.chain.value(number)

    def _signed(self, message: M, *, context: bytes = b"", commits: bytes = b"") -> M:
        return signed(self.signer, message, self.table.game_id, context=context, commits=commits)

    # Carrying it out.

    def _do(self, events: Iterable[Event], now: int, sender: str = "") -> Answer:
        """Apply events, and then whatever is due from the table."""
        answer = Answer()
        self._note(now)
        for event in events:
            answer = _joined(answer, self._apply(event, now, sender))
        while answer.ok and (on := self.table.round) is not None:
            due = self._next(on, now)
            if due is None:
                break
            answer = _joined(answer, self._apply(due, now, sender))
        return answer

    def _apply(self, event: Event, now: int, sender: str) -> Answer:
        on = self.table.round
        done = self.book.apply(event)
        if isinstance(done, Dropped):
            if done.code in MALFORMED:
                self._count(sender)
            return Answer(False, done.code, done.error)
        rolled = done.rolled[0] if done.rolled and isinstance(event, Roll) else None
        if rolled is not None and on is not None and not rolled.seed:
            rolled = replace(rolled, seed=self._seed(on))
        self._note(now)
        return Answer(
            send=(event,),
            rolled=rolled,
            voided=done.voided,
            sat_out=done.sat_out,
            movements=done.movements,
            closed=done.table.closed,
        )

    def _note(self, now: int) -> None:
        """Start the clock of a phase that is new to this host."""
        on = self.table.round
        if on is not None and self._started[:2] != (on.lock.round, on.phase):
            self._started = on.lock.round, on.phase, now

    def _count(self, sender: str) -> None:
        self.malformed[sender] = self.malformed.pop(sender, 0) + 1
        if len(self.malformed) > SENDERS_MAX:
            del self.malformed[next(iter(self.malformed))]


def _joined(first: Answer, second: Answer) -> Answer:
    """Return two answers as one; the no of either is a no."""
    no = second if first.ok else first
    return Answer(
        no.ok,
        no.code,
        no.error,
        first.send + second.send,
        second.rolled or first.rolled,
        second.voided or first.voided,
        first.sat_out + second.sat_out,
        first.movements + second.movements,
        second.closed or first.closed,
    )
