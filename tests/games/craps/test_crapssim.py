"""The same dice at an independent table: crapssim decides every bet both know as we do, roll by roll, chip by chip.

Where it plays another rule on purpose its settings or our switches are turned so that both play the same one. What is
turned, and the rule of ours behind it:

    hardways         crapssim has them working at the come-out; ours are off there until switched
    Lay              crapssim has it off at the come-out; our NO always works
    Place            crapssim leaves a winning bet up and pays the profit; ours comes down with its return
    commissions      crapssim takes them up front and rounds to the nearest; ours from the win, rounded down, 1 or more;
                     stakes are those on which all roundings agree
    Fire, All, Small, Tall  both are placed before the shooter's first roll here; crapssim allows Fire then only, the
                     others also after any 7, as our SET window does
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.craps.bets import NAMED, name_of
from croupier.games.craps.layout import CrapsTable, LiveBet, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, placing
from croupier.rng import GameRng

pytest.importorskip("crapssim", reason="the second opinion is crapssim, of the tests' requirements")

from crapssim import bet as peer
from crapssim.table import Table, TableUpdate

BOOK = book_of(CrapsOptions())
POINTS = (4, 5, 6, 8, 9, 10)

MAKE: dict[str, Any] = {
    "pass": lambda: peer.PassLine(10), "dont_pass": lambda: peer.DontPass(10), "come": lambda: peer.Come(10),
    "dont_come": lambda: peer.DontCome(10), "field": lambda: peer.Field(10), "next:7": lambda: peer.Any7(10),
    "next:2": lambda: peer.Two(10), "next:3": lambda: peer.Three(10), "next:11": lambda: peer.Yo(10),
    "next:12": lambda: peer.Boxcars(10), "any_craps": lambda: peer.AnyCraps(10), "horn": lambda: peer.Horn(20),
    "world": lambda: peer.World(20), "c_and_e": lambda: peer.CAndE(20), "big:6": lambda: peer.Big6(10),
    "big:8": lambda: peer.Big8(10), "fire": lambda: peer.Fire(5), "bonus_all": lambda: peer.All(5),
    "bonus_tall": lambda: peer.Tall(5), "bonus_small": lambda: peer.Small(5),
    **{f"hard:{n}": lambda n=n: peer.HardWay(n, 10) for n in (4, 6, 8, 10)},
    **{f"hop:{a}-{b}": lambda a=a, b=b: peer.Hop((a, b), 10) for a in range(1, 7) for b in range(a, 7)},
    **{f"yes:{n}": lambda n=n: peer.Place(n, 30) for n in POINTS},
    **{f"buy:{n}": lambda n=n: peer.Buy(n, 20) for n in POINTS},
    **{f"no:{n}": lambda n=n: peer.Lay(n, 120, always_working=True) for n in POINTS},
}  # fmt: skip
FLATS = {"pass": peer.PassLine, "dont_pass": peer.DontPass, "come": peer.Come, "dont_come": peer.DontCome}
KNOWN = {*MAKE, "odds_pass", "odds_dont_pass"}
KNOWN |= {f"{kind}:{n}" for kind in ("come", "dont_come", "odds_come", "odds_dont_come") for n in POINTS}


class Both:
    """Two tables at which the same bets lie, under our names."""

    def __init__(self) -> None:
        self.theirs = Table()
        self.theirs.settings["vig_paid_on_win"] = True
        self.player = self.theirs.add_player(10**9)
        self.their_bets: dict[str, Any] = {}
        self.table = CrapsTable()
        self.our_bets: dict[str, LiveBet] = {}

    def place(self) -> None:
        """Place every bet that is not up: both tables must agree whether its window is open."""
        row = self.table.row()
        for name, make in MAKE.items():
            if name in self.our_bets:
                continue
            bet = make()
            named = NAMED[name]
            is_open = placing.window_shut(row, named.id, BOOK.prices) == placing.OPEN
            assert bet.is_allowed(self.player) == is_open, name
            if is_open:
                working = 3 if name.startswith("hard") else ids.usual_working(named.id)
                self.put(name, LiveBet(named.id, int(bet.amount), 0, named.mode, working, self.table.roll_count), bet)
        for name, flat in list(self.our_bets.items()):
            number = flat.number or (self.table.point if flat.id < 2 else 0)
            if flat.id < 4 and number:
                odds = LiveBet(flat.id + 29, 30, number, working=ids.usual_working(flat.id + 29))
                if odds.name not in self.our_bets:
                    self.put(odds.name, odds, peer.Odds(FLATS[name.partition(":")[0]], number, 30))  # type: ignore[arg-type]

    def put(self, name: str, ours: LiveBet, bet: Any) -> None:
        assert name == ours.name
        self.our_bets[name] = ours
        self.their_bets[name] = bet

    def roll(self, die1: int, die2: int) -> set[str]:
        """Settle a roll at both tables, compare, and return the names of the bets it decided."""
        outcome = throw(self.table, [tuple(self.our_bets.values())], die1, die2, BOOK)
        ours = {decision.bet.name: decision.returned for decision in outcome.decisions}
        TableUpdate.roll(self.theirs, (die1, die2))
        told: dict[str, float] = {}
        for name, bet in list(self.their_bets.items()):
            result = bet.get_result(self.theirs)
            if result.remove or result.won:  # a Place bet that wins stays up at their table
                told[name] = 0 if result.lost else round(result.amount, 6)  # theirs are floats
                del self.their_bets[name]
        assert told == ours
        TableUpdate.set_new_shooter(self.theirs)
        for kind in ("come", "dont_come"):
            if kind in self.their_bets:
                bet = self.their_bets.pop(kind)
                bet.update_number(self.theirs)
                self.their_bets[f"{kind}:{bet.number}"] = bet
        TableUpdate.update_numbers(self.theirs, False)
        self.table = outcome.table
        self.our_bets = {bet.name: bet for bet in outcome.seats[0]}
        assert (self.table.point or None) == self.theirs.point.number
        assert self.our_bets.keys() == self.their_bets.keys()
        return set(ours)


@pytest.mark.parametrize("rolls", [4_000, pytest.param(200_000, marks=pytest.mark.soak)])
def test_crapssim_decides_every_roll_as_we_do(rolls):
    """Two hundred thousand rolls take minutes in plain Python and are marked soak; the first of them run always."""
    both, rng = Both(), GameRng.new(b"crapssim", 0, 0)
    decided = dict.fromkeys(KNOWN, 0)
    for _ in range(rolls):
        both.place()
        for name in both.roll(rng.roll_die(), rng.roll_die()):
            decided[name] += 1

    assert set(decided) == KNOWN
    assert min(decided.values()) >= rolls // 1000
    assert {name for name in KNOWN if name_of(*NAMED[name]) != name} == set()
