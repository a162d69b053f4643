"""Blackjack: come closer to 21 than the dealer without passing it; hit, stand, double, split or surrender.

The opening stake is the main bet, and side bets may be laid until the cards are dealt. The dealer shows one card and
draws the second at the reveal; where the table peeks, a natural is found, and ends the round, before the player acts.

Nothing in the state is hidden. A dealer who has peeked and found no natural keeps no card: the state remembers only
that there is none, and whatever is drawn afterwards is drawn as if some card that makes no natural lay there. That
gives every course of a round the same chance as a real hole card would, and leaves no card to be found out (decision
0024).
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, Advice, Bot, Match, MatchView, Range, Setup, Turn, act, action, create_match, refuse
from croupier.errors import BadOptions
from croupier.games.blackjack import coach, kernel, odds, rules, strategy
from croupier.games.blackjack.bets import BETS, INSURANCE, MAIN, SIDE_BETS, double_bet, hand_bet
from croupier.games.blackjack.options import BlackjackOptions
from croupier.games.blackjack.render import move_words, render_table
from croupier.games.blackjack.situation import read_situation
from croupier.games.blackjack.strategy import Chart, chart_table
from croupier.house import (
    CHIPS_MAX,
    GameType,
    HouseGame,
    HouseSetup,
    HouseState,
    HouseTurn,
    Lit,
    LitKind,
    Plan,
    Terms,
)
from croupier.house.plan import check_stake
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE

__all__ = ["Blackjack", "BlackjackState", "Hand", "Status"]

# The position of a word is its number in `rules`.
Status = Literal["playing", "standing", "busted", "natural", "surrendered", "even_money"]
STATUSES: tuple[Status, ...] = get_args(Status)

SideStake = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]


class Hand(Struct, frozen=True):
    """A hand of the player's. `number` counts hands in the order they were made: the main bet lies on hand 1."""

    number: int
    cards: tuple[int, ...]
    status: Status = "playing"
    doubled: bool = False

    @property
    def hard(self) -> int:
        """What the cards come to with every ace as 1."""
        return sum(map(rules.card_value, self.cards))

    @property
    def has_ace(self) -> bool:
        """Whether an ace is among them."""
        return any(rules.card_value(card) == 1 for card in self.cards)

    @property
    def total(self) -> int:
        """What the hand comes to."""
        return rules.best_total(self.hard, self.has_ace)


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


class _Shoe:
    """What is left of the shoe in one move."""

    def __init__(self, turn: HouseTurn, state: BlackjackState) -> None:
        options: BlackjackOptions = turn.options
        self.stream = turn.rng
        self.options = options
        self.taken, self.moved = [0] * (rules.SEEN_MAX + 1), [0] * rules.MOVED_SIZE
        self.count = self.drawn = 0
        for card in state.seen:
            self.count = rules.note_seen(self.taken, 0, self.count, card, options.decks)

    def draw(self, barred: int = rules.NOT_BARRED) -> int:
        """Take a card, of any value but the barred one."""
        card = rules.draw(self.stream, self.options.decks, self.taken, 0, self.count, self.moved, self.drawn, barred)
        self.drawn += 1
        return card

    def draw_hole(self, state: BlackjackState) -> int:
        """Take a second card for the dealer, who has peeked: one that makes no natural."""
        return self.draw(rules.barred_hole(state.dealer[0]))

    def play_dealer(self, cards: tuple[int, ...], size_max: int = rules.CARDS_MAX) -> tuple[int, ...]:
        """Return the dealer's hand played to its end, or to so many cards."""
        dealer = [*cards, *[0] * rules.CARDS_MAX]
        size = rules.play_dealer(
            self.stream,
            self.options.decks,
            self.taken,
            0,
            self.count,
            self.moved,
            self.drawn,
            dealer,
            len(cards),
            size_max,
            self.options.hit_soft_17,
        )
        return tuple(dealer[:size])


