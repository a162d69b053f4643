"""Public surface: names and signatures at the doors of the package, as text that a change to any of them changes.

    python tools/surface.py            print it
    python tools/surface.py --write    write it to tests/vectors/surface.txt, which a test compares

A door is a package, or a module beside the packages, that declares `__all__`. The source is read, not imported: its
text needs no extra to be installed and is the same with every version of Python.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[1]
TARGET = "tests/vectors/surface.txt"
HEADER = "# Public names and signatures. A change that is meant: python tools/surface.py --write"
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
OPERATORS = ("__init__", "__call__", "__iter__", "__aiter__", "__len__", "__getitem__", "__enter__", "__aenter__")
VALUE_LENGTH_MAX = 80  # a longer value of a constant or default is data, not a signature
Node = TypeVar("Node", bound=ast.AST)
Place = tuple[str, str]  # a module, a name defined in it


class Module:
    """One source file: what it defines and what it imports."""

    def __init__(self, path: Path, is_package: bool) -> None:
        self.path = path
        self.is_package = is_package

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree; most files are never asked for it."""
        return ast.parse(self.path.read_text(encoding="utf-8"), str(self.path))

    @cached_property
    def definitions(self) -> dict[str, list[Definition]]:
        """Every name defined at the top level, with all its definitions: overloads share one."""
        found: dict[str, list[Definition]] = {}
        for node in statements(self.tree):
            for name in defined_names(node):
                assert isinstance(node, Definition)
                found.setdefault(name, []).append(node)
        return found

    @cached_property
    def imports(self) -> dict[str, Place]:
        """Every name imported from a module, with where it comes from."""
        nodes = [node for node in statements(self.tree) if isinstance(node, ast.ImportFrom)]
        return {one.asname or one.name: (node.module or "", one.name) for node in nodes for one in node.names}

    @cached_property
    def promised(self) -> list[str]:
        """The names in `__all__`; none where there is no such list."""
        nodes = self.definitions.get("__all__", [])
        values = [node.value for node in nodes if isinstance(node, ast.Assign)]
        return [name for value in values for name in ast.literal_eval(value)]


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements that run when a module is imported, those under `if` and `try` included."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.If | ast.Try | ast.ExceptHandler):
            yield from statements(node)


