"""Rounds that the engine plays: the figures of kernels where there are some, and oracles where there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import isclose
from statistics import fmean, pvariance
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.bots import play_out
from croupier.bots import simulate as simulate_bots
from croupier.bots.errors import UnknownBot
from croupier.engine import Action, Turn, act, get_game, verify, write_record
from croupier.errors import BadOptions, BadPlayers
from croupier.games.shut_the_box import ShutTheBox
from croupier.house import HouseState
from croupier.rng import GameRng
from croupier.sim.find import FoundMatch, find_rounds, play_again, read_condition
from croupier.sim.jobs import make_job
from croupier.sim.match_results import Matches
from croupier.sim.results import Simulation
from croupier.sim.simulate import ENGINE_CHUNK, simulate, simulate_job
from tests.unit.bots.conftest import Dare
from tests.unit.house.probes import Wheel
from tests.unit.sim.conftest import house_game

SEED = bytes(range(32))
BOX = ShutTheBox()


def matches(policy: str = "", rounds: int = 1, **told: Any) -> Matches:
    result = simulate(BOX, None, policy, rounds, SEED, **told)
    assert isinstance(result, Matches)
    return result


# Where there is a kernel, both ways give the same result.


@pytest.mark.parametrize(
    ("game_id", "bets", "policy", "told"),
    [
        ("roulette", {"straight:17": 5, "red": 7}, "", {"super_mode": True, "modifiers": ["double"]}),
        ("roulette", {"red": 10}, "", {"options": {"zero_rule": "en_prison"}}),
        ("casino-war", {"main": 10, "tie": 1}, "always_war", {"modifiers": ["shield", "double"]}),
        ("casino-war", None, "always_surrender", {"options": {"second_tie_bonus": False}}),
        ("baccarat", None, "", {"super_mode": True}),
        ("craps", {"pass": 10, "come": 5, "yes:6": 6}, "full_odds", {}),
        ("craps", {"pass": 10, "dont_come": 5}, "", {"modifiers": ["shield"]}),
        ("shut-the-box", None, "optimal_score", {}),
        ("shut-the-box", None, "optimal_shut", {"options": {"tile_count": 10, "die_choice": True}}),
        ("shut-the-box", None, "fewest_tiles", {"options": {"rounds": 3, "shut_wins": True}}),
        ("shut-the-box", None, "highest_tile", {"options": {"scoring": "digits"}}),
    ],
)
def test_the_engine_comes_to_the_figures_of_the_kernel(game_id, bets, policy, told):
    compiled, played = (
        simulate(get_game(game_id), bets, policy, 200, SEED, **told, first_session=70, by_engine=by_engine)
        for by_engine in (False, True)
    )

    assert (compiled.hash_path == "engine", played.hash_path) == (False, "engine")
    assert replace(compiled, hash_path="engine") == played
    assert played.digest == compiled.digest


def test_a_million_matches_of_the_best_player_come_to_the_exact_figures():
    """The rules page: 11.6632 on average, and 6.9480 % shut. 4.5 standard errors: one false alarm in 150,000."""
    result = matches(rounds=1_000_000)
    (seat,) = result.seats

    assert seat.bot == "optimal_score"
    assert abs(float(seat.mean_score or 0) - 11.6632) < 4.5 * (float(seat.score_variance or 0) / 1_000_000) ** 0.5
    assert abs(seat.wins / 1_000_000 - 0.069480) < 4.5 * (0.0695 * 0.9305 / 1_000_000) ** 0.5
    assert result.draws == 1_000_000 - seat.wins
    assert {score for score, _ in seat.scores} <= set(range(46))


@pytest.mark.parametrize("options", [{"scoring": "digits", "tile_count": 12}, {"scoring": "digits", "rounds": 2}])
def test_scores_too_large_for_the_kernel_are_counted_by_the_engine(options):
    assert matches("fewest_tiles", 3, options=options).hash_path == "engine"


# Matches between bots.

THREE = ["uniform", "optimal_score", "fewest_tiles"]


@pytest.mark.parametrize("rotate", [False, True])
def test_the_figures_are_what_the_matches_add_up_to(rotate):
    """Against matches played one by one and counted in plain Python."""
    result = matches(rounds=60, bots=THREE, rotate=rotate, first_session=3)
    wins: Counter[int] = Counter()
    scores: list[list[int]] = [[], [], []]
    draws = actions = 0
    for number in range(3, 63):
        shift = number % 3 if rotate else 0
        ids = [f"p{(seat + shift) % 3}" for seat in range(3)]
        bots = {player: THREE[int(player[1])] for player in ids}
        match = play_out(BOX, bots, SEED, session_id=number, players=ids).get_state()
        assert match.result is not None
        draws += match.result.status == "draw"
        actions += match.version
        for place in range(3):
            wins[place] += f"p{place}" in match.result.winners
            scores[place].append(int(match.result.scores[f"p{place}"]))

    assert (result.draws, result.actions, result.rounds) == (draws, actions, 60)
    for place, seat in enumerate(result.seats):
        assert (seat.bot, seat.wins, seat.scored) == (THREE[place], wins[place], 60)
        assert dict(seat.scores) == Counter(scores[place])
        assert seat.mean_score == Fraction(sum(scores[place]), 60)
        assert isclose(float(seat.score_variance or 0), pvariance(scores[place]))
        assert seat.score_interval is not None
        half = 1.96 * (pvariance(scores[place]) / 60) ** 0.5
        assert isclose(seat.score_interval[0], fmean(scores[place]) - half)
        assert seat.quantile(0.5) == sorted(scores[place])[29]
    assert sum((seat.share for seat in result.seats), Fraction(0)) == 1


def test_shares_and_intervals_are_those_of_the_bots_own_summary():
    summary = simulate_bots(BOX, THREE, 40, SEED)
    result = matches(rounds=40, bots=THREE)

    for seat, bot in zip(result.seats, summary.bots, strict=True):
        assert (seat.share, seat.win_interval, seat.mean_score) == (bot.share, bot.win_interval, bot.mean_score)


def test_processes_make_no_difference():
    rounds = 2 * ENGINE_CHUNK + 5
    one = matches(rounds=rounds, bots=["uniform"])
    two = matches(rounds=rounds, bots=["uniform"], threads=2)

    assert one == two
    assert one.digest == two.digest
    assert one.digest != matches(rounds=rounds - 1, bots=["uniform"]).digest


def test_lanes_is_simulated_and_its_matches_can_be_verified():
    lanes = get_game("lanes")
    result = simulate(lanes, rounds=4, seed=SEED, bots=["greedy", "random"], rotate=True)
    assert isinstance(result, Matches)
    job = make_job(lanes, seed=SEED, bots=["greedy", "random"], rotate=True)
    found = list(find_rounds(job, read_condition("win[0] == 1"), rounds=4))

    assert [each.won[0] for each in found if isinstance(each, FoundMatch)] == [1] * result.seats[0].wins
    assert len(found) == result.seats[0].wins > 0
    assert verify(write_record(play_again(job, found[0].session_id))).ok


def test_seats_that_no_bot_is_named_for_get_the_last_one():
    job = make_job(BOX, bots=["uniform", "optimal_shut"], seats=4)

    assert job.names == ("uniform", "optimal_shut", "optimal_shut", "optimal_shut")
    assert make_job(get_game("lanes")).names == ("greedy", "greedy")
    assert make_job(BOX).names == ("optimal_score",)


def test_a_found_match_is_the_one_that_is_recorded():
    job = make_job(BOX, seed=SEED, bots=["optimal_shut", "uniform"])
    found = next(iter(find_rounds(job, read_condition("score[1] < 10"), rounds=300)))
    assert isinstance(found, FoundMatch)
    checked = verify(write_record(play_again(job, found.session_id)))

    assert checked.ok
    assert checked.match is not None
    assert checked.match.result is not None
    assert tuple(checked.match.result.scores.values()) == found.scores
    assert int(found.scores[1] or 0) < 10
    assert checked.match.version == found.actions


def test_matches_show_themselves_as_plain_numbers_and_pictures():
    result = matches(rounds=30, bots=["uniform", "optimal_score"])

    assert "<td>optimal_score</td>" in result._repr_html_()
    assert sum(row["rounds"] for row in result.rows()) == 60
    assert result.figures()["seats"][1]["bot"] == "optimal_score"
    assert result.plot().axes[0].get_xlabel() == "score"
    assert result.plot("wins").axes[0].get_xlabel() == "matches won"
    with pytest.raises(BadOptions, match="no picture"):
        result.plot("bets")


def test_a_precision_of_the_chance_to_win_stops_matches_early():
    result = matches("optimal_score", 10_000_000, precision=0.001)

    assert result.rounds == 262_144  # 1.96 * sqrt(0.0695 * 0.9305 / 262144) is 0.00097


# Games against the house without a kernel.


class Timid(Dare):
    """Ten chips on one die, five in six to win one, with no word on how to simulate it: a bot plays."""

    id = "sim-timid"

    def legal(self, state: HouseState, turn: Turn) -> Iterator[Action]:
        yield act("timid")


def sides(bound: int, count: int) -> list[int]:
    """Return what the first move of each session draws."""
    return [GameRng.new(SEED, session_id, 1).next_bounded(bound) for session_id in range(count)]


def test_a_bot_plays_a_house_game_that_says_nothing_of_simulation():
    result = simulate(Timid(), rounds=100, seed=SEED)
    wins = 100 - sides(6, 100).count(0)

    assert (result.staked, result.returned, result.opening, result.policy) == (1000, 11 * wins, 1000, "random")
    assert dict(result.distribution) == {-10: 100 - wins, 1: wins}
    assert [(line.bet, line.staked, line.returned) for line in result.lines] == [("timid", 1000, 11 * wins)]


def test_a_table_game_without_a_kernel_has_its_bets_laid():
    result = simulate(Wheel(), {"even": 10, "odd": 3}, rounds=100, seed=SEED, modifiers=["shield"])
    drawn = ["odd" if pocket % 2 else "even" if pocket else "zero" for pocket in sides(10, 100)]
    nets = [{"even": 7, "odd": -7, "zero": -13}[kind] for kind in drawn]

    assert (result.staked, result.returned) == (1300, 20 * drawn.count("even") + 6 * drawn.count("odd"))
    assert dict(result.distribution) == Counter(max(net, 0) for net in nets)
    assert result.bonus == -sum(net for net in nets if net < 0)
    assert result.modified == sum(net < 0 for net in nets)
    assert [line.returned for line in result.lines] == [20 * drawn.count("even"), 6 * drawn.count("odd")]


def test_a_round_of_a_bot_against_the_house_is_found_and_verified():
    job = make_job(house_game("blackjack"), {"main": 10}, seed=SEED, bots=["random"])
    found = next(iter(find_rounds(job, read_condition("staked > 1x"), rounds=100)))
    checked = verify(write_record(play_again(job, found.session_id)))

    assert checked.ok
    assert checked.match is not None
    assert checked.match.game.money.staked > 10


def test_a_bots_opening_is_what_the_first_draw_decides_on():
    """Casino war: the stake and a tie bet are laid before the deal, a raise after it."""
    result = simulate(house_game("casino-war"), {"main": 10}, rounds=60, seed=SEED, bots=["always_war"])

    assert isinstance(result, Simulation)
    assert (result.opening, result.staked > 600) == (600, True)


def test_a_game_that_cannot_be_pickled_is_refused():
    class Local(Timid):
        id = "sim-local"

    with pytest.raises(BadOptions, match="cannot be sent"):
        simulate(Local(), rounds=2 * ENGINE_CHUNK, seed=SEED, threads=2)


# Nonsense.


@pytest.mark.parametrize(
    ("game_id", "told", "error"),
    [
        ("shut-the-box", {"bets": {"main": 1}}, BadOptions),
        ("shut-the-box", {"super_mode": True}, BadOptions),
        ("shut-the-box", {"modifiers": ["shield"]}, BadOptions),
        ("shut-the-box", {"strategy": {}}, BadOptions),
        ("shut-the-box", {"bots": ["nobody"]}, UnknownBot),
        ("shut-the-box", {"bots": "uniform"}, BadPlayers),
        ("shut-the-box", {"seats": 9}, BadPlayers),
        ("shut-the-box", {"bots": ["uniform"] * 3, "seats": 2}, BadPlayers),
        ("lanes", {"seats": 1}, BadPlayers),
        ("roulette", {"modifiers": ["super"]}, BadOptions),
        ("roulette", {"bets": {"red": 1}, "bots": ["random"]}, BadOptions),
        ("roulette", {"seats": 2}, BadPlayers),
        ("hi-lo", {"policy": "best", "bots": ["best"]}, BadOptions),
        ("hi-lo", {"bets": {"stake": 5, "main": 5}, "bots": ["best"]}, BadOptions),
        ("hi-lo", {"bets": {"stake": 5.5}, "bots": ["best"]}, BadOptions),
        ("casino-war", {"bets": {"tie": 10}, "bots": ["random"]}, BadOptions),
        ("casino-war", {"bets": {"nonsense": 10}, "bots": ["random"]}, BadOptions),
        ("roulette", {"bets": {"red": 1.5}}, BadOptions),
        ("roulette", {"bets": {"red": True}}, BadOptions),
        ("craps", {"bets": {"pass": 10.5}}, BadOptions),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(game_id, told, error):
    with pytest.raises(error):
        make_job(get_game(game_id), **told).plan()


@pytest.mark.parametrize(
    ("game_id", "stake", "told", "code"),
    [
        ("hi-lo", 7, {"bots": ["random"], "super_mode": True}, "super_stake"),
        ("video-poker", 9 * 10**17, {"bots": ["optimal"]}, "exposure_limit"),
    ],
)
def test_an_opening_stake_that_the_game_refuses_is_told_with_its_code(game_id, stake, told, code):
    job = make_job(get_game(game_id), {"stake": stake}, **told)

    with pytest.raises(BadOptions, match=rf"\({code}\)"):
        simulate_job(job, 3)
    with pytest.raises(BadOptions, match=rf"\({code}\)"):
        next(find_rounds(job, read_condition("net > 0"), rounds=3))


@pytest.mark.parametrize(
    ("game_id", "text"),
    [
        ("shut-the-box", "net > 3"),
        ("roulette", "score > 3"),
        ("shut-the-box", "score[1] > 3"),
        ("lanes", "win[2] == 1"),
    ],
)
def test_a_condition_about_something_else_is_refused(game_id, text):
    with pytest.raises(BadOptions):
        next(iter(find_rounds(make_job(get_game(game_id)), read_condition(text), rounds=10)))
