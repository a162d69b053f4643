"""Python for the browser: the runtime of the package `croupier-web-python`, and the installed rules packed for it.

The rules are not built, they are taken as they are installed here: croupier's core, and every package that brings a
game, by its own list of files. What is packed is what this server plays by, to the byte, so that its digest can be
compared with what was announced.
"""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import Distribution, entry_points
from importlib.resources.abc import Traversable
from typing import Any

RUNTIME_PACKAGE = "croupier_web_python"
GROUP = "croupier.games"
CORE = (
    "__init__.py", "draws.py", "errors.py", "rng.py", "rounds.py", "transcripts.py",
    "engine", "fairness", "games", "house", "kit",
)  # fmt: skip
"""Files and folders that `verify` needs, below `croupier/`; besides them it needs msgspec alone."""
THE_DAY = (1980, 1, 1, 0, 0, 0)  # the only one in every archive: the same files are the same bytes


def has_runtime() -> bool:
    """Tell whether the package with the runtime is installed."""
    try:
        return resources.files(RUNTIME_PACKAGE).joinpath("pins.json").is_file()
    except ModuleNotFoundError:
        return False


@cache
def python_files() -> dict[str, bytes]:
    """Return all files that Python in the browser is made of, by name; none without the runtime.

    `manifest.json` lists them with their hashes. The runtime's largest files are packed: their names end in .gz.
    """
    if not has_runtime():
        return {}
    runtime = resources.files(RUNTIME_PACKAGE)
    pins: dict[str, Any] = json.loads(runtime.joinpath("pins.json").read_bytes())
    files = {name: runtime.joinpath(name).read_bytes() for name in pins["files"]}
    packages = []
    for dist, content in _packed().items():
        name = f"{dist.name}-{dist.version}.zip"
        files[name] = content
        packages.append({"name": dist.name, "version": dist.version, "file": name, "sha256": _hex(content)})
    listed = {name: {"sha256": _hex(content), "size": len(content)} for name, content in files.items()}
    manifest = {**pins, "files": listed, "packages": packages}
    return {**files, "manifest.json": json.dumps(manifest, indent=1, sort_keys=True).encode()}


def _hex(content: bytes) -> str:
    return sha256(content).hexdigest()


def _packed() -> dict[Distribution, bytes]:
    """Return an archive of croupier's core, and one of every other distribution that brings a game."""
    found: dict[str, Distribution] = {}
    for point in entry_points(group=GROUP):
        if point.dist is not None:
            found.setdefault(point.dist.name, point.dist)
    return {dist: _zipped({**_files_of(dist), **_metadata(dist)}) for _, dist in sorted(found.items())}


def _metadata(dist: Distribution) -> dict[str, bytes]:
    folder = f"{dist.name.replace('-', '_')}-{dist.version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {dist.name}\nVersion: {dist.version}\n"
    return {f"{folder}/METADATA": head.encode(), f"{folder}/entry_points.txt": _entry_points(dist).encode()}


def _entry_points(dist: Distribution) -> str:
    lines = [f"{point.name} = {point.value}" for point in dist.entry_points if point.group == GROUP]
    return "\n".join([f"[{GROUP}]", *sorted(lines), ""])


def _files_of(dist: Distribution) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    if dist.name == "croupier":
        for name in CORE:
            _collect(resources.files("croupier").joinpath(name), f"croupier/{name}", found)
        return found
    for file in dist.files or ():
        is_beside = file.parts[0] == ".." or file.parts[0].endswith((".dist-info", ".egg-info", ".pth"))
        if not is_beside and file.suffix != ".pyc":
            found[file.as_posix()] = file.read_binary()
    if not found:  # an editable package lists nothing of its own
        for top in {point.module.partition(".")[0] for point in dist.entry_points if point.group == GROUP}:
            _collect(resources.files(top), top, found)
    return found


def _collect(place: Traversable, path: str, found: dict[str, bytes]) -> None:
    if place.is_file():
        found[path] = place.read_bytes()
        return
    for child in place.iterdir():
        if child.name != "__pycache__" and not child.name.endswith(".pyc"):
            _collect(child, f"{path}/{child.name}", found)


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, THE_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[path])
    return out.getvalue()
