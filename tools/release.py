"""Release files: wheel, source archive, SBOM (CycloneDX 1.6) and their SHA-256 sums, the same bytes from the same tree.

    python -m tools.release dist       write them to dist/; `make release` does it

The SBOM lists what the package and its extras install, as `requirements/all.txt` pins it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from tools.wheel_backend import build_sdist, build_wheel

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements/all.txt"
EPOCH = "1577836800"
"""The time that every file in the archives has, 2020-01-01: the tree decides the bytes, not the day."""

PINNED = re.compile(r"^([a-z0-9-]+)(?:\[[^]]*])?==([^ ;]+)")


def pinned(text: str) -> dict[tuple[str, str], list[str]]:
    """Return every package of a lock file, (name, version), with the names of those that want it.

    >>> pinned(chr(10).join(["anyio==4.1", "    # via httpx, croupier (../pyproject.toml)"]))
    {('anyio', '4.1'): ['httpx', 'croupier']}
    """
    found: dict[tuple[str, str], list[str]] = {}
    for line in text.splitlines():
        if match := PINNED.match(line):
            wanted = found.setdefault((match[1], match[2]), [])
        elif line.startswith("    # via "):
            wanted += [name.split()[0].partition("[")[0] for name in line.removeprefix("    # via ").split(", ")]
    return found


def make_sbom(project: dict[str, Any], lock: str, wheel: bytes) -> dict[str, Any]:
    """Return the bill of materials: croupier and its wheel, what it installs, and what wants what."""
    packages = pinned(lock)
    refs = {key: _purl(*key) for key in packages}
    croupier = _purl(project["name"], project["version"])
    children: dict[str, list[str]] = {croupier: []}
    by_name: dict[str, list[str]] = {project["name"]: [croupier]}
    for (name, _), ref in refs.items():
        by_name.setdefault(name, []).append(ref)
        children[ref] = []
    for key, parents in packages.items():
        for parent in parents:
            for ref in by_name[parent]:
                children[ref].append(refs[key])
    needed = _below(children, [ref for line in project["dependencies"] for ref in by_name[line.split()[0]]])
    body = {
        "metadata": {
            "component": {
                **_component(project["name"], project["version"]),
                "licenses": [{"license": {"id": project["license"]}}],
                "hashes": [{"alg": "SHA-256", "content": sha256(wheel).hexdigest()}],
            }
        },
        "components": [
            {**_component(*key), "scope": "required" if ref in needed else "optional"} for key, ref in refs.items()
        ],
        "dependencies": [{"ref": ref, "dependsOn": sorted(set(wants))} for ref, wants in sorted(children.items())],
    }
    number = UUID(bytes=sha256(json.dumps(body).encode()).digest()[:16], version=4)
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{number}", "version": 1, **body}


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def _component(name: str, version: str) -> dict[str, Any]:
    ref = _purl(name, version)
    return {"type": "library", "bom-ref": ref, "name": name, "version": version, "purl": ref}


def _below(children: dict[str, list[str]], waiting: list[str]) -> set[str]:
    """Return these packages and all that they want, and those want."""
    found: set[str] = set()
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found.add(ref)
            waiting += children[ref]
    return found


def write_release(folder: Path) -> list[Path]:
    """Write the files of a release into a folder and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["SOURCE_DATE_EPOCH"] = EPOCH
    os.chdir(ROOT)  # where the backend looks for the project
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    made = [folder / build_wheel(str(folder)), folder / build_sdist(str(folder))]
    sbom = folder / f"{project['name']}-{project['version']}.cdx.json"
    sbom.write_text(json.dumps(make_sbom(project, LOCK.read_text(), made[0].read_bytes()), indent=1) + "\n")
    made.append(sbom)
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made))
    return [*made, sums]


if __name__ == "__main__":
    for path in write_release(Path(sys.argv[1]).resolve()):
        print(path.name)
