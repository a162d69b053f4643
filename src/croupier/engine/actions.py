"""`@action`: a method's signature becomes the schema of a payload.

    @action(phase="shut")
    def shut(self, box: Box, turn: Turn, tiles: tuple[int, ...]) -> Box: ...

After the state and the turn, every parameter is a field of the payload, checked before the body runs. Whole numbers
are held to 64 bits, unknown fields are refused, a default makes a field optional and is left out of the log.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from functools import reduce
from itertools import product
from keyword import iskeyword
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, overload

import msgspec
from msgspec import Meta
from msgspec import inspect as inspect_type

from croupier.engine.plain import INT64_MAX, INT64_MIN, canonical, check_payload
from croupier.engine.shapes import kinds_in
from croupier.errors import BadGame

F = TypeVar("F", bound=Callable[..., Any])
Actor = Literal["current", "anyone", "host"]

RESERVED = ("join", "leave", "time_out")  # what hosts ask of every game
DOMAIN_MAX = 1000

_convert = msgspec.convert
_asdict = msgspec.structs.asdict
_astuple = msgspec.structs.astuple
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


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
    fields: tuple[str, ...]
    """The names of the payload's fields."""
    defaults: tuple[tuple[str, bytes], ...]
    """The fields that may be left out, each with what it then is, in canonical JSON."""
    bare: tuple[Any, ...] | None
    """Arguments of the method for an empty payload; None where the payload has to be read."""
    is_scalar: bool
    """Whether every field is a number or a fixed word: then the type check alone shows that the payload is plain."""
    is_open: bool
    """Whether the type check leaves whole numbers or nesting without bounds."""
    holds_any: bool
    """Whether the type check hands on what it was given: then the action gets a copy."""
    doc: str

    def read(self, payload: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return what the method gets for a payload, and the payload as the log keeps it; neither is shared.

        The log has what JSON would bring back, without what is left at its default. A payload that does not fit raises
        whatever shows it: `misread` has the words.
        """
        if self.holds_any:
            check_payload(payload, int64=True)
            payload = _decode(_encode(payload))
        arguments = _convert(payload, self.payload)
        if self.is_scalar:
            logged = _asdict(arguments)
        else:
            logged = _decode(_encode(arguments))
            if logged != payload or self.is_open:  # what is equal to plain JSON needs no closer look
                check_payload(payload, int64=self.is_open)
        for name, default in self.defaults:
            if name in logged and canonical(logged[name]) == default:
                del logged[name]
        return _astuple(arguments), logged

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


@overload
def action(method: F, /) -> F: ...


@overload
def action(
    *, phase: str | tuple[str, ...] = (), by: Actor = "current", secret: bool = False, opcode: int | None = None
) -> Callable[[F], F]: ...


def action(
    method: Callable[..., Any] | None = None,
    /,
    *,
    phase: str | tuple[str, ...] = (),
    by: Actor = "current",
    secret: bool = False,
    opcode: int | None = None,
) -> Any:
    """Mark a method of a game as an action players can take: `@action`, or `@action(...)` with what follows.

    `phase` is the phase or phases it belongs to (none: any). `by="anyone"` lets every seated player take it, not
    only the one whose go it is; `by="host"` lets the host alone, whose id is `HOST` and who has no seat. A `secret`
    action's payload is kept from the other players' logs while the match is on. `opcode` fixes its bytes on the wire
    for house games. The action has the method's name; where that is a word of Python, the method ends with `_`.
    """

    def mark(method: F) -> F:
        method.__action__ = (  # type: ignore[attr-defined]
            (phase,) if isinstance(phase, str) else tuple(phase),
            by,
            secret,
            opcode,
        )
        return method

    return mark if method is None else mark(method)


def specs_of(cls: type) -> dict[str, ActionSpec]:
    """Return the actions of a game class by name, in the order they are written, a base class's first."""
    found: dict[str, ActionSpec] = {}
    for base in reversed(cls.__mro__):
        for attribute, method in vars(base).items():
            # `pass` and `raise` cannot be names of methods: `pass_` is the action `pass`.
            name = attribute[:-1] if attribute.endswith("_") and iskeyword(attribute[:-1]) else attribute
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
    if by not in ("current", "anyone", "host"):
        raise BadGame(f'{where}: by is "current", "anyone" or "host", not {by!r}')
    try:
        hints = typing.get_type_hints(method, include_extras=True)
    except Exception as error:  # annotations are code: a name that is not there, or no Python at all
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
    by_name = any(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)
    try:
        payload = msgspec.defstruct(
            f"{cls.__name__}_{name}",
            fields,
            frozen=True,
            forbid_unknown_fields=True,
            omit_defaults=True,
            kw_only=by_name,
        )
        msgspec.json.schema(payload)
        kinds = kinds_in(payload, "the payload")
        defaults = tuple((entry[0], _default(*entry[1:])) for entry in fields if len(entry) == 3)
    except (TypeError, ValueError, msgspec.ValidationError) as error:
        raise BadGame(f"{where}: a payload field's type cannot be checked: {error}") from None
    structs = [kind.cls for kind in kinds if isinstance(kind, inspect_type.StructType)]  # twice if it holds itself
    for struct in structs:
        if not struct.__struct_config__.forbid_unknown_fields:
            raise BadGame(f"{where}: {struct.__name__} in the payload needs forbid_unknown_fields=True")
    is_scalar = all(_is_scalar(field.type) for field in msgspec.structs.fields(payload))
    return ActionSpec(
        name=name,
        method=_by_name(method, payload.__struct_fields__) if by_name else method,
        phases=phases,
        by=by,
        secret=secret,
        opcode=opcode,
        payload=payload,
        fields=payload.__struct_fields__,
        defaults=defaults,
        bare=tuple(entry[2] for entry in fields) if is_scalar and len(defaults) == len(fields) else None,
        is_scalar=is_scalar,
        is_open=any(_is_open(kind) for kind in kinds) or len(set(structs)) < len(structs),
        holds_any=any(isinstance(kind, inspect_type.AnyType) for kind in kinds),
        doc=inspect.cleandoc(method.__doc__ or ""),
    )


def _default(kind: Any, value: Any) -> bytes:
    """Return the canonical JSON of a default, which must be a value of its type."""
    return canonical(msgspec.json.decode(canonical(value), type=kind))


def _by_name(method: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """Return a method with keyword-only parameters as one that takes them in order, as the engine calls it."""

    def call(game: Any, state: Any, turn: Any, *values: Any) -> Any:
        return method(game, state, turn, **dict(zip(names, values, strict=True)))

    return call


def _is_open(kind: Any) -> bool:
    if isinstance(kind, inspect_type.IntType):
        return (kind.ge is None and kind.gt is None) or (kind.le is None and kind.lt is None)
    return isinstance(kind, inspect_type.AnyType)


def is_snake_case(name: object) -> bool:
    """Tell whether a name is lower snake_case, as actions, phases and refusal codes are."""
    return isinstance(name, str) and name.isidentifier() and name.isascii() and name == name.lower()


def bound_ints(kind: Any) -> Any:
    """Return the type with every `int` in it held to 64 bits; bounds of its own are kept."""
    if kind is int:
        return Annotated[int, Meta(ge=INT64_MIN, le=INT64_MAX)]
    origin = typing.get_origin(kind)
    if origin is None or origin is Literal:
        return kind
    if origin is Annotated:
        base, *notes = typing.get_args(kind)
        if base is not int:
            return Annotated[(bound_ints(base), *notes)]
        metas = [note for note in notes if isinstance(note, Meta)]
        if all(meta.ge is None and meta.gt is None for meta in metas):
            notes.append(Meta(ge=INT64_MIN))
        if all(meta.le is None and meta.lt is None for meta in metas):
            notes.append(Meta(le=INT64_MAX))
        return Annotated[(int, *notes)]
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
        low, high = INT64_MIN, INT64_MAX
        for note in notes:
            if isinstance(note, Meta):
                low = max([low, *_given(note.ge), *(bound + 1 for bound in _given(note.gt))])
                high = min([high, *_given(note.le), *(bound - 1 for bound in _given(note.lt))])
        return list(range(low, high + 1)) if high - low < DOMAIN_MAX else None
    return None


def _given(bound: float | None) -> list[int]:
    return [] if bound is None else [int(bound)]
