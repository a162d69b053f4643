"""The code of one WebAssembly function in the making: instructions, locals, and the values that are known already.

Every number is an i64 and wraps at 64 bits, as in `croupier.sim.compiling`; a bool is 0 or 1. The kinds of values:

    NUMBER     a whole number or a bool     one i64
    ARRAY      a row of numbers, a stream   its address and its length, two i32
    (k, …)     a tuple of values            all of its parts

A value that is known while compiling (a module's constant, an argument that is one) is a `Const` and costs nothing.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from tools.wasm.encoding import I32, I64, Module, instruction

Kind = Any
"""NUMBER, ARRAY, a tuple of kinds, or None for no value."""
NUMBER, ARRAY = "number", "array"
OUTSIDE = "an index outside an array"

BINARY: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("add", operator.add), ast.Sub: ("sub", operator.sub), ast.Mult: ("mul", operator.mul),
    ast.BitAnd: ("and", operator.and_), ast.BitOr: ("or", operator.or_), ast.BitXor: ("xor", operator.xor),
    ast.LShift: ("shl", operator.lshift), ast.RShift: ("shr_s", operator.rshift),
    ast.FloorDiv: ("div_s", operator.floordiv), ast.Mod: ("rem_s", operator.mod),
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("eq", operator.eq), ast.NotEq: ("ne", operator.ne), ast.Lt: ("lt_s", operator.lt),
    ast.LtE: ("le_s", operator.le), ast.Gt: ("gt_s", operator.gt), ast.GtE: ("ge_s", operator.ge),
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.Not: operator.not_, ast.Invert: operator.invert,
}  # fmt: skip


class NotInSubset(Exception):
    """Python that this compiler does not take, with its place."""


class Const:
    """A value that is known while compiling."""

    def __init__(self, value: Any) -> None:
        self.value = value


def wasm_types(kind: Kind) -> list[int]:
    """Return the types of the locals that hold a value."""
    if kind is None:
        return []
    if isinstance(kind, tuple):
        return [each for part in kind for each in wasm_types(part)]
    return [I64] if kind == NUMBER else [I32, I32]


@cache
def tree_of(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    if not isinstance(tree, ast.FunctionDef):
        raise NotInSubset(f"{function.__name__} is no plain function")
    return tree


@cache
def assigned_in(function: FunctionType) -> frozenset[str]:
    """Return the names that a function assigns."""
    nodes = ast.walk(tree_of(function))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


@cache
def size_of(function: FunctionType) -> int:
    """Return about how long the code of a function will be."""
    nodes = [node for statement in tree_of(function).body for node in ast.walk(statement)]
    return sum(isinstance(node, ast.expr) and not isinstance(node, ast.Constant) for node in nodes)


class Frame:
    """A function that is being compiled or inlined: what its names stand for, and where `return` goes."""

    def __init__(self, function: FunctionType, level: int | None) -> None:
        self.function = function
        self.level = level  # of the block that an inlined function is; None for a function of its own
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        closed = {name: cell.cell_contents for name, cell in cells}
        self.outside: Mapping[str, Any] = {**vars(builtins), **function.__globals__, **closed}
        self.names: dict[str, Const | tuple[Kind, list[int]]] = {}
        self.result: Kind = None
        self.loops: list[tuple[int, int]] = []  # the levels that `break` and `continue` leave
        self.returns_early = False


class Code:
    """Instructions, locals, and what is known; `compiler` is the `Compiler` that the function belongs to."""

    def __init__(self, compiler: Any, function: FunctionType) -> None:
        self.compiler = compiler
        self.module: Module = compiler.module
        self.code: list[bytes] = []
        self.local_types: list[int] = []
        self.free: dict[int, list[int]] = {}
        self.level = 0
        self.frame = Frame(function, None)
        self.node: ast.stmt | None = None
        self.inlining: set[FunctionType] = set()

    def put(self, *items: str | int) -> None:
        """Append instructions such as "i64.add" or "i64.const 3"; a bare number pushes that local."""
        for item in items:
            name, _, operand = item.partition(" ") if isinstance(item, str) else ("local.get", "", str(item))
            if name == "i64.const" and not -(2**63) <= int(operand) < 2**63:
                self.refuse(f"{operand} is outside 64 bits")
            self.code.append(instruction(name, *map(int, operand.split())))
            self.level += {"block": 1, "loop": 1, "if": 1, "end": -1}.get(name, 0)

    def begin(self, name: str, kind: Kind) -> None:
        """Begin a block that leaves a value of this kind."""
        types = wasm_types(kind)
        form = types[0] - 0x80 if len(types) == 1 else self.module.type_index([], types)
        self.put(f"{name} {form}" if types else name)

    def trap(self, error: str, when: str = "block") -> None:
        """Trap and say why; with `when` "if", where the condition on the stack holds."""
        errors: list[str] = self.compiler.errors
        if error not in errors:
            errors.append(error)
        self.put(when, f"i32.const {errors.index(error)}", "global.set 0", "unreachable", "end")

    def refuse(self, why: str) -> NoReturn:
        """Stop with the place of the statement that cannot be compiled."""
        function, line = self.frame.function, self.node.lineno if self.node is not None else 1
        place = f"{function.__module__}:{function.__code__.co_firstlineno + line - 1}"
        text = "" if self.node is None else f"{ast.unparse(self.node)}: "
        raise NotInSubset(f"{place}: {text}{why}")

    # Locals.

    def new(self, types: list[int], *, is_fresh: bool = False) -> list[int]:
        """Return locals of these types. Fresh ones were not used before."""
        found = []
        for each in types:
            if self.free.get(each) and not is_fresh:
                found.append(self.free[each].pop())
            else:
                self.local_types.append(each)
                found.append(len(self.local_types) - 1)
        return found

    def release(self, places: list[int]) -> None:
        """Give locals back, for other values."""
        for place in reversed(places):
            self.free.setdefault(self.local_types[place], []).append(place)

    def set(self, places: list[int]) -> None:
        """Pop into locals."""
        for place in reversed(places):
            self.put(f"local.set {place}")

    def kept(self, kind: Kind) -> list[int]:
        """Move the value on the stack into locals and return them."""
        places = self.new(wasm_types(kind))
        self.set(places)
        return places

    def bind(self, name: str, kind: Kind) -> None:
        """Assign the value on the stack to a name."""
        if kind is None:
            self.refuse(f"{name} is given nothing")
        if name not in self.frame.names:
            # In a loop a local that something else used before is written again in the next round.
            self.frame.names[name] = kind, self.new(wasm_types(kind), is_fresh=bool(self.frame.loops))
        found = self.frame.names[name]
        if isinstance(found, Const) or found[0] != kind:
            self.refuse(f"{name} has two kinds of values")
        self.set(found[1])

    # Values that are known.

    def known(self, node: ast.expr) -> Const | None:
        """Return the value of an expression if it is known while compiling."""
        match node:
            case ast.Constant():
                return Const(node.value)
            case ast.Name():
                return self.known_name(node.id)
            case ast.Attribute():
                base = self.known(node.value)
                if base is not None and isinstance(base.value, ModuleType):
                    return Const(getattr(base.value, node.attr))
            case ast.Tuple():
                return self.combined(lambda *parts: parts, *node.elts)
            case ast.UnaryOp() if type(node.op) in UNARY:
                return self.combined(UNARY[type(node.op)], node.operand)
            case ast.BinOp() if type(node.op) in BINARY:
                return self.combined(BINARY[type(node.op)][1], node.left, node.right)
            case ast.Compare() if len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
                return self.combined(COMPARE[type(node.ops[0])][1], node.left, node.comparators[0])
            case ast.BoolOp():
                return self.known_chain(isinstance(node.op, ast.Or), node.values)
            case ast.IfExp():
                test = self.known(node.test)
                return self.known(node.body if test.value else node.orelse) if test is not None else None
            case ast.Subscript() if not isinstance(node.slice, ast.Slice):
                return self.combined(operator.getitem, node.value, node.slice)
            case ast.Call(func=ast.Name(id="len"), args=[argument]):
                return self.combined(len, argument)
        return None

    def combined(self, combine: Callable[..., Any], *nodes: ast.expr) -> Const | None:
        """Return what a function makes of values, if all of them are known."""
        parts = [self.known(node) for node in nodes]
        known = [part.value for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        try:
            return Const(combine(*known))
        except (ArithmeticError, LookupError, ValueError):
            return None  # it traps if it is ever reached
        except TypeError as error:
            self.refuse(str(error))

    def known_name(self, name: str) -> Const | None:
        """Return what a name stands for, if it is a constant."""
        if name in self.frame.names:
            found = self.frame.names[name]
            return found if isinstance(found, Const) else None
        if name in assigned_in(self.frame.function):
            return None
        if name not in self.frame.outside:
            self.refuse(f"{name} is not known")
        return Const(self.frame.outside[name])

    def known_chain(self, is_or: bool, values: list[ast.expr]) -> Const | None:
        """Return the value of `and` or `or` if those that decide it are known."""
        found = None
        for each in values:
            found = self.known(each)
            if found is None or bool(found.value) == is_or:
                return found
        return found
