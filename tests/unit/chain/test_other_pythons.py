"""One block list in SQLite, on this version of Python and on another: the app hashes are those that were recorded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OTHER = "3.11" if sys.version_info >= (3, 13) else "3.13"
NEEDED = "cffi|cryptography|msgspec|py-arkworks-bls12381"
PROGRAM = """
import json, sys
from croupier.chain.abci.messages import Commit, FinalizeBlock, Info, Timestamp
from croupier.chain.app import HouseApp, init_request
from croupier.chain.store import ChainStore
vector, app = json.load(open(sys.argv[1])), HouseApp(ChainStore(sys.argv[2]))
app.init_chain(init_request("test-chain", vector["genesis"].encode()))
for block in vector["blocks"]:
    txs = tuple(bytes.fromhex(data) for data in block["txs"])
    done = app.finalize_block(FinalizeBlock(txs, b"", block["height"], Timestamp.of(block["time"])))
    app.commit(Commit())
    app.store.close()  # opened again after every block it stands where it stood, and goes on alike
    app = HouseApp(ChainStore(sys.argv[2]))
    assert done.app_hash.hex() == app.info(Info()).app_hash.hex() == block["app_hash"], block["height"]
print(*sys.version_info[:2], app.state.height, sep=".")
"""


def run(*command: object, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, check=False)


def find_other() -> str:
    installed = Path.home().glob(f".pyenv/versions/{OTHER}.*/bin/python")
    for found in (shutil.which(f"python{OTHER}"), *installed):
        if found is not None and run(found, "-c", "").returncode == 0:
            return str(found)
    return pytest.skip(f"there is no Python {OTHER} on this machine")


def play(python: str, folder: Path, packages: Path | str = "") -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'src'}{os.pathsep}{packages}"
    return run(python, "-c", PROGRAM, ROOT / "tests/vectors/chain/blocks.json", folder / "chain.db", path=path)


def test_this_python_gives_the_recorded_app_hashes_in_sqlite(tmp_path: Path):
    done = play(sys.executable, tmp_path)

    assert (done.stdout, done.stderr) == ("{}.{}.28\n".format(*sys.version_info), "")


def test_the_other_python_gives_the_recorded_app_hashes(tmp_path: Path):
    python, packages, lock = find_other(), tmp_path / "packages", tmp_path / "lock.txt"
    pinned = re.findall(rf"^(?:{NEEDED})==(?:.*\\\n)*.*\n", (ROOT / "requirements/all.txt").read_text(), re.MULTILINE)
    lock.write_text("".join(pinned))
    wheels = ("--only-binary", ":all:", "--no-deps", "--require-hashes", "--requirement", lock)
    pip = run(sys.executable, "-m", "pip", "install", "--python-version", OTHER, "--target", packages, *wheels)
    if pip.returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no packages for Python {OTHER}: {pip.stderr[-300:]}")
    for folder in Path(str(distribution("croupier").locate_file(""))).glob("croupier-*.dist-info"):
        shutil.copytree(folder, packages / folder.name)  # by its entry points the games are found

    done = play(python, tmp_path, packages)

    assert (done.stdout, done.stderr, len(pinned)) == (f"{OTHER}.28\n", "", 4)
