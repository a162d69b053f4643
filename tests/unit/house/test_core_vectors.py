"""The published vectors of the casino: draws in the shape of games, and what super sessions light up.

`tests/vectors/README.md` tells where the answers come from. A game that is not installed yet is tested from the day it
is.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.engine import get_game, list_games
from croupier.house import GameType, HouseGame, generate_super_multipliers, process_game_move, settle
from croupier.rng import SUPER_MOVE, GameRng
from croupier.testing import HouseKit

VECTORS = Path(__file__).parents[2] / "vectors" / "core"
FILES: dict[str, dict[str, Any]] = {path.name: json.loads(path.read_text()) for path in VECTORS.glob("*.json")}
V12, V13, V14 = "v12_game_draws.json", "v13_super_multipliers.json", "v14_bulk_super_digests.json"

# How many are published of each, and how many of those do not hold here.
COUNTS = {V12: (4, 6), V13: (20, 1), V14: (9, 0)}


def cases(file: str, **wanted: bool) -> list[Any]:
    """Return the cases of a file that have these fields or lack them, as far as their game is installed."""
    rows = [row for row in FILES[file]["cases"] if row.get("game", "hi-lo") in list_games()]
    rows = [row for row in rows if all((field in row) == there for field, there in wanted.items())]
    return [pytest.param(row, id=f"{row.get('game') or row['what']}-{number}") for number, row in enumerate(rows)]


def house_game(case: dict[str, Any]) -> HouseGame[Any]:
    game = get_game(case["game"])
    assert isinstance(game, HouseGame)
    return game


def test_no_vector_is_missing_and_what_does_not_hold_has_a_reason():
    assert {name: (len(file["cases"]), len(file.get("left_out", []))) for name, file in FILES.items()} == COUNTS
    for file in FILES.values():
        assert file["origin"].startswith("published, V1")
        assert all(row["what"] and row["reason"] for row in file.get("left_out", []))


def test_the_vectors_name_every_house_game():
    """Hi-lo lights nothing, and has no digest for it."""
    games = {case["game"] for case in FILES[V13]["cases"]}

    assert len(games) == len(GameType)
    assert {case["game"] for case in FILES[V14]["cases"]} == games - {"hi-lo"}
    assert {"baccarat", "casino-war", "hi-lo", "roulette", "sic-bo"} <= games & set(list_games())


@pytest.mark.parametrize("case", cases(V12, draw=True))
def test_a_stream_gives_the_published_dice(case):
    rng = GameRng.new(bytes.fromhex(case["seed"]), int(case["session_id"]), case["move_number"])

    assert [getattr(rng, case["draw"])(*case["args"]) for _ in case["values"]] == case["values"]


@pytest.mark.parametrize("case", cases(V12, moves=True))
def test_a_session_shows_the_published_draws(case):
    seed, session_id = bytes.fromhex(case["seed"]), int(case["session_id"])
    session = HouseKit(house_game(case), seed=seed).opened(session_id=session_id)
    for payload in case["moves"]:
        session = settle(*process_game_move(session, bytes.fromhex(payload)))

    assert {field: list(getattr(session.match.game, field)) for field in case["shows"]} == case["shows"]
    assert session.move_count == case["move_number"]


@pytest.mark.parametrize("case", cases(V13))
def test_a_super_session_lights_what_is_published_from_as_many_bytes(case):
    game, seed, session_id = house_game(case), bytes.fromhex(case["seed"]), int(case["session_id"])
    stream = GameRng.new(seed, session_id, case["move_number"])

    lit = game.super_multipliers(stream)

    assert [[entry.id, entry.multiplier] for entry in lit] == case["lit"]
    assert {int(entry.kind) for entry in lit} <= {case["kind"]}
    assert stream.bytes_used == case["bytes_used"]
    assert generate_super_multipliers(game, seed, session_id) == lit


@pytest.mark.parametrize("case", cases(V14))
def test_two_thousand_super_sessions_have_the_published_digest(case):
    game, seed = house_game(case), bytes.fromhex(case["seed"])
    digest = sha256()
    for session_id in range(case["session_count"]):
        stream = GameRng.new(seed, session_id, case["move_number"])
        for lit in game.super_multipliers(stream):
            digest.update(bytes([lit.id]) + lit.multiplier.to_bytes(2, "big") + bytes([lit.kind]))
        digest.update(bytes([stream.next_byte()]))

    assert digest.hexdigest()[:16] == case["h16"]


def test_super_mode_draws_from_the_stream_that_the_vectors_name():
    assert {case["move_number"] for file in (V13, V14) for case in FILES[file]["cases"]} == {SUPER_MOVE}
