"""Lanes as plain objects with the names of the founding document: `GameState(Deck(ids), Deck(ids), seed=1)`.

A `Hand(CardHydrator())` has cards, a `BoardState` takes the steps of a play one by one, `own_decks()` has lists of ids.
To build on there is the match game, `Lanes`; `croupier play lanes --auto random --seed 07 --record FILE` writes a log.
States, decks and boards stand in `play` and `cards`, because the bots predict with them; here is the door to them, and
what only the document needs. Where they differ from it on purpose, the page Conformance of the documents says why.
"""

from __future__ import annotations

from types import SimpleNamespace

from croupier.games.lanes.cards.card_set import CardHydrator, load_cards, own_decks
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
from croupier.games.lanes.play.board import BoardState, compute_projection_targets, compute_projection_targets_for_enemy
from croupier.games.lanes.play.legality import placement_problem, read_tile_number
from croupier.games.lanes.play.position import SIDES, Side, Tile, side_number, tiles_in
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.simulation import PASS, GameState, Move
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.pawns import legal_tiles

__all__ = [
    "PASS", "BoardError", "BoardState", "Card", "CardDataError", "CardHydrator", "Deck", "DeckError", "GameOverError",
    "GameState", "Hand", "HandIndexError", "IllegalPlacement", "LegalityChecker", "Move", "PhaseError", "Rules", "Tile",
    "UnknownCard", "WrongSide", "apply_effects_for_enemy", "apply_effects_for_you", "apply_pawns_for_enemy",
    "apply_pawns_for_you", "compute_projection_targets", "compute_projection_targets_for_enemy", "effect_engine",
    "load_cards", "own_decks",
]  # fmt: skip

apply_pawns_for_you, apply_pawns_for_enemy = BoardState.apply_pawns_for_you, BoardState.apply_pawns_for_enemy
apply_effects_for_you, apply_effects_for_enemy = BoardState.apply_effects_for_you, BoardState.apply_effects_for_enemy
effect_engine = SimpleNamespace(compute_effective_power=BoardState.power_at)


class LegalityChecker:
    """Tells where cards may be played on a board. Nothing but the tile itself matters."""

    @staticmethod
    def is_legal(board: BoardState, side: Side, card: Card | str, lane: int, col: int) -> bool:
        """Tell whether a side may play a card on a tile; off the board nobody may."""
        return LegalityChecker.reason(board, side, card, lane, col) is None

    @staticmethod
    def reason(board: BoardState, side: Side, card: Card | str, lane: int, col: int) -> str | None:
        """Return why a side may not play a card on a tile, or None if it may."""
        try:
            tile = read_tile_number(lane, col)
        except IllegalPlacement as error:
            return str(error)
        return placement_problem(board.cells, board.cards, side_number(side), board.number(card), tile)

    @staticmethod
    def check(board: BoardState, side: Side, card: Card | str, lane: int, col: int) -> None:
        """Raise `IllegalPlacement` unless a side may play a card on a tile."""
        reason = LegalityChecker.reason(board, side, card, lane, col)
        if reason is not None:
            raise IllegalPlacement(reason)

    @staticmethod
    def legal_tiles(board: BoardState, side: Side, card: Card | str) -> list[tuple[int, int]]:
        """Return the tiles where a side may play a card, in scan order, as lane and column."""
        tiles = legal_tiles(board.cells, board.cards.tables, SIDES.index(side), board.number(card))
        return [divmod(tile, layout.COLUMN_COUNT) for tile in tiles_in(tiles)]
