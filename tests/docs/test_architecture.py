"""The picture of the packages: it shows the layers that the import contract enforces, and the packages there are."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
import tomllib
from pathlib import Path
from types import FrameType
from typing import Any

from croupier.server.operations import accounts, commitments, sessions
from tests.docs.conftest import section
from tests.unit.server.transport.test_live import open_house

ROOT = Path(__file__).parents[2]
PLACE = {"type": "place", "payload": {"bet": "red", "stake": 10}}
PAGE = (ROOT / "docs" / "architecture.md").read_text()
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
SECTION = section(PAGE, "Who may import whom")
(PICTURE,) = re.findall(r"^```text\n(.*?)^```$", SECTION, flags=re.MULTILINE | re.DOTALL)


def without_parentheses(layers: list[str]) -> list[str]:
    return [re.sub(r"[()]", "", layer) for layer in layers]


def test_the_picture_shows_the_layers_of_the_contract() -> None:
    """Parentheses aside: in a contract they allow a package to be missing, on the page they say that it is."""
    (layers,) = [contract["layers"] for contract in CONTRACTS if contract.get("containers") == ["croupier"]]

    assert without_parentheses(PICTURE.splitlines()) == without_parentheses(layers)


def test_the_picture_calls_built_what_is_there_and_tells_what_it_is() -> None:
    shown = {name.strip("()"): name for layer in PICTURE.splitlines() for name in layer.split(" | ")}
    built = {name for name, drawn in shown.items() if name == drawn}
    paths = [path for path in (ROOT / "src" / "croupier").iterdir() if path.suffix == ".py" or path.is_dir()]
    there = {path.stem for path in paths if not path.name.startswith(("_", "."))}
    told = set(re.findall(r"^\| `(\w+)` \|", SECTION, flags=re.MULTILINE))

    assert built == there
    assert told == built


def test_the_files_to_look_at_exist() -> None:
    named = re.findall(r"`((?:\w+/)+\w+\.py)`", PAGE)

    assert len(named) > 10
    assert [name for name in named if not (ROOT / "src" / "croupier" / name).is_file()] == []


RINGS = {
    "engine": ["draws.py", "rounds.py", "rng.py", "errors.py", "engine", "fairness/seeds.py"],
    "games": ["kit", "house", "games", "bots", "fairness", "transcripts.py", "testing"],
    "hosts": ["sim", "server", "store", "wire", "web", "client", "chain", "cli"],
}


def lines_of(names: list[str]) -> int:
    places = [ROOT / "src" / "croupier" / name for name in names]
    files = {path for place in places for path in ([place] if place.is_file() else place.rglob("*.py"))}
    return sum(len(path.read_text().splitlines()) for path in files)


def test_the_rings_are_as_large_as_the_page_says() -> None:
    """Told in round figures: a page that is a tenth off is no help to somebody who wants to know what to read."""
    told = {name: int(lines.replace(",", "")) for name, lines in re.findall(r"│ (\w+) +([\d,]+) lines", PAGE)}
    lines = {name: lines_of(places) for name, places in RINGS.items()}
    lines["games"] -= lines_of(["fairness/seeds.py"])

    assert told.keys() == lines.keys()
    assert {name: told[name] for name in lines if abs(told[name] - lines[name]) > lines[name] / 10} == {}


def hops() -> list[tuple[str, str]]:
    """Return the files and functions that the page says an action goes through."""
    return re.findall(r"^\| \d+ \| `([\w/]+\.py)` \| `(\w+)` \|", PAGE, flags=re.MULTILINE)


def test_a_bet_goes_through_the_hops_of_the_page_and_no_others_are_told() -> None:
    """A move over a live connection is watched, in all threads: the functions are entered in the order of the page."""
    told_of, seen = hops(), dict[tuple[str, str], None]()
    source = str(ROOT / "src" / "croupier") + "/"

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(source):
            seen.setdefault((code.co_filename.removeprefix(source), code.co_name))

    async def story() -> None:
        async with open_house() as house:
            ann = await house.service.change(accounts.register, "Ann")
            caller = await house.service.change(accounts.authenticate, ann.token)
            made = await house.service.change(commitments.commit, caller)
            await house.service.change(sessions.start, caller, made.session_id, 6, 0, "")
            wire = await house.connect(caller)
            await wire.next()
            move = {"type": "move", "session": made.session_id, "id": "a", "expected_version": 0, "action": PLACE}
            seen.clear()
            wire.say(move)
            assert (await wire.frame("done"))["version"] == 1

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        asyncio.run(story())
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert 0 < len(told_of) <= 10
    assert [hop for hop in seen if hop in told_of] == told_of


def test_the_readme_tells_the_same_sizes_of_the_rings() -> None:
    readme = (ROOT / "README.md").read_text().partition("## Three rings")[2].partition("\n## ")[0]

    assert set(re.findall(r"│ \w+ +([\d,]+) lines", PAGE)) == set(re.findall(r"\d\d?,\d{3}", readme))
