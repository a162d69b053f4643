"""A host in memory for tests of what the client checks. It is honest; each test has it lie about one thing.

The formulas are written out once more, here and in the store's tests, from docs/fairness.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, get_origin

import httpx
import msgspec

from croupier.client import Client
from croupier.engine import Action, LogEntry, apply_action, create_match, get_game, make_record, write_record
from croupier.fairness import SeedPair
from croupier.fairness.seeds import Receipt
from croupier.fairness.signing import Ed25519Signer
from croupier.wire.accounts import CommitmentView, Purse
from croupier.wire.rooms import RoomView, SeatView
from croupier.wire.sessions import SessionView
from tests.unit.fairness.by_hand import lp, u64
from tests.unit.store.seeds import drawn_seed, issued, seat_commitment

ACCOUNT = "p_ann"
TABLE = 6
SEATS = ("p_ann", "p_bob")


BOX_RULES = {"game_id": "shut-the-box", "rules_version": 1, "rules_digest": "55" * 32}


def plain(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def table_body(**changes: Any) -> dict[str, Any]:
    game = get_game("roulette")
    body = {
        "game_id": game.id,
        "rules_version": game.rules_version,
        "rules_digest": "00" * 32,
        "table": TABLE,
        "options": msgspec.to_builtins(game.read_options({})),
        "stake_min": 1,
        **changes,
    }
    return {**body, "table_digest": sha256(lp(b"croupier/table/1", plain(body))).hexdigest()}


ZEROS: dict[Any, Any] = {int: 0, str: "", bool: False, dict[str, Any]: {}}


def blank(kind: type[msgspec.Struct], **said: Any) -> dict[str, Any]:
    """Return a value of the wire, as JSON, that says nothing but what is given."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(kind)}
    empty: dict[str, Any] = {name: [] if get_origin(each) is tuple else ZEROS.get(each) for name, each in kinds.items()}
    return {**empty, **said}


BLANK_SEAT = blank(SeatView)
BLANK_ROOM = blank(RoomView, rules_version=1, is_listed=True, allows_spectators=True)
BLANK_ROW = blank(CommitmentView, state="issued")
BLANK_SESSION = blank(SessionView, game="roulette", table=TABLE, is_complete=True, version=2, purse=blank(Purse))


