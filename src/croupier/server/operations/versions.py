"""What the host announces: the digests of its rules and the terms of its tables, in a signed log that only grows.

    a table is set, or croupier is upgraded ──► entries appended, in the transaction that makes the change
    a commitment is made                    ──► it names the head of the log, and the receipt is signed
    a session starts                        ──► its table must not have changed since that head

Everything is compared with what was announced last whenever something is committed to, so that nothing can be played
that does not stand in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine import Game, get_game, list_games
from croupier.engine.plain import canonical
from croupier.engine.rules_digest import rules_digest
from croupier.errors import CroupierError
from croupier.fairness.dice.signing import Ed25519Signer
from croupier.fairness.seeds import CLIENT_SEED_MAX, Binding, commitment_to, keyed, receipt_message
from croupier.fairness.versions import VersionEntry, digest_of_table, extend_head, first_head, head_message
from croupier.house import HouseGame, Table
from croupier.rounds import super_fee
from croupier.server.operations.context import Context
from croupier.server.operations.table_settings import TABLES, own_tables, read_tables, usual_tables
from croupier.store.host import Host, find_host, put_host
from croupier.store.model import VersionRow

__all__ = [
    "COMMITMENTS_EACH",
    "COMMITMENT_MS",
    "OPEN_MS",
    "Issued",
    "VersionsPage",
    "announce",
    "has_changed",
    "issue",
    "prepare",
    "read_versions",
    "room_digest",
    "sign_receipt",
    "table_digest",
]

COMMITMENTS_EACH = 20
"""How many commitments somebody may have that are neither started nor opened."""
COMMITMENT_MS = 86_400_000
"""How long a commitment waits for its client seed."""
OPEN_MS = 10_000
"""How long the seats of a room have to open their secrets."""
PAGE = 500
ANNOUNCED = "announced"
"""The setting that holds a digest of everything announced: what is unchanged is found at one look."""


class VersionsPage(Struct, frozen=True):
    """Entries of the log after a number, and where the log stands, signed by the host."""

    host_key: str
    n: int
    head: str
    signature: str
    entries: tuple[VersionEntry, ...]


class Issued(Struct, frozen=True):
    """A server seed that was just drawn, the commitment to it, and the host's receipt; all in hex."""

    server_seed: str
    commitment: str
    host_key: str
    log_n: int
    log_head: str
    receipt: str


# Commitments.


def issue(call: Context, session_id: int, account: str, n: int) -> Issued:
    """Draw a server seed that was never used, commit to it under the newest announcement, and sign a receipt."""
    host, log_n, log_head = announce(call)
    server_seed = call.entropy(32)
    call.tx.use_seed(keyed(server_seed, "croupier/mark/2").hex())
    binding = Binding(session_id, bytes.fromhex(host.key), account, n, bytes.fromhex(log_head))
    commitment = commitment_to(server_seed, binding)
    receipt = sign_receipt(host, commitment, binding)
    return Issued(server_seed.hex(), commitment.hex(), host.key, log_n, log_head, receipt)


def sign_receipt(host: Host, commitment: bytes, binding: Binding) -> str:
    """Return the host's receipt for a commitment, in hex: signed again, it is the same one."""
    return _signer(host.secret).sign(receipt_message(commitment, binding)).hex()


@lru_cache(maxsize=4)
def _signer(secret: str) -> Ed25519Signer:
    return Ed25519Signer(bytes.fromhex(secret))


# The log.


def announce(call: Context) -> tuple[Host, int, str]:
    """Append whatever has changed since the last announcement; return the host and where its log stands."""
    host = find_host(call.tx)
    if host is None:
        secret = call.entropy(32)
        host = Host(Ed25519Signer(secret).key, secret.hex())
        put_host(call.tx, host)
    digest, subjects = _subjects(call.tx.get_setting(TABLES))
    last = call.tx.last_version()
    n, head = (0, first_head(bytes.fromhex(host.key)).hex()) if last is None else (last.n, last.head)
    if call.tx.get_setting(ANNOUNCED) == digest:
        return host, n, head
    for subject, (kind, body) in subjects.items():
        known = call.tx.last_version(subject)
        if known is not None and canonical(_body_of(known)) == canonical(body):
            continue
        n += 1
        entry = VersionEntry(n, call.now, kind, body)
        new_head = extend_head(bytes.fromhex(head), entry)
        head = new_head.hex()
        signature = _signer(host.secret).sign(head_message(n, new_head))
        call.tx.add_version(VersionRow(n, subject, canonical(entry), head, signature.hex()))
    call.tx.put_setting(ANNOUNCED, digest)
    return host, n, head


