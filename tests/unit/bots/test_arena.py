"""`run_arena`: which bot is better, with what confidence, and seats that are swapped."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.bots import run_arena
from croupier.bots.arena import Pairing
from croupier.bots.errors import UnknownBot
from croupier.bots.simulation import wilson_interval
from croupier.engine import get_game
from croupier.errors import BadOptions, BadPlayers

BOX: Any = get_game("shut-the-box")
SEED = bytes(range(32))


def test_the_better_player_is_found_with_confidence():
    """Optimal play against random play, 60 games: the interval is far from a half."""
    table = run_arena(BOX, ["optimal_score", "random"], 60, SEED)
    (pairing,) = table.pairings

    assert pairing.games == 60 == pairing.wins + pairing.losses + pairing.draws
    assert pairing.verdict == "optimal_score"
    assert pairing.interval[0] > 0.5
    assert list(table.points()) == ["optimal_score", "random"]
    assert sum(table.points().values()) == 1


def test_equal_players_come_out_equal_and_the_seats_are_swapped():
    """The same bot under two names makes the same choices, so each deal is won by either seat: exactly a half."""
    table = run_arena(BOX, {"one": "first", "two": "first"}, 40, SEED)
    (pairing,) = table.pairings

    assert pairing.wins == pairing.losses
    assert pairing.verdict == ""
    assert pairing.share == Fraction(1, 2)
    assert table.decided == pairing.wins + pairing.losses


def test_the_same_seed_gives_the_same_table_and_another_one_another():
    assert run_arena(BOX, ["random", "first"], 10, SEED) == run_arena(BOX, ["random", "first"], 10, SEED)
    assert run_arena(BOX, ["random", "first"], 10, SEED) != run_arena(BOX, ["random", "first"], 10, b"other")


def test_every_pair_of_bots_meets_once_and_games_are_counted():
    done: list[Pairing] = []
    table = run_arena(BOX, ["random", "first", "fewest_tiles"], 4, SEED, on_game=done.append)

    pairs = [(pairing.first, pairing.second) for pairing in table.pairings]
    assert pairs == [("random", "first"), ("random", "fewest_tiles"), ("first", "fewest_tiles")]
    assert [pairing.games for pairing in done] == [1, 2, 3, 4] * 3
    assert done[3::4] == list(table.pairings)  # what is told last of a pairing is what the table says


@pytest.mark.parametrize(("wins", "losses", "verdict"), [(40, 20, "a"), (20, 40, "b"), (33, 27, ""), (0, 0, "")])
def test_a_verdict_needs_an_interval_that_leaves_a_half_out(wins, losses, verdict):
    interval = wilson_interval(wins, wins + losses) if wins + losses else (0.0, 1.0)
    assert Pairing("a", "b", wins + losses, wins, losses, 0, interval).verdict == verdict


@pytest.mark.parametrize(
    ("game", "bots", "games", "error", "words"),
    [
        (BOX, ["random"], 10, BadPlayers, "two bots or more"),
        (BOX, ["random", "first"], 9, BadOptions, "even"),
        (BOX, ["random", "nobody"], 10, UnknownBot, "no bot 'nobody'"),
        (get_game("roulette"), ["random", "first"], 10, BadOptions, "two players"),
    ],
)
def test_an_arena_of_impossible_terms_is_refused(game, bots, games, error, words):
    with pytest.raises(error, match=words):
        run_arena(game, bots, games, SEED)
