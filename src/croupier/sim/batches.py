"""Many sessions side by side: `play_sessions` runs one step of the rules over thousands of streams.

A *step* is what happens at one move of one session, as a function in the numeric subset:

    def step(stream, move, state, *tables): ...

It draws from `stream`, reads and writes `state` (one row of 64-bit whole numbers, kept from move to move) and returns
the number of the next move, or 0 when the session is over. `tables` are arrays or numbers that all sessions share.

Sessions advance as a wavefront. A block of them is hashed for its next moves, the step runs on each, and those that go
on close ranks. A block is small enough for its streams to stay in the cache in between.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from croupier.errors import BadSeed
from croupier.rng import MOVE_MAX, SESSION_MAX
from croupier.sim.compiling import apart, compiled
from croupier.sim.sha256 import hash_rows
from croupier.sim.stream import PreparedSeed, open_rows, prepare_seed

BLOCK_SESSIONS = 128


def play_sessions(
    step: Callable[..., int],
    seed: bytes,
    states: NDArray[np.int64],
    *tables: Any,
    first_session: int = 0,
    first_move: int = 1,
    path: str | None = None,
) -> int:
    """Play one session for each row of `states` to its end, and return how many moves were made.

    The rows are what the sessions begin with and, afterwards, what they ended with. Session ids count up from
    `first_session`; every session begins with `first_move`. Several threads may play at once, each on its own states.
    """
    if states.dtype != np.int64 or states.ndim != 2 or not states.flags.c_contiguous:
        raise TypeError(f"states are rows of int64, one after the other; got {states.ndim}-d {states.dtype}")
    start = _start(first_session, first_move, len(states))
    return _wavefront(step)(prepare_seed(seed), _room(path), start, states, tables)


def tally_sessions(
    step: Callable[..., int],
    harvest: Callable[..., None],
    seed: bytes,
    count: int,
    row_size: int,
    totals: NDArray[np.int64],
    *tables: Any,
    first_session: int = 0,
    first_move: int = 1,
    path: str | None = None,
) -> int:
    """Play `count` sessions of `row_size` numbers that begin as zeros, and return how many moves were made.

    No session outlives its block: `harvest(states, size, totals, *tables)` adds what is wanted of it to `totals`, and
    the rows are used again. So memory does not grow with the count, and stays in the processor's cache.
    """
    start = _start(first_session, first_move, count)
    states = np.empty((BLOCK_SESSIONS, row_size), np.int64)
    return _tally(step, harvest)(prepare_seed(seed), _room(path), start, count, states, totals, tables)


def _start(first_session: int, first_move: int, count: int) -> tuple[np.uint64, int]:
    if not 0 <= first_session <= SESSION_MAX + 1 - count:
        raise BadSeed(f"session ids are 0 to {SESSION_MAX}, got {count} from {first_session} on")
    if not 0 <= first_move <= MOVE_MAX:
        raise BadSeed(f"a move number is a whole number from 0 to {MOVE_MAX}, got {first_move}")
    return np.uint64(first_session), first_move


def _room(path: str | None) -> tuple[Any, ...]:
    """Return room for the streams of a block, and the session, the next move and the row that each belongs to."""
    sessions, moves = np.empty(BLOCK_SESSIONS, np.uint64), np.empty(BLOCK_SESSIONS, np.uint32)
    # Unsigned, like all that is looked up again and again: an index that may be negative is looked at first.
    return open_rows(BLOCK_SESSIONS, path), sessions, moves, np.empty(BLOCK_SESSIONS, np.uint64)


# The loops are made anew for each step, so that it can be inlined.


@cache
def _wavefront(step: Callable[..., int]) -> Callable[..., int]:
    """Return the compiled loop that leaves every session in a row of its own."""
    play_block = _block(step)

    def play(seed: PreparedSeed, room: Any, start: Any, states: Any, tables: Any) -> int:
        move_count = 0
        for base in range(0, len(states), BLOCK_SESSIONS):
            size = min(BLOCK_SESSIONS, len(states) - base)
            move_count += play_block(seed, room, start, base, base, size, states, tables)
        return move_count

    return compiled(play)


@cache
def _tally(step: Callable[..., int], harvest: Callable[..., None]) -> Callable[..., int]:
    """Return the compiled loop that harvests every block and uses its rows again."""
    play_block = _block(step)

    def play(seed: PreparedSeed, room: Any, start: Any, count: int, states: Any, totals: Any, tables: Any) -> int:
        move_count = 0
        for base in range(0, count, BLOCK_SESSIONS):
            size = min(BLOCK_SESSIONS, count - base)
            for i in range(size):
                for j in range(states.shape[1]):
                    states[i, j] = 0
            move_count += play_block(seed, room, start, base, 0, size, states, tables)
            harvest(states, size, totals, *tables)
        return move_count

    return compiled(play)


@cache
def _block(step: Callable[..., int]) -> Callable[..., int]:
    """Return the loop over one block: its sessions advance together until the last is over."""

    def advance(stream: Any, move: int, state: Any, tables: Any) -> int:
        apart(stream)
        return step(stream, move, state, *tables)

    def play_block(
        seed: PreparedSeed, room: Any, start: Any, base: int, first_place: int, size: int, states: Any, tables: Any
    ) -> int:
        rows, session_ids, moves, places = room
        first_session, first_move = start
        active = size
        for i in range(active):
            session_ids[i] = first_session + uint64(base + i)
            moves[i] = first_move
            places[i] = first_place + i
        move_count = 0
        while active > 0:
            hash_rows(seed, rows, session_ids, moves, active)
            move_count += active
            kept = 0
            for i in range(active):
                place = places[i]
                next_move = advance(rows[i], int64(moves[i]), states[place], tables)
                # No branch here: the processor could not foresee which way it goes.
                session_ids[kept] = session_ids[i]
                moves[kept] = next_move
                places[kept] = place
                kept += next_move != 0
            active = kept
        return move_count

    return play_block
