"""A game class that the engine cannot run is told so when it is written, with what to fix."""

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import new_class
from typing import Annotated, Any, Literal, Self, TypeVar

import pytest
from msgspec import Meta, Struct

from croupier.engine import Game, MatchResult, NoOptions, act, action, apply_action, create_match
from croupier.errors import BadGame

S = TypeVar("S")


class State(Struct, frozen=True):
    n: int = 0


class Complete(Game[State]):
    """What the broken ones below would be if they were whole."""

    id, name, players = "complete", "Complete", (1, 2)

    def setup(self, table):
        return State()

    @action()
    def go(self, state, turn):
        return State(state.n + 1)


def complete(base: Any = Complete, **body: Any) -> Any:
    """Return a game class like `Complete` with something replaced."""
    space = {"__module__": __name__, "id": "made", **body}
    return new_class("Made", (base,), exec_body=lambda names: names.update(space))


WHOLE = {"name": "Made", "players": (1, 1), "go": vars(Complete)["go"]}


def game_of(state: Any) -> Any:
    """Return `Game[state]`, in a way that leaves the type checker in peace."""
    return Game.__class_getitem__(state)  # type: ignore[attr-defined]


def marked(method: Any, **how: Any) -> Any:
    return action(**how)(method)


def test_a_complete_game_is_taken_as_it_is():
    assert complete().actions.keys() == {"go"}


# game.py


@pytest.mark.parametrize(
    "game_id", ["Pig", "pig_game", "pig game", "9pins", "", "pîg", "-", "--", "pig-", "-pig", "pig--game", 5, None]
)
def test_an_id_is_lower_case_words_joined_by_dashes(game_id):
    with pytest.raises(BadGame, match=r"Made\.id is lower-case words joined by dashes"):
        complete(id=game_id)


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_game_has_a_name(name):
    with pytest.raises(BadGame, match=r"Made\.name is what players call the game"):
        complete(name=name)


def test_a_game_whose_name_is_forgotten_is_told_so():
    with pytest.raises(BadGame, match=r"Nameless\.name"):

        class Nameless(Game[State]):
            id, players = "nameless", (1, 1)


@pytest.mark.parametrize("players", [2, (2,), (1, 2, 3), [1, 2], ("1", "2"), (True, 2), (1.0, 2), None])
def test_players_are_the_fewest_and_the_most(players):
    with pytest.raises(BadGame, match=r"Made\.players is \(fewest, most\)"):
        complete(players=players)


@pytest.mark.parametrize("players", [(0, 2), (-1, 2), (3, 2)])
def test_the_fewest_players_are_one_or_more_and_no_more_than_the_most(players):
    with pytest.raises(BadGame, match="not the other way round"):
        complete(players=players)


@pytest.mark.parametrize("version", [0, -1, 1.0, "1", True, None])
def test_the_rules_have_a_version_from_1(version):
    with pytest.raises(BadGame, match=r"rules_version is a whole number from 1"):
        complete(rules_version=version)


class LaxOptions(Struct, frozen=True):
    size: int = 3


class ThawedOptions(Struct, forbid_unknown_fields=True):
    size: int = 3


@pytest.mark.parametrize("options", [LaxOptions, ThawedOptions, dict, int, None, NoOptions()], ids=repr)
def test_options_are_a_frozen_struct_that_forbids_unknown_fields(options):
    with pytest.raises(BadGame, match=r"Made\.Options"):
        complete(Options=options)


class TimedOptions(Struct, frozen=True, forbid_unknown_fields=True):
    until: date = date(2000, 1, 1)


def test_options_must_survive_json_like_a_state():
    with pytest.raises(BadGame, match=r"Made\.Options: a date in the state would not come back"):
        complete(Options=TimedOptions)


def test_a_game_without_actions_is_told_to_mark_one():
    with pytest.raises(BadGame, match="has no action: mark at least one method with @action"):
        complete(go=lambda self, state, turn: state)


def test_a_starting_phase_in_which_nothing_can_be_done_is_told_so():
    def go(self, state, turn):
        return state

    with pytest.raises(BadGame, match="no action can be taken in the starting phase 'play'; set starting_phase"):
        complete(go=marked(go, phase="later"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("starting_phase", "Bad Phase"),
        ("starting_phase", ""),
        ("starting_phase", 5),
        ("phases", ("Bad Phase",)),
        ("phases", ("",)),
        ("phases", "night"),  # letters, not phases
    ],
)
def test_phases_are_lower_snake_case(field, value):
    with pytest.raises(BadGame, match="phase"):
        complete(**{field: value})


def test_an_unlisted_payload_asks_for_a_list_of_what_matters():
    def go(self, state, turn, tiles: tuple[int, ...]):
        return state

    with pytest.raises(BadGame, match=r"Made\.go takes more values than can be listed: write legal\(\)"):
        complete(go=marked(go))
    assert complete(go=marked(go), legal=lambda self, state, turn: ())


