"""The names of the craps bets, and their codes on the wire.

A bet is named by its kind, or kind and number: `pass`, `dont_come`, `yes:4`, `hard:8`, `next:7`, `hop:1-3`,
`repeater:6`, `odds_pass`. YES and NO come in two modes: `yes:4` is placed and `buy:4` bought, `no:4` is laid and
`lose:4` placed to lose. A come bet that has travelled has its number in its name, and so have odds on it: `come:6`,
`odds_come:6`.

On the wire a bet is its id (0 to 90) and a second byte: the number a come bet travelled to, 1 for the
second mode, else 0.
"""

from __future__ import annotations

import re
from enum import IntEnum, StrEnum
from typing import NamedTuple

from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, placing, table
from croupier.house.payload import BetCodes

POINTS = ids.POINTS


class BetName(NamedTuple):
    """Bet behind a name: the id, the number of a come bet that travelled, and the mode."""

    id: int
    number: int = 0
    mode: int = 0


class GamePhase(StrEnum):
    """Which part of a cycle it is."""

    COME_OUT, POINT, CLOSED = "come_out", "point", "closed"
    ComeOut, Point = COME_OUT, POINT


class BetState(StrEnum):
    """State of a bet: up and working, up and off, or decided."""

    WORKING, OFF, WON, LOST, PUSH = "working", "off", "won", "lost", "push"


class BetType(IntEnum):
    """Every bet by its id: 0 to 63 are the 64 of the craps document, hops and the rest were added.

    A YES is placed and a NO is laid: `PLACE_6` is `YES_6`, `LAY_6` is `NO_6`.
    """

    PASS, DONT_PASS, COME, DONT_COME, FIELD = range(5)
    YES_2, YES_3, YES_4, YES_5, YES_6, YES_8, YES_9, YES_10, YES_11, YES_12 = range(5, 15)
    NO_2, NO_3, NO_4, NO_5, NO_6, NO_8, NO_9, NO_10, NO_11, NO_12 = range(15, 25)
    HARD_4, HARD_6, HARD_8, HARD_10 = range(25, 29)
    ODDS_PASS, ODDS_DONT_PASS, ODDS_COME, ODDS_DONT_COME = range(29, 33)
    HOT_ROLLER, FIRE, TWICE_HARD, RIDE_LINE, MUGGSY = range(33, 38)
    BONUS_SMALL, BONUS_TALL, BONUS_ALL, REPLAY, DIFFERENT_DOUBLES = range(38, 43)
    NEXT_2, NEXT_3, NEXT_4, NEXT_5, NEXT_6, NEXT_7, NEXT_8, NEXT_9, NEXT_10, NEXT_11, NEXT_12 = range(43, 54)
    REPEATER_2, REPEATER_3, REPEATER_4, REPEATER_5, REPEATER_6 = range(54, 59)
    REPEATER_8, REPEATER_9, REPEATER_10, REPEATER_11, REPEATER_12 = range(59, 64)
    HOP_1_1, HOP_1_2, HOP_1_3, HOP_1_4, HOP_1_5, HOP_1_6, HOP_2_2 = range(64, 71)
    HOP_2_3, HOP_2_4, HOP_2_5, HOP_2_6, HOP_3_3, HOP_3_4, HOP_3_5 = range(71, 78)
    HOP_3_6, HOP_4_4, HOP_4_5, HOP_4_6, HOP_5_5, HOP_5_6, HOP_6_6 = range(78, 85)
    ANY_CRAPS, HORN, WORLD, C_AND_E, BIG_6, BIG_8 = range(85, 91)
    # Other names of some of them.
    PLACE_4, PLACE_5, PLACE_6, PLACE_8, PLACE_9, PLACE_10 = range(7, 13)
    LAY_4, LAY_5, LAY_6, LAY_8, LAY_9, LAY_10 = range(17, 23)
    HARDWAY_4, HARDWAY_6, HARDWAY_8, HARDWAY_10 = range(25, 29)
    PASS_LINE, DONT_PASS_LINE = PASS, DONT_PASS
    ANY_7 = ANY7 = ANY_SEVEN = NEXT_7

    def is_valid_for_phase(self, phase: GamePhase) -> bool:
        """Tell whether the bet can be placed in a phase at all; odds also need the bet they are on.

        >>> BetType.PASS.is_valid_for_phase(GamePhase.POINT), BetType.COME.is_valid_for_phase(GamePhase.POINT)
        (False, True)
        """
        row = [0] * table.TABLE_SIZE
        # With a point up there was a roll of the hand, and of the set.
        row[table.PHASE] = row[table.HAND_ROLLS] = row[table.SET_ROLLS] = int(phase == GamePhase.POINT)
        is_open = placing.window_shut(row, self, book_of(CrapsOptions()).prices) == placing.OPEN
        return is_open and phase != GamePhase.CLOSED


def _name(kind: BetType) -> str:
    word, *numbers = re.split(r"_(?=\d)", kind.name.lower())
    return f"{word}:{'-'.join(numbers)}" if numbers else word


IDS = tuple(map(_name, BetType))
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
    found = {"any7": "next:7", "any_7": "next:7", "any_seven": "next:7", "aces": "next:2", "ace_deuce": "next:3"}
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


CODES = BetCodes(BETS, aliases=ALIASES)
