"""The names of the roulette bets that `rules` has, and their codes on the wire.

An inside bet is named by the pockets it covers, ascending, the zeros first: `straight:17`, `split:1-4`, `street:1-2-3`,
`corner:1-2-4-5`, `six_line:1-2-3-4-5-6`, `split:0-00`, `trio:00-2-3`. Side, upright and zero splits are three kinds on
the wire and one word here: the two numbers tell them apart. Dozens and columns count from 1 in names and from 0 on the
wire. `first_four` and `top_line` are the only ones of their kind, so they need no numbers.
"""

from __future__ import annotations

from croupier.games.roulette import rules

KINDS = (
    "straight", "red", "black", "even", "odd", "low", "high", "dozen", "column",
    "split", "split", "street", "corner", "six_line", "split", "trio", "first_four", "top_line",
)  # fmt: skip


def _named(kind: int, number: int) -> str:
    if rules.number_is_ignored(kind):
        return KINDS[kind]
    if kind in (rules.DOZEN, rules.COLUMN):
        return f"{KINDS[kind]}:{number + 1}"
    pockets = [0, rules.DOUBLE_ZERO, *range(1, 37)]
    covered = [pocket for pocket in pockets if rules.covers(kind, number, pocket)]
    return f"{KINDS[kind]}:" + "-".join("00" if pocket == rules.DOUBLE_ZERO else str(pocket) for pocket in covered)


def _catalogue() -> dict[str, tuple[int, int]]:
    found = {}
    for kind in range(rules.KIND_COUNT):
        for number in range(1 if rules.number_is_ignored(kind) else 256):
            if rules.valid(kind, number, rules.STANDARD) or rules.valid(kind, number, rules.DOUBLE_ZERO_WHEEL):
                found[_named(kind, number)] = kind, number
    return found


BETS: dict[str, tuple[int, int]] = _catalogue()
"""Every bet of either wheel: name to kind and number. `rules.valid` tells which a table offers."""


def bets_of(zero_rule: int) -> dict[str, tuple[int, int]]:
    """Return the bets that a table with this zero rule offers, in the order of their codes."""
    return {name: code for name, code in BETS.items() if rules.valid(*code, zero_rule)}
