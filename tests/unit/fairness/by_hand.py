"""Byte strings of the formulas of fairness, worked out with `struct` and `hashlib` alone."""

from __future__ import annotations

import struct
from hashlib import sha256


def lp(*parts: bytes) -> bytes:
    """Return parts one after the other, each with its length in four bytes before it."""
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def u64(number: int) -> bytes:
    return struct.pack(">Q", number)


def tagged(tag: str, *fields: bytes) -> bytes:
    """Return E(tag, fields) of shared dice."""
    return lp(tag.encode(), *fields)


def hashed(tag: str, *fields: bytes) -> bytes:
    return sha256(tagged(tag, *fields)).digest()
