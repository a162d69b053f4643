"""The smallest game, for tests that change one thing about it; actions from a table; documents edited by path."""

import json
from inspect import Parameter, Signature
from types import new_class
from typing import Any

from msgspec import Struct

from croupier.engine import Game, MatchClient, action, apply_action, state_digest


class Count(Struct, frozen=True):
    n: int = 0


class Counting(Game[Count]):
    """Counts what is done. It has no id: the games made from it have."""

    name, players = "Counting", (1, 3)

    def setup(self, table: Any) -> Any:
        return Count()

    @action()
    def go(self, state: Any, turn: Any) -> Any:
        return Count(state.n + 1)


def made(game_id: Any, base: Any = Counting, **body: Any) -> Any:
    """Return a game class like `base` with an id of its own and something added or replaced."""
    space = {"__module__": __name__, "id": game_id, **body}
    return new_class("Made", (base,), exec_body=lambda names: names.update(space))


def taking(**fields: Any) -> Any:
    """Return an action whose payload has these fields, each a type, or a type and a default; it counts."""

    def method(self: Any, state: Any, turn: Any, *values: Any) -> Any:
        return Count(state.n + 1)

    kinds = {name: kind if isinstance(kind, list) else [kind] for name, kind in fields.items()}
    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", "state", "turn")]
    for name, (_, *default) in kinds.items():
        empty = default[0] if default else Parameter.empty
        parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=empty))
    method.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    method.__annotations__ = {name: kind for name, (kind, *_) in kinds.items()}
    return action(method)


def check_log(client: MatchClient[Any]) -> None:
    """Hold a client to its law: the log leads from the base to the present, in length, and when it is played again."""
    match, log = client.base, client.get_log()
    assert len(log) == client.get_state().version - match.version
    for entry in log:
        seed = None if entry.seed is None else bytes.fromhex(entry.seed)
        match = apply_action(client.game, match, entry.action, seed=seed).state
        assert entry.version == match.version
    assert state_digest(match) == state_digest(client.get_state())


def nested(levels: int, wrap: Any = lambda value: [value]) -> Any:
    """Return a value so many levels deep, in lists unless told otherwise."""
    value: Any = 1
    for _ in range(levels):
        value = wrap(value)
    return value


def written(document: Any) -> str:
    """Write a document in canonical form, by means of the standard library."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def at(document: Any, path: str) -> Any:
    """Return what a document has at a path such as `players.0.id`."""
    for step in path.split(".") if path else ():
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document


def put(document: Any, path: str, value: Any) -> None:
    """Put something else at a path of a document."""
    way, _, last = path.rpartition(".")
    place = at(document, way)
    place[int(last) if isinstance(place, list) else last] = value
