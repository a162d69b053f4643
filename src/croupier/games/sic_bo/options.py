"""The variants of sic bo, fixed when the session starts."""

from typing import Literal, get_args

from msgspec import Struct

# The position of a name is its number in `rules`.
PayTable = Literal["macau", "atlantic_city"]
PAY_TABLES: tuple[PayTable, ...] = get_args(PayTable)


class SicBoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of sic bo: the pay table. No bet pays less under `atlantic_city` than under `macau`."""

    pay_table: PayTable = "macau"

    @property
    def pay_table_code(self) -> int:
        """The pay table as `rules` numbers it."""
        return PAY_TABLES.index(self.pay_table)
