"""`croupier rules`: a game's rules for people, or its schema for programs."""

from __future__ import annotations

import click
import msgspec

from croupier.cli.inputs import command, game_argument
from croupier.cli.rules_text import Rules
from croupier.cli.show import make_console, print_json
from croupier.engine import get_game


@command
@game_argument
@click.option("--schema", is_flag=True, help="Print the JSON Schema of options and actions.")
@click.option("--json", is_flag=True, help="Print JSON: game, rules_version, rules (Markdown).")
def rules(game: str, schema: bool, json: bool) -> None:
    """Print the rules of a game.

    With --schema: game, rules_version, options (a JSON Schema), actions (name to phases, by, doc, payload; payload is a
    JSON Schema). Empty phases mean any phase; by is "current", "anyone" or "host". A game that `croupier simulate`
    takes a strategy of your own for has strategy (a JSON Schema) as well.

    Example:
      croupier rules shut-the-box
      croupier rules shut-the-box --schema

    """
    found = get_game(game)
    head = {"game": found.id, "rules_version": found.rules_version}
    if schema:
        actions = {
            spec.name: {"phases": spec.phases, "by": spec.by, "doc": spec.doc, "payload": spec.schema()}
            for spec in found.actions.values()
        }
        shape = getattr(found, "Strategy", None)
        own = {} if shape is None else {"strategy": msgspec.json.schema(shape)}
        print_json({**head, "options": msgspec.json.schema(found.Options), "actions": actions, **own})
    elif json:
        print_json({**head, "rules": found.rules_text()})
    else:
        make_console().print(Rules(found.rules_text()))
