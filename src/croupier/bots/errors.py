"""The errors of bots: a name nobody has, and a match that does not end.

CroupierError
├── UnknownBot (LookupError)        no bot of that name plays this game
└── NoEnd (RuntimeError)            the match was still on when the limit was reached; `client` holds it
"""

from __future__ import annotations

from typing import Any

from croupier.engine import MatchClient
from croupier.errors import CroupierError


class UnknownBot(CroupierError, LookupError):
    """No bot of that name plays this game; the sentence lists those that do."""

    code = "unknown_bot"


class NoEnd(CroupierError, RuntimeError):
    """A match was still on after as many actions as were allowed. `client` holds it as far as it went."""

    code = "no_end"

    def __init__(self, message: str, client: MatchClient[Any]) -> None:
        super().__init__(message)
        self.client = client
