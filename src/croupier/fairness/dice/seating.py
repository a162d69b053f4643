"""Messages between rounds: JOIN, LEAVE, BET and END."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.fairness.dice.answers import Movement, Step, refuse
from croupier.fairness.dice.forfeits import close_table
from croupier.fairness.dice.messages import CHIPS_MAX, Bet, End, Join, Leave, check_signed
from croupier.fairness.dice.table import MESSAGES_MAX, DiceTable, Seat
from croupier.fairness.signing import Verifier


def join(table: DiceTable, message: Join, verifier: Verifier) -> Step:
    """Seat a player, add to a bond, or bring back a seat that sat out."""
    seat = table.seats.get(message.key)
    if message.key == table.terms.table_key:
        refuse("unknown_key", "the table's own key does not sit down")
    if seat is None and len(table.seats) >= table.terms.seats_max:
        refuse("seats_used_up", f"{table.terms.seats_max} keys have sat here, and the terms allow no more")
    seat = _next(seat or Seat(), message.key, message.seq)
    check_signed(verifier, message.key, message, table.game_id)
    bond = seat.bond + message.chips
    if table.paid_in + message.chips > CHIPS_MAX:
        refuse("too_many_chips", "nobody can keep books on that many chips")
    if bond < table.terms.least_bond:
        refuse("bond_too_small", f"a bond here is at least {table.terms.least_bond}, this would make {bond}")
    taken = replace(table, paid_in=table.paid_in + message.chips)
    moved = Movement(f"player:{message.key}", f"bond:{message.key}", message.chips, "joined")
    seated = taken.with_seat(message.key, replace(seat, bond=bond, status="in", misses=0))
    return Step(seated, (moved,) if message.chips else ())


def leave(table: DiceTable, message: Leave, verifier: Verifier) -> Step:
    """Let a player go, with the bond. Not in the middle of a round: that would be a way out of opening."""
    seat = _seated(table, message, verifier, "nobody leaves in the middle of a round")
    left = table.with_seat(message.key, replace(seat, bond=0, status="left"))
    back = Movement(f"bond:{message.key}", f"player:{message.key}", seat.bond, "left")
    return Step(replace(left, paid_out=table.paid_out + seat.bond), (back,) if seat.bond else ())


def bet(table: DiceTable, message: Bet, verifier: Verifier) -> Step:
    """Write a player's order into the book. What it means is the game's affair; LOCK says what came of it."""
    seat = _seated(table, message, verifier, "bets are locked until the round is over")
    return Step(table.with_seat(message.key, seat))


def end(table: DiceTable, message: End, verifier: Verifier) -> Step:
    """End in good order: every bond goes back."""
    if table.round is not None:
        refuse("round_on", "a table does not end in the middle of a round")
    if table.sealed:
        refuse("bank_sealed", f"the bank has not opened its chain up to round {table.sealed[-1].lock.round}")
    if message.transcript != table.transcript:
        refuse("wrong_transcript", "the end refers to another roll than the last one")
    if message.book != table.book.hex():
        refuse("wrong_book", "the end is that of another book than this one")
    check_signed(verifier, table.terms.table_key, message, table.game_id)
    closed, movements = close_table(table, "ended")
    return Step(closed, movements)


def _seated(table: DiceTable, message: Leave | Bet, verifier: Verifier, no: str) -> Seat:
    """Return the seat of a message's sender after it; in a round the message is refused with that sentence."""
    seat = table.seats.get(message.key)
    if seat is None or seat.status == "left":
        refuse("unknown_key", "nobody with that key sits here")
    if table.round is not None:
        refuse("round_on", no)
    seat = _next(seat, message.key, message.seq)
    check_signed(verifier, message.key, message, table.game_id)
    return seat


def _next(seat: Seat, key: str, seq: int) -> Seat:
    """Return the seat after one more message of its own, if it is a fresh one."""
    if seat.status == "closed":
        refuse("seat_closed", f"the seat of {key[:16]}… was closed for cheating")
    if seq <= seat.seq:
        refuse("stale_seq", f"sequence number {seq} is not above the last one, {seat.seq}")
    if seat.messages >= MESSAGES_MAX:
        refuse("too_many_messages", f"{MESSAGES_MAX} messages of one player between two rounds are enough")
    return replace(seat, seq=seq, messages=seat.messages + 1)
