"""The rules of a game for a terminal: Markdown with tables in which nothing is cut."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.text import Text

from croupier.cli.show import measure, plain_table, share_width


class _WholeTable(TableElement):
    """A table of the rules in which no word is cut: where they do not fit side by side, a paragraph for each row."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        assert self.header is not None
        assert self.header.row is not None
        table = plain_table(*(cell.content.plain for cell in self.header.row.cells))
        rows = [[cell.content for cell in row.cells] for row in (self.body.rows if self.body else [])]
        for row in rows:
            table.add_row(*row)
        if measure(table, least=True) <= options.max_width:
            share_width(table, options.max_width)
            yield table
            return
        for first, *others in rows:
            told = [(each.header, text.plain) for each, text in zip(table.columns[1:], others, strict=False) if text]
            yield Text.assemble((first.plain, "bold"), *(f"; {name}: {text}" for name, text in told))


class Rules(Markdown):
    """The rules of a game for a terminal: Markdown with tables in which nothing is cut."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": _WholeTable}
