"""The cache of compiled kernels on disk: machine code is made once on a machine and not once in every process.

The folder is `croupier/kernels` in `$XDG_CACHE_HOME`, or in `~/.cache`. It may be deleted at any time. There is one
file for each function and types of arguments, and one for the hash; its name tells the content it was made from. Files
appear whole or not at all, so processes that compile the same thing at once replace each other's file by an equal one.
Where the folder cannot be written, or a file cannot be read, the code is made again and nobody is told.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from platform import python_implementation
from tempfile import mkstemp
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps


def kernel_folder() -> Path | None:
    """Return the folder of cached kernels, or None where there is no home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):  # a relative one is to be ignored, says its specification
        return Path(base) / "croupier" / "kernels"
    with suppress(RuntimeError):  # no home
        return Path.home() / ".cache" / "croupier" / "kernels"
    return None


def kept(name: str) -> bytes | None:
    """Return the bytes cached under a name, or None where the file is missing or damaged."""
    folder = kernel_folder()
    with suppress(OSError):
        data = (folder / name).read_bytes() if folder else b""
        if sha256(data[32:]).digest() == data[:32]:
            return data[32:]
    return None


def keep(name: str, payload: bytes) -> None:
    """Cache bytes under a name, if they can be written."""
    folder = kernel_folder()
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, draft = mkstemp(dir=folder, prefix=".", suffix=".draft")
        try:
            with open(descriptor, "wb") as stream:
                stream.write(sha256(payload).digest() + payload)
            os.replace(draft, folder / name)
        except OSError:
            os.unlink(draft)


@cache
def file_digest(file: str) -> str:
    """Return the hash of a file's content as it was when first asked for."""
    try:
        return sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return "no file"  # typed in, or made at run time


@cache
def surroundings() -> str:
    """Return what decides over all machine code: the simulator's own files, versions, processor."""
    own_files = [file_digest(str(file)) for file in sorted(Path(__file__).parent.glob("*.py"))]
    versions = numba.__version__, llvmlite.__version__, np.__version__, python_implementation(), sys.version
    return repr((own_files, versions, cpu_target.target_context.codegen().magic_tuple()))


class KernelCache(_Cache):
    """The kept machine code of one function, which the compiler asks for before it works.

    `prepare` is called when there is none. Code that counts references calls the compiler's runtime.
    """

    def __init__(self, name: str, prepare: Callable[[], None], *, counts_references: bool) -> None:
        self._name = name
        self._prepare = prepare
        self._counts_references = counts_references

    @property
    def cache_path(self) -> str:
        """The folder, as the compiler's statistics show it."""
        return str(kernel_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code kept for these types; or prepare the compiler for making it, and return None."""
        name = self._file(sig)
        data = kept(name) if name else None
        if data is not None:
            with suppress(Exception):  # whatever is wrong with the file, the function can be compiled again
                # It takes four times as long to wake up the compiler, which code that calls its runtime needs.
                if self._counts_references:
                    target_context.refresh()
                return CompileResult._rebuild(target_context, *pickle.loads(data))
        self._prepare()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code just compiled for these types, if it makes sense in another process."""
        name = self._file(sig)
        if name and not data.lifted and not data.library.has_dynamic_globals:
            keep(name, dumps(data._reduce()))

    def _file(self, sig: Any) -> str | None:
        kinds = str(sig)
        if " at 0x" in kinds:  # a function given as argument is known by its address only
            return None
        return f"{self._name}-{sha256(kinds.encode()).hexdigest()[:16]}.kernel"

    def flush(self) -> None:
        """Do nothing: a name tells the content, so nothing that is kept goes out of date."""

    enable = disable = flush  # it is always on
