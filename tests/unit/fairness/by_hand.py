"""Byte strings of the formulas of fairness, worked out with `struct` alone."""

from __future__ import annotations

import struct


def lp(*parts: bytes) -> bytes:
    """Return parts one after the other, each with its length in four bytes before it."""
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def u64(number: int) -> bytes:
    return struct.pack(">Q", number)
