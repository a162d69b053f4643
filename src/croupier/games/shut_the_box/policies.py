"""Five ways to play Shut the Box, from chance to the exact best.

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
    BadPosition,
    BoardSettings,
    dice_allowed,
    policy_value,
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


# The sets they pick from.


def uniform(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return every valid set."""
    return set_masks(board, total)


def fewest_tiles(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the valid set of the fewest tiles; among equals the highest tile decides, then the next."""
    return _alone(rules.fewest_tiles_set(board, total))


def highest_tile(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the valid set with the highest tile; among equals the next highest decides, and so on."""
    return _alone(rules.highest_tile_set(board, total))


def optimal_score(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the set that leaves the least expected score; among equals the lexicographic first."""
    return _alone(solve("score", settings).best_set(board, total))


def optimal_shut(board: int, total: int, settings: BoardSettings) -> tuple[int, ...]:
    """Return the set that leaves the greatest chance of shutting; among equals the lexicographic first."""
    return _alone(solve("shut", settings).best_set(board, total))


def _alone(mask: int) -> tuple[int, ...]:
    return (mask,) if mask else ()


# The dice they roll.


def _one_if_allowed(board: int, settings: BoardSettings) -> int:
    return dice_allowed(board, settings)[0]


def _best_score_dice(board: int, settings: BoardSettings) -> int:
    return solve("score", settings).best_dice(board)


def _best_shut_dice(board: int, settings: BoardSettings) -> int:
    return solve("shut", settings).best_dice(board)


_ALL = (
    Policy("uniform", "any valid set, each equally likely", uniform, _one_if_allowed),
    Policy("fewest_tiles", "the fewest tiles, then the highest ones", fewest_tiles, _one_if_allowed),
    Policy("highest_tile", "the set with the highest tile", highest_tile, _one_if_allowed),
    Policy("optimal_score", "the least expected score, exactly", optimal_score, _best_score_dice),
    Policy("optimal_shut", "the greatest chance of shutting the box, exactly", optimal_shut, _best_shut_dice),
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
    told = {field: getattr(settings, field) for field in settings.__struct_fields__}
    return tuple(
        PolicyRow(name, policy_value(policy, "score", **told), policy_value(policy, "shut", **told))
        for name, policy in POLICIES.items()
    )
