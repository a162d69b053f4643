"""A disk that forgets: remembers what SQLite wrote and what it synced, and shows what a power cut would leave.

It steps between SQLite and its usual way to the system, in this process, for as long as it lives: for children only.
What was written and not synced may be on the disk or not, each write for itself; so may a file that was deleted, until
its folder is synced.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from pathlib import Path
from random import Random
from typing import Any

DELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)  # SQLite keeps the pointer to the name
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(ctypes.Structure):
    """`sqlite3_vfs`, as far as xDelete."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("path_max", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
    )


class Methods(ctypes.Structure):
    """`sqlite3_io_methods`: a version, then pointers; the ones of interest by name."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    )


class ForgetfulDisk:
    """All files that SQLite opens from now on, as they were when they were last synced."""

    def __init__(self) -> None:
        self.synced: dict[str, bytearray] = {}
        self.pending: dict[str, list[tuple[int, bytes | None]]] = {}
        self.deleted: set[str] = set()
        self.syncs = 0
        self._kept: list[Any] = []  # what C calls must not be collected
        self._methods: dict[int, Methods] = {}
        self._paths: dict[int, str] = {}
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = POINTER(Vfs)
        vfs = library.sqlite3_vfs_find(None).contents
        self._usual_open = OPEN(vfs.open)
        vfs.open = self._callback(OPEN, self._open)
        self._usual_delete = DELETE(vfs.delete)
        vfs.delete = self._callback(DELETE, self._delete)
        self._usual_fsync = os.fsync
        setattr(os, "fsync", self._fsync)  # noqa: B010 (mypy would not have it)

    def _callback(self, kind: Any, function: Callable[..., int]) -> int | None:
        self._kept.append(kind(function))
        return ctypes.cast(self._kept[-1], c_void_p).value

    def _open(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        code: int = self._usual_open(vfs, name, file, flags, out)
        methods = ctypes.cast(file, POINTER(c_void_p))
        if code == 0 and name is not None and methods[0]:
            self._paths[file] = path = ctypes.string_at(name).decode()
            self.deleted.discard(path)
            self.synced.setdefault(path, bytearray(Path(path).read_bytes()))
            self.pending.setdefault(path, [])
            methods[0] = self._stepped_between(methods[0])
        return code

    def _delete(self, vfs: int, name: bytes, is_synced: int) -> int:
        code: int = self._usual_delete(vfs, name, is_synced)
        if code == 0:
            self.deleted.add(name.decode())
            if is_synced:
                self._forget(Path(name.decode()).parent)
        return code

    def _fsync(self, descriptor: Any) -> None:
        self._usual_fsync(descriptor)
        place = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if place.is_dir():
            self._forget(place)

    def _forget(self, folder: Path) -> None:
        """Forget the files that were deleted in a folder: once it has been synced they are gone for good."""
        for path in [path for path in self.deleted if Path(path).parent == folder]:
            self.deleted.discard(path)
            self.synced.pop(path, None)
            self.pending.pop(path, None)

    def _stepped_between(self, usual: int) -> int:
        """Return the address of methods that write things down and do the usual."""
        if usual not in self._methods:
            copy = Methods.from_buffer_copy(Methods.from_address(usual))
            write, truncate, sync = WRITE(copy.write), TRUNCATE(copy.truncate), SYNC(copy.sync)

            def on_write(file: int, data: int, amount: int, offset: int) -> int:
                self.pending[self._paths[file]].append((offset, ctypes.string_at(data, amount)))
                return int(write(file, data, amount, offset))

            def on_truncate(file: int, size: int) -> int:
                self.pending[self._paths[file]].append((size, None))
                return int(truncate(file, size))

            def on_sync(file: int, flags: int) -> int:
                path = self._paths[file]
                self.syncs += 1
                _apply(self.synced[path], self.pending[path])
                self.pending[path] = []
                return int(sync(file, flags))

            copy.write = self._callback(WRITE, on_write)
            copy.truncate = self._callback(TRUNCATE, on_truncate)
            copy.sync = self._callback(SYNC, on_sync)
            self._methods[usual] = copy
        return ctypes.addressof(self._methods[usual])

    def cut_power(self, folder: Path, chance: Random) -> None:
        """Write what would be left into a folder: all that was synced, and some of what was not."""
        folder.mkdir()
        for path, synced in self.synced.items():
            if path in self.deleted and chance.random() < 0.5:
                continue
            left = bytearray(synced)
            luck = chance.choice((0.0, 0.5, 0.9))
            _apply(left, [write for write in self.pending[path] if chance.random() < luck])
            (folder / Path(path).name).write_bytes(left)


def _apply(content: bytearray, writes: list[tuple[int, bytes | None]]) -> None:
    for place, data in writes:
        if data is None:
            del content[place:]
        else:
            content.extend(bytes(max(0, place - len(content))))
            content[place : place + len(data)] = data
