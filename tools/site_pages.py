"""Pages of the documentation that are data: mkdocs makes them when it builds the site (`hooks` in mkdocs.yml)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

__all__ = ["PAGES", "on_files"]

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path, and knows no `tools`

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from tools.lanes.card_page import card_page

PAGES: dict[str, Callable[[], str]] = {"lanes-cards.md": lambda: card_page(own_cards(), own_decks())}
"""What makes each page, by the page's place below docs/."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those that lie in docs/; mkdocs calls this."""
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files
