"""The names of the craps bets, and their codes on the wire.

A bet is named by its kind, or kind and number: `pass`, `dont_come`, `yes:4`, `hard:8`, `next:7`, `hop:1-3`,
`repeater:6`, `odds_pass`. YES and NO come in two modes: `yes:4` is placed and `buy:4` bought, `no:4` is laid and
`lose:4` placed to lose. A come bet that has travelled has its number in its name, and so have odds on it: `come:6`,
`odds_come:6`.

On the wire a bet is its id of the sheet (0 to 90) and a second byte: the number a come bet travelled to, 1 for the
second mode, else 0.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.games.craps.rules import ids
from croupier.house.payload import BetCodes

__all__ = ["ALIASES", "BETS", "CODES", "IDS", "NAMED", "POINTS", "BetName", "name_of", "read_name"]

POINTS = ids.POINTS


class BetName(NamedTuple):
    """What a name stands for: the id, the number of a come bet that travelled, and the mode."""

    id: int
    number: int = 0
    mode: int = 0


def _sheet_names() -> tuple[str, ...]:
    runs = {ids.YES: "yes", ids.NO: "no", ids.HARD: "hard", ids.NEXT: "next", ids.REPEATER: "repeater"}
    names = {
        ids.PASS: "pass",
        ids.DONT_PASS: "dont_pass",
        ids.COME: "come",
        ids.DONT_COME: "dont_come",
        ids.FIELD: "field",
        ids.ODDS_PASS: "odds_pass",
        ids.ODDS_DONT_PASS: "odds_dont_pass",
        ids.ODDS_COME: "odds_come",
        ids.ODDS_DONT_COME: "odds_dont_come",
        ids.HOT_ROLLER: "hot_roller",
        ids.FIRE: "fire",
        ids.TWICE_HARD: "twice_hard",
        ids.RIDE_LINE: "ride_line",
        ids.MUGGSY: "muggsy",
        ids.BONUS_SMALL: "bonus_small",
        ids.BONUS_TALL: "bonus_tall",
        ids.BONUS_ALL: "bonus_all",
        ids.REPLAY: "replay",
        ids.DIFFERENT_DOUBLES: "different_doubles",
        ids.ANY_CRAPS: "any_craps",
        ids.HORN: "horn",
        ids.WORLD: "world",
        ids.C_AND_E: "c_and_e",
        ids.BIG_6: "big:6",
        ids.BIG_8: "big:8",
    }
    for place in range(21):
        names[ids.HOP + place] = f"hop:{ids.HOP_LOW[place]}-{ids.HOP_HIGH[place]}"
    found = []
    for bet in range(ids.BET_COUNT):
        kind = next((word for first, word in reversed(runs.items()) if first <= bet), "")
        found.append(names.get(bet) or f"{kind}:{ids.target(bet)}")
    return tuple(found)


IDS: tuple[str, ...] = _sheet_names()
"""The name of every id. Odds on a come bet are placed by its number: `odds_come:6`."""


def name_of(bet: int, number: int = 0, mode: int = 0) -> str:
    """Return the name of a bet.

    >>> name_of(7), name_of(7, mode=1), name_of(31, 6), name_of(29, 6)  # pass odds are on the point, whatever it is
    ('yes:4', 'buy:4', 'odds_come:6', 'odds_pass')
    """
    if mode == 1:
        return f"{'buy' if ids.is_yes(bet) else 'lose'}:{ids.target(bet)}"
    return f"{IDS[bet]}:{number}" if number and ids.has_number(bet) else IDS[bet]


def _named() -> dict[str, BetName]:
    found = [BetName(bet) for bet in range(ids.BET_COUNT) if bet not in (ids.ODDS_COME, ids.ODDS_DONT_COME)]
    found += [BetName(bet, mode=1) for bet in range(ids.YES, ids.HARD) if ids.is_yes(bet) or ids.target(bet) in POINTS]
    found += [BetName(bet, number) for bet in range(ids.BET_COUNT) if ids.has_number(bet) for number in POINTS]
    return {name_of(*bet): bet for bet in found}


NAMED: dict[str, BetName] = _named()
BETS: dict[str, tuple[int, int]] = {name: (bet.id, bet.number or bet.mode) for name, bet in NAMED.items()}
"""Every name and its two bytes on the wire."""


def _aliases() -> dict[str, str]:
    found = {"any7": "next:7", "any_seven": "next:7", "aces": "next:2", "ace_deuce": "next:3"}
    found |= {"yo": "next:11", "boxcars": "next:12", "c&e": "c_and_e", "big6": "big:6", "big8": "big:8"}
    for total in (2, 3, *POINTS, 11, 12):
        found |= {f"place:{total}": f"yes:{total}", f"lay:{total}": f"no:{total}"}
    found |= {f"place_to_lose:{total}": f"lose:{total}" for total in POINTS}
    found |= {f"hop:{high}-{low}": f"hop:{low}-{high}" for low in range(1, 7) for high in range(low + 1, 7)}
    return found


ALIASES: dict[str, str] = _aliases()
"""Other names of bets; each is the same bet at the same price."""


def read_name(name: str) -> BetName | None:
    """Return what a name or an alias stands for, or None.

    >>> read_name("any7") == read_name("next:7"), read_name("hop:4-2"), read_name("yes:7")
    (True, BetName(id=72, number=0, mode=0), None)
    """
    return NAMED.get(ALIASES.get(name, name))


class _Codes(BetCodes):
    """The codes, which also take the other names of bets."""

    def encode(self, name: str) -> bytes:
        return super().encode(ALIASES.get(name, name))


CODES: BetCodes = _Codes(BETS)
