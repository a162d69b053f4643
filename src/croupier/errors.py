"""The errors croupier raises, as one tree.

    CroupierError
    ├── DrawError (ValueError)          a draw was asked for that cannot be made
    │   └── DeckExhausted               a card was drawn and none is left
    ├── UnknownGame (LookupError)       no game of that id is registered
    ├── BadGame (TypeError)             a game class is written in a way the engine cannot run; says what to fix
    ├── BadPlayers (ValueError)         seats, ids or names that a match cannot start with
    ├── BadOptions (ValueError)         options the game does not take; `path` says where
    ├── BadSeed (ValueError)            a seed, session id or move number that is out of bounds
    ├── WrongMatch (ValueError)         a match was given to a game or client it does not belong to
    ├── GameFault (RuntimeError)        a game broke: it raised, drew where it must not, or returned nonsense
    ├── BadDocument (ValueError)        a file or text that is not what it should be
    │   ├── InvalidState                a stored state that no play leads to, such as a card 99
    │   └── WrongSchema                 written by a newer schema, or by one too old to read
    └── RecordMismatch (ValueError)     a record does not re-execute; `version` is the first that differs

A player's illegal action is none of these: the rules' no is a value, `Refused`, with a `code` and a sentence.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BadDocument",
    "BadGame",
    "BadOptions",
    "BadPlayers",
    "BadSeed",
    "CroupierError",
    "DeckExhausted",
    "DrawError",
    "GameFault",
    "InvalidState",
    "RecordMismatch",
    "UnknownGame",
    "WrongMatch",
    "WrongSchema",
]


class CroupierError(Exception):
    """Anything croupier raises on purpose. `code` is stable; the sentence may improve."""

    code: ClassVar[str] = "error"


class DrawError(CroupierError, ValueError):
    """A draw was asked for that cannot be made, such as a pick from nothing."""

    code = "bad_draw"


class DeckExhausted(DrawError):
    """A card was drawn and none is left. A house move that meets it is not made: `ErrorKind.DECK_EXHAUSTED`."""

    code = "deck_exhausted"


class UnknownGame(CroupierError, LookupError):
    """No game of that id is registered."""

    code = "unknown_game"


class BadGame(CroupierError, TypeError):
    """A game class is written in a way the engine cannot run; the sentence says what to fix."""

    code = "bad_game"


class BadPlayers(CroupierError, ValueError):
    """Seats, ids or names that a match cannot start with."""

    code = "bad_players"


class BadOptions(CroupierError, ValueError):
    """Options the game does not take. `path` says where, as in `$.tile_count`."""

    code = "bad_options"

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(message)
        self.path = path


class BadSeed(CroupierError, ValueError):
    """A seed, session id or move number that is not bytes or is out of bounds."""

    code = "bad_seed"


class WrongMatch(CroupierError, ValueError):
    """A match was given to a game or a client it does not belong to."""

    code = "wrong_match"


class GameFault(CroupierError, RuntimeError):
    """A game broke: it raised, drew where it must not, or returned nonsense. The match is as it was.

    `digest` names the state it broke on, so that a report can be matched with a record.
    """

    code = "game_fault"

    def __init__(self, message: str, digest: str = "") -> None:
        super().__init__(f"{message} [state {digest[:16]}]" if digest else message)
        self.digest = digest


class BadDocument(CroupierError, ValueError):
    """A file or text that is not what it should be: not JSON, wrong shape, not canonical."""

    code = "bad_document"


class InvalidState(BadDocument):
    """A stored state that no play leads to, such as a card 99, five aces of one deck, or chips from nowhere."""

    code = "invalid_state"


class WrongSchema(BadDocument):
    """A document written by a newer schema, or by one too old to read."""

    code = "wrong_schema"


class RecordMismatch(CroupierError, ValueError):
    """A record does not re-execute. `version` is the first that differs."""

    code = "record_mismatch"

    def __init__(self, message: str, version: int = 0) -> None:
        super().__init__(message)
        self.version = version
