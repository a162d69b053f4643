"""Lets sessions find the game by its id, also where the package is not installed and has no entry points."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.engine.registry import has_game, register_game, unregister_game
from croupier.games.craps import Craps


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    if has_game("craps"):
        yield
        return
    register_game(Craps())
    yield
    unregister_game("craps")
