"""The pay tables as data, and what the options make of them: the flat arrays that the rules read.

Prices are ratios (a, b), a to b. `bitcraps` has hundredths. A commission is what it is charged on and its percentage.
Where a table says nothing the price is that of `casino` (docs/games/craps.md, Options); None is a bet it refuses.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

from msgspec import Struct

from croupier.games.craps.options import CrapsOptions, PayTable
from croupier.games.craps.rules import ids, placing, prices

Price = tuple[int, int]

CLASSES = {2: 0, 3: 1, 4: 2, 5: 3, 6: 4, 8: 4, 9: 3, 10: 2, 11: 1, 12: 0}
"""The columns of a price list: 2 and 12, 3 and 11, 4 and 10, 5 and 9, 6 and 8."""

TRUE_YES: tuple[Price, ...] = ((6, 1), (3, 1), (2, 1), (3, 2), (6, 5))
TRUE_NO: tuple[Price, ...] = ((1, 6), (1, 3), (1, 2), (2, 3), (5, 6))


class _Sold(Struct, frozen=True):
    """Prices of YES or NO in one mode: prices by column, and the commission. No price: not on offer."""

    to_1: tuple[Price | None, ...]
    commission_on: int = prices.NO_COMMISSION
    percent: int = 0


class _Table(Struct, frozen=True, kw_only=True):
    """One pay table; the fields begin as `casino` has them (docs/games/craps.md)."""

    yes: _Sold = _Sold(((11, 2), (11, 4), (9, 5), (7, 5), (7, 6)))
    buy: _Sold | None = _Sold(TRUE_YES, prices.ON_STAKE, 5)
    no: _Sold = _Sold(TRUE_NO, prices.ON_WIN, 5)
    lose: _Sold | None = _Sold((None, None, (5, 11), (5, 8), (4, 5)))
    next: _Sold = _Sold(((30, 1), (15, 1), (10, 1), (7, 1), (11, 2)))
    next_7: Price = (4, 1)
    odds_taken: tuple[Price, ...] = TRUE_YES[2:]
    odds_laid: tuple[Price, ...] = TRUE_NO[2:]
    twice_hard: Price = (15, 1)
    refused: tuple[int, ...] = ()
    field_triple: bool = False
    fire: str = "fire-a"
    ride: str = "ride-1"
    hot_roller: str = "streak"
    bonus: str = "bonus"
    repeater: str = "repeater"
    muggsy: tuple[int, int, int] = (prices.MUGGSY_SEVEN, 2, 3)
    """The rule, then what it pays at the first and at the second roll."""
    doubles_mask: int = 0b111111
    doubles: tuple[int, ...] = (-1, -1, -1, 4, 8, 15, 100)
    replay: tuple[tuple[int, ...], ...] = (
        (-1, -1, -1, 120, 1000, 1000),
        (-1, -1, -1, 95, 500, 500),
        (-1, -1, -1, 70, 100, 100),
    )
    """By times made: 4 and 10, 5 and 9, 6 and 8."""


# The same events as Next2, Next3, Next11 and Next12. One event has one price: where NEXT pays another they are refused.
NEXT_AS_HOPS = (ids.hop_bet(1, 1), ids.hop_bet(1, 2), ids.hop_bet(5, 6), ids.hop_bet(6, 6))

TABLES: dict[PayTable, _Table] = {
    "casino": _Table(),
    "bitcraps": _Table(
        yes=_Sold(((588, 100), (294, 100), (196, 100), (147, 100), (118, 100))),
        buy=None,
        no=_Sold(((16, 100), (33, 100), (49, 100), (65, 100), (82, 100))),
        lose=None,
        next=_Sold(((3430, 100), (1666, 100), (1078, 100), (784, 100), (608, 100))),
        next_7=(490, 100),
        odds_taken=((200, 100), (150, 100), (120, 100)),
        odds_laid=((50, 100), (67, 100), (83, 100)),
        twice_hard=(6, 1),
        refused=NEXT_AS_HOPS,
        ride="bitcraps",
        hot_roller="bitcraps",
        muggsy=(prices.MUGGSY_SEVEN_THEN_POINT, 0, 2),
        doubles_mask=0b111110,
        doubles=(-1, -1, 6, 25, 100, 250, 250),
        replay=((-1, -1, -1, 10, 25, 50),) * 3,
    ),
    # A commission of 1 % of the profit, at least one chip.
    "nullspace": _Table(
        yes=_Sold(TRUE_YES, prices.ON_WIN, 1),
        buy=None,
        no=_Sold(TRUE_NO, prices.ON_WIN, 1),
        lose=None,
        next=_Sold(((35, 1), (17, 1), (11, 1), (8, 1), (6, 1)), prices.ON_WIN, 1),
        next_7=(5, 1),
        refused=NEXT_AS_HOPS,
        field_triple=True,
        ride="ride-3",
        hot_roller="ways",
    ),
    # The founding document's own figures; hops at 30 and 15 to 1, Field, Any 7 and odds are the casino's as well.
    "document": _Table(fire="document", repeater="twice"),
}

# By different points made, 0 to 6.
FIRE = {
    "fire-a": (-1, -1, -1, -1, 24, 249, 999),
    "fire-b": (-1, -1, -1, -1, 10, 200, 2000),
    "fire-c": (-1, -1, -1, -1, 39, 199, 499),
    "fire-d": (-1, -1, -1, 6, 29, 149, 299),
    "document": (-1, -1, -1, -1, 25, 250, 1000),
}
# By pass wins, 0 to 11 and more.
RIDE = {
    "ride-1": (-1, -1, 0, 1, 2, 4, 6, 8, 15, 20, 25, 50),
    "ride-2": (-1, -1, -1, 1, 2, 4, 6, 12, 20, 30, 40, 75),
    "ride-3": (-1, -1, -1, 1, 2, 3, 6, 10, 20, 30, 40, 100),
    "ride-4": (-1, -1, -1, 1, 2, 3, 4, 10, 15, 20, 30, 150),
    "ride-5": (-1, -1, -1, 1, 2, 5, 8, 10, 20, 30, 40, 50),
    "ride-6": (-1, -1, -1, 0, 3, 5, 7, 12, 20, 25, 30, 100),
    "ride-7": (-1, -1, -1, 0, 2, 4, 7, 10, 15, 25, 40, 150),
    "bitcraps": (-1, -1, -1, 3, 5, 10, 25, 25, 25, 25, 25, 25),
}
# What is counted; and from which count on it pays how much, below the first a loss.
HOT_ROLLER: dict[str, tuple[int, tuple[Price, ...]]] = {
    "streak": (prices.STREAK, ((2, 2), (3, 4), (4, 8), (5, 16), (6, 32))),
    "ways": (prices.ALL_WAYS, ((2, 5), (3, 10), (4, 20), (5, 50), (6, 200))),
    "rolls": (prices.HAND_LENGTH, ((8, 0), (16, 2), (24, 4), (32, 6), (40, 11), (45, 29), (51, 99))),
    "bitcraps": (prices.HAND_LENGTH, ((21, 2), (31, 5), (41, 10), (51, 20))),
}
BONUS = {"bonus": (30, 30, 150), "bonus-classic": (34, 34, 175)}
# By total.
REPEATER = {
    "repeater": {2: 40, 3: 50, 4: 65, 5: 80, 6: 90, 8: 90, 9: 80, 10: 65, 11: 50, 12: 40},
    "repeater-for-one": {2: 39, 3: 49, 4: 64, 5: 79, 6: 89, 8: 89, 9: 79, 10: 64, 11: 49, 12: 39},
    "twice": {2: 40, 3: 13, 4: 7, 5: 5, 6: 3, 8: 3, 9: 5, 10: 7, 11: 13, 12: 40},
}
# How many hits a repeater needs where that is not the number of ways and one more.
REPEATER_HITS = {"twice": 2}
HARDWAYS: dict[int, Price] = {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)}
HARD_HOP, EASY_HOP, ANY_CRAPS = 30, 15, 7
# A part of horn, world and C&E: on 2 or 12, on 3 or 11, on 7, on any craps.
PARTS = (30, 15, 4, 7)

ODDS_PLANS = {"3-4-5": (3, 4, 5, 5, 4, 3), "single": (1,) * 6, "double": (2,) * 6, "10x": (10,) * 6, "100x": (100,) * 6}


class PriceBook(Struct, frozen=True):
    """Price book that the rules read: the flat arrays of `rules.prices` and `rules.placing`."""

    prices: tuple[int, ...]
    limits: tuple[int, ...]

    def odds_multiples(self, most: int) -> tuple[int, ...]:
        """Return how many times its flat bet odds may be on 4, 5, 6, 8, 9, 10, for a player who takes up to `most`."""
        return tuple(min(multiple, most) for multiple in self.limits[placing.ODDS_MULTIPLES :])


@lru_cache(maxsize=1024)
def book_of(options: CrapsOptions) -> PriceBook:
    """Return the prices and limits that the options stand for.

    >>> book = book_of(CrapsOptions())
    >>> len(book.prices), len(book.limits)
    (577, 15)
    """
    return PriceBook(_prices(options), _limits(options))


def _limits(options: CrapsOptions) -> tuple[int, ...]:
    multiples = options.odds_map or ODDS_PLANS[options.odds_plan]
    stakes = (options.table_min, options.table_max, options.prop_min, options.prop_max)
    more = (options.side_min, options.side_max, options.max_profit, options.player_max, options.max_bets)
    found = (*stakes, *more, *multiples)
    assert len(found) == placing.LIMITS_SIZE
    return found


def _prices(options: CrapsOptions) -> tuple[int, ...]:
    table = TABLES[options.pay_table]
    found = [0] * prices.PRICES_SIZE

    def sell(slot: int, price: Price | None, commission_on: int = prices.NO_COMMISSION, percent: int = 0) -> None:
        if price is not None:
            found[slot * prices.ROW : (slot + 1) * prices.ROW] = [*price, commission_on, percent]

    for bet in range(ids.BET_COUNT):
        sell(bet, (1, 1))  # line, come, big, and bets with tiers of their own
    for bet in range(ids.YES, ids.HARD):
        column = CLASSES[ids.target(bet)]
        first, second = (table.yes, table.buy) if ids.is_yes(bet) else (table.no, table.lose)
        sell(bet, first.to_1[column], first.commission_on, first.percent)
        if second is not None:
            sell(prices.slot_of(bet, 0, 1), second.to_1[column], second.commission_on, second.percent)
    for bet in range(ids.HARD, ids.ODDS_PASS):
        sell(bet, HARDWAYS[ids.target(bet)])
    for place in range(3):
        sell(prices.ODDS_TAKEN + place, table.odds_taken[place])
        sell(prices.ODDS_LAID + place, table.odds_laid[place])
    sell(ids.TWICE_HARD, table.twice_hard)
    for bet, pays in zip(range(ids.BONUS_SMALL, ids.BONUS_ALL + 1), BONUS[options.bonus or table.bonus], strict=True):
        sell(bet, (pays, 1))
    for bet in range(ids.NEXT, ids.REPEATER):
        total = ids.target(bet)
        price = table.next_7 if total == 7 else table.next.to_1[CLASSES[total]]
        sell(bet, price, table.next.commission_on, table.next.percent)
    for bet in range(ids.REPEATER, ids.HOP):
        sell(bet, (REPEATER[options.repeater or table.repeater][ids.target(bet)], 1))
    for low, high in combinations_with_replacement(range(1, 7), 2):
        sell(ids.hop_bet(low, high), (HARD_HOP if low == high else EASY_HOP, 1))
    sell(ids.ANY_CRAPS, (ANY_CRAPS, 1))
    for bet in table.refused:
        sell(bet, (0, 0))

    def tiers(first: int, pays: tuple[int, ...]) -> None:
        found[first : first + len(pays)] = pays

    is_triple = table.field_triple if options.field_triple is None else options.field_triple
    tiers(prices.FIELD_PAYS, (2, 3 if is_triple else 2))
    tiers(prices.MUGGSY_RULE, table.muggsy)
    tiers(prices.HORN_PAYS, PARTS)
    tiers(prices.FIRE_PAYS, FIRE[options.fire or table.fire])
    tiers(prices.RIDE_PAYS, RIDE[options.ride or table.ride])
    tiers(prices.DOUBLES_MASK, (table.doubles_mask, *table.doubles))
    tiers(prices.REPLAY_PAYS, tuple(pays for row in table.replay for pays in row))
    rule, steps = HOT_ROLLER[options.hot_roller or table.hot_roller]
    tiers(prices.HOT_RULE, (rule, *(_at(steps, count) for count in range(prices.HOT_TOP + 1))))
    found[prices.UPFRONT] = int(options.vig == "upfront")
    found[prices.REPEATER_HITS] = REPEATER_HITS.get(options.repeater or table.repeater, 0)
    return tuple(found)


def _at(steps: tuple[Price, ...], count: int) -> int:
    reached = [pays for least, pays in steps if least <= count]
    return reached[-1] if reached else prices.LOSES
