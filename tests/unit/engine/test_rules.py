"""`Rules` and verdicts: True, or a reason with a code beside it."""

from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from croupier.engine import Action, Rules, Turn, TurnState, act
from croupier.engine.model import Player, RngState
from croupier.engine.rules import Verdict


def turn_of(actor: str = "a") -> Turn:
    players = (Player("a", "a", 0), Player("b", "b", 1))
    return Turn(players, None, RngState("", 0, 1), None, None, TurnState("a", "play", 1, ("a", "b")), actor)


def test_all_gives_the_first_failure_and_true_where_nothing_fails():
    first, second = Verdict("first", "one"), Verdict("second", "two")

    assert Rules.all() is True
    assert Rules.all(True, True) is True
    assert Rules.all(True, first, second) is first
    assert Rules.all(True, "a plain reason", first) == "a plain reason"


@pytest.mark.parametrize("condition", [True, 1, "x", [0]])
def test_a_condition_that_holds_is_true(condition):
    assert Rules.require(condition, "no") is True
    assert Rules.check(condition, "no") is True


@pytest.mark.parametrize("condition", [False, 0, "", [], None])
def test_a_condition_that_does_not_hold_is_a_reason_with_a_code(condition):
    assert Rules.require(condition, "closed", code="shut") == Verdict("closed", "shut")
    assert Rules.check(condition, "closed") == Verdict("closed", "illegal")
    assert not Verdict("closed")


def test_the_turn_and_the_phase_can_be_required():
    assert Rules.require_current_player(turn_of("a")) is True
    assert Rules.require_current_player(turn_of("b")) == Verdict("it is a's turn, not b's", "not_your_turn")
    assert Rules.require_phase(turn_of(), "play") is True
    assert Rules.require_phase(turn_of(), "end").code == "wrong_phase"  # type: ignore[union-attr]
    assert Rules.require_actor_in(turn_of("b"), ["a", "b"]) is True
    assert Rules.require_actor_in(turn_of("b"), iter(["a"])).code == "not_your_turn"  # type: ignore[union-attr]


class Stake(Struct, frozen=True, forbid_unknown_fields=True):
    chips: Annotated[int, Meta(ge=1, le=500)]


@pytest.mark.parametrize(
    ("payload", "fits"),
    [
        ({"chips": 1}, True),
        ({"chips": 501}, False),
        ({"chips": True}, False),
        ({"chips": 1.0}, False),
        ({}, False),
        ({"chips": 1, "more": 1}, False),
        ({"\ud800": 1}, False),
        (None, False),
    ],
    ids=ascii,
)
def test_a_payload_can_be_held_to_a_schema(payload: Any, fits):
    verdict = Rules.require_payload(Action("bet", payload), Stake)

    assert (verdict is True) == fits
    assert fits or verdict.code == "bad_payload"  # type: ignore[union-attr]
    assert Rules.require_payload(act("x", n=1), dict[str, int]) is True  # a schema can be any type


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (1, True),
        (5, True),
        (0, False),
        (6, False),
        (True, False),
        (2.0, False),
        ("2", False),
        (None, False),
        (10**30, False),
    ],
)
def test_a_whole_number_can_be_held_to_bounds(value, fits):
    verdict = Rules.require_int_between(value, 1, 5, "the stake")

    assert (verdict is True) == fits
    if not fits:
        assert verdict == Verdict(f"the stake must be from 1 to 5, got {value!r}", "out_of_range")
