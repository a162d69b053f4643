"""Attacks of a table or a forger on the page: each of these was once taken for good."""

from __future__ import annotations

from hashlib import sha512
from typing import Any

import pytest
from msgspec.structs import replace

pytest.importorskip("cryptography")

from croupier.fairness.dice import Ed25519Signer, Ed25519Verifier, Stakes
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import Equivocation, Lock, Objection, Void, stakes_bytes, write_message
from croupier.fairness.dice.table import Round, open_table
from tests.unit.fairness.curve import Y8, L, P, Point, add, on_curve, times
from tests.web.dice.room import noise
from tests.web.dice.tables import (
    CHAIN,
    NAMES,
    SIGNERS,
    Case,
    Listening,
    Sitting,
    ask_page,
    close_over,
    commit_to,
    judge,
    sign,
)  # fmt: skip
from tests.web.page_modules import STATIC, needs_node, run

pytestmark = needs_node


# Rounds that a table makes up.


class Rogue:
    """A table that signs whatever it likes; the players answer as they should."""

    def __init__(self) -> None:
        self.played = Sitting().done()
        self.table, self.events = self.played.tables[-1], list[Any]()

    def tell(self, message: Any) -> Any:
        event = message if isinstance(message, Equivocation) else sign(message, self.table)
        self.events.append(event)
        self.table = step(self.table, event, Ed25519Verifier()).table
        return event

    def lock(self, *without: str) -> Any:
        left_out = {SIGNERS[name].key for name in without}
        roster = tuple(key for key in self.table.roster(0) if key not in left_out)
        book = self.table.book
        digest = stakes_bytes(Stakes(1), self.table.terms.session_id, book).hex()
        return self.tell(Lock(1, roster, (), digest, self.table.transcript, book.hex(), 1, "", "", 0, ()))

    def commits(self) -> None:
        for name in ("table", *NAMES):
            secret = CHAIN.value(1) if name == "table" else noise(name)
            self.tell(commit_to(self.on, SIGNERS[name].key, 0, secret))

    @property
    def on(self) -> Round:
        assert self.table.round is not None
        return self.table.round


def without_ann(rogue: Rogue) -> None:
    """A player who is not in the roster has no part in the dice: the table and a partner make them alone."""
    rogue.lock("ann")


def two_copies_of_one_lock(rogue: Rogue) -> None:
    """The list of stakes is a copy, under the digest alone: another copy is no second LOCK."""
    lock = rogue.lock()
    rogue.tell(Equivocation(lock, replace(lock, stakes=("00",))))


def void_with_all_commitments(rogue: Rogue) -> None:
    rogue.lock()
    rogue.commits()
    rogue.tell(Void(1, "too_few", ()))


def objection_after_close(rogue: Rogue) -> None:
    """By a seat whose commitment is in K, and which has agreed to the stakes by it."""
    rogue.lock()
    rogue.commits()
    rogue.tell(close_over(rogue.on, rogue.on.standing()))
    rogue.tell(Objection(1, SIGNERS["bob"].key, "stakes_differ", None))


@pytest.mark.parametrize(
    ("attack", "code"),
    [
        (without_ann, "wrong_roster"),
        (two_copies_of_one_lock, "no_proof"),
        (void_with_all_commitments, "void_unfounded"),
        (objection_after_close, "too_late"),
    ],
)
def test_a_round_that_the_table_has_made_up_is_refused(attack, code, tmp_path):
    rogue = Rogue()
    attack(rogue)
    case = Case(0, len(rogue.played.events), [write_message(event).decode() for event in rogue.events])
    verifier = Listening()
    expected = judge(rogue.played, case, verifier)
    found = ask_page([rogue.played], [case], verifier.held | held_in(rogue), 1, tmp_path)

    assert expected[:-2] == [""] * (len(rogue.events) - 1) + [code]
    assert found["signed"] == found["verdicts"] == [expected]


