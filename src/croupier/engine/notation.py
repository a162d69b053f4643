"""Actions as one line of text, both ways: `place bet=red stake=10`, or `place red 10` for short."""

from __future__ import annotations

import re
import shlex
from itertools import product
from typing import Any

import msgspec

from croupier.engine.game import Game
from croupier.engine.model import Action
from croupier.engine.plain import UNREADABLE, misfit, nearest
from croupier.engine.turn import Refusal

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_:.-]*")  # text that can be nothing else, such as straight:17


def format_action(action: Action) -> str:
    """Return an action as text.

    >>> format_action(Action("shut", {"tiles": [3, 4]}))
    'shut tiles=3,4'
    """
    return " ".join([action.type, *(f"{name}={_format(value)}" for name, value in action.payload.items())])


def parse_action(game: Game[Any], text: str) -> Action:
    """Return the action a line of text means in a game. Raises `Refusal` with the sentence to show."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Refusal("bad_action", f"cannot read {text!r}: {error}") from None
    if not words:
        raise Refusal("bad_action", "say what to do: " + ", ".join(game.actions))
    spec = game.actions.get(words[0].lower())
    if spec is None:
        meant = f"{nearest(words[0], game.actions)} (it has {', '.join(game.actions)})"
        raise Refusal("unknown_action", f"{game.name} has no action {words[0]!r}{meant}")
    given = words[1:]
    if given and not any("=" in word for word in given):  # values alone, in the order of the fields
        if len(spec.fields) == 1:
            given = [",".join(given)]
        given = [f"{name}={value}" for name, value in zip(spec.fields, given, strict=False)] + given[len(spec.fields) :]
    fields: dict[str, list[Any]] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or name not in spec.fields or name in fields:
            wanted = " ".join(f"{field}=…" for field in spec.fields) or "nothing more"
            raise Refusal("bad_payload", f"{spec.name} takes {wanted}, cannot read {word!r}")
        fields[name] = _readings(value)
    problem = ""
    for values in product(*fields.values()):
        payload = dict(zip(fields, values, strict=True))
        try:
            return Action(spec.name, spec.read(payload)[1])
        except UNREADABLE as error:
            problem = problem or misfit(error, payload)
    raise Refusal("bad_payload", f"{spec.name}: {problem}")


def _format(value: Any) -> str:
    if isinstance(value, (list, tuple)) and value and all(type(item) is int for item in value):
        return ",".join(map(str, value))
    if isinstance(value, str) and _BARE.fullmatch(value) and value not in ("null", "true", "false"):
        return value
    return shlex.quote(msgspec.json.encode(value).decode())


def _readings(text: str) -> list[Any]:
    """Return what a word can mean, likeliest first: a JSON value, a list with commas, plain text."""
    readings: list[Any] = []
    for candidate in (text, f"[{text}]"):
        try:
            readings.append(msgspec.json.decode(candidate))
        except UNREADABLE:
            continue
    return [*readings, text]
