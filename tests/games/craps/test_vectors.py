"""Published sessions of craps, played by the engine and worked out a second time from SHA-256 and the rules' page.

The second calculation shares nothing with the package. It keeps every roll and decides each bet by looking back over
the rolls since it was placed, where the package keeps trackers; the file was written with it. It also watches the
engine through hands in which every bet lies on the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest

from croupier.games.craps.layout import CrapsTable, LiveBet, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import ids, prices
from croupier.games.craps.rules.roll import roll_dice
from croupier.rng import GameRng
from tests.games.second_stream import accounts, below, moves, super_stream, vectors

FILE = vectors("craps")
CASES: list[dict[str, Any]] = FILE["cases"]
POINTS = (4, 5, 6, 8, 9, 10)

# The second calculation: names and prices.

NAMES = ["pass", "dont_pass", "come", "dont_come", "field", *(f"yes:{n}" for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12))]
NAMES += [f"no:{n}" for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)] + [f"hard:{n}" for n in (4, 6, 8, 10)]
NAMES += ["odds_pass", "odds_dont_pass", "odds_come", "odds_dont_come", "hot_roller", "fire", "twice_hard", "ride_line"]
NAMES += ["muggsy", "bonus_small", "bonus_tall", "bonus_all", "replay", "different_doubles"]
NAMES += [f"next:{n}" for n in range(2, 13)] + [f"repeater:{n}" for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]
NAMES += [f"hop:{a}-{b}" for a in range(1, 7) for b in range(a, 7)]
NAMES += ["any_craps", "horn", "world", "c_and_e", "big:6", "big:8"]

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
CASINO: dict[str, Any] = {
    "yes": {1: "11/2", 2: "11/4", 3: "9/5", 4: "7/5", 5: "7/6"}, "next": {1: 30, 2: 15, 3: 10, 4: 7, 5: "11/2", 6: 4},
    "lose": {3: "5/11", 4: "5/8", 5: "4/5"}, "hard": {3: 7, 5: 9}, "hop": {1: 30, 2: 15},
    "repeater": {1: 40, 2: 50, 3: 65, 4: 80, 5: 90}, "bonus_small": 30, "bonus_tall": 30, "bonus_all": 150,
    "twice_hard": 15, "any_craps": 7,
}  # fmt: skip
TIERS: dict[str, dict[int, int]] = {
    "fire": {4: 24, 5: 249, 6: 999}, "different_doubles": {3: 4, 4: 8, 5: 15, 6: 100},
    "hot_roller": {2: 2, 3: 4, 4: 8, 5: 16, **dict.fromkeys(range(6, 99), 32)},
    "ride_line": {2: 0, 3: 1, 4: 2, 5: 4, 6: 6, 7: 8, 8: 15, 9: 20, 10: 25, **dict.fromkeys(range(11, 99), 50)},
}  # fmt: skip


class Second:
    """A table that remembers every roll, and the bets of one player by name: stake, and roll they were placed at."""

    def __init__(self) -> None:
        self.rolls: list[tuple[int, int]] = []
        self.points: list[int] = [0]  # the point before each roll, and now
        self.up: dict[str, tuple[int, int]] = {}
        self.always: set[str] = set()

    def place(self, name: str, stake: int) -> None:
        before, placed = self.up.get(name, (0, len(self.rolls)))
        self.up[name] = before + stake, placed

    def roll(self, dice: tuple[int, int]) -> dict[str, int]:
        """Settle a roll, and return what every bet that it decides hands back."""
        total, point = sum(dice), self.points[-1]
        self.rolls.append(dice)
        verdicts = {name: self.decide(name, *entry) for name, entry in self.up.items()}
        returned = {name: chips for name, chips in verdicts.items() if chips is not None}
        left = {name: entry for name, entry in self.up.items() if name not in returned}
        self.up = {f"{name}:{total}" if name in ("come", "dont_come") else name: entry for name, entry in left.items()}
        over = point and total in (point, 7)
        self.points.append(0 if over else point or (total if total in POINTS else 0))
        return returned

    def since(self, placed: int) -> list[tuple[tuple[int, int], int]]:
        """The rolls since a bet was placed, the last included, each with the point before it."""
        return list(zip(self.rolls[placed:], self.points[placed:], strict=True))

    def decide(self, name: str, stake: int, placed: int) -> int | None:
        kind, _, number = name.partition(":")
        dice, point = self.rolls[-1], self.points[-1]
        total = sum(dice)
        if kind.startswith("odds"):
            return self.odds(kind, int(number or point), stake, name)
        if kind in ("pass", "come", "dont_pass", "dont_come"):
            return flat(kind, int(number or 0) if "come" in kind else point, total, stake)
        if kind in ("yes", "buy", "no", "lose", "hard", "big"):
            if kind in ("yes", "buy", "hard") and not point and name not in self.always:
                return None
            return number_bet(kind, int(number), dice, stake)
        if kind in ("field", "next", "hop", "any_craps", "horn", "world", "c_and_e"):
            return one_roll(kind, number, dice, stake)
        return self.progress(kind, number, stake, placed)

    def odds(self, kind: str, number: int, stake: int, name: str) -> int | None:
        total = sum(self.rolls[-1])
        if total not in (number, 7):
            return None
        if kind == "odds_come" and not self.points[-1] and name not in self.always:
            return stake
        if ("dont" in kind) == (total == number):
            return 0
        taken = Fraction(6, WAYS[number])
        return stake + int(stake * (1 / taken if "dont" in kind else taken))

    def progress(self, kind: str, number: str, stake: int, placed: int) -> int | None:
        rolls = self.since(placed)
        point = rolls[-1][1]
        totals = [sum(pair) for pair, _ in rolls]
        seven, out = totals[-1] == 7, totals[-1] == 7 and point > 0
        made = [sum(pair) for pair, before in rolls if before and sum(pair) == before]
        if kind == "muggsy":
            first = len(rolls) == 1
            if first and totals[0] in POINTS:
                return None
            return stake * (3 if first else 4) if seven else 0
        if kind in ("fire", "hot_roller", "ride_line"):
            naturals = [pair for pair, before in rolls if not before and sum(pair) in (7, 11)]
            count = {"fire": len(set(made)), "hot_roller": len(made), "ride_line": len(made) + len(naturals)}[kind]
            if not out and not (kind == "fire" and count == 6):
                return None
            return stake * (1 + TIERS[kind][count]) if count in TIERS[kind] else 0
        if kind == "replay":
            prize = max((replay(made.count(each), WAYS[each]) for each in POINTS), default=0)
            return (stake * (1 + prize) if prize else 0) if out else None
        if kind == "different_doubles":
            count = len({a for (a, b), _ in rolls if a == b})
            if not seven and count < 6:
                return None
            return stake * (1 + TIERS[kind][count]) if count in TIERS[kind] else 0
        return self.complete(kind, number, rolls, stake)

    def complete(self, kind: str, number: str, rolls: list[Any], stake: int) -> int | None:
        """Bets that pay when they are complete, and are lost with a 7."""
        totals = [sum(pair) for pair, _ in rolls]
        if kind == "repeater":
            done = totals.count(int(number)) == WAYS[int(number)] + 1
            price = CASINO["repeater"][WAYS[int(number)]]
        elif kind == "twice_hard":
            thrown = {n: [a == b for (a, b), _ in rolls if a + b == n][-2:] for n in (4, 6, 8, 10)}
            done, price = [True, True] in thrown.values(), CASINO[kind]
        else:
            wanted = {"bonus_small": range(2, 7), "bonus_tall": range(8, 13), "bonus_all": range(2, 13)}[kind]
            done, price = {*wanted} - {7} <= {*totals}, CASINO[kind]
        if done:
            return stake * (1 + int(price))
        return 0 if totals[-1] == 7 else None


def flat(kind: str, number: int, total: int, stake: int) -> int | None:
    dark = "dont" in kind
    if number:
        if total not in (number, 7):
            return None
        return 2 * stake if dark == (total == 7) else 0
    if total in POINTS:
        return None
    if dark:
        return stake * {2: 2, 3: 2, 12: 1}.get(total, 0)
    return stake * {7: 2, 11: 2}.get(total, 0)


def number_bet(kind: str, number: int, dice: tuple[int, int], stake: int) -> int | None:
    total = sum(dice)
    if total not in (number, 7):
        return None
    ways = WAYS[number]
    true = Fraction(6, ways)
    if kind in ("no", "lose"):
        if total != 7:
            return 0
        win = int(stake / true) if kind == "no" else int(stake * Fraction(CASINO["lose"][ways]))
        return stake + win - (max(1, win * 5 // 100) if kind == "no" else 0)
    if total == 7 or (kind == "hard" and dice[0] != dice[1]):
        return 0
    if kind == "buy":
        return stake + int(stake * true) - max(1, stake * 5 // 100)
    return stake + int(stake * (1 if kind == "big" else Fraction(CASINO[kind][ways])))


def one_roll(kind: str, number: str, dice: tuple[int, int], stake: int) -> int:
    total = sum(dice)
    if kind == "field":
        return stake * {2: 3, 12: 3, 3: 2, 4: 2, 9: 2, 10: 2, 11: 2}.get(total, 0)
    if kind == "next":
        return stake + int(stake * Fraction(CASINO["next"][WAYS[total]])) if total == int(number) else 0
    if kind == "hop":
        return stake * (31 if dice[0] == dice[1] else 16) if f"{min(dice)}-{max(dice)}" == number else 0
    ends, yos = total in (2, 12), total in (3, 11)
    if kind == "any_craps":
        return 8 * stake if total in (2, 3, 12) else 0
    if kind == "c_and_e":
        return stake // 2 * (8 if total in (2, 3, 12) else 16 if total == 11 else 0)
    part = stake // (4 if kind == "horn" else 5)
    return part * (31 if ends else 16 if yos else 5 if total == 7 and kind == "world" else 0)


def replay(times: int, ways: int) -> int:
    return {3: (120, 1000), 4: (95, 500), 5: (70, 100)}[ways][times > 3] if times > 2 else 0


# The second calculation: streams and payloads.


def throw_dice(source: Iterator[int]) -> tuple[int, int]:
    return 1 + below(source, 6), 1 + below(source, 6)


def lit_points(case: dict[str, Any]) -> dict[int, int]:
    if not case["super"]:
        return {}
    source = super_stream(case)
    numbers = list(POINTS)
    for place in range(3):
        other = place + next(source) % (6 - place)
        numbers[place], numbers[other] = numbers[other], numbers[place]
    return {n: 15 if below(source, 10_000) < 200 else {3: 7, 4: 4, 5: 2}[WAYS[n]] for n in numbers[:3]}


def name_of(kind: int, number: int) -> str:
    name = NAMES[kind]
    if name.startswith(("yes", "no")) and number:
        return f"{'buy' if name.startswith('yes') else 'lose'}:{name.partition(':')[2]}"
    return f"{name}:{number}" if number else name


def bets_in(data: bytes) -> Iterator[tuple[str, int]]:
    for at in range(0, len(data), 10):
        yield name_of(data[at], data[at + 1]), int.from_bytes(data[at + 2 : at + 10], "big")


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed and its moves alone."""
    table, fees, boosted = Second(), 0, False
    dice: list[tuple[int, int]] = []
    lines: list[list[Any]] = []
    lit = lit_points(case)
    for opcode, payload, source in moves(case):
        for name, stake in bets_in({0: payload[2:], 4: payload[3:], 5: payload[2:]}.get(opcode, b"")):
            if case["super"] and name == "pass" and not dice:
                fees, boosted = fees + stake // 5, True
            table.place(name, stake)
        if opcode == 1:
            newest = [name for name in table.up if name == "pass" or (":" in name and "come" in name)][-1]
            table.place(f"odds_{newest}", int.from_bytes(payload[2:], "big"))
        if opcode == 6:
            ((name, stake),) = bets_in(payload[2:])
            table.place(name, -stake)
        if opcode == 7:
            del table.up[name_of(*payload[2:])]
        if opcode == 8:
            table.always.add(name_of(*payload[2:4]))
            assert payload[4:] == b"\1\1"
        if opcode == 3:
            table.up = {}
        if opcode in (2, 4):
            dice.append(throw_dice(source))
            staked = dict(table.up)
            for name, chips in sorted(table.roll(dice[-1]).items(), key=listed):
                stake = staked[name][0]
                if name == "pass" and boosted:
                    chips = stake + (chips - stake) * (lit.get(sum(dice[-1]), 1) + 1) // 2 if chips else 0
                    boosted = False
                lines.append([name, stake, chips])
    assert not table.up
    return {
        "dice": [list(pair) for pair in dice],
        "lit": [[number, times] for number, times in lit.items()] if any(line[0] == "pass" for line in lines) else [],
        **accounts(lines, fees),
    }


