"""Accounts: sign-up by name, tokens, tickets for live connections, recovery keys, self-imposed limits.

A token is 256 random bits, shown once; the store has its SHA-256. So is the recovery key, which brings a new token to
who has lost theirs, and takes all others away. It stays good when it has been used: an answer that gets lost on the way
locks nobody out.

A ticket lets one live connection in, once. A browser cannot send a header with a WebSocket, and an address ends up in
logs. So what goes into the address is good for one connection and for half a minute. Only the SHA-256 of a ticket is
kept, under a name that no token can have. A ticket, and the connection it let in, are good as long as the token they
were asked for with.
"""

from __future__ import annotations

import base64
import hmac
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine.checks import is_name
from croupier.house import Register
from croupier.house.ledger import Movement, player_account
from croupier.server.operations import player_limits as own_limits
from croupier.server.operations import purses, room_views, rooms, sessions
from croupier.server.operations.commitments import upcoming
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import (
    NAME_MAX,
    TEN_YEARS,
    Label,
    LossLimit,
    MinutesLimit,
    Name,
    RecoveryKey,
    TimeLimit,
)
from croupier.server.operations.declaration.operation import operation
from croupier.server.problems import Problem, ensure, existing
from croupier.store.export import erase_account, rooms_of
from croupier.store.model import Account, Limits, Role, SessionRow, Token
from croupier.store.scan import every_item
from croupier.wire.accounts import (
    AccountView,
    Deleted,
    LimitsView,
    NewAccount,
    NewRecoveryKey,
    NewToken,
    Ticket,
    TokenView,
)
from croupier.wire.rooms import RoomView

SECRET_BYTES = 32
TOKENS_EACH = 20
TICKET = "ticket:"
TICKET_MAX = 100
TICKETS_EACH = 100
"""How many tickets of an account are good at a time."""
DAY_MS = 86_400_000
EXCLUSION_MS_MAX = 10 * 366 * DAY_MS
PAGE = 100
KEY_EXAMPLE = {"recovery_key": "p5TzUu6yCBpVXs3n6nSy1yq4h4Qh3Rr4H2o0X2G9b7E"}


class Export(Struct, frozen=True):
    """Account, tokens, rooms, sessions and ledger of somebody."""

    account: AccountView
    tokens: tuple[TokenView, ...]
    rooms: tuple[RoomView, ...]
    sessions: tuple[SessionRow, ...]
    ledger: tuple[Movement, ...]


class Admission(Struct, frozen=True):
    """Account that a ticket lets in, by which token (its hash), and until when."""

    account_id: str
    token_hash: str
    expires_at: int


# Who asks.


