"""The errors of bots: a name nobody has, a choice that is not legal, and a match that does not end.

CroupierError
├── UnknownBot (LookupError)        no bot of that name plays this game
├── IllegalChoice (ValueError)      a bot whose matches are counted made no legal move
└── NoEnd (RuntimeError)            the match was still on when the limit was reached; `client` holds it
"""

from __future__ import annotations

from typing import Any

from croupier.engine import MatchClient
from croupier.errors import CroupierError


class UnknownBot(CroupierError, LookupError):
    """No bot of that name plays this game; the sentence lists those that do."""

    code = "unknown_bot"


class IllegalChoice(CroupierError, ValueError):
    """A bot made no legal move where its matches are counted; the sentence says what it answered."""

    code = "illegal_choice"


class NoEnd(CroupierError, RuntimeError):
    """A match was still on after as many actions as were allowed. `client` holds it as far as it went."""

    code = "no_end"

    def __init__(self, message: str, client: MatchClient[Any]) -> None:
        super().__init__(message)
        self.client = client
