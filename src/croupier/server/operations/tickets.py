"""Tickets: what lets one live connection in, once.

A browser cannot send a header with a WebSocket, and an address ends up in logs. So what goes into the address is good
for one connection and for half a minute. Only the SHA-256 of a ticket is kept, under a name that no token can have. A
ticket, and the connection it let in, are good as long as the token they were asked for with.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct

from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.operation import operation
from croupier.server.problems import Problem
from croupier.store.model import Token
from croupier.wire.accounts import Ticket

PREFIX = "ticket:"
TICKET_MAX = 100
TICKETS_EACH = 100
"""How many tickets of an account are good at a time."""


class Admission(Struct, frozen=True):
    """Account that a ticket lets in, by which token (its hash), and until when."""

    account_id: str
    token_hash: str
    expires_at: int


@operation("live", "POST /tickets", name="new_ticket", status=201, shows_secret=True)
def issue_ticket(call: Context, caller: Caller) -> Ticket:
    """Get a ticket for one live connection, good for half a minute, at /api/v1/live.

    Those that have run out are cleared away, and the oldest of too many.
    """
    account_id = caller.must_play().id
    tickets = sorted(filter(is_ticket, call.tx.tokens_of(account_id)), key=lambda each: each.expires_at)
    for number, old in enumerate(tickets, 1 - len(tickets)):
        if old.expires_at <= call.now or number <= -TICKETS_EACH + 1:
            call.tx.drop_token(old.hash)
    secret = urlsafe_b64encode(call.entropy(32)).rstrip(b"=").decode()
    until = call.now + call.settings.ticket_ms
    call.tx.put_token(Token(_name(secret), account_id, call.now, until, label=caller.token_hash))
    return Ticket(secret, until)


def redeem_ticket(call: Context, ticket: str) -> Admission:
    """Return whom a ticket lets in and use it up, or raise `Problem`."""
    found = call.tx.find_token(_name(ticket)) if 0 < len(ticket) <= TICKET_MAX else None
    token = None if found is None else call.tx.find_token(found.label)
    if found is None or token is None or not _is_good(call, token) or found.expires_at <= call.now:
        raise Problem("bad_token", "the ticket is unknown, used, or has run out")
    call.tx.drop_token(found.hash)
    return Admission(token.account, token.hash, token.expires_at)


def good_tokens(call: Context, hashes: Iterable[str]) -> frozenset[str]:
    """Return those of some tokens, by their hashes, that still let somebody have a live connection."""
    found = (call.tx.find_token(each) for each in hashes)
    return frozenset(token.hash for token in found if token is not None and _is_good(call, token))


def _is_good(call: Context, token: Token) -> bool:
    account = call.tx.get_account(token.account)
    return account is not None and not account.closed_at and not account.frozen and token.expires_at > call.now


def is_ticket(token: Token) -> bool:
    """Tell whether what is kept like a token is a ticket, which lets nobody in by HTTP."""
    return token.hash.startswith(PREFIX)


def _name(ticket: str) -> str:
    return PREFIX + sha256(ticket.encode()).hexdigest()
