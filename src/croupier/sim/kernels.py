"""The kernel of a plan: its step, with a memory where the same bets meet few different draws.

The same bets lie on the table round after round. Where the rules number what may be drawn, a bet is settled once for
each such number; the answer is kept in `work`, behind the pack, where a later round finds it.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from functools import cache

from croupier.house import Plan
from croupier.house.table_round import TableSteps, table_step

__all__ = ["kernel_of"]

UNKNOWN, SHIFT = 0, 2  # what is kept is never 0: a return or `STAYS`, which is -1, and two more


def kernel_of(plan: Plan) -> tuple[Callable[..., int], int]:
    """Return the step to compile for a plan, and how large its scratch arrays are."""
    steps = plan.steps
    if steps is None or steps.key is None:
        return plan.step, plan.work_size
    return _remembering(steps), plan.work_size + steps.key_count * len(plan.stakes)


@cache
def _remembering(steps: TableSteps) -> Callable[..., int]:
    settle, key, first = steps.settle, steps.key, max(steps.find_size, steps.pack_size)
    assert key is not None

    def settle_line(
        line: int,
        kinds: Sequence[int],
        numbers: Sequence[int],
        stakes: Sequence[int],
        find: Sequence[int],
        options: Sequence[int],
        work: MutableSequence[int],
    ) -> int:
        place = first + key(find) * len(stakes) + line
        if work[place] == UNKNOWN:
            work[place] = settle(kinds[line], numbers[line], stakes[line], find, options) + SHIFT
        return work[place] - SHIFT

    return table_step(steps, settle_line)
