"""Actions as text, both ways: everything legal comes back, and bad text gets a sentence."""

from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from croupier.engine import Action, Game, act, action, apply_action, create_match, legal_actions
from croupier.engine.legal import may_act
from croupier.engine.notation import format_action, parse_action
from croupier.engine.turn import Refusal


class Chip(Struct, frozen=True, forbid_unknown_fields=True):
    value: int
    colour: str = ""


class Said(Struct, frozen=True):
    pass


class Talker(Game[Said]):
    """A field of every kind."""

    id, name, players = "talker", "Talker", (1, 1)

    def setup(self, table):
        return Said()

    def legal(self, state, turn):
        return ()

    @action()
    def nothing(self, state, turn):
        return state

    @action()
    def number(self, state, turn, x: int):
        return state

    @action()
    def maybe(self, state, turn, x: int | None = None):
        return state

    @action()
    def flag(self, state, turn, x: bool):
        return state

    @action()
    def real(self, state, turn, x: float):
        return state

    @action()
    def text(self, state, turn, x: str):
        return state

    @action()
    def text_or_nothing(self, state, turn, x: str | None):
        return state

    @action()
    def text_or_flag(self, state, turn, x: str | bool):
        return state

    @action()
    def text_or_number(self, state, turn, x: str | int):
        return state

    @action()
    def numbers(self, state, turn, x: tuple[int, ...]):
        return state

    @action()
    def words(self, state, turn, x: list[str]):
        return state

    @action()
    def pairs(self, state, turn, x: tuple[tuple[int, int], ...]):
        return state

    @action()
    def chip(self, state, turn, x: Chip, y: Literal["left", "right"] = "left"):
        return state

    @action()
    def table(self, state, turn, x: dict[str, int]):
        return state

    @action()
    def several(self, state, turn, a: int, b: str, c: tuple[int, ...], d: bool = False):
        return state


TALKER = Talker()
MATCH = create_match(TALKER, ["a"], seed=b"")

int64 = st.integers(-(2**63), 2**63 - 1)
words = st.text(max_size=12) | st.sampled_from(
    [
        "null",
        "true",
        "false",
        "NaN",
        "nan",
        "1",
        "-1",
        "1e5",
        "[1]",
        "{}",
        '"',
        "'",
        "\\",
        "=",
        "a=b",
        " ",
        "\n",
        "#",
        "$x",
        "",
    ]
)
FIELDS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "number": {"x": int64},
    "maybe": {"x": int64 | st.none()},
    "flag": {"x": st.booleans()},
    "real": {"x": st.floats(allow_nan=False, allow_infinity=False)},
    "text": {"x": words},
    "text_or_nothing": {"x": words | st.none()},
    "text_or_flag": {"x": words | st.booleans()},
    "text_or_number": {"x": words | int64},
    "numbers": {"x": st.lists(int64, max_size=4)},
    "words": {"x": st.lists(words, max_size=3)},
    "pairs": {"x": st.lists(st.tuples(int64, int64), max_size=3)},
    "chip": {
        "x": st.fixed_dictionaries({"value": int64, "colour": words}),
        "y": st.sampled_from(["left", "right"]),
    },
    "table": {"x": st.dictionaries(words, int64, max_size=3)},
    "several": {"a": int64, "b": words, "c": st.lists(int64, max_size=3), "d": st.booleans()},
}
payloads = st.one_of(
    *[st.builds(Action, st.just(name), st.fixed_dictionaries(fields)) for name, fields in FIELDS.items()]
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


def test_every_legal_action_of_every_game_comes_back_from_its_text(any_game):
    match = create_match(any_game, ["a", "b"], seed=b"notation")
    for _ in range(25):
        if match.status == "finished":
            break
        for player in may_act(any_game, match):
            for chosen in legal_actions(any_game, match, player):
                assert parse_action(any_game, format_action(chosen)) == Action(chosen.type, chosen.payload)
        match = apply_action(any_game, match, legal_actions(any_game, match, may_act(any_game, match)[0])[-1]).state


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
    ],
)
def test_text_can_be_typed_in_a_short_way(text, asked):
    assert parse_action(TALKER, text) == asked


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
    with pytest.raises(Refusal) as caught:
        parse_action(TALKER, text)

    assert caught.value.code == code
    assert caught.value.sentence.strip()
    caught.value.sentence.encode()  # it can be shown


def test_a_sentence_says_what_there_is():
    def sentence(text):
        with pytest.raises(Refusal) as caught:
            parse_action(TALKER, text)
        return caught.value.sentence

    assert "nothing, number, maybe" in sentence("")
    assert "nothing, number, maybe" in sentence("fly")
    assert "'fly'" in sentence("fly")
    assert "takes x=…" in sentence("number y=1")
    assert "takes nothing more" in sentence("nothing 5")
    assert "x cannot be 'up': expected a whole number" in sentence("number up")


@settings(max_examples=600)
@given(
    text=st.text(st.characters(), max_size=30) | st.text("numbers xt=,'\"[]{}1 \\", max_size=20).map("numbers ".__add__)
)
def test_no_text_whatsoever_does_anything_but_give_an_action_or_a_refusal(text):
    codes = set()
    try:
        read = parse_action(TALKER, text)
    except Refusal as refused:
        codes.add(refused.code)
    else:
        assert apply_action(TALKER, MATCH, read).ok
        assert parse_action(TALKER, format_action(read)) == read
    assert codes <= {"bad_action", "unknown_action", "bad_payload"}


def test_values_alone_are_read_in_the_order_of_the_fields():
    """`place red 10` is `place bet=red stake=10`; names are needed only where some fields are left out."""
    game = ByHand()

    assert parse_action(game, "lay straight:17 10").payload == {"bet": "straight:17", "stake": 10}
    assert parse_action(game, "lay bet=straight:17 stake=10").payload == {"bet": "straight:17", "stake": 10}
    assert format_action(act("lay", bet="straight:17", stake=10)) == "lay bet=straight:17 stake=10"


class ByHand(Game[Any]):
    id, name, players = "by-hand", "By Hand", (1, 1)

    def setup(self, table):
        return {}

    @action()
    def lay(self, state, turn, bet: str, stake: int):
        return state

    def legal(self, state, turn):
        return ()
