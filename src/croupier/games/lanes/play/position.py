"""Positions in two forms: the flat row that the rules work on, and tiles and cards that people and JSON can read."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

from croupier.errors import BadOptions
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.pawns import start_board
from croupier.games.lanes.rules.powers import change_at, power_at

Side = Literal["Y", "E"]
Owner = Literal["Y", "E", "N"]
Status = Literal["enhanced", "enfeebled", "plain"]

SIDES: tuple[Side, Side] = ("Y", "E")
LANES = ("TOP", "MID", "BOT")


class PlacedCard(Struct, frozen=True, omit_defaults=True):
    """A card in play. `power` is the sum of `base` and the four after it."""

    uid: int
    card_id: str
    side: Side
    lane: int
    col: int
    power: int
    base: int
    permanent: int = 0
    gain: int = 0
    aura: int = 0
    count: int = 0
    status: Status = "plain"
    fired: tuple[int, ...] = ()
    """The places of those of its abilities that go off once and have done so."""
    pawns: tuple[int, ...] = ()
    """The tiles it put pawns on that will be taken back with it, as numbers 0 to 14."""


class Tile(Struct, frozen=True, omit_defaults=True):
    """One tile. Under a card the rank is unseen: it is what `under` has when the card goes."""

    lane: int
    col: int
    owner: Owner
    rank: int
    card: PlacedCard | None = None
    under: Owner = "N"
    """The side whose pawns lie there, seen or not."""
    base: str = "N0"
    """Owner and rank before any card was played; pawns that are taken back lead back here."""
    pawn_log: tuple[tuple[int, Side, int], ...] = ()
    """The pawns here that can be taken back, in order: uid of the card, side, amount."""
    aura: tuple[int, int] = (0, 0)
    """The change that the auras here make to a card of Y, and to one of E."""

    @property
    def text(self) -> str:
        """Owner and rank, as in `E2`."""
        return f"{self.owner}{self.rank}"


# --- Tiles and sides --------------------------------------------------------------------------------------------------


def tile_name(tile: int) -> str:
    """Return a tile as text.

    >>> tile_name(6)
    'MID-2'
    """
    return f"{LANES[tile // layout.COLUMN_COUNT]}-{tile % layout.COLUMN_COUNT + 1}"


def tile_number(name: str) -> int:
    """Return the number of a tile that is given as text.

    >>> tile_number("BOT-5")
    14
    """
    lane, dash, column = name.partition("-")
    if lane not in LANES or not dash or column not in ("1", "2", "3", "4", "5"):
        raise BadOptions(f"{name!r} is no tile: there are TOP-1 to BOT-5")
    return LANES.index(lane) * layout.COLUMN_COUNT + int(column) - 1


def side_number(side: str) -> int:
    """Return 0 for Y and 1 for E."""
    if side not in SIDES:
        raise BadOptions(f"{side!r} is no side: there are Y and E")
    return SIDES.index(side)


# --- Rows -------------------------------------------------------------------------------------------------------------


def empty_cells(rules: Rules, first_side: int = 0, room: int = 0) -> list[int]:
    """Return the row of a game that has not begun: the start board, no cards anywhere."""
    cells = [0] * (layout.HANDS + 2 * room)
    cells[layout.TURN] = 1
    cells[layout.SIDE] = first_side
    cells[layout.NEXT_UID] = 1
    cells[layout.CAPTURE : layout.TRANSFER + 1] = rules.switches()
    cells[layout.HAND_ROOM] = room
    cells[layout.DECK_NEXT] = cells[layout.DECK_NEXT + 1] = layout.DECK_SIZE
    for tile in range(layout.TILE_COUNT):
        cells[layout.TILES + layout.TILE_CELLS * tile + layout.CARD] = layout.NOBODY
    for place in range(layout.DECKS, len(cells)):
        cells[place] = layout.NOBODY
    start_board(cells)
    return cells


def rules_of(cells: Sequence[int]) -> Rules:
    """Return the rules a game is played by."""
    return Rules.from_switches(*cells[layout.CAPTURE : layout.TRANSFER + 1])


def hand_of(cells: Sequence[int], side: int) -> list[int]:
    """Return the cards in a side's hand as the row has them: twice their number, plus 1 for those everybody knows."""
    first = layout.HANDS + side * cells[layout.HAND_ROOM]
    return list(cells[first : first + cells[layout.HAND_COUNT + side]])


def deck_of(cells: Sequence[int], side: int) -> list[int]:
    """Return the cards left in a side's deck, the next one first."""
    end = layout.DECKS + layout.DECK_SIZE * (side + 1)
    return list(cells[end - layout.DECK_SIZE + cells[layout.DECK_NEXT + side] : end])


def put_deck(cells: list[int], cards: CardSet, side: int, ids: Sequence[str]) -> None:
    """Give a side another deck: at most fifteen cards, the next one first."""
    drawn = layout.DECK_SIZE - len(ids)
    first = layout.DECKS + layout.DECK_SIZE * side
    deck = [2 * cards.number(card_id) for card_id in ids]
    cells[first : first + layout.DECK_SIZE] = [layout.NOBODY] * drawn + deck
    cells[layout.DECK_NEXT + side] = drawn
    make_room(cells, cards)


