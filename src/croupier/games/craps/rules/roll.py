"""One roll, step by step: how it settles every bet, and what it does to the table.

A bet is a run of `BET_SIZE` numbers in an array, from `at` on. `judge` decides over one bet: every id goes to one judge
of its family, and nowhere else. `settle` says it in chips, `resolve` takes a roll through the table and all bets on it.
Each bet is judged by what it was before the roll, so the old come bet on a number is decided by itself and the one that
travels there from the box takes its place, whatever order they stand in.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence

from croupier.draws import Stream, roll_die
from croupier.games.craps.rules import ids
from croupier.games.craps.rules.line import judge_flat, judge_odds
from croupier.games.craps.rules.numbers import judge_number
from croupier.games.craps.rules.one_roll import judge_one_roll
from croupier.games.craps.rules.prices import STAYS, TRAVELS, chips_of, slot_of
from croupier.games.craps.rules.progress import judge_trackers
from croupier.games.craps.rules.table import PHASE, POINT, advance, feed

# A bet: its id, the number it is on, the stake, its mode, when it works, and how many rolls the table had seen then.
ID, NUMBER, STAKE, MODE, WORKING, PLACED = range(6)
BET_SIZE = 6


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


def lay(bets: MutableSequence[int], at: int, bet: int, number: int, stake: int, mode: int) -> None:
    """Write a bet that works as usual."""
    bets[at + ID] = bet
    bets[at + NUMBER] = number
    bets[at + STAKE] = stake
    bets[at + MODE] = mode
    bets[at + WORKING] = ids.usual_working(bet)
    bets[at + PLACED] = 0


def judge(table: Sequence[int], bets: Sequence[int], at: int, die1: int, die2: int, prices: Sequence[int]) -> int:
    """Return the verdict of a roll on a bet. The table has been fed with the roll and not yet advanced."""
    bet = bets[at + ID]
    if ids.is_tracked(bet):
        return judge_tracked(table, bets, at, die1, die2, prices)
    if bet < ids.FIELD:
        if bet >= ids.COME:
            return judge_flat(bet, bets[at + NUMBER], die1 + die2)
        verdict = judge_flat(bet, table[POINT], die1 + die2)
        return STAYS if verdict == TRAVELS else verdict  # a pass bet has the table's point
    if ids.is_one_roll(bet):
        return judge_one_roll(bet, die1, die2, prices)
    works = works_now(bets[at + WORKING], table[PHASE])
    if ids.ODDS_PASS <= bet < ids.HOT_ROLLER:
        return judge_odds(bet, bets[at + NUMBER], works, die1 + die2)
    return judge_number(bet, die1, die2) if works else STAYS


def judge_tracked(
    table: Sequence[int], bets: Sequence[int], at: int, die1: int, die2: int, prices: Sequence[int]
) -> int:
    """Return the verdict of a roll on a bet on the trackers."""
    return judge_trackers(table, bets[at + ID], bets[at + PLACED], die1 + die2, prices)


def chips_for(verdict: int, bets: Sequence[int], at: int, prices: Sequence[int]) -> int:
    """Return the chips that a verdict hands back for a bet, or the verdict itself where it is `STAYS` or `TRAVELS`."""
    if verdict == STAYS or verdict == TRAVELS:
        return verdict
    slot = slot_of(bets[at + ID], bets[at + NUMBER], bets[at + MODE])
    return chips_of(verdict, bets[at + ID], slot, bets[at + STAKE], prices)


def settle(table: Sequence[int], bets: Sequence[int], at: int, die1: int, die2: int, prices: Sequence[int]) -> int:
    """Return the chips that a roll hands back for a bet, or `STAYS` or `TRAVELS`, which are below 0."""
    return chips_for(judge(table, bets, at, die1, die2, prices), bets, at, prices)


def resolver(judge_bet: Callable[..., int]) -> Callable[..., int]:
    """Return the step that takes a roll through the table and its bets, all of which `judge_bet` can judge."""

    def resolve(
        table: MutableSequence[int],
        bets: Sequence[int],
        at: int,
        up: int,
        die1: int,
        die2: int,
        prices: Sequence[int],
        verdicts: MutableSequence[int],
    ) -> int:
        feed(table, die1, die2)
        decided, place = 0, 0
        while up >> place != 0:
            if up >> place & 1 == 1:
                verdict = judge_bet(table, bets, at + BET_SIZE * place, die1, die2, prices)
                verdicts[place] = verdict
                if verdict != STAYS and verdict != TRAVELS:
                    decided |= 1 << place
            place += 1
        advance(table, die1 + die2)
        return decided

    return resolve


resolve = resolver(judge)
"""Take a roll through the table and the bets of the mask `up`, which begin at `at`; return which it decides.

`verdicts` gets the verdict on each of these bets. They may be those of one seat or of all seats one after the other:
none of them looks at another.
"""

resolve_tracked = resolver(judge_tracked)
"""Like `resolve`, for bets that need trackers and no others, in less time."""
