"""`@action`: a method's signature becomes the schema of a payload.

    @action(phase="shut")
    def shut(self, box: Box, turn: Turn, tiles: tuple[int, ...]) -> Box: ...

After the state and the turn, every parameter is a field of the payload, checked before the body runs. Whole numbers
are held to 64 bits, unknown fields are refused, a default makes a field optional.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from functools import reduce
from itertools import product
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union

import msgspec
from msgspec import Meta

from croupier.errors import BadGame

__all__ = ["ActionSpec", "action"]

F = TypeVar("F", bound=Callable[..., Any])
Actor = Literal["current", "anyone"]

RESERVED = ("join", "leave", "time_out")  # what hosts ask of every game
INT64 = Meta(ge=-(2**63), le=2**63 - 1)
DOMAIN_MAX = 1000


class ActionSpec(msgspec.Struct, frozen=True):
    """One kind of action of a game: when it may be taken, by whom, with which payload, and the method that does it."""

    name: str
    method: Callable[..., Any]
    phases: tuple[str, ...]
    """The phases it may be taken in; empty means any."""
    by: Actor
    secret: bool
    opcode: int | None
    payload: type[msgspec.Struct]
    is_scalar: bool
    """Whether every field is a number or a fixed word: then the type check alone shows that the payload is plain."""
    doc: str

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the payload's fields."""
        return self.payload.__struct_fields__

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the payload."""
        (schema,), components = msgspec.json.schema_components([self.payload], ref_template="#/$defs/{name}")
        definition: dict[str, Any] = components.pop(self.payload.__name__, schema)
        definition.pop("title", None)
        if components:
            definition["$defs"] = components
        return definition

    def candidates(self) -> Iterator[dict[str, Any]] | None:
        """Return every payload there is, in the order of the fields' values; None where they have no end."""
        fields = msgspec.structs.fields(self.payload)
        domains = [_domain(field.type) for field in fields]
        if any(domain is None for domain in domains):
            return None
        names = [field.name for field in fields]
        return (dict(zip(names, values, strict=True)) for values in product(*[domain or [] for domain in domains]))


def action(
    *,
    phase: str | tuple[str, ...] = (),
    by: Actor = "current",
    secret: bool = False,
    opcode: int | None = None,
) -> Callable[[F], F]:
    """Mark a method of a game as an action players can take.

    `phase` is the phase or phases it belongs to (none: any). `by="anyone"` lets every seated player take it, not
    only the one whose go it is. A `secret` action's payload is kept from the other players' logs while the match is on.
    `opcode` fixes its bytes on the wire for house games.
    """

    def mark(method: F) -> F:
        method.__action__ = (  # type: ignore[attr-defined]
            (phase,) if isinstance(phase, str) else tuple(phase),
            by,
            secret,
            opcode,
        )
        return method

    return mark


def specs_of(cls: type) -> dict[str, ActionSpec]:
    """Return the actions of a game class by name, in the order they are written, a base class's first."""
    found: dict[str, ActionSpec] = {}
    for base in reversed(cls.__mro__):
        for name, method in vars(base).items():
            if hasattr(method, "__action__"):
                found[name] = _spec(cls, name, method)
            else:
                found.pop(name, None)  # a subclass that overrides an action without the mark takes it away
    return found


