"""The state machine of shared dice: a table and an event go in, and the next table comes out, or a refusal.

It has no clock, no secrets and no generator: given the same events in the same order, the host, every player and every
auditor hold the same table. Deadlines, keys and secrets are with `DiceHost` and `Contributor`, one on each side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.errors import BadSeed
from croupier.fairness.dice import failures, messages, rounds, seating
from croupier.fairness.dice.answers import Drop, Dropped, Step, refuse
from croupier.fairness.dice.encoding import book_link
from croupier.fairness.dice.messages import Event, write_message
from croupier.fairness.dice.table import DiceTable
from croupier.fairness.signing import Verifier

Machine = Callable[[DiceTable, Event, Verifier], Step | Dropped]
"""The type of `step`; a host with many tables on one computer may hand in a version with a cache."""

_RULES: dict[type, Callable[[DiceTable, Any, Verifier], Step]] = {
    messages.Join: seating.join,
    messages.Leave: seating.leave,
    messages.Bet: seating.bet,
    messages.End: seating.end,
    messages.Lock: rounds.lock,
    messages.Commit: rounds.commit,
    messages.Close: rounds.close,
    messages.Ack: rounds.ack,
    messages.Open: rounds.open_round,
    messages.Reveal: rounds.reveal,
    messages.Roll: rounds.roll,
    messages.Void: failures.void,
    messages.Objection: failures.objection,
    messages.Silence: failures.silence,
    messages.Equivocation: failures.equivocation,
}


def step(table: DiceTable, event: Event, verifier: Verifier) -> Step | Dropped:
    """Return what an event makes of a table. Pure: the table given is never changed, a no gives back the very same."""
    rule = _RULES.get(type(event))
    if rule is None:
        return Dropped("unreadable", f"a {type(event).__name__} is no event of a table", table)
    try:
        if table.closed:
            refuse("table_closed", f"the table is closed: {table.closed}")
        answer = rule(table, event, verifier)
    except Drop as no:
        return Dropped(no.code, no.sentence, table)
    except BadSeed as error:  # a number that does not fit its field
        return Dropped("unreadable", str(error), table)
    after = replace(answer.table, book=book_link(table.book, write_message(event)))
    assert after.chips() == after.paid_in - after.paid_out, "chips were made or lost"
    return replace(answer, table=after)
