"""Announcements of the host: the digests of its rules and the terms of its tables, in a signed log that only grows.

    a table is set, or croupier is upgraded ──► entries appended, in the transaction that makes the change
    a commitment is made                    ──► it names the head of the log, and the receipt is signed
    a session starts                        ──► its table must not have changed since that head

Everything is compared with what was announced last whenever something is committed to, so that nothing can be played
that does not stand in the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from croupier.engine import Game, get_game, list_games
from croupier.engine.plain import canonical
from croupier.engine.rules_digest import rules_digest
from croupier.errors import CroupierError
from croupier.fairness.seeds import CLIENT_SEED_MAX, Binding, commitment_to, keyed, receipt_message
from croupier.fairness.signing import Ed25519Signer
from croupier.fairness.versions import VersionEntry, digest_of_table, extend_head, first_head, head_message
from croupier.house import HouseGame, Table
from croupier.rounds import super_fee
from croupier.server.operations.context import OPEN_MS, Context
from croupier.server.operations.declaration.fields import Whole
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.table_settings import LIMITS, TABLES, own_tables, read_tables, usual_tables
from croupier.store.model import Host, Issued, VersionRow
from croupier.wire.sessions import VersionsPage

COMMITMENTS_EACH = 20
"""How many commitments somebody may have that are neither started nor opened."""
COMMITMENT_MS = 86_400_000
"""How long a commitment waits for its client seed."""
PAGE = 500
ANNOUNCED = "announced"
"""The setting that holds a digest of everything announced: what is unchanged is found at one look."""


Subjects = Mapping[str, tuple[Any, dict[str, Any]]]
"""Announcements by subject: kind and terms of each."""


# Commitments.


def issue(
    call: Context, session_id: int, account: str, n: int, announced: tuple[Host, int, str] | None = None
) -> Issued:
    """Draw a server seed that was never used, commit to it under the newest announcement, and sign a receipt."""
    host, log_n, log_head = announced or announce(call)
    server_seed = call.entropy(32)
    call.tx.use_seed(keyed(server_seed, "croupier/mark/2").hex())
    binding = Binding(session_id, bytes.fromhex(host.key), account, n, bytes.fromhex(log_head))
    commitment = commitment_to(server_seed, binding)
    receipt = sign_receipt(host, commitment, binding)
    return Issued(server_seed.hex(), commitment.hex(), 2, host.key, log_n, log_head, receipt)


def sign_receipt(host: Host, commitment: bytes, binding: Binding) -> str:
    """Return the host's receipt for a commitment, in hex: signed again, it is the same one."""
    return _signer(host.secret).sign(receipt_message(commitment, binding)).hex()


@lru_cache(maxsize=4)
def _signer(secret: str) -> Ed25519Signer:
    return Ed25519Signer(bytes.fromhex(secret))


# The log.


def announce(call: Context) -> tuple[Host, int, str]:
    """Append whatever has changed since the last announcement; return the host and where its log stands."""
    host = call.tx.host() or call.tx.host(lock=True)  # of two first processes the second finds the key of the first
    if host is None:
        secret = call.entropy(32)
        host = Host(Ed25519Signer(secret).key, secret.hex())
        call.tx.put_host(host)
    digest, subjects = _subjects(call.tx.get_setting(TABLES))
    is_said = call.tx.get_setting(ANNOUNCED) == digest
    if not is_said:  # here; another process may be announcing at this moment
        digest, subjects = _subjects(call.tx.get_setting(TABLES, lock=True))
        is_said = call.tx.get_setting(ANNOUNCED, lock=True) == digest
    last = call.tx.last_version()
    n, head = (0, first_head(bytes.fromhex(host.key)).hex()) if last is None else (last.n, last.head)
    if is_said:
        return host, n, head
    for subject, (kind, terms) in _changed(call, subjects):
        body = priced(terms) if kind == "table" else terms
        n += 1
        entry = VersionEntry(n, call.now, kind, body)
        new_head = extend_head(bytes.fromhex(head), entry)
        head = new_head.hex()
        signature = _signer(host.secret).sign(head_message(n, new_head))
        call.tx.add_version(VersionRow(n, subject, canonical(entry), head, signature.hex()))
    call.tx.put_setting(ANNOUNCED, digest)
    return host, n, head


