"""Craps against the house: one seat, two dice, and ninety-one bets, of which any number may be up.

Bets are placed, raised, lowered, removed and switched between rolls. A roll settles what it decides; the session ends
with the roll that leaves no bet on the table.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.engine import Action, Bot, Match, MatchView, Range, Turn, act, action, refuse, require
from croupier.engine.turn import Refusal
from croupier.errors import BadOptions
from croupier.games.craps import odds, placing
from croupier.games.craps.bets import CODES, POINTS, name_of, read_name
from croupier.games.craps.house import kernel
from croupier.games.craps.house.chips import CrapsTurn
from croupier.games.craps.house.render import render_table, roll_words
from croupier.games.craps.layout import CrapsTable, LiveBet, Seat, throw
from croupier.games.craps.options import CrapsOptions
from croupier.games.craps.paytables import PriceBook, book_of
from croupier.games.craps.rules import boost, ids, prices
from croupier.games.craps.rules.placing import MAX_PROFIT, STAKE_LIMITS, come_wanted, odds_max
from croupier.games.craps.rules.roll import roll_dice
from croupier.house import GameType, HouseState, LitKind, Plan, Terms, bet_type
from croupier.house.payload import Chips
from croupier.house.plan import check_stake
from croupier.house.table_game import BetOpcodes, TableGame
from croupier.kit.lit import multiplier_on
from croupier.rng import GameRng
from croupier.rounds import SUPER_FEE_DIVISOR, SUPER_MOVE, super_fee

if TYPE_CHECKING:
    Bet = str
else:
    Bet = bet_type(CODES)


class CrapsState(HouseState, frozen=True):
    """The table with its point and trackers, and the bets that are up."""

    table: CrapsTable = CrapsTable()
    bets: Seat = ()


def _play(most: int, view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Play the pass line with odds up to a multiple of the stake; with a point up and nothing on the table, come."""
    state: CrapsState = view.game
    if not state.bets:
        bet = "come" if state.table.point else "pass"
        stakes = (one for one in legal if one.type == "place" and one.payload["bet"] == bet)
        return next(stakes, act("clear"))  # the smallest stake, or none that this table takes
    book = book_of(view.options)
    wanted = _next_odds(state, book, most)
    if wanted is not None:
        with suppress(Refusal):  # more than the table allows at once
            placing.check_caps(placing.place_bet(state.table, state.bets, book=book, **wanted.payload).seat, book)
            return wanted
    return act("roll")


def _lit_problem(bet: LiveBet, book: PriceBook) -> str:
    """Return what is wrong with the stake of a bet that super mode may light, nothing if it fits `max_profit`."""
    if boost.boosted_max(bet.stake) - bet.stake <= book.limits[MAX_PROFIT]:
        return ""
    return f"stake {bet.stake} on {bet.name}: lit, it could win more than a bet may here"


def _next_odds(state: CrapsState, book: PriceBook, most: int) -> Action | None:
    """Return what puts odds, up to `most` times its stake, on the first bet with a number that has none yet."""
    for flat, named in placing.odds_places(state.table, state.bets, bare=True):
        stake = odds_max(flat.id, named.number, flat.stake, book.odds_multiples(most), 0)
        if stake:
            return act("place", bet=name_of(*named), stake=stake)
    return None


def _next_late(state: CrapsState, late: Seat) -> Action | None:
    """Return what lays the first of these come bets that was not laid yet, if they are wanted now."""
    if not come_wanted(state.table.point > 0, bool(state.bets)):
        return None
    laid = {bet.id for bet in state.bets}
    laid |= {named.id for line in state.money.lines if (named := read_name(line.bet)) is not None}
    return next((act("place", bet=bet.name, stake=bet.stake) for bet in late if bet.id not in laid), None)


NO_ODDS = "no_odds"
POLICIES = {NO_ODDS: 0, **odds.WITH_ODDS}
"""How many times the stake the odds are at most, where the table allows so much."""
BOTS: dict[str, Bot] = {name: partial(_play, most) for name, most in POLICIES.items()}


