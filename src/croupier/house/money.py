"""The till of one session: takes stakes, settles each bet with the return that the rules found, keeps every line.

A house action declares money on its turn: `take` a stake before anything is drawn, `settle` each bet with what it
returns, `withdraw` a bet that is taken back, `finish` when the session is over. Nothing is free, nothing is charged
twice, and the state keeps every line.
"""

from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import refuse
from croupier.errors import GameFault
from croupier.rounds import SUPER_FEE_DIVISOR, super_fee

CHIPS_MAX = 2**63 - 1


class MoneyFault(GameFault):
    """A game declared money that does not add up."""


class NotCovered(MoneyFault):
    """A game settled a bet with more than it had declared that the bet can return."""


class Stake(Struct, frozen=True):
    """Chips that lie on a bet. `most` is the largest return they can bring; `boosted` ones paid the super fee."""

    bet: str
    stake: int
    most: int
    boosted: bool = False
    reserved: bool = False
    """Whether it is only set aside until the draw; where it is lost, the result says it was taken with the end."""


class Line(Struct, frozen=True):
    """A settled bet: what was staked, and what was handed back, stake included."""

    bet: str
    stake: int
    returned: int

    @property
    def profit(self) -> int:
        """Return less stake."""
        return self.returned - self.stake


class Money(Struct, frozen=True):
    """The accounts of a session. Invariant: every chip staked is either still open or on a line."""

    opening: int = 0
    """The chips staked when the session started."""
    staked: int = 0
    returned: int = 0
    fees: int = 0
    open: tuple[Stake, ...] = ()
    lines: tuple[Line, ...] = ()
    finished: bool = False
    extra: int = 0
    """Reserved chips that have been decided."""
    drawn: bool = False
    """Whether anything has been drawn in the session; stakes placed after that are not eligible for super mode."""

    @property
    def taken(self) -> int:
        """Chips staked, without those only reserved yet."""
        return self.staked - sum(stake.stake for stake in self.open if stake.reserved)

    @property
    def net(self) -> int:
        """Net result of the player, fees aside: the profit once the session is finished."""
        return self.returned - self.staked


class Cover(Struct, frozen=True):
    """Cover of one move by the host: the player's chips, the table's limits a bet, and what the house can stand.

    None means no limit, as when a record is replayed: what was covered once need not be covered again.
    """

    funds: int | None = None
    stake_min: int = 1
    stake_max: int | None = None
    exposure_max: int | None = None


class Terms(Struct, frozen=True):
    """Terms of a session: the opening stake, super mode, and what the host covers."""

    stake: int = 0
    super_mode: bool = False
    cover: Cover | None = None


UNLIMITED = Cover()


class Till:
    """The money of one move while it is being declared: the accounts before it, and as they are so far."""

    __slots__ = ("_can_boost", "_cover", "before", "money", "sealed")

    def __init__(self, money: Money, cover: Cover | None, is_super: bool) -> None:
        self._cover = UNLIMITED if cover is None else cover
        self._can_boost = is_super and not money.drawn
        self.before = self.money = money
        self.sealed = False

    def take(
        self, bet: str, stake: int, most: int, boosted: bool = False, reserved: bool = False, fixed: bool = False
    ) -> None:
        """Put chips on a bet, or more chips on it."""
        self._check_open(f"a stake on {bet}")
        money, before, cover = self.money, self.before, self._cover
        if money.finished:
            self._bug(f"a stake on {bet} after the session was finished")
        lying = self.stake_on(bet)
        total = stake if lying is None else lying.stake + stake
        if type(stake) is not int or type(most) is not int:
            self._bug(f"a stake of {stake!r} on {bet} that can bring {most!r}: chips are whole numbers")
        if stake < 1:
            refuse("stake_too_small", f"stake {stake} on {bet}: at least one chip")
        if total < cover.stake_min and not fixed:
            refuse("under_limit", f"stake {total} on {bet}: this table takes {cover.stake_min} or more")
        if cover.stake_max is not None and total > cover.stake_max and not fixed:
            refuse("over_limit", f"stake {total} on {bet}: this table takes {cover.stake_max} at most")
        boosted = boosted and self._can_boost
        if lying is not None and lying.boosted != boosted:
            refuse("super_mixed", f"stake {stake} on {bet}: what paid the super fee and what did not are apart")
        if boosted and stake % SUPER_FEE_DIVISOR:
            refuse("super_stake", f"stake {stake} on {bet}: in super mode it is a multiple of {SUPER_FEE_DIVISOR}")
        fee = super_fee(stake) if boosted else 0
        spent = money.staked - before.staked + money.fees - before.fees
        if cover.funds is not None and spent + stake + fee > cover.funds:
            refuse("insufficient_funds", f"stake {stake} and fee {fee} on {bet}: {cover.funds - spent} chips are left")
        most_total = most + (0 if lying is None else lying.most)
        exposure = most_total + sum(other.most for other in money.open if other is not lying)
        if exposure > CHIPS_MAX or (cover.exposure_max is not None and exposure > cover.exposure_max):
            refuse("exposure_limit", f"stake {stake} on {bet}: the house would owe up to {exposure} chips")
        placed = Stake(bet, total, most_total, boosted, reserved)
        found = (*money.open, placed) if lying is None else self._with(lying, placed)
        self.money = replace(money, staked=money.staked + stake, fees=money.fees + fee, open=found)

    def settle(self, bet: str, returned: int) -> None:
        """Close a bet and hand back what it returns, stake included; 0 for a bet that is lost."""
        lying, money = self._lying(bet), self.money
        if type(returned) is not int or returned < 0:
            raise NotCovered(f"money: settled {bet} with {returned!r}: whole chips, never negative; 0 is a loss")
        if returned > lying.most:
            raise NotCovered(f"money: settled {bet} with {returned}, but at most {lying.most} was declared")
        self.money = replace(
            money,
            returned=money.returned + returned,
            open=self._with(lying),
            lines=(*money.lines, Line(bet, lying.stake, returned)),
            extra=money.extra + (lying.stake if lying.reserved else 0),
        )

    def withdraw(self, bet: str) -> int:
        """Give the stake of a bet back as if it had never been placed, and return it; a fee stays paid."""
        lying = self._lying(bet)
        self.money = replace(self.money, staked=self.money.staked - lying.stake, open=self._with(lying))
        return lying.stake

    def finish(self) -> None:
        """Say that the session is over; every bet must have been settled."""
        self._check_open("the end")
        if self.money.open:
            self._bug(f"finished with open bets: {[stake.bet for stake in self.money.open]}")
        self.money = replace(self.money, finished=True)

    def stake_on(self, bet: str) -> Stake | None:
        """Return what lies on a bet now."""
        return next((stake for stake in self.money.open if stake.bet == bet), None)

    def _with(self, lying: Stake, *instead: Stake) -> tuple[Stake, ...]:
        """Return the open bets with others in the place of one, or none."""
        place = self.money.open.index(lying)
        return (*self.money.open[:place], *instead, *self.money.open[place + 1 :])

    def _lying(self, bet: str) -> Stake:
        self._check_open(bet)
        lying = self.stake_on(bet)
        if lying is None:
            self._bug(f"there is nothing on {bet}")
        return lying

    def _check_open(self, what: str) -> None:
        if self.sealed:
            self._bug(f"{what} was declared after the action, where nothing is booked any more")

    def _bug(self, what: str) -> NoReturn:
        raise MoneyFault(f"money: {what}")
