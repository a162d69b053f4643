"""Failures of a table and the answer to each: every failure has a stable code, and every proof convinces anyone.

`FAILURES` is the table of them. Those that a single message shows are found in `rounds`, on the way.
"""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from croupier.fairness.dice.answers import Drop, Movement, Step, refuse
from croupier.fairness.dice.forfeits import close_table, forfeit_bond, forfeit_cover, forfeit_stake, table_at_fault
from croupier.fairness.dice.messages import (
    Close,
    Commit,
    Equivocation,
    Lock,
    Objection,
    Silence,
    Void,
    check_signature,
    check_signed,
    to_sign,
)
from croupier.fairness.dice.table import VOIDS_MAX, DiceTable, Round, open_table
from croupier.fairness.dice.terms import Terms
from croupier.fairness.signing import Verifier

_CODES = {
    "no_commit": "no contributor in this round; the third time in a row the seat sits out",
    "too_few": "the round is void, bets stand",
    "again": "ignored",
    "commit_missing": "the round is void; whoever has a bet and did not commit sits out the hand and is bought out",
    "two_commits": "the seat is closed, its bond goes to the other contributors",
    "stale_nonce": "dropped and counted",
    "wrong_round": "dropped and counted",
    "wrong_context": "dropped and counted",
    "bad_signature": "dropped and counted",
    "unknown_key": "dropped and counted",
    "early_reveal": "dropped; the commitment is taken out before K is fixed",
    "wrong_secret": "dropped; missing unless the right one comes in time",
    "reveal_missing": "the round is void, bets stand; with a bank: a fee, the seat sits out the hand and is "
    "bought out, and the table loses the cover of the round to nobody; without: bond and bets are lost, seat closed",
    "objected": "the round is void; whoever objected sits out the hand and is bought out",
    "two_locks": "the table is at fault: closed, bond shared, bets paid at stake or value",
    "two_closes": "the table is at fault: closed, bond shared, bets paid at stake or value",
    "bank_missing": "the table is at fault: closed, bond shared, bets paid at stake or value",
    "bank_misfit": "the table is at fault: closed, bond shared, bets paid at stake or value",
    "three_voids": "the table is closed, bets paid at their value unless they were forfeited",
    "roll_differs": "ignored: the signed messages decide, anyone can recompute",
}
FAILURES = MappingProxyType(_CODES)
"""The consequence of each failure, by its code."""
TABLE_FAULTS = frozenset({"two_commits", "two_locks", "two_closes", "bank_missing", "bank_misfit"})
"""Failures by which a table is closed and loses its bond: each is the table's own doing."""


# Two messages where there may be one.


def second_of_table(table: DiceTable, first: Lock | Close, second: Lock | Close, verifier: Verifier) -> Step:
    """Answer another LOCK or CLOSE of the round that is on: the same one again, or a proof against the table."""
    if _signed_bytes(table, first) == _signed_bytes(table, second):
        refuse("again", "this message is here already")
    return table_at_fault(table, _check_proof(table, Equivocation(first, second), verifier))


def _signed_bytes(table: DiceTable, message: Lock | Commit | Close) -> bytes:
    context = table.context_of(message) if isinstance(message, Lock) else b""
    return to_sign(message, table.game_id, context=context)


def second_commit(table: DiceTable, key: str) -> Step:
    """Close the seat of a player who signed two different commitments; the round goes on with the others."""
    if key == table.terms.table_key:
        return table_at_fault(table, "two_commits")
    seat = table.seats[key]
    if seat.status == "closed":
        refuse("seat_closed", f"the seat of {key[:16]}… is closed already")
    on = table.round
    others = table.seats if on is None else [other for other in on.lock.roster if other != table.bank]
    weights = {other: 0 for other in others if other != key and table.seats[other].status == "in"}
    table, movements = forfeit_bond(table, key, seat.bond, weights, "two_commits")
    table = table.with_seat(key, replace(table.seats[key], status="closed"))
    if on is not None and on.phase == "commit":
        table = replace(table, round=replace(on, out=on.out | {key}))
    return Step(table, movements, failure="two_commits")


