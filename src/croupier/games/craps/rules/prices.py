"""Pay tables in numbers, and the chips a stake brings at its prices.

A pay table is one flat array. It begins with a row of four for every slot: profit a to b, what a commission is charged
on, and its percentage; b is 0 where the bet is not on offer. Slots are the 91 ids, the second modes of yes and no (buy,
lose), and the odds by number. Bets that pay by tiers have a table of profits to 1 each, indexed by their count, after
the rows, which are verdicts: -1 is a loss, 0 a push. `croupier.games.craps.paytables` fills the arrays.

Profits are rounded down, once a bet, after multiplying; a commission is rounded down too, but is one chip at least
(docs/games/craps.md, Buying and laying). Under `UPFRONT` it is paid with the stake instead of taken from the profit.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.craps.rules import ids

ROW = 4
PROFIT, PER, COMMISSION_ON, PERCENT = 0, 1, 2, 3
NO_COMMISSION, ON_STAKE, ON_WIN = 0, 1, 2

SECOND_MODES = ids.BET_COUNT  # one slot for each of the ids 5 to 24
ODDS_TAKEN = SECOND_MODES + 20  # one slot for 4 and 10, one for 5 and 9, one for 6 and 8
ODDS_LAID = ODDS_TAKEN + 3
SLOTS = ODDS_LAID + 3

FIELD_PAYS = SLOTS * ROW  # on 2, on 12
MUGGSY_RULE = FIELD_PAYS + 2
MUGGSY_PAYS = MUGGSY_RULE + 1  # at the first roll, at the second
HORN_PAYS = MUGGSY_PAYS + 2  # a part of horn, world or C&E: on 2 or 12, on 3 or 11, on 7, on any craps
FIRE_PAYS = HORN_PAYS + 4  # by different points made, 0 to 6
RIDE_PAYS = FIRE_PAYS + 7  # by pass wins, 0 to 11 and more
RIDE_TOP = 11
DOUBLES_MASK = RIDE_PAYS + RIDE_TOP + 1  # which doubles count
DOUBLES_PAYS = DOUBLES_MASK + 1  # by different doubles, 0 to 6
REPLAY_PAYS = DOUBLES_PAYS + 7  # three rows (4 and 10, 5 and 9, 6 and 8) by times made, 0 to 5 and more
REPLAY_TOP = 5
HOT_RULE = REPLAY_PAYS + 3 * (REPLAY_TOP + 1)
HOT_PAYS = HOT_RULE + 1  # by whatever the rule counts, 0 to 51 and more
HOT_TOP = 51
UPFRONT = HOT_PAYS + HOT_TOP + 1
REPEATER_HITS = UPFRONT + 1  # how often a repeater must hit; 0 for as many as its number says
PRICES_SIZE = REPEATER_HITS + 1

STREAK, ALL_WAYS, HAND_LENGTH = 0, 1, 2  # what the hot roller counts
MUGGSY_SEVEN, MUGGSY_SEVEN_THEN_POINT = 0, 1

# A verdict is what a roll decides about a bet, whatever its stake: one of these, or from 0 on the profit to 1 that it
# pays, where 0 is a push. `PART_WINS` and more is what one part of the stake pays, the others being lost.
STAYS, TRAVELS, WINS, LOSES, PUSHES, PART_WINS = -4, -3, -2, -1, 0, 1 << 16

PRICE_MAX = 3430  # the largest numerator of a price: bitcraps pays 34.30 to 1

# Compiled integers wrap silently: what twenty bets return, and every product before it is divided, must fit 63 bits.
STAKE_MAX = (2**63 - 1) // (20 * (PRICE_MAX + 1))


def slot_of(bet: int, number: int, mode: int) -> int:
    """Return where the price of a bet stands."""
    if mode == 1:
        return SECOND_MODES + bet - ids.YES
    if number > 0 and ids.is_odds(bet):
        return (ODDS_LAID if ids.is_dark(bet) else ODDS_TAKEN) + ids.ways(number) - 3  # 4 and 10 have three ways
    return bet


def is_offered(slot: int, prices: Sequence[int]) -> bool:
    """Tell whether the pay table has a price for a slot."""
    return prices[slot * ROW + PER] > 0


def has_modes(bet: int) -> bool:
    """Tell whether a bet may be sold in two modes."""
    return ids.YES <= bet < ids.HARD


def win_of(slot: int, stake: int, prices: Sequence[int]) -> int:
    """Return the profit of a stake before any commission."""
    return stake * prices[slot * ROW + PROFIT] // prices[slot * ROW + PER]


def commission_of(slot: int, stake: int, prices: Sequence[int]) -> int:
    """Return the commission on a stake, whenever it is paid."""
    on = prices[slot * ROW + COMMISSION_ON]
    if on == NO_COMMISSION:
        return 0
    base = stake if on == ON_STAKE else win_of(slot, stake, prices)
    return max(base * prices[slot * ROW + PERCENT] // 100, 1)


def profit_of(slot: int, stake: int, prices: Sequence[int]) -> int:
    """Return what a winning stake brings besides itself."""
    win = win_of(slot, stake, prices)
    if prices[UPFRONT] == 1:
        return win
    return win - commission_of(slot, stake, prices)


def outlay_of(slot: int, stake: int, prices: Sequence[int]) -> int:
    """Return what a stake costs when it is placed: with the commission, where that is paid up front."""
    if prices[UPFRONT] == 1:
        return stake + commission_of(slot, stake, prices)
    return stake


def chips_of(verdict: int, bet: int, slot: int, stake: int, prices: Sequence[int]) -> int:
    """Return the chips that a verdict hands back, stake included; the verdict is not that the bet lives on."""
    if verdict == WINS:
        return stake + profit_of(slot, stake, prices)
    if verdict == LOSES:
        return 0
    if verdict >= PART_WINS:
        return stake // parts_of(bet) * (1 + verdict - PART_WINS)
    return stake + stake * verdict


def _largest(first: int, count: int, prices: Sequence[int]) -> int:
    largest = 0
    for place in range(first, first + count):
        largest = max(largest, prices[place])
    return largest


def profit_max(bet: int, slot: int, stake: int, prices: Sequence[int]) -> int:
    """Return the most a bet can win besides its stake, at any number it can still find."""
    if bet == ids.FIELD:
        return stake * max(_largest(FIELD_PAYS, 2, prices), 1)
    if bet == ids.HOT_ROLLER:
        return stake * _largest(HOT_PAYS, HOT_TOP + 1, prices)
    if bet == ids.FIRE:
        return stake * _largest(FIRE_PAYS, 7, prices)
    if bet == ids.RIDE_LINE:
        return stake * _largest(RIDE_PAYS, RIDE_TOP + 1, prices)
    if bet == ids.MUGGSY:
        return stake * _largest(MUGGSY_PAYS, 2, prices)
    if bet == ids.REPLAY:
        return stake * _largest(REPLAY_PAYS, 3 * (REPLAY_TOP + 1), prices)
    if bet == ids.DIFFERENT_DOUBLES:
        return stake * _largest(DOUBLES_PAYS, 7, prices)
    if bet == ids.HORN:
        return stake // 4 * (1 + _largest(HORN_PAYS, 2, prices)) - stake
    if bet == ids.WORLD:
        return stake // 5 * (1 + _largest(HORN_PAYS, 3, prices)) - stake
    if bet == ids.C_AND_E:
        return stake // 2 * (1 + max(prices[HORN_PAYS + 1], prices[HORN_PAYS + 3])) - stake
    return profit_of(slot, stake, prices)


def parts_of(bet: int) -> int:
    """Return into how many equal parts a stake is divided: it must be a multiple of that."""
    if bet == ids.HORN:
        return 4
    if bet == ids.WORLD:
        return 5
    return 2 if bet == ids.C_AND_E else 1
