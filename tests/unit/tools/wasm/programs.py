"""Writes programs of the numeric subset at random, for a compiler to be compared with CPython.

Every expression knows how large it can become and stays within 62 bits, so that no number wraps. Whatever else CPython
refuses (a division by zero, an index outside a row, a negative shift) is left in: the module has to trap there.
"""

from __future__ import annotations

from random import Random

LARGEST = 2**62
ROW = 8
HEADER = "TABLE = (5, -7, 11, 13, -2)\nGRID = ((1, 2, 3), (-4, 5, 6))\n\n"


class Writer:
    """Writes one function after the other; a function calls those before it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.functions: list[tuple[str, bool]] = []

    def module(self, count: int) -> str:
        """Return the text of a module with functions f0, f1 and so on."""
        return HEADER + "\n\n".join(self.function(number) for number in range(count))

    def function(self, number: int) -> str:
        name = f"f{number}"
        is_short = self.random.random() < 0.3
        if is_short:
            self.names = {"a": 2**20, "b": 2**20}
            body = [f"    return {self.small(self.expression(3))}"]
        else:
            self.names = dict.fromkeys("abxyz", 2**20)
            body = ["    x = a", "    y = b", "    z = a - b"]
            body += self.block(4, 1, in_loop=False)
            body.append(f"    return {self.small(self.expression(2))}")
        self.functions.append((name, is_short))
        return "\n".join([f"def {name}(a, b, row):", *body]) + "\n"

    # Statements.

    def block(self, count: int, indent: int, in_loop: bool) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, count)):
            lines += self.statement(indent, in_loop)
        return lines

    def statement(self, indent: int, in_loop: bool) -> list[str]:
        pad = "    " * indent
        choices = ["assign"] * 4 + ["augment", "swap", "store", "store_augment", "chain_assign"]
        if indent < 4:
            choices += ["if"] * 3 + ["range", "range", "while", "each", "parts"]
        if in_loop:
            choices += ["leave"]
        if indent > 1:
            choices += ["return"]
        kind = self.random.choice(choices)
        name = self.random.choice("xyzab")
        inside = lambda loop: self.block(3, indent + 1, loop)  # noqa: E731
        match kind:
            case "assign":
                return [f"{pad}{name} = {self.small(self.expression(3))}"]
            case "augment":
                operation = self.random.choice(["+", "-", "^", "|", "&"])
                return [f"{pad}{name} {operation}= {self.small(self.expression(2))}", f"{pad}{name} %= 1048573"]
            case "swap":
                other = self.random.choice("xyzab")
                return [f"{pad}{name}, {other} = {other}, {self.small(self.expression(2))}"]
            case "chain_assign":
                other = self.random.choice("xyzab")
                return [f"{pad}{name} = {other} = {self.small(self.expression(2))}"]
            case "store":
                return [f"{pad}row[{self.index()}] = {self.small(self.expression(2))}"]
            case "store_augment":
                place = self.random.randrange(ROW)
                return [f"{pad}row[{place}] += {self.small(self.expression(1))}", f"{pad}row[{place}] %= 1048573"]
            case "if":
                lines = [f"{pad}if {self.condition(2)}:", *inside(in_loop)]
                if self.random.random() < 0.3:
                    lines += [f"{pad}elif {self.condition(1)}:", *inside(in_loop)]
                return lines + ([f"{pad}else:", *inside(in_loop)] if self.random.random() < 0.5 else [])
            case "range":
                first, last = self.random.randint(-6, 6), self.random.randint(-6, 6)
                step = self.random.choice(["", ", 2", ", -1", ", -3", ", 3"])
                bound = f"{first}, {last} + ({self.atom()[0]}) % 4{step}"
                return [f"{pad}for {name} in range({bound}):", *inside(True)]
            case "while":
                counter = f"n{indent}"
                lines = [f"{pad}{counter} = 0", f"{pad}while {counter} < 5 and {self.condition(1)}:"]
                return [*lines, f"{pad}    {counter} += 1", *inside(True)]
            case "each":
                return [f"{pad}for {name} in {self.random.choice(['row', 'TABLE', 'GRID[1]'])}:", *inside(True)]
            case "parts":
                parts = ", ".join(self.small(self.expression(1)) for _ in range(self.random.randint(2, 3)))
                return [f"{pad}for {name} in ({parts}):", *inside(True)]
            case "leave":
                return [f"{pad}if {self.condition(1)}:", f"{pad}    {self.random.choice(['break', 'continue'])}"]
        return [f"{pad}if {self.condition(1)}:", f"{pad}    return {self.small(self.expression(2))}"]

    # Expressions: a text, and the largest number it can be.

    def small(self, expression: tuple[str, int]) -> str:
        return expression[0] if expression[1] <= 2**20 else f"({expression[0]}) % 1048573"

    def index(self) -> str:
        return f"({self.atom()[0]}) % {self.random.choice([ROW, ROW, ROW, ROW + 1])}"

    def atom(self) -> tuple[str, int]:
        match self.random.randrange(6):
            case 0:
                value = self.random.choice([-9, -8, -3, -1, 0, 1, 2, 7, 8, 16, 1000])
                return str(value), abs(value)
            case 1 if self.random.random() < 0.5:
                return f"row[{self.random.randrange(-1, ROW)}]", 2**21
            case 2 if self.random.random() < 0.5:
                return f"TABLE[{self.random.randrange(-5, 5)}]", 13
        name = self.random.choice(sorted(self.names))
        return name, self.names[name]

    def expression(self, depth: int) -> tuple[str, int]:
        if depth == 0:
            return self.atom()
        left, high = self.expression(depth - 1)
        right, other = self.expression(self.random.randrange(depth))
        match self.random.randrange(16):
            case 0 | 1:
                return f"({left} {self.random.choice('+-')} {right})", high + other
            case 2 if high * other < LARGEST:
                return f"({left} * {right})", high * other
            case 3:
                return f"({left} // {right})", high
            case 4:
                return f"({left} % {right})", other
            case 5:
                divisor = self.random.choice([-8, -7, -3, 2, 3, 7, 8, 64])
                return f"({left} {self.random.choice(['//', '%'])} {divisor})", max(high, 64)
            case 6:
                return f"({left} {self.random.choice('&|^')} {right})", 2 * max(high, other, 1)
            case 7:
                return f"({left} >> ({right}) % 9)", high
            case 8 if high < 2**40:
                return f"({left} << ({right} & 7))", high * 128
            case 9:
                return f"{self.random.choice(['min', 'max'])}({left}, {right}, 3)", max(high, other, 3)
            case 10:
                return f"abs({left})", high
            case 11:
                return f"({left} if {self.condition(1)} else {right})", max(high, other)
            case 12:
                return f"({left} {self.random.choice(['and', 'or'])} {right})", max(high, other)
            case 13:
                return self.random.choice(
                    [f"row[{self.index()}]", f"TABLE[({left}) % 5]", f"GRID[({left}) % 2][1]"]
                ), 2**21
            case 14 if self.functions:
                name = self.random.choice([name for name, is_short in self.functions if is_short] or ["f0"])
                return f"{name}({self.small((left, high))}, {self.small((right, other))}, row)", 2**20
            case 15:
                return (
                    f"(-{left} - ~{right} + (not {left}) + ({left} >> {self.random.choice(['1', '(' + right + ')'])}))",
                    3 * high + 2 * other + 3,
                )
        return left, high

    def condition(self, depth: int) -> str:
        left, right = self.small(self.expression(1)), self.small(self.expression(1))
        compared = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        match self.random.randrange(6) if depth else 5:
            case 0:
                return f"({self.condition(depth - 1)} {self.random.choice(['and', 'or'])} {self.condition(depth - 1)})"
            case 1:
                return f"not {self.condition(depth - 1)}"
            case 2:
                return f"-50 < {left} {compared} {right}"
            case 3:
                return left
        return f"{left} {compared} {right}"
