"""Oracle of streams and draws: SHA-256 alone, for calculations that share nothing with the package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

SUPER_MOVE = 4294967295


def stream(seed: str, session_id: str, move: int) -> Iterator[int]:
    block = sha256(bytes.fromhex(seed) + int(session_id).to_bytes(8, "big") + move.to_bytes(4, "big")).digest()
    while True:
        yield from block
        block = sha256(block).digest()


def below(source: Iterator[int], bound: int) -> int:
    """Return a fair number below a bound: from one byte, or from four where one is too small."""
    size = 1 if bound < 256 else 4
    most = 256**size - 1
    while True:
        word = int.from_bytes([next(source) for _ in range(size)], "big")
        if word < most // bound * bound:
            return word % bound


def draw(source: Iterator[int], pack: list[int], count: int = 1) -> list[int]:
    """Take cards from a pack; the last card fills the place of each."""
    cards = []
    for _ in range(count):
        place = below(source, len(pack))
        pack[place], pack[-1] = pack[-1], pack[place]
        cards.append(pack.pop())
    return cards


def super_stream(case: dict[str, Any]) -> Iterator[int]:
    return stream(case["seed"], case["session_id"], SUPER_MOVE)


def marked(case: dict[str, Any], kinds: int, count: int) -> list[int]:
    """Return the ranks or suits that a super session marks: plain bytes, none of them twice."""
    found: list[int] = []
    source = super_stream(case)
    while case["super"] and len(found) < count:
        number = next(source) % kinds
        found += [number] if number not in found else []
    return found


def lit(case: dict[str, Any], kinds: int, count: int, steps: dict[int, int], source: Any = None) -> dict[int, int]:
    """Return what a super session lights, none of it twice, each with its multiplier.

    `steps` has the multipliers with how many of 10,000 draws are of them or of one before.
    """
    found: dict[int, int] = {}
    source = source or super_stream(case)
    while case["super"] and len(found) < count:
        number = next(source) % kinds
        if number not in found:
            chance = below(source, 10_000)
            found[number] = next(times for times, limit in steps.items() if chance < limit)
    return found


def bets_in(payload: bytes, batch: int) -> Iterator[tuple[int, int, int]]:
    """Yield kind, number and stake of the bets that a payload lays, one by one or in a batch of this opcode."""
    data = {0: payload[2:], batch: payload[3:]}.get(payload[1], b"")
    for at in range(0, len(data), 10):
        yield data[at], data[at + 1], int.from_bytes(data[at + 2 : at + 10], "big")


def vectors(name: str) -> dict[str, Any]:
    """Return the published sessions of a game, and what was published besides."""
    file: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "games" / f"{name}.json").read_text())
    return file


def moves(case: dict[str, Any]) -> Iterator[tuple[int, bytes, Iterator[int]]]:
    """Yield the opcode, the payload and the stream of every move of a session."""
    for number, payload in enumerate(map(bytes.fromhex, case["moves"]), 1):
        assert payload[0] == 1
        yield payload[1], payload, stream(case["seed"], case["session_id"], number)


def accounts(lines: list[list[Any]], fees: int) -> dict[str, Any]:
    """Return the lines of a session, and what they come to."""
    staked, returned = (sum(line[place] for line in lines) for place in (1, 2))
    return {"lines": lines, "staked": staked, "returned": returned, "fees": fees}
