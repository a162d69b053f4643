"""`croupier play`: a match in the terminal, alone, with others at one keyboard, or against bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from croupier.cli.errors import Usage
from croupier.cli.evening import Evening
from croupier.cli.files import check_writable
from croupier.cli.inputs import (
    Whole,
    command,
    complete_bots,
    complete_games,
    complete_saves,
    pairs_option,
    read_pairs,
    think_option,
)
from croupier.cli.prompt import asker
from croupier.cli.show import make_console
from croupier.cli.start_match import PlayRequest, go_on, open_new


def _arm(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """Note a modifier that is asked for, in the order of the options."""
    if asked:
        ctx.meta.setdefault("croupier.modifiers", []).append(param.name)


def _modifier(name: str, effect: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option that arms a modifier."""
    return click.option(f"--{name}", is_flag=True, expose_value=False, callback=_arm, help=f"House games: {effect}")


@command
@click.argument("game", required=False, shell_complete=complete_games, help="The game's id; without it, a menu.")
@click.option("--seed", metavar="HEX", help="A fixed seed: the same game again, but nothing proven.")
@click.option("--client-seed", metavar="TEXT", help="Your part of the seed; random if you name none.")
@click.option("--session", metavar="N", type=int, help="The session id; the next free one if you name none.")
@click.option(
    "--players",
    "names",
    metavar="NAMES",
    callback=lambda context, _, value: () if value is None else tuple(value.split(",")),
    help="Who plays at this keyboard, such as Ann,Bob.",
)
@click.option("--seats", metavar="N", type=Whole(min=1), help="How many play in all.")
@click.option(
    "--bot", "bots", metavar="BOT", multiple=True, shell_complete=complete_bots, help="An opponent; may be repeated."
)
@click.option("--auto", metavar="BOT", shell_complete=complete_bots, help="Bots on every seat, no input.")
@think_option
@pairs_option
@click.option("--stake", metavar="N", type=int, help="What to sit down with at a house game; 10 if you name none.")
@_modifier("super", "pay a fee, win more.")
@_modifier("shield", "a loss of the first round costs a shield, no chips.")
@_modifier("double", "a profit of the first round counts twice.")
@click.option("--deposit", metavar="N", type=int, help="House games: take up to 1,000 chips first, once a day.")
@click.option("--record", metavar="FILE", help="Write the record there at the end, or when you quit.")
@click.option("--load", metavar="SAVE", shell_complete=complete_saves, help="Go on from a save or a record.")
@click.option("-q", "--quiet", is_flag=True, help="Only the end, no line per action.")
@click.option("-v", "--verbose", is_flag=True, help="Show commitments and seeds, in hex.")
@click.option("--json", "silent", is_flag=True, help="With --auto: print JSON at the end, nothing before.")
def play(option: tuple[str, ...], record: str | None, load: str | None, quiet: bool, **asked: Any) -> None:
    """Play a game in the terminal.

    The dealer is committed to a seed before anything is dealt, and yours is added to it: the record proves that no
    draw was steered. At the prompt ? shows the keys. After a round Enter deals again, with the same bets.

    The bots monte_carlo and tree_search play any game; --think limits how long they think about a move.

    With --json: game, players, version, status, result, seed, commitments, digest, record.

    Example:
      croupier play shut-the-box --bot fewest_tiles --record game.json
      croupier play shut-the-box --auto optimal_score --seed 00 --quiet
      croupier play shut-the-box --players Ann,Bob --option tile_count=12
      croupier play roulette --super --record spin.json

    """
    modifiers = tuple(click.get_current_context().meta.get("croupier.modifiers", ()))
    wish = PlayRequest(options=read_pairs(option), modifiers=modifiers, **asked)  # every other option is a field of it
    _check(wish, record)
    console = make_console()
    ask = asker(console)
    kept, seating = open_new(console, ask, wish) if load is None else go_on(console, load, wish)
    if record is not None and kept.client.base.version > 0:
        raise Usage(f"{load!r} has no log, so no record can be made of what led to it")
    Evening(console, ask, wish, seating, record=record, quiet=quiet or wish.silent).play(kept)


def _check(wish: PlayRequest, record: str | None) -> None:
    """Refuse arguments that make no sense before anything is shown."""
    if wish.silent and wish.auto is None:
        raise Usage("--json goes with --auto: a person's game is for reading")
    if "" in (wish.auto, *wish.bots):
        raise Usage("a bot has a name; croupier games lists them")
    if record is not None:
        check_writable(record)
