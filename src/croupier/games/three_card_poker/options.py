"""Options of three card poker: what an operator may choose at a table."""

from typing import Literal

from msgspec import Struct


class ThreeCardOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variant, fixed when the session starts: the lowest hand that the dealer qualifies with."""

    qualifier: Literal["queen", "q64"] = "queen"
