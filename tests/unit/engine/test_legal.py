"""Legal actions: listed once, in a stable order, all of it accepted, and nothing that is missing."""

from enum import Enum, IntEnum
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from croupier.engine import (
    Accepted,
    Action,
    Range,
    act,
    action,
    apply_action,
    canonical,
    create_match,
    legal_actions,
    state_digest,
)
from croupier.engine.legal import legal_ranges, may_act
from croupier.errors import WrongMatch
from tests.unit.engine.counting import made, taking


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    SMALL = 1
    LARGE = 10


FINITE: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "nothing": ({}, [{}]),
    "literal": ({"x": Literal["b", "a", 3]}, [{"x": "b"}, {"x": "a"}, {"x": 3}]),
    "flag": ({"x": bool}, [{"x": False}, {"x": True}]),
    "colour": ({"x": Colour}, [{"x": "red"}, {"x": "blue"}]),
    "size": ({"x": Size}, [{"x": 1}, {"x": 10}]),
    "closed": ({"x": Annotated[int, Meta(ge=-1, le=2)]}, [{"x": -1}, {"x": 0}, {"x": 1}, {"x": 2}]),
    "opened": ({"x": Annotated[int, Meta(gt=-1, lt=2)]}, [{"x": 0}, {"x": 1}]),
    "even": ({"x": Annotated[int, Meta(ge=0, le=6, multiple_of=2)]}, [{"x": 0}, {"x": 2}, {"x": 4}, {"x": 6}]),
    "optional": ({"x": [Literal[1, 2] | None, None]}, [{"x": 1}, {"x": 2}, {}]),
    "mixed": ({"x": bool | Literal["?"] | None}, [{"x": False}, {"x": True}, {"x": "?"}, {"x": None}]),
    "pair": (
        {"x": Literal[1, 2], "y": [bool, False]},
        [{"x": 1}, {"x": 1, "y": True}, {"x": 2}, {"x": 2, "y": True}],
    ),
}
"""An action for every type that the engine can list by itself: its fields, and all of its payloads."""
PAYLOADS = {name: payloads for name, (_, payloads) in FINITE.items()}
Lister = made(
    "lister",
    go=None,
    **{name: action(phase="play")(taking(**fields)) for name, (fields, _) in FINITE.items()},
    later=action(phase="later")(taking()),
)


@pytest.mark.parametrize("name", PAYLOADS)
def test_finite_payloads_are_listed_whole_in_the_order_of_their_type(name):
    """Unions may put their parts in any one order, but each value comes once."""
    listed = legal_actions(Lister(), create_match(Lister(), ["a"], seed=b""))
    found = [chosen.payload for chosen in listed if chosen.type == name]

    assert list(dict.fromkeys(chosen.type for chosen in listed)) == list(PAYLOADS)  # as they are written
    if name in ("optional", "mixed"):
        assert sorted(found, key=repr) == sorted(PAYLOADS[name], key=repr)
    else:
        assert found == PAYLOADS[name]


def test_the_candidates_of_an_action_are_all_of_its_payloads_and_no_more():
    for name in PAYLOADS.keys() - {"even", "optional", "mixed", "pair"}:
        assert list(Lister.actions[name].candidates() or ()) == PAYLOADS[name]


def test_unlimited_payloads_have_no_candidates(auction):
    assert auction.actions["bid"].candidates() is None  # ten thousand is too many to list
    assert auction.actions["note"].candidates() is None
    assert len(list(auction.actions["show"].candidates() or ())) == 2 * 2 * 3


def walk(game, match, limit=60):
    """Yield the states of a match in which everybody takes the first thing that is listed, then the last, in turn."""
    for step in range(limit):
        yield match
        if match.status == "finished":
            return
        player = may_act(game, match)[0]
        choices = legal_actions(game, match, player)
        match = apply_action(game, match, choices[0 if step % 2 else -1]).state


def test_every_listed_action_is_accepted_and_listed_once_and_somebody_can_act_while_a_match_is_on(any_game):
    for match in walk(any_game, create_match(any_game, ["a", "b"], seed=b"walk")):
        for player in match.turn.order:
            listed = legal_actions(any_game, match, player)
            assert len({canonical(chosen) for chosen in listed}) == len(listed)
            for chosen in listed:
                answer = apply_action(any_game, match, chosen)
                assert isinstance(answer, Accepted)
                assert answer.action == chosen
                assert chosen.player_id == player
        assert bool(may_act(any_game, match)) == (match.status == "active")


