"""croupier: a deterministic table for games of chance and skill.

Same seed and same actions give the same bytes, everywhere. Write a game as one class; play it, undo it, view it per
seat, save it, replay it and prove it.
"""

from typing import Any

from croupier.engine import (
    Action,
    Game,
    Match,
    MatchClient,
    MatchResult,
    Setup,
    Turn,
    act,
    action,
    apply_action,
    create_match,
    get_game,
    legal_actions,
    list_games,
    refuse,
    require,
    verify,
    view_for,
)
from croupier.errors import CroupierError
from croupier.rng import GameRng

__all__ = [
    "Action",
    "CroupierError",
    "Game",
    "GameRng",
    "Match",
    "MatchClient",
    "MatchResult",
    "Setup",
    "Turn",
    "act",
    "action",
    "apply_action",
    "create_match",
    "get_game",
    "legal_actions",
    "list_games",
    "refuse",
    "require",
    "verify",
    "view_for",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("croupier")
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")
