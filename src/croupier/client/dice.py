"""A seat at a craps table of shared dice. The key and the secrets never leave this side.

The seat keeps its own book of the dice and its own copy of the match, and answers what the table says: it commits to
what it sees, opens when objections are over, and notes what the table should not have done.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.client.errors import ApiError, ServerGone
from croupier.client.live import Live, end
from croupier.engine import Action, LogEntry, Match, Player, Refused
from croupier.errors import CroupierError
from croupier.fairness.dice import Contributor, Ed25519Signer, Ed25519Verifier, Event, write_transcript
from croupier.fairness.dice.contributor import Complaint
from croupier.fairness.dice.failures import waits_for_bank
from croupier.fairness.dice.messages import write_message
from croupier.fairness.dice.terms import read_terms
from croupier.fairness.dice.transcript import Transcript
from croupier.fairness.signing import Signer
from croupier.games.craps.table.shared_dice import RoomPlayer, first_state

if TYPE_CHECKING:
    from croupier.client.http import Client

PAGE = 500
WATCH_SECONDS = 1.0
# The table closes a round by itself when everybody has answered: being told so twice is no harm.
HARMLESS = {"again", "wrong_round", "wrong_phase", "not_due", "too_late", "round_void"}


class DiceSeat:
    """One player at one table. Make one with `open` or `at`, and use it with `async with`."""

    def __init__(self, client: Client, room_id: str, player: RoomPlayer) -> None:
        self.client = client
        self.room_id = room_id
        self.player = player
        self.version = 0
        self.complaints: list[Complaint] = []
        """Faults of the table, by this player's own book. With one of these: leave."""
        self._live: Live = client.live()
        self._task: asyncio.Task[None] | None = None
        self._clock: asyncio.Task[None] | None = None
        self._heard_at = 0
        self._moved = asyncio.Condition()

    @classmethod
    async def open(cls, client: Client, *, signer: Signer | None = None, **more: Any) -> DiceSeat:
        """Open a table and return one's seat at it; `more` are what a new dice room can say, such as options or fee."""
        mine = signer or Ed25519Signer(os.urandom(32))
        room = await client.post("/dice-rooms", {"key": mine.key, **more})
        return await cls.at(client, room["id"], signer=mine)

    @classmethod
    async def at(cls, client: Client, room_id: str, *, signer: Signer | None = None) -> DiceSeat:
        """Return a seat at a table that is there, not yet taken: `sit` takes it."""
        page = await client.get(f"/rooms/{room_id}/dice", limit=1)
        terms = read_terms(page["terms"])
        mine = signer or Ed25519Signer(os.urandom(32))
        me = Contributor(terms, mine, Ed25519Verifier(), os.urandom)
        start = first_state(terms, msgspec.convert(page["players"], list[Player]), page["options"])
        return cls(client, terms.name, RoomPlayer(me, start))

    async def __aenter__(self) -> DiceSeat:
        await self._live.__aenter__()
        self._task = asyncio.create_task(self._follow())
        self._clock = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *error: object) -> None:
        await end(self._clock)
        await end(self._task)
        await self._live.__aexit__(*error)

    # What one can do.

    @property
    def key(self) -> str:
        """One's public key, which is one's id in the match."""
        return self.player.me.key

    @property
    def match(self) -> Match[Any]:
        """The match, in one's own copy."""
        return self.player.match

    @property
    def is_shooter(self) -> bool:
        """Whether it is oneself who locks the betting."""
        return self.match.status == "active" and self.match.turn.current == self.key

    async def sit(self, bond: int) -> None:
        """Take the seat with a bond, or add to it."""
        await self._send(self.player.me.join(bond))
        await self.until(lambda match: self.key in match.turn.order and self.key in self.player.me.table.seats)

    async def leave(self) -> None:
        """Stand up."""
        await self._send(self.player.me.leave())

    async def act(self, action: Action) -> None:
        """Take an action that is not signed: buy_in, ready, cash_out, pass_dice; or lock, and the dice fall."""
        # The version is that of a room; at a dice table nobody compares it.
        frame = {"type": "act", "match": self.room_id, "expected_version": self.version, "action": action}
        version = (await self._live.ask(frame))["version"]
        await self.until(lambda _: self.version >= version)

    async def bet(self, action: Action) -> None:
        """Sign an order for a bet and send it. Raises `ApiError` where the rules, or the table, refuse it."""
        order = self.player.order(action)
        if isinstance(order, Refused):
            raise ApiError(order.code, order.error)
        answer = await self._send(order)
        await self.until(lambda _: self.version >= answer)

    async def until(self, holds: Callable[[Match[Any]], bool]) -> Match[Any]:
        """Wait until something holds of one's own copy of the match, and return it."""
        async with self._moved:
            while not holds(self.match):
                if self._task is None or self._task.done():
                    if self._task is not None and not self._task.cancelled() and self._task.exception():
                        raise self._task.exception()  # type: ignore[misc]
                    raise ServerGone("the table is gone")
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await self._moved.wait()
            return self.match

    def transcript(self) -> bytes:
        """Return one's own book of the dice as a file, sealed by oneself."""
        found: Transcript = self.player.me.transcript()
        return write_transcript(found)

    # Following.

    async def _follow(self) -> None:
        async for item in self._live.told(self.room_id):
            if item["version"] <= self.version:
                continue
            if item["version"] != self.version + 1:
                raise ServerGone(f"version {self.version + 1} was left out")
            await self._hear(item)

    async def _watch(self) -> None:
        """Complain, once, of a bank that does not open although everybody has: it knows the roll, and could hide it."""
        me = self.player.me
        while not me.table.closed:
            await asyncio.sleep(WATCH_SECONDS)
            on = me.table.round
            if on is None or not waits_for_bank(me.table, on) or _now() < self._heard_at + me.table.terms.reveal_ms:
                continue
            with suppress(CroupierError):  # perhaps it has, and the connection does not bring it
                page = await self.client.get(f"/rooms/{self.room_id}/dice", since=self.version, limit=1)
                if not page["items"] and (late := me.tick(_now()).complaint) is not None:
                    self.complaints.append(late)

    async def _hear(self, item: dict[str, Any]) -> None:
        if "action" in item:
            told: Any = msgspec.convert(item["action"], LogEntry)
        else:
            told = msgspec.convert(item["dice"], Event)
        self._heard_at = _now()
        reply = self.player.hear(told, self._heard_at)
        if reply.complaint is not None:
            self.complaints.append(reply.complaint)
        async with self._moved:
            self.version = item["version"]
            self._moved.notify_all()
        for message in reply.send:
            await self._send(message, HARMLESS)

    async def _send(self, message: Event, harmless: Collection[str] = ()) -> int:
        """Send a message and return the version after it. A refusal that is not harmless is raised."""
        frame = {"type": "dice", "match": self.room_id, "message": msgspec.Raw(write_message(message))}
        try:
            return int((await self._live.ask(frame))["version"])
        except ApiError as error:
            version = int(error.extra.get("version") or 0)
            if error.reason == "stale_seq" and not harmless:  # said again, since the answer got lost: then it is there
                await self.until(lambda _: self.version >= version)
                if any(entry.event == message for entry in self.player.me.book.entries):
                    return version
            if error.reason not in harmless:
                raise
            return version


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
