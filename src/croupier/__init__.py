"""croupier: a deterministic table for games of chance and skill.

Same seed and same actions give the same bytes, everywhere. Write a game as one class; play it, undo it, view it per
seat, save it, replay it and prove it.
"""

import typing
from typing import Any

from croupier.engine import (
    Action,
    Game,
    Match,
    MatchClient,
    MatchResult,
    MatchState,
    Rules,
    Setup,
    Turn,
    act,
    action,
    apply_action,
    create_match,
    get_game,
    legal_actions,
    list_games,
    make_record,
    refuse,
    require,
    verify,
    view_for,
    write_record,
)
from croupier.errors import CroupierError
from croupier.fairness import SeedPair
from croupier.rng import GameRng

if typing.TYPE_CHECKING:
    from croupier.bots import play_out

__all__ = [
    "Action",
    "CroupierError",
    "Game",
    "GameRng",
    "Match",
    "MatchClient",
    "MatchResult",
    "MatchState",
    "Rules",
    "SeedPair",
    "Setup",
    "Turn",
    "act",
    "action",
    "apply_action",
    "create_match",
    "get_game",
    "legal_actions",
    "list_games",
    "make_record",
    "play_out",
    "refuse",
    "require",
    "verify",
    "view_for",
    "write_record",
]


def __getattr__(name: str) -> Any:
    if name == "play_out":  # bots are imported when they are asked for
        from croupier.bots import play_out

        return play_out
    if name == "__version__":
        from importlib.metadata import version

        return version("croupier")
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")
