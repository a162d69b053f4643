"""The registry: every operation there is, by the headings of the API's page. What is not in it cannot be asked for."""

from __future__ import annotations

from croupier.server.operations import (
    accounts,
    actions,
    catalogue,
    commitments,
    dice,
    operators,
    purses,
    replays,
    room_views,
    rooms,
    sessions,
    versions,
)
from croupier.server.operations.declaration.operation import Operation, declared_in

TAGS = {
    "accounts": "Who you are: tokens, names, limits of your own.",
    "games": "What there is to play, by which rules, and what it is worth.",
    "rooms": "Matches between players, people or bots.",
    "house": "Sessions against the house, with play money.",
    "operators": "For those who run the server.",
    "live": "Connections over which views come by themselves.",
    "dice": "Craps tables whose dice everybody makes.",
}

_MODULES = (
    accounts, catalogue, room_views, rooms, actions, versions, commitments, sessions, replays, purses, operators,
    dice,
)  # fmt: skip
OPERATIONS: tuple[Operation, ...] = tuple(
    sorted((each for module in _MODULES for each in declared_in(module)), key=lambda each: list(TAGS).index(each.tag))
)
FRAMES = {each.frame: each for each in OPERATIONS if each.frame is not None}
"""The operations that can be asked for over a live connection, by the type of their frames."""
