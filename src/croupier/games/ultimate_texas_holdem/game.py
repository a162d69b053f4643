"""Ultimate texas hold'em: Ante and Blind, two cards, and one raise, the larger the earlier it comes.

The Ante is the stake the session opens with, and a Blind of the same size is taken with it. Side bets are laid, changed
or taken back until the cards are dealt, and are decided even where the player folds.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta
from msgspec.structs import replace

from croupier.engine import Action, Advice, Bot, Match, MatchView, Range, Setup, Turn, act, action, create_match, refuse
from croupier.errors import BadOptions
from croupier.games.ultimate_texas_holdem import coach, kernel, odds, rules
from croupier.games.ultimate_texas_holdem.bets import BETS, POLICIES, SIDE_BETS
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.render import dealt_words, outcome_words, render_cards
from croupier.games.ultimate_texas_holdem.tables import guide
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
from croupier.kit.cards import parse_card
from croupier.kit.errors import KitError
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE

__all__ = ["HoldemState", "Outcome", "UltimateTexasHoldem"]

# The position of a word is its number in `rules`.
Outcome = Literal["folded", "lost", "lost_unqualified", "tied", "won_unqualified", "won"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

SideStake = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]


class HoldemState(HouseState, frozen=True):
    """The cards on the table in the order drawn, the Antes bet on Play, and how the round ended."""

    hole: tuple[int, ...] = ()
    board: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    """Four more cards, drawn for the six-card bet alone."""
    play: int = 0
    outcome: Outcome | None = None

    @property
    def cards(self) -> tuple[int, ...]:
        """All cards, in the order of `rules`."""
        return (*self.hole, *self.board, *self.dealer, *self.extra)


def _play(policy: int, side: Mapping[str, int], view: MatchView[Any], legal: Any, rng: GameRng) -> Action:
    """Deal with the side bets given, then bet as the policy says."""
    if view.turn.phase == "deal":
        return act("deal_with", **side) if side else act("deal")
    if view.turn.phase == "reveal":
        return act("reveal")
    cards = view.game.cards
    multiple = rules.choose(cards, len(cards), guide(view.options, policy), [0] * rules.SHOWDOWN_WORK)
    return act(f"play_{multiple}x" if multiple else "fold" if view.turn.phase == "river" else "check")


BOTS: dict[str, Bot] = {name: partial(_play, policy, {}) for name, policy in POLICIES.items()}


class UltimateTexasHoldem(HouseGame[HoldemState]):
    """Ultimate texas hold'em with Trips, Six-Card Bonus and Progressive."""

    id, name = "ultimate-texas-holdem", "Ultimate Texas Hold'em"
    description = "Two cards and a board of five: raise once, the earlier the more, and beat the dealer."
    category = "card"
    tags = ("casino", "cards", "poker")
    game_type = GameType.ULTIMATE_HOLDEM
    stake_limits = (1, 5_000)
    lights = LitKind.RANK, rules.generate
    starting_phase = "deal"
    Options = HoldemOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    bots = BOTS
    usual_policy = "best"
    objectives = ("profit",)
    situation_help = "your two cards, then the board if it is there, such as KS 7D or KS 7D:QH 7C 2S"

    def setup(self, table: Setup) -> HoldemState:
        assert isinstance(table, HouseSetup)
        self._take(table, "ante", table.stake)
        self._take(table, "blind", table.stake)
        return HoldemState()

    def _take(self, table: HouseSetup | HouseTurn, bet: str, stake: int) -> None:
        kind, _ = BETS[bet]
        most = rules.return_max(kind, stake, table.super_mode)
        # Play goes by the Ante, and the Progressive takes one chip, whatever the table's limits are.
        is_fixed = bet in ("play", "progressive")
        table.take(bet, stake, most=most, boosted=kind == rules.ANTE, fixed=is_fixed)

    # Before the deal.

    @action(phase="deal", opcode=6)
    def trips(self, state: HoldemState, turn: HouseTurn, stake: SideStake) -> HoldemState:
        """Bet that your own hand is three of a kind or better. The stake replaces one laid before; 0 takes it back."""
        self._set(turn, "trips", stake)
        return state

    @action(phase="deal", opcode=9)
    def six_card(self, state: HoldemState, turn: HouseTurn, stake: SideStake) -> HoldemState:
        """Bet on your two cards with four extra ones: three of a kind or better. The stake replaces one laid before."""
        self._set(turn, "six_card", stake)
        return state

    @action(phase="deal", opcode=10)
    def progressive(self, state: HoldemState, turn: HouseTurn, stake: SideStake) -> HoldemState:
        """Bet one chip that your two cards and the flop are three of a kind or better; 0 takes it back."""
        self._set(turn, "progressive", stake)
        return state

    def _set(self, turn: HouseTurn, bet: str, stake: int) -> None:
        if bet == "progressive" and stake > rules.PROGRESSIVE_STAKE:
            refuse("progressive_stake", f"stake {stake} on progressive: it takes one chip, or 0 for none")
        if turn.stake_on(bet):
            turn.withdraw(bet)
        if stake:
            self._take(turn, bet, stake)

    @action(phase="deal", opcode=5)
    def deal(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Get your two cards, with the side bets as they lie."""
        turn.events.set_phase("preflop")
        return self._draw(state, turn, rules.HOLE_KNOWN)

    @action(phase="deal", opcode=11)
    def deal_with(
        self, state: HoldemState, turn: HouseTurn, trips: SideStake, six_card: SideStake, progressive: SideStake
    ) -> HoldemState:
        """Lay all three side bets, in place of any laid before, and get your two cards."""
        for bet, stake in zip(SIDE_BETS, (trips, six_card, progressive), strict=True):
            self._set(turn, bet, stake)
        turn.events.set_phase("preflop")
        return self._draw(state, turn, rules.HOLE_KNOWN)

    def _draw(self, state: HoldemState, turn: HouseTurn, wanted: int) -> HoldemState:
        """Return the state with so many cards drawn."""
        cards, known = [0] * wanted, len(state.cards)
        cards[:known] = state.cards
        rules.deal(turn.rng, cards, known, wanted, [0] * rules.PACK_SIZE)
        return replace(
            state,
            hole=tuple(cards[: rules.HOLE_KNOWN]),
            board=tuple(cards[rules.HOLE_KNOWN : rules.BOARD_KNOWN]),
            dealer=tuple(cards[rules.BOARD_KNOWN : rules.DEALER_KNOWN]),
            extra=tuple(cards[rules.DEALER_KNOWN :]),
        )

    # With cards in hand.

    @action(phase=("preflop", "flop"), opcode=0)
    def check(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Bet nothing now: see the flop, and after it the last two cards of the board."""
        turn.events.set_phase("flop" if turn.phase == "preflop" else "river")
        return self._draw(state, turn, rules.next_known(len(state.cards)))

    @action(phase="preflop", opcode=1)
    def play_4x(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Bet four times the Ante on Play, before the flop."""
        if not turn.options.play_4x:
            refuse("raise_not_offered", "this table does not take four times the Ante before the flop")
        return self._raise(state, turn, 4)

    @action(phase="preflop", opcode=8)
    def play_3x(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Bet three times the Ante on Play, before the flop."""
        if not turn.options.play_3x:
            refuse("raise_not_offered", "this table does not take three times the Ante before the flop")
        return self._raise(state, turn, 3)

    @action(phase="flop", opcode=2)
    def play_2x(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Bet twice the Ante on Play, on the flop."""
        return self._raise(state, turn, 2)

    @action(phase="river", opcode=3)
    def play_1x(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Bet as much as the Ante on Play, with the whole board on the table."""
        return self._raise(state, turn, 1)

    def _raise(self, state: HoldemState, turn: HouseTurn, multiple: int) -> HoldemState:
        self._take(turn, "play", multiple * state.stake)
        turn.events.set_phase("reveal")
        return replace(state, play=multiple)

    @action(phase="river", opcode=4)
    def fold(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Give up Ante and Blind. The dealer's cards are drawn all the same, and side bets are decided."""
        return self._finish(state, turn)

    @action(phase="reveal", opcode=7)
    def reveal(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        """Draw what is missing of the board and the dealer's cards, and compare."""
        return self._finish(state, turn)

    def _finish(self, state: HoldemState, turn: HouseTurn) -> HoldemState:
        shown = self._draw(state, turn, rules.EXTRA_KNOWN if turn.stake_on("six_card") else rules.DEALER_KNOWN)
        rank, ending = rules.player_rank(shown.cards), rules.FOLDED
        if state.play:
            dealer = rules.dealer_rank(shown.cards)
            ending = rules.compare(rank, dealer, turn.options.dealer_qualifies == "pair")
        marked = [lit.id for lit in turn.light()]
        for bet, (kind, _) in BETS.items():
            lying = turn.stake_on(bet)
            if lying is None:
                continue
            if bet == "ante" and turn.super_mode:
                boost = rules.boost_of(rank, shown.hole, marked, len(marked))
                turn.settle(bet, rules.super_ante_return(lying.stake, ending, boost))
            else:
                turn.settle(bet, rules.bet_return(kind, lying.stake, ending, rules.category_for(kind, shown.cards)))
        turn.finish()
        return replace(shown, outcome=OUTCOMES[ending])

    # What can be done, and what it is worth.

    def legal(self, state: HoldemState, turn: Turn) -> Iterator[Action]:
        if turn.phase != "deal":
            for name in ("check", "play_4x", "play_3x", "play_2x", "play_1x", "fold", "reveal"):
                yield act(name)
            return
        yield act("deal")
        yield act("deal_with", trips=10, six_card=10, progressive=1)
        laid = {stake.bet for stake in state.money.open}
        for bet in SIDE_BETS:
            for stake in (1,) if bet == "progressive" else (1, 10):
                yield act(bet, stake=stake)
            if bet in laid:
                yield act(bet, stake=0)

    def ranges(self, state: HoldemState, turn: Turn) -> dict[str, dict[str, Range]]:
        if turn.phase != "deal":
            return {}
        sides = {bet: Range(0, 1 if bet == "progressive" else self.stake_limits[1]) for bet in SIDE_BETS}
        return {**{bet: {"stake": span} for bet, span in sides.items()}, "deal_with": sides}

    def auto_action(self, state: HoldemState, turn: Turn) -> Action:
        """Deal, check, fold; reveal where Play is bet. Nobody who is away stakes more."""
        return act({"deal": "deal", "river": "fold", "reveal": "reveal"}.get(turn.phase, "check"))

    def advise(
        self, view: MatchView[HoldemState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value each action by the Antes that are then won on average, under best play; see `coach`."""
        if objective not in ("", *self.objectives):
            raise BadOptions(f"objective {objective!r}: {' or '.join(self.objectives)}", "$.objective")
        return coach.advise(view, legal)

    def situation(self, text: str, options: Any = None) -> Match[HoldemState]:
        """Return a session in which these cards were dealt, and nothing was bet yet."""
        hole, _, board = text.partition(":")
        try:
            parts = [tuple(parse_card(name) for name in part.replace(",", " ").split()) for part in (hole, board)]
        except KitError as error:
            raise BadOptions(f"{text!r} is not a situation ({error}); give {self.situation_help}") from None
        cards = (*parts[0], *parts[1])
        phases = {0: "preflop", 3: "flop", 5: "river"}
        if len(parts[0]) != 2 or len(parts[1]) not in phases or len(set(cards)) != len(cards):
            raise BadOptions(f"{text!r} is not a situation; give {self.situation_help}")
        match = create_match(self, ["you"], seed=b"", options=options, host=Terms(2))
        state = replace(match.game, hole=parts[0], board=parts[1])
        return replace(match, game=state, turn=replace(match.turn, phase=phases[len(parts[1])]))

    # Simulation.

    def usual_bets(self) -> Mapping[str, int]:
        return {"ante": 10}

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a round is simulated: bets are `ante` and, if wanted, side bets; `best` is the usual policy.

        A Blind as large as the Ante is laid with it. It and Play have no lines; they are in what is staked and returned
        in all.
        """
        chosen: HoldemOptions = self.read_options(options)
        policy = policy or self.usual_policy
        if policy not in POLICIES:
            raise BadOptions(f"{self.name} has no policy {policy!r}; there are {', '.join(POLICIES)}")
        if "ante" not in bets or not set(bets) <= {"ante", *SIDE_BETS}:
            raise BadOptions(f"a round has the bet ante, and {', '.join(SIDE_BETS)} if wanted; got {', '.join(bets)}")
        for bet, stake in bets.items():
            largest = rules.PROGRESSIVE_STAKE if bet == "progressive" else rules.STAKE_MAX
            check_stake(bet, stake, largest, super_mode and bet == "ante")
        stakes = {bet: bets[bet] for bet in ("ante", *SIDE_BETS) if bet in bets}
        side = {bet: bets.get(bet, 0) for bet in SIDE_BETS}
        return Plan(
            step=kernel.step,
            first_move=SUPER_MOVE if super_mode else kernel.DEAL_MOVE,
            bets=tuple(stakes),
            kinds=tuple(BETS[bet][0] for bet in stakes),
            numbers=tuple(BETS[bet][1] for bet in stakes),
            stakes=tuple(stakes.values()),
            options=guide(chosen, POLICIES[policy], super_mode),
            work_size=kernel.WORK_SIZE,
            terms=Terms(bets["ante"], super_mode),
            policy=partial(_play, POLICIES[policy], side),
            facts=self.facts,
            opening_stake=bets["ante"],
        )

    def facts(self, state: HoldemState) -> tuple[int, ...]:
        """Return what decided a finished session: the cards, the Antes bet on Play, and the outcome's number."""
        assert state.outcome is not None
        missing = (-1,) * (rules.EXTRA_KNOWN - len(state.cards))
        return (*state.cards, *missing, state.play, OUTCOMES.index(state.outcome))

    # Text.

    def describe(self, action: Action, before: Match[HoldemState], after: Match[HoldemState]) -> str:
        if after.result is not None and after.game.outcome:
            return f"{outcome_words(after.game)}; {after.result.reason}"
        if len(after.game.cards) > len(before.game.cards):
            return dealt_words(after.game, after.options)
        return super().describe(action, before, after)

    def render(self, view: MatchView[HoldemState]) -> str:
        return render_cards(view)
