"""A player's results beside what their bets bring on average, with figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.engine import act, canonical, get_game, list_games
from croupier.house import HouseGame
from croupier.house.counting import expected_result
from croupier.server.operations import replays
from croupier.server.operations.replays import Played, results_of

VIDEO_POKER = 4


def expected(game_id, bets, **mode):
    """Return mean, variance, and whether it is exact, of bets at the usual table of a game."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    found = expected_result(game, bets, **mode)
    assert found.variance is not None
    return found.mean, found.variance, found.is_exact


def test_rounds_are_added_up_and_compared_with_the_odds_of_their_bets(office, ann):
    """Red at 37 chips loses 1 on average, and its square is 37² · (1 - 1/37²) = 1,368; three rounds thrice as much."""
    ended = [office.start(ann, action=act("batch", bets=[{"bet": "red", "stake": 37}])) for _ in range(3)]
    result = sum(one.lines[0].returned - 37 for one in ended)

    everything, roulette = office.do(replays.my_results, ann)()

    assert (roulette.game, roulette.rounds, roulette.staked, roulette.result) == ("roulette", 3, 111, result)
    assert (roulette.expected, roulette.deviation, roulette.is_exact) == (-3.0, 64.06, True)  # √4,104
    assert (everything.game, everything.rounds, everything.expected) == ("", 3, -3.0)
    assert roulette.luck == everything.luck


def test_a_session_that_is_not_over_counts_for_nothing(office, ann):
    assert not office.start(ann).is_complete
    assert office.do(replays.my_results, ann)() == ()


def test_bets_that_cancel_out_leave_little_to_luck():
    """Red and black at once lose both at zero and nothing otherwise: 1/37 · 36/37 · 74² is all there is."""
    assert expected("roulette", {"red": 37, "black": 37}) == (-2, 144, True)


def test_two_bets_on_one_deal_that_are_not_counted_have_a_bound():
    (player, player_variance, _), (tie, tie_variance, _) = (
        expected("baccarat", {bet: 10}) for bet in ("player", "tie")
    )
    both = expected("baccarat", {"player": 10, "tie": 10})
    assert both == (player + tie, 2 * (player_variance + tie_variance), False)


def test_a_raise_is_a_part_of_the_first_bet():
    """The edge of the ante has the play bet in it."""
    assert expected("three-card-poker", {"ante": 10, "play": 10}) == expected("three-card-poker", {"ante": 10})


@pytest.mark.parametrize("game_id", [name for name in list_games() if isinstance(get_game(name), HouseGame)])
def test_every_house_game_tells_how_far_its_usual_bets_stray(game_id):
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    bets = game.usual_bets()
    staked, options = sum(bets.values()), canonical(None)
    played = Played(game_id, options, False, (tuple(bets.items()),), staked, staked, 0)
    for row in results_of((played,)):
        assert row.deviation
        assert row.luck is not None
        assert 0 < row.luck < 100


def test_lines_of_craps_stray_as_a_coin_nearly_does():
    """A bet of one chip at evens that wins 244 of 495 rounds: 1 - (7/495)², however odds might be laid on it."""
    assert expected("craps", {"pass": 1}) == (Fraction(-7, 495), 1 - Fraction(7, 495) ** 2, True)


def test_a_variance_that_is_not_counted_whole_is_bounded():
    """The standard deviation of a chip: simulated over 3 million rounds, and within 0.1 of what is published."""
    _, variance, is_exact = expected("blackjack", {"main": 1})
    assert not is_exact
    assert 1.14 <= float(variance) ** 0.5 < 1.2 * 1.14


def test_a_round_of_holdem_strays_as_published():
    _, variance, is_exact = expected("ultimate-texas-holdem", {"ante": 1, "blind": 1, "play": 4})
    assert is_exact
    assert f"{float(variance) ** 0.5:.2f}" == "4.94"


def test_super_mode_has_the_odds_that_it_has():
    plain, lit = (expected("roulette", {"straight:17": 5}, is_super=is_super) for is_super in (False, True))
    assert plain[0] == Fraction(-5, 37)
    assert lit[0] < plain[0]
    assert lit[1] > plain[1]


@pytest.mark.parametrize(("result", "luck"), [(-1, 50.0), (36, 84.13), (-75, 2.28)])
def test_luck_is_a_place_on_the_normal_curve(result, luck):
    """One standard deviation above is better than 84.13 of 100, two below than 2.28: published tables of the curve."""
    bets = ((("red", 37),),)
    played = Played("roulette", b"null", False, bets, 37, 37 + result, 0)
    (everything, _) = results_of((played,))
    assert everything.luck == pytest.approx(luck, abs=0.2)


def test_a_session_opened_with_a_stake_counts_its_first_bet(office, ann):
    """Video poker at 10 chips a round; what a game with a stake of its own calls that bet is in its odds."""
    view = office.start(ann, VIDEO_POKER, 10, action=act("hold", cards=[1, 2, 3, 4, 5]))
    assert view.is_complete
    (_, row) = office.do(replays.my_results, ann)()
    assert (row.game, row.rounds, row.staked, row.expected) == ("video-poker", 1, 10, -0.05)  # 0.4561 % of 10
    assert row.deviation == pytest.approx(44.2, abs=0.1)  # 4.42 a chip: published for 9/6 jacks or better
