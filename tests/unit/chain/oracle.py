"""App hashes by the definitions in docs/validators.md and `croupier.chain.merkle`, slowly and without their code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

DIGITS = "0123456789abcdef"


def slow_root(values: Mapping[str, bytes], path: str = "") -> bytes:
    """The root over keys, by hex digits as text: no sharing, no order."""
    items = {key: value for key, value in values.items() if sha256(key.encode()).hexdigest().startswith(path)}
    if not items:
        return bytes(32)
    if len(items) == 1:
        ((key, value),) = items.items()
        return sha256(b"\0" + sha256(key.encode()).digest() + sha256(value).digest()).digest()
    return sha256(b"\1" + b"".join(slow_root(items, path + digit) for digit in DIGITS)).digest()


def slow_list_root(events: Iterable[bytes]) -> bytes:
    level = [sha256(b"\2" + event).digest() for event in events]
    count, level = len(level), level or [bytes(32)]
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [sha256(b"\3" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs]
    return sha256(b"\4" + count.to_bytes(8, "big") + level[0]).digest()


def slow_app_hash(height: int, values: Mapping[str, bytes], events: Iterable[bytes]) -> str:
    parts = (b"croupier/app/2", height.to_bytes(8, "big"), slow_root(values), slow_list_root(events))
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()
