"""Seating: people, the bots that join them, and bots alone."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import count
from time import monotonic
from typing import Any

import msgspec

from croupier.bots import bot_names, find_bot
from croupier.cli.errors import Usage
from croupier.engine import Bot, Game, Match, Player


class Seating(msgspec.Struct, frozen=True):
    """The players in the order of their seats, and the names of the bots that play for some, by player id."""

    players: tuple[Player, ...]
    bots: dict[str, str]

    def find_bots(
        self, game: Game[Any], seconds: float = 0.0, on_progress: Callable[[float], object] | None = None
    ) -> dict[str, Bot]:
        """Return the bots by player id; those that play matches out have so many seconds a move, 0 for no limit."""
        return {
            player_id: find_bot(game, name, seconds=seconds, clock=monotonic, on_progress=on_progress)
            for player_id, name in self.bots.items()
        }


def take_seats(
    game: Game[Any], *, names: Sequence[str] = (), seats: int | None = None, bots: Sequence[str] = (), auto: str = ""
) -> Seating:
    """Return who plays: the people named (else one, You), then `bots`.

    `seats` is how many there are in all: further people take what is left of them, or the bot that the game has for
    that. Without it, a game that needs more players than that gets its strongest bot. With `auto`, that bot plays on
    every seat that `bots` does not name.
    """
    people = [name.strip() for name in names]
    if not all(people):
        raise Usage("--players has an empty name; it takes names such as Ann,Bob")
    people = people or [""]
    taken = len(people) + len(bots)
    total = max(taken, game.players[0]) if seats is None else seats
    if total < taken:
        raise Usage(f"{taken} players are named, but there are {total} seats")
    if total > game.players[1]:
        raise Usage(f"{game.name} seats {game.players[1]} at most, not {total}")
    if auto or game.seat_bot or seats is None:
        bots = [*bots, *[auto or game.seat_bot or strongest_bot(game)] * (total - taken)]
    else:
        people += [""] * (total - taken)
    players: list[Player] = []
    playing: dict[str, str] = {}
    for seat, (name, bot) in enumerate([*((name, auto) for name in people), *(("", bot) for bot in bots)]):
        if bot:
            player_id = name or _free(bot, playing)
            players.append(Player(player_id, player_id, seat, is_bot=True))
            playing[player_id] = bot
        elif name or len(people) > 1:
            players.append(Player(name or f"Player {seat + 1}", name or f"Player {seat + 1}", seat))
        else:
            players.append(Player("you", "You", seat))
    return Seating(tuple(players), playing)


def strongest_bot(game: Game[Any]) -> str:
    """Return the name of the game's best bot, which a game lists last; one without bots is played at random."""
    return (list(game.bots) or ["random"])[-1]


def _free(name: str, taken: Container[str]) -> str:
    """Return the name, with a number where it is taken."""
    return next(free for number in count(1) if (free := name if number == 1 else f"{name} {number}") not in taken)


def seat_again(game: Game[Any], match: Match[Any], *, bots: Sequence[str] = (), auto: str = "") -> Seating:
    """Return who plays a match that goes on: people on their seats, a bot on each that had one.

    `bots` names them in the order of the seats; otherwise a bot's id tells which it was.
    """
    of_bots = [player for player in match.players if player.is_bot]
    if bots and len(bots) != len(of_bots):
        raise Usage(f"this match has {len(of_bots)} seats for bots, but --bot names {len(bots)}")
    chosen = {player.id: _bot_of(game, player.id) for player in of_bots}
    chosen.update(zip((player.id for player in of_bots), bots, strict=False))
    if auto:
        chosen = {player.id: auto for player in match.players}
    return Seating(match.players, chosen)


def _bot_of(game: Game[Any], player_id: str) -> str:
    name = player_id.partition(" ")[0]
    return name if name in bot_names(game) else strongest_bot(game)
