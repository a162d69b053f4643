"""`croupier arena`: bots against each other, with confidence intervals."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from croupier.bots import bot_names
from croupier.bots.arena import Arena, run_arena
from croupier.cli.errors import Usage
from croupier.cli.inputs import GameId, Json, Pairs, complete_bots, read_pairs, read_seed
from croupier.cli.show import make_console, plain_table, print_json, say
from croupier.engine import get_game

__all__ = ["arena"]


def arena(
    game: GameId,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="NAME", help="A bot; give two or more.", autocompletion=complete_bots),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=2, max=10**6, help="Games of each pairing; even.")] = 100,
    seed: Annotated[
        str, typer.Option("--seed", metavar="HEX", help="The seed; the same one gives the same table.")
    ] = "00",
    option: Pairs = None,
    json: Json = False,
) -> None:
    """Let bots play each other, every pair of them, and say who is better.

    Every deal is played twice with the seats swapped. The intervals are Wilson's, with 95 % confidence, of the games
    that were decided.

    With --json: game, seed, pairings (a list of first, second, games, wins, losses, draws, share, interval, better),
    points (by bot), first_seat_share.

    Example:
      croupier arena lanes --bot greedy --bot random --games 200
      croupier arena shut-the-box --bot optimal_score --bot random

    """
    rules = get_game(game)
    names = bot or []
    if len(set(names)) != len(names) or len(names) < 2:
        raise Usage(f"name two different bots or more with --bot: {', '.join(bot_names(rules))}")
    console = make_console()
    total = games * len(names) * (len(names) - 1) // 2
    with Progress(console=Console(stderr=True), transient=True, disable=json or not console.is_terminal) as progress:
        task = progress.add_task(rules.name, total=total)
        table = run_arena(
            rules,
            names,
            games,
            read_seed(seed),
            options=read_pairs(option),
            on_game=lambda done: progress.update(task, completed=done),
        )
    if json:
        print_json(_plain(table))
        return
    say(console, f"{rules.name}: {games} games a pairing, seed {table.seed}", "bold")
    rows = plain_table("bot", "against", "won", "lost", "drawn", "share", "95 % sure", "better")
    for each in table.pairings:
        low, high = each.interval
        rows.add_row(
            each.first,
            each.second,
            str(each.wins),
            str(each.losses),
            str(each.draws),
            f"{float(each.share):.1%}",
            f"{low:.1%} to {high:.1%}",
            each.verdict or "neither",
        )
    console.print(rows)
    standing = ", ".join(f"{name} {float(share):.1%}" for name, share in table.points().items())
    say(console, f"of all points: {standing}")
    if table.decided:
        say(console, f"whoever sat first won {table.first_seat_wins / table.decided:.1%} of the decided games")


def _plain(table: Arena) -> dict[str, object]:
    return {
        "game": table.game_id,
        "seed": table.seed,
        "pairings": [
            {
                "first": each.first,
                "second": each.second,
                "games": each.games,
                "wins": each.wins,
                "losses": each.losses,
                "draws": each.draws,
                "share": float(each.share),
                "interval": list(each.interval),
                "better": each.verdict,
            }
            for each in table.pairings
        ],
        "points": {name: float(share) for name, share in table.points().items()},
        "first_seat_share": table.first_seat_wins / table.decided if table.decided else None,
    }
