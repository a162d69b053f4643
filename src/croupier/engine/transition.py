"""The one transition: `create_match` makes a match, `apply_action` takes it from one version to the next.

Both are pure. An action passes these gates in order, and the first that fails is the refusal the player reads:
the match is on; the action has a shape; the player is seated; the game knows the action; it belongs to this phase;
it is this player's go; the payload fits the signature; `validate`; and whatever the action itself requires.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from croupier.engine.checks import NAME_MAX, check_match, check_seed, is_name, raise_fault, result_problem
from croupier.engine.game import Game
from croupier.engine.model import (
    HOST,
    Accepted,
    Action,
    Match,
    MatchResult,
    MatchView,
    Player,
    Refused,
    RngState,
    TurnState,
)
from croupier.engine.plain import UNREADABLE, copy_plain, misfit, misread, shown
from croupier.engine.rules import Verdict
from croupier.engine.turn import Refusal, Turn
from croupier.errors import BadGame, BadOptions, BadPlayers, BadSeed, GameFault
from croupier.rng import MOVE_MAX, SESSION_MAX, GameRng, seed_bytes

S = TypeVar("S")

THROW_AWAY_SEED = b"croupier: not a seed of any match"
"""Feeds the draws of trials (what is legal, validation): never those of a match."""

_convert = msgspec.convert


def create_match(
    game: Game[S],
    players: Iterable[str | Player | Mapping[str, Any]],
    *,
    seed: bytes | int | str,
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
    it, commit to it, reveal it with the record; a number or a text is read by `croupier.rng.seed_bytes`. Whatever is
    wrong here is the caller's mistake and raises.
    """
    if not isinstance(game, Game) or not hasattr(game, "id"):
        raise BadGame(f"create_match takes a game with an id, such as ShutTheBox(), not {game!r}")
    seed = seed_bytes(seed)
    check_seed(seed)
    if type(session_id) is not int or not 0 <= session_id <= SESSION_MAX:
        raise BadSeed(f"a session id is a whole number from 0 to {SESSION_MAX}, got {shown(session_id)}")
    seated = _seat(game, players)
    order = tuple(player.id for player in seated)
    if starting_player is not None and starting_player not in order:
        raise BadPlayers(f"the starting player {shown(starting_player)} is not seated; seated are {list(order)}")
    if match_id is not None and not is_name(match_id):
        raise BadPlayers(f"a match id is 1 to {NAME_MAX} printable characters, got {shown(match_id)}")
    turn = TurnState(starting_player or order[0], game.starting_phase, 1, order)
    chosen = game.read_options(options)
    table = game.setup_type(seated, chosen, RngState(seed.hex(), session_id, 0), turn, rng, host)
    try:
        state = game.shape.take_back(game.setup(table), "setup")
        if game.has_seal:
            state = game.seal(state, table)
    except (Refusal, BadGame, BadOptions, BadPlayers):
        raise  # the game says what it cannot begin with
    except Exception as error:
        raise_fault(game, None, "setup", error)
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
    if type(match) is not Match or match.game_id != game.id:
        if isinstance(match, MatchView):
            return Refused("is_a_view", "a view is for looking at; actions go to the match itself", match)
        check_match(game, match)
    if seed is not None:
        check_seed(seed, shortest=1)  # on record, no seed at all means that of the match
    if match.status == "finished":
        return Refused("finished", "the match is over", match)
    if type(action) is not Action:
        read = read_action(action)
        if type(read) is not Action:
            return Refused("bad_action", str(read), match)
        action = read
    turn_state = match.turn
    actor = action.player_id
    if not isinstance(action.type, str) or not (actor is None or isinstance(actor, str)):
        return Refused("bad_action", "an action's type is text, and its player is the text of an id", match)
    if actor is None:
        actor = turn_state.current
    elif (actor := str(actor)) not in turn_state.order and action.type != "join" and not _is_for_host(game, action):
        return _stranger(match, actor)
    spec = game.actions.get(action.type)
    if spec is None:
        from croupier.engine.hosting import Means, host_action

        return host_action(game, match, action, actor, Means(seed, now, rng, host))
    if spec.phases and turn_state.phase not in spec.phases:
        sentence = f"{spec.name} belongs to phase {' or '.join(spec.phases)}; this is phase {turn_state.phase}"
        return Refused("wrong_phase", sentence, match)
    if actor != turn_state.current and spec.by == "current":
        return Refused("not_your_turn", f"it is {turn_state.current}'s turn, not {actor}'s", match)
    if spec.by == "host" and actor != HOST:
        return Refused("host_only", f"{spec.name} is for the host of the match, not for a player", match)
    payload = action.payload
    if type(payload) is not dict:
        return Refused("bad_payload", f"{spec.name}: a payload is an object, got {type(payload).__name__}", match)
    values = spec.bare
    logged: dict[str, Any] = {}  # whoever gave the payload may change theirs, and so may the game: the log has its own
    if payload or values is None:
        try:
            values, logged = spec.read(payload)
        except Exception as error:  # what is sent may be any object, and its code
            return Refused("bad_payload", f"{spec.name}: {misfit(error, payload)}", match)
    done, shape = Action(spec.name, logged, actor), game.shape
    turn = game.turn_type(match.players, match.options, match.rng_state, seed, rng, turn_state, actor, host)
    turn.rules_version = match.rules_version
    try:
        if game.has_seal:
            turn.begin(game, match.game)
        if game.has_validate:
            _validate(game, match, done, actor)
        given = match.game if shape.is_frozen else shape.hand_out(match.game)
        state = spec.method(game, given, turn, *values)
        if type(state) is not shape.runtime_type or not shape.is_frozen:
            state = shape.take_back(state, spec.name, given)
        return commit(game, match, done, turn, state, now)
    except Refusal as no:
        return refused(game, match, turn, no)
    except Exception as error:
        raise_fault(game, match, spec.name, error)


