"""The package as a whole: public names, requirements and lock files, and what importing it costs."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import croupier

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIREMENT_FILES = sorted((ROOT / "requirements").glob("*"))
LOCK_FILES = sorted((ROOT / "requirements").glob("*.txt"))
# What the design allows each extra to pull in, by the libraries' own names.
EXTRAS = {
    "sim": {"matplotlib", "numba", "numpy"},
    "cluster": {"dask", "distributed"},
    "server": {
        "croupier[fair]",
        "litestar",
        "prometheus-client",
        "psycopg[binary]",
        "uvicorn",
        "uvloop",
        "websockets",
    },
    "client": {"croupier[fair]", "httpx", "websockets"},
    "fair": {"cryptography"},
    "chain": {"croupier[fair]", "msgspec", "py-arkworks-bls12381"},
    "all": {"croupier[sim,cluster,server,client,fair,chain]"},
}
HEAVY = {
    "asyncio",
    "click",
    "cryptography",
    "dask",
    "gymnasium",
    "litestar",
    "matplotlib",
    "multiprocessing",
    "numba",
    "numpy",
    "pettingzoo",
    "pydantic",
    "rich",
    "sqlalchemy",
    "sqlite3",
    "ssl",
    "unittest",
}


def public_modules() -> list[str]:
    """Return every module of the package whose path has no private part, by name."""
    found = pkgutil.walk_packages(croupier.__path__, "croupier.")
    names = ["croupier", *(module.name for module in found)]
    return [name for name in names if not any(part.startswith("_") for part in name.split("."))]


def bound_names(module: ModuleType) -> set[str]:
    """Return the public names of croupier's own that a module holds; modules and others' names are tools."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and getattr(value, "__module__", "croupier").partition(".")[0] == "croupier"
    }


def requirement_names(requirements: list[str]) -> set[str]:
    """Return each requirement's name with its extras, without bounds and markers."""
    matches = [re.match(r"[a-z0-9-]+(\[[a-z,]+\])?", requirement) for requirement in requirements]
    return {match.group() for match in matches if match}


def pinned(lock: Path) -> dict[str, str]:
    """Return the requirements of a lock file: name and marker, with all that is said of them."""
    text = re.sub(r"^ *#.*\n", "", lock.read_text(), flags=re.MULTILINE)
    entries = [" ".join(entry.split()) for entry in text.replace("\\\n", " ").splitlines()]
    return {entry.partition(" --hash=")[0]: entry for entry in entries}


@pytest.mark.parametrize("name", public_modules())
def test_a_door_declares_what_is_behind_it(name: str) -> None:
    """A package's `__all__` is what it holds: nothing promised is missing, nothing held is left out."""
    module = importlib.import_module(name)
    declared = list(getattr(module, "__all__", []))

    missing = [promised for promised in declared if not hasattr(module, promised)]
    assert missing == []
    assert len(set(declared)) == len(declared)
    if hasattr(module, "__path__"):
        assert bound_names(module) - set(declared) == set()


def test_the_page_on_stability_has_every_door_once() -> None:
    """Packages of games stand there as one."""
    rows = re.findall(
        r"(?m)^\| (stable|provisional|internal) \| (.*?) \|", (ROOT / "docs" / "stability.md").read_text()
    )
    told = [name for _, cell in rows for name in re.findall(r"`(croupier[\w.]*)`", cell)]
    doors = re.findall(r"(?m)^# +\d+ (croupier\S*)$", (ROOT / "tests" / "vectors" / "surface.txt").read_text())

    assert [kind for kind, _ in rows] == ["stable", "provisional", "internal"]
    assert len(told) == len(set(told))
    assert {name for name in doors if not name.startswith("croupier.games.")} - set(told) == set()


def test_no_module_imports_a_private_name_of_another_package() -> None:
    """A name that begins with an underscore is for the package that has it."""
    found = [
        f"{path.relative_to(ROOT)}: {module}.{name}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for module, names in re.findall(r"(?m)^ *from (croupier[\w.]*) import \(?([^)\n]*)", path.read_text())
        for name in names.split(", ")
        if name.startswith("_") and not ".".join(path.relative_to(ROOT / "src").parts).startswith(module)
    ]

    assert found == []


RETIRED = (
    "late_bets", "Doings", "doings", "LargeState", "lanes_balance", "Typer", "typer", "spin_round",
    "server/desk", "server/door", "server/casino", "server/bodies", "engine/gate", "client/asking", "cli/sitting",
    "fairness/adversaries", "croupier bench",
)  # fmt: skip


