"""Turn order: whom to ask next, where bots play on their own or a search goes on in their place.

A turn begins with the player whose go it is. Within a turn the others are asked in rotation, each who has something
to do: so simultaneous choices come from everybody, and nobody can choose over and over while others wait.
"""

from __future__ import annotations

from typing import Any

from croupier.engine import Action, Game, Match, MatchView, legal_actions, state_digest
from croupier.errors import BadPlayers, GameFault


def next_to_act(game: Game[Any], match: Match[Any], last: str | None = None) -> tuple[str, tuple[Action, ...]]:
    """Return the next of those who may act, with their legal actions. `last` is who acted before in this turn."""
    order = match.turn.order
    start = order.index(last) + 1 if last in order else order.index(match.turn.current)
    for player_id in (*order[start:], *order[:start]):
        if legal := legal_actions(game, match, player_id):
            return player_id, legal
    raise GameFault(f"{game.id}: the match is on, but nobody has anything to do", state_digest(match))


def last_asked(before: Match[Any], after: Match[Any], actor: str) -> str | None:
    """Return the actor, as `last` for the next `next_to_act`; None if the action began a new turn."""
    return actor if after.turn.turn_number == before.turn.turn_number else None


def viewer_of(view: MatchView[Any]) -> str:
    """Return the id of the player whose view it is; a spectator's is an error."""
    if view.viewer is None:
        raise BadPlayers("a bot plays from the view of its own seat; this one is a spectator's")
    return view.viewer
