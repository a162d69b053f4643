"""Expressions: each leaves its value on WebAssembly's stack and returns its kind."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from croupier import draws
from croupier.kit.rows import tail
from tools.wasm.code import ARRAY, BINARY, COMPARE, NUMBER, OUTSIDE, Code, Const, Kind, wasm_types
from tools.wasm.encoding import I32, I64

BAD_SHIFT = "a shift by less than 0 or more than 63"
OFFSET = ("i32.wrap_i64", "i32.const 3", "i32.shl", "i32.add")  # adds a count of numbers to the address below it
IN_I32 = I32 - 0x80  # the type of a block that leaves a condition


class Expressions(Code):
    """Code with expressions."""

    user_call: Any

    def value(self, node: ast.expr) -> Kind:
        """Leave the value of an expression."""
        known = None if isinstance(node, ast.Tuple) else self.known(node)  # a tuple that is written out stays one
        if known is not None:
            return self.constant(known.value)
        match node:
            case ast.Name():
                kind, places = self.variable(node.id)
                self.put(*places)
                return kind
            case ast.Tuple():
                return tuple([self.value(each) for each in node.elts])
            case ast.Subscript():
                return self.item(node)
            case ast.Call():
                return self.call(node)
            case ast.IfExp():
                return self.choice(node)
            case ast.BinOp():
                self.number(node.left)
                self.binary(node.op, node.right)
            case ast.UnaryOp(op=ast.USub()):
                self.put("i64.const 0")
                self.number(node.operand)
                self.put("i64.sub")
            case ast.UnaryOp(op=ast.Invert()):
                self.number(node.operand)
                self.put("i64.const -1", "i64.xor")
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                self.condition(node)
                self.put("i64.extend_i32_u")
            case ast.BoolOp():
                self.chain(isinstance(node.op, ast.And), node.values)
            case _:
                self.refuse(f"{ast.unparse(node)} is not in the subset")
        return NUMBER

    def constant(self, value: object) -> Kind:
        """Leave a number, or a row of numbers that stands in memory."""
        if isinstance(value, int):
            self.put(f"i64.const {int(value)}")
            return NUMBER
        if isinstance(value, tuple) and all(isinstance(each, int) for each in value):
            self.put(f"i32.const {self.compiler.row(tuple(map(int, value)))}", f"i32.const {len(value)}")
            return ARRAY
        self.refuse(f"{value!r} is no number")

    def variable(self, name: str) -> tuple[Kind, list[int]]:
        """Return the kind and the locals of a name."""
        found = self.frame.names.get(name)
        if found is None or isinstance(found, Const):
            self.refuse(f"{name} has no value yet")
        return found

    def number(self, node: ast.expr) -> None:
        """Leave a number."""
        if self.value(node) != NUMBER:
            self.refuse(f"{ast.unparse(node)} is no number")

    def choice(self, node: ast.IfExp) -> Kind:
        """One of two values of the same kind."""
        known = self.known(node.test)
        if known is not None:
            return self.value(node.body if known.value else node.orelse)
        self.condition(node.test)
        start = len(self.code)
        self.put("if")
        kind = self.value(node.body)
        body = self.code[start + 1 :]
        del self.code[start:]
        self.level -= 1
        self.begin("if", kind)  # again, now that the kind is known
        self.code += body
        self.put("else")
        if self.value(node.orelse) != kind:
            self.refuse("two kinds of values")
        self.put("end")
        return kind

    def chain(self, is_and: bool, values: list[ast.expr]) -> None:
        """The value of `and` or `or`: the first that decides, else the last."""
        self.number(values[0])
        if len(values) == 1:
            return
        place = self.kept(NUMBER)
        self.put(*place, "i64.eqz", *(["i32.eqz"] if is_and else ()))
        self.begin("if", NUMBER)
        self.chain(is_and, values[1:])
        self.put("else", *place, "end")
        self.release(place)

    # Arithmetic.

    def binary(self, operation: ast.operator, right: ast.expr) -> None:
        """Combine the number on the stack with the one on the right."""
        if type(operation) not in BINARY:
            self.refuse(f"{type(operation).__name__} is not in the subset")
        known = self.known(right)
        if isinstance(operation, ast.FloorDiv | ast.Mod):
            self.divide(isinstance(operation, ast.Mod), right, None if known is None else known.value)
            return
        self.number(right)
        if isinstance(operation, ast.LShift | ast.RShift) and (known is None or not 0 <= known.value <= 63):
            count, is_left = self.kept(NUMBER), isinstance(operation, ast.LShift)
            self.put(*count, "i64.const 63" if is_left else "i64.const 0", "i64.gt_u" if is_left else "i64.lt_s")
            self.trap(BAD_SHIFT, "if")
            # To the right, 63 places leave what any more would leave: the sign.
            self.put(*count, "i64.const 63", *count, "i64.const 63", "i64.le_s", "select")
            self.release(count)
        self.put("i64." + BINARY[type(operation)][0])

    def divide(self, is_mod: bool, right: ast.expr, divisor: int | None) -> None:
        """Floor division or its rest. WebAssembly rounds towards 0, Python down."""
        if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0:
            self.put(f"i64.const {divisor - 1 if is_mod else divisor.bit_length() - 1}")
            self.put("i64.and" if is_mod else "i64.shr_s")
            return
        self.number(right)
        by, left, rest = self.kept(NUMBER), self.kept(NUMBER), self.new([I64])
        self.put(*left, *by, "i64.rem_s")
        self.set(rest)
        # They differ by one divisor, or by 1, where there is a rest whose sign is not the divisor's.
        if is_mod:
            self.put(*rest, *by)
        else:
            self.put(*left, *by, "i64.div_s", "i64.const 1")
        self.put("i64.const 0", *rest, *by, "i64.xor", "i64.const 0", "i64.lt_s", *rest, "i64.const 0")
        self.put("i64.ne", "i32.and", "select", "i64.add" if is_mod else "i64.sub")
        self.release(by + left + rest)

    # Conditions: each leaves an i32, 0 for what is false.

    def condition(self, node: ast.expr) -> None:
        """Leave whether an expression is true."""
        known = self.known(node)
        if known is not None:
            self.put(f"i32.const {int(bool(known.value))}")
            return
        match node:
            case ast.Compare():
                self.number(node.left)
                self.compare(node.ops, node.comparators)
            case ast.UnaryOp(op=ast.Not()):
                self.condition(node.operand)
                self.put("i32.eqz")
            case ast.BoolOp():
                self.connected(isinstance(node.op, ast.And), node.values)
            case _:
                self.number(node)
                self.put("i64.const 0", "i64.ne")

    def connected(self, is_and: bool, values: list[ast.expr]) -> None:
        """Whether all, or any, of the values are true."""
        self.condition(values[0])
        if len(values) == 1:
            return
        self.put(*(() if is_and else ["i32.eqz"]), f"if {IN_I32}")
        self.connected(is_and, values[1:])
        self.put("else", f"i32.const {int(not is_and)}", "end")

    def compare(self, operations: list[ast.cmpop], others: list[ast.expr]) -> None:
        """Compare the number on the stack with the first of the others, that one with the next, and so on."""
        if type(operations[0]) not in COMPARE:
            self.refuse(f"{type(operations[0]).__name__} is not in the subset")
        self.number(others[0])
        compared = "i64." + COMPARE[type(operations[0])][0]
        if len(others) == 1:
            self.put(compared)
            return
        middle = self.kept(NUMBER)
        self.put(*middle, compared, f"if {IN_I32}", *middle)
        self.compare(operations[1:], others[1:])
        self.put("else", "i32.const 0", "end")
        self.release(middle)

    # Arrays and tuples.

    def operand(self, node: ast.expr) -> tuple[Kind, list[int], list[int]]:
        """Return the kind and the locals of an array or a tuple, and those of them that are to be released."""
        if isinstance(node, ast.Name) and self.known(node) is None:
            kind, places = self.variable(node.id)
            return kind, places, []
        kind = self.value(node)
        if kind is None or kind == NUMBER:
            self.refuse(f"{ast.unparse(node)} is no array")
        places = self.kept(kind)
        return kind, places, places

    def item(self, node: ast.Subscript) -> Kind:
        """A number of an array, a part of a tuple, a row of a constant table, or a slice."""
        table = self.known(node.value)
        if table is not None and isinstance(table.value, tuple) and any(isinstance(x, tuple) for x in table.value):
            return self.table_row(table.value, node.slice)
        kind, places, owned = self.operand(node.value)
        if isinstance(node.slice, ast.Slice):
            self.slice(kind, places, node.slice.lower, node.slice.upper)
            if node.slice.step is not None:
                self.refuse("a slice has no step")
        elif kind == ARRAY:
            self.put(f"i64.load {self.address(places, node.slice)}")
            kind = NUMBER
        else:
            kind = self.part(kind, places, node.slice)
        self.release(owned)
        return kind

    def part(self, kind: tuple[Kind, ...], places: list[int], index: ast.expr) -> Kind:
        """A part of a tuple; where the index is worked out, all parts are numbers."""
        known = self.known(index)
        if known is not None:
            at = range(len(kind))[known.value]
            before = len(wasm_types(kind[:at]))
            self.put(*places[before : before + len(wasm_types(kind[at]))])
            return kind[at]
        if set(kind) != {NUMBER}:
            self.refuse("an index that is worked out picks from numbers")
        self.number(index)
        chosen = self.checked_index(f"i64.const {len(kind)}")
        self.put(places[0])
        for i, place in enumerate(places[1:], 1):
            self.put(place, *chosen, f"i64.const {i}", "i64.lt_s", "select")
        self.release(chosen)
        return NUMBER

    def checked_index(self, *length: str | int) -> list[int]:
        """Move the index on the stack into a local; trap where it is below 0 or not below the length."""
        index = self.kept(NUMBER)
        self.put(*index, *length, "i64.ge_u")
        self.trap(OUTSIDE, "if")
        return index

    def table_row(self, table: tuple[tuple[int, ...], ...], index: ast.expr) -> Kind:
        """A row of a constant table, all of whose rows are equally long."""
        widths = {len(row) for row in table}
        if len(widths) != 1 or isinstance(index, ast.Slice):
            self.refuse("the rows of a table are equally long and taken one by one")
        (width,) = widths
        address = self.compiler.row(tuple(value for row in table for value in row))
        self.number(index)
        row = self.checked_index(f"i64.const {len(table)}")
        self.put(*row, "i32.wrap_i64", f"i32.const {8 * width}", "i32.mul", f"i32.const {address}", "i32.add")
        self.put(f"i32.const {width}")
        self.release(row)
        return ARRAY

    def address(self, array: list[int], index: ast.expr) -> int:
        """Leave the address of a number of an array, and return what is to be added to it."""
        known = self.known(index)
        if known is not None and 0 <= known.value < 2**28:
            self.put(array[1], f"i32.const {known.value + 1}", "i32.lt_u")
            self.trap(OUTSIDE, "if")
            self.put(array[0])
            return 8 * int(known.value)
        self.number(index)
        if known is not None:  # counted from the end
            self.put(array[1], "i64.extend_i32_u", "i64.add")
        place = self.checked_index(array[1], "i64.extend_i32_u")
        self.put(array[0], *place, *OFFSET)
        self.release(place)
        return 0

    def slice(self, kind: Kind, array: list[int], lower: ast.expr | None, upper: ast.expr | None) -> None:
        """A part of an array, in place. Bounds that Python would cut off trap here."""
        if kind != ARRAY:
            self.refuse("only an array is sliced")
        self.number(lower if lower is not None else ast.Constant(0))
        first = self.kept(NUMBER)
        if upper is None:
            self.put(array[1], "i64.extend_i32_u")
        else:
            self.number(upper)
        last = self.kept(NUMBER)
        self.put(*last, array[1], "i64.extend_i32_u", "i64.gt_u")
        self.trap(OUTSIDE, "if")
        self.put(*first, *last, "i64.gt_u")
        self.trap(OUTSIDE, "if")
        self.put(array[0], *first, *OFFSET, *last, *first, "i64.sub", "i32.wrap_i64")
        self.release(first + last)

    # Calls.

    def call(self, node: ast.Call) -> Kind:
        """A call of a built-in function, or of one of the subset."""
        target = self.known(node.func)
        function, arguments = None if target is None else target.value, node.args
        if node.keywords or any(isinstance(each, ast.Starred) for each in arguments):
            self.refuse("arguments are given by their places")
        if isinstance(function, FunctionType) and function not in (tail, draws.next_u64):
            return self.user_call(function, arguments)
        if function in (min, max) and len(arguments) > 1:
            self.extreme(arguments, function is min)
        elif function is int and len(arguments) == 1:
            self.number(arguments[0])
        elif function is bool and len(arguments) == 1:
            self.condition(arguments[0])
            self.put("i64.extend_i32_u")
        elif function is abs:
            self.absolute(arguments[0])
        elif function is len:
            kind, places, owned = self.operand(arguments[0])
            self.put(*([places[1], "i64.extend_i32_u"] if kind == ARRAY else [f"i64.const {len(kind)}"]))
            self.release(owned)
        elif function is tail:
            kind, places, owned = self.operand(arguments[0])
            self.slice(kind, places, arguments[1], None)
            self.release(owned)
            return ARRAY
        else:  # `next_u64` among them: its top bit is no sign
            self.refuse(f"{ast.unparse(node.func)} is not in the subset")
        return NUMBER

    def absolute(self, argument: ast.expr) -> None:
        """A number without its sign."""
        self.put("i64.const 0")
        self.number(argument)
        place = self.kept(NUMBER)
        self.put(*place, "i64.sub", *place, *place, "i64.const 0", "i64.lt_s", "select")
        self.release(place)

    def extreme(self, values: list[ast.expr], is_min: bool) -> None:
        """The least or the greatest of numbers."""
        self.number(values[0])
        for each in values[1:]:
            first = self.kept(NUMBER)
            self.number(each)
            second = self.kept(NUMBER)
            self.put(*first, *second, *first, *second, "i64.le_s" if is_min else "i64.ge_s", "select")
            self.release(first + second)
