"""`croupier simulate`: many rounds of a house game from the rules that play it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from rich.console import Console
from rich.progress import Progress

from croupier.cli.errors import Usage
from croupier.cli.files import write_file
from croupier.cli.inputs import GameId, Json, Pairs, read_pairs, read_seed
from croupier.cli.show import make_console, plain_table, print_json, say
from croupier.engine import get_game, write_record
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
    precision: Annotated[
        float | None, typer.Option("--precision", help="Stop when the edge is known so well: 0.001 is ± 0.1 %.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Write a picture of it, .png or .svg.")
    ] = None,
    picture: Annotated[
        str, typer.Option("--picture", help="Which: distribution, bets or convergence; with --bankroll: paths.")
    ] = "distribution",
    bankroll: Annotated[
        int | None,
        typer.Option("--bankroll", min=1, help="Follow players with so many chips; tells the risk of ruin."),
    ] = None,
    evening: Annotated[int, typer.Option("--evening", min=1, help="Rounds each of those players plays.")] = 1000,
    find: Annotated[
        str | None, typer.Option("--find", metavar="CONDITION", help="Look for rounds like 'net > 500x' instead.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="With --find: write the first round found here.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="WHERE", help="On Dask workers: local:2, or tcp://HOST:PORT.")
    ] = None,
    option: Pairs = None,
    json: Json = False,
) -> None:
    """Play many rounds and say what they came to.

    The rounds are those the engine would play: the same rules, compiled. The same seed gives the same totals whatever
    the number of threads.

    With --json: game, policy, super, seed, first_session, rounds, staked, returned, fees, edge, edge_per_chip,
    variance, skewness, stderr, interval, win, push, lose, hash_path, digest, options, bets (a list of bet, staked,
    returned, edge, stderr), distribution (a list of low, high, rounds, share).

    With --bankroll, players of an --evening each are followed instead, as many as --rounds allow; --json has paths,
    bankroll, rounds, ruin, ruin_stderr, ended, drawdown. With --find, rounds are looked for; --json has a list of
    session_id, staked, returned, fees, net.

    Example:
      croupier simulate roulette --rounds 1000000 --bet red=10 --bet straight:17=1
      croupier simulate casino-war --policy always_war --json
      croupier simulate roulette --bet red=10 --bankroll 200 --plot paths.svg
      croupier simulate baccarat --bet tie=5 --find "net > 8x" --record tie.json

    """
    found = get_game(game)
    if not isinstance(found, HouseGame):
        raise Usage(f"{found.name} is not played against the house")
    try:
        import croupier.sim.simulate  # noqa: F401
    except ImportError as error:
        raise Usage(f"simulation needs the packages of croupier[sim] ({error}): pip install 'croupier[sim]'") from None
    options = found.read_options(read_pairs(option))
    bets = _bets(found, bet)
    asked = _Asked(found, bets, policy, rounds, read_seed(seed), options, super_mode, threads or os.cpu_count() or 1)
    if record is not None and find is None:
        raise Usage("--record goes with --find: it writes the round that was found")
    if sum(what is not None for what in (bankroll, find, cluster)) > 1:
        raise Usage("--bankroll, --find and --cluster do different things: give one of them")
    console = make_console()
    if find is not None:
        _find(console, asked, find, record, json)
    elif bankroll is not None:
        _paths(console, asked, bankroll, evening, plot, json)
    else:
        _totals(console, asked, precision, cluster, plot, picture, json)


class _Asked(Struct):
    """What is to be simulated."""

    game: HouseGame[Any]
    bets: dict[str, int]
    policy: str
    rounds: int
    seed: bytes
    options: Any
    super_mode: bool
    threads: int

    @property
    def told(self) -> dict[str, Any]:
        return {"options": self.options, "super_mode": self.super_mode}


def _progress(json: bool, console: Console) -> Progress:
    return Progress(console=Console(stderr=True), transient=True, disable=json or not console.is_terminal)


def _totals(
    console: Console,
    asked: _Asked,
    precision: float | None,
    cluster: str | None,
    plot: Path | None,
    picture: str,
    json: bool,
) -> None:
    from croupier.sim.simulate import simulate as run

    which = (asked.game, asked.bets, asked.policy, asked.rounds, asked.seed)
    start = time.perf_counter()
    with _progress(json, console) as progress:
        task = progress.add_task(asked.game.name, total=asked.rounds)

        def tell(done: int) -> None:
            progress.update(task, completed=done)

        if cluster is None:
            result = run(*which, **asked.told, threads=asked.threads, precision=precision, on_progress=tell)
        elif precision is not None:
            raise Usage("--precision stops in the order of the rounds, which a cluster does not keep")
        else:
            result = _on_cluster(cluster, which, asked.told, tell)
    seconds = time.perf_counter() - start
    if plot is not None:
        _plot(asked, result, picture, plot)
    if json:
        print_json(_plain(result, asked.options))
    else:
        _show(console, asked.game, result, seconds)
        if plot is not None:
            say(console, f"{picture} is in {plot}")


def _on_cluster(where: str, which: tuple[Any, ...], told: dict[str, Any], tell: Callable[[int], None]) -> Simulation:
    try:
        from croupier.sim.cluster import connect, simulate_on
    except ImportError as error:
        raise Usage(f"a cluster needs croupier[cluster] ({error}): pip install 'croupier[cluster]'") from None
    with connect(where) as client:
        return simulate_on(client, *which, **told, on_progress=tell)


def _plot(asked: _Asked, result: Simulation, picture: str, plot: Path) -> None:
    from croupier.sim.plots import plot_bets, plot_convergence, plot_distribution, save_figure
    from croupier.sim.simulate import simulate as run

    rows = asked.game.super_odds(asked.options) if asked.super_mode else asked.game.odds(asked.options)
    exact = {row.bet: float(row.edge) for row in rows if row.policy == asked.policy}
    if picture == "bets":
        figure = plot_bets(result, exact)
    elif picture == "convergence":
        lengths = sorted({max(1, result.rounds >> shift) for shift in range(14)})
        which = (asked.game, asked.bets, asked.policy)
        runs = [run(*which, length, asked.seed, **asked.told, threads=asked.threads) for length in lengths]
        figure = plot_convergence(runs, exact.get(next(iter(asked.bets))) if len(asked.bets) == 1 else None)
    elif picture == "distribution":
        figure = plot_distribution(result)
    else:
        raise Usage(f"there is no picture {picture!r}: distribution, bets or convergence")
    save_figure(figure, plot)


def _paths(console: Console, asked: _Asked, bankroll: int, evening: int, plot: Path | None, json: bool) -> None:
    from croupier.sim.paths import simulate_paths
    from croupier.sim.plots import save_figure

    count = max(1, asked.rounds // evening)
    with _progress(json, console) as progress:
        task = progress.add_task(asked.game.name, total=count)
        paths = simulate_paths(
            asked.game,
            asked.bets,
            asked.policy,
            bankroll=bankroll,
            rounds=evening,
            paths=count,
            seed=asked.seed,
            **asked.told,
            threads=asked.threads,
            on_progress=lambda done: progress.update(task, completed=done),
        )
    if plot is not None:
        save_figure(paths.plot(), plot)
    figures = paths.figures()
    if json:
        print_json(figures)
        return
    ended, fall = figures["ended"], figures["drawdown"]
    say(console, f"{asked.game.name}: {count:,} players with {bankroll:,} chips, {evening:,} rounds each", "bold")
    say(console, f"ruined {paths.ruin:.3%} ± {1.96 * paths.ruin_stderr:.3%} of them")
    words = ", ".join(f"{share} {ended[share]:,}" for share in ("5%", "50%", "95%"))
    say(console, f"left with {ended['mean']:,.1f} chips on average; {words}")
    say(console, f"deepest fall {fall['mean']:,.1f} chips on average, 95 % of them at most {fall['95%']:,}")
    if plot is not None:
        say(console, f"the bankrolls are in {plot}")


SHOWN_MAX = 20


def _find(console: Console, asked: _Asked, text: str, record: Path | None, json: bool) -> None:
    from croupier.sim.find import find_rounds, play_again, read_condition

    plan = asked.game.plan(asked.bets, asked.policy, asked.options, asked.super_mode)
    found = list(islice(find_rounds(plan, read_condition(text), asked.seed, rounds=asked.rounds), SHOWN_MAX))
    if found and record is not None:
        played = play_again(asked.game, plan, asked.seed, found[0].session_id, asked.options)
        write_file(record, write_record(played))
    if json:
        keys = ("session_id", "staked", "returned", "fees", "net")
        print_json([{key: getattr(each, key) for key in keys} for each in found])
    else:
        say(console, f"{asked.game.name}: {text} in {asked.rounds:,} rounds", "bold")
        table = plain_table("round", "staked", "returned", "fees", "net")
        for each in found:
            table.add_row(str(each.session_id), *(f"{n:,}" for n in (each.staked, each.returned, each.fees, each.net)))
        console.print(table)
        if len(found) == SHOWN_MAX:
            say(console, f"the first {SHOWN_MAX}; there may be more")
        if found and record is not None:
            say(console, f"round {found[0].session_id} is in {record}: croupier verify {record}")
    if not found:
        raise typer.Exit(1)


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
    bets = [
        {
            "bet": line.bet,
            "staked": line.staked,
            "returned": line.returned,
            "edge": float(line.edge),
            "stderr": line.stderr,
        }
        for line in result.lines
    ]
    return {**result.figures(), "options": options, "bets": bets, "distribution": result.rows()}


def _shape(result: Simulation) -> str:
    """Say how the results are spread."""
    worst, low, middle, high, best = (result.quantile(share) for share in (0, 0.05, 0.5, 0.95, 1))
    spread = f"worst {worst:+,}, 5 % {low:+,}, half {middle:+,}, 95 % {high:+,}, best {best:+,}"
    return f"{float(result.hit_rate):.2%} of rounds win; {spread}"


def _show(console: Console, game: HouseGame[Any], result: Simulation, seconds: float) -> None:
    low, high = result.interval
    say(console, f"{game.name}: {result.rounds:,} rounds in {seconds:.1f} s ({result.hash_path})", "bold")
    say(console, f"staked {result.staked:,}, fees {result.fees:,}, returned {result.returned:,}")
    say(console, f"edge {float(result.edge):.4%} of the opening stake, 95 % sure: {low:.4%} to {high:.4%}")
    if result.edge_per_chip != result.edge:
        say(console, f"edge {float(result.edge_per_chip):.4%} of every chip laid out")
    say(console, f"a round's standard deviation is {float(result.variance) ** 0.5:,.2f} chips; {_shape(result)}")
    table = plain_table("bet", "staked", "returned", "edge", "± standard error")
    for line in result.lines:
        table.add_row(
            line.bet, f"{line.staked:,}", f"{line.returned:,}", f"{float(line.edge):.4%}", f"{line.stderr:.4%}"
        )
    console.print(table)
