"""`StateShape`: what the engine must know about a state type to keep it safe and to read it back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from croupier.engine.plain import canonical, copy_plain, not_plain
from croupier.errors import BadGame, GameFault

__all__ = ["StateShape"]

_FROZEN = (
    inspect.IntType,
    inspect.StrType,
    inspect.BoolType,
    inspect.NoneType,
    inspect.LiteralType,
    inspect.EnumType,
    inspect.VarTupleType,
    inspect.TupleType,
    inspect.UnionType,
    inspect.StructType,
)
_PLAIN = (*_FROZEN, inspect.FloatType, inspect.ListType, inspect.DictType, inspect.AnyType)


class StateShape(msgspec.Struct, frozen=True):
    """A state type; `is_frozen` says that a value of it cannot be changed in place, so no copy need be handed out."""

    owner: str
    type: Any
    runtime_type: type
    is_frozen: bool

    @classmethod
    def of(cls, owner: str, state: Any) -> StateShape:
        """Return the shape of a type, or say why values of it would not survive JSON."""
        try:
            kinds = list(_walk(inspect.type_info(state), set()))
            msgspec.json.Decoder(state)
        except TypeError as error:
            raise BadGame(f"{owner}: the state type cannot be stored: {error}") from None
        for kind in kinds:
            if not isinstance(kind, _PLAIN):
                word = type(kind).__name__.removesuffix("Type").lower()
                raise BadGame(
                    f"{owner}: a {word} in the state would not come back from JSON; use ints, text, tuples, structs"
                )
        is_frozen = all(_is_frozen(kind) for kind in kinds)
        runtime = state if isinstance(state, type) else getattr(state, "__origin__", object)
        return cls(owner, state, runtime, is_frozen)

    def hand_out(self, state: Any) -> Any:
        """Return what a game's code may have: the state itself, or a copy where it could be changed in place."""
        return state if self.is_frozen else copy_plain(state)

    def take_back(self, state: Any, where: str) -> Any:
        """Return the state a game's code gave, or raise `GameFault` if it is not one."""
        if not isinstance(state, self.runtime_type):
            hint = "; did it forget to return the state?" if state is None else ""
            raise GameFault(
                f"{self.owner}: {where} returned {type(state).__name__}, not {self.runtime_type.__name__}{hint}"
            )
        if not self.is_frozen and (found := self.not_stored(state)):
            raise GameFault(f"{self.owner}: {where} returned a state that cannot be stored: {found}")
        return state

    def not_stored(self, state: Any) -> str | None:
        """Return None if typed decoding restores an equal state, else a sentence that says what is wrong."""
        if not isinstance(state, msgspec.Struct):
            return not_plain(state)
        try:
            restored = msgspec.json.decode(canonical(state), type=self.type)
        except (TypeError, ValueError) as error:
            return str(error)
        return None if restored == state else f"it comes back from JSON as {restored!r}"


def _is_frozen(kind: Any) -> bool:
    if isinstance(kind, inspect.StructType):
        return kind.cls.__struct_config__.frozen
    return isinstance(kind, _FROZEN)


def _walk(kind: Any, seen: set[Any]) -> Iterator[Any]:
    """Yield a type and every type inside it, each struct once."""
    if isinstance(kind, inspect.Metadata):
        yield from _walk(kind.type, seen)
        return
    yield kind
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return
        seen.add(kind.cls)
        for field in kind.fields:
            yield from _walk(field.type, seen)
    elif isinstance(kind, inspect.UnionType):
        for part in kind.types:
            yield from _walk(part, seen)
    elif isinstance(kind, inspect.TupleType):
        for part in kind.item_types:
            yield from _walk(part, seen)
    elif isinstance(kind, (inspect.VarTupleType, inspect.ListType)):
        yield from _walk(kind.item_type, seen)
    elif isinstance(kind, inspect.DictType):
        if not isinstance(kind.key_type, inspect.StrType):
            raise TypeError("a dict in the state needs text keys")
        yield from _walk(kind.value_type, seen)