def unannounced(call: Context) -> list[dict[str, Any]]:
    """Return the terms of tables that are not announced as they are now."""
    _, subjects = _subjects(call.tx.get_setting(TABLES))
    return [terms for _, (kind, terms) in _changed(call, subjects) if kind == "table"]


@operation("house", "GET /versions", name="get_versions", role="anyone")
def read_versions(call: Context, since: Whole = 0) -> VersionsPage:
    """Read the log of versions: the digests of rules and the terms of tables, in a signed chain.

    These are the entries after a number, with the newest head.
    """
    host, last = call.tx.host(), call.tx.last_version()
    if host is None or last is None:
        return VersionsPage("", 0, "", "", ())
    entries = tuple(msgspec.json.decode(row.body, type=VersionEntry) for row in call.tx.versions(since, PAGE))
    return VersionsPage(host.key, last.n, last.head, last.signature, entries)


def announced_digest(call: Context, table: Table, since: int) -> str:
    """Return the announced digest of a table, in hex; "" if its terms are others, or changed after an entry of the log.

    Prices are not worked out for it: they follow from the rules, whose digest is over the code that does that, and from
    the options.
    """
    last = call.tx.last_version(f"table/{table.id}")
    if last is None or last.n > since:
        return ""
    said, digest = _said(last.body)
    return digest if said == _said_of(table) else ""


@lru_cache(maxsize=256)
def _said_of(table: Table) -> bytes:
    """Return what an entry about a table as it is now would say."""
    return canonical(_terms(table))


@lru_cache(maxsize=256)
def _said(body: bytes) -> tuple[bytes, str]:
    """Return what an entry of the log says, but for the prices of a table, and the digest of that table."""
    said = msgspec.json.decode(body, type=VersionEntry).body
    digest = said.pop("table_digest", "")
    said.pop("prices", None)
    return canonical(said), digest


def _changed(call: Context, subjects: Subjects) -> Iterator[tuple[str, tuple[Any, dict[str, Any]]]]:
    """Yield what is to be announced, and was not, or in other words."""
    for subject, (kind, terms) in subjects.items():
        known = call.tx.last_version(subject)
        if known is None or _said(known.body)[0] != canonical(terms):
            yield subject, (kind, terms)


@lru_cache(maxsize=8)
def _subjects(tables: bytes | None) -> tuple[bytes, Subjects]:
    """Return everything there is to announce, by subject, but for the prices; and a digest of it all."""
    found: dict[str, tuple[Any, dict[str, Any]]] = {"constants": ("constants", _constants())}
    for game_id in list_games():
        try:
            game = get_game(game_id)
        except CroupierError:  # a package that does not load offers nothing
            continue
        found[f"rules/{game_id}"] = ("rules", _rules(game))
    open_tables = read_tables(tables)
    closed = sorted({*usual_tables(), *own_tables(tables)} - open_tables.keys())
    terms = [{"table": number, "is_open": False} for number in closed]
    for each in (*terms, *map(_terms, open_tables.values())):
        found[f"table/{each['table']}"] = ("table", each)
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


def _terms(table: Table) -> dict[str, Any]:
    """Return all that is announced about a table of the house, but for its prices."""
    return {
        **_rules(get_game(table.game_id)),
        "table": table.id,
        "options": msgspec.to_builtins(table.options),
        "super_fee_of_100": super_fee(100),
        **{name: getattr(table, name) for name in LIMITS},
    }


def priced(terms: dict[str, Any]) -> dict[str, Any]:
    """Return terms with the prices of an open table, and the digest of both."""
    is_open = "game_id" in terms
    body = {**terms, "prices": _prices(terms["game_id"], canonical(terms["options"]))} if is_open else terms
    return {**body, "table_digest": digest_of_table(body).hex()}


@lru_cache(maxsize=256)
def _prices(game_id: str, options: bytes) -> dict[str, list[str]]:
    """Return every bet of a table and all that a chip on it can return by the rules, as fractions."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return {
        bet: [str(price) for price in found]
        for bet, found in game.prices(game.read_options(msgspec.json.decode(options))).items()
    }


def room_digest(game: Game[Any], options: dict[str, Any]) -> bytes:
    """Return the digest of what a room plays: its rules and options; it has no prices and no limits."""
    return digest_of_table({**_rules(game), "table": 0, "options": options})
