"""Options of blackjack: what an operator may choose at a table."""

from typing import Literal

from msgspec import Struct

DECKS = (1, 2, 4, 6, 8)


class BlackjackOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants, fixed when the session starts (rules.md, Options)."""

    decks: Literal[1, 2, 4, 6, 8] = 8
    hit_soft_17: bool = True
    """Whether the dealer takes another card on a soft 17."""
    six_to_five: bool = False
    """Whether a natural pays 6 to 5 instead of 3 to 2."""
    surrender: bool = False
    double_after_split: bool = True
    resplit_aces: bool = True
    hit_split_aces: bool = True
    """If not, split aces stand with the card they get, and so cannot be split again."""
    peek: bool = False
    """Whether the dealer looks for a natural before the player acts, and offers insurance with an ace up."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The options as the steps of a round take them, in their order here."""
        return tuple(int(getattr(self, name)) for name in self.__struct_fields__)
