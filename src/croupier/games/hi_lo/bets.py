"""The names of hi-lo's bet, guesses and policies, and their codes.

There is one bet, the `stake` of the session. A guess is named with the rank on show, ace 1 to king 13: `higher:5` is
"higher" with a five showing. `rules.legal` tells which of them may be made.
"""

from __future__ import annotations

from croupier.games.hi_lo import rules

__all__ = ["BETS", "NAMES", "POLICIES", "STAKE"]

STAKE = "stake"

_GUESSES = {"higher": rules.HIGHER, "lower": rules.LOWER, "same": rules.SAME}

BETS: dict[str, tuple[int, int]] = {
    f"{word}:{rank}": (guess, rank)
    for word, guess in _GUESSES.items()
    for rank in range(1, 14)
    if rules.legal(guess, rank, True)
}
"""Every guess: name to opcode and rank. "Same" at another rank than ace or king needs the option for it."""

NAMES: dict[tuple[int, int], str] = {code: name for name, code in BETS.items()}

POLICIES: dict[str, int] = {
    "cash_out_at_once": rules.CASH_OUT_AT_ONCE,
    "one_guess": rules.ONE_GUESS,
    "three_guesses": rules.THREE_GUESSES,
    "streak_1": rules.STREAK_1,
    "streak_3": rules.STREAK_3,
    "streak_5": rules.STREAK_5,
    "patient": rules.PATIENT,
}
"""The ways to play that odds, bots and the simulator know: name to the number in `rules`."""
