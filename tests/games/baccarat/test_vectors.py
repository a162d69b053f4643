"""Published sessions of baccarat, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws, its own drawing table, its own prices. The file
was written with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.rng import GameRng
from tests.games.second_stream import accounts, below, draw, lit, moves, super_stream, vectors

FILE = vectors("baccarat")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.

BET_NAMES = ["player", "banker", "tie", "player_pair", "banker_pair", "lucky_six"]
BET_NAMES += ["player_dragon", "banker_dragon", "panda_eight", "perfect_pair"]
VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
# The rules page: to which third cards of Player Banker draws, by its total.
BANKER_DRAWS_TO = ("0123456789",) * 3 + ("012345679", "234567", "4567", "67", "")
Hand = list[int]


def total(hand: Hand) -> int:
    return sum(VALUES[card % 13] for card in hand) % 10


def deal(source: Iterator[int]) -> tuple[Hand, Hand]:
    pack = sorted(8 * list(range(52)))
    player, banker = draw(source, pack, 2), draw(source, pack, 2)
    if total(player) < 8 and total(banker) < 8:
        banker_draws = total(banker) < 6
        if total(player) < 6:
            player += draw(source, pack)
            banker_draws = str(VALUES[player[2] % 13]) in BANKER_DRAWS_TO[total(banker)]
        if banker_draws:
            banker += draw(source, pack)
    return player, banker


def lit_cards(case: dict[str, Any]) -> list[list[int]]:
    source = super_stream(case)
    chance = below(source, 10000) if case["super"] else 0
    count = 3 + (chance >= 6000) + (chance >= 9000)
    found = lit(case, 52, count, {2: 4500, 3: 8000, 4: 9500, 5: 9900, 8: 10000}, source)
    return [[card, times] for card, times in found.items()]


def pairs_of(player: Hand, banker: Hand) -> set[str]:
    """Return which first two cards are a pair, and which of those are the same card."""
    hands = {"player": player, "banker": banker}
    found = {f"{side}_pair" for side, hand in hands.items() if hand[0] % 13 == hand[1] % 13}
    return found | {f"{side}_perfect" for side, hand in hands.items() if hand[0] == hand[1]}


def profit(bet: str, stake: int, found: Any, pairs: set[str], tie_pays: int = 9, pair_pays: int = 12) -> int:
    """Return what a bet wins, 0 for a push, minus the stake for a loss; found are totals and counts of both hands."""
    player, banker, player_count, banker_count = found
    own, other, count = (banker, player, banker_count) if bet.startswith("banker") else (player, banker, player_count)
    gap, pays = own - other, -1
    if bet in ("player", "banker"):
        pays = (gap > 0) - (gap < 0)
    elif bet == "tie" and gap == 0:
        pays = tie_pays
    elif bet in pairs:
        pays = pair_pays
    elif bet.endswith("dragon"):
        by_gap = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}
        pays = min(gap, 1) if count == 2 and own > 7 and gap >= 0 else by_gap.get(gap, -1)
    elif bet == "lucky_six" and banker == 6 > player:
        pays = 12 if banker_count == 2 else 23
    elif bet == "panda_eight" and player == 8 > banker and player_count == 3:
        pays = 25
    elif bet == "perfect_pair":
        pays = (-1, 25, 250)[len(pairs & {"player_perfect", "banker_perfect"})]
    return stake // 2 if bet == "banker" and pays > 0 and banker == 6 else stake * pays


def boosted(bet: str, stake: int, player: Hand, banker: Hand, case: dict[str, Any], light: list[list[int]]) -> int:
    """Return what a bet wins in a session, with the boost of the cards that are lit."""
    found, options = (total(player), total(banker), len(player), len(banker)), case["options"]
    tie_pays = 6 if case["super"] else options["tie_pays"]
    won = profit(bet, stake, found, pairs_of(player, banker), tie_pays, options["pair_pays"])
    if case["super"] and won > 0 and bet in ("player", "banker", "tie"):
        boost = 1
        for card in {"player": player, "banker": banker, "tie": player + banker}[bet]:
            boost *= next((times for lit_card, times in light if lit_card == card), 1)
        won *= min(boost, 512)
    return won


def bets_in(data: bytes) -> list[tuple[str, int]]:
    """Return the bets of nine bytes each that a payload ends with."""
    parts = [data[at : at + 9] for at in range(0, len(data), 9)]
    return [(BET_NAMES[part[0]], int.from_bytes(part[1:], "big")) for part in parts]


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed and its moves alone."""
    down: dict[str, int] = {}
    fees = 0
    player: Hand = []
    banker: Hand = []
    for opcode, payload, source in moves(case):
        laid = {0: payload[2:], 3: payload[3:]}.get(opcode, b"")
        for bet, stake in bets_in(laid):
            down[bet] = down.get(bet, 0) + stake
            fees += stake // 5 if case["super"] and bet in ("player", "banker", "tie") else 0
        if opcode == 2:
            down = {}
        if opcode in (1, 3):
            player, banker = deal(source)
    light = lit_cards(case)
    lines = [[bet, stake, stake + boosted(bet, stake, player, banker, case, light)] for bet, stake in down.items()]
    return {"player": player, "banker": banker, "lit": light, **accounts(lines, fees)}


# The tests.


def drawn(rng: GameRng, case: dict[str, Any]) -> dict[str, Any]:
    return {"block_starts": rng.state().hex()[: len(case["block_starts"])]}


def test_the_sessions_show_every_price_of_every_bet():
    """Return per seven chips staked, plain sessions at the usual prices: a push is 7, a loss is 0."""
    usual = {"tie_pays": 9, "pair_pays": 12}
    seen: dict[str, set[int]] = {bet: set() for bet in BET_NAMES}
    for case in CASES:
        if not case["super"] and case["options"] == usual:
            for bet, stake, returned in case["lines"]:
                if stake == 7:
                    seen[bet].add(returned)

    dragon = {0, 7, 14, 21, 35, 49, 77, 217}
    assert seen == {
        "player": {0, 7, 14},
        "banker": {0, 7, 10, 14},
        "tie": {0, 70},
        "player_pair": {0, 91},
        "banker_pair": {0, 91},
        "lucky_six": {0, 91, 168},
        "player_dragon": dragon,
        "banker_dragon": dragon,
        "panda_eight": {0, 182},
        "perfect_pair": {0, 182, 1757},
    }
