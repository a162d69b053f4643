"""The messages of ABCI 2.0 (CometBFT v0.38), as far as an application without snapshots needs them.

The number beside the type of a field is its number in the public specification. Fields that nothing here reads are
left out, and skipped when they come.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from croupier.chain.abci.protobuf import LENGTH, BadMessage, Message, encode_field, read_raw, read_varint

ACCEPT, REJECT = 1, 2


class Timestamp(Message, frozen=True):
    """A time: seconds since 1970, and nanoseconds."""

    seconds: Annotated[int, 1] = 0
    nanos: Annotated[int, 2] = 0

    @property
    def milliseconds(self) -> int:
        """The whole milliseconds since 1970."""
        return self.seconds * 1000 + self.nanos // 1_000_000

    @classmethod
    def of(cls, milliseconds: int) -> Timestamp:
        """Return the time so many milliseconds after 1970."""
        return cls(milliseconds // 1000, milliseconds % 1000 * 1_000_000)


class PublicKey(Message, frozen=True):
    """A validator's key for votes."""

    ed25519: Annotated[bytes, 1] = b""


class ValidatorUpdate(Message, frozen=True):
    """A validator of the genesis file."""

    public_key: Annotated[PublicKey | None, 1] = None
    power: Annotated[int, 2] = 0


class Validator(Message, frozen=True):
    """A validator in a commit."""

    address: Annotated[bytes, 1] = b""


class ExtendedVote(Message, frozen=True):
    """One validator's vote in a commit, with its extension."""

    validator: Annotated[Validator | None, 1] = None
    extension: Annotated[bytes, 3] = b""


class ExtendedCommit(Message, frozen=True):
    """The votes that decided a block."""

    votes: Annotated[tuple[ExtendedVote, ...], 2] = ()


# Requests.


class Echo(Message, frozen=True):
    """A text to be sent back."""

    message: Annotated[str, 1] = ""


class Flush(Message, frozen=True):
    """A wish that everything answered so far be sent."""


class Info(Message, frozen=True):
    """The question where the application stands."""


class InitChain(Message, frozen=True):
    """The beginning: what the genesis file says."""

    chain_id: Annotated[str, 2] = ""
    validators: Annotated[tuple[ValidatorUpdate, ...], 4] = ()
    app_state: Annotated[bytes, 5] = b""
    initial_height: Annotated[int, 6] = 0


class Query(Message, frozen=True):
    """A question of a client about the state."""

    path: Annotated[str, 2] = ""


class CheckTx(Message, frozen=True):
    """The question whether a transaction may wait for a block."""

    tx: Annotated[bytes, 1] = b""


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

    max_tx_bytes: Annotated[int, 1] = 0
    txs: Annotated[tuple[bytes, ...], 2] = ()
    last_commit: Annotated[ExtendedCommit | None, 3] = None
    height: Annotated[int, 5] = 0


class ProcessProposal(Message, frozen=True):
    """The question whether a proposed block is valid."""

    txs: Annotated[tuple[bytes, ...], 1] = ()
    hash: Annotated[bytes, 4] = b""
    height: Annotated[int, 5] = 0
    time: Annotated[Timestamp | None, 6] = None


class ExtendVote(Message, frozen=True):
    """The wish for the extension of this validator's own precommit."""

    hash: Annotated[bytes, 1] = b""
    height: Annotated[int, 2] = 0


class VerifyVoteExtension(Message, frozen=True):
    """The question whether another validator's extension is good."""

    hash: Annotated[bytes, 1] = b""
    validator: Annotated[bytes, 2] = b""
    height: Annotated[int, 3] = 0
    extension: Annotated[bytes, 4] = b""


class FinalizeBlock(ProcessProposal, frozen=True):
    """A block that has been decided; it has the fields of a proposed one."""


# Answers.


class ExceptionAnswer(Message, frozen=True):
    """The answer to what cannot be answered: the other side gives up."""

    error: Annotated[str, 1] = ""


