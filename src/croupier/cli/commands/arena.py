"""`croupier arena`: bots against each other, with confidence intervals."""

from __future__ import annotations

from time import monotonic

import click
from rich.console import Console
from rich.progress import Progress

from croupier.bots import bot_names, find_bot
from croupier.bots.arena import Arena, Pairing, run_arena
from croupier.cli.errors import Usage
from croupier.cli.inputs import (
    Whole,
    command,
    complete_bots,
    game_argument,
    json_option,
    pairs_option,
    read_pairs,
    read_seed,
    think_option,
)
from croupier.cli.show import make_console, plain_table, print_json, print_table, say
from croupier.engine import get_game


@command
@game_argument
@click.option("--bot", metavar="NAME", multiple=True, shell_complete=complete_bots, help="A bot; give two or more.")
@click.option("-n", "--games", type=Whole(2, 10**6), default=100, help="Games of each pairing; even.")
@click.option("--seed", metavar="HEX", default="00", help="The seed; the same one gives the same table.")
@think_option
@pairs_option
@json_option
def arena(
    game: str, bot: tuple[str, ...], games: int, seed: str, think: float, option: tuple[str, ...], json: bool
) -> None:
    """Let bots play each other and say who is better.

    Every pair of them meets, and every deal is played twice with the seats swapped. The intervals are Wilson's, with
    95 % confidence, of the games that were decided. At a terminal the standing is shown game by game; of three
    bots or more, each pairing is told on the error output when it is over.

    --think limits monte_carlo and tree_search by the clock; the table then depends on how fast the machine is.

    With --json: game, seed, pairings (a list of first, second, games, wins, losses, draws, share, interval, better),
    points (by bot), first_seat_share.

    Example:
      croupier arena lanes --bot greedy --bot random --games 200
      croupier arena shut-the-box --bot optimal_score --bot random

    """
    rules = get_game(game)
    if len(set(bot)) != len(bot) or len(bot) < 2:
        raise Usage(f"name two different bots or more with --bot: {', '.join(bot_names(rules))}")
    console = make_console()
    total = games * len(bot) * (len(bot) - 1) // 2
    errors = Console(stderr=True)
    with Progress(console=errors, transient=True, disable=json or not console.is_terminal) as progress:
        task = progress.add_task(rules.name, total=total)

        def show(pairing: Pairing) -> None:
            standing = f"{pairing.first} {pairing.wins} : {pairing.losses} {pairing.second}"
            progress.update(task, advance=1, description=standing)
            if pairing.games == games and len(bot) > 2 and not json:
                drawn = f", {pairing.draws} drawn" if pairing.draws else ""
                say(errors, f"{standing}{drawn}", "dim")

        bots = {name: find_bot(rules, name, seconds=think, clock=monotonic) for name in bot}
        table = run_arena(rules, bots, games, read_seed(seed), options=read_pairs(option), on_game=show)
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
            *map(str, (each.wins, each.losses, each.draws)),
            f"{float(each.share):.1%}",
            f"{low:.1%} to {high:.1%}",
            each.verdict or "neither",
        )
    print_table(console, rows)
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
                **{name: getattr(each, name) for name in ("first", "second", "games", "wins", "losses", "draws")},
                "share": float(each.share),
                "interval": list(each.interval),
                "better": each.verdict,
            }
            for each in table.pairings
        ],
        "points": {name: float(share) for name, share in table.points().items()},
        "first_seat_share": table.first_seat_wins / table.decided if table.decided else None,
    }