def equivocation(table: DiceTable, proof: Equivocation, verifier: Verifier) -> Step:
    """Act on a proof that somebody shows, whenever it turns up."""
    code = _check_proof(table, proof, verifier)
    if isinstance(proof.first, Commit):
        if proof.first.context not in table.contexts:
            refuse("wrong_context", "the proof is about another table, or about a round long gone")
        if proof.first.key != table.terms.table_key and proof.first.key not in table.seats:
            refuse("unknown_key", "the proof is about somebody who never sat here")
        return second_commit(table, proof.first.key)
    return table_at_fault(table, code)


def _check_proof(table: DiceTable, proof: Equivocation, verifier: Verifier) -> str:
    """Return the code of what is proven, or refuse."""
    first, second = proof.first, proof.second
    if type(first) is not type(second):
        refuse("no_proof", "a proof is two messages of one kind")
    if isinstance(first, Commit) and isinstance(second, Commit):
        key, code = first.key, "two_commits"
        is_one_case = (first.key, first.context) == (second.key, second.context)
    else:
        key, code = table.terms.table_key, "two_locks" if isinstance(first, Lock) else "two_closes"
        is_one_case = first.round == second.round
    signed = [_signed_bytes(table, one) for one in (first, second)]
    if not is_one_case or signed[0] == signed[1]:
        refuse("no_proof", "the two messages do not contradict each other")
    for message, one in zip(signed, (first, second), strict=True):
        check_signature(verifier, key, message, one.signature)
    return code


def proof_problem(terms: Terms, proof: Equivocation, verifier: Verifier) -> str | None:
    """Return None if two messages prove that somebody equivocated, else a sentence that says what they lack.

    It takes the terms of the table and nothing else: no round, no clock, nobody's word.
    """
    try:
        _check_proof(open_table(terms), proof, verifier)
    except Drop as no:
        return no.sentence
    return None


# Rounds that come to nothing.


def objection(table: DiceTable, message: Objection, verifier: Verifier) -> Step:
    """Hear a seat that sees other stakes, or whose commitment was dropped: until OPEN. It sits out the hand."""
    on = table.round_on(message.round)
    if message.key not in on.lock.roster or message.key == table.bank:
        refuse("unknown_key", f"{message.key[:16]}… is not in the roster")
    if on.phase == "objected":
        refuse("again", "the round is void already")
    if message.key in on.acks:
        refuse("too_late", "that seat has said that it objects to nothing")
    if message.reason == "stakes_differ":
        _check_disputed(table, on, message)
    else:
        _check_dropped(table, on, message, verifier)
    check_signed(verifier, message.key, message, table.game_id, context=on.context)
    if table.terms.protocol != 1 and table.seats[message.key].status == "in":
        table = replace(table, seats=table.barred([message.key], on.lock.hand))
    return Step(replace(table, round=replace(on, phase="objected")), failure="objected")


def _check_disputed(table: DiceTable, on: Round, message: Objection) -> None:
    may_follow_close = table.terms.protocol != 1 and on.phase == "closed" and message.key not in on.commits
    if (on.phase != "commit" and not may_follow_close) or message.commit is not None:
        refuse("too_late", "stakes are disputed before CLOSE, or before OPEN by a seat that has not committed")


def _check_dropped(table: DiceTable, on: Round, message: Objection, verifier: Verifier) -> None:
    dropped = message.commit
    is_time = on.phase == "closed" if table.terms.protocol != 1 else on.phase == "reveal" and not on.secrets
    if not is_time:
        refuse("too_late", "a dropped commitment is reported after CLOSE and before OPEN")
    if dropped is None or (dropped.key, dropped.context) != (message.key, on.context.hex()):
        refuse("wrong_context", "the commitment that was dropped must be enclosed")
    if message.key in on.commits:
        refuse("no_proof", "the round holds a commitment of that seat, or had to take it out")
    check_signed(verifier, message.key, dropped, table.game_id)


