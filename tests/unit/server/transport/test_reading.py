"""Keys that stand twice in JSON are refused, however deep, whatever texts are around them; words of other refusals."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server.problems import Problem
from croupier.server.transport.frames import read_frame
from croupier.server.transport.reading import read_json

texts = st.sampled_from(("", "a", "b", ":", 'a":"b', "{", "\\"))
plain = st.none() | st.integers(-3, 3) | texts


class Pairs(list):
    """An object of JSON as its pairs, in order."""


values = st.recursive(
    plain, lambda inner: st.lists(inner) | st.lists(st.tuples(texts, inner)).map(Pairs), max_leaves=12
)


def written(value) -> str:
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json.dumps(key)} : {written(inner)}" for key, inner in value) + "}"
    return f"[{','.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


def has_a_key_twice(value) -> bool:
    if isinstance(value, Pairs):
        keys = [key for key, _ in value]
        return len(set(keys)) < len(keys) or any(has_a_key_twice(inner) for _, inner in value)
    return isinstance(value, list) and any(map(has_a_key_twice, value))


@given(values)
def test_json_is_refused_exactly_if_an_object_names_a_key_twice(value):
    data = written(value).encode()
    if has_a_key_twice(value):
        with pytest.raises(Problem, match="is there twice"):
            read_json(data, msgspec.json.decode, 100, {})
    else:
        assert read_json(data, msgspec.json.decode, 100, {}) == json.loads(data)


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b'{"name":"\\ud800"}', "a value or a character in the JSON is not finished at $"),
        (b'{"name":"a"', "a value or a character in the JSON is not finished at $"),
        (b'{"name":"a"} x', "JSON is malformed: trailing characters (byte 14) at $"),
    ],
)
def test_json_that_cannot_be_read_is_refused_in_words_that_are_true(data, detail):
    with pytest.raises(Problem) as caught:
        read_json(data, msgspec.json.decode, 100, {})
    assert caught.value.detail == detail


def test_a_binary_message_is_told_that_it_is_one():
    with pytest.raises(Problem, match="a message is text, and this one is binary"):
        read_frame(None, 8)


@pytest.mark.parametrize("kind", ["subscribe", "unsubscribe"])
def test_no_frame_names_a_room_by_what_no_database_holds(kind):
    """In PostgreSQL such a name made whatever was read or written with it fail, for everybody."""
    with pytest.raises(Problem, match="bad_request"):
        read_frame(json.dumps({"type": kind, "match": "m_\0"}), 8)
