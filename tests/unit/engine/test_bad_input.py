"""Bad input: whatever is sent as an action is a refusal with a code, never an exception, never a changed state.

`Taker` has an action for every kind of payload, and takes whatever passes the engine's checks.
"""

import math
from random import Random
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct
from msgspec.json import decode

from croupier.engine import Accepted, Action, Refused, apply_action, canonical, create_match, state_digest
from croupier.engine.plain import not_plain
from croupier.errors import BadGame
from tests.unit.engine.counting import made, nested, taking


class Chip(Struct, frozen=True, forbid_unknown_fields=True):
    value: int
    colour: Literal["red", "blue"] = "red"


FIELDS: dict[str, Any] = {
    "whole": int,
    "positive": Annotated[int, Meta(ge=1)],
    "fives": Annotated[int, Meta(multiple_of=5)],
    "word": Literal["one", "two", 3],
    "flag": bool,
    "maybe": [int | None, None],
    "text": str,
    "number": float,
    "tiles": tuple[int, ...],
    "table": dict[str, int],
    "chip": Chip,
    "chips": list[Chip],
    "anything": Any,
}
"""The type of `value` in the payload of each action."""
Taker = made(
    "taker",
    players=(2, 2),
    late_join=True,
    legal=lambda self, state, turn: (),
    nothing=taking(),
    **{name: taking(value=kind) for name, kind in FIELDS.items()},
)
TAKER = Taker()
MATCH = create_match(TAKER, ["a", "b"], seed=bytes(32))
DIGEST = state_digest(MATCH)
CODES = {
    "bad_action",
    "bad_payload",
    "unknown_action",
    "unknown_player",
    "not_your_turn",
    "table_full",
    "already_seated",
    "nothing_to_do",
}


def attempt(asked: Any) -> Accepted[Any] | Refused[Any]:
    """Return the answer, once it is certain that it keeps the promises of an answer."""
    answer = apply_action(TAKER, MATCH, asked)
    assert state_digest(MATCH) == DIGEST
    if answer.ok:
        # What was accepted can be logged, and asking for what was logged gives the same again.
        assert answer.state.version == 1
        assert not_plain(answer.action.payload) is None
        again = apply_action(TAKER, MATCH, answer.action)
        assert again.ok
        assert canonical(again.action) == canonical(answer.action)
    else:
        assert answer.state is MATCH
        assert answer.code in CODES
        assert answer.error.strip()
        answer.error.encode()  # a sentence that can be shown
    return answer


def refusal(asked: Any) -> str:
    """Return the code of the answer, which must be a refusal."""
    answer = attempt(asked)
    assert not answer.ok
    return answer.code


def circular() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


class Silent:
    __slots__ = ()


JUNK: dict[str, Any] = {
    "true": True,
    "float": 1.0,
    "half": 0.5,
    "2**63": 2**63,
    "below -2**63": -(2**63) - 1,
    "10**30": 10**30,
    "10**5000": 10**5000,
    "nan": math.nan,
    "infinity": math.inf,
    "set": {1},
    "frozenset": frozenset({1}),
    "bytes": b"1",
    "bytearray": bytearray(b"1"),
    "complex": 1j,
    "object": Silent(),
    "class": int,
    "function": nested,
    "lone surrogate": "\ud800",
    "list of one": [1],
    "a surrogate in a list": ["\udfff"],
    "int key": {1: 1},
    "none key": {None: 1},
    "tuple key": {(1, 2): 1},
    "surrogate key": {"\ud800": 1},
    "deep list": nested(1_000),
    "very deep list": nested(50_000),
    "deep dict": nested(1_000, lambda value: {"x": value}),
    "very deep dict": nested(50_000, lambda value: {"x": value}),
    "circular": circular(),
    "ellipsis": ...,
    "generator": (tile for tile in (1, 2)),
    "range": range(3),
}


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("name", FIELDS)
def test_junk_in_a_payload_is_refused(name, junk):
    """Every kind of junk for every kind of field, as an `Action` and as a mapping."""
    value = JUNK[junk]
    if name == "number" and junk in ("2**63", "below -2**63", "10**30"):
        return  # as a float it is one like any other
    fits = {"true": ("flag", "anything"), "list of one": ("tiles", "anything")}
    fits["float"] = fits["half"] = ("number", "anything")

    for asked in (Action(name, {"value": value}), {"type": name, "payload": {"value": value}}):
        answer = attempt(asked)
        if name in fits.get(junk, ()):
            assert answer.ok
        else:
            assert not answer.ok, f"{name} took {junk}"
            assert answer.code in ("bad_payload", "bad_action")


