"""Shared checks of values: names, seeds, results, the match of a game; and how a broken game is reported."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from croupier.engine.model import Match, MatchResult, Player
from croupier.engine.plain import shown, state_digest
from croupier.errors import BadSeed, GameFault, WrongMatch

NAME_MAX = 64  # characters of a player's id or name
SEED_MAX = 1024  # bytes
# Controls, formats, surrogates, private use, and spaces but the plain one. A list of our own: what `isprintable` says
# depends on the Unicode of each Python, and a record must verify with all of them.
_UNPRINTABLE = re.compile(
    "[\0-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\U000f0000-\U0010ffff]"
)


def is_name(text: object) -> bool:
    """Tell whether a text can be an id or a name: not empty, not long, nothing invisible, and no spaces at the ends."""
    return isinstance(text, str) and 0 < len(text) <= NAME_MAX and is_printable(text) and text == text.strip(" ")


def is_printable(text: str) -> bool:
    """Tell whether nothing in a text is invisible; characters that Unicode has yet to assign are taken."""
    return _UNPRINTABLE.search(text) is None


def check_seed(seed: object, *, shortest: int = 0) -> None:
    """Raise `BadSeed` unless it is bytes of a length that a seed may have."""
    if not isinstance(seed, bytes) or not shortest <= len(seed) <= SEED_MAX:
        # What it was is not told: it may be a secret.
        got = f"{len(seed)} bytes" if isinstance(seed, bytes) else type(seed).__name__
        raise BadSeed(f"a seed is {shortest} to {SEED_MAX} bytes, got {got}")


def check_match(game: Any, match: object) -> None:
    """Raise `WrongMatch` unless it is a match of that game."""
    if type(match) is not Match:
        raise WrongMatch(f"a Match is wanted, got {type(match).__name__}; deserialize_match reads a written one")
    if match.game_id != game.id:
        raise WrongMatch(f"a match of {match.game_id!r} was given to the game {game.id!r}")


def result_problem(result: object, players: tuple[Player, ...]) -> str | None:
    """Return None if a match can end that way, else a sentence that says what is wrong with its result."""
    if not isinstance(result, MatchResult):
        return f"a match ends with a MatchResult, got {type(result).__name__}"
    winners, scores = result.winners, result.scores
    if result.status not in ("win", "draw"):
        return f'the status of a result is "win" or "draw", not {shown(result.status)}'
    if type(winners) is not tuple or type(scores) is not dict:
        return f"winners are a tuple and scores a dict, got {type(winners).__name__} and {type(scores).__name__}"
    for player_id in (*winners, *scores):
        for player in players:
            if player.id == player_id:
                break
        else:
            return f"the result names {shown(player_id)}, who is not seated"
    if len(winners) > 1 and len(set(winners)) != len(winners):
        return f"the result names a winner twice: {shown(winners)}"
    if (result.status == "win") != bool(winners):
        return f"a win has winners and a draw has none, got {shown(result)}"
    for player_id, score in scores.items():
        if type(score) is not int and type(score) is not str:
            return f"a score is a whole number or text, got {shown(score)} for {player_id}"
    if type(result.reason) is not str:
        return f"the reason of a result is text, got {type(result.reason).__name__}"
    return None


def raise_fault(game: Any, match: Match[Any] | None, where: str, error: Exception) -> NoReturn:
    """Raise what a game's own code raised as a `GameFault` that names the state it broke on."""
    digest = "" if match is None else _digest(match)
    if not isinstance(error, GameFault):
        raise GameFault(f"{game.id}: {where} raised {type(error).__name__}: {_words(error)}", digest) from error
    if error.digest or not digest:
        raise error
    raise GameFault(str(error), digest) from error


def _digest(match: Match[Any]) -> str:
    try:
        return state_digest(match)
    except Exception:  # the state itself may be what is broken
        return ""


def _words(error: Exception) -> str:
    try:
        return str(error)
    except Exception:
        return "no words for it"
