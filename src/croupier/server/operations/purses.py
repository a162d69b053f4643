"""Chips of players: purse, modifiers, movements, leaderboard; and the one call of `house.execute` on the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from croupier.house import CasinoError, Deposit, Event, Instruction, Ledger, PlayerAction, Table, execute
from croupier.house.execute import LEADERS
from croupier.house.ledger import Movement, player_account
from croupier.house.modifiers import Player
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import Amount, Limit, Whole
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.table_settings import catalogue
from croupier.server.problems import Problem, ensure
from croupier.wire.accounts import Leader, Purse


def purse(call: Context, account_id: str) -> Purse:
    """Return what somebody has at the house."""
    house = call.tx.house()
    player: Player = house.get(f"player/{account_id}") or Player(account_id, shields=0, doubles=0)
    return Purse(
        Ledger(house).balance(player_account(account_id)),
        player.shields,
        player.doubles,
        player.active_shield,
        player.active_double,
        player.active_super,
        None if player.deposited_at < 0 else player.deposited_at,
        player.sessions_played,
    )


@operation("house", "POST /me/deposits", codes=("excluded", "account_frozen"), example={"amount": 1000})
def deposit(call: Context, caller: Caller, amount: Amount) -> Purse:
    """Ask for chips, once a day.

    Up to 1,000. They are play money.
    """
    account = caller.must_play()
    ensure(account.limits.excluded_until <= call.now, "excluded", until=account.limits.excluded_until)
    ask(call, account.id, Deposit(amount))
    return purse(call, account.id)


@operation("house", "POST /me/modifiers", codes=("account_frozen",), example={"modifier": "shield"})
def arm(call: Context, caller: Caller, modifier: Literal["shield", "double", "super"]) -> Purse:
    """Arm a modifier for your next session, or disarm it."""
    account = caller.must_play()
    ask(call, account.id, PlayerAction(modifier))
    return purse(call, account.id)


@operation("house", "GET /me/ledger", name="get_ledger")
def ledger_page(call: Context, caller: Caller, before: Whole | None = None, limit: Limit = 50) -> tuple[Movement, ...]:
    """See every movement of your chips, newest first."""
    return tuple(call.tx.movements(player_account(caller.id), before=before, limit=limit))


@operation("games", "GET /leaderboard", name="get_leaderboard", role="anyone")
def leaderboard(call: Context) -> tuple[Leader, ...]:
    """See who has the most chips.

    The ten with the most, best first.
    """
    entries = call.tx.house().richest(LEADERS)
    accounts = [(call.tx.get_account(name.removeprefix(player_account(""))), chips) for name, chips in entries]
    return tuple(Leader(account.id, account.name, chips) for account, chips in accounts if account is not None)


def ask(
    call: Context, account_id: str, body: Any, seed: bytes = b"", tables: Mapping[int, Table] | None = None
) -> tuple[Event, ...]:
    """Have the house carry out an instruction. Its no is a `Problem` with its code."""
    tables = catalogue(call) if tables is None else tables
    events = execute(call.tx.house(), Instruction(account_id, body), seed, call.now, tables=tables, board=False)
    if isinstance(events[0], CasinoError):
        reason, message = events[0].reason, events[0].message
        raise Problem(reason) if reason == "game_fault" else Problem.of(reason, message)
    return events
