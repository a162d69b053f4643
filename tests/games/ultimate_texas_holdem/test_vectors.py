"""Published sessions of ultimate texas hold'em, played by the engine and worked out a second time from SHA-256.

The calculation here shares nothing with the package: its own draws, its own order of hands, its own prices. The file
was written with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.games.second_poker import HANDS, best_five, name_of
from tests.games.second_stream import accounts, draw, marked, moves, vectors

FILE = vectors("ultimate-texas-holdem")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.

BLIND = {"straight": 1, "flush": 1.5, "full house": 3, "four of a kind": 10, "straight flush": 50, "royal flush": 500}
TRIPS = dict(zip(HANDS[3:], (3, 4, 7, 9, 30, 40, 50), strict=True))
SIX_CARD = dict(zip(HANDS[3:], (7, 10, 15, 20, 100, 200, 1000), strict=True))
PROGRESSIVE = dict(zip(HANDS[3:], (15, 30, 50, 50, 300, 1000, 10_000), strict=True))
BOOSTS = dict(zip(HANDS, (1, 2, 2, 4, 3, 3, 5, 10, 15, 30), strict=True))


def left(cards: list[int]) -> list[int]:
    return [card for card in range(52) if card not in cards]


def boost_of(cards: list[int], ranks: Iterable[int]) -> int:
    """Return m of an Ante that wins, by the ranks that are marked (docs/house.md, Super mode)."""
    player, five = best_five(cards[:7])
    if not {card % 13 for card in five} & set(ranks):
        return 1
    both = {cards[0] % 13, cards[1] % 13} <= set(ranks)
    return max(BOOSTS[HANDS[player[0]]], 4 if both else 1)


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed, its stake and its moves alone."""
    ante, play = case["stake"], 0
    side = {"trips": 0, "six_card": 0, "progressive": 0}
    cards: list[int] = []
    ending = ""
    for opcode, payload, source in moves(case):
        chips = [int.from_bytes(payload[at : at + 8], "big") for at in range(2, len(payload), 8)]
        if opcode in (6, 9, 10):
            side[{6: "trips", 9: "six_card", 10: "progressive"}[opcode]] = chips[0]
        elif opcode in (5, 11):
            side |= dict(zip(side, chips, strict=False))
            cards = draw(source, list(range(52)), 2)
        elif opcode == 0:
            cards += draw(source, left(cards), 3 if len(cards) == 2 else 2)
        elif opcode in (1, 8, 2, 3):
            play = {1: 4, 8: 3, 2: 2, 3: 1}[opcode]
        else:
            assert opcode in (4, 7)
            ending = "folded" if opcode == 4 else ""
            cards += draw(source, left(cards), 9 - len(cards) + (4 if side["six_card"] else 0))
    ranks = marked(case, 13, 2)
    (player, _), (dealer, _) = best_five(cards[:7]), best_five(cards[2:9])
    qualifies = case["options"]["dealer_qualifies"] == "always" or dealer[0] > 0
    if not ending:
        ending = "tied" if player == dealer else "won" if player > dealer else "lost"
        ending += "" if qualifies or player == dealer else "_unqualified"
    hand = HANDS[player[0]]
    profit = ante + ante * (boost_of(cards, ranks) - 1) // 2
    won = ending in ("won", "won_unqualified")
    pushed = ending not in ("folded", "lost", "lost_unqualified")
    lines = [
        ["ante", ante, ante + profit if ending == "won" else 0 if ending in ("folded", "lost") else ante],
        ["blind", ante, ante + int(ante * BLIND.get(hand, 0)) * won if pushed else 0],
    ]
    if play:
        lines.append(["play", play * ante, play * ante * (2 if won else 1) if pushed else 0])
    for bet, name, prices in (
        ("trips", hand, TRIPS),
        ("six_card", name_of(cards[:2] + cards[9:]) if side["six_card"] else "", SIX_CARD),
    ):
        if side[bet]:
            lines.append([bet, side[bet], side[bet] * (1 + prices[name]) if name in prices else 0])
    if side["progressive"]:
        lines.append(["progressive", 1, PROGRESSIVE.get(name_of(cards[:5]), 0)])
    return {
        "hole": cards[:2],
        "board": cards[2:7],
        "dealer": cards[7:9],
        "extra": cards[9:],
        "hand": hand,
        "outcome": ending,
        "marked": ranks,
        **accounts(lines, ante // 5 if case["super"] else 0),
    }


# The tests.


def test_the_sessions_show_every_ending_every_raise_and_every_price():
    endings = {case["outcome"] for case in CASES if not case["super"]}
    raises = {line[1] // case["stake"] for case in CASES for line in case["lines"] if line[0] == "play"}
    paid = {(line[0], case["hand"]) for case in CASES for line in case["lines"] if line[2] > line[1]}
    boosts = {case["lines"][0][2] for case in CASES if case["super"] and case["outcome"] == "won"}

    assert endings == {"folded", "lost", "lost_unqualified", "tied", "won_unqualified", "won"}
    assert raises == {1, 2, 3, 4}
    assert {("blind", hand) for hand in HANDS[4:8]} <= paid
    assert {("trips", hand) for hand in HANDS[3:8]} <= paid
    assert {bet for bet, _ in paid} == {"ante", "blind", "play", "trips", "six_card", "progressive"}
    assert boosts >= {200, 250, 300, 350, 400}
    assert {case["options"]["dealer_qualifies"] for case in CASES} == {"pair", "always"}