class Craps(TableGame[CrapsState]):
    """Craps with every bet of the table: line, come, odds, numbers, propositions and the bets on a whole hand."""

    id, name = "craps", "Craps"
    description = "Two dice, a point, and ninety-one bets on what comes first, next, or in the whole hand."
    category = "dice"
    tags = ("casino", "dice")
    game_type = GameType.CRAPS
    rules_version, older_rules = 2, (1,)  # see `placing.meant`
    stake_limits = (1, 30_000)  # six times the largest flat bet, laid; every family has limits of its own below that
    lights = LitKind.TOTAL, boost.generate
    starting_phase = "come_out"
    Options = CrapsOptions
    sheet = odds.odds, odds.super_odds, odds.price_list
    bots = BOTS
    usual_policy = NO_ODDS
    codes = CODES
    opcodes = BetOpcodes(place=0, clear=3, batch=4)
    betting_phases = ("come_out", "point")
    bets_max = 20  # in a batch, and in a plan; a table takes as many as its options say
    sample_bets = ("pass", "field", "yes:6", "hard:8")
    decide = "roll"
    turn_type = CrapsTurn

    def setup(self, table: object) -> CrapsState:
        return CrapsState()

    def placed(self, state: CrapsState, turn: CrapsTurn, bet: str, stake: int) -> CrapsState:  # type: ignore[override]
        """Put a new bet up."""
        book = book_of(turn.options)
        return self._take(state, turn, placing.place_bet(state.table, state.bets, bet, stake, book), book)

    def cleared(self, state: CrapsState, turn: CrapsTurn) -> CrapsState:  # type: ignore[override]
        """Take down every bet that may come down; before the first roll that is all of them."""
        if state.table.roll_count == 0:
            self.take_back(turn)
            return replace(state, bets=())
        change = placing.remove_all(state.table, state.bets)
        require(change.steps, "no_bets", "there is no bet that may be taken down")
        return self._give_back(state, turn, change, book_of(turn.options))

    @action(phase=betting_phases, opcode=1)
    def add_odds(self, state: CrapsState, turn: CrapsTurn, stake: Chips) -> CrapsState:
        """Put odds, or more of them, on the newest line or come bet that has its number."""
        book = book_of(turn.options)
        bet = placing.odds_target(state.table, state.bets)
        is_up = any(live.name == bet for live in state.bets)
        change = (placing.raise_bet if is_up else placing.place_bet)(state.table, state.bets, bet, stake, book)
        return self._take(state, turn, change, book)

    @action(phase=betting_phases, opcode=2)
    def roll(self, state: CrapsState, turn: CrapsTurn) -> CrapsState:
        """Roll the dice and settle what they decide."""
        self.require_bets(turn)
        return self.drawn(state, turn)

    def drawn(self, state: CrapsState, turn: CrapsTurn) -> CrapsState:  # type: ignore[override]
        die1, die2 = roll_dice(turn.rng)
        outcome = throw(state.table, (state.bets,), die1, die2, book_of(turn.options))
        for decision in outcome.decisions:
            name, returned = decision.bet.name, decision.returned
            lying = turn.stake_on(name)
            if lying is not None and lying.boosted:
                ids_lit, multipliers = [lit.id for lit in turn.light()], [lit.multiplier for lit in turn.lit]
                lit = multiplier_on(die1 + die2, ids_lit, multipliers, len(ids_lit))
                returned = boost.boosted(returned, lying.stake, lit)
            turn.settle(name, returned)
        for _, before, after in outcome.travelled:
            turn.till.move(before.name, after.name)
        if turn.stakes:
            turn.events.set_phase(outcome.table.phase)
        else:
            turn.finish()
        return replace(state, table=outcome.table, bets=outcome.seats[0])

    def position(self, state: CrapsState) -> Any:
        """Return the point and the bets, with their age; the trackers where one of the bets is decided by them."""
        table = state.table
        bets = [(*bet.numbers[:-1], min(table.roll_count - bet.placed, 2)) for bet in state.bets]
        if not any(ids.needs_trackers(bet.id) for bet in state.bets):
            return [table.point, bets]
        return [bets, replace(table, roll_count=0, series_id=0, hand_id=0, hand_rolls=0, set_rolls=0, history=())]

    @action(phase=betting_phases, opcode=5)
    def raise_(self, state: CrapsState, turn: CrapsTurn, bet: Bet, stake: Chips) -> CrapsState:
        """Put more chips on a bet that is up."""
        bet = placing.meant(state.table, state.bets, bet, turn.rules_version)
        book = book_of(turn.options)
        return self._take(state, turn, placing.raise_bet(state.table, state.bets, bet, stake, book), book)

    @action(phase=betting_phases, opcode=6)
    def lower(self, state: CrapsState, turn: CrapsTurn, bet: Bet, stake: Chips) -> CrapsState:
        """Take some chips off a bet that is up; odds come down with their flat bet."""
        bet = placing.meant(state.table, state.bets, bet, turn.rules_version)
        book = book_of(turn.options)
        return self._give_back(state, turn, placing.lower_bet(state.table, state.bets, bet, stake, book), book)

    @action(phase=betting_phases, opcode=7)
    def remove(self, state: CrapsState, turn: CrapsTurn, bet: Bet) -> CrapsState:
        """Take a bet down, and odds with their flat bet."""
        bet = placing.meant(state.table, state.bets, bet, turn.rules_version)
        book = book_of(turn.options)
        return self._give_back(state, turn, placing.remove_bet(state.table, state.bets, bet, book), book)

    @action(phase=betting_phases, opcode=8)
    def switch(self, state: CrapsState, turn: CrapsTurn, bet: Bet, come_out: bool, point: bool) -> CrapsState:
        """Say when a bet works: on come-out rolls, and with a point up."""
        bet = placing.meant(state.table, state.bets, bet, turn.rules_version)
        return replace(state, bets=placing.switch_bet(state.table, state.bets, bet, come_out, point).seat)

    def _take(self, state: CrapsState, turn: CrapsTurn, change: placing.Change, book: PriceBook) -> CrapsState:
        """Take the chips that a bet or a raise costs; then nothing but the caps can stand in the way."""
        ((before, after),) = change.steps
        assert after is not None
        can_boost = turn.super_mode and not state.money.drawn and self.is_eligible(after.name)
        most = boost.boosted_max(after.stake) if can_boost else after.return_max(book)
        if can_boost and turn.rules_version > 1 and (problem := _lit_problem(after, book)):
            refuse("over_profit", problem)
        lying = turn.stake_on(after.name)
        cost = after.outlay(book) - (0 if before is None else before.outlay(book))
        turn.take(after.name, cost, most=most - (0 if lying is None else lying.most), boosted=can_boost)
        placing.check_caps(change.seat, book)
        return replace(state, bets=change.seat)

    def _give_back(self, state: CrapsState, turn: CrapsTurn, change: placing.Change, book: PriceBook) -> CrapsState:
        for before, after in change.steps:
            assert before is not None
            if after is None:
                turn.withdraw(before.name)
            else:
                lying = turn.stake_on(before.name)
                most = after.return_max(book)
                if lying and lying.boosted:
                    if turn.rules_version > 1 and after.stake % SUPER_FEE_DIVISOR:
                        refuse(
                            "super_stake",
                            f"{after.stake} left on {after.name}: a multiple of {SUPER_FEE_DIVISOR} stays",
                        )
                    most = boost.boosted_max(after.stake)
                turn.till.lower(after.name, after.outlay(book), most)
        return replace(state, bets=change.seat)

    # What bets there are.

    def auto_action(self, state: CrapsState, turn: Turn) -> Action | None:
        """Roll on; bets that are switched off on every roll would never be decided, and come down at the end."""
        if not state.bets:
            return None
        return act("roll" if any(bet.working for bet in state.bets) else "clear")

    def most_returned(self, bet: str, stake: int, options: CrapsOptions, super_mode: bool) -> int:
        if super_mode and self.is_eligible(bet):
            return boost.boosted_max(stake)
        named = read_name(bet)
        assert named is not None
        return LiveBet(named.id, stake, named.number, named.mode).return_max(book_of(options))

    def is_eligible(self, bet: str) -> bool:
        named = read_name(bet)
        return named is not None and boost.is_eligible(named.id)

    def legal(self, state: CrapsState, turn: Turn) -> Iterator[Action]:
        options: CrapsOptions = turn.options
        step = SUPER_FEE_DIVISOR if state.super_mode else 1
        low = max(options.table_min, self._limits(turn)[0])
        smallest = low + -low % step
        if state.table.roll_count == 0 or not state.bets:  # as long as it goes on, or random players never stop
            for bet in self.sample_bets:
                yield act("place", bet=bet, stake=smallest)
                yield act("place", bet=bet, stake=10 * smallest)
        yield act("roll")
        if state.table.point:
            yield act("place", bet="come", stake=smallest)
        wanted = _next_odds(state, book_of(options), POLICIES["full_odds"])
        if wanted is not None:
            yield wanted
            if wanted.payload["bet"] == placing.odds_target(state.table, state.bets):
                yield act("add_odds", stake=wanted.payload["stake"])
        for live in state.bets:
            yield act("remove", bet=live.name)
            if live.working != ids.WORKS:
                yield act("switch", bet=live.name, come_out=True, point=True)
        yield act("clear")

    def ranges(self, state: CrapsState, turn: Turn) -> dict[str, dict[str, Range]]:
        options: CrapsOptions = turn.options
        low, high = self._limits(turn)
        low = max(low, min(options.table_min, options.prop_min, options.side_min))
        stakes = Range(low, min(high, max(options.table_max, options.prop_max, options.side_max)))
        return {name: {"stake": stakes} for name in ("place", "raise", "lower") if stakes.low <= stakes.high}

    # Simulation.

    def usual_bets(self) -> Mapping[str, int]:
        return {"pass": 10}

    def bet_lists(self, options: CrapsOptions) -> Iterator[Mapping[str, int]]:
        """Yield every bet that a session can open with, each alone, with the fewest chips that its table takes."""
        book = book_of(options)
        for bet, (kind, _) in self.codes.codes.items():
            low, parts = book.limits[STAKE_LIMITS + 2 * ids.LIMITS_OF[kind]], prices.parts_of(kind)
            alone = {bet: -(-low // parts) * parts}
            with suppress(BadOptions):  # come bets and odds wait for a point
                _placed(alone, book, POLICIES[NO_ODDS])
                yield alone

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a session is simulated: a batch of bets, rolled until all are decided.

        `come` and `dont_come` are laid as soon as a point is up, once, if another bet still lies then.

        The usual policy is `no_odds`; the others put odds on line and come bets when they have a number: once or twice
        the stake, or the most that the table allows. Laid odds are what wins as much.
        """
        chosen: CrapsOptions = self.read_options(options)
        most = POLICIES[self.policy_named(policy)]
        if not 1 <= len(bets) <= self.bets_max:
            raise BadOptions(f"a session has 1 to {self.bets_max} bets, got {len(bets)}")
        book = book_of(chosen)
        live = _placed(bets, book, most)
        opening = tuple(bet for bet in live if not ids.is_come(bet.id))
        later = tuple(bet for bet in live if ids.is_come(bet.id))
        fee = 0
        for bet in live:
            if super_mode and self.is_eligible(bet.name):
                check_stake(bet.name, bet.stake, bet.stake, True)
                if problem := _lit_problem(bet, book):
                    raise BadOptions(problem)
                fee += super_fee(bet.stake)
        batch = act("batch", bets=[{"bet": bet.name, "stake": bet.stake} for bet in opening])

        def play(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
            if view.version == 0:
                return batch
            return _next_late(view.game, later) or _next_odds(view.game, book, most) or act("roll")

        tracked = sum(1 << place for place, bet in enumerate(live) if ids.needs_trackers(bet.id))
        late = sum(1 << place for place, bet in enumerate(live) if ids.is_come(bet.id))
        outlay = sum(bet.outlay(book) for bet in opening)
        return Plan(
            step=kernel.step,
            first_move=SUPER_MOVE if super_mode else 1,
            bets=tuple(bet.name for bet in live),
            kinds=tuple(bet.id for bet in live),
            numbers=tuple(bet.mode for bet in live),
            stakes=tuple(bet.outlay(book) for bet in live),
            options=(
                *book.prices,
                *book.odds_multiples(most),
                *(outlay, fee, int(super_mode), tracked, late),
                max((place + 1 for place in range(len(live)) if not (tracked | late) >> place & 1), default=0),
                max((place + 1 for place, bet in enumerate(live) if most > 0 and bet.id <= ids.DONT_PASS), default=0),
                *(number for bet in live for number in bet.numbers),
            ),
            work_size=kernel.work_size(len(live)),
            terms=Terms(0, super_mode),
            policy=play,
            facts=self.facts,
            opening_stake=outlay,
            late=late,
            row_size=kernel.row_size(tracked > 0, late > 0, super_mode),
        )

    def facts(self, state: CrapsState) -> tuple[int, ...]:
        return *state.table.dice, state.table.roll_count

    # Text.

    def describe(self, action: Action, before: Match[CrapsState], after: Match[CrapsState]) -> str:
        if after.game.table.roll_count == before.game.table.roll_count:
            return super().describe(action, before, after)
        text = roll_words(before.game, after.game, after.options)
        return f"{text}; {after.result.reason}" if after.result else text

    def render(self, view: MatchView[CrapsState]) -> str:
        return render_table(view)


def _placed(bets: Mapping[str, int], book: PriceBook, most: int) -> Seat:
    """Return the bets of a session, or say why they cannot all lie, with the odds that the policy puts on them."""
    new, point_up = CrapsTable(), CrapsTable(phase="point", point=POINTS[0], roll_count=1, hand_rolls=1, set_rolls=1)
    seat: Seat = ()
    try:
        for bet, stake in bets.items():
            check_stake(bet, stake, prices.STAKE_MAX)
            named = read_name(bet)
            if named is not None and ids.is_odds(named.id):
                raise BadOptions(f"{bet}: odds come with the policy, {', '.join(POLICIES)}, and not as a bet")
            table = point_up if named is not None and ids.is_come(named.id) else new
            seat = placing.place_bet(table, seat, bet, stake, book).seat
        placing.check_caps(seat, book)
        for point, *numbers in product(POINTS, repeat=1 + sum(ids.is_come(bet.id) for bet in seat)):
            _check_odds(seat, replace(point_up, point=point), iter(numbers), book, most)
    except Refusal as no:
        raise BadOptions(f"{no.sentence} ({no.code})") from None
    if all(ids.is_come(bet.id) for bet in seat):
        raise BadOptions("come bets are laid with a point up: a session needs another bet, such as pass, to begin with")
    return seat


def _check_odds(seat: Seat, table: CrapsTable, numbers: Iterator[int], book: PriceBook, most: int) -> None:
    """Refuse a seat that could not take its odds, with its come bets on these numbers."""
    travelled = tuple(replace(bet, number=next(numbers)) if ids.is_come(bet.id) else bet for bet in seat)
    state = CrapsState(table=table, bets=travelled)
    while (wanted := _next_odds(state, book, most)) is not None:
        check_stake(wanted.payload["bet"], wanted.payload["stake"], prices.STAKE_MAX)
        change = placing.place_bet(state.table, state.bets, book=book, **wanted.payload)
        state = replace(state, bets=change.seat)
    placing.check_caps(state.bets, book)
