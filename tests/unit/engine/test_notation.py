"""Actions as text, both ways: everything legal comes back, and bad text gets a sentence."""

from functools import partial
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from croupier.engine import Action, act, apply_action, create_match
from croupier.engine.notation import format_action, parse_action
from croupier.engine.turn import Refusal
from tests.unit.engine.counting import made, taking


class Chip(Struct, frozen=True, forbid_unknown_fields=True):
    value: int
    colour: str = ""


int64 = st.integers(-(2**63), 2**63 - 1)
odd_words = ["", *"=#\"'\\ \n", "$x", "a=b", "null", "true", "false", "NaN", "nan", "1", "-1", "1e5", "[1]", "{}"]
words = st.text(max_size=12) | st.sampled_from(odd_words)
chips = st.fixed_dictionaries({"value": int64, "colour": words})
pairs = st.lists(st.tuples(int64, int64), max_size=3)
FIELDS: dict[str, dict[str, tuple[Any, st.SearchStrategy[Any]]]] = {
    "nothing": {},
    "number": {"x": (int, int64)},
    "maybe": {"x": ([int | None, None], int64 | st.none())},
    "flag": {"x": (bool, st.booleans())},
    "real": {"x": (float, st.floats(allow_nan=False, allow_infinity=False))},
    "text": {"x": (str, words)},
    "text_or_nothing": {"x": (str | None, words | st.none())},
    "text_or_flag": {"x": (str | bool, words | st.booleans())},
    "text_or_number": {"x": (str | int, words | int64)},
    "numbers": {"x": (tuple[int, ...], st.lists(int64, max_size=4))},
    "words": {"x": (list[str], st.lists(words, max_size=3))},
    "pairs": {"x": (tuple[tuple[int, int], ...], pairs)},
    "chip": {"x": (Chip, chips), "y": ([Literal["left", "right"], "left"], st.sampled_from(["left", "right"]))},
    "table": {"x": (dict[str, int], st.dictionaries(words, int64, max_size=3))},
    "several": {
        "a": (int, int64),
        "b": (str, words),
        "c": (tuple[int, ...], st.lists(int64, max_size=3)),
        "d": ([bool, False], st.booleans()),
    },
}
"""Actions with a field of every kind: the type of each, and values to try."""
Talker = made(
    "talker",
    name="Talker",
    legal=lambda self, state, turn: (),
    go=None,
    **{name: taking(**{field: kind for field, (kind, _) in fields.items()}) for name, fields in FIELDS.items()},
    lay=taking(bet=str, stake=int),
)
TALKER = Talker()
MATCH = create_match(TALKER, ["a"], seed=b"")

payloads = st.one_of(
    *[
        st.fixed_dictionaries({field: values for field, (_, values) in fields.items()}).map(partial(Action, name))
        for name, fields in FIELDS.items()
    ]
)


