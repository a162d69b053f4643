"""Three card poker: an Ante and three cards; fold them, or play them for as much again against the dealer's three.

The Ante is the stake the session opens with. Side bets are laid, changed or taken back until the cards are dealt, and
are decided even where the player folds: the dealer's hand is drawn for them.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta
from msgspec.structs import replace

from croupier.engine import Action, Advice, Bot, Match, MatchView, Range, Setup, Turn, act, action, create_match, refuse
from croupier.errors import BadOptions
from croupier.games.three_card_poker import coach, kernel, odds, policies, rules
from croupier.games.three_card_poker.bets import BETS, QUALIFIERS, SIDE_BETS
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.games.three_card_poker.policies import POLICIES, LowestHand, Policy
from croupier.games.three_card_poker.render import dealt_words, outcome_words, render_cards
from croupier.house import (
    CHIPS_MAX,
    GameType,
    HouseGame,
    HouseSetup,
    HouseState,
    HouseTurn,
    LitKind,
    Plan,
    Terms,
)
from croupier.house.plan import check_stake
from croupier.kit.cards import parse_card, suit
from croupier.kit.errors import KitError
from croupier.kit.poker import rank3, rank6
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE

__all__ = ["Outcome", "ThreeCardPoker", "ThreeCardState"]

# The position of a word is its number in `rules`.
Outcome = Literal["folded", "not_qualified", "won", "tied", "lost"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

SideStake = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]


class ThreeCardState(HouseState, frozen=True):
    """The cards of both sides in the order drawn, and how the round ended."""

    player: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    outcome: Outcome | None = None


def _play(
    policy: Policy | LowestHand, side: Mapping[str, int], view: MatchView[Any], legal: Any, rng: GameRng
) -> Action:
    """Deal with the side bets given, then play or fold as the policy says."""
    if view.turn.phase == "deal":
        return act("deal_with", **side) if side else act("deal")
    if view.turn.phase == "reveal":
        return act("reveal")
    is_played = policies.plays(policy, view.game.player, view.options, view.game.super_mode)
    return act("play" if is_played else "fold")


BOTS: dict[str, Bot] = {policy: partial(_play, policy, {}) for policy in POLICIES}


class ThreeCardPoker(HouseGame[ThreeCardState]):
    """Three card poker with Pair Plus, Six-Card Bonus and Progressive."""

    id, name = "three-card-poker", "Three Card Poker"
    description = "Three cards each: fold, or play for as much again against a dealer who must qualify."
    category = "card"
    tags = ("casino", "cards", "poker")
    game_type = GameType.THREE_CARD
    stake_limits = (1, 5_000)
    lights = LitKind.SUIT, rules.generate
    starting_phase = "deal"
    Options = ThreeCardOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = LowestHand
    bots = BOTS
    usual_policy = "best"
    objectives = ("profit",)
    situation_help = "the three cards you hold, such as QS 6H 4D"

    def setup(self, table: Setup) -> ThreeCardState:
        assert isinstance(table, HouseSetup)
        self._take(table, "ante", table.stake)
        return ThreeCardState()

    def _take(self, table: HouseSetup | HouseTurn, bet: str, stake: int) -> None:
        kind, _ = BETS[bet]
        most = rules.return_max(kind, stake, table.super_mode)
        is_fixed = bet == "progressive"  # one chip, whatever the table's limits are
        table.take(bet, stake, most=most, boosted=kind == rules.ANTE, fixed=is_fixed)

    # Before the deal.

    @action(phase="deal", opcode=3)
    def pair_plus(self, state: ThreeCardState, turn: HouseTurn, stake: SideStake) -> ThreeCardState:
        """Bet that your own cards are a pair or better. The stake replaces one laid before; 0 takes it back."""
        self._lay(turn, pair_plus=stake)
        return state

    @action(phase="deal", opcode=5)
    def six_card(self, state: ThreeCardState, turn: HouseTurn, stake: SideStake) -> ThreeCardState:
        """Bet that your cards and the dealer's hold three of a kind or better. The stake replaces one laid before."""
        self._lay(turn, six_card=stake)
        return state

    @action(phase="deal", opcode=6)
    def progressive(self, state: ThreeCardState, turn: HouseTurn, stake: SideStake) -> ThreeCardState:
        """Bet one chip that your own cards are a straight or better; 0 takes it back."""
        self._lay(turn, progressive=stake)
        return state

    def _lay(self, turn: HouseTurn, **stakes: int) -> None:
        """Put these stakes on side bets in place of what lies there."""
        if stakes.get("progressive", 0) > rules.PROGRESSIVE_STAKE:
            sentence = f"stake {stakes['progressive']} on progressive: it takes one chip, or 0 for none"
            refuse("progressive_stake", sentence)
        for bet in stakes:  # all of them first: what is taken back pays for what is laid
            if turn.stake_on(bet):
                turn.withdraw(bet)
        for bet, stake in stakes.items():
            if stake:
                self._take(turn, bet, stake)

    @action(phase="deal", opcode=2)
    def deal(self, state: ThreeCardState, turn: HouseTurn) -> ThreeCardState:
        """Get your three cards, with the side bets as they lie."""
        return self._deal(state, turn)

    @action(phase="deal", opcode=7)
    def deal_with(
        self, state: ThreeCardState, turn: HouseTurn, pair_plus: SideStake, six_card: SideStake, progressive: SideStake
    ) -> ThreeCardState:
        """Lay all three side bets, in place of any laid before, and get your cards."""
        self._lay(turn, pair_plus=pair_plus, six_card=six_card, progressive=progressive)
        return self._deal(state, turn)

    def _deal(self, state: ThreeCardState, turn: HouseTurn) -> ThreeCardState:
        pack = [0] * rules.PACK_SIZE
        dealt = rules.deal(turn.rng, pack, rules.fill_pack(pack))
        turn.events.set_phase("decide")
        return replace(state, player=dealt)

    # With the cards in hand.

    @action(phase="decide", opcode=0)
    def play(self, state: ThreeCardState, turn: HouseTurn) -> ThreeCardState:
        """Stake as much again as the Ante on your hand."""
        self._take(turn, "play", state.stake)
        turn.events.set_phase("reveal")
        return state

    @action(phase="decide", opcode=1)
    def fold(self, state: ThreeCardState, turn: HouseTurn) -> ThreeCardState:
        """Give up the Ante. The dealer's hand is drawn all the same, for the side bets."""
        return self._finish(state, turn, folded=True)

    @action(phase="reveal", opcode=4)
    def reveal(self, state: ThreeCardState, turn: HouseTurn) -> ThreeCardState:
        """Draw the dealer's hand, and compare."""
        return self._finish(state, turn, folded=False)

    def _finish(self, state: ThreeCardState, turn: HouseTurn, folded: bool) -> ThreeCardState:
        pack = [0] * rules.DEALER_PACK_SIZE
        dealer = rules.deal(turn.rng, pack, rules.fill_dealer_pack(pack, *state.player))
        rank, qualifier = rank3(*state.player), QUALIFIERS[turn.options.qualifier]
        found = rules.FOLDED if folded else rules.outcome(rank, rank3(*dealer), qualifier)
        six_rank = rank6(*(*state.player, *dealer))
        marked = [lit.id for lit in turn.light()]
        for bet in BETS:
            lying = turn.stake_on(bet)
            if lying is None:
                continue
            if bet == "ante" and turn.super_mode:
                boost = rules.boost_of(marked, len(marked), rank, *state.player)
                turn.settle(bet, rules.super_ante_return(lying.stake, found, rank, boost))
            else:
                kind, _ = BETS[bet]
                turn.settle(bet, rules.bet_return(kind, lying.stake, found, rank, suit(state.player[0]), six_rank))
        turn.finish()
        return replace(state, dealer=dealer, outcome=OUTCOMES[found])

    def legal(self, state: ThreeCardState, turn: Turn) -> Iterator[Action]:
        if turn.phase != "deal":
            yield from (act("play"), act("fold"), act("reveal"))
            return
        yield act("deal")
        yield act("deal_with", pair_plus=10, six_card=10, progressive=1)
        laid = {stake.bet for stake in state.money.open}
        for bet in SIDE_BETS:
            for stake in (1,) if bet == "progressive" else (1, 10):
                yield act(bet, stake=stake)
            if bet in laid:
                yield act(bet, stake=0)

    def ranges(self, state: ThreeCardState, turn: Turn) -> dict[str, dict[str, Range]]:
        if turn.phase != "deal":
            return {}
        sides = {bet: Range(0, 1 if bet == "progressive" else self.stake_limits[1]) for bet in SIDE_BETS}
        return {**{bet: {"stake": span} for bet, span in sides.items()}, "deal_with": sides}

    def auto_action(self, state: ThreeCardState, turn: Turn) -> Action:
        """Deal, fold, reveal: nobody who is away stakes more."""
        return act({"deal": "deal", "decide": "fold", "reveal": "reveal"}[turn.phase])

    # The coach.

    def advise(
        self, view: MatchView[ThreeCardState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value each action by the chips that the session then wins on average, under best play and without fees.

        Before the deal that is all the bets as they would lie; afterwards it is Ante and Play, because the side bets
        come to the same whatever is chosen.
        """
        if objective not in ("", *self.objectives):
            raise BadOptions(f"objective {objective!r}: {' or '.join(self.objectives)}", "$.objective")
        return coach.advise(view, legal)

    def situation(self, text: str, options: Any = None) -> Match[ThreeCardState]:
        """Return a session with an Ante of one chip, in which these cards were dealt."""
        try:
            cards = tuple(parse_card(name) for name in text.replace(",", " ").split())
        except KitError as error:
            raise BadOptions(f"{text!r} is not a situation ({error}); give {self.situation_help}") from None
        if len(set(cards)) != rules.HAND_SIZE or len(cards) != rules.HAND_SIZE:
            raise BadOptions(f"{text!r} is not a situation; give {self.situation_help}")
        match = create_match(self, ["you"], seed=b"", options=options, host=Terms(1))
        return replace(match, game=replace(match.game, player=cards), turn=replace(match.turn, phase="decide"))

    # Simulation.

    def usual_bets(self) -> Mapping[str, int]:
        return {"ante": 10}

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a round is simulated: bets are `ante` and, if wanted, side bets; `best` is the usual policy.

        Play is no bet of the opening and has no line; it is in what is staked and returned in all.
        """
        chosen: ThreeCardOptions = self.read_options(options)
        name = next((known for known in POLICIES if known == (policy or self.usual_policy)), None)
        if name is None:
            raise BadOptions(f"{self.name} has no policy {policy!r}; there are {', '.join(POLICIES)}")
        return self._plan(name, bets, chosen, super_mode)

    def plan_strategy(
        self, strategy: LowestHand, bets: Mapping[str, int], options: Any = None, super_mode: bool = False
    ) -> Plan:
        """Return how a round is simulated for a player with a lowest hand of their own, read as `Strategy`."""
        return self._plan(strategy, bets, self.read_options(options), super_mode)

    def _plan(
        self, name: Policy | LowestHand, bets: Mapping[str, int], chosen: ThreeCardOptions, super_mode: bool
    ) -> Plan:
        if "ante" not in bets or not set(bets) <= {"ante", *SIDE_BETS}:
            raise BadOptions(f"a round has the bet ante, and {', '.join(SIDE_BETS)} if wanted; got {', '.join(bets)}")
        for bet, stake in bets.items():
            largest = rules.PROGRESSIVE_STAKE if bet == "progressive" else rules.STAKE_MAX
            check_stake(bet, stake, largest, super_mode and bet == "ante")
        stakes = {bet: bets[bet] for bet in ("ante", *SIDE_BETS) if bet in bets}
        played = policies.hands_played(name, chosen, super_mode)
        return Plan(
            step=kernel.step,
            first_move=SUPER_MOVE if super_mode else kernel.DEAL_MOVE,
            bets=tuple(stakes),
            kinds=tuple(BETS[bet][0] for bet in stakes),
            numbers=tuple(BETS[bet][1] for bet in stakes),
            stakes=tuple(stakes.values()),
            options=(QUALIFIERS[chosen.qualifier], int(super_mode), *played),
            work_size=kernel.WORK_SIZE,
            terms=Terms(bets["ante"], super_mode),
            policy=partial(_play, name, {bet: bets.get(bet, 0) for bet in SIDE_BETS}),
            facts=self.facts,
            opening_stake=bets["ante"],
        )

    def facts(self, state: ThreeCardState) -> tuple[int, ...]:
        """Return what decided a finished session: the player's cards, the dealer's, and the outcome's number."""
        assert state.outcome is not None
        return (*state.player, *state.dealer, OUTCOMES.index(state.outcome))

    # Text.

    def describe(self, action: Action, before: Match[ThreeCardState], after: Match[ThreeCardState]) -> str:
        if after.result is not None and after.game.outcome:
            return f"{outcome_words(after.game, after.options)}; {after.result.reason}"
        if len(after.game.player) > len(before.game.player):
            return dealt_words(after.game)
        return super().describe(action, before, after)

    def render(self, view: MatchView[ThreeCardState]) -> str:
        return render_cards(view)
