"""Faults of games: always a `GameFault` that names the state, and the match is as it was."""

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import (
    Action,
    MatchResult,
    act,
    action,
    apply_action,
    create_match,
    legal_actions,
    refuse,
    state_digest,
    view_for,
)
from croupier.engine.legal import legal_ranges, may_act
from croupier.engine.views import imagine
from croupier.errors import CroupierError, GameFault
from croupier.rng import GameRng
from tests.unit.engine.counting import Count, Counting, made, nested, over


class OtherCount(Struct, frozen=True):
    n: int = 0


class Breaker(Counting):
    """An action that breaks in every way there is, by name; and hooks that break when told to."""

    id, players = "breaker", (2, 3)
    phases = ("end",)
    hook: str = ""

    def legal(self, state, turn):
        return [act("break_by", how="not")]

    @action()
    def break_by(self, state, turn, how: str):
        return WAYS[how](state, turn)

    @action()
    def pass_on(self, state, turn):
        turn.events.end_turn()
        return state

    def on_turn_begin(self, state, turn):
        return WAYS[self.hook](state, turn) if self.hook else state

    def auto_action(self, state, turn):
        return AUTOMATIC[self.hook] if self.hook in AUTOMATIC else act("pass_on")


class BadEnd(Breaker):
    id = "bad-end"
    answer: Any = None

    def end_if(self, state, turn):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def ask(name: str, *arguments: Any) -> Any:
    def way(state, turn):
        getattr(turn.events, name)(*arguments)
        return state

    return way


def draw_and_refuse(state, turn):
    turn.rng.roll_die()
    refuse("unlucky", "the die was low")


