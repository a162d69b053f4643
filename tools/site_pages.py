"""Pages and tables of the documentation that are data: mkdocs makes them for the site (`hooks` in mkdocs.yml).

A page has `<!-- made: options play -->` where a table comes; see `TABLES`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path, and knows no `tools`

from croupier.games.lanes.cards.card_set import own_cards, own_decks
from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.server.problems import PROBLEMS
from tools import site_tables
from tools.conformance import page_of, read_table
from tools.lanes.card_page import card_page
from tools.odds_checks import source_rows

SIMULATED = Path(__file__).with_name("simulated_odds.json")
"""The rows that `croupier odds --all --check --markdown` found."""
BALANCE = Path(__file__).with_name("lanes") / "balance.md"
"""What `python -m tools.lanes.balance` printed."""
HEADINGS = ("game", "options", "bet", "policy", "exact", "simulated", "standard error", "z", "rounds")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def simulated_table() -> str:
    """Return the table of simulations as that command prints it."""
    found = json.loads(SIMULATED.read_text(encoding="utf-8"))
    return table(
        HEADINGS,
        ([f"`{cell}`" if cell and at in (0, 2, 3) else cell for at, cell in enumerate(cells)] for cells in found),
    )


def simulated_page() -> str:
    """Return the page of simulations: what they are, and their table."""
    return f"{SIMULATED.with_suffix('.md').read_text(encoding='utf-8')}\n{simulated_table()}"


PAGES: dict[str, Callable[[], str]] = {
    "conformance.md": lambda: page_of(read_table()),
    "lanes-balance.md": BALANCE.read_text,
    "lanes-cards.md": lambda: card_page(own_cards(), own_decks()),
    "simulated-odds.md": simulated_page,
}
"""What makes each page, by the page's place below docs/."""


def options_table(command: str) -> str:
    """Return the options of a command, in the words of its help."""
    found: click.Command = getattr(import_module(f"croupier.cli.commands.{command}"), command)
    options = [param for param in found.params if isinstance(param, click.Option)]
    rows = [
        [
            ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
            + (f" {option.metavar}" if option.metavar else ""),
            (option.help or "").replace("|", "\\|"),
        ]
        for option in options
    ]
    return table(["option", "meaning"], rows)


def errors_table() -> str:
    """Return every error of the API."""
    return table(
        ["code", "status", "meaning"], ([f"`{code}`", str(status), said] for code, (status, said) in PROBLEMS.items())
    )


def routes_table() -> str:
    """Return every operation of the API."""
    return table(
        ["method", "path", "who", "what"],
        ([each.method, f"`{each.path}`", each.role, each.summary] for each in OPERATIONS),
    )


MADE = re.compile(r"^<!-- made: (\w+) ?(\w*) -->\n", flags=re.MULTILINE)
EDGES = ("edge", "exactly")
SOURCES = ("game", "figures", "count", "closed form", "model", "published", "simulation alone")
TABLES: dict[str, Callable[..., str]] = {
    "options": options_table,
    "errors": errors_table,
    "routes": routes_table,
    "exceptions": lambda: table(["error", "code", "what it means"], site_tables.exceptions()),
    "opcodes": lambda: table(["game", "opcode", "action", "fields"], site_tables.opcodes()),
    "bets": lambda: table(["game", "kind", "bets, each behind its number"], site_tables.bets()),
    "catalogue": lambda: table(["game", "table", "stakes"], site_tables.catalogue()),
    "edges": lambda: table(["game", "bet", "policy", *EDGES, "in super mode"], site_tables.main_edges()),
    "changes": lambda: table(["game", "option", "bet", "policy", *EDGES], site_tables.changed_edges()),
    "sources": lambda: table(SOURCES, source_rows()),
    "tricks": lambda: table(["scenario", "tried", "wins", "bought out", "chips gained a bet"], site_tables.tricks()),
}
"""What makes each table, from the words after `made:`."""


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put the tables into a page; mkdocs calls this."""
    return MADE.sub(lambda found: TABLES[found[1]](*filter(None, found.groups()[1:])), markdown)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those that lie in docs/; mkdocs calls this."""
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files
