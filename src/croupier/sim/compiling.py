"""`compiled`: a function of the numeric subset (Python over whole numbers) as machine code with the same results.

    >>> from croupier.draws import roll_die
    >>> from croupier.sim import compiled
    >>> from croupier.sim.stream import row_from_state
    >>> compiled(roll_die)(row_from_state(bytes(range(32)), index=4))
    5

Nothing has to be marked for it: the functions that a function calls are found by the names it uses. Module constants
and tuples are taken as they are when it is compiled. What differs from CPython: whole numbers have 64 bits and wrap
silently, and nobody notices an index outside an array. That goes for an index that is worked out and negative, too;
only a constant one counts from the end.

Machine code is kept on disk (`croupier.sim.cache`) under a name made from the content of everything that went into it,
so an edited rule never runs as it was before.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

import dis
import gc
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from threading import RLock
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np
from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.imputils import impl_ret_borrowed
from numba.core.ir import Assign, Expr, SetItem
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, overload, type_callable

from croupier.kit.rows import tail
from croupier.sim.cache import KernelCache, file_digest, surroundings
from croupier.sim.errors import NotNumeric
from croupier.sim.sha256 import install, intrinsic

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

INLINE_INSTRUCTIONS_MAX = 200  # of bytecode; what is longer is inlined only where the optimiser thinks it worth while

_lock = RLock()
_compiled: dict[tuple[FunctionType, bool], Any] = {}
_registered: set[FunctionType] = set()
_implemented: set[FunctionType] = set()


def compiled(function: AnyFunction, *, strict: bool = True) -> AnyFunction:
    """Return `function` as machine code: the same arguments give the same results, without the interpreter's lock.

    It is compiled at its first call with arguments of new types. The same function gives the same object every time.

    A strict function works with whole numbers in arrays that it is given: one in which a float appears is refused with
    `NotNumeric`, and one that makes an array or a list with an error of the compiler. `strict=False` lets a solver,
    and other functions of its module, do both. Rules and kernels are strict.
    """
    if not isinstance(function, FunctionType):
        raise NotNumeric(f"{function!r} is no plain function")
    with _lock:
        if (function, strict) not in _compiled:
            _compiled[function, strict] = _made(function, strict)
        return _compiled[function, strict]  # type: ignore[no-any-return]


def implements(function: Callable[..., Any], when: Callable[..., bool]) -> Callable[[AnyFunction], AnyFunction]:
    """Make the decorated function stand in for `function` in compiled code `when` the types of the arguments fit."""
    assert isinstance(function, FunctionType)
    _implemented.add(function)

    def stand_in(body: AnyFunction) -> AnyFunction:
        assert isinstance(body, FunctionType)
        for called in _reached(body)[1:]:
            _register(called, strict=True)
        options: Any = {**_options(strict=True, is_part=True), "forceinline": True}
        overload(function, jit_options=options, strict=False)(lambda *kinds: body if when(*kinds) else None)
        return body

    return stand_in


@type_callable(tail)
def _type_of_tail(context: Any) -> Any:
    def typed(row: Any, first: Any) -> Any:
        if isinstance(row, types.Array) and row.ndim == 1 and row.layout == "C" and isinstance(first, types.Integer):
            return row
        return None

    return typed


@lower_builtin(tail, types.Array, types.Integer)  # type: ignore[untyped-decorator]
def _lower_tail(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit what a slice does; a function that returns an array cannot be compiled without counting references."""
    kind = signature.args[0]
    row = context.make_array(kind)(context, builder, arguments[0])
    first = context.cast(builder, arguments[1], signature.args[1], types.intp)
    rest = context.make_array(kind)(context, builder, row._getvalue())
    length = builder.sub(row.nitems, first)
    rest.data = builder.gep(row.data, [first])
    rest.nitems = length
    rest.shape = builder.insert_value(row.shape, length, 0)
    return impl_ret_borrowed(context, builder, signature.return_type, rest._getvalue())


@intrinsic
def out_of_line(typing_context: Any) -> Any:
    """Keep the function that calls this, a rare and bulky one, out of the functions that call it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def apart(typing_context: Any, array: Any) -> Any:
    """Promise that only this array, the calling function's first argument, leads it to the numbers in there.

    So what it read from the array need not be read again after it wrote to another.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = next(each for each in builder.function.args if each.name.endswith(".4"))  # the fifth part of an array
        data.add_attribute("noalias")
        return context.get_dummy_value()

    return types.void(array), generate


assert isinstance(tail, FunctionType)
_implemented.add(tail)


def _made(function: FunctionType, strict: bool) -> Any:
    install()
    root = _calling(function) if function in _implemented else function
    key = content_key(root)
    dispatcher = njit(nogil=True, **_options(strict))(_renamed(root, key))
    name = f"{function.__name__}-{key}" + ("" if strict else "-loose")
    dispatcher._cache = KernelCache(name, lambda: _register_callees(root, strict), counts_references=not strict)
    return dispatcher


