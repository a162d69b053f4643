"""Boards against oracles that work another way: whole-board sweeps, complex numbers, brute force."""

from __future__ import annotations

from functools import partial
from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.kit.board import (
    Grid,
    advance_on_track,
    cell_id,
    chebyshev,
    in_bounds,
    is_passable,
    is_wall,
    lines,
    make_grid,
    manhattan,
    neighbors,
    next_player,
    parse_cell,
    reachable,
)
from croupier.kit.errors import KitError

coordinates = st.integers(-(10**9) + 1, 10**9 - 1)
near = st.integers(-8, 8)


def cells_of(width: int, height: int) -> list[str]:
    return [f"{x},{y}" for y in range(height) for x in range(width)]


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return make_grid(width, height, draw(st.lists(st.sampled_from(cells_of(width, height)))))


@st.composite
def grids_and_cells(draw: st.DrawFn) -> tuple[Grid, str]:
    grid = draw(grids())
    return grid, draw(st.sampled_from(cells_of(grid.width, grid.height)))


@given(coordinates, coordinates)
def test_a_cell_id_leads_back_to_its_coordinates(x: int, y: int) -> None:
    assert parse_cell(cell_id(x, y)) == (x, y)


NOT_CELLS = (
    *("", ",", "1", "1,", ",1", "1,2,3", "a,b", "1;2", "1.0,2"),
    *("1, 2", " 1,2", "1,2 ", "1,2\n", "01,2", "1,02", "-0,1", "+1,2", "--1,2"),
    *("\u0661,2", f"{10**9},0", "9" * 10_000 + ",0"),
)


@pytest.mark.parametrize("text", NOT_CELLS)
def test_a_cell_has_one_spelling_and_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(KitError, match="is no cell"):
        parse_cell(text)


def test_walls_are_kept_once_in_reading_order_so_equal_boards_are_equal() -> None:
    grid = make_grid(3, 12, ["2,10", "1,2", "0,2", "2,1", "1,2"])

    assert grid.walls == ("2,1", "0,2", "1,2", "2,10")
    assert grid == make_grid(3, 12, iter(["1,2", "2,1", "0,2", "2,10"]))


THREE = make_grid(3, 3)
IMPOSSIBLE = [
    *((partial(make_grid, *size), "a grid of {} by {}".format(*size)) for size in ((0, 3), (3, 0), (-1, 2))),
    *(
        (partial(make_grid, 3, 2, [wall]), f"cell {wall} is off the board: it is 3 wide and 2 high")
        for wall in ("3,0", "0,2", "-1,0")
    ),
    *((partial(ask, THREE, "01,1"), "is no cell") for ask in (in_bounds, is_wall, is_passable)),
    (partial(reachable, THREE, "3,0", 1), "cell 3,0 is off the board"),
    (partial(neighbors, THREE, "0,-1"), "cell 0,-1 is off the board"),
    (partial(reachable, THREE, "1,1", -1), "-1 steps"),
    (partial(reachable, THREE, "1,1", 1, blocked=["x"]), "is no cell"),
    *((partial(lines, THREE, length), f"runs of {length} cells") for length in (0, -1)),
    *(
        (partial(advance_on_track, square, 1, length), f"square {square} on a track of {length}")
        for square, length in ((-1, 10), (10, 10), (0, 0))
    ),
    *((partial(next_player, order, "cid"), "'cid' sits") for order in ((), ("ann", "bob"), ("cid", "ann", "cid"))),
]


@pytest.mark.parametrize(("ask", "words"), IMPOSSIBLE)
def test_an_impossible_question_is_an_error_that_says_why(ask: partial[object], words: str) -> None:
    with pytest.raises(KitError, match=words):
        ask()


@given(grids())
def test_a_grid_survives_being_saved_and_loaded(grid: Grid) -> None:
    assert msgspec.json.decode(msgspec.json.encode(grid), type=Grid) == grid


@given(grids(), near, near)
def test_a_cell_can_be_stood_on_when_it_is_on_the_board_and_no_wall(grid: Grid, x: int, y: int) -> None:
    cell = f"{x},{y}"
    on_board = cell in cells_of(grid.width, grid.height)

    assert in_bounds(grid, cell) == on_board
    assert is_wall(grid, cell) == (cell in grid.walls)
    assert is_passable(grid, cell) == (on_board and cell not in grid.walls)


