"""Streams for compiled code: rows of bytes that every draw of `croupier.draws` understands.

Only the source of bytes has to be told to the compiler; the draws above it are compiled as they stand. A row holds the
same block and index as a `GameRng`, so both hand out the same bytes and stand at the same place afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import index as whole
from types import FunctionType
from typing import Any

import numpy as np
from numba import int64, types, uint64
from numpy.typing import NDArray

from croupier import draws
from croupier.errors import BadSeed, DrawError
from croupier.sim.blocks import INDEX_AT, INITIAL, PATH_AT, PATHS, ROUND_CONSTANTS, ROW_BYTES, SEED, paths_of
from croupier.sim.compiling import compiled, implements, out_of_line
from croupier.sim.errors import BadHashPath
from croupier.sim.sha256 import FEATURES, hash_rows, rehash

Row = NDArray[np.uint8]
Rows = NDArray[np.uint8]
PreparedSeed = NDArray[np.uint8]

COUNTER_BYTES = 12  # the session id and the move number
WORD_MAX = 0xFFFFFFFF


# What compiled code does instead


def _is_row(stream: Any) -> bool:
    return isinstance(stream, types.Array) and stream.ndim == 1 and stream.dtype == types.uint8


@implements(draws.next_byte, when=_is_row)
def _next_byte_of_row(stream: Any) -> Any:
    index = stream[INDEX_AT]
    if index >= 32:
        rehash(stream)
        index = 0
    stream[INDEX_AT] = index + 1
    return int64(stream[index])  # as a byte it would be unsigned, and so would be what is made of it


# The same code under another identity, for what stands in for it to call.
_next_u32 = FunctionType(draws.next_u32.__code__, vars(draws), "_next_u32")
_next_u64 = FunctionType(draws.next_u64.__code__, vars(draws), "_next_u64")


def _next_u32_across(stream: Any) -> Any:
    out_of_line()
    return _next_u32(stream)


@implements(draws.next_u32, when=_is_row)
def _next_u32_of_row(stream: Any) -> Any:
    index = stream[INDEX_AT]
    if index > 28:  # the block ends within it
        return _next_u32_across(stream)
    stream[INDEX_AT] = index + 4
    high = int64(stream[index]) << 24 | int64(stream[index + 1]) << 16
    return high | int64(stream[index + 2]) << 8 | int64(stream[index + 3])


@implements(draws.next_u64, when=_is_row)
def _next_u64_of_row(stream: Any) -> Any:
    return uint64(_next_u64(stream))  # the top bit is no sign


def _fair_u32(stream: Any, m: int, value: int) -> int:
    """Return this value, or the first one after it that is fair, as `bounded_u32` has it."""
    out_of_line()
    limit = draws.U32_MAX - draws.U32_MAX % m
    while value >= limit:
        if m > draws.U32_MAX:
            raise DrawError("bounded_u32 takes at most 2**32 - 1")
        value = draws.next_u32(stream)
    return value


@implements(draws.bounded_u32, when=lambda stream, m: _is_row(stream))
def _bounded_u32_of_row(stream: Any, m: Any) -> Any:
    if m < 1:
        return 0
    value = draws.next_u32(stream)
    if value > draws.U32_MAX - m:  # only such a one may be unfair
        value = _fair_u32(stream, m, value)
    return int64(uint64(value) % uint64(m))


# Opening streams


def hash_path() -> str:
    """Return how streams are hashed here: the best way that the processor has.

    "avx512" takes sixteen side by side, "sha-ni" four by SHA instructions, "avx2" eight, and "portable", which is there
    always, four. The environment variable `CROUPIER_HASH_PATH` names one to use instead. All give the same bytes.
    """
    path = os.environ.get("CROUPIER_HASH_PATH") or paths_of(FEATURES)[0]
    _path_number(path)
    return path


def _path_number(path: str) -> int:
    names = [each.name for each in PATHS]
    if path not in names:
        raise BadHashPath(f"{path!r} is no hash path: they are {', '.join(names[:-1])} and {names[-1]}")
    missing = PATHS[names.index(path)].features - FEATURES
    if missing:
        lacks = ", ".join(sorted(name.strip("+") for name in missing))
        raise BadHashPath(f"the processor has no {lacks}, or the compiler was told not to use it: {path} needs that")
    return names.index(path)


def _aligned(size: int) -> NDArray[np.uint8]:
    """Return bytes that begin with a line of the processor's cache: vectors that cross two cost twice as much."""
    room = np.zeros(size + ROW_BYTES, np.uint8)
    return room[-room.ctypes.data % ROW_BYTES :][:size]