@pytest.mark.parametrize("junk", JUNK)
def test_junk_as_a_whole_payload_is_refused(junk):
    for name in ("nothing", "whole", "anything", "join", "leave", "time_out"):
        assert refusal(Action(name, JUNK[junk])) in ("bad_payload", "table_full")


@pytest.mark.parametrize("junk", JUNK)
def test_junk_as_an_action_a_type_or_a_player_is_refused(junk):
    value = JUNK[junk]
    assert refusal(value) == "bad_action"
    for asked in (
        Action(value),
        Action("nothing", {}, value),
        Action("join", {"id": value}),
        Action("join", {"id": "c", "name": value}),
        {"type": value},
        {"type": "nothing", "player_id": value},
        {"type": "nothing", "payload": {}, "extra": value},
        {"type": "nothing", "payload": {"extra": value}},
    ):
        assert refusal(asked) in ("bad_action", "unknown_action", "unknown_player", "bad_payload", "table_full")


@pytest.mark.parametrize("payload", [None, [], "", 0, False, ()], ids=repr)
@pytest.mark.parametrize("name", ["nothing", "leave", "time_out"])
def test_an_empty_value_of_another_type_is_not_an_empty_payload(name, payload):
    """A payload is an object even where it holds nothing: what is logged must be what was asked for."""
    assert refusal(Action(name, payload)) == "bad_payload"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (None, "bad_action"),
        (5, "bad_action"),
        ("nothing", "bad_action"),
        (["nothing"], "bad_action"),
        ([("type", "nothing")], "bad_action"),
        ({}, "bad_action"),
        ({"payload": {}}, "bad_action"),
        ({"type": None}, "bad_action"),
        ({"type": b"nothing"}, "bad_action"),
        ({"type": "nothing", "payload": None}, "bad_action"),
        ({"type": "nothing", "payload": []}, "bad_action"),
        ({"type": "nothing", "player": "a"}, "bad_action"),
        ({"type": "nothing", 5: 5}, "bad_action"),
        ({"type": "nothing", "player_id": 0}, "bad_action"),
        ({"type": "Nothing"}, "unknown_action"),
        ({"type": "nothing "}, "unknown_action"),
        ({"type": "__init__"}, "unknown_action"),
        ({"type": "setup"}, "unknown_action"),
        ({"type": "nothing", "player_id": ""}, "unknown_player"),
        ({"type": "nothing", "player_id": "A"}, "unknown_player"),
        ({"type": "nothing", "player_id": "b"}, "not_your_turn"),
        ({"type": "nothing", "payload": {"value": 1}}, "bad_payload"),
        ({"type": "whole"}, "bad_payload"),
        ({"type": "whole", "payload": {"value": 1, "self": 2}}, "bad_payload"),
        ({"type": "whole", "payload": {"valu": 1}}, "bad_payload"),
        ({"type": "chip", "payload": {"value": {"value": 1, "weight": 2}}}, "bad_payload"),
        ({"type": "chip", "payload": {"value": {}}}, "bad_payload"),
        ({"type": "chip", "payload": {"value": {"value": 2**63}}}, "bad_payload"),
        ({"type": "chips", "payload": {"value": [{"value": 1}, {"value": 10**30}]}}, "bad_payload"),
        ({"type": "anything", "payload": {"value": {"deep": [{"value": 2**63}]}}}, "bad_payload"),
        ({"type": "table", "payload": {"value": {"x": 2**63}}}, "bad_payload"),
        ({"type": "tiles", "payload": {"value": [1, True]}}, "bad_payload"),
        ({"type": "tiles", "payload": {"value": [1, 2.0]}}, "bad_payload"),
    ],
    ids=ascii,
)
def test_a_malformed_action_has_its_code(asked, code):
    assert refusal(asked) == code


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63)])
@pytest.mark.parametrize("name", ["whole", "maybe", "anything", "number"])
def test_the_largest_whole_numbers_of_64_bits_are_taken(name, value):
    assert attempt(Action(name, {"value": value})).ok


def test_tuples_made_in_memory_pass_as_lists():
    answer = attempt(Action("tiles", {"value": (1, 2)}))

    assert answer.ok
    assert answer.action.payload == {"value": [1, 2]}


