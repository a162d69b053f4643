"""The variants of hi-lo, fixed when the session starts."""

from typing import Annotated

from msgspec import Meta, Struct


class HiLoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Hi-Lo: what may be guessed, what an equal rank does, and the house's share of the profit."""

    same_anywhere: bool = False
    """Whether "same" may be guessed at every rank, not at ace and king alone."""
    tie_pushes: bool = True
    """Whether an equal rank after "higher" or "lower" leaves the bet as it was; otherwise it loses."""
    commission_bps: Annotated[int, Meta(ge=0, le=10_000)] = 300
    """Share of the profit that the house keeps at cash-out, in hundredths of a percent."""