@settings(max_examples=600)
@given(asked=payloads)
def test_every_payload_comes_back_from_its_text(asked):
    accepted = apply_action(TALKER, MATCH, asked)
    assert accepted.ok
    logged = accepted.action

    line = format_action(logged)
    read = parse_action(TALKER, line)

    assert read == Action(logged.type, logged.payload), line
    assert "\n" not in line  # one line, whatever is in it
    assert apply_action(TALKER, MATCH, read) == accepted


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (act("nothing"), "nothing"),
        (act("number", x=-5), "number x=-5"),
        (act("numbers", x=[3, 4]), "numbers x=3,4"),
        (act("numbers", x=(3, 4)), "numbers x=3,4"),
        (act("flag", x=True), "flag x=true"),
        (act("text", x="hello"), "text x=hello"),
        (act("chip", x={"value": 5}, y="right"), """chip x='{"value":5}' y=right"""),
        (act("lay", bet="straight:17", stake=10), "lay bet=straight:17 stake=10"),
    ],
)
def test_actions_read_naturally(asked, text):
    assert format_action(asked) == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("nothing", act("nothing")),
        ("  nothing  ", act("nothing")),
        ("NOTHING", act("nothing")),
        ("number 7", act("number", x=7)),
        ("number x=7", act("number", x=7)),
        ("maybe", act("maybe")),
        ("maybe null", act("maybe")),
        ("numbers 3 4 5", act("numbers", x=[3, 4, 5])),
        ("numbers 3,4,5", act("numbers", x=[3, 4, 5])),
        ("numbers x=3,4,5", act("numbers", x=[3, 4, 5])),
        ("numbers 3", act("numbers", x=[3])),
        ("numbers []", act("numbers", x=[])),
        ("numbers '[3, 4]'", act("numbers", x=[3, 4])),
        ("flag true", act("flag", x=True)),
        ("text hello", act("text", x="hello")),
        ("text 'two words'", act("text", x="two words")),
        ("text 5", act("text", x="5")),
        ('words \'["a","b"]\'', act("words", x=["a", "b"])),
        ("several b=x a=1 c=2", act("several", a=1, b="x", c=[2])),
        # Values alone are read in the order of the fields.
        ("lay straight:17 10", act("lay", bet="straight:17", stake=10)),
        ("lay bet=straight:17 stake=10", act("lay", bet="straight:17", stake=10)),
    ],
)
def test_text_can_be_typed_in_a_short_way(text, asked):
    assert parse_action(TALKER, text) == asked


def refusal(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse_action(TALKER, text)
    return caught.value


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_action"),
        ("   ", "bad_action"),
        ("'", "bad_action"),
        ('number "7', "bad_action"),
        ("number \\", "bad_action"),
        ("fly", "unknown_action"),
        ("fly x=1", "unknown_action"),
        ("join id=c", "unknown_action"),
        ("\ud800", "unknown_action"),
        ("number", "bad_payload"),
        ("number x", "bad_payload"),
        ("number 1.0", "bad_payload"),
        ("number true", "bad_payload"),
        ("number 9223372036854775808", "bad_payload"),
        ("number " + "9" * 5_000, "bad_payload"),
        ("number x=1 x=2", "bad_payload"),
        ("number y=1", "bad_payload"),
        ("number x=1 y=2", "bad_payload"),
        ("number =1", "bad_payload"),
        ("number x=", "bad_payload"),
        ("nothing 5", "bad_payload"),
        ("nothing x=5", "bad_payload"),
        ("flag maybe", "bad_payload"),
        ("numbers a,b", "bad_payload"),
        (f"numbers {DEEP}", "bad_payload"),
        (f"number {DEEP}", "bad_payload"),
        ("number \ud800", "bad_payload"),
        ("number x=\udfff", "bad_payload"),
        ("text \ud800", "bad_payload"),
        ("real NaN", "bad_payload"),
        ("real 1e999", "bad_payload"),
        ("several 1 2 3 4 5 6 7 8 9", "bad_payload"),
        ("several a=1", "bad_payload"),
        ("chip x=5", "bad_payload"),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_bad_text_gets_a_code_and_a_sentence(text, code):
    refused = refusal(text)

    assert refused.code == code
    assert refused.sentence.strip()
    refused.sentence.encode()  # it can be shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nothing, number, maybe"),
        ("fly", "nothing, number, maybe"),
        ("fly", "'fly'"),
        ("number y=1", "takes x=…"),
        ("nothing 5", "takes nothing more"),
        ("number up", "x cannot be 'up': expected a whole number"),
    ],
)
def test_a_refusal_says_what_there_is(text, words):
    assert words in refusal(text).sentence


@settings(max_examples=600)
@given(
    text=st.text(st.characters(), max_size=30) | st.text("numbers xt=,'\"[]{}1 \\", max_size=20).map("numbers ".__add__)
)
def test_any_text_gives_an_action_or_a_refusal(text):
    codes = set()
    try:
        read = parse_action(TALKER, text)
    except Refusal as refused:
        codes.add(refused.code)
    else:
        assert apply_action(TALKER, MATCH, read).ok
        assert parse_action(TALKER, format_action(read)) == read
    assert codes <= {"bad_action", "unknown_action", "bad_payload"}
