"""`StateShape`: what the engine must know about a state type to keep it safe and to read it back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from croupier.engine.plain import UNREADABLE, canonical, copy_plain, not_plain
from croupier.errors import BadGame, GameFault

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
_NOT_JSON = (inspect.EnumType, inspect.VarTupleType, inspect.TupleType, inspect.StructType)
_JSON = (inspect.FloatType, inspect.ListType, inspect.DictType, inspect.AnyType)
_RUNTIME: dict[type, type] = {
    inspect.IntType: int,
    inspect.StrType: str,
    inspect.BoolType: bool,
    inspect.NoneType: type(None),
    inspect.FloatType: float,
    inspect.VarTupleType: tuple,
    inspect.TupleType: tuple,
    inspect.ListType: list,
    inspect.DictType: dict,
}


class Several:
    """Stands for the type of a state that may be of several: no state is one of these."""


class StateShape(msgspec.Struct, frozen=True):
    """A state type; `is_frozen` says that a value of it cannot be changed in place, so no copy need be handed out."""

    owner: str
    type: Any
    runtime_type: type
    """The class of every state, or `Several` where there is more than one."""
    runtime_types: tuple[type, ...]
    is_frozen: bool
    is_json: bool
    """Whether a state is made of what JSON knows, without structs or tuples."""

    @classmethod
    def of(cls, owner: str, state: Any) -> StateShape:
        """Return the shape of a type, or say why values of it would not survive JSON."""
        if state is dict:
            state = dict[str, Any]  # JSON knows no other keys
        try:
            kinds = kinds_in(state, "the state")
            msgspec.json.Decoder(state)
        except TypeError as error:
            raise BadGame(f"{owner}: the state type cannot be stored: {error}") from None
        except ValueError as error:
            raise BadGame(f"{owner}: {error}") from None
        is_frozen = all(_is_frozen(kind) for kind in kinds)
        is_json = not any(isinstance(kind, _NOT_JSON) for kind in kinds)
        classes = _classes(kinds[0])
        return cls(owner, state, classes[0] if len(classes) == 1 else Several, classes, is_frozen, is_json)

    def hand_out(self, state: Any) -> Any:
        """Return what a game's code may have: the state itself, or a copy where it could be changed in place."""
        return state if self.is_frozen else copy_plain(state)

    def take_back(self, state: Any, where: str, given: Any = None) -> Any:
        """Return the state a game's code gave, or raise `GameFault` if it is not one.

        Code that gave nothing has edited its own copy, `given`, in place, where a state can be.
        """
        state = given if state is None and not self.is_frozen else state
        if not isinstance(state, self.runtime_types):
            hint = "; did it forget to return the state?" if state is None else ""
            wanted = " or ".join(kind.__name__ for kind in self.runtime_types)
            raise GameFault(f"{self.owner}: {where} returned {type(state).__name__}, not {wanted}{hint}")
        if not self.is_frozen and (found := self.not_stored(state)):
            raise GameFault(f"{self.owner}: {where} returned a state that cannot be stored: {found}")
        return state

    def not_stored(self, state: Any) -> str | None:
        """Return None if typed decoding restores an equal state, else a sentence that says what is wrong."""
        if self.is_json:
            return not_plain(state)
        try:
            restored = msgspec.json.decode(canonical(state), type=self.type)
        except UNREADABLE as error:
            return str(error)
        return None if restored == state else f"it comes back from JSON as {restored!r}"


def kinds_in(kind: Any, what: str) -> list[Any]:
    """Return what a type is made of, itself first. Raises `ValueError` naming what would not come back from JSON."""
    kinds = list(_walk(inspect.type_info(kind), set(), what))
    for found in kinds:
        if not isinstance(found, (*_FROZEN, *_JSON)):
            word = type(found).__name__.removesuffix("Type").lower()
            raise ValueError(f"a {word} in {what} would not come back from JSON; use ints, text, tuples, structs")
    return kinds


def is_changeable(kind: Any) -> bool:
    """Tell whether a value of a type can be changed in place."""
    return not isinstance(kind, inspect.FloatType) and not _is_frozen(kind)


def _is_frozen(kind: Any) -> bool:
    # A float is not: it may be no number, so a state that holds one is looked at.
    if isinstance(kind, inspect.StructType):
        return kind.cls.__struct_config__.frozen
    return isinstance(kind, _FROZEN)


def _classes(kind: Any) -> tuple[type, ...]:
    """Return the classes that a value of a type can have."""
    if isinstance(kind, inspect.Metadata):
        return _classes(kind.type)
    if isinstance(kind, inspect.UnionType):
        return tuple(dict.fromkeys(cls for part in kind.types for cls in _classes(part)))
    if isinstance(kind, (inspect.StructType, inspect.EnumType)):
        return (kind.cls,)
    if isinstance(kind, inspect.LiteralType):
        return tuple(dict.fromkeys(type(value) for value in kind.values))
    return (_RUNTIME.get(type(kind), object),)


def _walk(kind: Any, seen: set[Any], what: str) -> Iterator[Any]:
    """Yield a type and every type inside it, each struct once."""
    if isinstance(kind, inspect.Metadata):
        yield from _walk(kind.type, seen, what)
        return
    yield kind
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return
        seen.add(kind.cls)
        for field in kind.fields:
            yield from _walk(field.type, seen, what)
    elif isinstance(kind, inspect.UnionType):
        for part in kind.types:
            yield from _walk(part, seen, what)
    elif isinstance(kind, inspect.TupleType):
        for part in kind.item_types:
            yield from _walk(part, seen, what)
    elif isinstance(kind, (inspect.VarTupleType, inspect.ListType)):
        yield from _walk(kind.item_type, seen, what)
    elif isinstance(kind, inspect.DictType):
        if not isinstance(kind.key_type, inspect.StrType):
            raise TypeError(f"a dict in {what} needs text keys")
        yield from _walk(kind.value_type, seen, what)
