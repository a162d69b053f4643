"""The names of hi-lo's bet, guesses and policies, and their codes.

There is one bet, the `stake` of the session. A guess is named with the rank on show, ace 1 to king 13: `higher:5` is
"higher" with a five showing. `rules.is_offered` tells which of them may be made.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.games.hi_lo import rules

__all__ = ["BETS", "LETTERS", "NAMES", "POLICIES", "STAKE", "GuessTable"]

STAKE = "stake"

_GUESSES = {"higher": rules.HIGHER, "lower": rules.LOWER, "same": rules.SAME}

BETS: dict[str, tuple[int, int]] = {
    f"{word}:{rank}": (guess, rank)
    for word, guess in _GUESSES.items()
    for rank in range(1, 14)
    if rules.is_offered(guess, rank, True)
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

LETTERS = {"H": rules.HIGHER, "L": rules.LOWER, "S": rules.SAME, "C": rules.CASH_OUT}
ROWS_MAX = 100


class GuessTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own strategy: what to do with each rank on show, by how many guesses were right so far.

    A row has thirteen letters, ace to king: `H` higher, `L` lower, `S` same, `C` cash out. The first row is for no
    right guess, the next for one, and the last for as many as it stands for and more.
    """

    by_streak: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.by_streak) <= ROWS_MAX:
            raise ValueError(f"by_streak has {len(self.by_streak)} rows: 1 to {ROWS_MAX}")
        for place, row in enumerate(self.by_streak):
            if len(row) != 13 or not set(row) <= LETTERS.keys():
                raise ValueError(f"by_streak[{place}] is {row!r}: thirteen letters of H L S C, ace to king")

    @property
    def policy(self) -> tuple[int, ...]:
        """The table as `rules.choose` reads it."""
        return rules.TABLE, len(self.by_streak), *(LETTERS[letter] for row in self.by_streak for letter in row)
