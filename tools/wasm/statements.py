"""Statements, and calls of functions of the subset: small ones are inlined."""

from __future__ import annotations

import ast
from types import FunctionType

from tools.wasm.code import ARRAY, NUMBER, Const, Frame, Kind, assigned_in, size_of, tree_of, wasm_types
from tools.wasm.encoding import I32, instruction
from tools.wasm.expressions import OFFSET, Expressions


class Statements(Expressions):
    """Code with statements. `statement` and `block` tell whether nothing behind them is reached."""

    def compile(self, kinds: tuple[Kind, ...]) -> tuple[int, Kind]:
        """Compile the function; return its index and the kind of its result."""
        names = [argument.arg for argument in tree_of(self.frame.function).args.args]
        if len(names) != len(kinds):
            self.refuse(f"it takes {len(names)} arguments, not {len(kinds)}")
        for name, kind in zip(names, kinds, strict=True):
            self.frame.names[name] = kind, self.new(wasm_types(kind))
        parameters = list(self.local_types)
        self.body(self.frame.function)
        form = self.module.type_index(parameters, wasm_types(self.frame.result))
        self.module.functions.append((form, self.local_types[len(parameters) :], b"".join(self.code)))
        return len(self.module.functions) - 1, self.frame.result

    def body(self, function: FunctionType) -> None:
        """Compile all of a function; a function that returns something does so on every path, or traps."""
        if not self.block(tree_of(function).body) and self.frame.result is not None:
            self.put("unreachable")

    def block(self, statements: list[ast.stmt]) -> bool:
        """Compile statements up to the one behind which nothing is reached."""
        for statement in statements:
            self.node = statement
            if self.statement(statement):
                return True
        return False

    def statement(self, node: ast.stmt) -> bool:
        """Compile one statement."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return False
            case ast.Expr():
                for _ in wasm_types(self.value(node.value)):
                    self.put("drop")
                return False
            case ast.Return():
                return self.returned(node)
            case ast.If():
                return self.if_else(node)
            case ast.While() if not node.orelse:
                self.while_loop(node)
                return False
            case ast.For(target=ast.Name(id=name)) if not node.orelse:
                self.for_loop(node, name)
                return False
            case ast.Break() | ast.Continue():
                self.put(f"br {self.level - self.frame.loops[-1][isinstance(node, ast.Continue)]}")
                return True
            case ast.Raise(exc=ast.expr() as error):
                self.trap(ast.unparse(error))
                self.put("unreachable")
                return True
        self.assignment(node)
        return False

    # Assignments.

    def assignment(self, node: ast.stmt) -> None:
        """Compile a statement that assigns."""
        match node:
            case ast.Assign(targets=[ast.Subscript() as target]):
                self.number(node.value)
                number = self.kept(NUMBER)
                offset, owned = self.target(target)
                self.put(*number, f"i64.store {offset}")
                self.release(number + owned)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self.bind(name, self.value(value))
            case ast.Assign():
                kind = self.value(node.value)
                places = self.kept(kind)
                for each in node.targets:
                    self.assign(each, kind, places)
                self.release(places)
            case ast.AugAssign(target=ast.Name(id=name)):
                self.number(ast.Name(name, ast.Load()))
                self.binary(node.op, node.value)
                self.bind(name, NUMBER)
            case ast.AugAssign(target=ast.Subscript() as target):
                offset, owned = self.target(target)
                address = self.new([I32])
                self.set(address)
                self.put(*address, *address, f"i64.load {offset}")
                self.binary(node.op, node.value)
                self.put(f"i64.store {offset}")
                self.release(address + owned)
            case _:
                self.refuse(f"{type(node).__name__} is not in the subset")

    def target(self, target: ast.Subscript) -> tuple[int, list[int]]:
        """Leave the address of a number that is assigned; return what is to be added, and locals to be released."""
        kind, places, owned = self.operand(target.value)
        if kind != ARRAY or isinstance(target.slice, ast.Slice):
            self.refuse("only a number of an array is assigned")
        return self.address(places, target.slice), owned

    def assign(self, target: ast.expr, kind: Kind, places: list[int]) -> None:
        """Assign a value to a name, or its parts to several, from the left to the right."""
        if isinstance(target, ast.Name):
            self.put(*places)
            self.bind(target.id, kind)
            return
        if not isinstance(target, ast.Tuple) or not isinstance(kind, tuple) or len(kind) != len(target.elts):
            self.refuse("a tuple is unpacked into as many names")
        for each, part in zip(target.elts, kind, strict=True):
            count = len(wasm_types(part))
            self.assign(each, part, places[:count])
            places = places[count:]

    # Branches and loops.

    def if_else(self, node: ast.If) -> bool:
        """Compile the branches; of a condition that is known, only the one that is taken."""
        known = self.known(node.test)
        if known is not None:
            return self.block(node.body if known.value else node.orelse)
        self.condition(node.test)
        self.put("if")
        ended = self.block(node.body)
        also = False
        if node.orelse:
            self.put("else")
            also = self.block(node.orelse)
        self.put("end")
        if ended and also:
            self.put("unreachable")
        return ended and also

    def while_loop(self, node: ast.While) -> None:
        """Compile a loop with a condition."""
        self.put("block")
        outside = self.level
        self.put("loop")
        self.frame.loops.append((outside, self.level))
        known = self.known(node.test)
        if known is None or not known.value:
            self.condition(node.test)
            self.put("i32.eqz", "br_if 1")
        if not self.block(node.body):
            self.put(f"br {self.level - self.frame.loops[-1][1]}")
        self.frame.loops.pop()
        self.put("end", "end")

    def for_loop(self, node: ast.For, name: str) -> None:
        """Compile a loop over a range, an array or the parts of a tuple."""
        source, places = node.iter, list[int]()
        step: Const | None = Const(1)
        called = self.known(source.func) if isinstance(source, ast.Call) else None
        if isinstance(source, ast.Call) and called is not None and called.value is range:
            first, last = (ast.Constant(0), source.args[0]) if len(source.args) == 1 else source.args[:2]
            step = self.known(source.args[2]) if len(source.args) == 3 else step
            self.number(first)
            self.number(last)
        else:
            kind = self.value(source)
            places = self.kept(kind)  # kept, for the body may give the name another array
            if isinstance(kind, tuple):
                self.unrolled(node, name, kind, places)
                return
            self.put("i64.const 0", places[1], "i64.extend_i32_u")
        if step is None or step.value == 0:
            self.refuse("the step of a range is a constant")
        end, counter = self.kept(NUMBER), self.kept(NUMBER)
        self.put("block")
        outside = self.level
        self.put("loop", *counter, *end, "i64.ge_s" if step.value > 0 else "i64.le_s", "br_if 1")
        self.frame.loops.append((outside, self.level + 1))
        self.put(*places[:1], *counter, *((*OFFSET, "i64.load 0") if places else ()))
        self.bind(name, NUMBER)
        self.put("block")
        self.block(node.body)
        self.frame.loops.pop()
        self.put("end", *counter, f"i64.const {step.value}", "i64.add")
        self.set(counter)
        self.put("br 0", "end", "end")
        self.release(end + counter + places)

    def unrolled(self, node: ast.For, name: str, kind: tuple[Kind, ...], places: list[int]) -> None:
        """Compile the body of a loop once for each part of a tuple."""
        self.put("block")
        outside = self.level
        for i, part in enumerate(kind):
            before = len(wasm_types(kind[:i]))
            self.frame.loops.append((outside, self.level + 1))
            self.put(*places[before : before + len(wasm_types(part))])
            self.bind(name, part)
            self.put("block")
            self.block(node.body)
            self.frame.loops.pop()
            self.put("end")
        self.put("end")
        self.release(places)

    # Calls and returns.

    def returned(self, node: ast.Return) -> bool:
        """Compile `return`: of an inlined function, a branch behind its block."""
        frame = self.frame
        kind = None if node.value is None else self.value(node.value)
        if frame.result is not None and frame.result != kind:
            self.refuse("it returns two kinds of values")
        frame.result = kind
        if frame.level is None:
            self.put("return")
            return True
        frame.returns_early |= self.level > frame.level
        self.put(f"br {self.level - frame.level}")
        return True

    def user_call(self, function: FunctionType, arguments: list[ast.expr]) -> Kind:
        """Call a function of the subset, or put its body here."""
        function = self.compiler.stand_ins.get(function, function)
        names = [argument.arg for argument in tree_of(function).args.args]
        missing = len(names) - len(arguments)
        defaults = list(function.__defaults__ or ())
        if not 0 <= missing <= len(defaults):
            self.refuse(f"{function.__name__} takes {len(names)} arguments")
        arguments = [*arguments, *map(ast.Constant, defaults[len(defaults) - missing :])]
        if size_of(function) > self.compiler.inline_max:
            index, result = self.compiler.function(function, tuple(self.value(each) for each in arguments))
            self.put(f"call {index}")
            return result
        return self.inlined(function, dict(zip(names, arguments, strict=True)))

    def inlined(self, function: FunctionType, arguments: dict[str, ast.expr]) -> Kind:
        """Put the body of a function here, as a block that leaves its result."""
        inner, owned = Frame(function, self.level + 1), []
        for name, argument in arguments.items():
            known = self.known(argument)
            is_written = name in assigned_in(function)
            if known is not None and not is_written:
                inner.names[name] = known
            elif isinstance(argument, ast.Name) and known is None and not is_written:
                inner.names[name] = self.variable(argument.id)
            else:
                kind = self.value(argument)
                places = self.kept(kind)
                inner.names[name] = kind, places
                owned += places
        if function in self.inlining:
            self.refuse(f"{function.__name__} calls itself")
        self.inlining.add(function)
        outer, node, self.frame = self.frame, self.node, inner
        start = len(self.code)
        self.put("block")
        self.body(function)
        body = self.code[start + 1 :]
        del self.code[start:]
        self.level -= 1
        if body and body[-1] == instruction("br", 0):
            del body[-1]
        if inner.returns_early:
            self.begin("block", inner.result)
            self.code += body
            self.put("end")
        else:
            self.code += body  # it returns at its end alone
        self.frame, self.node = outer, node
        for name, bound in inner.names.items():
            owned += bound[1] if name not in arguments and isinstance(bound, tuple) else []
        self.release(owned)
        self.inlining.discard(function)
        return inner.result
