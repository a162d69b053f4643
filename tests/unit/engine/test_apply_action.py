"""`apply_action`: the gates in their order, what a refusal is, and how what an action asks for comes about."""

from typing import Any, Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import (
    Accepted,
    Action,
    Game,
    MatchResult,
    Refused,
    Rules,
    TurnState,
    act,
    action,
    apply_action,
    create_match,
    refuse,
    require,
    state_digest,
    view_for,
)
from croupier.engine.model import RngState
from croupier.errors import WrongMatch
from tests.unit.engine.counting import Count, Counting, made, over

# The gates.


class Ladder(Counting):
    """An action that can be refused at every gate at once: `climb` in phase `up` by the current player."""

    id, players = "ladder", (2, 3)
    phases = ("rest",)
    verdict: Any = True
    go = None  # type: ignore[assignment]

    def validate(self, state, action, turn):
        return self.verdict

    @action(phase="play")
    def climb(self, state, turn, by: Literal[1, 2]):
        require(by == 1, "too_far", "one rung at a time")
        return Count(state.n + by)

    @action()
    def rest(self, state, turn):
        turn.events.set_phase("rest")
        return state

    @action(by="anyone")
    def cheer(self, state, turn):
        return state


@pytest.fixture
def ladder():
    return Ladder()


@pytest.fixture
def resting(ladder, accept):
    """Return a match with c gone and a at rest: whatever b and c do next runs into several gates."""
    match = create_match(ladder, ["a", "b", "c"], seed=b"")
    return accept(ladder, match, Action("leave", player_id="c"), act("rest"))


def test_each_gate_comes_before_all_that_follow_it(ladder, resting, accept, no):
    """Every action here would fail all later gates too: the first that fails is the one the player reads."""
    ladder.verdict = "not today"
    finished = accept(ladder, resting, Action("leave", player_id="b"))
    awake = replace(resting, turn=replace(resting.turn, phase="play"))

    assert no(ladder, finished, 5) == "finished"
    assert no(ladder, resting, {"type": 5, "player_id": "nobody"}) == "bad_action"
    assert no(ladder, resting, act("")) == "bad_action"
    assert no(ladder, resting, Action("fly", {"by": 9}, "nobody")) == "unknown_player"
    assert no(ladder, resting, Action("fly", {"by": 9}, "c")) == "left_match"
    assert no(ladder, resting, Action("fly", {"by": 9}, "b")) == "unknown_action"
    assert no(ladder, resting, Action("climb", {"by": 9}, "b")) == "wrong_phase"
    assert no(ladder, awake, Action("climb", {"by": 9}, "b")) == "not_your_turn"
    assert no(ladder, awake, Action("climb", {"by": 9}, "a")) == "bad_payload"
    assert no(ladder, awake, Action("climb", {"by": 2}, "a")) == "illegal"
    ladder.verdict = True
    assert no(ladder, awake, Action("climb", {"by": 2}, "a")) == "too_far"
    assert accept(ladder, awake, Action("climb", {"by": 1}, "a")).game.n == 1


@pytest.mark.parametrize(
    ("phase", "asked", "words"),
    [
        ("rest", act("fly"), "'fly'"),
        ("rest", act("fly"), "climb, rest, cheer"),
        ("rest", act("climb", by=1), "phase play"),
        ("rest", act("climb", by=1), "phase rest"),
        ("play", Action("rest", {}, "b"), "it is a's turn, not b's"),
        ("play", act("climb", by="up"), "climb: by cannot be 'up': expected a whole number, got text"),
        ("play", Action("rest", {}, "nobody"), "'nobody'"),
        ("play", Action("rest", {}, "c"), "c has left"),
    ],
)
def test_a_refusal_says_what_came_and_what_would_have_done(ladder, resting, phase, asked, words):
    answer = apply_action(ladder, replace(resting, turn=replace(resting.turn, phase=phase)), asked)

    assert isinstance(answer, Refused)
    assert words in answer.error


