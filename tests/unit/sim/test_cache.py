"""Machine code on disk: found again, never out of date, and never in the way."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.sim import compiled
from croupier.sim.cache import kernel_folder


def adding(amount: int) -> Callable[[int], int]:
    """Return a new function each time; equal amounts have equal content."""

    def add(value: int) -> int:
        return value + amount

    return add


def hits(function: Any) -> int:
    return sum(compiled(function).stats.cache_hits.values())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty kernel folder of the test's own; it is not made yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "croupier" / "kernels"


# Where it is


def test_the_folder_is_where_the_system_keeps_caches(monkeypatch):
    monkeypatch.setenv("HOME", "/home/dealer")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache/dealer")
    assert kernel_folder() == Path("/var/cache/dealer/croupier/kernels")

    for not_absolute in ("", "cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", not_absolute)
        assert kernel_folder() == Path("/home/dealer/.cache/croupier/kernels")


def test_without_a_home_nothing_is_kept_and_everything_works(monkeypatch):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)

    assert kernel_folder() is None
    assert compiled(adding(11))(1) == 12


# Keeping


def test_a_compiled_kernel_is_found_in_the_cache(folder):
    first, second, other = adding(1), adding(1), adding(2)

    assert (compiled(first)(40), hits(first)) == (41, 0)
    assert (compiled(second)(40), hits(second)) == (41, 1)
    assert (compiled(other)(40), hits(other)) == (42, 0)
    assert len(list(folder.glob("*.kernel"))) == 2


KEPT = """
import sys
import numpy as np
from croupier.sim import compiled

def half(value): return value // 2
def twice(value): return half(value) * 4
def thrice(value): return half(value) * 6
def squares(count): return np.arange(count) ** 2

kept = [compiled(twice)(10)]
is_awake = "numba.cpython.unicode" in sys.modules  # which the compiler loads before it works
kept += compiled(squares, strict=False)(4).tolist()
hits = [sum(compiled(function, strict=strict).stats.cache_hits.values()) for function, strict in
        ((twice, True), (squares, False))]
print(kept, hits, is_awake, compiled(thrice)(int(sys.argv[1])))
"""


def test_a_new_process_reads_what_is_kept_without_waking_the_compiler_and_can_still_compile(folder, tmp_path):
    script = tmp_path / "kept.py"
    script.write_text(KEPT)

    said = [
        subprocess.run([sys.executable, str(script), "10"], capture_output=True, check=True, text=True).stdout.strip()
        for _ in range(2)
    ]

    assert said == ["[20, 0, 1, 4, 9] [0, 0] True 30", "[20, 0, 1, 4, 9] [1, 1] False 30"]
    for file in folder.glob("thrice*"):
        file.unlink()
    third = subprocess.run([sys.executable, str(script), "12"], capture_output=True, check=True, text=True)
    assert third.stdout.strip() == "[20, 0, 1, 4, 9] [1, 1] False 36"


def test_cached_kernels_can_be_read_by_their_owner_alone(folder):
    compiled(adding(21))(0)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-1], id="cut short"),
        pytest.param(lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:], id="one bit"),
        pytest.param(lambda data: b"", id="empty"),
    ],
)
def test_a_damaged_file_is_compiled_and_written_again(folder, damage):
    compiled(adding(31))(0)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    again, once_more = adding(31), adding(31)

    assert (compiled(again)(0), hits(again)) == (31, 0)
    assert (compiled(once_more)(0), hits(once_more)) == (31, 1)


def test_an_unusable_cache_folder_is_done_without(tmp_path, monkeypatch):
    """A file stands where the folder should be; that stops even the administrator, whom no mode of a folder stops."""
    (tmp_path / "croupier").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert [compiled(adding(41))(1), compiled(adding(41))(1)] == [42, 42]
    assert (tmp_path / "croupier").read_text() == "in the way"


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_read_only_cache_folder_is_done_without(folder):
    folder.mkdir(parents=True)
    folder.chmod(0o500)

    assert [compiled(adding(51))(1), compiled(adding(51))(1)] == [52, 52]
    assert list(folder.iterdir()) == []


def test_a_disk_that_is_full_leaves_no_half_written_file(folder, monkeypatch):
    def full(*names: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("croupier.sim.cache.os.replace", full)

    assert compiled(adding(61))(1) == 62
    assert list(folder.iterdir()) == []


# Several processes

COMPILE_AND_TELL = """
import sys
from importlib import import_module
from croupier.sim import compiled
sys.path.insert(0, sys.argv[1])
kernel = compiled(import_module("thirdparty.kernel").settled)
print(kernel(100), len(kernel.stats.cache_hits))
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a folder with a game by somebody else: a kernel that calls a rule in another file."""
    package = tmp_path / "game" / "thirdparty"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules.py").write_text("PROFIT_TO_1 = 2\n\n\ndef profit(stake):\n    return stake * PROFIT_TO_1\n")
    (package / "kernel.py").write_text(
        "from thirdparty.rules import profit\n\n\ndef settled(stake):\n    return stake + profit(stake)\n"
    )
    return package


def test_an_edited_rule_never_runs_as_it_was(folder, game, in_new_process):
    """The kernel's own file stays the same: only a file that it imports from is edited, and later put back."""

    def told() -> str:
        return str(in_new_process(COMPILE_AND_TELL, game.parent).communicate()[0])

    rules = game / "rules.py"
    as_it_was = rules.read_text()
    assert told() == "300 0\n"
    rules.write_text(as_it_was.replace("stake * PROFIT_TO_1", "stake * PROFIT_TO_1 - 1"))
    assert told() == "299 0\n"
    rules.write_text(as_it_was.replace("PROFIT_TO_1 = 2", "PROFIT_TO_1 = 3"))
    assert told() == "400 0\n"
    rules.write_text(as_it_was)
    assert told() == "300 1\n"


def test_processes_that_compile_at_once_do_not_disturb_each_other(folder, game, in_new_process):
    at_once = [in_new_process(COMPILE_AND_TELL, game.parent) for _ in range(2)]

    assert {process.communicate()[0] for process in at_once} <= {"300 0\n", "300 1\n"}
    assert [process.returncode for process in at_once] == [0, 0]
    assert in_new_process(COMPILE_AND_TELL, game.parent).communicate()[0] == "300 1\n"
    assert sorted(file.suffix for file in folder.iterdir()) == [".kernel", ".object"]  # and no draft left behind


def test_the_hash_is_compiled_once_and_again_where_its_file_is_damaged_or_the_processor_another(folder, in_new_process):
    """One file serves all kernels; a process that finds it does not make it anew."""
    script = "from croupier.sim.stream import streams; print(streams(bytes(32), [1], [0])[0, :4].tobytes().hex())"

    def run(**environment: str) -> list[Path]:
        assert in_new_process(script, **environment).communicate()[0] == "5430dfc9\n"
        return sorted(folder.glob("*.object"))

    (file,) = run()
    made, content = file.stat().st_mtime_ns, file.read_bytes()
    assert run() == [file]
    assert file.stat().st_mtime_ns == made

    for damaged in (content[:-1], b"", content[:40] + bytes([content[40] ^ 1]) + content[41:]):
        file.write_bytes(damaged)
        assert run() == [file]
        assert file.read_bytes() == content
    assert len(run(NUMBA_CPU_NAME="generic")) == 2


# Each mix is a function too long to be inlined, so that it keeps a symbol of its own in the machine code.
COMPILE_IN_ORDER = """
import sys
from croupier.sim import compiled

def mixing(amount):
    def mix(value):
        total = value
        LINES
        return total
    def mix_twice(value):
        return mix(value) + mix(value + 1)
    return mix_twice

for amount in map(int, sys.argv[1:]):
    plain = mixing(amount)
    kernel = compiled(plain)
    print(amount, kernel(10) == plain(10), len(kernel.stats.cache_hits))
""".replace("LINES", "\n        ".join(f"if total % {n} == 3: total ^= amount * {n}" for n in range(5, 45)))


def test_kernels_of_one_factory_do_not_take_each_others_place(folder, in_new_process):
    """They share a name: the n-th function compiled in one process meets one that was kept as the n-th of another."""

    def told(*amounts: int) -> str:
        return str(in_new_process(COMPILE_IN_ORDER, *amounts).communicate()[0])

    assert told(3) == "3 True 0\n"
    assert told(5, 3) == "5 True 0\n3 True 1\n"
    assert told(3, 7, 5) == "3 True 1\n7 True 0\n5 True 1\n"
