"""Reading what clients send, the same for requests and frames: bounds, depth, keys, types, where it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import msgspec

from croupier.engine.plain import UNREADABLE, misread
from croupier.server.problems import Problem
from croupier.server.settings import Settings

T = TypeVar("T")
Codes = Mapping[str, tuple[str, str]]
"""Code and words for fields that do not fit, by their names."""

TOKEN_MAX = 128
QUERY_FIELDS_MAX = 20
BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def read_json(data: bytes, decode: Callable[[bytes], T], depth_max: int, codes: Codes) -> T:
    """Return JSON as a type. Raises `Problem`, with the code of the field that does not fit, if it has one."""
    check_depth(data, depth_max)
    try:
        read = decode(data)
        if data.count(b":") > _key_count(_plain(data)):  # a key was dropped, or a text has a colon in it
            _pairs.decode(data.decode())
    except _Twice as error:
        raise Problem("bad_request", str(error)) from None
    except UNREADABLE as error:
        raise _misfit(error, codes) from None
    return read


def read_query(raw: bytes, kind: type[msgspec.Struct], codes: Codes) -> Any:
    """Return what stands behind the question mark as a type. Raises `Problem`."""
    try:
        pairs = parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, strict_parsing=bool(raw), errors="strict",
            max_num_fields=QUERY_FIELDS_MAX,
        )  # fmt: skip
        if len(dict(pairs)) != len(pairs):
            raise Problem("bad_request", "a parameter is there twice")
        return msgspec.convert(dict(pairs), kind, strict=False)
    except UNREADABLE as error:
        raise _misfit(error, codes, "query: ") from None


def _misfit(error: Exception, codes: Codes, prefix: str = "") -> Problem:
    text, where = misread(error)
    found = codes.get(where.removeprefix("$."))
    return Problem("bad_request", f"{prefix}{text} at {where}") if found is None else Problem(*found)


def check_depth(data: bytes, most: int) -> None:
    """Raise `Problem` if JSON is nested more deeply than allowed; what is in strings does not count.

    >>> check_depth(b'{"a": "[[[["}', 1)
    """
    if data.count(b"[") + data.count(b"{") <= most:
        return
    depth = 0
    for found in BRACKETS.finditer(data):
        mark = found.group()
        if mark in (b"[", b"{"):
            depth += 1
            if depth > most:
                raise Problem("bad_request", f"JSON is nested at most {most} deep")
        elif mark in (b"]", b"}"):
            depth -= 1


def _key_count(value: Any) -> int:
    """Return how many keys the objects in a value have, all together."""
    is_object = type(value) is dict
    count = len(value) if is_object else 0
    for one in value.values() if is_object else value if type(value) is list else ():
        if type(one) is dict or type(one) is list:
            count += _key_count(one)
    return count


class _Twice(ValueError):
    """An object in JSON names a key twice: readers differ about which of the two counts."""


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise _Twice(f"the key {again!r:.40} is there twice")


_plain = msgspec.json.Decoder().decode
_pairs = json.JSONDecoder(object_pairs_hook=_once, parse_int=str, parse_float=str)


def token_in(headers: Mapping[str, str]) -> str | None:
    """Return the token that a request brings, or None; raises `Problem` for another kind of authorization."""
    value = headers.get("authorization")
    if value is None:
        return None
    scheme, _, token = value.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > TOKEN_MAX:
        raise Problem("bad_token")
    return token


def check_origin(origin: str | None, host: str, settings: Settings) -> None:
    """Raise `Problem` unless a request comes from no page, from one of ours, or from a site the operator has named.

    >>> check_origin("https://table.example", "table.example", Settings())
    >>> check_origin("https://evil.example", "table.example", Settings())
    Traceback (most recent call last):
    ...
    croupier.server.problems.Problem: bad_origin: the request comes from another site
    """
    if origin is None or origin in settings.origins:
        return
    try:
        parts = urlsplit(origin)
    except ValueError:
        raise Problem("bad_origin") from None
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.netloc.lower() != host.lower():
        raise Problem("bad_origin")