def held_in(rogue: Rogue) -> set[str]:
    """The signatures of everyone who sat down."""
    verifier, table = Listening(), open_table(rogue.played.terms)
    for event in rogue.played.events:
        table = step(table, event, verifier).table
    return verifier.held


# Signatures under keys that belong to nobody, and others on the edge.


def coded(point: Point) -> bytes:
    return _number(point[1] | (point[0] & 1) << 255)


def _number(value: int) -> bytes:
    return value.to_bytes(32, "little")


def challenge(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % L


def crafted_signatures() -> dict[str, tuple[bytes, bytes, bytes]]:
    """Name, key, message and signature of cases on which implementations of Ed25519 are known to differ."""
    base, eighth, message = on_curve(4 * pow(5, -1, P) % P, 0), on_curve(Y8, 0), b"hello"
    signer = Ed25519Signer(noise("signer"))
    key, honest = bytes.fromhex(signer.key), signer.sign(message)
    secret = int.from_bytes(sha512(noise("signer")).digest()[:32], "little") & ((1 << 254) - 8) | 1 << 254
    s = int.from_bytes(honest[32:], "little")
    cases = {
        "honest": (key, message, honest),
        "short": (key, message, honest[:63]),
        "long": (key, message, honest + b"0"),
    }
    cases |= {"half a key": (key[:31], message, honest), "no point": (b"\xff" * 32, message, honest)}
    for k in (1, 2, 7, 15):
        if s + k * L < 2**256:
            cases[f"S + {k} L"] = (key, message, honest[:32] + _number(s + k * L))
    for j in range(1, 8):
        mixed, torsion = coded(add(times(secret, base), times(j, eighth))), times(j, eighth)
        for r in range(1, 30):
            point = coded(times(r, base))
            k = challenge(point, mixed, message)
            cases[f"key with torsion {j}, {r}"] = (mixed, message, point + _number((r + k * secret) % L))
        point = coded(add(times(9, base), torsion))
        k = challenge(point, key, message)
        cases[f"R with torsion {j}"] = (key, message, point + _number((9 + k * secret) % L))
    for y in (0, 1, P - 1, Y8, P - Y8, P, P + 1):
        for bit in (0, 1):
            for t in range(1, 9):
                weak = _number(y | bit << 255)
                cases[f"small order {y % P} of {y}, {bit}, {t}"] = (weak, message, coded(times(t, base)) + _number(t))
    for over in range(2, 19):
        cases[f"key beyond the field by {over}"] = (_number(P + over), message, coded(base) + bytes(32))
    for name, point in (("", coded((0, 1))), (" beyond", _number(P + 1)), (" with a sign", _number(1 | 1 << 255))):
        k = challenge(point, key, message)
        cases[f"R is zero{name}"] = (key, message, point + _number(k * secret % L))
    for size in (0, 1, 47, 48, 63, 64, 111, 112, 127, 128, 239, 240, 4096):
        text = noise("text") * 128
        cases[f"a message of {size}"] = (key, text[:size], signer.sign(text[:size]))
    return cases


VERIFY = f"""const {{ verify }} = await import("{(STATIC / "lib/ed25519.js").as_uri()}");
const {{ fromHex }} = await import("{(STATIC / "lib/sha256.js").as_uri()}");
console.log(JSON.stringify(given.map((one) => verify(...one.map(fromHex)))));"""


def test_both_verifiers_agree_on_signatures_that_are_made_to_divide_them():
    cases = crafted_signatures()
    verifier = Ed25519Verifier()
    found = run(VERIFY, [[part.hex() for part in case] for case in cases.values()])

    assert dict(zip(cases, found, strict=True)) == {name: verifier.verify(*case) for name, case in cases.items()}
    weak = [holds for name, holds in zip(cases, found, strict=True) if name.startswith("small order")]
    assert len(weak) == 112
    assert not any(weak)
    assert found[0] is True
