"""Canonical JSON: which plain values may be stored, the one way to write them down, and the digest of a match's state.

The canonical form has sorted keys, no spaces, UTF-8 text; equal values have equal bytes on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from math import isfinite
from typing import Any

import msgspec
from msgspec.json import Encoder

from croupier.engine.model import MATCH_FACTS, Match

DEPTH_MAX = 64
SHOWN_MAX, MISREAD_MAX = 100, 300  # characters
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

UNREADABLE = (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError)
"""Errors of reading a value from outside: besides a wrong shape, lone surrogates, numbers too long, nesting."""

_encode = Encoder(order="sorted").encode


def canonical(value: Any) -> bytes:
    r"""Return the canonical JSON bytes of a struct or a plain value.

    >>> canonical({"b": [1, 2], "a": "é"})
    b'{"a":"\xc3\xa9","b":[1,2]}'
    """
    return _encode(value)


def state_digest(match: Match[Any]) -> str:
    """Return the SHA-256 of a match's canonical JSON without `updated_at`, in hex: what two machines compare."""
    return sha256(_encode({field: getattr(match, field) for field in MATCH_FACTS})).hexdigest()


def not_plain(value: Any, *, tuples: bool = False) -> str | None:
    """Return None for a plain JSON value, else a sentence that names the first place that is not.

    Plain is: dict with text keys, list, text, int, bool, None, and float when finite. `tuples` lets tuples pass as
    lists, for payloads made in memory.

    >>> not_plain({"tiles": [1, {2}]})
    'a set at $.tiles[1] is not plain JSON'
    """
    found = _find(value, tuples, False, DEPTH_MAX)
    return None if found is None else f"{found[0]} at ${found[1]} is not plain JSON"


def check_payload(payload: dict[str, Any], *, int64: bool) -> None:
    """Raise `ValidationError` unless the values of a payload are plain JSON, or tuples of it.

    `int64` holds whole numbers to 64 bits, for payloads whose types leave them open. The names are not looked at.
    """
    for name, value in payload.items():
        if found := _find(value, True, int64, DEPTH_MAX):
            place = f".{name}" if type(name) is str and name.isidentifier() else f"[{shown(name)}]"
            raise msgspec.ValidationError(f"{found[0]} is not plain JSON - at `${place}{found[1]}`")


def _find(value: Any, tuples: bool, int64: bool, depth: int) -> tuple[str, str] | None:
    """Return what is not plain and the path to it, made on the way out: most values are plain and need none."""
    kind = type(value)
    if kind is bool or value is None:
        return None
    if kind is int:
        return ("a whole number of more than 64 bits", "") if int64 and not INT64_MIN <= value <= INT64_MAX else None
    if kind is list or (kind is tuple and tuples):
        if not depth:
            return "a value nested too deeply", ""
        for index, item in enumerate(value):
            if (type(item) is not int or int64) and (found := _find(item, tuples, int64, depth - 1)):
                return found[0], f"[{index}]{found[1]}"
        return None
    if kind is dict:
        if not depth:
            return "a value nested too deeply", ""
        for key, item in value.items():
            if type(key) is not str or not _is_utf8(key):
                return f"the key {shown(key)}", ""
            if (type(item) is not int or int64) and (found := _find(item, tuples, int64, depth - 1)):
                return found[0], f".{key}{found[1]}"
        return None
    if kind is str:
        return None if _is_utf8(value) else ("text that is not Unicode", "")
    if kind is float:
        return None if isfinite(value) else (f"the number {value}", "")
    return f"a {kind.__name__}", ""


def copy_plain(value: Any) -> Any:
    """Return a private copy of a state: lists, dicts, tuples and structs are new, what is inside them shared or new."""
    if type(value) is dict:
        return {key: copy_plain(item) for key, item in value.items()}
    if type(value) is list:
        return [copy_plain(item) for item in value]
    if type(value) is tuple:
        return tuple([copy_plain(item) for item in value])
    if isinstance(value, msgspec.Struct):
        fields = value.__struct_fields__
        return msgspec.structs.replace(value, **{name: copy_plain(getattr(value, name)) for name in fields})
    return value


KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
"""Words for people in the place of the type names in msgspec's errors."""
_TYPE = re.compile(r"`([^`]*)`")
_STEP = re.compile(r"\.{3}|[^$.\[\]]+")


def misread(error: Exception) -> tuple[str, str]:
    """Return what was wrong with a value that could not be read, in words, and the path of it."""
    if isinstance(error, UnicodeError):
        return "text that is not Unicode", "$"
    if isinstance(error, RecursionError):
        return "a value nested too deeply", "$"
    if isinstance(error, OverflowError) or type(error) is ValueError:
        return "a number that is too long", "$"
    text, _, path = str(error).partition(" - at `")
    what, _, place = path.rstrip("`").rpartition("` in `")  # "key` in `$": a key of the object at $
    text = _TYPE.sub(lambda found: " or ".join(KINDS.get(kind, kind) for kind in found[1].split(" | ")), text)
    text = text[:MISREAD_MAX].replace("Invalid enum value", "no such value")
    text = text.replace("Input data was truncated", "a value or a character in the JSON is not finished")
    begin = text[:1] if text.startswith("JSON") else text[:1].lower()
    return begin + text[1:] + (f" for a {what}" if what else ""), place or "$"


def misfit(error: Exception, payload: Any) -> str:
    """Return what was wrong with a payload, in words for players: which field, what it cannot be, what was expected.

    >>> misfit(TypeError("Expected `int`, got `str` - at `$.tiles[1]`"), {"tiles": [1, "two"]})
    "number 2 of tiles cannot be 'two': expected a whole number, got text"
    """
    (text, path), found, words = misread(error), payload, list[str]()
    for step in _STEP.findall(path):
        place: Any = int(step) if step.isdecimal() and type(found) in (list, tuple) else step
        if not (place < len(found) if type(place) is int else type(found) is dict and place in found):
            return f"{text} for {words[-1]}" if words else text  # no plain container: any object, and its code
        found = found[place]
        words.insert(0, f"number {int(step) + 1}" if step.isdecimal() else step)
    return f"{' of '.join(words)} cannot be {shown(found)}: {text}" if words else text


def nearest(word: str, names: Iterable[str]) -> str:
    """Return a question that names what was probably meant, to follow a refusal; nothing where no name is near.

    >>> nearest("rouge", ["red", "black", "straight:17"]), nearest("xyz", ["red"])
    ('; did you mean red?', '')
    """
    from difflib import get_close_matches  # here: only a refusal needs it

    found = get_close_matches(word.lower(), list(names), 1, 0.5)
    return f"; did you mean {found[0]}?" if found else ""


def shown(value: object) -> str:
    """Return a value as an error may quote it: short, and never a failure of its own."""
    try:
        text = repr(value)
    except Exception:  # nested too deeply, a number too long, a class that cannot write itself down
        return f"a {type(value).__name__}"
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
