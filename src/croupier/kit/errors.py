"""The one error of the kit, `KitError`: a card, die, pile or cell that does not exist, or too few of them."""

from __future__ import annotations

from croupier.errors import CroupierError


class KitError(CroupierError, ValueError):
    """A mistake of the calling code: its sentence says what came and what was allowed.

    A game that passes a player's words on to the kit checks them first, and refuses: an error that leaves
    an action counts as a bug of the game.
    """

    code = "bad_kit_input"
