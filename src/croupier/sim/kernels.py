"""The kernel of a plan: its step, with a memory where the same bets meet few different draws.

The same bets lie on the table round after round. Where the rules number what the first draw may find, the bets are
settled once for each such number: the accounts, which are the beginning of a row, and whether a bet stays are kept in
`work`, behind the pack, where a later round finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from croupier.house import Plan
from croupier.house.table_round import TableSteps, settling, table_step
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import LINES, STAKED

__all__ = ["kernel_of"]


def kernel_of(plan: Plan) -> tuple[Callable[..., int], int]:
    """Return the step to compile for a plan, and how large its scratch arrays are."""
    steps = plan.steps
    if steps is None or steps.key is None:
        return plan.step, plan.work_size
    return _remembering(steps), plan.work_size + steps.key_count * (LINES + len(plan.stakes) + 1)


@cache
def _remembering(steps: TableSteps) -> Callable[..., int]:
    settle_all, key, first = settling(steps.settle), steps.key, steps.pack_size
    assert key is not None

    def settle_once(row: Row, kinds: Ints, numbers: Ints, stakes: Ints, find: Ints, options: Ints, work: Row) -> bool:
        size = LINES + len(stakes)
        kept = tail(work, first + key(find) * (size + 1))
        if kept[STAKED] == 0:
            kept[size] = settle_all(kept, kinds, numbers, stakes, find, options, work)
        for place in range(size):
            row[place] = kept[place]
        return kept[size] == 1

    return table_step(steps, settle_once)
