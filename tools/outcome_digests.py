"""Make tests/vectors/outcomes/*.json again: digests of rounds, records and API answers, as the checkout gives them now.

Run it from anywhere in the test environment:

    python tools/outcome_digests.py [rounds] [records] [answers]

Without a name it makes all three, which takes some ten minutes of one core. `--full FILE` also writes the evening's
answers in full (1.6 MB): made in two checkouts, the two files show what changed in an answer whose digest did.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# Some package installs a `tests` of its own, which would be found in place of the folder: folders of tests have no
# __init__.py.
_tests = ModuleType("tests")
_tests.__path__ = [str(ROOT / "tests")]
sys.modules["tests"] = _tests

from croupier.engine import get_game, list_games  # noqa: E402
from croupier.house import HouseGame  # noqa: E402
from tests.conformance import evening  # noqa: E402
from tests.conformance.outcomes import (  # noqa: E402
    RECORDS,
    VECTORS,
    Case,
    digests_of_record,
    digests_of_rounds,
    name_of,
)
from tests.conformance.test_registered_games import OPTIONS  # noqa: E402
from tests.games.test_kernels_compiled import CASES, STRATEGIES, policies  # noqa: E402

SEEDS = (bytes(8), bytes(range(32)), b"a seed that takes two blocks of SHA-256 to hash")
KERNEL_ROUNDS, ENGINE_ROUNDS = (100_000, 1_000_000), (20, 500)
# Who plays where more than one sits, and how many matches: these take up to a second each.
MATCHES: dict[str, list[tuple[list[str], tuple[int, int]]]] = {
    "craps-table": [(["no_odds", "dont_pass", "full_odds", "random"], (1, 20))],
    "lanes": [
        (["random", "random"], (5, 100)),
        (["greedy", "one_reply"], (5, 100)),
        (["expectimax", "greedy"], (1, 10)),
        (["greedy", "tree_search"], (1, 5)),
    ],
    "shut-the-box": [(["uniform", "optimal_shut", "random"], (20, 500))],
}


def cases() -> Iterator[tuple[Case, tuple[int, int]]]:
    """Yield every case with the numbers of rounds that are digested: all policies, options and modes."""
    for game_id in list_games():
        is_house = isinstance(get_game(game_id), HouseGame)
        found: list[tuple[Case, tuple[int, int]]] = []
        for bets, options in CASES.get(game_id, ()):
            for policy in policies(game_id):
                found.append(({"policy": policy, "bets": bets, "options": options}, KERNEL_ROUNDS))
        if game_id in STRATEGIES:
            bets, options = CASES[game_id][1]
            found.append(({"strategy": STRATEGIES[game_id], "bets": bets, "options": options}, KERNEL_ROUNDS))
        for each in OPTIONS[game_id]:
            for bots, counts in MATCHES.get(game_id, [(["random"], ENGINE_ROUNDS)]):
                found.append(({"bots": bots, "options": each}, counts))
        modes = ({}, {"super": True}) if is_house else ({},)
        for number, ((case, counts), mode) in enumerate((pair, mode) for pair in found for mode in modes):
            # Small session ids and large ones.
            start = {"seed": SEEDS[number % 3].hex(), "first_session": number % 2 * 2**40}
            yield {"game": game_id, **case, **mode, **start}, counts


def make_rounds() -> None:
    """Write what the rounds of every case come to."""
    rows = []
    for case, counts in cases():
        print(name_of(case), flush=True)
        rows.append({**case, "rounds": digests_of_rounds(case, counts)})
    _write("rounds", "digests of the rounds of every game, policy, set of options and mode", rows)


def make_records() -> None:
    """Write the digests of the records of every game."""
    rows = []
    for game_id in list_games():
        print(f"{RECORDS} records of {game_id}", flush=True)
        found = [case for case, _ in cases() if case["game"] == game_id]
        rows.append({"game": game_id, "records": [digests_of_record(found, number) for number in range(RECORDS)]})
    _write("records", f"digests of {RECORDS} records of every game, and of all views of them", rows)


def make_answers(full: Path | None) -> None:
    """Write the answers of the evening, and in full to another file if there is one."""
    print("the answers of an evening", flush=True)
    answers = evening.spend_evening()
    if full is not None:
        full.write_text(json.dumps(answers, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    _write("answers", "every answer of the API in a scripted evening", evening.summaries(answers))


def _write(name: str, title: str, rows: list[Any]) -> None:
    """Write a file of vectors, one case a line."""
    head = {"name": title, "origin": "tools/outcome_digests.py; see README.md"}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    VECTORS.mkdir(exist_ok=True)
    text = f'{json.dumps(head)[:-1]}, "cases": [\n{lines}\n]}}\n'
    (VECTORS / f"{name}.json").write_text(text, encoding="utf-8")


def main() -> None:
    """Read the command line and make what it names."""
    parser = argparse.ArgumentParser(description="Make tests/vectors/outcomes/*.json again.")
    parser.add_argument("names", nargs="*", choices=["rounds", "records", "answers"], default=[])
    parser.add_argument("--full", type=Path, help="write the answers in full to this file")
    chosen = parser.parse_args()
    names = chosen.names or ["rounds", "records", "answers"]
    if "rounds" in names:
        make_rounds()
    if "records" in names:
        make_records()
    if "answers" in names:
        make_answers(chosen.full)


if __name__ == "__main__":
    main()