def test_listing_changes_nothing(any_game):
    match = create_match(any_game, ["a", "b"], seed=b"walk")
    before = state_digest(match)

    first = legal_actions(any_game, match)

    assert legal_actions(any_game, match) == first
    assert state_digest(match) == before


def test_tic_tac_toe_has_as_many_matches_as_are_known(tictactoe, start):
    """Counted whole to depth 5: 9·8·7·6·5 = 15120 ways, of which 1440 are won at the fifth mark."""
    level = [start(tictactoe)]
    counts = []
    for _ in range(3):
        level = [
            apply_action(tictactoe, match, chosen).state
            for match in level
            for chosen in legal_actions(tictactoe, match)
        ]
        counts.append(len(level))
    assert counts == [9, 72, 504]
    distinct = {match.game.cells: match for match in level}  # who marked what: order does not matter
    ways = dict.fromkeys(distinct, 0)
    for match in level:
        ways[match.game.cells] += 1
    won = total = 0
    for cells, match in distinct.items():
        for fourth in legal_actions(tictactoe, match):
            after = apply_action(tictactoe, match, fourth).state
            for fifth in legal_actions(tictactoe, after):
                total += ways[cells]
                won += ways[cells] * (apply_action(tictactoe, after, fifth).state.status == "finished")
    assert (total, won) == (15120, 1440)


def test_a_finished_match_offers_nothing(tictactoe, start, accept):
    over = accept(tictactoe, start(tictactoe), *[act("mark", cell=cell) for cell in (0, 3, 1, 4, 2)])

    assert legal_actions(tictactoe, over) == ()
    assert legal_ranges(tictactoe, over) == {}
    assert may_act(tictactoe, over) == ()


def test_a_spectator_can_do_nothing(cafe, start, accept):
    match = accept(cafe, start(cafe, ["a", "b", "c"]), Action("leave", {}, "c"))

    for stranger in ("c", "nobody", ""):
        assert legal_actions(cafe, match, stranger) == ()
        assert legal_ranges(cafe, match, stranger) == {}


def test_out_of_turn_only_what_is_for_anyone_is_listed(auction, start):
    match = start(auction)

    assert {chosen.type for chosen in legal_actions(auction, match, "b")} == {"show"}
    assert {chosen.type for chosen in legal_actions(auction, match, "a")} == {"bid", "show"}
    assert may_act(auction, match) == ("a", "b")


def test_candidates_that_the_rules_refuse_or_that_repeat_are_left_out(auction, start, accept):
    match = accept(auction, start(auction), act("bid", stake=7))

    bids = [chosen.payload["stake"] for chosen in legal_actions(auction, match) if chosen.type == "bid"]

    assert bids == [8, 10_000]


def test_a_candidate_with_its_default_spelled_out_is_the_same_action():
    twice = [act("walk"), act("walk", steps=1), act("walk", steps=2)]
    game = made("twice", walk=taking(steps=[Literal[1, 2], 1]), legal=lambda self, state, turn: twice)()

    found = legal_actions(game, create_match(game, ["a"], seed=b""))

    assert found == (Action("walk", {}, "a"), Action("walk", {"steps": 2}, "a"))


def test_stakes_without_end_come_as_a_range(auction, start, accept):
    match = accept(auction, start(auction), act("bid", stake=7))

    assert legal_ranges(auction, match) == {"bid": {"stake": Range(8, 10_000, 1)}}


def test_simultaneous_choices_are_open_to_all_who_have_not_chosen(rps, start, accept):
    match = start(rps)
    assert may_act(rps, match) == ("a", "b")

    match = accept(rps, match, Action("throw", {"hand": "rock"}, "b"))

    assert may_act(rps, match) == ("a",)
    assert [chosen.payload["hand"] for chosen in legal_actions(rps, match, "a")] == ["rock", "paper", "scissors"]
    assert legal_actions(rps, match, "b") == ()


@pytest.mark.parametrize("call", [legal_actions, legal_ranges, may_act])
def test_a_match_of_another_game_is_the_callers_mistake(call, pig, tictactoe, auction, start):
    """Also where the game could make some sense of the foreign state."""
    for game, other in ((tictactoe, pig), (auction, tictactoe), (pig, auction)):
        with pytest.raises(WrongMatch):
            call(game, start(other))
