"""What commands take: shared arguments with their completions, and the reading of options and seeds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import typer

from croupier.cli.errors import Usage
from croupier.engine import get_game, list_games
from croupier.errors import CroupierError

__all__ = [
    "GameId",
    "Json",
    "Pairs",
    "complete_bots",
    "complete_games",
    "complete_saves",
    "read_pairs",
    "read_seed",
]

SEED_MAX = 1024  # bytes, as the engine takes them


def complete_games(incomplete: str) -> list[str]:
    """Return the ids of games that begin so, for the shell."""
    return [game_id for game_id in list_games() if game_id.startswith(incomplete)]


def complete_bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the names of bots that begin so, for the shell: those of the game on the line, else of all games."""
    from croupier.bots import bot_names

    chosen = ctx.params.get("game")
    names: dict[str, None] = {}
    for game_id in [chosen] if chosen else list_games():
        try:
            names.update(dict.fromkeys(bot_names(get_game(game_id))))
        except CroupierError:  # a shell that asks is no place for an error
            continue
    return [name for name in names if name.startswith(incomplete)]


def complete_saves(incomplete: str) -> list[str]:
    """Return the names of saves that begin so, for the shell."""
    from croupier.cli.files import saves

    return [name for name in saves() if name.startswith(incomplete)]


GameId = Annotated[str, typer.Argument(metavar="GAME", help="The game's id.", autocompletion=complete_games)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Pairs = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game; may be repeated."),
]
AtFile = Annotated[
    str | None,
    typer.Option("--at", metavar="RECORD_OR_SAVE", help="A record or a save.", autocompletion=complete_saves),
]


def read_pairs(pairs: Sequence[str] | None) -> dict[str, Any]:
    """Return options from `key=value` texts. A value is JSON where it can be read so, else text.

    >>> read_pairs(["tile_count=12", "scoring=digits"])
    {'tile_count': 12, 'scoring': 'digits'}
    """
    options: dict[str, Any] = {}
    for pair in pairs or ():
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
    """Return the bytes of a seed in hex.

    >>> list(read_seed("00ff"))
    [0, 255]
    """
    if not re.fullmatch(r"[0-9a-fA-F]+", text):
        raise Usage(f"--seed is hex, such as 00 or c0ffee, not {text!r}")
    if len(text) % 2:
        raise Usage(f"--seed {text!r} has an odd number of digits; a byte has two: 0{text}")
    if len(text) > 2 * SEED_MAX:
        raise Usage(f"--seed has {len(text) // 2} bytes; a seed is up to {SEED_MAX}")
    return bytes.fromhex(text)
