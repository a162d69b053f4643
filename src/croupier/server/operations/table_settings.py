"""The tables of the house: the usual ones, as an operator has changed them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine import get_game
from croupier.house import HouseGame, Table, default_catalogue, make_table
from croupier.server.operations.context import Context
from croupier.server.operations.declaration.fields import TableLimit
from croupier.server.problems import Problem

TABLES = "tables"
"""The setting that holds what an operator has changed."""
LIMITS = ("stake_min", "stake_max", "exposure_max", "super_allowed", "abandoned_ms")
"""The limits of a table, in the order in which they are shown."""


class TableTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as an operator sets it; whatever is not said is as at the game's usual table."""

    game: str
    options: dict[str, Any] = {}
    stake_min: TableLimit | None = None
    stake_max: TableLimit | None = None
    exposure_max: TableLimit | None = None
    super_allowed: bool = True
    abandoned_ms: TableLimit | None = None
    is_open: bool = True
    """Whether sessions can be started there; those that have been go on."""

    def limits(self) -> dict[str, Any]:
        """Return what was said of limits."""
        return {name: getattr(self, name) for name in LIMITS if getattr(self, name) is not None}


def usual_tables() -> Mapping[int, Table]:
    """Return the house's default catalogue, at once: our own games are counted by the tests."""
    return default_catalogue(trusts_own=True)


def own_tables(data: bytes | None) -> dict[int, TableTerms]:
    """Return what an operator has changed, by the number of the table."""
    return msgspec.json.decode(data or b"{}", type=dict[int, TableTerms])


@lru_cache(maxsize=8)
def read_tables(data: bytes | None) -> Mapping[int, Table]:
    """Return the usual tables as an operator has changed them; the changes were checked when they were made."""
    tables = dict(usual_tables())
    for number, terms in own_tables(data).items():
        tables.pop(number, None)
        if terms.is_open:
            tables[number] = table_of(number, terms, is_checked=True)
    return MappingProxyType(dict(sorted(tables.items())))


def table_of(number: int, terms: TableTerms, *, is_checked: bool = False) -> Table:
    """Return the table that terms describe; raises `BadOptions`. Checking it counts every edge: not in a hurry."""
    game = get_game(terms.game)
    if not isinstance(game, HouseGame):
        raise Problem("bad_request", f"{game.name} is not played against the house")
    return make_table(number, game, terms.options, allow_overpay=is_checked, **terms.limits())


def catalogue(call: Context) -> Mapping[int, Table]:
    """Return the tables there are."""
    return read_tables(call.tx.get_setting(TABLES))
