"""The digest of a game's rules: its formula by hand, and that every file which decides an outcome is under it."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.engine import get_game, list_games
from croupier.engine.rules_digest import digest_of_files, rule_files, rules_digest
from tests.unit.fairness.by_hand import lp

SRC = Path(__file__).parents[3] / "src"
APART = {"croupier/__init__.py", "croupier/fairness/__init__.py", "croupier/fairness/versions.py"}
"""Modules that a game loads and nothing is dealt or paid by: lists of names, and the log that the digest goes into."""


def test_the_digest_is_over_the_id_the_version_and_every_file_in_order():
    files = {"b/rules.py": b"two", "a.py": b"one"}
    message = lp(b"croupier/rules/1", b"dice") + (3).to_bytes(4, "big")
    message += lp(b"a.py", sha256(b"one").digest()) + lp(b"b/rules.py", sha256(b"two").digest())

    assert digest_of_files("dice", 3, files) == sha256(message).digest()


@pytest.mark.parametrize("game_id", list_games())
def test_the_digest_is_over_the_files_as_they_lie_in_the_tree(game_id):
    game = get_game(game_id)
    files = rule_files(type(game).__module__)
    found = {path: (SRC / path).read_bytes() for path in files}

    assert found == files
    assert rules_digest(game) == digest_of_files(game_id, game.rules_version, found)
    path = next(path for path in files if path.endswith("/game.py"))
    other = digest_of_files(game_id, game.rules_version, {**files, path: files[path] + b" "})
    assert other != rules_digest(game)
    assert digest_of_files(game_id, game.rules_version + 1, files) != rules_digest(game)


@pytest.mark.parametrize("game_id", list_games())
def test_every_module_that_a_game_loads_is_under_its_digest(game_id):
    """In a process of its own: what other games load does not count."""
    module = type(get_game(game_id)).__module__
    script = (
        f"import {module}, sys; print(*(m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'croupier'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {Path(name).relative_to(SRC).as_posix() for name in done.stdout.split()}

    assert loaded - rule_files(module).keys() <= APART
