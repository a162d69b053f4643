"""Find CometBFT, or build the pinned release with Go once; its sources are checked by the sum of their module."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from croupier.chain.errors import NodeError

MODULE = "github.com/cometbft/cometbft"
VERSION = "v0.38.26"
SUM = "h1:MIPYgOSvyyiN1jo3SZljKy4ZXqs896aQnj3pQFfUmaE="
BUILD_SECONDS_MAX = 1800


def cache_folder() -> Path:
    """Return where the built program is kept."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "croupier" / f"cometbft-{VERSION}"


def find_cometbft(say: Callable[[str], None] = print, *, build: bool = True) -> Path:
    """Return the program: `CROUPIER_COMETBFT`, one on the path of the right version, the built one, or build it."""
    named = os.environ.get("CROUPIER_COMETBFT")
    if named:
        if not os.access(named, os.X_OK):
            raise NodeError(f"CROUPIER_COMETBFT is {named}, which is no program")
        return Path(named)
    on_path = shutil.which("cometbft")
    if on_path and VERSION.removeprefix("v") in _run([on_path, "version"], {}, 30):
        return Path(on_path)
    built = cache_folder() / "cometbft"
    if built.exists():
        return built
    if not build or shutil.which("go") is None:
        raise NodeError(f"there is no CometBFT {VERSION} here, and no Go to build it: set CROUPIER_COMETBFT")
    built.parent.mkdir(parents=True, exist_ok=True)
    with open(built.parent / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one build at a time; the others find its result
        if not built.exists():
            say(f"building CometBFT {VERSION} with Go, once: about two minutes of processor time")
            _build(built)
            say(f"built {built}")
    return built


def _build(target: Path) -> None:
    """Download the module, compare its sum, build in its folder, and remove everything but the program.

    The sums of all it depends on are in the go.sum of the checked module, and the build may not change that file.
    """
    folder = Path(tempfile.mkdtemp(prefix="croupier-cometbft-"))
    environment = {
        "GOMODCACHE": str(folder / "modules"),
        "GOCACHE": str(folder / "cache"),
        "GOFLAGS": "-mod=readonly -modcacherw",
        "GOTOOLCHAIN": "local",
        "CGO_ENABLED": "0",
    }
    try:
        answer = _run(["go", "mod", "download", "-json", f"{MODULE}@{VERSION}"], environment, BUILD_SECONDS_MAX)
        module = msgspec.json.decode(answer)
        if module.get("Sum") != SUM:
            raise NodeError(f"the module's sum is {module.get('Sum')}, not {SUM}: it is not built")
        made = folder / "cometbft"
        flags = f"-s -w -X {MODULE}/version.TMCoreSemVer={VERSION.removeprefix('v')}"
        command = ["go", "build", "-trimpath", "-ldflags", flags, "-o", str(made), "./cmd/cometbft"]
        _run(command, environment, BUILD_SECONDS_MAX, Path(module["Dir"]))
        staged = target.with_name("cometbft.new")
        shutil.copy2(made, staged)
        staged.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], environment: dict[str, str], seconds: float, folder: Path | None = None) -> str:
    at, every = folder or tempfile.gettempdir(), {**os.environ, **environment}
    try:
        done = subprocess.run(command, cwd=at, env=every, capture_output=True, text=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NodeError(f"{command[0]} {command[1]}: {error}") from None
    if done.returncode:
        raise NodeError(f"{' '.join(command[:3])} failed: {done.stderr.strip()[-400:]}")
    return done.stdout
