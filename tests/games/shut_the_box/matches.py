"""Matches of Shut the Box for the tests: begun, moved on by scripted dice, refused; and what boards are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any

from msgspec.structs import replace

from croupier.engine import Accepted, Match, Refused, act, apply_action, create_match
from croupier.engine.chance import ScriptedRng
from croupier.games.shut_the_box import ShutTheBox
from croupier.games.shut_the_box.game import BoxTable
from croupier.games.shut_the_box.odds import BoardSettings, follow, mask_of, solve

GAME = ShutTheBox()
NINE = tuple(range(1, 10))


def begin(players: Any = ("ann",), first: str | None = None, **options: Any) -> Any:
    return create_match(GAME, players, seed=bytes(32), starting_player=first, options=options)


def do(match: Match[BoxTable], *steps: Any) -> Any:
    """Play rolls, given as tuples of faces, and shuts, given as lists of tiles."""
    for step in steps:
        if isinstance(step, list):
            answer = apply_action(GAME, match, act("shut", tiles=step))
        elif isinstance(step, tuple):
            answer = apply_action(GAME, match, act("roll"), rng=ScriptedRng.of_dice(*step))
        else:
            answer = apply_action(GAME, match, step)
        assert isinstance(answer, Accepted), (step, answer)
        match = answer.state
    return match


def no(match: Match[BoxTable], asked: Any) -> tuple[str, str]:
    """Return code and sentence of a refusal that hands the very match back."""
    answer = apply_action(GAME, match, asked)
    assert isinstance(answer, Refused), answer
    assert answer.state is match
    return answer.code, answer.error


def at(up: tuple[int, ...], total: int = 0, **options: Any) -> Any:
    """Return a match of one with these tiles up, rolled or about to roll."""
    match = begin(**options)
    box = replace(match.game.boxes[0], tiles=up, score=sum(up))
    phase = "shut" if total else "roll"
    return replace(match, game=BoxTable((box,), total), turn=replace(match.turn, phase=phase))


# Three ways to end a round quickly. With 9, 2, 1 down, or 8, 2, 1, two ones cannot be made.
SCORE_33 = ((6, 6), [1, 2, 9], (1, 1))
SCORE_34 = ((5, 6), [1, 2, 8], (1, 1))
SHUT_ALL = ((4, 5), [9], (3, 5), [8], (3, 4), [7], (6,), [6], (5,), [5], (4,), [4], (3,), [3], (2,), [2], (1,), [1])


def subsets(up: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """Return every set of tiles that makes the total, in lexicographic order, by brute force."""
    return sorted(tiles for size in range(1, len(up) + 1) for tiles in combinations(up, size) if sum(tiles) == total)


def boards(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, count + 1):
        yield from combinations(range(1, count + 1), size)


def board_value(up: Any, objective: Any = "score", **options: Any) -> Fraction:
    """Return what a board, a mask or tiles, is worth to the best play."""
    settings = BoardSettings(**options)
    return solve(objective, settings).value(up if isinstance(up, int) else mask_of(up, settings.tile_count))


def policy_value(policy: Any, objective: Any = "score", up: Any = None, **options: Any) -> Fraction:
    """Return what these tiles, or the full box, are worth to a policy."""
    settings = BoardSettings(**options)
    board = mask_of(range(1, settings.tile_count + 1) if up is None else up, settings.tile_count)
    return follow(objective, settings, policy.sets, policy.dice).value(board)


def score_chances(policy: Any, up: Any = None, **options: Any) -> dict[int, Fraction]:
    """Return the final scores of a policy, ascending, with their chances: forward, roll by roll, in whole numbers."""
    settings = BoardSettings(**options)
    start = mask_of(range(1, settings.tile_count + 1) if up is None else up, settings.tile_count)
    scale = (36 * lcm(*range(1, 16))) ** settings.tile_count  # a policy picks from 15 sets at most
    reached, ended = Counter({start: scale}), Counter[int]()
    for board in range(start, 0, -1):
        dice = policy.dice(board, settings) if reached[board] else 0
        for total, ways in Counter(map(sum, product(range(1, 7), repeat=dice))).items() if dice else ():
            weight = reached[board] * ways // 6**dice
            picks = policy.sets(board, total, settings)
            for mask in picks:
                reached[board ^ mask] += weight // len(picks)
            ended[settings.score(board)] += 0 if picks else weight
    ended[0] += reached[0]
    return {score: Fraction(weight, scale) for score, weight in sorted(ended.items()) if weight}
