"""Outcomes, chips, records, views and answers are those that `tests/vectors/outcomes` were made of, to the last bit.

Nothing here says that they are right; other tests do. Here, they stay. The suite plays one of three cases, 10^5 rounds
where there is a kernel and a few where there is none: some 25 seconds of one core with the records and the evening.
The soak tests play everything: six minutes of rounds and four of records.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("numba", reason="rounds are played by the compiled path, which needs croupier[sim]")

from croupier.engine import get_game, list_games
from croupier.house import HouseGame
from croupier.server.operations.declaration.registry import OPERATIONS
from croupier.sim.blocks import PATHS, Path
from croupier.sim.sha256 import FEATURES
from tests.conformance.evening import Blank, spend_evening, summaries
from tests.conformance.outcomes import RECORDS, digests_of_record, digests_of_rounds, name_of, read_vectors

ALL = read_vectors("rounds")
GAMES = sorted({case["game"] for case in ALL})
# Every so many records are made in the suite; these two games take a quarter of a second for one.
STEPS = {"craps-table": 41, "lanes": 41}
STEP = 13


def cases_of(game_id: str) -> list[dict[str, Any]]:
    return [case for case in ALL if case["game"] == game_id]


def check_rounds(game_id: str, *, most: bool, step: int = 1) -> None:
    """Play the larger number of rounds, or the smaller one, of every so many cases."""
    expected, found = {}, {}
    for case in cases_of(game_id)[::step]:
        counts = sorted(map(int, case["rounds"]))[: 1 + most]
        expected[name_of(case)] = {str(count): case["rounds"][str(count)] for count in counts}
        found[name_of(case)] = digests_of_rounds(case, counts)

    assert found == expected


def check_records(game_id: str, step: int) -> None:
    (expected,) = (case["records"] for case in read_vectors("records") if case["game"] == game_id)
    cases = cases_of(game_id)
    numbers = range(0, RECORDS, step)

    assert len(expected) == RECORDS
    assert {n: digests_of_record(cases, n) for n in numbers} == {n: expected[n] for n in numbers}


@pytest.mark.parametrize("game_id", list_games())
def test_every_policy_is_there_under_two_sets_of_options_and_in_both_modes(game_id: str) -> None:
    game, cases = get_game(game_id), cases_of(game_id)
    names = {name_of(case) for case in cases}
    played = {case.get("policy") for case in cases} | {bot for case in cases for bot in case.get("bots", ())}

    assert len(names) == len(cases)
    assert played >= set(game.bots)
    assert len({str(case["options"]) for case in cases}) > 1
    if isinstance(game, HouseGame):
        assert names == {name.replace("super", "plain") for name in names} | {
            name.replace("plain", "super") for name in names
        }


def test_a_million_rounds_are_digested_unless_bots_play() -> None:
    counts = {name_of(case): list(case["rounds"]) for case in ALL if "bots" not in case}

    assert len(counts) > 200
    assert {name for name, found in counts.items() if found != ["100000", "1000000"]} == set()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_hundred_thousand_rounds_come_to_what_they_did(game_id: str) -> None:
    check_rounds(game_id, most=False, step=3)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
@pytest.mark.parametrize("step", [100, pytest.param(1, marks=pytest.mark.soak)], ids=["one case", "every case"])
@pytest.mark.parametrize("game_id", sorted({case["game"] for case in ALL if "bots" not in case}))
def test_rounds_come_to_the_same_however_their_streams_are_hashed(
    game_id: str, step: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing := path.features - FEATURES:
        pytest.skip(f"this processor lacks what {path.name} needs: {' '.join(sorted(missing))}")
    monkeypatch.setenv("CROUPIER_HASH_PATH", path.name)
    check_rounds(game_id, most=False, step=step)


@pytest.mark.soak
@pytest.mark.parametrize("game_id", GAMES)
def test_a_million_rounds_come_to_what_they_did(game_id: str) -> None:
    check_rounds(game_id, most=True)


@pytest.mark.parametrize("game_id", GAMES)
def test_some_records_and_views_are_what_they_were(game_id: str) -> None:
    check_records(game_id, STEPS.get(game_id, STEP))


@pytest.mark.soak
@pytest.mark.parametrize("game_id", GAMES)
def test_all_records_and_views_are_what_they_were(game_id: str) -> None:
    check_records(game_id, 1)


def test_every_answer_of_an_evening_is_what_it_was() -> None:
    answers = spend_evening()

    found, expected = summaries(answers), read_vectors("answers")
    differing = [(now, before) for now, before in zip(found, expected, strict=False) if now != before]
    assert differing == []
    assert len(found) == len(expected)


def test_the_evening_has_a_good_answer_to_every_request_there_is() -> None:
    asked = [row["request"].partition("?")[0] for row in read_vectors("answers") if row["status"] < 400]
    missing = [
        f"{route.method} {route.path}"
        for route in OPERATIONS
        if not any(re.fullmatch(f"{route.method} {re.sub('{[a-z_]+}', '[^/]+', route.path)}", one) for one in asked)
    ]

    assert missing == []


def test_blanks_are_made_of_ids_times_and_secrets_and_of_nothing_else() -> None:
    player, room = "p_" + "a" * 20, "m_" + "b" * 20
    told = {
        "id": room,
        "by": f"player/{player}",
        "again": [player, room],
        "code": "K7Q2XW",
        "at": 1_800_000_000_000,
        "seed": "0f" * 32,
        "token": "x" * 43,
        player: {"code": "no_seed", "chips": 1_000_000, "cards": "K7Q2XW", "price": "1/37"},
    }

    assert Blank()(told) == {
        "id": "m_1",
        "by": "player/p_2",
        "again": ["p_2", "m_1"],
        "code": "<code>",
        "at": "<time>",
        "seed": "<64 hex>",
        "token": "<secret>",
        "p_2": {"code": "no_seed", "chips": 1_000_000, "cards": "K7Q2XW", "price": "1/37"},
    }
