"""The draws: every random value croupier uses, from the bytes of a stream.

Written in the numeric subset, so that CPython runs these functions as they stand and the simulator compiles the
very same ones; only the byte source differs. A stream here is anything `next_byte` understands: a `GameRng`, which
keeps its `block` of 32 bytes and the `index` of the next one, or a row of bytes in a compiled kernel.

All bounded draws reject to stay unbiased, with 255 (or 2**32 - 1) as the modulus base, not 256 (or 2**32): the
published streams are made that way. A bound that is too large for its draw is an error in the loop that would
otherwise never end; it costs the common path nothing.
"""

from __future__ import annotations

from typing import Any, Protocol

from croupier.errors import DrawError

__all__ = [
    "Stream",
    "bounded",
    "bounded_u32",
    "bounded_usize",
    "draw_card",
    "f32_numerator",
    "next_byte",
    "next_u32",
    "next_u64",
    "roll_die",
    "shuffle",
    "spin_roulette",
]

U32_MAX = 4294967295


class Stream(Protocol):
    """A source of bytes: the current block of 32, where the next byte stands, and how to go on after the last."""

    block: Any
    index: int

    def rehash(self) -> None:
        """Replace the block by its SHA-256 and start at its first byte."""


def next_byte(stream: Stream) -> int:
    """Return the next byte. The block is re-hashed when the 33rd byte is asked for, not when the 32nd is given."""
    index = stream.index
    if index >= 32:
        stream.rehash()
        index = 0
    stream.index = index + 1
    return stream.block[index]  # type: ignore[no-any-return]


def next_u32(stream: Stream) -> int:
    """Return four bytes as one number, the first byte most significant."""
    a = next_byte(stream)
    b = next_byte(stream)
    c = next_byte(stream)
    return (a << 24) | (b << 16) | (c << 8) | next_byte(stream)


def next_u64(stream: Stream) -> int:
    """Return eight bytes as one number, the first byte most significant."""
    high = next_u32(stream)
    return (high << 32) | next_u32(stream)


def f32_numerator(stream: Stream) -> int:
    """Return three bytes as a number below 2**24, the numerator of `GameRng.next_f32`."""
    a = next_byte(stream)
    b = next_byte(stream)
    return (a << 16) | (b << 8) | next_byte(stream)


def bounded(stream: Stream, m: int) -> int:
    """Return a fair value in 0 … m - 1 for m up to 255, one byte a try; 0 without a byte where m is below 1."""
    if m < 1:
        return 0
    limit = 255 - 255 % m
    value = next_byte(stream)
    while value >= limit:
        if m > 255:
            raise DrawError("bounded takes at most 255; bounded_usize takes more")
        value = next_byte(stream)
    return value % m


def bounded_u32(stream: Stream, m: int) -> int:
    """Return a fair value in 0 … m - 1 for m up to 2**32 - 1, four bytes a try; 0 without a byte for m below 1."""
    if m < 1:
        return 0
    limit = U32_MAX - U32_MAX % m
    value = next_u32(stream)
    while value >= limit:
        if m > U32_MAX:
            raise DrawError("bounded_u32 takes at most 2**32 - 1")
        value = next_u32(stream)
    return value % m


def bounded_usize(stream: Stream, m: int) -> int:
    """Return a fair value in 0 … m - 1: one byte a try up to m = 255, four above.

    A larger m is cut to 2**32 - 1, as the published vectors have it (`v06_rejection_edges.json`): whoever takes a bound
    from outside refuses it first, as `GameRng.int`, `bool`, `dice` and `pick` do.
    """
    if m <= 255:
        return bounded(stream, m)
    if m > U32_MAX:
        return bounded_u32(stream, U32_MAX)
    return bounded_u32(stream, m)


def roll_die(stream: Stream) -> int:
    """Return a face of a fair six-sided die, 1 … 6."""
    return bounded(stream, 6) + 1


def spin_roulette(stream: Stream) -> int:
    """Return a pocket of a wheel with one zero, 0 … 36."""
    return bounded(stream, 37)


def shuffle(stream: Stream, items: Any, count: int) -> None:
    """Shuffle the first `count` items in place: Fisher-Yates from the top down, nothing drawn for 0 or 1."""
    for i in range(count - 1, 0, -1):
        j = bounded_usize(stream, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


def draw_card(stream: Stream, deck: Any, count: int) -> int:
    """Take one of the first `count` cards (at least one): a fresh index, then the last card fills its place.

    The caller counts the deck down by one; what stands at `deck[count - 1]` afterwards is no longer in it.
    """
    index = bounded_usize(stream, count)
    card = deck[index]
    deck[index] = deck[count - 1]
    return card  # type: ignore[no-any-return]