def void(table: DiceTable, message: Void, verifier: Verifier) -> Step:
    """End a round without dice, for a reason that the messages so far bear out."""
    on = table.round_on(message.round)
    if message.keys != _void_keys(table, on, message.reason):
        refuse("void_unfounded", f"the round is not void for {message.reason}, or not because of these keys")
    check_signed(verifier, table.terms.table_key, message, table.game_id, context=on.context)
    table = replace(table, voids=table.voids + 1)
    movements: tuple[Movement, ...] = ()
    sat_out: tuple[str, ...] = ()
    if message.reason == "too_few":
        seats, sat_out = table.count_misses(on)
        table = replace(table, seats=seats)
    elif message.reason == "commit_missing":
        table = replace(table, seats=table.barred(message.keys, on.lock.hand))
    elif message.reason == "reveal_missing":
        table, movements = _punish(table, on, message.keys)
    if table.voids >= VOIDS_MAX and table.sealed and table.terms.protocol != 1:
        # Nobody has seen what the rounds so far were made of: a bank that ends like that has not opened.
        fault = table_at_fault(table, "bank_missing")
        table, movements = fault.table, movements + fault.movements
    elif table.voids >= VOIDS_MAX:
        taken = () if table.terms.banked else message.keys
        table, more = close_table(table, "three_voids", taken=taken)
        movements += more
    return Step(
        replace(table, round=None), movements, voided=message, sat_out=sat_out, failure=table.closed or message.reason
    )


def _void_keys(table: DiceTable, on: Round, reason: str) -> tuple[str, ...] | None:
    """Return whom a void may name for that reason, None where there is no such reason."""
    if reason == "too_few":
        return () if on.phase == "commit" and not table.has_enough(on) else None
    if reason == "commit_missing":
        return (table.missing_bettors(on) or None) if on.phase == "commit" and table.has_enough(on) else None
    if reason == "objected":
        return () if on.phase == "objected" else None
    return (on.unopened(table.bank) or None) if on.phase == "reveal" else None


def _punish(table: DiceTable, on: Round, missing: tuple[str, ...]) -> tuple[DiceTable, tuple[Movement, ...]]:
    """Take from those who left their commitment unopened. With a bank nobody receives it, else those who opened do.

    A table that says of an opening that it never came must not earn by it, not even through a seat of its own.
    """
    reason, terms = "reveal_missing", table.terms
    places = {place.key: place for place in table.positions}
    weights = {key: 0 for key in sorted(on.secrets) if table.seats[key].status == "in"}
    if terms.banked and terms.protocol != 1:
        weights = {}
    elif not terms.banked:
        weights = {key: places[key].stake + places[key].win_max if key in places else 0 for key in weights}
    found: tuple[Movement, ...] = ()
    for key in missing:
        seat = table.seats[key]
        table, moved = forfeit_bond(table, key, terms.fee if terms.banked else seat.bond, weights, reason)
        found += moved
        seat = table.seats[key]
        if not terms.banked:
            found += forfeit_stake(places[key], weights, reason) if key in places else ()
            seat = replace(seat, status="closed")
        elif seat.status == "in":
            stays = seat.bond >= terms.least_bond
            seat = replace(seat, barred=on.lock.hand, status="in" if stays else "out")
        table = table.with_seat(key, seat)
    if terms.banked and terms.table_pays:
        table, moved = forfeit_cover(table, reason)
        found += moved
    return table, found


def silence(table: DiceTable, message: Silence, verifier: Verifier) -> Step:
    """Close a table whose bank does not open: in a round, or at the end of a match with hidden cards."""
    on = table.round
    if not table.bank:
        refuse("no_bank", "there is no bank at this table")
    if message.key not in table.seats and message.key != table.bank:
        refuse("unknown_key", "nobody with that key sits here")
    if on is not None and on.lock.round == message.round and waits_for_bank(table, on):
        commits = on.commit_set
    elif on is None and table.sealed and table.sealed[-1].lock.round == message.round:
        commits = table.sealed[-1].commit_set
    else:
        refuse("not_due", "the bank has nothing to open yet")
    check_signed(verifier, message.key, message, table.game_id, commits=commits)
    return table_at_fault(table, "bank_missing")


def waits_for_bank(table: DiceTable, on: Round) -> bool:
    """Tell whether every player has opened and the bank alone knows, or could hide, what fell."""
    if not table.bank:
        return False
    if table.terms.hidden and table.terms.protocol != 1:
        return on.phase == "opened"
    return on.phase == "reveal" and not on.unopened(table.bank)
