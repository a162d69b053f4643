"""Values of a match: shares of one win, exact scores, and how ties are broken."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from croupier.bots.values import best_of, score, win_share
from croupier.engine import Match, MatchResult, act, create_match
from croupier.rng import GameRng

A, B, C = act("add", number=1), act("add", number=2), act("stop")


def stream(number: int = 0) -> GameRng:
    return GameRng.new(bytes(32), 0, number)


def ended(game, players: int, result: MatchResult | None) -> Match:
    return replace(create_match(game, [f"p{seat}" for seat in range(players)], seed=b""), result=result)


@pytest.mark.parametrize(
    ("players", "result", "shares"),
    [
        (3, MatchResult("win", ("p1",)), (0, 1, 0)),
        (3, MatchResult("win", ("p0", "p2")), (Fraction(1, 2), 0, Fraction(1, 2))),
        (3, MatchResult("draw"), (Fraction(1, 3),) * 3),
        (3, None, (Fraction(1, 3),) * 3),
        (1, MatchResult("win", ("p0",)), (1,)),
        (1, None, (Fraction(1, 2),)),
        (1, MatchResult("draw"), (0,)),
    ],
)
def test_winners_share_one_win_and_a_draw_is_shared_by_all(scribbles, players, result, shares) -> None:
    match = ended(scribbles, players, result)

    assert tuple(win_share(scribbles, match, f"p{seat}") for seat in range(players)) == shares


def test_a_score_is_read_exactly_and_is_0_before_the_end(scribbles) -> None:
    result = MatchResult("draw", scores={"p0": "7/3", "p1": 4})

    scores = [score(scribbles, ended(scribbles, 3, result), player) for player in ("p0", "p1", "p2")]

    assert scores == [Fraction(7, 3), 4, 0]
    assert score(scribbles, ended(scribbles, 3, None), "p0") == 0


def test_the_best_action_is_taken_without_a_draw_and_between_equals_the_stream_decides() -> None:
    rng, streams = stream(), [stream(number) for number in range(40)]

    assert best_of((A, B, C), (1, 3, None), rng) == B
    assert rng.bytes_used == 0
    assert {best_of((A, B, C), (2, 1, Fraction(2)), each).type for each in streams[:20]} == {"add", "stop"}
    taken = [best_of((A, B, C), (2, 1, Fraction(2)), each) for each in streams]
    assert B not in taken
    unknown = [best_of((A, B, C), (None, None, None), each) for each in streams]
    assert all(action in unknown for action in (A, B, C))
