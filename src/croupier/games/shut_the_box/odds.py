"""Exact odds of Shut the Box: the value of a board, the best tiles to shut, the results of any policy.

Boards are gone through from the shut box to the full one: the value of a board is the average over its rolls
of the best board that can be left, or of the end value when no set makes the roll. There are two objectives:
`"score"` seeks the least expected score, `"shut"` the greatest chance of shutting the box. They differ in
places.

Inside, both are a cost to be made small (for `"shut"` the chance of failing), held as whole numbers over one
common denominator: a box of n tiles takes at most n rolls, and each roll divides by 36 at most. Answers are
`Fraction`s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import BadOptions, CroupierError
from croupier.games.shut_the_box import rules

Objective = Literal["score", "shut"]
# The position of a name is its number in `rules`.
DieRule = Literal["high_tiles_down", "sum_at_most_six", "always_two"]
Scoring = Literal["sum", "digits"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
DIE_RULES: tuple[DieRule, ...] = get_args(DieRule)
SCORINGS: tuple[Scoring, ...] = get_args(Scoring)

Board = int | Iterable[int]
"""A board as a mask (bit t - 1 set: tile t is up), or as the tiles that are up."""


class BadPosition(CroupierError, ValueError):
    """A board, a set of tiles or a total that the box cannot show."""

    code = "bad_position"


class BadPolicy(CroupierError, ValueError):
    """A policy answered with something that the rules do not allow."""

    code = "bad_policy"


class BoardSettings(Struct, frozen=True):
    """The options that decide what a board is worth; a value that no game has raises `BadOptions`."""

    tile_count: int = 9
    die_rule: DieRule = "high_tiles_down"
    die_choice: bool = False
    scoring: Scoring = "sum"

    def __post_init__(self) -> None:
        # Exact types, because True == 1 and 9.0 == 9 would pass for their equals in the cache of solutions.
        if type(self.tile_count) is not int or self.tile_count not in rules.TILE_COUNTS:
            raise BadOptions(f"tile_count {self.tile_count!r}: a box has 9, 10 or 12 tiles", "$.tile_count")
        if self.die_rule not in DIE_RULES:
            raise BadOptions(f"die_rule {self.die_rule!r}: one of {', '.join(DIE_RULES)}", "$.die_rule")
        if type(self.die_choice) is not bool:
            raise BadOptions(f"die_choice {self.die_choice!r}: True or False", "$.die_choice")
        if self.scoring not in SCORINGS:
            raise BadOptions(f"scoring {self.scoring!r}: one of {', '.join(SCORINGS)}", "$.scoring")

    def score(self, board: int) -> int:
        """Return the score of a game that ends on `board`."""
        return rules.board_score(board, SCORINGS.index(self.scoring))


STANDARD = BoardSettings()


def dice_allowed(board: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the numbers of dice that may be rolled: `(1,)`, `(2,)` or, with a choice, `(1, 2)`."""
    die_rule = DIE_RULES.index(settings.die_rule)
    return tuple(range(rules.dice_min(board, die_rule), rules.dice_max(board, die_rule, settings.die_choice) + 1))


# Masks and tiles.


def tiles_of(mask: int) -> tuple[int, ...]:
    """Return the tiles of a board or set, ascending.

    >>> tiles_of(0b100010001)
    (1, 5, 9)
    """
    return tuple(tile for tile in range(1, rules.highest_up(mask) + 1) if rules.tile_up(mask, tile))


def mask_of(tiles: Iterable[object], tile_count: int) -> int:
    """Return the mask of distinct tiles in any order; what is not a tile of the box raises `BadPosition`.

    >>> bin(mask_of([9, 1, 5], 9))
    '0b100010001'
    """
    mask = 0
    try:
        for tile in tiles:
            if not isinstance(tile, int) or isinstance(tile, bool) or not 1 <= tile <= tile_count:
                raise BadPosition(f"tile {tile!r}: this box has tiles 1 to {tile_count}")
            if rules.tile_up(mask, tile):
                raise BadPosition(f"tile {tile} is named twice")
            mask |= 1 << (tile - 1)
    except TypeError:
        raise BadPosition(f"{tiles!r}: a list of tiles is wanted") from None
    return mask


def valid_sets(board: int, total: int) -> tuple[tuple[int, ...], ...]:
    """Return every set that makes `total` on the board of this mask, each ascending, in lexicographic order.

    >>> valid_sets(0b111111111, 6)
    ((1, 2, 3), (1, 5), (2, 4), (6,))
    """
    return tuple(tiles_of(mask) for mask in set_masks(board, total))


