"""Scenes: tests of a match written as text, step by step, with what must then be so.

A scene begins with a line `# title | players and options`; lines with two such signs are remarks. Its steps stand on
lines or between semicolons:

    ann place pass 10                an action, in the words of the game's own reader
    ann place pass 5001 -> over_limit   an action that is refused with this code, and changes nothing
    ? ann.chips 990                  what is so now: where to look, and a Python value
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import pytest


class Stage(Protocol):
    """A match that reads actions in words."""

    def take(self, words: list[str]) -> Any: ...
    def refusal(self, words: list[str]) -> str: ...
    def look(self, path: str) -> Any: ...


def scenes(text: str) -> list[Any]:
    """Return the scenes of a text as parameters of a test, head and steps, each named by its title."""
    found: list[tuple[str, list[str]]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("# "):
            found.append((line[2:], []))
        elif not line.startswith("##"):
            found[-1][1].append(line)
    parts = [(*title.split(" | "), "\n".join(lines)) for title, lines in found]
    assert len({title for title, *_ in parts}) == len(parts)
    return [pytest.param(head, scene, id=title.replace(" ", "_")) for title, head, scene in parts]


def rows(text: str) -> list[Any]:
    """Return the lines of a table, cells between bars, as parameters of a test; a line with a `#` is a remark."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [pytest.param(*line.split(" | "), id=line.replace(" ", "_")[:100]) for line in lines]


def grouped(table: Mapping[Any, Iterable[Any]]) -> list[tuple[Any, ...]]:
    """Return the rows of a table that is written by what they end with: what each row has, and that."""
    return [(*(row if isinstance(row, tuple) else (row,)), end) for end, rows in table.items() for row in rows]


def steps(scene: str) -> Iterator[str]:
    """Yield the steps of a scene; a semicolon in quotes does not end one."""
    for line in scene.splitlines():
        yield from filter(None, map(str.strip, re.split(r";(?=(?:[^']*'[^']*')*[^']*$)", line)))


def play(stage: Stage, scene: str) -> None:
    """Play the steps of a scene, and see that all is as it says."""
    checks = 0
    for step in steps(scene):
        if step.startswith("? "):
            _, path, value = step.split(maxsplit=2)
            found, expected = stage.look(path), literal_eval(value)
            assert (found, type(found)) == (expected, type(expected)), step
        elif " -> " in step:
            words, code = step.split(" -> ")
            assert stage.refusal(words.split()) == code, step
        else:
            stage.take(step.split())
            continue
        checks += 1
    assert checks, "a scene that says nothing of what must be so"


def look_at(found: Any, path: str) -> Any:
    """Return what stands at a path of attributes, places and keys."""
    for name in path.split("."):
        if isinstance(found, dict):
            found = found[name]
        elif isinstance(found, tuple | list) and name.isdigit():
            found = found[int(name)]
        else:
            found = getattr(found, name)
    return found
