"""The formulas of scheme 2 on the page against a few lines of hashlib and hmac: 1,000 vectors each."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.fairness.versions import VersionEntry, digest_of_table, extend_head, first_head, head_message
from tests.web.page_modules import STATIC, call, canonical, commitment_to, facts_of, lp, needs_node, run, u64

pytestmark = needs_node

COUNT = 1_000


def draw_case(random: Random) -> dict[str, Any]:
    """Return parts of every kind a formula takes: present or not, numbers up to 63 bits, text beyond ASCII."""
    letters = "aZ09_-é中\U0001f3b2"
    digest = [b"", random.randbytes(32)]
    name = "".join(random.choices(letters, k=random.randrange(12)))
    seats = [
        {
            "player_id": f"p{place}{name}",
            "commitment": random.choice(digest).hex(),
            "secret": random.choice(digest).hex(),
        }
        for place in range(random.randrange(1, 6))
    ]
    body = {name: random.randrange(2**53), "é": [True, None, {"b": -1, "a": random.randbytes(3).hex()}]}
    return {
        "server_seed": random.randbytes(32).hex(),
        "client_seed": random.randbytes(random.choice([0, 1, 16, 32, 64])).hex(),
        "host_key": random.choice(digest).hex(),
        "account": name,
        "n": random.choice([0, 1, random.getrandbits(40)]),
        "session_id": str(random.choice([0, 7, random.getrandbits(63)])),  # beyond what JSON.parse reads exactly
        "log_head": random.choice(digest).hex(),
        "table_digest": random.choice(digest).hex(),
        "commitment": random.randbytes(32).hex(),
        "seats": seats,
        "entry": {"n": 5, "at": random.getrandbits(41), "kind": "table", "body": body},
    }


def expected(case: dict[str, Any]) -> dict[str, str]:
    """Return what every formula gives, in hex."""
    raw = {name: bytes.fromhex(case[name]) for name in ("server_seed", "client_seed", "host_key")}
    commitment, table = bytes.fromhex(case["commitment"]), bytes.fromhex(case["table_digest"])
    key, session = raw["server_seed"], int(case["session_id"])
    facts = facts_of(case["host_key"], case["account"], case["n"], session, case["log_head"])
    first = case["seats"][0]
    seat = lp("croupier/seat/2", commitment) + bytes(4) + lp(first["player_id"], key)
    seats = lp("croupier/seats/2", commitment, table) + u64(session)
    seats += b"".join(lp(one["player_id"], bytes.fromhex(one["commitment"])) for one in case["seats"])
    digest = sha256(seats).digest()
    secrets = [bytes.fromhex(one["secret"]) for one in case["seats"]]
    match = lp("croupier/match/2", commitment, raw["client_seed"]) + u64(session) + lp(table)
    return {
        "commitment": commitment_to(key, facts).hex(),
        "receipt": (lp("croupier/receipt/2", commitment) + facts).hex(),
        "match": hmac.digest(key, match, "sha256").hex(),
        "seat": sha256(seat).hexdigest(),
        "seats": digest.hex(),
        "room": hmac.digest(key, lp("croupier/room/2", digest, *secrets), "sha256").hex(),
        "share": hmac.digest(key, lp("croupier/share/2") + u64(session), "sha256").hex(),
        "table": sha256(lp("croupier/table/1", canonical(case["entry"]["body"]))).hexdigest(),
        "first": sha256(lp("croupier/log/1", raw["host_key"])).hexdigest(),
        "next": sha256(lp("croupier/log/1", commitment, canonical(case["entry"]))).hexdigest(),
        "head": (lp("croupier/log-head/1") + u64(case["n"]) + lp(commitment)).hex(),
        "old": sha256(key + raw["client_seed"] + b"\x00match/" + case["session_id"].encode()).hexdigest(),
    }


FORMULAS = f"""import * as seeds from "{(STATIC / "lib/seeds.js").as_uri()}";
import {{ toHex }} from "{(STATIC / "lib/sha256.js").as_uri()}";
console.log(JSON.stringify(given.map((one) => {{
  const {{ commitment, server_seed: key, client_seed, table_digest, seats, session_id: id }} = one;
  const pair = {{ scheme: 2, commitment, server_seed: key, client_seed, table_digest }};
  return {{
    commitment: seeds.commitmentTo(key, one),
    receipt: toHex(seeds.receiptMessage(one)),
    match: seeds.matchSeed(pair, id),
    seat: seeds.seatCommitment(commitment, 0, seats[0].player_id, key),
    seats: seeds.seatsDigest(commitment, table_digest, id, seats),
    room: seeds.matchSeed({{ ...pair, client_seed: "", seats }}, id),
    share: seeds.shareToken(key, id),
    table: seeds.tableDigest(one.entry.body),
    first: seeds.firstHead(one.host_key),
    next: seeds.nextHead(commitment, one.entry),
    head: toHex(seeds.headMessage(one.n, commitment)),
    old: seeds.matchSeed({{ commitment, server_seed: key, client_seed }}, id),
  }};
}})));"""


def log_in_python(case: dict[str, Any]) -> dict[str, str]:
    """Return what the library's own functions give for the log; `unit/fairness/test_seeds.py` has those for seeds."""
    entry, head = msgspec.convert(case["entry"], VersionEntry), bytes.fromhex(case["commitment"])
    return {
        "table": digest_of_table(entry.body).hex(),
        "first": first_head(bytes.fromhex(case["host_key"])).hex(),
        "next": extend_head(head, entry).hex(),
        "head": head_message(case["n"], head).hex(),
    }


