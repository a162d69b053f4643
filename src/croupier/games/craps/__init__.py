"""Craps: the house game (`house`), the table for many (`table`), and what both stand on: rules, bets, layout.

The document's objects (`CrapsGame`, `Bet`, `BetType`, `DiceRoll` …) are in `compat`, and can be imported from here.
"""

from importlib import import_module
from typing import Any

from croupier.games.craps.house.game import Craps
from croupier.games.craps.options import CrapsOptions

__all__ = ["Craps", "CrapsOptions"]


def __getattr__(name: str) -> Any:
    """Return one of the document's objects."""
    objects = import_module("croupier.games.craps.compat")
    if name not in objects.__all__:
        raise AttributeError(f"croupier.games.craps has no {name!r}")
    return getattr(objects, name)
