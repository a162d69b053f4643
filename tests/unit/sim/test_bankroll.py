"""Bankrolls over an evening, against the same rounds walked through in plain Python and a figure known exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from croupier.errors import BadOptions
from croupier.rounds import FEES, RETURNED, STAKED
from croupier.sim.bankroll import simulate_paths
from croupier.sim.simulate import play_rounds
from tests.unit.sim.conftest import house_game

SEED = bytes(range(32))


def walk(rows: Any, bankroll: int) -> tuple[int, int, int, list[int]]:
    """Return what a bankroll came to, where it was ruined, its deepest fall, and itself after every round."""
    held, ruined, seen = bankroll, -1, [bankroll]
    for number, row in enumerate(rows):
        outlay = int(row[STAKED] + row[FEES])
        if ruined < 0 and held < outlay:
            ruined = number
        if ruined < 0:
            held += int(row[RETURNED]) - outlay
        seen.append(held)
    fall = max(max(seen[: n + 1]) - each for n, each in enumerate(seen))
    return held, ruined, fall, seen


@pytest.mark.parametrize(
    ("game_id", "bets", "policy", "super_mode"),
    [
        ("roulette", {"red": 10}, "", False),
        ("roulette", {"straight:17": 5}, "", True),
        ("casino-war", {"main": 10}, "always_war", False),
    ],
)
def test_every_path_is_its_rounds_in_order(game_id, bets, policy, super_mode):
    game = house_game(game_id)
    paths = simulate_paths(
        game, bets, policy, bankroll=60, rounds=50, paths=80, seed=SEED, super_mode=super_mode, threads=2
    )
    rows = play_rounds(game.plan(bets, policy, None, super_mode), SEED, 0, 50 * 80)
    expected = [walk(rows[50 * number : 50 * number + 50], 60) for number in range(80)]

    assert paths.ended.tolist() == [held for held, *_ in expected]
    assert paths.ruined_at.tolist() == [ruined for _, ruined, *_ in expected]
    assert paths.drawdown.tolist() == [fall for _, _, fall, _ in expected]
    assert paths.points.tolist() == list(range(51))
    assert paths.bankrolls.tolist() == [seen for *_, seen in expected]
    assert 0 < paths.ruin < 1


def test_the_risk_of_ruin_is_the_gamblers():
    """Red on one zero, ten units, 200 rounds: the chance to be ruined by then, from the exact chain.

    20,000 paths; 4.5 standard errors, so a false alarm in about 150,000 runs, and the seed is fixed.
    """
    chances = {10: Fraction(1)}
    for _ in range(200):
        following: dict[int, Fraction] = {0: chances.get(0, Fraction(0))}
        for held, chance in chances.items():
            if held:
                following[held + 1] = following.get(held + 1, Fraction(0)) + chance * Fraction(18, 37)
                following[held - 1] = following.get(held - 1, Fraction(0)) + chance * Fraction(19, 37)
        chances = following
    paths = simulate_paths(house_game("roulette"), {"red": 1}, bankroll=10, rounds=200, paths=20_000, seed=SEED)

    # The last round may ruin a path without another one asking for a stake: ended with nothing says both.
    ruin = float(np.mean(paths.ended == 0))
    exact = float(chances[0])
    assert abs(ruin - exact) < 4.5 * (exact * (1 - exact) / 20_000) ** 0.5


def test_an_evening_longer_than_the_points_keeps_its_first_and_last():
    paths = simulate_paths(house_game("roulette"), {"red": 1}, bankroll=1000, rounds=1234, paths=3, seed=SEED)

    assert paths.points[0] == 0
    assert paths.points[-1] == 1234
    assert paths.bankrolls[:, 0].tolist() == [1000, 1000, 1000]
    assert paths.bankrolls[:, -1].tolist() == paths.ended.tolist()
    low, high = paths.band(0.05, 0.95)
    assert (low <= high).all()


TOO_RICH = [{"bankroll": 2**63 - 1}, {"bankroll": 2**63}, {"bankroll": 10.5}]


TOO_MANY = [{"rounds": 1, "paths": 10**12}, {"paths": 10**9}]  # eight terabytes, and two


@pytest.mark.parametrize(
    "wrong", [{"bankroll": 0}, {"rounds": 0}, {"paths": 0}, {"rounds": 2**18 + 1}, *TOO_RICH, *TOO_MANY]
)
def test_nonsense_is_refused(wrong):
    with pytest.raises(BadOptions):
        simulate_paths(house_game("roulette"), {"red": 1}, **{"bankroll": 10, **wrong})


def test_bankrolls_are_a_row_a_player_with_the_rounds_for_columns():
    paths = simulate_paths(house_game("roulette"), {"red": 10}, bankroll=50, rounds=20, paths=8, seed=b"table")
    frame = paths.to_pandas()

    assert list(frame.columns)[:5] == ["ended", "ruined_at", "drawdown", 0, 1]
    assert frame[0].tolist() == [50] * 8
    assert frame[20].tolist() == paths.ended.tolist()
    assert frame.attrs["bankroll"] == 50
    assert str(paths).startswith("roulette: 8 players with 50 chips, 20 rounds each; ")
