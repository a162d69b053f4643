"""Evaluation of positions in whole numbers: what one is worth, the best move now, after one reply, or at the end.

    evaluate        the score as it stands, and the tiles a side can still play on
    greedy_move     the move after which that is most
    one_reply_move  the move whose worst reply leaves most
    playout_move    the move that wins most often when the game is played on; by far the strongest of the three
    mulligan_slots  what to put back from the opening hand

All of it is the numeric subset on the rows of `rules`: bots call it as it stands, and the simulator compiles it. Who
thinks knows what its side knows: hidden cards are dealt again before anybody looks at what they could do.

Every function writes to the rows it is given and to nothing else. Those that look ahead share a desk of rows, which
`desk_rows` makes; `…_move` choose a move for the side whose turn it is, and are called alike.
"""

from __future__ import annotations

from croupier.draws import Stream, bounded_usize
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.layout import tile_count
from croupier.games.lanes.rules.playouts import PASS_MOVE, legal_moves, make_move, redeal
from croupier.games.lanes.rules.scoring import margin
from croupier.games.lanes.rules.turns import begin_turn
from croupier.kit.rows import Ints

Row = list[int]
"""Whole numbers that a function here writes."""
Desk = tuple[Row, ...]
"""Rows to think on: own moves and replies, the game dealt again, after a move and after a reply, and so on."""
MOVES, REPLIES, DEALT, AFTER, ANSWERED, POOL, BEST, KEPT, SUMS = range(9)

# What a point of the score, and an empty tile of one's own with 1, 2 and 3 pawns, are worth. Found by play between
# one-reply players.
WEIGHTS = (1, 4, 7, 10)
SHORTLIST, PLAYOUTS, TRIED = 8, 8, 8
WON = 1_000_000  # a game that is over counts for more than any board
WIN_BONUS = 100  # and at the end of a playout, winning for more than most margins
WORST = -(2**62)
COST_KEPT_MAX = 2  # dearer cards, and those that need a card to replace, go back in the mulligan


def evaluate(cells: Row, tables: Ints, side: int) -> int:
    """Return what a position is worth to a side: the score as it stands, and the tiles it can still play on."""
    ahead = margin(cells, tables)
    value = WEIGHTS[0] * ahead
    if cells[layout.OVER] != 0:
        if ahead > 0:
            value += WON
        elif ahead < 0:
            value -= WON
    else:
        free = ~(cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1])
        below = 0
        for rank in range(3):
            # The masks hold tiles with at least so many pawns: a rank adds what it is worth above the rank below.
            own = tile_count(cells[layout.PAWNS_OF + rank] & free)
            other = tile_count(cells[layout.PAWNS_OF + 3 + rank] & free)
            value += (WEIGHTS[1 + rank] - below) * (own - other)
            below = WEIGHTS[1 + rank]
    return value if side == 0 else -value


def try_move(cells: Row, tables: Ints, side: int, move: int, after: Row) -> int:
    """Make a move in a copy of the game, `after`, and return what the position is worth to a side then."""
    copy_row(cells, after)
    make_move(after, tables, None, move)
    return evaluate(after, tables, side)


def copy_row(row: Row, to: Row) -> None:
    """Write a row over another of the same length."""
    for place in range(len(row)):
        to[place] = row[place]


def is_repeated(cells: Row, side: int, move: int) -> bool:
    """Tell whether the move says nothing new, because an equal card stands further to the front of the hand."""
    hand = layout.HANDS + side * cells[layout.HAND_ROOM]
    found = False
    if move != PASS_MOVE:
        card = cells[hand + (move >> 4)] >> 1
        for place in range(hand, hand + (move >> 4)):
            found = found or cells[place] >> 1 == card
    return found


def distinct_moves(cells: Row, tables: Ints, side: int, moves: Row) -> int:
    """Write the legal moves of a side into `moves`, of equal cards those of the first alone, and return how many."""
    count = 0
    for index in range(legal_moves(cells, tables, side, moves)):
        if not is_repeated(cells, side, moves[index]):
            moves[count] = moves[index]
            count += 1
    return count


def mulligan_slots(cells: Row, tables: Ints, side: int) -> int:
    """Return the places of the opening hand to put back, as a mask: cards that cannot be played in the first turns."""
    hand = layout.HANDS + side * cells[layout.HAND_ROOM]
    slots = 0
    for index in range(cells[layout.HAND_COUNT + side]):
        cost = tables[layout.CARDS + (cells[hand + index] >> 1) * layout.CARD_CELLS + layout.COST]
        if cost == 0 or cost > COST_KEPT_MAX:
            slots |= 1 << index
    return slots


def desk_rows(cells: Ints) -> Desk:
    """Return a desk for games of this size."""
    room = cells[layout.HAND_ROOM]
    moves, size = 15 * room + 1, len(cells)
    return tuple([0] * length for length in (moves, moves, size, size, size, 15 + room, size, SHORTLIST, SHORTLIST))


# --- Looking at moves -------------------------------------------------------------------------------------------------