def defined_names(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines; imports define none."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [one.id for one in names if isinstance(one, ast.Name)]


class Surface:
    """The package's source, with which door a definition belongs to."""

    def __init__(self, source: Path) -> None:
        self.modules: dict[str, Module] = {}
        for path in sorted(source.rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            self.modules[".".join(parts[:-1] if is_package else parts)] = Module(path, is_package)
        self.doors = [name for name, module in sorted(self.modules.items()) if self.is_door(name, module)]
        self.homes: dict[Place, str] = {}  # where a definition is told in full; other doors refer to it
        for door in sorted(self.doors, key=len):  # the nearest door to the definition comes last and stays
            for name in self.modules[door].promised:
                place = self.find(door, name)
                if place not in self.homes or f"{place[0]}.".startswith(f"{door}."):
                    self.homes[place] = f"{door}.{name}"

    def is_door(self, name: str, module: Module) -> bool:
        """Tell whether people import from a module: a package, or a module beside the packages, with `__all__`."""
        return (module.is_package or name.count(".") == 1) and bool(module.promised)

    def find(self, module: str, name: str) -> Place:
        """Return where a name of a module is defined, following imports as far as there is source."""
        while module in self.modules and name not in self.modules[module].definitions:
            origin = self.modules[module].imports.get(name)
            if origin is None or origin == (module, name):
                break  # set in another way, or a module of this package
            module, name = origin
        return module, name

    def lines(self) -> Iterator[str]:
        """Yield the whole text, line by line."""
        counts = {door: len(self.modules[door].promised) for door in self.doors}
        yield HEADER
        yield f"# {len(self.homes)} names, {sum(counts.values())} with those that stand at two doors:"
        yield from (f"# {count:5} {door}" for door, count in counts.items())
        for door in self.doors:
            yield ""
            for name in sorted(self.modules[door].promised):
                yield from self.told(f"{door}.{name}", self.find(door, name))

    def told(self, public: str, place: Place) -> Iterator[str]:
        """Yield the lines of one name at a door."""
        home = self.homes[place]
        if home != public:
            yield f"{public} is {home}"
            return
        module = self.modules.get(place[0])
        nodes = module.definitions.get(place[1], []) if module else []
        if not nodes:
            yield f"{public} is {'.'.join(place)}"
        for node in interface(nodes):
            yield signature(public, node)
            if isinstance(node, ast.ClassDef):
                yield from (signature(f"{public}.{name}", member) for name, member in self.members(place, node))

    def members(self, place: Place, node: ast.ClassDef) -> Iterator[tuple[str, Definition | ast.arg]]:
        """Yield the public members of a class, with those of bases that no door tells of."""
        own = public_members(node)
        inherited: dict[str, list[Definition | ast.arg]] = {}
        for base in node.bases:
            name = base.value if isinstance(base, ast.Subscript) else base
            at = self.find(place[0], name.id) if isinstance(name, ast.Name) else ("", "")
            above = self.modules[at[0]].definitions.get(at[1], []) if at[0] in self.modules else []
            if at not in self.homes and above and isinstance(above[0], ast.ClassDef):
                for member, definition in self.members(at, above[0]):
                    inherited.setdefault(member, []).append(definition)
        for member, definitions in (inherited | own).items():
            yield from ((member, definition) for definition in definitions)


def public_members(node: ast.ClassDef) -> dict[str, list[Definition | ast.arg]]:
    """Return the public fields and methods in a class's body, and what its `__init__` sets on `self`."""
    found: dict[str, list[Definition | ast.arg]] = {}
    for statement in node.body:
        for name in defined_names(statement):
            if name in OPERATORS or not name.startswith("_"):
                assert isinstance(statement, Definition)
                found.setdefault(name, []).append(statement)
    for method in found.get("__init__", []):
        for inner in ast.walk(method):
            targets = inner.targets if isinstance(inner, ast.Assign) else []
            targets = [inner.target] if isinstance(inner, ast.AnnAssign) else targets
            for target in targets:
                if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                    annotation = inner.annotation if isinstance(inner, ast.AnnAssign) else None
                    if not target.attr.startswith("_"):
                        found.setdefault(target.attr, [ast.arg(target.attr, annotation)])
    return {name: interface(definitions) for name, definitions in found.items()}


def interface(nodes: list[Node]) -> list[Node]:
    """Return the definitions that callers see: the overloads where there are any, else the last one."""
    overloads = [node for node in nodes if "overload" in decorators(node)]
    return overloads or nodes[-1:]


def decorators(node: ast.AST) -> list[str]:
    """Return the names a definition is decorated with, without their arguments."""
    return [ast.unparse(one).partition("(")[0] for one in getattr(node, "decorator_list", [])]


def signature(public: str, node: Definition | ast.arg) -> str:
    """Return the line of one definition."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in [*node.bases, *node.keywords])
        return f"class {public}({bases})"
    if isinstance(node, ast.arg | ast.AnnAssign):
        annotation = f": {ast.unparse(node.annotation)}" if node.annotation else ""
        return f"{public}{annotation}{value_text(getattr(node, 'value', None))}"
    if isinstance(node, ast.Assign):
        value: ast.expr | None = node.value
        if isinstance(node.targets[0], ast.Tuple):  # one of several names: its own part of the values
            place = defined_names(node).index(public.rpartition(".")[2])
            value = node.value.elts[place] if isinstance(node.value, ast.Tuple) else None
        return f"{public}{value_text(value)}"
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    marks = [
        mark for mark in decorators(node) if mark in ("property", "cached_property", "classmethod", "staticmethod")
    ]
    words = [*marks, *(["async"] if isinstance(node, ast.AsyncFunctionDef) else [])]
    return " ".join([*words, f"{public}({ast.unparse(node.args)}){returned}"])


def value_text(value: ast.expr | None) -> str:
    """Return ` = value`, shortened where it is long."""
    text = ast.unparse(value) if value else ""
    return f" = {text if len(text) <= VALUE_LENGTH_MAX else '...'}" if text else ""


def surface_text(root: Path = ROOT) -> str:
    """Return the public surface of the package below `root`."""
    return "\n".join(Surface(root / "src").lines()) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        (ROOT / TARGET).write_text(surface_text(), encoding="utf-8")
    else:
        print(surface_text(), end="")
