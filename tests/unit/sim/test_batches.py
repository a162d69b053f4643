"""Many sessions at once against the reference, one after the other: the same states, move for move."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from croupier.draws import bounded, draw_card, next_u32, roll_die
from croupier.errors import BadSeed, DrawError
from croupier.rng import GameRng
from croupier.sim import compiled, play_sessions
from croupier.sim.batches import BLOCK_SESSIONS
from croupier.sim.sha256 import hash_rows
from croupier.sim.stream import open_rows, prepare_seed

SEED = bytes(range(32))
SESSION_MAX = 2**64 - 1


def craps(stream: Any, move: int, state: Any) -> int:
    """A pass line bet: a point in place 0, the outcome in place 1, how many rolls in place 2."""
    total = roll_die(stream) + roll_die(stream)
    state[2] += 1
    if state[0] == 0:
        if total == 7 or total == 11:
            state[1] = 1
            return 0
        if total == 2 or total == 3 or total == 12:
            state[1] = -1
            return 0
        state[0] = total
        return move + 1
    if total == state[0]:
        state[1] = 1
        return 0
    if total == 7:
        state[1] = -1
        return 0
    return move + 1


def spin(stream: Any, move: int, state: Any, number: int, stake: int) -> int:
    if bounded(stream, 37) == number:
        state[0] += 36 * stake
    return 0


def deal(stream: Any, move: int, state: Any, pack: Any, rounds: int) -> int:
    """Draw four cards a move from a pack in the state, skipping move numbers; enough to need a re-hash."""
    for _ in range(4):
        state[0] = state[0] * 31 + draw_card(stream, state[1:], len(state) - 1) + pack[move % 3] & 0xFFFFFFFF
    for _ in range(6):
        state[0] ^= next_u32(stream)
    return move + 3 if move < rounds else 0


def played_by_the_reference(
    step: Callable[..., int], seed: bytes, states: Any, *tables: Any, first_session: int = 0, first_move: int = 1
) -> tuple[list[list[int]], int]:
    """Play the same sessions with `GameRng`, on lists; return the states and the number of moves."""
    ended, move_count = [], 0
    for number, start in enumerate(states.tolist()):
        state, move = np.array(start, dtype=object), first_move
        while True:
            move_count += 1
            move_next = step(GameRng.new(seed, first_session + number, move), move, state, *tables)
            if move_next == 0:
                break
            move = move_next
        ended.append(state.tolist())
    return ended, move_count


@pytest.mark.parametrize("count", [0, 1, 3, 4, BLOCK_SESSIONS, 2 * BLOCK_SESSIONS + 7])
def test_sessions_end_as_the_reference_ends_them_however_many_there_are(path, count):
    states = np.zeros((count, 3), np.int64)
    expected = played_by_the_reference(craps, SEED, states)

    move_count = play_sessions(craps, SEED, states, path=path)

    assert (states.tolist(), move_count) == expected


@pytest.mark.parametrize("seed", [b"", b"odd", bytes(50), bytes(1024)], ids=len)
@pytest.mark.parametrize("first_move", [0, 1, 4294967290])
@pytest.mark.parametrize("first_session", [0, 2**32 - 5, SESSION_MAX - 9])
def test_any_seed_session_and_move_can_be_the_first(path, seed, first_session, first_move):
    states = np.tile(np.arange(20), (10, 1))
    start: dict[str, int] = {"first_session": first_session, "first_move": first_move}
    pack = np.array([5, 7, 11])
    rounds = first_move + 3
    expected = played_by_the_reference(deal, seed, states, pack.tolist(), rounds, **start)

    move_count = play_sessions(deal, seed, states, pack, rounds, path=path, **start)

    assert (states.tolist(), move_count) == expected


def test_a_session_does_not_depend_on_its_batch(path):
    together = np.zeros((3000, 3), np.int64)
    play_sessions(craps, SEED, together, path=path)

    for session in (0, 1023, 1024, 2999):
        alone = np.zeros((1, 3), np.int64)
        play_sessions(craps, SEED, alone, first_session=session, path=path)
        assert alone.tolist() == together[session : session + 1].tolist()


def test_threads_play_side_by_side_without_disturbing_each_other():
    whole = np.zeros((8000, 3), np.int64)
    play_sessions(craps, SEED, whole)
    parts = [np.zeros((2000, 3), np.int64) for _ in range(4)]

    with ThreadPoolExecutor(4) as pool:
        for number, part in enumerate(parts):
            pool.submit(play_sessions, craps, SEED, part, first_session=2000 * number)

    assert np.concatenate(parts).tolist() == whole.tolist()


def wrong(stream: Any, move: int, state: Any) -> int:
    return bounded(stream, 256)


def test_an_exception_in_a_step_is_raised():
    with pytest.raises(DrawError):
        play_sessions(wrong, SEED, np.zeros((5, 1), np.int64))


@pytest.mark.parametrize(
    "states",
    [
        np.zeros((3, 2), np.int32),
        np.zeros(3, np.int64),
        np.zeros((2, 3), np.int64).T,
        np.zeros((4, 6), np.int64)[:, ::2],
    ],
    ids=["32 bits", "one row", "columns", "gaps"],
)
def test_states_are_whole_rows_of_64_bits(states):
    with pytest.raises(TypeError, match="states are rows of int64"):
        play_sessions(craps, SEED, states)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({"first_session": SESSION_MAX}, "got 2 from 18446744073709551615 on"),
        ({"first_session": -1}, "got 2 from -1 on"),
        ({"first_move": 2**32}, "got 4294967296"),
    ],
)
def test_sessions_and_moves_out_of_bounds_are_refused(start, said):
    with pytest.raises(BadSeed, match=said):
        play_sessions(craps, SEED, np.zeros((2, 3), np.int64), **start)


def hash_again(seed: Any, rows: Any, session_ids: Any, moves: Any, times: int) -> None:
    for _ in range(times):
        hash_rows(seed, rows, session_ids, moves, len(rows))


@pytest.mark.bench
def test_a_simple_step_costs_no_more_than_four_bare_hashes(path):
    """Measured in one run, best of fifteen each: about 1.4 with SHA instructions. The limit is 4."""
    blocks = 32
    states = np.zeros((blocks * BLOCK_SESSIONS, 1), np.int64)
    prepared, rows = prepare_seed(SEED), open_rows(BLOCK_SESSIONS, path)
    ids, moves = np.arange(BLOCK_SESSIONS, dtype=np.uint64), np.ones(BLOCK_SESSIONS, np.uint32)

    def best(work: Callable[[], object]) -> float:
        work()
        times = []
        for _ in range(15):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        return min(times)

    hashed = best(lambda: compiled(hash_again)(prepared, rows, ids, moves, blocks))
    played = best(lambda: play_sessions(spin, SEED, states, 17, 10, path=path))

    assert played < 4 * hashed