def test_every_formula_gives_what_hashlib_and_hmac_give_on_the_page_and_those_of_the_log_in_python():
    random = Random(15)
    cases = [draw_case(random) for _ in range(COUNT)]
    for found, case in zip(run(FORMULAS, cases), cases, strict=True):
        assert found == expected(case)
        assert log_in_python(case).items() <= found.items()


PUBLISHED = f"""import * as seeds from "{(STATIC / "lib/seeds.js").as_uri()}";
import {{ toHex }} from "{(STATIC / "lib/sha256.js").as_uri()}";
const matches = given.matches.map((one) => ({{
  ...one,
  commitment: seeds.commitmentTo(one.server_seed, one),
  receipt_message: toHex(seeds.receiptMessage(one)),
  seed: seeds.matchSeed({{ ...one, scheme: 2 }}, one.session_id),
  share: seeds.shareToken(one.server_seed, one.session_id),
}}));
const rooms = given.rooms.map((one) => {{
  const seats = one.seats.map(([player_id, commitment, secret]) => ({{ player_id, commitment, secret }}));
  const digest = seeds.seatsDigest(one.commitment, one.table_digest, one.session_id, seats);
  const seed = seeds.matchSeed({{ ...one, scheme: 2, client_seed: "", seats }}, one.session_id);
  return {{ ...one, seats_digest: digest, seed }};
}});
console.log(JSON.stringify({{ ...given, matches, rooms }}));"""


def test_every_published_vector_of_seeds_holds_in_the_page():
    vectors = json.loads((Path(__file__).parents[1] / "vectors/fairness/seeds.json").read_text())

    assert len(vectors["matches"]) + len(vectors["rooms"]) == 32
    assert run(PUBLISHED, vectors) == vectors


def test_a_server_seed_or_secret_that_is_not_32_bytes_is_refused():
    """HMAC fills keys up with zeros: a shorter one would be the same key as a longer one."""
    attempts = """given.flatMap((key) => [
  () => m.commitmentTo(key, { session_id: 1 }),
  () => m.shareToken(key, 1),
  () => m.seatCommitment("", 0, "p", key),
  () => m.matchSeed({ scheme: 2, commitment: "", server_seed: key, client_seed: "" }, 1),
]).map((work) => { try { return work(); } catch (error) { return error.name; } })"""
    keys = ["", "11" * 31, "11" * 33, "11" * 31 + "0", "AA" * 32]

    assert call("lib/seeds.js", attempts, keys) == ["RangeError"] * 20


def test_a_receipt_holds_for_what_was_signed_and_for_nothing_else():
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    random = Random(16)
    private = ed25519.Ed25519PrivateKey.from_private_bytes(random.randbytes(32))
    case = {**draw_case(random), "host_key": private.public_key().public_bytes_raw().hex(), "session_id": "9", "n": 3}
    receipt = private.sign(bytes.fromhex(expected(case)["receipt"])).hex()
    signed = {**case, "receipt": receipt}
    others = [
        {**signed, name: value}
        for name, value in {
            "commitment": "ab" * 32,
            "account": "somebody else",
            "n": 4,
            "session_id": "10",
            "log_head": "cd" * 32,
            "host_key": "58" + "66" * 31,
            "receipt": receipt[:-2] + "00",
        }.items()
    ]
    held = "given.map((one) => m.holds(one.host_key, () => m.receiptMessage(one), one.receipt))"

    no_hex = {**signed, "receipt": "a signature"}
    assert call("lib/seeds.js", held, [signed, *others, no_hex, {**signed, "host_key": ""}]) == [True] + [False] * 9
