"""The page of conformance, made for the site from `tests/docs/conformance.toml`, whose every line a test runs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[1] / "tests/docs/conformance.toml"


def read_table() -> dict[str, Any]:
    """Return the table: `head`, and sections with their title, what is typed before, and their parts."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def page_of(table: dict[str, Any]) -> str:
    """Return the page that a table makes."""
    pieces = [table["head"]]
    for section in table["section"]:
        pieces.append(f"## {section['title']}\n")
        pieces += [_written(part) for part in section["part"]]
    return "\n".join(pieces)


def _written(part: dict[str, Any]) -> str:
    if "text" in part:
        return str(part["text"])
    if "rows" in part:
        rows = [("their name", "as you type it", "shown by")]
        rows += [(theirs, f"`{line}`", f"`{test}`") for theirs, line, test in part["rows"]]
    else:
        rows = [("the document", "here", "why"), *part["departures"]]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---|---|---|", *lines[1:], ""])
