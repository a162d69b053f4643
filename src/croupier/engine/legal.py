"""Legal actions: what can be done now, who may act, and the ranges of what cannot be listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.engine.checks import check_match, raise_fault
from croupier.engine.game import Game, Range
from croupier.engine.model import Action, Match
from croupier.engine.plain import canonical, shown
from croupier.engine.transition import THROW_AWAY_SEED, apply_action, trial_turn
from croupier.errors import GameFault


def legal_actions(
    game: Game[Any], match: Match[Any], player_id: str | None = None, *, host: Any = None
) -> tuple[Action, ...]:
    """Return what a player can do now, each once, in the game's own order; nobody named means the current player.

    Every candidate the game names is tried on the one transition, so that hints and rules cannot disagree; the trial
    draws from a throw-away stream and tells nothing of what the real one holds. `host` is what `apply_action` will be
    given for the action.
    """
    check_match(game, match)
    actor = match.turn.current if player_id is None else player_id
    if match.status == "finished" or actor not in match.turn.order:
        return ()
    found: dict[bytes, Action] = {}
    for candidate in _candidates(game, match, actor, host):
        wanted = Action(candidate.type, candidate.payload, actor)
        answer = apply_action(game, match, wanted, seed=THROW_AWAY_SEED, host=host)
        if answer.ok:
            found.setdefault(canonical(answer.action), answer.action)
    return tuple(found.values())


def _candidates(game: Game[Any], match: Match[Any], actor: str, host: Any) -> list[Action]:
    phase = match.turn.phase
    wanted = {
        spec.name
        for spec in game.actions.values()
        if (not spec.phases or phase in spec.phases)
        and (spec.by == "anyone" or (spec.by == "current" and actor == match.turn.current))
    }
    if not wanted:
        return []
    try:
        named = list(game.legal(game.shape.hand_out(match.game), trial_turn(game, match, actor, host)))
        for candidate in named:
            if type(candidate) is not Action:
                raise GameFault(f"{game.id}: legal yields actions, such as act('roll'), not {shown(candidate)}")
            if candidate.type not in game.actions:
                raise GameFault(f"{game.id}: legal names {candidate.type!r}, which is no action of the game")
    except Exception as error:
        raise_fault(game, match, "legal", error)
    return [candidate for candidate in named if candidate.type in wanted]


def legal_ranges(
    game: Game[Any], match: Match[Any], player_id: str | None = None, *, host: Any = None
) -> Mapping[str, Mapping[str, Range]]:
    """Return the ranges of payload fields that have too many values to list: action -> field -> range."""
    check_match(game, match)
    actor = match.turn.current if player_id is None else player_id
    if match.status == "finished" or actor not in match.turn.order:
        return {}
    try:
        return game.ranges(game.shape.hand_out(match.game), trial_turn(game, match, actor, host))
    except Exception as error:
        raise_fault(game, match, "ranges", error)


def may_act(game: Game[Any], match: Match[Any]) -> tuple[str, ...]:
    """Return the ids of all who have something to do now, in order; several where choices are simultaneous."""
    check_match(game, match)
    return tuple(player_id for player_id in match.turn.order if legal_actions(game, match, player_id))
