"""The round of a table game: draw, then settle every bet by the game's `rules.settle`; and the kernel made of that.

Bets are laid, a draw is made, and every bet is settled by what was drawn; one that `STAYS` waits for the next draw.
What was drawn is an array, the find, which is all the facts of the round. The engine (`TableGame`), the simulator and
the odds all take these steps.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from msgspec import Struct

from croupier.draws import Stream
from croupier.house.money import CHIPS_MAX
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import (
    DONE,
    FACTS,
    FEES,
    LINES,
    LIT_COUNT,
    LIT_MAX,
    RETURNED,
    STAKED,
    STAYS,
    SUPER_MOVE,
    super_fee,
)


class SettleSteps(Struct, frozen=True, kw_only=True):
    """The steps that settle the bets of a round, in the numeric subset; `options` are the game's own numbers."""

    settle: Callable[..., int]
    """`settle(kind, number, stake, find, options)` returns the chips handed back, or `STAYS`."""
    is_eligible: Callable[[int, int], bool]
    """`is_eligible(kind, number)` tells whether super mode boosts the bet, and takes its fee."""
    light: Callable[..., int]
    """`light(stream, ids, multipliers)` draws what is lit into two arrays of `LIT_MAX`, and returns how much."""
    boost: Callable[..., int]
    """`boost(kind, number, find, ids, multipliers, count)` returns what is lit for the bet, as one number."""
    super_settle: Callable[..., int]
    """`super_settle(kind, number, stake, find, options, boost)` settles an eligible bet in super mode.

    It must agree with `settle` where that returns the stake or less: a kernel asks it for those that win alone.
    """
    stake_max: int = CHIPS_MAX
    """The largest stake whose returns the kernel's whole numbers can hold."""


class TableSteps(SettleSteps, frozen=True, kw_only=True):
    """The steps of a round: a draw, and how it settles the bets."""

    draw: Callable[..., None]
    """`draw(stream, find, options, work)` writes the find; on the second draw it still holds the facts of the first."""
    find_size: int
    pack_size: int = 0
    """How much room `draw` needs for its pack; it begins as zeros and is found as the last draw left it."""
    key: Callable[..., int] | None = None
    """`key(find)` numbers what a first draw may find, from 0, where it is worth remembering what that does to bets."""
    key_count: int = 0

    @classmethod
    def plain(
        cls, draw: Callable[..., None], settle: Callable[..., int], find_size: int = 1, pack_size: int = 0
    ) -> TableSteps:
        """Return the steps of a game without super mode, from how it draws and how it settles a bet."""
        return cls(
            settle=settle,
            is_eligible=_not_eligible,
            light=light_nothing,
            boost=no_boost,
            super_settle=settling_unlit(settle),
            draw=draw,
            find_size=find_size,
            pack_size=pack_size,
        )


def _not_eligible(kind: int, number: int) -> bool:
    return False


# Super mode of rules that light nothing: what they have for `settle` asks the options whether it is on.


def every_bet(kind: int, number: int) -> bool:
    """Tell that super mode boosts a bet, and takes its fee."""
    return True


def light_nothing(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Draw nothing, and return that nothing is lit."""
    return 0


def no_boost(
    kind: int, number: int, find: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return that nothing is lit for a bet."""
    return 0


def settling_unlit(settle: Callable[..., int]) -> Callable[..., int]:
    """Return how an eligible bet is settled where nothing is lit: like any other."""

    def super_settle(kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int], lit: int) -> int:
        return settle(kind, number, stake, find, options)

    return super_settle


def table_steps(rules: Any) -> TableSteps:
    """Return the steps that a game's module of rules has, each under its name here."""
    return TableSteps(
        draw=rules.draw,
        settle=rules.settle,
        is_eligible=rules.is_eligible,
        light=rules.generate,
        boost=rules.boost,
        super_settle=rules.super_settle,
        stake_max=rules.STAKE_MAX,
        find_size=rules.FIND_SIZE,
        pack_size=getattr(rules, "WORK_SIZE", 0),
        key=getattr(rules, "find_number", None),
        key_count=getattr(rules, "FIND_COUNT", 0),
    )


