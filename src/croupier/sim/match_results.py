"""`Matches`: the totals of simulated matches, for games that are not played for chips.

A round's score stands where a game against the house has its net result: mean, variance and distribution are those of
the scores, and in place of an edge there is the share of the wins, with its interval.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from html import escape
from math import sqrt
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.bots.simulation import wilson_interval
from croupier.engine import Match
from croupier.sim.results import Totals
from croupier.sim.tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Z_95 = 1.96
Score = int | str
"""A whole number, or an exact fraction as text."""


class SeatTotals(Struct, frozen=True):
    """Totals of one bot over all matches; with `rotate` it sat on every seat in turn."""

    bot: str
    matches: int
    seats: int
    """How many played in each match."""
    winners: tuple[tuple[int, int], ...]
    """Of the matches that it won: how many winners there were, and how often."""
    draws: int
    scores: tuple[tuple[Score, int], ...]
    """How many matches ended with each of its scores, the lowest first; matches that did not score it are missing."""

    @property
    def wins(self) -> int:
        """Count of matches won, alone or with others."""
        return sum(count for _, count in self.winners)

    @property
    def win_interval(self) -> tuple[float, float]:
        """Confidence interval (95 %, Wilson) of the chance of a win."""
        return wilson_interval(self.wins, self.matches)

    @property
    def share(self) -> Fraction:
        """The mean share of the win: winners share 1, and a draw shares it among all; alone a draw counts nothing."""
        drawn = Fraction(self.draws, self.seats) if self.seats > 1 else Fraction(0)
        return (sum((Fraction(count, many) for many, count in self.winners), drawn)) / self.matches

    @property
    def scored(self) -> int:
        """Count of matches that scored the bot."""
        return sum(count for _, count in self.scores)

    @property
    def mean_score(self) -> Fraction | None:
        """The bot's mean score; None if no match scored it."""
        return self._mean(1)

    @property
    def score_variance(self) -> Fraction | None:
        """The variance of one score."""
        mean, squares = self._mean(1), self._mean(2)
        return None if mean is None or squares is None else squares - mean**2

    @property
    def score_interval(self) -> tuple[float, float] | None:
        """Confidence interval (95 %) of the mean score."""
        if self.mean_score is None or self.score_variance is None:
            return None
        half = Z_95 * sqrt(self.score_variance / self.scored)
        return float(self.mean_score) - half, float(self.mean_score) + half

    def _mean(self, power: int) -> Fraction | None:
        total = sum((Fraction(score) ** power * count for score, count in self.scores), Fraction(0))
        return total / self.scored if self.scored else None

    def quantile(self, share: float) -> Fraction | None:
        """Return the score that so large a share of the matches did not exceed."""
        seen = 0
        for score, count in self.scores:
            seen += count
            if seen >= share * self.scored:
                return Fraction(score)
        return None

    def figures(self) -> dict[str, Any]:
        """Return the figures by name, as plain numbers."""
        return {
            "bot": self.bot,
            "wins": self.wins,
            "win": self.wins / self.matches,
            "win_interval": list(self.win_interval),
            "share": float(self.share),
            "mean_score": _plain(self.mean_score),
            "score_interval": None if self.score_interval is None else list(self.score_interval),
            "score_variance": _plain(self.score_variance),
        }


