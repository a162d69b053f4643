"""Blackjack: come closer to 21 than the dealer without passing it; hit, stand, double, split or surrender.

The opening stake is the main bet, and side bets may be laid until the cards are dealt. The dealer shows one card and
draws the second at the reveal; where the table peeks, a natural is found, and ends the round, before the player acts.

Nothing in the state is hidden. A dealer who has peeked and found no natural keeps no card: the state remembers only
that there is none, and whatever is drawn afterwards is drawn as if some card that makes no natural lay there. That
gives every course of a round the same chance as a real hole card would, and leaves no card to be found out (decision
0024).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal, NoReturn, get_args

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import Action, Advice, Bot, Match, MatchView, Range, Setup, Turn, act, action, create_match, refuse
from croupier.errors import BadOptions, DeckExhausted
from croupier.games.blackjack import coach, kernel, odds, rounds, rules, solver, strategy
from croupier.games.blackjack.bets import BETS, INSURANCE, MAIN, SIDE_BETS, double_bet, hand_bet
from croupier.games.blackjack.options import BlackjackOptions
from croupier.games.blackjack.render import move_words, render_table
from croupier.games.blackjack.situation import read_situation
from croupier.games.blackjack.strategy import Chart, chart_table
from croupier.house import GameType, HouseGame, HouseSetup, HouseState, HouseTurn, LitKind, Plan, Terms
from croupier.house.card_game import SideStake, decision
from croupier.house.plan import check_stake
from croupier.kit.cards import rank0
from croupier.rng import GameRng
from croupier.rounds import DONE, SUPER_MOVE

# The position of a word is its number in `rules`.
Status = Literal["playing", "standing", "busted", "natural", "surrendered", "even_money"]
STATUSES: tuple[Status, ...] = get_args(Status)
PHASES = ("deal", "insurance", "play", "reveal")


class Hand(Struct, frozen=True):
    """A hand of the player's. `number` counts hands in the order they were made: the main bet lies on hand 1."""

    number: int
    cards: tuple[int, ...]
    status: Status = "playing"
    doubled: bool = False

    @property
    def total(self) -> int:
        """Total of the hand."""
        return rules.best_total(*solver.hard_and_ace(self.cards))


class BlackjackState(HouseState, frozen=True):
    """The hands from left to right, the dealer's cards as far as they are shown, and the player's first two."""

    hands: tuple[Hand, ...] = ()
    dealer: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    peeked: bool = False
    """Whether the dealer has looked, and has no natural."""

    @property
    def active(self) -> Hand | None:
        """The hand to play: the leftmost that still plays."""
        return next((hand for hand in self.hands if hand.status == "playing"), None)

    @property
    def seen(self) -> tuple[int, ...]:
        """Every card on the table."""
        return (*(card for hand in self.hands for card in hand.cards), *self.dealer)

    @property
    def facts(self) -> tuple[int, ...]:
        """Facts that decide the round: the first cards, how the dealer ended, and the totals of hands."""
        totals = [hand.total for hand in self.hands]
        missing = [-1] * (rules.HANDS_MAX - len(totals))
        dealer = self.dealer[0], len(self.dealer), Hand(0, self.dealer).total
        return (*self.first, *dealer, len(totals), *totals, *missing)

    def in_numbers(self, phase: str, options: BlackjackOptions) -> list[int]:
        """Return the round so far as the steps of the rules keep it."""
        numbers = [0] * rounds.ROUND_SIZE
        if not self.hands:
            return numbers
        active = self.hands.index(self.active) if self.active else len(self.hands)
        asked = max((rounds.cards_asked(BETS[laid.bet][0]) for laid in self.money.open), default=1)
        numbers[: len(self.facts)] = self.facts
        numbers[rounds.PHASE : rounds.SEEN_COUNT] = PHASES.index(phase), active, int(self.peeked), asked
        for place, hand in enumerate(self.hands):
            at = rounds.HANDS + rounds.HAND_SIZE * place
            numbers[at : at + 3] = hand.number, STATUSES.index(hand.status), int(hand.doubled)
            for card in hand.cards:
                rounds.add_card(numbers, at, card)
        for card in self.seen:
            rounds.note_seen(numbers, card, options.numbers)
        return numbers

    def after(self, numbers: Sequence[int], dealer: Sequence[int]) -> "BlackjackState":
        """Return the state that the steps of the rules have led to."""
        hands = []
        for place in range(numbers[rounds.HAND_COUNT]):
            at = rounds.HANDS + rounds.HAND_SIZE * place
            number, status, doubled = numbers[at : at + 3]
            cards = tuple(rounds.card_at(numbers, at, index) for index in range(numbers[at + rounds.SIZE]))
            hands.append(Hand(number, cards, STATUSES[status], bool(doubled)))
        first, peeked = tuple(numbers[rounds.FIRST_CARD : rounds.UP_CARD]), bool(numbers[rounds.IS_PEEKED])
        shown = (numbers[rounds.UP_CARD], *dealer[1 : numbers[rounds.DEALER_SIZE]])
        return replace(self, hands=tuple(hands), dealer=shown, first=first, peeked=peeked)


