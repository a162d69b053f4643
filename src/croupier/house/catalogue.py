"""The operator's catalogue: which games are on offer, under which options and limits. Players never send options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from croupier.engine import get_game, list_games
from croupier.errors import BadOptions
from croupier.house.game import HouseGame
from croupier.house.money import CHIPS_MAX

CODES = 256
"""Ids below this are for games with a code, and for the tables that an operator numbers."""
TABLES_MAX = 65536
EXPOSURE_MAX = 10_000_000_000
ABANDONED_MS = 3_600_000


class Table(Struct, frozen=True):
    """One entry: a game with fixed options and limits. `id` is what players name when they sit down."""

    id: int
    game_id: str
    options: Any = None
    stake_min: int = 1
    stake_max: int = 10_000
    exposure_max: int = EXPOSURE_MAX
    super_allowed: bool = True
    abandoned_ms: int = ABANDONED_MS
    """How long a session must be idle before anyone may have it closed."""


def make_table(
    table_id: int, game: HouseGame[Any], options: Any = None, *, allow_overpay: bool = False, **limits: Any
) -> Table:
    """Return a catalogue entry, checked: options the game does not take, or that give players an edge, are refused."""
    if not 0 <= table_id < TABLES_MAX:
        raise BadOptions(f"a table's id is 0 to {TABLES_MAX - 1}, got {table_id}")
    chosen = game.read_options(options)
    if not allow_overpay:
        least = game.skill(chosen)
        for row in (*game.odds(chosen), *game.super_odds(chosen)):
            if row.edge < least:
                better = "" if row.edge < 0 else ", which better play takes away"
                raise BadOptions(f"{game.name}: {row.bet} ({row.policy}) has an edge of {float(row.edge):.4%}{better}")
    smallest, largest = game.stake_limits
    table = Table(table_id, game.id, chosen, **{"stake_min": smallest, "stake_max": largest, **limits})
    if not 1 <= table.stake_min <= table.stake_max <= table.exposure_max <= CHIPS_MAX:
        raise BadOptions(f"limits {table.stake_min} to {table.stake_max}, exposure {table.exposure_max}: out of order")
    if table.abandoned_ms < 0:
        raise BadOptions(f"a session is abandoned after {table.abandoned_ms} ms: not before it began")
    return table


@cache
def default_catalogue(*, trusts_own: bool = False) -> Mapping[int, Table]:
    """Return one table a house game with its default options.

    The table of a game with a code (`game_type`) has that for its id; that of any other game has the number that its
    own id hashes to, so it is the same wherever the game is installed, whatever else is. Every edge is counted, which
    takes seconds. `trusts_own` leaves that to our tests for our own games.
    """
    games = [get_game(game_id) for game_id in list_games()]
    house_games = [game for game in games if isinstance(game, HouseGame)]
    found: dict[int, Table] = {}
    # Our own come first: no package can take the table of one of them.
    for game in sorted(house_games, key=lambda game: (not _is_own(game), not hasattr(game, "game_type"))):
        if not hasattr(game, "game_type"):
            table_id = _hashed_id(game.id, found)
            found[table_id] = make_table(table_id, game, super_allowed=bool(game.super_odds()))
        elif int(game.game_type) not in found:
            is_trusted = trusts_own and _is_own(game)
            found[int(game.game_type)] = make_table(int(game.game_type), game, allow_overpay=is_trusted)
    return MappingProxyType(found)


def _hashed_id(game_id: str, taken: Mapping[int, Table]) -> int:
    """Return a table id from 256 on for a game without a code: its hash, or the next that is free.

    Of two games with one hash, which among a hundred are met once in a dozen houses, the first by name keeps it.
    """
    number = int.from_bytes(sha256(f"croupier table of {game_id}".encode()).digest()[:8], "big")
    free = (CODES + (number + step) % (TABLES_MAX - CODES) for step in range(TABLES_MAX - CODES))
    return next(table_id for table_id in free if table_id not in taken)


def _is_own(game: HouseGame[Any]) -> bool:
    return type(game).__module__.startswith("croupier.")
