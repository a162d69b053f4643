"""Signatures: the published vectors of Ed25519, keys that belong to nobody, and life without the extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from croupier.errors import BadSeed, CroupierError
from croupier.fairness import signing
from croupier.fairness.dice import Ed25519Signer, Ed25519Verifier
from croupier.fairness.signing import MissingExtra
from tests.unit.fairness.curve import Y8, P, on_curve, times
from tools.adversaries import MacSigner, MacVerifier

ROOT = Path(__file__).parents[3]

# RFC 8032, section 7.1: secret key, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS, ids=["empty", "two bytes"])
def test_ed25519_gives_the_published_signatures(secret, public, message, signature):
    signer, verifier = Ed25519Signer(bytes.fromhex(secret)), Ed25519Verifier()

    assert signer.key == public
    assert signer.sign(bytes.fromhex(message)).hex() == signature
    assert verifier.verify(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))


def test_a_changed_message_key_or_signature_does_not_hold():
    signer, other, verifier = Ed25519Signer(bytes(32)), Ed25519Signer(b"\x01" * 32), Ed25519Verifier()
    key, signature = bytes.fromhex(signer.key), signer.sign(b"seven")

    assert verifier.verify(key, b"seven", signature)
    assert not verifier.verify(key, b"eleven", signature)
    assert not verifier.verify(bytes.fromhex(other.key), b"seven", signature)
    for place in range(64):
        assert not verifier.verify(key, b"seven", signature[:place] + b"\x55" + signature[place + 1 :] + b"")


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64), b"\xff" * 64, bytes(65)])
@pytest.mark.parametrize("key", [b"", bytes(31), bytes(32), b"\xff" * 32, bytes(33)])
def test_nonsense_is_no_signature_and_no_error(key, signature):
    assert not Ed25519Verifier().verify(key, b"seven", signature)


def test_nothing_holds_under_a_key_of_small_order():
    """Under the point (0, 1) the signature (0, 1) with scalar 0 would hold for every message there is."""
    points = {times(number, on_curve(Y8, 0)) for number in range(8)}  # all whose order divides 8
    verifier = Ed25519Verifier()
    forgery = (1).to_bytes(32, "little") + bytes(32)

    assert times(8, on_curve(Y8, 0)) == (0, 1)
    assert len(points) == 8
    for x, y in points:
        for shown in {y, y + P} if y + P < 2**255 else {y}:
            for sign in (x & 1, 1 - (x & 1)):
                key = (shown | sign << 255).to_bytes(32, "little")
                assert signing._public_key(key) is None
                assert not verifier.verify(key, b"seven", forgery)


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "0" * 32, None])
def test_a_secret_key_is_32_bytes(secret):
    with pytest.raises(BadSeed, match="32 random bytes"):
        Ed25519Signer(secret)


def test_a_signer_does_not_show_its_secret():
    assert "01" * 8 not in repr(Ed25519Signer(b"\x01" * 32)).replace(Ed25519Signer(b"\x01" * 32).key, "")


def test_without_the_package_the_error_names_the_extra_and_the_rest_works():
    """In a process of its own, in which `cryptography` cannot be imported."""
    program = (
        "import sys; sys.modules['cryptography'] = None\n"
        "from tools.adversaries import SCENARIOS, simulate\n"
        "from croupier.fairness.signing import Ed25519Verifier, MissingExtra\n"
        "print(simulate(SCENARIOS['honest'], 2).rolls)\n"
        "try:\n    Ed25519Verifier()\n"
        "except MissingExtra as error:\n    print(error.code, error)\n"
    )

    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert answer.stdout.splitlines() == [
        "2",
        "missing_extra Ed25519 signatures need the extra [fair]: pip install 'croupier[fair]'",
    ]
    assert issubclass(MissingExtra, (CroupierError, ImportError))


def test_importing_the_protocol_does_not_import_the_package():
    program = "import sys; import croupier.fairness.dice; print('cryptography' in sys.modules)"

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert answer.stdout == "False\n"


def test_the_signatures_of_simulations_hold_for_their_own_key_alone():
    ann, verifier = MacSigner("ann"), MacVerifier()
    key, signature = bytes.fromhex(ann.key), ann.sign(b"seven")

    assert len(signature) == 64
    assert verifier.verify(key, b"seven", signature)
    assert not verifier.verify(key, b"eight", signature)
    assert not verifier.verify(bytes.fromhex(MacSigner("bob").key), b"seven", signature)
    assert not MacVerifier(b"another").verify(key, b"seven", signature)