def hash_of(secret: str) -> str:
    """Return what the store knows of a token or a recovery key."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def authenticate(call: Context, token: str | None) -> Caller:
    """Return who a token belongs to, or nobody where there is none. Raises `Problem` for a token that is not good."""
    if token is None:
        return Caller()
    wanted = hash_of(token)
    found = existing(call.tx.find_token(wanted), "bad_token")
    ensure(hmac.compare_digest(found.hash, wanted) and found.expires_at > call.now, "bad_token")
    account = existing(call.tx.get_account(found.account), "bad_token")
    ensure(not account.closed_at, "account_closed")
    return Caller(account, wanted)


@operation(
    "accounts", "POST /accounts", role="anyone", status=201, codes=("bad_name",), example={"name": "Ann"},
    shows_secret=True, is_opening=True,
)  # fmt: skip
def register(call: Context, name: Name, label: Label = "", next: bool = False) -> NewAccount:
    """Open an account: a name is enough. The token and the recovery key are shown this once.

    The name need not be anybody's only one, and there are chips to begin with. With `next` comes the commitment to the
    server's part of the seed of the first session.
    """
    opened = open_account(call, name, label)
    return replace(opened, next=upcoming(call, opened.account.id)) if next else opened


def open_account(call: Context, name: str, label: str = "", *, is_operator: bool = False) -> NewAccount:
    """Create an account. Its token and recovery key are returned once; only hashes are stored."""
    recovery_key = _secret(call)
    role: Role = "operator" if is_operator else "player"
    account = Account(call.new_id("p_"), _checked_name(name), call.now, role, hash_of(recovery_key))
    call.tx.put_account(account)
    purses.ask(call, account.id, Register())  # a player of the house, with chips to begin with
    token = _issue(call, account.id, label)
    return NewAccount(_view(call, account), token.token, token.expires_at, recovery_key)


@operation(
    "accounts", "POST /recoveries", role="anyone", status=201, codes=("bad_token", "bad_name"), example=KEY_EXAMPLE,
    shows_secret=True, is_opening=True,
)  # fmt: skip
def recover(call: Context, recovery_key: RecoveryKey, label: Label = "") -> NewToken:
    """Get a new token with the recovery key.

    All tokens before it are dropped: one of them was lost.
    """
    account = _recovered(call, recovery_key)
    for token in call.tx.tokens_of(account.id):
        _drop(call, token)
    return _issue(call, account.id, label)


def _recovered(call: Context, recovery_key: str) -> Account:
    wanted = hash_of(recovery_key)
    found = call.tx.account_by_recovery(wanted)
    account = found and call.tx.get_account(found.id, lock=True)  # so that another process adds no token meanwhile
    if account is None or account.closed_at or not hmac.compare_digest(account.recovery_hash, wanted):
        raise Problem("bad_token", "the recovery key is unknown")
    return account


@operation("accounts", "POST /me/recovery-key", status=201, example=KEY_EXAMPLE, shows_secret=True)
def new_recovery_key(call: Context, caller: Caller, recovery_key: RecoveryKey) -> NewRecoveryKey:
    """Get another recovery key in place of the one before, which is asked for. It is shown this once.

    A stolen token alone does not bring one.
    """
    account, new = _own(call, caller), _secret(call)
    ensure(_recovered(call, recovery_key).id == account.id, "bad_token", "the recovery key is unknown")
    call.tx.put_account(replace(account, recovery_hash=hash_of(new)))
    return NewRecoveryKey(new)


# Tokens.


@operation(
    "accounts", "POST /me/tokens", status=201, codes=("bad_name",), example={"label": "phone"}, shows_secret=True
)
def new_token(call: Context, caller: Caller, label: Label = "") -> NewToken:
    """Get one more token, for another device. It is shown this once; of twenty, the oldest goes."""
    account = _own(call, caller)
    existing(call.tx.find_token(caller.token_hash, lock=True), "bad_token")  # dropped by another process meanwhile
    return _issue(call, account.id, label)


@operation("accounts", "GET /me/tokens")
def list_tokens(call: Context, caller: Caller) -> tuple[TokenView, ...]:
    """List the tokens that let you in."""
    return tuple(
        TokenView(_token_id(token), token.label, token.created_at, token.expires_at, token.hash == caller.token_hash)
        for token in _tokens(call, caller.id)
        if token.expires_at > call.now
    )


@operation("accounts", "DELETE /me/tokens/{token_id}", codes=("not_found",))
def drop_token(call: Context, caller: Caller, token_id: str) -> tuple[TokenView, ...]:
    """Drop a token.

    It goes by the id that the list has for it; those that are left are returned.
    """
    found = next((token for token in _tokens(call, caller.id) if _token_id(token) == token_id), None)
    _drop(call, existing(found, "not_found", "you have no such token"))
    return list_tokens(call, caller)


def _drop(call: Context, token: Token) -> None:
    """Drop a token; live connections that it let in are told to end."""
    call.tx.drop_token(token.hash)
    call.notices[token.account] = 0


def _issue(call: Context, account_id: str, label: str) -> NewToken:
    ensure(not label or is_name(label), "bad_name", "a label is up to 64 printable characters")
    tokens = sorted(_tokens(call, account_id), key=lambda token: token.created_at)
    for old in tokens[: max(len(tokens) - TOKENS_EACH + 1, 0)]:
        _drop(call, old)
    token = _secret(call)
    expires_at = call.now + call.settings.token_days * DAY_MS
    call.tx.put_token(Token(hash_of(token), account_id, call.now, expires_at, label))
    return NewToken(account_id, token, expires_at)


def _tokens(call: Context, account_id: str) -> list[Token]:
    """Return somebody's tokens; tickets, which are kept beside them, are none."""
    return [token for token in call.tx.tokens_of(account_id) if not token.hash.startswith(TICKET)]