def read_action(action: object) -> Action | str:
    """Return a mapping as an `Action`, or a sentence that says why it is not one."""
    if type(action) is Action:
        return action
    if not isinstance(action, Mapping):
        return f"an action is an object with a type, got {type(action).__name__}"
    try:
        return _convert(_snake(action, "playerId", "player_id"), Action)
    except Exception as error:  # a mapping may be any code
        return "{} at {}".format(*misread(error))


def _snake(plain: Mapping[str, Any], camel: str, snake: str) -> dict[str, Any]:
    """Return a JSON object with a key of the match engine's document under our name; with both it is left alone."""
    found = dict(plain)
    if camel in found and snake not in found:
        found[snake] = found.pop(camel)
    return found


def open_turn(
    game: Game[Any], match: Match[Any], actor: str, seed: bytes | None, rng: GameRng | None = None, host: Any = None
) -> Turn:
    """Return the turn of a player on the match as it is, with the means that its host gives."""
    turn = game.turn_type(match.players, match.options, match.rng_state, seed, rng, match.turn, actor, host)
    turn.rules_version = match.rules_version
    turn.begin(game, match.game)
    return turn


def trial_turn(game: Game[Any], match: Match[Any], actor: str, host: Any = None) -> Turn:
    """Return a turn to look with: its stream is not the match's, and what is asked of it goes nowhere."""
    return open_turn(game, match, actor, THROW_AWAY_SEED, host=host)


def next_player(order: tuple[str, ...], current: str) -> str:
    """Return who comes after `current`, wrapping round."""
    return order[(order.index(current) + 1) % len(order)]


# After the action: the order of events is fixed, whatever order they were asked for in.


def commit(game: Game[S], match: Match[S], action: Action, turn: Turn, state: S, now: int | None) -> Accepted[S]:
    """Resolve what the action asked for and return the next match."""
    if game.has_seal:
        state = game.seal(state, turn)
    result = turn.asked_result
    if turn.asked_phase is not None or turn.asked_end:
        after = _next_turn(game, turn)
        if turn.asked_end and result is None and game.has_turn_begin:
            state, result = _begin_turn(game, match, turn, after, state)
        else:
            turn.state = after
    if result is None and game.has_end_if:
        try:
            result = game.end_if(game.shape.hand_out(state), turn)
        except Exception as error:
            raise_fault(game, match, "end_if", error)
    if result is not None and (problem := result_problem(result, turn.players)):
        raise GameFault(f"{game.id}: {problem}")
    rng_state = match.rng_state
    if rng_state.move_number >= MOVE_MAX - 1:
        raise GameFault(f"{game.id}: the match has used up its streams")
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