def _register_callees(root: FunctionType, strict: bool) -> None:
    reached = _reached(root)
    made_for = [cell.cell_contents for caller in reached for cell in caller.__closure__ or ()]
    for called in reached[1:]:
        is_inner = any(called is each for each in made_for)
        _register(called, strict or called.__module__ != root.__module__, is_inner)


def _options(strict: bool, is_part: bool = False) -> dict[str, Any]:
    whole_numbers = _WholeNumbersPart if is_part else _WholeNumbers
    # The NRT counts references, which costs a kernel half its speed for arrays that somebody else holds anyway. Entry
    # points for C, which nobody calls, only take time to compile.
    return {"pipeline_class": whole_numbers if strict else Compiler, "_nrt": not strict, "no_cfunc_wrapper": True}


def _calling(function: FunctionType) -> FunctionType:
    """Return a function that calls `function`, of which the compiler would not take the body."""

    def call(*arguments: Any) -> Any:
        return function(*arguments)

    assert isinstance(call, FunctionType)
    return call


def _register(function: FunctionType, strict: bool, made_for: bool = False) -> None:
    """Tell the compiler that compiled code may call `function`, and that it is to compile it as it stands.

    A function that its caller was made for, such as the step of a loop, is inlined whatever its length: a call would
    cost it more than it does, with every field of every array an argument.
    """
    if function in _registered or function in _implemented:
        return
    _registered.add(function)
    options: Any = {**_options(strict, is_part=True), "forceinline": made_for or _to_inline(function)}
    body = _renamed(function, content_key(function))
    overload(function, jit_options=options, strict=False)(lambda *args, **kwargs: body)


def _to_inline(function: FunctionType) -> bool:
    """Tell whether every call of `function` is to be inlined, which lets a constant bound fold: `% 6` multiplies."""
    if any(value is out_of_line for _, value in _used(function)):
        return False
    return sum(1 for _ in dis.get_instructions(function)) <= INLINE_INSTRUCTIONS_MAX


def _renamed(function: FunctionType, key: str) -> FunctionType:
    """Return the function under a name that tells its content.

    Symbols of machine code are global to the process, and functions made by one factory share one name: what one
    process stored and another compiled could meet under the same symbol, and the wrong one would run.
    """
    twin = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__module__ = function.__module__
    twin.__qualname__ = f"{function.__qualname__}_{key[:16]}"
    return twin


# Whole numbers only


@register_pass(mutates_CFG=False, analysis_only=True)
class _RefuseFloats(AnalysisPass):
    _name = "croupier_refuse_floats"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        floats = {name for name, kind in state.typemap.items() if isinstance(kind, types.Float | types.Complex)}
        if not floats:
            return False
        blocks = state.func_ir.blocks.values()
        lines = [step.loc.line for block in blocks for step in block.find_insts(Assign) if step.target.name in floats]
        function = state.func_id.func
        raise NotNumeric(
            f"{function.__module__}.{function.__name__} has a float in line {min(lines, default=0)} when compiled: "
            "divide with //, and do not mix signed and unsigned numbers"
        )


@register_pass(mutates_CFG=False, analysis_only=False)
class _CountFromTheStart(FunctionPass):
    """Take every index that is worked out for one that counts from the start of an array.

    The compiler would look at each whether it is negative and counts from the end, which costs a kernel a tenth of its
    speed or more. Rules never count from the end, except by a constant such as `-1`, which stays what it is.
    """

    _name = "croupier_count_from_the_start"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            steps = []
            for step in block.body:
                access = step.value if isinstance(step, Assign) else step
                before = self._unsigned(state, access, block.scope) if self._is_access(access) else []
                changed |= bool(before)
                steps += [*before, step]
            block.body = steps
        return changed

    @staticmethod
    def _is_access(access: Any) -> bool:
        return isinstance(access, SetItem) or (isinstance(access, Expr) and access.op == "getitem")

    @staticmethod
    def _unsigned(state: Any, access: Any, scope: Any) -> list[Any]:
        """Return the step that makes the index of an access unsigned, or nothing where it is or is no number."""
        kinds = state.typemap
        target = access.target if isinstance(access, SetItem) else access.value
        kind = kinds[access.index.name]
        is_constant = isinstance(kind, types.Literal)
        if is_constant or not isinstance(kinds[target.name], types.Array) or not getattr(kind, "signed", False):
            return []
        place = scope.redefine("place", access.loc)
        kinds[place.name] = types.uintp
        found = state.calltypes.pop(access)
        cast = Expr.cast(access.index, access.loc)
        access.index = place
        state.calltypes[access] = signature(found.return_type, found.args[0], types.uintp, *found.args[2:])
        return [Assign(cast, place, access.loc)]


