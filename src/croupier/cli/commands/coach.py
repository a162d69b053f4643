"""`croupier coach`: the value of every choice in a situation, best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from croupier.cli.choices import advice_rows, advice_table
from croupier.cli.errors import NoAdvice, Usage
from croupier.cli.files import open_match
from croupier.cli.inputs import Whole, command, complete_saves, game_argument, json_option, pairs_option, read_pairs
from croupier.cli.show import current_view, make_console, print_json, print_table, say
from croupier.engine import Game, Match, get_game, legal_actions
from croupier.errors import WrongMatch


@command
@game_argument
@click.argument("situation", required=False, help="Described as the game asks; leave it out to see how.")
@click.option("--at", metavar="RECORD_OR_SAVE", shell_complete=complete_saves, help="Where a match stands.")
@click.option("--version", metavar="N", type=Whole(min=0), help="With --at: at that version, else at the last.")
@click.option("--objective", metavar="AIM", help="What to aim for.")
@pairs_option
@json_option
def coach(
    game: str,
    situation: str | None,
    at: str | None,
    version: int | None,
    objective: str | None,
    option: tuple[str, ...],
    json: bool,
) -> None:
    """Value every choice in a situation, best first.

    With --json: game, objective, player, advice (a list of action, action_text, value and cost as "p/q", value_decimal
    and cost_decimal, text).

    Example:
      croupier coach shut-the-box 1,2,3,7,8:10
      croupier coach shut-the-box 1,2,3,7,8:10 --objective shut
      croupier coach shut-the-box --at game.json --version 3

    """
    rules = get_game(game)
    if not rules.objectives:
        raise NoAdvice(f"{rules.name} has no coach")
    aim = objective if objective is not None else rules.objectives[0]
    if aim not in rules.objectives:
        raise Usage(f"{rules.name} has no objective {aim!r}; there are {', '.join(rules.objectives)}")
    match = _situation(rules, situation, at, version, option)
    if match.status == "finished":
        raise NoAdvice("the match is over: there is nothing left to choose")
    player = match.turn.current
    view = current_view(rules, match)
    advice = rules.advise(view, legal_actions(rules, match), aim)
    if not advice:
        raise NoAdvice(f"the coach of {rules.name} has nothing to say here")
    if json:
        print_json({"game": rules.id, "objective": aim, "player": player, "advice": advice_rows(rules, advice, view)})
        return
    console = make_console()
    say(console, f"{rules.name}, aiming for {aim}", "dim")
    print_table(console, advice_table(rules, advice, view), drop=("value", "", "costs"))


def _situation(
    game: Game[Any], situation: str | None, at: str | None, version: int | None, option: Sequence[str]
) -> Match[Any]:
    """Return the match that the arguments describe."""
    if (situation is None) == (at is None):
        how = game.situation_help
        raise Usage(f"give a situation ({how}), or --at with a record or a save" if how else "give --at, with a record")
    if at is None:
        if version is not None:
            raise Usage("--version goes with --at")
        return game.situation(situation or "", read_pairs(option))
    if option:
        raise Usage("--option goes with a situation: a record or a save has its own")
    client = open_match(at).client
    if client.game.id != game.id:
        raise WrongMatch(f"{at} holds a match of {client.game.id}, not of {game.id}")
    return client.get_state() if version is None else client.goto(version)
