"""`Compiler`: plain functions of the numeric subset, with all they call, become one WebAssembly module.

Functions are compiled as they stand, once for the kinds that they are called with. Python that is not in the subset is
refused with its place. Where Python would raise, or where a number would not fit, the module traps and its global
`error` tells why: an index outside an array, a shift by a negative number, a `raise`. It departs from Python in three
ways: numbers wrap at 64 bits, an index below 0 that is worked out traps, and a name that was never assigned is 0.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from croupier import draws
from tools.wasm import streams
from tools.wasm.code import ARRAY, NUMBER, OUTSIDE, Kind, NotInSubset
from tools.wasm.encoding import Module
from tools.wasm.statements import Statements

KINDS = {"int": NUMBER, "bool": NUMBER, "Stream": ARRAY, "Any": ARRAY}


class Compiler:
    """A module in the making. Functions longer than `inline_max` expressions are called, the others inlined."""

    def __init__(self, *, inline_max: int = 60) -> None:
        self.module = Module()
        self.inline_max = inline_max
        self.stand_ins = {draws.next_byte: streams.next_byte}
        self.errors = ["", OUTSIDE]
        self._made: dict[tuple[FunctionType, tuple[Kind, ...]], tuple[int, Kind]] = {}
        self._rows: dict[tuple[int, ...], int] = {}

    def export(self, function: Any, *kinds: Kind) -> None:
        """Compile a function under its own name, for arguments of these kinds or as its annotations say."""
        names = {name: str(kind) for name, kind in function.__annotations__.items() if name != "return"}
        index, _ = self.function(function, kinds or tuple(KINDS[kind] for kind in names.values()))
        self.module.exports[function.__name__] = index

    def function(self, function: FunctionType, kinds: tuple[Kind, ...]) -> tuple[int, Kind]:
        """Return the index of a compiled function and the kind that it returns."""
        key = function, kinds
        if key not in self._made:
            self._made[key] = -1, None
            self._made[key] = Statements(self, function).compile(kinds)
        index, result = self._made[key]
        if index < 0:
            raise NotInSubset(f"{function.__module__}: {function.__name__} calls itself")
        return index, result

    def row(self, values: tuple[int, ...]) -> int:
        """Return the address of a constant row of numbers."""
        if values not in self._rows:
            self._rows[values] = self.module.reserve(
                b"".join(value.to_bytes(8, "little", signed=True) for value in values)
            )
        return self._rows[values]
