"""A player's own strategy: a table as data, from a file or from Python, checked before a round is played with it.

A game whose strategy is data names the shape of it, a struct, as `Strategy`; what a table says beyond its shape is
checked by the struct itself, in `__post_init__`.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from croupier.errors import CroupierError

__all__ = ["BadStrategy", "read_strategy", "strategy_name"]

T = TypeVar("T", bound=Struct)


class BadStrategy(CroupierError, ValueError):
    """A strategy that the game does not take. The sentence says where it is wrong, as in `$.hard[3]`."""

    code = "bad_strategy"


def read_strategy(data: Any, shape: type[T]) -> T:
    """Return a strategy from JSON as text or bytes, from plain data, or as it is if it has the shape already."""
    if isinstance(data, shape):
        return data
    try:
        if isinstance(data, (str, bytes)):
            return msgspec.json.decode(data, type=shape)
        if isinstance(data, Mapping):
            return msgspec.convert(data, shape)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise BadStrategy(f"this is not a strategy: {error}") from None
    raise BadStrategy(f"a strategy is JSON or a mapping, got {type(data).__name__}")


def strategy_name(strategy: Struct) -> str:
    """Return what results call the policy of a strategy: the first digits of a hash over its content.

    >>> class Threshold(Struct):
    ...     stand_on: int
    >>> strategy_name(Threshold(15))
    'table-111a1dac'
    """
    content = msgspec.json.encode(msgspec.to_builtins(strategy), order="sorted")
    return f"table-{sha256(content).hexdigest()[:8]}"
