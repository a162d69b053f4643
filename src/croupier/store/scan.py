"""Whole tables, a page at a time: for the audit, exports and copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.store.statements import METADATA
from croupier.store.transaction import Transaction

__all__ = ["TABLES", "every_match_id", "every_row", "insert_row"]

TABLES = tuple(str(table.name) for table in METADATA.sorted_tables)
"""The names of all tables, those that others refer to first."""

PAGE = 500


def every_row(transaction: Transaction, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table by the names of its columns, in the order of its key."""
    sql = transaction.backend.statements
    columns = [str(column.name) for column in METADATA.tables[table].columns]
    keys = [column.name for column in METADATA.tables[table].primary_key]
    rows = transaction.all(sql.first_page[table], limit=PAGE)
    while rows:
        for values in rows:
            row = dict(zip(columns, values, strict=True))
            yield row
        after = {f"after_{key}": row[key] for key in keys}
        rows = transaction.all(sql.next_page[table], limit=PAGE, **after) if len(rows) == PAGE else []


def every_match_id(transaction: Transaction) -> Iterator[str]:
    """Yield the ids of all matches of which there are events, in order."""
    after = ""
    while rows := transaction.all(transaction.backend.statements.match_ids, after=after, limit=PAGE):
        for (after,) in rows:
            yield after


def insert_row(transaction: Transaction, table: str, row: dict[str, Any]) -> None:
    """Write a row as it is."""
    transaction.do(transaction.backend.statements.insert_row[table], **row)
