"""Scores for people: `LaneScore` and `MatchScore`, made from what the rules count."""

from collections.abc import Sequence

from msgspec import Struct

from croupier.games.lanes.play.position import SIDES, Side
from croupier.games.lanes.rules.layout import LANE_COUNT
from croupier.games.lanes.rules.scoring import lane_score


class LaneScore(Struct, frozen=True):
    """Score of a lane: both powers, who wins it, and the points that brings to the winner."""

    lane_index: int
    power_you: int
    power_enemy: int
    winner: Side | None
    lane_points: int


class MatchScore(Struct, frozen=True):
    """Score of the game. A lane pays its winner alone; `margin` is your total less the enemy's."""

    lanes: tuple[LaneScore, ...]
    total_you: int
    total_enemy: int
    winner: Side | None
    margin: int


def score_of(cells: Sequence[int], tables: Sequence[int]) -> MatchScore:
    """Return the score of a position, over or not."""
    lanes = []
    totals = [0, 0]
    for lane in range(LANE_COUNT):
        you, enemy, winner, points = lane_score(cells, tables, lane)
        lanes.append(LaneScore(lane, you, enemy, SIDES[winner] if winner >= 0 else None, points))
        if winner >= 0:
            totals[winner] += points
    ahead = totals[0] - totals[1]
    leader: Side | None = "Y" if ahead > 0 else "E" if ahead < 0 else None
    return MatchScore(tuple(lanes), totals[0], totals[1], leader, ahead)
