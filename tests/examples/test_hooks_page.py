"""The page of hooks: every hook of `Game` and `HouseGame` is on it and nothing else, and its example is Python."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from croupier.engine import Game
from croupier.house import HouseGame
from tests.docs.conftest import rows_in, section, words

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "hooks.md").read_text()
# What the engine fills in, as the page says.
MADE = {"actions", "shape"}


def rows(title: str) -> list[tuple[list[str], str]]:
    """Return the names and the example of each row below a heading."""
    found = rows_in(section(PAGE, re.escape(title)))
    assert all(len(text.split()) > 1 for _, text, _ in found)
    return [(words(names), example.strip("`")) for names, _, example in found]


def own(kind: type) -> tuple[set[str], set[str]]:
    """Return the attributes that a class declares, and the methods that it defines itself."""
    public = {name for name in vars(kind) if not name.startswith("_")}
    attributes = {name for name in kind.__annotations__ if not name.startswith(("_", "has_"))} - MADE
    return attributes, {name for name in public if callable(vars(kind)[name])} - attributes - set(Game.__annotations__)


def named(title: str) -> list[str]:
    return [name for names, _ in rows(title) for name in names]


@pytest.mark.parametrize("kind", [Game, HouseGame])
def test_every_hook_has_an_entry_and_every_entry_is_a_hook(kind: type) -> None:
    attributes, methods = own(kind)
    if kind is HouseGame:
        methods -= own(Game)[1]  # those of `Game` that it writes itself
        for name in sorted(own(HouseGame)[1] & own(Game)[1]):
            assert f"`{name}`" in PAGE.partition("## `HouseGame`: methods")[2]

    assert sorted(named(f"`{kind.__name__}`: what it says of itself")) == sorted(attributes)
    assert sorted(named(f"`{kind.__name__}`: methods")) == sorted(methods)


def test_every_example_is_python() -> None:
    examples = [example for kind in ("Game", "HouseGame") for part in ("what it says of itself", "methods")
                for _, example in rows(f"`{kind}`: {part}")]  # fmt: skip
    assert len(examples) > 45
    for example in examples:
        ast.parse(f"def hook(self):\n    {example}")


def test_the_game_with_secrets_is_the_file_that_is_tested() -> None:
    assert f"```python\n{(DOCS / 'examples' / 'liars_dice.py').read_text()}```" in PAGE
