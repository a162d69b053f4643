"""Sessions of a house game, opened and played move by move, and what refuses a move."""

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import act
from croupier.house import GameError, init_game, open_session, process_game_move, settle
from croupier.house.instructions import GameCompleted
from croupier.rng import GameRng

SEED = bytes(range(32))
HOUR = 3_600_000


def opened(game, stake=0, *, session_id=7, seed=SEED, **more) -> Any:
    """Return a session of Ann's that has not begun."""
    return open_session(game, player="ann", session_id=session_id, stake=stake, seed=seed, **more)


def begun(game, stake=0, *, cover=None, **more) -> Any:
    """Return a session that has begun."""
    session = opened(game, stake, **more)
    return settle(*init_game(session, GameRng.new(bytes.fromhex(session.seed), session.id, 0), cover))


def played(session, *payloads, seed=None, **more) -> tuple[Any, list[Any]]:
    """Return a session after moves that are settled as they come, and their results without the logs."""
    results = []
    for payload in payloads:
        session, result = process_game_move(session, payload, seed=seed, **more)
        session = settle(session, result)
        results.append(replace(result, logs=()))
    return session, results


def after(session, *payloads, **more) -> Any:
    """Return a session after moves that are settled as they come."""
    return played(session, *payloads, **more)[0]


def error_of(call, *given, **more) -> GameError:
    """Return the error that a call ends with."""
    with pytest.raises(GameError) as error:
        call(*given, **more)
    return error.value


def refusal(session, payload, **more) -> str:
    """Return the reason why a move is not made."""
    return error_of(process_game_move, session, payload, **more).reason


def batch(*bets):
    """Return the action that lays bets, each a name and a stake, and plays at once."""
    return act("batch", bets=[{"bet": bet, "stake": stake} for bet, stake in bets])


def completed(events) -> GameCompleted:
    """Return the event that ends a session, of which there is one."""
    (found,) = [event for event in events if isinstance(event, GameCompleted)]
    return found
