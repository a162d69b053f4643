"""`croupier simulate`: many rounds of a game from the rules that play it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from rich.console import Console
from rich.progress import Progress

from croupier.cli.errors import INTERRUPTED, Usage, missing_extra
from croupier.cli.files import check_writable, read_file, write_file
from croupier.cli.inputs import (
    DIGITS_MAX,
    Whole,
    command,
    complete_bets,
    complete_bots,
    complete_policies,
    game_argument,
    is_given,
    json_option,
    pairs_option,
    read_pairs,
    read_seed,
)
from croupier.cli.show import make_console, plain_table, print_json, print_table, say
from croupier.engine import Game, get_game, write_record
from croupier.house import HouseGame
from croupier.house.odds import SUPER_FEE

if TYPE_CHECKING:
    from croupier.sim.jobs import Job
    from croupier.sim.match_results import Matches
    from croupier.sim.results import Simulation

VERBOSE = f"{__name__}.verbose"


def _writable(context: click.Context, parameter: click.Parameter, file: Path | None) -> Path | None:
    """Return the file, having seen before the rounds that it can be written."""
    if file is not None:
        check_writable(str(file))
    return file


@command
@game_argument
@click.option(
    "-b",
    "--bet",
    metavar="BET=STAKE",
    multiple=True,
    shell_complete=complete_bets,
    help="A bet, such as red=10; may be repeated.",
)
@click.option("-n", "--rounds", type=Whole(1, 10**12), default=1_000_000, help="How many rounds.")
@click.option(
    "--policy",
    metavar="NAME",
    default="",
    show_default=False,
    shell_complete=complete_policies,
    help="How the player decides, where there is something to.",
)
@click.option("--strategy", metavar="FILE", help="A strategy of your own in place of a policy: JSON.")
@click.option(
    "--bot",
    "bots",
    metavar="BOT",
    multiple=True,
    shell_complete=complete_bots,
    help="Who plays, seat by seat, through the engine; may be repeated.",
)
@click.option("--seats", metavar="N", type=Whole(min=1), help="How many bots play a match.")
@click.option("--rotate", is_flag=True, help="Move the bots one seat on from match to match.")
@click.option("--seed", metavar="HEX", default="00", help="The seed; round n is session n of it.")
@click.option("--super", "super_mode", is_flag=True, help="Super sessions.")
@click.option("--modifier", "modifiers", metavar="NAME", multiple=True, help="Arm shield or double in every session.")
@click.option(
    "--threads", type=Whole(0, 1024), default=1, help="How many threads, or processes of the engine; all cores if 0."
)
@click.option("--engine", "by_engine", is_flag=True, help="Let the engine play, also where there is a kernel.")
@click.option("--precision", metavar="SHARE", type=float, help="Stop when the edge is known so well: 0.001 is ± 0.1 %.")
@click.option("--plot", metavar="FILE", type=Path, callback=_writable, help="Write a picture of it, .png or .svg.")
@click.option(
    "--picture",
    metavar="NAME",
    default="",
    show_default=False,
    help="Which: distribution, bets or convergence; of matches: scores or wins.",
)
@click.option(
    "--bankroll", metavar="CHIPS", type=Whole(min=1), help="Follow players with so many chips; tells the risk of ruin."
)
@click.option("--evening", type=Whole(min=1), default=1000, help="Rounds each of those players plays.")
@click.option("--find", metavar="CONDITION", help="Look for rounds like 'net > 500x' instead.")
@click.option(
    "--record", metavar="FILE", type=Path, callback=_writable, help="With --find: write the first round found here."
)
@click.option("--cluster", metavar="WHERE", help="On Dask workers: local:2, or tcp://HOST:PORT.")
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({VERBOSE: value}),
    help="Say how streams are hashed here: avx512, sha-ni, avx2 or portable.",
)
@pairs_option
@json_option
def simulate(
    game: str,
    bet: tuple[str, ...],
    rounds: int,
    policy: str,
    strategy: str | None,
    seed: str,
    threads: int,
    precision: float | None,
    plot: Path | None,
    picture: str,
    bankroll: int | None,
    evening: int,
    find: str | None,
    record: Path | None,
    cluster: str | None,
    option: tuple[str, ...],
    json: bool,
    **about: Any,
) -> None:
    """Play many rounds and say what they came to.

    The rounds are those the engine would play: the same rules, compiled; where a game has no kernel the engine itself
    plays, far slower. The same seed gives the same totals whatever the number of threads.

    With --json: game, policy, super, seed, first_session, rounds, staked, returned, fees, modifiers, bonus, modified,
    edge, edge_per_chip, variance, skewness, stderr, interval, win, push, lose, hash_path, digest, options, bets (a list
    of bet, staked, returned, edge, stderr), added (staked and returned of what came on top: doubles, splits, raises,
    odds), distribution (a list of low, high, rounds, share). For games without chips: game, seed, first_session,
    rounds, draw, mean_actions, hash_path, digest, options, seats (a list of bot, wins, win, win_interval, share,
    mean_score, score_interval, score_variance), distribution (seat, bot, score, rounds, share).

    With --bankroll, players of an --evening each are followed instead, as many as --rounds allow; --json has paths,
    bankroll, rounds, ruin, ruin_stderr, ended, drawdown. With --find, rounds are looked for; --json has a list of
    session_id, staked, returned, fees, bonus, net, or without chips of session_id, won, scores, actions.

    Example:
      croupier simulate roulette --rounds 1000000 --bet red=10 --bet straight:17=1
      croupier simulate casino-war --policy always_war --json
      croupier simulate roulette --bet red=10 --bankroll 200 --plot paths.svg
      croupier simulate baccarat --bet tie=5 --find "net > 8x" --record tie.json
      croupier simulate lanes --rounds 200 --bot greedy --bot random --rotate
      croupier simulate blackjack --strategy mine.json --modifier shield

    """
    found = get_game(game)
    try:
        from croupier.sim.jobs import make_job
    except ImportError as error:
        raise missing_extra("simulation", "sim", error) from None
    _refuse_unused(found, record, plot, picture, precision, find, bankroll)
    if sum(what is not None for what in (bankroll, find, cluster)) > 1:
        raise Usage("--bankroll, --find and --cluster do different things: give one of them")
    job = make_job(
        found,
        _bets(bet),
        policy,
        read_seed(seed),
        options=read_pairs(option),
        strategy=None if strategy is None else read_file(strategy),
        **about,  # every option that is named like a keyword of it
    )
    asked = _Asked(job, rounds, threads or os.cpu_count() or 1, json)
    console = make_console()
    if find is not None:
        _find(console, asked, find, record)
    elif bankroll is not None:
        _paths(console, asked, bankroll, evening, plot)
    else:
        _totals(console, asked, precision, cluster, plot, picture)


def _refuse_unused(
    game: Game[Any],
    record: Path | None,
    plot: Path | None,
    picture: str,
    precision: float | None,
    find: str | None,
    bankroll: int | None,
) -> None:
    """Refuse an option that would be passed over in silence, or refused after the last round."""
    if record is not None and find is None:
        raise Usage("--record goes with --find: it writes the round that was found")
    if plot is not None and find is not None:
        raise Usage("--plot draws what rounds came to, and --find does not tell it")
    if plot is not None and plot.suffix.lower() not in (".png", ".svg"):
        raise Usage(f"--plot writes a file .png or .svg, not {plot.name!r}")
    if picture and (plot is None or bankroll is not None):
        raise Usage("--picture goes with --plot, and without --bankroll: it says which")
    if picture and picture not in _pictures(game):
        raise Usage(f"there is no picture {picture!r}: {' or '.join(_pictures(game))}")
    if precision is not None and (find is not None or bankroll is not None):
        raise Usage("--precision is that of an edge, and --find and --bankroll tell none")
    if bankroll is None and is_given("evening"):
        raise Usage("--evening goes with --bankroll: it is how long those players play")
    if is_given("threads") and (find is not None or is_given("cluster")):
        raise Usage("--threads is for totals and --bankroll: --find looks in one, and a cluster has its own")


def _pictures(game: Game[Any]) -> tuple[str, ...]:
    """Return the pictures there are of a game, the usual one first."""
    return ("distribution", "bets", "convergence") if isinstance(game, HouseGame) else ("scores", "wins")


class _Asked(Struct):
    """Parameters of the command: what is to be simulated, and how."""

    job: Job
    rounds: int
    threads: int
    json: bool

    @property
    def game(self) -> Game[Any]:
        return self.job.game


def _progress(json: bool, console: Console) -> Progress:
    return Progress(console=Console(stderr=True), transient=True, disable=json or not console.is_terminal)


def _totals(
    console: Console, asked: _Asked, precision: float | None, cluster: str | None, plot: Path | None, picture: str
) -> None:
    from croupier.cli.watch import end_at_once, watch

    if cluster is not None and precision is not None:
        raise Usage("--precision stops in the order of the rounds, which a cluster does not keep")
    start = time.perf_counter()
    stopped = False
    if cluster is not None:
        with _progress(asked.json, console) as progress:
            task = progress.add_task(asked.game.name, total=asked.rounds)
            result: Any = _on_cluster(cluster, asked, lambda done: progress.update(task, completed=done))
    else:
        result, stopped = watch(console, asked.job, asked.rounds, asked.threads, precision, quiet=asked.json)
    seconds = time.perf_counter() - start
    if asked.json:
        print_json(_plain(result, asked.job.options))
    elif asked.job.is_house:
        _show(console, asked, result, seconds)
    else:
        _show_matches(console, asked, result, seconds)
    if plot is not None and not stopped:  # after the figures, which no picture that fails may cost
        drawn = _plot(asked, result, picture, plot)
        if not asked.json:
            say(console, f"{drawn} is in {plot}")
    if stopped:
        say(Console(stderr=True), f"stopped after {result.rounds:,} of {asked.rounds:,} rounds")
        end_at_once(INTERRUPTED)


def _on_cluster(where: str, asked: _Asked, tell: Callable[[int], None]) -> Any:
    try:
        from croupier.sim.cluster import connect, simulate_job_on
    except ImportError as error:
        raise missing_extra("a cluster", "cluster", error) from None
    with connect(where) as client:
        return simulate_job_on(client, asked.job, asked.rounds, on_progress=tell)


def _plot(asked: _Asked, result: Any, picture: str, plot: Path) -> str:
    """Write a picture and return which one it is."""
    from croupier.sim.plots import plot_bets, plot_convergence, save_figure
    from croupier.sim.simulate import simulate_job

    job = asked.job
    picture = picture or _pictures(job.game)[0]
    if picture == "bets":
        fee, edges = float(SUPER_FEE) * job.super_mode, _exact_edges(job, flat=result.added[0] > 0)
        figure = plot_bets(result, {bet: edge - fee for bet, edge in edges.items()})  # lines do not know of the fee
    elif picture == "convergence":
        lengths = sorted({max(1, result.rounds >> shift) for shift in range(14)})
        runs: list[Any] = [simulate_job(job, length, threads=asked.threads) for length in lengths]
        exact = _exact_edges(job).get(next(iter(job.bets))) if len(job.bets) == 1 else None
        figure = plot_convergence(runs, exact)
    else:
        figure = result.plot(picture)
    save_figure(figure, plot)
    return picture


def _exact_edges(job: Job, *, flat: bool = False) -> dict[str, float]:
    """Return the exact edges of bets, where those are what is simulated: by the game's own policy, unmodified.

    `flat` leaves out bets whose edge has in it what the policy adds to them later.
    """
    game = job.game
    assert isinstance(game, HouseGame)
    if job.modifiers or job.strategy is not None or job.bots:
        return {}
    rows = game.super_odds(job.options) if job.super_mode else game.odds(job.options)
    # A bet on which the player has no influence has one row; others have one for each policy.
    of_policy = sorted(
        (row for row in rows if row.policy in ("-", "-" if flat else job.policy or game.usual_policy)),
        key=lambda row: row.policy != "-",
    )
    return {row.bet: float(row.edge) for row in of_policy if not row.refused}


def _paths(console: Console, asked: _Asked, bankroll: int, evening: int, plot: Path | None) -> None:
    from croupier.sim.bankroll import paths_of
    from croupier.sim.plots import save_figure

    json, count = asked.json, max(1, asked.rounds // evening)
    with _progress(json, console) as progress:
        task = progress.add_task(asked.game.name, total=count)
        paths = paths_of(
            asked.job,
            bankroll=bankroll,
            rounds=evening,
            paths=count,
            threads=asked.threads,
            on_progress=lambda done: progress.update(task, completed=done),
        )
    figures = paths.figures()
    if json:
        print_json(figures)
    else:
        ended, fall = figures["ended"], figures["drawdown"]
        say(console, f"{asked.game.name}: {count:,} players with {bankroll:,} chips, {evening:,} rounds each", "bold")
        say(console, f"ruined {paths.ruin:.3%} ± {1.96 * paths.ruin_stderr:.3%} of them")
        words = ", ".join(f"{share} {ended[share]:,}" for share in ("5%", "50%", "95%"))
        say(console, f"left with {ended['mean']:,.1f} chips on average; {words}")
        say(console, f"deepest fall {fall['mean']:,.1f} chips on average, 95 % of them at most {fall['95%']:,}")
    if plot is not None:
        save_figure(paths.plot(), plot)
        if not json:
            say(console, f"the bankrolls are in {plot}")


SHOWN_MAX = 20


def _find(console: Console, asked: _Asked, text: str, record: Path | None) -> None:
    from croupier.sim.find import find_rounds, play_again, read_condition

    found: list[Any] = []
    with _progress(asked.json, console) as progress:
        task = progress.add_task(asked.game.name, total=asked.rounds)
        for each in islice(find_rounds(asked.job, read_condition(text), rounds=asked.rounds), SHOWN_MAX):
            found.append(each)
            progress.update(task, completed=each.session_id)
    if found and record is not None:
        write_file(record, write_record(play_again(asked.job, found[0].session_id)))
    money = ("staked", "returned", "fees", "bonus", "net")
    keys = ("session_id", *(money if asked.job.is_house else ("won", "scores", "actions")))
    if asked.json:
        print_json([{key: getattr(each, key) for key in keys} for each in found])
    else:
        say(console, f"{asked.game.name}: {text} in {asked.rounds:,} rounds", "bold")
        table = plain_table("round", *keys[1:])
        for each in found:
            table.add_row(str(each.session_id), *(_cell(getattr(each, key)) for key in keys[1:]))
        print_table(console, table)
        if len(found) == SHOWN_MAX:
            say(console, f"the first {SHOWN_MAX}; there may be more")
        if found and record is not None:
            say(console, f"round {found[0].session_id} is in {record}: croupier verify {record}")
    if not found:
        raise click.exceptions.Exit(1)


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join("-" if each is None else str(each) for each in value)
    return f"{value:,}"


def _bets(given: Sequence[str]) -> dict[str, int] | None:
    """Return the bets and stakes a player named, or None for the game's usual ones."""
    bets: dict[str, int] = {}
    for text in given:
        name, equals, stake = text.rpartition("=")
        if not equals or not stake.isdecimal() or len(stake) > DIGITS_MAX:
            raise Usage(f"--bet takes BET=STAKE, such as red=10, not {text!r}")
        if name in bets:
            raise Usage(f"--bet {name} is given twice")
        bets[name] = int(stake)
    return bets or None