def greedy_move(cells: Row, tables: Ints, stream: Stream, desk: Desk) -> int:
    """Return the move after which the position is worth most to the side whose turn it is; the first of several."""
    side = cells[layout.SIDE]
    best_value = WORST
    best = PASS_MOVE
    for index in range(distinct_moves(cells, tables, side, desk[MOVES])):
        move = desk[MOVES][index]
        value = try_move(cells, tables, side, move, desk[AFTER])
        if value > best_value:
            best_value = value
            best = move
    return best


def one_reply_move(cells: Row, tables: Ints, stream: Stream, desk: Desk) -> int:
    """Return the move whose worst reply leaves the side whose turn it is best off; the first of several.

    What the side cannot know is dealt again once, so the replies are those of one hand the other side might have.
    """
    side = cells[layout.SIDE]
    copy_row(cells, desk[DEALT])
    redeal(desk[DEALT], stream, side, desk[POOL])
    best_value = WORST
    best = PASS_MOVE
    for index in range(distinct_moves(cells, tables, side, desk[MOVES])):
        move = desk[MOVES][index]
        value = try_move(desk[DEALT], tables, side, move, desk[AFTER])
        if desk[AFTER][layout.OVER] == 0:
            value = worst_reply(desk[AFTER], tables, side, desk, best_value)
        if value > best_value:
            best_value = value
            best = move
    return best


def worst_reply(cells: Row, tables: Ints, side: int, desk: Desk, enough: int) -> int:
    """Return what a position is worth to a side after the reply that hurts it most.

    Once a reply leaves no more than `enough`, the others are not looked at.
    """
    begin_turn(cells, None)
    worst = -WORST
    for index in range(distinct_moves(cells, tables, 1 - side, desk[REPLIES])):
        if worst > enough:
            worst = min(worst, try_move(cells, tables, side, desk[REPLIES][index], desk[ANSWERED]))
    return worst


# --- Playing on to the end --------------------------------------------------------------------------------------------


def playout_move(cells: Row, tables: Ints, stream: Stream, desk: Desk) -> int:
    """Return the move that does best when the game is played on to its end time and again, hidden cards dealt anew.

    The moves that look best at once are tried `PLAYOUTS` times each, the better half of them twice as often again, and
    so on until one is left. All moves of a round meet the same hidden cards.
    """
    side = cells[layout.SIDE]
    kept, sums = desk[KEPT], desk[SUMS]
    count = shortlist(cells, tables, desk)
    times = PLAYOUTS
    for index in range(count):
        sums[index] = 0
    while count > 1:
        for _ in range(times):
            copy_row(cells, desk[DEALT])
            redeal(desk[DEALT], stream, side, desk[POOL])
            for index in range(count):
                try_move(desk[DEALT], tables, side, kept[index], desk[AFTER])
                play_on(desk[AFTER], tables, stream, desk)
                sums[index] += outcome(desk[AFTER], tables, side)
        for place in range(1, count):
            move_up(kept, sums, place)
        count = (count + 1) // 2
        times *= 2
    return kept[0]


def shortlist(cells: Row, tables: Ints, desk: Desk) -> int:
    """Write the moves that look best at once into `KEPT`, best first, and return how many they are."""
    side = cells[layout.SIDE]
    kept, sums = desk[KEPT], desk[SUMS]
    count = 0
    for index in range(distinct_moves(cells, tables, side, desk[MOVES])):
        value = try_move(cells, tables, side, desk[MOVES][index], desk[AFTER])
        if count < SHORTLIST or value > sums[SHORTLIST - 1]:
            count = min(count + 1, SHORTLIST)
            kept[count - 1] = desk[MOVES][index]
            sums[count - 1] = value
            move_up(kept, sums, count - 1)
    return count


def play_on(cells: Row, tables: Ints, stream: Stream, desk: Desk) -> None:
    """Play a game on to its end: each side tries a few moves at random and makes the best; it passes if it must."""
    while cells[layout.OVER] == 0:
        begin_turn(cells, None)
        side = cells[layout.SIDE]
        count = max(legal_moves(cells, tables, side, desk[REPLIES]) - 1, 1)
        best_value = WORST
        for _ in range(min(count, TRIED)):
            move = desk[REPLIES][bounded_usize(stream, count)]
            value = try_move(cells, tables, side, move, desk[ANSWERED])
            if value > best_value:
                best_value = value
                copy_row(desk[ANSWERED], desk[BEST])
        copy_row(desk[BEST], cells)


def outcome(cells: Row, tables: Ints, side: int) -> int:
    """Return what a game that is over is worth to a side: winning first, then by how much."""
    ahead = margin(cells, tables)
    if ahead > 0:
        ahead += WIN_BONUS
    elif ahead < 0:
        ahead -= WIN_BONUS
    return ahead if side == 0 else -ahead


def move_up(kept: Row, sums: Row, place: int) -> None:
    """Move what stands at a place forward past all smaller sums; equal ones stay as they are."""
    move = kept[place]
    total = sums[place]
    while place > 0 and sums[place - 1] < total:
        kept[place] = kept[place - 1]
        sums[place] = sums[place - 1]
        place -= 1
    kept[place] = move
    sums[place] = total
