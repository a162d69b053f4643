"""Options of baccarat: what an operator may choose at a table."""

from typing import Literal

from msgspec import Struct


class BaccaratOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants, fixed when the session starts: what Tie and the two pair bets pay to 1.

    In super mode Tie pays `rules.SUPER_TIE_PAYS` whatever `tie_pays` says.
    """

    tie_pays: Literal[8, 9] = 9
    pair_pays: Literal[11, 12] = 12