@pytest.mark.parametrize(
    ("verdict", "code", "sentence"),
    [
        (False, "illegal", "the rules do not allow that now"),
        (None, "illegal", "the rules do not allow that now"),
        ("", "illegal", "the rules do not allow that now"),
        (0, "illegal", "the rules do not allow that now"),
        (1, "illegal", "the rules do not allow that now"),  # only True is a yes
        ("the ladder shakes", "illegal", "the ladder shakes"),
        (Rules.require(False, "it rains", code="rain"), "rain", "it rains"),
        (Rules.all(True, Rules.require(0, "first"), Rules.require(0, "second")), "illegal", "first"),
    ],
)
def test_validation_that_is_not_true_refuses(ladder, verdict, code, sentence):
    ladder.verdict = verdict
    match = create_match(ladder, ["a", "b"], seed=b"")

    answer: Any = apply_action(ladder, match, act("climb", by=1))

    assert (answer.code, answer.error) == (code, sentence)
    assert answer.state is match


def test_a_validate_hook_may_also_refuse_outright(no):
    def shut(self, state, action, turn):
        refuse("shut", "the ladder is shut")

    game = made("refusing", Ladder, validate=shut)()
    assert no(game, create_match(game, ["a", "b"], seed=b""), act("rest")) == "shut"


def test_an_action_for_anyone_may_be_taken_out_of_turn_and_keeps_the_turn(ladder, accept):
    match = create_match(ladder, ["a", "b"], seed=b"")

    after = accept(ladder, match, Action("cheer", {}, "b"))

    assert after.turn == match.turn


def test_without_a_player_it_is_the_current_player_who_asks(tictactoe, start):
    answer = apply_action(tictactoe, start(tictactoe, starting_player="b"), act("mark", cell=4))

    assert answer.ok
    assert answer.action == Action("mark", {"cell": 4}, "b")
    assert answer.state.game.cells[4] == "O"


def test_an_action_may_be_a_mapping_which_is_left_alone(tictactoe, start):
    given: dict[str, Any] = {"type": "mark", "payload": {"cell": 4}, "player_id": "a"}

    answer: Any = apply_action(tictactoe, start(tictactoe), given)

    assert answer.action == Action(**given) == Action("mark", {"cell": 4}, "a")


def test_a_view_is_refused_and_handed_back(hands, start, no):
    match = start(hands)

    for viewer in ("a", None):
        assert no(hands, view_for(hands, match, viewer), act("take")) == "is_a_view"


@pytest.mark.parametrize("match", [None, {}, "match", 5, "of another game"], ids=repr)
def test_a_match_of_another_game_or_none_is_the_callers_mistake(tictactoe, pig, start, match: Any):
    is_other = match == "of another game"
    words = "'small-pig' was given to the game 'tic-tac-toe'" if is_other else "a Match is wanted"
    with pytest.raises(WrongMatch, match=words):
        apply_action(tictactoe, start(pig) if is_other else match, act("mark", cell=0))


def test_nothing_is_accepted_after_the_end(tictactoe, start, accept, no):
    over = accept(tictactoe, start(tictactoe), *[act("mark", cell=cell) for cell in (0, 3, 1, 4, 2)])

    assert over.status == "finished"
    assert over.result == MatchResult("win", ("a",), "three in a row")
    late: list[Any] = [act("mark", cell=8), act("leave"), act("join", id="c"), act("time_out"), None, {}, act("fly")]
    for asked in late:
        assert no(tictactoe, over, asked) == "finished"


# What an accepted action leaves.


def test_versions_and_move_numbers_rise_by_one_and_only_with_accepted_actions(pig, start, accept, no):
    match = start(pig)
    for version in range(1, 6):
        no(pig, match, act("fly"))
        match = accept(pig, match, act("roll"))
        assert match.version == version
        assert match.rng_state == RngState("00" * 32, 0, version + 1)


def test_time_is_kept_unless_the_caller_says_a_new_one_and_is_no_part_of_the_state(pig, start):
    match = start(pig, now=100)

    kept = apply_action(pig, match, act("roll")).state
    moved = apply_action(pig, match, act("roll"), now=0).state

    assert (kept.updated_at, moved.updated_at) == (100, 0)
    assert kept == moved
    assert state_digest(kept) == state_digest(moved)


def test_matches_with_different_facts_are_not_equal(pig, start):
    match = start(pig)

    assert match == start(pig)
    assert hash(match) == hash(start(pig))
    assert match != start(pig, seed=b"other")
    assert match != start(pig, ["b", "a"])
    assert match != "a match"
    assert len({state_digest(start(pig, session_id=session)) for session in range(5)}) == 5


# What an action asks for. `Asker` does whatever it is told, in the order it is told.


class Asked(Struct, frozen=True):
    seen: tuple[str, ...] = ()


