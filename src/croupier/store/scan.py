"""Whole tables and lists, a page at a time: for the audit, exports and copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from croupier.store import statements
from croupier.store.transaction import Transaction

T = TypeVar("T")

TABLES = tuple(sorted(statements.TABLES))
"""The names of all tables; those that others refer to come first."""

PAGE = 500


def every_row(transaction: Transaction, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table by the names of its columns, in the order of its key."""
    columns, keys = statements.TABLES[table].columns, statements.TABLES[table].keys
    rows = transaction.all(statements.page(table, is_first=True), limit=PAGE)
    while rows:
        for values in rows:
            row = dict(zip(columns, values, strict=True))
            yield row
        after = {f"after_{key}": row[key] for key in keys}
        rows = transaction.all(statements.page(table, is_first=False), limit=PAGE, **after) if len(rows) == PAGE else []


def every_item(page: Callable[[Any], Sequence[T]], name: str, first: Any = None) -> Iterator[T]:
    """Yield all of a list; a page is asked for by the attribute `name` of the last item seen, at first by `first`."""
    last = first
    while found := page(last):
        yield from found
        last = getattr(found[-1], name)


def every_match_id(transaction: Transaction) -> Iterator[str]:
    """Yield the ids of all matches of which there are events, in order."""
    after, text = "", "SELECT DISTINCT match_id FROM events WHERE match_id > :after ORDER BY match_id LIMIT :limit"
    while rows := transaction.all(text, after=after, limit=PAGE):
        for (after,) in rows:
            yield after