def _plain(result: Any, options: Any) -> dict[str, Any]:
    told = {**result.figures(), "options": options, "distribution": result.rows()}
    if "seats" in told:
        return told
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
    staked, returned = result.added
    return {**told, "bets": bets, "added": {"staked": staked, "returned": returned}}


def _shape(result: Simulation) -> str:
    """Say how the results are spread."""
    worst, low, middle, high, best = (result.quantile(share) for share in (0, 0.05, 0.5, 0.95, 1))
    spread = f"worst {worst:+,}, 5 % {low:+,}, half {middle:+,}, 95 % {high:+,}, best {best:+,}"
    return f"{float(result.hit_rate):.2%} of rounds win; {spread}"


def _said(asked: _Asked, result: Simulation | Matches, what: str, seconds: float) -> str:
    is_told = result.hash_path == "engine" or click.get_current_context().meta[VERBOSE]
    how = f" ({result.hash_path})" if is_told else ""
    return f"{asked.game.name}: {result.rounds:,} {what} in {seconds:.1f} s{how}"


def _show_matches(console: Console, asked: _Asked, result: Matches, seconds: float) -> None:
    say(console, _said(asked, result, "matches", seconds), "bold")
    drawn = f"{result.draws / result.rounds:.2%} of them drawn"
    say(console, f"{drawn}, {float(result.mean_actions):,.1f} actions on average")
    table = plain_table("bot", "won", "95 % sure", "share", "mean score", "± 95 %", "deviation")
    for seat in result.seats:
        low, high = seat.win_interval
        cells = [seat.bot, f"{seat.wins / seat.matches:.2%}", f"{low:.2%} to {high:.2%}", f"{float(seat.share):.2%}"]
        if seat.mean_score is not None and seat.score_interval is not None:
            lowest, highest = seat.score_interval
            cells += [f"{float(seat.mean_score):,.4f}", f"{(highest - lowest) / 2:,.4f}"]
            cells.append(f"{float(seat.score_variance or 0) ** 0.5:,.2f}")
        table.add_row(*cells)
    print_table(console, table)


