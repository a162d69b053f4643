"""Payload bytes: a version, an opcode, then the fields of the action's signature, each of fixed width.

    01  opcode  field field …       big-endian; a list is one byte of count and then its items

The codec follows from the signatures: a whole number is as wide as its upper bound needs (1, 2, 4 or 8 bytes), a bet
is its kind and number. Bytes that are short, long, or of an unknown version or opcode are refused; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, inspect

from croupier.engine import Action
from croupier.engine.actions import ActionSpec
from croupier.engine.plain import nearest
from croupier.errors import BadGame
from croupier.house.game import GameType, HouseGame, house_game
from croupier.house.money import CHIPS_MAX
from croupier.house.results import GameError

VERSION = 1
PAYLOAD_MAX = 256

Chips = Annotated[int, Meta(ge=1, le=CHIPS_MAX)]
"""A stake: eight bytes."""


class BetCodes:
    """The names of a game's bets and the codes that stand for them: a kind, and a number where bets have one.

    `aliases` are other names of some of them.
    """

    def __init__(
        self, bets: Mapping[str, tuple[int, int]], *, numbered: bool = True, aliases: Mapping[str, str] | None = None
    ) -> None:
        self.codes = dict(bets)
        self.aliases = dict(aliases or {})
        self.names = {code: name for name, code in bets.items()}
        self.numbered = numbered
        if len(self.names) != len(self.codes):
            raise BadGame("two bets have the same code")
        for name, (kind, number) in self.codes.items():
            if not (0 <= kind <= 255 and 0 <= number <= (255 if numbered else 0)):
                raise BadGame(f"the code of {name} does not fit its {2 if numbered else 1} bytes: {kind}, {number}")

    def encode(self, name: str) -> bytes:
        """Return the bytes of a bet."""
        name = self.aliases.get(name, name)
        if name not in self.codes:
            raise ValueError(f"there is no bet {name!r}{nearest(name, self.codes)}")
        kind, number = self.codes[name]
        return bytes((kind, number) if self.numbered else (kind,))

    def decode(self, data: bytes, at: int) -> tuple[str, int]:
        """Return the bet at a place in the payload, and the place after it."""
        end = at + (2 if self.numbered else 1)
        code = (data[at], data[at + 1] if self.numbered else 0) if end <= len(data) else None
        if code not in self.names:
            raise GameError.invalid_payload(f"byte {at}: no bet has the code {data[at:end].hex() or 'of nothing'}")
        return self.names[code], end


def bet_type(codes: BetCodes) -> Any:
    """Return the type of a payload field that names a bet: one of the names, and its codes on the wire."""
    return Annotated[str, Meta(max_length=32, extra={"bets": codes}, examples=list(codes.codes)[:3])]


def read_payload(game: HouseGame[Any], payload: bytes | Action) -> Action:
    """Return the action that a player asks for, as it came or from its bytes; `GameError` for what no player may do."""
    action = decode_payload(game, payload) if isinstance(payload, bytes) else payload
    if action.type not in game.actions:
        raise GameError.invalid_payload(f"{game.name} has no action {action.type!r}")
    return action


def decode_payload(game: HouseGame[Any] | GameType | str, data: bytes) -> Action:
    """Return the action that the bytes of a move stand for, or raise `GameError` (InvalidPayload)."""
    game = house_game(game)
    if len(data) > PAYLOAD_MAX:
        raise GameError.invalid_payload(f"{len(data)} bytes: a payload has at most {PAYLOAD_MAX}")
    if game.raw_action:
        return Action(game.raw_action, {"payload": list(data)})
    if len(data) < 2:
        raise GameError.invalid_payload(f"{len(data)} bytes: a payload has at least a version and an opcode")
    if data[0] != VERSION:
        raise GameError.invalid_payload(f"version {data[0]}: this is version {VERSION}")
    spec = game.opcode_table().get(data[1])
    if spec is None:
        raise GameError.invalid_payload(f"opcode {data[1]}: {game.name} has no such action")
    payload, at = _read_fields(codecs_of(spec), data, 2)
    if at != len(data):
        raise GameError.invalid_payload(f"{len(data)} bytes: {spec.name} ends after {at}")
    return Action(spec.name, payload)


def encode_payload(game: HouseGame[Any] | GameType | str, action: Action) -> bytes:
    """Return the bytes of a move. The action must be one the game has, with a payload that fits it."""
    game = house_game(game)
    spec = game.actions.get(action.type)
    if spec is None:
        raise GameError.invalid_payload(f"{game.name} has no action {action.type!r}")
    try:
        fields = msgspec.convert(action.payload, spec.payload)
        # Field by field: a struct leaves out what is at its default.
        body = b"".join(codec.write(msgspec.to_builtins(getattr(fields, name))) for name, codec in codecs_of(spec))
    except (ValueError, KeyError, OverflowError) as error:
        raise GameError.invalid_payload(f"{spec.name}: {error}") from None
    if len(body) + 2 > PAYLOAD_MAX:
        raise GameError.invalid_payload(f"{spec.name}: {len(body) + 2} bytes, a payload has at most {PAYLOAD_MAX}")
    return body[1:] if game.raw_action else bytes((VERSION, spec.opcode or 0)) + body


class _Codec(NamedTuple):
    read: Callable[[bytes, int], tuple[Any, int]]
    write: Callable[[Any], bytes]


@cache
def codecs_of(spec: ActionSpec) -> tuple[tuple[str, _Codec], ...]:
    """Return how each field of an action is read and written; `BadGame` names one that has no fixed bytes."""
    kinds = inspect.type_info(spec.payload)
    assert isinstance(kinds, inspect.StructType)
    return tuple((field.name, _codec(field.type, f"{spec.name}.{field.name}")) for field in kinds.fields)


def _codec(kind: Any, where: str) -> _Codec:
    if isinstance(kind, inspect.Metadata):
        codes: BetCodes | None = (kind.extra or {}).get("bets")
        return _codec(kind.type, where) if codes is None else _Codec(codes.decode, codes.encode)
    if isinstance(kind, inspect.IntType) and kind.ge is not None and kind.ge >= 0 and kind.le is not None:
        le = kind.le
        return _whole(next(width for width in (1, 2, 4, 8) if le < 256**width))
    if isinstance(kind, inspect.LiteralType) and all(type(v) is int and 0 <= v < 256 for v in kind.values):
        return _whole(1)
    if isinstance(kind, inspect.BoolType):
        return _Codec(_read_bool, lambda value: bytes((value,)))
    if isinstance(kind, inspect.VarTupleType):
        return _list(_codec(kind.item_type, where))
    if isinstance(kind, inspect.StructType):
        return _struct([(field.name, _codec(field.type, f"{where}.{field.name}")) for field in kind.fields])
    raise BadGame(f"{where}: this type has no fixed bytes; use bounded whole numbers, bets, and tuples of them")


def _whole(width: int) -> _Codec:
    def read(data: bytes, at: int) -> tuple[int, int]:
        if at + width > len(data):
            raise GameError.invalid_payload(f"{len(data)} bytes: a field of {width} begins at byte {at}")
        return int.from_bytes(data[at : at + width], "big"), at + width

    return _Codec(read, lambda value: int(value).to_bytes(width, "big"))


def _read_bool(data: bytes, at: int) -> tuple[bool, int]:
    value, end = _whole(1).read(data, at)
    if value > 1:
        raise GameError.invalid_payload(f"byte {at}: yes or no is 1 or 0, got {value}")
    return value == 1, end


def _list(item: _Codec) -> _Codec:
    def read(data: bytes, at: int) -> tuple[list[Any], int]:
        count, at = _whole(1).read(data, at)
        items = []
        for _ in range(count):
            value, at = item.read(data, at)
            items.append(value)
        return items, at

    return _Codec(read, lambda values: bytes((len(values),)) + b"".join(map(item.write, values)))


def _read_fields(fields: Sequence[tuple[str, _Codec]], data: bytes, at: int) -> tuple[dict[str, Any], int]:
    found = {}
    for name, codec in fields:
        found[name], at = codec.read(data, at)
    return found, at


def _struct(fields: Sequence[tuple[str, _Codec]]) -> _Codec:
    return _Codec(
        partial(_read_fields, fields), lambda value: b"".join(codec.write(value[name]) for name, codec in fields)
    )
