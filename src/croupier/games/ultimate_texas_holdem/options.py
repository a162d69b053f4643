"""Options of ultimate texas hold'em: what an operator may choose at a table."""

from typing import Literal

from msgspec import Struct


class HoldemOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants, fixed when the session starts."""

    dealer_qualifies: Literal["pair", "always"] = "pair"
    """Hand that the dealer needs for the Ante to count; with less it pushes. `always` gives the player an edge."""
    play_3x: bool = True
    """Whether three times the Ante may be bet before the flop."""
    play_4x: bool = True
    """Whether four times the Ante may be bet before the flop."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The options of the steps in `rules`, for a session without super mode or six-card bet."""
        return 0, int(self.dealer_qualifies == "pair"), 0, int(self.play_3x), int(self.play_4x)
