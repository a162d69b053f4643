"""Every bet against its exact figure: hands of one table, played by the rules as machine code.

On the table lie all 91 bets, with come bets and odds, each placed again whenever its window opens, at stakes that need
no rounding. Two million hands a pay table take a minute or so and are marked soak; every change meets the first of
them. Fixed seed; bound 4.5 standard errors, worked out from the spread of each bet's own returns. The chance of a false
alarm is 7 in a million a figure, for the 300 figures of a run about 0.2 %; the seed being fixed, a run that passed
passes again.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from croupier.games.craps import odds
from croupier.games.craps.bets import IDS, NAMED
from croupier.games.craps.layout import LiveBet
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import placing, prices, roll, table

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

import numpy as np

from croupier.sim import compiled
from croupier.sim.sha256 import hash_rows
from croupier.sim.stream import open_rows, prepare_seed

HANDS = 2_000_000
SIGMAS = 4.5
STAKE = 13_200_000  # hundredths, elevenths and 5 % of a sixth of it are whole
UNIT = 200  # returns are added up in these: every one is a multiple of it, and the squares of a run fit 63 bits
BLOCK = 1024


def play_hands(seed: Any, rows: Any, sessions: Any, moves: Any, hands: int, bets: Any, odds_of: Any, book: Any,
               live: Any, now: Any, sums: Any) -> int:  # fmt: skip
    """Play hands one after the other and add up, for every bet: how often decided, won, pushed, returned, squares."""
    count = 0
    hand = 0
    at = len(rows)
    session = 0
    for place in range(len(now)):
        now[place] = 0
    for i in range(len(live)):
        live[i] = 0
        bets[i, roll.NUMBER] = 0
    while hand < hands:
        for i in range(len(live)):
            if live[i] == 0:
                flat = odds_of[i]
                number = 0
                if flat >= 0 and live[flat] == 1:
                    number = now[table.POINT] if bets[flat, roll.ID] <= 1 else bets[flat, roll.NUMBER]
                if flat >= 0 and number == 0:
                    continue
                if placing.window_shut(now, bets[i, roll.ID], book) == placing.OPEN:
                    live[i] = 1
                    bets[i, roll.NUMBER] = number
                    bets[i, roll.PLACED] = now[table.ROLL_COUNT]
        if at == len(rows):
            for k in range(len(rows)):
                sessions[k] = session
                moves[k] = 1
                session += 1
            hash_rows(seed, rows, sessions, moves, len(rows))
            at = 0
        die1, die2 = roll.roll_dice(rows[at])
        at += 1
        count += 1
        table.feed(now, die1, die2)
        for i in range(len(live)):
            if live[i] == 1:
                chips = roll.settle(now, bets[i], 0, die1, die2, book)
                if chips == prices.TRAVELS:
                    bets[i, roll.NUMBER] = die1 + die2
                elif chips != prices.STAYS:
                    live[i] = 0
                    bets[i, roll.NUMBER] = 0
                    units = chips // UNIT
                    sums[i, 0] += 1
                    sums[i, 1] += chips > STAKE
                    sums[i, 2] += chips == STAKE
                    sums[i, 3] += units
                    sums[i, 4] += units * units
                    sums[i, 5] += chips % UNIT
        before = now[table.HAND_NUMBER]
        table.advance(now, die1 + die2)
        hand += now[table.HAND_NUMBER] - before
    return count


def simulated(options: CrapsOptions, hands: int) -> tuple[list[str], Any, int]:
    book = book_of(options)
    names = [name for name, named in NAMED.items() if not named.number or named.id in (31, 32)]
    names = [name for name in names if prices.is_offered(prices.slot_of(*NAMED[name]), book.prices)]
    names = [name for name in names if not name.startswith("odds") or name in ("odds_pass", "odds_dont_pass")]
    names += ["odds_come:4", "odds_dont_come:4"]  # whatever the number turns out to be
    bets = np.array([LiveBet(NAMED[name].id, STAKE, mode=NAMED[name].mode).numbers for name in names])
    flats = {
        29: names.index("pass"),
        30: names.index("dont_pass"),
        31: names.index("come"),
        32: names.index("dont_come"),
    }
    odds_of = np.array([flats.get(bet, -1) for bet in bets[:, roll.ID].tolist()])
    sums = np.zeros((len(names), 6), np.int64)
    rolls = compiled(play_hands)(
        prepare_seed(b"two million hands"), open_rows(BLOCK), np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.uint32),
        hands, bets, odds_of, np.array(book.prices),
        np.zeros(len(names), np.int64), np.zeros(table.TABLE_SIZE, np.int64), sums,
    )  # fmt: skip
    return names, sums, rolls


@pytest.mark.parametrize(
    ("pay_table", "hands"),
    [
        ("casino", HANDS // 10),
        ("bitcraps", HANDS // 20),
        ("nullspace", HANDS // 20),
        pytest.param("casino", HANDS, marks=pytest.mark.soak),
        pytest.param("bitcraps", HANDS, marks=pytest.mark.soak),
        pytest.param("nullspace", HANDS, marks=pytest.mark.soak),
    ],
)
def test_every_bet_is_worth_what_its_odds_say(pay_table, hands):
    options = CrapsOptions(pay_table=pay_table)
    names, sums, rolls = simulated(options, hands)
    rows = {(row.bet, row.policy): row for row in odds.odds(options)}
    known = [name for name in names if not name.startswith(("odds_come", "odds_dont_come"))]
    assert len(known) + 2 == len(names) == (107 if pay_table == "casino" else 87)
    refused = set() if pay_table == "casino" else {"hop:1-1", "hop:1-2", "hop:5-6", "hop:6-6"}
    assert {IDS[NAMED[name].id] for name in names} == set(IDS) - refused
    for name, (decided, won, pushed, units, squares, left_over) in zip(names, sums.tolist(), strict=True):
        row = rows[name.partition(":")[0] if name.startswith("odds") else name, "-"]
        assert decided > 100
        assert left_over == 0
        mean = units / decided
        deviation = sqrt((squares / decided - mean**2) / decided)
        exact = float((1 - row.edge) * STAKE / UNIT)
        assert abs(mean - exact) <= SIGMAS * deviation, f"{name}: {mean} ± {deviation}, {exact}"
        for seen, chance in ((won, float(row.win)), (pushed, float(row.push))):
            assert abs(seen / decided - chance) <= SIGMAS * sqrt(chance * (1 - chance) / decided) + 1e-15, name
    length = 1671 / 196  # rolls a hand, as published
    assert abs(rolls / hands - length) <= SIGMAS * sqrt(46.05 / hands)  # the variance of a hand's length
