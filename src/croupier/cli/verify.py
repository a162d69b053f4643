"""`croupier verify`: whether a record, or a transcript of shared dice, holds what it says."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from croupier.cli.errors import Usage, one_line
from croupier.cli.files import read_file
from croupier.cli.inputs import Json
from croupier.cli.show import in_words, make_console, mark, print_json, result_data, say, say_row
from croupier.cli.transcripts import check_transcript, transcript_data
from croupier.engine import Verification
from croupier.engine import verify as verify_record
from croupier.fairness.dice import TranscriptVerdict, is_transcript

__all__ = ["verify"]

ROLLS_SHOWN = 20


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record, or the transcript of shared dice.")],
    json: Json = False,
    force: Annotated[
        bool, typer.Option("--force", help="Try even if the record follows another version of the rules.")
    ] = False,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="RECORD", help="With a transcript: the match it made the seeds of."),
    ] = None,
) -> None:
    """Re-execute a record and check it to the last byte; or work out the rolls of a transcript of shared dice.

    The exit code is 0 if everything held, 1 if anything differs; then the last line names the first difference.

    With --json: ok, checks (a list of name, ok, text), version and problem (the first difference, else null), result;
    of a transcript: ok, checks, entry and problem, closed, rolls.

    Example:
      croupier play shut-the-box --auto optimal_score --record game.json
      croupier verify game.json

    """
    data = read_file(file)
    if is_transcript(data):
        _verify_dice(data, record, json=json, force=force)
        return
    if record is not None:
        raise Usage(f"--record goes with a transcript of shared dice; {file} is none")
    found = verify_record(data, force=force)
    if json:
        result = None if found.match is None or not found.ok else result_data(found.match.result)
        facts = {"ok": found.ok, "checks": found.checks, "version": found.version, "problem": found.problem}
        print_json({**facts, "result": result})
    else:
        _tell(make_console(), found)
    if not found.ok:
        raise typer.Exit(1)


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
        raise typer.Exit(1)


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
    if found.ok:
        result = None if found.match is None else found.match.result
        end = "The match is not over" if found.match is None or result is None else in_words(found.match, result)
        say(console, f"verified. {end}", "bold green")
        return
    problem = one_line(found.problem or "")
    if found.version is not None and not problem.startswith(f"version {found.version} "):
        problem = f"version {found.version}: {problem}"
    say(console, f"not verified: {problem}", "bold red")
