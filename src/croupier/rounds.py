"""A simulated round as an array of whole numbers: where its stakes, returns and cards stand; and the super mode fee.

This module is in the numeric subset and imports nothing. A row holds:

    row[STAKED], row[RETURNED], row[FEES]     the accounts of the session
    row[LINES + i]                            what bet i returned, or NOT_LAID
    row[FACTS …]                              cards, dice, pockets: all that decided it
    row[PRIVATE …]                            what a kernel has to remember between moves
"""

from __future__ import annotations

__all__ = ["DONE", "FACTS", "FACTS_MAX", "LINES_MAX", "NOT_LAID", "STAYS", "SUPER_MOVE", "super_fee"]

# The row.
STAKED, RETURNED, FEES = 0, 1, 2
LINES, LINES_MAX = 3, 20
FACTS, FACTS_MAX = LINES + LINES_MAX, 16
PRIVATE, PRIVATE_MAX = FACTS + FACTS_MAX, 33
ROW_SIZE = PRIVATE + PRIVATE_MAX

# A round with decisions, from `FACTS` on: behind the facts stands the phase that it is in.
PHASE = FACTS_MAX
# The move that deals, where each side bet is a move of its own before it: there are as many moves as bets.
EACH_BET = -1

# What is lit in a super session: how much, and behind it two lists, ids and multipliers. In a table game, which has
# nothing else to remember, it comes first.
LIT_MAX = 8
LIT_SIZE = 1 + 2 * LIT_MAX
LIT_COUNT, LIT_IDS = PRIVATE, PRIVATE + 1
LIT_MULTIPLIERS = LIT_IDS + LIT_MAX

# The next move of a session that is over.
DONE = 0
# What stands on the line of a bet that was not laid; and what a bet that goes on to the next draw returns.
NOT_LAID = -1
STAYS = -1

# Super mode. Its multipliers are drawn from a stream of their own, that of the largest move number.
SUPER_MOVE = 2**32 - 1
# An eligible stake costs one chip in so many, and is a multiple of it: docs/decisions/0011-super-mode-priced.md.
SUPER_FEE_DIVISOR = 5


def super_fee(stake: int) -> int:
    """Return the fee on an eligible stake in super mode, rounded down.

    >>> super_fee(100), super_fee(4)
    (20, 0)
    """
    return stake // SUPER_FEE_DIVISOR