def open_rows(count: int, path: str | None = None) -> Rows:
    """Return room for `count` streams, to be hashed by `path` or else by `hash_path()`. There is nothing in it yet."""
    rows = _aligned(count * ROW_BYTES).reshape(count, ROW_BYTES)
    rows[:, PATH_AT] = _path_number(path or hash_path())
    return rows


def streams(seed: bytes, session_ids: Iterable[int], moves: Iterable[int], path: str | None = None) -> Rows:
    """Return the streams of these sessions and moves, one a row, each like `GameRng.new(seed, session_id, move)`."""
    sessions = _whole_numbers("session id", session_ids, np.uint64)
    numbers = _whole_numbers("move number", moves, np.uint32)
    if len(sessions) != len(numbers):
        raise BadSeed(f"a stream has a session id and a move number, got {len(sessions)} and {len(numbers)} of them")
    rows = open_rows(len(sessions), path)
    compiled(hash_rows)(prepare_seed(seed), rows, sessions, numbers, len(sessions))
    return rows


def _whole_numbers(what: str, values: Iterable[int], kind: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    try:
        return np.array([whole(value) for value in values], kind)
    except (OverflowError, TypeError) as error:
        raise BadSeed(f"a {what} is a whole number from 0 to {np.iinfo(kind).max}: {error}") from None


def row_from_state(block: bytes, index: int = 0, path: str | None = None) -> Row:
    """Return a stream that goes on from `block` at `index`, like `GameRng.from_state`."""
    if not isinstance(block, bytes) or len(block) != 32:
        raise BadSeed("a stream's state is 32 bytes")  # not what came: it may be a secret
    if not 0 <= index <= 32:
        raise BadSeed(f"a stream's index is 0 to 32, got {index!r}")
    row: Row = open_rows(1, path)[0]
    row[:32] = np.frombuffer(block, np.uint8)
    row[INDEX_AT] = index
    return row


def prepare_seed(seed: bytes) -> PreparedSeed:
    """Return what all streams of a seed have in common, for kernels that call `hash_rows`.

    Kernels write into it: it is not for two threads at once.
    """
    if not isinstance(seed, bytes):
        raise BadSeed(f"a seed is bytes, got {type(seed).__name__}")
    end = len(seed) // 64 * 64
    before: tuple[int, ...] = INITIAL
    for first in range(0, end, 64):
        rounds = _rounds(before, _words(seed[first : first + 64]))
        before = tuple((x + y) & WORD_MAX for x, y in zip(before, rounds, strict=True))
    rest = len(seed) - end
    # Behind the counters come one byte that ends the message and eight that tell its length in bits.
    block_count = 1 if rest + COUNTER_BYTES + 1 + 8 <= 64 else 2
    message = seed[end:].ljust(64 * block_count - 8, b"\0") + (8 * (len(seed) + COUNTER_BYTES)).to_bytes(8, "big")
    words = [*_words(message), *[0] * 16][:32]
    gap, shift = rest // 4, rest % 4 * 8
    prepared = _aligned(SEED.itemsize)
    fields: Any = prepared.view(SEED)[0]
    fields["before"], fields["words"] = np.array(before)[:, None], np.array(words)[:, None]
    fields["begun"] = np.array(_rounds(before, words[:gap]))[:, None]
    fields["chains"] = words
    fields["bytes_before"] = np.array(before, ">u4").view(np.uint8)
    numbers = block_count, gap, shift, words[gap], 1 << 31 >> shift
    fields["block_count"], fields["gap"], fields["shift"], fields["head"], fields["foot"] = numbers
    return prepared


def _words(block: bytes) -> list[int]:
    return [int(word) for word in np.frombuffer(block, ">u4")]


def _rounds(state: tuple[int, ...], words: list[int]) -> tuple[int, ...]:
    """Return a state after as many rounds of the hash as there are words of a block; all 64 for sixteen."""

    def rotated(value: int, *bits: int, shift: int = 32) -> int:
        mixed = value >> shift
        for count in bits:
            mixed ^= (value >> count | value << 32 - count) & WORD_MAX
        return mixed

    window = list(words)
    for t in range(16, 64 if len(words) == 16 else 0):
        scheduled = rotated(window[t - 15], 7, 18, shift=3) + rotated(window[t - 2], 17, 19, shift=10)
        window.append((window[t - 16] + window[t - 7] + scheduled) & WORD_MAX)
    a, b, c, d, e, f, g, h = state
    for constant, word in zip(ROUND_CONSTANTS, window, strict=False):
        first = h + rotated(e, 6, 11, 25) + (g ^ e & (f ^ g)) + constant + word
        second = rotated(a, 2, 13, 22) + (a & b | c & (a | b))
        a, b, c, d, e, f, g, h = (first + second) & WORD_MAX, a, b, c, (d + first) & WORD_MAX, e, f, g
    return a, b, c, d, e, f, g, h
