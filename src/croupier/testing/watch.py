"""Detection of impure calls while a game runs: clocks, chance, input and output, and what differs from run to run."""

from __future__ import annotations

import builtins
import gc
import io
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FrameType, ModuleType
from typing import Any

_CLOCK = "rules never read a clock: take the time as part of an action, or leave it to the host"
_CHANCE = "draw from turn.rng, or from the stream that a bot is given: no other chance can be replayed"
_OUTSIDE = "rules do no input or output: put what they need into the options or the payload"
_MEMORY = "its value differs from run to run: compare or sort by something in the state"

_PURE = ("fspath", "strerror")  # of `os`


def _builtins_of(module: ModuleType, advice: str) -> dict[int, tuple[str, str]]:
    """Return the public functions that a module has from C, each with its name and the advice."""
    return {
        id(function): (f"{module.__name__}.{name}", advice)
        for name, function in vars(module).items()
        if isinstance(function, BuiltinFunctionType) and name[0].islower() and name not in _PURE
    }


# By identity, so that `from time import time` is seen as well.
_FORBIDDEN: dict[int, tuple[str, str]] = {
    **_builtins_of(time, _CLOCK),
    **_builtins_of(os, _OUTSIDE),
    **_builtins_of(socket, _OUTSIDE),
    id(os.urandom): ("os.urandom", _CHANCE),
    id(io.open): ("open", _OUTSIDE),
    id(builtins.print): ("print", _OUTSIDE),
    id(builtins.input): ("input", _OUTSIDE),
    id(builtins.hash): ("hash", _MEMORY),
    id(builtins.id): ("id", _MEMORY),
}


@contextmanager
def impure_calls() -> Iterator[dict[str, str]]:
    """Collect the forbidden calls made inside the block: the name of each, and what to do instead."""
    calls: dict[str, str] = {}

    def profile(frame: FrameType, event: str, function: Any) -> None:
        if event == "c_call":
            known = _FORBIDDEN.get(id(function)) or _known_method(function)
        else:
            known = _FORBIDDEN_CODE.get(frame.f_code) if event == "call" else None
        if known is not None:
            calls.setdefault(*known)

    before = sys.getprofile()
    had_collector = gc.isenabled()
    gc.disable()  # others hang calls on the collector, and it runs in the middle of anything
    sys.setprofile(profile)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        if had_collector:
            gc.enable()


def _known_method(function: Callable[..., Any]) -> tuple[str, str] | None:
    """Tell the methods that are made anew at every look-up, and so cannot be known by identity."""
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    if name in ("now", "utcnow", "today") and isinstance(owner, type) and owner.__module__ == "datetime":
        return f"{owner.__name__}.{name}", _CLOCK
    if name in ("random", "getrandbits") and type(owner).__module__ in ("random", "_random"):
        return f"random.{name}", _CHANCE
    for stream in ("stdin", "stdout", "stderr"):
        if owner is not None and owner is getattr(sys, stream):
            return f"sys.{stream}.{name}", _OUTSIDE
    return None


_FORBIDDEN_CODE = {os._Environ.__getitem__.__code__: ("os.environ", _OUTSIDE)}
