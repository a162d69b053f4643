"""Powers of cards now: auras, status and counts.

power = printed power + permanent + gain + aura + count. Auras are kept per tile and side, as sums of what reaches a
card there; a card that comes or goes adds or takes away its own part, so they are never worked out from the start.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.lanes.rules.layout import (
    ALL,
    ALLIES,
    AMOUNT,
    AT_OF,
    AURA,
    BY_AURA,
    BY_COUNT,
    CARD,
    CARD_CELLS,
    CARDS,
    CARDS_OF,
    COUNT,
    COUNT_ENFEEBLED,
    COUNT_ENHANCED,
    COUNTERS,
    DO,
    DO_POWER,
    DO_POWER_PER,
    ENEMIES,
    ENFEEBLED,
    ENHANCED,
    EVENT_POWER,
    GAIN,
    HIT_TILES,
    OWNER,
    PERMANENT,
    POWER,
    SELF,
    THRESHOLD,
    TILE_OF,
    UNSETTLED,
    WHEN,
    WHILE_IN_PLAY,
    WHO,
    abilities_of,
    note,
    tile_count,
)


def change_at(cells: Sequence[int], at: int) -> int:
    """Return what has been done to the card at this place: above 0 it is enhanced, below 0 enfeebled.

    What it counts is left out: two cards that count each other's state would never settle.
    """
    return cells[at + PERMANENT] + cells[at + GAIN] + cells[at + AURA + cells[at + OWNER]]


def power_at(cells: Sequence[int], tables: Sequence[int], at: int) -> int:
    """Return the power of the card at this place."""
    printed = tables[CARDS + cells[at + CARD] * CARD_CELLS + POWER]
    return printed + change_at(cells, at) + cells[at + COUNT]


def targets_of(cells: Sequence[int], hit: int, side: int, who: int, tile: int) -> int:
    """Return which cards an ability of the card on `tile` means, of those on the tiles `hit`; or that card itself."""
    if who == SELF:
        return 1 << tile & (cells[CARDS_OF] | cells[CARDS_OF + 1])
    return hit & cards_of(cells, side, who)


def cards_of(cells: Sequence[int], side: int, who: int) -> int:
    """Return the tiles with cards of the sides that `side` calls its allies, its enemies, or all."""
    if who == ALLIES:
        return cells[CARDS_OF + side]
    if who == ENEMIES:
        return cells[CARDS_OF + 1 - side]
    return cells[CARDS_OF] | cells[CARDS_OF + 1]


def change_auras(cells: list[int], tables: Sequence[int], log: list[int] | None, card: int, side: int, tile: int,
                 times: int) -> None:  # fmt: skip
    """Add the auras of a card that comes (`times` 1) or take away those of one that goes (-1)."""
    hit = tables[CARDS + card * CARD_CELLS + HIT_TILES + 15 * side + tile]
    for ability in abilities_of(tables, card):
        if tables[ability + WHEN] == WHILE_IN_PLAY and tables[ability + DO] == DO_POWER:
            amount = tables[ability + AMOUNT] * times
            who = tables[ability + WHO]
            touched = targets_of(cells, hit, side, who, tile)
            cells[UNSETTLED] |= touched
            tiles = 1 << tile if who == SELF else hit
            while tiles != 0:
                bit = tiles & -tiles
                tiles ^= bit
                at = AT_OF[bit % 19] + AURA
                if who == ALL:
                    cells[at] += amount
                    cells[at + 1] += amount
                elif who == ENEMIES:
                    cells[at + 1 - side] += amount
                else:
                    cells[at + side] += amount
                if touched & bit:
                    note(log, EVENT_POWER, TILE_OF[bit % 19], amount, BY_AURA, tile, 0)


def update_status(cells: list[int], tables: Sequence[int], tiles: int) -> int:
    """Put down anew which of the cards on these tiles are enhanced and enfeebled, and return those at 0 or below."""
    enhanced = 0
    enfeebled = 0
    lowered = 0
    rest = tiles
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        at = AT_OF[bit % 19]
        change = cells[at + PERMANENT] + cells[at + GAIN] + cells[at + AURA + cells[at + OWNER]]  # as in change_at
        if change > 0:
            enhanced |= bit
        elif change < 0:
            enfeebled |= bit
        if tables[CARDS + cells[at + CARD] * CARD_CELLS + POWER] + change + cells[at + COUNT] <= 0:
            lowered |= bit
    cells[ENHANCED] = (cells[ENHANCED] & ~tiles) | enhanced
    cells[ENFEEBLED] = (cells[ENFEEBLED] & ~tiles) | enfeebled
    return lowered


def lowered_of(cells: Sequence[int], tables: Sequence[int], tiles: int) -> int:
    """Return those of the tiles whose cards are at 0 or below."""
    lowered = 0
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        if power_at(cells, tables, AT_OF[bit % 19]) <= 0:
            lowered |= bit
    return lowered


def update_counts(cells: list[int], tables: Sequence[int], log: list[int] | None) -> int:
    """Count anew for every card that counts others, and return the tiles of those whose count is another now."""
    changed = 0
    rest = cells[COUNTERS]
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        at = AT_OF[bit % 19]
        count = count_at(cells, tables, at, bit)
        if count != cells[at + COUNT]:
            note(log, EVENT_POWER, TILE_OF[bit % 19], count - cells[at + COUNT], BY_COUNT, TILE_OF[bit % 19], 0)
            cells[at + COUNT] = count
            changed |= bit
    return changed


def count_at(cells: Sequence[int], tables: Sequence[int], at: int, bit: int) -> int:
    """Return what the card at this place gets for the others that it counts."""
    count = 0
    for ability in abilities_of(tables, cells[at + CARD]):
        if tables[ability + DO] == DO_POWER_PER:
            others = cards_of(cells, cells[at + OWNER], tables[ability + WHO]) & ~bit
            if tables[ability + THRESHOLD] == COUNT_ENHANCED:
                others &= cells[ENHANCED]
            elif tables[ability + THRESHOLD] == COUNT_ENFEEBLED:
                others &= cells[ENFEEBLED]
            else:
                others &= cells[ENHANCED] | cells[ENFEEBLED]
            count += tables[ability + AMOUNT] * tile_count(others)
    return count
