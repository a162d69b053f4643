"""Big Six keeps the laws of the engine, and pays what its rules page says."""

from fractions import Fraction

import pytest
from croupier import act, apply_action, create_match
from croupier.testing import HouseKit, ScriptedRng, check_game

from croupier_big_six import SIGNS, STOPS, BigSix

GAME = BigSix()
KIT = HouseKit(GAME)

# Published in every book on casino games, by sign: the share of a chip that the house keeps.
EDGES = {
    "one": "6/54",
    "two": "9/54",
    "five": "12/54",
    "ten": "10/54",
    "twenty": "12/54",
    "joker": "13/54",
    "logo": "13/54",
}


def test_big_six_conforms() -> None:
    check_game(GAME, seeds=3)


def test_every_stop_shows_its_sign() -> None:
    """All 54 stops, one by one: the wheel is laid out sign after sign."""
    layout = [sign for sign, stops in zip(SIGNS, STOPS, strict=True) for _ in range(stops)]
    match = apply_action(GAME, KIT.start(), act("place", bet="one", stake=10)).state

    ends = [apply_action(GAME, match, act("spin"), rng=ScriptedRng([stop])).state for stop in range(54)]

    assert [SIGNS[end.game.find[0]] for end in ends] == layout
    assert [end.game.money.returned for end in ends] == [20] * 24 + [0] * 30


@pytest.mark.parametrize(("bet", "edge"), EDGES.items())
def test_the_counted_odds_are_the_published_ones(bet: str, edge: str) -> None:
    (row,) = [row for row in GAME.odds() if row.bet == bet]

    assert row.edge == Fraction(edge)
    assert row.win == Fraction(STOPS[SIGNS.index(bet)], 54)


def test_kernel_and_engine_play_the_same_round() -> None:
    plan = GAME.plan({"one": 10, "twenty": 3, "logo": 1})
    for session_id in range(200):
        KIT.same_round(plan, session_id)


def test_more_than_a_table_takes_is_refused_and_nothing_is_laid() -> None:
    assert KIT.refusal(KIT.start(), act("place", bet="3", stake=10)) == "unknown_bet"
    assert KIT.refusal(create_match(GAME, ["ann"], seed=bytes(32), host=GAME.sample_terms()), act("spin")) == "no_bets"
