"""`simulate`: counts of many matches, each of which can be played again."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.bots import simulate
from croupier.bots.simple import first_bot
from croupier.bots.simulation import simulated_match, wilson_interval
from croupier.engine import MatchClient, state_digest
from croupier.errors import BadOptions
from croupier.games.shut_the_box import ShutTheBox

SEED = b"simulation"


def test_every_match_of_a_simulation_can_be_played_again() -> None:
    game = ShutTheBox()
    bots = ["random", "fewest_tiles", "optimal_score"]
    ended: list[MatchClient] = []

    summary = simulate(game, bots, 6, SEED, rotate=True, on_match=ended.append)

    digests = [state_digest(client.get_state()) for client in ended]
    again = [simulated_match(game, bots, number, SEED, rotate=True) for number in range(6)]
    assert [state_digest(client.get_state()) for client in again] == digests
    assert len(set(digests)) == 6
    assert [client.get_state().rng_state.session_id for client in ended] == list(range(6))
    assert summary.versions == tuple(client.get_state().version for client in ended)


def test_everything_about_a_foregone_match_is_counted(tic_tac_toe) -> None:
    """First against first: the one who begins wins in seven actions, and nothing is left to chance."""
    fixed = simulate(tic_tac_toe, ["first", first_bot], 10, SEED)
    rotated = simulate(tic_tac_toe, ["first", first_bot], 10, SEED, rotate=True)

    assert [(bot.player_id, bot.name, bot.wins) for bot in fixed.bots] == [("p0", "first", 10), ("p1", "first_bot", 0)]
    assert [bot.wins for bot in rotated.bots] == [5, 5]
    assert [bot.share for bot in rotated.bots] == [Fraction(1, 2)] * 2
    assert (fixed.matches, fixed.draws, fixed.versions, fixed.mean_versions) == (10, 0, (7,) * 10, Fraction(7))
    assert [bot.mean_score for bot in fixed.bots] == [None, None]


def test_scores_are_averaged_exactly(keep_or_roll) -> None:
    """Alone, every match is a draw; the mean score is that of the faces."""
    ended: list[MatchClient] = []

    summary = simulate(keep_or_roll, {"ann": "first"}, 30, SEED, on_match=ended.append)

    faces = [client.get_state().game.face for client in ended]
    assert summary.draws == 30
    assert summary.bots[0].mean_score == Fraction(sum(faces), 30)
    assert (summary.bots[0].wins, summary.bots[0].share) == (0, Fraction(0))


def test_draws_and_wins_account_for_every_match(rock_paper_scissors) -> None:
    summary = simulate(rock_paper_scissors, ["random", "random"], 60, SEED)

    assert sum(bot.wins for bot in summary.bots) + summary.draws == 60
    assert sum(bot.share for bot in summary.bots) == 1


def test_the_mean_scores_at_shut_the_box_are_those_of_its_odds() -> None:
    """150 matches; the exact means are 11.66 for best play and 20.44 at random, the standard deviations 7.48 and 8.89.

    The bounds are four standard errors; the chance of a false alarm is below 0.0002, and the seed is fixed.
    """
    summary = simulate(ShutTheBox(), ["optimal_score", "random"], 150, SEED)

    best, worst = summary.bots
    assert best.mean_score is not None
    assert worst.mean_score is not None
    assert abs(float(best.mean_score) - 11.66) < 2.44
    assert abs(float(worst.mean_score) - 20.44) < 2.90
    assert best.wins > worst.wins


@pytest.mark.parametrize("n", [0, -1, True, 2.0])
def test_a_simulation_needs_a_match(tic_tac_toe, n) -> None:
    with pytest.raises(BadOptions, match="at least one match"):
        simulate(tic_tac_toe, ["first", "first"], n, SEED)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433), (500, 1000, 0.4691, 0.5309)],
)
def test_wilson_intervals_are_the_published_ones(successes, trials, low, high) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=0.00005)
