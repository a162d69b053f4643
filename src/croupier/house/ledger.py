"""The ledger: every chip that moves has a from, a to and a reason. Invariant: the accounts add up to nothing.

Chips come into being only by deposits, whose account goes below zero for it: players + house + open stakes + deposits
is 0 at all times, and any host can check that, quickly from the balances or thoroughly from the movements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.house.money import CHIPS_MAX, Money

HOUSE, OPEN, DEPOSITS = "house", "open", "deposits"
COUNT_KEY = "ledger/count"
NAMES_KEY = "ledger/accounts"
CARRIED_KEY, SUMS_KEY = "ledger/carried", "ledger/sums"
"""Of a host that drops old movements: the number of the last one dropped, and their sums by account."""


class State(Protocol):
    """State interface of a host: a dictionary, a database, a chain.

    The puts of one `execute` belong in one transaction: half of them would be a payment that can be asked for again.
    A state with many accounts is a `RankedState` as well.
    """

    def get(self, key: str) -> Any:
        """Return what was put under a key, or None."""

    def put(self, key: str, value: Any) -> None:
        """Keep a value under a key."""


class RankedState(State, Protocol):
    """A state that knows its accounts by itself: nothing is done for each of thousands when one of them moves."""

    def richest(self, count: int) -> Sequence[tuple[str, int]]:
        """Return the players' accounts with the most chips, best first, equal ones by name."""


def is_ranked(state: State) -> TypeGuard[RankedState]:
    """Tell whether a state ranks its accounts."""
    # A protocol that is asked by isinstance takes as long as a statement.
    return hasattr(state, "richest")


class LedgerBroken(CroupierError, AssertionError):
    """The accounts do not add up."""

    code = "ledger_broken"


class Movement(Struct, frozen=True):
    """Chips that went from one account to another."""

    number: int
    source: str
    target: str
    amount: int
    reason: str
    session: int | None = None


def player_account(player: str) -> str:
    """Return the name of a player's account."""
    return f"player/{player}"


class Ledger:
    """The accounts in a host's state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._lists_accounts = not is_ranked(state)

    def balance(self, account: str) -> int:
        """Return what an account holds; below zero for the house when it is behind, and for deposits."""
        return self._state.get(f"balance/{account}") or 0

    def count(self) -> int:
        """Return how many movements there have been."""
        return self._state.get(COUNT_KEY) or 0

    def accounts(self) -> tuple[str, ...]:
        """Return the names of all accounts there are."""
        return self._state.get(NAMES_KEY) or ()

    def richest(self, count: int) -> list[tuple[str, int]]:
        """Return the players' accounts with the most chips, best first, equal ones by name."""
        if is_ranked(self._state):
            return list(self._state.richest(count))
        players = [account for account in self.accounts() if account.startswith(player_account(""))]
        ranked = sorted((-self.balance(account), account) for account in players)
        return [(account, -chips) for chips, account in ranked[:count]]

    def move(self, source: str, target: str, amount: int, reason: str, session: int | None = None) -> None:
        """Move chips and write it down. Nothing is written for no chips."""
        if amount == 0:
            return
        if not 0 < amount <= CHIPS_MAX:
            raise LedgerBroken(f"{amount} chips cannot move from {source} to {target}")
        number = self.count() + 1
        for account, change in ((source, -amount), (target, amount)):
            key = f"balance/{account}"
            held = self._state.get(key)
            if held is None and self._lists_accounts:
                self._state.put(NAMES_KEY, (*self.accounts(), account))
            chips = (held or 0) + change
            if chips < 0 and account.startswith("player/"):
                raise LedgerBroken(f"{account} would hold {chips} chips")
            self._state.put(key, chips)
        self._state.put(f"movement/{number}", Movement(number, source, target, amount, reason, session))
        self._state.put(COUNT_KEY, number)

    def book(self, player: str, session: int, before: Money, after: Money) -> None:
        """Write down what a move of a session did: stakes, fee, bets taken back, and every line that was settled."""
        account = player_account(player)
        settled = after.lines[len(before.lines) :]
        opened = sum(stake.stake for stake in after.open) + sum(line.stake for line in settled)
        change = opened - sum(stake.stake for stake in before.open)
        if change > 0:
            self.move(account, OPEN, change, "stake", session)
        else:
            self._credit(OPEN, account, -change, "taken back", session)
        self.move(account, HOUSE, after.fees - before.fees, "super fee", session)
        for line in settled:
            self.move(OPEN, HOUSE, line.stake, f"{line.bet}: stake", session)
            self._credit(HOUSE, account, line.returned, f"{line.bet}: return", session)

    def _credit(self, source: str, account: str, amount: int, reason: str, session: int) -> None:
        """Move chips to a player, up to the chip bound; what nobody can hold goes to the house."""
        fits = min(amount, CHIPS_MAX - self.balance(account))
        self.move(source, account, fits, reason, session)
        if source != HOUSE:
            self.move(source, HOUSE, amount - fits, reason, session)


def check_ledger(state: State, *, thorough: bool = False) -> None:
    """Raise `LedgerBroken` unless all accounts add up to nothing; thoroughly, unless the movements make them."""
    ledger = Ledger(state)
    balances = {account: ledger.balance(account) for account in ledger.accounts()}
    if sum(balances.values()) != 0:
        raise LedgerBroken(f"the accounts add up to {sum(balances.values())}: {balances}")
    if ledger.balance(OPEN) < 0:
        raise LedgerBroken(f"open stakes are {ledger.balance(OPEN)}")
    for account, chips in balances.items():
        if account.startswith("player/") and chips < 0:
            raise LedgerBroken(f"{account} holds {chips} chips")
    if not thorough:
        return
    worked_out: dict[str, int] = dict(state.get(SUMS_KEY) or {})
    for number in range((state.get(CARRIED_KEY) or 0) + 1, ledger.count() + 1):
        movement = state.get(f"movement/{number}")
        if movement is None or movement.number != number:
            raise LedgerBroken(f"movement {number} is missing or another one stands in its place")
        worked_out[movement.source] = worked_out.get(movement.source, 0) - movement.amount
        worked_out[movement.target] = worked_out.get(movement.target, 0) + movement.amount
    if worked_out != balances:
        raise LedgerBroken(f"the movements make {worked_out}, the balances are {balances}")
