"""Command-line parameters: shared options with their completions, and the reading of numbers, options and seeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from inspect import getdoc
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from croupier.cli.errors import Usage
from croupier.engine import Game, get_game, list_games
from croupier.errors import CroupierError
from croupier.house import HouseGame
from croupier.rng import seed_bytes

SEED_MAX = 1024  # bytes, as the engine takes them
DIGITS_MAX = 18  # of a whole number: 64 bits hold it
HELP_NAMES = {"help_option_names": ["-h", "--help"], "show_default": True}


def command(function: Callable[..., None]) -> click.Command:
    """Make a command of a function whose docstring is its help."""
    return click.command(function.__name__, help=help_text(function), context_settings=HELP_NAMES)(function)


def help_text(function: Callable[..., Any]) -> str:
    """Return a docstring as help: paragraphs may be wrapped, the lines of the example may not."""
    return (getdoc(function) or "").replace("Example:\n", "\b\nExample:\n")  # \\b is the mark for that


class Whole(click.IntRange):
    """A whole number within bounds, as people write it: 1000000, 1,000,000, 1_000_000 or 1e6."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or fail with the bounds."""
        if isinstance(value, str) and re.fullmatch(r"[0-9][0-9_,]*(\.[0-9]+)?([eE]\+?[0-9]{1,2})?", value):
            try:
                number = Decimal(value.replace(",", "").replace("_", ""))
            except InvalidOperation:
                number = Decimal("NaN")
            if number.adjusted() >= DIGITS_MAX:
                self.fail(f"a number has at most {DIGITS_MAX} digits.", param, ctx)
            if number == number.to_integral_value():
                value = int(number)
        return super().convert(value, param, ctx)


def complete_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the ids of games that begin so, for the shell."""
    return [game_id for game_id in list_games() if game_id.startswith(incomplete)]


def complete_bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of bots that begin so, for the shell: those of the game on the line, else of all games."""
    from croupier.bots import bot_names

    chosen = _game_on_line(ctx)
    names: dict[str, None] = {}
    for game_id in [chosen.id] if chosen else list_games():
        try:
            names.update(dict.fromkeys(bot_names(get_game(game_id))))
        except CroupierError:  # a shell that asks is no place for an error
            continue
    return [name for name in names if name.startswith(incomplete)]


def complete_saves(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of saves that begin so, for the shell."""
    from croupier.cli.files import saves

    return [name for name in saves() if name.startswith(incomplete)]


def complete_bets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the bets of the game on the line that begin so, with the sign that a stake follows, for the shell."""
    from croupier.cli.typed import bet_names

    game = _game_on_line(ctx)
    names = [] if game is None else [name for names in bet_names(game).values() for name in names]
    if not names and isinstance(game, HouseGame):
        names = list(game.usual_bets())
    return [f"{name}=" for name in dict.fromkeys(names) if name.startswith(incomplete)]


def complete_options(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the options of the game on the line that begin so, with their values where those are few."""
    game = _game_on_line(ctx)
    found: list[str] = []
    for field in () if game is None else msgspec.inspect.type_info(game.Options).fields:  # type: ignore[attr-defined]
        kind = field.type
        values = kind.values if isinstance(kind, msgspec.inspect.LiteralType) else ()
        if isinstance(kind, msgspec.inspect.BoolType):
            values = ("true", "false")
        found += [f"{field.name}={value}" for value in values] or [f"{field.name}="]
    return [text for text in found if text.startswith(incomplete)]


def complete_policies(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the policies of the game on the line that begin so, for the shell."""
    game = _game_on_line(ctx)
    return [name for name in ([] if game is None else game.bots) if name.startswith(incomplete)]


def _game_on_line(ctx: click.Context) -> Game[Any] | None:
    """Return the game that was named before: read already, or left over where a value is missing, as it is here."""
    named = [ctx.params.get("game"), *ctx.args]
    try:
        return next((get_game(word) for word in named if word in list_games()), None)
    except CroupierError:  # a shell that asks is no place for an error
        return None


game_argument = click.argument("game", shell_complete=complete_games, help="The game's id.")
json_option = click.option("--json", is_flag=True, help="Print JSON.")
pairs_option = click.option(
    "-o",
    "--option",
    metavar="KEY=VALUE",
    multiple=True,
    shell_complete=complete_options,
    help="An option of the game; may be repeated.",
)

think_option = click.option(
    "--think",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=0.0,
    show_default=False,
    help="How long monte_carlo and tree_search think about a move, at most.",
)


def is_given(name: str) -> bool:
    """Tell whether an option stands on the command line that is carried out."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def read_pairs(pairs: Sequence[str]) -> dict[str, Any]:
    """Return options from `key=value` texts. A value is JSON where it can be read so, else text.

    >>> read_pairs(["tile_count=12", "scoring=digits"])
    {'tile_count': 12, 'scoring': 'digits'}
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise Usage(f"--option takes KEY=VALUE, such as tile_count=12, not {pair!r}")
        if key in options:
            raise Usage(f"--option {key} is given twice")
        try:
            options[key] = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            options[key] = value
    return options


def read_seed(text: str) -> bytes:
    """Return the bytes of a seed: in hex, or by the one rule for seeds after `int:` or `text:`.

    >>> list(read_seed("00ff")), list(read_seed("int:7"))
    ([0, 255], [0, 0, 0, 0, 0, 0, 0, 7])
    """
    kind, _, rest = text.partition(":")
    if kind == "text":
        return seed_bytes(rest)
    if kind == "int" and rest.isdecimal() and len(rest) <= 20 and int(rest) < 2**64:
        return seed_bytes(int(rest))
    if not re.fullmatch(r"[0-9a-fA-F]+", text):
        raise Usage(f"--seed is hex, such as 00 or c0ffee, or text:WORDS, or int:NUMBER below 2**64, not {text!r}")
    if len(text) % 2:
        raise Usage(f"--seed {text!r} has an odd number of digits; a byte has two: 0{text}")
    if len(text) > 2 * SEED_MAX:
        raise Usage(f"--seed has {len(text) // 2} bytes; a seed is up to {SEED_MAX}")
    return bytes.fromhex(text)
