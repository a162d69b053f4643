"""The smallest game, for tests that change one thing about it; actions from a table; documents edited by path."""

import json
from copy import deepcopy
from inspect import Parameter, Signature
from types import new_class
from typing import Any

from msgspec import Struct

from croupier.engine import Game, MatchClient, action, apply_action, legal_actions, state_digest
from croupier.engine.legal import may_act


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


def over(state: Any, first: Any = None, **body: Any) -> Any:
    """Return a game class over a state of this type, which begins as `first`; in a way that no type checker sees."""
    base = Game.__class_getitem__(state)  # type: ignore[attr-defined]
    usual = {"name": "Made", "players": (1, 3), "setup": lambda self, table: deepcopy(first), "go": Counting.go}
    return made("made", base, **{**usual, **body})


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


def play(game: Any, match: Any, count: int, seeds: Any = None) -> MatchClient[Any]:
    """Return a client after so many actions, each the last that is listed for the last who may act."""
    client = MatchClient(game, match)
    for number in range(count):
        match = client.get_state()
        if match.status == "finished":
            break
        choice = legal_actions(game, match, may_act(game, match)[-1])[-1]
        client.dispatch(choice, seed=None if seeds is None else seeds[number], now=match.version)
    return client


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
