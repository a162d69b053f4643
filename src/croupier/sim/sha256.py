"""The SHA-256 of streams in compiled code: the first blocks of many at once, and the re-hash of one.

A *row* is a stream in an array of bytes:

    0 … 31   the block
    32       the index of the next byte in it, 0 … 32
    33       the hash path, `SHA_NI` or `PORTABLE`, set when the row is made
    34 … 63  spare

Both paths give the same bytes. Which one runs is looked up in the row, so one compiled kernel serves both.

The message of a stream is the seed, the session id and the move number. All streams of a seed share its beginning,
which is worked out once (`PreparedSeed`): a stream costs one block, or two where the seed leaves more than 43 bytes
for the last one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import uint32, uint64
from numpy.typing import NDArray

from croupier.sim.blocks import (
    HAS_SHA_NI,
    LANES,
    out_of_line,
    portable_four,
    portable_one,
    portable_rehash,
    sha_ni_four,
    sha_ni_one,
    sha_ni_rehash,
)

__all__ = [
    "COUNTER_BYTES",
    "INDEX_AT",
    "PATH_AT",
    "PORTABLE",
    "ROW_BYTES",
    "SHA_NI",
    "PreparedSeed",
    "hash_rows",
    "rehash",
]

ROW_BYTES = 64
INDEX_AT, PATH_AT = 32, 33
SHA_NI, PORTABLE = 0, 1
COUNTER_BYTES = 12  # the session id and the move number
LOW_WORD = 0xFFFFFFFF


class PreparedSeed(NamedTuple):
    """What all streams of one seed share, and room to write four messages in. Not for two threads at once."""

    digests: NDArray[np.uint8]
    """The hash of the whole blocks of the seed, 32 bytes, once for each lane."""
    words: NDArray[np.uint32]
    """The last block or two of the message, once for each lane, with a gap for the counters."""
    block_count: int
    """How many those are, 1 or 2."""
    gap: int
    """The word in which the counters begin."""
    shift: int
    """How many bits of that word belong to the seed: 0, 8, 16 or 24."""
    head: int
    """Those bits."""
    foot: int
    """The bit that ends the message, in the fourth word from the gap on."""


def hash_rows(seed: PreparedSeed, rows: Any, session_ids: Any, moves: Any, count: int) -> None:
    """Open the streams of the first `count` session ids and moves, one a row, each at its first byte.

    All rows have the path of the first. This is for kernels to call; `streams` is the same from outside.
    """
    out_of_line()
    by_instructions = HAS_SHA_NI and count > 0 and rows[0, PATH_AT] == SHA_NI
    i = 0
    while i < count:
        lanes = LANES if i + LANES <= count else 1
        for lane in range(lanes):
            _put_counters(seed, lane, session_ids[i + lane], moves[i + lane])
        befores, before = seed.digests, 0
        for block in range(seed.block_count):
            if lanes == LANES:
                _hash_four(befores, before, seed.words, 16 * block, rows, i, by_instructions)
            else:
                _hash_one(befores, before, seed.words, 16 * block, rows, i, by_instructions)
            befores, before = rows, i
        i += lanes
    for i in range(count):
        rows[i, INDEX_AT] = 0


def rehash(row: Any) -> None:
    """Replace the block of a row by its SHA-256. The index is the caller's business."""
    out_of_line()
    # `HAS_SHA_NI` stands alone in these conditions so that the compiler can drop what the processor could not run.
    if HAS_SHA_NI and row[PATH_AT] == SHA_NI:
        sha_ni_rehash(row)
    else:
        portable_rehash(row)


def _hash_four(befores: Any, before: int, words: Any, at: int, rows: Any, first: int, by_instructions: bool) -> None:
    if HAS_SHA_NI and by_instructions:
        sha_ni_four(befores, before, words, at, rows, first)
    else:
        portable_four(befores, before, words, at, rows, first)


def _hash_one(befores: Any, before: int, words: Any, at: int, rows: Any, first: int, by_instructions: bool) -> None:
    if HAS_SHA_NI and by_instructions:
        sha_ni_one(befores, before, words, at, rows, first)
    else:
        portable_one(befores, before, words, at, rows, first)


def _put_counters(seed: PreparedSeed, lane: int, session_id: Any, move: Any) -> None:
    """Write the session id and the move number, 96 bits, across the four words they touch."""
    # Every operand is cast: compiled numbers of unlike kinds would meet in a wider kind, or in a float.
    session = uint64(session_id)
    end = (session << uint64(32)) | uint64(move)
    shift = uint64(seed.shift)
    words, gap = seed.words[lane], seed.gap
    words[gap] = uint32(seed.head) | uint32(session >> uint64(32) >> shift)
    words[gap + 1] = uint32(session >> shift & uint64(LOW_WORD))
    words[gap + 2] = uint32(end >> shift & uint64(LOW_WORD))
    words[gap + 3] = uint32(seed.foot) | uint32(end << uint64(32) >> shift & uint64(LOW_WORD))
