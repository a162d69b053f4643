"""The limits that players set for themselves: chips lost in a day, minutes played in a day, no play until a time.

Days are those of UTC. What is tightened holds at once, what is loosened a day later: see `accounts.set_limits`.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from croupier.house.money import Money
from croupier.server.operations.context import Context
from croupier.server.problems import Problem, ensure
from croupier.store.model import Account, Limits

DAY_MS = 86_400_000
PAUSE_MS = 600_000
"""A pause between moves of more than this does not count as playing."""


class Day(Struct, frozen=True):
    """Totals of a player's day at the house (UTC): what it came to, and how long they played."""

    day: int = 0
    lost: int = 0
    """Chips lost and at stake, less what came back; below 0 for who is ahead."""
    played_ms: int = 0
    last_at: int = 0


def limits_now(limits: Limits, now: int) -> tuple[int | None, int | None]:
    """Return the loss and the minutes that hold now: the looser ones once their day has come."""
    if limits.later is not None and limits.later[0] <= now:
        return limits.later[1:]
    return limits.loss_day, limits.minutes_day


def day_of(call: Context, account_id: str, laid: int = 0) -> Day:
    """Return what somebody has done today, before a move that has laid so many chips.

    A day begins with the chips that lie in open sessions: they are at stake.
    """
    found = call.tx.get_setting(_day_key(account_id))
    day = Day() if not found else msgspec.json.decode(found, type=Day)
    today = call.now // DAY_MS
    if today <= day.day <= today + 1:  # a process whose clock is behind goes on with the day of the one ahead
        return day
    rows = [call.tx.get_stored_session(row.session_id) for row in call.tx.open_sessions(account_id)]
    return Day(today, sum(row.open for row in rows if row is not None) - laid, last_at=day.last_at)


def _day_key(account_id: str) -> str:
    return f"day/{account_id}"


def check_may_start(call: Context, account: Account) -> None:
    """Raise `Problem` for who has asked not to play now, or has played enough today."""
    ensure(account.limits.excluded_until <= call.now, "excluded", until=account.limits.excluded_until)
    minutes = limits_now(account.limits, call.now)[1]
    if minutes is not None and day_of(call, account.id).played_ms >= minutes * 60_000:
        raise Problem("time_limit")


def count_move(
    call: Context, account: Account, before: Money, after: Money, bonus: int, *, is_own: bool = True
) -> None:
    """Count a move for the player's own limits, and raise `Problem` if it puts at stake what they do not allow.

    What the move brought back takes no part in that: whether it is refused must tell nothing of what was drawn. Bets
    that lie already may always be played out. Of who is gone nothing is counted.
    """
    if account.closed_at:
        return
    today = day_of(call, account.id, sum(one.stake for one in after.open) - sum(one.stake for one in before.open))
    at_stake = after.staked + after.fees - before.staked - before.fees
    if is_own and at_stake > 0:
        check_may_start(call, account)
        loss = limits_now(account.limits, call.now)[0]
        if loss is not None and today.lost + at_stake > loss:
            raise Problem("loss_limit", limit=loss, lost=max(today.lost, 0))
    gap = call.now - today.last_at
    counted = Day(
        today.day,
        today.lost + at_stake - (after.returned - before.returned) - bonus,
        today.played_ms + (gap if is_own and 0 < gap <= PAUSE_MS else 0),
        call.now if is_own else today.last_at,
    )
    call.tx.put_setting(_day_key(account.id), msgspec.json.encode(counted))


def forget_day(call: Context, account_id: str) -> None:
    """Forget what somebody has done today."""
    call.tx.put_setting(_day_key(account_id), b"")
