"""Published sessions of sic bo, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws, its own reading of the bets, its own prices. The
file was written with it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from croupier.games.sic_bo import rules
from croupier.house import process_game_move
from croupier.rng import GameRng
from tests.games.second_stream import accounts, below, bets_in, moves, super_stream, vectors
from tests.games.sic_bo.facts import KIT

FILE = vectors("sic-bo")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation.

WORDS = ["small", "big", "odd", "even", "triple", "any_triple", "double", "total", "single"]
WORDS += ["domino", "easy_hop", "hard_hop", "four_faces"]
TOTALS = {
    "macau": {3: 180, 4: 50, 5: 18, 6: 14, 7: 12, 8: 8, 9: 6, 10: 6},
    "atlantic_city": {3: 180, 4: 60, 5: 30, 6: 17, 7: 12, 8: 8, 9: 6, 10: 6},
}
TRIPLES = {"macau": (150, 24, 8), "atlantic_city": (180, 30, 10)}  # a triple, any triple, a double


def lit_totals(case: dict[str, Any]) -> dict[int, int]:
    if not case["super"]:
        return {}
    source = super_stream(case)
    lit: dict[int, int] = {}
    while len(lit) < 3:
        total = 4 + next(source) % 14
        if total in lit:
            continue
        byte = next(source)
        near = min(total, 21 - total)  # 4 to 10
        lit[total] = 2 + byte % 2 if near == 10 else 4 + byte % 4 if near in (7, 8) else 8 + byte % 23
    return lit


def read_bet(kind: int, number: int) -> tuple[str, list[int]]:
    """Return a bet's word and the faces or the total it names."""
    word = WORDS[kind]
    if word in ("domino", "hard_hop"):
        return word, [number // 16, *([number // 16] if word == "hard_hop" else []), number % 16]
    if word in ("easy_hop", "four_faces"):
        return word, [face for face in range(1, 7) if f"{number:06b}"[6 - face] == "1"]
    return word, [number] if number else []


def pays(word: str, named: list[int], dice: list[int], table: str) -> int:
    """Return what a bet pays to 1, 0 where it loses."""
    total, shown = sum(dice), sorted(dice)
    is_triple = shown[0] == shown[2]
    triple, any_triple, double = TRIPLES[table]
    prices = {
        "small": not is_triple and total < 11,
        "big": not is_triple and total > 10,
        "odd": not is_triple and total % 2,
        "even": not is_triple and total % 2 == 0,
        "triple": triple * (shown == named * 3),
        "any_triple": any_triple * is_triple,
        "double": double * (dice.count(named[0]) > 1 if named else 0),
        "total": TOTALS[table][min(total, 21 - total)] * ([total] == named),
        "single": dice.count(named[0]) if named else 0,
        "domino": 5 * (set(named) <= set(dice)),
        "easy_hop": 30 * (shown == named),
        "hard_hop": 50 * (shown == sorted(named)),
        "four_faces": 7 * (len(set(dice)) == 3 and set(dice) <= set(named)),
    }
    return int(prices[word])


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed and its moves alone."""
    down: dict[tuple[int, int], int] = {}
    fees, dice = 0, []
    for opcode, payload, source in moves(case):
        for kind, number, stake in bets_in(payload, 3):
            down[kind, number] = down.get((kind, number), 0) + stake
            fees += stake // 5 if case["super"] and kind == 7 and 3 < number < 18 else 0
        if opcode == 2:
            down = {}
        if opcode in (1, 3):
            dice = [1 + below(source, 6) for _ in range(3)]
    lit = lit_totals(case)
    lines = []
    for (kind, number), stake in down.items():
        word, named = read_bet(kind, number)
        won = stake * pays(word, named, dice, case["options"]["pay_table"])
        if word == "total":
            won = won * (9 + lit.get(number, 1)) // 10
        bet = ":".join([word, *(["-".join(map(str, named))] if named else [])])
        lines.append([bet, stake, stake + won if won else 0])
    return {"dice": dice, "lit": [[total, times] for total, times in lit.items()], **accounts(lines, fees)}


# The tests.


def test_the_sessions_show_every_kind_won_and_lost_under_both_pay_tables():
    """Returns of seven chips in plain sessions, by kind of bet."""
    seen: dict[str, dict[str, set[int]]] = {"macau": {}, "atlantic_city": {}}
    for case in CASES:
        for bet, stake, returned in case["lines"]:
            if stake == 7 and not case["super"]:
                seen[case["options"]["pay_table"]].setdefault(bet.split(":")[0], set()).add(returned)

    pays = dict.fromkeys(["small", "big", "odd", "even"], 14) | {"domino": 42, "easy_hop": 217, "hard_hop": 357}
    pays["four_faces"] = 56
    macau = pays | {"triple": 1057, "any_triple": 175, "double": 63}
    atlantic_city = pays | {"triple": 1267, "any_triple": 217, "double": 77}
    for table, prices, totals in (
        ("macau", macau, {0, 1267, 357, 133, 105, 91, 63, 49}),
        ("atlantic_city", atlantic_city, {0, 1267, 427, 217, 126, 91, 63, 49}),
    ):
        others = {"single": {0, 14, 21, 28}, "total": totals}
        assert seen[table] == {word: {0, won} for word, won in prices.items()} | others


def drawn(rng: GameRng, case: dict[str, Any]) -> dict[str, Any]:
    dice = [0, 0, 0]
    rules.draw(rng, dice, (), [])
    return {"dice": dice}


@pytest.mark.parametrize("case", FILE["bulk"], ids=lambda case: case["pay_table"])
def test_a_thousand_batches_hash_to_the_published_value(case):
    """The published hash is over other records of state; they are put together here from what the engine gives."""
    seed, rules_byte = bytes.fromhex(case["seed"]), 1 if case["pay_table"] == "atlantic_city" else 0
    digest, total = sha256(), 0
    for number in range(case["session_count"]):
        face = 1 + number % 6
        bets = [(0, 0), (1, 0), (2, 0), (3, 0), (4, face), (5, 0), (6, face), (7, 3 + number % 16), (8, face)]
        bets += [(9, 0x12 + number % 5), (10, 7), (11, 0x12), (12, 15)]
        body = b"".join(bytes([*bet]) + (10).to_bytes(8, "big") for bet in bets)
        session = KIT.opened(session_id=number, seed=seed, options={"pay_table": case["pay_table"]})
        rng = GameRng.new(seed, number, case["move_number"])
        session, _ = process_game_move(session, b"\x01\x03\x0d" + body, rng)
        if rules_byte:  # there it was a move of its own
            digest.update(bytes([0, 1]) + bytes(8))
        returned = session.money.returned
        assert session.match is not None
        digest.update(b"\x0d" + body + bytes([*session.match.game.dice, rules_byte]) + returned.to_bytes(8, "big"))
        total += returned

    assert (digest.hexdigest(), total) == (case["sha256"], case["returned"])
