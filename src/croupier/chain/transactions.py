"""Transactions: an instruction to the house, or an operator's approval of an upgrade, signed with Ed25519.

    01 ‖ chain tag, 8 bytes ‖ sender's key, 32 ‖ nonce, u64 ‖ kind, u8 ‖ fields ‖ signature, 64

The signature is over lp("croupier/tx/1") ‖ lp(chain id) ‖ everything before it. The chain tag is the beginning of
SHA-256(chain id): it tells a transaction of another chain from a bad signature.

    kind  fields
    1     name: length u8, UTF-8           become a player
    2     amount u64                       ask for chips
    3     table u16, stake u64             sit down; the chain numbers the session
    4     session u64, length u16, bytes   make a move
    5     modifier u8                      shield 0, double 1, super 2
    6     session u64                      close an abandoned session
    7     height u64, length u32, JSON     approve constants from a height on (operators)

There is one way to write each: bytes that are short, long or different are refused.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from croupier.chain.errors import BadTransaction
from croupier.chain.limits import NAME_BYTES_MAX, PAYLOAD_BYTES_MAX, TRANSACTION_BYTES_MAX, UPGRADE_BYTES_MAX
from croupier.fairness.seeds import join, u64
from croupier.house import CloseSession, Deposit, GameMove, PlayerAction, Register, StartGame

VERSION = 1
SIGNATURE_BYTES = 64
HEAD_BYTES = 1 + 8 + 32 + 8 + 1
MODIFIERS = ("shield", "double", "super")


class ApproveUpgrade(Struct, frozen=True):
    """An operator's word for constants, as canonical JSON, that shall hold from a height on."""

    height: int
    params: bytes


Body = Register | Deposit | StartGame | GameMove | PlayerAction | CloseSession | ApproveUpgrade


class Transaction(Struct, frozen=True):
    """A transaction whose signature is good. `sender` is the public key in hex, which is the player's id."""

    sender: str
    nonce: int
    body: Body


class Sender:
    """An account that signs: its private key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()
        self.id = self.public.hex()

    def sign(self, data: bytes) -> bytes:
        """Return the signature of some bytes."""
        return self._key.sign(data)


def sign_transaction(sender: Sender, chain_id: str, nonce: int, body: Body) -> bytes:
    """Return the bytes of a transaction. A `StartGame`'s session id is left out: the chain gives it."""
    head = bytes([VERSION]) + _chain_tag(chain_id) + sender.public + u64(nonce)
    unsigned = head + _write_body(body)
    return unsigned + sender.sign(join(b"croupier/tx/1", chain_id.encode()) + unsigned)


def read_transaction(data: bytes, chain_id: str) -> Transaction | BadTransaction:
    """Return the transaction in these bytes, or why they are none.

    The answer depends on nothing but the bytes and the chain, so it is kept: a transaction is read when it comes,
    when it is proposed and when it is carried out. To long ones it is not: strangers could fill the memory with them.
    """
    return (_answer if len(data) <= TRANSACTION_BYTES_MAX else _answer.__wrapped__)(data, chain_id)


@lru_cache(maxsize=32_768)
def _answer(data: bytes, chain_id: str) -> Transaction | BadTransaction:
    try:
        return _read(data, chain_id)
    except BadTransaction as error:
        return error.with_traceback(None)


def _read(data: bytes, chain_id: str) -> Transaction:
    if len(data) > UPGRADE_BYTES_MAX or (len(data) > TRANSACTION_BYTES_MAX and data[HEAD_BYTES - 1] != 7):
        raise BadTransaction("too_large", f"a transaction of {len(data)} bytes; at most {TRANSACTION_BYTES_MAX}")
    if len(data) < HEAD_BYTES + SIGNATURE_BYTES or data[0] != VERSION:
        raise BadTransaction("malformed", "this is no transaction")
    if data[1:9] != _chain_tag(chain_id):
        raise BadTransaction("wrong_chain", "the transaction is for another chain")
    unsigned, signature = data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]
    sender, nonce = data[9:41], int.from_bytes(data[41:49], "big")
    body = _read_body(data[49], unsigned[HEAD_BYTES:])
    signed = join(b"croupier/tx/1", chain_id.encode()) + unsigned
    try:
        Ed25519PublicKey.from_public_bytes(sender).verify(signature, signed)
    except (InvalidSignature, ValueError):
        raise BadTransaction("bad_signature", "the signature is not the sender's") from None
    return Transaction(sender.hex(), nonce, body)


def _chain_tag(chain_id: str) -> bytes:
    return sha256(chain_id.encode()).digest()[:8]


Field = tuple[str, int, int]
FORMS: dict[int, tuple[type[Body], tuple[Field, ...]]] = {
    1: (Register, (("name", 1, NAME_BYTES_MAX),)),
    2: (Deposit, (("amount", 8, 0),)),
    3: (StartGame, (("table", 2, 0), ("stake", 8, 0))),
    4: (GameMove, (("session_id", 8, 0), ("payload", 2, PAYLOAD_BYTES_MAX))),
    5: (PlayerAction, (("modifier", 1, 0),)),
    6: (CloseSession, (("session_id", 8, 0),)),
    7: (ApproveUpgrade, (("height", 8, 0), ("params", 4, UPGRADE_BYTES_MAX))),
}
"""Each kind: its type and its fields, with the bytes of a number; or of a length, and the most that it may say."""
_KINDS = {form: kind for kind, (form, _) in FORMS.items()}


def _write_body(body: Body) -> bytes:
    kind = _KINDS[type(body)]
    parts = [bytes([kind])]
    for name, width, longest in FORMS[kind][1]:
        value = getattr(body, name)
        if name == "modifier":
            value = MODIFIERS.index(value)
        text = value.encode() if name == "name" else value if longest else b""
        assert isinstance(text, bytes), "on a chain a move is bytes"
        try:
            parts += [(len(text) if longest else value).to_bytes(width, "big"), text]
        except OverflowError:
            raise BadTransaction("too_large", f"{name} does not fit into {width} bytes") from None
    return b"".join(parts)


def _read_body(kind: int, data: bytes) -> Body:
    if kind not in FORMS:
        raise BadTransaction("malformed", f"there is no kind {kind}")
    form, fields = FORMS[kind]
    values: dict[str, Any] = {}
    for name, width, longest in fields:
        head, data = data[:width], data[width:]
        values[name] = number = int.from_bytes(head, "big")
        if number > longest > 0:
            raise BadTransaction("too_large", f"a field of {number} bytes; at most {longest}")
        if longest:
            values[name], data = data[:number], data[number:]
        if len(head) < width or (longest and len(values[name]) < number):
            raise BadTransaction("malformed", "the transaction is cut off")
    if data:
        raise BadTransaction("malformed", "bytes are left over")
    try:
        if form is Register:
            values["name"] = values["name"].decode()
        if form is PlayerAction:
            values["modifier"] = MODIFIERS[values["modifier"]]
        return form(**values) if form is not StartGame else StartGame(**values, session_id=0)
    except (UnicodeDecodeError, IndexError):
        raise BadTransaction("malformed", "there is no such name or modifier") from None