def _token_id(token: Token) -> str:
    return "t_" + token.hash[:20]


def _secret(call: Context) -> str:
    return base64.urlsafe_b64encode(call.entropy(SECRET_BYTES)).decode().rstrip("=")


# Tickets.


@operation("live", "POST /tickets", name="new_ticket", status=201, shows_secret=True)
def issue_ticket(call: Context, caller: Caller) -> Ticket:
    """Get a ticket for one live connection, good for half a minute, at /api/v1/live.

    Those that have run out are cleared away, and the oldest of too many.
    """
    account_id = caller.must_play().id
    tickets = [token for token in call.tx.tokens_of(account_id) if token.hash.startswith(TICKET)]
    tickets.sort(key=lambda each: each.expires_at)
    for number, old in enumerate(tickets, 1 - len(tickets)):
        if old.expires_at <= call.now or number <= -TICKETS_EACH + 1:
            call.tx.drop_token(old.hash)
    secret, until = _secret(call), call.now + call.settings.ticket_ms
    call.tx.put_token(Token(TICKET + hash_of(secret), account_id, call.now, until, label=caller.token_hash))
    return Ticket(secret, until)


def redeem_ticket(call: Context, ticket: str) -> Admission:
    """Return whom a ticket lets in and use it up, or raise `Problem`."""
    found = call.tx.find_token(TICKET + hash_of(ticket)) if 0 < len(ticket) <= TICKET_MAX else None
    token = None if found is None else call.tx.find_token(found.label)
    if found is None or token is None or not _is_good(call, token) or found.expires_at <= call.now:
        raise Problem("bad_token", "the ticket is unknown, used, or has run out")
    ensure(call.tx.drop_token(found.hash), "bad_token", "the ticket is used")  # over another process, meanwhile
    return Admission(token.account, token.hash, token.expires_at)


def good_tokens(call: Context, hashes: Iterable[str]) -> frozenset[str]:
    """Return those of some tokens, by their hashes, that still let somebody have a live connection."""
    found = (call.tx.find_token(each) for each in hashes)
    return frozenset(token.hash for token in found if token is not None and _is_good(call, token))


def _is_good(call: Context, token: Token) -> bool:
    account = call.tx.get_account(token.account)
    return account is not None and not account.closed_at and not account.frozen and token.expires_at > call.now


# One's own account.


@operation("accounts", "GET /me", name="get_me")
def me(call: Context, caller: Caller) -> AccountView:
    """Look at your own account."""
    return _view(call, _own(call, caller, lock=False))


@operation("accounts", "PATCH /me", codes=("bad_name",), example={"name": "Ann II"})
def rename(call: Context, caller: Caller, name: Name) -> AccountView:
    """Go by another name.

    Rooms that one sits in keep the one they know.
    """
    account = replace(_own(call, caller), name=_checked_name(name))
    call.tx.put_account(account)
    return _view(call, account)