class Host:
    """Roulette at table 6, one bet and one spin a session; a room of two whose other seat is Bob's."""

    def __init__(self, name: str = "host") -> None:
        self.signer = Ed25519Signer(sha256(name.encode()).digest())
        self.key = self.signer.key
        self.entries: list[dict[str, Any]] = []
        self.rows: list[dict[str, Any]] = []
        self.records: dict[int, bytes] = {}
        self.asked: list[tuple[str, str, Any]] = []
        self.refusals: dict[str, list[str]] = {}
        self.bob = sha256(b"bob's secret").digest()
        self.room: dict[str, Any] = {}
        self.announce("constants", {"scheme": 2})
        self.announce("rules", BOX_RULES)
        self.announce("table", table_body())
        self.is_super = self.has_armed = False

    def client(self, **more: Any) -> Client:
        transport = httpx.MockTransport(self.answer)
        return Client("http://host", "token", account_id=ACCOUNT, transport=transport, **{"waits": (), **more})

    # The log.

    def announce(self, kind: str, body: dict[str, Any]) -> None:
        self.entries.append({"n": len(self.entries) + 1, "at": 7, "kind": kind, "body": body})

    def head(self, n: int) -> bytes:
        head = sha256(lp(b"croupier/log/1", bytes.fromhex(self.key))).digest()
        for entry in self.entries[:n]:
            head = sha256(lp(b"croupier/log/1", head, plain(entry))).digest()
        return head

    def versions(self, since: int) -> dict[str, Any]:
        n = len(self.entries)
        signature = self.signer.sign(lp(b"croupier/log-head/1") + u64(n) + lp(self.head(n)))
        signed = {"n": n, "head": self.head(n).hex(), "signature": signature.hex()}
        return {"host_key": self.key, **signed, "entries": self.entries[since:]}

    # Commitments.

    def issue(self, session_id: int, account: str, n: int) -> dict[str, Any]:
        made = issued(session_id, account, n, self.signer, (len(self.entries), self.head(len(self.entries)).hex()))
        return {**made, "session_id": session_id, "account": account, "n": n, "expires_at": 0}

    def commit(self) -> dict[str, Any]:
        number = len(self.rows) + 1
        row = self.issue(100 + number, ACCOUNT, number)
        self.rows.append({**BLANK_ROW, **row})
        return {name: value for name, value in row.items() if name != "server_seed"}

    def listed(self, row: dict[str, Any]) -> dict[str, Any]:
        return row if row["state"] in ("finished", "refused", "expired") else {**row, "server_seed": None}

    # Sessions.

    def start(self, body: dict[str, Any]) -> dict[str, Any]:
        row = next(row for row in self.rows if row["session_id"] == body["session_id"])
        row |= {"client_seed": body["client_seed"], "state": "finished"}
        digest = next(entry["body"] for entry in reversed(self.entries) if entry["kind"] == "table")["table_digest"]
        self.records[row["session_id"]] = self.record(row, self.used_seed(body["client_seed"]), digest)
        return {
            **BLANK_SESSION,
            **{name: row[name] for name in Receipt.__struct_fields__},
            "client_seed": self.shown_seed(body["client_seed"]),
            "table_digest": digest,
            "is_super": self.is_super,
            "next": self.next_commitment(),
        }

    def next_commitment(self) -> dict[str, Any] | None:
        """Return what comes with the end of a session: nothing, at this host."""
        return None

    def used_seed(self, named: str) -> str:
        return named

    def shown_seed(self, named: str) -> str:
        return named

    def record(self, row: dict[str, Any], client_seed: str, table_digest: str) -> bytes:
        game, session_id = get_game("roulette"), row["session_id"]
        seed = drawn_seed(row, session_id, client_seed, table_digest)
        start = state = create_match(game, [ACCOUNT], seed=seed, session_id=session_id, host=game.terms(0, False))
        log = []
        for n, (kind, payload) in enumerate((("place", {"bet": "red", "stake": 10}), ("spin", {})), 1):
            answer = apply_action(game, state, Action(kind, payload, ACCOUNT))
            assert answer.ok
            log.append(LogEntry(answer.action, n, 0, answer.drew))
            state = answer.state
        names = ("commitment", "server_seed", "host_key", "account", "n", "log_n", "log_head", "receipt")
        told = {name: row[name] for name in names}
        pair = SeedPair(client_seed=client_seed, scheme=2, table_digest=table_digest, **told)
        return write_record(make_record(game, start, log, commitments=pair))

    # A room.

    def open_room(self) -> dict[str, Any]:
        issued = self.issue(500, "m_1", 0)
        del issued["server_seed"], issued["account"], issued["n"]
        names = {"id": "m_1", "code": "ABC", "game": "shut-the-box", "table_digest": self.room_digest()}
        seats = [{**BLANK_SEAT, "player_id": player, "name": player, "commitment": ""} for player in SEATS]
        state = {"status": "open", "version": 0, "seats": seats, "seats_max": 2, "seat": 0}
        self.room = {**BLANK_ROOM, **issued, **names, **state}
        return self.room

    def room_digest(self) -> str:
        return sha256(lp(b"croupier/table/1", plain({**BOX_RULES, "table": 0, "options": {}}))).hexdigest()

    def seat_commitment(self, seat: int, secret: bytes) -> str:
        return seat_commitment(self.room["commitment"], seat, SEATS[seat], secret.hex())

    def fix_seats(self, body: dict[str, Any]) -> dict[str, Any]:
        """Take what Ann is ready with; Bob is ready too, so the seats are fixed."""
        self.room["seats"][0]["commitment"] = body["commitment"]
        self.room["seats"][1]["commitment"] = self.seat_commitment(1, self.bob)
        self.room |= {"status": "opening", "seats_digest": self.seats_digest()}
        return self.room

    def seats_digest(self) -> str:
        parts = bytes.fromhex(self.room["commitment"]), bytes.fromhex(self.room["table_digest"])
        message = lp(b"croupier/seats/2", *parts) + u64(self.room["session_id"])
        for seat in self.room["seats"]:
            message += lp(seat["player_id"].encode(), bytes.fromhex(seat["commitment"]))
        return sha256(message).hexdigest()

    # Requests.

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v1")
        body = json.loads(request.content) if request.content else None
        self.asked.append((request.method, path, body))
        if (codes := self.refusals.get(path)) and (code := codes.pop(0)):
            return httpx.Response(409, json={"code": code, "detail": "no", "status": 409})
        if path.endswith("/record"):
            return httpx.Response(200, content=self.records[int(path.split("/")[2])])
        return httpx.Response(200, json=self.route(path, request.url.params, body))

    def route(self, path: str, query: httpx.QueryParams, body: Any) -> Any:
        if path == "/commitments":
            return self.commit()
        if path == "/me":
            return {"id": ACCOUNT, "house": {"armed_super": self.has_armed}}
        if path == "/versions":
            return self.versions(int(query["since"]))
        if path == "/me/commitments":
            before = int(query.get("before", 10**9))
            return [self.listed(row) for row in reversed(self.rows) if row["session_id"] < before][:2]
        if path == "/sessions":
            return self.start(body)
        if path == "/rooms":
            return self.open_room()
        if path == "/rooms/m_1/ready":
            return self.fix_seats(body)
        if path == "/rooms/m_1/open":
            self.room["status"] = "active"
        return self.room

    def sent(self, path: str) -> list[Any]:
        """Return the bodies that were sent to a path."""
        return [body for _, asked, body in self.asked if asked == path]


def lying(name: str, lie: Callable[..., Any]) -> Host:
    """Return a host one of whose methods lies: `lie` gets the host, the honest method, and the arguments."""
    host = Host()
    setattr(host, name, partial(lie, host, getattr(host, name)))
    return host
