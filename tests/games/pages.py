"""The pages of games: their tables, and figures in the form in which a page has them."""

from __future__ import annotations

import re
from fractions import Fraction


def percent(value: Fraction, digits: int = 4) -> str:
    return f"{float(value):.{digits}%}".replace("%", " %")


def table_rows(page: str, head: str) -> list[list[str]]:
    """Return the cells of the tables with that head, row by row."""
    tables = re.findall(rf"^\| {re.escape(head)} \|\n\|[-|]+\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert tables, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for table in tables for line in table.splitlines()]


def plain_table(page: str, head: str) -> list[list[str]]:
    """Return the cells of the one table with that head; marks of code are left out of page and head."""
    page, head = page.replace("`", ""), head.replace("`", "")
    assert page.count(f"\n| {head} |\n") == 1
    return table_rows(page, head)


def bet_rows(page: str, head: str) -> list[tuple[list[str], list[str]]]:
    """Return the same, but the first cell as the bets that it names."""
    return [(re.findall(r"`([^`]+)`", first), cells) for first, *cells in table_rows(page, head)]
