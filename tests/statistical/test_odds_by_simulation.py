"""Every exact edge against a simulation from the rules that play: two ways to the same figure.

Fixed seed, 200,000 rounds a set of bets, bound 4.5 standard errors of the simulation. For one figure the chance of a
false alarm would be 7 in a million, for the 1,300 or so figures here together about 1 %; the seed being fixed, a run
that passed passes again.
"""

from fractions import Fraction
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


@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
@pytest.mark.parametrize("policy", ["best", "q72", "always_play"])
@pytest.mark.parametrize("options", [{}, {"qualifier": "q64"}], ids=str)
def test_three_card_poker_costs_what_its_odds_say(policy, options, super_mode):
    game = house_game("three-card-poker")
    chosen = game.read_options(options)
    rows = game.super_odds(chosen) if super_mode else game.odds(chosen)
    row = next(row for row in rows if (row.bet, row.policy) == ("ante", policy))

    result = simulate(game, {"ante": 10}, policy, ROUNDS, SEED, options=options, super_mode=super_mode)

    assert_agrees(row, float(result.edge), result.stderr)


@pytest.mark.parametrize("bet", ["pair_plus", "six_card", "progressive"])
def test_the_side_bets_of_three_card_poker_cost_what_their_odds_say(bet):
    """Whether the hand is played or folded: they are decided all the same."""
    game = house_game("three-card-poker")
    row = next(row for row in game.odds() if row.bet == bet)

    result = simulate(game, {"ante": 10, bet: 1}, "best", ROUNDS, SEED)

    (line,) = [line for line in result.lines if line.bet == bet]
    assert_agrees(row, float(line.edge), line.stderr)


@pytest.mark.parametrize(
    ("policy", "options", "super_mode"),
    [
        ("best", {}, False),
        ("best", {}, True),
        ("best", {"dealer_qualifies": "always"}, False),
        ("best", {"play_4x": False}, False),
        ("simple", {}, False),
        ("simple", {"play_3x": False, "play_4x": False}, True),
    ],
    ids=str,
)
def test_ultimate_texas_holdem_costs_what_its_odds_say(policy, options, super_mode):
    """The exact figures are counted over all boards, here rounds are dealt: what they cost, win, tie and lay out."""
    game = house_game("ultimate-texas-holdem")
    chosen = game.read_options(options)
    rows = game.super_odds(chosen) if super_mode else game.odds(chosen)
    row = next(row for row in rows if (row.bet, row.policy) == ("ante", policy))

    result = simulate(game, {"ante": 10}, policy, ROUNDS, SEED, options=options, super_mode=super_mode)

    assert_agrees(row, float(result.edge), result.stderr)
    assert_agrees_share(row.win, result.wins)
    if not super_mode:  # there a tie costs the fee
        assert_agrees_share(row.push, result.pushes)
    laid_out = 10 * float(row.edge / row.edge_per_chip) * ROUNDS
    assert abs(result.staked + result.fees - laid_out) <= SIGMAS * 10 * 1.5 * ROUNDS**0.5  # Play is 0 to 4 Antes


def assert_agrees_share(chance: Fraction, count: int) -> None:
    stderr = float(chance * (1 - chance) / ROUNDS) ** 0.5
    assert abs(count / ROUNDS - float(chance)) <= SIGMAS * stderr, f"{count} of {ROUNDS}, {float(chance)}"


@pytest.mark.parametrize("bet", ["trips", "six_card", "progressive"])
def test_the_side_bets_of_ultimate_texas_holdem_cost_what_their_odds_say(bet):
    game = house_game("ultimate-texas-holdem")
    row = next(row for row in game.odds() if row.bet == bet)

    result = simulate(game, {"ante": 10, bet: 1}, "simple", ROUNDS, SEED)

    (line,) = [line for line in result.lines if line.bet == bet]
    assert_agrees(row, float(line.edge), line.stderr)
