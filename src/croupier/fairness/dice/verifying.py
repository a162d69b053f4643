"""Verify a transcript: every event goes through the state machine again, and the first that does not fit is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct, field

from croupier.errors import BadDocument, CroupierError
from croupier.fairness.dice.answers import Drop, Movement, Rolled
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.encoding import seal_to_sign
from croupier.fairness.dice.messages import Event, Join, Lock, check_signature
from croupier.fairness.dice.terms import Terms, game_id_of
from croupier.fairness.dice.transcript import Transcript, read_transcript, transcript_digest, write_transcript
from croupier.fairness.signing import Ed25519Verifier, MissingExtra, Verifier

_CODES = {"wrong_movements": "other chips move than are written down"}
FIRST_PROTOCOL = (
    "the table follows protocol 1, under which the table and one seat together could have a roll they did not like "
    "made again for free: the file shows what fell, not that nobody chose it"
)


class TranscriptCheck(Struct, frozen=True):
    """One thing that was checked: its name, whether it held, and what was found."""

    name: str
    ok: bool
    text: str


class TranscriptVerdict(Struct, frozen=True):
    """The outcome of `verify_transcript`: every check in order, up to and including the first that failed."""

    checks: tuple[TranscriptCheck, ...]
    rolls: tuple[Rolled, ...] = ()
    """Every roll, with the seed of its move; a seed is empty while the bank's chain is closed."""
    entry: int | None = None
    """The first entry that is wrong, counted from 0, where one is."""
    code: str = field(default="")
    """The code of what is wrong with it."""
    closed: str = ""
    """The code that the table closed with; empty while it is open."""
    warnings: tuple[str, ...] = ()
    """Warnings that a reader should know although everything held."""

    @property
    def ok(self) -> bool:
        """Whether everything held."""
        return all(check.ok for check in self.checks)

    @property
    def problem(self) -> str | None:
        """The first thing that is wrong, in words."""
        return next((check.text for check in self.checks if not check.ok), None)


def verify_transcript(data: Transcript | bytes | str, *, verifier: Verifier | None = None) -> TranscriptVerdict:
    """Work a transcript out again: its form, every event, the chips, and the seal.

    Without a verifier signatures are Ed25519, which needs the extra `[fair]`; a file of any other scheme does not pass.
    """
    try:
        transcript = read_transcript(write_transcript(data) if isinstance(data, Transcript) else data)
        checker = _verifier_for(transcript.terms, verifier)
        book = Book(transcript.terms, checker)
    except MissingExtra:
        raise
    except CroupierError as error:
        return TranscriptVerdict((TranscriptCheck("form", False, str(error)),), code=error.code)
    bank = "with a bank" if book.table.bank else "without a bank"
    about = f"table {book.table.game_id.hex()} {bank}, {len(transcript.entries)} events"
    checks = [TranscriptCheck("form", True, f"a transcript of {about}")]
    warnings = (FIRST_PROTOCOL,) if transcript.terms.protocol == 1 else ()
    rolls: dict[int, Rolled] = {}
    void_count = 0
    for number, entry in enumerate(transcript.entries):
        answer = book.apply(entry.event)
        if not answer.ok:
            return _wrong(checks, "events", number, entry.event, answer.error, answer.code)
        if answer.movements != entry.movements:
            text = f"{_CODES['wrong_movements']}: {_told(answer.movements)}, not {_told(entry.movements)}"
            return _wrong(checks, "chips", number, entry.event, text, "wrong_movements")
        rolls.update((roll.round, roll) for roll in answer.rolled)  # a sealed one is filled in when the bank opens
        void_count += answer.voided is not None
    checks.append(TranscriptCheck("events", True, _rounds_text(rolls, void_count)))
    if book.table.closed and book.table.sealed:
        text = f"the table closed and the bank never opened round {book.table.sealed[-1].round}: nobody can check it"
        return TranscriptVerdict(
            (*checks, TranscriptCheck("sealed", False, text)), code="sealed", closed=book.table.closed
        )
    checks.append(TranscriptCheck("chips", True, _chips_text(book)))
    checks.append(_seal_check(transcript, checker))
    return TranscriptVerdict(tuple(checks), tuple(rolls.values()), closed=book.table.closed, warnings=warnings)


def _verifier_for(terms: Terms, verifier: Verifier | None) -> Verifier:
    if verifier is None and terms.scheme == Ed25519Verifier.scheme:
        return Ed25519Verifier()
    if verifier is None or verifier.scheme != terms.scheme:
        raise BadDocument(f"signatures of the scheme {terms.scheme} prove nothing to others")
    return verifier


def _rounds_text(rolls: dict[int, Rolled], void_count: int) -> str:
    sealed = sum(not roll.seed for roll in rolls.values())
    text = f"{len(rolls)} rolled and {void_count} void rounds; every signature and every secret holds"
    return f"{text}; {sealed} rolls are still sealed by the bank" if sealed else text


