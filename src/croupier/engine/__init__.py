"""The match engine: a game's rules go in, and out come matches that can be played, undone, viewed, saved and proven."""

from croupier.engine.actions import ActionSpec, action
from croupier.engine.chance import Outcome, ScriptedRng, chance_outcomes
from croupier.engine.client import MatchClient
from croupier.engine.game import Advice, Bot, Game, NoOptions, Range
from croupier.engine.legal import legal_actions, legal_ranges, may_act
from croupier.engine.model import (
    HOST,
    Accepted,
    Action,
    LogEntry,
    Match,
    MatchResult,
    MatchView,
    Player,
    Refused,
    RngState,
    TurnState,
    act,
)
from croupier.engine.notation import format_action, parse_action
from croupier.engine.plain import canonical, not_plain, state_digest
from croupier.engine.records.record import (
    MatchRecord,
    Verification,
    make_record,
    read_record,
    replay,
    verify,
    write_record,
)
from croupier.engine.records.saves import SaveInfo, SlotStore, deserialize_match, serialize_match
from croupier.engine.records.seed_checks import Check, Kept, KeptFile, read_kept, write_kept
from croupier.engine.registry import get_game, has_game, list_games, register_game, unregister_game
from croupier.engine.rules import Rules, Verdict
from croupier.engine.rules_digest import rules_digest
from croupier.engine.transition import apply_action, create_match
from croupier.engine.turn import Events, Setup, Turn, refuse, require
from croupier.engine.views import imagine, log_for, view_for

__all__ = [
    "HOST",
    "Accepted",
    "Action",
    "ActionSpec",
    "Advice",
    "Bot",
    "Check",
    "Events",
    "Game",
    "Kept",
    "KeptFile",
    "LogEntry",
    "Match",
    "MatchClient",
    "MatchRecord",
    "MatchResult",
    "MatchView",
    "NoOptions",
    "Outcome",
    "Player",
    "Range",
    "Refused",
    "RngState",
    "Rules",
    "SaveInfo",
    "ScriptedRng",
    "Setup",
    "SlotStore",
    "Turn",
    "TurnState",
    "Verdict",
    "Verification",
    "act",
    "action",
    "apply_action",
    "canonical",
    "chance_outcomes",
    "create_match",
    "deserialize_match",
    "format_action",
    "get_game",
    "has_game",
    "imagine",
    "legal_actions",
    "legal_ranges",
    "list_games",
    "log_for",
    "make_record",
    "may_act",
    "not_plain",
    "parse_action",
    "read_kept",
    "read_record",
    "refuse",
    "register_game",
    "replay",
    "require",
    "rules_digest",
    "serialize_match",
    "state_digest",
    "unregister_game",
    "verify",
    "view_for",
    "write_kept",
    "write_record",
]
