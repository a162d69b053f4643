"""`croupier.kit` offers names of its modules, and imports nothing above it."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from croupier import kit
from tools.surface import Module

MODULES = ("board", "cards", "dice", "errors", "faces", "lit", "markup", "piles", "poker", "rows")


def defined(module: str) -> list[str]:
    """Return the names that a module of the kit defines and that are not private to it."""
    path = Path(kit.__file__).parent / f"{module}.py"
    return [name for name in Module(path, is_package=False).definitions if not name.startswith("_")]


def test_what_the_kit_offers_is_what_its_modules_have_and_no_name_stands_in_two() -> None:
    public = [name for module in MODULES for name in defined(module)]

    assert set(kit.__all__) <= set(public)
    assert len(set(public)) == len(public)


@pytest.mark.parametrize("module", MODULES)
def test_a_name_means_the_same_from_the_kit_and_from_its_module(module: str) -> None:
    source = importlib.import_module(f"croupier.kit.{module}")

    assert all(getattr(kit, name) is getattr(source, name) for name in defined(module) if name in kit.__all__)


def test_the_kit_imports_nothing_of_croupier_but_what_lies_below_it() -> None:
    below = ("croupier.kit", "croupier.errors", "croupier.rng", "croupier.draws")
    imported = [
        node.module
        for path in Path(kit.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("croupier")
    ]

    assert imported
    assert all(module.startswith(below) for module in imported)
