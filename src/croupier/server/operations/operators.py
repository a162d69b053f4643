"""Operators' operations: stop an account, a room or everything, set tables, and read what was done.

Whatever an operator does is written down where nobody can change it. None of it can touch a chip, a seed or a match.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.engine.checks import is_printable
from croupier.engine.registry import has_game
from croupier.errors import BadOptions
from croupier.house import Ledger
from croupier.house.ledger import DEPOSITS, HOUSE, OPEN
from croupier.server.operations import accounts, purses, sessions
from croupier.server.operations import table_settings as tables
from croupier.server.operations.catalogue import list_tables
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import Limit, Whole
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.versions import announce
from croupier.server.problems import Problem, ensure, existing
from croupier.store.model import Audit
from croupier.wire.accounts import NewAccount
from croupier.wire.games import TableView
from croupier.wire.operators import AccountState, Counts, RoomState, ServerState

FROZEN = "frozen"
"""The setting that is 1 while everything is stopped, and else the time at which it was let go on."""
TABLE_IDS = 65_536


# Who is one.


def make_operator(call: Context, name: str) -> NewAccount:
    """Open the account of an operator; for the command line, where whoever can run it owns the database anyway."""
    made = accounts.open_account(call, name, is_operator=True)
    call.tx.add_audit(call.now, "command line", "operator made", made.account.id)
    return made


def _operator(caller: Caller) -> str:
    if caller.account is None or caller.account.role != "operator":
        raise Problem("forbidden")
    return caller.account.id


# Stopping.


def is_frozen(call: Context) -> bool:
    """Tell whether an operator has stopped everything."""
    return call.tx.get_setting(FROZEN) == b"1"


def unfrozen_at(call: Context) -> int:
    """Return when everything was last let go on; 0 if it never was, or by a clock that was ahead of now."""
    at = int(call.tx.get_setting(FROZEN) or 0)
    return at if at <= call.now else 0


@operation(
    "operators", "POST /operator/freeze", role="operator", example={"frozen": True, "why": "moving to another machine"}
)
def freeze_everything(call: Context, caller: Caller, frozen: bool, why: str = "") -> ServerState:
    """Stop everything, or let it go on.

    Requests that change anything are refused meanwhile. `why` is for those who read it later.
    """
    call.tx.put_setting(FROZEN, b"1" if frozen else f"{call.now}".encode())
    _write_down(call, _operator(caller), "froze everything" if frozen else "unfroze everything", "", why)
    return ServerState(frozen)


@operation(
    "operators", "POST /operator/accounts/{account_id}/freeze", role="operator", codes=("no_such_account",),
    example={"frozen": True, "why": "asked for by its owner"},
)  # fmt: skip
def freeze_account(call: Context, caller: Caller, account_id: str, frozen: bool, why: str = "") -> AccountState:
    """Stop an account, or let it go on.

    It may look, and not act, nor have live connections.
    """
    operator = _operator(caller)
    account = existing(call.tx.get_account(account_id, lock=True), "no_such_account")
    call.tx.put_account(replace(account, frozen=frozen))
    for row in call.tx.open_sessions(account_id):
        sessions.put_off(call, row.session_id)  # nobody loses the time that was not theirs
    call.notices[account_id] = 0
    _write_down(call, operator, "froze account" if frozen else "unfroze account", account_id, why)
    return look_at_account(call, caller, account_id)


@operation(
    "operators", "POST /operator/rooms/{room_id}/freeze", role="operator", codes=("no_such_room",),
    example={"frozen": True, "why": "a dispute"},
)  # fmt: skip
def freeze_room(call: Context, caller: Caller, room_id: str, frozen: bool, why: str = "") -> RoomState:
    """Stop a room, or let it go on.

    Nobody acts in it, and no clock runs out.
    """
    operator = _operator(caller)
    room = call.room(room_id, lock=True)
    deadline = room.deadline
    if room.frozen and not frozen and deadline:
        deadline = call.deadline(room)  # nobody loses the time that was not theirs
    call.put_room(replace(room, frozen=frozen, deadline=deadline))
    _write_down(call, operator, "froze room" if frozen else "unfroze room", room_id, why)
    return RoomState(room.id, room.game_id, room.status, room.version, frozen)


@operation("operators", "GET /operator/accounts/{account_id}", role="operator", codes=("no_such_account",))
def look_at_account(call: Context, caller: Caller, account_id: str) -> AccountState:
    """Look at an account."""
    _operator(caller)
    found = existing(call.tx.get_account(account_id), "no_such_account")
    purse = purses.purse(call, account_id)
    return AccountState(found.id, found.name, found.role, found.created_at, found.closed_at, found.frozen, purse)


# Tables.


def check_table(table: int, body: tables.TableTerms) -> None:
    """Raise `Problem` unless terms make a table. Every edge is counted, which takes a while: not while others wait."""
    ensure(0 <= table < TABLE_IDS, "not_found", f"a table's number is 0 to {TABLE_IDS - 1}")
    ensure(has_game(body.game), "no_such_game")
    try:
        tables.table_of(table, body)
    except BadOptions as error:
        raise Problem("bad_limits", str(error)) from None


@operation(
    "operators", "PUT /operator/tables/{table}", role="operator", codes=("not_found", "no_such_game", "bad_limits"),
    example={"game": "roulette", "options": {"zero_rule": "la_partage"}, "stake_min": 5, "stake_max": 500},
    before=check_table,
)  # fmt: skip
def set_table(call: Context, caller: Caller, table: int, body: tables.TableTerms) -> tuple[TableView, ...]:
    """Set the game, options and limits of a table; options that would give players an edge are refused.

    It can be closed, too. All that are open are returned. Sessions that have begun keep their options.
    """
    operator = _operator(caller)
    _put_tables(call, {**_own_tables(call), table: body})
    _write_down(call, operator, "set table", str(table), "", terms=msgspec.to_builtins(body))
    return list_tables(call)


@operation("operators", "DELETE /operator/tables/{table}", role="operator", codes=("not_found",))
def reset_table(call: Context, caller: Caller, table: int) -> tuple[TableView, ...]:
    """Give a table its usual terms back.

    One that there usually is not is taken away.
    """
    operator, own = _operator(caller), _own_tables(call)
    ensure(table in own, "not_found", f"table {table} has its usual terms")
    del own[table]
    _put_tables(call, own)
    _write_down(call, operator, "reset table", str(table), "")
    return list_tables(call)


def _own_tables(call: Context) -> dict[int, tables.TableTerms]:
    # Locked from here on: of two operators at once the second finds what the first has set.
    return tables.own_tables(call.tx.get_setting(tables.TABLES, lock=True))


def _put_tables(call: Context, own: dict[int, tables.TableTerms]) -> None:
    call.tx.put_setting(tables.TABLES, msgspec.json.encode(dict(sorted(own.items()))))
    announce(call)


# Looking.


@operation("operators", "GET /operator/audit", name="get_audit", role="operator")
def audit_page(call: Context, caller: Caller, before: Whole | None = None, limit: Limit = 50) -> tuple[Audit, ...]:
    """Read what operators did, newest first."""
    _operator(caller)
    return tuple(call.tx.audits(before=before, limit=limit))


@operation("operators", "GET /operator/counts", name="get_counts", role="operator")
def counts(call: Context, caller: Caller) -> Counts:
    """See how things stand."""
    _operator(caller)
    ledger = Ledger(call.tx.house())
    house, lying, handed = ledger.balance(HOUSE), ledger.balance(OPEN), -ledger.balance(DEPOSITS)
    of_players = handed - house - lying
    return Counts(is_frozen(call), handed, house, lying, of_players, ledger.count(), len(tables.catalogue(call)))


def _write_down(call: Context, operator: str, what: str, about: str, why: str, **details: Any) -> None:
    ensure(len(why) <= 200 and is_printable(why), "bad_request", "a reason is up to 200 printable characters")
    call.tx.add_audit(call.now, operator, what, about, **{**details, **({"why": why} if why else {})})
