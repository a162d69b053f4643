"""Lanes: a duel with cards on three lanes of five tiles.

The document's objects (`GameState`, `Deck`, `Hand`, `BoardState` …) are in `compat`, and can be imported from here.
"""

from croupier.games import _with_objects
from croupier.games.lanes.game import Lanes

__all__ = ["Lanes"]
__getattr__, __dir__ = _with_objects(globals())
