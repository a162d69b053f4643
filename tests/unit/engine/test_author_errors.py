"""Author's errors: a game class that the engine cannot run is told so when it is written, with what to fix."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, Self, TypeVar

import pytest
from msgspec import Meta, Struct

from croupier.engine import Game, MatchResult, NoOptions, act, action, apply_action, create_match
from croupier.errors import BadGame
from tests.unit.engine.counting import Count, Counting, made, over, taking

S = TypeVar("S")


class Complete(Counting):
    id = "complete"


def complete(**body: Any) -> Any:
    """Return a game class that would be whole, with something replaced."""
    return made(**{"game_id": "made", "legal": lambda self, state, turn: (), **body})


# game.py


class LaxOptions(Struct, frozen=True):
    size: int = 3


class ThawedOptions(Struct, forbid_unknown_fields=True):
    size: int = 3


class TimedOptions(Struct, frozen=True, forbid_unknown_fields=True):
    until: date = date(2000, 1, 1)


class LooseOptions(Struct, frozen=True, forbid_unknown_fields=True):
    pool: list[int] = []


IDS = ("Pig", "pig_game", "pig game", "9pins", "", "pîg", "-", "--", "pig-", "-pig", "pig--game", 5, None)
ATTRIBUTES: list[tuple[str, str, tuple[Any, ...]]] = [
    ("game_id", r"Made\.id is lower-case words joined by dashes", IDS),
    ("name", r"Made\.name is what players call the game", ("", None, 5)),
    (
        "players",
        r"Made\.players is \(fewest, most\)",
        (2, (2,), (1, 2, 3), [1, 2], ("1", "2"), (True, 2), (1.0, 2), None),
    ),
    ("players", "not the other way round", ((0, 2), (-1, 2), (3, 2))),
    ("rules_version", "rules_version is a whole number from 1", (0, -1, 1.0, "1", True, None)),
    ("Options", r"Made\.Options", (LaxOptions, ThawedOptions, dict, int, None, NoOptions())),
    ("Options", r"Made\.Options can be changed in place", (LooseOptions,)),  # by an action, in the match itself
    ("Options", r"Made\.Options: a date in the state would not come back", (TimedOptions,)),
    ("starting_phase", "phase", ("Bad Phase", "", 5)),
    ("phases", "phase", (("Bad Phase",), ("",), "night")),  # "night" is letters, not phases
    ("go", "has no action: mark at least one method with @action", (lambda self, state, turn: state,)),
    (
        "go",
        "no action can be taken in the starting phase 'play'; set starting_phase",
        (action(phase="later")(taking()),),
    ),
]


@pytest.mark.parametrize(
    ("name", "message", "value"),
    [(name, message, value) for name, message, values in ATTRIBUTES for value in values],
)
def test_an_attribute_that_the_engine_cannot_use_is_named(name, message, value):
    with pytest.raises(BadGame, match=message):
        complete(**{name: value})


def test_a_complete_game_is_taken_as_it_is():
    assert complete().actions.keys() == {"go"}


def test_a_game_whose_name_is_forgotten_is_told_so():
    with pytest.raises(BadGame, match=r"Nameless\.name"):

        class Nameless(Game[Count]):
            id, players = "nameless", (1, 1)


def test_an_unlisted_payload_asks_for_a_list_of_what_matters():
    go = taking(tiles=tuple[int, ...])

    with pytest.raises(BadGame, match=r"Made\.go takes more values than can be listed: write legal\(\)"):
        made("made", go=go)
    assert complete(go=go)


def test_a_game_says_what_its_state_is():
    with pytest.raises(BadGame, match=r"say what the state is, as in class Stateless\(Game\[State\]\)"):

        class Stateless(Game):
            id, name, players = "stateless", "Stateless", (1, 1)
            go = taking()


def test_a_family_of_games_may_leave_its_state_and_its_id_open():
    class Family(Game[S]):
        name, players = "Family", (1, 1)

        @action()
        def go(self, state: S, turn) -> S:
            return state

    class Member(Family[Count]):
        id = "member"

    assert list(Member.actions) == ["go"]
    assert Member.shape.type is Count


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


class Words(Counting):
    """Actions that are words of Python: the method ends with an underscore, the action does not."""

    id = "words"
    look_ = taking()  # keeps its own: `look` is no word of Python

    @action()
    def pass_(self, state, turn):
        return Count(state.n + 1)

    @action()
    def raise_(self, state, turn, by: Literal[1, 2, 3]):
        return Count(state.n + 10 * by)


def test_an_action_that_is_a_word_of_python_has_no_underscore(accept):
    match = accept(Words(), create_match(Words(), ["a"], seed=b""), act("pass"), act("raise", by=3))

    assert list(Words.actions) == ["go", "look_", "pass", "raise"]
    assert match.game.n == 31
    assert not apply_action(Words(), match, act("pass_")).ok
    assert list(made("silent", Words, pass_=None).actions) == ["go", "look_", "raise"]


def test_a_game_that_changes_another_without_an_id_of_its_own_is_still_looked_at():
    """Its hooks and actions count: a hook that is silently not called would be the worst of answers."""

    class Shorter(Complete):
        stop = taking()

        def end_if(self, state, turn):
            return MatchResult("draw")

    match = create_match(Shorter(), ["a"], seed=b"")
    assert apply_action(Shorter(), match, act("stop")).ok
    assert apply_action(Shorter(), match, act("go")).state.status == "finished"


# actions.py


def plain(self, state, turn):
    return state


def no_turn(self, state):
    return state


def nothing_at_all(self):
    return Count()


def many(self, state, turn, *tiles: int):
    return state


def by_name(self, state, turn, **tiles: int):
    return state


def unannotated(self, state, turn, tiles):
    return state


def listed(self, state, turn, tiles: list[int] = [1, 2]):  # noqa: B006
    return state


class Custom:
    pass


def typed(kind: Any) -> Any:
    """Return a method that takes a field of a type, which may be text that no type checker would let pass."""

    def method(self, state, turn, tiles):
        return state

    method.__annotations__["tiles"] = kind
    return method


TAKES_BOTH = r"takes the state and the turn, then its payload: def .*\(self, state, turn, \.\.\.\)"
UNCHECKED = (Custom, type, "typing.NoReturn", int | str | tuple[int, ...] | list[int])
NOT_FOUND = "Made.go: name 'Tyles' is not defined; payload types must be names that the game's module can see"
ACTIONS: list[tuple[str, str, Any, dict[str, Any]]] = [
    *(
        (name, f"Made.{name}: '{name}' is what hosts ask of every game; write the hook on_{name} or rename", plain, {})
        for name in ("join", "leave", "time_out")
    ),
    *((name, f"Made.{name}: an action's name is lower snake_case", plain, {}) for name in ("Go", "goNow", "gehö")),
    *(
        ("go", "is not lower snake_case", plain, {"phase": phase})
        for phase in ("Play", "the end", "", ("play", "At Night"), (5,))
    ),
    *(("go", 'by is "current", "anyone" or "host", not', plain, {"by": by}) for by in ("everyone", "", None, True)),
    ("go", TAKES_BOTH, no_turn, {}),
    ("go", TAKES_BOTH, nothing_at_all, {}),
    ("go", r"the parameter \*tiles: int cannot be a payload field; name each field", many, {}),
    ("go", r"the parameter \*\*tiles: int cannot be a payload field", by_name, {}),
    ("go", "annotate 'tiles': its type is what checks the payload", unannotated, {}),
    ("go", NOT_FOUND, typed("Tyles"), {}),
    ("go", r"Made\.go: ", typed("tuple[int"), {}),  # not even Python
    *(("go", "Made.go: ", typed(kind), {}) for kind in UNCHECKED),
    # Sets have another order in every process: a log that kept it could not be replayed elsewhere.
    ("go", "a frozenset in the payload would not come back from JSON", typed(frozenset[str]), {}),
    ("go", "a set in the payload would not come back from JSON", typed(set[str]), {}),
    ("go", "Made.go: a payload field's type cannot be checked", listed, {}),  # a default that is no value of its type
]


@pytest.mark.parametrize(("name", "message", "method", "how"), ACTIONS)
def test_an_action_that_the_engine_cannot_use_is_named(name, message, method, how):
    with pytest.raises(BadGame, match=message):
        complete(**{name: action(**how)(method)})


# shapes.py


@dataclass(frozen=True)
class Dataclass:
    n: int


class WithSet(Struct, frozen=True):
    inside: tuple[set[int], ...] = ()


class Recursive(Struct, frozen=True):
    n: int = 0
    next: "Recursive | None" = None


NOT_JSON = "a {} in the state would not come back from JSON; use ints, text, tuples"


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (set[int], NOT_JSON.format("set")),
        (frozenset[int], NOT_JSON.format("frozenset")),
        (bytes, NOT_JSON.format("bytes")),
        (bytearray, NOT_JSON.format("bytearray")),
        (date, NOT_JSON.format("date")),
        (Decimal, NOT_JSON.format("decimal")),
        (Dataclass, NOT_JSON.format("dataclass")),
        (WithSet, NOT_JSON.format("set")),
        (tuple[int, bytes], NOT_JSON.format("bytes")),
        (list[bytes], NOT_JSON.format("bytes")),
        (dict[str, bytes], NOT_JSON.format("bytes")),
        (int | bytes, NOT_JSON.format("bytes")),
        (Custom, NOT_JSON.format("custom")),
        (dict[int, int], "a dict in the state needs text keys"),
        ("State", "the state type cannot be stored"),
        (int | str | list[int] | tuple[int, ...], "the state type cannot be stored"),
    ],
    ids=repr,
)
def test_a_state_that_cannot_be_stored_is_an_error(state, message):
    with pytest.raises(BadGame, match=message):
        over(state)


@pytest.mark.parametrize(
    ("state", "is_frozen"),
    [
        (Count, True),
        (Recursive, True),
        (int, True),
        (tuple[Count, ...], True),
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
    assert over(state).shape.is_frozen is is_frozen


def test_an_action_may_be_annotated_with_its_own_class():
    class Selfish(Complete):
        id = "selfish"

        @action()
        def go(self: Self, state: Count, turn: Any) -> Count:
            return state

    assert list(Selfish.actions) == ["go"]


# The schema that a signature makes.


@action(phase=("play", "later"), by="anyone", secret=True, opcode=7)
def schemed(self, state, turn, tiles: tuple[int, ...], dice: Literal[1, 2] | None = None):
    """Do it.

    At length.
    """
    return state


def test_the_signature_is_the_schema_of_the_payload():
    spec = complete(go=schemed).actions["go"]

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

    schema = complete(go=taking(bets=tuple[Bet, ...])).actions["go"].schema()

    assert schema["properties"]["bets"]["items"] == {"$ref": "#/$defs/Bet"}
    assert schema["$defs"]["Bet"]["properties"]["stake"]["type"] == "integer"
