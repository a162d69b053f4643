"""`BoardState`: the board alone, with the steps of a play to be taken one by one.

A game takes the steps in their order by itself (`rules.turns.play`). They are here for those who build positions, look
into a play half-way, or follow a game that is played elsewhere. The paired names (`…_for_you`, `…_for_enemy`) are the
side-aware ones with the side filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from croupier.engine.plain import shown
from croupier.errors import BadOptions
from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.cards.row import projected
from croupier.games.lanes.cards.types import Card
from croupier.games.lanes.errors import BoardError, IllegalPlacement
from croupier.games.lanes.play.legality import read_tile_number
from croupier.games.lanes.play.position import (
    SIDES,
    Side,
    Tile,
    deck_of,
    empty_cells,
    hand_of,
    make_room,
    mask_of,
    read_tile,
    read_tiles,
    rules_of,
    side_number,
    tile_number,
    tiles_in,
)
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.scores import MatchScore, score_of
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.abilities import destroy, on_play, put_card, settle
from croupier.games.lanes.rules.checking import recompute, spend_one_shots
from croupier.games.lanes.rules.pawns import late_pawns, project, replay_pawns
from croupier.games.lanes.rules.powers import power_at

Target = tuple[int, int, str]
"""A tile that a pattern reaches: lane, column, and the kind of the cell."""

_TILE = re.compile(r"([YEN])([0-3])(?::([A-Za-z0-9_-]+)(?:\{([+-]?\d{1,4})\})?)?\Z")


def compute_projection_targets(card: Card, lane: int, col: int) -> list[Target]:
    """Return the tiles that a card of Y reaches, in scan order. Cells off the board are left out, which is no error."""
    return sorted(projected(card, 0, read_tile_number(lane, col)))


def compute_projection_targets_for_enemy(card: Card, lane: int, col: int) -> list[Target]:
    """Return the tiles that a card of E reaches, in scan order. Cells off the board are left out, which is no error."""
    return sorted(projected(card, 1, read_tile_number(lane, col)))


class BoardState:
    """Fifteen tiles and the cards on them. It starts with one pawn on every tile of the two outer columns."""

    def __init__(self, cards: CardSet | None = None, rules: Rules | None = None) -> None:
        self.cards = own_cards() if cards is None else cards
        self._cells = tuple(empty_cells(Rules.seed() if rules is None else rules))  # a game's board: those of the game

    @property
    def cells(self) -> list[int]:
        """The row that the rules work on, as a list of its own."""
        return list(self._cells)

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return rules_of(self._cells)

    def clone(self) -> BoardState:
        """Return a board of its own with the same tiles."""
        twin = BoardState.__new__(BoardState)
        twin.cards = self.cards
        twin._cells = self._cells
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> BoardState:
        return self.clone()

    def number(self, card: Card | str) -> int:
        """Return a card's number in the card set."""
        return self.cards.number(card.id if isinstance(card, Card) else card)

    def _keep(self, cells: list[int]) -> None:
        make_room(cells, self.cards)
        self._cells = tuple(cells)

    # Looking.

    def tile_at(self, lane: int, col: int) -> Tile:
        """Return a tile."""
        return read_tile(self._cells, self.cards, read_tile_number(lane, col))

    def tiles(self) -> tuple[Tile, ...]:
        """Return all fifteen tiles in scan order."""
        return read_tiles(self._cells, self.cards)

    def power_at(self, lane: int, col: int) -> int:
        """Return the power of the card on a tile, with everything that changes it; 0 where there is no card."""
        at = self._at(lane, col)
        cells = self.cells
        return power_at(cells, self.cards.tables, at) if cells[at + layout.CARD] >= 0 else 0

    def score(self) -> MatchScore:
        """Return how the lanes stand."""
        return score_of(self.cells, self.cards.tables)

    compute_projection_targets = staticmethod(compute_projection_targets)
    compute_projection_targets_for_enemy = staticmethod(compute_projection_targets_for_enemy)

    # The steps of a play.

    def place_card(self, lane: int, col: int, card: Card | str, side: Side) -> None:
        """Put a card on an empty tile, whoever owns it (step 4). Its auras begin; nothing else happens yet."""
        tile = read_tile_number(lane, col)
        cells = self.cells
        if cells[self._at(lane, col) + layout.CARD] >= 0:
            raise IllegalPlacement("there is a card on that tile already")
        put_card(cells, self.cards.tables, None, side_number(side), self.number(card), tile)
        self._keep(cells)

    def remove_card(self, lane: int, col: int) -> None:
        """Destroy the card on a tile, with all that follows from it, but do not settle."""
        tile = self._tile_with_card(lane, col)
        cells = self.cells
        destroy(cells, self.cards.tables, None, 1 << tile, layout.STRUCK)
        self._keep(cells)

    def apply_pawns(self, lane: int, col: int, side: Side) -> list[tuple[int, int]]:
        """Put the pawns of the card on a tile (step 6), and return the tiles that have to wait (step 9)."""
        tile = self._tile_with_card(lane, col, side)
        cells = self.cells
        waiting = project(cells, self.cards.tables, None, tile)
        self._keep(cells)
        return [divmod(tile, layout.COLUMN_COUNT) for tile in tiles_in(waiting)]

    def apply_effects(self, lane: int, col: int, side: Side, replaced_power: int = 0) -> None:
        """Resolve what the card on a tile does when it is played (step 7)."""
        tile = self._tile_with_card(lane, col, side)
        cells = self.cells
        number = cells[self._at(lane, col) + layout.CARD]
        on_play(cells, self.cards.tables, None, side_number(side), number, tile, replaced_power)
        self._keep(cells)

    def settle(self) -> None:
        """Let cards die and one-shots go off until nothing more happens (step 8)."""
        cells = self.cells
        settle(cells, self.cards.tables, None)
        self._keep(cells)

    def apply_late_pawns(
        self, lane: int, col: int, side: Side, card: Card | str, waiting: Iterable[tuple[int, int]]
    ) -> None:
        """Put the pawns that had to wait on the tiles that have become empty (step 9)."""
        cells = self.cells
        at = self._at(lane, col)
        number = self.number(card)
        is_there = (cells[at + layout.CARD], cells[at + layout.OWNER]) == (number, side_number(side))
        uid = cells[at + layout.UID] if is_there else layout.NOBODY
        tiles = mask_of(read_tile_number(*place) for place in waiting)
        amount = self.cards.cards[number].raise_
        late_pawns(cells, None, read_tile_number(lane, col), uid, tiles, side_number(side), amount)
        self._keep(cells)

    def apply_pawns_for_you(self, lane: int, col: int) -> list[tuple[int, int]]:
        """Put the pawns of a card of Y."""
        return self.apply_pawns(lane, col, "Y")

    def apply_pawns_for_enemy(self, lane: int, col: int) -> list[tuple[int, int]]:
        """Put the pawns of a card of E."""
        return self.apply_pawns(lane, col, "E")

    def apply_effects_for_you(self, lane: int, col: int, replaced_power: int = 0) -> None:
        """Resolve what a card of Y does when it is played."""
        self.apply_effects(lane, col, "Y", replaced_power)

    def apply_effects_for_enemy(self, lane: int, col: int, replaced_power: int = 0) -> None:
        """Resolve what a card of E does when it is played."""
        self.apply_effects(lane, col, "E", replaced_power)

    def recompute_influence_from_deltas(self) -> None:
        """Work out all pawns anew from the base of every tile and the pawns of the cards in play, as they were played.

        A play does this by itself when a card with pawns goes; at any other time it changes nothing. Where pawns of
        dead cards are kept there is nothing to work them out from. It is the last of the calls that make up a play, so
        what waits to be settled is settled first: the board is valid afterwards.
        """
        if self._cells[layout.UNSETTLED]:
            self.settle()
        cells = self.cells
        if cells[layout.DESTROYED] == layout.ROLLBACK:
            replay_pawns(cells, self.cards.tables, layout.ALL_TILES)
            self._keep(cells)

    # Positions put down by hand.

    def set_up(self, tiles: Mapping[str, str] | str) -> None:
        """Put tiles down as a whole, such as `"MID-2=E2, TOP-1=Y1:K05{-2}"`: pawns, a card, its lasting change.

        Powers are worked out; nothing fires and nobody dies until the next play. One-shots whose condition holds
        already count as spent. The pawns given are what a tile goes back to when others are taken back. A card that
        is there already stays the same card; one that is not named any more goes, and its pawns with it.
        """
        given = tiles if isinstance(tiles, Mapping) else _split(tiles)
        cells = self.cells
        for name, text in given.items():
            self._set_tile(cells, tile_number(name), text)
        recompute(cells, self.cards.tables)
        spend_one_shots(cells, self.cards.tables)
        self._keep(cells)

    def _set_tile(self, cells: list[int], tile: int, text: str) -> None:
        match = _TILE.fullmatch(text)
        if match is None or (match[3] is None and (match[1] == "N") != (match[2] == "0")):
            raise BadOptions(f"{shown(text)} is no tile: write E2, N0, Y1:K05 or Y1:K05{{-2}}")
        owner, rank, card_id, change = match.groups()
        if card_id is not None and owner == "N":
            raise BadOptions(f"{shown(text)}: a card has an owner, Y or E")
        side = "YE".find(owner)
        for place in range(6):
            has = place // 3 == side and place % 3 < int(rank)
            for masks in (layout.PAWNS_OF, layout.BASE_OF):
                cells[masks + place] = cells[masks + place] & ~(1 << tile) | has << tile
        at = layout.TILES + layout.TILE_CELLS * tile
        number = layout.NOBODY if card_id is None else self.number(card_id)
        if (number, side if card_id else 0) != (cells[at + layout.CARD], cells[at + layout.OWNER]):
            cells[at : at + layout.AURA] = [number, *[0] * (layout.AURA - 1)]
            if card_id is not None:
                cells[at + layout.OWNER] = side
                cells[at + layout.UID] = cells[layout.NEXT_UID]
                cells[layout.NEXT_UID] += 1
        if change is not None:
            cells[at + layout.PERMANENT] = int(change)
        _forget_pawns(cells, tile)

    # Checking.

    def validate(self) -> None:
        """Raise `BoardError` unless everything that is kept up to date is what working it out anew gives."""
        check_cells(self.cells, self.cards)

    def _at(self, lane: int, col: int) -> int:
        return layout.TILES + layout.TILE_CELLS * read_tile_number(lane, col)

    def _tile_with_card(self, lane: int, col: int, side: Side | None = None) -> int:
        tile = read_tile_number(lane, col)
        card = read_tile(self._cells, self.cards, tile).card
        if card is None or side not in (None, card.side):
            whose = "" if side is None else f" of {side}"
            raise IllegalPlacement(f"there is no card{whose} on that tile")
        return tile


