"""Players of the house: their chips, modifiers and movements, and how an instruction of theirs is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from croupier.house import CasinoError, Deposit, Event, Instruction, Ledger, PlayerAction, Register, Table, execute
from croupier.house.ledger import Movement, player_account
from croupier.house.modifiers import Player
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.table_settings import catalogue
from croupier.server.problems import Problem

__all__ = ["Leader", "Purse", "arm", "ask", "deposit", "leaderboard", "ledger_page", "purse", "refusal_of", "welcome"]


class Purse(Struct, frozen=True):
    """What somebody has at the house, and what is armed for their next session."""

    chips: int
    shields: int
    doubles: int
    armed_shield: bool
    armed_double: bool
    armed_super: bool
    deposited_at: int | None
    sessions_played: int


class Leader(Struct, frozen=True):
    """One of those with the most chips."""

    account_id: str
    name: str
    chips: int


def welcome(call: Context, account_id: str) -> None:
    """Make an account a player of the house, with chips to begin with."""
    ask(call, account_id, Register())


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


def deposit(call: Context, caller: Caller, amount: int) -> Purse:
    """Ask for chips: up to 1,000, once a day. They are play money."""
    account = caller.must_play()
    if account.limits.excluded_until > call.now:
        raise Problem("excluded", until=account.limits.excluded_until)
    ask(call, account.id, Deposit(amount))
    return purse(call, account.id)


def arm(call: Context, caller: Caller, modifier: Literal["shield", "double", "super"]) -> Purse:
    """Arm a modifier for the next session, or disarm it."""
    account = caller.must_play()
    ask(call, account.id, PlayerAction(modifier))
    return purse(call, account.id)


def ledger_page(call: Context, caller: Caller, before: int | None, limit: int) -> tuple[Movement, ...]:
    """Return the caller's movements of chips, newest first."""
    return tuple(call.tx.movements(player_account(caller.id), before=before, limit=limit))


def leaderboard(call: Context) -> tuple[Leader, ...]:
    """Return the ten with the most chips, best first."""
    entries: tuple[tuple[str, int], ...] = call.tx.house().get("leaderboard") or ()
    accounts = [(call.tx.get_account(account_id), chips) for account_id, chips in entries]
    return tuple(Leader(account.id, account.name, chips) for account, chips in accounts if account is not None)


def ask(
    call: Context, account_id: str, body: Any, seed: bytes = b"", tables: Mapping[int, Table] | None = None
) -> tuple[Event, ...]:
    """Have the house carry out an instruction. Its no is a `Problem` with its code."""
    house = call.tx.house()
    nonce = house.get(f"nonce/{account_id}") or 0
    instruction = Instruction(account_id, nonce, body)
    events = execute(house, instruction, seed, call.now, tables=catalogue(call) if tables is None else tables)
    if isinstance(events[0], CasinoError):
        raise refusal_of(events[0].reason, events[0].message)
    return events


def refusal_of(reason: str, message: str) -> Problem:
    """Return the house's no as a problem."""
    if reason == "game_fault":
        return Problem(reason)
    problem = Problem(reason, message)
    problem.status = 422
    return problem
