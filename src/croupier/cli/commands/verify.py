"""`croupier verify`: check a record, or a transcript of shared dice, by working it out again."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.text import Text

from croupier.cli.errors import Usage, one_line
from croupier.cli.files import read_file
from croupier.cli.inputs import command, json_option
from croupier.cli.show import in_words, make_console, mark, print_json, result_data, say, say_row
from croupier.engine import Verification
from croupier.engine import verify as verify_record
from croupier.engine.records.seed_checks import read_kept
from croupier.fairness.dice.verifying import TranscriptVerdict
from croupier.transcripts import check_transcript, conclusion, is_transcript, transcript_data, with_heads

ROLLS_SHOWN = 20


@command
@click.argument("files", nargs=-1, required=True, metavar="FILE...", help="Records, or the transcript of shared dice.")
@json_option
@click.option("--force", is_flag=True, help="Try even if the record follows another version of the rules.")
@click.option("--record", metavar="RECORD", help="With a transcript: the match it made the seeds of.")
@click.option("--kept", metavar="KEPT", help="What your browser or client kept: receipts and client seeds.")
def verify(files: tuple[str, ...], json: bool, force: bool, record: str | None, kept: str | None) -> None:
    """Re-execute a record and check it to the last byte.

    Of a transcript of shared dice, the rolls are worked out again.

    A record by itself can only be consistent. With --kept it is compared with what you saw and named, and only then
    called verified. Several records are also compared with each other: one host has one log of versions.

    The exit code is 0 if nothing failed, 1 if anything differs; then the last line names the first difference.

    With --json: ok, checks (a list of name, ok, text; ok is null for what could not be checked), version and problem
    (the first difference, else null), compared, result; of several files a list of these; of a transcript: ok, checks,
    entry and problem, closed, rolls.

    Example:
      croupier play shut-the-box --auto optimal_score --record game.json
      croupier verify game.json
      croupier verify round-1.json round-2.json --kept croupier-kept.json

    """
    given = [read_file(file) for file in files]
    dice = next((file for file, data in zip(files, given, strict=True) if is_transcript(data)), None)
    if dice is not None:
        if len(files) > 1:
            raise Usage(f"{dice} is a transcript of shared dice, verified alone; --record names the match it made")
        if kept is not None:
            raise Usage(f"--kept goes with records; {dice} is a transcript of shared dice")
        _verify_dice(given[0], record, json=json, force=force)
        return
    if record is not None:
        raise Usage(f"--record goes with a transcript of shared dice; {files[0]} is none")
    notes = None if kept is None else read_kept(read_file(kept))
    verdicts = [verify_record(data, force=force, kept=notes) for data in given]
    if len(given) > 1:
        verdicts = with_heads(given, verdicts)
    if json:
        facts = [_facts(found) for found in verdicts]
        print_json(facts[0] if len(facts) == 1 else facts)
    else:
        console = make_console()
        for file, found in zip(files, verdicts, strict=True):
            if len(files) > 1:
                say(console, file, "bold")
            _tell(console, found)
    if not all(found.ok for found in verdicts):
        raise click.exceptions.Exit(1)


def _facts(found: Verification) -> dict[str, Any]:
    result = None if found.match is None or not found.ok else result_data(found.match.result)
    facts = {"ok": found.ok, "checks": found.checks, "version": found.version, "problem": found.problem}
    return {**facts, "compared": found.is_compared, "result": result}


def _verify_dice(data: bytes, record: str | None, *, json: bool, force: bool) -> None:
    verdict, checks = check_transcript(data, None if record is None else read_file(record), force=force)
    facts = transcript_data(verdict, checks)
    if json:
        print_json(facts)
    else:
        console = make_console()
        for check in checks:
            say_row(console, mark(console, check.ok), Text(f"{check.name:<10}"), Text(one_line(check.text)))
        if facts["ok"]:
            say(console, f"verified. {_rolls(verdict)}", "bold green")
        else:
            say(console, f"not verified: {one_line(facts['problem'])}", "bold red")
    if not facts["ok"]:
        raise click.exceptions.Exit(1)


def _rolls(verdict: TranscriptVerdict) -> str:
    """Return the dice that were rolled, or how many seeds were made where no dice are shown."""
    shown = [" ".join(map(str, roll.faces)) for roll in verdict.rolls[:ROLLS_SHOWN] if roll.faces]
    more = len(verdict.rolls) - len(shown)
    if not shown:
        return f"Seeds: {more}"
    return f"Rolls: {', '.join(shown)}" + (f" and {more} more" if more else "")


def _tell(console: Console, found: Verification) -> None:
    for check in found.checks:
        say_row(console, mark(console, check.ok), Text(f"{check.name:<10}"), Text(one_line(check.text)))
    if not found.ok:
        say(console, one_line(conclusion(found)), "bold red")
        return
    result = None if found.match is None else found.match.result
    end = "The match is not over" if found.match is None or result is None else in_words(found.match, result)
    say(console, f"{conclusion(found)}. {end}", "bold green")
