"""The page of conformance: every line it tells readers to type runs, and every test that it points to exists."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.conformance import page_of, read_table

TESTS = Path(__file__).parents[1]
TABLE = read_table()
BEFORE: dict[str, str] = {section["title"]: section["before"] for section in TABLE["section"] if "before" in section}
TYPED = [
    (section["title"], line, test)
    for section in TABLE["section"]
    for part in section["part"]
    for _, line, test in part.get("rows", ())
]


@cache
def functions_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("section", "line"), [row[:2] for row in TYPED], ids=[row[1] for row in TYPED])
def test_a_line_of_the_page_can_be_typed(section: str, line: str) -> None:
    """A comparison at its end must be true, everything before it just runs."""
    typed: dict[str, Any] = {}
    exec(BEFORE[section], typed)
    *first, last = ast.parse(line).body
    exec(compile(ast.Module(first, []), line, "exec"), typed)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), line, "exec"), typed)
        return
    value = eval(compile(ast.Expression(last.value), line, "eval"), typed)
    if isinstance(last.value, ast.Compare):
        assert value


@pytest.mark.parametrize("pointer", sorted({row[2] for row in TYPED}))
def test_the_test_exists(pointer: str) -> None:
    path, _, test = pointer.partition("::")

    assert test in functions_in(TESTS / path)


def test_the_page_shows_every_line_that_is_typed() -> None:
    page = page_of(TABLE)

    assert len(TYPED) > 250
    assert [line for _, line, _ in TYPED if f"| `{line}` |" not in page] == []


def test_a_departure_has_its_reason() -> None:
    parts = [part for section in TABLE["section"] for part in section["part"]]
    departures = [row for part in parts for row in part.get("departures", ())]

    assert len(departures) > 30
    assert all(len(row) == 3 and all(row) for row in departures)
    assert all(set(part) <= {"text"} or set(part) <= {"rows"} or set(part) <= {"departures"} for part in parts)


def test_every_document_has_a_section() -> None:
    titles = [section["title"] for section in TABLE["section"]]
    assert titles == ["Which interface is which", *BEFORE]
    assert len(BEFORE) == 5
