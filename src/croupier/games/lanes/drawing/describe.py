"""Log lines: an action in one line, with nothing that only one side saw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.engine import Action, Match
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.duel import Duel, Happening


def tell(action: Action, before: Match[Any], after: Match[Any], cards: CardSet) -> str | None:
    """Return a line about an action, or None for one that is not the game's own."""
    duel = after.game
    name = next((player.name or player.id for player in before.players if player.id == action.player_id), "somebody")
    if action.type == "leave":
        return f"{name} left the table"
    if not isinstance(duel, Duel) or action.type not in ("mulligan", "play", "pass", "time_out"):
        return None
    slow = "out of time, " if action.type == "time_out" else ""
    return f"{slow}{name} {_done(duel.happened, cards)}"


def _done(happened: Iterable[Happening], cards: CardSet) -> str:
    parts = []
    for event in happened:
        match event.type:
            case "mulligan":
                parts.append(_mulligan(event.amount))
            case "pass":
                parts.append("passed")
            case "play":
                parts.append(f"played {cards.get_card(event.card).name} on {event.tile}")
            case "destroyed":
                how = "replaced" if event.cause == "replaced" else "destroyed"
                parts.append(f"{cards.get_card(event.card).name} on {event.tile} was {how}")
            case "one_shot":
                parts.append(f"{cards.get_card(event.card).name} on {event.tile} went off")
            case "spawned":
                parts.append(f"{cards.get_card(event.card).name} appeared on {event.tile}")
            case "hand_add":
                parts.append(f"{cards.get_card(event.card).name} went to the hand of {event.owner}")
    return "; ".join(parts)


def _mulligan(count: int) -> str:
    if count == 0:
        return "kept the hand"
    return f"replaced {count} card{'s' if count > 1 else ''}"
