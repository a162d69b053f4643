"""The page of refusals and errors: every code in the source is on it, and every code on it is in the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from croupier.fairness.dice.failures import FAILURES
from tests.docs.conftest import rows_in, section
from tools.site_tables import exceptions

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "croupier"
REFUSALS = rows_in(section((ROOT / "docs" / "refusals.md").read_text(), "Refusals"))

# Where a call carries its code: the index among its arguments. `Rules.require` takes it by name only.
CODE_AT = {"refuse": 0, "require": 1, "Refused": 0, "Refusal": 0, "Verdict": 1, "CasinoError": 3, "GameError": 2}

# Where the house sorts codes by what they lead to: dictionaries with codes as keys.
SORTED_CODES = {"_CODES", "_KINDS"}


def codes_in(tree: ast.AST) -> Iterator[str]:
    """Yield every code that a module writes out: in calls, as a class attribute, or beside a sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from constants(argument for argument in code_arguments(node))
            yield from kind_codes(node)
        elif isinstance(node, ast.Assign) and SORTED_CODES & set(names(node)) and isinstance(node.value, ast.Dict):
            yield from constants(node.value.keys)
        elif isinstance(node, ast.ClassDef):
            yield from class_codes(node)
        elif isinstance(node, ast.Return | ast.Yield) and isinstance(node.value, ast.Tuple):
            match node.value.elts:
                case [code, ast.JoinedStr()]:
                    yield from constants([code])


def code_arguments(call: ast.Call) -> Iterator[ast.expr]:
    by_name = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
    if isinstance(call.func, ast.Name) and call.func.id in CODE_AT:
        yield from call.args[CODE_AT[call.func.id] :][:1]
        yield from by_name
    elif isinstance(call.func, ast.Attribute) and call.func.attr in ("require", "check"):
        yield from by_name
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "refuse":  # the house: event code, code, sentence
        yield from call.args[1:2]


def kind_codes(call: ast.Call) -> Iterator[str]:
    """Yield the code of an error of a game that is given none: the name of its kind."""
    if isinstance(call.func, ast.Name) and call.func.id in ("GameError", "cls") and len(call.args) == 2:
        kind = call.args[0]
        if isinstance(kind, ast.Attribute) and ast.unparse(kind.value) == "ErrorKind":
            yield kind.attr.lower()


def class_codes(cls: ast.ClassDef) -> Iterator[str]:
    lines = [line for line in cls.body if isinstance(line, (ast.Assign, ast.AnnAssign)) and "code" in names(line)]
    return constants([line.value for line in lines])


def names(line: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = line.targets if isinstance(line, ast.Assign) else [line.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def constants(values: Iterable[ast.expr | None]) -> Iterator[str]:
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


@cache
def sources() -> list[ast.Module]:
    """Return the syntax trees of the package."""
    return [ast.parse(file.read_text()) for file in sorted(PACKAGE.rglob("*.py"))]


def codes_in_source() -> set[str]:
    return {code for tree in sources() for code in codes_in(tree)}


def errors_in_source() -> set[tuple[str, str]]:
    """Return every error class of the package with its code, read rather than imported: some parts need extras."""
    classes = [node for tree in sources() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    errors = {"CroupierError"}
    while new := {cls.name for cls in classes if errors & {ast.unparse(base) for base in cls.bases}} - errors:
        errors |= new
    return {(cls.name, code) for cls in classes if cls.name in errors for code in class_codes(cls)}


def listed() -> list[str]:
    """Return the codes on both pages and in the table of errors, which is made of the source."""
    dice = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "shared-dice.md").read_text(), flags=re.MULTILINE)
    failures = [code for code in dice if code in FAILURES]
    return [row[0].strip("`") for row in REFUSALS] + failures + [row[1].strip("`") for row in exceptions()]


def test_the_pages_list_the_codes_of_the_source_once_each_and_no_others() -> None:
    assert sorted(listed()) == sorted(codes_in_source()), "docs/refusals.md and src/croupier name different codes"


def test_every_error_is_in_the_table_with_its_code_and_a_sentence() -> None:
    assert {(name.strip("`"), code.strip("`")) for name, code, _ in exceptions()} == errors_in_source()
    assert all(len(said.split()) > 2 for _, _, said in exceptions())


def test_every_row_says_who_can_put_it_right() -> None:
    everybody = {"player", "host", "caller", "author", "operator"}

    for row in REFUSALS:
        assert set(re.split(r", | or ", row[-1])) <= everybody, row


def test_the_extractor_sees_every_way_a_code_is_written() -> None:
    """A planted module: were a way to write a code overlooked, a code could go missing from the page unseen."""
    planted = ast.parse(
        "def f(x):\n"
        "    refuse('a', 'no')\n"
        "    require(x, 'b', 'no')\n"
        "    Refused('c', 'no', x)\n"
        "    raise Refusal('d', 'no')\n"
        "    Verdict('no', 'e')\n"
        "    Verdict('no', code='f')\n"
        "    Rules.require(x, 'no', code='g')\n"
        "    return 'h', f'no {x}'\n"
        "    yield 'r', f'no {x}'\n"
        "class E(CroupierError):\n"
        "    code = 'i'\n"
        "class F(Struct):\n"
        "    code: str = 'j'\n"
        "    reason: str = 'not this'\n"
        "    def g(self):\n"
        "        Refused(self.code, 'not this', 1)\n"
        "        self.refuse(9, 'k', 'no')\n"
        "        CasinoError(x, None, 23, 'l', 'no')\n"
        "        GameError(ErrorKind.M, 'no')\n"
        "        cls(ErrorKind.N, 'no')\n"
        "        GameError(ErrorKind.O, 'no', 'o')\n"
        "        GameError(ErrorKind.O, 'no', no.code)\n"
        "_CODES = {'p': 3}\n"
        "_KINDS = {'q': ErrorKind.O}\n"
        "OTHERS = {'not this': 3}\n"
    )

    assert sorted(codes_in(planted)) == list("abcdefghijklmnopqr")
