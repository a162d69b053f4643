"""The client: requests by HTTP with retries, idempotent by their keys: each happens once however often it is sent."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from typing import Any, Literal, overload
from urllib.parse import quote

import httpx
import msgspec
from msgspec.structs import replace

from croupier.client.errors import PASSING, ApiError, ServerGone
from croupier.client.live import Live
from croupier.client.model import Account, Room, Session, read_answer, same_session
from croupier.client.notes import Notes, Opened, Receipt
from croupier.engine import Action, Bot, Verification, verify
from croupier.engine.records.seed_checks import Kept, KeptFile
from croupier.errors import BadDocument, BadSeed
from croupier.fairness import commitment_to
from croupier.fairness.seeds import Check, read_hex, seat_commitment
from croupier.rng import GameRng
from croupier.wire.accounts import Commitment
from croupier.wire.games import AdviceView
from croupier.wire.sessions import VersionsPage

PREFIX = "/api/v1"
WAITS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each further attempt: together about as long as a server takes to start again."""
SOON_MS = 60_000
"""A commitment that is good for less is left alone."""


class Client:
    """The client of one account. Use it with `async with`, or call `close`.

    Requests that fail on the way are sent again with the same key: the server answers them as it did the first time.
    What it was given and what it named is kept in `notes`, and records are compared with that; `kept` goes on with the
    notes of another time.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        account_id: str = "",
        timeout: float = 10.0,
        waits: tuple[float, ...] = WAITS,
        kept: KeptFile | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.account_id = account_id
        self._waits = waits
        self._http = httpx.AsyncClient(base_url=self.url, timeout=timeout, transport=transport)
        self.notes = Notes(kept)
        """Receipts and parts of seeds, as they were when this client first saw or made them."""
        self._log_lock = asyncio.Lock()
        self._opened: set[int] = set()
        self._next: Commitment | None = None

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def __repr__(self) -> str:
        return f"<Client of {self.account_id or 'nobody'} at {self.url}>"

    # Requests.

    async def ask(
        self, method: str, path: str, body: Any = None, *, query: Mapping[str, Any] | None = None, key: str = ""
    ) -> bytes:
        """Send a request and return the bytes of the answer. Raises `ApiError`, or `ServerGone` after the last try."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["content-type"] = "application/json"
        if method != "GET" and (key or not (isinstance(body, dict) and "id" in body)):  # an id is such a key itself
            headers["idempotency-key"] = key or new_key()
        last: Exception | None = None
        for wait in (*self._waits, None):
            try:
                answer = await self._http.request(method, PREFIX + path, content=content, headers=headers, params=query)
                if answer.is_success:
                    return answer.content
                last = ApiError.read(answer.content, answer.status_code)
                if answer.status_code not in PASSING or last.reason == "shutting_down":
                    raise last
            except httpx.RequestError as error:
                last = ServerGone(f"{self.url}: {type(error).__name__} {error}")
            if wait is not None:
                await asyncio.sleep(wait)
        assert last is not None
        raise last

    async def get(self, /, path: str, kind: Any = Any, **query: Any) -> Any:
        """Ask for something and return it as a type."""
        return read_answer(await self.ask("GET", path, query=query or None), kind)

    async def post(self, path: str, body: Any = None, kind: Any = Any, *, key: str = "") -> Any:
        """Change something and return the answer as a type."""
        return read_answer(await self.ask("POST", path, body, key=key), kind)

    # Accounts.

    async def register(self, name: str) -> Account:
        """Open an account and go on as it. Keep the recovery key: it is shown this once."""
        found = await self.post("/accounts", {"name": name})
        account = Account(found["account"]["id"], found["account"]["name"], found["token"], found["recovery_key"])
        self.token, self.account_id = account.token, account.id
        return account

    async def recover(self, recovery_key: str) -> Account:
        """Go on as an account whose token is lost."""
        found = await self.post("/recoveries", {"recovery_key": recovery_key})
        self.token, self.account_id = found["token"], found["account_id"]
        return Account(self.account_id, "", self.token, recovery_key)

    async def me(self) -> dict[str, Any]:
        """Return one's own account: name, limits, chips."""
        found: dict[str, Any] = await self.get("/me")
        self.account_id = found["id"]
        return found

    # Games.

    async def games(self) -> list[dict[str, Any]]:
        """Return the games there are."""
        found: list[dict[str, Any]] = await self.get("/games")
        return found

    async def tables(self) -> list[dict[str, Any]]:
        """Return the tables of the house."""
        found: list[dict[str, Any]] = await self.get("/tables")
        return found

    # Rooms.

    async def create_room(self, /, game: str, *, ready: bool = True, **more: Any) -> Room:
        """Open a room; `more` are options, seats, bots, turn_ms, is_listed, allows_spectators."""
        room = await self.met(await self.post("/rooms", {"game": game, **more}, Room))
        return await self._get_ready(room) if ready else room

    async def rooms(self, game: str | None = None) -> list[Room]:
        """Return rooms that anyone may find, newest first."""
        found: list[Room] = await self.get("/rooms", list[Room], **({"game": game} if game else {}))
        return found

    async def room(self, room_id: str, *, legal: bool = False) -> Room:
        """Return a room by its id or its code."""
        return await self.met(await self.get(_room(room_id), Room, **({"legal": "true"} if legal else {})))

    async def join(self, room_id: str, *, ready: bool = True) -> Room:
        """Take a seat, by the room's id or its code, and be ready, with a part of the seed of one's own."""
        room = await self.met(await self.post(f"{_room(room_id)}/join", None, Room))
        return await self._get_ready(room) if ready and room.status == "open" else room

    async def leave(self, room_id: str) -> Room:
        """Give a seat up. Who leaves before the match begins has no part in its seed."""
        room = await self.met(await self.post(f"{_room(room_id)}/leave", None, Room))
        if room.status in ("open", "closed") and self.notes.get(room.session_id) is not None:
            self.notes.note(room.session_id, player_id="", secret="", seats_digest="")
        return room

    async def ready(self, room_id: str, ready: bool = True) -> Room:
        """Say whether one is ready. When everybody is, the seats are opened: look at the room, or follow it."""
        if ready:
            return await self._get_ready(await self.room(room_id))
        room = await self.met(await self.post(f"{_room(room_id)}/ready", {"ready": False}, Room))
        if self.notes.get(room.session_id) is not None:
            self.notes.note(room.session_id, seat=0, player_id="", secret="")
        return room

    async def add_bot(self, room_id: str, bot: str) -> Room:
        """Put a bot on a free seat of one's room."""
        return await self.met(await self.post(f"{_room(room_id)}/bots", {"bot": bot}, Room))

    async def act(
        self, room: Room | str, action: Action, *, expected_version: int | None = None, key: str = ""
    ) -> Room:
        """Take an action, at the version of the room as one has seen it, and return the room after it."""
        if expected_version is None:
            seen = room if isinstance(room, Room) else await self.room(room)
            expected_version = seen.version
        room_id = _id(room)
        key = key or new_key()
        body = {"id": key, "expected_version": expected_version, "action": action}
        return await self.met(await self.post(f"{_room(room_id)}/actions", body, Room, key=key))

    async def rematch(self, room_id: str) -> Room:
        """Return the room of the next match between the same players."""
        return await self.met(await self.post(f"{_room(room_id)}/rematch", None, Room))

    async def log(self, room_id: str, since: int = 0) -> dict[str, Any]:
        """Return what happened since a version of the match."""
        found: dict[str, Any] = await self.get(f"{_room(room_id)}/log", since=since)
        return found

    # Records, which are checked here.

    async def record(self, room_id: str) -> bytes:
        """Return the record of a match that is over, unchecked."""
        return await self.ask("GET", f"{_room(room_id)}/record")

    async def check_record(self, room_id: str) -> Verification:
        """Fetch the record of a match, re-execute it, and compare it with what this client has noted."""
        return _asked_for(room_id, verify(await self.record(room_id), kept=self.notes.file()))

    # The seed, which nobody chooses.

    async def _receive(self, receipt: Receipt, kind: Literal["session", "room"], **more: Any) -> Kept:
        """Write a receipt down and check it, the host's log included. Raises `BadDocument`."""
        if kind == "session" and self.account_id and receipt.account != self.account_id:
            raise BadDocument("the server has committed to somebody else")
        async with self._log_lock:  # two tasks would read the same entries
            since = self.notes.since(receipt)
            while since is not None:
                since = self.notes.follow(await self.get("/versions", VersionsPage, since=since))
        return self.notes.receive(receipt, kind, time.time_ns() // 1_000_000, **more)

    async def met(self, room: Room) -> Room:
        """Return a room that was shown, its commitment noted, and one's seat opened if it is time for that."""
        if room.has_shared_dice or not room.host_key:
            return room
        kept = await self._receive(room.commitment_receipt(), "room", room=room.id, game=room.game)
        if room.status != "opening" or not kept.secret or room.session_id in self._opened:
            return room
        if room.expected_digest() != room.seats_digest or kept.table_digest != room.table_digest:
            raise BadDocument("the server has fixed other seats than it shows")
        mine = seat_commitment(read_hex(kept.commitment), kept.seat, kept.player_id, read_hex(kept.secret)).hex()
        if not kept.seat < len(room.seats) or room.seats[kept.seat].commitment != mine:
            raise BadDocument("the server has fixed the seats without what this client was ready with")
        if kept.seats_digest not in ("", room.seats_digest):
            raise BadDocument("the server has fixed the seats twice")
        self.notes.note(room.session_id, seats_digest=room.seats_digest)
        try:
            opened: Room = await self.post(f"{_room(room.id)}/open", {"secret": kept.secret}, Room)
        except ApiError as error:
            if error.reason not in ("not_opening", "finished"):  # it is too late: the next look at the room tells
                raise
            opened = room
        self._opened.add(room.session_id)
        return opened

    async def _get_ready(self, room: Room) -> Room:
        """Draw a secret after the room's commitment was noted, and send the hash of it."""
        if room.seat is None:
            raise ApiError("not_seated", "you have no seat here", 409)
        kept = self.notes.get(room.session_id)
        if kept is None:
            raise BadDocument("the server has signed nothing about the seed of this room")
        if kept.seats_digest:
            raise BadDocument("the server begins anew although it has seen our part of the seed")
        if self.notes.room_digest(room.game, room.options, room.log_n) != room.table_digest:
            raise BadDocument("the room plays by other rules than were announced")
        secret, player_id = os.urandom(32), room.seats[room.seat].player_id
        mine = {"seat": room.seat, "player_id": player_id, "secret": secret.hex(), "seats_digest": ""}
        self.notes.note(room.session_id, table_digest=room.table_digest, options=room.options, **mine)
        commitment = seat_commitment(read_hex(room.commitment), room.seat, player_id, secret).hex()
        body = {"ready": True, "commitment": commitment}
        return await self.met(await self.post(f"{_room(room.id)}/ready", body, Room))

    async def check_commitments(self) -> list[Check]:
        """Check every commitment that the server lists for this account: counted without a gap, and opened rightly."""
        counted = [one for one in await self._commitments() if one.n]
        gaps = [one.n for one in counted] != list(range(len(counted), 0, -1))
        problem = next((text for one in counted if (text := one.problem())), None)
        listed = {one.session_id: one for one in counted}
        mine = [one for one in self.notes.file().kept if one.kind == "session"]
        changed = next((text for one in mine if (text := _difference(one, listed.get(one.session_id)))), None)
        return [
            Check("count", not gaps, "numbers are left out" if gaps else "they are numbered without a gap"),
            Check("opened", not problem, problem or "those that are over are opened"),
            Check("mine", not changed, changed or "all that were noted are there"),
        ]

    async def _commitments(self) -> list[Opened]:
        found: list[Opened] = []
        while page := await self.get("/me/commitments", list[Opened], limit=100, **_before(found)):
            if found and page[0].session_id >= found[-1].session_id:
                raise BadDocument("the server lists the same commitments again and again")
            found += page
        return found

    # Sessions against the house.

    async def start_session(
        self,
        table: int,
        stake: int = 0,
        *,
        client_seed: str | None = None,
        action: Action | None = None,
        live: Live | None = None,
    ) -> Session:
        """Sit down at a table of the house: the server commits first, then it learns our part of the seed.

        With an action the first move is made in the same request: a whole round, where that is all there is to it.
        `live` is the connection that it goes over, if it is not to be one of HTTP.
        """
        try:
            return await self._start(table, stake, client_seed, action, live)
        except ApiError as error:
            if error.reason not in ("table_changed", "commitment_expired"):
                raise
        return await self._start(table, stake, client_seed, action, live)

    async def _start(
        self, table: int, stake: int, client_seed: str | None, action: Action | None, live: Live | None
    ) -> Session:
        kept = await self._receive(await self._commitment(), "session")
        named = os.urandom(32).hex() if client_seed is None else client_seed
        announced = self.notes.announced(f"table/{table}", kept.log_n)
        is_super = (await self.me())["house"]["armed_super"]  # before our part goes out: later it could be chosen
        self.notes.note(
            kept.session_id,
            client_seed=named,
            stake=stake,
            game=announced.get("game_id", ""),
            options=announced.get("options"),
            table_digest=announced.get("table_digest", ""),
            super=is_super,
        )
        body = {"session_id": kept.session_id, "table": table, "stake": stake, "client_seed": named, "action": action}
        try:
            session: Session = await (
                self.post("/sessions?next=true", body, Session) if live is None else live.started(body)
            )
        except ApiError as error:
            _check_opened(kept, named, error.extra.get("opened"))
            raise
        same_session(kept.session_id, session)
        if (session.commitment, session.client_seed) != (kept.commitment, named):
            raise BadDocument("the server has changed the parts of the seed")
        if session.table_digest != announced.get("table_digest"):
            raise BadDocument("the table is not the one that was announced")
        if session.is_super != is_super:
            raise BadDocument("super mode is not as it was armed")
        return await self.with_next(session)

    async def with_next(self, session: Session) -> Session:
        """Return a session; the commitment for the next one, if it came with it, is noted and checked."""
        if session.next is not None:
            await self._receive(session.next, "session")
            self._next = session.next
        return session

    async def _commitment(self) -> Receipt:
        """Return the commitment that came with the end of a session, or a new one.

        Where the server gives out no more, it is the oldest for which no seed was ever named.
        """
        upcoming, self._next = self._next, None
        is_good = upcoming is not None and upcoming.expires_at > time.time_ns() // 1_000_000 + SOON_MS
        if upcoming is not None and is_good and not self._has_named(upcoming):
            return upcoming
        try:
            found: Receipt = await self.post("/commitments", None, Receipt)
            return found
        except ApiError as error:
            if error.reason != "too_many_commitments":
                raise
            unused = [one for one in await self._commitments() if one.state == "issued" and not self._has_named(one)]
            if not unused:
                raise
        return unused[-1]

    def _has_named(self, receipt: Receipt) -> bool:
        # The server may have got it although no answer came: who named another seed would let it choose.
        kept = self.notes.get(receipt.session_id)
        return kept is not None and kept.stake is not None

    async def session(self, session_id: int, *, legal: bool = False) -> Session:
        """Return one of one's sessions."""
        found: Session = await self.get(f"/sessions/{session_id}", Session, **({"legal": "true"} if legal else {}))
        return same_session(session_id, found)

    async def move(self, session: Session, action: Action, *, key: str = "") -> Session:
        """Take an action in a session and return the session after it."""
        key, path = key or new_key(), f"/sessions/{session.session_id}/moves?next=true"
        body = {"id": key, "expected_version": session.version, "action": action}
        found = await self.post(path, body, Session, key=key)
        return await self.with_next(same_session(session.session_id, found))

    async def close_session(self, session: Session) -> Session:
        """Have a session played out at once."""
        found = await self.post(f"/sessions/{session.session_id}/close?next=true", None, Session)
        return await self.with_next(same_session(session.session_id, found))

    async def check_session(self, session: Session) -> Verification:
        """Fetch the record of a session that is over, re-execute it, and compare it with what this client has noted."""
        data = await self.ask("GET", f"/sessions/{session.session_id}/record")
        return _asked_for(session.session_id, verify(data, kept=self.notes.file()))

    # Live.

    def live(self, **more: Any) -> Live:
        """Return a live connection; use it with `async with`. `more` are the arguments of `Live`."""
        return Live(self, **more)

    async def ticket(self) -> str:
        """Return a ticket for one live connection."""
        found = await self.post("/tickets")
        return str(found["ticket"])

    # Playing, and being told how.

    async def coach(self, where: Room | Session | str, objective: str = "") -> AdviceView:
        """Return what each of one's choices is worth in a match, or a session, best first."""
        path = f"/sessions/{where.session_id}" if isinstance(where, Session) else _room(_id(where))
        found: AdviceView = await self.get(f"{path}/coach", AdviceView, objective=objective)
        return found

    @overload
    async def play(self, where: Session, bot: Bot, *, seed: bytes | None = None) -> Session: ...
    @overload
    async def play(self, where: Room | str, bot: Bot, *, seed: bytes | None = None) -> Room: ...
    async def play(self, where: Room | Session | str, bot: Bot, *, seed: bytes | None = None) -> Room | Session:
        """Let a bot play one's seat, or a session against the house, until it is over, and return how it is then.

        The bot sees what the server shows of the match, and draws from a seed of its own.
        """
        own = os.urandom(32) if seed is None else seed
        if isinstance(where, Session):
            return await self._play_session(where, bot, own)
        return await self._play_room(_id(where), bot, own)

    async def _play_session(self, session: Session, bot: Bot, own: bytes) -> Session:
        while not session.is_complete:
            seen = await self.session(session.session_id, legal=True)
            if seen.is_complete:  # somebody else has closed it
                return seen
            if not seen.legal:  # too few chips for the table: there is nothing to choose
                return await self.close_session(seen)
            view = seen.match_view()
            action = bot(view, seen.legal, GameRng.new(own, seen.session_id, view.version))
            session = await self.move(seen, action)
        return session

    async def _play_room(self, room_id: str, bot: Bot, own: bytes) -> Room:
        async with self.live() as live:
            async for update in live.follow(room_id, legal=True):
                room = update.room
                if room.is_over:
                    return room
                if room.status == "active" and room.legal:
                    view = room.match_view()
                    action = bot(view, room.legal, GameRng.new(own, room.session_id, view.version))
                    try:
                        await live.act(room, action)
                    except ApiError as error:
                        if error.reason != "stale_version":  # somebody was faster: the next view tells
                            raise
        raise ServerGone("the room is gone")


def new_key() -> str:
    """Return a key that nobody has used."""
    return os.urandom(16).hex()


def _before(found: list[Opened]) -> dict[str, int]:
    return {"before": found[-1].session_id} if found else {}


def _check_opened(kept: Kept, named: str, opened: dict[str, Any] | None) -> None:
    """Raise `BadDocument` if a refusal opens another commitment than the one that our seed was named for."""
    if opened is None:
        return
    try:
        made = commitment_to(read_hex(opened["server_seed"]), kept.binding()).hex()
    except (BadSeed, KeyError):
        made = ""
    if made != kept.commitment or opened.get("client_seed") != named:
        raise BadDocument("the server has refused the start, and opened something else than it committed to")


def _difference(kept: Kept, listed: Opened | None) -> str | None:
    """Return in what the server's list differs from what was noted about a commitment."""
    if listed is None:
        return f"commitment {kept.n} is gone"
    if (listed.commitment, listed.n) != (kept.commitment, kept.n):
        return f"commitment {kept.n} is another one now"
    has_named = kept.stake is not None and listed.client_seed is not None
    is_other = has_named and listed.client_seed != kept.client_seed
    return f"commitment {kept.n} has another client seed" if is_other else None


def _asked_for(id: str | int, found: Verification) -> Verification:
    """Return a verdict on a record, which fails where the record is of another room or session than was asked for."""
    match = found.match
    if not found.ok or match is None or id in (match.match_id, match.rng_state.session_id):
        return found
    return replace(found, checks=(*found.checks, Check("asked", False, "it is the record of another match")))


def _id(room: Room | str) -> str:
    return room if isinstance(room, str) else room.id


def _room(room_id: str) -> str:
    return f"/rooms/{quote(room_id, safe='')}"
