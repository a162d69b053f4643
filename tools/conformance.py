"""The page of conformance, made from the table that its test runs.

    python tools/conformance.py    write docs/conformance.md from tests/docs/conformance.toml

A test compares the two, so the page says nothing that was not run.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests/docs/conformance.toml"
PAGE = ROOT / "docs/conformance.md"


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


if __name__ == "__main__":
    PAGE.write_text(page_of(read_table()), encoding="utf-8")
