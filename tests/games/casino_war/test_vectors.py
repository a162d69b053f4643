"""Published sessions of casino war, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws, its own order of ranks, its own prices. The file
was written with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.casino_war import CasinoWar
from croupier.house import (
    ErrorKind,
    GameError,
    generate_super_multipliers,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.rng import GameRng
from croupier.testing import HouseKit
from tests.games.second_stream import stream

FILE = json.loads((Path(__file__).parents[2] / "vectors" / "games" / "casino-war.json").read_text())
CASES: list[dict[str, Any]] = FILE["cases"]
GAME = CasinoWar()
KIT = HouseKit(GAME)

# The second calculation.

LOW_TO_HIGH = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0)


def draw(source: Iterator[int], pack: list[int]) -> int:
    """Take a card from a pack of more than 255."""
    while True:
        word = int.from_bytes([next(source) for _ in range(4)], "big")
        if word < 4294967295 // len(pack) * len(pack):
            break
    place = word % len(pack)
    pack[place], pack[-1] = pack[-1], pack[place]
    return pack.pop()


def gap(player: int, dealer: int) -> int:
    return LOW_TO_HIGH.index(player % 13) - LOW_TO_HIGH.index(dealer % 13)


def marked_ranks(case: dict[str, Any]) -> list[int]:
    if not case["super"]:
        return []
    source = stream(case["seed"], case["session_id"], 4294967295)
    ranks: list[int] = []
    while len(ranks) < 3:
        rank = next(source) % 13
        if rank not in ranks:
            ranks.append(rank)
    return ranks


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed, its stake and its moves alone."""
    stake, tie_stake = case["stake"], 0
    player: list[int] = []
    dealer: list[int] = []
    lines: list[list[Any]] = []
    marked = marked_ranks(case)
    for move, payload in enumerate(map(bytes.fromhex, case["moves"]), 1):
        source = stream(case["seed"], case["session_id"], move)
        assert payload[0] == 1
        if payload[1] == 3:
            tie_stake = int.from_bytes(payload[2:], "big")
        elif payload[1] == 0:
            pack = sorted(6 * list(range(52)))
            player, dealer = [draw(source, pack)], [draw(source, pack)]
            is_tie = gap(player[0], dealer[0]) == 0
            if tie_stake:
                lines.append(["tie", tie_stake, tie_stake * (1 + case["options"]["tie_pays"]) if is_tie else 0])
            if not is_tie:
                won = gap(player[0], dealer[0]) > 0
                boost = 2 if player[0] % 13 in marked else 1
                lines.append(["main", stake, stake + stake * boost if won else 0])
        elif payload[1] == 2:
            lines.append(["main", stake, 1 if stake == 1 else stake // 2])
        else:
            pack = sorted(6 * list(range(52)))
            pack.remove(player[0])
            pack.remove(dealer[0])
            five = [draw(source, pack) for _ in range(5)]
            player.append(five[3])
            dealer.append(five[4])
            ahead = gap(player[1], dealer[1])
            boost = 4 if player[0] % 13 in marked else 2 if player[1] % 13 in marked else 1
            bonus = stake if ahead == 0 and case["options"]["second_tie_bonus"] else 0
            lines.append(["main", stake, stake + stake * (boost - 1) if ahead >= 0 else 0])
            lines.append(["raise", stake, 2 * stake + bonus if ahead >= 0 else 0])
    return {
        "player": player,
        "dealer": dealer,
        "marked": marked,
        "lines": lines,
        "staked": sum(line[1] for line in lines),
        "returned": sum(line[2] for line in lines),
        "fees": stake // 5 if case["super"] else 0,
    }


# The tests.


def name(case: dict[str, Any]) -> str:
    return str(case["about"])


@pytest.mark.parametrize("case", CASES, ids=name)
def test_a_session_gives_what_is_published(case):
    state = KIT.published(case).match.game
    assert [list(state.player), list(state.dealer)] == [case["player"], case["dealer"]]
    assert state.outcome == case["outcome"]
    assert [lit.id for lit in state.lit] == case["marked"]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_second_calculation_gives_what_is_published(case):
    assert work_out(case) == {field: case[field] for field in work_out(case)}


def test_the_sessions_show_every_ending():
    """Plain with and without the bonus, and super with every boost."""
    endings = {(case["outcome"], case["super"]) for case in CASES}
    shown = {"lost", "won", "surrendered", "war_lost", "war_won", "war_tied"}

    assert {(outcome, False) for outcome in shown} <= endings
    assert {(outcome, True) for outcome in shown} <= endings
    bonuses = {case["options"]["second_tie_bonus"] for case in CASES if case["outcome"] == "war_tied"}
    assert bonuses == {True, False}
    boosted = {
        (case["outcome"], line[2] // case["stake"])
        for case in CASES
        for line in case["lines"]
        if case["super"] and line[0] == "main" and line[2] >= case["stake"]
    }
    assert boosted >= {("won", 2), ("won", 3), ("war_won", 1), ("war_won", 2), ("war_won", 4), ("war_tied", 4)}


@pytest.mark.parametrize("case", FILE["lit"], ids=lambda case: f"session {case['session_id']}")
def test_ranks_are_marked_as_the_sheet_says(case):
    lit = generate_super_multipliers(GAME, bytes.fromhex(case["seed"]), int(case["session_id"]))

    assert [entry.id for entry in lit] == case["marked"]
    assert {entry.multiplier for entry in lit} == {1}


@pytest.mark.parametrize("payload", FILE["invalid_payloads"])
def test_payloads_that_the_sheet_refuses_are_refused(payload):
    seed = bytes(range(32))
    session = open_session(GAME, player="ann", session_id=1, stake=100, seed=seed)
    session, result = init_game(session, GameRng.new(seed, 1, 0))
    with pytest.raises(GameError) as no:
        process_game_move(settle(session, result), bytes.fromhex(payload))
    assert no.value.kind is ErrorKind.INVALID_PAYLOAD


def test_answers_of_the_sheets_that_do_not_hold_here_are_left_out_with_a_reason():
    assert len(FILE["left_out"]) == 6  # five of the sheet's section 13, one of casino-core V12
    assert all(row["what"] and row["reason"] for row in FILE["left_out"])