def crash(state, turn):
    turn.events.end_turn()
    turn.rng.roll_die()
    return Count(1 // 0)


def recurse(state, turn):
    return recurse(state, turn)


WAYS: dict[str, Any] = {
    "not": lambda state, turn: Count(state.n + 1),
    "crash": crash,
    "recurse": recurse,
    "assertion": lambda state, turn: (_ for _ in ()).throw(AssertionError("seven tiles")),
    "draw error": lambda state, turn: turn.rng.pick([]),
    "croupier error": lambda state, turn: turn.seat_of("nobody"),
    "none": lambda state, turn: None,
    "dict": lambda state, turn: {"n": 1},
    "other struct": lambda state, turn: OtherCount(1),
    "text": lambda state, turn: "Count(n=1)",
    "class": lambda state, turn: Count,
    "unseated next": ask("end_turn", "nobody"),
    "empty next": ask("end_turn", ""),
    "unknown phase": ask("set_phase", "midnight"),
    "empty phase": ask("set_phase", ""),
    "phase of another type": ask("set_phase", 5),
    "no result": ask("end_game", None),
    "text result": ask("end_game", "a wins"),
    "unseated winner": ask("end_game", MatchResult("win", ("nobody",))),
    "unseated score": ask("end_game", MatchResult("draw", scores={"nobody": 1})),
    "win without winners": ask("end_game", MatchResult("win")),
    "draw with winners": ask("end_game", MatchResult("draw", ("a",))),
    "no such status": ask("end_game", MatchResult("lost")),  # type: ignore[arg-type]
    "winners in a list": ask("end_game", MatchResult("win", ["a"])),  # type: ignore[arg-type]
    "winners in a text": ask("end_game", MatchResult("win", "ab")),  # type: ignore[arg-type]
    "a winner twice": ask("end_game", MatchResult("win", ("a", "a"))),
    "score in floats": ask("end_game", MatchResult("win", ("a",), scores={"a": 0.5})),  # type: ignore[dict-item]
    "score not a number": ask("end_game", MatchResult("win", ("a",), scores={"a": float("nan")})),  # type: ignore[dict-item]
    "reason not text": ask("end_game", MatchResult("win", ("a",), reason=None)),  # type: ignore[arg-type]
    "refusal after a draw": draw_and_refuse,
    "ends the turn": ask("end_turn"),
    "ends the turn for b": ask("end_turn", "b"),
    "ends the turn for c": ask("end_turn", "c"),
}
AUTOMATIC: dict[str, Any] = {
    "auto: text": "pass_on",
    "auto: mapping": {"type": "pass_on"},
    "auto: unknown": act("fly"),
    "auto: illegal": act("break_by"),
    "auto: itself": act("time_out"),
    "auto: bad type": Action([]),  # type: ignore[arg-type]
}

IN_AN_ACTION = [way for way in WAYS if way != "not" and not way.startswith("ends the turn")]
# A turn that begins may not end again; everything else breaks there as it does in an action.
IN_A_HOOK = [way for way in WAYS if way != "not"]


@pytest.fixture
def breaker():
    return Breaker()


def fault_of(game, match, asked) -> GameFault:
    """Return the fault that an action causes, which must name the state it broke on; the match was not touched."""
    before = state_digest(match)
    with pytest.raises(GameFault) as caught:
        apply_action(game, match, asked)
    assert state_digest(match) == before
    assert caught.value.code == "game_fault"
    assert caught.value.digest == before
    assert before[:16] in str(caught.value)
    return caught.value


WORDS = {
    "crash": "break_by raised ZeroDivisionError",
    "none": "break_by returned NoneType, not Count; did it forget to return the state?",
    "dict": "break_by returned dict, not Count",
    "unseated next": "end_turn(next='nobody') names nobody who plays",
    "unknown phase": "set_phase('midnight') names no phase; known are end, play",
    "unseated winner": "'nobody', who is not seated",
    "text result": "ends with a MatchResult, got str",
    "refusal after a draw": "refused (unlucky) after drawing",
}
"""Words of the fault that the author reads, for some of them."""


@pytest.mark.parametrize("way", IN_AN_ACTION)
def test_an_action_that_breaks_is_a_fault_and_the_match_is_as_it_was(breaker, start, accept, way):
    match = accept(breaker, start(breaker), act("break_by", how="not"))

    fault = fault_of(breaker, match, act("break_by", how=way))

    assert WORDS.get(way, "") in str(fault)
    assert way != "crash" or isinstance(fault.__cause__, ZeroDivisionError)  # kept for the author
    assert accept(breaker, match, act("break_by", how="not")).game.n == 2  # and the match goes on


@pytest.mark.parametrize("way", IN_A_HOOK)
def test_a_turn_that_begins_badly_is_a_fault_of_the_whole_action(breaker, start, accept, way):
    match = accept(breaker, start(breaker), act("break_by", how="not"))
    breaker.hook = way

    fault = fault_of(breaker, match, act("pass_on"))

    assert way != "ends the turn" or "on_turn_begin cannot end the turn" in str(fault)
    breaker.hook = ""
    assert accept(breaker, match, act("pass_on")).turn.current == "b"


@pytest.mark.parametrize(
    "answer",
    [
        ZeroDivisionError("at the end"),
        False,
        True,
        "draw",
        MatchResult("win", ("nobody",)),
        MatchResult("win"),
        MatchResult("draw", ("a",)),
        MatchResult("lost"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_an_end_that_makes_no_sense_is_a_fault_of_the_whole_action(start, answer):
    game = BadEnd()
    match = start(game)
    game.answer = answer

    fault_of(game, match, act("break_by", how="not"))


@pytest.mark.parametrize("hook", AUTOMATIC)
def test_an_automatic_action_that_makes_no_sense_is_a_fault(breaker, start, hook):
    match = start(breaker)
    breaker.hook = hook

    fault_of(breaker, match, act("time_out"))


def test_a_reducer_that_raises_half_way_leaves_its_plain_state_as_it_was(careless, start):
    match = start(careless)

    fault_of(careless, match, act("take_and_crash"))

    assert match == start(careless)


def test_a_player_who_left_cannot_be_given_the_turn(breaker, start, accept):
    match = accept(breaker, start(breaker, ["a", "b", "c"]), Action("leave", {}, "c"))

    fault_of(breaker, match, act("break_by", how="ends the turn for c"))


# States that could not be stored.


def put(self, state, turn):
    state["deep"]["list"].append(self.put)
    return state


Plain = over(dict[str, Any], {"deep": {"list": [0]}}, go=action(put))


def fault_of_putting(game: Any, value: Any) -> str:
    """Return the fault of a game whose action puts a value into its state."""
    match = create_match(game, ["a"], seed=b"")
    game.put = value
    return str(fault_of(game, match, act("go")))


@pytest.mark.parametrize(
    "value",
    [(1, 2), {1}, frozenset(), b"x", 1j, float("nan"), float("inf"), Ellipsis, Count(), {1: 2}, {None: 1}, "\ud800"],
    ids=ascii,
)
def test_a_plain_state_that_is_not_json_is_a_fault_that_names_the_place(value):
    assert "$.deep.list[1]" in fault_of_putting(Plain(), value)


@pytest.mark.parametrize("levels", [100, 1_000, 50_000])
def test_a_plain_state_that_is_nested_too_deeply_is_a_fault(levels):
    assert fault_of_putting(Plain(), nested(levels))


class Loose(Struct):
    values: list[int]


LooseGame = over(Loose, Loose([]), go=action(lambda self, state, turn: Loose([self.put])))


@pytest.mark.parametrize("value", ["one", 1.5, None, {1}, Ellipsis], ids=ascii)
def test_a_changeable_struct_that_would_not_come_back_from_json_is_a_fault(value):
    assert fault_of_putting(LooseGame(), value)


class Red(Struct, frozen=True, tag=True):
    n: int = 0


class Blue(Struct, frozen=True, tag=True):
    n: int = 0


EitherColour = over(
    Red | Blue,
    Red(),
    change=action(lambda self, state, turn: Blue(state.n) if isinstance(state, Red) else Red(state.n + 1)),
    spoil=action(lambda self, state, turn: "nonsense"),
)


def test_a_state_may_be_one_of_two_structs_and_nothing_else(accept):
    match = create_match(EitherColour(), ["a"], seed=b"")

    assert accept(EitherColour(), match, act("change"), act("change")).game == Red(1)
    fault_of(EitherColour(), match, act("spoil"))


def lengthen(self, state, turn):
    state.append(Count(len(state) + 1))
    return state


def test_a_state_may_be_a_list_of_structs(accept):
    """Of frozen ones: typed decoding restores an equal value."""
    game = over(list[Count], [Count(1)], go=action(lengthen))()
    match = create_match(game, ["a"], seed=b"")

    after = accept(game, match, act("go"))

    assert match.game == [Count(1)]
    assert after.game == [Count(1), Count(2)]


# Hooks outside the transition break in the same way.


def breaking(name: str) -> Any:
    """Return a hook that raises its own name."""

    def hook(*_: Any) -> Any:
        raise KeyError(name)

    return hook


HOOKS = ("legal", "ranges", "redeal", "auto_action")
BrokenDeal = made("broken-deal", **{name: breaking(name) for name in HOOKS})
OPEN = view_for(BrokenDeal(), create_match(BrokenDeal(), ["a"], seed=b""), "a")
Broken = made("broken", BrokenDeal, view=breaking("view"))


@pytest.mark.parametrize(
    ("hook", "call"),
    [
        ("legal", lambda game, match: legal_actions(game, match)),
        ("legal", lambda game, match: may_act(game, match)),
        ("ranges", lambda game, match: legal_ranges(game, match)),
        ("view", lambda game, match: view_for(game, match, "a")),
        ("auto_action", lambda game, match: apply_action(game, match, act("time_out"))),
        ("redeal", lambda _, match: imagine(BrokenDeal(), OPEN, GameRng.new(b"", 0, 0))),
    ],
)
def test_a_hook_that_raises_is_a_fault_that_names_the_hook(hook, call):
    game = Broken()
    match = create_match(game, ["a"], seed=b"")

    with pytest.raises(GameFault, match=f"{hook} raised KeyError"):
        call(game, match)


@pytest.mark.parametrize(
    "listed",
    [5, None, [5], ["go"], [{"type": "go"}], [None], [act("fly")], [Action([])]],  # type: ignore[arg-type]
    ids=repr,
)
def test_a_list_of_legal_actions_that_holds_something_else_is_a_fault(listed):
    game = made("listing", BrokenDeal, legal=lambda self, state, turn: listed)()

    with pytest.raises(GameFault, match="legal"):
        legal_actions(game, create_match(game, ["a"], seed=b""))


def test_a_match_that_has_used_up_its_streams_stops_rather_than_start_over(pig, start):
    match = start(pig)
    used_up = replace(match, rng_state=replace(match.rng_state, move_number=2**32 - 2))

    with pytest.raises(CroupierError, match="used up its streams"):
        apply_action(pig, used_up, act("roll"))
