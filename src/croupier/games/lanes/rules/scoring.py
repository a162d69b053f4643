"""Scoring: lane powers, bonuses and the match score. Asked at any time, it changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.layout import abilities_of
from croupier.games.lanes.rules.powers import power_at


def lane_power(cells: Sequence[int], tables: Sequence[int], lane: int, side: int) -> int:
    """Return the sum of a side's powers in a lane."""
    power = 0
    tiles = cells[layout.CARDS_OF + side] & layout.LANE_TILES[lane]
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        power += power_at(cells, tables, layout.AT_OF[bit % 19])
    return power


def lane_score(cells: Sequence[int], tables: Sequence[int], lane: int) -> tuple[int, int, int, int]:
    """Return the power of Y and of E in a lane, who wins it (or NOBODY), and the points it pays."""
    you = lane_power(cells, tables, lane, 0)
    enemy = lane_power(cells, tables, lane, 1)
    if you == enemy:
        return you, enemy, layout.NOBODY, 0
    winner = 0 if you > enemy else 1
    loot = min(you, enemy)
    points = max(you, enemy)
    tiles = cells[layout.CARDS_OF + winner] & layout.LANE_TILES[lane]
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        card = cells[layout.AT_OF[bit % 19] + layout.CARD]
        flags = tables[layout.CARDS + card * layout.CARD_CELLS + layout.FLAGS]
        if flags & layout.IS_LANE_BONUS:
            points += lane_bonus(tables, card)
        if flags & layout.IS_TRANSFER and cells[layout.TRANSFER] != layout.ALL_LANES:
            points += loot
    if cells[layout.TRANSFER] == layout.ALL_LANES and transfers(cells, tables):
        points += loot
    return you, enemy, winner, points


def lane_bonus(tables: Sequence[int], card: int) -> int:
    """Return what a card adds to the points of a lane that its side wins."""
    bonus = 0
    for ability in abilities_of(tables, card):
        if tables[ability + layout.WHEN] == layout.ON_LANE_WON:
            bonus += tables[ability + layout.AMOUNT]
    return bonus


def transfers(cells: Sequence[int], tables: Sequence[int]) -> bool:
    """Tell whether a card that takes the loser's points is in play, whoever's it is."""
    tiles = cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1]
    while tiles != 0:
        bit = tiles & -tiles
        tiles ^= bit
        card = cells[layout.AT_OF[bit % 19] + layout.CARD]
        if tables[layout.CARDS + card * layout.CARD_CELLS + layout.FLAGS] & layout.IS_TRANSFER:
            return True
    return False


def margin(cells: Sequence[int], tables: Sequence[int]) -> int:
    """Return the match score of Y less that of E: who wins, and by how much."""
    ahead = 0
    for lane in range(layout.LANE_COUNT):
        _, _, winner, points = lane_score(cells, tables, lane)
        ahead += points if winner == 0 else -points  # a tie pays nothing
    return ahead
