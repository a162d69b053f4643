"""The byte streams of `croupier.rng` in the numeric subset: SHA-256 and `next_byte` over rows of whole numbers.

A compiled stream is a row of `STREAM_SIZE` numbers: the block of 32 bytes, the index of the next one, and room for
the hash that makes the next block. Plain Python runs these functions as well, which is how they are tested.
"""

from __future__ import annotations

from typing import Any

from croupier.kit.rows import tail

INDEX, STATE, SCHEDULE = 32, 40, 48
STREAM_SIZE = SCHEDULE + 64
WORD = 0xFFFFFFFF


def _root_bits(number: int, power: int) -> int:
    """Return the first 32 bits behind the point of a square or cube root."""
    root = 0
    for bit in range(40, -1, -1):
        if (root | 1 << bit) ** power <= number << 32 * power:
            root |= 1 << bit
    return root & WORD


# FIPS 180-4: the roots of the first primes.
PRIMES = [number for number in range(2, 312) if all(number % smaller for smaller in range(2, number))]
INITIAL = tuple(_root_bits(prime, 2) for prime in PRIMES[:8])
CONSTANTS = tuple(_root_bits(prime, 3) for prime in PRIMES)


def rotated(word: int, count: int) -> int:
    """Return a word of 32 bits turned to the right."""
    return ((word >> count) | (word << (32 - count))) & WORD


def mix_block(state: Any, words: Any) -> None:
    """Take one block of 16 words into the state of 8: `words` has room for 64."""
    for i in range(16, 64):
        x = words[i - 15]
        y = words[i - 2]
        s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >> 3)
        s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >> 10)
        words[i] = (words[i - 16] + s0 + words[i - 7] + s1) & WORD
    a, b, c, d = state[0], state[1], state[2], state[3]
    e, f, g, h = state[4], state[5], state[6], state[7]
    for i in range(64):
        first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[i] + words[i]
        second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
        h, g, f, e = g, f, e, (d + first) & WORD
        d, c, b, a = c, b, a, (first + second) & WORD
    mixed = (a, b, c, d, e, f, g, h)
    for i in range(8):
        state[i] = (state[i] + mixed[i]) & WORD


def put_byte(stream: Any, place: int, byte: int) -> None:
    """Append byte number `place` of a message; every 64th fills a block, which is taken in."""
    words = tail(stream, SCHEDULE)
    index = (place >> 2) & 15
    if place & 3 == 0:
        words[index] = 0
    words[index] |= byte << (24 - 8 * (place & 3))
    if place & 63 == 63:
        mix_block(tail(stream, STATE), words)


def begin_hash(stream: Any) -> None:
    """Set the state to SHA-256's initial words."""
    for i in range(8):
        stream[STATE + i] = INITIAL[i]


def end_hash(stream: Any, length: int) -> None:
    """Pad the message of `length` bytes, and make its hash the block that is handed out next."""
    put_byte(stream, length, 128)
    place = length + 1
    while place & 63 != 56:
        put_byte(stream, place, 0)
        place += 1
    for i in range(8):
        put_byte(stream, place + i, ((8 * length) >> (56 - 8 * i)) & 255)
    for i in range(32):
        stream[i] = (stream[STATE + (i >> 2)] >> (24 - 8 * (i & 3))) & 255
    stream[INDEX] = 0


def open_stream(stream: Any, seed: Any, session: int, move: int) -> None:
    """Make the stream of `GameRng.new(seed, session, move)`; the seed's numbers are bytes."""
    begin_hash(stream)
    length = len(seed)
    for i in range(length):
        put_byte(stream, i, seed[i])
    for i in range(8):
        put_byte(stream, length + i, (session >> (56 - 8 * i)) & 255)
    for i in range(4):
        put_byte(stream, length + 8 + i, (move >> (24 - 8 * i)) & 255)
    end_hash(stream, length + 12)


def next_byte(stream: Any) -> int:
    """Return the next byte, as `draws.next_byte` does: a used-up block is replaced by its hash."""
    index = stream[INDEX]
    if index >= 32:
        begin_hash(stream)
        for i in range(32):
            put_byte(stream, i, stream[i])
        end_hash(stream, 32)
        index = 0
    stream[INDEX] = index + 1
    return stream[index]  # type: ignore[no-any-return]
