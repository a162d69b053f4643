"""The names of hi-lo's bet, guesses and policies, and their codes.

There is one bet, the `stake` of the session. A guess is named with the rank on show, ace 1 to king 13: `higher:5` is
"higher" with a five showing. `rules.is_offered` tells which of them may be made.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.games.hi_lo import rules

STAKE = "stake"

CHOICES = {"higher": rules.HIGHER, "lower": rules.LOWER, "same": rules.SAME, "cash_out": rules.CASH_OUT}
LETTERS = {word[0].upper(): choice for word, choice in CHOICES.items()}

BETS: dict[str, tuple[int, int]] = {
    f"{word}:{rank}": (guess, rank)
    for word, guess in CHOICES.items()
    for rank in range(1, 14)
    if rules.is_offered(guess, rank, True)
}
"""Every guess: name to opcode and rank. "Same" at another rank than ace or king needs the option for it."""

ROWS_MAX = 100
LIKELIER, LEAVE = "HHHHHHHLLLLLL", "CCCCCCCCCCCCC"
PATIENCE = 10  # right guesses: the boost of super mode grows no further


def policy_table(count: int, *rows: str) -> tuple[int, ...]:
    """Return a policy as `rules.choose` reads it, from a row of letters for every count of guesses or right guesses."""
    return count, len(rows), *(LETTERS[letter] for row in rows for letter in row)


def patient(patience: int) -> tuple[int, ...]:
    """Return the policy that guesses the likelier side for so many right guesses, then lower until an ace shows."""
    return policy_table(rules.STREAK, *[LIKELIER] * patience, "CLLLLLLLLLLLL")


POLICIES: dict[str, tuple[int, ...]] = {
    "cash_out_at_once": policy_table(rules.STREAK, LEAVE),
    "one_guess": policy_table(rules.GUESSES, LIKELIER, LEAVE),
    "three_guesses": policy_table(rules.GUESSES, *[LIKELIER] * 3, LEAVE),
    "streak_1": policy_table(rules.STREAK, LIKELIER, LEAVE),
    "streak_3": policy_table(rules.STREAK, *[LIKELIER] * 3, LEAVE),
    "streak_5": policy_table(rules.STREAK, *[LIKELIER] * 5, LEAVE),
    "patient": patient(PATIENCE),
}
"""The ways to play that odds, bots and the simulator know: the likelier side so often, or until so often right."""


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
        return policy_table(rules.STREAK, *self.by_streak)
