"""croupier: a deterministic table for games of chance and skill.

Same seed and same actions give the same bytes, everywhere. Write a game as one class; play it, undo it, view it per
seat, save it, replay it and prove it.

croupier            matches: create_match, apply_action, MatchClient, Rules; and GameRng, the one generator
croupier.engine     the match engine whole: MatchState, PlayerInfo, TurnState, GameResult, serialize_match
croupier.house      the casino: GameSession, GameType, init_game, process_game_move, GameResult, GameError, execute
croupier.games      the games; as plain objects craps.CrapsGame, shut_the_box.Game, lanes.GameState
croupier.fairness   seeds, commitments and dice among people who do not trust each other
croupier.bots, croupier.sim, croupier.store, croupier.server, croupier.client, croupier.chain

A name of `house`, `engine`, `games.craps` or `games.lanes` is also found here, but for `GameResult`, which two of them
have. `croupier rules GAME` prints a game's rules.
"""

import typing
from importlib import import_module
from importlib.util import find_spec
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
    if name == "GameResult":  # an AttributeError's text would be lost in `from croupier import GameResult`
        raise ImportError("there are two: croupier.house has a move's GameResult, croupier.engine that of a match")
    if not name.startswith("_"):
        if find_spec(f"croupier.{name}") is not None:
            return import_module(f"croupier.{name}")
        for part in ("house", "engine", "games", "games.craps", "games.lanes"):
            package = import_module(f"croupier.{part}")
            if hasattr(package, name):
                return getattr(package, name)
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")
