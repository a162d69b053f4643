"""Transactions: one form each, and a code for everything that is not one."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.chain.errors import BadTransaction
from croupier.chain.limits import PAYLOAD_BYTES_MAX
from croupier.chain.transactions import ApproveUpgrade, Transaction, read_transaction, sign_transaction
from croupier.house import CloseSession, Deposit, GameMove, PlayerAction, Register, StartGame
from tests.unit.chain.world import CHAIN, sender

u64 = st.integers(0, 2**64 - 1)
bodies = st.one_of(
    st.builds(Register, st.text(max_size=8)),
    st.builds(Deposit, u64),
    st.builds(StartGame, st.integers(0, 65535), u64, st.just(0)),
    st.builds(GameMove, u64, st.binary(max_size=PAYLOAD_BYTES_MAX)),
    st.builds(PlayerAction, st.sampled_from(["shield", "double", "super"])),
    st.builds(CloseSession, u64),
    st.builds(ApproveUpgrade, u64, st.binary(max_size=300)),
)


def refusal(data: bytes, chain: str = CHAIN) -> str:
    read = read_transaction(data, chain)
    assert isinstance(read, BadTransaction)
    return read.reason


@settings(derandomize=True, deadline=None, max_examples=100)
@given(bodies, u64)
def test_a_transaction_is_read_as_it_was_signed(body, nonce):
    data = sign_transaction(sender("ann"), CHAIN, nonce, body)

    assert read_transaction(data, CHAIN) == Transaction(sender("ann").id, nonce, body)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(bodies, st.data())
def test_no_changed_byte_goes_unnoticed(body, data):
    raw = bytearray(sign_transaction(sender("ann"), CHAIN, 0, body))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))

    assert refusal(bytes(raw)) in {"malformed", "wrong_chain", "bad_signature", "too_large"}


def test_the_bytes_of_a_move_are_those_on_the_page():
    data = sign_transaction(sender("ann"), "dice", 3, GameMove(5, b"\x01\x01"))

    # SHA-256("dice") begins with e1e02580; kind 4, session 5, two bytes of payload.
    assert data[:9].hex() == "01" + "e1e025805cd63af3"
    assert data[9:41] == sender("ann").public
    assert data[41:-64].hex() == "000000000000000304000000000000000500020101"


@pytest.mark.parametrize("cut", [0, 1, 50, 113, 120])
def test_a_transaction_that_is_cut_off_is_malformed(cut):
    data = sign_transaction(sender("ann"), CHAIN, 0, Deposit(5))

    assert refusal(data[:cut]) in {"malformed", "bad_signature"}


def test_another_chain_s_transaction_is_refused_even_with_this_chain_s_tag():
    data = bytearray(sign_transaction(sender("ann"), "elsewhere", 0, Deposit(5)))
    assert refusal(bytes(data)) == "wrong_chain"

    data[1:9] = sign_transaction(sender("ann"), CHAIN, 0, Deposit(5))[1:9]
    assert refusal(bytes(data)) == "bad_signature"


def test_an_upgrade_may_be_larger_than_other_transactions():
    large = sign_transaction(sender("ann"), CHAIN, 0, ApproveUpgrade(1, bytes(5000)))
    assert isinstance(read_transaction(large, CHAIN), Transaction)


def test_nothing_keeps_the_bytes_of_what_is_too_large():
    data = bytes(1_000_000)  # as much as CometBFT hands on for anybody who asks
    before = sys.getrefcount(data)

    assert refusal(data) == "too_large"
    assert sys.getrefcount(data) == before


@pytest.mark.parametrize(
    "body", [Deposit(-1), Deposit(2**64), StartGame(65536, 0, 0), Register("x" * 256), GameMove(-1, b"")]
)
def test_a_value_too_large_for_its_field_is_not_signed(body):
    with pytest.raises(BadTransaction, match="does not fit"):
        sign_transaction(sender("ann"), CHAIN, 0, body)


def test_bytes_left_over_are_malformed():
    data = sign_transaction(sender("ann"), CHAIN, 0, Deposit(5))

    assert refusal(data[:-64] + b"\0" + data[-64:]) == "malformed"
