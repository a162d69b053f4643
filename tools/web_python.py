"""Build the data package `croupier-web-python`: `python -m tools.web_python [OUT]`.

It holds CPython for the browser (the npm package `pyodide`) and msgspec's wheel for it, both pinned by hash and
fetched from their registries by npm and pip. The server hands them out from its own address. croupier's rules are not
in it: those are packed from what is installed. What a check loads of the standard library is compiled here: that was
half of the time to a first verdict. Needs node, npm, pip and flit_core; writes a wheel into OUT, or dist/.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYODIDE, PYTHON = "314.0.7", "3.14"
VERSION = f"{PYODIDE}.1"
"""Pyodide's version, and how often what is made of it has changed."""
PYODIDE_SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
PACKED = ("pyodide.asm.wasm", "pyodide.asm.mjs", "pyodide.mjs", "python_stdlib.zip")
COMPILED = (
    "datetime", "decimal", "difflib", "email.parser", "encodings.cp437", "fractions", "hashlib", "hmac",
    "importlib.metadata._adapters", "importlib.readers", "importlib.resources._adapters", "ipaddress", "secrets",
    "shlex", "urllib.parse", "uuid",
)  # fmt: skip
"""What msgspec and the rules import of the standard library, beside what Pyodide itself starts with."""
PLATFORM = "pyemscripten_2026_0_wasm32"
LICENCES = """# What this package holds

| files | from | licence |
|---|---|---|
| pyodide.* | Pyodide {pyodide} (github.com/pyodide/pyodide) | MPL-2.0 |
| python_stdlib.zip, CPython inside pyodide.asm.wasm | CPython {python} | PSF-2.0 |
| msgspec-* | msgspec | BSD-3-Clause, its text is in the wheel |

All are as their makers published them, packed with gzip; the modules of the standard library that a check loads were
compiled by that CPython (`.pyc` in place of `.py`).
"""
PROJECT = """[build-system]
requires = ["flit_core >=3.12,<5"]
build-backend = "flit_core.buildapi"

[project]
name = "croupier-web-python"
version = "{version}"
description = "CPython for the browser, so that croupier's page can execute the real rules."
requires-python = ">=3.11"
readme = "README.md"
license = "MPL-2.0 AND PSF-2.0 AND BSD-3-Clause"
"""


def fetch(folder: Path) -> tuple[Path, Path]:
    """Fetch the runtime and msgspec's wheel into a folder, and return both; what does not have its hash is refused."""
    subprocess.run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    runtime = folder / f"pyodide-{PYODIDE}.tgz"
    if (found := sha256(runtime.read_bytes()).hexdigest()) != PYODIDE_SHA256:
        raise SystemExit(f"{runtime.name} has the hash {found}, not the one that is pinned")
    options = ["--platform", PLATFORM, "--python-version", PYTHON, "--abi", f"cp{PYTHON.replace('.', '')}"]
    pinned = ["--require-hashes", "--only-binary=:all:", "--no-deps", "-r", str(ROOT / "requirements/web-python.txt")]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *options, *pinned]
    subprocess.run(command, cwd=folder, check=True)
    (wheel,) = folder.glob("msgspec-*.whl")
    return runtime, wheel


def build(runtime: Path, wheel: Path, out: Path) -> Path:
    """Write the data package's wheel into a folder and return it. The same files make the same bytes."""
    with tempfile.TemporaryDirectory() as made:
        place = Path(made, "croupier_web_python")
        place.mkdir()
        with tarfile.open(runtime) as archive:
            archive.extractall(made, filter="data")
        runtime = Path(made, "package")
        subprocess.run(["node", str(ROOT / "tools/compile_stdlib.mjs"), str(runtime), *COMPILED], check=True)
        for name in PACKED:
            packed = gzip.compress((runtime / name).read_bytes(), 9, mtime=0)
            (place / f"{name}.gz").write_bytes(packed[:9] + b"\xff" + packed[10:])  # 3.11 writes the system here
        info = json.loads((runtime / "pyodide-lock.json").read_bytes())["info"]
        shutil.rmtree(runtime)
        shutil.copy(wheel, place)
        files = sorted(path.name for path in place.iterdir())
        pins = {"pyodide": PYODIDE, "python": PYTHON, "files": files, "lock": {"info": info, "packages": {}}}
        (place / "pins.json").write_text(json.dumps(pins, indent=1) + "\n")
        (place / "__init__.py").write_text('"""CPython for the browser: data that croupier\'s server hands out."""\n')
        Path(made, "README.md").write_text(LICENCES.format(pyodide=PYODIDE, python=PYTHON))
        Path(made, "pyproject.toml").write_text(PROJECT.format(version=VERSION))
        out.mkdir(parents=True, exist_ok=True)
        code = "import sys; from flit_core.buildapi import build_wheel; print(build_wheel(sys.argv[1]))"
        command = [sys.executable, "-c", code, str(out.resolve())]
        settings = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
        done = subprocess.run(command, cwd=made, env=settings, check=True, capture_output=True, text=True)
    return out / done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        made = build(*fetch(Path(cache)), Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
    print(f"{made}: {made.stat().st_size:,} bytes")
