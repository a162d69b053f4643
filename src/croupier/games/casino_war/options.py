"""Options of casino war: what an operator may choose at a table."""

from typing import Literal

from msgspec import Struct


class CasinoWarOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants, fixed when the session starts: what the tie bet pays to 1, and whether a second tie pays more."""

    tie_pays: Literal[10, 11] = 10
    second_tie_bonus: bool = True
