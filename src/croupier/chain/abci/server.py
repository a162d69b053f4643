"""An ABCI server for asyncio: CometBFT's socket protocol, each message with its length before it as a varint.

CometBFT opens four connections (consensus, mempool, query, snapshot). Requests are handled one at a time, whichever
connection they come by, so an application needs no locks. An application that raises ends `serve`: a node that goes on
after an error it did not plan for would disagree with the others sooner or later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from croupier.chain.abci.messages import (
    REJECT,
    ApplySnapshotChunk,
    CheckTx,
    Commit,
    CommitDone,
    Echo,
    ExceptionAnswer,
    ExtendVote,
    FinalizeBlock,
    Finalized,
    Flush,
    Info,
    InfoAnswer,
    InitChain,
    InitChainAnswer,
    ListSnapshots,
    LoadSnapshotChunk,
    Nothing,
    OfferSnapshot,
    Prepared,
    PrepareProposal,
    ProcessProposal,
    Query,
    QueryAnswer,
    Status,
    TransactionResult,
    VerifyVoteExtension,
    VoteExtension,
    decode_request,
    encode_response,
)
from croupier.chain.abci.protobuf import BadMessage, Message, uvarint

__all__ = ["FRAME_BYTES_MAX", "Application", "answer_request", "read_frame", "serve", "write_frame"]

FRAME_BYTES_MAX = 32 * 1024 * 1024
_REJECT_SNAPSHOT = 3


class Application(Protocol):
    """What CometBFT runs: one method a request."""

    def info(self, request: Info) -> InfoAnswer:
        """Return the last durable height and its hash."""

    def init_chain(self, request: InitChain) -> InitChainAnswer:
        """Begin a chain."""

    def query(self, request: Query) -> QueryAnswer:
        """Answer a client."""

    def check_tx(self, request: CheckTx) -> TransactionResult:
        """Say whether a transaction may wait for a block."""

    def prepare_proposal(self, request: PrepareProposal) -> Prepared:
        """Return the transactions of a block to propose."""

    def process_proposal(self, request: ProcessProposal) -> Status:
        """Accept or reject a proposed block."""

    def extend_vote(self, request: ExtendVote) -> VoteExtension:
        """Return the extension of this validator's precommit."""

    def verify_vote_extension(self, request: VerifyVoteExtension) -> Status:
        """Accept or reject the extension of another validator's precommit."""

    def finalize_block(self, request: FinalizeBlock) -> Finalized:
        """Carry out a decided block."""

    def commit(self, request: Commit) -> CommitDone:
        """Make the finalized block durable."""


def answer_request(app: Application, request: Message) -> Message:
    """Return the application's answer. Snapshots are not offered, and those of others are rejected."""
    if isinstance(request, Echo):
        return request
    if isinstance(request, Flush | ListSnapshots | LoadSnapshotChunk):
        return Nothing()
    if isinstance(request, OfferSnapshot):
        return Status(_REJECT_SNAPSHOT)
    if isinstance(request, ApplySnapshotChunk):
        return Status(REJECT)
    handlers: dict[type[Message], Callable[[Any], Message]] = {
        Info: app.info,
        InitChain: app.init_chain,
        Query: app.query,
        CheckTx: app.check_tx,
        PrepareProposal: app.prepare_proposal,
        ProcessProposal: app.process_proposal,
        ExtendVote: app.extend_vote,
        VerifyVoteExtension: app.verify_vote_extension,
        FinalizeBlock: app.finalize_block,
        Commit: app.commit,
    }
    return handlers[type(request)](request)


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next message, None at the end of the connection; raise `BadMessage` for a length that cannot be."""
    length = shift = 0
    while True:
        byte = await reader.read(1)
        if not byte:
            if shift:
                raise BadMessage("the connection ended inside a length")
            return None
        length |= (byte[0] & 127) << shift
        shift += 7
        if byte[0] < 128:
            break
        if shift > 28:
            raise BadMessage("a length has more than four bytes")
    if length > FRAME_BYTES_MAX:
        raise BadMessage(f"a message of {length} bytes; at most {FRAME_BYTES_MAX} are read")
    try:
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError as error:
        raise BadMessage(f"the connection ended after {len(error.partial)} of {length} bytes") from None


def write_frame(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Write a message with its length before it."""
    writer.write(uvarint(len(data)) + data)


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
    while True:
        try:
            frame = await read_frame(reader)
            if frame is None:
                return
            request = decode_request(frame)
        except BadMessage as error:
            write_frame(writer, encode_response(Echo(), ExceptionAnswer(str(error))))
            await writer.drain()
            return
        try:
            answer = answer_request(app, request)
        except Exception as error:
            write_frame(writer, encode_response(request, ExceptionAnswer(f"{type(error).__name__}: {error}")))
            await writer.drain()
            raise
        write_frame(writer, encode_response(request, answer))
        if isinstance(request, Flush):
            await writer.drain()
