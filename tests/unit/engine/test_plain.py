"""Canonical JSON: which plain values may be stored, the one way to write them, and the digest of a state."""

import json
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.engine import act, apply_action, canonical, state_digest
from croupier.engine.plain import not_plain
from tests.unit.engine.counting import nested, written

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(value=json_values)
def test_the_canonical_form_is_sorted_json_without_spaces(value):
    """The standard library writes the same, but for control characters, which it may escape in another way."""
    text = canonical(value)

    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text
    # Keys are in the order of their code points, as in UTF-8.
    expected = written(value)
    if "\\" not in expected and "\x7f" not in expected:
        assert text == expected.encode()
    assert not_plain(value) is None


@given(value=st.dictionaries(st.text(max_size=4), st.integers(0, 9), min_size=2, max_size=6))
def test_the_order_in_which_a_dict_was_filled_does_not_matter(value):
    turned = dict(reversed(list(value.items())))

    assert canonical(turned) == canonical(value)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"tiles": [1, {2}]}, "a set at $.tiles[1] is not plain JSON"),
        ((1, 2), "a tuple at $ is not plain JSON"),
        ([1, (2,)], "a tuple at $[1] is not plain JSON"),
        ({"a": {"b": b""}}, "a bytes at $.a.b is not plain JSON"),
        (float("nan"), "the number nan at $ is not plain JSON"),
        ([float("-inf")], "the number -inf at $[0] is not plain JSON"),
        ({1: 2}, "the key 1 at $ is not plain JSON"),
        ({"a": {None: 2}}, "the key None at $.a is not plain JSON"),
        ({"\ud800": 2}, "the key '\\ud800' at $ is not plain JSON"),
        (["\udfff"], "text that is not Unicode at $[0] is not plain JSON"),
        (object, "a type at $ is not plain JSON"),
        (OrderedDict(a=1), "a OrderedDict at $ is not plain JSON"),
    ],
    ids=ascii,
)
def test_what_is_not_plain_is_named_with_its_path(value, sentence):
    assert not_plain(value) == sentence


@pytest.mark.parametrize("value", [1.5, -0.0, 1e300, "é", "\x00", "", [], {}, [[]], {"": {}}])
def test_finite_floats_and_any_text_are_plain(value):
    assert not_plain(value) is None


def test_tuples_pass_where_they_are_let_pass():
    assert not_plain({"x": (1, (2, 3))}, tuples=True) is None
    assert not_plain({"x": (1, {2})}, tuples=True) == "a set at $.x[1] is not plain JSON"


def test_nesting_has_an_end():
    assert not_plain(nested(60)) is None
    for levels in (70, 1_000, 100_000):
        assert "nested too deeply" in (not_plain(nested(levels)) or "")


def test_the_digest_leaves_the_time_out_and_takes_everything_else_in(pig, start):
    match = start(pig)
    changed = [
        start(pig, seed=b"other"),
        start(pig, session_id=1),
        start(pig, match_id="m"),
        start(pig, ["a", "c"]),
        start(pig, starting_player="b"),
        start(pig, options={"goal": 99}),
        apply_action(pig, match, act("roll")).state,
    ]

    digests = {state_digest(other) for other in changed}

    assert len(digests) == len(changed)
    assert state_digest(match) not in digests
    assert state_digest(start(pig, now=5)) == state_digest(match)
    assert len(state_digest(match)) == 64
