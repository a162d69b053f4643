"""Every text of the page stands in one file, from which it is translated, and the page shows the translation."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parents[2] / "src/croupier/web/static"
TEXTS = STATIC.parents[3] / "docs/page-texts.json"
TAG = re.compile(r"(?<![\w$`'\".])t`")

# What is seen and not in brackets, where a text of the page must stand: names of people, games and cards are not.
LEFT = """
() => [...document.querySelectorAll("button, nav a, h2, label > span, dt, .moment, .felt-line, [aria-label]")]
  .filter((one) => one.getClientRects().length && !one.closest("svg"))
  .flatMap((one) => [one.getAttribute("aria-label") ?? one.textContent])
  .filter((text) => /[a-z]{2}/i.test([1, 2, 3, 4].reduce((rest) => rest.replace(/⟦[^⟦⟧]*⟧/g, ""), text)))
"""


def end_of(source: str, at: int) -> int:
    """Return where a hole of a template that begins at `at` ends: behind its brace."""
    depth = 1
    while depth:
        if source[at] == "`":
            at = [*template(source, at + 1)][-1][1]
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        at += 1
    return at


def template(source: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the parts of a template whose text begins at `at`, holes as "", each with the place behind it."""
    while source[at] != "`":
        if source.startswith("${", at):
            at = end_of(source, at + 2)
            yield "", at
        else:
            at += 2 if source[at] == "\\" else 1
            yield source[at - 1], at
    yield "`", at + (1 if source.startswith("`", at) else 0)


def texts_of(source: str) -> Iterator[str]:
    """Yield the texts of a module with numbers for their holes, as the page looks them up."""
    for found in TAG.finditer(source):
        text, holes = "", 0
        for part, _ in [*template(source, found.end())][:-1]:
            text += part or f"{{{holes}}}"
            holes += not part
        yield text


def all_texts() -> dict[str, str]:
    """Return every text with the modules it stands in."""
    found: dict[str, str] = {}
    for module in sorted(STATIC.rglob("*.js")):
        for text in dict.fromkeys(texts_of(module.read_text())):
            found[text] = f"{found.get(text, '')} {module.relative_to(STATIC)}".strip()
    return dict(sorted(found.items()))


def test_the_file_has_every_text_of_the_page_and_no_other() -> None:
    found = all_texts()
    if os.environ.get("TEXTS") == "write":
        TEXTS.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n")
    assert json.loads(TEXTS.read_text()) == found, "`TEXTS=write pytest tests/web/test_texts.py` writes it anew"
    assert len(found) > 900


def test_a_page_in_another_language_has_no_english_left(visitor: Any) -> None:
    words = {text: f"⟦{text}⟧" for text in json.loads(TEXTS.read_text())}
    visitor.page.evaluate("(words) => localStorage.setItem('croupier.words', JSON.stringify(words))", words)
    visitor.page.reload()
    left = {}
    for path in ("play/roulette", "play/blackjack", "account", "history", ""):
        visitor.go(path)
        if path.startswith("play"):
            visitor.settle()
        left[path] = visitor.page.evaluate(LEFT)
    assert left == {path: [] for path in left}