@operation(
    "accounts", "PUT /me/limits", codes=("bad_limits",),
    example={"loss_day": 500, "minutes_day": 60, "excluded_until": 0},
)  # fmt: skip
def set_limits(
    call: Context,
    caller: Caller,
    loss_day: LossLimit | None = None,
    minutes_day: MinutesLimit | None = None,
    excluded_until: TimeLimit | None = None,
) -> AccountView:
    """Set your own limits: tighter ones hold at once, looser ones a day later.

    An exclusion can be made longer, and not shorter. Null is no limit, and leaves an exclusion as it is.
    """
    account = _own(call, caller)
    now_loss, now_minutes = own_limits.limits_now(account.limits, call.now)
    before = account.limits.excluded_until
    until = before if excluded_until is None else excluded_until
    ensure(until <= max(before, call.now + EXCLUSION_MS_MAX), "bad_limits", TEN_YEARS)
    if before > call.now and until < before:
        end = datetime.fromtimestamp(before / 1000, UTC)
        when = f"{end.day} {end:%B %Y, %H:%M} UTC"
        raise Problem("bad_limits", f"you have asked to be kept from playing until {when}: that stands")
    tight = (_tighter(now_loss, loss_day), _tighter(now_minutes, minutes_day))
    later = None if tight == (loss_day, minutes_day) else (call.now + DAY_MS, loss_day, minutes_day)
    account = replace(account, limits=Limits(*tight, until, later))
    call.tx.put_account(account)
    call.tx.add_audit(call.now, account.id, "limits", account.id)
    return _view(call, account)


def _tighter(one: int | None, other: int | None) -> int | None:
    given = [limit for limit in (one, other) if limit is not None]
    return min(given) if given else None


@operation("accounts", "GET /me/export", name="export_me")
def export_account(call: Context, caller: Caller) -> Export:
    """Get your account with its tokens, rooms, sessions and ledger."""
    account, name = _own(call, caller, lock=False), player_account(caller.id)
    seats = (room_views.outline_of(room, account.id) for room in rooms_of(call.tx, account.id))
    played = every_item(lambda last: call.tx.sessions_of(account.id, before=last, limit=PAGE), "session_id")
    movements = every_item(lambda last: call.tx.movements(name, before=last, limit=PAGE), "number")
    tokens = list_tokens(call, caller)
    return Export(_view(call, account), tokens, tuple(seats), tuple(played), tuple(movements))


@operation("accounts", "DELETE /me", name="delete_me", codes=("account_frozen",))
def delete_account(call: Context, caller: Caller) -> Deleted:
    """Delete your account. Seats are left, open sessions played out; the ledger keeps its rows.

    Name, tokens, limits and kept answers are gone. The ledger and matches keep the bare id, which then stands for
    nobody: they add up and replay only as they were. An account that an operator has stopped stays.
    """
    caller.must_play()
    account = _own(call, caller)
    for room in list(rooms_of(call.tx, account.id)):
        if room.status in rooms.LIVE and room_views.seat_of(room, account.id) is not None:
            with suppress(Problem):  # a game may let nobody go in the middle of something: the clock will see to it
                rooms.leave_room(call, caller, room.id)
    sessions.close_some(call, account.id)  # others, if there are more, in the background
    own_limits.forget_day(call, account.id)
    erase_account(call.tx, account.id, call.now)
    call.notices[account.id] = 0
    call.tx.add_audit(call.now, account.id, "deleted", account.id)
    return Deleted(account.id, call.now)


# What they share.


def _own(call: Context, caller: Caller, *, lock: bool = True) -> Account:
    account = existing(call.tx.get_account(caller.id, lock=lock), "account_closed")
    ensure(not account.closed_at, "account_closed")
    return account


def _view(call: Context, account: Account) -> AccountView:
    now, later = own_limits.limits_now(account.limits, call.now), account.limits.later
    at, loss, minutes = later if later is not None and later[0] > call.now else (None, None, None)
    purse = purses.purse(call, account.id)  # locks the house: then the day stays as it is read
    today = own_limits.day_of(call, account.id)
    limits = LimitsView(*now, account.limits.excluded_until, at, loss, minutes, max(today.lost, 0), today.played_ms)
    return AccountView(account.id, account.name, account.role, account.created_at, account.frozen, limits, purse)


def _checked_name(name: str) -> str:
    plain = unicodedata.normalize("NFC", name)
    ensure(is_name(plain) and len(plain) <= NAME_MAX, "bad_name")
    return plain