def _spec(cls: type, name: str, method: Callable[..., Any]) -> ActionSpec:
    where = f"{cls.__name__}.{name}"
    phases, by, secret, opcode = method.__action__  # type: ignore[attr-defined]
    if name in RESERVED:
        raise BadGame(
            f"{where}: {name!r} is what hosts ask of every game; write the hook on_{name} or rename the action"
        )
    if not is_snake_case(name):
        raise BadGame(f"{where}: an action's name is lower snake_case")
    for phase in phases:
        if not is_snake_case(phase):
            raise BadGame(f"{where}: the phase {phase!r} is not lower snake_case")
    if by not in ("current", "anyone"):
        raise BadGame(f'{where}: by is "current" or "anyone", not {by!r}')
    try:
        hints = typing.get_type_hints(method, include_extras=True)
    except NameError as error:
        raise BadGame(f"{where}: {error}; payload types must be names that the game's module can see") from None
    parameters = list(inspect.signature(method).parameters.values())[1:]
    if len(parameters) < 2:
        raise BadGame(
            f"{where}: an action takes the state and the turn, then its payload: def {name}(self, state, turn, ...)"
        )
    fields: list[Any] = []
    for parameter in parameters[2:]:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise BadGame(f"{where}: the parameter {parameter} cannot be a payload field; name each field")
        if parameter.name not in hints:
            raise BadGame(f"{where}: annotate {parameter.name!r}: its type is what checks the payload")
        kind = bound_ints(hints[parameter.name])
        if parameter.default is parameter.empty:
            fields.append((parameter.name, kind))
        else:
            fields.append((parameter.name, kind, parameter.default))
    try:
        payload = msgspec.defstruct(
            f"{cls.__name__}_{name}", fields, frozen=True, forbid_unknown_fields=True, omit_defaults=True
        )
        msgspec.json.schema(payload)
    except TypeError as error:
        raise BadGame(f"{where}: a payload field's type cannot be checked: {error}") from None
    is_scalar = all(_is_scalar(field.type) for field in msgspec.structs.fields(payload))
    return ActionSpec(
        name, method, phases, by, secret, opcode, payload, is_scalar, inspect.cleandoc(method.__doc__ or "")
    )


def is_snake_case(name: object) -> bool:
    """Tell whether a name is lower snake_case, as actions, phases and refusal codes are."""
    return isinstance(name, str) and name.isidentifier() and name.isascii() and name == name.lower()


def bound_ints(kind: Any) -> Any:
    """Return the type with every bare `int` in it held to 64 bits; ints with bounds of their own keep them."""
    if kind is int:
        return Annotated[int, INT64]
    origin = typing.get_origin(kind)
    if origin is None or origin is Literal:
        return kind
    if origin is Annotated:
        base, *notes = typing.get_args(kind)
        has_bounds = any(
            isinstance(note, Meta) and (note.ge, note.gt, note.le, note.lt) != (None,) * 4 for note in notes
        )
        return kind if has_bounds else Annotated[(bound_ints(base), *notes)]
    arguments = tuple(bound_ints(argument) for argument in typing.get_args(kind))
    if origin is Union or origin is UnionType:
        return reduce(or_, arguments)
    return origin[arguments]


def _is_scalar(kind: Any) -> bool:
    origin = typing.get_origin(kind)
    if origin is Annotated:
        return _is_scalar(typing.get_args(kind)[0])
    if origin is Union or origin is UnionType:
        return all(_is_scalar(part) for part in typing.get_args(kind))
    return kind is type(None) or kind is int or kind is bool or origin is Literal


def _domain(kind: Any) -> list[Any] | None:
    """Return all values of a finite type in order, or None."""
    if kind is bool:
        return [False, True]
    if kind is None or kind is type(None):
        return [None]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [member.value for member in kind]
    origin = typing.get_origin(kind)
    if origin is Literal:
        return list(typing.get_args(kind))
    if origin is Union or origin is UnionType:
        parts = [_domain(part) for part in typing.get_args(kind)]
        return None if any(part is None for part in parts) else [value for part in parts for value in part or []]
    if origin is Annotated:
        base, *notes = typing.get_args(kind)
        if base is not int:
            return _domain(base)
        low, high = -(2**63), 2**63 - 1
        for note in notes:
            if isinstance(note, Meta):
                low = max([low, *_given(note.ge), *(bound + 1 for bound in _given(note.gt))])
                high = min([high, *_given(note.le), *(bound - 1 for bound in _given(note.lt))])
        return list(range(low, high + 1)) if high - low < DOMAIN_MAX else None
    return None


def _given(bound: float | None) -> list[int]:
    return [] if bound is None else [int(bound)]