def listed(entry: tuple[str, int]) -> tuple[bool, int, int]:
    """Bets that live on before those of one roll, then by id and number."""
    kind, _, number = entry[0].partition(":")
    plain = {"buy": "yes", "lose": "no"}.get(kind, kind)
    place = NAMES.index(f"{plain}:{number}" if f"{plain}:{number}" in NAMES else plain)
    once = kind in ("field", "next", "hop", "any_craps", "horn", "world", "c_and_e")
    return once, place, int(number) if "come" in kind and number else 0


# The tests.


def shown(state: Any) -> dict[str, Any]:
    return {"dice": [[entry.die1, entry.die2] for entry in state.table.history]}


def test_the_sessions_show_a_line_of_most_bets():
    seen = {line[0].partition(":")[0] for case in CASES for line in case["lines"]}
    assert seen == {name.partition(":")[0] for name in NAMES} | {"buy", "lose"}


@pytest.mark.parametrize("seed", range(6))
def test_hands_with_every_bet_on_the_table_are_settled_as_the_second_calculation_says(seed):
    """Come bets, odds and all 91 ids, placed whenever they can be: two opinions on every chip of every roll."""
    book, rng = book_of(CrapsOptions()), GameRng.new(bytes([seed]), 0, 0)
    table, second = CrapsTable(), Second()
    bets: dict[str, LiveBet] = {}
    for _ in range(150):
        for name in NAMES:
            _put(name, table, bets, second)
        dice = rng.roll_die(), rng.roll_die()
        outcome = throw(table, [tuple(bets.values())], *dice, book)
        assert {decision.bet.name: decision.returned for decision in outcome.decisions} == second.roll(dice)
        table = outcome.table
        bets = {bet.name: bet for bet in outcome.seats[0]}
        assert {name: bet.stake for name, bet in bets.items()} == {name: entry[0] for name, entry in second.up.items()}
        assert table.point == second.points[-1]