ACTIONS = {
    rules.HIT: act("hit"),
    rules.STAND: act("stand"),
    rules.DOUBLE: act("double"),
    rules.SPLIT: act("split"),
    rules.SURRENDER: act("surrender"),
}


def _choice(hand: Hand, state: BlackjackState, table: tuple[int, ...], options: BlackjackOptions) -> int:
    """Return what a strategy table does with a hand."""
    size, is_split = len(hand.cards), len(state.hands) > 1
    one, other = hand.cards[0], hand.cards[1]
    may_split = rules.can_split(one, other, size, len(state.hands), options.resplit_aces)
    return rules.choose(
        table,
        0,
        hand.hard,
        hand.has_ace,
        rules.card_value(one) if may_split else 0,
        rules.card_value(state.dealer[0]),
        rules.can_double(size, is_split, options.double_after_split),
        rules.can_surrender(size, is_split, options.surrender),
    )


def _play(
    policy: str | tuple[int, ...],
    sides: Mapping[str, int],
    view: MatchView[Any],
    legal: tuple[Action, ...],
    rng: GameRng,
) -> Action:
    """Lay the side bets with the deal, never insure, and follow a policy's table, or a table that is given."""
    state: BlackjackState = view.game
    match view.turn.phase:
        case "deal":
            return act("bet_and_deal", **{**dict.fromkeys(SIDE_BETS, 0), **sides}) if sides else act("deal")
        case "insurance":
            return act("decline")
        case "reveal":
            return act("reveal")
    hand = state.active
    assert hand is not None
    table = strategy.table_for(policy, view.options) if isinstance(policy, str) else policy
    return ACTIONS[_choice(hand, state, table, view.options)]


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
    Options = BlackjackOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = Chart
    bots = BOTS
    usual_policy = "basic"
    objectives = ("chips",)
    situation_help = 'your cards, a colon and the dealer\'s card: "10,6:9" or "A♠ 7♥ : 6♦"'

    def setup(self, table: Setup) -> BlackjackState:
        assert isinstance(table, HouseSetup)
        self._take(table, MAIN, table.stake, table.options)
        return BlackjackState()

    def _take(self, table: HouseSetup | HouseTurn, bet: str, stake: int, options: BlackjackOptions) -> None:
        kind, _ = BETS[bet]
        most = rules.return_max(kind, stake, options.six_to_five, table.super_mode)
        table.take(bet, stake, most=most, boosted=bet == MAIN)

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
        return self._deal(state, turn)

    @action(phase="deal", opcode=4)
    def deal(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Deal two cards to the player and one to the dealer."""
        return self._deal(state, turn)

    def _lay(self, turn: HouseTurn, bet: str, stake: int) -> None:
        if turn.stake_on(bet):
            turn.withdraw(bet)
        if stake:
            self._take(turn, bet, stake, turn.options)

    def _deal(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        shoe = _Shoe(turn, state)
        first, second, up_card = shoe.draw(), shoe.draw(), shoe.draw()
        hand = Hand(1, (first, second), "natural" if rules.is_natural(first, second) else "playing")
        dealt = replace(state, hands=(hand,), dealer=(up_card,), first=(first, second))
        if not (turn.options.peek and rules.is_peek_card(up_card)):
            return self._go_on(dealt, turn)
        if rules.card_value(up_card) == 1:
            turn.events.set_phase("insurance")
            return dealt
        return self._peek(dealt, turn, shoe)

    # Where the table peeks.

    @action(phase="insurance", opcode=10)
    def insurance(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Lay half the opening stake, rounded down, on a natural of the dealer's; it pays 2 to 1."""
        half = state.stake // 2
        turn.take(INSURANCE, half, most=rules.insurance_return(half, True), fixed=True)
        return self._peek(state, turn, _Shoe(turn, state))

    @action(phase="insurance", opcode=11)
    def even_money(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Be paid 1 to 1 for a natural at once, whatever the dealer has."""
        if state.hands[0].status != "natural":
            refuse("no_natural", "even money is for a natural: an ace and a ten or court as the first two cards")
        if turn.options.six_to_five:
            refuse("no_even_money", "a natural pays 6 to 5 at this table: even money is not offered")
        turn.events.set_phase("reveal")
        return replace(state, hands=(replace(state.hands[0], status="even_money"),))

    @action(phase="insurance", opcode=12)
    def decline(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Let the dealer look for a natural without insurance."""
        return self._peek(state, turn, _Shoe(turn, state))

    def _peek(self, state: BlackjackState, turn: HouseTurn, shoe: _Shoe) -> BlackjackState:
        up_card, hole_card = state.dealer[0], shoe.draw()
        if rules.is_natural(up_card, hole_card):
            return self._finish(replace(state, dealer=(up_card, hole_card)), turn)
        self._settle_insurance(turn, False)
        return self._go_on(replace(state, peeked=True), turn)

    # The player's turn.

    @action(phase="play", opcode=0)
    def hit(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Take a card. A hand that reaches 21 stands by itself."""
        return self._draw_to(state, turn, self._hand(state), is_double=False)

    @action(phase="play", opcode=1)
    def stand(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Take no more cards."""
        return self._go_on(_with_hand(state, replace(self._hand(state), status="standing")), turn)

    @action(phase="play", opcode=2)
    def double(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Stake as much again on the first two cards, take one card, and stand."""
        hand = self._hand(state)
        if len(hand.cards) != 2:
            refuse("not_two_cards", f"only the first two cards can be doubled, and the hand has {len(hand.cards)}")
        if not rules.can_double(2, len(state.hands) > 1, turn.options.double_after_split):
            refuse("no_double_after_split", "a hand from a split cannot be doubled at this table")
        turn.take(double_bet(hand.number), state.stake, most=2 * state.stake)
        return self._draw_to(state, turn, replace(hand, doubled=True), is_double=True)

    @action(phase="play", opcode=3)
    def split(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Make two hands of two cards of one rank, with a card and a stake each."""
        hand = self._hand(state)
        options: BlackjackOptions = turn.options
        _check_split(hand, len(state.hands), options)
        number = len(state.hands) + 1
        turn.take(hand_bet(number), state.stake, most=2 * state.stake)
        shoe = _Shoe(turn, state)
        if state.peeked:
            shoe.draw_hole(state)
        one, other = hand.cards
        stands = rules.card_value(one) == 1 and not options.hit_split_aces
        status: Status = "standing" if stands else "playing"
        left = replace(hand, cards=(one, shoe.draw()), status=status)
        right = Hand(number, (other, shoe.draw()), status)
        at = state.hands.index(hand)
        return self._go_on(replace(state, hands=(*state.hands[:at], left, right, *state.hands[at + 1 :])), turn)

    @action(phase="play", opcode=9)
    def surrender(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Give up half the stake on the first two cards; a dealer's natural takes all of it."""
        hand = self._hand(state)
        if not turn.options.surrender:
            refuse("no_surrender", "this table has no surrender")
        if not rules.can_surrender(len(hand.cards), len(state.hands) > 1, True):
            refuse("surrender_too_late", "surrender comes before anything else: no card hit, no pair split")
        return self._go_on(_with_hand(state, replace(hand, status="surrendered")), turn)

    def _hand(self, state: BlackjackState) -> Hand:
        hand = state.active
        assert hand is not None, "the phase is play while a hand plays"
        return hand

    def _draw_to(self, state: BlackjackState, turn: HouseTurn, hand: Hand, *, is_double: bool) -> BlackjackState:
        shoe = _Shoe(turn, state)
        hole_card = shoe.draw_hole(state) if state.peeked else None
        grown = replace(hand, cards=(*hand.cards, shoe.draw()))
        status = rules.status_after(grown.hard, grown.has_ace, is_double)
        after = _with_hand(state, replace(grown, status=STATUSES[status]))
        if any(other.status != "busted" for other in after.hands):
            return self._go_on(after, turn)
        # All hands are lost: only bets on the dealer's hand can ask for it.
        size_max = rules.CARDS_MAX if turn.stake_on("bust_it") else 2 if turn.stake_on("lucky_ladies") else 1
        known = state.dealer if hole_card is None or size_max == 1 else (*state.dealer, hole_card)
        return self._finish(replace(after, dealer=shoe.play_dealer(known, size_max)), turn)

    def _go_on(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        turn.events.set_phase("reveal" if state.active is None else "play")
        return state

    # The end.

    @action(phase="reveal", opcode=6)
    def reveal(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        """Turn the dealer's second card over, let the dealer draw, and settle every bet."""
        shoe = _Shoe(turn, state)
        known = (*state.dealer, shoe.draw_hole(state)) if state.peeked else state.dealer
        return self._finish(replace(state, dealer=shoe.play_dealer(known)), turn)

    def _finish(self, state: BlackjackState, turn: HouseTurn) -> BlackjackState:
        total, natural = dealer_total(state), dealer_natural(state)
        # Not before: a player who knew the lit cards would play for them.
        lit = turn.light()
        for hand in state.hands:
            status = STATUSES.index(hand.status)
            six_to_five = turn.options.six_to_five
            returned = rules.hand_return(state.stake, status, hand.total, total, natural, six_to_five)
            boosts = hand.number == 1 and turn.super_mode
            boosted = rules.super_return(state.stake, returned, hand_boost(hand, lit)) if boosts else returned
            turn.settle(hand_bet(hand.number), boosted)
            if hand.doubled:
                turn.settle(double_bet(hand.number), returned)
        self._settle_insurance(turn, natural)
        first, second = state.first
        for bet, kind in SIDE_BETS.items():
            laid = turn.stake_on(bet)
            if laid:
                up_card, size = state.dealer[0], len(state.dealer)
                turn.settle(bet, rules.side_return(kind, laid.stake, first, second, up_card, natural, total, size))
        turn.finish()
        return state

    def _settle_insurance(self, turn: HouseTurn, natural: bool) -> None:
        laid = turn.stake_on(INSURANCE)
        if laid:
            turn.settle(INSURANCE, rules.insurance_return(laid.stake, natural))

    # What can be done.

    def legal(self, state: BlackjackState, turn: Turn) -> Iterator[Action]:
        for name in ("deal", "hit", "stand", "double", "split", "surrender", "reveal"):
            yield act(name)
        for name in ("insurance", "even_money", "decline"):
            yield act(name)
        yield act("side_bet", stake=1)
        if any(stake.bet == "twenty_one_plus_three" for stake in state.money.open):
            yield act("side_bet", stake=0)
        yield act("bet_and_deal", **dict.fromkeys(SIDE_BETS, 1))

    def ranges(self, state: BlackjackState, turn: Turn) -> dict[str, dict[str, Range]]:
        if turn.phase != "deal":
            return {}
        stakes = Range(0, self.stake_limits[1])
        return {"side_bet": {"stake": stakes}, "bet_and_deal": dict.fromkeys(SIDE_BETS, stakes)}

    def auto_action(self, state: BlackjackState, turn: Turn) -> Action:
        """Deal, decline insurance, stand, and reveal: nobody who is away stakes more, or loses a hand by a card."""
        return act({"deal": "deal", "insurance": "decline", "play": "stand", "reveal": "reveal"}[turn.phase])

    # The coach.

    def advise(
        self, view: MatchView[BlackjackState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value each action on the hand in play by the profit it is expected to make, in stakes of the hand.

        The first decision of a round is looked up, later ones are worked out from the cards that are left.
        """
        goal = objective or self.objectives[0]
        if goal not in self.objectives:
            raise BadOptions(f"objective {goal!r}: {' or '.join(self.objectives)}", "$.objective")
        state, options = view.game, view.options
        names = [choice.type for choice in legal]
        if view.turn.phase == "insurance":
            natural = state.hands[0].status == "natural"
            worths = coach.insurance_worths(state.first, state.dealer[0], natural, options)
            by_the_book = ""
        elif view.turn.phase == "play":
            hand = self._hand(state)
            worths = coach.play_worths(hand.cards, state.seen, len(state.hands), state.dealer[0], state.peeked, options)
            by_the_book = ACTIONS[_choice(hand, state, strategy.table_for("basic", options), options)].type
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
        looks = chosen.peek and rules.is_peek_card(up_card)
        is_offer = looks and rules.card_value(up_card) == 1 and len(cards) == 2
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
        policy = policy or self.usual_policy
        if policy not in self.bots:
            raise BadOptions(f"{self.name} has no policy {policy!r}; there are {', '.join(self.bots)}")
        return self._plan(strategy.table_for(policy, chosen), bets, chosen, super_mode)

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
        flags = (
            chosen.hit_soft_17,
            chosen.six_to_five,
            chosen.surrender,
            chosen.double_after_split,
            chosen.resplit_aces,
            chosen.hit_split_aces,
            chosen.peek,
            super_mode,
        )
        return Plan(
            step=kernel.step,
            first_move=SUPER_MOVE if super_mode else 1,
            bets=tuple(stakes),
            kinds=tuple(BETS[bet][0] for bet in stakes),
            numbers=tuple(BETS[bet][1] for bet in stakes),
            stakes=tuple(stakes.values()),
            options=(chosen.decks, *map(int, flags), *table),
            work_size=kernel.WORK_SIZE,
            terms=Terms(bets[MAIN], super_mode),
            policy=partial(_play, table, sides),
            facts=self.facts,
            row_size=kernel.ROW_SIZE,
        )

    def facts(self, state: BlackjackState) -> tuple[int, ...]:
        """Return what decided a finished session: the first cards, how the dealer ended, and the totals of hands."""
        totals = [hand.total for hand in state.hands]
        missing = [-1] * (rules.HANDS_MAX - len(totals))
        return (*state.first, state.dealer[0], len(state.dealer), dealer_total(state), len(totals), *totals, *missing)

    # Text.

    def describe(self, action: Action, before: Match[BlackjackState], after: Match[BlackjackState]) -> str:
        if not after.game.hands:
            return super().describe(action, before, after)
        words = move_words(action, before.game, after.game, after.options)
        return f"{words}; {after.result.reason}" if after.result else words

    def render(self, view: MatchView[BlackjackState]) -> str:
        return render_table(view)


def dealer_total(state: BlackjackState) -> int:
    """Return what the dealer's cards that are shown come to."""
    return Hand(0, state.dealer).total


def dealer_natural(state: BlackjackState) -> bool:
    """Tell whether the dealer's cards that are shown are a natural."""
    return len(state.dealer) == 2 and rules.is_natural(*state.dealer)


def hand_boost(hand: Hand, lit: tuple[Lit, ...]) -> int:
    """Return the boost of a hand: the product of its lit cards."""
    ids, multipliers = [entry.id for entry in lit], [entry.multiplier for entry in lit]
    boost = 1
    for card in hand.cards:
        boost = rules.boosted(boost, card, ids, multipliers, len(ids))
    return boost


def _with_hand(state: BlackjackState, hand: Hand) -> BlackjackState:
    return replace(state, hands=tuple(hand if old.number == hand.number else old for old in state.hands))


def _check_split(hand: Hand, hand_count: int, options: BlackjackOptions) -> None:
    """Refuse a split for the first reason there is."""
    if len(hand.cards) != 2:
        refuse("not_two_cards", f"only the first two cards can be split, and the hand has {len(hand.cards)}")
    if hand_count >= rules.HANDS_MAX:
        refuse("too_many_hands", f"there are {hand_count} hands already, and no table has more")
    if rules.can_split(*hand.cards, 2, hand_count, options.resplit_aces):
        return
    if rules.can_split(*hand.cards, 2, hand_count, True):
        refuse("no_resplit_aces", "aces that came from a split cannot be split again at this table")
    refuse("not_a_pair", "only two cards of one rank can be split; a ten and a king are two ranks")
