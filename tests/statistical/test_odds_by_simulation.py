"""Every exact figure against a simulation from the rules that play: two ways to the same number.

What `croupier odds --all --check` does, with a part of its rounds: 250,000 a simulation, of slow games 25,000; the soak
has the million, and 100,000. With a quarter of the rounds the standard error is twice as large: an error that the soak
finds nine times in ten is found so here if it is twice as large.
Fixed seed, bound 4.5 standard errors. For one figure the chance of a false alarm would be 7 in a million, for the 1,100
or so figures here together under 1 %; the seed being fixed, a run that passed passes again.
"""

from fractions import Fraction
from typing import Any, TypeGuard

import pytest
from msgspec.structs import replace

from croupier.engine import get_game, list_games
from croupier.house import HouseGame, OddsRow
from tools.odds_checks import Checks

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.sim.odds_check import SIGMAS, Trial, false_alarm, published_trials, run_trial, trials
from croupier.sim.results import Simulation
from croupier.sim.simulate import simulate

SHARE, SOAK_SHARE = 400, 100
SEED = b"odds by simulation"
GAMES = [game_id for game_id in list_games() if game_id not in ("craps-table", "lanes")]


def house_game(game_id: str) -> HouseGame[Any]:
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return game


def check_figures(game_id: str, share: int) -> list[Trial]:
    """Simulate a part of the usual rounds of every trial of a game, compare, and return the trials."""
    found = list(published_trials([game_id]))
    for trial in found:
        for each in run_trial(trial, trial.usual_rounds // share):
            assert each.agrees, f"{trial.name}: {each.bet} is {float(each.exact)}, {each.simulated} ± {each.stderr}"
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_every_figure_of_a_game_is_what_rounds_come_to(game_id: str, checks: Checks) -> None:
    for trial in check_figures(game_id, SHARE):
        if rows := [row for row in trial.rows if isinstance(row, OddsRow)]:
            checks("simulation", game_id, rows, trial.super_mode)


@pytest.mark.soak
@pytest.mark.parametrize("game_id", GAMES)
def test_every_figure_of_a_game_is_what_four_times_the_rounds_come_to(game_id: str) -> None:
    check_figures(game_id, SOAK_SHARE)


@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if game_id != "shut-the-box"])
def test_no_row_of_an_odds_sheet_is_left_out(game_id: str, super_mode: bool) -> None:
    game = house_game(game_id)
    sheet = game.super_odds() if super_mode else game.odds()

    compared = [row for trial in trials(game, {}, super_mode) for row in trial.rows]

    assert len(compared) == len(sheet)
    assert set(compared) == set(sheet)


# A comparison that cannot fail would be worth nothing.


def is_red(row: object) -> TypeGuard[OddsRow]:
    return isinstance(row, OddsRow) and row.bet == "red"


def red(options: dict[str, Any]) -> Trial:
    (trial,) = [
        trial for trial in trials(house_game("roulette"), options, False) if any(is_red(row) for row in trial.rows)
    ]
    return trial


def test_a_figure_of_other_rules_does_not_agree() -> None:
    """The edge of a wheel with one zero, and rounds of one that gives half back: 1.35 % apart."""
    right, other = red({}), red({"zero_rule": "la_partage"})
    mixed = replace(other, rows=tuple(row for row in right.rows if is_red(row)))

    (found,) = run_trial(mixed, 500_000)

    assert not found.agrees
    assert found.z < -SIGMAS


def test_the_same_seed_gives_the_same_whatever_the_threads() -> None:
    trial = red({})

    assert run_trial(trial, 600_000, SEED) == run_trial(trial, 600_000, SEED, threads=3)
    assert run_trial(trial, 1000, SEED) != run_trial(trial, 1000, b"another")


def test_the_chance_of_a_false_alarm_grows_with_the_figures() -> None:
    """Two sides of a normal distribution beyond 4.5: 2 * 3.3977e-6, from a table."""
    assert false_alarm(1) == pytest.approx(6.7953e-6, rel=1e-4)
    assert false_alarm(1000) == pytest.approx(6.7953e-3, rel=1e-4)
    assert false_alarm(10**9) == 1


# More than the edge: what a round of ultimate texas hold'em wins, ties and lays out.

ROUNDS = 200_000


@pytest.mark.parametrize(
    ("policy", "options", "super_mode"),
    [
        ("best", {}, False),
        ("best", {}, True),
        ("best", {"dealer_qualifies": "always"}, False),
        ("simple", {"play_3x": False, "play_4x": False}, True),
    ],
    ids=str,
)
def test_ultimate_texas_holdem_wins_ties_and_lays_out_as_its_odds_say(policy, options, super_mode):
    """The exact figures are counted over all boards, here rounds are dealt."""
    game = house_game("ultimate-texas-holdem")
    chosen = game.read_options(options)
    rows = game.super_odds(chosen) if super_mode else game.odds(chosen)
    row = next(row for row in rows if (row.bet, row.policy) == ("ante", policy))

    result = simulate(game, {"ante": 10}, policy, ROUNDS, SEED, options=options, super_mode=super_mode)

    assert abs(float(result.edge) - float(row.edge)) <= SIGMAS * result.stderr
    assert_agrees_share(row.win, result.wins)
    if not super_mode:  # there a tie costs the fee
        assert_agrees_share(row.push, result.pushes)
    laid_out = 10 * float(row.edge / row.edge_per_chip) * ROUNDS
    assert abs(result.staked + result.fees - laid_out) <= SIGMAS * 10 * 1.5 * ROUNDS**0.5  # Play is 0 to 4 Antes
    assert_agrees_variance(row, result)


def assert_agrees_variance(row: OddsRow, result: Simulation) -> None:
    """Compare the square of results of less than 40 Antes with the exact one less what larger results add to it.

    Rounds know little of jackpots, but these can be told within some percent without them: in 133,784,560 hands of
    seven cards there are 37,260 straight flushes, which bring 50 Antes and at most 1 + 4 + 7 besides, and 4,324 royal
    flushes, which bring 500 and at most 1 + 4 + 14.5. Royal flushes all win but those on the board (4 of 2,598,960),
    straight flushes but those on the board and some more: 36 of 2,598,960, and say a twentieth.
    """
    squares = [((net / 10) ** 2, count) for net, count in result.distribution if net < 400]
    mean = sum(square * count for square, count in squares) / ROUNDS
    stderr = (sum(square**2 * count for square, count in squares) / ROUNDS**2) ** 0.5
    royal = 4_324 / 133_784_560 - 4 / 2_598_960
    straight, board = 37_260 / 133_784_560, 36 / 2_598_960
    jackpots_min = royal * 500**2 + 0.95 * (straight - board) * 50**2
    jackpots_max = royal * 519.5**2 + straight * 62**2
    assert not result.pooled
    assert row.variance is not None
    exact = float(row.variance + row.edge**2)
    assert jackpots_min - SIGMAS * stderr <= exact - mean <= jackpots_max + SIGMAS * stderr


def assert_agrees_share(chance: Fraction, count: int) -> None:
    stderr = float(chance * (1 - chance) / ROUNDS) ** 0.5
    assert abs(count / ROUNDS - float(chance)) <= SIGMAS * stderr, f"{count} of {ROUNDS}, {float(chance)}"
