"""The bytes of a stream from SHA-256 alone, for calculations that share nothing with the package."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256


def stream(seed: str, session_id: str, move: int) -> Iterator[int]:
    block = sha256(bytes.fromhex(seed) + int(session_id).to_bytes(8, "big") + move.to_bytes(4, "big")).digest()
    while True:
        yield from block
        block = sha256(block).digest()