class InfoAnswer(Message, frozen=True):
    """Answer to `info`: height and hash of the last committed block."""

    data: Annotated[str, 1] = ""
    version: Annotated[str, 2] = ""
    app_version: Annotated[int, 3] = 0
    height: Annotated[int, 4] = 0
    app_hash: Annotated[bytes, 5] = b""


class InitChainAnswer(Message, frozen=True):
    """The hash of the state before the first block."""

    app_hash: Annotated[bytes, 3] = b""


class QueryAnswer(Message, frozen=True):
    """The answer to a client."""

    code: Annotated[int, 1] = 0
    log: Annotated[str, 3] = ""
    value: Annotated[bytes, 7] = b""
    height: Annotated[int, 9] = 0


class TransactionResult(Message, frozen=True):
    """Result of a transaction: code 0 is success."""

    code: Annotated[int, 1] = 0
    data: Annotated[bytes, 2] = b""
    log: Annotated[str, 3] = ""


class Prepared(Message, frozen=True):
    """The transactions of the proposed block."""

    txs: Annotated[tuple[bytes, ...], 1] = ()


class Status(Message, frozen=True):
    """`ACCEPT` or `REJECT`."""

    status: Annotated[int, 1] = 0


class VoteExtension(Message, frozen=True):
    """The extension of this validator's precommit."""

    extension: Annotated[bytes, 1] = b""


class Finalized(Message, frozen=True):
    """Answer to `finalize_block`: the results of a block's transactions, and the app hash after it."""

    results: Annotated[tuple[TransactionResult, ...], 2] = ()
    app_hash: Annotated[bytes, 5] = b""


class Nothing(Message, frozen=True):
    """An answer without content."""


REQUESTS: dict[type[Message], tuple[int, type[Message]]] = {
    Echo: (1, Echo),
    Flush: (2, Nothing),
    Info: (3, InfoAnswer),
    InitChain: (5, InitChainAnswer),
    Query: (6, QueryAnswer),
    CheckTx: (8, TransactionResult),
    Commit: (11, Nothing),
    ListSnapshots: (12, Nothing),
    OfferSnapshot: (13, Status),
    LoadSnapshotChunk: (14, Nothing),
    ApplySnapshotChunk: (15, Status),
    PrepareProposal: (16, Prepared),
    ProcessProposal: (17, Status),
    ExtendVote: (18, VoteExtension),
    VerifyVoteExtension: (19, Status),
    FinalizeBlock: (20, Finalized),
}
"""Each request: its number in the envelope, and the type of its answer, whose number is the next."""

_BY_REQUEST = {number: kind for kind, (number, _) in REQUESTS.items()}


def decode_request(data: bytes) -> Message:
    """Return the request in an envelope, or raise `BadMessage`."""
    return open_envelope(data, _BY_REQUEST)


def encode_response(request: Message, answer: Message) -> bytes:
    """Return the answer to a request in its envelope."""
    number, kind = REQUESTS[type(request)]
    if isinstance(answer, ExceptionAnswer):
        return encode_field(1, answer)
    if type(answer) is not kind:
        raise TypeError(f"{type(request).__name__} is answered by {kind.__name__}, not {type(answer).__name__}")
    return encode_field(number + 1, answer)


def open_envelope(data: bytes, kinds: Mapping[int, type[Message]]) -> Message:
    """Return the message in an envelope, its type by its number there, or raise `BadMessage`."""
    tag, position = read_varint(data, 0)
    if tag & 7 != LENGTH or tag >> 3 not in kinds:
        raise BadMessage(f"an envelope with field {tag >> 3} of wire type {tag & 7} is not known")
    raw, position = read_raw(data, position, LENGTH)
    if position != len(data):
        raise BadMessage("an envelope holds one message")
    assert isinstance(raw, bytes)
    return kinds[tag >> 3].decode(raw)
