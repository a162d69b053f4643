"""The compiler of the numeric subset to WebAssembly against CPython: programs written at random, and awkward ones."""

from __future__ import annotations

import itertools
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier import draws
from croupier.rng import GameRng
from tests.environments import load_file
from tests.unit.tools.wasm.modules import call_all
from tests.unit.tools.wasm.programs import ROW, Writer
from tests.web.page_modules import needs_node
from tools.wasm import streams
from tools.wasm.code import ARRAY, NUMBER, NotInSubset
from tools.wasm.compiler import Compiler

pytestmark = needs_node

PROGRAMS, SOAK_PROGRAMS = 150, 6_000
NUMBERS = (-(2**40), -100, -9, -8, -7, -3, -2, -1, 0, 1, 2, 3, 4, 6, 7, 8, 9, 12, 100, 2**40 + 5)
TABLE = (5, -7, 11, 13)


def loaded(text: str, folder: Path, name: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text)
    return load_file(path)


def in_python(function: Any, a: int, b: int, row: list[int]) -> Any:
    """Call a function in CPython: value and row, or "trap" where it raises."""
    row = list(row)
    try:
        return int(function(a, b, row)), [row]
    except (ZeroDivisionError, IndexError, ValueError, OverflowError):
        return "trap"


def compare_programs(folder: Path, seed: int, count: int, inline_max: int) -> tuple[int, int]:
    """Compare a module of programs; return how many calls gave a value and how many trapped."""
    module = loaded(Writer(seed).module(count), folder, f"programs_{seed}_{inline_max}")
    functions = [getattr(module, f"f{number}") for number in range(count)]
    compiler = Compiler(inline_max=inline_max)
    for function in functions:
        compiler.export(function, NUMBER, NUMBER, ARRAY)
    random = Random(seed)
    given = [(f, random.choice([-3, 0, 1, 2, 17, random.randint(-9999, 9999)]), random.randint(-20, 20),
              [random.randint(-50, 50) for _ in range(ROW)]) for f in functions for _ in range(4)]  # fmt: skip
    calls = [{"name": f.__name__, "args": [a, b, row], "read": [2]} for f, a, b, row in given]
    values = traps = 0
    for (function, a, b, row), got in zip(given, call_all(compiler.module.write(), calls), strict=True):
        want = in_python(function, a, b, row)
        if want == "trap":
            assert got[0] == "trap", (seed, function.__name__, a, b, row)
            traps += 1
        else:
            assert got == want, (seed, function.__name__, a, b, row)
            values += 1
    return values, traps


