"""Lanes: a duel with cards on three lanes of five tiles.

The simulation layer's document is here as objects: `GameState(Deck(ids), Deck(ids), seed=1)`, `Hand(CardHydrator())`,
`BoardState`, `LegalityChecker`, `effect_engine`; `cards.card_set.own_decks()` has lists of ids. `Lanes` is the match
game. What differs from the document on purpose, and why, is on the page Conformance of the documents.
"""

from typing import Any

from croupier.games.lanes import effect_engine
from croupier.games.lanes.cards.card_set import CardHydrator, load_cards
from croupier.games.lanes.cards.decks import Deck, Hand
from croupier.games.lanes.cards.types import Card
from croupier.games.lanes.errors import (
    BoardError,
    CardDataError,
    DeckError,
    GameOverError,
    HandIndexError,
    IllegalPlacement,
    PhaseError,
    UnknownCard,
    WrongSide,
)
from croupier.games.lanes.game import Lanes
from croupier.games.lanes.play.board import BoardState, compute_projection_targets, compute_projection_targets_for_enemy
from croupier.games.lanes.play.legality import LegalityChecker
from croupier.games.lanes.play.position import Tile
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.simulation import PASS, GameState, Move

__all__ = [
    "PASS",
    "BoardError",
    "BoardState",
    "Card",
    "CardDataError",
    "CardHydrator",
    "Deck",
    "DeckError",
    "GameOverError",
    "GameState",
    "Hand",
    "HandIndexError",
    "IllegalPlacement",
    "Lanes",
    "LegalityChecker",
    "Move",
    "PhaseError",
    "Rules",
    "Tile",
    "UnknownCard",
    "WrongSide",
    "compute_projection_targets",
    "compute_projection_targets_for_enemy",
    "effect_engine",
    "load_cards",
]


def __getattr__(name: str) -> Any:
    """Return a step of the board as a function: `apply_pawns_for_you(board, lane, col)` and the like."""
    if name.startswith("apply_") and hasattr(BoardState, name):
        return getattr(BoardState, name)
    raise AttributeError(f"croupier.games.lanes has no {name!r}")