def settling(settle: Callable[..., int]) -> Callable[..., bool]:
    """Return how the first draw is settled: it writes the accounts of all bets, and tells whether one stays."""

    def settle_all(row: Row, kinds: Ints, numbers: Ints, stakes: Ints, find: Ints, options: Ints, work: Row) -> bool:
        staked, returned, lowest = 0, 0, 0
        for line in range(len(stakes)):
            chips = settle(kinds[line], numbers[line], stakes[line], find, options)
            row[LINES + line] = chips
            # No branch for a bet that stays: few do.
            staked += stakes[line]
            returned += max(chips, 0)
            lowest = min(lowest, chips)
        row[STAKED] = staked
        row[RETURNED] = returned
        return lowest == STAYS

    return settle_all


def lighting(steps: SettleSteps, first: int) -> tuple[Callable[..., None], Callable[..., int]]:
    """Return how a kernel lights a row, and how it settles an eligible bet by that.

    From place `first` on the row has how much is lit, `LIT_MAX` ids, and as many multipliers.
    """
    draw_lit, boost, super_settle = steps.light, steps.boost, steps.super_settle
    ids_at, multipliers_at = first + 1, first + 1 + LIT_MAX

    def light(stream: Stream, row: MutableSequence[int]) -> None:
        row[first] = draw_lit(stream, tail(row, ids_at), tail(row, multipliers_at))

    def settle_super(
        row: MutableSequence[int], kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int]
    ) -> int:
        lit = boost(kind, number, find, tail(row, ids_at), tail(row, multipliers_at), row[first])
        return super_settle(kind, number, stake, find, options, lit)

    return light, settle_super


def settling_again(steps: TableSteps, settle_super: Callable[..., int]) -> Callable[..., bool]:
    """Return how the accounts of a first draw are boosted in super mode, and what stays is settled by later draws."""
    settle, is_eligible = steps.settle, steps.is_eligible

    def settle_again(
        row: Row, kinds: Ints, numbers: Ints, stakes: Ints, find: Ints, options: Ints, is_first: bool
    ) -> bool:
        more, fees, lowest = 0, 0, 0
        for line in range(len(stakes)):
            kind, number, stake, before = kinds[line], numbers[line], stakes[line], row[LINES + line]
            chips = before
            is_boosted = options[-1] == 1 and is_eligible(kind, number)
            if is_boosted and is_first:
                fees += super_fee(stake)
            if is_boosted and before > stake if is_first else is_boosted and before == STAYS:
                chips = settle_super(row, kind, number, stake, find, options)
            elif before == STAYS and not is_first:
                chips = settle(kind, number, stake, find, options)
            row[LINES + line] = chips
            more += max(chips, 0) - max(before, 0)
            lowest = min(lowest, chips)
        row[RETURNED] += more
        row[FEES] += fees
        return lowest == STAYS

    return settle_again


def table_step(steps: TableSteps, settle_all: Callable[..., bool]) -> Callable[..., int]:
    """Return the kernel of a table game: one draw a move. The last of its options is 1 for a super session."""
    draw = steps.draw
    light, settle_super = lighting(steps, LIT_COUNT)
    settle_again = settling_again(steps, settle_super)

    def step(
        stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, _: Row
    ) -> int:
        if move == SUPER_MOVE:
            light(stream, row)
            return 1
        find = tail(row, FACTS)
        draw(stream, find, options, work)
        stays = False
        if move == 1:
            stays = settle_all(row, kinds, numbers, stakes, find, options, work)
        if move > 1 or options[-1] == 1:
            stays = settle_again(row, kinds, numbers, stakes, find, options, move == 1)
        return move + 1 if stays else DONE

    return step
