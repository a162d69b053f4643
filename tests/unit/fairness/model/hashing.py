"""A toy Merkle-Damgård hash and HMAC over it: bytes of two bits, blocks of eight, digests of one.

Padding is SHA-256's in small: a mark, zeros, the length. A secret of four bytes leaves room for it in one block, as 32
bytes do in SHA-256, so a hash that ends can be gone on with, and HMAC's nesting prevents that. There are two
compression functions under it:

- `Table` is a fixed one whose chaining value has two bits. It can be run over every secret there is, against whoever
  makes the best of what a digest tells, without limits. So few bits tell and bind little: a digest fits 64 secrets.
- `Free` gives every chain of blocks a number of its own, so that nothing collides, and the dice that a number shows are
  drawn when somebody looks. Averaged over the draws, that is every compression function at once. `search` runs the
  protocols over it. Bytes of a message may then be secrets, which only their owner can write.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import NamedTuple, Protocol

BYTES = 4
BLOCK = 8
SECRET = 4
MARK = 2


class Part(NamedTuple):
    """One byte of a secret, or of several combined by XOR, with a known mask on top."""

    names: frozenset[str]
    place: int
    mask: int = 0


class Link(NamedTuple):
    """The chaining value of `Free` with that number; a digest of one byte."""

    number: int


Byte = int | Part | Link
Message = tuple[Byte, ...]


@cache
def secret_of(name: str) -> Message:
    """Return a secret as bytes of a message."""
    return tuple(Part(frozenset([name]), place) for place in range(SECRET))


@cache
def digits(number: int, count: int) -> Message:
    """Return a number in base four, the highest digit first."""
    assert 0 <= number < BYTES**count, "the toy has no room for longer messages"
    return tuple(number // BYTES**place % BYTES for place in reversed(range(count)))


@cache
def join(*parts: Message) -> Message:
    """Return parts with their lengths before them, so that they can be taken apart again."""
    return tuple(byte for part in parts for byte in (*digits(len(part), 2), *part))


def padded(message: Message) -> Message:
    """Return a message with what the hash puts behind it.

    >>> padded((1, 1, 1, 1))
    (1, 1, 1, 1, 2, 0, 1, 0)
    """
    zeros = -(len(message) + 4) % BLOCK
    return (*message, MARK, *(0,) * zeros, *digits(len(message), 3))


def xor(first: Byte, second: Byte) -> Byte:
    """Return two bytes combined; a secret combined with itself is gone."""
    if isinstance(second, Part) and not isinstance(first, Part):
        first, second = second, first
    assert not isinstance(first, Link)
    assert not isinstance(second, Link), "no formula combines digests"
    if isinstance(first, int):
        assert isinstance(second, int)
        return first ^ second
    if isinstance(second, int):
        return first._replace(mask=first.mask ^ second)
    names, mask = first.names ^ second.names, first.mask ^ second.mask
    return Part(names, first.place, mask) if names else mask


class Compression(Protocol):
    """A compression function: a chaining value and a block give the next chaining value. A chain begins with 0."""

    def compress(self, state: int, block: Message) -> int:
        """Return the next chaining value."""

    def read(self, state: int) -> Byte:
        """Return a digest as the one byte it is in other messages."""


class Hash:
    """The hash and its HMAC over either compression function."""

    def __init__(self, compression: Compression) -> None:
        self.compression = compression

    def digest(self, message: Message) -> Message:
        """Return the hash of a message."""
        data, state = padded(message), 0
        for start in range(0, len(data), BLOCK):
            state = self.compression.compress(state, data[start : start + BLOCK])
        return (self.compression.read(state),)

    def hmac(self, key: Message, message: Message) -> Message:
        """Return the keyed hash: H(key ^ outer, H(key ^ inner, message))."""
        return self.digest(_key_block(key, 3) + self.digest(_key_block(key, 1) + message))


@cache
def _key_block(key: Message, mask: int) -> Message:
    return tuple(xor(byte, mask) for byte in (*key, *(0,) * (BLOCK - len(key))))


class Table:
    """A compression function of two bits, made from SHA-256; every block permutes the states, so that none is lost."""

    def __init__(self, name: str = "table") -> None:
        self._name = name
        self._known: dict[Message, tuple[int, ...]] = {}

    def compress(self, state: int, block: Message) -> int:
        """Return the next chaining value."""
        if block not in self._known:
            noise = sha256(f"{self._name} {block}".encode()).digest()
            self._known[block] = tuple(sorted(range(BYTES), key=noise.__getitem__))
        return self._known[block][state]

    def read(self, state: int) -> Byte:
        """Return the digest: all of the chaining value, as in SHA-256."""
        return state


class Free:
    """A compression function without collisions: every chain of blocks has a number, in order of first use."""

    def __init__(self) -> None:
        self.links: list[tuple[int, Message]] = [(0, ())]
        self._known: dict[tuple[int, Message], int] = {}

    def compress(self, state: int, block: Message) -> int:
        """Return the next chaining value."""
        found = self._known.get((state, block))
        if found is None:
            found = self._known[state, block] = len(self.links)
            self.links.append((state, block))
        return found

    def read(self, state: int) -> Byte:
        """Return the digest as a byte that no other message has."""
        return Link(state)
