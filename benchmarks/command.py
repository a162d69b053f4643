"""The command `python -m benchmarks`, which `make bench` runs: speed, told as ratios within one run."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from benchmarks import NAMES, SUITES, Report, Row, run_suite
from croupier.cli.inputs import Whole, command, json_option
from croupier.cli.show import make_console, print_json, say


@command
@click.argument("suite", default="", help=f"One of {', '.join(SUITES)}; all of them without a name.")
@click.option("--repeats", type=Whole(1, 100), default=5, help="Rounds a figure; the median counts.")
@click.option("--peers/--no-peers", default=True, help="Measure other engines beside ours.")
@click.option(
    "--only",
    metavar="PEER",
    default="",
    show_default=False,
    help=f"In the suite peers, one of them: {', '.join(NAMES)}.",
)
@json_option
def bench(suite: str, repeats: int, peers: bool, only: str, json: bool) -> None:
    """Measure croupier, and other engines beside it, in one run.

    Peers are installed into a cache folder the first time. Figures of another run or machine say little: compare the
    ratios, which are of the best rounds; their spread stands behind them. A peer that cannot be installed here has a
    row that says why. The exit code is 1 if a goal was missed.

    With --json: a list of suites, each with suite, machine, command and rows (name, best, median, worst, unit, note,
    command, and where there is something beside it ratio, ratio_low, ratio_high, against, goal, met).

    Example:
      make bench ARGS=engine
      make bench ARGS="engine --no-peers --json"
      make bench ARGS="peers --only crapssim"

    """
    if suite and suite not in SUITES:
        raise click.BadParameter(f"there is no suite {suite!r}; there are {', '.join(SUITES)}")
    if only and (suite != "peers" or only not in NAMES):
        raise click.BadParameter(f"--only names a peer, as in peers --only crapssim; there are {', '.join(NAMES)}")
    reports = []
    for name in [suite] if suite else SUITES:
        reports.append(run_suite(name, repeats=repeats, peers=peers, only=only))
        if not json:
            _show(reports[-1])
    if json:
        print_json(reports)
    if any(row.met is False for report in reports for row in report.rows):
        raise click.exceptions.Exit(1)


def _show(report: Report) -> None:
    console = make_console()
    say(console, f"{report.suite} ({report.machine})", "bold")
    table = Table(box=None, pad_edge=False)
    for heading in ("what", "best", "median", "worst", "ratio", "spread", "goal"):
        table.add_column(heading, justify="left" if heading in ("what", "goal") else "right", no_wrap=heading != "what")
    for row in report.rows:
        ratio = "" if row.ratio is None else _figure(row.ratio)
        figures = [_figure(value) for value in (row.best, row.median, row.worst)]
        ends = [] if row.ratio_low is None or row.ratio_high is None else [row.ratio_low, row.ratio_high]
        spread = "–".join(map(_figure, ends))
        if not row.best:  # nothing was measured
            figures = [""] * 3
        table.add_row(Text(f"{row.name}, {row.unit}"), *figures, ratio, spread, _goal(row))
        again = f"again: {row.command}" if row.command and row.ratio else ""
        for more in (f"against {row.against}" if row.against else "", row.note, again):
            if more:
                table.add_row(Text(f"  {more}", "dim"))
    console.print(table)
    say(console, f"again: {report.command}", "dim")


def _figure(value: float) -> str:
    """Return a number in a few characters: what it measures has its own column to stand in.

    >>> [_figure(value) for value in (0.953, 47.5, 982, 17_816, 23_185_023)]
    ['0.95', '47.5', '982', '17.8 k', '23.2 M']
    """
    for size, unit, letter in ((1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if value >= size:
            return f"{value / unit:,.0f} {letter}" if value >= 100 * unit else f"{value / unit:.1f} {letter}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _goal(row: Row) -> Text:
    return Text("") if row.met is None else Text(f"{'✓' if row.met else '✗'} {row.goal}", "green" if row.met else "red")
