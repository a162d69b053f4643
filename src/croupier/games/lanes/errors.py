"""The errors of Lanes. Each is one of Python's own as well, so either can be caught; none of them changes anything.

CroupierError
├── IllegalPlacement (ValueError)   the card cannot be played on that tile, or there is no such tile
├── HandIndexError (IndexError)     a hand has no card at that place; below 0 is no place, too
├── WrongSide (ValueError)          it is the other side's turn
├── PhaseError (ValueError)         not now: a second action or draw in one turn, a late or second mulligan
├── GameOverError (ValueError)      the game is over
├── DeckError (ValueError)          a deck of the wrong size, a hand that is not in it, a slot named twice
├── UnknownCard (KeyError)          the card set has no card of that id
├── CardDataError (ValueError)      a card set that cannot be used; `card` and `field` say where
└── BoardError (AssertionError)     a board that contradicts itself: a bug, or cells changed by hand
"""

from __future__ import annotations

from croupier.errors import CroupierError


class IllegalPlacement(CroupierError, ValueError):
    """The card cannot be played on that tile, or there is no such tile."""

    code = "illegal_placement"


class HandIndexError(CroupierError, IndexError):
    """A hand has no card at that place. A negative one is no count from the end."""

    code = "no_such_hand_card"


class WrongSide(CroupierError, ValueError):
    """It is the other side's turn."""

    code = "wrong_side"


class PhaseError(CroupierError, ValueError):
    """Not now: a second action or draw in one turn, a late or second mulligan."""

    code = "wrong_time"


class GameOverError(CroupierError, ValueError):
    """The game is over."""

    code = "game_over"


class DeckError(CroupierError, ValueError):
    """A deck of the wrong size, an opening hand that is not in it, a slot named twice in a mulligan."""

    code = "bad_deck"


class UnknownCard(CroupierError, KeyError):
    """The card set has no card of that id."""

    code = "unknown_card"

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show the sentence in quotes


class CardDataError(CroupierError, ValueError):
    """A card set that cannot be used. `card` is the id of the card, or "", and `field` what is wrong with it."""

    code = "bad_card_data"

    def __init__(self, message: str, card: str = "", field: str = "") -> None:
        super().__init__(message)
        self.card = card
        self.field = field


class BoardError(CroupierError, AssertionError):
    """A board that contradicts itself."""

    code = "bad_board"
