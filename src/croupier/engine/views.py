"""Views of each viewer: the match without its secrets, and the log without other players' secret payloads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from croupier.engine.checks import check_match, raise_fault
from croupier.engine.game import Game
from croupier.engine.model import Action, LogEntry, Match, MatchView, Player, RngState, Status, TurnState
from croupier.errors import BadPlayers, WrongMatch
from croupier.rng import GameRng

S = TypeVar("S")


def view_for(game: Game[S], match: Match[S], viewer: str | None = None) -> MatchView[S]:
    """Return the match as one player may see it, or as a spectator (None). No seed, no stream, no secrets."""
    check_match(game, match)
    _check_viewer(match.players, viewer)
    try:
        seen = game.shape.take_back(game.view(game.shape.hand_out(match.game), viewer), "view")
    except Exception as error:
        raise_fault(game, match, "view", error)
    return MatchView(*_facts(match), seen, match.result, match.version, viewer)


def log_for(
    game: Game[Any], match: Match[Any], entries: Iterable[LogEntry], viewer: str | None = None
) -> tuple[LogEntry, ...]:
    """Return the log as one viewer may read it: no seeds, and secret payloads of others only after the end."""
    check_match(game, match)
    _check_viewer(match.players, viewer)
    return tuple(
        LogEntry(_shown(game, match, entry.action, viewer), entry.version, entry.at, entry.drew) for entry in entries
    )


def _shown(game: Game[Any], match: Match[Any], action: Action, viewer: str | None) -> Action:
    is_hidden = match.status == "active" and action.player_id != viewer and game.is_secret(action)
    return Action(action.type, {}, action.player_id) if is_hidden else action


def imagine(game: Game[S], view: MatchView[S], rng: GameRng) -> Match[S]:
    """Return a match that could be the real one as far as the viewer knows: hidden things re-dealt, chance made up.

    Bots think on this. It is made from the view alone, so there is nothing in it to peek at.
    """
    if view.game_id != game.id:
        raise WrongMatch(f"a view of {view.game_id!r} was given to the game {game.id!r}")
    try:
        state = game.shape.take_back(game.redeal(game.shape.hand_out(view.game), view.viewer, rng), "redeal")
    except Exception as error:
        raise_fault(game, None, "redeal", error)
    made_up = RngState(rng.fill_bytes(32).hex(), 0, 1)
    return Match(*_facts(view), made_up, state, view.result, view.version)


def _facts(
    match: Match[Any] | MatchView[Any],
) -> tuple[str, str, int, Any, tuple[Player, ...], Status, TurnState]:
    """Return the fields that a match and its view begin with."""
    names = match.match_id, match.game_id, match.rules_version
    return *names, match.options, match.players, match.status, match.turn


def _check_viewer(players: tuple[Player, ...], viewer: str | None) -> None:
    if viewer is not None and viewer not in [player.id for player in players]:
        raise BadPlayers(f"{viewer!r} is not seated; a spectator's view is that of None")
