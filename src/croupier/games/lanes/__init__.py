"""Lanes: a duel with cards on three lanes of five tiles."""

from croupier.games.lanes import effect_engine
from croupier.games.lanes.cards.card_set import CardHydrator, CardSet, load_cards, own_cards, own_decks
from croupier.games.lanes.cards.decks import Deck, DeckReport, Hand, validate_deck
from croupier.games.lanes.cards.types import Ability, Card
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
from croupier.games.lanes.play.position import PlacedCard, Tile
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.scores import LaneScore, MatchScore
from croupier.games.lanes.play.simulation import PASS, GameState, Move

__all__ = [
    "PASS",
    "Ability",
    "BoardError",
    "BoardState",
    "Card",
    "CardDataError",
    "CardHydrator",
    "CardSet",
    "Deck",
    "DeckError",
    "DeckReport",
    "GameOverError",
    "GameState",
    "Hand",
    "HandIndexError",
    "IllegalPlacement",
    "LaneScore",
    "Lanes",
    "LegalityChecker",
    "MatchScore",
    "Move",
    "PhaseError",
    "PlacedCard",
    "Rules",
    "Tile",
    "UnknownCard",
    "WrongSide",
    "compute_projection_targets",
    "compute_projection_targets_for_enemy",
    "effect_engine",
    "load_cards",
    "own_cards",
    "own_decks",
    "validate_deck",
]