@pytest.mark.parametrize(
    ("a", "b", "steps", "king_steps"),
    [
        ("0,0", "0,0", 0, 0),
        ("0,0", "3,0", 3, 3),
        ("1,1", "4,5", 7, 4),
        ("4,5", "1,1", 7, 4),
        ("-2,0", "2,-1", 5, 4),
    ],
)
def test_distances_count_steps(a: str, b: str, steps: int, king_steps: int) -> None:
    assert manhattan(a, b) == steps
    assert chebyshev(a, b) == king_steps


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
def test_distances_are_the_steps_of_a_walk_over_an_open_board(ax: int, ay: int, bx: int, by: int) -> None:
    a, b = f"{ax},{ay}", f"{bx},{by}"
    board = make_grid(5, 5)

    for distance, diagonal in ((manhattan, False), (chebyshev, True)):
        first = next(n for n in range(9) if a == b or b in reachable(board, a, n, diagonal))
        assert distance(a, b) == first


def test_neighbours_come_in_reading_order() -> None:
    grid = make_grid(3, 3)

    assert neighbors(grid, "1,1") == ("1,0", "0,1", "2,1", "1,2")
    assert neighbors(grid, "1,1", diagonal=True) == ("0,0", "1,0", "2,0", "0,1", "2,1", "0,2", "1,2", "2,2")
    assert neighbors(grid, "0,0") == ("1,0", "0,1")
    assert neighbors(grid, "2,2", diagonal=True) == ("1,1", "2,1", "1,2")


@given(grids_and_cells(), st.booleans())
def test_neighbours_are_the_cells_one_step_away_without_the_walls(
    grid_and_cell: tuple[Grid, str], diagonal: bool
) -> None:
    grid, cell = grid_and_cell
    x, y = map(int, cell.split(","))
    reach = (1, 2) if diagonal else (1,)  # squared straight-line distance

    expected = [
        other
        for other in cells_of(grid.width, grid.height)
        if (int(other.split(",")[0]) - x) ** 2 + (int(other.split(",")[1]) - y) ** 2 in reach
        and other not in grid.walls
    ]

    assert list(neighbors(grid, cell, diagonal)) == expected


def steps_to_each_cell(grid: Grid, start: str, diagonal: bool, blocked: list[str]) -> dict[str, int]:
    """Sweep the whole board until no cell gets nearer: slow, without queue or neighbours."""
    far = 10**6
    steps = {complex(*map(int, cell.split(","))): far for cell in cells_of(grid.width, grid.height)}
    closed = {complex(*map(int, cell.split(","))) for cell in (*grid.walls, *blocked)}
    here = complex(*map(int, start.split(",")))
    steps[here] = 0
    reach = 1.5 if diagonal else 1.0
    changed = True
    while changed:
        changed = False
        for a, b in product(steps, steps):
            if abs(a - b) <= reach and b not in closed and steps[a] + 1 < steps[b]:
                steps[b] = steps[a] + 1
                changed = True
    return {f"{int(p.real)},{int(p.imag)}": n for p, n in steps.items() if 0 < n < far}


@given(st.data(), st.integers(0, 9), st.booleans())
def test_reachable_cells_match_a_sweep_over_the_whole_board(data: st.DataObject, steps: int, diagonal: bool) -> None:
    grid = data.draw(grids())
    cells = cells_of(grid.width, grid.height)
    start = data.draw(st.sampled_from(cells))
    blocked = data.draw(st.lists(st.sampled_from(cells), max_size=6))
    nearest = steps_to_each_cell(grid, start, diagonal, blocked)

    found = reachable(grid, start, steps, diagonal, blocked)

    within = [cell for cell in cells if nearest.get(cell, 10**6) <= steps]
    assert list(found) == sorted(within, key=lambda cell: nearest[cell])  # stable: reading order within a distance


