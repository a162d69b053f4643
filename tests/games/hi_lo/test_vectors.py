"""Published sessions of hi-lo, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws, prices and rounding. The file was written with it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.games.hi_lo import rules
from croupier.rng import GameRng
from tests.games.second_stream import accounts, below, stream, vectors

FILE = vectors("hi-lo")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.

GUESSES = {0: "higher", 1: "lower", 3: "same"}
BOOSTS = (10, 13, 20, 30, 50, 80, 150, 250, 400, 700, 1200)  # tenths by right guesses, the last from ten on


def draw(case: dict[str, Any], move: int) -> int:
    """Return a card of a sorted pack."""
    return below(stream(case["seed"], case["session_id"], move), 52)


def paid(case: dict[str, Any], factor: int, right: int, card: int) -> int:
    """Return what a cash-out hands back."""
    profit = case["stake"] * (Fraction(factor, 10_000) - 1) * (1 - Fraction(case["options"]["commission_bps"], 10_000))
    won = profit.__floor__()
    if case["super"] and right:
        tenths = BOOSTS[min(right, 10)] * (2 if card % 13 == 0 else 1)
        won += (won * (Fraction(tenths, 10) - 1) / 1250).__floor__()
    return int(case["stake"] + won)


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed and its moves alone."""
    cards, guesses = [draw(case, 0)], []
    factor, right = 10_000, 0
    returned = None
    for move, payload in enumerate(map(bytes.fromhex, case["moves"]), 1):
        assert returned is None
        version, opcode = payload
        assert version == 1
        if opcode == 2:
            returned = paid(case, factor, right, cards[-1])
            continue
        rank = cards[-1] % 13
        wins = {0: range(rank + 1, 13), 1: range(rank), 3: range(rank, rank + 1)}[opcode]
        cards.append(draw(case, move))
        guesses.append(GUESSES[opcode])
        came = cards[-1] % 13
        if came in wins:
            right += 1
            factor = (Fraction(factor, 10_000) * (120_000 // len(wins))).__floor__()
            if factor >= 1_000_000_000:
                returned = paid(case, factor, right, cards[-1])
        elif came != rank or not case["options"]["tie_pushes"]:
            factor = returned = 0
    return {
        "cards": cards,
        "guesses": guesses,
        "factor": factor,
        "streak": right,
        **accounts([["stake", case["stake"], returned]], case["stake"] // 5 if case["super"] else 0),
    }


# The tests.


def test_the_sessions_show_every_price_and_every_way_to_end():
    prices, ends = set(), set()
    for case in CASES:
        steps = zip(case["cards"], case["guesses"], case["cards"][1:], strict=False)
        for number, (card, guess, came) in enumerate(steps, 1):
            rank, next_rank = card % 13, came % 13
            won = {"higher": next_rank > rank, "lower": next_rank < rank, "same": next_rank == rank}[guess]
            if won:
                prices.add({"higher": 12 - rank, "lower": rank, "same": 1}[guess])
            elif next_rank == rank and case["options"]["tie_pushes"]:
                ends.add("a push on the way")
            else:
                ends.add(f"{guess} wrong")
                assert number == len(case["guesses"])
        if case["returned"]:
            ends.add("cashed out" if case["moves"][-1] == "0102" else "cashed out by itself")
        if case["returned"] and not case["guesses"]:
            ends.add("cashed out at once")

    assert prices == set(range(1, 13))
    wrong = {"higher wrong", "lower wrong", "same wrong"}
    assert ends == {"a push on the way", "cashed out", "cashed out at once", "cashed out by itself"} | wrong


def drawn(rng: GameRng, case: dict[str, Any]) -> dict[str, Any]:
    hand = [99] * 5
    rules.deal(rng, hand, (), [])
    card = hand[rules.CARD]
    assert hand == [card, card, 0, 0, 10_000]
    return {"card": card}


@pytest.mark.parametrize("case", FILE["pays"], ids=lambda case: f"session {case['session_id']}")
def test_the_published_pots_and_returns_hold_for_their_cards(case):
    """Its cards come from shuffled packs; from these cards on everything is as it says, without commission."""
    options, hand = (0, 0, 1, 0), [0] * 5
    rules.show(case["cards"][0], hand)
    for guess, card in zip(case["guesses"], case["cards"][1:], strict=True):
        code = {"higher": rules.HIGHER, "lower": rules.LOWER, "same": rules.SAME}[guess]
        assert rules.turn_up(code, card, hand, options) == rules.GUESSING

    assert hand[rules.FACTOR] == case["factor"]
    assert rules.settle(0, 0, case["stake"], hand, options) == case["returned"]
