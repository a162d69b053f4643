"""The beacon: a threshold BLS12-381 signature over the height, how it is verified, and the seed that follows from it.

    M(h)     lp("croupier/beacon/1") ‖ lp(chain id) ‖ u64 h          lp: four bytes of length, then the bytes
    share    hash_to_G1(M(h)) · secret share of a validator          48 bytes, compressed, on G1; keys are on G2
    T(h)     the interpolation at 0 of any 2f+1 shares               the same bytes whichever they are
    seed(h)  SHA-256(lp("croupier/seed/1") ‖ lp(T(h)))

Nothing but chain and height is signed, so no proposer, round, order or content has any influence on a seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct
from py_arkworks_bls12381 import GT, G1Point, G2Point, Scalar

from croupier.chain.errors import BadShare
from croupier.fairness.seeds import join, u64

ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
SIGNATURE_BYTES, KEY_BYTES, SECRET_BYTES = 48, 96, 32
_INFINITY = 0x40  # the flag of the identity in the first byte of a compressed point
_G2 = G2Point()


class BeaconKeys(Struct, frozen=True):
    """The public keys: the group's, and a validator's at index i + 1 of the polynomial."""

    group: bytes
    shares: tuple[bytes, ...]


def threshold_of(count: int) -> int:
    """Return how many shares make a signature among so many validators: more than two thirds, 2f+1 of 3f+1.

    >>> [threshold_of(count) for count in (1, 4, 7, 10)]
    [1, 3, 5, 7]
    """
    return 2 * count // 3 + 1


def message(chain_id: str, height: int) -> bytes:
    """Return what is signed for a height.

    >>> message("dice", 7).hex()
    '0000001163726f75706965722f626561636f6e2f3100000004646963650000000000000007'
    """
    return join(b"croupier/beacon/1", chain_id.encode()) + u64(height)


def seed_of(signature: bytes) -> bytes:
    """Return the seed of a height from its signature."""
    return sha256(join(b"croupier/seed/1", signature)).digest()


def sign(secret: bytes, signed: bytes) -> bytes:
    """Return a validator's share of the signature."""
    return (_hashed(signed) * _secret_scalar(secret)).to_compressed_bytes()


def public_share(secret: bytes) -> bytes:
    """Return the public key of a secret share."""
    return (_G2 * _secret_scalar(secret)).to_compressed_bytes()


def verify(key: bytes, signed: bytes, signature: bytes) -> bool:
    """Tell whether a signature or share is that of a key. Identity points and wrong subgroups never are."""
    return len(signature) == SIGNATURE_BYTES and not signature[0] & _INFINITY and _is_of(key, signed, signature)


@lru_cache(maxsize=4096)
def _is_of(key: bytes, signed: bytes, signature: bytes) -> bool:
    try:
        point = G1Point.from_compressed_bytes(signature)  # checks curve and subgroup
        public = _read_key(key)
    except ValueError:  # what is not a point, and BadShare
        return False
    return GT.pairing_check([point, -_hashed(signed)], [_G2, public])


def combine(shares: Mapping[int, bytes], threshold: int) -> bytes:
    """Return the signature from verified shares by index, counted from 1; `BadShare` if there are too few."""
    indices = sorted(shares)[:threshold]
    if len(indices) < threshold:
        raise BadShare(f"{len(indices)} shares; a signature takes {threshold}")
    points = [G1Point.from_compressed_bytes(shares[index]) for index in indices]
    scalars = [_scalar(weight) for weight in _weights(indices, 0)]
    return G1Point.multiexp_unchecked(points, scalars).to_compressed_bytes()


def check_keys(keys: BeaconKeys) -> None:
    """Raise `BadShare` unless every key is a point and all lie on one polynomial of the right degree."""
    threshold = threshold_of(len(keys.shares))
    points = [_read_key(key) for key in keys.shares]
    first = list(range(1, threshold + 1))
    for index, expected in [(0, _read_key(keys.group)), *enumerate(points[threshold:], threshold + 1)]:
        scalars = [_scalar(weight) for weight in _weights(first, index)]
        if G2Point.multiexp_unchecked(points[:threshold], scalars) != expected:
            raise BadShare(f"key {index} is not on the polynomial of the first {threshold}")


def deal(coefficients: Sequence[bytes], count: int) -> tuple[BeaconKeys, tuple[bytes, ...]]:
    """Return public keys and the validators' secret shares from a polynomial, its constant first.

    Whoever calls this knows every secret: it is the dealer of a network for tests and demonstrations.
    """
    if len(coefficients) != threshold_of(count):
        raise BadShare(f"{count} validators take {threshold_of(count)} coefficients, got {len(coefficients)}")
    numbers = [int.from_bytes(coefficient, "big") % ORDER for coefficient in coefficients]
    secrets = tuple(
        (sum(number * pow(x, power, ORDER) for power, number in enumerate(numbers)) % ORDER).to_bytes(32, "big")
        for x in range(count + 1)
    )
    publics = [public_share(secret) for secret in secrets]
    return BeaconKeys(publics[0], tuple(publics[1:])), secrets[1:]


@lru_cache(maxsize=64)
def _hashed(signed: bytes) -> G1Point:
    return G1Point.hash_to_curve(signed, SUITE)


@lru_cache(maxsize=256)
def _read_key(key: bytes) -> G2Point:
    if len(key) != KEY_BYTES or key[0] & _INFINITY:
        raise BadShare(f"a public key is {KEY_BYTES} bytes and not the identity")
    try:
        return G2Point.from_compressed_bytes(key)
    except ValueError as error:
        raise BadShare(f"this is no public key: {error}") from None


def _secret_scalar(secret: bytes) -> Scalar:
    if len(secret) != SECRET_BYTES or not 0 < int.from_bytes(secret, "big") < ORDER:
        raise BadShare(f"a secret share is {SECRET_BYTES} bytes, a number from 1 to below the order")
    return Scalar.from_be_bytes(secret)


def _scalar(number: int) -> Scalar:
    return Scalar.from_be_bytes((number % ORDER).to_bytes(32, "big"))


def _weights(indices: Sequence[int], at: int) -> list[int]:
    """Return the Lagrange coefficients of these indices for the value at a place."""
    weights = []
    for i in indices:
        top = bottom = 1
        for j in indices:
            if j != i:
                top, bottom = top * (at - j) % ORDER, bottom * (i - j) % ORDER
        weights.append(top * pow(bottom, -1, ORDER) % ORDER)
    return weights
