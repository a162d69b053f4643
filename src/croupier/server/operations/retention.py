"""Retention: what is over is pruned when it has been kept long enough, a page at a time.

    a session that ended     ──► its moves, its match and its row are dropped; its movements are carried forward as sums
    its commitment           ──► number, commitment and opening stay; so for one that was opened unused
    the answer to a request  ──► dropped

Open play, chips and sums are never touched. What the host can work out (its key, the head of its log, the receipt,
which is the one signature there is) is not written down for what was pruned, and is added where it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from croupier.server.operations import versions
from croupier.server.operations.context import Context
from croupier.server.problems import ensure
from croupier.store.matches import session_match_id
from croupier.store.model import SeedRow

DAY_MS, HOUR_MS = 86_400_000, 3_600_000
SESSIONS_PAGE = 20
EVENTS_PAGE = 500
PAGE = 200


def check_kept(row: SeedRow) -> None:
    """Raise `Problem` for a session of which only the commitment is left."""
    ensure(not row.pruned, "no_longer_kept")


def prune_sessions(call: Context) -> Counter[str]:
    """Drop the sessions that ended longest ago, if they are old enough: a few, or one that is long."""
    days, ids, rows, events = call.settings.keep_sessions_days, list[int](), list[SeedRow](), 0
    before = call.now - days * DAY_MS
    for listed in call.tx.finished_sessions(before, SESSIONS_PAGE) if days else ():
        events += call.tx.event_count(session_match_id(listed.session_id))
        if ids and events > EVENTS_PAGE:
            break
        seeds = call.tx.get_seed(listed.session_id, lock=True)  # before the house, as a move does
        if seeds is not None and not seeds.pruned:  # else another process was faster
            rows.append(_pruned(call, seeds))
        ids.append(listed.session_id)
    call.tx.prune_seeds(rows)
    moves = sum(call.tx.drop_session(session_id) for session_id in ids)
    return Counter(sessions=len(ids), moves=moves)


def prune_commitments(call: Context) -> Counter[str]:
    """Reduce commitments that were opened unused to their number, commitment and opening."""
    days = call.settings.keep_commitments_days
    found = call.tx.opened_seeds(call.now - days * DAY_MS, PAGE) if days else ()
    call.tx.prune_seeds(_pruned(call, row) for row in found)
    return Counter(commitments=len(found))


def prune_movements(call: Context) -> Counter[str]:
    """Carry movements of sessions that are gone forward, as what they come to."""
    return Counter(movements=call.tx.house().carry_forward(PAGE) if call.settings.keep_sessions_days else 0)


def prune_replies(call: Context) -> Counter[str]:
    """Forget answers whose key is good no longer."""
    return Counter(replies=call.tx.forget_replies(call.now - call.settings.keep_replies_hours * HOUR_MS, PAGE))


PRUNERS: tuple[Callable[[Context], Counter[str]], ...] = (
    prune_sessions,
    prune_commitments,
    prune_movements,
    prune_replies,
)
"""Each takes a page out and counts it; where it has counted nothing there is nothing left to do."""


def _pruned(call: Context, row: SeedRow) -> SeedRow:
    """Return what stays of a commitment; one that another host has signed keeps its receipt."""
    row = replace(row, client_seed=None, table_digest="", expires_at=0, pruned=True)
    host = call.tx.host()
    is_ours = host is not None and host.key == row.host_key
    return replace(row, host_key="", log_head="", receipt="") if is_ours else row


def with_receipt(call: Context, row: SeedRow) -> SeedRow:
    """Return a commitment with what was left out when it was pruned."""
    if not row.pruned or row.scheme == 1 or row.receipt:
        return row
    host, entries = call.tx.host(), call.tx.versions(row.log_n - 1, 1)
    assert host is not None, f"commitment {row.n} was made by a host"
    filled = replace(row, host_key=host.key, log_head=entries[0].head, expires_at=row.created_at + DAY_MS)
    binding = filled.pair().binding(row.session_id)
    return replace(filled, receipt=versions.sign_receipt(host, bytes.fromhex(row.commitment), binding))
