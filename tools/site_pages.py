"""Pages of the documentation that are data: mkdocs makes them when it builds the site (`hooks` in mkdocs.yml)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

__all__ = ["PAGES", "SIMULATED", "on_files", "simulated_table"]

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path, and knows no `tools`

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from tools.lanes.card_page import card_page

SIMULATED = Path(__file__).with_name("simulated_odds.json")
"""The rows that `croupier odds --all --check --markdown` found."""
HEADINGS = ("game", "options", "bet", "policy", "exact", "simulated", "standard error", "z", "rounds")


def simulated_table() -> str:
    """Return the table of simulations as that command prints it."""
    lines = [f"| {' | '.join(HEADINGS)} |", f"|{'---|' * len(HEADINGS)}"]
    for cells in json.loads(SIMULATED.read_text(encoding="utf-8")):
        marked = [f"`{cell}`" if cell and place in (0, 2, 3) else cell for place, cell in enumerate(cells)]
        lines.append(f"| {' | '.join(marked)} |")
    return "\n".join(lines) + "\n"


def simulated_page() -> str:
    """Return the page of simulations: what they are, and their table."""
    return f"{SIMULATED.with_suffix('.md').read_text(encoding='utf-8')}\n{simulated_table()}"


PAGES: dict[str, Callable[[], str]] = {
    "lanes-cards.md": lambda: card_page(own_cards(), own_decks()),
    "simulated-odds.md": simulated_page,
}
"""What makes each page, by the page's place below docs/."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those that lie in docs/; mkdocs calls this."""
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files
