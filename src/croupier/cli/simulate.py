"""`croupier simulate`: many rounds of a house game from the rules that play it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from croupier.cli.errors import Usage
from croupier.cli.inputs import GameId, Json, Pairs, read_pairs, read_seed
from croupier.cli.show import make_console, plain_table, print_json, say
from croupier.engine import get_game
from croupier.house import HouseGame

if TYPE_CHECKING:
    from croupier.sim.simulate import Simulation

__all__ = ["simulate"]


def simulate(
    game: GameId,
    bet: Annotated[
        list[str] | None,
        typer.Option("--bet", "-b", metavar="BET=STAKE", help="A bet and its stake, such as red=10; may be repeated."),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", "-n", min=1, max=10**12, help="How many rounds.")] = 1_000_000,
    policy: Annotated[str, typer.Option("--policy", help="How the player decides, where there is something to.")] = "",
    seed: Annotated[str, typer.Option("--seed", metavar="HEX", help="The seed; round n is session n of it.")] = "00",
    super_mode: Annotated[bool, typer.Option("--super", help="Super sessions.")] = False,
    threads: Annotated[int, typer.Option("--threads", min=0, max=1024, help="How many threads; all cores if 0.")] = 1,
    option: Pairs = None,
    json: Json = False,
) -> None:
    """Play many rounds and say what they came to.

    The rounds are those the engine would play: the same rules, compiled. The same seed gives the same totals whatever
    the number of threads.

    With --json: game, options, policy, super, seed, rounds, staked, returned, fees, edge, edge_per_chip, variance,
    stderr, interval, win, push, lose, bets (a list of bet, staked, returned, edge, stderr), hash_path.

    Example:
      croupier simulate roulette --rounds 1000000 --bet red=10 --bet straight:17=1
      croupier simulate casino-war --policy always_war --json

    """
    found = get_game(game)
    if not isinstance(found, HouseGame):
        raise Usage(f"{found.name} is not played against the house")
    try:
        from croupier.sim.simulate import simulate as run
    except ImportError as error:
        raise Usage(f"simulation needs the packages of croupier[sim] ({error}): pip install 'croupier[sim]'") from None
    options = found.read_options(read_pairs(option))
    bets = _bets(found, bet)
    console = make_console()
    start = time.perf_counter()
    with Progress(console=Console(stderr=True), transient=True, disable=json or not console.is_terminal) as progress:
        task = progress.add_task(found.name, total=rounds)
        result = run(
            found,
            bets,
            policy,
            rounds,
            read_seed(seed),
            options=options,
            super_mode=super_mode,
            threads=threads or os.cpu_count() or 1,
            on_progress=lambda done: progress.update(task, completed=done),
        )
    seconds = time.perf_counter() - start
    if json:
        print_json(_plain(result, options))
    else:
        _show(console, found, result, seconds)


def _bets(game: HouseGame[Any], given: list[str] | None) -> dict[str, int]:
    """Return the bets and stakes a player named, or the game's usual ones."""
    bets: dict[str, int] = {}
    for text in given or ():
        name, equals, stake = text.rpartition("=")
        if not equals or not stake.isdecimal():
            raise Usage(f"--bet takes BET=STAKE, such as red=10, not {text!r}")
        if name in bets:
            raise Usage(f"--bet {name} is given twice")
        bets[name] = int(stake)
    return bets or dict(game.usual_bets())


def _plain(result: Simulation, options: Any) -> dict[str, Any]:
    rounds = result.rounds
    return {
        "game": result.game_id,
        "options": options,
        "policy": result.policy,
        "super": result.super_mode,
        "seed": result.seed,
        "rounds": rounds,
        "staked": result.staked,
        "returned": result.returned,
        "fees": result.fees,
        "edge": float(result.edge),
        "edge_per_chip": float(result.edge_per_chip),
        "variance": float(result.variance),
        "stderr": result.stderr,
        "interval": result.interval,
        "win": result.wins / rounds,
        "push": result.pushes / rounds,
        "lose": (rounds - result.wins - result.pushes) / rounds,
        "bets": [
            {
                "bet": line.bet,
                "staked": line.staked,
                "returned": line.returned,
                "edge": float(line.edge),
                "stderr": line.stderr,
            }
            for line in result.lines
        ],
        "hash_path": result.hash_path,
    }


def _show(console: Console, game: HouseGame[Any], result: Simulation, seconds: float) -> None:
    low, high = result.interval
    say(console, f"{game.name}: {result.rounds:,} rounds in {seconds:.1f} s ({result.hash_path})", "bold")
    say(console, f"staked {result.staked:,}, fees {result.fees:,}, returned {result.returned:,}")
    say(console, f"edge {float(result.edge):.4%} of the opening stake, 95 % sure: {low:.4%} to {high:.4%}")
    if result.edge_per_chip != result.edge:
        say(console, f"edge {float(result.edge_per_chip):.4%} of every chip laid out")
    say(console, f"a round's standard deviation is {float(result.variance) ** 0.5:,.2f} chips")
    table = plain_table("bet", "staked", "returned", "edge", "± standard error")
    for line in result.lines:
        table.add_row(
            line.bet, f"{line.staked:,}", f"{line.returned:,}", f"{float(line.edge):.4%}", f"{line.stderr:.4%}"
        )
    console.print(table)
