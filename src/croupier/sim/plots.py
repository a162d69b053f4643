"""Pictures of simulations, readable in black and white: distributions, bets compared, convergence, bankrolls.

Every function returns a matplotlib figure; `save_figure` writes it as PNG or SVG, the same bytes every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter, PercentFormatter

from croupier.errors import BadOptions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from croupier.sim.bankroll import Paths
    from croupier.sim.match_results import Matches
    from croupier.sim.results import Simulation

INK, GREY, LIGHT = "black", "0.45", "0.85"
BARS_MAX, LABELLED_MAX = 60, 12
mpl.rcParams["svg.hashsalt"] = "croupier"  # the ids in an SVG are made from it, and not from chance


def plot_simulation(result: Simulation, kind: str) -> Figure:
    """Return the picture of a kind: `distribution` or `bets`."""
    if kind == "distribution":
        return plot_distribution(result)
    if kind == "bets":
        return plot_bets(result)
    raise BadOptions(f"there is no picture {kind!r} of a simulation: distribution or bets")


def plot_distribution(result: Simulation) -> Figure:
    """Return the share of rounds by their net result; many different results are gathered into bars."""
    figure, axes = _figure(_title(result, "what a round came to"))
    bars = _bars([(low, high, rounds / result.rounds) for low, high, rounds in sorted(result.ranges())])
    width = 0.8 if len(bars) <= BARS_MAX // 2 else 1.0
    losing = [high < 0 for _, high, _ in bars]
    axes.bar(
        range(len(bars)),
        [share for _, _, share in bars],
        width=width,
        color=[LIGHT if lost else GREY for lost in losing],
        edgecolor=INK,
        hatch=["//" if lost else "" for lost in losing],
    )
    every = max(1, len(bars) // 12)
    axes.set_xticks(range(0, len(bars), every))
    axes.set_xticklabels([_range_words(low, high) for low, high, _ in bars[::every]], rotation=45, ha="right")
    axes.set_yscale("log")
    smallest = min(share for _, _, share in bars)
    axes.set_ylim(10 ** floor(log10(smallest)) / 2, 2)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    if len(bars) <= LABELLED_MAX:
        for place, (_, _, share) in enumerate(bars):
            axes.text(place, share * 1.05, f"{share:.3%}", ha="center", va="bottom")
    axes.set_ylabel("share of rounds (log scale)")
    axes.set_xlabel("net result in chips; hatched bars are losses")
    mean = result.net / result.rounds
    axes.text(
        0.99,
        0.97,
        f"mean {mean:+.4f} chips\nstandard deviation {float(result.variance) ** 0.5:.2f}\n{result.rounds:,} rounds",
        transform=axes.transAxes,
        ha="right",
        va="top",
        bbox={"facecolor": "white", "edgecolor": GREY},
    )
    return figure


def plot_matches(result: Matches, kind: str = "scores") -> Figure:
    """Return the picture of a kind: `scores`, the share of matches up to each, or `wins` with their intervals."""
    if kind == "wins":
        return _plot_wins(result)
    if kind != "scores":
        raise BadOptions(f"there is no picture {kind!r} of matches: scores or wins")
    figure, axes = _figure(f"{result.game_id}: scores in {result.rounds:,} matches")
    styles = ("-", "--", ":", "-.")
    for place, seat in enumerate(result.seats):
        if not seat.scores:
            continue
        scores = [float(Fraction(score)) for score, _ in seat.scores]
        shares = [total / seat.scored for total in accumulate(count for _, count in seat.scores)]
        mean = float(seat.mean_score or 0)
        label = f"{place}: {seat.bot}, mean {mean:,.2f}"
        colour = INK if place < len(styles) else GREY
        axes.step(scores, shares, where="post", linestyle=styles[place % len(styles)], color=colour, label=label)
    if not any(seat.scores for seat in result.seats):
        raise BadOptions(f"{result.game_id} keeps no scores; there is a picture of wins")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("score")
    axes.set_ylabel("share of matches with at most this score")
    axes.legend()
    return figure


def _plot_wins(result: Matches) -> Figure:
    figure, axes = _figure(f"{result.game_id}: who wins, 95 % intervals, {result.rounds:,} matches")
    rates = [seat.wins / seat.matches for seat in result.seats]
    spread = [seat.win_interval for seat in result.seats]
    below = [rate - low for rate, (low, _) in zip(rates, spread, strict=True)]
    above = [high - rate for rate, (_, high) in zip(rates, spread, strict=True)]
    # Wilson's interval of nothing ends there but for rounding, and an error bar must not be negative.
    bars = [[max(0.0, each) for each in side] for side in (below, above)]
    _draw_intervals(axes, rates, bars, [f"{place}: {seat.bot}" for place, seat in enumerate(result.seats)])
    axes.set_xlabel("matches won")
    return figure


def plot_bets(result: Simulation, exact: dict[str, float] | None = None) -> Figure:
    """Return the edge of each bet with its 95 % interval, and where it should be if `exact` tells."""
    figure, axes = _figure(_title(result, "edge of each bet, 95 % intervals"))
    names = [line.bet for line in result.lines]
    spreads = [1.96 * line.stderr for line in result.lines]
    _draw_intervals(axes, [float(line.edge) for line in result.lines], spreads, names, label="simulated")
    known = [place for place, name in enumerate(names) if name in (exact or {})]
    if exact and known:
        there = [exact[names[place]] for place in known]
        axes.scatter(there, known, marker="x", s=80, color=GREY, zorder=3, label="exact")
        axes.legend()
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("edge of the house")
    return figure


def _draw_intervals(axes: Axes, shares: list[float], spreads: Any, names: list[str], **style: Any) -> None:
    """Draw a share with its interval for each name, the first at the top."""
    places = range(len(names))
    axes.errorbar(shares, places, xerr=spreads, fmt="o", color=INK, capsize=4, **style)
    axes.set_yticks(list(places))
    axes.set_yticklabels(names)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1))


def plot_convergence(results: Iterable[Simulation], exact: float | None = None) -> Figure:
    """Return how the edge settles as rounds are added: results of longer and longer runs of one seed."""
    runs = sorted(results, key=lambda run: run.rounds)
    if not runs:
        raise BadOptions("there is nothing to plot")
    figure, axes = _figure(_title(runs[-1], "the edge as rounds are added"))
    rounds = [run.rounds for run in runs]
    low, high = zip(*(run.interval for run in runs), strict=True)
    axes.fill_between(rounds, low, high, color=LIGHT, label="95 % interval")
    axes.plot(rounds, [float(run.edge) for run in runs], color=INK, marker=".", label="simulated")
    if exact is not None:
        axes.axhline(exact, color=GREY, linestyle="--", label=f"exact {exact:.4%}")
    axes.set_xscale("log")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("rounds")
    axes.set_ylabel("edge of the house")
    axes.legend()
    return figure


def plot_paths(paths: Paths) -> Figure:
    """Return the bankrolls over the evening: bands, the median, and a few players."""
    figure, axes = _figure(
        f"{_name(paths.game_id, paths.policy)}: {paths.paths:,} bankrolls of {paths.bankroll:,} chips"
    )
    bands: Sequence[tuple[float, float, str]] = ((0.05, 0.95, "0.9"), (0.25, 0.75, "0.75"))
    for low, high, colour in bands:
        below, above = paths.band(low, high)
        axes.fill_between(paths.points, below, above, color=colour, label=f"{low:.0%} to {high:.0%} of players")
    for line in paths.bankrolls[:5]:
        axes.plot(paths.points, line, color=GREY, linewidth=0.7, linestyle=":")
    axes.plot(paths.points, paths.band(0.5)[0], color=INK, linewidth=2, label="half of them are below")
    axes.axhline(paths.bankroll, color=INK, linewidth=0.8, linestyle="--")
    axes.set_xlabel("rounds played")
    axes.set_ylabel("chips")
    axes.legend(title=f"ruined: {paths.ruin:.2%}", loc="upper left")
    return figure


def save_figure(figure: Figure, file: str | Path) -> Path:
    """Write a figure as PNG or SVG, as the file's name says, and return where it is."""
    path = Path(file)
    if path.suffix.lower() not in (".png", ".svg"):
        raise BadOptions(f"a picture is written as .png or .svg, not {path.name!r}")
    figure.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else {"Software": None})
    return path


def _figure(title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(9, 5.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set_title(title)
    axes.grid(axis="y", color=LIGHT, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _title(result: Simulation, what: str) -> str:
    return f"{_name(result.game_id, result.policy)}{' (super)' if result.super_mode else ''}: {what}"


def _name(game_id: str, policy: str) -> str:
    return f"{game_id}, {policy.replace('_', ' ')}" if policy else game_id


def _bars(ranges: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Return at most `BARS_MAX` bars: where there are more results, equally many of them are put together."""
    if len(ranges) <= BARS_MAX:
        return ranges
    size = -(-len(ranges) // BARS_MAX)
    groups = [ranges[start : start + size] for start in range(0, len(ranges), size)]
    return [(group[0][0], max(high for _, high, _ in group), sum(share for *_, share in group)) for group in groups]


def _range_words(low: int, high: int) -> str:
    return f"{low:+,}" if low == high else f"{low:+,} … {high:+,}"
