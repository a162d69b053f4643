"""Bets that are up, by name, tables with a point, and a seat that scenes are played at, for tests of craps."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine.turn import Refusal
from croupier.games.craps import placing
from croupier.games.craps.bets import read_name
from croupier.games.craps.layout import CrapsTable, LiveBet, RollOutcome, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from tests.games.scenes import look_at


def live(name: str, stake: int = 10, **more: Any) -> LiveBet:
    """Return a bet that works on every roll."""
    named = read_name(name)
    assert named is not None
    return LiveBet(named.id, stake, named.number, named.mode, **more)


def point_up(number: int, rolls: int = 1, **trackers: Any) -> CrapsTable:
    """Return a table with a point up, so many rolls into its first hand and set."""
    return CrapsTable("point", number, rolls, hand_rolls=rolls, set_rolls=rolls, **trackers)


def stake_for(name: str) -> int:
    """Return a stake that every usual table takes on a bet."""
    return {"horn": 4, "world": 5, "c_and_e": 2}.get(name, 60 if name.startswith(("no", "yes", "lose", "buy")) else 20)


def code(action: Callable[..., Any], *given: Any, **more: Any) -> str:
    """Return the code with which an action is refused."""
    with pytest.raises(Refusal) as no:
        action(*given, **more)
    assert no.value.sentence
    return no.value.code


def stakes(seat: Seat) -> dict[str, int]:
    """Return the chips on every bet of a seat, by name."""
    return {bet.name: bet.stake for bet in seat}


def returns(outcome: RollOutcome) -> dict[str, int]:
    """Return what a roll handed back for every bet that it decided, by name."""
    assert len({(decision.seat, decision.bet.name) for decision in outcome.decisions}) == len(outcome.decisions)
    return {decision.bet.name: decision.returned for decision in outcome.decisions}


FRESH = CrapsTable()
SHOOTING = point_up(6)
POINT_MADE = CrapsTable(roll_count=2, hand_rolls=2, set_rolls=2)
NATURAL_SEVEN = CrapsTable(roll_count=1, hand_rolls=1, set_rolls=0, pass_wins=1)
CLOSED = CrapsTable(phase="closed", roll_count=5)
TABLES = {
    "fresh": FRESH, "shooting": SHOOTING, "point_made": POINT_MADE, "natural_seven": NATURAL_SEVEN, "closed": CLOSED,
    "second_muggsy": CrapsTable(roll_count=9, hand_rolls=9), "four": point_up(4), "six": point_up(6),
    **{f"point_{number}": point_up(number, 3) for number in (6, 8, 9, 10)},
}  # fmt: skip


PAYLOADS: dict[str, str] = {
    **dict.fromkeys(("raise", "lower"), "bet stake"),
    "add_odds": "stake",
    "place": "bet stake keep_up",
    "remove": "bet",
    "keep_up": "bet keep",
    "switch": "bet come_out point",
    "buy_in": "chips",
    "buy_out": "player",
    "join": "id name",
    "close": "reason at_value",
}


def payload_of(type: str, words: list[str]) -> dict[str, Any]:
    """Return the payload of an action in words."""
    flags = {"yes": True, "no": False, "kept": True}
    values = [flags[word] if word in flags else int(word) if word.lstrip("-").isdigit() else word for word in words]
    return dict(zip(PAYLOADS.get(type, "").split()[: len(values)], values, strict=True))


class Felt:
    """A table and a seat that read steps in words: `place pass 10`, `switch yes:6 yes no`, `33` or `22*1000` for rolls.

    `up odds_come:5 20` puts a bet there that works on every roll; behind the stake may stand the number it is on and
    the roll before which it was placed. `at closed` changes the table. The head has a table and options.
    """

    def __init__(self, head: str) -> None:
        table, *options = head.split()
        named = {name: literal_eval(value) for name, value in (word.split("=") for word in options)}
        self.table, self.book = TABLES[table], book_of(CrapsOptions(**named))
        self.seat: Seat = ()
        self.cost = 0
        self.last: dict[str, int] = {}

    def take(self, words: list[str]) -> None:
        name, *rest = words
        if name == "at":
            self.table = TABLES[rest[0]]
        elif name == "up":
            bet = live(rest[0], int(rest[1]))
            number, since = [*map(int, rest[2:]), *(bet.number, 0)[len(rest) - 2 :]]
            self.seat = (*self.seat, replace(bet, number=number, placed=since))
        elif name[0].isdigit():
            dice, _, times = name.partition("*")
            for _ in range(int(times or 1)):
                outcome = throw(self.table, [self.seat], int(dice[0]), int(dice[1]), self.book)
                self.table, (self.seat,), self.last = outcome.table, outcome.seats, returns(outcome)
        else:
            change = self.change(name, rest)
            self.seat, self.cost = change.seat, change.cost(self.book)

    def change(self, name: str, rest: list[str]) -> Any:
        """Return what an action on a bet comes to."""
        book = () if name in ("switch", "keep_up", "remove_all", "odds_target") else (self.book,)
        action = name if "_" in name else f"{name}_bet"
        return getattr(placing, action)(self.table, self.seat, *payload_of(name, rest).values(), *book)

    def refusal(self, words: list[str]) -> str:
        return code(self.change, words[0], words[1:])

    def look(self, path: str) -> Any:
        if path == "odds_target":
            return placing.odds_target(self.table, self.seat)
        history = self.table.history
        asked: dict[str, Any] = {
            "seat": lambda: stakes(self.seat),
            "cost": lambda: self.cost,
            "working": lambda: [bet.working for bet in self.seat],
            "last": lambda: self.last,
            "rolls": lambda: [(entry.number, entry.die1, entry.die2) for entry in history],
            "log": lambda: (len(history), history[0].number, history[-1].number),
        }
        return asked[path]() if path in asked else look_at(self.table, path)
