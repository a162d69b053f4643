"""The conformance kit: run any game through every law the engine relies on. It needs no test framework.

>>> from croupier.games.shut_the_box import ShutTheBox
>>> report = check_game(ShutTheBox(), seeds=1)
>>> report.findings
()
"""

from croupier.engine.chance import ScriptedRng
from croupier.testing.conformance import CheckReport, Finding, GameCheckFailed, check_game, inspect_game
from croupier.testing.house import (
    HouseKit,
    assert_same_round,
    batch,
    cards_of,
    dealing,
    in_super_mode,
    laid,
    lines,
    place,
    returned,
)

__all__ = [
    "CheckReport",
    "Finding",
    "GameCheckFailed",
    "HouseKit",
    "ScriptedRng",
    "assert_same_round",
    "batch",
    "cards_of",
    "check_game",
    "dealing",
    "in_super_mode",
    "inspect_game",
    "laid",
    "lines",
    "place",
    "returned",
]
