"""Published sessions: played by the engine, worked out a second time, and what was published besides.

A game's `test_vectors.py` has the second calculation, `work_out`, which shares nothing with the package, and in `FILE`
its vectors; it or its `facts.py` has the game in `KIT`. Where a state does not have what is published under the same
names, `shown` there makes it of the state. Where single draws were published, `drawn` there makes them of a stream.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from croupier.house import ErrorKind, GameError, generate_super_multipliers, process_game_move
from croupier.rng import GameRng

SHOWN = {"pockets", "dice", "player", "banker", "dealer", "hole", "board", "extra", "outcome"}
SHOWN |= {"cards", "guesses", "factor", "streak"}
LEFT_OUT = {  # with a reason each
    "baccarat": 8,  # seven published, one of V12
    "blackjack": 11,  # the ten sessions published, and the bytes of a state
    "casino_war": 6,  # five published, one of V12
    "craps": 4,
    "hi_lo": 7,
    "roulette": 5,
    "sic_bo": 5,
    "three_card_poker": 10,  # all that were published: two sessions, six hands, two digests
    "ultimate_texas_holdem": 10,  # the eight lines published, and its two bulk digests
    "video_poker": 5,  # four published, one of V12
}
DRAWS = {"baccarat": "streams", "craps": "rolls", "hi_lo": "draws", "roulette": "spins", "sic_bo": "rolls"}
UNORDERED = {"blackjack"}  # the order in which its bets are settled is not published


VECTORS: dict[str, Any] = {folder: import_module(f"tests.games.{folder}.test_vectors") for folder in LEFT_OUT}
KITS: dict[str, Any] = {
    folder: (module if hasattr(module, "KIT") else import_module(f"tests.games.{folder}.facts")).KIT
    for folder, module in VECTORS.items()
}


def per_case(field: str) -> Any:
    """Return the mark that runs a test with every case that the vectors of a game have under this name."""
    rows = [
        pytest.param(folder, case, id=f"{folder}-{case.get('about', number)}")
        for folder, module in VECTORS.items()
        for number, case in enumerate(module.FILE.get(field, ()))
    ]
    return pytest.mark.parametrize(("folder", "case"), rows)


def lit(case: dict[str, Any], entries: Any) -> Any:
    """Return what was lit in the form of a case; what is marked has a multiplier of one."""
    found = [[entry.id, entry.multiplier] for entry in entries]
    if "lit" in case:
        return found, case["lit"]
    return found, [[number, 1] for number in case.get("marked", ())]


@per_case("cases")
def test_a_session_gives_what_is_published(folder, case):
    state = KITS[folder].published(case, in_order=folder not in UNORDERED).match.game

    if hasattr(VECTORS[folder], "shown"):
        shown = VECTORS[folder].shown(state)
    else:
        shown = {field: getattr(state, field) for field in SHOWN & case.keys()}
    assert shown
    for field, value in shown.items():
        assert (list(value) if isinstance(value, tuple) else value) == case[field], field
    found, expected = lit(case, state.lit)
    assert found == expected


@per_case("cases")
def test_the_second_calculation_gives_what_is_published(folder, case):
    found = VECTORS[folder].work_out(case)

    assert found == {field: case[field] for field in found}
    assert {"lines", "staked", "returned", "fees"} <= found.keys()


@per_case("lit")
def test_super_sessions_light_what_was_published(folder, case):
    seed, session_id = bytes.fromhex(case["seed"]), int(case["session_id"])
    found, expected = lit(case, generate_super_multipliers(KITS[folder].game, seed, session_id))

    assert found == expected


@pytest.mark.parametrize(
    ("folder", "case"), [(folder, case) for folder, field in DRAWS.items() for case in VECTORS[folder].FILE[field]]
)
def test_cards_dice_pockets_and_streams_are_those_published(folder, case):
    rng = GameRng.new(bytes.fromhex(case["seed"]), int(case["session_id"]), case["move_number"])
    found = VECTORS[folder].drawn(rng, case)

    assert found == {field: case[field] for field in found}


@pytest.mark.parametrize(
    ("folder", "payload"),
    [(folder, payload) for folder in KITS for payload in VECTORS[folder].FILE.get("invalid_payloads", ())],
)
def test_payloads_that_were_refused_or_are_gone_are_refused(folder, payload):
    stream = GameRng.new(KITS[folder].seed, 1, 1)
    with pytest.raises(GameError) as no:
        process_game_move(KITS[folder].opened(100, session_id=1), bytes.fromhex(payload), stream)
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD
    assert stream.bytes_used == 0


@pytest.mark.parametrize("folder", LEFT_OUT)
def test_every_published_answer_holds_or_is_left_out_with_a_reason(folder):
    left_out = VECTORS[folder].FILE["left_out"]

    assert len(left_out) == LEFT_OUT[folder]
    assert all(row["what"] and row["reason"] for row in left_out)
