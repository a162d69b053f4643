"""The page's own generator, SHA-256, JSON, signatures and proof, against the published vectors and against Python."""

from __future__ import annotations

import json
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from croupier.engine import canonical
from tests.web.page_modules import HOUSE_GAMES, STATIC, call, needs_node, node, played, proofs, run

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests/vectors/rng"
NAMES = [path.name for path in sorted(VECTORS.glob("v*.json"))]

pytestmark = needs_node


def test_every_published_vector_holds_in_the_page():
    answer = node(Path(__file__).with_name("vectors.mjs"), STATIC, VECTORS, *NAMES)

    assert len(NAMES) == 13
    assert answer["wrong"] == []
    assert answer["held"] > 120


def test_json_is_read_without_loss_and_written_in_the_canonical_way():
    values: list[Any] = [
        {"b": [1, -2, 2**53, 2**64 - 1, -(2**63)], "a": 'é\n\t"\\\u2028\x7f', "": None, "ab": [True, False, {}, []]},
        {"\U0001f3b2": 1, "\uffee": 2, "z": {"y": "\U0001f3b2"}},
    ]
    texts = [canonical(value).decode() for value in values]

    assert call("lib/json.js", "given.map((text) => m.canonicalJson(m.parseJson(text)))", texts) == texts


@pytest.mark.parametrize("text", ['{"a":1,"a":2}', "[1,]", "01", '{"a"}', "nul", "1 2", '"\\x"', "[" * 200 + "]" * 200])
def test_invalid_json_is_refused(text):
    attempt = '(() => { try { m.parseJson(given); return "read"; } catch (error) { return error.name; } })()'

    assert call("lib/json.js", attempt, text) == "SyntaxError"


def test_signatures_are_those_of_the_standard():
    """RFC 8032, section 7.1: tests 1 to 3; and SHA-512 of every length around its block."""
    cases = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
        ),
    ]
    script = f"""import * as ed from "{(STATIC / "lib/ed25519.js").as_uri()}";
import {{ fromHex, toHex }} from "{(STATIC / "lib/sha256.js").as_uri()}";
console.log(JSON.stringify({{
  signed: given.cases.map(([seed, key, message]) => {{
    const [k, m] = [ed.publicKey(fromHex(seed)), fromHex(message)];
    const signature = ed.sign(fromHex(seed), m);
    const flipped = signature.slice(); flipped[3] ^= 1;
    const other = Uint8Array.from([...m, 1]);
    const held = [[m, signature], [m, flipped], [other, signature]].map(([text, sign]) => ed.verify(k, text, sign));
    return [toHex(k), toHex(signature), ...held];
  }}),
  hashes: given.lengths.map((length) => toHex(ed.sha512(new Uint8Array(length).fill(length)))),
}}));"""
    lengths = [0, 1, 111, 112, 113, 127, 128, 129, 240, 255]
    answer = run(script, {"cases": cases, "lengths": lengths})

    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    for (seed, key, message), found in zip(cases, answer["signed"], strict=True):
        signature = ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)).sign(bytes.fromhex(message))
        assert found == [key, signature.hex(), True, False, False]
    assert answer["hashes"] == [sha512(bytes([length]) * length).hexdigest() for length in lengths]


def checks_of(rounds):
    """Return what became of every check of every round, as name and whether it holds."""
    return [[[name, ok] for name, ok, _ in checks] for checks in proofs(rounds)]


KEPT = ["kept", "receipt", "mine", "client seed", "asked", "count", "log"]


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_the_proof_holds_for_honest_rounds_of_every_house_game(game_id):
    rounds = [played(game_id, session) for session in range(25)]

    for checks in checks_of(rounds):
        expected = ["form", "seal", "commitment", "seed", *KEPT, "draws", "states", "lines"]
        assert checks == [[name, True] for name in expected]


@pytest.mark.parametrize("game_id", HOUSE_GAMES)
def test_a_card_die_or_pocket_that_was_changed_is_found(game_id):
    """The table shows something else than the stream gave: one card, face or pocket differs in the last view."""
    honest = played(game_id, 4)
    game = honest["steps"][-1]["view"]["game"]
    if game_id == "craps":
        game["table"]["history"][-1][2] = game["table"]["history"][-1][2] % 6 + 1
    elif game_id == "blackjack":
        game["dealer"][-1] = (game["dealer"][-1] + 1) % 52
    elif game_id == "hi-lo":
        for step in honest["steps"]:
            step["view"]["game"]["cards"][0] = (step["view"]["game"]["cards"][0] + 1) % 52
    else:
        field, top = {"roulette": ("pockets", 37), "sic-bo": ("dice", 6)}.get(game_id, ("", 52))
        field = field or next(name for name in ("dealer", "banker", "cards") if game.get(name))
        low = int(game_id == "sic-bo")
        held = game.get("held", [])
        place = next(i for i in range(len(game[field])) if i not in held) if game_id == "video-poker" else 0
        game[field][place] = (game[field][place] - low + 1) % top + low
    (checks,) = checks_of([honest])

    assert ["draws", False] in checks
    assert ["states", False] in checks


def test_a_record_that_was_changed_is_found():
    honest = played("roulette", 1)
    record = json.loads(honest["text"])
    changes = [
        ("seal", {**record, "match_id": "other"}),
        ("commitment", {**record, "commitments": {**record["commitments"], "server_seed": "00" * 32}}),
        ("commitment", {**record, "session_id": 2}),
        ("seed", {**record, "seed": "ab" * 32}),
    ]
    for name, changed in changes:
        text = canonical(changed).decode()
        (checks,) = checks_of([{**honest, "text": text}])
        assert [name, False] in checks
    (checks,) = checks_of([{**honest, "sessionId": 2}])
    assert ["session", False] in checks
    (checks,) = checks_of([{**honest, "text": honest["text"].replace(":", ": ", 1)}])
    assert ["form", False] in checks
