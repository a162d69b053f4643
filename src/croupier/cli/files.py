"""Files: reading what came from outside, writing so that a crash leaves the old or the new, and the player's saves.

$XDG_DATA_HOME/croupier/       ~/.local/share/croupier/ unless that is set
  saves/SLOT.json              a match in mid-game, kept until somebody deletes it
  records/SLOT.json            the record up to there, so that the match can still be proven when it goes on
  last/GAME.json               the record of the last match played in the terminal
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from croupier.cli.errors import Usage
from croupier.engine import (
    Match,
    MatchClient,
    MatchRecord,
    deserialize_match,
    get_game,
    make_record,
    read_record,
    replay,
    serialize_match,
    state_digest,
    write_record,
)
from croupier.engine.records.saves import SlotStore
from croupier.errors import CroupierError
from croupier.fairness import SeedPair

READ_MAX = 64 * 2**20 + 1  # bytes: one more than the engine reads, so that it is the engine that says so
NAME_MAX = 200  # bytes of a file name, with room for what a temporary file adds


def now_ms() -> int:
    """Return the time of this machine, in milliseconds since 1970."""
    return time.time_ns() // 10**6


def read_file(path: str | Path) -> bytes:
    """Return what a file holds; of an endless one, as much as is needed to refuse it."""
    with open(path, "rb") as file:
        return file.read(READ_MAX)


def write_file(path: str | Path, data: bytes) -> None:
    """Write a file in one step: at every moment there is the old one or the whole new one."""
    if _is_device(path):
        with open(path, "wb") as device:
            device.write(data)
        return
    target = Path(os.path.realpath(path))  # a link keeps pointing where it points
    beside = target.with_name(f".{target.name[:NAME_MAX]}.{token_hex(4)}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        error.filename, error.filename2 = str(path), None
        raise


def check_writable(path: str) -> None:
    """Raise now what writing a file there would raise after the last action."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(21, "Is a directory", path)
    if not target.parent.is_dir():
        raise FileNotFoundError(2, "No such directory", str(target.parent))
    if not os.access(target.parent, os.W_OK) and not _is_device(path):
        raise PermissionError(13, "Permission denied", str(target.parent))


def _is_device(path: str | Path) -> bool:
    """Tell whether a path is of a pipe or a device, which cannot be replaced, or of a folder, which says no itself."""
    return os.path.exists(path) and not os.path.isfile(path)  # the real path of a pipe without a name is nowhere


class Folder(MutableMapping[str, bytes]):
    """A folder as a mapping from names to bytes, a file each. Any text is a safe name; it is made when first used."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, name: str) -> Path:
        """Return the file of a name: `..` and `/` lose their meaning."""
        quoted = quote(name, safe=" ", errors="surrogateescape").replace(".", "%2E")
        if not name or len(quoted) > NAME_MAX:
            raise Usage(f"a save needs a name of 1 to {NAME_MAX} characters, got {name[:20]!r}")
        return self.path / f"{quoted}.json"

    def __getitem__(self, name: str) -> bytes:
        try:
            return read_file(self.file(name))
        except FileNotFoundError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, data: bytes) -> None:
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_file(self.file(name), data)

    def __delitem__(self, name: str) -> None:
        try:
            self.file(name).unlink()
        except FileNotFoundError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        for file in sorted(self.path.glob("*.json")):
            name = unquote(file.stem, errors="surrogateescape")
            if name and self.file(name) == file:  # what else lies in the folder is none of ours
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)


def data_folder() -> Path:
    """Return the folder for what the player keeps."""
    base = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(base):  # as the standard says: a relative path is to be ignored
        base = os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(base) / "croupier"


def saves() -> Folder:
    """Return the saves."""
    return Folder(data_folder() / "saves")


def records() -> Folder:
    """Return the records that go with the saves, under the same names."""
    return Folder(data_folder() / "records")


class ResumedMatch(msgspec.Struct, frozen=True):
    """A match brought back: its client, and where its seed came from if that is known."""

    client: MatchClient[Any]
    commitments: SeedPair | None = None


def save_client(slot: str, client: MatchClient[Any], commitments: SeedPair | None) -> Path:
    """Put a match into a slot, with the record up to there if its log reaches back to the start; return the file."""
    matches, logs = saves(), records()
    matches[slot] = serialize_match(client.get_state(), saved_at=now_ms()).encode()
    if client.base.version == 0:
        record = make_record(client.game, client.base, client.get_log(), commitments=commitments)
        logs[slot] = write_record(record)
    for name in set(logs) - set(matches):  # of saves that somebody deleted
        del logs[name]
    return matches.file(slot)


def open_match(slot_or_file: str) -> ResumedMatch:
    """Return the match in a slot, or else in a file that holds a record or a save."""
    matches = saves()
    if slot_or_file in matches:
        match = SlotStore(matches).load_match(slot_or_file)
        if match is None:
            match = deserialize_match(matches[slot_or_file])  # raises, and says why
        return _with_log(match, records().get(slot_or_file))
    if not os.path.exists(slot_or_file):
        names = ", ".join(repr(name) for name in matches) or "none"
        raise Usage(f"there is no save and no file {slot_or_file!r}; saves are: {names}")
    data = read_file(slot_or_file)
    if _is_save(data):
        return ResumedMatch(_client(deserialize_match(data)))
    return _from_record(read_record(data))


def _is_save(data: bytes) -> bool:
    try:
        return "saved_at" in msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False


def _with_log(match: Match[Any], record: bytes | None) -> ResumedMatch:
    """Return the match with the log that leads to it, if the record beside it really does."""
    with suppress(CroupierError):
        kept = None if record is None else _from_record(read_record(record))
        if kept is not None and state_digest(kept.client.get_state()) == state_digest(match):
            return kept
    return ResumedMatch(_client(match))


def _client(match: Match[Any]) -> MatchClient[Any]:
    return MatchClient(get_game(match.game_id), match, clock=now_ms)


def _from_record(record: MatchRecord) -> ResumedMatch:
    client = _client(replay(record)[0])
    for number, action in enumerate(record.actions):
        seed = record.seeds[number] if record.seeds else ""
        client.dispatch(action, seed=bytes.fromhex(seed) if seed else None)
    return ResumedMatch(client, record.commitments)