def _next_turn(game: Game[Any], turn: Turn) -> TurnState:
    """Return the turn after `set_phase` and `end_turn`."""
    old = turn.state
    phase = old.phase if turn.asked_phase is None else turn.asked_phase
    if phase not in game.phases:
        raise GameFault(f"{game.id}: set_phase({phase!r}) names no phase; known are {', '.join(game.phases)}")
    if not turn.asked_end:
        return TurnState(old.current, phase, old.turn_number, old.order)
    incoming = turn.asked_next
    if incoming is None:
        incoming = next_player(old.order, old.current)
    elif incoming not in old.order:
        raise GameFault(f"{game.id}: end_turn(next={incoming!r}) names nobody who plays")
    return TurnState(incoming, phase, old.turn_number + 1, old.order)


def _begin_turn(
    game: Game[S], match: Match[S], turn: Turn, incoming: TurnState, state: S
) -> tuple[S, MatchResult | None]:
    """Run `on_turn_begin` for the incoming player, on the same stream."""
    actor = turn.actor
    turn.hand_over(incoming, incoming.current)
    try:
        state = game.shape.take_back(game.on_turn_begin(game.shape.hand_out(state), turn), "on_turn_begin")
    except Exception as error:
        raise_fault(game, match, "on_turn_begin", error)
    if turn.asked_end:
        raise GameFault(f"{game.id}: on_turn_begin cannot end the turn; skip a player with end_turn(next=...)")
    result = turn.asked_result
    turn.hand_over(_next_turn(game, turn), actor)
    return state, result


# The ways to say no.


def _validate(game: Game[S], match: Match[S], action: Action, actor: str) -> None:
    """Ask `validate`, which sees a throw-away stream, events that go nowhere, and a payload of its own."""
    asked = Action(action.type, copy_plain(action.payload), actor)
    verdict = game.validate(game.shape.hand_out(match.game), asked, trial_turn(game, match, actor))
    if verdict is True:
        return
    if isinstance(verdict, Verdict):
        raise Refusal(verdict.code, str(verdict))
    raise Refusal("illegal", verdict if isinstance(verdict, str) and verdict else "the rules do not allow that now")


def refused(game: Game[S], match: Match[S], turn: Turn, no: Refusal) -> Refused[S]:
    """Return what a game's no is to the player; one that comes after a draw is a fault."""
    if turn.drew:
        sentence = f"{game.id} refused ({no.code}) after drawing, which tells what was drawn: check before you draw"
        raise_fault(game, match, no.code, GameFault(sentence))
    return Refused(no.code, no.sentence, match)


def _is_for_host(game: Game[Any], action: Action) -> bool:
    spec = game.actions.get(action.type)
    return action.player_id == HOST and spec is not None and spec.by == "host"


def _stranger(match: Match[S], actor: str) -> Refused[S]:
    if any(player.id == actor for player in match.players):
        return Refused("left_match", f"{actor} has left this match", match)
    return Refused("unknown_player", f"{shown(actor)} is not seated at this match", match)


def _seat(game: Game[Any], players: Iterable[str | Player | Mapping[str, Any]]) -> tuple[Player, ...]:
    """Return the players at their seats, in the order given."""
    if isinstance(players, (str, bytes, Mapping, set, frozenset)) or not isinstance(players, Iterable):
        raise BadPlayers(f"players is a list of ids in the order of their seats, got {shown(players)}")
    seated: list[Player] = []
    for seat, given in enumerate(players):
        if isinstance(given, str):
            player = Player(str(given), str(given), seat)  # a text of numpy, say, could not be written down
        else:
            try:
                fields = {
                    "seat": seat,
                    **(msgspec.to_builtins(given) if isinstance(given, Player) else _snake(given, "isBot", "is_bot")),
                }
                player = _convert(fields, Player)
            except UNREADABLE as error:
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
