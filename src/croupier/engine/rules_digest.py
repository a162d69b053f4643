"""The digest of a game's rules: over every file that decides what a seed and actions lead to.

The same from a checkout, an installed wheel and a wheel that was unpacked elsewhere: paths are those inside the
package, and nothing else is read. A changed letter in a rule is another digest.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from croupier.engine.game import Game
from croupier.fairness.seeds import join

RULES = b"croupier/rules/1"
ENGINE = (
    "draws.py",
    "rounds.py",
    "rng.py",
    "errors.py",
    "engine",
    "fairness/seeds.py",
    "kit",
    "house",
    "games/__init__.py",
)
"""Files and folders below `croupier/` that every game's outcome depends on."""
PASSED_OVER = frozenset({"__pycache__", "tests", "web"})


def rules_digest(game: Game[Any]) -> bytes:
    """Return the digest of a game's rules as they are installed here."""
    return _digest(type(game).__module__, game.id, game.rules_version)


@lru_cache(maxsize=256)
def _digest(module: str, game_id: str, rules_version: int) -> bytes:
    return digest_of_files(game_id, rules_version, rule_files(module))


def digest_of_files(game_id: str, rules_version: int, files: Mapping[str, bytes]) -> bytes:
    """Return the digest of a game's rules from its files, by their paths."""
    message = join(RULES, game_id.encode()) + rules_version.to_bytes(4, "big")
    for path in sorted(files):
        message += join(path.encode(), sha256(files[path]).digest())
    return sha256(message).digest()


def rule_files(module: str) -> dict[str, bytes]:
    """Return the files that a game's outcome depends on: croupier's engine, and the package of the game's module."""
    own = resources.files("croupier")
    found: dict[str, bytes] = {}
    for name in ENGINE:
        _collect(own.joinpath(name), f"croupier/{name}", found)
    parts = module.split(".")
    if parts[:2] == ["croupier", "games"]:
        _collect(own.joinpath("games", parts[2]), f"croupier/games/{parts[2]}", found)
    elif parts[0] != "croupier":
        _collect_package(parts[0], found)
    return found


def _collect_package(name: str, found: dict[str, bytes]) -> None:
    module = sys.modules.get(name)
    if hasattr(module, "__path__"):
        _collect(resources.files(name), name, found)
    elif path := getattr(module, "__file__", None):  # a game in a module of its own, or typed at a prompt
        found[f"{name}.py"] = Path(path).read_bytes()


def _collect(place: Traversable, path: str, found: dict[str, bytes]) -> None:
    if place.is_file():
        found[path] = place.read_bytes()
        return
    if place.is_dir():
        for child in place.iterdir():
            if child.name not in PASSED_OVER and not child.name.startswith(".") and not child.name.endswith(".pyc"):
                _collect(child, f"{path}/{child.name}", found)
