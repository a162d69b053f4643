"""Helpers to run the page's JavaScript modules in Node, and sessions to run them on."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import reduce
from hashlib import sha256
from operator import getitem
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.engine import Match, MatchClient, create_match, get_game, list_games, make_record, view_for, write_record
from croupier.fairness import SeedPair
from croupier.fairness.signing import Ed25519Signer
from croupier.house import HouseGame

STATIC = Path(__file__).parents[2] / "src/croupier/web/static"
NODE = shutil.which("node")
HOUSE_GAMES = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]

needs_node = pytest.mark.skipif(NODE is None, reason="node runs the modules of the page")


def node(*words: Path | str, code: str | None = None) -> Any:
    """Return the JSON that Node prints."""
    command = [str(NODE), *words]
    done = subprocess.run(command, input=code, capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout)


def run(script: str, given: Any = None, *, read: str = "") -> Any:
    """Return the JSON that a script prints; `given` is a value that it can use under that name, read by a function."""
    value = f"{read}({json.dumps(json.dumps(given))})" if read else json.dumps(given)
    return node("--input-type=module", "-", code=f"const given = {value};\n{script}")


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


def facts_of(host_key: str, account: str, n: int, session: int, log_head: str) -> bytes:
    """Return what a commitment is bound to, as it is published."""
    return lp(bytes.fromhex(host_key), account) + u64(n) + u64(session) + lp(bytes.fromhex(log_head))


def commitment_to(server_seed: bytes, facts: bytes) -> bytes:
    return sha256(lp("croupier/commitment/2") + facts + lp(server_seed)).digest()


def commitment_of(server_seed: bytes, session: int, n: int, account: str) -> bytes:
    """Return what the host commits to, at one head of its log."""
    return commitment_to(server_seed, facts_of(HOST.key, account, n, session, HEAD.hex()))


def signed_pair(
    session: int, n: int, client_seed: bytes = b"\x77" * 32, account: str = "p_ann", host: Ed25519Signer = HOST
) -> SeedPair:
    """Both parts of a session's seed, with the host's receipt."""
    server_seed = bytes([session % 256]) * 32
    facts = facts_of(host.key, account, n, session, HEAD.hex())
    commitment = commitment_to(server_seed, facts)
    return SeedPair(
        commitment.hex(),
        server_seed.hex(),
        client_seed.hex(),
        scheme=2,
        host_key=host.key,
        account=account,
        n=n,
        log_n=4,
        log_head=HEAD.hex(),
        table_digest="44" * 32,
        receipt=host.sign(lp("croupier/receipt/2", commitment) + facts).hex(),
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
    pair, plan = signed_pair(session, 1), game.plan(game.usual_bets())
    seed = pair.match_seed(session)
    client = MatchClient(game, create_match(game, ["ann"], seed=seed, session_id=session, host=plan.terms))
    while client.get_state().status == "active":
        client.dispatch(plan.policy(view_for(game, client.get_state(), "ann"), (), None))
    found = recorded(client, pair)
    record = json.loads(found["text"])
    asked = {"game": game_id, "options": record["options"], "stake": record.get("stake", 0), "super": False}
    return {**found, "kept": {"schema": 1, "kept": [kept_of(pair, session, **asked)], "log": None}}


def recorded(client: MatchClient[Any], pair: SeedPair) -> dict[str, Any]:
    """Return the text of the record of a session, and what its player saw at every step."""
    text = write_record(make_record(client.game, client.base, client.get_log(), commitments=pair)).decode()
    return {"text": text, "steps": seen(client.history())}


def seen(states: Iterable[Match[Any]]) -> list[dict[str, Any]]:
    """Return the steps of a session as its player sees them."""
    views = (view_for(get_game(match.game_id), match, "ann") for match in states)
    return [{"view": json.loads(msgspec.json.encode(view))} for view in views]


# Documents in which something is changed.


def paths_in(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to everything in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield (*before, key)
        yield from paths_in(one, (*before, key))


def place_of(document: Any, path: tuple[Any, ...]) -> Any:
    """Return the part of a document that the last step of a path leads into."""
    return reduce(getitem, path[:-1], document)


def other_than(value: Any) -> Any:
    """Return something else of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return value[:-1]
    return 1 if value is None else value[:-1] + ("0" if value[-1:] != "0" else "1")
