"""One craps table for many: everybody bets on the same dice, against one bank.

Players buy in, and between rolls place, raise, lower, remove and switch their bets in any order, each whenever they
like. Whoever is done says so (`ready`). When all others are, the shooter locks the betting and rolls, or just rolls.
Every bet that the roll decides is settled at once. The dice stay with the shooter until a seven-out. The table closes
when everybody has cashed out, or when its host says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from croupier.engine import (
    Action,
    Game,
    Match,
    MatchResult,
    MatchView,
    Range,
    Setup,
    Turn,
    act,
    action,
    refuse,
    require,
)
from croupier.games.craps import odds, placing
from croupier.games.craps.bets import CODES
from croupier.games.craps.layout import CrapsTable, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules.roll import roll_dice
from croupier.games.craps.rules.table import SEVEN_OUT
from croupier.games.craps.table.bots import BOTS, SEAT_BOT, largest_odds, usual_buy_in
from croupier.games.craps.table.render import action_words, render_table
from croupier.games.craps.table.state import (
    CHIPS_MAX,
    Chair,
    Pays,
    SharedTable,
    TableOptions,
    buy_out,
    hand_back,
    pay_for,
    settle_roll,
    take_home,
)

Stake = Annotated[int, Meta(ge=1, le=CHIPS_MAX)]
Bet = Annotated[str, Meta(min_length=1, max_length=32, extra={"bets": CODES})]
PlayerId = Annotated[str, Meta(min_length=1, max_length=200)]
CloseReason = Literal[
    "ended",
    "three_voids",
    "rounds_used_up",
    "bank_missing",
    "bank_misfit",
    "two_commits",
    "two_locks",
    "two_closes",
    "old_protocol",
    "host",
]
FAULTS = frozenset({"bank_missing", "bank_misfit", "two_commits", "two_locks", "two_closes", "old_protocol"})
"""Why a table closes that is itself to blame: then nobody gets less than they staked."""

SEATS_EVER = 256  # chairs are kept when players leave: what bounds a table that runs for ever
REMOVES_LISTED = 6
BETTING, LOCKED = "betting", "locked"

REASONS: dict[str, str] = {
    "ended": "the table has closed",
    "three_voids": "three rounds in a row were void",
    "rounds_used_up": "the table has used up its rounds",
    "bank_missing": "the bank did not open its secret",
    "bank_misfit": "the bank's secret did not fit its chain",
    "two_commits": "the bank committed twice",
    "two_locks": "the table locked twice",
    "two_closes": "the table closed a round twice",
    "old_protocol": "the dice followed an older protocol",
    "host": "the host has closed the table",
}
PAID: dict[Pays, str] = {
    "stake": "; all stakes went back",
    "value": "; bets were paid what they were worth",
    "stake_or_value": "; bets were paid their stake or what they were worth, whichever is more",
}


class SharedCraps(Game[SharedTable]):
    """Craps at one table for up to sixteen players, with every bet of the game and a bank that covers them all."""

    id, name, players = "craps-table", "Craps Table", (1, 16)
    description = "One craps table for many: the shooter throws for all, the bank covers every bet."
    category = "dice"
    tags = ("casino", "dice", "party")
    rules_version, older_rules = 2, (1,)  # see `placing.meant`
    starting_phase = BETTING
    late_join = True
    Options = TableOptions
    bots = BOTS
    seat_bot = SEAT_BOT

    def setup(self, table: Setup) -> SharedTable:
        """Open the table, if its prices do not give chips away."""
        options: TableOptions = table.options
        if not options.allow_overpay:
            _check_prices(_prices_of(options))
        return SharedTable(CrapsTable(), (Chair(),) * len(table.players), options.bank, options.bank)

    # Chips.

    @action(phase=BETTING, by="anyone")
    def buy_in(self, state: SharedTable, turn: Turn, chips: Stake) -> SharedTable:
        """Buy chips."""
        options: TableOptions = turn.options
        chair = state.seats[turn.seat]
        left = options.buy_in_max - chair.bought
        require(
            chips >= options.buy_in_min, "under_buy_in", f"buy in for {options.buy_in_min:,} or more, not {chips:,}"
        )
        require(chips <= left, "over_buy_in", f"{left:,} more is the most you can buy in for, not {chips:,}")
        held = state.bank_start + sum(one.bought for one in state.seats)
        require(held + chips <= CHIPS_MAX, "over_buy_in", "nobody can keep books on that many chips")
        return state.with_chair(
            turn.seat,
            replace(chair, chips=chair.chips + chips, bought=chair.bought + chips, has_cashed=False, is_ready=False),
        )

    @action(phase=BETTING, by="anyone")
    def cash_out(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Take home the rack and every bet that may come down. Contract bets, and those that stay up, play on."""
        chair = _betting(state, turn)
        down = placing.remove_all(state.table, chair.bets)
        if chair.has_cashed and not chair.chips and not down.steps:
            refuse("nothing_to_cash", "nothing is in the rack, and no bet may come down")
        after = take_home(state, turn.seat, down, book_of(turn.options))
        if turn.actor == turn.current and after.seats[turn.seat].is_out:
            _pass_on(after, turn)
        return _closed_if_over(after, turn)

    # Bets.

    @action(phase=BETTING, by="anyone")
    def place(self, state: SharedTable, turn: Turn, bet: Bet, stake: Stake, keep_up: bool = False) -> SharedTable:
        """Put a bet up; with `keep_up` it is placed again whenever it has been decided."""
        seat, book = _betting(state, turn).bets, book_of(turn.options)
        return pay_for(state, turn.seat, placing.place_bet(state.table, seat, bet, stake, book, keep_up), book)

    @action(phase=BETTING, by="anyone")
    def raise_(self, state: SharedTable, turn: Turn, bet: Bet, stake: Stake) -> SharedTable:
        """Put more chips on a bet that is up."""
        seat, book = _betting(state, turn).bets, book_of(turn.options)
        bet = placing.meant(state.table, seat, bet, turn.rules_version)
        return pay_for(state, turn.seat, placing.raise_bet(state.table, seat, bet, stake, book), book)

    @action(phase=BETTING, by="anyone")
    def lower(self, state: SharedTable, turn: Turn, bet: Bet, stake: Stake) -> SharedTable:
        """Take some chips off a bet; odds come down with their flat bet."""
        seat, book = _betting(state, turn).bets, book_of(turn.options)
        bet = placing.meant(state.table, seat, bet, turn.rules_version)
        return pay_for(state, turn.seat, placing.lower_bet(state.table, seat, bet, stake, book), book)

    @action(phase=BETTING, by="anyone")
    def remove(self, state: SharedTable, turn: Turn, bet: Bet) -> SharedTable:
        """Take a bet down, and odds with their flat bet."""
        seat, book = _betting(state, turn).bets, book_of(turn.options)
        bet = placing.meant(state.table, seat, bet, turn.rules_version)
        return pay_for(state, turn.seat, placing.remove_bet(state.table, seat, bet, book), book)

    @action(phase=BETTING, by="anyone")
    def switch(self, state: SharedTable, turn: Turn, bet: Bet, come_out: bool, point: bool) -> SharedTable:
        """Say when a bet works: on come-out rolls, and with a point up."""
        seat, book = _betting(state, turn).bets, book_of(turn.options)
        bet = placing.meant(state.table, seat, bet, turn.rules_version)
        return pay_for(state, turn.seat, placing.switch_bet(state.table, seat, bet, come_out, point), book)

    @action(phase=BETTING, by="anyone")
    def keep_up(self, state: SharedTable, turn: Turn, bet: Bet, keep: bool = True) -> SharedTable:
        """Ask that a bet be placed again when it is decided, or no longer."""
        seat, book = _betting(state, turn).bets, book_of(turn.options)
        bet = placing.meant(state.table, seat, bet, turn.rules_version)
        return pay_for(state, turn.seat, placing.keep_up(state.table, seat, bet, keep), book)

    @action(phase=BETTING, by="anyone")
    def ready(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Be done with betting until the next roll."""
        chair = _betting(state, turn)
        if chair.is_out:
            refuse("is_ready", "you have cashed out: nobody waits for you")
        return state.with_chair(turn.seat, replace(chair, is_ready=True))

    # Dice.

    @action(phase=BETTING)
    def lock(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Close the betting: from now on until the roll no bet can be changed. The shooter does, when all are ready."""
        _check_ready(state, turn)
        turn.events.set_phase(LOCKED)
        return state

    @action(phase=(BETTING, LOCKED))
    def roll(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Throw the dice and settle every bet they decide. A seven-out passes the dice to the next seat."""
        _check_ready(state, turn)
        book = book_of(turn.options)
        die1, die2 = roll_dice(turn.rng)
        outcome = throw(state.table, [chair.bets for chair in state.seats], die1, die2, book)
        after = settle_roll(state, outcome, book)
        turn.events.set_phase(BETTING)
        if outcome.event == SEVEN_OUT:
            _pass_on(after, turn)
        return _closed_if_over(after, turn)

    @action(phase=(BETTING, LOCKED))
    def pass_dice(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Let the next seat throw on. Point, trackers and bets stay as they are."""
        if state.seats[turn.seat].is_ready:
            _check_ready(state, turn)
        if _taker(state, turn) is None:
            refuse("nobody_else", "there is nobody to pass the dice to")
        _pass_on(state, turn)
        return state

    # Coming, going, and the end.

    def on_join(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Give the newcomer a chair."""
        require(turn.phase == BETTING, "wrong_phase", "nobody sits down between lock and roll")
        require(
            len(turn.players) <= SEATS_EVER, "seats_used_up", f"{SEATS_EVER} players have sat here: open a new table"
        )
        return replace(state, seats=(*state.seats, Chair()))

    def on_leave(self, state: SharedTable, turn: Turn) -> SharedTable:
        """Cash the player out. Bets that stay play on, and what they bring is handed over when they are decided."""
        require(turn.phase == BETTING, "wrong_phase", "nobody leaves between lock and roll")
        seat, book = turn.seat, book_of(turn.options)
        after = take_home(state, seat, placing.remove_all(state.table, state.seats[seat].bets), book)
        chair = after.seats[seat]
        bets = tuple(replace(bet, keep_up=False) for bet in chair.bets)
        after = after.with_chair(seat, replace(chair, bets=bets, has_left=True))
        if len(turn.order) == 1 and after.has_bets:
            refuse("bets_open", "somebody must stay until the bets that are up have been decided")
        if turn.actor == turn.current and len(turn.order) > 1:
            _pass_on(after, turn)
        after = _closed_if_over(after, turn)
        if after.table.phase == "closed":
            turn.events.end_game(_result(after, turn, REASONS["ended"]))
        return after

    @action(by="host")
    def close(self, state: SharedTable, turn: Turn, reason: CloseReason, at_value: bool = False) -> SharedTable:
        """Close the table. In good order ("ended") no bet may be up; otherwise, `at_value`, each is paid its worth.

        Stakes at face value are a way out of a bad point, or into a good one, for whoever can close a table. Only the
        records of dice of protocol 1 have them. Where the table is at fault nobody gets less than they staked.
        """
        if reason == "ended" and state.has_bets:
            refuse("bets_open", "bets are up: they are decided first")
        pays: Pays = "stake" if not at_value else "stake_or_value" if reason in FAULTS else "value"
        closed = hand_back(state, book_of(turn.options), pays)
        turn.events.end_game(_result(closed, turn, REASONS[reason] + ("" if reason == "ended" else PAID[pays])))
        return closed

    @action(by="host")
    def buy_out(self, state: SharedTable, turn: Turn, player: PlayerId) -> SharedTable:
        """Buy all bets of a player at what they are worth: one who may not contribute to the dice that decide them."""
        seats = [one.seat for one in turn.players if one.id == player]
        if not seats or not state.seats[seats[0]].bets:
            refuse("no_bets", f"{player[:16]} has no bet that could be bought out")
        return _closed_if_over(buy_out(state, seats[0], book_of(turn.options), "value"), turn)

    def end_if(self, state: SharedTable, turn: Turn) -> MatchResult | None:
        """Close the match with the table; and see, after every action, that no chip was made or lost."""
        _check_books(state)
        return _result(state, turn, REASONS["ended"]) if state.table.phase == "closed" else None

    def audit(self, state: SharedTable, options: object = None) -> str | None:
        """Return None if every chip is accounted for."""
        return state.problem()

    def dice_problem(
        self, events: Iterable[Any], actions: Sequence[Action], states: Sequence[Match[Any]]
    ) -> str | None:
        """Return None if the transcript of its dice has a signature for all that moved a bet or a seat."""
        from croupier.games.craps.table.shared_dice import unsigned_problem

        return unsigned_problem(events, actions, states)

    # What can be done.

    def auto_action(self, state: SharedTable, turn: Turn) -> Action | None:
        """Be ready; the shooter passes the dice, and if nobody else can take them rolls out what is up."""
        if turn.actor != turn.current:
            return act("ready")
        if _taker(state, turn) is not None:
            return act("pass_dice")
        if state.has_bets or turn.phase == LOCKED or not state.seats[turn.seat].is_waited_for:
            return act("roll")
        return act("cash_out")

    def legal(self, state: SharedTable, turn: Turn) -> Iterator[Action]:
        """Yield some bets of the smallest stakes and the largest odds; every other name and stake is worth trying."""
        chair = state.seats[turn.seat]
        if turn.phase == BETTING and chair.is_waited_for:
            yield from _samples(state, chair, turn.options)
            yield act("ready")
            yield act("cash_out")
        if turn.actor == turn.current:
            yield act("roll")
            yield act("lock")
            yield act("pass_dice")

    def ranges(self, state: SharedTable, turn: Turn) -> dict[str, dict[str, Range]]:
        """Return what can be bought, and what the smallest and the largest stake of any bet are."""
        options: TableOptions = turn.options
        chair = state.seats[turn.seat]
        if turn.phase != BETTING:
            return {}
        found: dict[str, dict[str, Range]] = {}
        left = options.buy_in_max - chair.bought
        if left >= options.buy_in_min:
            found["buy_in"] = {"chips": Range(options.buy_in_min, left)}
        low = min(options.table_min, options.prop_min, options.side_min)
        if not chair.is_ready and chair.chips >= low:
            found["place"] = {"stake": Range(low, min(chair.chips, options.player_max))}
            if chair.bets:
                found["raise"] = {"stake": Range(1, min(chair.chips, options.player_max))}
        largest = max((bet.stake for bet in chair.bets), default=0)
        if not chair.is_ready and largest > 1:
            found["lower"] = {"stake": Range(1, largest - 1)}
        return found

    # Text.

    def describe(self, action: Action, before: Match[SharedTable], after: Match[SharedTable]) -> str:
        """Return what an action did, in a line."""
        return action_words(action, before, after)

    def render(self, view: MatchView[SharedTable]) -> str:
        """Return the table in Rich markup."""
        return render_table(view)


# Who may do what.


def _betting(state: SharedTable, turn: Turn) -> Chair:
    """Return the actor's chair, if the actor is still betting."""
    chair = state.seats[turn.seat]
    if chair.is_ready:
        refuse("is_ready", "you said that you are ready: wait for the roll")
    return chair


def _check_ready(state: SharedTable, turn: Turn) -> None:
    """Refuse while somebody else is still betting. Once betting is locked nobody is."""
    if turn.phase == LOCKED:
        return
    late = [
        player.name or player.id
        for player in turn.players
        if player.id != turn.current and state.seats[player.seat].is_waited_for
    ]
    if late:
        refuse("not_ready", f"{', '.join(late)}: still betting")


def _taker(state: SharedTable, turn: Turn) -> str | None:
    """Return who gets the dice next: the next seat that still plays for chips; None if there is no other."""
    order = turn.order
    place = order.index(turn.current)
    return next(
        (one for one in (*order[place + 1 :], *order[:place]) if not state.seats[turn.seat_of(one)].is_out), None
    )


def _pass_on(state: SharedTable, turn: Turn) -> None:
    """Give the dice to the next seat; where everybody else has cashed out, they stay or go to anyone there is."""
    taker = _taker(state, turn)
    if taker is None and state.seats[turn.seat_of(turn.current)].has_left:
        taker = next(one for one in turn.order if one != turn.current)
    turn.events.end_turn(next=taker or turn.current)


# The end.


def _closed_if_over(state: SharedTable, turn: Turn) -> SharedTable:
    """Return the table closed if nobody is left who plays and no bet is up."""
    if state.has_bets or not all(state.seats[turn.seat_of(player)].is_out for player in turn.order):
        return state
    return hand_back(state, book_of(turn.options), "value")


def _result(state: SharedTable, turn: Turn, reason: str) -> MatchResult:
    """Return what everybody takes home besides what they brought; whoever is ahead wins."""
    _check_books(state)
    nets = {player.id: state.seats[player.seat].net for player in turn.players}
    winners = tuple(player for player, net in nets.items() if net > 0)
    return MatchResult("win" if winners else "draw", winners, reason, {**nets})


def _check_books(state: SharedTable) -> None:
    problem = state.problem()
    assert problem is None, problem


# Prices.


def _prices_of(options: TableOptions) -> CrapsOptions:
    """Return the options that bets are priced by, without limits."""
    prices = ("pay_table", "field_triple", "fire", "ride", "hot_roller", "bonus", "repeater", "vig")
    return CrapsOptions(**{name: getattr(options, name) for name in prices})


@lru_cache(maxsize=1024)
def _check_prices(options: CrapsOptions) -> None:
    """Raise `BadOptions` if a bet pays too much. The usual prices do not: a test works that out, once for all."""
    if options != CrapsOptions():
        odds.check_paytable(options)


# What is listed.


def _samples(state: SharedTable, chair: Chair, options: TableOptions) -> Iterator[Action]:
    table, least = state.table, options.table_min
    if not chair.chips and not chair.bets:
        yield act("buy_in", chips=usual_buy_in(chair, options))
        return
    if table.point:
        named = largest_odds(table, chair, book_of(options))
        if named is not None:
            yield act("place", bet=named[0], stake=named[1])
        yield act("place", bet="come", stake=least)
    else:
        yield act("place", bet="pass", stake=least)
        yield act("place", bet="dont_pass", stake=least)
    yield act("place", bet="field", stake=max(least, options.prop_min))
    yield act("place", bet="yes:6", stake=least + -least % 6)
    for live in chair.bets[:REMOVES_LISTED]:
        yield act("remove", bet=live.name)
