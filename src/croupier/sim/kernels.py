"""Kernels, the compiled rounds of the simulator: a game's step, with a cache of settled bets for few draws.

Where the rules number what the first draw may find, the bets are settled once for each such number: the accounts, which
are the beginning of a row, and whether a bet stays are kept in `work`, behind the pack (`croupier.kit.memory`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from croupier.house import Plan
from croupier.house.table_round import TableSteps, settling, table_step
from croupier.kit.memory import answer_place, memory_size, recalling
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import LINES

# Thousands of answers do not stay in the fast cache: one bet is settled sooner than its answer is fetched.
ANSWERS_PER_BET = 3072


def kernel_of(plan: Plan) -> tuple[Callable[..., int], int]:
    """Return the step to compile for a plan, and how large its scratch arrays are."""
    steps = plan.steps
    if steps is None or steps.key is None or steps.key_count > ANSWERS_PER_BET * len(plan.stakes):
        return plan.step, plan.work_size
    return _remembering(steps), memory_size(plan.work_size, steps.key_count, LINES + len(plan.stakes) + 1)


@cache
def _remembering(steps: TableSteps) -> Callable[..., int]:
    settle_all, key, first = settling(steps.settle), steps.key, steps.pack_size
    assert key is not None

    def learn(
        answer: Row, find: Ints, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
    ) -> None:
        answer[LINES + len(stakes)] = settle_all(answer, kinds, numbers, stakes, find, options, work)

    recall = recalling(learn)

    def settle_once(row: Row, kinds: Ints, numbers: Ints, stakes: Ints, find: Ints, options: Ints, work: Row) -> bool:
        size = LINES + len(stakes)
        kept_at = answer_place(first, key(find), size + 1)
        recall(kept_at, find, kinds, numbers, stakes, options, work, work)
        kept = tail(work, kept_at)
        for place in range(size):
            row[place] = kept[place]
        return kept[size] == 1

    return table_step(steps, settle_once)