def test_an_action_that_is_more_than_an_action_is_refused():
    class Loaded(Action, frozen=True):
        weight: int = 0

    assert refusal(Loaded("nothing")) == "bad_action"


def test_a_struct_in_a_payload_refuses_fields_it_does_not_have():
    """Dropping them silently would log another action than the one that was sent; so such a struct is an error."""

    class Lax(Struct, frozen=True):
        value: int

    with pytest.raises(BadGame, match="forbid_unknown_fields"):
        made("lax-taker", legal=lambda self, state, turn: (), chip=taking(value=Lax))


# Fuzz: anything that Python can hold, in every place of an action.

json_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
odd_leaves = (
    json_leaves
    | st.integers(min_value=2**62, max_value=10**40)
    | st.binary(max_size=4)
    | st.complex_numbers()
    | st.fractions()
    | st.decimals()
    | st.dates()
    | st.uuids()
    | st.text(st.characters(categories=["Cs", "Ll"]), max_size=3)
    | st.frozensets(st.integers(), max_size=2)
    | st.just(Silent())
)
odd_keys = st.text(max_size=4) | st.integers() | st.none() | st.sampled_from(["value", "type", "player_id", "\ud800"])
anything = st.recursive(
    odd_leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(odd_keys, inner, max_size=3)
        | st.sets(st.integers(), max_size=2)
    ),
    max_leaves=6,
)
json_values = st.recursive(json_leaves, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
names = st.sampled_from([*TAKER.actions, "join", "leave", "time_out", "fly", ""])
payloads = st.dictionaries(st.just("value"), anything, min_size=1) | anything
actions = (
    anything
    | st.builds(Action, names, payloads)
    | st.builds(Action, names | anything, payloads, st.sampled_from(["a", "b", "c", None]) | anything)
    | st.fixed_dictionaries({"type": names, "payload": payloads})
    | st.fixed_dictionaries({"type": names, "payload": st.fixed_dictionaries({"value": json_values})})
    | st.fixed_dictionaries(
        {}, optional={"type": names | anything, "payload": payloads, "player_id": anything, "extra": anything}
    )
)


@settings(max_examples=700)
@given(asked=actions)
def test_no_action_whatsoever_raises_or_changes_anything(asked):
    attempt(asked)


LEAVES: tuple[Any, ...] = (*JUNK.values(), None, 0, 1, -1, 2**63 - 1, "", "a", "one", "value", "\x00", -0.0, 1e308)


def made_up(random: Random, depth: int = 3) -> Any:
    """Return some value or other: much cheaper than the strategies above, so there can be many more."""
    kind = random.randrange(8) if depth else 0
    if kind < 4:
        return random.choice(LEAVES)
    if kind == 4:
        return [made_up(random, depth - 1) for _ in range(random.randrange(3))]
    if kind == 5:
        return tuple(made_up(random, depth - 1) for _ in range(random.randrange(3)))
    keys = [random.choice(("value", "colour", "id", "name", "x", "", "\ud800", 5)) for _ in range(random.randrange(3))]
    return {key: made_up(random, depth - 1) for key in keys}


def made_up_action(random: Random) -> Any:
    name: Any = random.choice((*TAKER.actions, "join", "leave", "time_out", "fly", "", made_up(random)))
    payload = {"value": made_up(random)} if random.random() < 0.7 else made_up(random)
    player: Any = random.choice(("a", "a", None, "b", "c", made_up(random)))
    match random.randrange(4):
        case 0:
            return Action(name, payload)
        case 1:
            return Action(name, payload, player)
        case 2:
            return {"type": name, "payload": payload, "player_id": player}
        case _:
            return {"type": name, "payload": payload, random.choice(("x", "player", "", 7)): made_up(random)}


@pytest.mark.parametrize("part", range(5))
def test_a_thousand_made_up_actions_raise_nothing_and_change_nothing(part):
    random = Random(part)
    for _ in range(1_000):
        attempt(made_up_action(random))


@settings(max_examples=200)
@given(value=anything)
def test_not_plain_agrees_with_a_round_trip_through_json(value):
    """A value that is called plain comes back from JSON as it was, and one that comes back is called nothing else."""
    if not_plain(value) is None:
        assert decode(canonical(value)) == value
    else:
        try:
            restored = decode(canonical(value))
        except (TypeError, ValueError, RecursionError):
            return
        assert type(restored) is not type(value) or restored != value or "nested" in (not_plain(value) or "")