class Asker(Game[Asked]):
    id, name, players = "asker", "Asker", (3, 3)
    phases = ("dawn", "dusk", "night")
    on_begin: tuple[tuple[Any, ...], ...] = ()
    end: MatchResult | None = None
    end_saw: tuple[Any, ...] = ()

    def setup(self, table):
        return Asked()

    @action(by="anyone")
    def ask(self, state, turn, which: str):
        for name, *arguments in REQUESTS[which][0]:
            getattr(turn.events, name)(*arguments)
        return self._seen(state, turn, "ask")

    def legal(self, state, turn):
        return ()

    def on_turn_begin(self, state, turn):
        for name, *arguments in self.on_begin:
            getattr(turn.events, name)(*arguments)
        return self._seen(state, turn, "begin")

    def end_if(self, state, turn):
        Asker.end_saw = (turn.actor, turn.current, turn.phase, turn.number)
        return self.end

    def _seen(self, state, turn, what):
        return Asked((*state.seen, f"{what} {turn.actor} {turn.current} {turn.phase} {turn.number}"))


DRAW = MatchResult("draw", reason="drawn")
WON = MatchResult("win", ("b",), "won")
REQUESTS: dict[str, tuple[list[tuple[Any, ...]], tuple[str, str, int]]] = {
    "nothing": ([], ("a", "play", 1)),
    "phase": ([("set_phase", "dusk")], ("a", "dusk", 1)),
    "turn": ([("end_turn",)], ("b", "play", 2)),
    "same again": ([("end_turn", "a")], ("a", "play", 2)),
    "to c": ([("end_turn", "c")], ("c", "play", 2)),
    "turn, phase": ([("end_turn",), ("set_phase", "dusk")], ("b", "dusk", 2)),
    "phase, turn": ([("set_phase", "dusk"), ("end_turn",)], ("b", "dusk", 2)),
    "last phase": ([("set_phase", "dawn"), ("set_phase", "dusk")], ("a", "dusk", 1)),
    "last turn": ([("end_turn", "c"), ("end_turn",)], ("b", "play", 2)),
    "last turn c": ([("end_turn",), ("end_turn", "c")], ("c", "play", 2)),
    "last end": ([("end_game", DRAW), ("end_game", WON)], ("a", "play", 1)),
    "end": ([("end_game", WON)], ("a", "play", 1)),
    "end, turn": ([("end_game", WON), ("end_turn",)], ("b", "play", 2)),
    "turn, end, phase": ([("end_turn",), ("end_game", WON), ("set_phase", "dusk")], ("b", "dusk", 2)),
}
"""Requests of an action; then the current player, the phase and the number of the turn that they lead to."""


@pytest.fixture
def asker():
    return Asker()


def ask(asker: Asker, which: str, player: str | None = None, starting_player: str = "a") -> Any:
    """Return the match after one action of three players."""
    match = create_match(asker, ["a", "b", "c"], seed=b"", starting_player=starting_player)
    answer = apply_action(asker, match, Action("ask", {"which": which}, player))
    assert answer.ok
    return answer.state


@pytest.mark.parametrize("which", REQUESTS)
def test_requests_come_about_in_a_fixed_order_and_the_last_of_a_kind_wins(asker, which):
    after = ask(asker, which)

    assert after.turn == TurnState(*REQUESTS[which][1], ("a", "b", "c"))
    assert (after.status == "finished") == ("end" in which)


def test_the_turn_passes_from_the_current_player_whoever_acted_and_from_the_last_to_the_first(asker):
    assert ask(asker, "turn", "c").turn.current == "b"
    assert ask(asker, "turn", starting_player="c").turn.current == "a"


def test_a_turn_begins_for_the_incoming_player_in_the_new_phase_and_number_where_one_ended(asker):
    assert ask(asker, "phase, turn").game.seen == ("ask a a play 1", "begin b b dusk 2")
    assert ask(asker, "phase").game.seen == ("ask a a play 1",)


def test_the_end_is_asked_for_with_the_new_turn_and_the_original_actor(asker):
    """A phase that is set at the beginning of a turn comes after the action's own."""
    asker.on_begin = (("set_phase", "night"),)

    ask(asker, "to c", "b")

    assert Asker.end_saw == ("b", "c", "night", 2)
    assert ask(asker, "phase, turn").turn.phase == "night"


