"""Write down which rows of the exact odds the tests compare with a second source, for `house/sources.json`.

    python tools/odds_checks.py [--soak] [PYTEST ARGUMENTS]

A test that compares rows has the fixture `checks` and calls it with the source, the game and the rows. In a usual run
the fixture compares what it is told with `tools/odds_checks.json`, both ways. This runs those tests and writes down
what they say, there test by test and in `src/croupier/house/sources.json` row by row; tests that did not run, such as
those of the soak, keep what the file has of them as long as pytest collects them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.house.odds import SOURCES, OddsRow, Source, row_key

ROOT = Path(__file__).parents[1]
FILE = Path(__file__).with_suffix(".json")
SHIPPED = ROOT / "src" / "croupier" / "house" / "sources.json"
WRITE = "CROUPIER_ODDS_CHECKS"
"""Where this environment variable names a folder, what tests say is written there and compared with nothing."""


class Check(Struct, frozen=True):
    """A comparison that one test makes with a second source: rows of a game, by their keys."""

    test: str
    """As pytest calls it."""
    game: str
    source: Source
    rows: str
    """The keys of the rows, in order."""


@cache
def kept_checks() -> tuple[Check, ...]:
    """Return what the tests compare, as they say themselves."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[Check, ...])


def shipped_sources(checks: Iterable[Check]) -> str:
    """Return the text that the package has: keys of rows, by what they were compared with."""
    found: dict[str, set[Source]] = {}
    for check in checks:
        for key in check.rows.split():
            found.setdefault(key, set()).add(check.source)
    named: dict[str, list[str]] = {}
    for key, sources in sorted(found.items()):
        named.setdefault(", ".join(each for each in SOURCES if each in sources), []).append(key)
    return f"{json.dumps({names: ' '.join(keys) for names, keys in sorted(named.items())}, indent=0)}\n"


class Checks:
    """The comparisons that one test says it makes; `finish` compares them with the file, or writes them down."""

    def __init__(self, test: str) -> None:
        self.test = test
        self._found: dict[tuple[str, Source], set[str]] = {}

    def __call__(self, source: Source, game_id: str, rows: Iterable[OddsRow], super_mode: bool = False) -> None:
        """Tell that these rows, as the game's odds sheet has them, are what the source says."""
        keys = {row_key(game_id, row, super_mode) for row in rows if not row.refused}
        assert keys, f"{self.test} compares nothing"
        self._found.setdefault((game_id, source), set()).update(keys)

    def finish(self) -> None:
        """Fail where the file says other than this test compared."""
        found = tuple(
            Check(self.test, game, source, " ".join(sorted(keys))) for (game, source), keys in self._found.items()
        )
        if folder := os.environ.get(WRITE):
            (Path(folder) / f"{abs(hash(self.test))}.json").write_bytes(msgspec.json.encode(found))
            return
        kept = {check for check in kept_checks() if check.test == self.test}
        assert set(found) == kept, "odds_checks.json says other than this test: run tools/odds_checks.py"


def exists(test: str) -> bool:
    """Tell whether there is a test function of that name; its parameters are not looked at."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and f"\ndef {name.partition('[')[0]}(" in path.read_text()


def collected(files: Sequence[str]) -> set[str]:
    """Return the tests of these files as pytest calls them, each of its parameters one."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "soak or not soak", *files]
    return set(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())


def source_rows() -> list[list[str]]:
    """Return how many figures of each game were checked by what, as cells of the page's table."""
    found: dict[str, dict[str, set[Source]]] = {}
    for check in kept_checks():
        rows = found.setdefault(check.game, {})
        for key in check.rows.split():
            rows.setdefault(key, set()).add(check.source)
    return [
        [
            f"`{game}`",
            str(len(rows)),
            *(str(sum(source in sources for sources in rows.values())) for source in SOURCES[:-1]),
            str(sum(sources == {"simulation"} for sources in rows.values())),
        ]
        for game, rows in sorted(found.items())
    ]


def main(arguments: Sequence[str]) -> int:
    """Run the tests and write the file."""
    files = [
        str(path) for path in ROOT.glob("tests/**/test_*.py") if ", checks" in (t := path.read_text()) or "(checks" in t
    ]
    with tempfile.TemporaryDirectory() as folder:
        soak = ["-m", "soak or not soak"] if "--soak" in arguments else []
        more = [word for word in arguments if word != "--soak"]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *soak, *(more or files)]
        ended = subprocess.run(command, cwd=ROOT, env={**os.environ, WRITE: folder}, check=False)
        if ended.returncode:
            return ended.returncode
        told = [
            check
            for path in Path(folder).glob("*.json")
            for check in msgspec.json.decode(path.read_bytes(), type=list[Check])
        ]
    ran = {check.test for check in told}
    there = collected(files)
    kept = [check for check in kept_checks() if check.test not in ran and check.test in there]
    lines = sorted({msgspec.json.encode(check).decode() for check in (*told, *kept)})
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    kept_checks.cache_clear()
    SHIPPED.write_text(shipped_sources(kept_checks()))
    print(f"{FILE.relative_to(ROOT)}: {len(lines)} checks; on docs/odds.md:")
    print("\n".join(f"| {' | '.join(cells)} |" for cells in source_rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
