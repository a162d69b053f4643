"""Actions of whoever runs a match, in every game: somebody sits down, leaves, or ran out of time.

These are actions like any other: they are logged, they draw from the stream of their own move, and they replay.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import msgspec

from croupier.engine.checks import NAME_MAX, is_name, raise_fault
from croupier.engine.game import Game
from croupier.engine.legal import legal_actions
from croupier.engine.model import Accepted, Action, Match, MatchResult, Player, Refused, TurnState
from croupier.engine.plain import UNREADABLE, misread, shown
from croupier.engine.transition import apply_action, commit, next_player, open_turn, refused, trial_turn
from croupier.engine.turn import Refusal, Turn
from croupier.errors import GameFault
from croupier.rng import GameRng

S = TypeVar("S")


class Means(NamedTuple):
    """Arguments that `apply_action` was given besides the action."""

    seed: bytes | None
    now: int | None
    rng: GameRng | None
    host: Any


class _Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The payload of a join. The seat is the engine's to give."""

    id: str
    name: str = ""
    is_bot: bool = False


def host_action(game: Game[S], match: Match[S], action: Action, actor: str, means: Means) -> Accepted[S] | Refused[S]:
    """Return the answer to an action that is none of the game's own."""
    if action.type == "join":
        return _join(game, match, action, means)
    if action.type not in ("leave", "time_out"):
        if not action.type:
            return Refused("bad_action", "an action has a type", match)
        known = ", ".join(game.actions)
        return Refused("unknown_action", f"{game.name} has no action {shown(action.type)}; it has {known}", match)
    if type(action.payload) is not dict or action.payload:
        return Refused("bad_payload", f"{action.type} takes no payload", match)
    return (_leave if action.type == "leave" else _time_out)(game, match, actor, means)


def _join(game: Game[S], match: Match[S], action: Action, means: Means) -> Accepted[S] | Refused[S]:
    newcomer = _newcomer(game, match, action)
    if not isinstance(newcomer, Player):
        return Refused(*newcomer, match)
    turn = open_turn(game, match, newcomer.id, means.seed, means.rng, means.host)
    turn.players = (*match.players, newcomer)
    old = match.turn
    turn.state = TurnState(old.current, old.phase, old.turn_number, (*old.order, newcomer.id))
    payload = msgspec.to_builtins(_Join(newcomer.id, newcomer.name, newcomer.is_bot))
    return _with_hook(game, match, Action("join", payload, newcomer.id), turn, means)


def _newcomer(game: Game[Any], match: Match[Any], action: Action) -> Player | tuple[str, str]:
    """Return the player who sits down, or the code and sentence of the refusal."""
    if not game.late_join:
        return "no_late_join", f"nobody can join {game.name} once it has begun"
    if len(match.turn.order) >= game.players[1]:
        return "table_full", f"{game.name} seats at most {game.players[1]}"
    try:
        given = msgspec.convert(action.payload, _Join)
    except UNREADABLE as error:
        return "bad_payload", f"join takes an id and a name: {misread(error)[0]}"
    newcomer = Player(given.id, given.name or given.id, len(match.players), given.is_bot)
    if not is_name(newcomer.id) or not is_name(newcomer.name):
        return "bad_payload", f"an id or name is 1 to {NAME_MAX} printable characters"
    if any(player.id == newcomer.id for player in match.players):
        return "already_seated", f"{newcomer.id} is or was seated at this match"
    return newcomer


def _leave(game: Game[S], match: Match[S], actor: str, means: Means) -> Accepted[S] | Refused[S]:
    turn = open_turn(game, match, actor, means.seed, means.rng, means.host)
    return _with_hook(game, match, Action("leave", {}, actor), turn, means)


def _with_hook(game: Game[S], match: Match[S], action: Action, turn: Turn, means: Means) -> Accepted[S] | Refused[S]:
    """Run `on_join` or `on_leave`, and return the answer to the action."""
    hook = f"on_{action.type}"
    try:
        state = game.shape.take_back(getattr(game, hook)(game.shape.hand_out(match.game), turn), hook)
        if action.type == "leave":
            _take_out(game, turn)
        return commit(game, match, action, turn, state, means.now)
    except Refusal as no:
        return refused(game, match, turn, no)
    except Exception as error:
        raise_fault(game, match, hook, error)


def _take_out(game: Game[Any], turn: Turn) -> None:
    """Take the actor out of the order, pass the turn on if it was theirs, and end a match too few are left for."""
    old = turn.state
    order = tuple(player_id for player_id in old.order if player_id != turn.actor)
    if len(order) < game.players[0]:
        if turn.asked_result is None:
            status: Any = "win" if order else "draw"
            turn.end_game(MatchResult(status, winners=order, reason="too few players are left"))
        turn.asked_end = False
    elif old.current == turn.actor and not (turn.asked_end and turn.asked_next):
        turn.end_turn(next=next_player(old.order, turn.actor))
    turn.state = TurnState(old.current, old.phase, old.turn_number, order)


def _time_out(game: Game[S], match: Match[S], actor: str, means: Means) -> Accepted[S] | Refused[S]:
    """Do for a player who ran out of time what the game says, as part of this very move."""
    nothing = Refused("nothing_to_do", f"{actor} has nothing to do, so no time to run out of", match)
    try:
        chosen = game.auto_action(game.shape.hand_out(match.game), trial_turn(game, match, actor))
        if chosen is None:
            chosen = next(iter(legal_actions(game, match, actor)), None)
            if chosen is None:
                return nothing
        if type(chosen) is not Action or not isinstance(chosen.type, str) or chosen.type not in game.actions:
            raise GameFault(f"{game.id}: auto_action names an action of the game, or None; got {shown(chosen)}")
        answer = apply_action(game, match, Action(chosen.type, chosen.payload, actor), **means._asdict())
        if isinstance(answer, Refused):
            if not legal_actions(game, match, actor):
                return nothing
            raise GameFault(f"{game.id}: auto_action chose what the rules refuse: {answer.error}")
    except Exception as error:
        raise_fault(game, match, "auto_action", error)
    return Accepted(answer.state, Action("time_out", {}, actor), answer.drew)
