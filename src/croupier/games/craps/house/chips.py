"""Chips that move on the layout: what the till of a craps session does besides taking and settling stakes.

A come bet is one stake under two names, `come` in the box and `come:6` once it has travelled, so that every bet on the
table has a name of its own. A bet that is lowered keeps its place and what it paid of a super fee.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from croupier.house import HouseState, HouseTurn
from croupier.house.money import Till


class _Till(Till):
    __slots__ = ()

    def move(self, bet: str, to: str) -> None:
        """Put the chips of a bet that travels on another one, which has none."""
        lying = self.stake_on(bet)
        if lying is None or self.stake_on(to) is not None:
            self._bug(f"chips moved from {bet} to {to}: there must be some on the first and none on the second")
        self.money = replace(self.money, open=self._with(lying, replace(lying, bet=to)))

    def lower(self, bet: str, stake: int, most: int) -> None:
        """Leave `stake` chips on a bet, which can return `most`, and give back the others; a super fee stays paid."""
        lying = self.stake_on(bet)
        if lying is None or not 0 < stake <= lying.stake:
            self._bug(f"lowered {bet} to {stake}: there must be more on it")
        left = self._with(lying, replace(lying, stake=stake, most=most))
        self.money = replace(self.money, staked=self.money.staked - lying.stake + stake, open=left)


class CrapsTurn(HouseTurn):
    """Context of a craps action, with a till that can `move` and `lower` chips."""

    __slots__ = ()

    till: _Till

    def begin(self, game: Any, state: HouseState) -> None:
        """Open the till on the accounts of the state."""
        super().begin(game, state)
        self.till = _Till(state.money, self.host, state.super_mode)
