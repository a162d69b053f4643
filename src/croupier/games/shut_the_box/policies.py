"""Policies for Shut the Box: five ways to play, from chance to the exact best.

A policy answers two questions: which set to shut for the total rolled, and, where the rules leave a choice,
how many dice to roll. The three simple ones roll one die whenever they may; the two optimal ones take the
better number.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType

from msgspec import Struct

from croupier.games.shut_the_box import rules
from croupier.games.shut_the_box.odds import (
    OBJECTIVES,
    BadPosition,
    BoardSettings,
    Objective,
    dice_allowed,
    follow,
    set_masks,
    solve,
    tiles_of,
)
from croupier.rng import GameRng


class Policy(Struct, frozen=True):
    """A rule to play by, with a name and one line about it.

    `sets` gives the valid sets it picks from, each equally likely (one alone unless the pick is left to
    chance), as masks; `dice` how many dice it rolls on a board. Both are pure, so `odds` can work out exactly
    how a policy fares.
    """

    name: str
    description: str
    sets: Callable[[int, int, BoardSettings], tuple[int, ...]]
    dice: Callable[[int, BoardSettings], int]

    def choose(self, board: int, total: int, settings: BoardSettings, rng: GameRng) -> int:
        """Return the mask of the set to shut. Draws once where the policy leaves several sets, else never.

        >>> rng = GameRng.new(bytes(32), session_id=1, move_number=0)
        >>> chosen = POLICIES["fewest_tiles"].choose(rules.full_board(9), 12, BoardSettings(), rng)
        >>> tiles_of(chosen), rng.bytes_used
        ((3, 9), 0)
        """
        picks = self.sets(board, total, settings)
        if not picks:
            raise BadPosition(f"total {total} cannot be made with {tiles_of(board)} up")
        if len(picks) == 1:
            return picks[0]
        return rng.pick(picks)


def uniform(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return every valid set."""
    return set_masks(board, total)


def fewest_tiles(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the valid set of the fewest tiles; among equals the highest tile decides, then the next."""
    return _alone(rules.fewest_tiles_set(board, total))


def highest_tile(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the valid set with the highest tile; among equals the next highest decides, and so on."""
    return _alone(rules.highest_tile_set(board, total))


def _alone(mask: int) -> tuple[int, ...]:
    return (mask,) if mask else ()


def _one_if_allowed(board: int, settings: BoardSettings) -> int:
    return dice_allowed(board, settings)[0]


def _optimal(objective: Objective, description: str) -> Policy:
    """Return the policy of exact play for an objective; among equally good sets it takes the lexicographic first."""

    def sets(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
        return _alone(solve(objective, settings).best_set(board, total))

    def dice(board: int, settings: BoardSettings) -> int:
        return solve(objective, settings).best_dice(board)

    return Policy(f"optimal_{objective}", description, sets, dice)


_ALL = (
    Policy("uniform", "any valid set, each equally likely", uniform, _one_if_allowed),
    Policy("fewest_tiles", "the fewest tiles, then the highest ones", fewest_tiles, _one_if_allowed),
    Policy("highest_tile", "the set with the highest tile", highest_tile, _one_if_allowed),
    _optimal("score", "the least expected score, exactly"),
    _optimal("shut", "the greatest chance of shutting the box, exactly"),
)
POLICIES = MappingProxyType({policy.name: policy for policy in _ALL})
"""The policies by name, from the simplest to the strongest."""


class PolicyRow(Struct, frozen=True):
    """Results of a policy in one round from the full box, exactly."""

    policy: str
    score: Fraction
    """The expected score."""
    shut: Fraction
    """The chance to shut the box."""


def policy_rows(settings: BoardSettings) -> tuple[PolicyRow, ...]:
    """Return how every policy fares.

    >>> [f"{row.policy} {float(row.score):.4f} {float(row.shut):.4%}" for row in policy_rows(BoardSettings())][3:]
    ['optimal_score 11.6632 6.9480%', 'optimal_shut 12.0998 7.4223%']
    """
    full = rules.full_board(settings.tile_count)
    return tuple(
        PolicyRow(name, *(follow(goal, settings, policy.sets, policy.dice).value(full) for goal in OBJECTIVES))
        for name, policy in POLICIES.items()
    )
