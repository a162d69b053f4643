"""Search with hidden cards: `expectimax` over sampled deals, and a tree search over information sets.

Both work on the row of the rules, from the side whose turn it is, and deal again what that side cannot know. They draw
from the stream they are given and take no longer than their budget, so the same position, stream and budget give the
same answer everywhere. Square roots are rounded alike on every machine; no other function of floats is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from croupier.draws import bounded_usize
from croupier.games.lanes.bots.evaluation import WORST, copy_row, desk_rows, distinct_moves, try_move, worst_reply
from croupier.games.lanes.rules.layout import HAND_ROOM, HANDS, OVER, SIDE, TILE_COUNT
from croupier.games.lanes.rules.playouts import PASS_MOVE, legal_moves, make_move, playout, redeal
from croupier.games.lanes.rules.scoring import margin
from croupier.games.lanes.rules.turns import begin_turn
from croupier.rng import GameRng

DEALS = 6
PLAYOUTS = 400
EXPLORATION = 0.45
MARGIN_SHARE = 0.25  # how much of a result is by how much it was won
FIRST_LOOK = 12  # visits that a look at the board counts for
LOOK_WORST = 40  # points behind the best look from which a move counts as bad
SCALE = 10**6  # results are told in millionths
MARGIN_HALF = 12  # the margin that brings half of that share


class Judged(Struct, frozen=True):
    """A move and what a search makes of it."""

    move: int
    """16 times the place in the hand, plus the tile; or `PASS_MOVE`."""
    value: Fraction
    """Of a tree search, the expected result between 0 and 1; of an expectimax, in points of the evaluation."""
    visits: int
    """The number of games that were looked at for it."""


def expectimax(cells: Sequence[int], tables: Sequence[int], stream: GameRng, deals: int = DEALS) -> list[Judged]:
    """Return every move with the mean, over sampled deals, of what the worst reply leaves; best first.

    Equal cards in the hand give one move, that of the first of them.
    """
    root = list(cells)
    side = root[SIDE]
    moves, _, dealt, after, _, pool, *_ = desk = desk_rows(root)
    candidates = moves[: distinct_moves(root, tables, side, moves)]
    totals = dict.fromkeys(candidates, 0)
    for _ in range(deals):
        copy_row(root, dealt)
        redeal(dealt, stream, side, pool)
        for move in candidates:
            value = try_move(dealt, tables, side, move, after)
            if after[OVER] == 0:
                value = worst_reply(after, tables, side, desk, WORST)
            totals[move] += value
    judged = [Judged(move, Fraction(totals[move], deals), deals) for move in candidates]
    return sorted(judged, key=lambda each: -each.value)


class _Node:
    """A place in the tree: what is known to have been played up to it, whatever the hidden cards are."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[int, _Node] = {}  # by card and tile, since places in a hand differ from deal to deal
        self.visits = 0
        self.available = 0  # how often it could have been chosen
        self.total = 0.0  # results for the side that moved here


def tree_search(cells: Sequence[int], tables: Sequence[int], stream: GameRng, budget: int = PLAYOUTS) -> list[Judged]:
    """Return every move with its value after `budget` playouts, most visited first.

    One tree serves all deals: each playout samples what is hidden, goes down the tree by the moves that are possible
    under it, adds a node, and plays on at random.
    """
    root_row = list(cells)
    side = root_row[SIDE]
    moves, _, row, _, _, pool, *_ = desk_rows(root_row)
    candidates = moves[: distinct_moves(root_row, tables, side, moves)]
    root = _Node()
    _look_first(root, root_row, tables, candidates, row)
    for _ in range(budget):
        copy_row(root_row, row)
        redeal(row, stream, side, pool)
        path = _descend(root, row, tables, stream, moves)
        playout(row, tables, None, stream, 0)
        result = _result(margin(row, tables))
        for node, mover in path:
            node.visits += 1
            node.total += result if mover == 0 else 1.0 - result
    judged = []
    for move in candidates:
        found = root.children[_key(root_row, side, move)]
        value = Fraction(round(found.total * SCALE), found.visits * SCALE)
        judged.append(Judged(move, value, found.visits - FIRST_LOOK))
    return sorted(judged, key=lambda each: (-each.visits, -each.value))


def _look_first(
    root: _Node, row: list[int], tables: Sequence[int], candidates: Sequence[int], after: list[int]
) -> None:
    """Give every move at the root a few visits for free, worth what the board looks like after it."""
    side = row[SIDE]
    looks = [try_move(row, tables, side, move, after) for move in candidates]
    best = max(looks)
    for move, look in zip(candidates, looks, strict=True):
        child = root.children[_key(row, side, move)] = _Node()
        behind = min(best - look, LOOK_WORST)
        child.visits = FIRST_LOOK
        child.total = FIRST_LOOK * (0.5 + 0.25 * (1 - 2 * behind / LOOK_WORST))


def _descend(
    root: _Node, row: list[int], tables: Sequence[int], stream: GameRng, moves: list[int]
) -> list[tuple[_Node, int]]:
    """Go down the tree on a dealt row until a node is added or the game is over; return the nodes and who moved."""
    node, path = root, []
    while row[OVER] == 0:
        mover = row[SIDE]
        count = legal_moves(row, tables, mover, moves)
        choices = {_key(row, mover, move): move for move in moves[count - 1 :: -1]}
        fresh = [key for key in choices if key not in node.children]
        if fresh:
            key = fresh[bounded_usize(stream, len(fresh))]
            node.children[key] = _Node()
        else:
            key = _most_promising(node, choices)
        for each in choices:
            if each in node.children:
                node.children[each].available += 1
        node = node.children[key]
        path.append((node, mover))
        make_move(row, tables, None, choices[key])
        if row[OVER] == 0:
            begin_turn(row, None)
        if fresh:
            break
    return path


def _most_promising(node: _Node, choices: dict[int, int]) -> int:
    best, best_value = PASS_MOVE, -1.0
    for key in choices:
        child = node.children[key]
        # The number of bits grows like the logarithm, and is a whole number everywhere.
        bonus = EXPLORATION * sqrt((child.available + 1).bit_length() / child.visits)
        value = child.total / child.visits + bonus
        if value > best_value:
            best, best_value = key, value
    return best


def _key(row: Sequence[int], side: int, move: int) -> int:
    """Return a move by its card instead of its place in the hand."""
    if move == PASS_MOVE:
        return PASS_MOVE
    card = row[HANDS + side * row[HAND_ROOM] + (move >> 4)] >> 1
    return card * (TILE_COUNT + 1) + (move & 15)


def _result(ahead: int) -> float:
    """Return a final margin as a result for Y between 0 and 1: won or lost above all, and by how much."""
    won = 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
    by_how_much = 0.5 + 0.5 * ahead / (abs(ahead) + MARGIN_HALF)
    return (1.0 - MARGIN_SHARE) * won + MARGIN_SHARE * by_how_much
