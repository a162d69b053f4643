"""Odds counted through the engine: the sheets of five games by a second way, and rounds worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier import engine
from croupier.games.craps.rules import ids
from croupier.house.counting import TooManyOutcomes, _absorbed, count_round, counted_row, counted_rows

WHOLE = ("win", "push", "lose", "edge", "edge_per_chip", "variance")
F = Fraction


def get_game(game_id: str) -> Any:
    """Return a game of the house; each has more than the type says."""
    return engine.get_game(game_id)


def figures(row):
    return {name: getattr(row, name) for name in WHOLE}


@pytest.mark.parametrize(
    ("game_id", "options", "count"),
    [
        ("roulette", None, 157),
        ("roulette", {"zero_rule": "la_partage"}, 157),
        ("roulette", {"zero_rule": "en_prison"}, 157),
        ("roulette", {"zero_rule": "en_prison_repeat"}, 157),
        ("roulette", {"zero_rule": "double_zero"}, 161),
        ("sic-bo", None, 119),
        ("sic-bo", {"pay_table": "atlantic_city"}, 119),
    ],
)
def test_every_bet_of_a_table_is_worth_what_its_sheet_says(game_id, options, count):
    """The sheets count pockets and rolls with the rules; this plays each through the engine and its accounts."""
    game = get_game(game_id)
    chosen = game.read_options(options)
    sheet = {row.bet: figures(row) for row in game.odds(chosen)}

    counted = {row.bet: figures(row) for row in counted_rows(game, chosen)}

    assert counted == sheet
    assert len(counted) == count


def craps_bets(pay_table):
    game = get_game("craps")
    for row in game.odds({"pay_table": pay_table}):
        code = game.codes.codes.get(row.bet, (0, 0))[0]
        if not row.refused and row.bet in game.codes.codes and not ids.needs_trackers(code) and not ids.is_come(code):
            yield row


# Stakes that no price of the table rounds, by the limits that hold for a bet.
STAKES = {
    "casino": {ids.TABLE_LIMITS: 1320, ids.PROP_LIMITS: 60, ids.SIDE_LIMITS: 60},
    "nullspace": {ids.TABLE_LIMITS: 3000, ids.PROP_LIMITS: 300, ids.SIDE_LIMITS: 100},
    "bitcraps": {ids.TABLE_LIMITS: 3000, ids.PROP_LIMITS: 300, ids.SIDE_LIMITS: 100},
}


@pytest.mark.parametrize(
    "pay_table", ["casino", *(pytest.param(name, marks=pytest.mark.soak) for name in ("nullspace", "bitcraps"))]
)
def test_bets_of_craps_that_wait_for_their_roll_are_solved_as_equations(pay_table):
    """The dice may go on for ever; the sheet has absorbing chains, this has the engine's own states and elimination."""
    game, wrong, count = get_game("craps"), {}, 0
    for row in craps_bets(pay_table):
        if row.policy not in ("-", "no_odds") or row.bet.startswith("odds"):
            continue
        stake = STAKES[pay_table][ids.LIMITS_OF[game.codes.codes[row.bet][0]]]
        counted = counted_row(game, {row.bet: stake}, "", {"pay_table": pay_table}, limit=3000)
        count += 1
        if figures(counted) != figures(row):
            wrong[row.bet] = figures(row), figures(counted)
    assert wrong == {}
    assert count > 60


# A commission of hi-lo in hundredths of a percent: a stake of ten thousand rounds nothing.
@pytest.mark.parametrize("options", [None, {"tie_pushes": False}, {"commission_bps": 0}])
def test_a_guess_and_three_guesses_of_hi_lo_are_worth_what_its_sheet_says(options):
    game = get_game("hi-lo")
    for policy in ("one_guess", "three_guesses"):
        (sheet,) = [row for row in game.odds(options) if (row.bet, row.policy) == ("stake", policy)]
        assert figures(counted_row(game, {"stake": 1_000_000}, policy, options)) == figures(sheet)


@pytest.mark.soak
@pytest.mark.parametrize("policy", ["always_war", "always_surrender"])
def test_casino_war_is_worth_what_its_sheet_says(policy):
    """Every two cards of the shoe, and where they are equal every two of those that are left."""
    game = get_game("casino-war")
    (sheet,) = [row for row in game.odds() if (row.bet, row.policy) == ("main", policy)]
    assert figures(counted_row(game, {"main": 10}, policy, limit=10_000_000)) == figures(sheet)


# What a loop comes to, worked out by hand.


def test_play_that_comes_back_to_where_it_was_is_solved_and_not_followed_for_ever():
    """Half the time it ends with the first ending; else it goes to and fro until it leaves with the second."""
    first, second = (("a", 1, 2),), (("a", 1, 0),)
    following: list[dict[Any, Fraction]] = [{first: F(1, 2), 1: F(1, 2)}, {0: F(1, 3), 1: F(1, 3), second: F(1, 3)}]

    found = _absorbed({0: F(1)}, following)

    assert found == {first: F(2, 3), second: F(1, 3)}  # x = 1/2 + x / 4, for each visit returns with chance 1/4


def test_a_round_that_never_ends_is_told_and_not_divided_by_nothing():
    with pytest.raises(TooManyOutcomes, match="never ends"):
        _absorbed({0: F(1)}, [{1: F(1)}, {0: F(1)}])


def test_more_ways_than_the_limit_are_told_with_what_to_do_instead():
    game = get_game("baccarat")
    with pytest.raises(TooManyOutcomes, match=r"Baccarat can fall in more than 100 ways: simulate"):
        count_round(game, game.plan({"player": 10}), limit=100)
