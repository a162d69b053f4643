"""`croupier games`: list the installed games."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from croupier.bots import bot_names
from croupier.cli.errors import one_line
from croupier.cli.inputs import command, json_option
from croupier.cli.show import make_console, plain_table, print_json, print_table
from croupier.engine import get_game, list_games
from croupier.errors import CroupierError

FACTS = ("name", "description", "category", "players", "rules_version", "actions", "bots", "own_bots", "objectives")
"""The keys of --json that are null for a game that does not load."""


@command
@json_option
def games(json: bool) -> None:
    """List the games: their players and the bots of their own.

    A few bots play any game: random, first, greedy, monte_carlo, expectimax, tree_search. A game whose package does not
    load is listed with its error.

    With --json: games, a list of objects with id, name, description, category, players (fewest, most), rules_version,
    actions, bots, own_bots, objectives, error (null unless the game does not load; then all but id is null).

    Example:
      croupier games
      croupier games --json

    """
    rows = [_row(game_id) for game_id in list_games()]
    if json:
        print_json({"games": rows})
        return
    console = make_console()
    table = plain_table("id", "name", "players", "bots")
    for row in rows:
        if row["error"] is None:
            fewest, most = row["players"]
            table.add_row(
                Text(row["id"], "bold"),
                row["name"],
                str(most) if fewest == most else f"{fewest}–{most}",
                ", ".join(row["own_bots"]),
            )
    print_table(console, table, drop=("bots", "players", "name"))
    for row in rows:
        if row["error"] is not None:
            console.print(Text.assemble((row["id"], "bold red"), "  ", one_line(row["error"])))


def _row(game_id: str) -> dict[str, Any]:
    try:
        game = get_game(game_id)
    except CroupierError as error:
        return {"id": game_id, **dict.fromkeys(FACTS), "error": one_line(str(error))}
    return {
        "id": game_id,
        "name": game.name,
        "description": game.description,
        "category": game.category,
        "players": game.players,
        "rules_version": game.rules_version,
        "actions": list(game.actions),
        "bots": list(bot_names(game)),
        "own_bots": list(game.bots),
        "objectives": game.objectives,
        "error": None,
    }
