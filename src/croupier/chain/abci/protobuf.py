"""Protocol Buffers wire format for messages declared as structs: the part of proto3 that ABCI uses.

Whole numbers, text, bytes, messages and lists of bytes or messages. Fields that a message does not declare
are skipped, as proto3 asks. Anything that is cut off, has the wrong wire type, or holds more than a bound is refused.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, Self, get_args, get_origin, get_type_hints

from msgspec import Struct

ITEMS_MAX = 1_048_576
"""How many items a list may have: as many as fit into a block, since every block that a liar proposes is judged."""

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_FIXED = {FIXED64: 8, FIXED32: 4}


class BadMessage(ValueError):
    """Bytes that are no message."""


class Message(Struct, frozen=True):
    """A message: its fields are attributes with defaults, annotated with type and field number: `Annotated[int, 1]`."""

    def encode(self) -> bytes:
        """Return the wire bytes: fields in the order of declaration, defaults left out."""
        parts: list[bytes] = []
        for number, (name, kind, is_list) in _fields(type(self)).items():
            value = getattr(self, name)
            if is_list:
                parts.extend(encode_field(number, item) for item in value)
            elif value or (value is not None and issubclass(kind, Message)):
                parts.append(encode_field(number, value))
        return b"".join(parts)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the message in these bytes, or raise `BadMessage`."""
        fields = _fields(cls)
        values: dict[str, Any] = {}
        position, end = 0, len(data)
        while position < end:
            tag, position = read_varint(data, position)
            number, wire = tag >> 3, tag & 7
            if number == 0:
                raise BadMessage("a field has number 0")
            raw, position = read_raw(data, position, wire)
            if number not in fields:
                continue
            name, kind, is_list = fields[number]
            value = _decode_value(raw, kind, wire, f"{cls.__name__}.{name}")
            if is_list:
                items = values.setdefault(name, [])
                if len(items) >= ITEMS_MAX:
                    raise BadMessage(f"{cls.__name__}.{name} has more than {ITEMS_MAX} items")
                items.append(value)
            elif name in values and issubclass(kind, Message):
                raise BadMessage(f"{cls.__name__}.{name} comes twice")
            else:
                values[name] = value
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def uvarint(number: int) -> bytes:
    """Return an unsigned number as a varint.

    >>> uvarint(300).hex()
    'ac02'
    """
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


@cache
def _fields(cls: type[Message]) -> dict[int, tuple[str, type, bool]]:
    """Return name, type and whether it is a list, of each field by its number, in the order of declaration."""
    fields: dict[int, tuple[str, type, bool]] = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        kind, number = get_args(hint)
        is_list = get_origin(kind) is tuple
        if is_list or isinstance(kind, UnionType):
            kind = get_args(kind)[0]
        fields[number] = (name, kind, is_list)
    return fields


def encode_field(number: int, value: Any) -> bytes:
    """Return a field with its tag: a number, or text, bytes or a message with its length."""
    if isinstance(value, int):
        return uvarint(number << 3 | VARINT) + uvarint(value & (1 << 64) - 1)
    raw: bytes = value if isinstance(value, bytes) else value.encode()  # text and messages alike
    return uvarint(number << 3 | LENGTH) + uvarint(len(raw)) + raw


def _decode_value(raw: int | bytes, kind: type, wire: int, place: str) -> Any:
    if kind is int:
        if not isinstance(raw, int) or wire != VARINT:
            raise BadMessage(f"{place} is a number, and came with wire type {wire}")
        return raw - (1 << 64) if raw >> 63 else raw
    if not isinstance(raw, bytes) or wire != LENGTH:
        raise BadMessage(f"{place} has a length, and came with wire type {wire}")
    if kind is bytes:
        return raw
    if kind is str:
        return raw.decode(errors="replace")  # clients choose it: CometBFT ends where it is told that it is not UTF-8
    assert issubclass(kind, Message)
    return kind.decode(raw)


def read_raw(data: bytes, position: int, wire: int) -> tuple[int | bytes, int]:
    """Return the value of a field by its wire type, undecoded, and the position behind it."""
    if wire == VARINT:
        return read_varint(data, position)
    if wire == LENGTH:
        length, position = read_varint(data, position)
    elif wire in _FIXED:
        length = _FIXED[wire]
    else:
        raise BadMessage(f"wire type {wire} is not used")
    if length > len(data) - position:
        raise BadMessage(f"a field of {length} bytes is cut off")
    return data[position : position + length], position + length


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """Return the varint at a position, and the position behind it."""
    number = shift = 0
    while True:
        if position >= len(data):
            raise BadMessage("a number is cut off")
        byte = data[position]
        position += 1
        number |= (byte & 127) << shift
        if byte < 128:
            break
        shift += 7
        if shift > 63:
            raise BadMessage("a number has more than ten bytes")
    if number >> 64:
        raise BadMessage("a number has more than 64 bits")
    return number, position
