"""`Simulation`: the totals of simulated rounds in exact whole numbers, and every figure that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from hashlib import sha256
from html import escape
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec import Struct

from croupier.sim.tally import LineTotals, Tally, mean_stderr

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Z_95 = Fraction(196, 100)


class Pooled(Struct, frozen=True):
    """Rounds whose results were not kept apart: how many came to `low` … `high` chips."""

    low: int
    high: int
    rounds: int


class Totals(Struct, frozen=True):
    """The totals of a simulation of either kind, for other tools: their digest, and their rows in frames and tables."""

    columns: ClassVar[tuple[str, ...]]
    """The names of what a row has."""

    def figures(self) -> dict[str, Any]:
        """Return the figures by name, as plain numbers."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """Return the distribution as rows."""
        raise NotImplementedError

    @property
    def digest(self) -> str:
        """SHA-256 over all of the result but its hash path: equal runs have equal digests, wherever they ran."""
        plain = {**msgspec.to_builtins(self), "hash_path": ""}
        return sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()

    def to_pandas(self) -> Any:
        """Return the distribution as a `pandas.DataFrame`; the figures are its `attrs`. Needs pandas."""
        import pandas  # type: ignore[import-untyped]

        frame = pandas.DataFrame(self.rows(), columns=self.columns)
        frame.attrs = self.figures()
        return frame

    def to_arrow(self) -> Any:
        """Return the distribution as a `pyarrow.Table`; the figures are in its metadata. Needs pyarrow."""
        import pyarrow  # type: ignore[import-untyped]

        rows, metadata = self.rows(), {"croupier": msgspec.json.encode(self.figures())}
        columns = {name: [row[name] for row in rows] for name in self.columns}
        return pyarrow.table(columns).replace_schema_metadata(metadata)


class Simulation(Totals, frozen=True):
    """The totals of a simulation, in exact whole numbers; the figures follow from them."""

    columns = ("low", "high", "rounds", "share")

    game_id: str
    policy: str
    super_mode: bool
    seed: str
    first_session: int
    rounds: int
    opening: int
    """Chips staked at the start of all rounds."""
    staked: int
    returned: int
    fees: int
    net_squares: int
    """The squares of every round's net result, added up."""
    distribution: tuple[tuple[int, int], ...]
    """How many rounds came to each net result, the worst first."""
    pooled: tuple[Pooled, ...]
    """The rounds that are missing there, where there were too many different results to count them all."""
    lines: tuple[LineTotals, ...]
    hash_path: str
    """How it was worked out: how the kernel hashed, or `engine`."""
    modifiers: tuple[str, ...] = ()
    """Modifiers armed for every session: `shield`, `double`."""
    bonus: int = 0
    """Chips that modifiers added to the returns."""
    modified: int = 0
    """In how many rounds one of them took effect."""

    @property
    def net(self) -> int:
        """Net result of the player, modifiers applied and fees paid."""
        return self.returned + self.bonus - self.staked - self.fees

    @property
    def added(self) -> tuple[int, int]:
        """Stakes after the opening bets, and what they returned: doubles, splits, raises, odds."""
        staked = sum(line.staked for line in self.lines)
        return self.staked - staked, self.returned - sum(line.returned for line in self.lines)

    @property
    def edge(self) -> Fraction:
        """The expected loss per chip of the opening stake, as far as these rounds show it."""
        return Fraction(-self.net, self.opening)

    @property
    def edge_per_chip(self) -> Fraction:
        """The expected loss per chip of the whole outlay, fees included."""
        return Fraction(-self.net, self.staked + self.fees)

    @property
    def variance(self) -> Fraction:
        """The variance of one round's net result."""
        return Fraction(self.net_squares, self.rounds) - Fraction(self.net, self.rounds) ** 2

    @property
    def skewness(self) -> float | None:
        """Skewness of a round's net result; None where results were pooled, or all are the same."""
        if self.pooled or self.variance == 0:
            return None
        mean = Fraction(self.net, self.rounds)
        third = sum(Fraction(count, self.rounds) * (net - mean) ** 3 for net, count in self.distribution)
        deviation = sqrt(self.variance)
        return float(third) / deviation**3

    @property
    def stderr(self) -> float:
        """The standard error of the edge."""
        return mean_stderr(self.rounds, self.net, self.net_squares) * self.rounds / self.opening

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval (95 %) of the edge."""
        return float(self.edge) - float(Z_95) * self.stderr, float(self.edge) + float(Z_95) * self.stderr

    @property
    def half_width(self) -> float:
        """Half the width of the edge's interval: a requested precision is compared with it."""
        low, high = self.interval
        return (high - low) / 2

    @property
    def is_settled(self) -> bool:
        """Whether there is something to be precise about: not all rounds came to the same."""
        return self.variance > 0

    @property
    def wins(self) -> int:
        """Count of rounds that left the player with more chips."""
        return sum(rounds for low, _, rounds in self.ranges() if low > 0)

    @property
    def pushes(self) -> int:
        """Count of rounds that changed nothing."""
        return sum(rounds for low, high, rounds in self.ranges() if low == high == 0)

    @property
    def hit_rate(self) -> Fraction:
        """The share of rounds that were won."""
        return Fraction(self.wins, self.rounds)

    def ranges(self) -> Iterator[tuple[int, int, int]]:
        """Yield lowest and highest net result and the rounds between, pooled ones too."""
        for net, rounds in self.distribution:
            yield net, net, rounds
        for each in self.pooled:
            yield each.low, each.high, each.rounds

    def quantile(self, share: float) -> int:
        """Return the net result that so large a share of the rounds did not exceed; of a pool, its upper bound."""
        seen = 0
        ranges = sorted(self.ranges(), key=lambda each: each[1])
        for _, high, rounds in ranges:
            seen += rounds
            if seen >= share * self.rounds:
                return high
        return ranges[-1][1]

    def figures(self) -> dict[str, Any]:
        """Return the figures by name, as plain numbers."""
        return {
            "game": self.game_id,
            "policy": self.policy,
            "super": self.super_mode,
            "seed": self.seed,
            "first_session": self.first_session,
            "rounds": self.rounds,
            "staked": self.staked,
            "returned": self.returned,
            "fees": self.fees,
            "modifiers": list(self.modifiers),
            "bonus": self.bonus,
            "modified": self.modified,
            "edge": float(self.edge),
            "edge_per_chip": float(self.edge_per_chip),
            "variance": float(self.variance),
            "skewness": self.skewness,
            "stderr": self.stderr,
            "interval": list(self.interval),
            "win": self.wins / self.rounds,
            "push": self.pushes / self.rounds,
            "lose": (self.rounds - self.wins - self.pushes) / self.rounds,
            "hash_path": self.hash_path,
            "digest": self.digest,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the distribution as rows: the lowest and highest net result, the rounds, and their share."""
        return [
            {"low": low, "high": high, "rounds": rounds, "share": rounds / self.rounds}
            for low, high, rounds in sorted(self.ranges())
        ]

    def plot(self, kind: str = "distribution") -> Figure:
        """Return a picture of the result: `distribution` or `bets`. Needs matplotlib, which `croupier[sim]` brings."""
        from croupier.sim.plots import plot_simulation

        return plot_simulation(self, kind)

    def __str__(self) -> str:
        low, high = self.interval
        policy = f" ({self.policy})" if self.policy else ""
        lines = [
            f"{self.game_id}{policy}: {self.rounds:,} rounds, edge {float(self.edge):.4%} ({low:.4%} to {high:.4%})"
        ]
        lines += [f"  {line.bet}: {float(line.edge):.4%} ± {line.stderr:.4%}" for line in self.lines]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        low, high = self.interval
        facts = [
            ("rounds", f"{self.rounds:,}"),
            ("edge", f"{float(self.edge):.4%} of the opening stake"),
            ("95 % sure", f"{low:.4%} to {high:.4%}"),
            ("won", f"{self.wins / self.rounds:.4%}"),
            ("standard deviation", f"{sqrt(self.variance):,.2f} chips a round"),
        ]
        head = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in facts)
        bets = "".join(
            f"<tr><td>{escape(line.bet)}</td><td>{line.staked:,}</td><td>{line.returned:,}</td>"
            f"<td>{float(line.edge):.4%}</td><td>{line.stderr:.4%}</td></tr>"
            for line in self.lines
        )
        if self.added[0]:
            staked, returned = self.added
            bets += f"<tr><td>added later</td><td>{staked:,}</td><td>{returned:,}</td><td></td><td></td></tr>"
        title = escape(f"{self.game_id} {self.policy}".strip())
        return (
            f"<table><caption>{title}</caption>{head}</table><table><tr><th>bet</th><th>staked</th><th>returned</th>"
            f"<th>edge</th><th>± standard error</th></tr>{bets}</table>"
        )


def simulation_of(tally: Tally, bets: Iterable[str], **told: Any) -> Simulation:
    """Return the result that a tally makes, its bets in this order.

    `told` is what the tally does not know: the game, the policy, the seed.
    """
    laid = (tally.lines[bet] for bet in bets if bet in tally.lines)
    return Simulation(
        rounds=tally.rounds,
        opening=tally.opening,
        staked=tally.staked,
        returned=tally.returned,
        fees=tally.fees,
        net_squares=tally.pool_squares + sum(net * net * count for net, count in tally.nets.items()),
        distribution=tuple(sorted(tally.nets.items())),
        pooled=tuple(Pooled(low, high, count) for (low, high), count in sorted(tally.pool.items())),
        lines=tuple(line for line in laid if line.staked),
        bonus=tally.bonus,
        modified=tally.modified,
        **told,
    )