def _chips_text(book: Book) -> str:
    moved = [one for entry in book.entries for one in entry.movements]
    lost = sum(one.chips for one in moved if one.target == "unclaimed" or _changes_hands(one))
    end = f"the table closed: {book.table.closed}" if book.table.closed else "the table is open"
    if book.table.closed == "bank_missing":
        end += ", by the word of a player: silence leaves no proof"
    return f"{lost} chips forfeited, {book.table.unclaimed} of them unclaimed; the accounts add up; {end}"


def _changes_hands(one: Movement) -> bool:
    owner, new = (account.partition(":")[2] for account in (one.source, one.target))
    return bool(new) and owner != new


def _told(movements: Sequence[Movement]) -> str:
    return ", ".join(f"{one.chips} from {one.source[:21]} to {one.target[:23]}" for one in movements[:3]) or "nothing"


def _seal_check(transcript: Transcript, verifier: Verifier) -> TranscriptCheck:
    digest = transcript_digest(transcript)
    if digest.hex() != transcript.digest:
        text = f"the transcript hashes to {digest.hex()}, but says {transcript.digest}"
        return TranscriptCheck("seal", False, text)
    is_table = transcript.writer == transcript.terms.table_key
    seated = {entry.event.key for entry in transcript.entries if isinstance(entry.event, Join)}
    if not is_table and transcript.writer not in seated:
        return TranscriptCheck("seal", False, "whoever sealed the file is neither the table nor a player")
    try:
        message = seal_to_sign(game_id_of(transcript.terms), digest)
        check_signature(verifier, transcript.writer, message, transcript.signature)
    except Drop as no:
        return TranscriptCheck("seal", False, f"the file was not sealed by its writer: {no.sentence}")
    who = "the table" if is_table else f"the player {transcript.writer}"
    return TranscriptCheck("seal", True, f"sealed by {who}, digest {transcript.digest}")


def _wrong(
    checks: list[TranscriptCheck], name: str, number: int, event: Event, error: str, code: str
) -> TranscriptVerdict:
    round_number = getattr(event, "round", None)
    place = "" if round_number is None else f", round {round_number}"
    text = f"entry {number} ({type(event).__name__.lower()}{place}): {error}"
    return TranscriptVerdict((*checks, TranscriptCheck(name, False, text)), entry=number, code=code)


# Beside the record of a match.


class Recorded(Protocol):
    """Fields of a match's record that are compared: `croupier.engine.MatchRecord` has it all."""

    @property
    def session_id(self) -> int:
        """The session."""

    @property
    def seed(self) -> str:
        """The seed of the match, in hex."""

    @property
    def seeds(self) -> tuple[str, ...]:
        """The host's seed for each move, in hex, or empty text."""

    @property
    def actions(self) -> tuple[Any, ...]:
        """The actions."""

    @property
    def digests(self) -> tuple[str, ...]:
        """The digest of the state at each version."""


_encode = msgspec.json.Encoder(order="sorted").encode


def record_problem(transcript: Transcript, rolls: Sequence[Rolled], record: Recorded) -> str | None:
    """Return None if a match drew from these rolls and no others, in their order, else the first difference in words.

    `rolls` is what `verify_transcript` worked out. The record itself is for `croupier.verify` to check; so is whether a
    move without a roll drew anything, which takes the rules of the game.
    """
    locks = {entry.event.round: entry.event for entry in transcript.entries if isinstance(entry.event, Lock)}
    if record.session_id != transcript.terms.session_id:
        return f"the dice are for session {transcript.terms.session_id}, the record is of {record.session_id}"
    wanted = {0: record.seed, **{move: seed for move, seed in enumerate(record.seeds, 1) if seed}}
    last = -1
    for roll in rolls:
        if problem := _roll_problem(locks[roll.round], roll, record, wanted.get(roll.move_number), last):
            return f"round {roll.round}: {problem}"
        last = roll.move_number
    rolled = {roll.move_number for roll in rolls}
    extra = [move for move in wanted if move and move not in rolled]
    return f"move {extra[0]} has a seed that no round made" if extra else None


def _roll_problem(lock: Lock, roll: Rolled, record: Recorded, seed: str | None, last: int) -> str | None:
    move = roll.move_number
    if not roll.seed:
        return "the bank has not opened its chain yet"
    if move <= last:
        return f"it is for move {move}, which does not come after move {last}"
    if move > len(record.actions):
        return f"it is for move {move}, the record has {len(record.actions)}"
    if seed != roll.seed.hex():
        return f"it gives move {move} the seed {roll.seed.hex()}, the record has {seed or 'none'}"
    if move and lock.state and lock.state != record.digests[move - 1]:
        return f"move {move} was locked over another state than the record has"
    if move and lock.action and lock.action.encode() != _encode(record.actions[move - 1]):
        return f"move {move} was locked for another action than the record has"
    return None
