"""One roll, step by step (craps-table, section 3.1): what it does to the bets and to the table.

`judge` decides over one bet: every id goes to one judge of its family, and nowhere else. `settle` says it in chips,
`resolve` takes a roll through all bets on the table. Each bet is judged by what it was before the roll, so the old come
bet on a number is decided by itself and the one that travels there from the box takes its place (section 3.3), whatever
order they stand in.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, roll_die
from croupier.games.craps.rules.ids import BIG_6, COME, FIELD, HOP, HOT_ROLLER, NEXT, ODDS_PASS, REPEATER
from croupier.games.craps.rules.line import judge_flat, judge_odds
from croupier.games.craps.rules.numbers import judge_number
from croupier.games.craps.rules.one_roll import judge_one_roll
from croupier.games.craps.rules.prices import STAYS, TRAVELS, chips_of, slot_of
from croupier.games.craps.rules.progress import judge_progress
from croupier.games.craps.rules.table import PHASE, POINT, advance, feed


def roll_dice(stream: Stream) -> tuple[int, int]:
    """Return two dice in the order they are drawn."""
    first = roll_die(stream)
    return first, roll_die(stream)


def works_now(working: int, phase: int) -> bool:
    """Tell whether a bet works on a roll in this phase.

    >>> works_now(2, 0), works_now(2, 1), works_now(3, 0)  # a yes bet is off at the come-out
    (False, True, True)
    """
    return working >> phase & 1 == 1


def judge(
    table: Sequence[int],
    bet: int,
    number: int,
    working: int,
    placed: int,
    die1: int,
    die2: int,
    prices: Sequence[int],
) -> int:
    """Return the verdict of a roll on a bet. The table has been fed with the roll and not yet advanced."""
    if bet < FIELD:
        if bet >= COME:
            return judge_flat(bet, number, die1 + die2)
        verdict = judge_flat(bet, table[POINT], die1 + die2)
        return STAYS if verdict == TRAVELS else verdict  # a pass bet has the table's point
    if bet == FIELD or NEXT <= bet < REPEATER or HOP <= bet < BIG_6:
        return judge_one_roll(bet, die1, die2, prices)
    if HOT_ROLLER <= bet < HOP:
        return judge_progress(table, bet, placed, die1, die2, prices)
    works = works_now(working, table[PHASE])
    if ODDS_PASS <= bet < HOT_ROLLER:
        return judge_odds(bet, number, works, die1 + die2)
    return judge_number(bet, die1, die2) if works else STAYS


def settle(
    table: Sequence[int],
    bet: int,
    number: int,
    stake: int,
    mode: int,
    working: int,
    placed: int,
    die1: int,
    die2: int,
    prices: Sequence[int],
) -> int:
    """Return the chips that a roll hands back for a bet, or `STAYS` or `TRAVELS`, which are below 0."""
    verdict = judge(table, bet, number, working, placed, die1, die2, prices)
    if verdict == STAYS or verdict == TRAVELS:
        return verdict
    return chips_of(verdict, bet, slot_of(bet, number, mode), stake, prices)


def resolve(
    table: MutableSequence[int],
    ids: Sequence[int],
    numbers: MutableSequence[int],
    stakes: Sequence[int],
    modes: Sequence[int],
    working: Sequence[int],
    placed: Sequence[int],
    count: int,
    die1: int,
    die2: int,
    prices: Sequence[int],
    returned: MutableSequence[int],
) -> int:
    """Take a roll through the first `count` bets and the table; return how many bets it decided.

    `returned` gets the chips of each bet, or `STAYS`; a come bet that travels gets its number. The bets may be those of
    one seat or of all seats one after the other: none of them looks at another.
    """
    feed(table, die1, die2)
    decided = 0
    for i in range(count):
        chips = settle(table, ids[i], numbers[i], stakes[i], modes[i], working[i], placed[i], die1, die2, prices)
        if chips == TRAVELS:
            numbers[i] = die1 + die2
            chips = STAYS
        returned[i] = chips
        if chips != STAYS:
            decided += 1
    advance(table, die1 + die2)
    return decided
