"""Lets sessions find every game by its id, also where the package is not installed and has no entry points."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from croupier.engine.registry import has_game, register_game, unregister_game

ENTRY_POINTS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["entry-points"]


@pytest.fixture(autouse=True, scope="session")
def registered() -> Iterator[None]:
    missing = {name: place for name, place in ENTRY_POINTS["croupier.games"].items() if not has_game(name)}
    for place in missing.values():
        module, _, game = place.partition(":")
        register_game(getattr(import_module(module), game)())
    yield
    for name in missing:
        unregister_game(name)
