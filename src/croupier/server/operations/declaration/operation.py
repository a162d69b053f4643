"""`@operation`: a function's signature becomes a request, over HTTP and live, and its part of the OpenAPI document.

    @operation("rooms", "POST /rooms/{room_id}/bots", codes=("no_bots", "room_full"))
    def add_bot(call: Context, caller: Caller, room_id: str, bot: BotName) -> RoomView:
        \"\"\"Put a bot on a free seat of your room.\"\"\"

    call, caller      ──► the transaction and who asks, for a function that takes them
    parameters        ──► what the path names; then query (GET, `QUERIES`) or body; a parameter `body` is the body whole
    return annotation ──► the schema of the answer
    docstring         ──► its first line tells what the request is for

The function stays what it was: other operations and tests call it as it is written.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import HEADERS, Key, QueryFlag, RoomId, SessionId
from croupier.server.problems import KeptRefusal, Problem

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
Role = Literal["anyone", "player", "operator"]
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

FRAME_FIELDS = {"room_id": ("match", RoomId), "session_id": ("session", SessionId)}
"""Names, in frames, of the parameters in the path of a request, and their types."""


class Later(Generic[T]):
    """An answer that takes a while to work out, when the transaction is over and nobody else has to wait for it."""

    def __init__(self, work: Callable[..., T], *arguments: Any) -> None:
        self.work = work
        self.arguments = arguments
        self.account_id = ""
        """Account that asked for it, if one did."""

    def __call__(self) -> T:
        """Work the answer out."""
        return self.work(*self.arguments)


class Operation(Struct, frozen=True, kw_only=True):
    """One thing that can be asked for: name, role, what it takes, what it returns, and the function."""

    name: str
    tag: str
    method: Method
    path: str
    """Below the prefix of the API, such as /rooms/{room_id}."""
    role: Role
    summary: str
    function: Callable[..., Any]
    leading: int
    """How many of `call` and `caller` the function takes."""
    in_path: Mapping[str, Any]
    """The types of what the path names."""
    in_header: Mapping[str, str]
    """Parameters that come in a header, with its name."""
    query: type[Struct] | None
    body: type[Struct] | None
    takes_body: bool
    """Whether the function has a parameter for the body whole."""
    returns: Any
    """The type of the answer; `bytes` that are JSON already are sent as they are."""
    field_codes: Mapping[str, tuple[str, str]]
    """Code and words with which a field that does not fit is refused, where that is not `bad_request`."""
    frame: type[Struct] | None
    """The frame that asks for it over a live connection."""
    status: int = 200
    codes: tuple[str, ...]
    """Problems of its own, besides those that any request of its kind can meet."""
    example: Any
    shows_secret: bool = False
    """Whether the answer shows a token or a key: then it is kept nowhere, and a repetition makes another."""
    is_opening: bool = False
    """Whether it opens an account, of which an address may open only so many."""
    is_keyed: bool
    """Whether body and frame must have an `id`, which is the request's idempotency key; other frames may have one."""
    is_own_key: bool = False
    """Whether what is sent can be taken only once by itself: then a frame's `id` is for the answer and nothing else."""
    before: Callable[..., None] | None = None
    """A check of the arguments that takes too long while others wait to write."""
    shown: Callable[..., Any] | None = None
    """Makes the answer over HTTP of what the path names; a live connection, which sees it anyway, gets the version."""

    @property
    def is_change(self) -> bool:
        """Whether it changes anything: then it is written, and refused while everything is stopped."""
        return self.method != "GET"

    def run(self, call: Context, caller: Caller, arguments: Mapping[str, Any]) -> Any:
        """Return what the function returns."""
        return self.function(*(call, caller)[: self.leading], **arguments)

    def show(self, call: Context, caller: Caller, arguments: Mapping[str, Any]) -> Any:
        """Return what is shown over HTTP for an operation whose function returns less."""
        assert self.shown is not None
        return self.shown(call, caller, *(arguments[name] for name in self.in_path))

    def read_path(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return what the path names as the function takes it. Raises `Problem`."""
        found: dict[str, Any] = {}
        for name, kind in self.in_path.items():
            text = given[name]
            if kind is not str:  # a number that is none names nothing there is
                if not (text.isascii() and text.isdecimal() and len(text) <= 18):
                    raise Problem(*self.field_codes.get(name, ("not_found", "")))
                found[name] = int(text)
            else:
                found[name] = text
        return found

    def arguments(self, query: Struct, body: Struct | None) -> tuple[dict[str, Any], str | None]:
        """Return what a query and a body hold, by parameter, and their key."""
        found = asdict(query)
        if self.takes_body:
            found["body"] = body
        elif body is not None:
            found.update(asdict(body))
        return found, found.pop("id", None) if self.is_keyed else None

    def frame_arguments(self, frame: Struct) -> tuple[dict[str, Any], str | None]:
        """Return what a frame holds, by parameter, and its id."""
        found = asdict(frame)
        for name in self.in_path:
            found[name] = found.pop(FRAME_FIELDS[name][0])
        return found, found.pop("id")


def operation(
    tag: str, route: str, *, role: Role = "player", codes: Iterable[str] = (), example: Any = None, **more: Any
) -> Callable[[F], F]:
    """Mark a function as an operation, under a heading of the API's page, at a route such as "POST /rooms".

    `more` are further fields of `Operation`; `name` is another than the function's, `frame` the type of a live frame,
    `returns` the type of an answer that the function returns as JSON already.
    """
    method, _, path = route.partition(" ")

    def mark(function: F) -> F:
        marked = {"name": function.__name__, "tag": tag, "method": method, "path": path, "role": role, **more}
        function.__operation__ = {**marked, "codes": tuple(codes), "example": example}  # type: ignore[attr-defined]
        return function

    return mark


def declared_in(module: ModuleType) -> list[Operation]:
    """Return the operations that a module declares, in the order they are written."""
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    return [_made(value, **value.__operation__) for value in own if hasattr(value, "__operation__")]


def _made(function: Any, *, returns: Any = None, frame: str = "", is_keyed: bool = False, **marked: Any) -> Operation:
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())
    leading = sum(hints[each.name] in (Context, Caller) for each in parameters)
    taken = {each.name: each for each in parameters[leading:]}
    in_path = {each: hints[each] for each in re.findall(r"{(\w+)}", marked["path"])}
    in_header = {each: HEADERS[hints[each]] for each in taken if hints[each] in HEADERS}
    rest = [each for each in taken.values() if each.name not in in_path and each.name not in in_header]
    is_get = marked["method"] == "GET"
    asked = [_field(each, hints[each.name]) for each in rest if is_get or hints[each.name] == QueryFlag]
    fields = [_field(each, hints[each.name]) for each in rest if not is_get and hints[each.name] != QueryFlag]
    title = "".join(map(str.capitalize, marked["name"].split("_")))
    takes_body = [each[0] for each in fields] == ["body"]
    query = _struct(f"{title}Query", asked) if asked else None
    body = hints["body"] if takes_body else None
    if fields and not takes_body:
        body = _struct(f"{title}Body", [("id", Key), *fields] if is_keyed else fields)
    in_frame: list[Any] = [FRAME_FIELDS[each] for each in in_path] if frame else []
    in_frame += [("id", Key), *fields, *asked] if is_keyed else [*fields, *asked, ("id", Key | None, None)]
    read = [each for kind in (query, body) if kind is not None for each in msgspec.structs.fields(kind)]
    kinds = {**in_path, **{each.name: each.type for each in read}}
    return Operation(
        function=function,
        leading=leading,
        summary=inspect.cleandoc(function.__doc__ or "").partition("\n")[0],
        in_path={name: _plain(kind) for name, kind in in_path.items()},
        in_header=in_header,
        query=query,
        body=body,
        takes_body=takes_body,
        returns=_answer(hints["return"] if returns is None else returns),
        field_codes={name: found for name, kind in kinds.items() if (found := _code_in(kind)) is not None},
        frame=_struct(frame.capitalize(), in_frame, tag_field="type", tag=frame) if frame else None,
        is_keyed=is_keyed,
        **marked,
    )


def _field(parameter: inspect.Parameter, kind: Any) -> Any:
    is_needed = parameter.default is parameter.empty
    return (parameter.name, kind) if is_needed else (parameter.name, kind, parameter.default)


def _struct(name: str, fields: list[Any], **more: Any) -> type[Struct]:
    return msgspec.defstruct(name, fields, frozen=True, forbid_unknown_fields=True, **more)


def _plain(kind: Any) -> Any:
    return typing.get_args(kind)[0] if typing.get_origin(kind) is Annotated else kind


def _code_in(kind: Any) -> tuple[str, str] | None:
    """Return the code, and words, that a type brings for what does not fit it."""
    if typing.get_origin(kind) is Annotated:
        found = [note.extra for note in kind.__metadata__ if isinstance(note, Meta) and note.extra]
        return (found[0]["code"], found[0].get("text", "")) if found else None
    if typing.get_origin(kind) in (Union, UnionType):
        return next(filter(None, map(_code_in, typing.get_args(kind))), None)
    return None


def _answer(kind: Any) -> Any:
    """Return the type of what is sent: refusals are told apart, and what is worked out later comes like the rest."""
    if typing.get_origin(kind) is Later:
        return typing.get_args(kind)[0]
    if typing.get_origin(kind) in (Union, UnionType):
        (found,) = [each for each in typing.get_args(kind) if each is not KeptRefusal]
        return found
    return kind
