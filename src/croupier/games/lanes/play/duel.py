"""States of a match: `Duel`, the whole of it, and `DuelView`, the part that one seat may see.

A duel is the flat row that the rules work on. A view is made for reading: tiles with their cards and powers, lanes with
their scores, the viewer's own hand with the tiles where each card may go. `cells_of` leads back from a view to a row,
with any cards in the places of those that the viewer cannot know.
"""

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.position import (
    SIDES,
    Side,
    Tile,
    deck_of,
    empty_cells,
    hand_of,
    mask_of,
    put_deck,
    put_hand,
    read_tiles,
    rules_of,
    tiles_in,
)
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.public_events import Noted, read_event
from croupier.games.lanes.play.scores import LaneScore, score_of
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.checking import recompute
from croupier.games.lanes.rules.pawns import legal_tiles

HIDDEN = ""
"""Stands for a card that the viewer does not know."""


class Happening(Struct, frozen=True, omit_defaults=True):
    """One thing that an action did; which fields there are depends on the type."""

    type: str
    tile: str = ""
    card: str = ""
    owner: str = ""
    uid: int = 0
    amount: int = 0
    cause: str = ""
    source: str | None = None
    before: str = ""
    after: str = ""
    ability: int = 0
    rank: int = 0
    reason: str = ""
    hand_index: int = 0


class Duel(Struct, frozen=True, tag="duel"):
    """Everything: the row of the game, the seed of the deal and of mulligans, and what the last action did."""

    cells: tuple[int, ...]
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """32 bytes in hex, which no view shows: who knows them knows both decks."""
    players: tuple[str, str]
    """The players of Y and of E."""
    happened: tuple[Happening, ...] = ()


class DuelView(Struct, frozen=True, tag="view"):
    """A duel as one seat sees it; pairs are of Y first, then of E."""

    players: tuple[str, str]
    rules: Rules
    side: Side | None
    """The viewer's own; None for a spectator."""
    side_to_act: Side
    turn: int
    passes: int
    over: int
    flags: tuple[int, int, int]
    """Whether this turn's draw was made and its card played; whose mulligan is past, as bits of the sides."""
    next_uid: int
    tiles: tuple[Tile, ...]
    lanes: tuple[LaneScore, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    """Ids in order; `HIDDEN` for a card that the viewer does not know."""
    shown: tuple[tuple[int, ...], tuple[int, ...]]
    """The places in each hand of cards that everybody has seen go there."""
    deck_counts: tuple[int, int]
    unseen: tuple[tuple[str, ...], tuple[str, ...]]
    """Sorted: the cards in each deck, and those in each hand that not everybody has seen go there."""
    playable: tuple[tuple[int, ...], ...]
    """For each card in the viewer's hand, the tiles (0 to 14) where it may be played as the board is."""
    happened: tuple[Happening, ...]
    """The effects of the last action."""


def view_of(duel: Duel, cards: CardSet, side: int | None) -> DuelView:
    """Return a duel as a side sees it; None is a spectator."""
    cells = list(duel.cells)
    ids = [card.id for card in cards]
    hands = [hand_of(cells, number) for number in range(2)]
    own = [] if side is None else hands[side]
    return DuelView(
        players=duel.players,
        rules=rules_of(cells),
        side=None if side is None else SIDES[side],
        side_to_act=SIDES[cells[layout.SIDE]],
        turn=cells[layout.TURN],
        passes=cells[layout.PASSES],
        over=cells[layout.OVER],
        flags=(cells[layout.DREW], cells[layout.ACTED], cells[layout.MULLIGANED]),
        next_uid=cells[layout.NEXT_UID],
        tiles=read_tiles(cells, cards),
        lanes=score_of(cells, cards.tables).lanes,
        hands=_pair(
            tuple(ids[card >> 1] if card & 1 or number == side else HIDDEN for card in hand)
            for number, hand in enumerate(hands)
        ),
        shown=_pair(tuple(place for place, card in enumerate(hand) if card & 1) for hand in hands),
        deck_counts=_pair(len(deck_of(cells, number)) for number in range(2)),
        unseen=_pair(
            tuple(sorted(ids[card >> 1] for card in (*deck_of(cells, number), *hand) if not card & 1))
            for number, hand in enumerate(hands)
        ),
        playable=tuple(tiles_in(legal_tiles(cells, cards.tables, side or 0, card >> 1)) for card in own),
        happened=duel.happened,
    )


def happenings(noted: Iterable[Noted], cards: CardSet) -> tuple[Happening, ...]:
    """Return events in words that everybody may read: which card was drawn is left out."""
    found = []
    for event in noted:
        words = read_event(event, cards)
        if words["type"] == "draw":
            del words["card"]  # whoever drew it finds it at the end of the hand
        found.append(Happening(**words))
    return tuple(found)


def _pair(values: Any) -> Any:
    first, second = values
    return first, second


def cells_of(view: DuelView, cards: CardSet) -> list[int]:
    """Return a row that the viewer cannot tell from the real one: the cards nobody has seen lie in any order.

    `rules.playouts.redeal` with the viewer's side then makes a fair deal of it.
    """
    cells = empty_cells(view.rules, SIDES.index(view.side_to_act))
    cells[layout.TURN] = view.turn
    cells[layout.PASSES] = view.passes
    cells[layout.OVER] = view.over
    cells[layout.DREW], cells[layout.ACTED], cells[layout.MULLIGANED] = view.flags
    cells[layout.NEXT_UID] = view.next_uid
    for place in range(6):
        cells[layout.PAWNS_OF + place] = cells[layout.BASE_OF + place] = 0
    for number, tile in enumerate(view.tiles):
        _put_tile(cells, cards, number, tile)
    logged = [number for number, tile in enumerate(view.tiles) if tile.card is not None and tile.card.pawns]
    logged.sort(key=lambda number: cells[layout.TILES + layout.TILE_CELLS * number + layout.UID])
    cells[layout.LOG_COUNT] = len(logged)
    cells[layout.LOG : layout.LOG + len(logged)] = logged
    recompute(cells, cards.tables)
    for side in range(2):
        _put_cards(cells, cards, side, view)
    return cells


def _put_tile(cells: list[int], cards: CardSet, number: int, tile: Tile) -> None:
    for masks, text in ((layout.PAWNS_OF, f"{tile.under}{tile.rank}"), (layout.BASE_OF, tile.base)):
        for place in range(int(text[1])):
            cells[masks + 3 * "YE".index(text[0]) + place] |= 1 << number
    card = tile.card
    if card is not None:
        at = layout.TILES + layout.TILE_CELLS * number
        cells[at + layout.CARD] = cards.number(card.card_id)
        cells[at + layout.OWNER] = SIDES.index(card.side)
        cells[at + layout.UID] = card.uid
        cells[at + layout.PERMANENT] = card.permanent
        cells[at + layout.GAIN] = card.gain
        cells[at + layout.FIRED] = mask_of(card.fired)
        cells[at + layout.PUT] = mask_of(card.pawns)


def _put_cards(cells: list[int], cards: CardSet, side: int, view: DuelView) -> None:
    hand_ids, shown = view.hands[side], view.shown[side]
    unseen = list(view.unseen[side])
    for place, card_id in enumerate(hand_ids):
        if card_id != HIDDEN and place not in shown:
            unseen.remove(card_id)
    hand: list[int] = []
    for place, card_id in enumerate(hand_ids):
        known = card_id if card_id != HIDDEN else unseen.pop()
        hand.append(2 * cards.number(known) + (place in shown))
    put_deck(cells, cards, side, unseen)
    put_hand(cells, cards, side, hand)