def test_no_name_that_a_redesign_retired_is_left() -> None:
    """Modules and words of former designs: code and pages of today have other ones. Decisions may tell of them."""
    places = [
        *(path for part in ("src", "tools", "benchmarks") for path in (ROOT / part).rglob("*.py")),
        *(ROOT / "src").rglob("*.js"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "src").rglob("*.md"),
        *ROOT.glob("*.md"),
    ]
    retired = re.compile(r"(?<![\w.])(" + "|".join(RETIRED) + r")\b")

    found = {f"{path.relative_to(ROOT)}: {word}" for path in places for word in retired.findall(path.read_text())}

    assert found == set()


def test_no_text_cites_a_section_of_a_document_that_is_not_here() -> None:
    cited = re.compile(r"casino-core|craps-casino,|(sheet|decisions|craps-table), section", re.IGNORECASE)
    places = [path for part in ("src", "tests", "tools", "benchmarks") for path in (ROOT / part).rglob("*.py")]

    assert [path for path in places if path != Path(__file__) and cited.search(path.read_text())] == []


def test_importing_croupier_or_a_game_imports_no_heavy_package() -> None:
    program = (
        "import json, sys; before = set(sys.modules); import croupier, croupier.games.shut_the_box;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    imported = set(json.loads(answer.stdout))
    assert "croupier.games.shut_the_box" in imported
    assert imported & HEAVY == set()


def test_the_core_asks_for_msgspec_and_the_command_for_two_more() -> None:
    assert requirement_names(PROJECT["dependencies"]) == {"click", "msgspec", "rich"}


@pytest.mark.parametrize("asked", [PROJECT["dependencies"], importlib.metadata.requires("croupier")])
def test_a_default_install_brings_six_packages(asked: list[str]) -> None:
    """By the project file, and by what is installed."""
    found: set[str] = set()
    waiting = list(asked)
    while waiting:
        wanted = Requirement(waiting.pop())
        if wanted.name not in found and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            found.add(wanted.name)
            waiting += importlib.metadata.requires(wanted.name) or ()

    assert found == {"click", "markdown-it-py", "mdurl", "msgspec", "pygments", "rich"}


def test_the_extras_are_those_of_the_design() -> None:
    extras = PROJECT["optional-dependencies"]

    assert {extra: requirement_names(requirements) for extra, requirements in extras.items()} == EXTRAS


def test_every_requirement_has_a_lower_and_an_upper_bound() -> None:
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    others = [entry for requirements in lists for entry in requirements if not entry.startswith("croupier[")]

    assert [entry for entry in others if not re.search(r" >=[\d.]+,<\d+", entry)] == []


def test_there_is_a_lock_file_for_play_for_tests_for_all_extras_for_peers_and_for_the_browser() -> None:
    names = ["all.txt", "lock.txt", "peers.txt", "run.txt", "test.txt", "web-python.txt"]
    assert [lock.name for lock in LOCK_FILES] == names


@pytest.mark.parametrize("lock", LOCK_FILES, ids=lambda lock: lock.name)
def test_every_locked_requirement_is_one_version_with_hashes(lock: Path) -> None:
    entries = pinned(lock)

    assert entries
    for requirement, entry in entries.items():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; .+)?", requirement)
        assert re.fullmatch(r"( --hash=sha256:[0-9a-f]{64})+", entry.removeprefix(requirement))


@pytest.mark.parametrize("name", ["run.txt", "test.txt"])
def test_what_two_locks_share_they_pin_alike(name: str) -> None:
    """The same versions; where one is for a system alone that another lock needs everywhere, its marker differs."""

    def versions(lock: str) -> set[str]:
        return {requirement.partition(" ;")[0] for requirement in pinned(ROOT / "requirements" / lock)}

    everything = versions("all.txt")
    packages = {requirement.partition("==")[0] for requirement in everything}
    shared = {entry for entry in versions(name) if entry.partition("==")[0] in packages}
    assert shared
    assert shared <= everything


@pytest.mark.parametrize("path", REQUIREMENT_FILES, ids=lambda path: path.name)
def test_requirement_files_name_no_address_and_no_place_on_a_disk(path: Path) -> None:
    """The origin of packages is the machine's affair: a lock with hashes works with any mirror."""
    text = path.read_text()

    assert re.findall(r"\w+://\S*|(?:^|[\s=])(?:--(?:extra-)?index\S*|--find-links\S*|[/~]\S+)", text) == []


def test_make_run_keeps_its_data_where_git_does_not_look() -> None:
    assert set(re.findall(r"sqlite:///([^/}]+/)", (ROOT / "Makefile").read_text())) == {"data/"}
    assert "/data/" in (ROOT / ".gitignore").read_text().splitlines()
