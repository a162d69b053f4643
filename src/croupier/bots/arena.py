"""`run_arena`: bots against each other, pair by pair, with confidence intervals.

Every pair of bots plays every seed as often as there are seats, each time one seat further on, so that nobody begins
more often or has the better cards more often. The same seed gives the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from msgspec import Struct

from croupier.bots.choosing import find_bot
from croupier.bots.play import LIMIT, AnyBot, play_out
from croupier.bots.simulation import wilson_interval
from croupier.engine import Game, Player
from croupier.errors import BadOptions, BadPlayers
from croupier.fairness import derive
from croupier.rng import seed_bytes


class Pairing(Struct, frozen=True):
    """One bot's results against another."""

    first: str
    second: str
    games: int
    wins: int
    """Of the first."""
    losses: int
    draws: int
    interval: tuple[float, float]
    """Bounds of the share of decided games that the first wins, with 95 % confidence (Wilson)."""

    @property
    def share(self) -> Fraction:
        """The share of decided games that the first won; a half where none was decided."""
        decided = self.wins + self.losses
        return Fraction(self.wins, decided) if decided else Fraction(1, 2)

    @property
    def verdict(self) -> str:
        """Which of them is better with 95 % confidence, or neither."""
        low, high = self.interval
        return self.first if low > 0.5 else self.second if high < 0.5 else ""


class Arena(Struct, frozen=True):
    """The table of an arena."""

    game_id: str
    seed: str
    pairings: tuple[Pairing, ...]
    first_seat_wins: int
    """How many decided games whoever sat first won, over all pairings."""
    decided: int

    def points(self) -> dict[str, Fraction]:
        """Return what every bot scored of its games, a draw as a half; the best first."""
        scored: dict[str, Fraction] = {}
        played: dict[str, int] = {}
        for pairing in self.pairings:
            for name, wins in ((pairing.first, pairing.wins), (pairing.second, pairing.losses)):
                scored[name] = scored.get(name, Fraction(0)) + wins + Fraction(pairing.draws, 2)
                played[name] = played.get(name, 0) + pairing.games
        shares = {name: scored[name] / played[name] for name in scored}
        return dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))


def run_arena(
    game: Game[Any],
    bots: Mapping[str, AnyBot] | Sequence[str],
    games: int,
    seed: bytes | int | str,
    *,
    options: Any = None,
    limit: int = LIMIT,
    on_game: Callable[[Pairing], object] | None = None,
) -> Arena:
    """Return the table of all pairings between bots of a game for two, `games` games each.

    A bot against itself is named twice under two names. `games` is even: each seed is played with the seats swapped.
    `on_game` gets the pairing as it stands after every game of it.
    """
    seed = seed_bytes(seed)
    named = dict(bots) if isinstance(bots, Mapping) else {name: name for name in bots}
    if len(named) < 2:
        raise BadPlayers("an arena needs two bots or more, each under a name of its own")
    if not game.players[0] <= 2 <= game.players[1]:
        raise BadOptions(f"{game.name} is not for two players, and an arena is")
    if type(games) is not int or games < 2 or games % 2:
        raise BadOptions(f"each pairing plays an even number of games, got {games!r}")
    found = {name: find_bot(game, bot) if isinstance(bot, str) else bot for name, bot in named.items()}
    pairings, first_seat, decided = [], 0, 0
    for first, second in combinations(found, 2):
        wins = losses = 0
        pairing = _pairing(first, second, 0, 0, 0)
        for number in range(games):
            order = (first, second) if number % 2 == 0 else (second, first)
            match_seed = derive(seed, f"arena/{number // 2}")
            client = play_out(
                game,
                {name: found[name] for name in order},
                match_seed,
                options=options,
                players=[Player(name, name, is_bot=True) for name in order],
                limit=limit,
                bot_seed=derive(seed, f"bots/{first}/{second}/{number}"),
            )
            result = client.get_state().result
            assert result is not None
            if len(result.winners) == 1:
                winner = result.winners[0]
                wins += winner == first
                losses += winner == second
                first_seat += winner == order[0]
                decided += 1
            pairing = _pairing(first, second, number + 1, wins, losses)
            if on_game is not None:
                on_game(pairing)
        pairings.append(pairing)
    return Arena(game.id, seed.hex(), tuple(pairings), first_seat, decided)


def _pairing(first: str, second: str, games: int, wins: int, losses: int) -> Pairing:
    interval = wilson_interval(wins, wins + losses) if wins + losses else (0.0, 1.0)
    return Pairing(first, second, games, wins, losses, games - wins - losses, interval)
