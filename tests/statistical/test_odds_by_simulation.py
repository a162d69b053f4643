"""Every exact edge against a simulation from the rules that play: two ways to the same figure.

Fixed seed, 200,000 rounds a set of bets, bound 4.5 standard errors of the simulation. For one figure the chance of a
false alarm would be 7 in a million, for the 1,300 or so figures here together about 1 %; the seed being fixed, a run
that passed passes again.
"""

from typing import Any

import pytest

from croupier.engine import get_game
from croupier.games.roulette.options import ZERO_RULES
from croupier.house import HouseGame, OddsRow

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.sim.simulate import simulate

ROUNDS = 200_000
SEED = b"odds by simulation"
SIGMAS = 4.5

CASES: list[tuple[str, dict[str, Any]]] = [
    ("baccarat", {}),
    ("baccarat", {"tie_pays": 8, "pair_pays": 11}),
    *(("roulette", {"zero_rule": rule}) for rule in ZERO_RULES),
    ("sic-bo", {}),
    ("sic-bo", {"pay_table": "atlantic_city"}),
]  # fmt: skip


def house_game(game_id: str) -> HouseGame[Any]:
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return game


def assert_agrees(row: OddsRow, edge: float, stderr: float) -> None:
    assert abs(edge - float(row.edge)) <= SIGMAS * stderr, f"{row.bet} {row.policy}: {edge} ± {stderr}, {row.edge}"


@pytest.mark.parametrize(("game_id", "options"), CASES, ids=str)
@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
def test_every_bet_of_a_table_game_is_worth_what_its_odds_say(game_id, options, super_mode):
    game = house_game(game_id)
    chosen = game.read_options(options)
    rows = game.super_odds(chosen) if super_mode else game.odds(chosen)
    stake = 20 if super_mode else 2  # can be halved, and in super mode divided by five
    at_once = 10 if game_id == "baccarat" else 20

    for first in range(0, len(rows), at_once):
        part = rows[first : first + at_once]
        bets = {row.bet: stake for row in part}
        result = simulate(game, bets, rounds=ROUNDS, seed=SEED, options=options, super_mode=super_mode)
        for row, line in zip(part, result.lines, strict=True):
            fee = 0.2 if super_mode else 0  # a row's edge is per chip staked, the fee included
            assert_agrees(row, float(line.edge) + fee, line.stderr)


@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
@pytest.mark.parametrize("policy", ["always_war", "always_surrender"])
@pytest.mark.parametrize("options", [{}, {"second_tie_bonus": False, "tie_pays": 11}], ids=str)
def test_casino_war_costs_what_its_odds_say(policy, options, super_mode):
    game = house_game("casino-war")
    chosen = game.read_options(options)
    rows = game.super_odds(chosen) if super_mode else game.odds(chosen)
    row = next(row for row in rows if (row.bet, row.policy) == ("main", policy))

    result = simulate(game, {"main": 10}, policy, ROUNDS, SEED, options=options, super_mode=super_mode)

    assert_agrees(row, float(result.edge), result.stderr)


@pytest.mark.parametrize("policy", ["one_guess", "three_guesses"])
def test_hi_lo_costs_what_its_odds_say(policy):
    """A stake of a million, so that floors of single chips do not show."""
    game = house_game("hi-lo")
    row = next(row for row in game.odds() if (row.bet, row.policy) == ("stake", policy))

    result = simulate(game, {"stake": 1_000_000}, policy, ROUNDS, SEED)

    assert_agrees(row, float(result.edge), result.stderr)
