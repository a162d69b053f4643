"""The variants of roulette, fixed when the session starts."""

from typing import Literal, get_args

from msgspec import Struct

# The position of a name is its number in `rules`.
ZeroRule = Literal["standard", "la_partage", "en_prison", "en_prison_repeat", "double_zero"]
ZERO_RULES: tuple[ZeroRule, ...] = get_args(ZeroRule)


class RouletteOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of roulette: what zero does to even-money bets, or two zeros."""

    zero_rule: ZeroRule = "standard"

    @property
    def zero_rule_code(self) -> int:
        """The zero rule as `rules` numbers it."""
        return ZERO_RULES.index(self.zero_rule)
