"""Scoring: lane powers, bonuses and the match score. Asked at any time, it changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.lanes.rules.layout import (
    ALL_LANES,
    AMOUNT,
    AT_OF,
    CARD,
    CARD_CELLS,
    CARDS,
    CARDS_OF,
    FLAGS,
    IS_LANE_BONUS,
    IS_TRANSFER,
    LANE_COUNT,
    LANE_TILES,
    NOBODY,
    ON_LANE_WON,
    TRANSFER,
    WHEN,
    abilities_of,
)
from croupier.games.lanes.rules.powers import power_at


def lane_power(cells: Sequence[int], tables: Sequence[int], lane: int, side: int) -> int:
    """Return the sum of a side's powers in a lane."""
    power = 0
    tiles = cells[CARDS_OF + side] & LANE_TILES[lane]
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        power += power_at(cells, tables, AT_OF[bit % 19])
    return power


def lane_score(cells: Sequence[int], tables: Sequence[int], lane: int) -> tuple[int, int, int, int]:
    """Return the power of Y and of E in a lane, who wins it (or NOBODY), and the points it pays."""
    you = lane_power(cells, tables, lane, 0)
    enemy = lane_power(cells, tables, lane, 1)
    if you == enemy:
        return you, enemy, NOBODY, 0
    winner = 0 if you > enemy else 1
    loot = min(you, enemy)
    points = max(you, enemy)
    tiles = cells[CARDS_OF + winner] & LANE_TILES[lane]
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        card = cells[AT_OF[bit % 19] + CARD]
        flags = tables[CARDS + card * CARD_CELLS + FLAGS]
        if flags & IS_LANE_BONUS:
            points += lane_bonus(tables, card)
        if flags & IS_TRANSFER and cells[TRANSFER] != ALL_LANES:
            points += loot
    if cells[TRANSFER] == ALL_LANES and transfers(cells, tables):
        points += loot
    return you, enemy, winner, points


def lane_bonus(tables: Sequence[int], card: int) -> int:
    """Return what a card adds to the points of a lane that its side wins."""
    bonus = 0
    for ability in abilities_of(tables, card):
        if tables[ability + WHEN] == ON_LANE_WON:
            bonus += tables[ability + AMOUNT]
    return bonus


def transfers(cells: Sequence[int], tables: Sequence[int]) -> bool:
    """Tell whether a card that takes the loser's points is in play, whoever's it is."""
    tiles = cells[CARDS_OF] | cells[CARDS_OF + 1]
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        if tables[CARDS + cells[AT_OF[bit % 19] + CARD] * CARD_CELLS + FLAGS] & IS_TRANSFER:
            return True
    return False


def totals(cells: Sequence[int], tables: Sequence[int]) -> tuple[int, int]:
    """Return the match scores of Y and of E."""
    you = 0
    enemy = 0
    for lane in range(LANE_COUNT):
        _, _, winner, points = lane_score(cells, tables, lane)
        if winner == 0:
            you += points
        elif winner == 1:
            enemy += points
    return you, enemy


def margin(cells: Sequence[int], tables: Sequence[int]) -> int:
    """Return the score of Y less that of E: who wins, and by how much."""
    you, enemy = totals(cells, tables)
    return you - enemy
