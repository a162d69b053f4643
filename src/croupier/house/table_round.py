"""The round of a table game: steps that its rules give, and the kernel made of them.

Bets are laid, a draw is made, and every bet is settled by what was drawn; one that `STAYS` waits for the next draw.
What was drawn is an array, the find: its first numbers are the facts of the round, any others are worked out from them
once for all bets. The engine (`TableGame`), the simulator and the odds all take these steps.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, NamedTuple

from croupier.draws import Stream
from croupier.kit.rows import tail
from croupier.rounds import (
    DONE,
    FACTS,
    FEES,
    LINES,
    LIT_COUNT,
    LIT_IDS,
    LIT_MULTIPLIERS,
    RETURNED,
    STAKED,
    STAYS,
    SUPER_MOVE,
    super_fee,
)

__all__ = ["TableSteps", "direct", "table_step", "table_steps"]


class TableSteps(NamedTuple):
    """The steps of a round in the numeric subset; `options` are the game's own numbers."""

    draw: Callable[..., None]
    """`draw(stream, find, options, work)` writes the find; on the second draw it still holds the facts of the first."""
    settle: Callable[..., int]
    """`settle(kind, number, stake, find, options)` returns the chips handed back, or `STAYS`."""
    is_eligible: Callable[[int, int], bool]
    """`is_eligible(kind, number)` tells whether super mode boosts the bet, and takes its fee."""
    light: Callable[..., int]
    """`light(stream, ids, multipliers)` draws what is lit into two arrays of `LIT_MAX`, and returns how much."""
    boost: Callable[..., int]
    """`boost(kind, number, find, ids, multipliers, count)` returns what is lit for the bet, as one number."""
    super_settle: Callable[..., int]
    """`super_settle(kind, number, stake, find, options, boost)` settles an eligible bet in super mode."""
    fact_count: int
    find_size: int
    pack_size: int
    """How much room `draw` needs for its pack; it begins as zeros and is found as the last draw left it."""
    key: Callable[..., int] | None
    """`key(find)` numbers the finds from 0, where there are few enough to remember what each does to the bets."""
    key_count: int


def table_steps(rules: Any) -> TableSteps:
    """Return the steps that a game's module of rules has, each under its name here."""
    return TableSteps(
        draw=rules.draw,
        settle=rules.settle,
        is_eligible=rules.is_eligible,
        light=rules.generate,
        boost=rules.boost,
        super_settle=rules.super_settle,
        fact_count=rules.FACT_COUNT,
        find_size=rules.FIND_SIZE,
        pack_size=getattr(rules, "WORK_SIZE", 0),
        key=getattr(rules, "find_number", None),
        key_count=getattr(rules, "FIND_COUNT", 0),
    )


def direct(settle: Callable[..., int]) -> Callable[..., int]:
    """Return how a line is settled by asking the rules each time."""

    def settle_line(
        line: int,
        kinds: Sequence[int],
        numbers: Sequence[int],
        stakes: Sequence[int],
        find: Sequence[int],
        options: Sequence[int],
        work: MutableSequence[int],
    ) -> int:
        return settle(kinds[line], numbers[line], stakes[line], find, options)

    return settle_line


def table_step(steps: TableSteps, settle_line: Callable[..., int]) -> Callable[..., int]:
    """Return the kernel of a table game: one draw a move. The last of its options is 1 for a super session."""
    draw, is_eligible, light = steps.draw, steps.is_eligible, steps.light
    boost, super_settle, fact_count = steps.boost, steps.super_settle, steps.fact_count

    def settle_super(
        row: Sequence[int], kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int]
    ) -> int:
        lit = boost(kind, number, find, tail(row, LIT_IDS), tail(row, LIT_MULTIPLIERS), row[LIT_COUNT])  # type: ignore[arg-type]
        return super_settle(kind, number, stake, find, options, lit)

    def step(
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
        if move == SUPER_MOVE:
            row[LIT_COUNT] = light(stream, tail(row, LIT_IDS), tail(row, LIT_MULTIPLIERS))
            return 1
        for place in range(fact_count):
            spare[place] = row[FACTS + place]
        draw(stream, spare, options, work)
        for place in range(fact_count):
            row[FACTS + place] = spare[place]
        is_super = options[-1] == 1
        staked, returned, fees, lowest = 0, 0, 0, 0
        for line in range(len(stakes)):
            if move > 1 and row[LINES + line] != STAYS:
                continue
            if is_super and is_eligible(kinds[line], numbers[line]):
                fees += super_fee(stakes[line])
                chips = settle_super(row, kinds[line], numbers[line], stakes[line], spare, options)
            else:
                chips = settle_line(line, kinds, numbers, stakes, spare, options, work)
            row[LINES + line] = chips
            # No branch for a bet that stays: few do.
            staked += stakes[line]
            returned += max(chips, 0)
            lowest = min(lowest, chips)
        if move == 1:
            row[STAKED] = staked
            row[FEES] = fees
        row[RETURNED] += returned
        return move + 1 if lowest == STAYS else DONE

    return step
