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
from croupier.errors import BadSeed
from croupier.sim.blocks import HAS_SHA_NI, INITIAL, LANES, portable_one
from croupier.sim.compiling import compiled, implements
from croupier.sim.errors import BadHashPath
from croupier.sim.sha256 import (
    COUNTER_BYTES,
    INDEX_AT,
    PATH_AT,
    PORTABLE,
    ROW_BYTES,
    SHA_NI,
    PreparedSeed,
    hash_rows,
    rehash,
)

__all__ = ["Row", "Rows", "hash_path", "open_rows", "prepare_seed", "row_from_state", "streams"]

Row = NDArray[np.uint8]
Rows = NDArray[np.uint8]

PATHS = ("sha-ni", "portable")  # at the places SHA_NI and PORTABLE


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


@implements(draws.next_u32, when=_is_row)
def _next_u32_of_row(stream: Any) -> Any:
    index = stream[INDEX_AT]
    if index > 28:  # the block ends within it
        return _next_u32(stream)
    stream[INDEX_AT] = index + 4
    high = int64(stream[index]) << 24 | int64(stream[index + 1]) << 16
    return high | int64(stream[index + 2]) << 8 | int64(stream[index + 3])


@implements(draws.next_u64, when=_is_row)
def _next_u64_of_row(stream: Any) -> Any:
    return uint64(_next_u64(stream))  # the top bit is no sign


# Opening streams


def hash_path() -> str:
    """Return how streams are hashed here: "sha-ni" where the processor has SHA instructions, else "portable".

    The environment variable `CROUPIER_HASH_PATH` names one of the two to use instead. Both give the same bytes.
    """
    path = os.environ.get("CROUPIER_HASH_PATH") or PATHS[SHA_NI if HAS_SHA_NI else PORTABLE]
    _path_number(path)
    return path


def _path_number(path: str) -> int:
    if path not in PATHS:
        raise BadHashPath(f"{path!r} is no hash path: they are {' and '.join(PATHS)}")
    if PATHS.index(path) == SHA_NI and not HAS_SHA_NI:
        raise BadHashPath("the processor has no SHA instructions, or the compiler was told not to use them")
    return PATHS.index(path)


def open_rows(count: int, path: str | None = None) -> Rows:
    """Return room for `count` streams, to be hashed by `path` or else by `hash_path()`. There is nothing in it yet."""
    rows = np.zeros((count, ROW_BYTES), np.uint8)
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
    """Return what all streams of a seed have in common, for kernels that call `hash_rows`."""
    if not isinstance(seed, bytes):
        raise BadSeed(f"a seed is bytes, got {type(seed).__name__}")
    whole = len(seed) // 64 * 64
    rest = len(seed) - whole
    digests = np.tile(np.array(INITIAL, ">u4").view(np.uint8), (LANES, 1))
    for first in range(0, whole, 64):
        compiled(_hash_block)(digests, np.frombuffer(seed, ">u4", 16, first).astype(np.uint32).reshape(1, 16))
    digests[:] = digests[0]
    # Behind the counters come one byte that ends the message and eight that tell its length in bits.
    block_count = 1 if rest + COUNTER_BYTES + 1 + 8 <= 64 else 2
    message = seed[whole:].ljust(64 * block_count - 8, b"\0") + (8 * (len(seed) + COUNTER_BYTES)).to_bytes(8, "big")
    words = np.zeros((LANES, 32), np.uint32)
    words[:, : 16 * block_count] = np.frombuffer(message, ">u4")
    gap, shift = rest // 4, rest % 4 * 8
    return PreparedSeed(digests, words, block_count, gap, shift, head=int(words[0, gap]), foot=1 << 31 >> shift)


def _hash_block(digests: Any, words: Any) -> None:
    portable_one(digests, 0, words, 0, digests, 0)
