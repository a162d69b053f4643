"""The SHA-256 of streams in compiled code: the first blocks of many at once, and the re-hash of one.

A *row* is a stream in an array of bytes:

    0 … 31   the block
    32       the index of the next byte in it, 0 … 32
    33       the hash path, its place in `PATHS`, set when the row is made
    34 … 63  spare

All paths give the same bytes. Which one runs is looked up in the row, so one compiled kernel serves all.

The functions (`croupier.sim.blocks`) are machine code of their own, made once and kept beside the kernels. A kernel
knows them by names that tell what they were made of; `install` makes these known to the process.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.extending import intrinsic as _intrinsic

from croupier.sim.blocks import POINTER, emit_functions
from croupier.sim.cache import keep, kept, surroundings

# What the compiler was told about the processor, which `NUMBA_CPU_NAME` may have cut down: an instruction that it does
# not know would end the process.
TRIPLE, CPU, _told = cpu_target.target_context.codegen().magic_tuple()
FEATURES = frozenset(_told.split(","))

# Compiled code gives one argument less than the decorated function takes, which its own type does not tell.
intrinsic: Callable[[Callable[..., Any]], Any] = _intrinsic


@cache
def install() -> tuple[Any, ...]:
    """Make the functions known to this process, from disk if they are kept there; return what holds their code."""
    names = _names()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=CPU, features=_told, opt=2, reloc="default", codemodel="jitdefault", jit=True
    )
    file = f"{names[0]}.object"
    code = kept(file)
    if code is None:
        module = ir.Module("croupier_sha256")
        module.triple = TRIPLE
        emit_functions(module, FEATURES, *names)
        # The code needs no optimiser, only a generator.
        code = machine.emit_object(_parsed(str(module), machine))
        keep(file, code)
    engine = llvm.create_mcjit_compiler(_parsed("", machine), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    for name in names:
        llvm.add_symbol(name, engine.get_function_address(name))
    return engine, machine


def _parsed(text: str, machine: Any) -> Any:
    module = llvm.parse_assembly(text)
    module.data_layout = str(machine.target_data)
    return module


@cache
def _names() -> tuple[str, str]:
    # Symbols are global to the process, and the first of a name wins.
    key = sha256(surroundings().encode()).hexdigest()[:16]
    return f"croupier_sha256_open_{key}", f"croupier_sha256_rehash_{key}"


def hash_rows(seed: Any, rows: Any, session_ids: Any, moves: Any, count: int) -> None:
    """Open the streams of the first `count` session ids and moves, one a row, each at its first byte.

    All rows have the path of the first. This is for kernels to call; `streams` is the same from outside.
    """
    if count > 0:
        _open(seed, rows, session_ids, moves, count)


def _calling(place: int, builder: Any, arguments: list[Any]) -> None:
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, _names()[place]), arguments)


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a pointer to the bytes of an array."""
    return builder.bitcast(context.make_array(kind)(context, builder, value).data, POINTER)


@intrinsic
def _open(typing_context: Any, seed: Any, rows: Any, session_ids: Any, moves: Any, count: Any) -> Any:
    kinds = [(types.uint8, 1), (types.uint8, 2), (types.uint64, 1), (types.uint32, 1)]
    arrays = seed, rows, session_ids, moves
    if [(each.dtype, each.ndim) for each in arrays] != kinds or any(each.layout != "C" for each in arrays):
        raise TypingError(f"hash_rows takes whole arrays of {kinds}, got {arrays}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        both = zip(signature.args[:4], arguments[:4], strict=True)
        _calling(0, builder, [*(_data(context, builder, *each) for each in both), arguments[4]])
        return context.get_dummy_value()

    return types.void(seed, rows, session_ids, moves, types.intp), generate


@intrinsic
def rehash(typing_context: Any, row: Any) -> Any:
    """Replace the block of a row by its SHA-256. The index is the caller's business."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _calling(1, builder, [_data(context, builder, signature.args[0], arguments[0])])
        return context.get_dummy_value()

    return types.void(row), generate
