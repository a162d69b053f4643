"""Published sessions of roulette, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws, its own layout, its own prices. The file was
written with it.
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.roulette import rules
from croupier.house import process_game_move, settle
from croupier.rng import GameRng
from tests.games.roulette.facts import KIT
from tests.games.second_stream import accounts, below, bets_in, lit, moves, super_stream, vectors

FILE = vectors("roulette")
CASES: list[dict[str, Any]] = FILE["cases"]

# The second calculation. The double zero is 37.

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
NUMBERS = set(range(1, 37))
HALVES = {
    1: ("red", RED),
    2: ("black", NUMBERS - RED),
    3: ("even", set(range(2, 37, 2))),
    4: ("odd", set(range(1, 37, 2))),
    5: ("low", set(range(1, 19))),
    6: ("high", set(range(19, 37))),
}
NEAR_ZERO = {  # splits and trios by the sum of their pockets
    14: {1: {0, 1}, 2: {0, 2}, 3: {0, 3}, 37: {0, 37}, 39: {37, 2}, 40: {37, 3}},
    15: {3: {0, 1, 2}, 5: {0, 2, 3}, 39: {0, 37, 2}, 42: {37, 2, 3}},
}


def lit_numbers(case: dict[str, Any]) -> dict[int, int]:
    source = super_stream(case)
    return lit(case, 37, 5 + next(source) % 3, {50: 4500, 100: 8000, 150: 9500, 200: 9900, 400: 10000}, source)


def read_bet(kind: int, number: int) -> tuple[str, set[int], int]:
    """Return a bet's name, the pockets it covers and what it pays to 1."""
    if kind in HALVES:
        word, covered = HALVES[kind]
        return word, covered, 1
    if kind == 7:
        return f"dozen:{number + 1}", set(range(12 * number + 1, 12 * number + 13)), 2
    if kind == 8:
        return f"column:{number + 1}", set(range(number + 1, 37, 3)), 2
    if kind in (16, 17):
        return ("first_four", {0, 1, 2, 3}, 8) if kind == 16 else ("top_line", {0, 37, 1, 2, 3}, 6)
    word, steps = {
        0: ("straight", (0,)),
        9: ("split", (0, 1)),
        10: ("split", (0, 3)),
        11: ("street", (0, 1, 2)),
        12: ("corner", (0, 1, 3, 4)),
        13: ("six_line", (0, 1, 2, 3, 4, 5)),
        14: ("split", ()),
        15: ("trio", ()),
    }[kind]
    covered = {number + step for step in steps} or NEAR_ZERO[kind][number]
    shown = sorted(covered, key=lambda pocket: 0.5 if pocket == 37 else pocket)
    name = word + ":" + "-".join("00" if pocket == 37 else str(pocket) for pocket in shown)
    return name, covered, 36 // len(covered) - 1


def first_return(kind: int, number: int, stake: int, pocket: int, case: dict[str, Any]) -> int | None:
    """Return what the first spin hands back; None for a bet that is imprisoned."""
    _, covered, price = read_bet(kind, number)
    if case["super"] and kind == 0 and number != 37:
        price = lit_numbers(case).get(pocket, 30)
    if pocket in covered:
        return stake + stake * price
    if pocket == 0 and kind in HALVES:
        return {"la_partage": stake // 2, "en_prison": None, "en_prison_repeat": None}.get(
            case["options"]["zero_rule"], 0
        )
    return 0


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed and its moves alone."""
    down: dict[tuple[int, int], int] = {}
    pockets: list[int] = []
    lines: list[list[Any]] = []
    fees = 0
    for opcode, payload, source in moves(case):
        for kind, number, stake in bets_in(payload, 4):
            down[kind, number] = down.get((kind, number), 0) + stake
            fees += stake // 5 if case["super"] and kind == 0 and number != 37 else 0
        if opcode == 2:
            down = {}
        if opcode not in (1, 4):
            continue
        assert down
        wheel = 38 if case["options"]["zero_rule"] == "double_zero" else 37
        pocket = below(source, wheel)
        pockets.append(pocket)
        for (kind, number), stake in list(down.items()):
            name, covered, _ = read_bet(kind, number)
            returned: int | None = stake if pocket in covered else 0
            if len(pockets) == 1:
                returned = first_return(kind, number, stake, pocket, case)
            elif pocket == 0 and case["options"]["zero_rule"] == "en_prison_repeat":
                returned = None
            if returned is not None:
                lines.append([name, stake, returned])
                del down[kind, number]
    assert not down
    return {
        "pockets": pockets,
        "lit": [[number, times] for number, times in lit_numbers(case).items()],
        **accounts(lines, fees),
    }


# The tests.


def test_the_sessions_show_every_kind_won_and_lost():
    """Returns of six chips in plain sessions, by kind of bet; half a stake and a freed one for even money."""
    seen: dict[str, set[int]] = {}
    for case in CASES:
        for bet, stake, returned in case["lines"]:
            if stake == 6 and not case["super"]:
                seen.setdefault(bet.split(":")[0], set()).add(returned)

    pays = {"straight": 216, "dozen": 18, "column": 18, "split": 108, "street": 72, "corner": 54, "six_line": 36}
    pays |= {"trio": 72, "first_four": 54, "top_line": 42}
    assert seen == {word: {0, 3, 6, 12} for word, _ in HALVES.values()} | {word: {0, won} for word, won in pays.items()}


def drawn(rng: GameRng, case: dict[str, Any]) -> dict[str, Any]:
    return {"pocket": rules.spin(rng, rules.DOUBLE_ZERO_WHEEL if case["pockets"] == 38 else rules.STANDARD)}


@pytest.mark.parametrize("case", FILE["pays"], ids=lambda case: f"session {case['session_id']}")
def test_the_published_sessions_pay_what_is_published_on_their_streams(case):
    """Its moves are counted otherwise; on the streams that it draws from everything is as it says."""
    seed, session_id = bytes.fromhex(case["seed"]), int(case["session_id"])
    options = {"zero_rule": case["zero_rule"]}
    session = KIT.opened(session_id=session_id, seed=seed, options=options)
    for payload, move in case["moves"]:
        session, result = process_game_move(session, bytes.fromhex(payload), GameRng.new(seed, session_id, move))
        session = settle(session, result)

    assert session.is_complete
    assert (session.money.staked, session.money.returned) == (case["staked"], case["returned"])