def set_masks(board: int, total: int) -> tuple[int, ...]:
    """Return the sets of `valid_sets` as masks, in the same order; none for a total outside 1 … 12."""
    if not 1 <= total <= rules.TOTAL_MAX:
        return ()
    return tuple([mask for mask in _SETS[total] if mask & board == mask])


def _all_sets(total: int) -> tuple[int, ...]:
    """List the sets of the largest box. The sets of a board are those whose tiles are all up on it."""
    board = rules.full_board(max(rules.TILE_COUNTS))
    sets = []
    mask = rules.next_set(board, total, 0)
    while mask:
        sets.append(mask)
        mask = rules.next_set(board, total, mask)
    return tuple(sets)


_SETS = tuple(_all_sets(total) for total in range(rules.TOTAL_MAX + 1))
_ROLLS = {dice: tuple((total, rules.total_ways(dice, total)) for total in range(dice, 6 * dice + 1)) for dice in (1, 2)}
_FACES = {1: 6, 2: 36}
_ROLL_UNIT = _FACES[2]
# A policy may also divide by the number of sets that it picks from, at most 15.
_POLICY_UNIT = _ROLL_UNIT * lcm(*range(1, max(map(len, _SETS)) + 1))


# The best play.


class Solution(Struct, frozen=True):
    """Value of every board of a box for one objective: of the best play by `solve`, or of a policy by `follow`."""

    objective: Objective
    settings: BoardSettings
    scale: int
    costs: tuple[int, ...]
    """By board, the expected cost times `scale`."""

    def value(self, board: int) -> Fraction:
        """Return the expected score, or the chance of shutting the box, before the roll."""
        return _value(self.objective, self.costs[board], self.scale)

    def best_set(self, board: int, total: int) -> int:
        """Return the best set to shut, among equals the lexicographic first; 0 when there is none."""
        return min(set_masks(board, total), key=lambda mask: self.costs[board ^ mask], default=0)

    def best_dice(self, board: int) -> int:
        """Return the better number of dice to roll; one die when both are equally good."""
        allowed = dice_allowed(board, self.settings)
        if len(allowed) == 1:
            return allowed[0]
        return min(allowed, key=lambda dice: self._roll_cost(board, dice))

    def roll_value(self, board: int, dice: int) -> Fraction:
        """Return what a board that is not shut is worth when so many dice are rolled."""
        return _value(self.objective, self._roll_cost(board, dice), self.scale)

    def _roll_cost(self, board: int, dice: int) -> int:
        ends = _end_cost(self.objective, self.settings, board) * self.scale
        return _roll_cost(self.costs, board, dice, ends, _least)


def solve(objective: Objective, settings: BoardSettings) -> Solution:
    """Return every board of a box, solved once: milliseconds for nine tiles, under a second for twelve."""
    _check_objective(objective)
    if objective == "shut" and settings.scoring != "sum":
        settings = replace(settings, scoring="sum")  # the chance does not depend on it: solve it once
    return _solve(objective, settings)


def _check_objective(objective: Objective) -> None:
    if objective not in OBJECTIVES:
        raise BadOptions(f"objective {objective!r}: 'score' or 'shut'", "$.objective")


@cache  # 54 objectives and settings exist in all
def _solve(objective: Objective, settings: BoardSettings) -> Solution:
    scale = _ROLL_UNIT**settings.tile_count
    costs = _backward(objective, settings, scale, _least, lambda _board, by_dice: min(by_dice.values()))
    return Solution(objective, settings, scale, costs)


OnTotal = Callable[[Sequence[int], int, int, tuple[int, ...]], int]
"""The cost after a roll, from the costs of all smaller boards, the board, the total and its valid sets."""


def _backward(
    objective: Objective,
    settings: BoardSettings,
    scale: int,
    on_total: OnTotal,
    on_dice: Callable[[int, dict[int, int]], int],
) -> tuple[int, ...]:
    """Return the cost of every board times `scale`, when `on_total` and `on_dice` make the choices.

    Shutting tiles makes the mask smaller, so in ascending order all that a board needs is known.
    """
    costs = [0]
    for board in range(1, rules.full_board(settings.tile_count) + 1):
        ends = _end_cost(objective, settings, board) * scale
        by_dice = {dice: _roll_cost(costs, board, dice, ends, on_total) for dice in dice_allowed(board, settings)}
        costs.append(on_dice(board, by_dice))
    return tuple(costs)