def _put(name: str, table: CrapsTable, bets: dict[str, LiveBet], second: Second) -> None:
    """Place a bet at both tables if its window is open, by the published words."""
    bet = NAMES.index(name)
    windows = {**dict.fromkeys(("pass", "dont_pass", "muggsy"), not table.point),
               **dict.fromkeys(("come", "dont_come", "odds_pass", "odds_dont_pass"), table.point > 0),
               **dict.fromkeys(("hot_roller", "fire", "ride_line", "replay"), table.hand_rolls == 0)}  # fmt: skip
    in_set = name.startswith(("bonus", "repeater", "twice", "different"))
    if not windows.get(name, table.set_rolls == 0 if in_set else True):
        return
    numbers = [0]
    if name in ("odds_come", "odds_dont_come"):
        numbers = [number for number in POINTS if f"{name.removeprefix('odds_')}:{number}" in bets]
    elif name.startswith("odds"):
        numbers = [table.point]
    for number in numbers:
        live = LiveBet(bet, 60, number, 0, ids.usual_working(bet), table.roll_count)
        if live.name not in bets:
            bets[live.name] = live
            second.place(live.name, 60)


# Published answers.


def drawn(rng: GameRng, case: dict[str, Any]) -> dict[str, Any]:
    return {"dice": list(roll_dice(rng))}


