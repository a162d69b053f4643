"""One play in its fixed order, and the course of a turn: draw, play or pass, hand over (docs/games/lanes.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.draws import Stream, shuffle
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.abilities import destroy, note_aura, on_play, put_card, settle, watch_play
from croupier.games.lanes.rules.layout import note
from croupier.games.lanes.rules.pawns import late_pawns, project
from croupier.games.lanes.rules.powers import power_at


def play(cells: list[int], tables: Sequence[int], log: list[int] | None, side: int, index: int, tile: int) -> None:
    """Play the card at a place in a side's hand on a tile where it is legal. The turn stays open.

    The numbers are the steps of docs/games/lanes.md, The order of a play; the first, all checks, is the caller's.
    """
    card = take_from_hand(cells, side, index)  # 2
    place = layout.CARDS + card * layout.CARD_CELLS
    uid = cells[layout.NEXT_UID]
    note(log, layout.EVENT_PLAY, tile, card, side, uid, index)
    replaced = 0
    if tables[place + layout.COST] == 0:  # 3
        replaced = power_at(cells, tables, layout.TILES + layout.TILE_CELLS * tile)
        destroy(cells, tables, log, 1 << tile, layout.REPLACED)
        settle(cells, tables, log)
    put_card(cells, tables, log, side, card, tile)  # 4
    note_aura(cells, log, tile)
    if cells[layout.PLAY_WATCHERS] != 0:
        watch_play(cells, tables, log, side, tile)  # 5
    waiting = project(cells, tables, log, tile)  # 6
    if tables[place + layout.FLAGS] & layout.IS_ON_PLAY:
        on_play(cells, tables, log, side, card, tile, replaced)  # 7
    settle(cells, tables, log)  # 8
    if waiting != 0:
        late_pawns(cells, log, tile, uid, waiting, side, tables[place + layout.RAISE])  # 9
    cells[layout.PASSES] = 0  # 10
    cells[layout.ACTED] = 1
    cells[layout.MULLIGANED] |= 1 << side
    if cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1] == layout.ALL_TILES:
        cells[layout.OVER] = layout.BOARD_FULL
        note(log, layout.EVENT_OVER, layout.BOARD_FULL, 0, 0, 0, 0)


def take_from_hand(cells: list[int], side: int, index: int) -> int:
    """Take the card at a place out of a hand and return it; those behind it close up."""
    first = layout.HANDS + side * cells[layout.HAND_ROOM]
    last = first + cells[layout.HAND_COUNT + side] - 1
    card = cells[first + index] >> 1
    for place in range(first + index, last):
        cells[place] = cells[place + 1]
    cells[last] = layout.NOBODY
    cells[layout.HAND_COUNT + side] -= 1
    return card


def draw(cells: list[int], log: list[int] | None, side: int) -> int:
    """Move the next card of a side's deck to the end of its hand and return it; NOBODY from an empty deck."""
    drawn = cells[layout.DECK_NEXT + side]
    if drawn == layout.DECK_SIZE:
        note(log, layout.EVENT_DRAW_EMPTY, side, 0, 0, 0, 0)
        return layout.NOBODY
    at = layout.DECKS + layout.DECK_SIZE * side + drawn
    card = cells[at]
    cells[at] = layout.NOBODY
    cells[layout.DECK_NEXT + side] = drawn + 1
    cells[layout.HANDS + side * cells[layout.HAND_ROOM] + cells[layout.HAND_COUNT + side]] = card
    cells[layout.HAND_COUNT + side] += 1
    note(log, layout.EVENT_DRAW, side, card >> 1, 0, 0, 0)
    return card >> 1


def begin_turn(cells: list[int], log: list[int] | None) -> int:
    """Make the draw that begins a turn and return the card; NOBODY in a side's first turn, or from an empty deck."""
    side = cells[layout.SIDE]
    cells[layout.DREW] = 1
    cells[layout.MULLIGANED] |= 1 << side
    if cells[layout.TURN] <= 2:
        return layout.NOBODY
    return draw(cells, log, side)


def pass_turn(cells: list[int], log: list[int] | None) -> None:
    """Pass: the second time in a row it ends the game."""
    side = cells[layout.SIDE]
    cells[layout.PASSES] += 1
    cells[layout.MULLIGANED] |= 1 << side
    note(log, layout.EVENT_PASS, side, 0, 0, 0, 0)
    end_turn(cells, log)
    if cells[layout.PASSES] == 2:
        cells[layout.OVER] = layout.TWO_PASSES
        note(log, layout.EVENT_OVER, layout.TWO_PASSES, 0, 0, 0, 0)


def end_turn(cells: list[int], log: list[int] | None) -> None:
    """Hand over to the other side."""
    note(log, layout.EVENT_TURN_END, cells[layout.SIDE], 0, 0, 0, 0)
    cells[layout.SIDE] = 1 - cells[layout.SIDE]
    cells[layout.TURN] += 1
    cells[layout.DREW] = 0
    cells[layout.ACTED] = 0


def mulligan(cells: list[int], stream: Stream, side: int, slots: int, pool: list[int]) -> None:
    """Exchange the cards in these slots of a side's hand (a mask). `pool` is room for fifteen cards."""
    cells[layout.MULLIGANED] |= 1 << side
    hand = layout.HANDS + side * cells[layout.HAND_ROOM]
    left = layout.DECK_SIZE - cells[layout.DECK_NEXT + side]
    deck = layout.DECKS + layout.DECK_SIZE * (side + 1) - left
    exchange(stream, cells, hand, cells[layout.HAND_COUNT + side], slots, cells, deck, left, pool)


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
