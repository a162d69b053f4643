"""Pay tables: what pays what, as the sheet of a game's rules has it."""

from __future__ import annotations

import re

from croupier.wire.games import PayTable

__all__ = ["pay_tables"]


def pay_tables(rules: str) -> tuple[PayTable, ...]:
    r"""Return the tables of a page of rules that say what is paid, by a column or in the heading.

    >>> pay_tables("## Bets\n| bet | pays |\n|---|---|\n| red | 1 to 1 |\n")
    (PayTable(heading='Bets', columns=('bet', 'pays'), rows=(('red', '1 to 1'),)),)
    """
    found, heading, lines = [], "", [*rules.splitlines(), ""]
    table: list[tuple[str, ...]] = []
    for line in lines:
        if line.startswith("|"):
            table.append(tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))))
            continue
        if len(table) > 2 and re.search(r"\bpays?\b", " ".join((heading, *table[0]))):
            found.append(PayTable(heading, table[0], tuple(table[2:])))
        table = []
        if line.startswith("#"):
            heading = line.lstrip("# ")
    return tuple(found)