BULK = [("pass", 100), ("dont_pass", 100), ("field", 50), ("yes:6", 60), ("no:9", 60), ("next:7", 20), ("hard:4", 10)]
BULK += [("hard:6", 10), ("hard:8", 10), ("hard:10", 10), ("fire", 5), ("bonus_small", 5), ("bonus_tall", 5)]
BULK += [("bonus_all", 5), ("muggsy", 5), ("different_doubles", 5), ("ride_line", 5), ("replay", 5), ("hot_roller", 5)]
TYPES = {"pass": 0, "dont_pass": 1, "field": 4, "yes:6": 5, "no:9": 6, "next:7": 7, "hard:4": 8, "hard:6": 9,
         "hard:8": 10, "hard:10": 11, "fire": 12, "bonus_small": 15, "bonus_tall": 16, "bonus_all": 17, "muggsy": 18,
         "different_doubles": 19, "ride_line": 20, "replay": 21, "hot_roller": 22}  # fmt: skip


def test_three_hundred_sessions_hash_to_the_published_value():
    """The published records of state and results, put together from ours.

    Two of its rules are not ours and are turned here: every bet works on every roll, and the commission of 1 % on YES
    and NO is rounded down to nothing (its hazard 8), so their prices stand without one.
    """
    book = book_of(CrapsOptions(pay_table="nullspace"))
    row = list(book.prices)
    for bet in range(ids.YES, ids.HARD):
        row[bet * prices.ROW + prices.COMMISSION_ON] = prices.NO_COMMISSION
    book = PriceBook(tuple(row), book.limits)
    digest, counts, wins = (sha256(), dict.fromkeys(("Update", "Continue", "Win", "LossPreDeducted", "Push"), 0), 0)
    for session_id in range(300):
        table = CrapsTable()
        bets = tuple(LiveBet(NAMES.index(name), stake) for name, stake in BULK)
        move = 1
        while bets:
            die1, die2 = roll_dice(GameRng.new(bytes(range(48)), session_id, move))
            outcome = throw(table, [bets], die1, die2, book)
            returned = sum(decision.returned for decision in outcome.decisions)
            lost = sum(decision.bet.stake for decision in outcome.decisions if not decision.returned)
            decided = sum(decision.bet.stake for decision in outcome.decisions)
            table, (bets,) = outcome.table, outcome.seats
            net = returned - (sum(stake for _, stake in BULK) if move == 1 else 0)
            if bets:
                kind, amount = ("Update", net) if net else ("Continue", 0)
            elif returned == decided and not lost:
                kind, amount = "Push", decided
            elif returned:
                kind, amount = "Win", returned
                wins += returned
            else:
                kind, amount = "LossPreDeducted", lost
            counts[kind] += 1
            digest.update(_blob(table, bets, (die1, die2)) + amount.to_bytes(8, "big", signed=True))
            move += 1
    published = FILE["bulk"]
    assert counts == {"Update": 547, "Continue": 1597, "Win": 221, "LossPreDeducted": 79, "Push": 0}
    assert (wins, digest.hexdigest()) == (published["won"], published["sha256"])


