"""The one transition: `create_match` makes a match, `apply_action` takes it from one version to the next.

Both are pure. An action passes these gates in order, and the first that fails is the refusal the player reads:
the match is on; the action has a shape; the player is seated; the game knows the action; it belongs to this phase;
it is this player's go; the payload fits the signature; `validate`; and whatever the action itself requires.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from croupier.engine.game import Game, split_path
from croupier.engine.model import Accepted, Action, Match, MatchResult, MatchView, Player, Refused, RngState, TurnState
from croupier.engine.plain import not_plain, state_digest
from croupier.engine.rules import Verdict
from croupier.engine.turn import Refusal, Turn
from croupier.errors import BadGame, BadPlayers, BadSeed, CroupierError, GameFault, WrongMatch
from croupier.rng import MOVE_MAX, SESSION_MAX, GameRng

__all__ = ["THROW_AWAY_SEED", "apply_action", "create_match", "read_action"]

S = TypeVar("S")

THROW_AWAY_SEED = b"croupier: not a seed of any match"
"""Feeds the draws of trials (what is legal, validation): never those of a match."""

NAME_MAX = 64  # characters of a player's id or name
SEED_MAX = 1024  # bytes

_convert = msgspec.convert
_astuple = msgspec.structs.astuple
_to_builtins = msgspec.to_builtins
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def create_match(
    game: Game[S],
    players: Iterable[str | Player | Mapping[str, Any]],
    *,
    seed: bytes,
    session_id: int = 0,
    match_id: str | None = None,
    starting_player: str | None = None,
    options: Any = None,
    now: int | None = None,
    rng: GameRng | None = None,
    host: Any = None,
) -> Match[S]:
    """Return a new match at version 0.

    Players are ids, or `Player`s with names; they are seated in the order given. The seed is the match's secret: draw
    it, commit to it, reveal it with the record. Whatever is wrong here is the caller's mistake and raises.
    """
    if not isinstance(game, Game):
        raise BadGame(f"create_match takes a game, such as ShutTheBox(), not {game!r}")
    if not isinstance(seed, bytes) or len(seed) > SEED_MAX:
        raise BadSeed(f"a seed is up to {SEED_MAX} bytes, got {type(seed).__name__}")
    if type(session_id) is not int or not 0 <= session_id <= SESSION_MAX:
        raise BadSeed(f"a session id is a whole number from 0 to {SESSION_MAX}, got {session_id!r}")
    seated = _seat(game, players)
    order = tuple(player.id for player in seated)
    if starting_player is not None and starting_player not in order:
        raise BadPlayers(f"the starting player {starting_player!r} is not seated; seated are {list(order)}")
    if match_id is not None and not is_name(match_id):
        raise BadPlayers(f"a match id is 1 to {NAME_MAX} printable characters, got {match_id!r}")
    turn = TurnState(starting_player or order[0], game.starting_phase, 1, order)
    chosen = game.read_options(options)
    table = game.setup_type(seated, chosen, RngState(seed.hex(), session_id, 0), turn, rng, host)
    state = game.shape.take_back(game.setup(table), "setup")
    if game.has_seal:
        state = game.seal(state, table)
    return Match(
        match_id=str(session_id) if match_id is None else match_id,
        game_id=game.id,
        rules_version=game.rules_version,
        options=chosen,
        players=seated,
        status="active",
        turn=turn,
        rng_state=RngState(seed.hex(), session_id, 1),
        game=state,
        updated_at=now or 0,
    )


def apply_action(
    game: Game[S],
    match: Match[S],
    action: Action | Mapping[str, Any],
    *,
    seed: bytes | None = None,
    now: int | None = None,
    rng: GameRng | None = None,
    host: Any = None,
) -> Accepted[S] | Refused[S]:
    """Return `Accepted` with the next match, or `Refused` with the very same one. The match given is never changed.

    A host with seeds of its own passes `seed` for this move; `rng` replaces the stream altogether, for what-if
    analysis; `host` is what the turn may use besides (a house game's purse). A game that breaks raises `GameFault`.
    """
    if type(match) is not Match:
        return _not_a_match(match)
    if match.game_id != game.id:
        raise WrongMatch(f"a match of {match.game_id!r} was given to the game {game.id!r}")
    if match.status == "finished":
        return Refused("finished", "the match is over", match)
    if type(action) is not Action:
        read = read_action(action)
        if type(read) is not Action:
            return Refused("bad_action", str(read), match)
        action = read
    if type(action.type) is not str:
        return Refused("bad_action", f"an action's type is text, got {type(action.type).__name__}", match)
    turn_state = match.turn
    actor = action.player_id
    if actor is None:
        actor = turn_state.current
    elif actor not in turn_state.order and action.type != "join":
        return _stranger(match, actor)
    spec = game.actions.get(action.type)
    if spec is None:
        return _host_action(game, match, action, actor, _Means(seed, now, rng, host))
    if spec.phases and turn_state.phase not in spec.phases:
        sentence = f"{spec.name} belongs to phase {' or '.join(spec.phases)}; this is phase {turn_state.phase}"
        return Refused("wrong_phase", sentence, match)
    if actor != turn_state.current and spec.by == "current":
        return Refused("not_your_turn", f"it is {turn_state.current}'s turn, not {actor}'s", match)
    payload = action.payload
    if payload and not spec.is_scalar and (found := not_plain(payload, tuples=True)):
        return Refused("bad_payload", f"{spec.name}: {found}", match)
    try:
        arguments = _convert(payload, spec.payload)
    except msgspec.ValidationError as error:
        text, path = split_path(str(error))
        return Refused("bad_payload", f"{spec.name}: {text} at {path}", match)
    # As JSON would bring it back: lists for tuples, defaults left out. Whoever gave the payload may change theirs.
    done = Action(spec.name, _decode(_encode(arguments)) if payload else {}, actor)
    shape = game.shape
    state = match.game if shape.is_frozen else shape.hand_out(match.game)
    turn = game.turn_type(match.players, match.options, match.rng_state, seed, rng, turn_state, actor, host)
    if game.has_seal:
        turn.begin(game, match.game)
    try:
        if game.has_validate and (no := _invalid(game, match, done, actor)):
            return Refused(no.code, no.sentence, match)
        state = spec.method(game, state, turn, *_astuple(arguments))
    except Refusal as no:
        return _refused(game, match, turn, no)
    except Exception as error:
        raise _fault(game, match, spec.name, error) from error
    if type(state) is not shape.runtime_type or not shape.is_frozen:
        state = shape.take_back(state, spec.name)
    return _commit(game, match, done, turn, state, now)


def read_action(action: object) -> Action | str:
    """Return a mapping as an `Action`, or a sentence that says why it is not one."""
    if isinstance(action, Action):
        return action
    if not isinstance(action, Mapping):
        return f"an action is an object with a type, got {type(action).__name__}"
    try:
        return _convert(dict(action), Action)
    except msgspec.ValidationError as error:
        text, path = split_path(str(error))
        return f"{text} at {path}"


def trial_turn(game: Game[Any], match: Match[Any], actor: str) -> Turn:
    """Return a turn to look with: its stream is not the match's, and what is asked of it goes nowhere."""
    turn = game.turn_type(match.players, match.options, match.rng_state, THROW_AWAY_SEED, None, match.turn, actor)
    turn.begin(game, match.game)
    return turn


def next_player(order: tuple[str, ...], current: str) -> str:
    """Return who comes after `current`, wrapping round."""
    return order[(order.index(current) + 1) % len(order)]


# After the action: the order of events is fixed, whatever order they were asked for in.


def _commit(game: Game[S], match: Match[S], action: Action, turn: Turn, state: S, now: int | None) -> Accepted[S]:
    """Resolve what the action asked for and return the next match."""
    if game.has_seal:
        state = game.seal(state, turn)
    result = turn.asked_result
    if turn.asked_phase is not None or turn.asked_end:
        after = _next_turn(game, match, turn)
        if turn.asked_end and result is None and game.has_turn_begin:
            state, result = _begin_turn(game, match, turn, after, state)
        else:
            turn.state = after
    if result is None and game.has_end_if:
        try:
            result = game.end_if(game.shape.hand_out(state), turn)
        except Exception as error:
            raise _fault(game, match, "end_if", error) from error
    if result is not None:
        _check_result(game, match, turn, result)
    rng_state = match.rng_state
    if rng_state.move_number >= MOVE_MAX - 1:
        raise GameFault(f"{game.id}: the match has used up its streams", state_digest(match))
    following = Match(
        match.match_id,
        match.game_id,
        match.rules_version,
        match.options,
        turn.players,
        "active" if result is None else "finished",
        turn.state,
        RngState(rng_state.seed, rng_state.session_id, rng_state.move_number + 1),
        state,
        result,
        match.version + 1,
        match.updated_at if now is None else now,
    )
    rng = turn._rng
    return Accepted(following, action, rng is not None and rng.bytes_used > 0)


def _next_turn(game: Game[Any], match: Match[Any], turn: Turn) -> TurnState:
    """Return the turn after `set_phase` and `end_turn`."""
    old = turn.state
    phase = old.phase if turn.asked_phase is None else turn.asked_phase
    if phase not in game.phases:
        known = ", ".join(game.phases)
        raise GameFault(f"{game.id}: set_phase({phase!r}) names no phase; known are {known}", state_digest(match))
    if not turn.asked_end:
        return TurnState(old.current, phase, old.turn_number, old.order)
    incoming = turn.asked_next
    if incoming is None:
        incoming = next_player(old.order, old.current)
    elif incoming not in old.order:
        raise GameFault(f"{game.id}: end_turn(next={incoming!r}) names nobody who plays", state_digest(match))
    return TurnState(incoming, phase, old.turn_number + 1, old.order)


def _begin_turn(
    game: Game[S], match: Match[S], turn: Turn, incoming: TurnState, state: S
) -> tuple[S, MatchResult | None]:
    """Run `on_turn_begin` for the incoming player, on the same stream."""
    actor = turn.actor
    turn.hand_over(incoming, incoming.current)
    try:
        state = game.on_turn_begin(game.shape.hand_out(state), turn)
    except Exception as error:
        raise _fault(game, match, "on_turn_begin", error) from error
    if turn.asked_end:
        raise GameFault(f"{game.id}: on_turn_begin cannot end the turn; skip a player with end_turn(next=...)")
    result = turn.asked_result
    turn.hand_over(_next_turn(game, match, turn), actor)
    return game.shape.take_back(state, "on_turn_begin"), result


def _check_result(game: Game[Any], match: Match[Any], turn: Turn, result: object) -> None:
    if not isinstance(result, MatchResult):
        raise GameFault(f"{game.id}: a match ends with a MatchResult, got {type(result).__name__}", state_digest(match))
    ids = {player.id for player in turn.players}
    for player_id in (*result.winners, *result.scores):
        if player_id not in ids:
            raise GameFault(f"{game.id}: the result names {player_id!r}, who is not seated", state_digest(match))
    if (result.status == "win") != bool(result.winners):
        raise GameFault(f"{game.id}: a win has winners and a draw has none, got {result}", state_digest(match))


# What hosts ask of every game: somebody sits down, leaves, or ran out of time.


class _Means(NamedTuple):
    """What `apply_action` was given besides the action."""

    seed: bytes | None
    now: int | None
    rng: GameRng | None
    host: Any


def _host_action(game: Game[S], match: Match[S], action: Action, actor: str, means: _Means) -> Accepted[S] | Refused[S]:
    if action.type == "time_out":
        return _time_out(game, match, action, actor, means)
    if action.type not in ("join", "leave"):
        known = ", ".join(game.actions)
        return Refused("unknown_action", f"{game.name} has no action {action.type!r}; it has {known}", match)
    turn = game.turn_type(
        match.players, match.options, match.rng_state, means.seed, means.rng, match.turn, actor, means.host
    )
    turn.begin(game, match.game)
    hook = game.on_leave
    if action.type == "join":
        newcomer = _newcomer(game, match, action)
        if not isinstance(newcomer, Player):
            return Refused(*newcomer, match)
        turn.actor = newcomer.id
        turn.players = (*match.players, newcomer)
        old = match.turn
        turn.state = TurnState(old.current, old.phase, old.turn_number, (*old.order, newcomer.id))
        action = Action("join", {"id": newcomer.id, "name": newcomer.name}, newcomer.id)
        hook = game.on_join
    elif action.payload:
        return Refused("bad_payload", "leave takes no payload", match)
    else:
        action = Action("leave", {}, actor)
    where = f"on_{action.type}"
    try:
        state = game.shape.take_back(hook(game.shape.hand_out(match.game), turn), where)
    except Refusal as no:
        return _refused(game, match, turn, no)
    except Exception as error:
        raise _fault(game, match, where, error) from error
    if action.type == "leave":
        _take_out(game, turn)
    return _commit(game, match, action, turn, state, means.now)


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


def _newcomer(game: Game[Any], match: Match[Any], action: Action) -> Player | tuple[str, str]:
    """Return the player who sits down, or the code and sentence of the refusal."""
    if not game.late_join:
        return "no_late_join", f"nobody can join {game.name} once it has begun"
    if len(match.turn.order) >= game.players[1]:
        return "table_full", f"{game.name} seats at most {game.players[1]}"
    try:
        newcomer = _convert({**action.payload, "seat": len(match.players)}, Player)
    except (msgspec.ValidationError, TypeError) as error:
        return "bad_payload", f"join takes an id and a name: {error}"
    if not is_name(newcomer.id) or not (newcomer.name == "" or is_name(newcomer.name)):
        return "bad_payload", f"an id or name is 1 to {NAME_MAX} printable characters"
    if any(player.id == newcomer.id for player in match.players):
        return "already_seated", f"{newcomer.id} is or was seated at this match"
    return newcomer


def _time_out(game: Game[S], match: Match[S], action: Action, actor: str, means: _Means) -> Accepted[S] | Refused[S]:
    """Do for a player who ran out of time what the game says, as part of this very move."""
    from croupier.engine.legal import legal_actions

    if action.payload:
        return Refused("bad_payload", "time_out takes no payload", match)
    trial = trial_turn(game, match, actor)
    try:
        chosen = game.auto_action(game.shape.hand_out(match.game), trial)
    except Exception as error:
        raise _fault(game, match, "auto_action", error) from error
    if chosen is None:
        chosen = next(iter(legal_actions(game, match, actor)), None)
    if chosen is None:
        return Refused("nothing_to_do", f"{actor} has nothing to do, so no time to run out of", match)
    answer = apply_action(game, match, Action(chosen.type, chosen.payload, actor), **means._asdict())
    if isinstance(answer, Refused):
        raise GameFault(
            f"{type(game).__name__}.auto_action chose what the rules refuse: {answer.error}", state_digest(match)
        )
    return Accepted(answer.state, Action("time_out", {}, actor), answer.drew)


# The ways to say no.


def _invalid(game: Game[S], match: Match[S], action: Action, actor: str) -> Refusal | None:
    """Return the refusal that `validate` gives, if any. It sees a throw-away stream and events that go nowhere."""
    trial = trial_turn(game, match, actor)
    verdict = game.validate(game.shape.hand_out(match.game), action, trial)
    if verdict is True:
        return None
    if isinstance(verdict, Verdict):
        return Refusal(verdict.code, verdict.reason)
    return Refusal("illegal", verdict if isinstance(verdict, str) and verdict else "the rules do not allow that now")


def _refused(game: Game[S], match: Match[S], turn: Turn, no: Refusal) -> Refused[S]:
    if turn.drew:
        raise GameFault(
            f"{game.id} refused ({no.code}) after drawing, which tells what was drawn: check before you draw",
            state_digest(match),
        ) from None
    return Refused(no.code, no.sentence, match)


def _fault(game: Game[Any], match: Match[Any], where: str, error: Exception) -> CroupierError:
    if isinstance(error, GameFault):
        return error
    return GameFault(f"{game.id}: {where} raised {type(error).__name__}: {error}", state_digest(match))


def _stranger(match: Match[S], actor: object) -> Refused[S]:
    if any(player.id == actor for player in match.players):
        return Refused("left_match", f"{actor} has left this match", match)
    return Refused("unknown_player", f"{actor!r} is not seated at this match", match)


def _not_a_match(match: Any) -> Refused[Any]:
    if isinstance(match, MatchView):
        seen: Any = match
        return Refused("is_a_view", "a view is for looking at; actions go to the match itself", seen)
    raise WrongMatch(f"apply_action takes a Match, got {type(match).__name__}")


# Seats.


def is_name(text: object) -> bool:
    """Tell whether a text can be an id or a name: not empty, not long, nothing invisible, and no spaces at the ends."""
    return isinstance(text, str) and 0 < len(text) <= NAME_MAX and text.isprintable() and text == text.strip()


def _seat(game: Game[Any], players: Iterable[str | Player | Mapping[str, Any]]) -> tuple[Player, ...]:
    seated: list[Player] = []
    if isinstance(players, (str, bytes)):
        raise BadPlayers(f"players is a list of ids, got the text {players!r}")
    for seat, given in enumerate(players):
        if isinstance(given, str):
            player = Player(given, given, seat)
        else:
            try:
                fields = {"seat": seat, **(_to_builtins(given) if isinstance(given, Player) else dict(given))}
                player = _convert(fields, Player)
            except (TypeError, ValueError) as error:
                raise BadPlayers(f"the player at seat {seat} is not an id or a Player: {error}") from None
            player = Player(player.id, player.name or player.id, seat, player.is_bot)
        if not is_name(player.id) or not is_name(player.name):
            raise BadPlayers(f"the player at seat {seat} needs an id and name of 1 to {NAME_MAX} printable characters")
        if any(player.id == other.id for other in seated):
            raise BadPlayers(f"two players have the id {player.id!r}")
        seated.append(player)
    fewest, most = game.players
    if not fewest <= len(seated) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise BadPlayers(f"{game.name} is for {wanted} players, got {len(seated)}")
    return tuple(seated)
