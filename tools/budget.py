"""Size budget: count lines, modules, functions, parameters and words, and compare them with `budget.toml`.

    python tools/budget.py           print figure, limit and goal of each; exit code 1 where a limit is passed
    python tools/budget.py --write   lower the limits to the present figures and follow moved entries; raise none

A new limit, or a higher one, is written by hand in a commit of its own that says why.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "src/croupier"
PYTHON_FOLDERS = ("src", "tests", "benchmarks", "tools")
Figures = dict[str, dict[str, int]]
# Sections of budget.toml that list what is over a general limit, and the sentence for an entry of each.
LISTS = {
    "folder_modules": "{name} has {figure} modules: move some to a folder of their own",
    "module_lines": "{name} has {figure} lines: split it in two ideas",
    "function_lines": "{name} has {figure} lines: move plain work to helpers",
    "function_parameters": "{name} has {figure} parameters: pass a value that holds several of them",
}


def measure(root: Path) -> Figures:
    """Return every figure below `root`, by section: `total`, then the sections of `LISTS`."""
    total: Counter[str] = Counter()
    figures: Figures = {"total": total, **{section: {} for section in LISTS}}
    folders: Counter[str] = Counter()
    for path in files(root, PYTHON_FOLDERS, ("py",)):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        lines = len(text.splitlines())
        total[name.partition("/")[0]] += lines
        if name.startswith(f"{PACKAGE}/"):
            package, _, module = name.removeprefix(f"{PACKAGE}/").partition("/")
            total[f"{PACKAGE}/{package if module else '*.py'}"] += lines
        folders[name.rpartition("/")[0]] += 1
        figures["module_lines"][name] = lines
        for function, node in functions(ast.parse(text, name)):
            entry = f"{name}:{function}"
            for section, count in (("function_lines", line_count), ("function_parameters", parameter_count)):
                # Overloads share a name: the largest of them counts.
                figures[section][entry] = max(count(node), figures[section].get(entry, 0))
    figures["folder_modules"].update(folders)
    scripts = files(root, (f"{PACKAGE}/web",), ("js", "mjs"))
    total["javascript"] = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in scripts)
    pages = [*files(root, ("docs",), ("md",)), *root.glob("*.md")]
    total["documentation words"] = sum(len(path.read_text(encoding="utf-8").split()) for path in pages)
    return figures


def files(root: Path, folders: Iterable[str], suffixes: Iterable[str]) -> Iterator[Path]:
    """Yield the files with one of the suffixes in folders below `root`, in order of their names."""
    for folder in folders:
        found = (path for suffix in suffixes for path in (root / folder).rglob(f"*.{suffix}") if path.is_file())
        yield from sorted(found)


def functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield every function with its qualified name (`Class.method`, `function.inner`)."""
    for node in ast.iter_child_nodes(tree):
        inner = outer
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{outer}{node.name}."
            if not isinstance(node, ast.ClassDef):
                yield inner.removesuffix("."), node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):  # expressions define none
            yield from functions(node, inner)


def line_count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return a function's lines from `def` to its end, docstring included, decorators not."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def parameter_count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many parameters a caller may pass: `self` and `cls` are not counted."""
    named = [*node.args.posonlyargs, *node.args.args]
    bound = bool(named) and named[0].arg in ("self", "cls")
    return len(named) - bound + len(node.args.kwonlyargs) + bool(node.args.vararg) + bool(node.args.kwarg)


def figure_of(total: dict[str, int], name: str) -> int:
    """Return the figure of a row; `a + b` is the sum of two."""
    return sum(total.get(part, 0) for part in name.split(" + "))


