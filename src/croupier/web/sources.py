"""The files of the page: from the folder of a checkout, or from the archive that a wheel has (decision 0065)."""

from __future__ import annotations

import tarfile
from functools import cache
from pathlib import Path


@cache
def page_sources() -> dict[str, bytes]:
    """Return every file of the page by its path, such as lib/rng.js."""
    folder = Path(__file__).with_name("static")
    if folder.is_dir():
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    with tarfile.open(folder.with_suffix(".tar.bz2")) as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive}  # type: ignore[union-attr]
