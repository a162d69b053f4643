"""Warm up msgspec's types: first use from two threads at once crashes the process.

msgspec works out how to read a type when it first has to. Two threads that have to at the same moment, for the same
type, bring the whole process down (seen with msgspec 0.22: SIGSEGV, a moment after a start under load). So every game
is loaded and every type is looked at once, by whoever makes a service, before its threads begin.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

import msgspec

from croupier.engine import get_game, list_games
from croupier.games.lanes.cards.card_set import own_cards


@lru_cache(maxsize=1)
def prepare_types() -> int:
    """Load every game, let msgspec look at every type, and return how many there are. Takes some 50 ms, once."""
    for game_id in list_games():
        get_game(game_id)
    own_cards()  # the one large file that a game reads when it is first played
    found = list(dict.fromkeys(_below(msgspec.Struct)))
    for kind in found:
        with suppress(TypeError, NameError):  # one that is never read, only made
            msgspec.json.Decoder(kind)
    return len(found)


def _below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
