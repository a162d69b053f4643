"""Helpers to run the page's JavaScript modules in Node, and sessions to run them on."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.engine import MatchClient, create_match, get_game, make_record, view_for, write_record
from croupier.fairness import SeedPair
from croupier.fairness.signing import Ed25519Signer

STATIC = Path(__file__).parents[2] / "src/croupier/web/static"
NODE = shutil.which("node")
USUAL = {
    "baccarat": {"player": 5, "banker": 5},
    "blackjack": {"main": 5},
    "casino-war": {"main": 5},
    "craps": {"pass": 5},
    "hi-lo": {"stake": 5},
    "roulette": {"red": 5},
    "sic-bo": {"small": 5},
    "three-card-poker": {"ante": 5},
    "ultimate-texas-holdem": {"ante": 5},
    "video-poker": {"stake": 5},
}

needs_node = pytest.mark.skipif(NODE is None, reason="node runs the modules of the page")


def run(script: str, given: Any = None) -> Any:
    """Return the JSON that a script prints; `given` is a value that it can use under that name."""
    code = f"const given = {json.dumps(given)};\n{script}"
    command = [str(NODE), "--input-type=module", "-"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout)


def call(module: str, expression: str, given: Any = None) -> Any:
    """Return the value of an expression over the exports `m` of a module, which can use `given`."""
    address = (STATIC / module).as_uri()
    return run(f'import * as m from "{address}";\nconsole.log(JSON.stringify({expression}));', given)


def proofs(rounds: list[dict[str, Any]]) -> Any:
    """Return the checks of the page's proof of each record, as name, whether it holds, and text.

    A round is the text of a record, and whichever of `steps`, `kept`, `sessionId` and `ledger` the page would have.
    """
    checks = "m.checkRecord(text, more).checks.map(({ name, ok, text }) => [name, ok, text])"
    return call("lib/proof.js", f"given.map(({{ text, ...more }}) => {checks})", rounds)


HOST = Ed25519Signer(bytes(range(32)))
"""The host of all sessions here."""
HEAD = b"\x33" * 32
"""The head of its log."""


def seal(record: dict[str, Any]) -> str:
    """Return the text of a record with a digest that fits, whatever was changed in it."""
    rest = {name: value for name, value in record.items() if name != "record_digest"}
    return canonical({**rest, "record_digest": sha256(canonical(rest).encode()).hexdigest()})


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def lp(*parts: bytes | str) -> bytes:
    """Return parts with their lengths, four bytes each, before them."""
    raw = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def commitment_of(server_seed: bytes, session: int, n: int, account: str) -> bytes:
    """Return what the host commits to, at one head of its log."""
    facts = lp(bytes.fromhex(HOST.key), account) + u64(n) + u64(session) + lp(HEAD)
    return sha256(lp("croupier/commitment/2") + facts + lp(server_seed)).digest()


def signed_pair(session: int, n: int, client_seed: bytes = b"\x77" * 32, account: str = "p_ann") -> SeedPair:
    """Both parts of a session's seed, with the host's receipt."""
    server_seed = bytes([session % 256]) * 32
    commitment = commitment_of(server_seed, session, n, account)
    facts = lp(bytes.fromhex(HOST.key), account) + u64(n) + u64(session) + lp(HEAD)
    return SeedPair(
        commitment.hex(),
        server_seed.hex(),
        client_seed.hex(),
        scheme=2,
        host_key=HOST.key,
        account=account,
        n=n,
        log_n=4,
        log_head=HEAD.hex(),
        table_digest="44" * 32,
        receipt=HOST.sign(lp("croupier/receipt/2", commitment) + facts).hex(),
    )


def kept_of(pair: SeedPair, session: int, **more: Any) -> dict[str, Any]:
    """Return the note that a player has kept about a session."""
    names = ("commitment", "host_key", "account", "n", "log_n", "log_head", "receipt")
    receipt = {name: getattr(pair, name) for name in names}
    mine = {"client_seed": pair.client_seed, "table_digest": pair.table_digest}
    return {"kind": "session", "session_id": session, "at": 1_700_000_000_000, **receipt, **mine, **more}


def played(game_id: str, session: int) -> dict[str, Any]:
    """A whole session with its record, what its player saw at every step, and what they kept."""
    game: Any = get_game(game_id)
    pair, plan = signed_pair(session, 1), game.plan(USUAL[game_id])
    seed = pair.match_seed(session)
    client = MatchClient(game, create_match(game, ["ann"], seed=seed, session_id=session, host=plan.terms))
    while client.get_state().status == "active":
        client.dispatch(plan.policy(view_for(game, client.get_state(), "ann"), (), None))
    steps = [{"view": json.loads(msgspec.json.encode(view_for(game, match, "ann")))} for match in client.history()]
    text = write_record(make_record(game, client.base, client.get_log(), commitments=pair)).decode()
    record = json.loads(text)
    asked = {"game": game_id, "options": record["options"], "stake": record.get("stake", 0), "super": False}
    kept = {"schema": 1, "kept": [kept_of(pair, session, **asked)], "log": None}
    return {"text": text, "steps": steps, "kept": kept}
