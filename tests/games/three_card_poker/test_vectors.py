"""Published sessions of three card poker, played by the engine and worked out a second time from SHA-256.

The calculation here shares nothing with the package: its own draws, its own order of hands, its own prices. The file
was written with it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.games.second_poker import HANDS, name_of, pips
from tests.games.second_stream import accounts, draw, marked, moves, vectors

FILE = vectors("three-card-poker")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.


SIX_CARD = dict(zip(HANDS[3:], (7, 10, 15, 20, 100, 200, 1000), strict=True))
THREE = ["high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"]


def three_value(cards: list[int]) -> tuple[str, list[int]]:
    """Return what three cards are, and the ranks that decide among their like."""
    ranks = pips(cards)
    is_flush = len({card // 13 for card in cards}) == 1
    top = 3 if ranks == [14, 3, 2] else ranks[0] if ranks == [ranks[0], ranks[0] - 1, ranks[0] - 2] else 0
    if top:
        return ("straight_flush" if is_flush else "straight"), [top]
    by_count = [rank for rank, _ in sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))]
    if len(by_count) < 3:
        return {1: "three_of_a_kind", 2: "pair"}[len(by_count)], by_count
    return ("flush" if is_flush else "high_card"), ranks


def beats(one: list[int], other: list[int]) -> int:
    """Return 1, 0 or -1: whether one hand is better than the other, as good, or worse."""
    (kind, ranks), (other_kind, other_ranks) = three_value(one), three_value(other)
    mine, theirs = (THREE.index(kind), ranks), (THREE.index(other_kind), other_ranks)
    return (mine > theirs) - (mine < theirs)


def qualifies(cards: list[int], qualifier: str) -> bool:
    kind, ranks = three_value(cards)
    return kind != "high_card" or ranks >= ([12] if qualifier == "queen" else [12, 6, 4])


def boost(cards: list[int], suits: list[int]) -> int:
    kind, _ = three_value(cards)
    most = max((sum(card // 13 == suit for card in cards) for suit in suits), default=0)
    if most == 3:
        return 15 if kind == "straight_flush" else 4
    return 1 if most < 2 else 3 if kind == "straight" else 2


def side_returns(player: list[int], dealer: list[int], stakes: dict[str, int]) -> dict[str, int]:
    kind, ranks = three_value(player)
    pair_plus = {"pair": 1, "flush": 3, "straight": 6, "three_of_a_kind": 30, "straight_flush": 40}
    progressive = {"straight": 6, "three_of_a_kind": 60, "straight_flush": 70}
    jackpot = progressive.get(kind, 0)
    if kind == "straight_flush" and ranks == [14]:
        jackpot = 10_000 if player[0] < 13 else 500
    six = SIX_CARD.get(name_of(player + dealer), 0)
    return {
        "pair_plus": stakes["pair_plus"] * (pair_plus[kind] + 1) if kind in pair_plus else 0,
        "six_card": stakes["six_card"] * (six + 1) if six else 0,
        "progressive": stakes["progressive"] * jackpot,
    }


def ante_and_play(outcome: str, kind: str, stake: int, times: int) -> tuple[int, int]:
    bonus = {"straight": 1, "three_of_a_kind": 4, "straight_flush": 5}.get(kind, 0) * stake
    ante, play = {
        "folded": (0, 0),
        "not_qualified": (2 * stake + bonus, stake),
        "won": (2 * stake + bonus, 2 * stake),
        "tied": (stake + bonus, stake),
        "lost": (bonus, 0),
    }[outcome]
    if ante > stake:
        ante += (ante - stake) * (times - 1) * 2 // 5
    return ante, play


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed, its stake and its moves alone."""
    stake, stakes = case["stake"], {"pair_plus": 0, "six_card": 0, "progressive": 0}
    setting = {3: "pair_plus", 5: "six_card", 6: "progressive"}
    player: list[int] = []
    dealer: list[int] = []
    suits, outcome = marked(case, 4, 2), ""
    for opcode, payload, source in moves(case):
        fields = payload[2:]
        if opcode in setting:
            stakes[setting[opcode]] = int.from_bytes(fields, "big")
        elif opcode == 7:
            stakes = {bet: int.from_bytes(fields[8 * i : 8 * i + 8], "big") for i, bet in enumerate(stakes)}
        if opcode in (2, 7):
            player = draw(source, list(range(52)), 3)
        elif opcode in (1, 4):
            dealer = draw(source, [card for card in range(52) if card not in player], 3)
            outcome = {1: "won", 0: "tied", -1: "lost"}[beats(player, dealer)]
            if not qualifies(dealer, case["options"]["qualifier"]):
                outcome = "not_qualified"
            if opcode == 1:
                outcome = "folded"
    kind, _ = three_value(player)
    ante, play = ante_and_play(outcome, kind, stake, boost(player, suits))
    lines = [["ante", stake, ante]]
    if outcome != "folded":
        lines.append(["play", stake, play])
    sides = side_returns(player, dealer, stakes)
    lines += [[bet, stakes[bet], sides[bet]] for bet in stakes if stakes[bet]]
    return {
        "player": player,
        "dealer": dealer,
        "outcome": outcome,
        "marked": suits,
        **accounts(lines, stake // 5 if case["super"] else 0),
    }


# The tests.


def test_the_sessions_show_every_ending_every_price_and_every_boost():
    endings = {(case["outcome"], case["options"]["qualifier"]) for case in CASES if not case["super"]}
    assert {(outcome, "queen") for outcome in ("folded", "not_qualified", "won", "tied", "lost")} <= endings
    assert {("not_qualified", "q64"), ("won", "q64")} <= endings
    assert {case["result"] for case in CASES} == {"Win", "Push", "Loss", "LossPreDeducted"}

    prices: dict[str, set[int]] = {}
    for case in CASES:
        for bet, stake, returned in case["lines"]:
            prices.setdefault(bet, set()).add(returned // stake)
    assert prices["pair_plus"] == {0, 2, 4, 7, 31, 41}
    assert prices["six_card"] == {0, 8, 11, 16, 21, 101, 201, 1001}
    assert prices["progressive"] == {0, 6, 60, 70, 500, 10_000}

    boosts = {boost(case["player"], case["marked"]) for case in CASES if case["super"] and case["outcome"] == "won"}
    assert boosts == {1, 2, 3, 4, 15}
