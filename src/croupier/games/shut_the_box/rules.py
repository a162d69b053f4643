"""The rules of Shut the Box in numbers: roll, then shut tiles that are up and add up to the total.

A board is a bit mask: bit t - 1 is set while tile t is up, so tiles 1, 5 and 9 up are 0b100010001. A set of
tiles to shut is a mask too, and shutting it leaves `board ^ set`. The game ends at the first total that no
set makes, or when the last tile is shut; what is up then is the score, and low is good.

Everything here is in the numeric subset and trusts its arguments: a tile count of 9, 10 or 12, a board of
such a box, totals of one or two dice. The match, the plain object, the solver and the compiled kernel all
call these functions, so no rule is stated twice.
"""

from __future__ import annotations

from croupier.draws import Stream, roll_die

TILE_COUNTS = (9, 10, 12)
TOTAL_MAX = 12

# When one die is enough (rules.md, Variants).
DIE_HIGH_TILES_DOWN, DIE_SUM_AT_MOST_SIX, DIE_ALWAYS_TWO = 0, 1, 2
SCORE_SUM, SCORE_DIGITS = 0, 1

TOTALS_MASK = (1 << (TOTAL_MAX + 1)) - 1


def full_board(tile_count: int) -> int:
    """Return the board with every tile up.

    >>> bin(full_board(9))
    '0b111111111'
    """
    return (1 << tile_count) - 1


def tile_up(board: int, tile: int) -> bool:
    """Tell whether `tile` is up."""
    return (board >> (tile - 1)) & 1 == 1


def count_up(board: int) -> int:
    """Return how many tiles are up."""
    count = 0
    while board > 0:
        board &= board - 1  # clears the lowest tile that is up
        count += 1
    return count


def highest_up(board: int) -> int:
    """Return the highest tile that is up, or 0 for the shut box."""
    tile = 0
    while board > 0:
        board >>= 1
        tile += 1
    return tile


def board_sum(board: int) -> int:
    """Return the sum of the tiles that are up.

    >>> board_sum(full_board(9)), board_sum(0b100010001)
    (45, 15)
    """
    total = 0
    tile = 1
    while board > 0:
        if board & 1:
            total += tile
        board >>= 1
        tile += 1
    return total


def board_digits(board: int) -> int:
    """Return the tiles that are up, written in a row and read as one number; 0 for the shut box.

    A tile of two digits brings both of them. The full box of twelve gives 123456789101112, which fits 63
    bits.

    >>> board_digits(0b100010001)  # tiles 1, 5, 9
    159
    >>> board_digits(0b101000000001)  # tiles 1, 10, 12
    11012
    """
    number = 0
    tile = 1
    while board > 0:
        if board & 1:
            number = number * (10 if tile < 10 else 100) + tile
        board >>= 1
        tile += 1
    return number


def board_score(board: int, scoring: int) -> int:
    """Return the score of a game that ends on `board`: the sum of what is up, or its digits as one number."""
    if scoring == SCORE_DIGITS:
        return board_digits(board)
    return board_sum(board)


def one_die_allowed(board: int, die_rule: int) -> bool:
    """Tell whether the next roll may be made with one die.

    The high tiles are 7 and up in a box of any size. Under the standard rules one die is not only allowed but
    forced: `dice_max` knows.

    >>> one_die_allowed(0b000111111, DIE_HIGH_TILES_DOWN), one_die_allowed(0b001000000, DIE_HIGH_TILES_DOWN)
    (True, False)
    >>> one_die_allowed(0b000000111, DIE_SUM_AT_MOST_SIX), one_die_allowed(0b000001010, DIE_SUM_AT_MOST_SIX)
    (True, True)
    >>> one_die_allowed(0b000001011, DIE_SUM_AT_MOST_SIX), one_die_allowed(0b000000001, DIE_ALWAYS_TWO)
    (False, False)
    """
    if die_rule == DIE_HIGH_TILES_DOWN:
        return board >> 6 == 0
    if die_rule == DIE_SUM_AT_MOST_SIX:
        return board_sum(board) <= 6
    return False


def dice_min(board: int, die_rule: int) -> int:
    """Return the fewest dice that may be rolled."""
    if one_die_allowed(board, die_rule):
        return 1
    return 2