class _PartLibrary(JITCodeLibrary):
    """The code of a function that only compiled functions call: it goes into theirs, and is optimised there.

    As code of its own, ready to run, it would be optimised and assembled once more with every function that calls it.
    """

    def _optimize_functions(self, module: Any) -> None:
        """Leave that to the callers."""

    def _optimize_final_module(self) -> None:
        """Leave that to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _OfferToCallers(AnalysisPass):
    """Make a function known to those that call it by something that stands for the entry point it does not have."""

    _name = "croupier_offer_to_callers"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        nothing: list[Any] = []
        entry_point = nothing.append  # the compiler wants a builtin, and no two alike
        state.targetctx.insert_user_function(entry_point, state["cr"].fndesc, [state.library])
        state["cr"] = state["cr"]._replace(cfunc=entry_point)
        return False


class _WholeNumbers(CompilerBase):
    """The compiler's usual passes, one that refuses a function in which a float appears, and one about indices.

    While it works, nobody looks for garbage: it leaves hardly any, and every look goes through all it has loaded.
    """

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, and whatever it calls."""
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if was_enabled:
                gc.enable()

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_CountFromTheStart, NopythonTypeInference)
        passes.add_pass_after(_RefuseFloats, NopythonTypeInference)
        passes.finalize()
        return [passes]


class _WholeNumbersPart(_WholeNumbers):
    """`_WholeNumbers` for a function that only compiled functions call."""

    def define_pipelines(self) -> list[Any]:
        self.state.flags.no_compile = True
        self.state.library = _PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        (passes,) = super().define_pipelines()
        passes.add_pass_after(_OfferToCallers, NativeLowering)
        passes.finalize()
        return [passes]


# What goes into a function


def _used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Give the names that a function uses from outside, and what they stand for; `module.name` counts as `name`.

    An attribute that is called like something outside may slip in. That is harmless.
    """
    names = list(dict.fromkeys(name for code in _codes(function.__code__) for name in code.co_names))
    for name in names:
        if name in function.__globals__:
            yield name, function.__globals__[name]
            yield from _used_in_module(function.__globals__[name], names)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _used_in_module(module: object, names: list[str]) -> Iterator[tuple[str, Any]]:
    if isinstance(module, ModuleType) and not _foreign(module.__name__):
        for name in names:
            if hasattr(module, name):
                yield name, getattr(module, name)
                yield from _used_in_module(getattr(module, name), names)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _foreign(module: str) -> bool:
    """Tell whether the compiler has its own idea of what the functions of a module do."""
    package = module.partition(".")[0]
    return package in {"numba", "numpy"} or package in sys.stdlib_module_names


def _callees(function: FunctionType) -> list[FunctionType]:
    used = dict.fromkeys(value for _, value in _used(function) if isinstance(value, FunctionType))
    return [value for value in used if not _foreign(value.__module__ or "")]


def _reached(function: FunctionType) -> list[FunctionType]:
    """Return the function, and then all that it calls, directly or not."""
    found = {function: None}
    waiting = [function]
    while waiting:
        for called in _callees(waiting.pop()):
            if called not in found:
                found[called] = None
                waiting.append(called)
    return list(found)


def content_key(function: FunctionType) -> str:
    """Return a name for all that decides what `function` compiles to: sources, constants, versions, processor.

    The files alone would not do, since one may have been edited after it was imported: the code in memory is in the
    key too.
    """
    parts = [surroundings()]
    for part in _reached(function):
        parts.append(f"{part.__module__}.{part.__qualname__}{_told(part.__defaults__)}{_told(part.__code__)}")
        parts += [f"{name}={_told(value)}" for name, value in _used(part)]
        parts.append(file_digest(part.__code__.co_filename))
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


def _told(value: object) -> str:
    """Return a text that is the same in every process for equal values, and differs for unequal constants."""
    kind = type(value).__name__
    if isinstance(value, tuple | list):
        return f"{kind}({','.join(map(_told, value))})"
    if isinstance(value, set | frozenset):
        return f"{kind}({','.join(sorted(map(_told, value)))})"
    if isinstance(value, CodeType):
        shape = (value.co_argcount, value.co_kwonlyargcount, value.co_flags, value.co_code, value.co_exceptiontable)
        names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
        return f"{kind}({shape}{names}{_told(value.co_consts)})"
    if isinstance(value, np.ndarray):
        return f"{kind}({value.dtype.str}{value.shape}{sha256(value.tobytes()).hexdigest()})"
    if value is None or isinstance(value, int | float | str | bytes | np.generic):
        return f"{kind}({value!r})"
    # A function, told where it is reached; a class, a module or a part of the compiler, told by name.
    return f"{kind}({getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')})"
