"""Rows of an odds sheet: one a bet and policy, in exact fractions, and what each was checked by.

`sources.json` tells what every row was compared with: keys of rows, by their second sources. The tests make it: one
that compares other rows than they said fails, and `tools/odds_checks.py` writes it again.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.rounds import SUPER_FEE_DIVISOR

SUPER_FEE = Fraction(1, SUPER_FEE_DIVISOR)
"""The fee for a chip of an eligible stake in super mode."""

Key = TypeVar("Key")
Returns = dict[Fraction | int, Fraction]
"""Every return of a bet, with its chance."""
Rows = Callable[[Any], tuple["OddsRow", ...]]
Method = Literal["exact", "bounded", "simulated"]
Source = Literal["count", "closed form", "model", "published", "simulation"]
"""Counted through the engine; a formula; a second program that shares no rule; a figure in print; rounds played."""
SOURCES: tuple[Source, ...] = get_args(Source)


class OddsRow(Struct, frozen=True, omit_defaults=True):
    """Row of an odds sheet: the worth of one bet under one policy.

    `edge` is the expected loss per chip of the opening stake, `edge_per_chip` per chip staked in all. `win`, `push` and
    `lose` are the chances that the bet ends with a profit, with neither, or with a loss.
    """

    bet: str
    policy: str
    win: Fraction
    push: Fraction
    lose: Fraction
    edge: Fraction
    edge_per_chip: Fraction
    method: Method = "exact"
    low: Fraction | None = None
    high: Fraction | None = None
    stderr: Fraction | None = None
    variance: Fraction | None = None
    """Of what a bet of one chip returns, where the whole distribution was counted."""
    variance_max: Fraction | None = None
    """An upper bound of the variance, where not all of the distribution was counted."""
    id: int | None = None
    """The bet's number in the rules of its game, where bets have one."""
    refused: bool = False
    """Whether this table does not take the bet: its other figures then mean nothing."""
    checked: tuple[Source, ...] = ()
    """The second sources that the figures were checked by; none where nothing did."""

    def plain(self) -> dict[str, Any]:
        """Return the row for JSON, every fraction written p/q."""
        if self.refused:
            return {"bet": self.bet, "policy": self.policy, "id": self.id, "refused": True}
        found = {field: getattr(self, field) for field in self.__struct_fields__ if field != "refused"}
        return {
            field: f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value
            for field, value in found.items()
            if value is not None and value != ()
        }


def row_key(game_id: str, row: OddsRow, super_mode: bool) -> str:
    """Return the key of a row with these very figures: the first digits of a hash."""
    figures = (row.win, row.push, row.edge, row.edge_per_chip, row.method, row.low, row.high, row.variance)
    return sha256(f"{game_id} {super_mode} {row.bet} {row.policy} {figures}".encode()).hexdigest()[:6]


@cache
def _sources() -> dict[str, tuple[Source, ...]]:
    told = msgspec.json.decode((resources.files(__package__) / "sources.json").read_bytes(), type=dict[str, str])
    return {
        key: tuple(each for each in SOURCES if each in names.split(", "))
        for names, keys in told.items()
        for key in keys.split()
    }


def with_sources(game_id: str, rows: Iterable[OddsRow], super_mode: bool) -> tuple[OddsRow, ...]:
    """Return the rows with what each of them was checked by."""
    found = _sources()
    keyed = ((row, found.get(row_key(game_id, row, super_mode))) for row in rows)
    return tuple(replace(row, checked=known) if known else row for row, known in keyed)


def row_from_returns(bet: str, returns: Mapping[Fraction | int, Fraction], policy: str = "-") -> OddsRow:
    """Return the row of a bet of one chip from what it may return (stake included) and with which chance.

    >>> row_from_returns("red", {2: Fraction(18, 37), 0: Fraction(19, 37)}).edge
    Fraction(1, 37)
    """
    assert sum(returns.values()) == 1, f"the chances of {bet} add up to {sum(returns.values())}"
    win = sum((chance for returned, chance in returns.items() if returned > 1), Fraction(0))
    push = returns.get(1, Fraction(0))
    mean = sum((returned * chance for returned, chance in returns.items()), Fraction(0))
    squares = sum((returned * returned * chance for returned, chance in returns.items()), Fraction(0))
    variance = squares - mean * mean
    return OddsRow(bet, policy, win, push, 1 - win - push, 1 - mean, 1 - mean, variance=variance)


def add(chances: MutableMapping[Key, Fraction], key: Key, chance: Fraction) -> None:
    """Add to the chance of something, which has none before it is first added to."""
    chances[key] = chances.get(key, Fraction(0)) + chance


def per_chip(stake: int, returned: Iterable[int]) -> tuple[Fraction, ...]:
    """Return the prices of a bet from what a stake of it can return: each once, per chip staked, the least first.

    >>> per_chip(2, [4, 0, 1, 0])
    (Fraction(0, 1), Fraction(1, 2), Fraction(2, 1))
    """
    return tuple(Fraction(chips, stake) for chips in sorted(set(returned)))


def with_super_fee(row: OddsRow, staked: Fraction | int = 1) -> OddsRow:
    """Return the row of a bet in super mode from what it returns there: the fee is a loss, and chips laid out.

    `edge` is then the expected loss per chip of the opening stake, `edge_per_chip` per chip of all that is `staked` on
    average for it and of the fee. The chances to win and lose are the bet's own; they do not count the fee.

    >>> row = with_super_fee(row_from_returns("even", {2: Fraction(1, 2), 0: Fraction(1, 2)}))
    >>> row.edge == SUPER_FEE, row.edge_per_chip == SUPER_FEE / (1 + SUPER_FEE)
    (True, True)
    """
    edge = row.edge + SUPER_FEE
    return replace(row, edge=edge, edge_per_chip=edge / (staked + SUPER_FEE))


def table_sheet(
    bets: Callable[[Any], Mapping[str, tuple[int, int]]],
    returns: Callable[[int, int, Any], Returns],
    is_eligible: Callable[[int, int], bool],
    super_returns: Callable[[int, int, Any], Returns],
) -> tuple[Rows, Rows, Callable[[Any], dict[str, tuple[Fraction, ...]]]]:
    """Return the sheet of a table game: odds, those of super mode and prices, as functions of the options.

    `bets(options)` are the bets on offer; `returns(kind, number, options)` is what one of them may return per chip and
    with which chance, `super_returns` the same for an eligible one in super mode.
    """

    def odds(options: Any) -> tuple[OddsRow, ...]:
        """Return the worth of every bet on offer."""
        return tuple(row_from_returns(bet, returns(*code, options)) for bet, code in bets(options).items())

    def super_odds(options: Any) -> tuple[OddsRow, ...]:
        """Return the worth of every eligible bet in super mode, as `with_super_fee` tells it."""
        found = {bet: code for bet, code in bets(options).items() if is_eligible(*code)}
        return tuple(
            with_super_fee(row_from_returns(bet, super_returns(*code, options))) for bet, code in found.items()
        )

    def prices(options: Any) -> dict[str, tuple[Fraction, ...]]:
        """Return what a chip on each bet can return; see `HouseGame.prices`."""
        return {bet: tuple(sorted(map(Fraction, returns(*code, options)))) for bet, code in bets(options).items()}

    return odds, super_odds, prices