def _roll_cost(costs: Sequence[int], board: int, dice: int, ends: int, on_total: OnTotal) -> int:
    cost = 0
    for total, ways in _ROLLS[dice]:
        masks = set_masks(board, total)
        cost += ways * (on_total(costs, board, total, masks) if masks else ends)
    return cost // _FACES[dice]  # exact: the scale holds one such factor for every tile


def _least(costs: Sequence[int], board: int, _total: int, masks: tuple[int, ...]) -> int:
    return min([costs[board ^ mask] for mask in masks])


def _end_cost(objective: Objective, settings: BoardSettings, board: int) -> int:
    """Return the cost of ending on a board that is not shut; ending on the shut box costs nothing."""
    return settings.score(board) if objective == "score" else 1


def _value(objective: Objective, cost: int, scale: int) -> Fraction:
    return Fraction(cost if objective == "score" else scale - cost, scale)


class Choice(Struct, frozen=True):
    """A set of tiles to shut, or a number of dice to roll, and what the board is then worth."""

    value: Fraction
    tiles: tuple[int, ...] = ()
    dice: int = 0


def analyse(
    board: Board, total: int | None = None, objective: Objective = "score", settings: BoardSettings = STANDARD
) -> tuple[Choice, ...]:
    """Return the choices at hand with their exact values, best first.

    With a `total` to match: every valid set, ties in lexicographic order; none when the total cannot be made.
    Any total of 1 … 12 is answered, also one that the dice of this board cannot show. Without: every number
    of dice that may be rolled, ties to one die; none for the shut box, where the game is over.

    >>> [(choice.tiles, choice.value) for choice in analyse([1, 2, 3], 3, "shut")]
    [((3,), Fraction(2, 9)), ((1, 2), Fraction(1, 6))]
    >>> analyse([9], objective="shut")
    (Choice(value=Fraction(1, 9), tiles=(), dice=2),)
    """
    solution, mask = solve(objective, settings), _board_mask(board, settings)
    if total is None:
        found = [Choice(solution.roll_value(mask, dice), dice=dice) for dice in dice_allowed(mask, settings) if mask]
    elif type(total) is not int or not 1 <= total <= rules.TOTAL_MAX:
        raise BadPosition(f"total {total!r}: dice show 1 to {rules.TOTAL_MAX}")
    else:
        found = [Choice(solution.value(mask ^ chosen), tiles_of(chosen)) for chosen in set_masks(mask, total)]
    return tuple(sorted(found, key=lambda choice: choice.value, reverse=objective == "shut"))


def _board_mask(board: Board, settings: BoardSettings) -> int:
    if not isinstance(board, int):
        return mask_of(board, settings.tile_count)
    full = rules.full_board(settings.tile_count)
    if isinstance(board, bool) or not 0 <= board <= full:
        raise BadPosition(f"board {board!r}: the mask of {settings.tile_count} tiles is 0 to {full}")
    return board


# Any other play.


def follow(
    objective: Objective,
    settings: BoardSettings,
    sets: Callable[[int, int, BoardSettings], tuple[int, ...]],
    dice: Callable[[int, BoardSettings], int],
) -> Solution:
    """Return every board of a box for a policy: the valid sets it picks from, each equally likely, and its dice.

    A policy that answers with something else than the rules allow raises `BadPolicy`.
    """
    _check_objective(objective)

    def mean(costs: Sequence[int], board: int, total: int, masks: tuple[int, ...]) -> int:
        picks = sets(board, total, settings)
        if not picks or len(set(picks)) < len(picks) or not set(picks) <= set(masks):
            raise BadPolicy(f"total {total} on {tiles_of(board)}: the policy picks from {picks}, valid are {masks}")
        return sum(costs[board ^ mask] for mask in picks) // len(picks)

    def at(board: int, by_dice: dict[int, int]) -> int:
        rolled = dice(board, settings)
        if rolled not in by_dice:
            raise BadPolicy(f"{tiles_of(board)} up: the policy rolls {rolled} dice, allowed are {tuple(by_dice)}")
        return by_dice[rolled]

    scale = _POLICY_UNIT**settings.tile_count
    return Solution(objective, settings, scale, _backward(objective, settings, scale, mean, at))
