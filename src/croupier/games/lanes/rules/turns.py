"""One play in its fixed order, and the course of a turn: draw, play or pass, hand over (docs/games/lanes.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.draws import Stream, shuffle
from croupier.games.lanes.rules.abilities import destroy, note_aura, on_play, put_card, settle, watch_play
from croupier.games.lanes.rules.layout import (
    ACTED,
    ALL_TILES,
    BOARD_FULL,
    CARD_CELLS,
    CARDS,
    CARDS_OF,
    COST,
    DECK_NEXT,
    DECK_SIZE,
    DECKS,
    DREW,
    EVENT_DRAW,
    EVENT_DRAW_EMPTY,
    EVENT_OVER,
    EVENT_PASS,
    EVENT_PLAY,
    EVENT_TURN_END,
    FLAGS,
    HAND_COUNT,
    HAND_ROOM,
    HANDS,
    IS_ON_PLAY,
    MULLIGANED,
    NEXT_UID,
    NOBODY,
    OVER,
    PASSES,
    PLAY_WATCHERS,
    RAISE,
    REPLACED,
    SIDE,
    TILE_CELLS,
    TILES,
    TURN,
    TWO_PASSES,
    note,
)
from croupier.games.lanes.rules.pawns import late_pawns, project
from croupier.games.lanes.rules.powers import power_at


def play(cells: list[int], tables: Sequence[int], log: list[int] | None, side: int, index: int, tile: int) -> None:
    """Play the card at a place in a side's hand on a tile where it is legal. The turn stays open.

    The numbers are the steps of docs/games/lanes.md, The order of a play; the first, all checks, is the caller's.
    """
    card = take_from_hand(cells, side, index)  # 2
    place = CARDS + card * CARD_CELLS
    uid = cells[NEXT_UID]
    note(log, EVENT_PLAY, tile, card, side, uid, index)
    replaced = 0
    if tables[place + COST] == 0:  # 3
        replaced = power_at(cells, tables, TILES + TILE_CELLS * tile)
        destroy(cells, tables, log, 1 << tile, REPLACED)
        settle(cells, tables, log)
    put_card(cells, tables, log, side, card, tile)  # 4
    note_aura(cells, log, tile)
    if cells[PLAY_WATCHERS] != 0:
        watch_play(cells, tables, log, side, tile)  # 5
    waiting = project(cells, tables, log, tile)  # 6
    if tables[place + FLAGS] & IS_ON_PLAY:
        on_play(cells, tables, log, side, card, tile, replaced)  # 7
    settle(cells, tables, log)  # 8
    if waiting != 0:
        late_pawns(cells, log, tile, uid, waiting, side, tables[place + RAISE])  # 9
    cells[PASSES] = 0  # 10
    cells[ACTED] = 1
    cells[MULLIGANED] |= 1 << side
    if cells[CARDS_OF] | cells[CARDS_OF + 1] == ALL_TILES:
        cells[OVER] = BOARD_FULL
        note(log, EVENT_OVER, BOARD_FULL, 0, 0, 0, 0)


def take_from_hand(cells: list[int], side: int, index: int) -> int:
    """Take the card at a place out of a hand and return it; those behind it close up."""
    first = HANDS + side * cells[HAND_ROOM]
    last = first + cells[HAND_COUNT + side] - 1
    card = cells[first + index] >> 1
    for place in range(first + index, last):
        cells[place] = cells[place + 1]
    cells[last] = NOBODY
    cells[HAND_COUNT + side] -= 1
    return card


def draw(cells: list[int], log: list[int] | None, side: int) -> int:
    """Move the next card of a side's deck to the end of its hand and return it; NOBODY from an empty deck."""
    drawn = cells[DECK_NEXT + side]
    if drawn == DECK_SIZE:
        note(log, EVENT_DRAW_EMPTY, side, 0, 0, 0, 0)
        return NOBODY
    at = DECKS + DECK_SIZE * side + drawn
    card = cells[at]
    cells[at] = NOBODY
    cells[DECK_NEXT + side] = drawn + 1
    cells[HANDS + side * cells[HAND_ROOM] + cells[HAND_COUNT + side]] = card
    cells[HAND_COUNT + side] += 1
    note(log, EVENT_DRAW, side, card >> 1, 0, 0, 0)
    return card >> 1


def begin_turn(cells: list[int], log: list[int] | None) -> int:
    """Make the draw that begins a turn and return the card; NOBODY in a side's first turn, or from an empty deck."""
    side = cells[SIDE]
    cells[DREW] = 1
    cells[MULLIGANED] |= 1 << side
    if cells[TURN] <= 2:
        return NOBODY
    return draw(cells, log, side)


def pass_turn(cells: list[int], log: list[int] | None) -> None:
    """Pass: the second time in a row it ends the game."""
    side = cells[SIDE]
    cells[PASSES] += 1
    cells[MULLIGANED] |= 1 << side
    note(log, EVENT_PASS, side, 0, 0, 0, 0)
    end_turn(cells, log)
    if cells[PASSES] == 2:
        cells[OVER] = TWO_PASSES
        note(log, EVENT_OVER, TWO_PASSES, 0, 0, 0, 0)


def end_turn(cells: list[int], log: list[int] | None) -> None:
    """Hand over to the other side."""
    note(log, EVENT_TURN_END, cells[SIDE], 0, 0, 0, 0)
    cells[SIDE] = 1 - cells[SIDE]
    cells[TURN] += 1
    cells[DREW] = 0
    cells[ACTED] = 0


def mulligan(cells: list[int], stream: Stream, side: int, slots: int, pool: list[int]) -> None:
    """Exchange the cards in these slots of a side's hand (a mask). `pool` is room for fifteen cards."""
    cells[MULLIGANED] |= 1 << side
    hand = HANDS + side * cells[HAND_ROOM]
    left = DECK_SIZE - cells[DECK_NEXT + side]
    deck = DECKS + DECK_SIZE * (side + 1) - left
    exchange(stream, cells, hand, cells[HAND_COUNT + side], slots, cells, deck, left, pool)


def exchange(
    stream: Stream, hand: Any, hand_at: int, hand_count: int, slots: int, deck: Any, deck_at: int, left: int, pool: Any
) -> None:
    """Put the cards in these slots of a hand back, shuffle, and fill the slots from the top of the deck.

    The deck has `left` cards. Those put back go below them by rising slot before the shuffle; the first of the
    shuffled ones fill the slots, the lowest first. Without a slot nothing is drawn, and the deck stays as it is.
    """
    if slots == 0:
        return
    count = 0
    for place in range(left):
        pool[count] = deck[deck_at + place]
        count += 1
    for slot in range(hand_count):
        if slots >> slot & 1:
            pool[count] = hand[hand_at + slot]
            count += 1
    shuffle(stream, pool, count)
    taken = 0
    for slot in range(hand_count):
        if slots >> slot & 1:
            hand[hand_at + slot] = pool[taken]
            taken += 1
    for place in range(left):
        deck[deck_at + place] = pool[taken + place]
