"""`croupier verify`: whether a record holds what it says."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from croupier.cli.errors import one_line
from croupier.cli.files import read_file
from croupier.cli.inputs import Json
from croupier.cli.show import in_words, make_console, mark, print_json, result_data, say, say_row
from croupier.engine import Verification
from croupier.engine import verify as verify_record

__all__ = ["verify"]


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record.")],
    json: Json = False,
    force: Annotated[
        bool, typer.Option("--force", help="Try even if the record follows another version of the rules.")
    ] = False,
) -> None:
    """Re-execute a record and check it to the last byte.

    The exit code is 0 if everything held, 1 if anything differs; then the last line names the first difference.

    With --json: ok, checks (a list of name, ok, text), version and problem (the first difference, else null), result.

    Example:
      croupier play shut-the-box --auto optimal_score --record game.json
      croupier verify game.json

    """
    found = verify_record(read_file(file), force=force)
    if json:
        result = None if found.match is None or not found.ok else result_data(found.match.result)
        facts = {"ok": found.ok, "checks": found.checks, "version": found.version, "problem": found.problem}
        print_json({**facts, "result": result})
    else:
        _tell(make_console(), found)
    if not found.ok:
        raise typer.Exit(1)


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
