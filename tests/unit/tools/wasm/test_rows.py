"""Every kernel compiled to WebAssembly gives the rows that CPython gives, under every policy and set of options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain, islice
from types import FunctionType
from typing import Any

import pytest

from croupier.house import Plan
from croupier.kit.rows import tail
from croupier.rng import GameRng
from tests.games.test_kernels_compiled import CASES, SEEDS, plans, policies
from tests.unit.tools.wasm.modules import call_all
from tests.web.page_modules import needs_node
from tools.wasm.code import ARRAY
from tools.wasm.compiler import Compiler
from tools.wasm.streams import STREAM_SIZE, open_stream

pytestmark = needs_node

ROWS, SOAK_ROWS = 10, 1_000
PLANS_EACH = 2  # of each policy: plain and super; the soak test has all options


def row_player(step: Any) -> FunctionType:
    """Return a function of the numeric subset that plays sessions with a kernel, each into a row of zeros.

    It returns the number of moves. `facts` are the first session, how many, the first move, the size of a row, and
    where in `contents` each part ends: seed, kinds, numbers, stakes, options, work, spare.
    """

    def play(stream: Any, facts: Any, contents: Any, rows: Any) -> int:
        seed = contents[0 : facts[4]]
        kinds = contents[facts[4] : facts[5]]
        numbers = contents[facts[5] : facts[6]]
        stakes = contents[facts[6] : facts[7]]
        options = contents[facts[7] : facts[8]]
        work = contents[facts[8] : facts[9]]
        spare = contents[facts[9] : facts[10]]
        moves = 0
        for i in range(facts[1]):
            row = tail(rows, i * facts[3])
            move = facts[2]
            while True:  # the first move may be number 0
                open_stream(stream, seed, facts[0] + i, move)
                move = step(stream, move, row, kinds, numbers, stakes, options, work, spare)
                moves += 1
                if move == 0:
                    break
        return moves

    assert isinstance(play, FunctionType)
    return play


def rows_by_python(plan: Plan, seed: bytes, first: int, count: int) -> Iterator[list[int]]:
    work, spare = [0] * plan.work_size, [0] * plan.work_size
    for session in range(first, first + count):
        row, move = [0] * plan.row_size, plan.first_move
        while True:  # the first move may be number 0
            stream = GameRng.new(seed, session, move)
            move = plan.step(stream, move, row, plan.kinds, plan.numbers, plan.stakes, plan.options, work, spare)
            if move == 0:
                break
        yield [int(value) for value in row]


def compare_rows(game_id: str, count: int, plans_each: int | None) -> None:
    found = [plan for policy in policies(game_id) for plan, _ in islice(plans(game_id, policy), plans_each)]
    compiler = Compiler()
    compiler.export(row_player(found[0].step), ARRAY, ARRAY, ARRAY, ARRAY)
    code, calls = compiler.module.write(), list[dict[str, Any]]()
    cases = [(plan, (*SEEDS, bytes(range(200)))[i % 4], i % 2 * 2**40) for i, plan in enumerate(found)]
    for plan, seed, first in cases:
        assert plan.step is found[0].step
        room = [0] * plan.work_size
        parts = [list(seed), plan.kinds, plan.numbers, plan.stakes, plan.options, room, room]
        facts = [first, count, plan.first_move, plan.row_size, *accumulate(map(len, parts))]
        args = [[0] * STREAM_SIZE, facts, [*chain(*parts)], [0] * count * plan.row_size]
        calls.append({"name": "play", "args": args, "read": [3]})
    for (plan, seed, first), (moves, arrays) in zip(cases, call_all(code, calls), strict=True):
        got = [arrays[0][i : i + plan.row_size] for i in range(0, count * plan.row_size, plan.row_size)]
        assert moves >= count
        assert all(any(row) for row in got)  # something was played
        assert got == list(rows_by_python(plan, seed, first, count))


@pytest.mark.parametrize("game_id", CASES)
def test_a_kernel_in_webassembly_gives_the_rows_of_cpython(game_id):
    compare_rows(game_id, ROWS, PLANS_EACH)


@pytest.mark.soak
@pytest.mark.parametrize("game_id", CASES)
def test_a_kernel_in_webassembly_gives_a_thousand_rows_of_cpython(game_id):
    compare_rows(game_id, SOAK_ROWS, None)
