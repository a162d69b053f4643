"""State of a craps table of many players: options, chairs, the bank; and how chips move on it.

Every movement has two sides. Invariant (`SharedTable.problem`): the chips that the players brought and the bank had at
the start are in the racks, on the layout, in the bank, taken home, or left over and nobody's.
"""

from collections.abc import Iterable
from contextlib import suppress
from math import ceil, floor
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import refuse, require
from croupier.engine.turn import Refusal
from croupier.games.craps.layout import CrapsTable, Decision, RollOutcome, Seat
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook
from croupier.games.craps.placing import Change, check_caps, place_again
from croupier.games.craps.values import seat_value

CHIPS_MAX = 2**63 - 1

Chips = Annotated[int, Meta(ge=1, le=CHIPS_MAX // 2)]
Pays = Literal["stake", "value", "stake_or_value"]
"""The price of bets that are bought out: their stake, their expected value, or the larger."""


class TableOptions(CrapsOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Options of the table: prices and limits, as at every craps table; the bank, and what players may buy in for."""

    bank: Chips = 1_000_000
    """The chips that the table begins with. All bets together can never return more than the bank has."""
    buy_in_min: Chips = 20
    """The least a player buys at a time."""
    buy_in_max: Chips = 50_000
    """The most a player buys in all."""
    allow_overpay: bool = False
    """Whether prices are meant that give players an edge."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.buy_in_min > self.buy_in_max:
            raise ValueError(f"buy_in_min {self.buy_in_min} is above buy_in_max {self.buy_in_max}")


class Chair(Struct, frozen=True, omit_defaults=True):
    """One player at the table. A chair stays when its player has left: bets that could not come down play out there."""

    chips: int = 0
    """In the rack: what can be staked."""
    bets: Seat = ()
    at_risk: int = 0
    """The chips on the layout: stakes, and commissions paid with them."""
    bought: int = 0
    """Everything bought in."""
    paid_out: int = 0
    """Everything taken home. The returns of bets whose player has left are handed over, and counted, at once."""
    is_ready: bool = False
    """Done betting until the next roll."""
    has_cashed: bool = False
    """Cashed out, and not bought in since."""
    has_left: bool = False
    unclaimed: int = 0
    """Chips lost to rounding when bets were bought out: the bank paid them, and nobody has them."""

    @property
    def is_out(self) -> bool:
        """Whether the player has left, or has cashed out and has neither chips nor bets."""
        return self.has_left or (self.has_cashed and not self.chips and not self.bets)

    @property
    def is_waited_for(self) -> bool:
        """Whether the roll waits for this player to finish betting."""
        return not self.is_ready and not self.is_out

    @property
    def net(self) -> int:
        """Profit or loss of the player so far, chips on the layout counted as theirs."""
        return self.chips + self.at_risk + self.paid_out - self.bought

    def paid(self, chips: int, **changed: Any) -> "Chair":
        """Return the chair with more chips in its rack, and other fields changed.

        A player who has left takes the chips home at once.
        """
        home = chips if self.has_left else 0
        return replace(self, chips=self.chips + chips - home, paid_out=self.paid_out + home, **changed)

    def cashed_out(self) -> "Chair":
        """Return the chair with its rack taken home."""
        return replace(self, chips=0, paid_out=self.paid_out + self.chips, has_cashed=True, is_ready=False)


class Settled(Struct, frozen=True, array_like=True):
    """A bet that the last roll decided: whose, its name, what it had cost, what came back."""

    seat: int
    bet: str
    outlay: int
    returned: int


class SharedTable(Struct, frozen=True):
    """The table with its point and trackers, everybody at it, and the bank. Who shoots is whose turn it is."""

    table: CrapsTable
    seats: tuple[Chair, ...]
    bank: int
    bank_start: int
    cover: int = 0
    """The most that all bets that are up could return, together. Invariant: the bank has as much."""
    settled: tuple[Settled, ...] = ()
    """Bets that the last roll decided: by seat, then as `RollOutcome.decisions` lists them."""

    @property
    def has_bets(self) -> bool:
        """Whether any bet is up, a leaver's included."""
        return any(chair.bets for chair in self.seats)

    @property
    def winnable(self) -> int:
        """The most that all bets that are up could win, together."""
        return self.cover - sum(chair.at_risk for chair in self.seats)

    def with_chair(self, seat: int, chair: Chair) -> "SharedTable":
        """Return the table with another chair at a seat."""
        return replace(self, seats=(*self.seats[:seat], chair, *self.seats[seat + 1 :]))

    def problem(self) -> str | None:
        """Return None if every chip is accounted for, else what is wrong."""
        total = self.bank
        for seat, chair in enumerate(self.seats):
            total += chair.chips + chair.at_risk + chair.paid_out + chair.unclaimed - chair.bought
            if min(chair.chips, chair.at_risk, chair.paid_out, chair.bought, chair.unclaimed) < 0:
                return f"seat {seat} has fewer chips than none: {chair}"
            if bool(chair.at_risk) != bool(chair.bets):
                return f"seat {seat} has {chair.at_risk} chips on {len(chair.bets)} bets"
        if total != self.bank_start:
            return f"there are {total} chips besides what was bought, the bank began with {self.bank_start}"
        if not 0 <= self.cover <= self.bank:
            return f"the bank has {self.bank}, the bets that are up could return {self.cover}"
        if self.table.phase == "closed" and (self.has_bets or self.cover):
            return "the table is closed, and bets are up"
        return None


# Between rolls.


def pay_for(state: SharedTable, seat: int, change: Change, book: PriceBook) -> SharedTable:
    """Carry out a change of a player's bets: the chips, the player's caps, the bank's cover; or refuse."""
    chair = state.seats[seat]
    cost = change.cost(book)
    require(
        cost <= chair.chips, "insufficient_funds", f"that takes {cost:,} chips, and {chair.chips:,} are in the rack"
    )
    check_caps(change.seat, book)
    cover = state.cover + change.cover(book)
    if cover > state.bank:
        refuse("bank_limit", f"all bets together could return {cover:,}, and the bank has {state.bank:,}")
    paid = replace(chair, chips=chair.chips - cost, at_risk=chair.at_risk + cost, bets=change.seat)
    return replace(state.with_chair(seat, paid), cover=cover)


def take_home(state: SharedTable, seat: int, down: Change, book: PriceBook) -> SharedTable:
    """Take the bets of `down` off the layout and everything in the rack home."""
    state = pay_for(state, seat, down, book)
    return state.with_chair(seat, state.seats[seat].cashed_out())


def hand_back(state: SharedTable, book: PriceBook, pays: Pays) -> SharedTable:
    """Close the table: every bet that is up is bought out, and the rack is taken home."""
    for seat in range(len(state.seats)):
        state = buy_out(state, seat, book, pays)
    closed = replace(state.table, phase="closed", point=0)
    return replace(state, table=closed, seats=tuple(chair.cashed_out() for chair in state.seats))


def buy_out(state: SharedTable, seat: int, book: PriceBook, pays: Pays) -> SharedTable:
    """Take all bets of a seat off the layout, and pay their stakes, what they are worth on average, or the larger.

    Of a value the player gets whole chips, rounded down, and the bank pays them rounded up: a chip between the two is
    nobody's, so that neither gains by the rounding.
    """
    chair = state.seats[seat]
    if not chair.bets:
        return state
    paid = cost = chair.at_risk
    if pays != "stake":
        value = seat_value(state.table, chair.bets, book)
        if pays == "value" or value > paid:
            paid, cost = floor(value), ceil(value)
    bought = chair.paid(paid, bets=(), at_risk=0, unclaimed=chair.unclaimed + cost - paid)
    cover = state.cover - sum(bet.return_max(book) for bet in chair.bets)
    return replace(state.with_chair(seat, bought), bank=state.bank + chair.at_risk - cost, cover=cover)


# After a roll.


def settle_roll(state: SharedTable, outcome: RollOutcome, book: PriceBook) -> SharedTable:
    """Credit what a roll returns, put up again what players want kept up, and open the next round of betting."""
    bank, cover = state.bank, state.cover
    settled: list[Settled] = []
    returned, decided = [0] * len(state.seats), [0] * len(state.seats)
    for decision in outcome.decisions:
        bet, seat = decision.bet, decision.seat
        outlay = bet.outlay(book)
        bank += outlay - decision.returned
        cover -= bet.return_max(book)
        returned[seat] += decision.returned
        decided[seat] += outlay
        settled.append(Settled(seat, bet.name, outlay, decision.returned))
    seats = tuple(
        _credited(chair, bets, back, gone)
        for chair, bets, back, gone in zip(state.seats, outcome.seats, returned, decided, strict=True)
    )
    after = SharedTable(outcome.table, seats, bank, state.bank_start, cover, tuple(settled))
    return _kept_up(after, outcome.decisions, book)


def _credited(chair: Chair, bets: Seat, returned: int, decided: int) -> Chair:
    if chair.bets == bets and not chair.is_ready:
        return chair
    return chair.paid(returned, bets=bets, at_risk=chair.at_risk - decided, is_ready=False)


def _kept_up(state: SharedTable, decisions: Iterable[Decision], book: PriceBook) -> SharedTable:
    """Place again what was to be kept up, where window, chips and caps allow it; otherwise it is just gone."""
    for decision in decisions:
        if decision.bet.keep_up:
            with suppress(Refusal):  # nobody asks now, so nobody is refused
                change = place_again(state.table, state.seats[decision.seat].bets, decision.bet, book)
                state = pay_for(state, decision.seat, change, book)
    return state
