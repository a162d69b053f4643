"""The match engine: a game's rules go in, and out come matches that can be played, undone, viewed, saved and proven.

Everything of the founding document "Engine Concepts" is here: `create_match` and `apply_action`, `MatchState` with
`PlayerInfo`, `TurnState` and `GameResult`, `Rules`, `MatchClient`; `serialize_match` writes a state as JSON. What
differs on purpose, and why, is on the page Conformance of the documents.
"""

from croupier.engine.actions import action
from croupier.engine.chance import chance_outcomes
from croupier.engine.client import MatchClient
from croupier.engine.game import Advice, Bot, Game, NoOptions, Range
from croupier.engine.legal import legal_actions
from croupier.engine.model import (
    Accepted,
    Action,
    LogEntry,
    Match,
    MatchResult,
    MatchState,
    MatchView,
    Player,
    Refused,
    TurnState,
    act,
)
from croupier.engine.plain import canonical, state_digest
from croupier.engine.records.record import (
    MatchRecord,
    Verification,
    make_record,
    read_record,
    replay,
    verify,
    write_record,
)
from croupier.engine.records.saves import deserialize_match, serialize_match
from croupier.engine.registry import get_game, list_games, register_game
from croupier.engine.rules import Rules
from croupier.engine.transition import apply_action, create_match
from croupier.engine.turn import Events, Setup, Turn, refuse, require
from croupier.engine.views import view_for
from croupier.rng import GameRng as RandomSource

# The document's names.
PlayerInfo, GameResult = Player, MatchResult

__all__ = [
    "Accepted",
    "Action",
    "Advice",
    "Bot",
    "Events",
    "Game",
    "GameResult",
    "LogEntry",
    "Match",
    "MatchClient",
    "MatchRecord",
    "MatchResult",
    "MatchState",
    "MatchView",
    "NoOptions",
    "Player",
    "PlayerInfo",
    "RandomSource",
    "Range",
    "Refused",
    "Rules",
    "Setup",
    "Turn",
    "TurnState",
    "Verification",
    "act",
    "action",
    "apply_action",
    "canonical",
    "chance_outcomes",
    "create_match",
    "deserialize_match",
    "get_game",
    "legal_actions",
    "list_games",
    "make_record",
    "read_record",
    "refuse",
    "register_game",
    "replay",
    "require",
    "serialize_match",
    "state_digest",
    "verify",
    "view_for",
    "write_record",
]
