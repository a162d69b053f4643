"""The files of a release: the same bytes from the same tree, and a list of what is installed with them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = "0.1.0"
NAMES = [f"croupier-{VERSION}-py3-none-any.whl", f"croupier-{VERSION}.tar.gz", f"croupier-{VERSION}.cdx.json"]


def build(tree: Path, folder: Path) -> dict[str, bytes]:
    """Build a release of a tree; return its files by name."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.release", folder], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {name: (folder / name).read_bytes() for name in done.stdout.split()}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return build(ROOT, tmp_path_factory.mktemp("release"))


def test_a_copy_of_the_tree_made_another_day_gives_the_same_bytes(release, tmp_path):
    """At another time, with another umask, beside a server's secrets. `sha256sum --check` takes SHA256SUMS."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if os.path.lexists(ROOT / name):
            (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / "tree" / name, follow_symlinks=False)
            if os.access(ROOT / name, os.X_OK):
                (tmp_path / "tree" / name).chmod(0o700)
    for secret in (".env", "pgpass", "postgres-password"):  # an operator's own: no part of a release
        (tmp_path / "tree/deploy" / secret).write_text("secret")
    before = os.umask(0o077)
    try:
        again = build(tmp_path / "tree", tmp_path / "made")
    finally:
        os.umask(before)

    assert list(release) == [*NAMES, "SHA256SUMS"]
    assert [name for name in release if again[name] != release[name]] == []
    assert release["SHA256SUMS"].decode().splitlines() == [
        f"{sha256(release[name]).hexdigest()}  {name}" for name in NAMES
    ]


def test_the_source_archive_holds_what_builds_and_tests_it(release, tmp_path):
    (tmp_path / "source.tar.gz").write_bytes(release[NAMES[1]])
    with tarfile.open(tmp_path / "source.tar.gz") as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}

    assert {"Makefile", "pyproject.toml", "requirements/test.txt", "src/croupier/rng.py", "tests/conftest.py"} <= held
    assert {"CONTRIBUTING.md", "SECURITY.md", "deploy/compose.yaml", "deploy/pin-images"} <= held
    assert not any("__pycache__" in name or name.startswith((".venv", "data/")) for name in held)


def test_the_bill_of_materials_lists_every_pinned_package_once_and_what_wants_it(release):
    bill = json.loads(release[NAMES[2]])
    lock = (ROOT / "requirements/all.txt").read_text()
    pinned = sorted(f"pkg:pypi/{name}@{version}" for name, version in re.findall(r"(?m)^([\w.-]+).*?==([^ ;]+)", lock))
    refs = [one["bom-ref"] for one in bill["components"]]
    wants = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    root = bill["metadata"]["component"]

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert sorted(refs) == pinned
    assert len(pinned) > 40
    assert sorted(wants) == sorted([root["bom-ref"], *refs])
    assert {ref for found in wants.values() for ref in found} == set(refs)
    assert root["hashes"] == [{"alg": "SHA-256", "content": sha256(release[NAMES[0]]).hexdigest()}]
    # What `pip install croupier` brings, beside croupier itself.
    required = {one["name"] for one in bill["components"] if one["scope"] == "required"}
    assert required == {"click", "markdown-it-py", "mdurl", "msgspec", "pygments", "rich"}
