"""The conformance kit: run any game through every law the engine relies on. It needs no test framework.

>>> from croupier.games.shut_the_box import ShutTheBox
>>> report = check_game(ShutTheBox(), seeds=1)
>>> report.findings
()
"""

from croupier.engine.chance import ScriptedRng
from croupier.testing.conformance import CheckReport, Finding, GameCheckFailed, check_game, inspect_game

__all__ = ["CheckReport", "Finding", "GameCheckFailed", "ScriptedRng", "check_game", "inspect_game"]
