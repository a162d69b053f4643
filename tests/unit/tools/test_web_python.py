"""The data package with Python for the browser: what is fetched is pinned, and the same files make the same bytes."""

from __future__ import annotations

import io
import json
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from tools.web_python import PACKED, PLAIN, PYODIDE, build, fetch


def runtime(folder: Path) -> Path:
    """Write an archive that has the names of the real one and next to nothing in them."""
    path = folder / f"pyodide-{PYODIDE}.tgz"
    files = dict.fromkeys((*PACKED, *PLAIN), b"text") | {"pyodide-lock.json": b'{"info": {"python": "3.14"}}'}
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


def test_the_package_holds_what_was_fetched_and_is_built_again_to_the_same_bytes(tmp_path, monkeypatch):
    wheel = tmp_path / "msgspec-0-cp314-cp314-wasm32.whl"
    wheel.write_bytes(b"wheel")

    first = build(runtime(tmp_path), wheel, tmp_path / "first")
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000)  # an archive has its day in it, unless it is told another
    second = build(runtime(tmp_path), wheel, tmp_path / "second")

    assert first.read_bytes() == second.read_bytes()
    archive = zipfile.ZipFile(first)
    pins = json.loads(archive.read("croupier_web_python/pins.json"))
    assert set(pins["files"]) == {*(f"{name}.gz" for name in PACKED), *PLAIN, wheel.name}
    assert {f"croupier_web_python/{name}" for name in pins["files"]} <= set(archive.namelist())
