"""The beacon, beside a second implementation of the curve (pyblst)."""

from __future__ import annotations

import itertools
import json
import sys
from hashlib import sha256
from pathlib import Path

import pyblst  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from croupier.chain import beacon
from croupier.chain.errors import BadShare
from croupier.rng import GameRng
from tests.unit.chain.world import keys

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "chain" / "beacon.json").read_text())
GROUP, SECRETS = keys()
SIGNED = beacon.message("dice", 7)
G2 = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)


def blst_verify(key: bytes, signed: bytes, signature: bytes) -> bool:
    """Verification by the other library, from its primitives."""
    one, two = pyblst.BlstP1Element, pyblst.BlstP2Element
    left = pyblst.miller_loop(one.uncompress(signature), two.uncompress(G2))
    right = pyblst.miller_loop(one.hash_to_group(signed, beacon.SUITE), two.uncompress(key))
    return bool(pyblst.final_verify(left, right))


def shares() -> dict[int, bytes]:
    return {index: beacon.sign(secret, SIGNED) for index, secret in enumerate(SECRETS, 1)}


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: f"height {case['height']}")
def test_the_published_vectors(case):
    """Made by tools with the other library alone: tests/vectors/README.md."""
    signed = beacon.message(case["chain_id"], case["height"])
    assert signed.hex() == case["message"]
    made = {i: beacon.sign(bytes.fromhex(secret), signed) for i, secret in enumerate(VECTORS["secrets"], 1)}
    assert [made[i].hex() for i in sorted(made)] == case["shares"]
    signature = beacon.combine(made, 3)
    assert signature.hex() == case["signature"]
    assert beacon.seed_of(signature).hex() == case["seed"]
    rng = GameRng.new(beacon.seed_of(signature), case["session_id"], case["move_number"])
    assert [rng.roll_die() for _ in range(len(case["dice"]))] == case["dice"]


def test_both_libraries_agree_on_shares_and_signature():
    made = shares()
    for index, share in made.items():
        other = pyblst.BlstP1Element.hash_to_group(SIGNED, beacon.SUITE).scalar_mul(
            int.from_bytes(SECRETS[index - 1], "big")
        )
        assert other.compress() == share
        assert blst_verify(GROUP.shares[index - 1], SIGNED, share)
    assert blst_verify(GROUP.group, SIGNED, beacon.combine(made, 3))


def test_any_three_of_four_make_the_same_signature_and_two_make_none():
    made = shares()
    found = {beacon.combine({i: made[i] for i in some}, 3) for some in itertools.combinations(made, 3)}

    assert len(found) == 1
    assert beacon.verify(GROUP.group, SIGNED, found.pop())
    with pytest.raises(BadShare):
        beacon.combine({1: made[1], 2: made[2]}, 3)


def test_two_shares_taken_for_three_do_not_verify():
    made = shares()

    assert not beacon.verify(GROUP.group, SIGNED, beacon.combine({1: made[1], 2: made[2], 3: made[1]}, 3))


@pytest.mark.parametrize(
    "forged",
    [
        b"",
        bytes(48),
        bytes([0xC0]) + bytes(47),  # the identity
        bytes([0x80]) + bytes(46) + b"\x01",
        b"\xff" * 48,
        bytes(96),
        bytes(1_000_000),
    ],
)
def test_bytes_that_are_no_point_or_the_identity_are_no_signature(forged):
    before = sys.getrefcount(forged)
    assert not beacon.verify(GROUP.group, SIGNED, forged)
    assert len(forged) <= 48 or sys.getrefcount(forged) == before  # a liar's vote may be a million bytes long


def test_a_point_of_the_wrong_subgroup_is_no_signature():
    # x = 4 is the smallest x on the curve y² = x³ + 4 outside the prime-order subgroup: 4³ + 4 = 68 is a square.
    prime = int("1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16)
    assert pow(68, (prime - 1) // 2, prime) == 1
    outside = bytes([0x80]) + bytes(46) + b"\x04"

    assert not beacon.verify(GROUP.group, SIGNED, outside)
    with pytest.raises(ValueError, match="GROUP"):
        pyblst.BlstP1Element.uncompress(outside)


def test_the_identity_is_no_key():
    identity = bytes([0xC0]) + bytes(95)

    assert not beacon.verify(identity, SIGNED, bytes([0xC0]) + bytes(47))
    with pytest.raises(BadShare):
        beacon.check_keys(replace(GROUP, group=identity))


def test_keys_that_are_not_of_one_polynomial_are_refused():
    beacon.check_keys(GROUP)
    swapped = (GROUP.shares[1], GROUP.shares[0], *GROUP.shares[2:])
    with pytest.raises(BadShare):
        beacon.check_keys(replace(GROUP, shares=swapped))
    with pytest.raises(BadShare):
        beacon.check_keys(replace(GROUP, group=GROUP.shares[0]))


def test_a_share_is_for_one_height_and_one_chain():
    made = shares()

    assert not beacon.verify(GROUP.shares[0], beacon.message("dice", 8), made[1])
    assert not beacon.verify(GROUP.shares[0], beacon.message("dicf", 7), made[1])
    assert not beacon.verify(GROUP.shares[1], SIGNED, made[1])


def test_no_two_messages_are_equal():
    # The length before the id keeps ("a", …) and ("a\0", …) apart.
    found = {beacon.message(chain, height) for chain in ("", "a", "a\0", "ab") for height in range(300)}
    assert len(found) == 4 * 300


@pytest.mark.parametrize("secret", [bytes(32), beacon.ORDER.to_bytes(32, "big"), b"short"])
def test_a_secret_out_of_range_is_refused(secret):
    with pytest.raises(BadShare):
        beacon.sign(secret, SIGNED)


def test_the_seed_is_a_hash_with_a_tag_and_a_length():
    assert beacon.seed_of(b"T") == sha256(b"\0\0\0\x0fcroupier/seed/1\0\0\0\x01T").digest()
