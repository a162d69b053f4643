"""The messages of ABCI 2.0 (CometBFT v0.38), as far as an application without snapshots needs them.

Field numbers follow the public specification; fields that nothing here reads are left out, and skipped when they come.
"""

from __future__ import annotations

from typing import ClassVar

from croupier.chain.abci.protobuf import LENGTH, BadMessage, Message, read_raw, read_varint, uvarint

__all__ = [
    "ACCEPT",
    "REJECT",
    "REQUESTS",
    "ApplySnapshotChunk",
    "CheckTx",
    "Commit",
    "CommitDone",
    "Echo",
    "ExceptionAnswer",
    "ExtendVote",
    "ExtendedCommit",
    "ExtendedVote",
    "FinalizeBlock",
    "Finalized",
    "Flush",
    "Info",
    "InfoAnswer",
    "InitChain",
    "InitChainAnswer",
    "ListSnapshots",
    "LoadSnapshotChunk",
    "Nothing",
    "OfferSnapshot",
    "PrepareProposal",
    "Prepared",
    "ProcessProposal",
    "PublicKey",
    "Query",
    "QueryAnswer",
    "Status",
    "Timestamp",
    "TransactionResult",
    "Validator",
    "ValidatorUpdate",
    "VerifyVoteExtension",
    "VoteExtension",
    "decode_request",
    "decode_response",
    "encode_request",
    "encode_response",
]

ACCEPT, REJECT = 1, 2


class Timestamp(Message, frozen=True):
    """A time: seconds since 1970, and nanoseconds."""

    NUMBERS: ClassVar = {"seconds": 1, "nanos": 2}
    seconds: int = 0
    nanos: int = 0

    @property
    def milliseconds(self) -> int:
        """The whole milliseconds since 1970."""
        return self.seconds * 1000 + self.nanos // 1_000_000


class PublicKey(Message, frozen=True):
    """A validator's key for votes."""

    NUMBERS: ClassVar = {"ed25519": 1}
    ed25519: bytes = b""


class ValidatorUpdate(Message, frozen=True):
    """A validator of the genesis file."""

    NUMBERS: ClassVar = {"public_key": 1, "power": 2}
    public_key: PublicKey | None = None
    power: int = 0


class Validator(Message, frozen=True):
    """A validator in a commit."""

    NUMBERS: ClassVar = {"address": 1, "power": 3}
    address: bytes = b""
    power: int = 0


class ExtendedVote(Message, frozen=True):
    """One validator's vote in a commit, with its extension."""

    NUMBERS: ClassVar = {"validator": 1, "extension": 3, "signature": 4, "flag": 5}
    validator: Validator | None = None
    extension: bytes = b""
    signature: bytes = b""
    flag: int = 0


class ExtendedCommit(Message, frozen=True):
    """The votes that decided a block."""

    NUMBERS: ClassVar = {"round": 1, "votes": 2}
    round: int = 0
    votes: tuple[ExtendedVote, ...] = ()


# Requests.


class Echo(Message, frozen=True):
    """A text to be sent back."""

    NUMBERS: ClassVar = {"message": 1}
    message: str = ""


class Flush(Message, frozen=True):
    """A wish that everything answered so far be sent."""


class Info(Message, frozen=True):
    """The question where the application stands."""

    NUMBERS: ClassVar = {"version": 1, "block_version": 2, "p2p_version": 3, "abci_version": 4}
    version: str = ""
    block_version: int = 0
    p2p_version: int = 0
    abci_version: str = ""


class InitChain(Message, frozen=True):
    """The beginning: what the genesis file says."""

    NUMBERS: ClassVar = {"time": 1, "chain_id": 2, "validators": 4, "app_state": 5, "initial_height": 6}
    time: Timestamp | None = None
    chain_id: str = ""
    validators: tuple[ValidatorUpdate, ...] = ()
    app_state: bytes = b""
    initial_height: int = 0