def problems(figures: Figures, budget: Figures) -> list[str]:
    """Return a sentence for everything that does not keep the budget, with what to do about it."""
    said = []
    for name, limit in budget["total"].items():
        figure = figure_of(figures["total"], name)
        if figure > limit:
            said.append(f"{name}: {figure} is over the limit of {limit}: take away {figure - limit}")
    for name, figure in figures["total"].items():
        if name not in budget["total"]:
            said.append(f'{name}: {figure} and no limit: write `"{name}" = {figure}` under [total]')
    for section, sentence in LISTS.items():
        limit = budget["limit"][section]
        listed = budget[section]
        for name, figure in sorted(figures[section].items()):
            if figure > max(limit, listed.get(name, 0)):
                allowed = f"{listed[name]} listed" if name in listed else f"the limit is {limit}"
                said.append(f"{sentence.format(name=name, figure=figure)} ({allowed} in [{section}])")
        for name in listed:
            figure = figures[section].get(name, 0)
            if figure <= limit:
                now = f"is at {figure}, within {limit}" if figure else "is not there"
                said.append(f"{name} {now}: remove it from [{section}] (`--write` does)")
            elif figure < listed[name]:
                said.append(f"{name} fell to {figure}: lower its {listed[name]} in [{section}] (`--write` does)")
    return said


def table(figures: Figures, budget: Figures) -> Iterator[str]:
    """Yield a table's lines: figure, limit and goal of every total; how many entries are over, are listed, shall be."""
    row = "{:>9} {:>9} {:>9}  {}"
    yield row.format("figure", "limit", "goal", "")
    for name in dict.fromkeys([*budget["total"], *budget["goal"], *figures["total"]]):
        limits = [str(budget[section].get(name, "-")) for section in ("total", "goal")]
        yield row.format(figure_of(figures["total"], name), *limits, name)
    for section in LISTS:
        limit = budget["limit"][section]
        for folder in PYTHON_FOLDERS:
            over = [figure for name, figure in figures[section].items() if name.startswith(folder) and figure > limit]
            listed = sum(name.startswith(folder) for name in budget[section])
            goal = "-" if section.startswith("function") else 0
            if over or listed:
                name = f"{folder}: {section} over {limit}, at most {max(over, default=0)}"
                yield row.format(len(over), listed, goal, name)


def lowered(text: str, figures: Figures, budget: Figures) -> tuple[str, list[str]]:
    """Return the text of the budget with lower limits and without needless entries, and what was changed.

    An entry that is gone follows a function or file of the same name and size elsewhere: a move needs no new limit.
    """
    lines: list[str] = []
    said: list[str] = []
    section = ""
    for line in text.splitlines():
        heading = re.fullmatch(r"\[(\w+)\]", line)
        entry = re.fullmatch(r'"?([^"=]+?)"? = (\d+)(.*)', line)
        section = heading[1] if heading else section
        if entry is None or section not in ("total", *LISTS):
            lines.append(line)
            continue
        name, old = entry[1], int(entry[2])
        new_name = moved_to(name, figures[section], budget[section]) if section in LISTS else name
        figure = figure_of(figures["total"], name) if section == "total" else figures[section].get(new_name, 0)
        if figure <= budget["limit"].get(section, 0):
            said.append(f"[{section}] {name}: {old} removed")
        elif figure < old or (new_name != name and figure == old):
            lines.append(f'"{new_name}" = {figure}{entry[3]}')
            said.append(f"[{section}] {name}: {old} to {figure}" + f", now {new_name}" * (new_name != name))
            budget[section][new_name] = figure
        else:
            lines.append(line)
    return "\n".join(lines) + "\n", said


def moved_to(name: str, figures: dict[str, int], listed: dict[str, int]) -> str:
    """Return where an entry is now: its own name, or an unlisted one that ends alike if it is gone."""
    if name in figures:
        return name
    ending = name[max(name.rfind(":"), name.rfind("/")) :]
    places = (other for other in figures if other.endswith(ending) and other not in listed)
    return next((other for other in places if figures[other] == listed[name]), name)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Print the table and what is wrong; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="lower the limits to the present figures; raises none")
    figures = measure(root)
    path = root / "budget.toml"
    text = path.read_text(encoding="utf-8")
    if parser.parse_args(arguments).write:
        text, changes = lowered(text, figures, tomllib.loads(text))
        path.write_text(text, encoding="utf-8")
        print("\n".join(changes) or "nothing to lower", end="\n\n")
    budget = tomllib.loads(text)
    print("\n".join(table(figures, budget)))
    wrong = problems(figures, budget)
    if wrong:
        print("\nThe size budget (budget.toml) is not kept:", *wrong, sep="\n  ", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