ACTIONS = {
    rules.DEAL: act("deal"),
    rules.HIT: act("hit"),
    rules.STAND: act("stand"),
    rules.DOUBLE: act("double"),
    rules.SPLIT: act("split"),
    rules.SURRENDER: act("surrender"),
    rules.REVEAL: act("reveal"),
    rules.INSURE: act("insurance"),
    rules.TAKE_EVEN_MONEY: act("even_money"),
    rules.DECLINE: act("decline"),
}


def _follow(view: MatchView[Any], table: tuple[int, ...]) -> Action:
    """Return what a strategy table does, after the deal."""
    numbers = view.game.in_numbers(view.turn.phase, view.options)
    return ACTIONS[rounds.follow(table, 0, numbers, view.options.numbers)]


def _play(
    policy: str | tuple[int, ...],
    sides: Mapping[str, int],
    view: MatchView[Any],
    legal: tuple[Action, ...],
    rng: GameRng,
) -> Action:
    """Lay the side bets with the deal, never insure, and follow a policy's table, or a table that is given."""
    if view.turn.phase == "deal":
        return act("bet_and_deal", **{**dict.fromkeys(SIDE_BETS, 0), **sides}) if sides else act("deal")
    return _follow(view, strategy.table_for(policy, view.options) if isinstance(policy, str) else policy)


BOTS: dict[str, Bot] = {policy: partial(_play, policy, {}) for policy in strategy.POLICIES}