class Query(Message, frozen=True):
    """A question of a client about the state."""

    NUMBERS: ClassVar = {"data": 1, "path": 2, "height": 3, "prove": 4}
    data: bytes = b""
    path: str = ""
    height: int = 0
    prove: bool = False


class CheckTx(Message, frozen=True):
    """The question whether a transaction may wait for a block; type 1 asks again after a block."""

    NUMBERS: ClassVar = {"tx": 1, "type": 2}
    tx: bytes = b""
    type: int = 0


class Commit(Message, frozen=True):
    """The wish that the finalized block be made durable."""


class ListSnapshots(Message, frozen=True):
    """The question which snapshots there are."""


class OfferSnapshot(Message, frozen=True):
    """A snapshot from elsewhere."""


class LoadSnapshotChunk(Message, frozen=True):
    """The question for a part of a snapshot."""


class ApplySnapshotChunk(Message, frozen=True):
    """A part of a snapshot."""


class PrepareProposal(Message, frozen=True):
    """The wish for a block: waiting transactions, and the votes that decided the block before."""

    NUMBERS: ClassVar = {"max_tx_bytes": 1, "txs": 2, "last_commit": 3, "height": 5, "time": 6, "proposer": 8}
    max_tx_bytes: int = 0
    txs: tuple[bytes, ...] = ()
    last_commit: ExtendedCommit | None = None
    height: int = 0
    time: Timestamp | None = None
    proposer: bytes = b""


class ProcessProposal(Message, frozen=True):
    """The question whether a proposed block is valid."""

    NUMBERS: ClassVar = {"txs": 1, "hash": 4, "height": 5, "time": 6, "proposer": 8}
    txs: tuple[bytes, ...] = ()
    hash: bytes = b""
    height: int = 0
    time: Timestamp | None = None
    proposer: bytes = b""


class ExtendVote(Message, frozen=True):
    """The wish for the extension of this validator's own precommit."""

    NUMBERS: ClassVar = {"hash": 1, "height": 2}
    hash: bytes = b""
    height: int = 0


class VerifyVoteExtension(Message, frozen=True):
    """The question whether another validator's extension is good."""

    NUMBERS: ClassVar = {"hash": 1, "validator": 2, "height": 3, "extension": 4}
    hash: bytes = b""
    validator: bytes = b""
    height: int = 0
    extension: bytes = b""


class FinalizeBlock(Message, frozen=True):
    """A block that has been decided."""

    NUMBERS: ClassVar = {"txs": 1, "hash": 4, "height": 5, "time": 6, "proposer": 8}
    txs: tuple[bytes, ...] = ()
    hash: bytes = b""
    height: int = 0
    time: Timestamp | None = None
    proposer: bytes = b""


# Answers.


class ExceptionAnswer(Message, frozen=True):
    """The answer to what cannot be answered: the other side gives up."""

    NUMBERS: ClassVar = {"error": 1}
    error: str = ""


class InfoAnswer(Message, frozen=True):
    """Where the application stands."""

    NUMBERS: ClassVar = {"data": 1, "version": 2, "app_version": 3, "height": 4, "app_hash": 5}
    data: str = ""
    version: str = ""
    app_version: int = 0
    height: int = 0
    app_hash: bytes = b""


class InitChainAnswer(Message, frozen=True):
    """The hash of the state before the first block."""

    NUMBERS: ClassVar = {"app_hash": 3}
    app_hash: bytes = b""


class QueryAnswer(Message, frozen=True):
    """The answer to a client."""

    NUMBERS: ClassVar = {"code": 1, "log": 3, "key": 6, "value": 7, "height": 9}
    code: int = 0
    log: str = ""
    key: bytes = b""
    value: bytes = b""
    height: int = 0


class TransactionResult(Message, frozen=True):
    """How a transaction fared: code 0 is good."""

    NUMBERS: ClassVar = {"code": 1, "data": 2, "log": 3}
    code: int = 0
    data: bytes = b""
    log: str = ""