def put_hand(cells: list[int], cards: CardSet, side: int, hand: Sequence[int]) -> None:
    """Give a side another hand. The row grows if it has to."""
    hands = [hand_of(cells, 0), hand_of(cells, 1)]
    hands[side] = list(hand)
    _write_hands(cells, hands, max(cells[layout.HAND_ROOM], len(hand)))
    make_room(cells, cards)


def make_room(cells: list[int], cards: CardSet) -> None:
    """See to it that both hands have room for every card that may yet come to them."""
    room = cells[layout.HAND_ROOM]
    for side in range(2):
        held = [card >> 1 for card in (*hand_of(cells, side), *deck_of(cells, side))]
        tiles = range(layout.TILES, layout.DECKS, layout.TILE_CELLS)
        placed = [cells[at + layout.CARD] for at in tiles if cells[at + layout.OWNER] == side]
        offspring = (cards.offspring[card] for card in (*held, *placed) if card != layout.NOBODY)
        room = max(room, len(held) + sum(offspring))
    if room > cells[layout.HAND_ROOM]:
        _write_hands(cells, [hand_of(cells, 0), hand_of(cells, 1)], room)


def _write_hands(cells: list[int], hands: list[list[int]], room: int) -> None:
    cells[layout.HAND_ROOM] = room
    del cells[layout.HANDS :]
    for side, hand in enumerate(hands):
        cells[layout.HAND_COUNT + side] = len(hand)
        cells += [*hand, *[layout.NOBODY] * (room - len(hand))]


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_tiles(cells: Sequence[int], cards: CardSet) -> tuple[Tile, ...]:
    """Return all fifteen tiles of a game in scan order."""
    return tuple(read_tile(cells, cards, tile) for tile in range(layout.TILE_COUNT))


def read_tile(cells: Sequence[int], cards: CardSet, tile: int) -> Tile:
    """Return a tile of a game."""
    bit = 1 << tile
    under, rank = _pawns(cells, layout.PAWNS_OF, bit)
    owner, base_rank = _pawns(cells, layout.BASE_OF, bit)
    at = layout.TILES + layout.TILE_CELLS * tile
    lane, col = divmod(tile, layout.COLUMN_COUNT)
    card = _read_card(cells, cards, at, lane, col) if cells[at + layout.CARD] >= 0 else None
    aura = (cells[at + layout.AURA], cells[at + layout.AURA + 1])
    log = tuple(_pawn_log(cells, cards, bit)) if cells[layout.LOG_COUNT] else ()
    return Tile(lane, col, under if card is None else card.side, rank, card, under, f"{owner}{base_rank}", log, aura)


def _pawns(cells: Sequence[int], masks: int, bit: int) -> tuple[Owner, int]:
    for side, owner in enumerate(SIDES):
        one, two, three = cells[masks + 3 * side : masks + 3 * side + 3]
        if one & bit:
            return owner, 3 if three & bit else 2 if two & bit else 1
    return "N", 0


def _read_card(cells: Sequence[int], cards: CardSet, at: int, lane: int, col: int) -> PlacedCard:
    card = cards.cards[cells[at + layout.CARD]]
    side = cells[at + layout.OWNER]
    change = change_at(cells, at)
    return PlacedCard(
        uid=cells[at + layout.UID],
        card_id=card.id,
        side=SIDES[side],
        lane=lane,
        col=col,
        power=power_at(cells, cards.tables, at),
        base=card.power,
        permanent=cells[at + layout.PERMANENT],
        gain=cells[at + layout.GAIN],
        aura=cells[at + layout.AURA + side],
        count=cells[at + layout.COUNT],
        status="enhanced" if change > 0 else "enfeebled" if change < 0 else "plain",
        fired=tiles_in(cells[at + layout.FIRED]),
        pawns=tiles_in(cells[at + layout.PUT]),
    )


def _pawn_log(cells: Sequence[int], cards: CardSet, bit: int) -> Iterable[tuple[int, Side, int]]:
    for place in range(cells[layout.LOG_COUNT]):
        at = layout.TILES + layout.TILE_CELLS * cells[layout.LOG + place]
        if cells[at + layout.PUT] & bit:
            card = cards.cards[cells[at + layout.CARD]]
            yield cells[at + layout.UID], SIDES[cells[at + layout.OWNER]], card.raise_


@cache
def tiles_in(mask: int) -> tuple[int, ...]:
    """Return the numbers of the bits in a mask of at most sixteen: its tiles in scan order.

    >>> tiles_in(0b100000000000101)
    (0, 2, 14)
    """
    return tuple(tile for tile in range(mask.bit_length()) if mask >> tile & 1)


def mask_of(tiles: Iterable[int]) -> int:
    """Return the mask of some tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask
