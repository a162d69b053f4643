"""The data package with Python for the browser: what is fetched is pinned, and the same files make the same bytes."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from croupier.web.python_files import python_files
from tests.web.page_modules import needs_node
from tests.web.python.page_python import needs_python
from tools.web_python import PACKED, PYODIDE, ROOT, build, fetch

# Stands in for Python: what it is said to have made of the standard library is the list of what it was told to load.
PYODIDE_MJS = b"""export const loadPyodide = () => {
  let told = [];
  const FS = { writeFile() {}, readFile: () => new TextEncoder().encode(told.join()) };
  return { FS, runPython() {}, globals: { get: () => (modules) => { told = modules; } } };
};"""


def runtime(folder: Path) -> Path:
    """Write an archive that has the names of the real one and next to nothing in them."""
    path = folder / f"pyodide-{PYODIDE}.tgz"
    files = dict.fromkeys(PACKED, b"text") | {"pyodide-lock.json": b'{"info": {"python": "3.14"}}'}
    files["pyodide.mjs"] = PYODIDE_MJS
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def test_a_runtime_with_another_hash_is_refused(tmp_path, monkeypatch):
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\necho other > pyodide-{PYODIDE}.tgz\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")

    with pytest.raises(SystemExit, match="not the one that is pinned"):
        fetch(tmp_path)


@needs_node
def test_the_package_holds_what_was_fetched_and_is_built_again_to_the_same_bytes(tmp_path, monkeypatch):
    wheel = tmp_path / "msgspec-0-cp314-cp314-wasm32.whl"
    wheel.write_bytes(b"wheel")

    first = build(runtime(tmp_path), wheel, tmp_path / "first")
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000)  # an archive has its day in it, unless it is told another
    second = build(runtime(tmp_path), wheel, tmp_path / "second")

    assert first.read_bytes() == second.read_bytes()
    archive = zipfile.ZipFile(first)
    pins = json.loads(archive.read("croupier_web_python/pins.json"))
    assert set(pins["files"]) == {*(f"{name}.gz" for name in PACKED), wheel.name}
    assert {f"croupier_web_python/{name}" for name in pins["files"]} <= set(archive.namelist())
    library = gzip.decompress(archive.read("croupier_web_python/python_stdlib.zip.gz"))
    assert b"importlib.readers" in library.split(b",")


@pytest.mark.soak
@needs_node
@needs_python
def test_the_standard_library_is_compiled_to_the_same_bytes_by_the_real_runtime(tmp_path):
    """Modules that are loaded become bytecode; all others are left as they were."""
    files = {name.removesuffix(".gz"): content for name, content in python_files().items() if name.endswith(".gz")}
    lock = json.loads(python_files()["manifest.json"])["lock"]
    for name, content in files.items():
        (tmp_path / name).write_bytes(gzip.decompress(content))
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    library = tmp_path / "python_stdlib.zip"
    with zipfile.ZipFile(library, "a") as archive:
        archive.writestr("told.py", "VALUE = {'one', 'two', 'three'} | {1}\n")
        archive.writestr("untold.py", "VALUE = 2\n")
        before = {name: archive.read(name) for name in archive.namelist()}
    given, made = library.read_bytes(), list[bytes]()
    for _ in range(2):
        library.write_bytes(given)
        subprocess.run(["node", ROOT / "tools/compile_stdlib.mjs", tmp_path, "told"], check=True)
        made.append(library.read_bytes())

    archive = zipfile.ZipFile(io.BytesIO(made[0]))
    after = {name: archive.read(name) for name in archive.namelist()}
    assert made[0] == made[1]
    assert set(after) == {*before, "told.pyc"} - {"told.py"}
    assert {name: after[name] for name in after if name != "told.pyc"} == {
        name: before[name] for name in before if name != "told.py"
    }