def test_a_game_says_what_its_state_is():
    with pytest.raises(BadGame, match=r"say what the state is, as in class Stateless\(Game\[State\]\)"):

        class Stateless(Game):
            id, name, players = "stateless", "Stateless", (1, 1)

            @action()
            def go(self, state, turn):
                return state


def test_a_family_of_games_may_leave_its_state_and_its_id_open():
    class Family(Game[S]):
        name, players = "Family", (1, 1)

        @action()
        def go(self, state: S, turn) -> S:
            return state

    class Member(Family[State]):
        id = "member"

    assert list(Member.actions) == ["go"]
    assert Member.shape.type is State


# A game that builds on another.


def test_a_game_may_add_change_and_take_away_actions_of_the_one_it_builds_on():
    class More(Complete):
        id = "more"

        def go(self, state, turn):  # without the mark it is no action any more
            return state

        @action()
        def stop(self, state, turn):
            return state

    assert list(More.actions) == ["stop"]
    assert list(Complete.actions) == ["go"]


def test_a_game_that_changes_another_without_an_id_of_its_own_is_still_looked_at():
    """Its hooks and actions count: a hook that is silently not called would be the worst of answers."""

    class Shorter(Complete):
        def end_if(self, state, turn):
            return MatchResult("draw")

        @action()
        def stop(self, state, turn):
            return state

    match = create_match(Shorter(), ["a"], seed=b"")
    assert apply_action(Shorter(), match, act("stop")).ok
    assert apply_action(Shorter(), match, act("go")).state.status == "finished"


# actions.py


def spoiled(message: str, method: Any, **how: Any) -> None:
    method.__qualname__ = f"Made.{method.__name__}"
    with pytest.raises(BadGame, match=message):
        complete(**{method.__name__: marked(method, **how)}, legal=lambda self, state, turn: ())


@pytest.mark.parametrize("name", ["join", "leave", "time_out"])
def test_the_name_of_a_host_action_is_taken(name):
    def method(self, state, turn):
        return state

    method.__name__ = name
    spoiled(f"Made.{name}: '{name}' is what hosts ask of every game; write the hook on_{name} or rename", method)


@pytest.mark.parametrize("name", ["Go", "goNow", "gehö"])
def test_the_name_of_an_action_is_lower_snake_case(name):
    def method(self, state, turn):
        return state

    method.__name__ = name
    spoiled(f"Made.{name}: an action's name is lower snake_case", method)


@pytest.mark.parametrize("phase", ["Play", "the end", "", ("play", "At Night"), (5,)])
def test_the_phases_of_an_action_are_lower_snake_case(phase):
    def go(self, state, turn):
        return state

    spoiled("is not lower snake_case", go, phase=phase)


@pytest.mark.parametrize("by", ["everyone", "", None, True])
def test_an_action_is_by_the_current_player_by_anyone_or_by_the_host(by):
    def go(self, state, turn):
        return state

    spoiled('by is "current", "anyone" or "host", not', go, by=by)


def test_a_payload_type_that_cannot_be_found_is_named():
    def go(self, state, turn, tiles: "Tyles"):  # type: ignore[name-defined] # noqa: F821
        return state

    spoiled("Made.go: name 'Tyles' is not defined; payload types must be names that the game's module can see", go)


def test_a_payload_type_that_is_not_even_python_is_named():
    def go(self, state, turn, tiles: "tuple[int"):  # type: ignore[valid-type] # noqa: F722
        return state

    spoiled(r"Made\.go: ", go)


def no_turn(self, state):
    return state


def nothing_at_all(self):
    return State()


@pytest.mark.parametrize("method", [no_turn, nothing_at_all])
def test_an_action_takes_the_state_and_the_turn(method):
    spoiled(r"takes the state and the turn, then its payload: def .*\(self, state, turn, \.\.\.\)", method)


def test_the_fields_of_a_payload_have_names():
    def go(self, state, turn, *tiles: int):
        return state

    def run(self, state, turn, **tiles: int):
        return state

    spoiled(r"the parameter \*tiles: int cannot be a payload field; name each field", go)
    spoiled(r"the parameter \*\*tiles: int cannot be a payload field", run)


def test_every_field_has_a_type():
    def go(self, state, turn, tiles):
        return state

    spoiled("annotate 'tiles': its type is what checks the payload", go)


class Custom:
    pass


@pytest.mark.parametrize("kind", [Custom, type, "typing.NoReturn", int | str | tuple[int, ...] | list[int]], ids=repr)
def test_a_type_that_cannot_be_checked_is_an_error(kind):
    def go(self, state, turn, tiles):
        return state

    go.__annotations__["tiles"] = kind
    spoiled("Made.go: ", go)


def test_a_default_of_another_type_is_an_error():
    def go(self, state, turn, tiles: list[int] = [1, 2]):  # noqa: B006
        return state

    spoiled("Made.go: a payload field's type cannot be checked", go)


