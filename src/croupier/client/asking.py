"""The client: requests by HTTP, each of which happens once however often it has to be sent."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from croupier.client.errors import ApiError, ServerGone
from croupier.client.live import Live
from croupier.client.model import Account, Room, Session, seed_of_all
from croupier.engine import Action, Bot, Verification, read_record, verify
from croupier.errors import BadDocument
from croupier.rng import GameRng

__all__ = ["Client"]

T = TypeVar("T")

PREFIX = "/api/v1"
WAITS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each further attempt: together about as long as a server takes to start again."""
AGAIN = {429, 503}


class Client:
    """Somebody's way to a server. Use it with `async with`, or call `close`.

    Requests that fail on the way are sent again with the same key: the server answers them as it did the first time.
    `entropy` draws the client's seeds and keys.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        account_id: str = "",
        timeout: float = 10.0,
        waits: tuple[float, ...] = WAITS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.account_id = account_id
        self._waits = waits
        self._http = httpx.AsyncClient(base_url=self.url, timeout=timeout, transport=transport)
        self._seen: dict[str, str] = {}
        """Commitments by room, as they were when this client first saw them."""

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
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
        if method != "GET":
            headers["idempotency-key"] = key or new_key()
        last: Exception | None = None
        for wait in (*self._waits, None):
            try:
                answer = await self._http.request(method, PREFIX + path, content=content, headers=headers, params=query)
                if answer.is_success:
                    return answer.content
                last = _problem(answer)
                if answer.status_code not in AGAIN or last.reason == "shutting_down":
                    raise last
            except httpx.TransportError as error:
                last = ServerGone(f"{self.url}: {type(error).__name__} {error}")
            if wait is not None:
                await asyncio.sleep(wait)
        assert last is not None
        raise last

    async def get(self, path: str, kind: type[T] | Any = Any, **query: Any) -> Any:
        """Ask for something and return it as a type."""
        return msgspec.json.decode(await self.ask("GET", path, query=query or None), type=kind)

    async def post(self, path: str, body: Any = None, kind: type[T] | Any = Any, *, key: str = "") -> Any:
        """Change something and return the answer as a type."""
        return msgspec.json.decode(await self.ask("POST", path, body, key=key), type=kind)

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

    async def create_room(self, game: str, *, client_seed: str | None = None, ready: bool = True, **more: Any) -> Room:
        """Open a room; `more` are options, seats, bots, turn_ms, is_listed, allows_spectators."""
        body = {"game": game, "client_seed": _seed(client_seed), "ready": ready, **more}
        return self._noted(await self.post("/rooms", body, Room))

    async def rooms(self, game: str | None = None) -> list[Room]:
        """Return rooms that anyone may find, newest first."""
        found: list[Room] = await self.get("/rooms", list[Room], **({"game": game} if game else {}))
        return found

    async def room(self, room_id: str, *, legal: bool = False) -> Room:
        """Return a room by its id or its code."""
        return self._noted(await self.get(_room(room_id), Room, **({"legal": "true"} if legal else {})))

    async def join(self, room_id: str, *, client_seed: str | None = None, ready: bool = True) -> Room:
        """Take a seat, by the room's id or its code, with a part of the seed of one's own."""
        seen = await self.room(room_id)  # its commitment, before our part of the seed is known
        body = {"client_seed": _seed(client_seed), "ready": ready}
        return self._noted(await self.post(f"{_room(seen.id)}/join", body, Room))

    async def leave(self, room_id: str) -> Room:
        """Give a seat up."""
        return self._noted(await self.post(f"{_room(room_id)}/leave", None, Room))

    async def ready(self, room_id: str, ready: bool = True) -> Room:
        """Say whether one is ready."""
        return self._noted(await self.post(f"{_room(room_id)}/ready", {"ready": ready}, Room))

    async def add_bot(self, room_id: str, bot: str) -> Room:
        """Put a bot on a free seat of one's room."""
        return self._noted(await self.post(f"{_room(room_id)}/bots", {"bot": bot}, Room))

    async def act(
        self, room: Room | str, action: Action, *, expected_version: int | None = None, key: str = ""
    ) -> Room:
        """Take an action, at the version of the room as one has seen it, and return the room after it."""
        if expected_version is None:
            seen = room if isinstance(room, Room) else await self.room(room)
            expected_version = seen.version
        room_id = room.id if isinstance(room, Room) else room
        body = {"id": key or new_key(), "expected_version": expected_version, "action": action}
        return self._noted(await self.post(f"{_room(room_id)}/actions", body, Room))

    async def rematch(self, room_id: str) -> Room:
        """Return the room of the next match between the same players."""
        return self._noted(await self.post(f"{_room(room_id)}/rematch", None, Room))

    async def log(self, room_id: str, since: int = 0) -> dict[str, Any]:
        """Return what happened since a version of the match."""
        found: dict[str, Any] = await self.get(f"{_room(room_id)}/log", since=since)
        return found

    # Records, which are checked here.

    async def record(self, room_id: str) -> bytes:
        """Return the record of a match that is over, unchecked."""
        return await self.ask("GET", f"{_room(room_id)}/record")

    async def check_record(self, room_id: str) -> Verification:
        """Fetch the record of a match and re-execute it.

        Raises `BadDocument` if it is not of the seed that the server had committed to when this client first saw the
        room, or not of all players' parts of it.
        """
        data, room = await self.record(room_id), await self.room(room_id)
        pair = read_record(data).commitments
        if not room.has_shared_dice:
            if pair is None or pair.commitment != self._seen[room.id]:
                raise BadDocument("the record is of another seed than the one that was committed to")
            begun = tuple(seat for seat in room.seats if seat.player_id in read_ids(data))
            if pair.client_seed != seed_of_all(begun):
                raise BadDocument("the record leaves out what a player has added to the seed")
        return verify(data)

    def _noted(self, room: Room) -> Room:
        """Return a room, its commitment remembered: it must be the same when the match is over."""
        if self._seen.setdefault(room.id, room.commitment) != room.commitment:
            raise BadDocument("the server has changed what it committed to")
        return room

    # Sessions against the house.

    async def start_session(self, table: int, stake: int = 0, *, client_seed: str | None = None) -> Session:
        """Sit down at a table of the house: the server commits first, then it learns our part of the seed."""
        commitment = await self.post("/commitments")
        body = {
            "session_id": commitment["session_id"],
            "table": table,
            "stake": stake,
            "client_seed": _seed(client_seed),
        }
        session: Session = await self.post("/sessions", body, Session)
        if session.commitment != commitment["commitment"]:
            raise BadDocument("the server has changed what it committed to")
        return session

    async def session(self, session_id: int, *, legal: bool = False) -> Session:
        """Return one of one's sessions."""
        found: Session = await self.get(f"/sessions/{session_id}", Session, **({"legal": "true"} if legal else {}))
        return found

    async def move(self, session: Session, action: Action, *, key: str = "") -> Session:
        """Take an action in a session and return the session after it."""
        body = {"id": key or new_key(), "expected_version": session.version, "action": action}
        found: Session = await self.post(f"/sessions/{session.session_id}/moves", body, Session)
        return found

    async def close_session(self, session: Session) -> Session:
        """Have a session played out at once."""
        found: Session = await self.post(f"/sessions/{session.session_id}/close", None, Session)
        return found

    async def check_session(self, session: Session) -> Verification:
        """Fetch the record of a session that is over and re-execute it; its seed must be the one committed to."""
        data = await self.ask("GET", f"/sessions/{session.session_id}/record")
        pair = read_record(data).commitments
        if pair is None or (pair.commitment, pair.client_seed) != (session.commitment, session.client_seed):
            raise BadDocument("the record is of another seed than the session began with")
        return verify(data)

    # Live.

    def live(self, **more: Any) -> Live:
        """Return a live connection; use it with `async with`. `more` are the arguments of `Live`."""
        return Live(self, **more)

    async def ticket(self) -> str:
        """Return a ticket for one live connection."""
        found = await self.post("/tickets")
        return str(found["ticket"])

    async def play(self, room_id: str, bot: Bot, *, seed: bytes | None = None) -> Room:
        """Let a bot play one's seat until the match is over, and return the room as it is then.

        The bot sees what the server shows of the match, and draws from a seed of its own.
        """
        own = os.urandom(32) if seed is None else seed
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


def read_ids(record: bytes) -> set[str]:
    """Return the ids of those a match began with."""
    return {player.id for player in read_record(record).players}


def new_key() -> str:
    """Return a key that nobody has used."""
    return os.urandom(16).hex()


def _seed(given: str | None) -> str:
    return os.urandom(16).hex() if given is None else given


def _room(room_id: str) -> str:
    return f"/rooms/{quote(room_id, safe='')}"


def _problem(answer: httpx.Response) -> ApiError:
    try:
        body = msgspec.json.decode(answer.content, type=dict[str, Any])
        known = {"type", "title", "status", "code", "detail"}
        extra = {name: value for name, value in body.items() if name not in known}
        return ApiError(str(body["code"]), str(body["detail"]), answer.status_code, extra)
    except (msgspec.MsgspecError, KeyError):
        return ApiError("not_ours", f"the answer {answer.status_code} is none of a croupier server", answer.status_code)
