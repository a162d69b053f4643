"""`croupier odds`: the exact edge of every bet, and whether simulated rounds agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from croupier.cli.errors import Usage, one_line
from croupier.cli.inputs import Whole, command, complete_games, json_option, pairs_option, read_pairs, read_seed
from croupier.cli.show import make_console, plain_table, print_json, print_table, say
from croupier.engine import Game, get_game, list_games
from croupier.engine.plain import nearest
from croupier.errors import CroupierError
from croupier.games.craps import Craps
from croupier.games.craps.table.game import SharedCraps
from croupier.games.shut_the_box import ShutTheBox
from croupier.games.shut_the_box.policies import policy_rows
from croupier.house import HouseGame, OddsRow, TableGame

FRACTION_MAX = 24  # characters; longer ones are in --json


@command
@click.argument("game", default="", shell_complete=complete_games, help="The game's id; not with --all.")
@click.argument("bet", default="", help="One bet, or a kind of bet such as split.")
@click.option(
    "--paytable", metavar="NAME", default="", show_default=False, help="A pay table, such as bitcraps for craps."
)
@click.option("--super", "super_mode", is_flag=True, help="In super mode, the fee included.")
@click.option("--sources", "shown", flag_value="sources", help="What each figure was checked by.")
@click.option("--all", "every", is_flag=True, help="Every game.")
@click.option("--check", "shown", flag_value="check", help="Compare the exact figures with rounds that are played.")
@click.option("-n", "--rounds", type=Whole(0, 10**12), default=0, help="With --check: rounds a simulation; 0 as usual.")
@click.option("--threads", type=Whole(0, 1024), default=0, help="With --check: how many threads; all cores if 0.")
@click.option("--seed", metavar="HEX", default="", show_default=False, help="With --check: another seed than usual.")
@click.option("--markdown", is_flag=True, help="With --check: a table for a page.")
@pairs_option
@json_option
def odds(
    game: str,
    bet: str,
    paytable: str,
    super_mode: bool,
    shown: str | None,
    every: bool,
    rounds: int,
    threads: int,
    seed: str,
    markdown: bool,
    option: tuple[str, ...],
    json: bool,
) -> None:
    """Print the chances and the house edge of every bet.

    The edge is the expected loss per chip of the opening stake; per chip staked in all where that is another number.
    Figures are exact fractions unless the method says otherwise; where there are too many outcomes to count, the answer
    is the simulation that measures them. Shut the Box has no bets: it has the expected score and the chance to shut of
    every bot. The table of craps has those of craps. --paytable NAME is --option pay_table=NAME. Some bets are refused.

    --sources tells what each figure was checked by, besides the calculation that made it: a count of every way a round
    can fall, played by the engine; a closed form; a model, which is a second program; a published figure; a simulation.

    With --check every figure is compared with a simulation from the rules that play: of one sheet where options or
    --super are given, else of all that is published about the game, or with --all about every game. The exit code is 1
    if a simulation is more than 4.5 standard errors away. Without --rounds 100,000,000 are played, of slow games
    10,000,000; bets that do not disturb each other are laid together.

    With --json: game, options, super, bets (a list of bet, policy, win, push, lose, edge, edge_per_chip, method, and
    where they are known variance or variance_max, id and checked, the sources; for a refused bet bet, policy, id,
    refused); a list of that with --all, where a game that does not load has game and error. Where there are no bets,
    note (why) and simulate (the command that measures). With --check: seed, sigmas, figures, false_alarm, agrees,
    comparisons (a list of game, options, super, bet, policy, exact, simulated, stderr, z, rounds, seed).

    Example:
      croupier odds roulette
      croupier odds roulette straight:17 --option zero_rule=double_zero
      croupier odds craps --paytable nullspace --json
      croupier odds blackjack --sources
      croupier odds baccarat --super --check --rounds 1000000

    """
    if every == bool(game):
        raise Usage("name a game, such as croupier odds roulette, or say --all")
    pairs = read_pairs(option)
    if every and (pairs or paytable):
        raise Usage("options are those of one game: name it, or leave --all alone")
    if shown != "check" and (rounds or threads or seed or markdown):
        raise Usage("--rounds, --threads, --seed and --markdown go with --check")
    if shown == "check":
        from croupier.cli.odds_check import run_check

        found = None if every else _game(game, pairs, paytable)
        run_check(found, pairs, super_mode, bet, rounds, threads, read_seed(seed) if seed else None, markdown, json)
        return
    sheets = _every_game(super_mode) if every else [_game(game, pairs, paytable)]
    console = None if json else make_console()
    told = [_tell(each, pairs, super_mode, bet, console, shown == "sources") for each in sheets]
    if json:
        print_json(told if every else told[0])


def _every_game(super_mode: bool) -> Sequence[HouseGame[Any] | ShutTheBox | tuple[str, str]]:
    """Return every game that has odds, or odds in super mode; for one that does not load, its id and the error."""
    found: list[HouseGame[Any] | ShutTheBox | tuple[str, str]] = []
    for game_id in list_games():
        try:
            game = get_game(game_id)
        except CroupierError as error:
            found.append((game_id, one_line(str(error))))
            continue
        if isinstance(game, HouseGame) or (isinstance(game, ShutTheBox) and not super_mode):
            found.append(game)
    return found


def _game(game_id: str, pairs: dict[str, Any], paytable: str) -> HouseGame[Any] | ShutTheBox:
    """Return the game whose odds are asked for; of the table of craps, craps, and of its options those of craps."""
    found: Game[Any] = get_game(game_id)
    if paytable:
        pairs["pay_table"] = _pay_table(found, paytable, pairs)
    if isinstance(found, SharedCraps):
        found.read_options(pairs)
        for name in set(found.Options.__struct_fields__) - set(Craps.Options.__struct_fields__):
            pairs.pop(name, None)
        found = get_game("craps")
    if isinstance(found, HouseGame | ShutTheBox):
        return found
    if found.id == "lanes":
        raise Usage(f"{found.name} has no exact odds: too much can happen; croupier arena lanes measures its bots")
    raise Usage(f"{found.name} has no bets; croupier coach {found.id} values its actions")


def _pay_table(game: Game[Any], name: str, pairs: dict[str, Any]) -> str:
    if "pay_table" not in getattr(game.Options, "__struct_fields__", ()):
        raise Usage(f"{game.name} has no pay tables to choose from; its options are on croupier rules {game.id}")
    if "pay_table" in pairs:
        raise Usage("--paytable and --option pay_table=… say the same: give one of them")
    return name


def _tell(
    game: HouseGame[Any] | ShutTheBox | tuple[str, str],
    pairs: dict[str, Any],
    super_mode: bool,
    bet: str,
    console: Console | None,
    sources: bool,
) -> dict[str, Any]:
    """Return one sheet as plain data, and print it where there is a console."""
    if isinstance(game, tuple):
        if console is not None:
            console.print(Text.assemble((game[0], "bold red"), "  ", game[1]))
        return {"game": game[0], "error": game[1]}
    options = game.read_options(pairs)
    if isinstance(game, ShutTheBox):
        if super_mode or bet:
            raise Usage(f"{game.name} is not played for chips: it has no bets and no super mode")
        return _tell_box(game, options, console)
    rows = game.super_odds(options) if super_mode else game.odds(options)
    if not rows:
        return _tell_none(game, pairs, options, super_mode, console)
    if bet:
        known, bet = rows, game.codes.aliases.get(bet, bet) if isinstance(game, TableGame) else bet
        rows = tuple(row for row in rows if row.bet == bet or row.bet.partition(":")[0] == bet)
        if not rows:
            meant = nearest(bet, (row.bet for row in known)) or f"; croupier odds {game.id} lists them"
            raise Usage(f"{game.name} has no bet {bet!r} here{meant}")
    if console is not None:
        (_show_sources if sources else _show)(console, game, rows, super_mode)
    plain: list[dict[str, Any]] = [row.plain() for row in rows]
    return {"game": game.id, "options": msgspec.to_builtins(options), "super": super_mode, "bets": plain}


def _tell_none(
    game: HouseGame[Any], pairs: dict[str, Any], options: Any, super_mode: bool, console: Console | None
) -> dict[str, Any]:
    """Say that there are no exact figures, and how rounds that are played give them with an interval."""
    chosen = [f"--option {name}={msgspec.json.encode(value).decode()}" for name, value in pairs.items()]
    bots = [] if game.usual_bets() and any(True for _ in game.bet_lists(options)) else ["--bot random"]
    line = " ".join(["croupier simulate", game.id, *bots, *chosen, *(["--super"] if super_mode else [])])
    why = "a round can fall in too many ways to be counted" if not bots else "it does not say how a round is played"
    note = f"{game.name} has no exact odds{' in super mode' if super_mode else f': {why}'}"
    if console is not None:
        say(console, note)
        say(console, f"rounds that are played tell the edge, with its interval: {line}")
    plain = {"game": game.id, "options": msgspec.to_builtins(options), "super": super_mode, "bets": []}
    return {**plain, "note": note, "simulate": line}


def _tell_box(game: ShutTheBox, options: Any, console: Console | None) -> dict[str, Any]:
    rows = policy_rows(options.settings)
    if console is not None:
        say(console, f"{game.name}, one round", "bold")
        figures = ("expected score", "shuts", "score as a fraction", "chance as a fraction")
        table = plain_table("bot", *figures, numbers=figures)
        for row in rows:
            exact = [_fraction(value) for value in (row.score, row.shut)]
            table.add_row(row.policy, f"{float(row.score):.4f}", Text(f"{float(row.shut):.4%}", "bold"), *exact)
        print_table(console, table, drop=(*reversed(figures[2:]), "shuts"))
    plain = [{"bot": row.policy, "score": str(row.score), "shut": str(row.shut)} for row in rows]
    return {"game": game.id, "options": msgspec.to_builtins(options), "bots": plain}


def _fraction(value: Any) -> Text:
    exact = f"{value.numerator}/{value.denominator}"
    return Text("in --json" if len(exact) > FRACTION_MAX else exact, "dim")


def _show(console: Console, game: HouseGame[Any], rows: tuple[OddsRow, ...], super_mode: bool) -> None:
    say(console, f"{game.name}{', super mode' if super_mode else ''}", "bold")
    figures = ("win", "push", "lose", "edge", "per chip staked", "as a fraction")
    table = plain_table("bet", "policy", *figures, numbers=figures)
    for bets, sample in _merged(rows):
        if sample.refused:
            table.add_row(Text(bets), "", "", "", "", "refused", "", "")
            continue
        table.add_row(
            Text(bets),
            "" if sample.policy == "-" else sample.policy,
            *(f"{float(chance):.4%}" for chance in (sample.win, sample.push, sample.lose)),
            Text(f"{float(sample.edge):.4%}", "bold"),
            "" if sample.edge_per_chip == sample.edge else f"{float(sample.edge_per_chip):.4%}",
            _fraction(sample.edge) if sample.method == "exact" else Text(sample.method, "dim"),
        )
    print_table(console, table, drop=("push", "lose", "win", "as a fraction", "per chip staked", "policy"))


def _show_sources(console: Console, game: HouseGame[Any], rows: tuple[OddsRow, ...], super_mode: bool) -> None:
    say(console, f"{game.name}{', super mode' if super_mode else ''}: what each edge was checked by", "bold")
    table = plain_table("bet", "policy", "edge", "checked by", numbers=("edge",))
    for bets, row in _merged(rows, by_sources=True):
        if not row.refused:
            policy = "" if row.policy == "-" else row.policy
            table.add_row(Text(bets), policy, f"{float(row.edge):.4%}", ", ".join(row.checked) or "nothing else")
    print_table(console, table, drop=("policy",))


def _merged(rows: tuple[OddsRow, ...], by_sources: bool = False) -> list[tuple[str, OddsRow]]:
    """Return one row for the bets of a kind that are worth the same: nobody wants to read 37 straight bets."""
    groups: dict[tuple[Any, ...], list[OddsRow]] = {}
    for row in rows:
        figures = (row.win, row.push, row.edge, row.edge_per_chip, row.method, row.refused, by_sources and row.checked)
        key = (row.bet.partition(":")[0], row.policy, *figures)
        groups.setdefault(key, []).append(row)
    return [
        (group[0].bet if len(group) == 1 else f"{group[0].bet} … {group[-1].bet} ({len(group)})", group[0])
        for group in groups.values()
    ]
