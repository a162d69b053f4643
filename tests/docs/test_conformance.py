"""The page of conformance: every name of ours that it claims exists, and so does every test that it points to."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "conformance.md").read_text()
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in PAGE.splitlines() if line.startswith("| ")]
CLAIMS = [(row[1].strip("`"), row[2].strip("`")) for row in ROWS if row[1].startswith("`")]
NAMES = sorted({ours for ours, _ in CLAIMS})
POINTERS = sorted({test for _, test in CLAIMS})


def find(dotted: str) -> Any:
    """Return what a dotted name means: a module as far as it goes, then attributes."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[end:]:
            found = getattr(found, attribute)
        return found
    raise ModuleNotFoundError(dotted)


@cache
def functions_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("ours", NAMES)
def test_the_name_exists(ours: str) -> None:
    assert find(ours) is not None


@pytest.mark.parametrize("pointer", POINTERS)
def test_the_test_exists(pointer: str) -> None:
    path, _, test = pointer.partition("::")

    assert test in functions_in(TESTS / path)


def test_a_row_claims_something_or_says_later() -> None:
    body = [row for row in ROWS if row[0] != "their name"]

    assert len(body) > 100
    assert [row for row in body if len(row) != 3 or not (row[1] == "*later*" or row[1].startswith("`croupier."))] == []


def test_every_document_has_a_section() -> None:
    assert re.findall(r"^## (.+)$", PAGE, flags=re.MULTILINE) == [
        "The casino's execution engine",
        "The match engine",
        "Shut the Box, the plain object",
        "Craps",
        "The card duel",
    ]
