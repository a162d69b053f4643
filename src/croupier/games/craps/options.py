"""Options of craps: variants and limits, fixed when the session or match starts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.games.craps.rules.prices import STAKE_MAX

PayTable = Literal["casino", "bitcraps", "nullspace", "document"]
FireTable = Literal["fire-a", "fire-b", "fire-c", "fire-d", "document"]
RideTable = Literal["ride-1", "ride-2", "ride-3", "ride-4", "ride-5", "ride-6", "ride-7", "bitcraps"]
HotRule = Literal["streak", "ways", "rolls", "bitcraps"]
OddsPlan = Literal["3-4-5", "single", "double", "10x", "100x"]
Limit = Annotated[int, Meta(ge=1, le=STAKE_MAX)]
Multiple = Annotated[int, Meta(ge=0, le=1000)]
Multiples = tuple[Multiple, Multiple, Multiple, Multiple, Multiple, Multiple]


class CrapsOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Options of craps: what bets pay, and how much may be staked. A variant that is None is the pay table's own."""

    pay_table: PayTable = "casino"
    field_triple: bool | None = None
    """Whether the Field pays 3 to 1 on 12 rather than 2 to 1."""
    fire: FireTable | None = None
    ride: RideTable | None = None
    hot_roller: HotRule | None = None
    bonus: Literal["bonus", "bonus-classic"] | None = None
    repeater: Literal["repeater", "repeater-for-one", "twice"] | None = None
    """Prices of repeaters, and how many hits win: as many as the number has ways and one more, or two."""
    vig: Literal["win", "upfront"] = "win"
    """When a commission is paid: from the profit of a winning bet, or with the stake."""
    odds_plan: OddsPlan = "3-4-5"
    odds_map: Multiples | None = None
    """The largest multiple of the flat bet on 4, 5, 6, 8, 9, 10, in place of a plan by name."""
    table_min: Limit = 5
    table_max: Limit = 5_000
    prop_min: Limit = 1
    prop_max: Limit = 500
    side_min: Limit = 1
    side_max: Limit = 100
    max_profit: Annotated[int, Meta(ge=1, le=2**63 - 1)] = 100_000
    """The most a single bet may win; a stake that could win more is refused."""
    player_max: Annotated[int, Meta(ge=1, le=2**63 - 1)] = 50_000
    """The most one player may have at risk: stakes, and commissions paid with them."""
    max_bets: Annotated[int, Meta(ge=1, le=128)] = 128

    def __post_init__(self) -> None:
        for low, high, name in (
            (self.table_min, self.table_max, "table"),
            (self.prop_min, self.prop_max, "prop"),
            (self.side_min, self.side_max, "side"),
        ):
            if low > high:
                raise ValueError(f"{name}_min {low} is above {name}_max {high}")
