"""Options of video poker: what an operator may choose at a table."""

from msgspec import Struct

from croupier.games.video_poker import bets
from croupier.games.video_poker.rules import hands


class VideoPokerOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The pay table, fixed when the session starts."""

    pay_table: bets.PayTable = "jacks_9_6"

    @property
    def pays(self) -> tuple[int, ...]:
        """Pay table: what comes back for one chip, by hand."""
        return hands.PAYS[bets.PAY_TABLES.index(self.pay_table)]

    @property
    def is_wild(self) -> bool:
        """Whether deuces stand for any card."""
        return self.pay_table == "deuces_wild"

    def numbers(self, super_mode: bool) -> tuple[int, ...]:
        """Return the options as the steps of a round take them."""
        return int(super_mode), int(self.is_wild), *self.pays