def _show(console: Console, asked: _Asked, result: Simulation, seconds: float) -> None:
    low, high = result.interval
    say(console, _said(asked, result, "rounds", seconds), "bold")
    say(console, _played(asked.job))
    say(console, f"staked {result.staked:,}, fees {result.fees:,}, returned {result.returned:,}")
    if result.modifiers:
        words = f"{' and '.join(result.modifiers)} took effect in {result.modified / result.rounds:.2%} of rounds"
        say(console, f"{words} and added {result.bonus:,} chips")
    say(console, f"edge {float(result.edge):.4%} of the opening stake, as in odds; 95 % sure: {low:.4%} to {high:.4%}")
    if result.edge_per_chip != result.edge:
        say(console, f"edge {float(result.edge_per_chip):.4%} of every chip laid out")
    say(console, f"a round's standard deviation is {float(result.variance) ** 0.5:,.2f} chips; {_shape(result)}")
    table = plain_table("bet", "staked", "returned", "edge", "± standard error")
    for line in result.lines:
        table.add_row(
            line.bet, f"{line.staked:,}", f"{line.returned:,}", f"{float(line.edge):.4%}", f"{line.stderr:.4%}"
        )
    if result.added[0]:
        table.add_row("added later", *(f"{chips:,}" for chips in result.added), "", "")
    print_table(console, table)
    apart = [*["what was added to it later"] * (result.added[0] > 0), *["fees"] * (result.fees > 0)]
    if apart:
        say(
            console,
            f"the edge of a bet is of its own chips: odds has {' and '.join(apart)} in it, as the total has",
            "dim",
        )


def _played(job: Job) -> str:
    """Say which bets were laid and who decided, whether they were named or not."""
    assert isinstance(job.game, HouseGame)
    laid = ", ".join(f"{bet} {stake:,}" for bet, stake in job.bets.items()) or "of the bot's own"
    who = job.policy_name or job.game.usual_policy
    return f"bets: {laid}" + (f"; {'bot' if job.bots else 'policy'}: {who}" if who else "")