class Blackjack(HouseGame[BlackjackState]):
    """Blackjack from one to eight decks, dealt anew every round, with five side bets."""

    id, name = "blackjack", "Blackjack"
    description = "Beat the dealer to 21: hit, stand, double, split or surrender, with five side bets."
    category = "card"
    tags = ("casino", "cards")
    game_type = GameType.BLACKJACK
    stake_limits = (1, 5_000)
    lights = LitKind.CARD, rules.generate
    starting_phase = "deal"
    card_fields = ("seen",)
    Options = BlackjackOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = Chart
    bots = BOTS
    usual_policy = "basic"
    objectives = ("chips",)
    situation_help = 'your cards, a colon and the dealer\'s card: "10,6:9" or "A♠ 7♥ : 6♦"'

    def card_copies(self, options: BlackjackOptions) -> int:
        return options.decks

    def setup(self, table: Setup) -> BlackjackState:
        assert isinstance(table, HouseSetup)
        self._take(table, MAIN, table.stake)
        return BlackjackState()

    def _take(self, table: HouseSetup | HouseTurn, bet: str, stake: int) -> None:
        most = rules.return_max(BETS[bet][0], stake, table.options.six_to_five, table.super_mode)
        table.take(bet, stake, most=most, boosted=bet == MAIN, fixed=bet == INSURANCE)

    # Before the deal.

    @action(phase="deal", opcode=5)
    def side_bet(self, state: BlackjackState, turn: HouseTurn, stake: SideStake) -> BlackjackState:
        """Lay a bet on 21+3. The stake replaces one laid before; 0 takes it back."""
        self._lay(turn, "twenty_one_plus_three", stake)
        return state

    @action(phase="deal", opcode=7)
    def bet_and_deal(
        self,
        state: BlackjackState,
        turn: HouseTurn,
        twenty_one_plus_three: SideStake,
        lucky_ladies: SideStake,
        perfect_pairs: SideStake,
        bust_it: SideStake,
        royal_match: SideStake,
    ) -> BlackjackState:
        """Lay all five side bets, 0 for none, and deal."""
        stakes = (twenty_one_plus_three, lucky_ladies, perfect_pairs, bust_it, royal_match)
        for bet, stake in zip(SIDE_BETS, stakes, strict=True):
            self._lay(turn, bet, stake)
        return self.decided(state, turn, rules.DEAL)

    # Each is a `draw_card` from `create_shoe(decks, shuffled=False)`: docs/decisions/0017-sorted-packs.md.
    deal = decision(rules.DEAL, "deal", "Deal two cards to the player and one to the dealer.")

    def _lay(self, turn: HouseTurn, bet: str, stake: int) -> None:
        if turn.stake_on(bet):
            turn.withdraw(bet)
        if stake:
            self._take(turn, bet, stake)

    # Where the table peeks.

    insurance = decision(
        rules.INSURE,
        "insurance",
        "Lay half the opening stake, rounded down, on a natural of the dealer's; it pays 2 to 1.",
    )
    even_money = decision(
        rules.TAKE_EVEN_MONEY, "insurance", "Be paid 1 to 1 for a natural at once, whatever the dealer has."
    )
    decline = decision(rules.DECLINE, "insurance", "Let the dealer look for a natural without insurance.")

    # The player's turn, and the end.

    hit = decision(rules.HIT, "play", "Take a card. A hand that reaches 21 stands by itself.")
    stand = decision(rules.STAND, "play", "Take no more cards.")
    double = decision(rules.DOUBLE, "play", "Stake as much again on the first two cards, take one card, and stand.")
    split = decision(rules.SPLIT, "play", "Make two hands of two cards of one rank, with a card and a stake each.")
    surrender = decision(
        rules.SURRENDER, "play", "Give up half the stake on the first two cards; a dealer's natural takes all of it."
    )
    reveal = decision(
        rules.REVEAL, "reveal", "Turn the dealer's second card over, let the dealer draw, and settle every bet."
    )

    def decided(self, state: BlackjackState, turn: HouseTurn, choice: int) -> BlackjackState:
        if len(state.seen) >= 52 * turn.options.decks and rounds.needs_stream(choice):
            raise DeckExhausted("every card of the shoe is on the table")
        numbers, options = state.in_numbers(turn.phase, turn.options), turn.options.numbers
        if not rounds.is_legal(choice, numbers, options):
            _refuse(choice, state, turn.options)
        raised = _raised_bet(choice, state)
        if raised:
            self._take(turn, raised, rounds.cost(choice, state.stake))
        dealer = [0] * rounds.WORK_SIZE
        phase = rounds.take(turn.rng, choice, numbers, options, [0] * rounds.WORK_SIZE, dealer)
        after = state.after(numbers, dealer)
        if len(after.seen) > 52 * turn.options.decks:
            raise DeckExhausted("the shoe ran out during the move")
        if phase != DONE:
            if after.peeked and turn.stake_on(INSURANCE):
                self._settle(turn, [INSURANCE], numbers)
            turn.events.set_phase(PHASES[phase])
            return after
        on_hands = [bet for hand in after.hands for bet in (hand_bet(hand.number), double_bet(hand.number))]
        # Not before: a player who knew the lit cards would play for them.
        ids, multipliers = [lit.id for lit in turn.light()], [lit.multiplier for lit in turn.lit]
        boost = rounds.boost_of(numbers, ids, multipliers, len(ids))
        self._settle(turn, [*on_hands, INSURANCE, *SIDE_BETS], numbers, boost)
        turn.finish()
        return after

    def _settle(self, turn: HouseTurn, bets: Sequence[str], numbers: Sequence[int], boost: int = 1) -> None:
        for bet in bets:
            laid = turn.stake_on(bet)
            if laid:
                turn.settle(bet, rounds.settle(*BETS[bet], laid.stake, numbers, turn.options.numbers, boost))

    # What can be done.

    def legal(self, state: BlackjackState, turn: Turn) -> Iterator[Action]:
        numbers = state.in_numbers(turn.phase, turn.options)
        for choice, found in ACTIONS.items():
            if rounds.is_legal(choice, numbers, turn.options.numbers):
                yield found
        low = self._limits(turn)[0]
        yield act("side_bet", stake=low)
        if any(stake.bet == "twenty_one_plus_three" for stake in state.money.open):
            yield act("side_bet", stake=0)
        yield act("bet_and_deal", **dict.fromkeys(SIDE_BETS, low))

    def ranges(self, state: BlackjackState, turn: Turn) -> dict[str, dict[str, Range]]:
        if turn.phase != "deal":
            return {}
        stakes = Range(0, self._limits(turn)[1])
        return {"side_bet": {"stake": stakes}, "bet_and_deal": dict.fromkeys(SIDE_BETS, stakes)}

    def skill(self, options: Any) -> Fraction:
        """Return what the coach, who sees which cards are gone, adds to the chart at most: with one deck 0.041 %."""
        return Fraction(5, 10_000) if options.decks == 1 else Fraction(0)

    def auto_action(self, state: BlackjackState, turn: Turn) -> Action:
        """Deal, decline insurance, stand, and reveal: nobody who is away stakes more, or loses a hand by a card."""
        return act({"deal": "deal", "insurance": "decline", "play": "stand", "reveal": "reveal"}[turn.phase])

    # The coach.

    def advise(
        self, view: MatchView[BlackjackState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value each action on the hand in play by the profit it is expected to make, in stakes of the hand."""
        self.objective_named(objective)
        state, options = view.game, view.options
        names = [choice.type for choice in legal]
        if view.turn.phase == "insurance":
            natural = state.hands[0].status == "natural"
            worths = coach.insurance_worths(state.first, state.dealer[0], natural, options)
            by_the_book = ""
        elif view.turn.phase == "play":
            hand = state.active
            assert hand is not None, "the phase is play while a hand plays"
            worths = coach.play_worths(hand.cards, state.seen, len(state.hands), state.dealer[0], state.peeked, options)
            by_the_book = _follow(view, strategy.table_for("basic", options)).type
        else:
            return ()
        found = [
            Advice(choice, worths[name], "as the chart says" if name == by_the_book else "")
            for name, choice in zip(names, legal, strict=True)
            if name in worths
        ]
        return tuple(sorted(found, key=lambda advice: advice.value, reverse=True))

    def situation(self, text: str, options: Any = None) -> Match[BlackjackState]:
        chosen: BlackjackOptions = self.read_options(options)
        cards, up_card = read_situation(text, chosen.decks, self.situation_help)
        match = create_match(self, ["you"], seed=b"", options=chosen, host=self.sample_terms())
        is_natural = len(cards) == 2 and rules.is_natural(*cards)
        hand = Hand(1, cards, "natural" if is_natural else "playing")
        if hand.total >= rules.TWENTY_ONE and not is_natural:
            raise BadOptions(f"{text!r}: a hand of {hand.total} has nothing left to choose")
        up_value = rules.card_value(up_card)
        looks = chosen.peek and rules.natural_value(up_value) > 0
        is_offer = looks and up_value == 1 and len(cards) == 2
        if is_natural and not is_offer:
            raise BadOptions(f"{text!r}: a natural has nothing to choose but insurance, where the table offers it")
        state = replace(match.game, hands=(hand,), dealer=(up_card,), first=cards[:2], peeked=looks and not is_offer)
        return replace(match, game=state, turn=replace(match.turn, phase="insurance" if is_offer else "play"))

    # Simulation.

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a round is simulated: bets are `main` and side bets if wanted; `basic` is the usual policy.

        Raises are no bets of the opening and have no lines; they are in what is staked and returned in all.
        """
        chosen: BlackjackOptions = self.read_options(options)
        return self._plan(strategy.table_for(self.policy_named(policy), chosen), bets, chosen, super_mode)

    def plan_strategy(
        self, strategy: Chart, bets: Mapping[str, int], options: Any = None, super_mode: bool = False
    ) -> Plan:
        """Return how a round is simulated for a player with a chart of their own, read as `Strategy`."""
        return self._plan(chart_table(strategy), bets, self.read_options(options), super_mode)

    def _plan(
        self, table: tuple[int, ...], bets: Mapping[str, int], chosen: BlackjackOptions, super_mode: bool
    ) -> Plan:
        if MAIN not in bets or not set(bets) <= {MAIN, *SIDE_BETS}:
            wanted = f"a round has the bet {MAIN}, and {', '.join(SIDE_BETS)} if wanted"
            raise BadOptions(f"{wanted}; got {', '.join(bets) or 'none'}")
        for bet, stake in bets.items():
            check_stake(bet, stake, rules.STAKE_MAX, super_mode and bet == MAIN)
        stakes = {MAIN: bets[MAIN], **bets}  # whichever order they came in
        sides = {bet: stake for bet, stake in bets.items() if bet != MAIN}
        return Plan(
            step=kernel.step,
            first_move=SUPER_MOVE if super_mode else 1,
            bets=tuple(stakes),
            kinds=tuple(BETS[bet][0] for bet in stakes),
            numbers=tuple(BETS[bet][1] for bet in stakes),
            stakes=tuple(stakes.values()),
            options=(*chosen.numbers, int(super_mode), *table),
            work_size=kernel.WORK_SIZE,
            terms=Terms(bets[MAIN], super_mode),
            policy=partial(_play, table, sides),
            facts=self.facts,
            row_size=kernel.ROW_SIZE,
        )

    def facts(self, state: BlackjackState) -> tuple[int, ...]:
        """Return what decided a finished session."""
        return state.facts

    # Text.

    def describe(self, action: Action, before: Match[BlackjackState], after: Match[BlackjackState]) -> str:
        if not after.game.hands:
            return super().describe(action, before, after)
        words = move_words(action, before.game, after.game, after.options)
        return f"{words}; {after.result.reason}" if after.result else words

    def render(self, view: MatchView[BlackjackState]) -> str:
        return render_table(view)


def _raised_bet(choice: int, state: BlackjackState) -> str:
    """Return the bet that a decision lays, if it lays one."""
    if choice == rules.INSURE:
        return INSURANCE
    if choice == rules.SPLIT:
        return hand_bet(len(state.hands) + 1)
    return double_bet(state.active.number) if choice == rules.DOUBLE and state.active else ""


def _refuse(choice: int, state: BlackjackState, options: BlackjackOptions) -> NoReturn:
    """Refuse what the rules do not allow, for the first reason there is."""
    cards = state.active.cards if state.active else ()
    if choice == rules.TAKE_EVEN_MONEY:
        if state.hands[0].status != "natural":
            refuse("no_natural", "even money is for a natural: an ace and a ten or court as the first two cards")
        refuse("no_even_money", "a natural pays 6 to 5 at this table: even money is not offered")
    if choice == rules.SURRENDER:
        if not options.surrender:
            refuse("no_surrender", "this table has no surrender")
        refuse("surrender_too_late", "surrender comes before anything else: no card hit, no pair split")
    if len(cards) != 2:
        done = "doubled" if choice == rules.DOUBLE else "split"
        refuse("not_two_cards", f"only the first two cards can be {done}, and the hand has {len(cards)}")
    if choice == rules.DOUBLE:
        refuse("no_double_after_split", "a hand from a split cannot be doubled at this table")
    if len(state.hands) >= rules.HANDS_MAX:
        refuse("too_many_hands", f"there are {len(state.hands)} hands already, and no table has more")
    if rank0(cards[0]) == rank0(cards[1]):
        refuse("no_resplit_aces", "aces that came from a split cannot be split again at this table")
    refuse("not_a_pair", "only two cards of one rank can be split; a ten and a king are two ranks")
