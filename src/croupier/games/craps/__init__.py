"""Craps: the house game (`house`), the table for many (`table`), and what both stand on: rules, bets, layout.

The document's objects (`CrapsGame`, `Bet`, `BetType`, `DiceRoll` …) are in `compat`, and can be imported from here.
"""

from croupier.games import _with_objects
from croupier.games.craps.house.game import Craps
from croupier.games.craps.options import CrapsOptions

__all__ = ["Craps", "CrapsOptions"]
__getattr__, __dir__ = _with_objects(globals())
