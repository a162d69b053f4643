"""Mutants of rules by a fixed seed, and which of them the tests catch.

    python tools/mutants.py 20 src/croupier/games/roulette/rules.py -- tests/games/roulette/test_rules.py …

A mutant changes one comparison, one arithmetic sign or one whole number. Each runs in a copy of the tree, where the
tests stop at the first failure; one that no test notices is a rule that nothing guards. A seed gives the same mutants
as long as the functions of the modules stand; which function each is in is printed, so that lists can be compared.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}

LOADED = ("pytest", "numpy", "msgspec", "sortedcontainers", "attr")  # once for all: half of a short run is imports


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield what was changed, by function, and the module with the change."""
    tree = ast.parse(source)
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        for place, node in enumerate(ast.walk(function)):
            changed = _changed(node)
            if changed is None:
                continue
            twin = copy.deepcopy(tree)
            (other,) = [each for each in twin.body if isinstance(each, ast.FunctionDef) and each.name == function.name]
            target = list(ast.walk(other))[place]
            target.__dict__.update(changed.__dict__)
            before, after = ast.unparse(node), ast.unparse(target)
            yield f"{function.name}: {before} -> {after}", ast.unparse(ast.fix_missing_locations(twin))


def _changed(node: ast.AST) -> ast.AST | None:
    found = copy.deepcopy(node)
    if isinstance(found, ast.Compare) and type(found.ops[0]) in COMPARISONS:
        found.ops[0] = COMPARISONS[type(found.ops[0])]()
    elif isinstance(found, ast.BinOp) and type(found.op) in SIGNS:
        found.op = SIGNS[type(found.op)]()
    elif isinstance(found, ast.Constant) and type(found.value) is int:
        found.value += 1
    else:
        return None
    return found


def run_tests(folder: Path, tests: list[str], seconds: int, keeps_bytecode: bool = False) -> int:
    """Run tests in a process of their own, in a copy of the tree, and return pytest's code; 1 if they never end."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return 1 if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
    signal.alarm(seconds)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(folder)
    sys.path[:0] = [str(folder / "src"), str(folder)]
    # Two mutants of one second and one size would share the bytecode of the first.
    sys.dont_write_bytecode = not keeps_bytecode
    os._exit(int(import_module("pytest").main(["-q", "-x", "-p", "no:cacheprovider", *tests])))


def main() -> None:
    """Run the tests over the mutants and print the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("modules", type=Path, nargs="+")
    parser.add_argument("--tree", type=Path, default=Path.cwd(), help="the checkout to copy")
    parser.add_argument("--seed", default="mutants")
    parser.add_argument("--seconds", type=int, default=600, help="how long the tests of one mutant may take")
    words = sys.argv[1:]
    chosen, tests = parser.parse_args(words[: words.index("--")]), words[words.index("--") + 1 :]
    # Ordered by a hash of what they change: a mutant that two versions share is chosen in both or in neither.
    found = {
        (what, module): source
        for module in chosen.modules
        for what, source in mutants((chosen.tree / module).read_text())
    }
    picked = sorted(found, key=lambda each: sha256(f"{chosen.seed} {each[0]}".encode()).digest())[: chosen.count]
    for name in LOADED:
        import_module(name)
    caught = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for part in ("src", "tests", "docs", "tools", "benchmarks", "pyproject.toml"):
            whole = chosen.tree / part
            if whole.is_dir():
                shutil.copytree(whole, folder / part, symlinks=True)
            else:
                shutil.copy(whole, folder / part)
        if code := run_tests(folder, tests, chosen.seconds, keeps_bytecode=True):
            sys.exit(f"the tests fail without a mutant: pytest ended with {code}")
        for what, module in picked:
            (folder / module).write_text(found[what, module])
            code = run_tests(folder, tests, chosen.seconds)
            shutil.copy2(chosen.tree / module, folder / module)
            caught += code == 1
            print("caught  " if code == 1 else f"MISSED {code}", f"{module.stem}.{what}", flush=True)
    print(f"{caught} of {len(picked)} caught")


if __name__ == "__main__":
    main()
