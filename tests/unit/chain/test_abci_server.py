"""The ABCI server over a real socket: order, errors, and what ends it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.chain.abci import messages as m
from croupier.chain.abci import serve
from croupier.chain.abci import server as abci
from croupier.chain.abci.messages import CheckTx, Echo, ExceptionAnswer, Info, InfoAnswer, TransactionResult
from croupier.chain.abci.protobuf import Message, encode_field, uvarint
from croupier.chain.abci.server import FRAME_BYTES_MAX, read_frame

ANSWERS: dict[int, type[Message]] = {1: ExceptionAnswer, **{number + 1: kind for number, kind in m.REQUESTS.values()}}


class Counting:
    """An application that numbers its transactions, and breaks at the word."""

    def __init__(self) -> None:
        self.count = 0

    def info(self, request: Info) -> InfoAnswer:
        return InfoAnswer(height=self.count)

    def check_tx(self, request: CheckTx) -> TransactionResult:
        if request.tx == b"break":
            raise RuntimeError("broken")
        self.count += 1
        return TransactionResult(self.count)

    def __getattr__(self, name: str) -> Any:
        return lambda request: m.Nothing()


def run(talk: Any) -> Any:
    """Serve while a conversation goes on; return what it returned, or raise what ended the server."""

    async def both() -> Any:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        server = asyncio.create_task(serve(Counting(), ready=port.set_result))
        speaking = asyncio.create_task(talk(await port, server))
        done, _ = await asyncio.wait({server, speaking}, return_when=asyncio.FIRST_COMPLETED)
        if server in done:
            await asyncio.gather(speaking, return_exceptions=True)
            await server
        server.cancel()
        await asyncio.gather(server, return_exceptions=True)
        return await speaking

    return asyncio.run(asyncio.wait_for(both(), 30))


async def ask(port: int, *frames: bytes) -> list[Any]:
    """Send frames at once, then return every answer until the server has nothing more or closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for frame in frames:
        writer.write(frame)
    writer.write_eof()
    answers = []
    while (data := await read_frame(reader)) is not None:
        answers.append(m.open_envelope(data, ANSWERS))
    writer.close()
    return answers


def answers(*requests: Any) -> Any:
    """Return the answers to requests that are sent at once over one connection."""

    async def talk(port: int, server: Any) -> Any:
        return await ask(port, *map(frame, requests))

    return run(talk)


def frame(request: Any) -> bytes:
    return abci.frame(encode_field(m.REQUESTS[type(request)][0], request))


def test_answers_come_in_the_order_of_the_requests():
    asked = Echo("hi"), CheckTx(b"a"), CheckTx(b"b"), Info(), m.Flush()
    told = Echo("hi"), TransactionResult(1), TransactionResult(2), InfoAnswer(height=2), m.Nothing()

    assert answers(*asked) == [*told]


def test_answers_are_sent_together_when_a_flush_asks_for_them_and_at_the_end():
    sent: list[bytes] = []

    class Writer:
        def write(self, data: bytes) -> None:
            sent.append(data)

        async def drain(self) -> None: ...

    async def talk() -> None:
        reader = asyncio.StreamReader()
        for request in (CheckTx(b"a"), CheckTx(b"b"), m.Flush(), Info()):
            reader.feed_data(frame(request))
        reader.feed_eof()
        await abci._converse(Counting(), reader, Writer())  # type: ignore[arg-type]

    asyncio.run(talk())
    first = (CheckTx(), TransactionResult(1)), (CheckTx(), TransactionResult(2)), (m.Flush(), m.Nothing())
    together = b"".join(abci.frame(m.encode_response(request, answer)) for request, answer in first)
    assert sent == [together, abci.frame(m.encode_response(Info(), InfoAnswer(height=2)))]


def test_four_connections_share_one_application():
    async def talk(port: int, server: Any) -> Any:
        return await asyncio.gather(*(ask(port, frame(CheckTx(b"x"))) for _ in range(4)))

    assert sorted(answer[0].code for answer in run(talk)) == [1, 2, 3, 4]


def test_snapshots_are_neither_offered_nor_taken():
    assert answers(m.ListSnapshots(), m.OfferSnapshot()) == [m.Nothing(), m.Status(3)]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (uvarint(FRAME_BYTES_MAX + 1), "at most"),
        (b"\xff\xff\xff\xff\xff\x01", "four bytes"),
        (b"\x05abc", "after 3 of 5"),
        (b"\x02\x0a\x05", "cut off"),
        (b"\x02\xfa\x01", "not known"),
        (b"\x00", "cut off"),
        (b"\x80", "inside a length"),
    ],
)
def test_a_frame_that_is_no_request_is_told_so_and_the_others_go_on(broken, why):
    async def talk(port: int, server: Any) -> Any:
        refused = await ask(port, broken)
        return refused, await ask(port, frame(CheckTx(b"x"))), server.done()

    refused, after, ended = run(talk)
    assert [type(answer) for answer in refused] == [ExceptionAnswer]
    assert why in refused[0].error
    assert after == [TransactionResult(1)]
    assert not ended


def test_an_application_that_raises_ends_the_server_after_saying_so():
    told = []

    async def talk(port: int, server: Any) -> Any:
        told.extend(await ask(port, frame(CheckTx(b"break"))))
        await server

    with pytest.raises(RuntimeError, match="broken"):
        run(talk)
    assert told == [ExceptionAnswer("RuntimeError: broken")]


def test_a_frame_is_read_as_it_was_written():
    echoes = [Echo("x" * size) for size in (0, 1, 127, 128, 70_000)]

    assert answers(*echoes) == echoes