class CommitDone(Message, frozen=True):
    """The block is durable; blocks below `retain_height` may be forgotten."""

    NUMBERS: ClassVar = {"retain_height": 3}
    retain_height: int = 0


class Prepared(Message, frozen=True):
    """The transactions of the proposed block."""

    NUMBERS: ClassVar = {"txs": 1}
    txs: tuple[bytes, ...] = ()


class Status(Message, frozen=True):
    """`ACCEPT` or `REJECT`."""

    NUMBERS: ClassVar = {"status": 1}
    status: int = 0


class VoteExtension(Message, frozen=True):
    """The extension of this validator's precommit."""

    NUMBERS: ClassVar = {"extension": 1}
    extension: bytes = b""


class Finalized(Message, frozen=True):
    """What a decided block did, and the hash of the state after it."""

    NUMBERS: ClassVar = {"results": 2, "app_hash": 5}
    results: tuple[TransactionResult, ...] = ()
    app_hash: bytes = b""


class Nothing(Message, frozen=True):
    """An answer without content."""


REQUESTS: dict[type[Message], tuple[int, int, type[Message]]] = {
    Echo: (1, 2, Echo),
    Flush: (2, 3, Nothing),
    Info: (3, 4, InfoAnswer),
    InitChain: (5, 6, InitChainAnswer),
    Query: (6, 7, QueryAnswer),
    CheckTx: (8, 9, TransactionResult),
    Commit: (11, 12, CommitDone),
    ListSnapshots: (12, 13, Nothing),
    OfferSnapshot: (13, 14, Status),
    LoadSnapshotChunk: (14, 15, Nothing),
    ApplySnapshotChunk: (15, 16, Status),
    PrepareProposal: (16, 17, Prepared),
    ProcessProposal: (17, 18, Status),
    ExtendVote: (18, 19, VoteExtension),
    VerifyVoteExtension: (19, 20, Status),
    FinalizeBlock: (20, 21, Finalized),
}
"""Each request: its number in the envelope, the number and the type of its answer."""

_BY_REQUEST = {number: kind for kind, (number, _, _) in REQUESTS.items()}
_BY_ANSWER: dict[int, type[Message]] = {number: kind for _, number, kind in REQUESTS.values()} | {1: ExceptionAnswer}


def decode_request(data: bytes) -> Message:
    """Return the request in an envelope, or raise `BadMessage`."""
    return _open(data, _BY_REQUEST)


def decode_response(data: bytes) -> Message:
    """Return the answer in an envelope, or raise `BadMessage`."""
    return _open(data, _BY_ANSWER)


def encode_request(request: Message) -> bytes:
    """Return a request in its envelope."""
    return _seal(REQUESTS[type(request)][0], request)


def encode_response(request: Message, answer: Message) -> bytes:
    """Return the answer to a request in its envelope."""
    number, kind = REQUESTS[type(request)][1:]
    if isinstance(answer, ExceptionAnswer):
        number, kind = 1, ExceptionAnswer
    if type(answer) is not kind:
        raise TypeError(f"{type(request).__name__} is answered by {kind.__name__}, not {type(answer).__name__}")
    return _seal(number, answer)


def _seal(number: int, message: Message) -> bytes:
    raw = message.encode()
    return uvarint(number << 3 | LENGTH) + uvarint(len(raw)) + raw


def _open(data: bytes, kinds: dict[int, type[Message]]) -> Message:
    tag, position = read_varint(data, 0)
    if tag & 7 != LENGTH or tag >> 3 not in kinds:
        raise BadMessage(f"an envelope with field {tag >> 3} of wire type {tag & 7} is not known")
    raw, position = read_raw(data, position, LENGTH)
    if position != len(data):
        raise BadMessage("an envelope holds one message")
    assert isinstance(raw, bytes)
    return kinds[tag >> 3].decode(raw)