def _blob(table: CrapsTable, bets: tuple[LiveBet, ...], dice: tuple[int, int]) -> bytes:
    """The published record of a state."""
    points = sum(1 << POINTS.index(point) for point in table.fire_points)
    point_seen = int(table.point > 0 or any(table.points_made))
    data = bytes([2, int(table.point > 0), table.point, *dice, points, point_seen, len(bets)])
    seen = sum(1 << (total - 2 if total < 7 else total - 3) for total in table.bonus_numbers)
    row = table.row()
    extras = {
        "muggsy": int(table.point > 0), "different_doubles": row[17], "ride_line": table.pass_wins,
        "hot_roller": row[18],
        "replay": sum(min(times, 15) << (4 * place) for place, times in enumerate(table.points_made)),
        **dict.fromkeys(("bonus_small", "bonus_tall", "bonus_all"), seen),
    }  # fmt: skip
    for bet in bets:
        target = table.point if bet.id < 2 else {"yes:6": 6, "no:9": 9, "next:7": 7}.get(bet.name, 0)
        entry = bytes([TYPES[bet.name], target, 0]) + bet.stake.to_bytes(8, "big")
        data += entry + extras.get(bet.name, 0).to_bytes(8, "big")
    return data + b"\0"


def test_published_answers_hold_or_are_left_out_with_a_reason():
    assert [row["what"] for row in FILE["left_out"]] == [
        "published: the blobs after a roll",
        "published: log netPnl -150",
        "published super session 3 wins 8323",
        "published: aura (10,10)(6,3)(4,10)",
    ]
