"""Build backend of croupier (PEP 517): flit_core's, with wheels that are packed harder, the page as one archive.

Files of a wheel are packed one by one, and each costs a line with its hash: as 131 files the page took two thirds more
than as one. `croupier.web.sources` reads either; `tar xf static.tar.bz2` gives back what stands in the repository.
"""

from __future__ import annotations

import io
import tarfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from flit_core.buildapi import (  # type: ignore[import-untyped]
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from flit_core.buildapi import build_wheel as _build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

PAGE = "croupier/web/static/"
ARCHIVE = "croupier/web/static.tar.bz2"
DEFLATE_LEVEL = 12


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Build a wheel with the page as one archive, and return its name. One tree gives the same bytes every time."""
    name = str(_build_wheel(wheel_directory, config_settings, metadata_directory))
    path = Path(wheel_directory, name)
    with ZipFile(path) as wheel:
        entries = [(entry, wheel.read(entry)) for entry in wheel.infolist()]
    page = [(entry.filename, content) for entry, content in entries if entry.filename.startswith(PAGE)]
    (*kept, (record, lines)) = [one for one in entries if not one[0].filename.startswith(PAGE)]
    assert record.filename.endswith(".dist-info/RECORD")
    packed = pack_page(page)
    entry = ZipInfo(ARCHIVE, record.date_time)
    entry.external_attr = record.external_attr
    digest = urlsafe_b64encode(sha256(packed).digest()).decode().rstrip("=")
    listed = [line for line in lines.decode().splitlines() if not line.startswith(PAGE)]
    text = "".join(f"{line}\n" for line in (f"{ARCHIVE},sha256={digest},{len(packed)}", *listed))
    # `zipfile` takes no data that is packed already, and no other packer.
    with patch("zlib.compressobj", _Packer), ZipFile(path, "w", ZIP_DEFLATED) as wheel:
        for one, content in (*kept, (entry, packed), (record, text.encode())):
            wheel.writestr(one, content, ZIP_DEFLATED)
    return name


class _Packer:
    """A compressor for `zipfile`: libdeflate in place of zlib, which looks for the smallest form of the same format."""

    def __init__(self, *_: object) -> None:
        self.parts: list[bytes] = []

    def compress(self, data: bytes) -> bytes:
        self.parts.append(bytes(data))
        return b""

    def flush(self) -> bytes:
        from deflate import deflate_compress  # an editable install does without

        return bytes(deflate_compress(b"".join(self.parts), DEFLATE_LEVEL))


def pack_page(files: list[tuple[str, bytes]]) -> bytes:
    """Return files as an archive with their paths below the page's folder."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:bz2") as archive:
        for name, content in sorted(files):
            entry = tarfile.TarInfo(name.removeprefix(PAGE))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()