def _split(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, tile = part.partition("=")
        if not equals or name in found:
            raise BadOptions(f"{shown(part)}: write a tile once, as in MID-2=E2")
        found[name] = tile
    return found


def _forget_pawns(cells: list[int], tile: int) -> None:
    """Take a tile out of what cards in play take back when they go, and out of the log those who have nothing left."""
    logged = cells[layout.LOG : layout.LOG + cells[layout.LOG_COUNT]]
    kept = []
    for source in logged:
        at = layout.TILES + layout.TILE_CELLS * source + layout.PUT
        cells[at] &= ~(1 << tile)
        if cells[at]:
            kept.append(source)
    cells[layout.LOG_COUNT] = len(kept)
    cells[layout.LOG : layout.LOG + layout.TILE_COUNT] = kept + [0] * (layout.TILE_COUNT - len(kept))


def check_cells(cells: Sequence[int], cards: CardSet) -> None:
    """Raise `BoardError` for a row that contradicts itself. Between plays nothing is unsettled, and nobody is at 0."""
    anew = list(cells)
    recompute(anew, cards.tables)
    for place, name in _NAMES.items():
        if anew[place] != cells[place]:
            raise BoardError(f"{name} should be {anew[place]}, but is {cells[place]}")
    if any(switch not in (0, 1) for switch in (cells[layout.SIDE], *cells[layout.CAPTURE : layout.TRANSFER + 1])):
        raise BoardError("there is no such side, or there are no such rules")
    masks = cells[layout.PAWNS_OF : layout.PAWNS_OF + 6]
    for low, high in ((0, 1), (1, 2), (3, 4), (4, 5)):
        if masks[high] & ~masks[low]:
            raise BoardError("a tile has two pawns without having one")
    if masks[0] & masks[3]:
        raise BoardError("a tile has pawns of both sides")
    uids = []
    for tile in range(layout.TILE_COUNT):
        at = layout.TILES + layout.TILE_CELLS * tile
        row = cells[at : at + layout.AURA]
        if row[layout.CARD] < 0 and any(row[1:]):
            raise BoardError(f"there is no card on tile {tile}, but something of one")
        if row[layout.FIRED] >> layout.ABILITY_BITS:
            raise BoardError(f"a one-shot on tile {tile} is half done")
        if row[layout.CARD] >= 0:
            uids.append(row[layout.UID])
    if len(set(uids)) < len(uids) or not all(0 < uid < cells[layout.NEXT_UID] for uid in uids):
        raise BoardError(f"serial numbers of cards are not unique: {uids}")
    logged = cells[layout.LOG : layout.LOG + cells[layout.LOG_COUNT]]
    order = [cells[layout.TILES + layout.TILE_CELLS * tile + layout.UID] for tile in logged]
    put = [tile for tile in range(layout.TILE_COUNT) if cells[layout.TILES + layout.TILE_CELLS * tile + layout.PUT]]
    unused = cells[layout.LOG + cells[layout.LOG_COUNT] : layout.LOG + layout.TILE_COUNT]
    if order != sorted(order) or sorted(logged) != put or any(unused):
        raise BoardError(f"the log of pawns is out of order: {order}")
    for side in range(2):
        first = layout.HANDS + side * cells[layout.HAND_ROOM]
        hand = cells[first : first + cells[layout.HAND_ROOM]]
        if any((card >= 0) != (place < cells[layout.HAND_COUNT + side]) for place, card in enumerate(hand)):
            raise BoardError(f"the hand of {SIDES[side]} has a gap")
        if not all(0 <= card >> 1 < len(cards) for card in (*hand_of(cells, side), *deck_of(cells, side))):
            raise BoardError(f"{SIDES[side]} holds a card that does not exist")


def _derived() -> dict[int, str]:
    """Return what a row holds that follows from the rest of it."""
    names = {
        layout.UNSETTLED: "what is unsettled",
        layout.COUNTERS: "the mask of counting cards",
        layout.PLAY_WATCHERS: "the mask of cards that watch plays",
        layout.DEATH_WATCHERS: "the mask of cards that watch deaths",
        layout.ARMED: "the mask of cards with one-shots",
        layout.ENHANCED: "the mask of enhanced cards",
        layout.ENFEEBLED: "the mask of enfeebled cards",
        layout.CARDS_OF: "the mask of cards of Y",
        layout.CARDS_OF + 1: "the mask of cards of E",
    }
    for place in range(6):
        names[layout.PAWNS_OF + place] = f"the mask of {place % 3 + 1} pawns of {SIDES[place // 3]}"
    for tile in range(layout.TILE_COUNT):
        at = layout.TILES + layout.TILE_CELLS * tile
        names[at + layout.COUNT] = f"the count on tile {tile}"
        for side in range(2):
            names[at + layout.AURA + side] = f"the aura on tile {tile} for {SIDES[side]}"
    return names


_NAMES = _derived()
