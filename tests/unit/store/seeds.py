"""Seeds, commitments and a log of versions for a store, by formulas that are written out here once more."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from typing import Any

import msgspec

from croupier.fairness.seeds import VoidStart
from croupier.fairness.signing import Ed25519Signer
from croupier.store.model import RoomSeat, SeedRow, VersionRow
from tests.unit.fairness.by_hand import lp, u64

SECRET = sha256(b"the host's key").digest()
SIGNER = Ed25519Signer(SECRET)
KEY = bytes.fromhex(SIGNER.key)
TABLE_DIGEST = sha256(b"a table").hexdigest()
FIRST_OF_SCHEME_2 = 200
"""Sessions with a lower number are what an old database holds."""


def version_rows(*kinds: str) -> list[VersionRow]:
    """Return a log of versions with an entry of each kind."""
    head, rows = sha256(lp(b"croupier/log/1", KEY)).digest(), []
    for n, kind in enumerate(kinds, 1):
        entry = {"n": n, "at": 5, "kind": kind, "body": {"number": n}}
        body = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
        head = sha256(lp(b"croupier/log/1", head, body)).digest()
        signature = SIGNER.sign(lp(b"croupier/log-head/1") + u64(n) + lp(head))
        rows.append(VersionRow(n, f"{kind}/{n}", body, head.hex(), signature.hex()))
    return rows


LOG = version_rows("constants", "rules", "table")


def server_seed(session_id: int) -> bytes:
    return sha256(b"server %d" % session_id).digest()


def issued(
    session_id: int, account: str, n: int, signer: Any = SIGNER, log: tuple[int, str] = (len(LOG), LOG[-1].head)
) -> dict[str, Any]:
    """Return a commitment of scheme 2, and all that it is bound to, made where the log of a host stands."""
    bound = lp(bytes.fromhex(signer.key), account.encode()) + u64(n) + u64(session_id) + lp(bytes.fromhex(log[1]))
    commitment = sha256(lp(b"croupier/commitment/2") + bound + lp(server_seed(session_id))).digest()
    return {
        "server_seed": server_seed(session_id).hex(),
        "commitment": commitment.hex(),
        "scheme": 2,
        "host_key": signer.key,
        "log_n": log[0],
        "log_head": log[1],
        "receipt": signer.sign(lp(b"croupier/receipt/2", commitment) + bound).hex(),
    }


def drawn_seed(made: dict[str, Any], session_id: int, client_seed: str, table_digest: str = TABLE_DIGEST) -> bytes:
    """Return what the match of a session is dealt from, by a commitment of scheme 2 and what the player named."""
    message = lp(b"croupier/match/2", bytes.fromhex(made["commitment"]), bytes.fromhex(client_seed)) + u64(session_id)
    return hmac.digest(bytes.fromhex(made["server_seed"]), message + lp(bytes.fromhex(table_digest)), "sha256")


def seat_commitment(commitment: str, seat: int, player_id: str, secret: str) -> str:
    """Return what a seat of a room sends when ready."""
    head = lp(b"croupier/seat/2", bytes.fromhex(commitment)) + seat.to_bytes(4, "big")
    return sha256(head + lp(player_id.encode(), bytes.fromhex(secret))).hexdigest()


def seed_row(session_id: int, account: str, at: int, **more: Any) -> SeedRow:
    """Return the seeds of a session at the house."""
    if session_id < FIRST_OF_SCHEME_2:
        seed = server_seed(session_id)
        parts = (seed.hex(), sha256(seed).hexdigest())
        return SeedRow(*parts, session_id=session_id, account=account, created_at=at, client_seed="cd")
    n = session_id - FIRST_OF_SCHEME_2 + 1
    more = {"client_seed": "cd" * 32, "state": "started", "table_digest": TABLE_DIGEST, **more}
    more |= {"n": n, "expires_at": at + 100, **issued(session_id, account, n)}
    return SeedRow(session_id=session_id, account=account, created_at=at, **more)


def match_seed(session_id: int, account: str) -> bytes:
    """Return what a session at the house is dealt from."""
    if session_id < FIRST_OF_SCHEME_2:
        return sha256(server_seed(session_id) + b"\xcd\0match/%d" % session_id).digest()
    return drawn_seed(msgspec.structs.asdict(seed_row(session_id, account, 0)), session_id, "cd" * 32)


def room_seats(commitment: str, opened: int) -> tuple[RoomSeat, ...]:
    """Return the seats of Ann and Bob, ready, of which some have opened."""
    seats = []
    for seat, name in enumerate(("ann", "bob")):
        secret = sha256(name.encode()).hexdigest()
        mine = seat_commitment(commitment, seat, f"a_{name}", secret)
        told = secret if seat < opened else ""
        seats.append(RoomSeat(f"a_{name}", name.title(), ready=True, commitment=mine, secret=told))
    return tuple(seats)


def void_start(session_id: int, room: str) -> VoidStart:
    """Return a start of a room that Bob did not open for."""
    made = issued(session_id, room, 0)
    return VoidStart(session_id, made["commitment"], made["server_seed"], made["log_head"], ("a_bob",))
