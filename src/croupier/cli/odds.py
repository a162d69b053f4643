"""`croupier odds`: what every bet is worth, exactly."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from croupier.cli.errors import Usage
from croupier.cli.inputs import GameId, Json, Pairs, read_pairs
from croupier.cli.show import make_console, plain_table, print_json, say
from croupier.engine import get_game
from croupier.house import HouseGame, OddsRow

__all__ = ["odds"]


def odds(
    game: GameId,
    bet: Annotated[str, typer.Argument(metavar="BET", help="One bet, or a kind of bet such as split.")] = "",
    paytable: Annotated[
        str, typer.Option("--paytable", metavar="NAME", help="A pay table, such as bitcraps for craps.")
    ] = "",
    super_mode: Annotated[bool, typer.Option("--super", help="In super mode, the fee included.")] = False,
    option: Pairs = None,
    json: Json = False,
) -> None:
    """Print the chances and the house edge of every bet.

    The edge is the expected loss per chip of the opening stake; per chip staked in all where that is another number.
    Figures are exact fractions unless the method says otherwise.

    --paytable NAME stands for --option pay_table=NAME. A bet that the table refuses is listed as refused.

    With --json: game, options, super, bets (a list of bet, policy, win, push, lose, edge, edge_per_chip, method, and
    where the game numbers its bets id; for a refused bet bet, policy, id, refused).

    Example:
      croupier odds roulette
      croupier odds roulette straight:17 --option zero_rule=double_zero
      croupier odds craps --paytable nullspace --json
      croupier odds baccarat --super --json

    """
    found = get_game(game)
    if not isinstance(found, HouseGame):
        raise Usage(f"{found.name} has no bets; croupier coach {found.id} values its actions")
    pairs = read_pairs(option)
    if paytable:
        pairs["pay_table"] = _pay_table(found, paytable, pairs)
    options = found.read_options(pairs)
    rows = found.super_odds(options) if super_mode else found.odds(options)
    if bet:
        rows = tuple(row for row in rows if row.bet == bet or row.bet.partition(":")[0] == bet)
        if not rows:
            raise Usage(f"{found.name} has no bet {bet!r} here; croupier odds {found.id} lists them")
    if json:
        plain: list[dict[str, Any]] = [row.plain() for row in rows]
        print_json({"game": found.id, "options": msgspec.to_builtins(options), "super": super_mode, "bets": plain})
        return
    _show(found, rows, super_mode)


def _pay_table(game: HouseGame[Any], name: str, pairs: dict[str, Any]) -> str:
    if "pay_table" not in game.Options.__struct_fields__:
        raise Usage(f"{game.name} has no pay tables to choose from; its options are on croupier rules {game.id}")
    if "pay_table" in pairs:
        raise Usage("--paytable and --option pay_table=… say the same: give one of them")
    return name


def _show(game: HouseGame[Any], rows: tuple[OddsRow, ...], super_mode: bool) -> None:
    console = make_console()
    say(console, f"{game.name}{', super mode' if super_mode else ''}", "bold")
    table = plain_table("bet", "policy", "win", "push", "lose", "edge", "as a fraction")
    table.columns[0].min_width = 17  # the longest name of a bet: different_doubles
    for column in table.columns[2:6]:
        column.justify = "right"
        column.no_wrap = True
    for row in _merged(rows):
        bets, sample = row
        if sample.refused:
            table.add_row(Text(bets), "", "", "", "", "refused", Text("this table does not take it", "dim"))
            continue
        exact = f"{sample.edge.numerator}/{sample.edge.denominator}"
        if sample.method != "exact":
            exact = sample.method
        elif len(exact) > (24 if console.width >= 100 else 10):
            exact = "in --json"
        table.add_row(
            Text(bets),
            "" if sample.policy == "-" else sample.policy,
            *(f"{float(chance):.4%}" for chance in (sample.win, sample.push, sample.lose)),
            Text(f"{float(sample.edge):.4%}", "bold"),
            Text(exact, "dim"),
        )
    console.print(table)


def _merged(rows: tuple[OddsRow, ...]) -> list[tuple[str, OddsRow]]:
    """Return one row for the bets of a kind that are worth the same: nobody wants to read 37 straight bets."""
    groups: dict[tuple[Any, ...], list[OddsRow]] = {}
    for row in rows:
        figures = (row.win, row.push, row.edge, row.edge_per_chip, row.method, row.refused)
        key = (row.bet.partition(":")[0], row.policy, *figures)
        groups.setdefault(key, []).append(row)
    return [
        (group[0].bet if len(group) == 1 else f"{group[0].bet} … {group[-1].bet} ({len(group)})", group[0])
        for group in groups.values()
    ]
