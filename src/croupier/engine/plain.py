"""Plain JSON: what may be stored, the one way to write it down, and the digest of it.

The canonical form has sorted keys, no spaces, UTF-8 text; equal values have equal bytes on every machine.
"""

from __future__ import annotations

from hashlib import sha256
from math import isfinite
from typing import Any

import msgspec
from msgspec.json import Encoder

from croupier.engine.model import MATCH_FACTS, Match

__all__ = ["canonical", "copy_plain", "not_plain", "state_digest"]

DEPTH_MAX = 64

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
    found = _find(value, tuples, DEPTH_MAX)
    return None if found is None else f"{found[0]} at ${found[1]} is not plain JSON"


def _find(value: Any, tuples: bool, depth: int) -> tuple[str, str] | None:
    """Return what is not plain and the path to it, made on the way out: most values are plain and need none."""
    kind = type(value)
    if kind is int or kind is bool or value is None:
        return None
    if kind is list or (kind is tuple and tuples):
        if not depth:
            return "a value nested too deeply", ""
        for index, item in enumerate(value):
            if type(item) is not int and (found := _find(item, tuples, depth - 1)):
                return found[0], f"[{index}]{found[1]}"
        return None
    if kind is dict:
        if not depth:
            return "a value nested too deeply", ""
        for key, item in value.items():
            if type(key) is not str or not _is_utf8(key):
                return f"the key {key!r}", ""
            if type(item) is not int and (found := _find(item, tuples, depth - 1)):
                return found[0], f".{key}{found[1]}"
        return None
    if kind is str:
        return None if _is_utf8(value) else ("text that is not Unicode", "")
    if kind is float:
        return None if isfinite(value) else (f"the number {value}", "")
    return f"a {kind.__name__}", ""


def copy_plain(value: Any) -> Any:
    """Return a private copy of a plain value: the lists and dicts are new, what is immutable is shared."""
    if type(value) is dict:
        return {key: copy_plain(item) for key, item in value.items()}
    if type(value) is list:
        return [copy_plain(item) for item in value]
    if isinstance(value, msgspec.Struct):
        # A typed state with a list or dict inside: structs have no deep copy of their own.
        return msgspec.convert(msgspec.to_builtins(value), type(value))
    return value


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
