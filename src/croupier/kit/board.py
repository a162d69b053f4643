"""Boards: rectangular grids with walls, tracks to run along, and whose turn comes next.

A cell is text, `"x,y"`, so that it can be a key in JSON; x runs to the right from 0, y down from 0. Where
several cells come back they are in reading order, row by row from the top left, unless the function says
otherwise.

    . . .      make_grid(3, 2, walls=["1,1"])
    . # .
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from croupier.kit.errors import KitError

PlayerId = TypeVar("PlayerId")


class Grid(Struct, frozen=True):
    """A board of `width` by `height` cells; pieces cannot enter the walls. Made by `make_grid`."""

    width: int
    height: int
    walls: tuple[str, ...] = ()


def make_grid(width: int, height: int, walls: Iterable[str] = ()) -> Grid:
    """Return a grid; walls are put in reading order, so that equal boards are equal values."""
    if width < 1 or height < 1:
        raise KitError(f"a grid of {width} by {height}: both are 1 or more")
    grid = Grid(width, height)
    distinct = set(walls)
    for wall in distinct:
        _place_on(grid, wall)
    return Grid(width, height, tuple(sorted(distinct, key=_reading_order)))


def cell_id(x: int, y: int) -> str:
    """Return the id of a cell; it may lie off the board.

    >>> cell_id(3, 0)
    '3,0'
    """
    return f"{x},{y}"


# One spelling a cell: ids are compared as text. Nine digits bound what a stranger's text can cost.
_CELL = re.compile(r"(0|-?[1-9][0-9]{0,8}),(0|-?[1-9][0-9]{0,8})")


def parse_cell(cell: str) -> tuple[int, int]:
    """Return the x and y of a cell id; only the spelling of `cell_id` is one.

    >>> parse_cell("3,-1")
    (3, -1)
    """
    match = _CELL.fullmatch(cell)
    if match is None:
        raise KitError(f"{cell!r} is no cell: cells are written x,y like 3,0")
    return int(match[1]), int(match[2])


def in_bounds(grid: Grid, cell: str) -> bool:
    """Tell whether the cell lies on the board, wall or not."""
    x, y = parse_cell(cell)
    return 0 <= x < grid.width and 0 <= y < grid.height


def is_wall(grid: Grid, cell: str) -> bool:
    """Tell whether the cell is a wall; cells off the board are none."""
    parse_cell(cell)
    return cell in grid.walls


def is_passable(grid: Grid, cell: str) -> bool:
    """Tell whether a piece can stand on the cell: on the board and no wall."""
    return in_bounds(grid, cell) and cell not in grid.walls


def manhattan(a: str, b: str) -> int:
    """Return how many steps part two cells when nothing is in the way and no step is diagonal."""
    (ax, ay), (bx, by) = parse_cell(a), parse_cell(b)
    return abs(ax - bx) + abs(ay - by)


def chebyshev(a: str, b: str) -> int:
    """Return how many steps part two cells when nothing is in the way and diagonal steps count as one."""
    (ax, ay), (bx, by) = parse_cell(a), parse_cell(b)
    return max(abs(ax - bx), abs(ay - by))


_STRAIGHT_STEPS = ((0, -1), (-1, 0), (1, 0), (0, 1))
_ALL_STEPS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


def neighbors(grid: Grid, cell: str, diagonal: bool = False) -> tuple[str, ...]:
    """Return the cells that can be entered in one step; walls are left out, and corners may be cut.

    >>> neighbors(make_grid(3, 3, walls=["1,0"]), "1,1")
    ('0,1', '2,1', '1,2')
    """
    x, y = _place_on(grid, cell)
    around = (cell_id(x + dx, y + dy) for dx, dy in (_ALL_STEPS if diagonal else _STRAIGHT_STEPS))
    return tuple(near for near in around if is_passable(grid, near))


def reachable(
    grid: Grid, start: str, steps: int, diagonal: bool = False, blocked: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the cells that a piece can come to within `steps` steps, nearest first; the start is left out.

    `blocked` cells (other pieces) cannot be entered or crossed. Equally near cells are in reading order.

    >>> reachable(make_grid(4, 1), "1,0", 2)
    ('0,0', '2,0', '3,0')
    """
    if steps < 0:
        raise KitError(f"{steps} steps: a count is 0 or more")
    _place_on(grid, start)
    closed = {start}
    for cell in blocked:
        parse_cell(cell)
        closed.add(cell)
    edge = [start]
    found: list[str] = []
    for _ in range(steps):
        beyond = {near for cell in edge for near in neighbors(grid, cell, diagonal)} - closed
        if not beyond:
            break
        edge = sorted(beyond, key=_reading_order)
        closed.update(edge)
        found.extend(edge)
    return tuple(found)


def lines(grid: Grid, length: int) -> tuple[tuple[str, ...], ...]:
    """Return every straight run of `length` cells without a wall, each once: what wins in a row-making game.

    First the runs to the right, then down, then both diagonals; each kind by its first cell in reading order.

    >>> len(lines(make_grid(3, 3), 3)), len(lines(make_grid(7, 6), 4))
    (8, 69)
    """
    if length < 1:
        raise KitError(f"runs of {length} cells: a run has 1 or more")
    # All four directions of a single cell are the same run.
    directions = ((1, 0), (0, 1), (1, 1), (-1, 1)) if length > 1 else ((1, 0),)
    walls = set(grid.walls)
    runs = []
    for dx, dy in directions:
        for y in range(grid.height - (length - 1) * dy):
            for x in range(grid.width):
                if not 0 <= x + (length - 1) * dx < grid.width:
                    continue
                run = tuple(cell_id(x + i * dx, y + i * dy) for i in range(length))
                if walls.isdisjoint(run):
                    runs.append(run)
    return tuple(runs)


def advance_on_track(position: int, steps: int, length: int, loop: bool = False) -> int:
    """Return the square after `steps` squares on a track of 0 to `length` - 1; backwards when negative.

    A loop runs on past its end; any other track stops at its first and last square.

    >>> advance_on_track(8, 5, 10, loop=True), advance_on_track(8, 5, 10), advance_on_track(2, -5, 10)
    (3, 9, 0)
    """
    if not 0 <= position < length:
        raise KitError(f"square {position} on a track of {length}: squares count from 0 to the length less 1")
    if loop:
        return (position + steps) % length
    return min(max(position + steps, 0), length - 1)


def next_player(order: Sequence[PlayerId], current: PlayerId) -> PlayerId:
    """Return who follows the current player, the first after the last.

    >>> next_player(("ann", "bob", "cid"), "cid")
    'ann'
    """
    if order.count(current) != 1:
        raise KitError(f"{current!r} sits {order.count(current)} times in {tuple(order)}: once is right")
    return order[(order.index(current) + 1) % len(order)]


def _place_on(grid: Grid, cell: str) -> tuple[int, int]:
    if not in_bounds(grid, cell):
        raise KitError(f"cell {cell} is off the board: it is {grid.width} wide and {grid.height} high")
    return parse_cell(cell)


def _reading_order(cell: str) -> tuple[int, int]:
    x, y = parse_cell(cell)
    return y, x
