"""`CardGame`: base class of the ante games, in which an opening bet is followed by decisions on the cards dealt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from msgspec import Meta

from croupier.engine import Action, Bot, MatchView, Range, Turn, act, action, refuse
from croupier.errors import BadGame, BadOptions
from croupier.house.card_round import HAND_SIZE, ROW_SIZE, CardSteps, card_step, option_numbers
from croupier.house.game import HouseGame, HouseSetup, HouseState, HouseTurn
from croupier.house.money import CHIPS_MAX, Terms
from croupier.house.plan import Plan, check_stake
from croupier.house.supermode import settled
from croupier.rng import GameRng
from croupier.rounds import DONE, EACH_BET, PHASE, STAYS

S = TypeVar("S", bound=HouseState)

SideStake = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]
"""Chips for a side bet, in place of those that lie there; 0 takes them back."""


def decision(choice: int, phase: str | tuple[str, ...], doc: str, opcode: int | None = None) -> Callable[..., Any]:
    """Return the action that a decision of the rules is, for a class with `decided`; its opcode is its number."""

    def decide(self: Any, state: Any, turn: HouseTurn) -> Any:
        return self.decided(state, turn, choice)

    decide.__doc__ = doc
    return action(phase=phase, opcode=choice if opcode is None else opcode)(decide)


def side_bet(bet: str, opcode: int, doc: str) -> Callable[..., Any]:
    """Return the action before the deal that puts a stake on a side bet in place of one laid before; 0 for none."""

    def lay(self: CardGame[Any], state: Any, turn: HouseTurn, stake: SideStake) -> Any:
        self.lay(turn, **{bet: stake})
        return state

    lay.__doc__ = doc
    return action(phase="deal", opcode=opcode)(lay)


def dealing(opcode: int, doc: str) -> Callable[..., Any]:
    """Return the action that makes the first draw, with the side bets as they lie."""

    def deal(self: CardGame[Any], state: Any, turn: HouseTurn) -> Any:
        return self.dealt(state, turn)

    deal.__doc__ = doc
    return action(phase="deal", opcode=opcode)(deal)


class CardGame(HouseGame[S], Generic[S]):
    """A house game that opens with a bet: side bets are laid, cards dealt, decisions made, and all bets settled.

    Its actions say in words what a decision is called; what they do is in `dealt` and `decided`.
    """

    category = "card"
    tags: ClassVar[tuple[str, ...]] = ("casino", "cards")
    steps: ClassVar[CardSteps]
    """The steps of a round, from the game's rules."""
    bets: ClassVar[Mapping[str, tuple[int, int]]]
    """Every bet in the order in which they are settled, the opening one first: name to kind and number."""
    opening_bet: ClassVar[str]
    side_bets: ClassVar[tuple[str, ...]] = ()
    side_actions: ClassVar[Mapping[str, str]] = {}
    """The actions that lay side bets, where one has another name than its bet."""
    fixed_bets: ClassVar[tuple[str, ...]] = ()
    """The bets whose size the rules say, whatever the table's limits are."""
    early_bets: ClassVar[tuple[str, ...]] = ()
    """The bets that may be decided while others are still open."""
    round_phases: ClassVar[tuple[str, ...]]
    """The phases by their numbers in the rules; the first comes before the deal, "" where the set-up deals."""
    choices: ClassVar[Mapping[str, int]]
    """The actions that are decisions, and their numbers in the rules."""
    away: ClassVar[Mapping[str, str]]
    """The time-out action by phase: nothing that stakes more."""
    usual_stake: ClassVar[int] = 10
    policies: ClassVar[Collection[str]]
    """The names of the policies, each of which is a bot."""
    has_edge_by_opening: ClassVar[bool] = True
    """Whether edges are shares of the opening stake alone, and not of all that is staked before the deal."""
    step: ClassVar[Callable[..., int]]
    """The kernel."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "round_phases" in vars(cls):
            cls.starting_phase = next(filter(None, cls.round_phases))
        if "bets" in vars(cls):
            cls.opening_bet = next(iter(cls.bets))
        if "policies" in vars(cls):
            cls.bots = {name: partial(cls.follow, name, {}) for name in cls.policies}
        super().__init_subclass__(**kwargs)
        if "steps" in vars(cls):
            cls.step = staticmethod(card_step(cls.steps))

    # Chips.

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        """Return the largest return a stake on a bet can bring, stake included."""
        raise BadGame(f"{type(self).__name__} must say the most a bet returns: the house covers no less")

    def open_bets(self, table: HouseSetup) -> None:
        """Put the opening stake on its bet, and as much on the bet that goes with it."""
        self._stake(table, self.opening_bet, table.stake)
        if self.steps.blind_kind >= 0:
            self._stake(table, self._bet_of(self.steps.blind_kind), table.stake)

    def _stake(self, table: HouseSetup | HouseTurn, bet: str, stake: int) -> None:
        most = self.most_returned(bet, stake, table.options, table.super_mode)
        boosted = self.steps.is_eligible(*self.bets[bet])
        table.take(bet, stake, most=most, boosted=boosted, fixed=bet in self.fixed_bets)

    def _bet_of(self, kind: int) -> str:
        return next(bet for bet, code in self.bets.items() if code == (kind, 0))

    def lay(self, turn: HouseTurn, **stakes: int) -> None:
        """Put these stakes on side bets in place of what lies there; 0 takes a bet back."""
        if stakes.get("progressive", 0) > 1:
            refuse(
                "progressive_stake",
                f"stake {stakes['progressive']} on progressive: it takes one chip, or 0 for none",
            )
        for bet in stakes:  # all of them first: what is taken back pays for what is laid
            if turn.stake_on(bet):
                turn.withdraw(bet)
        for bet, stake in stakes.items():
            if stake:
                self._stake(turn, bet, stake)

    # The round.

    def setup(self, table: Any) -> S:
        """Return a table with the opening bets, and with a first card where no phase comes before the deal."""
        self.open_bets(table)
        state: S = self.shape.runtime_type()
        return state if self.round_phases[0] else self.with_hand(state, self.first_hand(table))

    def first_hand(self, table: HouseSetup | HouseTurn) -> list[int]:
        """Make the first draw, and return the hand; in a set-up nothing can be over with it."""
        hand = [0] * HAND_SIZE
        hand[PHASE] = self.steps.deal(table.rng, hand, self._options(table), [0] * self.steps.work_size)
        return hand

    def dealt(self, state: S, turn: HouseTurn) -> S:
        """Make the first draw, and settle what it decides."""
        return self._after(state, turn, self.first_hand(turn), self._options(turn))

    def decided(self, state: S, turn: HouseTurn, choice: int) -> S:
        """Do what a player decided, if the rules have it now: carry it out, unless a game says more."""
        if not self.may_take(state, turn, choice):
            refuse(*self.not_offered(state, choice))
        return self.taken(state, turn, choice)

    def not_offered(self, state: S, choice: int) -> tuple[str, str]:
        """Return the code and the words that refuse a decision of this phase which the rules do not have."""
        raise BadGame(f"{type(self).__name__} must say why a decision is not offered")

    def taken(self, state: S, turn: HouseTurn, choice: int) -> S:
        """Carry a decision out: stake what it costs, draw what follows from it, settle what is decided."""
        hand, options = self._hand(state, turn.phase), self._options(turn)
        cost = self.steps.cost(choice)
        if cost:
            self._stake(turn, self._bet_of(self.steps.raise_kind), cost * state.stake)
        hand[PHASE] = self.steps.take(turn.rng, choice, hand, options, [0] * self.steps.work_size)
        return self._after(state, turn, hand, options)

    def may_take(self, state: S, turn: Turn, choice: int) -> bool:
        """Tell whether the rules have a decision now."""
        options = self.kernel_options(turn.options, state.super_mode, ())
        return self.steps.is_legal(choice, self._hand(state, turn.phase), options)

    def _hand(self, state: S, phase: str) -> list[int]:
        facts = self.facts(state)
        hand = [*facts, *[0] * (HAND_SIZE - len(facts))]
        hand[PHASE] = self.round_phases.index(phase)
        return hand

    def _options(self, table: HouseSetup | HouseTurn) -> tuple[int, ...]:
        return self.kernel_options(table.options, table.super_mode, {stake.bet for stake in table.stakes})

    def _after(self, state: S, turn: HouseTurn, hand: list[int], options: tuple[int, ...]) -> S:
        is_over = hand[PHASE] == DONE
        # What is lit is not shown before the end: a player who knew it would decide by it.
        lit = turn.light() if is_over else ()
        late = tuple(bet for bet in self.bets if bet not in self.early_bets) if is_over else ()
        for bet in (*self.early_bets, *late):
            laid = turn.stake_on(bet)
            if laid is None:
                continue
            returned = settled(self.steps, laid, self.bets[bet], hand, options, lit)
            if returned != STAYS:
                turn.settle(bet, returned)
        if is_over:
            turn.finish()
        else:
            turn.events.set_phase(self.round_phases[hand[PHASE]])
        return self.with_hand(state, hand)

    def with_hand(self, state: S, hand: Sequence[int]) -> S:
        """Return the state with the cards of a hand and how it stands."""
        raise BadGame(f"{type(self).__name__} must say what its cards change")

    def facts(self, state: S) -> tuple[int, ...]:
        """Return the facts of a session, as they stand in a hand."""
        raise BadGame(f"{type(self).__name__} must say what decides its bets")

    def kernel_options(self, options: Any, super_mode: bool, bets: Collection[str]) -> tuple[int, ...]:
        """Return the options as the numbers of the steps, for a round with these bets."""
        return option_numbers(options, super_mode)

    # What can be done.

    def legal(self, state: S, turn: Turn) -> Iterator[Action]:
        """Yield the decisions that the rules have, or before the deal that and a few side bets."""
        if turn.phase != self.round_phases[0]:
            yield from (act(name) for name, choice in self.choices.items() if self.may_take(state, turn, choice))
            return
        yield act(self.away[turn.phase])
        low = self._limits(turn)[0]
        if "deal_with" in self.actions:
            yield act("deal_with", **{bet: 1 if bet == "progressive" else 10 * low for bet in self.side_bets})
        laid = {stake.bet for stake in state.money.open}
        for bet in self.side_bets:
            stakes = (1,) if bet == "progressive" else (low, 10 * low)
            for stake in (*stakes, 0) if bet in laid else stakes:
                yield act(self.side_actions.get(bet, bet), stake=stake)

    def ranges(self, state: S, turn: Turn) -> dict[str, dict[str, Range]]:
        """Return the stakes that side bets take at the table."""
        if turn.phase != self.round_phases[0]:
            return {}
        sides = {bet: Range(0, 1 if bet == "progressive" else self._limits(turn)[1]) for bet in self.side_bets}
        found = {self.side_actions.get(bet, bet): {"stake": span} for bet, span in sides.items()}
        return {**found, "deal_with": sides} if "deal_with" in self.actions else found

    def auto_action(self, state: S, turn: Turn) -> Action:
        """Do what stakes nothing more: nobody who is away loses more than they had staked."""
        return act(self.away[turn.phase])

    # Simulation.

    def usual_bets(self) -> Mapping[str, int]:
        """Return the opening bet."""
        return {self.opening_bet: self.usual_stake}

    @classmethod
    def follow(cls, policy: Any, side: Mapping[str, int], view: MatchView[Any], legal: Any, rng: GameRng) -> Action:
        """Do what a policy says, by name or a player's own strategy; before the deal, lay these side bets."""
        kind: Any = cls
        game: CardGame[Any] = kind()
        state, phase = view.game, view.turn.phase
        if phase == cls.round_phases[0]:
            return game._deal_with(state, side)
        options = _with_policy(kind, policy, view.options, state.super_mode)
        choice = cls.steps.choose(game._hand(state, phase), options, [0] * cls.steps.work_size)
        return act(next(name for name, number in cls.choices.items() if number == choice))

    def _deal_with(self, state: S, side: Mapping[str, int]) -> Action:
        """Return the deal with these side bets; where they are laid before it, the first that is missing."""
        if side and "deal_with" in self.actions:
            return act("deal_with", **side)
        laid = {stake.bet for stake in state.money.open}
        for bet, stake in side.items():
            if stake and bet not in laid:
                return act(self.side_actions.get(bet, bet), stake=stake)
        return act(self.away[self.round_phases[0]])

    def policy_numbers(self, policy: Any, options: Any, super_mode: bool) -> tuple[int, ...]:
        """Return the numbers that `choose` goes by, for a policy by name or a player's own strategy."""
        raise BadGame(f"{type(self).__name__} must say what its policies decide")

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a round is simulated: bets are the opening one and, if wanted, side bets.

        What is staked later, or with the opening bet, has no line; it is in what is staked and returned in all.
        """
        return self._planned(self.policy_named(policy), bets, self.read_options(options), super_mode)

    def plan_strategy(
        self, strategy: Any, bets: Mapping[str, int], options: Any = None, super_mode: bool = False
    ) -> Plan:
        """Return how a round is simulated for a player with a strategy of their own, read as `Strategy`."""
        if self.Strategy is None:
            return super().plan_strategy(strategy, bets, options, super_mode)
        return self._planned(strategy, bets, self.read_options(options), super_mode)

    def _planned(self, policy: Any, bets: Mapping[str, int], options: Any, super_mode: bool) -> Plan:
        follow = partial(self.follow, policy, {bet: bets.get(bet, 0) for bet in self.side_bets})
        return self.plan_round(bets, options, super_mode, self.policy_numbers(policy, options, super_mode), follow)

    def plan_round(
        self, bets: Mapping[str, int], options: Any, super_mode: bool, policy: tuple[int, ...], play: Bot
    ) -> Plan:
        """Return how a round is simulated: `policy` are the numbers that `choose` goes by, `play` does the same."""
        opening = self.opening_bet
        if opening not in bets or not set(bets) <= {opening, *self.side_bets}:
            others = f", and {', '.join(self.side_bets)} if wanted" if self.side_bets else " alone"
            raise BadOptions(f"a round has the bet {opening}{others}; got {', '.join(bets) or 'none'}")
        for bet, stake in bets.items():
            largest = 1 if bet == "progressive" else self.steps.stake_max
            check_stake(bet, stake, largest, super_mode and self.steps.is_eligible(*self.bets[bet]))
        stakes = {bet: bets[bet] for bet in (opening, *self.side_bets) if bet in bets}
        return Plan(
            step=self.step,
            first_move=len(stakes) if self.steps.deal_move == EACH_BET else self.steps.deal_move,
            bets=tuple(stakes),
            kinds=tuple(self.bets[bet][0] for bet in stakes),
            numbers=tuple(self.bets[bet][1] for bet in stakes),
            stakes=tuple(stakes.values()),
            options=(*self.kernel_options(options, super_mode, stakes), *policy),
            work_size=self.steps.work_size,
            terms=Terms(bets[opening], super_mode),
            policy=play,
            facts=self.facts,
            opening_stake=bets[opening] if self.has_edge_by_opening else None,
            row_size=ROW_SIZE,
        )


@lru_cache(64)
def _with_policy(kind: Any, policy: Any, options: Any, super_mode: bool) -> tuple[int, ...]:
    """Return the options of the steps and the numbers of a policy behind them, joined once: the tables are long."""
    game: CardGame[Any] = kind()
    return *game.kernel_options(options, super_mode, ()), *game.policy_numbers(policy, options, super_mode)
