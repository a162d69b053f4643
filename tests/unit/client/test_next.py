"""The commitment that comes with the end of a session: used for the next, and believed no more than any other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from croupier.client import ApiError, Client
from croupier.engine import act
from croupier.errors import BadDocument
from tests.unit.client.dishonest import TABLE, Host, lying
from tests.unit.client.test_notes import play, refused, tell


class Forthcoming(Host):
    """A host that sends the next commitment with the end of a session, changed as it likes."""

    change: dict[str, Any] = {"expires_at": 10**15}  # noqa: RUF012

    def next_commitment(self) -> dict[str, Any] | None:
        return self.commit() | self.change


def twice(client: Client) -> Awaitable[Any]:
    async def story() -> Any:
        first = await client.start_session(TABLE, action=act("batch", bets=[{"bet": "red", "stake": 1}]))
        return first, await client.start_session(TABLE), await client.check_commitments()

    return story()


def test_the_commitment_that_comes_with_the_end_of_a_session_is_used_for_the_next() -> None:
    host = Forthcoming()
    first, second, checks = tell(host, twice)

    assert (first.session_id, second.session_id) == (101, 102)
    assert len([path for _, path, _ in host.asked if path == "/commitments"]) == 1
    assert [body["action"] is not None for body in host.sent("/sessions")] == [True, False]
    assert all(check.ok for check in checks)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"receipt": "00" * 64}, "the host's signature under its commitment does not hold"),
        ({"account": "p_somebody"}, "the server has committed to somebody else"),
        ({"n": 9}, "the host's signature under its commitment does not hold"),
    ],
)
def test_a_commitment_that_comes_along_is_checked_before_anything_is_named(change: Any, match: str) -> None:
    host = Forthcoming()
    host.change = {**host.change, **change}
    refused(host, match, twice)
    assert len(host.sent("/sessions")) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_a_proxy_answers_while_the_server_starts_is_waited_out(status: int) -> None:
    asked: set[str] = set()

    def away(_: Host, honest: Callable[..., httpx.Response], request: httpx.Request) -> httpx.Response:
        if request.url.path in asked:
            return honest(request)
        asked.add(request.url.path)
        return httpx.Response(status, html="<h1>Bad Gateway</h1>")

    host = lying("answer", away)
    assert tell(host, play, waits=(0.0,)).ok
    assert len(asked) > 3


DEEP, NOT_UTF8 = b"[" * 100_000, b'"\xff"'


@pytest.mark.parametrize("body", [DEEP, NOT_UTF8])
def test_an_answer_that_cannot_be_read_is_an_error_of_the_client(body: bytes) -> None:
    for status, error in ((200, BadDocument), (409, ApiError)):
        host = lying("answer", lambda *_, status=status: httpx.Response(status, content=body))
        with pytest.raises(error):
            tell(host, Client.tables)


def test_an_answer_that_cannot_be_unpacked_is_asked_for_again() -> None:
    packed = [httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))]
    host = lying("answer", lambda _, honest, request: packed.pop() if packed else honest(request))

    assert tell(host, play, waits=(0.0,)).ok


@pytest.mark.parametrize("frame", [DEEP, b"5", b"{}", b'{"type": "view", "match": "m_1", "version": 1}'])
def test_a_frame_that_cannot_be_read_is_an_error_of_the_client(frame: bytes) -> None:
    async def say(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(frame.decode())
        await socket.wait_closed()

    async def story(client: Client) -> None:
        async with serve(say, "127.0.0.1", 0, subprotocols=[Subprotocol("croupier.v1")]) as server:
            client.url = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            async with client.live() as live:
                await asyncio.wait_for(anext(live.follow("m_1")), 5)

    refused(lying("route", lambda *_: {"ticket": "t"}), "is not what it should be", story)


def test_a_commitment_that_expires_soon_is_not_used() -> None:
    host = Forthcoming()
    host.change = {"expires_at": 1}
    _, second, _ = tell(host, twice)

    assert second.session_id == 103
