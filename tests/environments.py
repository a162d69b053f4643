"""Fresh virtual environments for tests: the packages that are named are linked in from this one, and no other is there.

So they are what pip would have made from a lock file or a requirement, without an index, and in a second.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import distribution, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
BUILD = ("deflate", "flit-core")
"""What pip fetches to build a package, here from the environment."""
OFFLINE = dict.fromkeys(("PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_INDEX", "PIP_QUIET"), "1")
OFFLINE |= {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "0"}  # a 0 forbids: isolation, bytecode of what is not run


def load_file(path: Path) -> Any:
    """Return a file of Python as a module of its own."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def locked(name: str) -> set[str]:
    """Return the packages that a lock file has for this machine; what is installed here must be as it says."""
    found = set()
    for line in re.findall(r"^[a-z0-9-]+==[^\\\n]+", (ROOT / "requirements" / name).read_text(), re.MULTILINE):
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate():
            assert pin.specifier.contains(distribution(pin.name).version), f"{line}: here is another"
            found.add(pin.name)
    return found


def needed(*wanted: str) -> set[str]:
    """Return the packages that requirements bring, all that they need included."""
    found: dict[tuple[str, str], str] = {}
    waiting = [Requirement(each) for each in wanted]
    while waiting:
        requirement = waiting.pop()
        for extra in ("", *requirement.extras):
            if (key := (requirement.name.lower(), extra)) in found:
                continue
            found[key] = requirement.name
            asked = map(Requirement, requires(requirement.name) or ())
            waiting += [each for each in asked if each.marker is None or each.marker.evaluate({"extra": extra})]
    return {name for name, _ in found} - {"croupier"}


def make_environment(folder: Path, names: Iterable[str]) -> Path:
    """Return the folder of a new environment that has these packages and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    for name in names:
        package = distribution(name)
        for top in {file.parts[0] for file in package.files or () if file.parts[0] != ".."}:
            if not (site / top).exists():
                (site / top).symlink_to(str(package.locate_file(top)))
    return folder


def pip(environment: Path, *words: str | Path) -> None:
    """Run pip for an environment, offline."""
    run_pip("--python", environment / "bin" / "python", *words)


def install(folder: Path, *packages: Path) -> None:
    """Put packages into a folder as an installer leaves them, entry points and all."""
    run_pip("install", "--no-deps", "--target", folder, *packages)


def run_pip(*words: str | Path) -> None:
    """Run pip, offline."""
    command = (sys.executable, "-m", "pip", *words)
    done = subprocess.run(command, env={**clean(), **OFFLINE}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def clean(**more: str) -> dict[str, str]:
    """Return what a process of its own shall see of ours: no Python settings, but where kernels were compiled."""
    kept: Mapping[str, str] = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))
    }
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return {**kept, "XDG_CACHE_HOME": cache, **more}


def with_path(folder: Path) -> str:
    """Return a PYTHONPATH that begins with a folder."""
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
