"""Tickets: what lets one live connection in, once.

A browser cannot send a header with a WebSocket, and an address ends up in logs. So what goes into the address is good
for one connection and for half a minute. Only the SHA-256 of a ticket is kept, under a name that no token can have.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256

from msgspec import Struct

from croupier.server.operations.context import Caller, Context
from croupier.server.problems import Problem
from croupier.store.model import Account, Token

__all__ = ["Ticket", "is_ticket", "issue_ticket", "redeem_ticket"]

PREFIX = "ticket:"
TICKET_MAX = 100


class Ticket(Struct, frozen=True):
    """A ticket, and until when it is good."""

    ticket: str
    expires_at: int


def issue_ticket(call: Context, caller: Caller) -> Ticket:
    """Return a new ticket for the caller; those that were never used are cleared away."""
    account_id = caller.id
    for old in call.tx.tokens_of(account_id):
        if is_ticket(old) and old.expires_at <= call.now:
            call.tx.drop_token(old.hash)
    secret = urlsafe_b64encode(call.entropy(32)).rstrip(b"=").decode()
    until = call.now + call.settings.ticket_ms
    call.tx.put_token(Token(_name(secret), account_id, call.now, until, label="ticket"))
    return Ticket(secret, until)


def redeem_ticket(call: Context, ticket: str) -> Account:
    """Return whose ticket it is and use it up, or raise `Problem`."""
    if not ticket or len(ticket) > TICKET_MAX:
        raise Problem("bad_token", "the ticket is unknown, used, or has run out")
    found = call.tx.find_token(_name(ticket))
    account = None if found is None else call.tx.get_account(found.account)
    if found is None or account is None or account.closed_at or found.expires_at <= call.now:
        raise Problem("bad_token", "the ticket is unknown, used, or has run out")
    call.tx.drop_token(found.hash)
    return account


def is_ticket(token: Token) -> bool:
    """Tell whether what is kept like a token is a ticket, which lets nobody in by HTTP."""
    return token.hash.startswith(PREFIX)


def _name(ticket: str) -> str:
    return PREFIX + sha256(ticket.encode()).hexdigest()
