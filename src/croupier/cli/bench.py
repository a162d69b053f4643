"""`croupier bench`: speed, told as ratios within one run."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from croupier.bench import SUITES, Report, Row, run_suite
from croupier.cli.errors import Usage
from croupier.cli.inputs import Json
from croupier.cli.show import make_console, print_json

__all__ = ["bench"]


def bench(
    suite: Annotated[
        str, typer.Argument(metavar="[SUITE]", help=f"One of {', '.join(SUITES)}; all of them without a name.")
    ] = "",
    repeats: Annotated[int, typer.Option("--repeats", min=1, max=100, help="Rounds a figure; the median counts.")] = 5,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Measure other engines beside ours.")] = True,
    json: Json = False,
) -> None:
    """Measure croupier, and other engines beside it, in one run.

    Peers are installed into a cache folder the first time. Figures of another run or machine say little: compare the
    ratios. The exit code is 1 if a goal was missed.

    With --json: a list of suites, each with suite, machine, command and rows.

    Example:
      croupier bench engine
      croupier bench engine --no-peers --json

    """
    if suite and suite not in SUITES:
        raise Usage(f"there is no suite {suite!r}; there are {', '.join(SUITES)}")
    reports = [run_suite(name, repeats=repeats, peers=peers) for name in ([suite] if suite else SUITES)]
    if json:
        print_json(reports)
    else:
        for report in reports:
            _show(report)
    if any(row.met is False for report in reports for row in report.rows):
        raise typer.Exit(1)


def _show(report: Report) -> None:
    console = make_console()
    table = Table(title=f"{report.suite}: {report.machine}", title_justify="left")
    for heading in ("what", "median", "spread", "ratio", "goal"):
        table.add_column(heading, justify="left" if heading in ("what", "goal") else "right")
    for row in report.rows:
        what = f"{row.name}\n[dim]{row.note}[/dim]" if row.note else row.name
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        table.add_row(
            what, _figure(row, row.value), f"{_figure(row, row.low)} to {_figure(row, row.high)}", ratio, _goal(row)
        )
    console.print(table)
    console.print(f"Again: {report.command}")


def _figure(row: Row, value: float) -> str:
    return f"{value:,.0f} {row.unit}" if value >= 100 else f"{value:.2f} {row.unit}"


def _goal(row: Row) -> str:
    if not row.goal:
        return ""
    mark = "✓" if row.met else "✗"
    return f"{mark} {row.goal}" + (f" × {row.against}" if row.against else f" {row.unit}")