@pytest.mark.parametrize(
    ("which", "on_begin", "end", "result", "current", "seen"),
    [
        ("turn", (("end_game", DRAW),), WON, DRAW, "b", ("ask a a play 1", "begin b b play 2")),
        ("end, turn", (), DRAW, WON, "b", ("ask a a play 1",)),
        ("last end", (), None, WON, "a", ("ask a a play 1",)),
        ("nothing", (), DRAW, DRAW, "a", ("ask a a play 1",)),
    ],
    ids=["a turn begins with it", "asking beats end_if and begins no turn", "the last asked for", "end_if alone"],
)
def test_a_match_ends_with_one_result(asker, which, on_begin, end, result, current, seen):
    asker.on_begin, asker.end = on_begin, end

    after = ask(asker, which)

    assert (after.status, after.result, after.turn.current) == ("finished", result, current)
    assert after.game.seen == seen


# The input survives.


def test_a_reducer_that_changes_its_state_in_place_does_not_change_the_match(careless, start):
    match = start(careless)
    before = state_digest(match)

    answer = apply_action(careless, match, act("take"))

    assert isinstance(answer, Accepted)
    assert match.game == {"pile": [3, 1, 2], "taken": {"a": [], "b": []}, "begun": 0}
    assert state_digest(match) == before
    # Neither validation nor end_if, which are just as careless, left a trace.
    assert answer.state.game == {"pile": [3, 1], "taken": {"a": [2], "b": []}, "begun": 1}
    assert answer.state.status == "active"


def test_a_refusal_half_way_leaves_the_match_as_it_was(careless, start, no):
    match = start(careless)

    assert no(careless, match, act("take_and_refuse")) == "second_thoughts"
    assert match == start(careless)


class Bag(Struct):
    """Not frozen: the engine must hand out copies."""

    items: list[int] = []
    spare: dict[str, list[int]] = {}


def spill(self, state, turn):
    state.items.append(9)
    state.spare["x"].clear()
    state.spare["y"] = [1]
    return state


def test_a_struct_that_is_not_frozen_is_copied_to_the_bottom(accept):
    game = over(Bag, Bag([1, 2], {"x": [3]}), spill=action(spill))()
    match = create_match(game, ["a"], seed=b"")

    after = accept(game, match, act("spill"))

    assert match.game == Bag([1, 2], {"x": [3]})
    assert after.game == Bag([1, 2, 9], {"x": [], "y": [1]})


def keep(self, state, turn, things: list[list[int]]):
    things.append([9])
    state["things"] = things
    return state


def keep_anything(self, state, turn, things: Any):
    state["things"] = things
    return state


Keeper = over(
    dict[str, Any],
    {"things": None},
    legal=lambda self, state, turn: (),
    keep=action(keep),
    keep_anything=action(keep_anything),
)
"""Stores what it is given without copying it."""


@pytest.mark.parametrize("name", ["keep", "keep_anything"])
def test_a_match_shares_nothing_with_the_action_that_led_to_it(name):
    things = [[1]]
    match = create_match(Keeper(), ["a"], seed=b"")

    answer: Any = apply_action(Keeper(), match, Action(name, {"things": things}))
    assert answer.action == Action(name, {"things": [[1]]}, "a")  # as it was asked for
    digest = state_digest(answer.state)
    things[0].append(2)
    answer.action.payload["things"][0].append(3)

    assert state_digest(answer.state) == digest


def test_validation_that_changes_the_payload_changes_neither_the_action_nor_the_log():
    def spoil(self, state, action, turn):
        action.payload["by"] = 2
        return True

    game = made("payload-spoiler", Ladder, validate=spoil)()
    answer = apply_action(game, create_match(game, ["a", "b"], seed=b""), act("climb", by=1))

    assert answer.ok
    assert answer.state.game.n == 1
    assert answer.action == Action("climb", {"by": 1}, "a")


# A payload by keyword, and defaults.


class Wordy(Counting):
    id = "wordy"

    @action()
    def walk(self, state, turn, *, steps: Literal[1, 2, 3] = 1, back: bool = False):
        return Count(state.n + (-steps if back else steps))


def test_fields_may_be_keyword_only_and_a_default_is_left_out_of_the_log(accept):
    match = create_match(Wordy(), ["a"], seed=b"")

    spelled: Any = apply_action(Wordy(), match, act("walk", steps=1, back=False))
    plain: Any = apply_action(Wordy(), match, act("walk"))

    assert accept(Wordy(), match, act("walk", steps=3), act("walk", back=True)).game.n == 2
    assert spelled.action == plain.action == Action("walk", {}, "a")
    assert state_digest(spelled.state) == state_digest(plain.state)
