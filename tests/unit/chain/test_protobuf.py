"""The wire format: published examples, every answer back to its bytes, and bytes that are changed."""

from __future__ import annotations

from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.chain.abci import messages
from croupier.chain.abci.messages import FinalizeBlock, Timestamp, decode_request, encode_response
from croupier.chain.abci.protobuf import ITEMS_MAX, BadMessage, Message, encode_field, read_varint, uvarint
from croupier.chain.limits import BLOCK_BYTES_MAX

settings.register_profile("chain", derandomize=True, deadline=None, max_examples=200)
CHAIN = settings.get_profile("chain")


class Number(Message, frozen=True):
    a: Annotated[int, 1] = 0


class Text(Message, frozen=True):
    b: Annotated[str, 2] = ""


class Nested(Message, frozen=True):
    c: Annotated[Number | None, 3] = None


def test_the_examples_of_the_published_encoding_guide():
    # protobuf.dev, "Encoding": Test1 a=150, Test2 b="testing", Test3 c={a: 150}; -2 as an int64.
    for message, data in (
        (Number(150), "089601"),
        (Text("testing"), "120774657374696e67"),
        (Nested(Number(150)), "1a03089601"),
        (Number(-2), "08feffffffffffffffff01"),
    ):
        assert message.encode().hex() == data
        assert type(message).decode(bytes.fromhex(data)) == message


def test_a_block_is_decoded_from_bytes_written_by_hand():
    raw = bytes.fromhex("0a02aabb0a0022030102032807320608641080897a4a01ff")

    block = FinalizeBlock.decode(raw)

    assert block == FinalizeBlock((b"\xaa\xbb", b""), bytes([1, 2, 3]), 7, Timestamp(100, 2_000_000))
    assert block.time is not None
    assert block.time.milliseconds == 100_002


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("08", "cut off"),
        ("0880", "cut off"),
        ("08" + "ff" * 10 + "01", "ten bytes"),
        ("08" + "ff" * 9 + "7f", "64 bits"),
        ("0a0101", "wire type 2"),
        ("00", "number 0"),
        ("0b", "wire type 3"),
        ("120561", "cut off"),
        ("0d0000", "cut off"),
    ],
)
def test_broken_bytes_are_refused(data, why):
    with pytest.raises(BadMessage, match=why):
        Number.decode(bytes.fromhex(data))


def test_a_message_comes_once_and_a_path_that_is_not_utf8_is_a_query_like_any_other():
    # CometBFT hands on what GET /abci_query?path=0xff asks for, and ends where it is told that this is no request.
    assert decode_request(bytes.fromhex("32031201ff")) == messages.Query("\ufffd")
    with pytest.raises(BadMessage, match="twice"):
        Nested.decode(bytes.fromhex("1a0208011a020801"))


def test_unknown_fields_are_skipped():
    assert Number.decode(bytes.fromhex("1201610896013d01020304411112131415161718")) == Number(150)


def test_a_list_is_bounded_and_may_be_as_long_as_a_block_that_a_liar_proposes():
    with pytest.raises(BadMessage, match="items"):
        FinalizeBlock.decode(b"\x0a\x00" * (ITEMS_MAX + 1))
    assert FinalizeBlock.decode(b"\x0a\x00" * (BLOCK_BYTES_MAX // 2)).txs.count(b"") == BLOCK_BYTES_MAX // 2


@settings(CHAIN)
@given(st.integers(0, 2**64 - 1))
def test_a_varint_is_its_seven_bit_groups(number):
    data = uvarint(number)

    assert sum((byte & 127) << 7 * place for place, byte in enumerate(data)) == number
    assert [byte >> 7 for byte in data] == [1] * (len(data) - 1) + [0]


PROPOSAL = messages.PrepareProposal(
    1000,
    (b"one", b"two"),
    messages.ExtendedCommit((messages.ExtendedVote(messages.Validator(b"a" * 20), b"share"),)),
    9,
)


@settings(CHAIN)
@given(st.data())
def test_mutated_requests_are_read_or_refused_and_nothing_else(data):
    raw = bytearray(encode_field(16, PROPOSAL))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        match data.draw(st.sampled_from(["set", "cut", "insert"])):
            case "set":
                raw[place] = data.draw(st.integers(0, 255))
            case "cut":
                del raw[place : place + data.draw(st.integers(1, 5))]
            case "insert":
                raw[place:place] = data.draw(st.binary(max_size=4))
        if not raw:
            break

    try:
        read = decode_request(bytes(raw))
    except BadMessage:
        return
    assert decode_request(encode_field(messages.REQUESTS[type(read)][0], read)) == read


def test_every_request_and_answer_has_a_number_of_its_own():
    # The field numbers of Request and Response in CometBFT v0.38, proto/tendermint/abci/types.proto.
    requests = {
        kind.__name__: tuple(
            read_varint(data, 0)[0] >> 3 for data in (encode_field(number, kind()), encode_response(kind(), answer()))
        )
        for kind, (number, answer) in messages.REQUESTS.items()
    }

    assert requests == {
        "Echo": (1, 2),
        "Flush": (2, 3),
        "Info": (3, 4),
        "InitChain": (5, 6),
        "Query": (6, 7),
        "CheckTx": (8, 9),
        "Commit": (11, 12),
        "ListSnapshots": (12, 13),
        "OfferSnapshot": (13, 14),
        "LoadSnapshotChunk": (14, 15),
        "ApplySnapshotChunk": (15, 16),
        "PrepareProposal": (16, 17),
        "ProcessProposal": (17, 18),
        "ExtendVote": (18, 19),
        "VerifyVoteExtension": (19, 20),
        "FinalizeBlock": (20, 21),
    }
