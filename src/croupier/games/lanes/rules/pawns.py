"""Pawns on tiles: where a card may be played, and what its pawns do to the board.

A side's pawns are three masks: the tiles with at least one, two and three of them. So a card's pawns fall on all its
tiles at once, in a handful of operations. Under a card the masks hold what will be seen when the card is gone.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.lanes.rules.layout import (
    ALL_TILES,
    BASE_OF,
    CAPTURE,
    CARD,
    CARD_CELLS,
    CARDS,
    CARDS_OF,
    CONVERT,
    COST,
    DESTROYED,
    EVENT_PAWN,
    KEEP,
    LOG,
    LOG_COUNT,
    OCCUPIED,
    OWNER,
    PAWN_TILES,
    PAWNS_DEFERRED,
    PAWNS_OF,
    PUT,
    RAISE,
    ROLLBACK,
    TILE_CELLS,
    TILE_OF,
    TILES,
    UID,
    note,
)


def start_board(cells: list[int]) -> None:
    """Give each side one pawn on every tile of its own column, and put nothing else on the board."""
    for place in range(6):
        cells[BASE_OF + place] = 0
    for lane in range(3):
        cells[BASE_OF] |= 1 << (5 * lane)
        cells[BASE_OF + 3] |= 1 << (5 * lane + 4)
    for place in range(6):
        cells[PAWNS_OF + place] = cells[BASE_OF + place]


def legal_tiles(cells: Sequence[int], tables: Sequence[int], side: int, card: int) -> int:
    """Return the tiles where `side` may play `card`."""
    cost = tables[CARDS + card * CARD_CELLS + COST]
    if cost == 0:
        return cells[CARDS_OF + side]
    return cells[PAWNS_OF + 3 * side + cost - 1] & ~(cells[CARDS_OF] | cells[CARDS_OF + 1])


def rank_at(cells: Sequence[int], side: int, bit: int) -> int:
    """Return how many pawns a side has on a tile, seen or under a card."""
    at = PAWNS_OF + 3 * side
    if cells[at] & bit == 0:
        return 0
    if cells[at + 1] & bit == 0:
        return 1
    return 3 if cells[at + 2] & bit else 2


def add_pawns(cells: list[int], side: int, amount: int, tiles: int) -> None:
    """Put `amount` pawns of a side on each of the tiles, whatever stands on them."""
    mine = PAWNS_OF + 3 * side
    theirs = PAWNS_OF + 3 - 3 * side
    held = tiles & cells[theirs]
    free = tiles ^ held
    if amount == 1:
        cells[mine + 2] |= cells[mine + 1] & free
        cells[mine + 1] |= cells[mine] & free
    elif amount == 2:
        cells[mine + 2] |= cells[mine] & free
        cells[mine + 1] |= free
    else:
        cells[mine + 2] |= free
        cells[mine + 1] |= free
    cells[mine] |= free
    if held != 0:
        _capture(cells, mine, theirs, amount, held)


def _capture(cells: list[int], mine: int, theirs: int, amount: int, held: int) -> None:
    """Put pawns on tiles of the other side: turn its pawns over, or wear them down and take what is left."""
    if cells[CAPTURE] == CONVERT:
        for rank in range(3):
            cells[mine + rank] |= cells[theirs + rank] & held
            cells[theirs + rank] &= ~held
        return
    worn = 0
    if amount < 3:
        worn = held & cells[theirs + amount]  # more than `amount` stand there: some stay
    taken = held ^ worn
    if amount == 1:
        cells[theirs + 1] ^= worn & ~cells[theirs + 2]  # three leave two, two leave one
    else:
        cells[theirs + 1] &= ~worn
    cells[theirs + 2] &= ~worn
    for rank in range(3):
        cells[theirs + rank] &= ~taken
        if rank < amount:
            cells[mine + rank] |= taken


def project(cells: list[int], tables: Sequence[int], log: list[int] | None, tile: int) -> int:
    """Put the pawns of the card that was just played, and return the tiles that have to wait (step 6 of a play).

    Where pawns aimed at a card are logged none wait: they lie there unseen.
    """
    at = TILES + TILE_CELLS * tile
    card = CARDS + cells[at + CARD] * CARD_CELLS
    side = cells[at + OWNER]
    tiles = tables[card + PAWN_TILES + 15 * side + tile]
    waiting = 0
    if cells[OCCUPIED] == PAWNS_DEFERRED:
        waiting = tiles & (cells[CARDS_OF] | cells[CARDS_OF + 1])
        tiles ^= waiting
    if tiles != 0:
        put_pawns(cells, log, tile, side, tables[card + RAISE], tiles)
    return waiting


def put_pawns(cells: list[int], log: list[int] | None, tile: int, side: int, amount: int, tiles: int) -> None:
    """Put pawns on tiles, tell those who listen, and remember them where they can be taken back."""
    if cells[DESTROYED] == ROLLBACK:
        at = TILES + TILE_CELLS * tile + PUT
        if cells[at] == 0:
            cells[LOG + cells[LOG_COUNT]] = tile
            cells[LOG_COUNT] += 1
        cells[at] |= tiles
    if log is None:
        add_pawns(cells, side, amount, tiles)
        return
    before_y = pawns_of(cells, 0)
    before_e = pawns_of(cells, 1)
    add_pawns(cells, side, amount, tiles)
    note_pawns(cells, log, 0, 0, before_y, before_e)


def late_pawns(
    cells: list[int], log: list[int] | None, tile: int, uid: int, waiting: int, side: int, amount: int
) -> None:
    """Put the pawns that had to wait on those of their tiles that have become empty (step 9 of a play).

    If their card is gone by now they still fall, unless they would have been taken back with it.
    """
    tiles = waiting & ~(cells[CARDS_OF] | cells[CARDS_OF + 1])
    is_there = cells[TILES + TILE_CELLS * tile + UID] == uid
    if tiles != 0 and (is_there or cells[DESTROYED] == KEEP):
        put_pawns(cells, log, tile, side, amount, tiles)


def take_back(cells: list[int], tables: Sequence[int], batch: int, tiles: int) -> None:
    """Forget the pawns of the cards on the tiles of `batch`, which they put on `tiles`.

    Those of all others are put down again there rather than subtracted: a capture that goes with its card may be made
    by a later pawn.
    """
    kept = 0
    for place in range(cells[LOG_COUNT]):
        tile = cells[LOG + place]
        if batch >> tile & 1 == 0:
            cells[LOG + kept] = tile
            kept += 1
    for place in range(kept, cells[LOG_COUNT]):
        cells[LOG + place] = 0
    cells[LOG_COUNT] = kept
    replay_pawns(cells, tables, tiles)


def replay_pawns(cells: list[int], tables: Sequence[int], tiles: int) -> None:
    """Work out the pawns on some tiles anew, from their base and the pawns of the cards in play, in their order."""
    for place in range(6):
        cells[PAWNS_OF + place] = (cells[PAWNS_OF + place] & ~tiles) | (cells[BASE_OF + place] & tiles)
    for place in range(cells[LOG_COUNT]):
        at = TILES + TILE_CELLS * cells[LOG + place]
        put = cells[at + PUT] & tiles
        if put != 0:
            add_pawns(cells, cells[at + OWNER], tables[CARDS + cells[at + CARD] * CARD_CELLS + RAISE], put)


def pawns_of(cells: Sequence[int], side: int) -> int:
    """Return the three masks of a side's pawns as one number of 15 bits each, to be looked at later."""
    at = PAWNS_OF + 3 * side
    return cells[at] | cells[at + 1] << 15 | cells[at + 2] << 30


