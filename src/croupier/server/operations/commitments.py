"""Commitments to the server's part of a session's seed: issued with a receipt, counted, and opened in the end.

Each is issued before the player names anything for its session: when they ask, with the settlement of the session
before it, or with the account.

issued ──► started ──► finished: opened in the record
   │ a day    │ the start is refused
   ▼          ▼
expired    refused: opened at once, with the reason
"""

from __future__ import annotations

from typing import Any

from msgspec import convert
from msgspec.structs import asdict, replace

from croupier.server.operations import versions
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import Limit, Whole
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.retention import with_receipt
from croupier.server.problems import Problem
from croupier.store.model import SeedRow
from croupier.wire.accounts import Commitment, CommitmentView

PAGE = 100


@operation("house", "POST /commitments", status=201, codes=("account_frozen", "too_many_commitments"))
def commit(call: Context, caller: Caller) -> Commitment:
    """Have the server commit to its part of the seed of your next session.

    It is drawn here, and a receipt for the commitment is signed.
    """
    account = caller.must_play()
    call.tx.get_account(account.id, lock=True)  # two at once would be given one number
    if len(call.tx.issued_seeds(account.id, versions.COMMITMENTS_EACH)) >= versions.COMMITMENTS_EACH:
        raise Problem("too_many_commitments")
    return _shown(_issue(call, account.id))


def upcoming(call: Context, account_id: str) -> Commitment | None:
    """Return the commitment for somebody's next session, so that they need not ask for it; None if too many wait.

    One that waits already and names the newest announcement is shown again: who asks by themselves piles up none.
    """
    call.tx.get_account(account_id, lock=True)
    waiting = call.tx.issued_seeds(account_id, versions.COMMITMENTS_EACH)
    announced = versions.announce(call)
    for row in waiting:
        if row.log_n == announced[1] and row.expires_at > call.now:
            return _shown(row)
    return None if len(waiting) >= versions.COMMITMENTS_EACH else _shown(_issue(call, account_id, announced))


def _issue(call: Context, account_id: str, announced: Any = None) -> SeedRow:
    n = call.tx.last_seed_number(account_id) + 1
    session_id = call.tx.next_session_id()
    issued = asdict(versions.issue(call, session_id, account_id, n, announced))
    expires_at = call.now + versions.COMMITMENT_MS
    row = SeedRow(session_id=session_id, account=account_id, created_at=call.now, n=n, expires_at=expires_at, **issued)
    call.tx.put_seed(row)
    return row


def _shown(row: SeedRow) -> Commitment:
    return convert(row, Commitment, from_attributes=True)


@operation("house", "GET /me/commitments")
def list_commitments(
    call: Context, caller: Caller, before: Whole | None = None, limit: Limit = 50
) -> tuple[CommitmentView, ...]:
    """List the commitments made to you, newest first, with the seeds of those that are opened."""
    rows = call.tx.seeds_of(caller.id, before=before, limit=limit)
    return tuple(_commitment_view(call, with_receipt(call, row)) for row in rows)


def _commitment_view(call: Context, row: SeedRow) -> CommitmentView:
    listed = call.tx.get_session(row.session_id) if row.state == "started" and not row.pruned else None
    is_finished = row.state == "started" and (row.pruned or (listed is not None and listed.is_complete))
    is_opened = is_finished or row.state in ("refused", "expired")
    return replace(
        convert(row, CommitmentView, from_attributes=True),
        state="finished" if is_finished else row.state,
        server_seed=row.server_seed if is_opened else None,
        is_pruned=row.pruned,
    )


def open_expired(call: Context) -> int:
    """Open commitments that nobody used in their time; return how many were looked at.

    Those of scheme 1, which is never begun again, have none left.
    """
    rows = call.tx.expired_seeds(call.now, PAGE)
    for listed in rows:
        row = call.tx.get_seed(listed.session_id, lock=True)
        if row is not None and row.state == "issued":  # else another process was faster
            call.tx.put_seed(replace(row, state="expired" if row.client_seed is None else "started"))
    return len(rows)