@pytest.mark.parametrize("inline_max", [0, 60, 10**6])
def test_programs_written_at_random_give_what_cpython_gives(tmp_path, inline_max):
    found = [compare_programs(tmp_path, seed, 30, inline_max) for seed in range(PROGRAMS // 30)]

    values, traps = map(sum, zip(*found, strict=True))
    assert values > PROGRAMS * 2  # else the programs would test little but traps
    assert traps > PROGRAMS // 10


@pytest.mark.soak
@pytest.mark.parametrize("inline_max", [0, 60, 10**6])
def test_thousands_of_programs_give_what_cpython_gives(tmp_path, inline_max):
    for seed in range(1000, 1000 + SOAK_PROGRAMS // 30):
        compare_programs(tmp_path, seed, 30, inline_max)


# Awkward ones.


def later_name(a: int, b: int) -> int:
    total = 0
    for i in range(4):
        part = early(i, a) + spread(i, a & 7)  # their locals are free again behind them
        if i == 0:
            kept = b & 255
        total = total * 3 + part + kept
    return total


def early(a: int, b: int) -> int:
    if a > b:
        return 1
    found = a + 1
    while found < b and found < 9:
        if found % 4 == 0:
            return found
        found += 1
    return -1


def spread(a: int, b: int) -> int:
    p = a + 1
    q = b + 2
    r = p * q
    return p + q + r


def moved_while_read(a: int, b: int) -> int:
    parts = (a & 7, b & 7, 3)
    total = 0
    for each in parts:
        parts = (each, total & 255, 1)
        total = total * 2 + parts[each % 3]
    return total


def divided(a: int, b: int) -> int:
    return a // b * 3 + a % b + a // 7 + a % -7 + a // 16 + a % 16


def shifted(a: int, b: int) -> int:
    return (a >> b) + ((a & 255) << (b & 15))


def last_of(a: int, b: int) -> int:
    return TABLE[-1] + (a, b, a - b)[-2] + len(TABLE)


def picked(a: int, b: int) -> int:
    return (a, b, 3)[b]


def counted(a: int, b: int) -> int:
    total = 0
    for i in range(a & 15, b & 15, -3):
        total = total * 5 + i
        i += 100
    return total


AWKWARD = (later_name, moved_while_read, divided, shifted, last_of, counted)


@pytest.mark.parametrize("inline_max", [0, 60])
def test_awkward_functions_give_what_cpython_gives(inline_max):
    compiler = Compiler(inline_max=inline_max)
    for function in AWKWARD:
        compiler.export(function)
    pairs = [(f, a, b) for f in AWKWARD for a, b in itertools.product(NUMBERS, NUMBERS)]
    answers = call_all(compiler.module.write(), [{"name": f.__name__, "args": [a, b]} for f, a, b in pairs])

    for (function, a, b), got in zip(pairs, answers, strict=True):
        try:
            assert got == (function(a, b), []), (function.__name__, a, b)
        except (ZeroDivisionError, ValueError):
            assert got[0] == "trap"


def test_a_trap_tells_why():
    compiler = Compiler()
    for function in (picked, shifted, always):
        compiler.export(function)
    compiler.export(draw_300)
    calls = [("picked", [5, 3]), ("picked", [5, -1]), ("shifted", [1, -1]), ("always", [0, 1])]
    answers = call_all(compiler.module.write(), [{"name": name, "args": args} for name, args in calls])

    assert [compiler.errors[number] for _, number in answers] == [
        "an index outside an array",
        "an index outside an array",
        "a shift by less than 0 or more than 63",
        "ValueError('none of these')",
    ]
    stream = [255] * 32 + [0] * (streams.STREAM_SIZE - 32)
    ((_, number),) = call_all(compiler.module.write(), [{"name": "draw_300", "args": [stream]}])
    assert compiler.errors[number].startswith("DrawError(")


def always(a: int, b: int) -> int:
    if a > 0:
        return b
    raise ValueError("none of these")


def draw_300(stream: Any) -> int:
    return draws.bounded(stream, 300)


def with_text(a: int, b: int) -> str:
    return "a"


def with_float(a: int, b: int) -> float:
    return a / b


def recursive(a: int, b: int) -> int:
    return a if b < 1 else recursive(a + 1, b - 1)


def with_dict(a: int, b: int) -> int:
    return {a: b}[a]


def two_kinds(a: int, b: int) -> Any:
    if a:
        return a, b
    return b


def large(a: int, b: int) -> int:
    return a + 2**63


@pytest.mark.parametrize("inline_max", [0, 60])
@pytest.mark.parametrize("function", [with_text, with_float, recursive, with_dict, two_kinds, large])
def test_python_outside_the_subset_is_refused_with_its_place(function, inline_max):
    with pytest.raises(NotInSubset, match=__name__.rpartition(".")[2]):
        Compiler(inline_max=inline_max).export(function, NUMBER, NUMBER)


# Streams.


def opened(seed: bytes, session: int, move: int) -> list[int]:
    row = [0] * streams.STREAM_SIZE
    streams.open_stream(row, list(seed), session, move)
    return row


@pytest.mark.parametrize("length", [0, 1, 31, 32, 43, 44, 51, 52, 63, 64, 200])
def test_a_stream_in_the_subset_is_the_generators(length):
    seed = bytes(i * 7 & 255 for i in range(length))
    row, rng = opened(seed, 2**64 - 1, 2**32 - 1), GameRng.new(seed, 2**64 - 1, 2**32 - 1)

    assert bytes(row[:32]) == sha256(seed + b"\xff" * 12).digest()
    assert [streams.next_byte(row) for _ in range(100)] == [rng.next_byte() for _ in range(100)]


def take_100(stream: Any, seed: Any, session: int, move: int, out: Any) -> None:
    streams.open_stream(stream, seed, session, move)
    for i in range(100):
        out[i] = draws.next_byte(stream)


def test_a_compiled_stream_is_the_generators():
    compiler = Compiler()
    compiler.export(take_100, ARRAY, ARRAY, NUMBER, NUMBER, ARRAY)
    cases = [(bytes(range(length)), session, 3) for length in (0, 32, 44, 64, 130) for session in (0, 5, 2**62)]
    args = [[[0] * streams.STREAM_SIZE, list(seed), session, move, [0] * 100] for seed, session, move in cases]
    answers = call_all(compiler.module.write(), [{"name": "take_100", "args": each, "read": [4]} for each in args])

    for case, (_, (told,)) in zip(cases, answers, strict=True):
        assert bytes(told) == GameRng.new(*case).fill_bytes(100)
