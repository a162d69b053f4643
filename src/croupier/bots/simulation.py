"""`simulate`: many matches between the same bots, with their wins, scores and confidence intervals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

from msgspec import Struct

from croupier.bots.play import LIMIT, AnyBot, Bots, by_player, by_seat, play_out
from croupier.bots.values import score, win_share
from croupier.engine import Game, MatchClient, Player
from croupier.errors import BadOptions
from croupier.rng import seed_bytes

Z95 = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations


class BotSummary(Struct, frozen=True):
    """Results of one bot. A win shared with others is a win."""

    player_id: str
    name: str
    wins: int
    win_interval: tuple[float, float]
    """Bounds of the chance of a win, with 95 % confidence (Wilson)."""
    share: Fraction
    """The mean share of the win (`win_share`): shared wins and draws count in part."""
    mean_score: Fraction | None
    """The mean of its scores; None if no match scored it."""


class Summary(Struct, frozen=True):
    """Results of `n` matches. Each can be played again: `simulated_match` with its number."""

    game_id: str
    seed: str
    matches: int
    draws: int
    bots: tuple[BotSummary, ...]
    versions: tuple[int, ...]
    """How many actions each match took."""

    @property
    def mean_versions(self) -> Fraction:
        """The mean number of actions."""
        return Fraction(sum(self.versions), self.matches)


def simulate(
    game: Game[Any],
    bots: Bots,
    n: int,
    seed: bytes | int | str,
    *,
    options: Any = None,
    rotate: bool = False,
    limit: int = LIMIT,
    on_match: Callable[[MatchClient[Any]], object] | None = None,
) -> Summary:
    """Play n matches between bots and return what came of them. The matches have the session ids 0 … n - 1.

    `rotate` moves everyone one seat on from match to match, so that nobody has the first move more often; n is then
    best a multiple of the number of bots. `on_match` gets every match as it ends.
    """
    if type(n) is not int or n < 1:
        raise BadOptions(f"a simulation has at least one match, got {n!r}", "$.n")
    seed, by_id = seed_bytes(seed), by_player(game, bots)
    wins = dict.fromkeys(by_id, 0)
    shares = dict.fromkeys(by_id, Fraction(0))
    scores: dict[str, list[Fraction]] = {player_id: [] for player_id in by_id}
    draws = 0
    versions = []
    for number in range(n):
        client = simulated_match(game, by_id, number, seed, options=options, rotate=rotate, limit=limit)
        match = client.get_state()
        result = match.result
        assert result is not None
        versions.append(match.version)
        draws += result.status == "draw"
        for player_id in by_id:
            wins[player_id] += player_id in result.winners
            shares[player_id] += win_share(game, match, player_id)
            if player_id in result.scores:
                scores[player_id].append(score(game, match, player_id))
        if on_match is not None:
            on_match(client)
    names = by_seat(bots)
    summaries = [
        BotSummary(
            player_id,
            _name_of(names[player_id]),
            wins[player_id],
            wilson_interval(wins[player_id], n),
            shares[player_id] / n,
            sum(scored, Fraction(0)) / len(scored) if scored else None,
        )
        for player_id, scored in scores.items()
    ]
    return Summary(game.id, seed.hex(), n, draws, tuple(summaries), tuple(versions))


def simulated_match(
    game: Game[Any],
    bots: Bots,
    number: int,
    seed: bytes | int | str,
    *,
    options: Any = None,
    rotate: bool = False,
    limit: int = LIMIT,
) -> MatchClient[Any]:
    """Return the match of that number as `simulate` plays it, given the same arguments."""
    by_id = by_player(game, bots)
    ids = list(by_id)
    shift = number % len(ids) if rotate and ids else 0
    seated = [Player(player_id, player_id, is_bot=True) for player_id in (*ids[shift:], *ids[:shift])]
    return play_out(game, by_id, seed, session_id=number, options=options, players=seated, limit=limit)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Return where a chance lies with 95 % confidence, by Wilson's score: within 0 and 1, for at least one trial.

    >>> low, high = wilson_interval(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    rate = successes / trials
    spread = Z95 * sqrt(rate * (1 - rate) / trials + Z95**2 / (4 * trials**2))
    middle = rate + Z95**2 / (2 * trials)
    scale = 1 + Z95**2 / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def _name_of(bot: AnyBot) -> str:
    return bot if isinstance(bot, str) else str(getattr(bot, "__name__", type(bot).__name__))
