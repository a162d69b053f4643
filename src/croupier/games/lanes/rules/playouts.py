"""Playouts for search: the legal moves, hidden cards dealt again, and games played at random to their end.

A move is one number: 16 times the place in the hand, plus the tile; or PASS_MOVE.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.draws import Stream, bounded_usize, shuffle
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.layout import tile_count
from croupier.games.lanes.rules.pawns import legal_tiles
from croupier.games.lanes.rules.scoring import margin
from croupier.games.lanes.rules.turns import begin_turn, end_turn, pass_turn, play

PASS_MOVE = -1


def legal_moves(cells: list[int], tables: Sequence[int], side: int, moves: list[int]) -> int:
    """Write every move of a side into `moves` and return how many there are: by hand, then by tile; passing is last.

    `moves` needs room for 15 moves a card in the hand, and one more.
    """
    count = 0
    hand = layout.HANDS + side * cells[layout.HAND_ROOM]
    for index in range(cells[layout.HAND_COUNT + side]):
        tiles = legal_tiles(cells, tables, side, cells[hand + index] >> 1)
        while tiles != 0:
            bit = tiles & -tiles
            tiles ^= bit
            moves[count] = 16 * index + layout.TILE_OF[bit % 19]
            count += 1
    moves[count] = PASS_MOVE
    return count + 1


def make_move(cells: list[int], tables: Sequence[int], log: list[int] | None, move: int) -> None:
    """Play or pass for the side whose turn it is, and hand over."""
    if move < 0:
        pass_turn(cells, log)
    else:
        play(cells, tables, log, cells[layout.SIDE], move >> 4, move & 15)
        end_turn(cells, log)


def random_move(cells: list[int], tables: Sequence[int], stream: Stream, passing: int) -> int:
    """Return one of the moves of the side whose turn it is, each equally likely.

    Passing is one of them if `passing` is 1; if it is 0, only where there is no other.
    """
    side = cells[layout.SIDE]
    free = ~(cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1])
    pawns = layout.PAWNS_OF + 3 * side
    tiles = (cells[layout.CARDS_OF + side], cells[pawns] & free, cells[pawns + 1] & free, cells[pawns + 2] & free)
    counts = (tile_count(tiles[0]), tile_count(tiles[1]), tile_count(tiles[2]), tile_count(tiles[3]))
    first = layout.HANDS + side * cells[layout.HAND_ROOM]
    last = first + cells[layout.HAND_COUNT + side]
    costs = tables[layout.COSTS]
    total = passing
    for place in range(first, last):
        total += counts[tables[costs + cells[place]]]
    if total == passing:
        return PASS_MOVE
    chosen = bounded_usize(stream, total)
    for place in range(first, last):
        cost = tables[costs + cells[place]]
        if chosen < counts[cost]:
            rest = tiles[cost]
            while chosen > 0:
                rest &= rest - 1
                chosen -= 1
            return 16 * (place - first) + layout.TILE_OF[(rest & -rest) % 19]
        chosen -= counts[cost]
    return PASS_MOVE


def playout(cells: list[int], tables: Sequence[int], log: list[int] | None, stream: Stream, passing: int) -> int:
    """Play on at random until the game is over, and return how many plays and passes that took."""
    plies = 0
    while cells[layout.OVER] == 0:
        if cells[layout.ACTED] != 0:
            end_turn(cells, log)
        if cells[layout.DREW] == 0:
            begin_turn(cells, log)
        make_move(cells, tables, log, random_move(cells, tables, stream, passing))
        plies += 1
    return plies


def sample(cells: list[int], tables: Sequence[int], stream: Stream, viewer: int, passing: int, pool: list[int]) -> int:
    """Deal what a side cannot know again, play on at random to the end, and return the score of Y less that of E."""
    redeal(cells, stream, viewer, pool)
    playout(cells, tables, None, stream, passing)
    return margin(cells, tables)


def redeal(cells: list[int], stream: Stream, viewer: int, pool: list[int]) -> None:
    """Deal again what a side cannot know: the order of both decks, and the other's hand.

    Cards that an ability put into a hand were seen by everybody, and stay.
    A viewer who is neither side (2, say) knows no hand. `pool` is room for the cards of one side.
    """
    for side in range(2):
        hand = layout.HANDS + side * cells[layout.HAND_ROOM]
        deck = layout.DECKS + layout.DECK_SIZE * side
        count = 0
        for place in range(hand, hand + cells[layout.HAND_COUNT + side]):
            if side != viewer and cells[place] & 1 == 0:
                pool[count] = cells[place]
                count += 1
        for place in range(deck + cells[layout.DECK_NEXT + side], deck + layout.DECK_SIZE):
            pool[count] = cells[place]
            count += 1
        shuffle(stream, pool, count)
        for place in range(hand, hand + cells[layout.HAND_COUNT + side]):
            if side != viewer and cells[place] & 1 == 0:
                count -= 1
                cells[place] = pool[count]
        for place in range(deck + cells[layout.DECK_NEXT + side], deck + layout.DECK_SIZE):
            count -= 1
            cells[place] = pool[count]
