"""A card set as one flat row of whole numbers, in which the rules look everything up (`rules.layout`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from croupier.games.lanes.cards.types import Ability, Card, Do, When
from croupier.games.lanes.rules import layout

WHENS: tuple[str, ...] = get_args(When)
DOS: tuple[str, ...] = get_args(Do)
SIDES = ("allies", "enemies", "all", "self")
COUNTS = ("enhanced", "enfeebled", "either")
ONE_SHOTS = ("on_first_enhanced", "on_first_enfeebled", "on_power_reaches")

FLAGS = {
    ("while_in_play", "power"): layout.IS_AURA,
    ("while_in_play", "power_per"): layout.IS_COUNTER,
    ("on_card_played", "gain"): layout.IS_PLAY_WATCHER,
    ("on_card_destroyed", "gain"): layout.IS_DEATH_WATCHER,
    **{(when, "power"): layout.IS_ONE_SHOT for when in ONE_SHOTS},
    **{("on_play", do): layout.IS_ON_PLAY for do in DOS},
    **{("on_destroyed", do): layout.IS_ON_DESTROYED for do in DOS},
    ("on_spawned", "power"): layout.IS_ON_SPAWNED,
    ("on_lane_won", "score"): layout.IS_LANE_BONUS,
    ("on_round_end", "score_transfer"): layout.IS_TRANSFER,
}


def projected(card: Card, side: int, tile: int) -> Iterator[tuple[int, int, str]]:
    """Yield lane, column and kind of every tile on the board that a card's pattern reaches from a tile.

    Forward is to the right for side 0 and to the left for side 1; lanes are the same for both.
    """
    lane, column = divmod(tile, layout.COLUMN_COUNT)
    for forward, down, kind in card.cells:
        to_lane, to_column = lane + down, column + (forward if side == 0 else -forward)
        if 0 <= to_lane < layout.LANE_COUNT and 0 <= to_column < layout.COLUMN_COUNT:
            yield to_lane, to_column, kind


def projected_mask(card: Card, side: int, tile: int, kinds: str) -> int:
    """Return the tiles that the cells of these kinds reach, as a mask."""
    return sum(
        1 << layout.COLUMN_COUNT * lane + col for lane, col, kind in projected(card, side, tile) if kind in kinds
    )


def compile_tables(cards: Sequence[Card]) -> tuple[int, ...]:
    """Return the row of a card set that has been checked. Cards are numbered as they come."""
    numbers = {card.id: number for number, card in enumerate(cards)}
    row = [len(cards), 0]
    abilities_at = layout.CARDS + len(cards) * layout.CARD_CELLS
    ability_total = sum(len(card.abilities) for card in cards)
    lists_at = abilities_at + ability_total * layout.ABILITY_CELLS
    ability_rows: list[int] = []
    lists: list[int] = []
    costs: list[int] = []
    for card in cards:
        flags = one_shots = 0
        first = abilities_at + len(ability_rows)
        for index, ability in enumerate(card.abilities):
            flags |= FLAGS[ability.when, ability.do]
            if ability.when in ONE_SHOTS:
                one_shots |= 1 << index
            ability_rows += _ability(ability, index, lists_at + len(lists))
            lists += [numbers[card_id] for card_id in ability.made]
        cost = 0 if card.cost == "replace" else card.cost
        costs += [cost, cost]
        row += [cost, card.power, card.raise_, flags, first, len(card.abilities), one_shots]
        for kinds in ("PX", "EX"):
            row += [projected_mask(card, side, tile, kinds) for side in range(2) for tile in range(layout.TILE_COUNT)]
    row[layout.COSTS] = lists_at + len(lists)
    return (*row, *ability_rows, *lists, *costs)


def _ability(ability: Ability, index: int, list_at: int) -> list[int]:
    amounts = [ability.amount or ability.sign or 0, ability.threshold or 0, 0]
    if ability.count is not None:
        amounts[1] = COUNTS.index(ability.count)
    if ability.by_rank is not None:
        amounts = [ability.by_rank.one, ability.by_rank.two, ability.by_rank.three]
    side = SIDES.index(ability.who or ability.of or ability.watch or "all")
    return [WHENS.index(ability.when), DOS.index(ability.do), side, *amounts, len(ability.made), list_at, index]
