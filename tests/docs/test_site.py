"""The documentation as built: it builds without a warning, and its pages load nothing from other hosts."""

from __future__ import annotations

import re
import shutil
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from tools.site_pages import PAGES

ROOT = Path(__file__).parents[2]
REMOTE = re.compile(r"\s*(\w+:)?//")


class Assets(HTMLParser):
    """Collects what a page makes the browser fetch. A link that a reader may follow is no such thing."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"src", "srcset", "data", "poster"} | ({"href"} if tag == "link" else set())
        self.found += [value for name, value in attrs if name in wanted and value]


def build(site: Path, docs: Path = ROOT / "docs") -> None:
    """Build the documentation, warnings as errors; in this process, which has counted most odds already."""
    mkdocs_build(load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(docs), site_dir=str(site), strict=True))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the built documentation."""
    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


def test_a_page_that_is_missing_breaks_the_build(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / "docs" / "house.md").unlink()

    with pytest.raises(Abort, match="warnings in strict mode"):
        build(tmp_path / "site", tmp_path / "docs")

    warned = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert len(warned) > 1
    assert [text for text in warned if "house.md" not in text] == []


def test_pages_load_nothing_from_other_hosts(site: Path) -> None:
    for page in site.rglob("*.html"):
        assets = Assets()
        assets.feed(page.read_text())
        assert assets.found
        assert [asset for asset in assets.found if REMOTE.match(asset)] == [], page.name


def test_style_sheets_load_nothing_from_other_hosts(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        loaded = re.findall(r"url\(\s*[\"']?([^)\"']+)|@import\s+[\"']([^\"']+)", sheet.read_text())
        assert [one for pair in loaded for one in pair if REMOTE.match(one)] == [], sheet.name


def test_every_page_is_built_and_tests_are_not(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}

    assert pages <= built
    assert {Path(page).with_suffix("") for page in PAGES} <= built - pages
    assert list(site.rglob("*test*.py")) == []
    assert [page.name for page in site.rglob("*.html") if "<!-- made:" in page.read_text()] == []


def test_the_page_of_the_cards_of_lanes_shows_every_card_and_deck(site: Path) -> None:
    text = unescape((site / "lanes-cards.html").read_text())

    assert len(own_cards().cards) > 60
    for card in own_cards():
        assert f"{card.name}<a" in text  # a heading, with its link
        assert f"{card.id}, {card.tier}\n" in text
        assert f"{card.text} <em>{card.flavour}</em>" in text
    assert [deck.id for deck in own_decks() if f"<code>{deck.id}</code>" not in text] == []