def note_pawns(cells: list[int], log: list[int], freed_y: int, freed_e: int, before_y: int, before_e: int) -> None:
    """Tell which empty tiles look different from what `pawns_of` each side was before.

    The freed ones held a card then, so they showed an owner and no pawns: 0 for a card of Y, 4 for one of E.
    """
    freed = freed_y | freed_e
    now_y = pawns_of(cells, 0)
    now_e = pawns_of(cells, 1)
    changed = (before_y ^ now_y) | (before_e ^ now_e)
    changed |= changed >> 15 | changed >> 30 | freed
    changed &= ALL_TILES & ~(cells[CARDS_OF] | cells[CARDS_OF + 1])
    while changed != 0:
        bit = changed & -changed
        changed ^= bit
        if freed & bit:
            before = 4 if freed_e & bit else 0
        else:
            before = owner_and_rank(before_y, before_e, bit)
        after = owner_and_rank(now_y, now_e, bit)
        note(log, EVENT_PAWN, TILE_OF[bit % 19], before, after, 1 if freed & bit else 0, 0)


def owner_and_rank(pawns_y: int, pawns_e: int, bit: int) -> int:
    """Return owner and rank of a tile as one number: 0 for nobody's, 1 to 3 for pawns of Y, 5 to 7 for those of E."""
    pawns = pawns_e if pawns_e & bit else pawns_y
    rank = (1 if pawns & bit else 0) + (1 if pawns >> 15 & bit else 0) + (1 if pawns >> 30 & bit else 0)
    return 4 + rank if pawns_e & bit else rank
