"""The choices of a player: numbered lists, a line of examples for long ones, and the advice of the coach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.errors import clean
from croupier.cli.show import plain_table, say
from croupier.engine import Action, Advice, Game, MatchView, Range
from croupier.engine.notation import format_action

LISTED_MAX = 12  # choices of one action; more are told by examples


def spoken(game: Game[Any], action: Action, view: MatchView[Any] | None = None) -> str:
    """Return an action as a player would type it: `shut 3,4`, or `place red 10`, without the names of its fields."""
    text = "" if view is None else game.phrase(view, action)
    if text:
        return text
    text = format_action(action)
    spec = game.actions.get(action.type)
    if spec is not None and list(action.payload) == list(spec.fields)[: len(action.payload)]:
        for name in action.payload:
            text = text.replace(f" {name}=", " ", 1)
    return text.removesuffix(" '[]'") + " none" * text.endswith(" '[]'")


def listed(legal: Sequence[Action]) -> tuple[Action, ...]:
    """Return the legal actions that have a number: all but those of which there are too many to choose from a list."""
    return tuple(action for action in legal if len(_alike(legal, action)) <= LISTED_MAX)


def show_choices(
    console: Console,
    game: Game[Any],
    view: MatchView[Any],
    legal: Sequence[Action],
    ranges: Mapping[str, Mapping[str, Range]],
) -> None:
    """Print what can be done: numbered choices, examples of what is not listed, and the bounds of numbers."""
    numbered = listed(legal)
    width = len(str(len(numbered)))
    items = [
        Text.assemble((f"{number:>{width}}", "bold cyan"), " ", clean(spoken(game, action, view)))
        for number, action in enumerate(numbered, 1)
    ]
    if items:
        console.print(Columns(items, padding=(0, 3), column_first=True))
    for name in dict.fromkeys(action.type for action in legal if action not in numbered):
        alike = [action for action in legal if action.type == name]
        few, many = alike[len(alike) // 6], alike[2 * len(alike) // 3]
        examples = f"such as {spoken(game, few, view)} or {spoken(game, many, view)}"
        say(console, f"{name}: {len(alike)} choices, {examples}")
    bounds: dict[str, list[str]] = {}  # what is said of some fields, and the actions that it is said of
    for name, fields in ranges.items():
        for span in dict.fromkeys(fields.values()):
            names = [field for field in fields if fields[field] == span]
            step, each = f" by {span.step}" if span.step != 1 else "", " each" if len(names) > 1 else ""
            bounds.setdefault(f"{', '.join(names)} from {span.low:,} to {span.high:,}{step}{each}", []).append(name)
    for said, actions in bounds.items():
        say(console, f"{', '.join(actions)}: {said}", "dim")


def _alike(legal: Sequence[Action], action: Action) -> list[Action]:
    return [other for other in legal if other.type == action.type]


# Advice.


def advice_rows(
    game: Game[Any], advice: Sequence[Advice], view: MatchView[Any] | None = None
) -> list[Mapping[str, Any]]:
    """Return advice as plain data, best first; values and costs exact where the game gives numbers."""
    rows: list[Mapping[str, Any]] = []
    for item in advice:
        value, best = _number(item.value), _number(advice[0].value)
        cost = None if value is None or best is None else abs(value - best)
        rows.append(
            {
                "action": item.action,
                "action_text": spoken(game, item.action, view),
                "value": str(item.value) if value is None else _ratio(value),
                "value_decimal": None if value is None else float(value),
                "cost": None if cost is None else _ratio(cost),
                "cost_decimal": None if cost is None else float(cost),
                "text": item.text,
            }
        )
    return rows


def advice_table(game: Game[Any], advice: Sequence[Advice], view: MatchView[Any], *, exact: bool = True) -> Table:
    """Return advice as a table: the action, its value (exact and in decimals), what it costs, and why."""
    figures = (*(["value"] if exact else []), "≈", "costs")
    table = plain_table("action", *figures, "", numbers=figures)
    for row in advice_rows(game, advice, view):
        decimal, cost = row["value_decimal"], row["cost_decimal"]
        is_best = cost == 0
        table.add_row(
            Text(clean(row["action_text"]), "bold green" if is_best else ""),
            *([Text(clean(row["value"].removesuffix("/1")))] if exact else []),
            clean(row["value"]) if decimal is None else f"{decimal:.4f}",
            "" if cost is None else "best" if is_best else f"{cost:.4f}",
            Text(clean(row["text"]), "dim"),
        )
    return table


def _number(value: Any) -> Fraction | None:
    return Fraction(value) if isinstance(value, (int, Fraction)) else None


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