def test_a_wall_turns_a_short_way_into_a_long_one() -> None:
    grid = make_grid(3, 3, walls=["1,0", "1,1"])

    assert "2,0" not in reachable(grid, "0,0", 5)
    assert reachable(grid, "0,0", 6)[-1] == "2,0"
    assert reachable(grid, "0,0", 4, diagonal=True)[-1] == "2,0"  # cuts both corners


def test_blocked_cells_can_be_neither_entered_nor_crossed_but_the_start_may_be_one() -> None:
    grid = make_grid(4, 1)

    assert reachable(grid, "1,0", 9, blocked=["2,0"]) == ("0,0",)
    assert reachable(grid, "1,0", 9, blocked=["1,0"]) == ("0,0", "2,0", "3,0")
    assert reachable(grid, "1,0", 9, blocked=iter(["0,0", "9,9"])) == ("2,0", "3,0")


def test_no_steps_lead_nowhere_and_very_many_end_at_the_edge() -> None:
    assert reachable(make_grid(3, 3), "1,1", 0) == ()
    assert len(reachable(make_grid(3, 3), "1,1", 10**12)) == 8


def test_noughts_and_crosses_has_eight_lines() -> None:
    assert lines(make_grid(3, 3), 3) == (
        ("0,0", "1,0", "2,0"),
        ("0,1", "1,1", "2,1"),
        ("0,2", "1,2", "2,2"),
        ("0,0", "0,1", "0,2"),
        ("1,0", "1,1", "1,2"),
        ("2,0", "2,1", "2,2"),
        ("0,0", "1,1", "2,2"),
        ("2,0", "1,1", "0,2"),
    )


@pytest.mark.parametrize(
    ("width", "height", "length", "count"),
    [(7, 6, 4, 69), (15, 15, 5, 572), (3, 3, 1, 9), (1, 5, 3, 3), (5, 1, 3, 3), (2, 2, 2, 6), (3, 3, 4, 0)],
)
def test_boards_have_the_known_number_of_lines(width: int, height: int, length: int, count: int) -> None:
    assert len(lines(make_grid(width, height), length)) == count


@given(grids(), st.integers(1, 6))
def test_lines_are_all_the_straight_runs_each_once_and_without_a_wall(grid: Grid, length: int) -> None:
    """Walks from every cell in all eight directions, then forgets which end was first."""
    expected = set()
    for x, y in product(range(grid.width), range(grid.height)):
        for dx, dy in product((-1, 0, 1), repeat=2):
            if dx or dy:
                run = [f"{x + dx * i},{y + dy * i}" for i in range(length)]
                if all(cell in cells_of(grid.width, grid.height) and cell not in grid.walls for cell in run):
                    expected.add(frozenset(run))

    found = lines(grid, length)

    assert {frozenset(run) for run in found} == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("position", "steps", "on_a_loop", "on_a_lane"),
    [(0, 0, 0, 0), (8, 1, 9, 9), (8, 2, 0, 9), (8, 25, 3, 9), (0, -1, 9, 0), (3, -14, 9, 0), (9, -9, 0, 0)],
)
def test_a_loop_runs_on_and_a_lane_stops_at_its_ends(position: int, steps: int, on_a_loop: int, on_a_lane: int) -> None:
    assert advance_on_track(position, steps, 10, loop=True) == on_a_loop
    assert advance_on_track(position, steps, 10, loop=False) == on_a_lane
    assert advance_on_track(position, steps, 10) == on_a_lane


@given(st.integers(1, 40), st.data())
def test_steps_on_a_loop_can_be_taken_back_and_split(length: int, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, length - 1))
    first, second = data.draw(st.integers(-100, 100)), data.draw(st.integers(-100, 100))

    half_way = advance_on_track(position, first, length, loop=True)

    assert advance_on_track(half_way, -first, length, loop=True) == position
    assert advance_on_track(half_way, second, length, True) == advance_on_track(position, first + second, length, True)


@given(st.lists(st.text(min_size=1), unique=True, min_size=1))
def test_going_round_the_table_meets_everyone_once_in_order(order: list[str]) -> None:
    met = [order[0]]
    for _ in order[1:]:
        met.append(next_player(order, met[-1]))

    assert met == order
    assert next_player(order, met[-1]) == order[0]


def test_alone_at_the_table_one_follows_oneself() -> None:
    assert next_player((0,), 0) == 0
