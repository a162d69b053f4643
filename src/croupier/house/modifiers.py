"""Players and their modifiers: shields, which cancel the loss of a finished session, and doubles of its profit.

A shield turns a loss into nothing lost; a double doubles a profit, not the stake that comes back with it. One function
does it, used by every path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.house.money import CHIPS_MAX

CHIPS_AT_FIRST = 1000
SHIELDS_AT_FIRST = 3
DOUBLES_AT_FIRST = 3


class Player(Struct, frozen=True):
    """A registered player: chips, the pools of modifiers, and what is armed for the next session."""

    id: str = ""
    name: str = ""
    chips: int = 0
    shields: int = SHIELDS_AT_FIRST
    doubles: int = DOUBLES_AT_FIRST
    active_shield: bool = False
    active_double: bool = False
    active_super: bool = False
    registered_at: int = 0
    deposited_at: int = -1
    """When the last deposit was made; -1 for never."""
    sessions_played: int = 0


class Modified(Struct, frozen=True):
    """A player after their modifiers, and the net result as changed by them: `player, payout = apply_modifiers(…)`."""

    player: Player
    net: int
    was_shielded: bool
    was_doubled: bool

    payout = property(lambda modified: modified.net, doc="The net result by the document's name.")

    def __iter__(self) -> Iterator[Any]:
        return iter((self.player, self.net))


def modified_net(net: int, shield: bool, double: bool) -> int:
    """Return what a net result, fees aside, comes to under modifiers that can take effect.

    In the numeric subset: the simulator compiles it.

    >>> [modified_net(net, True, True) for net in (-100, 0, 100)]
    [0, 0, 200]
    """
    if net < 0 and shield:
        return 0
    if net > 0 and double:
        return CHIPS_MAX if net > CHIPS_MAX - net else net + net
    return net


def apply_modifiers(player: Player, payout: int) -> Modified:
    """Return what a net result, `payout`, comes to, with the modifiers used up that took effect and both flags cleared.

    A loss under an active shield becomes 0 and uses a shield; a profit under an active double is doubled, up to the
    chip bound, and uses a double. A flag that meets an empty pool, or the wrong outcome, does nothing.
    """
    shield, double = player.active_shield and player.shields > 0, player.active_double and player.doubles > 0
    shielded, doubled = shield and payout < 0, double and payout > 0
    after = replace(player, shields=player.shields - shielded, doubles=player.doubles - doubled)
    after = replace(after, active_shield=False, active_double=False)
    return Modified(after, modified_net(payout, shield, double), shielded, doubled)
