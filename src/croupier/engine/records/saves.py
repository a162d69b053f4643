"""Saved matches: written in mid-game, read back exactly, migrated from older schemas and rules, kept in slots.

A save holds the whole match, its seed included: it is for the one who hosts it, not for players.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import msgspec

from croupier.engine.game import Game
from croupier.engine.model import Match
from croupier.engine.plain import canonical
from croupier.engine.records.documents import Migration, match_from_plain, read_json, run_migrations
from croupier.engine.registry import get_game
from croupier.errors import BadDocument, CroupierError

SAVE_SCHEMA = 1
MIGRATIONS: dict[int, Migration] = {}
"""Save schema n -> a pure function from a save document of schema n to one of n + 1."""


class _SaveForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    saved_at: int
    state: dict[str, Any]


class _Head(msgspec.Struct, frozen=True):
    """Fields of a state that a list of saves reads."""

    game_id: str
    version: int


class SaveInfo(msgspec.Struct, frozen=True):
    """Entry in a list of saves."""

    slot: str
    saved_at: int
    game_id: str
    version: int


def serialize_match(match: Match[Any], *, saved_at: int = 0) -> str:
    """Return a match as text: schema, time of saving in milliseconds, and the whole state."""
    return canonical({"schema": SAVE_SCHEMA, "saved_at": saved_at, "state": match}).decode()


def deserialize_match(text: str | bytes, game: Game[Any] | None = None) -> Match[Any]:
    """Return the match that `serialize_match` wrote; without a game it is looked up by its id.

    Saves of an older schema, or of older rules that the game can migrate, are brought up to date first.
    """
    document: dict[str, Any] = read_json(text, dict[str, Any], "save")
    schema = document.get("schema")
    if type(schema) is not int:
        raise BadDocument("the save does not say its schema")
    document = run_migrations(document, schema, SAVE_SCHEMA, MIGRATIONS, "save")
    try:
        state = msgspec.convert(document, _SaveForm).state
    except msgspec.ValidationError as error:
        raise BadDocument(f"the save has the wrong shape: {error}") from None
    if game is None:
        game = get_game(state.get("game_id", ""))
    rules = state.get("rules_version")
    if type(rules) is int and rules not in (game.rules_version, *game.older_rules):
        if "game" not in state:
            raise BadDocument(f"the save holds no state of {game.id}")
        moved = run_migrations(state["game"], rules, game.rules_version, game.migrations, f"save of {game.id}")
        state = {**state, "game": moved, "rules_version": game.rules_version}
    return match_from_plain(game, state)


class SlotStore:
    """Named saves in any mapping from text to bytes: a dict, or a folder behind one. Keeps the newest `keep`."""

    def __init__(self, storage: MutableMapping[str, bytes], *, keep: int = 20) -> None:
        if keep < 1:
            raise BadDocument(f"a store keeps at least one save, got {keep}")
        self._storage = storage
        self._keep = keep

    def save_match(self, slot: str, match: Match[Any], *, saved_at: int = 0) -> None:
        """Put a match into a slot, and drop the oldest slots beyond those kept."""
        self._storage[slot] = serialize_match(match, saved_at=saved_at).encode()
        others = [save.slot for save in self.list_saves() if save.slot != slot]
        for old in others[self._keep - 1 :]:
            del self._storage[old]

    def load_match(self, slot: str) -> Match[Any] | None:
        """Return the match in a slot; None where there is none or it cannot be read."""
        data = self._storage.get(slot)
        if data is None:
            return None
        try:
            return deserialize_match(data)
        except CroupierError:
            return None

    def list_saves(self) -> tuple[SaveInfo, ...]:
        """Return what there is, newest first; slots that cannot be read are left out."""
        found = []
        for slot in sorted(self._storage):
            try:
                form: _SaveForm = read_json(self._storage[slot], _SaveForm, "save")
                head = msgspec.convert(form.state, _Head)
            except (CroupierError, msgspec.ValidationError):
                continue
            found.append(SaveInfo(slot, form.saved_at, head.game_id, head.version))
        return tuple(sorted(found, key=lambda info: -info.saved_at))

    def delete_save(self, slot: str) -> bool:
        """Empty a slot and return whether there was anything in it."""
        return self._storage.pop(slot, None) is not None