def dice_max(board: int, die_rule: int, die_choice: bool) -> int:
    """Return the most dice that may be rolled: one die, where allowed, is forced unless there is a choice."""
    if one_die_allowed(board, die_rule) and not die_choice:
        return 1
    return 2


def roll(stream: Stream, dice: int) -> tuple[int, int]:
    """Return the faces of one or two dice, drawn first die first. With one die the second value is 0."""
    first = roll_die(stream)
    if dice == 1:
        return first, 0
    return first, roll_die(stream)


def total_ways(dice: int, total: int) -> int:
    """Return in how many of the 6 or 36 equally likely rolls the dice show `total`.

    >>> [total_ways(2, total) for total in range(1, 14)]
    [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0]
    """
    if total < dice or total > 6 * dice:
        return 0
    if dice == 1:
        return 1
    return 6 - abs(total - 7)


def can_make(board: int, total: int) -> bool:
    """Tell whether some set of up tiles adds up to `total`; 0 cannot be made, as the empty set is no set.

    >>> can_make(0b100000000, 9), can_make(0b100000000, 2)
    (True, False)
    """
    if total < 1 or total > TOTAL_MAX:
        return False
    reached = 1  # bit s is set when some set of the tiles so far adds up to s
    tile = 1
    while board > 0:
        if board & 1:
            # Cut at the largest total: twelve tiles add up to 78, and a compiled integer has 63 bits.
            reached |= (reached << tile) & TOTALS_MASK
        board >>= 1
        tile += 1
    return (reached >> total) & 1 == 1


def next_set(board: int, total: int, previous: int) -> int:
    """Return the valid set that comes after `previous`, 0 after the last; `previous` = 0 asks for the first.

    The order is the lexicographic order of the sets as ascending tuples. The mask is its own stack: the
    search drops the highest tile and goes on with the next one above it, so nothing is allocated.

    >>> bin(next_set(0b1111111, 7, 0)), bin(next_set(0b1111111, 7, 0b1011))  # 1 2 4, then 1 6
    ('0b1011', '0b100001')
    >>> next_set(0b1111111, 7, 0b1000000)  # 7 alone is the last
    0
    """
    chosen = previous
    left = total
    tile = 1
    if previous > 0:
        left = highest_up(previous)
        chosen ^= 1 << (left - 1)
        tile = left + 1
    while left > 0:
        while tile <= left and not tile_up(board, tile):
            tile += 1
        if tile <= left:
            chosen |= 1 << (tile - 1)
            left -= tile
        elif chosen == 0:
            return 0
        else:
            tile = highest_up(chosen)
            chosen ^= 1 << (tile - 1)
            left += tile
        tile += 1
    return chosen


def set_at(board: int, total: int, index: int) -> int:
    """Return the valid set at `index`, counted from 0 in lexicographic order; 0 past the last."""
    chosen = next_set(board, total, 0)
    while index > 0 and chosen > 0:
        chosen = next_set(board, total, chosen)
        index -= 1
    return chosen


def highest_tile_set(board: int, total: int) -> int:
    """Return the valid set with the highest tile; 0 when there is none.

    Equal highest tiles are told apart by the second highest, and so on: as a number it is the greatest mask.

    >>> bin(highest_tile_set(0b110001011, 12))  # up are 1 2 4 8 9: 1 2 9 rather than 4 8
    '0b100000011'
    """
    best = 0
    chosen = next_set(board, total, 0)
    while chosen > 0:
        if chosen > best:
            best = chosen
        chosen = next_set(board, total, chosen)
    return best


def fewest_tiles_set(board: int, total: int) -> int:
    """Return the valid set of the fewest tiles; 0 when there is none.

    Among sets of equally few tiles it is the one with the highest tile, then the second highest, and so on.

    >>> bin(fewest_tiles_set(0b110001011, 12))  # up are 1 2 4 8 9: 4 8 rather than 1 2 9
    '0b10001000'
    """
    best = 0
    best_count = TOTAL_MAX
    chosen = next_set(board, total, 0)
    while chosen > 0:
        count = count_up(chosen)
        if count < best_count or (count == best_count and chosen > best):
            best = chosen
            best_count = count
        chosen = next_set(board, total, chosen)
    return best
