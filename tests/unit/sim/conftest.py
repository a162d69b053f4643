"""Compiled streams behind the method names of `GameRng`, and all ways to hash."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier import draws
from croupier.engine import get_game
from croupier.house import HouseGame
from croupier.rng import GameRng
from croupier.sim import compiled
from croupier.sim.blocks import PATHS
from croupier.sim.sha256 import FEATURES
from croupier.sim.stream import Row, row_from_state, streams

SOURCES = Path(__file__).parents[3] / "src"
SOLD = [f"{kind}:{number}" for kind in ("yes", "no") for number in (4, 5, 6, 8, 9, 10)]
POOLED = enumerate(["pass", "dont_pass", "come", "dont_come", *SOLD, "hard:4", "hard:6", "hard:8", "hard:10"])
POOLED_STAKES = {bet: 61 + 7 * n * n for n, bet in POOLED}
"""Stakes at craps with more different results in a chunk than are counted one by one."""


@pytest.fixture(scope="module", autouse=True)
def usual_hashing() -> Iterator[None]:
    """Hash as the processor does best, whatever the environment says.

    Kernels are kept where the machine keeps them: a file's name tells the sources, versions and processor that it was
    compiled from, so one of another simulator is never taken. `test_cache.py` has folders of its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CROUPIER_HASH_PATH", raising=False)
        yield


@pytest.fixture(scope="package", params=PATHS, ids=lambda path: path.name)
def path(request: pytest.FixtureRequest) -> str:
    """Return a way to hash; a test that takes it runs once for each."""
    missing = request.param.features - FEATURES
    if missing:
        pytest.skip(f"this processor lacks what {request.param.name} needs: {' '.join(sorted(missing))}")
    return str(request.param.name)


def house_game(game_id: str) -> HouseGame[Any]:
    """Return a game that is played against the house."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return game


@pytest.fixture(scope="package")
def in_new_process() -> Callable[..., subprocess.Popen[str]]:
    """Return a function that starts a script with its arguments and surroundings in a process of its own."""

    def start(script: str, *arguments: object, **environment: object) -> subprocess.Popen[str]:
        paths = [str(environment.pop("PYTHONPATH", "")), str(SOURCES)]
        surroundings = {**os.environ, **{name: str(value) for name, value in environment.items()}}
        return subprocess.Popen(
            [sys.executable, "-B", "-c", script, *map(str, arguments)],
            env={**surroundings, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdout=subprocess.PIPE,
            text=True,
        )

    return start


DRAWS: dict[str, Any] = {
    **{f"next_{name}": getattr(draws, name) for name in ("bounded", "bounded_u32", "bounded_usize")},
    **{name: getattr(draws, name) for name in ("next_byte", "next_u32", "next_u64", "roll_die", "spin_roulette")},
    "next_u8": draws.next_byte,
    "f32_numerator": draws.f32_numerator,
}


class CompiledRng:
    """A row of bytes with the draws of `croupier.draws` compiled, under the names that the vectors call them by."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.first_block = self.block
        self.first_index = self.index

    @property
    def block(self) -> bytes:
        return self.row[:32].tobytes()

    @property
    def index(self) -> int:
        return int(self.row[32])

    @property
    def bytes_used(self) -> int:
        """How many bytes were drawn, found by following the chain from the first block to the present one."""
        block, behind = self.first_block, 0
        while block != self.block:
            block, behind = sha256(block).digest(), behind + 32
        return behind + self.index - self.first_index

    def __getattr__(self, name: str) -> Any:
        """Return a compiled draw by the name that `GameRng` has for it."""
        draw: Any = compiled(DRAWS[name])
        return lambda *bounds: draw(self.row, *bounds)

    def state(self) -> bytes:
        return self.block

    def next_f32(self) -> float:
        return int(self.f32_numerator()) / 2**24

    def fill_bytes(self, count: int) -> bytes:
        return bytes([self.next_byte() for _ in range(count)])

    def shuffle(self, items: list[Any]) -> None:
        places = np.arange(len(items))
        compiled(draws.shuffle)(self.row, places, len(places))  # type: ignore[arg-type]
        items[:] = [items[place] for place in places]

    def draw_card(self, deck: list[int]) -> int:
        array = np.array(deck, np.int64)
        card = compiled(draws.draw_card)(self.row, array, len(array))  # type: ignore[arg-type]
        deck[:] = array[:-1].tolist()
        return card

    # Packs are made as the reference makes them, and shuffled here.
    create_deck, create_deck_excluding = GameRng.create_deck, GameRng.create_deck_excluding
    create_shoe, create_shoe_excluding = GameRng.create_shoe, GameRng.create_shoe_excluding
    create_shoe_excluding_counts = GameRng.create_shoe_excluding_counts

    def _made(self, pack: list[int], shuffled: bool) -> list[int]:
        if shuffled:
            self.shuffle(pack)
        return pack


class Opener:
    """Opens compiled streams that are hashed on one path."""

    def __init__(self, path: str) -> None:
        self.path = path

    def new(self, seed: bytes, session_id: int, move_number: int) -> CompiledRng:
        return CompiledRng(streams(seed, [session_id], [move_number], self.path)[0])

    def from_state(self, block: bytes, index: int = 0) -> CompiledRng:
        return CompiledRng(row_from_state(block, index, self.path))


@pytest.fixture(scope="package")
def compiled_rng(path: str) -> Any:
    """Return `new` and `from_state` of `GameRng`, for streams in compiled code."""
    return Opener(path)