SET_PROGRAM = """
from msgspec import Struct
from croupier.engine import Game, action, apply_action, create_match
from croupier.errors import BadGame
class State(Struct, frozen=True): pass
try:
    class Sets(Game[State]):
        id, name, players = "sets", "Sets", (1, 1)
        def setup(self, table): return State()
        def legal(self, state, turn): return ()
        @action()
        def go(self, state, turn, words: frozenset[str]): return state
except BadGame:
    print("an author's error")
else:
    match = create_match(Sets(), ["a"], seed=b"")
    asked = {"type": "go", "payload": {"words": ["mango", "kiwi", "apple", "fig", "plum"]}}
    print(apply_action(Sets(), match, asked).action)
"""


def test_an_action_is_logged_alike_by_every_process():
    """Sets have another order in every process: a log that kept it could not be replayed elsewhere."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SET_PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2", "3")
    }

    assert len(outputs) == 1


# shapes.py


@dataclass(frozen=True)
class Dataclass:
    n: int


class WithSet(Struct, frozen=True):
    inside: tuple[set[int], ...] = ()


class Recursive(Struct, frozen=True):
    n: int = 0
    next: "Recursive | None" = None


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (set[int], "set"),
        (frozenset[int], "frozenset"),
        (bytes, "bytes"),
        (bytearray, "bytearray"),
        (date, "date"),
        (Decimal, "decimal"),
        (Dataclass, "dataclass"),
        (WithSet, "set"),
        (tuple[int, bytes], "bytes"),
        (list[bytes], "bytes"),
        (dict[str, bytes], "bytes"),
        (int | bytes, "bytes"),
        (Custom, "custom"),
    ],
    ids=repr,
)
def test_a_state_that_would_not_come_back_from_json_is_an_error(state, word):
    with pytest.raises(BadGame, match=f"a {word} in the state would not come back from JSON; use ints, text, tuples"):
        complete(game_of(state), **WHOLE)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (dict[int, int], "a dict in the state needs text keys"),
        ("State", "the state type cannot be stored"),
        (int | str | list[int] | tuple[int, ...], "the state type cannot be stored"),
    ],
    ids=repr,
)
def test_a_state_that_cannot_be_stored_at_all_is_an_error(state, message):
    with pytest.raises(BadGame, match=message):
        complete(game_of(state), **WHOLE)


@pytest.mark.parametrize(
    ("state", "is_frozen"),
    [
        (State, True),
        (Recursive, True),
        (int, True),
        (tuple[State, ...], True),
        (tuple[int, str | None], True),
        (Annotated[int, Meta(ge=0)], True),
        (Literal["on", "off"], True),
        (dict[str, int], False),
        (list[int], False),
        (tuple[list[int], ...], False),
        (float, False),  # it may be NaN, so it is looked at
    ],
    ids=repr,
)
def test_the_engine_knows_which_states_can_be_changed_in_place(state, is_frozen):
    assert complete(game_of(state), **WHOLE).shape.is_frozen is is_frozen


def test_an_action_may_be_annotated_with_its_own_class():
    class Selfish(Complete):
        id = "selfish"

        @action()
        def go(self: Self, state: State, turn: Any) -> State:
            return state

    assert list(Selfish.actions) == ["go"]


# The schema that a signature makes.


class Schemed(Complete):
    id = "schemed"

    @action(phase=("play", "later"), by="anyone", secret=True, opcode=7)
    def go(  # type: ignore[override]
        self, state, turn, tiles: tuple[int, ...], dice: Literal[1, 2] | None = None
    ):
        """Do it.

        At length.
        """
        return state

    def legal(self, state, turn):
        return ()


def test_the_signature_is_the_schema_of_the_payload():
    spec = Schemed.actions["go"]

    assert (spec.name, spec.phases, spec.by, spec.secret, spec.opcode) == ("go", ("play", "later"), "anyone", True, 7)
    assert spec.fields == ("tiles", "dice")
    assert spec.doc == "Do it.\n\nAt length."
    schema = spec.schema()
    assert schema["type"] == "object"
    assert schema["required"] == ["tiles"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["tiles"] == {
        "type": "array",
        "items": {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
    }
    assert schema["properties"]["dice"]["default"] is None


def test_a_schema_names_the_structs_it_uses():
    class Bet(Struct, frozen=True, forbid_unknown_fields=True):
        stake: int

    def go(self, state, turn, bets):
        return state

    go.__annotations__["bets"] = tuple[Bet, ...]
    schema = complete(go=marked(go), legal=lambda self, state, turn: ()).actions["go"].schema()

    assert schema["properties"]["bets"]["items"] == {"$ref": "#/$defs/Bet"}
    assert schema["$defs"]["Bet"]["properties"]["stake"]["type"] == "integer"
