"""Mutants of a module of rules by a fixed seed, and which of them its tests catch.

    python tools/mutants.py src/croupier/games/roulette/rules.py 20 tests/games/roulette/test_rules.py …

A mutant changes one comparison, one arithmetic sign or one whole number. Each runs in a copy of the tree, where the
tests stop at the first failure; one that no test notices is a rule that nothing guards. A seed gives the same mutants
as long as the functions of the module stand; which function each is in is printed, so that lists can be compared.
"""

from __future__ import annotations

import argparse
import ast
import copy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
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

ENVIRONMENT = {"PYTHONPATH": "src:.", "PATH": ""}


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


def main() -> None:
    """Run the tests over the mutants and print the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--tree", type=Path, default=Path.cwd(), help="the checkout to copy")
    parser.add_argument("--seed", default="mutants")
    parser.add_argument("--seconds", type=int, default=600, help="how long the tests of one mutant may take")
    chosen = parser.parse_args()
    # Ordered by a hash of what they change: a mutant that two versions share is chosen in both or in neither.
    found = dict(mutants((chosen.tree / chosen.module).read_text()))
    picked = sorted(found, key=lambda what: sha256(f"{chosen.seed} {what}".encode()).digest())[: chosen.count]
    caught = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in ("src", "tests", "docs", "tools", "benchmarks", "pyproject.toml"):
            whole = chosen.tree / part
            copied = Path(folder) / part
            if whole.is_dir():
                shutil.copytree(whole, copied, symlinks=True)
            else:
                shutil.copy(whole, copied)
        for what in picked:
            (Path(folder) / chosen.module).write_text(found[what])
            run = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *chosen.tests]
            try:
                done = subprocess.run(run, cwd=folder, env=ENVIRONMENT, capture_output=True, timeout=chosen.seconds)
                code = done.returncode
            except subprocess.TimeoutExpired:  # it never ends, which nobody overlooks
                code = 1
            caught += code == 1
            print("caught  " if code == 1 else f"MISSED {code}", what, flush=True)
    print(f"{caught} of {len(picked)} caught")


if __name__ == "__main__":
    main()
