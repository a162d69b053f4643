"""Machine code kept on disk, so that a kernel is compiled once on a machine and not once in every process.

The folder is `croupier/kernels` in `$XDG_CACHE_HOME`, or in `~/.cache`. It may be deleted at any time. There is one
file for each function and types of arguments; its name tells the content it was made from. Files appear whole or not
at all, so processes that compile the same thing at once replace each other's file by an equal one. Where the folder
cannot be written, or a file cannot be read, the function is compiled again and nobody is told.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["KernelCache", "kernel_folder"]


def kernel_folder() -> Path | None:
    """Return where kernels are kept, or None where there is no such place."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):  # a relative one is to be ignored, says its specification
        return Path(base) / "croupier" / "kernels"
    with suppress(RuntimeError):  # no home
        return Path.home() / ".cache" / "croupier" / "kernels"
    return None


class KernelCache(_Cache):
    """The kept machine code of one function, which the compiler asks for before it works.

    `prepare` is called when there is none. Code that counts references calls the compiler's runtime.
    """

    def __init__(self, name: str, prepare: Callable[[], None], *, counts_references: bool) -> None:
        self._name = name
        self._folder = kernel_folder()
        self._prepare = prepare
        self._counts_references = counts_references

    @property
    def cache_path(self) -> str:
        """The folder, as the compiler's statistics show it."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code kept for these types; or prepare the compiler for making it, and return None."""
        file = self._file(sig)
        if file is not None:
            with suppress(Exception):  # whatever is wrong with the file, the function can be compiled again
                return self._read(file, target_context)
        self._prepare()
        return None

    def _read(self, file: Path, target_context: Any) -> Any:
        """Return the code in a file.

        The compiler is not woken up for it, which takes four times as long, unless the code calls its runtime.
        """
        data = file.read_bytes()
        if sha256(data[32:]).digest() != data[:32]:
            raise ValueError("the file is not as it was written")
        if self._counts_references:
            target_context.refresh()
        return CompileResult._rebuild(target_context, *pickle.loads(data[32:]))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code just compiled for these types, if it makes sense in another process."""
        file = self._file(sig)
        if file is None or data.lifted or data.library.has_dynamic_globals:
            return
        payload = dumps(data._reduce())
        with suppress(OSError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, draft = mkstemp(dir=file.parent, prefix=".", suffix=".draft")
            try:
                with open(descriptor, "wb") as stream:
                    stream.write(sha256(payload).digest() + payload)
                os.replace(draft, file)
            except OSError:
                os.unlink(draft)

    def _file(self, sig: Any) -> Path | None:
        types = str(sig)
        if self._folder is None or " at 0x" in types:  # a function given as argument is known by its address only
            return None
        return self._folder / f"{self._name}-{sha256(types.encode()).hexdigest()[:16]}.kernel"

    def enable(self) -> None:
        """Do nothing: it is always on."""

    def disable(self) -> None:
        """Do nothing: it is always on."""

    def flush(self) -> None:
        """Do nothing: a name tells the content, so nothing that is kept goes out of date."""
