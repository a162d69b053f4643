"""An ABCI server for asyncio: CometBFT's socket protocol, each message with its length before it as a varint.

CometBFT opens four connections (consensus, mempool, query, snapshot). Requests are handled one at a time, whichever
connection they come by, so an application needs no locks. An application that raises ends `serve`: a node that goes on
after an error it did not plan for would disagree with the others sooner or later.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Protocol

from croupier.chain.abci import messages as m
from croupier.chain.abci.protobuf import BadMessage, Message, read_varint, uvarint

FRAME_BYTES_MAX = 32 * 1024 * 1024
_REJECT_SNAPSHOT = 3


class Application(Protocol):
    """Interface of an application that CometBFT runs: one method a request."""

    def info(self, request: m.Info) -> m.InfoAnswer:
        """Return the last durable height and its hash."""

    def init_chain(self, request: m.InitChain) -> m.InitChainAnswer:
        """Begin a chain."""

    def query(self, request: m.Query) -> m.QueryAnswer:
        """Answer a client."""

    def check_tx(self, request: m.CheckTx) -> m.TransactionResult:
        """Say whether a transaction may wait for a block."""

    def prepare_proposal(self, request: m.PrepareProposal) -> m.Prepared:
        """Return the transactions of a block to propose."""

    def process_proposal(self, request: m.ProcessProposal) -> m.Status:
        """Accept or reject a proposed block."""

    def extend_vote(self, request: m.ExtendVote) -> m.VoteExtension:
        """Return the extension of this validator's precommit."""

    def verify_vote_extension(self, request: m.VerifyVoteExtension) -> m.Status:
        """Accept or reject the extension of another validator's precommit."""

    def finalize_block(self, request: m.FinalizeBlock) -> m.Finalized:
        """Carry out a decided block."""

    def commit(self, request: m.Commit) -> m.Nothing:
        """Make the finalized block durable."""


def answer_request(app: Application, request: Message) -> Message:
    """Return the application's answer. Snapshots are not offered, and those of others are rejected."""
    if isinstance(request, m.Echo):
        return request
    if isinstance(request, m.Flush | m.ListSnapshots | m.LoadSnapshotChunk):
        return m.Nothing()
    if isinstance(request, m.OfferSnapshot | m.ApplySnapshotChunk):
        return m.Status(_REJECT_SNAPSHOT if isinstance(request, m.OfferSnapshot) else m.REJECT)
    name = re.sub(r"\B(?=[A-Z])", "_", type(request).__name__).lower()  # CheckTx is taken by check_tx
    handler: Callable[[Message], Message] = getattr(app, name)
    return handler(request)


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next message, None at the end of the connection; raise `BadMessage` for a length that cannot be."""
    head = b""
    while not head or head[-1] > 127:
        if len(head) == 4:
            raise BadMessage("a length has more than four bytes")
        byte = await reader.read(1)
        if not byte:
            if head:
                raise BadMessage("the connection ended inside a length")
            return None
        head += byte
    length, _ = read_varint(head, 0)
    if length > FRAME_BYTES_MAX:
        raise BadMessage(f"a message of {length} bytes; at most {FRAME_BYTES_MAX} are read")
    try:
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError as error:
        raise BadMessage(f"the connection ended after {len(error.partial)} of {length} bytes") from None


def frame(data: bytes) -> bytes:
    """Return a message with its length before it."""
    return uvarint(len(data)) + data


async def serve(
    app: Application, host: str = "127.0.0.1", port: int = 0, *, ready: Callable[[int], None] | None = None
) -> None:
    """Serve an application until this is cancelled or the application raises, which is raised here.

    `ready` is told the port. A connection that sends what is no request is told so and closed; the application has not
    seen it, and goes on.
    """
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    connections: set[asyncio.Task[Any]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        try:
            await _converse(app, reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        except Exception as error:
            if not failed.done():
                failed.set_exception(error)
        finally:
            connections.discard(task)
            writer.close()

    server = await asyncio.start_server(talk, host, port)
    if ready is not None:
        ready(server.sockets[0].getsockname()[1])
    try:
        await failed
    finally:
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


async def _converse(app: Application, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer requests. Answers are sent together when a `Flush` asks for them, as CometBFT does when it waits."""
    answers = bytearray()
    try:
        while True:
            try:
                data = await read_frame(reader)
                if data is None:
                    return
                request = m.decode_request(data)
            except BadMessage as error:
                answers += frame(m.encode_response(m.Echo(), m.ExceptionAnswer(str(error))))
                return
            answers += frame(m.encode_response(request, answer_request(app, request)))
            if isinstance(request, m.Flush):
                writer.write(bytes(answers))
                answers.clear()
                await writer.drain()
    except Exception as error:
        answers += frame(m.encode_response(m.Echo(), m.ExceptionAnswer(f"{type(error).__name__}: {error}")))
        raise
    finally:
        writer.write(bytes(answers))
        await writer.drain()
