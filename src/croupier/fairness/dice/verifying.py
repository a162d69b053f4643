"""Verify a transcript: every event goes through the state machine again, and the first that does not fit is named."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from croupier.errors import BadDocument, CroupierError
from croupier.fairness.dice.answers import Drop, Movement, Rolled
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.encoding import seal_to_sign
from croupier.fairness.dice.messages import Event, Join, check_signature
from croupier.fairness.dice.terms import Terms, game_id_of
from croupier.fairness.dice.transcript import Transcript, read_transcript, transcript_digest, write_transcript
from croupier.fairness.seeds import Check
from croupier.fairness.signing import Ed25519Verifier, MissingExtra, Verifier

_CODES = {"wrong_movements": "other chips move than are written down"}
FIRST_PROTOCOL = (
    "the table follows protocol 1, under which the table and one seat together could have a roll they did not like "
    "made again for free: the file shows what fell, not that nobody chose it"
)


class TranscriptVerdict(Struct, frozen=True):
    """The outcome of `verify_transcript`: every check in order, up to and including the first that failed."""

    checks: tuple[Check, ...]
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
        return TranscriptVerdict((Check("form", False, str(error)),), code=error.code)
    bank = "with a bank" if book.table.bank else "without a bank"
    about = f"table {book.table.game_id.hex()} {bank}, {len(transcript.entries)} events"
    checks = [Check("form", True, f"a transcript of {about}")]
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
    checks.append(Check("events", True, _rounds_text(rolls, void_count)))
    if book.table.closed and book.table.sealed:
        last = book.table.sealed[-1].lock.round
        text = f"the table closed and the bank never opened round {last}: nobody can check it"
        return TranscriptVerdict((*checks, Check("sealed", False, text)), code="sealed", closed=book.table.closed)
    checks.append(Check("chips", True, _chips_text(book)))
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


def _seal_check(transcript: Transcript, verifier: Verifier) -> Check:
    digest = transcript_digest(transcript)
    if digest.hex() != transcript.digest:
        text = f"the transcript hashes to {digest.hex()}, but says {transcript.digest}"
        return Check("seal", False, text)
    is_table = transcript.writer == transcript.terms.table_key
    seated = {entry.event.key for entry in transcript.entries if isinstance(entry.event, Join)}
    if not is_table and transcript.writer not in seated:
        return Check("seal", False, "whoever sealed the file is neither the table nor a player")
    try:
        message = seal_to_sign(game_id_of(transcript.terms), digest)
        check_signature(verifier, transcript.writer, message, transcript.signature)
    except Drop as no:
        return Check("seal", False, f"the file was not sealed by its writer: {no.sentence}")
    who = "the table" if is_table else f"the player {transcript.writer}"
    return Check("seal", True, f"sealed by {who}, digest {transcript.digest}")


def _wrong(checks: list[Check], name: str, number: int, event: Event, error: str, code: str) -> TranscriptVerdict:
    round_number = getattr(event, "round", None)
    place = "" if round_number is None else f", round {round_number}"
    text = f"entry {number} ({type(event).__name__.lower()}{place}): {error}"
    return TranscriptVerdict((*checks, Check(name, False, text)), entry=number, code=code)