def prepare(tables: bytes | None) -> None:
    """Work out what is to be announced with tables as they are set: most of a second, for a thread beside the loop."""
    _subjects(tables)


def read_versions(call: Context, since: int) -> VersionsPage:
    """Return the entries after a number, with the newest head."""
    host, last = find_host(call.tx), call.tx.last_version()
    if host is None or last is None:
        return VersionsPage("", 0, "", "", ())
    entries = tuple(msgspec.json.decode(row.body, type=VersionEntry) for row in call.tx.versions(since, PAGE))
    return VersionsPage(host.key, last.n, last.head, last.signature, entries)


def has_changed(call: Context, table: Table, since: int) -> bool:
    """Tell whether something else was announced about a table after an entry of the log, or nothing before it."""
    last = call.tx.last_version(f"table/{table.id}")
    return last is None or last.n > since or _body_of(last).get("table_digest") != table_digest(table).hex()


def _body_of(row: VersionRow) -> dict[str, Any]:
    return msgspec.json.decode(row.body, type=VersionEntry).body


@lru_cache(maxsize=8)
def _subjects(tables: bytes | None) -> tuple[bytes, Mapping[str, tuple[Any, dict[str, Any]]]]:
    """Return everything there is to announce, by subject, and a digest of it all."""
    found: dict[str, tuple[Any, dict[str, Any]]] = {"constants": ("constants", _constants())}
    for game_id in list_games():
        try:
            game = get_game(game_id)
        except CroupierError:  # a package that does not load offers nothing
            continue
        found[f"rules/{game_id}"] = ("rules", _rules(game))
    open_tables = read_tables(tables)
    closed = sorted({*usual_tables(), *own_tables(tables)} - open_tables.keys())
    bodies = [{"table": number, "is_open": False} for number in closed]
    for body in (*bodies, *map(_table_body, open_tables.values())):
        found[f"table/{body['table']}"] = ("table", {**body, "table_digest": digest_of_table(body).hex()})
    return sha256(canonical(list(found.items()))).hexdigest().encode(), found


def _constants() -> dict[str, Any]:
    return {
        "scheme": 2,
        "client_seed_max": CLIENT_SEED_MAX,
        "commitments_each": COMMITMENTS_EACH,
        "commitment_ms": COMMITMENT_MS,
        "open_ms": OPEN_MS,
        "super_fee_of_100": super_fee(100),
    }


def _rules(game: Game[Any]) -> dict[str, Any]:
    return {"game_id": game.id, "rules_version": game.rules_version, "rules_digest": rules_digest(game).hex()}


# Digests of tables.


def _table_body(table: Table) -> dict[str, Any]:
    """Return all that is announced about a table of the house, as its digest is made of it."""
    game = get_game(table.game_id)
    return {
        **_rules(game),
        "table": table.id,
        "options": msgspec.to_builtins(table.options),
        "prices": _prices(game.id, canonical(table.options)),
        "stake_min": table.stake_min,
        "stake_max": table.stake_max,
        "exposure_max": table.exposure_max,
        "super_allowed": table.super_allowed,
        "super_fee_of_100": super_fee(100),
        "abandoned_ms": table.abandoned_ms,
    }


@lru_cache(maxsize=256)
def _prices(game_id: str, options: bytes) -> dict[str, list[str]]:
    """Return every bet of a table and all that a chip on it can return by the rules, as fractions."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return {
        bet: [str(price) for price in found]
        for bet, found in game.prices(game.read_options(msgspec.json.decode(options))).items()
    }


def table_digest(table: Table) -> bytes:
    """Return the digest of a table: its rules, options, prices and limits."""
    return digest_of_table(_table_body(table))


def room_digest(game: Game[Any], options: dict[str, Any]) -> bytes:
    """Return the digest of what a room plays: its rules and options; it has no prices and no limits."""
    return digest_of_table({**_rules(game), "table": 0, "options": options})