class Matches(Totals, frozen=True):
    """The totals of a simulation of matches, in exact numbers; the figures follow from them."""

    columns = ("seat", "bot", "score", "rounds", "share")

    game_id: str
    seed: str
    first_session: int
    rounds: int
    draws: int
    actions: int
    """How many actions all matches took."""
    seats: tuple[SeatTotals, ...]
    hash_path: str
    """How it was worked out: `engine`, or how the kernel hashed."""

    @property
    def half_width(self) -> float:
        """Half the widest interval of a chance to win: a requested precision is compared with it."""
        return max((high - low) / 2 for low, high in (seat.win_interval for seat in self.seats))

    @property
    def is_settled(self) -> bool:
        """Whether there is something to be precise about: some won, and some did not."""
        return any(0 < seat.wins < self.rounds for seat in self.seats)

    @property
    def mean_actions(self) -> Fraction:
        """The mean number of actions of a match."""
        return Fraction(self.actions, self.rounds)

    def figures(self) -> dict[str, Any]:
        """Return the figures by name, as plain numbers."""
        return {
            "game": self.game_id,
            "seed": self.seed,
            "first_session": self.first_session,
            "rounds": self.rounds,
            "draw": self.draws / self.rounds,
            "mean_actions": float(self.mean_actions),
            "hash_path": self.hash_path,
            "digest": self.digest,
            "seats": [seat.figures() for seat in self.seats],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the distributions as rows: the bot's place, its name, the score, the matches, and their share."""
        return [
            {
                "seat": place,
                "bot": seat.bot,
                "score": _plain(Fraction(score)),
                "rounds": count,
                "share": count / seat.scored,
            }
            for place, seat in enumerate(self.seats)
            for score, count in seat.scores
        ]

    def plot(self, kind: str = "scores") -> Figure:
        """Return a picture of the result: `scores` or `wins`. Needs matplotlib, which `croupier[sim]` brings."""
        from croupier.sim.plots import plot_matches

        return plot_matches(self, kind)

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{name}</th>" for name in ("bot", "won", "95 % sure", "share", "mean score"))
        rows = ""
        for seat in self.seats:
            low, high = seat.win_interval
            mean = "" if seat.mean_score is None else f"{float(seat.mean_score):,.4f}"
            rows += (
                f"<tr><td>{escape(seat.bot)}</td><td>{seat.wins / seat.matches:.3%}</td>"
                f"<td>{low:.3%} to {high:.3%}</td><td>{float(seat.share):.3%}</td><td>{mean}</td></tr>"
            )
        title = escape(f"{self.game_id}: {self.rounds:,} matches, {self.draws:,} of them drawn")
        return f"<table><caption>{title}</caption><tr>{heads}</tr>{rows}</table>"


class SeatCounts(Struct):
    """Counts for one bot."""

    winners: Counter[int]
    scores: Counter[Score]


class MatchCounts(Struct):
    """Totals of a number of matches; counts of different matches are added up with `add`."""

    rounds: int
    draws: int
    actions: int
    seats: list[SeatCounts]

    def add(self, other: MatchCounts) -> None:
        """Take in other matches of the same kind."""
        self.rounds += other.rounds
        self.draws += other.draws
        self.actions += other.actions
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.winners.update(theirs.winners)
            mine.scores.update(theirs.scores)

    def count(self, match: Match[Any], player_ids: tuple[str, ...]) -> None:
        """Take in one match that is over."""
        result = match.result
        assert result is not None
        self.rounds += 1
        self.draws += result.status == "draw"
        self.actions += match.version
        for seat, player_id in zip(self.seats, player_ids, strict=True):
            if player_id in result.winners:
                seat.winners[len(result.winners)] += 1
            if player_id in result.scores:
                seat.scores[_exact(result.scores[player_id])] += 1

    def result(self, names: tuple[str, ...], **told: Any) -> Matches:
        """Return the result that the counts make."""
        seats = tuple(
            SeatTotals(
                name,
                self.rounds,
                len(names),
                tuple(sorted(seat.winners.items())),
                self.draws,
                tuple(sorted(seat.scores.items(), key=lambda item: Fraction(item[0]))),
            )
            for name, seat in zip(names, self.seats, strict=True)
        )
        return Matches(rounds=self.rounds, draws=self.draws, actions=self.actions, seats=seats, **told)


def no_counts(seats: int) -> MatchCounts:
    """Return counts of no matches."""
    return MatchCounts(0, 0, 0, [SeatCounts(Counter(), Counter()) for _ in range(seats)])


def counts_of_tally(tally: Tally) -> MatchCounts:
    """Return what a kernel without money counted: nets are scores, line 0 the matches won, line 1 their actions."""
    won, actions = (line.returned for line in tally.lines.values())
    scores: Counter[Score] = Counter()
    scores.update(tally.nets)
    assert not tally.pool, "scores of a kernel are few"
    seat = SeatCounts(+Counter({1: won}), scores)
    return MatchCounts(tally.rounds, tally.rounds - won, actions, [seat])


def _exact(score: Score) -> Score:
    value = Fraction(score)
    return value.numerator if value.denominator == 1 else str(value)


def _plain(value: Fraction | None) -> int | float | None:
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)
