"""Kernels for bets that no session opens with: come bets, odds on a number, one guess at a rank, insurance.

The engine takes these bets in the middle of a session, with a point up or a card on show. To compare their odds with
rounds that were played, a round here begins where such a bet is laid. What decides it and what it pays are the rules of
the game; only the walk from one roll or card to the next is written here.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from croupier.draws import Stream
from croupier.games.blackjack import rules as blackjack
from croupier.games.craps.bets import IDS
from croupier.games.craps.rules import ids, prices, roll, table
from croupier.games.hi_lo import rules as hi_lo
from croupier.house import Plan, Terms
from croupier.rounds import DONE, LINES, PRIVATE, RETURNED, STAKED

__all__ = ["LATE", "craps_plan", "guess_plan", "insurance_plan"]

LATE = {IDS[bet]: bet for bet in range(ids.BET_COUNT) if ids.is_odds(bet) or bet in (ids.COME, ids.DONT_COME)}
"""The bets of craps that are laid with a point up."""

ALWAYS_WORKS = 3
DECIDED, NUMBERS = PRIVATE, PRIVATE + 1
SHOE = PRIVATE  # the cards that were seen
ACE = 0


def craps_plan(bets: tuple[str, ...], stake: int, book: Any) -> Plan:
    """Return a round of come bets and odds, each named as its row is: `come`, `odds_come`, `odds_come on_4`.

    Odds on no number in particular are laid on the first number that is thrown.
    """
    names = [bet.partition(" on_") for bet in bets]
    kinds = tuple(LATE[bet] for bet, _, _ in names)
    numbers = tuple(int(number or 0) for _, _, number in names)
    return _plan(craps_step, bets, kinds, numbers, stake, tuple(book.prices), table.TABLE_SIZE)


def craps_step(
    stream: Stream,
    move: int,
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> int:
    """Roll once and settle what the roll decides; the options are the pay table."""
    if move == 1:
        for i in range(len(kinds)):
            row[STAKED] += stakes[i]
            row[NUMBERS + i] = numbers[i]
    die1, die2 = roll.roll_dice(stream)
    total = die1 + die2
    for i in range(len(kinds)):
        if row[DECIDED] >> i & 1 == 1:
            continue
        number = row[NUMBERS + i]
        if number == 0 and ids.is_odds(kinds[i]):
            row[NUMBERS + i] = table.next_point(0, total)  # 0 still, if it is no point
            continue
        chips = roll.settle(work, kinds[i], number, stakes[i], 0, ALWAYS_WORKS, 0, die1, die2, options)
        if chips == prices.TRAVELS:
            row[NUMBERS + i] = total
        elif chips != prices.STAYS:
            row[DECIDED] |= 1 << i
            row[LINES + i] = chips
            row[RETURNED] += chips
    return DONE if row[DECIDED] == (1 << len(kinds)) - 1 else move + 1


def guess_plan(bets: tuple[str, ...], guesses: Sequence[tuple[int, int]], stake: int, options: Any) -> Plan:
    """Return a round of guesses, each (which, rank on show), all about the same next card; then a cash-out."""
    kinds, numbers = (tuple(column) for column in zip(*guesses, strict=True))
    chosen = (int(options.tie_pushes), options.commission_bps)
    return _plan(guess_step, bets, kinds, numbers, stake, chosen, 1)


def guess_step(
    stream: Stream,
    move: int,
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> int:
    """Turn one card up; the options are whether ties push, and the commission."""
    card = hi_lo.deal(stream)
    for i in range(len(kinds)):
        found = hi_lo.outcome(kinds[i], numbers[i] - 1, card, options[0] == 1)
        factor, streak = hi_lo.ONE, 0
        if found == hi_lo.RIGHT:
            factor, streak = hi_lo.next_factor(hi_lo.ONE, kinds[i], numbers[i]), 1
        returned = 0
        if found != hi_lo.WRONG:
            returned = hi_lo.final_return(stakes[i], factor, options[1], streak, card, False)
        row[STAKED] += stakes[i]
        row[LINES + i] = returned
        row[RETURNED] += returned
    return DONE


def insurance_plan(bets: tuple[str, ...], stake: int, options: Any) -> Plan:
    """Return a round that begins with an ace up and nothing else seen."""
    return _plan(insurance_step, bets, (0,), (0,), stake, (options.decks,), blackjack.MOVED_SIZE)


def insurance_step(
    stream: Stream,
    move: int,
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> int:
    """Draw the hole card; the option is the number of decks."""
    seen = blackjack.note_seen(row, SHOE, 0, ACE, options[0])
    hole = blackjack.draw(stream, options[0], row, SHOE, seen, work, 0, blackjack.NOT_BARRED)
    row[STAKED] = stakes[0]
    row[LINES] = blackjack.insurance_return(stakes[0], blackjack.is_natural(ACE, hole))
    row[RETURNED] = row[LINES]
    return DONE


def _plan(
    step: Callable[..., int],
    bets: tuple[str, ...],
    kinds: tuple[int, ...],
    numbers: tuple[int, ...],
    stake: int,
    options: tuple[int, ...],
    work_size: int,
) -> Plan:
    return Plan(
        step=step,
        first_move=1,
        bets=bets,
        kinds=kinds,
        numbers=numbers,
        stakes=(stake,) * len(bets),
        options=options,
        work_size=work_size,
        terms=Terms(),
        policy=_nobody,
        facts=_none,
    )


def _nobody(view: Any, legal: Any, rng: Any) -> Any:
    raise AssertionError("the engine has no session that begins in the middle")


def _none(state: Any) -> tuple[int, ...]:
    return ()
