"""Merkle trees: roots against a slow definition, incremental against whole, proofs that hold and proofs that do not."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.chain import merkle
from croupier.chain.errors import BadProof
from croupier.engine.plain import canonical
from tests.unit.chain.oracle import slow_list_root, slow_root

SETTINGS = settings(derandomize=True, deadline=None, max_examples=60)
values = st.dictionaries(st.text(max_size=6), st.binary(max_size=6), max_size=40)


def put(tree: merkle.Node, values: dict[str, bytes]) -> merkle.Node:
    return merkle.update(tree, {key: sha256(value).digest() for key, value in values.items()})


@SETTINGS
@given(values, values)
def test_an_incremental_root_is_the_root_of_all_values(first, second):
    tree = put(put(None, first), second)

    assert merkle.root_of(tree) == slow_root({**first, **second})


@SETTINGS
@given(values, st.text(max_size=6), st.binary(max_size=6))
def test_a_proof_holds_for_the_value_and_for_no_other(given_values, key, other):
    tree = put(None, given_values)
    root, proof, value = merkle.root_of(tree), merkle.prove(tree, key), given_values.get(key)

    assert merkle.verify_value(root, key, value, proof)
    for wrong in (other, b"x" + other, None):
        if wrong != value:
            assert not merkle.verify_value(root, key, wrong, proof)
    if proof.siblings:
        forged = replace(proof, siblings=("0" * 959 + "1", *proof.siblings[1:]))
        assert not merkle.verify_value(root, key, value, forged)


def test_a_leaf_elsewhere_proves_no_absence():
    tree = put(None, {str(i): b"v" for i in range(64)})
    far = next(str(i) for i in range(1, 64) if merkle.prove(tree, str(i)).siblings != merkle.prove(tree, "0").siblings)
    stolen = merkle.prove(tree, far)
    pretended = merkle.StateProof(stolen.siblings, (sha256(far.encode()).hexdigest(), sha256(b"v").hexdigest()))

    assert not merkle.verify_value(merkle.root_of(tree), "0", None, pretended)


@pytest.mark.parametrize("count", range(18))
def test_every_event_of_a_list_is_proved_at_its_place_alone(count):
    events = [b"event %d" % i for i in range(count)]
    root = merkle.events_root(events)

    assert root == slow_list_root(events)
    for index, event in enumerate(events):
        proof = merkle.event_proof(events, index)
        assert merkle.verify_event(root, event, proof)
        assert not merkle.verify_event(root, event + b"!", proof)
        assert not merkle.verify_event(root, event, replace(proof, count=count + 1))
        assert not merkle.verify_event(root, event, replace(proof, siblings=(*proof.siblings, "0" * 64)))
        for other in set(range(count)) - {index}:
            assert not merkle.verify_event(root, event, replace(proof, index=other))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"siblings":["zz"]}',
        b'{"siblings":["' + b"A" * 960 + b'"]}',
        b'{"siblings":["' + b"0" * 896 + b'"]}',
        canonical({"siblings": [], "more": 1}),
        b'{"siblings":' + b"[" * 5000,
    ],
)
def test_a_proof_beyond_its_bounds_is_not_read(data):
    with pytest.raises(BadProof):
        merkle.read_proof(data, merkle.StateProof)


def test_a_proof_goes_through_json():
    tree = put(None, {str(i): b"v" for i in range(100)})
    proof = merkle.prove(tree, "7")

    assert merkle.read_proof(canonical(proof), merkle.StateProof) == proof
