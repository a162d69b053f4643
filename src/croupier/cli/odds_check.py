"""`croupier odds --check`: the simulations beside the exact figures, with a bar, as a table, as data, as a page."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from croupier.cli.errors import Usage, missing_extra
from croupier.cli.show import make_console, plain_table, print_json, print_table, say
from croupier.games.shut_the_box import ShutTheBox
from croupier.house import HouseGame, TableGame

if TYPE_CHECKING:
    from croupier.sim.odds_check import Comparison, Trial

HEADINGS = ("game", "options", "bet", "policy", "exact", "simulated", "standard error", "z", "rounds")


def run_check(
    game: HouseGame[Any] | ShutTheBox | None,
    pairs: dict[str, Any],
    super_mode: bool,
    bet: str,
    rounds: int,
    threads: int,
    seed: bytes | None,
    markdown: bool,
    json: bool,
) -> None:
    """Compare what was asked for, tell how it went, and leave with exit code 1 if a figure disagrees."""
    if json and markdown:
        raise Usage("--json and --markdown: give one of them")
    try:
        from croupier.sim.odds_check import SEED, SIGMAS, false_alarm
    except ImportError as error:
        raise missing_extra("a check", "sim", error) from None
    chosen = SEED if seed is None else seed
    found = _simulated(_trials(game, pairs, super_mode, bet), rounds, chosen, threads, json or markdown)
    agrees = all(each.agrees for each in found)
    if json:
        comparisons = [_plain(each) for each in found]
        told = {"seed": chosen.hex(), "sigmas": SIGMAS, "figures": len(found), "false_alarm": false_alarm(len(found))}
        print_json({**told, "agrees": agrees, "comparisons": comparisons})
    elif markdown:
        print(markdown_table(found), end="")
    else:
        _show(found)
    if not agrees:
        raise click.exceptions.Exit(1)


def _trials(game: HouseGame[Any] | ShutTheBox | None, pairs: dict[str, Any], super_mode: bool, bet: str) -> list[Trial]:
    from croupier.sim.odds_check import box_trials, published_trials, trials

    if game is None:
        found = published_trials()
    elif not pairs and not super_mode:
        found = published_trials([game.id])
    elif isinstance(game, ShutTheBox):
        if super_mode:
            raise Usage(f"{game.name} is not played for chips: it has no super mode")
        game.read_options(pairs)
        found = box_trials(game, pairs)
    else:
        game.read_options(pairs)
        found = trials(game, pairs, super_mode)
    if game is None and super_mode:
        found = [trial for trial in found if trial.super_mode]
    if bet:
        bet = game.codes.aliases.get(bet, bet) if isinstance(game, TableGame) else bet
        found = [replace(trial, rows=rows) for trial in found if (rows := _only(trial, bet))]
        if not found:
            raise Usage(f"there is no bet {bet!r} here; croupier odds GAME lists them")
    return found


def _only(trial: Trial, bet: str) -> Any:
    named = [(row, getattr(row, "bet", "")) for row in trial.rows]
    return tuple(row for row, name in named if name == bet or name.partition(":")[0] == bet)


def _simulated(found: Sequence[Trial], rounds: int, seed: bytes, threads: int, quiet: bool) -> list[Comparison]:
    from croupier.sim.odds_check import run_trial

    comparisons = []
    with Progress(console=Console(stderr=True), transient=True, disable=quiet or not make_console().is_terminal) as bar:
        task = bar.add_task("", total=sum(rounds or trial.usual_rounds for trial in found))
        for trial in found:
            bar.update(task, description=trial.game_id)
            before = bar.tasks[0].completed
            comparisons += run_trial(
                trial,
                rounds or None,
                seed,
                threads=threads or os.cpu_count() or 1,
                on_progress=lambda played, before=before: bar.update(task, completed=before + played),  # type: ignore[misc]
            )
    return comparisons


def _plain(each: Comparison) -> dict[str, Any]:
    return {**msgspec.structs.asdict(each), "exact": f"{each.exact.numerator}/{each.exact.denominator}"}


def _show(found: Sequence[Comparison]) -> None:
    from croupier.sim.odds_check import SIGMAS, false_alarm

    console = make_console()
    for game_id in dict.fromkeys(each.game for each in found):
        say(console, game_id, "bold")
        table = plain_table(*HEADINGS[1:-1], numbers=HEADINGS[4:])
        for cells, each in _rows(each for each in found if each.game == game_id):
            table.add_row(*cells[1:-2], Text(cells[-2], "" if each.agrees else "bold red"))
        print_table(console, table, drop=("standard error", "policy", "options"))
    worst = max(found, key=lambda each: abs(each.z))
    rounds = sorted({each.rounds for each in found})
    say(console, f"{len(found):,} figures, {' or '.join(f'{n:,}' for n in rounds)} rounds each")
    say(console, f"farthest apart: {worst.game} {worst.bet}, {worst.z:+.2f} standard errors; {SIGMAS} are allowed")
    chance = false_alarm(len(found))
    say(console, f"if every figure is right, the chance that one or more is farther apart is {chance:.2g} at most")
    wrong = [each for each in found if not each.agrees]
    if wrong:
        say(console, f"{len(wrong)} of them are farther apart than that", "bold red")


def markdown_table(found: Iterable[Comparison]) -> str:
    """Return the comparisons as a table for a page, figures that are one and the same in one row."""
    lines = [f"| {' | '.join(HEADINGS)} |", f"|{'---|' * len(HEADINGS)}"]
    for cells, _ in _rows(found):
        marked = [f"`{cell}`" if cell and place in (0, 2, 3) else cell for place, cell in enumerate(cells)]
        lines.append(f"| {' | '.join(marked)} |")
    return "\n".join(lines) + "\n"


def _rows(found: Iterable[Comparison]) -> list[tuple[list[str], Comparison]]:
    """Return the cells of each row: of the bets of a kind that are worth the same, the one that is farthest apart."""
    groups: dict[tuple[Any, ...], list[Comparison]] = {}
    for each in found:
        kind = each.bet.partition(":")[0]
        groups.setdefault((each.game, each.options, each.super, kind, each.policy, each.exact), []).append(each)
    rows = []
    for group in groups.values():
        worst = max(group, key=lambda each: abs(each.z))
        names = worst.bet if len(group) == 1 else f"{worst.bet}, the farthest of {len(group)}"
        options = ", ".join(filter(None, (*worst.options.split(","), "super" if worst.super else "")))
        policy = "" if worst.policy == "-" else worst.policy
        figures = [_figure(worst.bet, value) for value in (float(worst.exact), worst.simulated, worst.stderr)]
        rows.append(([worst.game, options, names, policy, *figures, f"{worst.z:+.2f}", f"{worst.rounds:,}"], worst))
    return rows


def _figure(bet: str, value: float) -> str:
    return f"{value:.5f}" if bet == "score" else f"{100 * value:.4f} %"
