"""Published sessions of casino war, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws, its own order of ranks, its own prices. The file
was written with it.
"""

from __future__ import annotations

from typing import Any

from tests.games.second_stream import accounts, draw, marked, moves, vectors

FILE = vectors("casino-war")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.

LOW_TO_HIGH = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0)


def gap(player: int, dealer: int) -> int:
    return LOW_TO_HIGH.index(player % 13) - LOW_TO_HIGH.index(dealer % 13)


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed, its stake and its moves alone."""
    stake, tie_stake = case["stake"], 0
    player: list[int] = []
    dealer: list[int] = []
    lines: list[list[Any]] = []
    ranks = marked(case, 13, 3)
    for opcode, payload, source in moves(case):
        if opcode == 3:
            tie_stake = int.from_bytes(payload[2:], "big")
        elif opcode == 0:
            pack = sorted(6 * list(range(52)))
            player, dealer = draw(source, pack), draw(source, pack)
            is_tie = gap(player[0], dealer[0]) == 0
            if tie_stake:
                lines.append(["tie", tie_stake, tie_stake * (1 + case["options"]["tie_pays"]) if is_tie else 0])
            if not is_tie:
                won = gap(player[0], dealer[0]) > 0
                boost = 2 if player[0] % 13 in ranks else 1
                lines.append(["main", stake, stake + stake * boost if won else 0])
        elif opcode == 2:
            lines.append(["main", stake, 1 if stake == 1 else stake // 2])
        else:
            pack = sorted(6 * list(range(52)))
            pack.remove(player[0])
            pack.remove(dealer[0])
            five = draw(source, pack, 5)
            player.append(five[3])
            dealer.append(five[4])
            ahead = gap(player[1], dealer[1])
            boost = 4 if player[0] % 13 in ranks else 2 if player[1] % 13 in ranks else 1
            bonus = stake if ahead == 0 and case["options"]["second_tie_bonus"] else 0
            lines.append(["main", stake, stake + stake * (boost - 1) if ahead >= 0 else 0])
            lines.append(["raise", stake, 2 * stake + bonus if ahead >= 0 else 0])
    return {"player": player, "dealer": dealer, "marked": ranks, **accounts(lines, stake // 5 if case["super"] else 0)}


# The tests.


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
