"""Parser of lines typed at a table: keys by their words or beginnings, actions, and bets as they are said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import inspect

from croupier.engine import Action, Game, MatchView
from croupier.engine.notation import parse_action
from croupier.engine.turn import Refusal

FILLERS = {"on", "the", "chip", "chips", "and"}
"""Words that people say and that mean nothing here."""


def find_key(word: str, keys: Iterable[str], actions: Iterable[str]) -> str | None:
    """Return the key that a word names: itself, or as the only key, action or bet that begins so. `actions` come first.

    >>> keys, actions = ["q", "quit", "help", "hint"], ["hit", "stand"]
    >>> find_key("QUIT", keys, actions), find_key("he", keys, actions), find_key("hi", keys, actions)
    ('quit', 'help', None)
    """
    said, known = word.lower(), list(actions)
    if said in known:
        return None
    if said in keys:
        return said
    begun = [name for name in {*keys, *known} if name.startswith(said)] if len(said) > 1 else []
    return begun[0] if len(begun) == 1 and begun[0] not in known else None


def read_line(game: Game[Any], legal: Sequence[Action], line: str, view: MatchView[Any]) -> Action:
    """Return the action that a line means: `hit`, `st` for stand, `red 10`, `10 on red`, `17 5`. Raises `Refusal`.

    A game's own words come first, then bets, then the notation. Where one action is all there is and it takes a list,
    its numbers alone will do: `1 3` for `hold 1,3`, and `none` for no number at all.
    """
    words = line.split()
    first = words[0].lower()
    usable = {action.type for action in legal}
    if first not in game.actions:
        begun = [name for name in game.actions if name.startswith(first)]
        begun = [name for name in begun if name in usable] or begun
        said = _as_bet(game, words, is_known=len(begun) == 1)
        if said is not None:
            return parse_action(game, said)
        if len(usable) == 1 and (first == "none" or first.replace(",", "").isdecimal()):
            words = [*usable, *words]
        elif len(begun) == 1:
            words[0] = begun[0]
        elif not begun and any(_find_bet(first, names) == first for names in bet_names(game).values()):
            raise Refusal("bad_payload", f"{first} is a bet: say for how many chips, such as {first} 10")
    if (own := game.understand(view, " ".join(words))) is not None:
        return own
    words[1:] = ["[]"] if words[1:] == ["none"] else words[1:]
    return parse_action(game, " ".join(words))


def bet_names(game: Game[Any]) -> dict[str, tuple[str, ...]]:
    """Return the names of bets by the action whose first field takes one, the shortest way to lay it first."""
    found: dict[str, tuple[str, ...]] = {}
    for spec in game.actions.values():
        kind = inspect.type_info(spec.payload)
        fields = kind.fields if isinstance(kind, inspect.StructType) else ()
        first = fields[0].type if fields else None
        codes: Any = (first.extra or {}).get("bets") if isinstance(first, inspect.Metadata) else None
        if hasattr(codes, "codes") and len([field for field in fields if field.required]) == 2:
            found[spec.name] = tuple(codes.codes)
    return found


def _as_bet(game: Game[Any], words: Sequence[str], *, is_known: bool) -> str | None:
    """Return `place red 10` of a line that says a bet and its stake in either order; None of any other.

    A word that is no bet counts as one unless `is_known`: as the beginning of an action.
    """
    said = [word.lower() for word in words if word.lower() not in FILLERS]
    if len(said) != 2:
        return None
    for action, names in bet_names(game).items():
        for bet, stake in (said, reversed(said)):
            name = _find_bet(bet, names)
            if name is not None and stake.isdecimal():
                return f"{action} {name} {stake}"
            if name is None and not is_known and not bet.isdecimal() and stake.isdecimal():
                return f"{action} {bet} {stake}"  # the game says which bets there are
    return None


def _find_bet(said: str, names: Sequence[str]) -> str | None:
    """Return the bet that is meant: by its name, its only possible beginning, or a number alone."""
    if said in names:
        return said
    if said.isdecimal():
        return next((name for name in names if name.partition(":")[2] == said), None)
    begun = [name for name in names if name.startswith(said)]
    return begun[0] if len(begun) == 1 else None
