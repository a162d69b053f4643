"""Verify transcripts of shared dice, alone or beside the record of their match, and compare several records.

Python in the browser gives the same verdicts by these functions; they need msgspec alone. The rules of shared dice are
imported when there is a transcript: a page that checks a record need not compile them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

from croupier.engine import (
    Action,
    Match,
    MatchRecord,
    Verification,
    apply_action,
    canonical,
    get_game,
    read_record,
    replay,
)
from croupier.engine import verify as verify_record
from croupier.engine.records.record import begin_again
from croupier.errors import CroupierError
from croupier.fairness import derive
from croupier.fairness.seeds import Check

if TYPE_CHECKING:
    from croupier.fairness.dice import Rolled
    from croupier.fairness.dice.messages import Lock
    from croupier.fairness.dice.transcript import Transcript
    from croupier.fairness.dice.verifying import TranscriptVerdict

__all__ = ["check_transcript", "is_transcript", "transcript_data"]

OTHER_SEEDS = 4  # a set-up that draws shows it with at least one of them


@runtime_checkable
class DiceGame(Protocol):
    """A game whose players sign their orders at shared dice."""

    def dice_problem(
        self, events: Iterable[Any], actions: Sequence[Action], states: Sequence[Match[Any]]
    ) -> str | None:
        """Return None if what was done in a match fits the orders and rounds of its transcript, else what does not."""


def is_transcript(data: bytes) -> bool:
    """Tell whether a file says of itself that it is a transcript."""
    try:
        head = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    if "document" not in head:
        return False
    from croupier.fairness.dice.transcript import DOCUMENT

    return bytes(head["document"]) == b'"%s"' % DOCUMENT.encode()


def check_transcript(
    data: bytes, record: bytes | None, *, force: bool = False
) -> tuple[TranscriptVerdict, list[Check]]:
    """Return what a transcript says, and every check of it and of the record beside it, up to the first that failed."""
    from croupier.fairness.dice import verify_transcript

    verdict = verify_transcript(data)
    checks = [*verdict.checks, *(Check("warning", None, text) for text in verdict.warnings)]
    if verdict.ok and record is not None:
        checks += _record_checks(data, verdict, record, force)
    return verdict, checks


def _record_checks(data: bytes, verdict: TranscriptVerdict, record: bytes, force: bool) -> list[Check]:
    from croupier.fairness.dice import read_transcript

    found = verify_record(record, force=force)
    if not found.ok:
        return [Check("record", False, found.problem or "")]
    match = read_record(record)
    checks = [Check("record", True, f"a record of {match.game_id}, {len(match.actions)} actions, re-executed")]
    transcript = read_transcript(data)
    problem = record_problem(transcript, verdict.rolls, match)
    checks.append(Check("seeds", not problem, problem or f"{len(verdict.rolls)} moves drew from these rolls, in order"))
    if problem:
        return checks
    states = replay(match, force=force)
    problem = undiced_draw(match, verdict.rolls, states) or withheld_roll(transcript, verdict.closed, states[-1])
    checks.append(Check("draws", not problem, problem or "nothing else was drawn"))
    game = get_game(match.game_id)
    if problem or verdict.warnings or not isinstance(game, DiceGame):  # a warning: an older protocol, which signed less
        return checks
    problem = game.dice_problem((entry.event for entry in transcript.entries), match.actions, states)
    return [*checks, Check("orders", not problem, problem or "every bet and seat moved by an order of its owner")]


def record_problem(transcript: Transcript, rolls: Sequence[Rolled], record: MatchRecord) -> str | None:
    """Return None if a match drew from these rolls and no others, in their order, else the first difference in words.

    `rolls` is what `verify_transcript` worked out. The record itself is for `croupier.verify` to check, and whether a
    move without a roll drew anything for `undiced_draw`.
    """
    from croupier.fairness.dice.messages import Lock

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


def _roll_problem(lock: Lock, roll: Rolled, record: MatchRecord, seed: str | None, last: int) -> str | None:
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
    if move and lock.action and lock.action.encode() != canonical(record.actions[move - 1]):
        return f"move {move} was locked for another action than the record has"
    return None


def withheld_roll(transcript: Transcript, closed: str, end: Match[Any]) -> str | None:
    """Return None unless a match ended while a round was on: then who knew the roll could keep it back."""
    from croupier.fairness.dice.messages import Lock, Roll, Void

    is_on = False
    for entry in transcript.entries:
        is_on = isinstance(entry.event, Lock) or (is_on and not isinstance(entry.event, (Roll, Void)))
    if is_on and not closed and end.status == "finished":
        return "the match ended while a round was on: its dice were never shown"
    return None


def undiced_draw(record: MatchRecord, rolls: Sequence[Rolled], states: Sequence[Match[Any]]) -> str | None:
    """Return None if a match drew nothing but what the rolls gave, else a sentence that names the first move that did.

    The record must verify, and `states` are those of its replay. Whether setting up the match draws is tried out with
    other seeds.
    """
    game = get_game(record.game_id)
    rolled = {roll.move_number for roll in rolls}
    if 0 not in rolled and any(_set_up(record, number) != _dealt(states[0]) for number in range(OTHER_SEEDS)):
        return "setting up the match drew from a seed that no round made"
    for move, action in enumerate(record.actions, 1):
        if move in rolled:
            continue
        answer = apply_action(game, states[move - 1], action)
        if answer.ok and answer.drew:
            return f"move {move} ({action.type}) drew from a seed that no round made"
    return None


def _set_up(record: MatchRecord, number: int) -> Any:
    other_seed = derive(bytes.fromhex(record.seed), f"other/{number}")
    try:
        return _dealt(begin_again(get_game(record.game_id), record, seed=other_seed))
    except CroupierError:
        return None  # with another seed it does not even begin: it draws


def _dealt(match: Match[Any]) -> Any:
    return match.game, match.turn


def transcript_data(verdict: TranscriptVerdict, checks: Sequence[Check]) -> dict[str, Any]:
    """Return the outcome as JSON shows it."""
    problem = next((check.text for check in checks if check.ok is False), None)
    rolls = [
        {
            "round": roll.round,
            "move_number": roll.move_number,
            "seed": roll.seed.hex(),
            "faces": roll.faces,
            "transcript": roll.transcript,
        }
        for roll in verdict.rolls
    ]
    facts = {"ok": problem is None, "checks": checks, "entry": verdict.entry, "problem": problem}
    return {**facts, "closed": verdict.closed, "rolls": rolls}


def with_heads(given: Sequence[bytes], verdicts: Sequence[Verification]) -> list[Verification]:
    """Return the verdicts with one more check: records that one host signed name one head for one length of its log.

    Two heads are no proof by themselves: receipts sign the head, and not its number.
    """
    heads: dict[tuple[str, int], str] = {}
    found = []
    for data, verdict in zip(given, verdicts, strict=True):
        is_signed = verdict.ok and any(check.name == "receipt" and check.ok for check in verdict.checks)
        pair = read_record(data).commitments if is_signed else None
        if pair is not None:
            known = heads.setdefault((pair.host_key, pair.log_n), pair.log_head)
            if known == pair.log_head:
                check = Check("log", True, f"the host shows one log of versions, at entry {pair.log_n}")
            else:
                text = f"two heads that the host signed are given for entry {pair.log_n} of its log, {known[:8]}… and "
                text += (
                    f"{pair.log_head[:8]}…; the number is not signed: ask the host for its log, which has to hold both"
                )
                check = Check("log", None, text)
            verdict = msgspec.structs.replace(verdict, checks=(*verdict.checks, check))
        found.append(verdict)
    return found


def conclusion(found: Verification) -> str:
    """Return the verdict on a record in words; of one that does not hold, the first difference and its version."""
    if found.ok:
        return "verified: it is what you saw" if found.is_compared else "consistent; not compared with what you saw"
    problem = found.problem or ""
    is_said = found.version is None or problem.startswith(f"version {found.version} ")
    return f"not verified: {problem}" if is_said else f"not verified: version {found.version}: {problem}"
