"""Published sessions of video poker, played by the engine and worked out a second time from SHA-256 and the rules.

The calculation here shares nothing with the package: its own draws, hands, prices and boosts. The file was written
with it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES
from croupier.games.video_poker.rules import hands
from tests.games.second_stream import accounts, draw, marked, stream, vectors
from tests.games.video_poker.facts import GAME

FILE = vectors("video-poker")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.

JACKS = {"high_pair": 1, "two_pair": 2, "three_of_a_kind": 3, "straight": 4, "straight_flush": 50, "royal_flush": 800}
FOURS = ("four_of_a_kind", "four_twos_to_fours", "four_aces")
PRICES: dict[str, dict[str, int]] = {
    "jacks_9_6": {**JACKS, "full_house": 9, "flush": 6, **dict.fromkeys(FOURS, 25)},
    "jacks_8_5": {**JACKS, "full_house": 8, "flush": 5, **dict.fromkeys(FOURS, 25)},
    "bonus_8_5": {**JACKS, "full_house": 8, "flush": 5, **dict(zip(FOURS, (25, 40, 80), strict=True))},
    "double_bonus_9_7": {**JACKS, "two_pair": 1, "straight": 5, "full_house": 9, "flush": 7},
    "deuces_wild": {"three_of_a_kind": 1, "straight": 2, "flush": 3, "full_house": 4, "four_of_a_kind": 4},
}
PRICES["double_bonus_9_7"] |= dict(zip(FOURS, (50, 80, 160), strict=True))
PRICES["deuces_wild"] |= {"straight_flush": 10, "five_of_a_kind": 16, "wild_royal_flush": 25, "four_deuces": 200}
PRICES["deuces_wild"]["royal_flush"] = 800
BOOSTS = ("1", "1.2", "2", "50", "500")  # by marked cards in the hand; any in a royal flush is the last


def name_of(cards: list[int], is_wild: bool) -> str:
    """Return what five cards are, by ranks from ace 1 to king 13."""
    deuces = [card for card in cards if card % 13 == 1] if is_wild else []
    others = [card for card in cards if card not in deuces]
    held = Counter(card % 13 + 1 for card in others)
    shape = sorted(held.values(), reverse=True)
    wild = len(deuces)
    flush = len({card // 13 for card in others}) == 1
    high = {rank if rank > 1 else 14 for rank in held}
    runs = [set(range(low, low + 5)) for low in range(1, 11)]
    straight = len(held) == 5 - wild and any(set(held) <= run or high <= run for run in runs)
    royal = flush and straight and min(high, default=0) >= 10
    if wild == 4:
        return "four_deuces"
    if royal:
        return "wild_royal_flush" if wild else "royal_flush"
    if shape[0] + wild == 5:
        return "five_of_a_kind"
    if flush and straight:
        return "straight_flush"
    if shape[0] + wild == 4:
        rank = max(held, key=lambda rank: held[rank])
        if not is_wild and rank <= 4:
            return "four_aces" if rank == 1 else "four_twos_to_fours"
        return "four_of_a_kind"
    if shape == [3, 2] or (wild == 1 and shape == [2, 2]):
        return "full_house"
    if flush or straight:
        return "flush" if flush else "straight"
    if shape[0] + wild == 3:
        return "three_of_a_kind"
    if shape == [2, 2, 1] and not is_wild:
        return "two_pair"
    if not is_wild and any(held[rank] == 2 for rank in (1, 11, 12, 13)):
        return "high_pair"
    return "nothing"


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed and its move alone."""
    source, pack = stream(case["seed"], case["session_id"], 0), list(range(52))
    dealt = draw(source, pack, 5)
    (payload,) = map(bytes.fromhex, case["moves"])
    version, opcode, mask = payload
    assert (version, opcode) == (1, 0)
    source, pack = stream(case["seed"], case["session_id"], 1), [card for card in range(52) if card not in dealt]
    cards = [card if mask >> place & 1 else draw(source, pack)[0] for place, card in enumerate(dealt)]
    table = case["options"]["pay_table"]
    hand = name_of(cards, table == "deuces_wild")
    stake = case["stake"]
    price = PRICES[table].get(hand, 0)
    returned = stake * price
    light = marked(case, 52, 4)
    if case["super"]:
        count = sum(card in light for card in cards)
        boost = Fraction(BOOSTS[4 if count and hand == "royal_flush" else count])
        if price > 1:
            returned = stake + ((returned - stake) * (1 + (boost - 1) / 25)).__floor__()
    return {
        "dealt": dealt,
        "held": [place + 1 for place in range(5) if mask >> place & 1],
        "cards": cards,
        "hand": hand,
        "marked": light,
        **accounts([["stake", stake, returned]], stake // 5 if case["super"] else 0),
    }


# The tests.


def shown(state: Any) -> dict[str, Any]:
    return {field: getattr(state, field) for field in ("dealt", "held", "cards", "hand")}


def test_the_sessions_show_every_hand_of_every_pay_table_and_every_boost():
    shown = {(case["options"]["pay_table"], case["hand"]) for case in CASES if not case["super"]}
    payable = {(table, hand) for table, prices in PRICES.items() for hand in (*prices, "nothing")}
    counts = {
        (sum(card in case["marked"] for card in case["cards"]), case["hand"] == "royal_flush")
        for case in CASES
        if case["super"] and case["returned"] > case["stake"]
    }

    assert shown == payable
    assert counts >= {(0, False), (1, False), (2, False), (3, False), (1, True)}
    assert {len(case["held"]) for case in CASES} == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("case", FILE["hands"], ids=lambda case: case["hand"])
def test_the_published_hands_are_of_their_published_kinds(case):
    """The cards come from shuffled packs there, but what they are does not depend on it."""
    assert HAND_NAMES[hands.hand_at(case["cards"], 0, False)] == case["hand"] == name_of(case["cards"], False)


def test_the_prices_here_are_those_of_the_page():
    page = GAME.rules_text()

    assert set(PRICES) == set(PAY_TABLES)
    assert "| four aces | 25 | 25 | 80 | 160 |" in page
