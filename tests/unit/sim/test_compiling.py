"""`compiled`: the functions that CPython runs, found, taken as they stand, and refused where they could differ."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import NumbaError

from croupier import draws
from croupier.draws import bounded
from croupier.games.shut_the_box import rules
from croupier.kit import cards
from croupier.kit.rows import tail
from croupier.rng import GameRng
from croupier.sim import NotNumeric, compiled
from croupier.sim.compiling import content_key
from croupier.sim.stream import row_from_state
from tests.environments import load_file

# The rules as they stand


@pytest.mark.parametrize(
    ("rule", "others"),
    [
        *((rule, []) for rule in (rules.count_up, rules.highest_up, rules.board_sum, rules.board_digits)),
        (rules.tile_up, [range(1, 13)]),
        (rules.board_score, [(rules.SCORE_SUM, rules.SCORE_DIGITS)]),
        (rules.one_die_allowed, [range(3)]),
        (rules.dice_min, [range(3)]),
        (rules.dice_max, [range(3), (False, True)]),
        (rules.can_make, [range(14)]),
        (rules.highest_tile_set, [range(1, 13)]),
        (rules.fewest_tiles_set, [range(1, 13)]),
        (rules.set_at, [(7, 12), (0, 3, 14)]),
    ],
)
def test_a_rule_is_the_same_on_all_4096_boards_and_under_all_options(rule, others):
    kernel = compiled(rule)
    worlds = list(product(range(4096), *others))

    assert [kernel(*world) for world in worlds] == [rule(*world) for world in worlds]


def test_a_rule_that_draws_is_the_same_on_a_row_as_on_a_stream(path):
    for start in range(256):
        block = bytes([start, 255 - start, *range(30)])
        row, stream = row_from_state(block, path=path), GameRng.from_state(block)
        for dice in (1, 2):
            assert compiled(rules.roll)(row, dice) == rules.roll(stream, dice)  # type: ignore[arg-type]
        assert (row[:32].tobytes(), row[32]) == (stream.block, stream.index)


@pytest.mark.parametrize("rule", [cards.rank0, cards.rank1, cards.rank_high, cards.suit, cards.is_red, cards.is_card])
def test_a_rule_about_a_card_is_the_same_on_all_52_and_on_a_hidden_one(rule):
    for card in (*range(52), cards.HIDDEN):
        expected = rule(card)
        got = compiled(rule)(card)
        assert (got, type(got)) == (expected, type(expected))


def divided(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b


@given(a=st.integers(-(2**63) + 1, 2**63 - 1), b=st.integers(-(2**63), 2**63 - 1).filter(bool))
def test_division_rounds_down_and_the_remainder_has_the_sign_of_the_divisor(a, b):
    assert compiled(divided)(a, b) == divided(a, b)


def test_division_by_zero_is_an_error_as_in_the_reference():
    with pytest.raises(ZeroDivisionError):
        compiled(divided)(1, 0)


# How functions are found

PAYS = (35, 17, 11)
OFFSET = 3


def payoff(kind: int) -> int:
    return PAYS[kind] + OFFSET


def stands_alone(stream: draws.Stream, kind: int) -> int:
    return payoff(kind) * draws.bounded(stream, 2) + bounded(stream, 3)


def test_functions_are_found_by_name_and_through_the_module_they_are_in(path):
    row, stream = row_from_state(bytes(range(32)), path=path), GameRng.from_state(bytes(range(32)))

    for kind in (0, 1, 2) * 5:
        assert compiled(stands_alone)(row, kind) == stands_alone(stream, kind)  # type: ignore[arg-type]


def paying(factor: int, rule: Callable[[int], int]) -> Callable[[int], int]:
    def settle(stake: int) -> int:
        return factor * rule(stake)

    return settle


def test_functions_and_numbers_are_found_in_a_closure():
    assert compiled(paying(3, payoff))(1) == 3 * 20
    assert compiled(paying(5, paying(2, payoff)))(2) == 10 * 14


def test_compiling_the_same_function_twice_gives_the_same_object():
    assert compiled(payoff) is compiled(payoff)
    assert compiled(draws.next_byte) is compiled(draws.next_byte)
    assert compiled(payoff, strict=False) is not compiled(payoff)


def test_threads_that_compile_at_once_share_one_object():
    function = paying(7, payoff)
    start = threading.Barrier(4)
    made: list[tuple[Any, int]] = []

    def work() -> None:
        start.wait()
        made.append((compiled(function), compiled(function)(0)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert made == [(compiled(function), 7 * 38)] * 4


# What is refused


def half(stake: int) -> int:
    third = stake // 3
    return third + int(stake / 2)


def calls_half(stake: int) -> int:
    return half(stake) + 1


def test_a_function_in_which_a_float_appears_is_refused_with_its_line():
    line = half.__code__.co_firstlineno + 2
    for function in (half, calls_half):
        with pytest.raises(NotNumeric, match=rf"half has a float in line {line} when compiled: divide with //"):
            compiled(function)(7)


def makes_an_array(count: int) -> int:
    return len(np.empty(count, np.int64))


def mean_of_three(first: int, second: int, third: int) -> float:
    return (first + second + third) / makes_an_array(3)


def test_a_solver_may_use_floats_and_make_arrays_with_the_help_of_its_own_module():
    assert compiled(mean_of_three, strict=False)(1, 2, 4) == 7 / 3


def also_makes_an_array(count: int) -> int:
    return len(np.empty(count, np.int64))


def test_a_strict_function_cannot_make_an_array():
    with pytest.raises(NumbaError):
        compiled(also_makes_an_array)(4)


@pytest.mark.parametrize("thing", [len, GameRng, GameRng.new, "roll", None])
def test_only_plain_functions_can_be_compiled(thing):
    with pytest.raises(NotNumeric, match="is no plain function"):
        compiled(thing)


# What a key is made from


def load(folder: Path, name: str, source: str) -> ModuleType:
    """Return a module written into a file just now, not what Python kept of one a moment ago."""
    file = folder / f"{name}.py"
    file.write_text(source)
    Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)
    module: ModuleType = load_file(file)
    return module


def test_equal_functions_have_equal_keys_and_every_difference_makes_another():
    array = np.array([1, 2, 3])
    table = (1, (2, 3))
    again: Any = paying(3, payoff)
    made: list[Any] = [
        paying(3, payoff),
        paying(4, payoff),
        paying(3, half),
        (lambda stake, low=1: stake + low),
        (lambda stake, low=2: stake + low),
        (lambda stake: stake + 1),
        (lambda stake: stake + 2),
        (lambda stake: stake + True),
        (lambda stake: stake - 1),
        (lambda stake: stake + table[0]),
        (lambda stake: stake + array[0]),
        payoff,
        stands_alone,
    ]
    keys = [content_key(function) for function in made]

    assert len(set(keys)) == len(made)
    assert content_key(again) == keys[0]
    array[2] = 4
    table = (1, (2, 4))
    assert content_key(made[10]) != keys[10]
    assert content_key(made[9]) != keys[9]


def test_a_key_follows_constants_and_functions_through_modules(tmp_path, monkeypatch):
    source = "from croupier.sim import compiled\nPAYS = (3, 4)\ndef rule(kind): return PAYS[kind]\n"
    user = "import {0} as rules\nfrom {0} import rule\n"
    user += "def a(kind): return rule(kind)\ndef b(kind): return rules.rule(kind)\n"
    monkeypatch.syspath_prepend(str(tmp_path))
    load(tmp_path, "rules_of_3", source)
    load(tmp_path, "rules_of_4", source.replace("(3, 4)", "(3, 5)"))
    first, second = (load(tmp_path, "user", user.format(name)) for name in ("rules_of_3", "rules_of_4"))

    for function in ("a", "b"):
        assert content_key(getattr(first, function)) != content_key(getattr(second, function))


def test_a_file_edited_after_it_was_imported_does_not_pass_off_its_old_code_as_new(tmp_path):
    source = "def rule(stake):\n    return stake * 2\n"
    old = load(tmp_path, "edited_rules", source)
    (tmp_path / "edited_rules.py").write_text(source.replace("2", "3"))
    assert compiled(old.rule)(10) == 20  # as imported, and kept on disk as that

    new = load(tmp_path, "edited_rules", source.replace("2", "3"))

    assert compiled(new.rule)(10) == 30


# Places in arrays


def _last(numbers: Any) -> Any:
    return 10 * numbers[-1] + numbers[len(numbers) - 2]


def test_a_constant_index_counts_from_the_end():
    assert compiled(_last)(np.array([1, 2, 3, 4], np.int64)) == _last([1, 2, 3, 4]) == 43


def _add_up(row: Any) -> None:
    rest = tail(row, 2)
    for place in range(len(rest)):
        rest[place] += row[place]
    tail(rest, len(rest) - 1)[0] *= 100


def test_what_is_written_into_the_tail_of_a_row_is_written_into_the_row():
    row = np.array([1, 2, 3, 4, 5], np.int64)
    plain = row.tolist()
    compiled(_add_up)(row)
    _add_up(plain)
    assert row.tolist() == plain == [1, 2, 4, 6, 900]


def _long(step: Callable[..., int]) -> Callable[..., int]:
    def loop(numbers: Any) -> int:
        total = 0
        for i in range(len(numbers)):
            total += step(numbers, i)
        return total

    return loop


def test_a_loop_made_for_a_function_calls_it_and_what_it_calls():
    assert compiled(_long(_neighbours))(np.array([3, 1, 4, 1, 5], np.int64)) == 3 + (3 + 1) + (1 + 4) + (4 + 1) + (
        1 + 5
    )


def _neighbours(numbers: Any, place: int) -> int:
    return int(numbers[place]) + (_before(numbers, place) if place > 0 else 0)


def _before(numbers: Any, place: int) -> int:
    return int(numbers[place - 1])
