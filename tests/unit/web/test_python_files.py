"""Python for the browser: what is packed, that it is what is installed, and how the server hands it out."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from importlib import resources
from importlib.metadata import Distribution

import pytest

from croupier.engine import get_game, list_games
from croupier.engine.rules_digest import digest_of_files, rule_files, rules_digest
from croupier.server.transport.static import python_static
from croupier.web import python_files as packing
from croupier.web.__main__ import main
from croupier.web.python_files import has_runtime, python_files
from tests.web.python.page_python import needs_python

PACKED_MAX = 8_000_000


@needs_python
def test_everything_is_listed_with_its_hash_and_small():
    files = python_files()
    manifest = json.loads(files["manifest.json"])

    assert {name: one["sha256"] for name, one in manifest["files"].items()} == {
        name: sha256(content).hexdigest() for name, content in files.items() if name != "manifest.json"
    }
    assert [package["name"] for package in manifest["packages"]] == ["croupier"]
    assert sum(map(len, files.values())) <= PACKED_MAX


@needs_python
def test_the_packed_rules_have_the_digests_of_the_installed_ones():
    name = json.loads(python_files()["manifest.json"])["packages"][0]["file"]
    archive = zipfile.ZipFile(io.BytesIO(python_files()[name]))
    packed = {path: archive.read(path) for path in archive.namelist()}

    for game_id in list_games():
        game = get_game(game_id)
        needed = rule_files(type(game).__module__)
        found = {path: packed[path] for path in needed}
        assert digest_of_files(game_id, game.rules_version, found) == rules_digest(game)
    assert not any("server" in path.split("/")[1:2] or path.endswith(".pyc") for path in packed)


def test_the_same_files_are_packed_to_the_same_bytes():
    files = {"b.py": b"1", "a.py": b"2"}

    assert packing._zipped(files) == packing._zipped(dict(reversed(files.items())))


def test_another_package_is_packed_by_its_own_list_of_files(tmp_path):
    """All that it installs: modules beside the game's, and data; nothing that lies elsewhere or is made anew."""
    info = tmp_path / "croupier_dice-1.0.dist-info"
    files = {
        "croupier_dice/__init__.py": b"from dice_help import Dice\n",
        "croupier_dice/odds.txt": b"1/6",
        "dice_help.py": b"class Dice: ...\n",
    }
    listed = [*files, "croupier_dice/__pycache__/odds.cpython-311.pyc", "../../../bin/dice", f"{info.name}/METADATA"]
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: croupier-dice\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[croupier.games]\ndice = croupier_dice:Dice\n")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in listed))

    assert packing._files_of(Distribution.at(info)) == files


@needs_python
def test_the_server_hands_it_out_for_good_under_its_hash():
    found = python_static()
    manifest = json.loads(found["python/manifest.json"].body)
    wasm = found[manifest["base"].removeprefix("/web/") + "pyodide.asm.wasm"]

    assert wasm.is_fixed
    assert wasm.kind == "application/wasm"
    assert wasm.body[:4] == b"\x00asm"
    assert len(wasm.packed) < len(wasm.body) // 2
    assert not found["python/manifest.json"].is_fixed


def test_without_the_runtime_there_is_nothing_and_the_command_says_so(monkeypatch, capsys):
    monkeypatch.setattr(packing, "RUNTIME_PACKAGE", "croupier_web_nothing")
    monkeypatch.setattr("croupier.web.__main__.has_runtime", has_runtime)

    assert not has_runtime()
    assert packing.python_files.__wrapped__() == {}
    assert main(["verify.html"]) == 1
    assert "make web-python" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["check.py", "worker.js", "python.js"])
def test_what_the_page_runs_is_shipped(name):
    assert resources.files("croupier.web").joinpath("static/python", name).is_file()
