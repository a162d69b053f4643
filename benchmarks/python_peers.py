"""Programs in Python that are measured beside ours, each in one environment that is not ours.

The environment is a folder that the caller keeps. A peer is installed there from its lock file with hashes, which is
`peers/python/NAME.txt` and made by `make lock`, when it is first asked for, and again when that file changes. One that
cannot be installed or run here leaves the others alone: the caller gets a `PeerMissing` with the reason.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.peers import CannotRun, PeerMissing, run_program

FOLDER = Path(__file__).parent
PYTHON_PEERS = ("chess", "crapssim", "eval7", "gymnasium", "open-spiel", "rlcard")

# They come as source alone. Building one takes setuptools, locked like the rest, and no network.
SOURCES = ("chess", "rlcard")
BUILDER = "setuptools"

INSTALL_TIMEOUT_S = 600
RUN_TIMEOUT_S = 60
REPEAT_TIMEOUT_S = 20


class PeerRates(Struct, frozen=True, forbid_unknown_fields=True):
    """Rates of a peer: how much it does in a second, by task, a figure a repeat."""

    peer: str
    version: str
    python: str
    rates: dict[str, tuple[float, ...]]


def python_peer(name: str, environment: Path, repeats: int = 5) -> PeerRates | PeerMissing:
    """Return what a peer does in a second on this machine, or why there is no figure."""
    if name not in PYTHON_PEERS:
        raise ValueError(f"{name}: one of {', '.join(PYTHON_PEERS)}")
    if repeats < 1:
        raise ValueError(f"repeats {repeats}: at least 1")
    try:
        python = _environment(environment)
        if name in SOURCES:
            _install(BUILDER, python, environment)
        _install(name, python, environment)
        script = environment / "peer_rates.py"
        script.write_bytes((FOLDER / "peer_rates.py").read_bytes())
        timeout_s = RUN_TIMEOUT_S + REPEAT_TIMEOUT_S * repeats
        printed = run_program([str(python), str(script), name, str(repeats)], environment, timeout_s)
        return msgspec.json.decode(printed.splitlines()[-1], type=PeerRates)
    except CannotRun as problem:
        return PeerMissing(name, str(problem))
    except OSError as problem:
        return PeerMissing(name, f"cannot write to {environment}: {problem}")
    except (msgspec.DecodeError, IndexError) as problem:
        return PeerMissing(name, f"its script printed something else than rates: {problem}")


def _environment(folder: Path) -> Path:
    """Return the interpreter of the environment, which is made where there is none of this Python yet."""
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        folder.mkdir(parents=True, exist_ok=True)
        run_program([sys.executable, "-m", "venv", str(folder)], folder, INSTALL_TIMEOUT_S)
    return python


def _install(name: str, python: Path, folder: Path) -> None:
    lock = (FOLDER / "peers" / "python" / f"{name}.txt").read_bytes()
    stamp = folder / f"{name}.sha256"
    digest = hashlib.sha256(lock).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
        return
    (folder / f"{name}.txt").write_bytes(lock)
    kinds = ["--only-binary", ":all:"]
    if name in SOURCES:
        kinds += ["--no-binary", name, "--no-build-isolation"]
    # Without what they would draw in: the lock file names everything, and nothing else is installed.
    wanted = ["install", "--quiet", "--require-hashes", "--no-deps", *kinds, "--requirement", f"{name}.txt"]
    run_program([str(python), "-m", "pip", "--disable-pip-version-check", *wanted], folder, INSTALL_TIMEOUT_S)
    stamp.write_text(digest, encoding="ascii")
