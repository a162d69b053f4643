"""Three card poker: an Ante and three cards; fold them, or play them for as much again against the dealer's three.

The Ante is the stake the session opens with. Side bets are laid, changed or taken back until the cards are dealt, and
are decided even where the player folds: the dealer's hand is drawn for them.
"""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Literal, get_args

from msgspec.structs import replace

from croupier.engine import Action, Advice, Match, MatchView, action, create_match
from croupier.games.three_card_poker import coach, odds, policies, rules
from croupier.games.three_card_poker.bets import BETS, QUALIFIERS, SIDE_BETS
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.games.three_card_poker.policies import POLICIES, LowestHand, Policy
from croupier.games.three_card_poker.render import dealt_words, outcome_words, render_cards
from croupier.house import GameType, HouseState, HouseTurn, LitKind, Terms
from croupier.house.card_game import CardGame, SideStake, dealing, decision, side_bet
from croupier.house.card_round import card_steps
from croupier.rounds import DONE, PHASE

# The position of a word is its number in `rules`.
Outcome = Literal["folded", "not_qualified", "won", "tied", "lost"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class ThreeCardState(HouseState, frozen=True):
    """The cards of both sides in the order drawn, and how the round ended."""

    player: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    outcome: Outcome | None = None


class ThreeCardPoker(CardGame[ThreeCardState]):
    """Three card poker with Pair Plus, Six-Card Bonus and Progressive."""

    id, name = "three-card-poker", "Three Card Poker"
    description = "Three cards each: fold, or play for as much again against a dealer who must qualify."
    tags = ("casino", "cards", "poker")
    game_type = GameType.THREE_CARD
    stake_limits = (1, 5_000)
    lights = LitKind.SUIT, rules.generate
    Options = ThreeCardOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    Strategy = LowestHand
    policies, usual_policy = POLICIES, "best"
    objectives = ("profit",)
    situation_help = "the three cards you hold, such as QS 6H 4D"

    steps = card_steps(rules)
    card_fields = ("player", "dealer")
    bets, side_bets, fixed_bets = BETS, SIDE_BETS, ("progressive",)
    round_phases = ("deal", "decide", "reveal")
    choices: ClassVar = {"play": rules.RAISE, "fold": rules.FOLD, "reveal": rules.REVEAL}
    away: ClassVar = {"deal": "deal", "decide": "fold", "reveal": "reveal"}

    def most_returned(self, bet: str, stake: int, options: ThreeCardOptions, super_mode: bool) -> int:
        return rules.return_max(BETS[bet][0], stake, super_mode)

    # Before the deal.

    pair_plus = side_bet(
        "pair_plus",
        3,
        "Bet that your own cards are a pair or better. The stake replaces one laid before; 0 takes it back.",
    )
    six_card = side_bet(
        "six_card",
        5,
        "Bet that your cards and the dealer's hold three of a kind or better. The stake replaces one laid before.",
    )
    progressive = side_bet(
        "progressive", 6, "Bet one chip that your own cards are a straight or better; 0 takes it back."
    )
    deal = dealing(2, "Get your three cards, with the side bets as they lie.")

    @action(phase="deal", opcode=7)
    def deal_with(
        self, state: ThreeCardState, turn: HouseTurn, pair_plus: SideStake, six_card: SideStake, progressive: SideStake
    ) -> ThreeCardState:
        """Lay all three side bets, in place of any laid before, and get your cards."""
        self.lay(turn, pair_plus=pair_plus, six_card=six_card, progressive=progressive)
        return self.dealt(state, turn)

    # With the cards in hand.

    play = decision(rules.RAISE, "decide", "Stake as much again as the Ante on your hand.", 0)
    fold = decision(
        rules.FOLD, "decide", "Give up the Ante. The dealer's hand is drawn all the same, for the side bets.", 1
    )
    reveal = decision(rules.REVEAL, "reveal", "Draw the dealer's hand, and compare.", 4)

    def with_hand(self, state: ThreeCardState, hand: Sequence[int]) -> ThreeCardState:
        dealt = replace(state, player=tuple(hand[: rules.DEALER]))
        if hand[PHASE] != DONE:
            return dealt
        return replace(dealt, dealer=tuple(hand[rules.DEALER : rules.ENDING]), outcome=OUTCOMES[hand[rules.ENDING]])

    def facts(self, state: ThreeCardState) -> tuple[int, ...]:
        """Return the player's cards, the dealer's, and the outcome's number; zeros for what is not known yet."""
        ending = OUTCOMES.index(state.outcome) if state.outcome else 0
        return (*state.player, *(state.dealer or (0,) * rules.HAND_SIZE), ending)

    def kernel_options(self, options: ThreeCardOptions, super_mode: bool, bets: Collection[str]) -> tuple[int, ...]:
        return int(super_mode), QUALIFIERS[options.qualifier]

    # The coach.

    def advise(
        self, view: MatchView[ThreeCardState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value each action by the chips that the session then wins on average, under best play and without fees.

        Before the deal that is all the bets as they would lie; afterwards it is Ante and Play, because the side bets
        come to the same whatever is chosen.
        """
        self.objective_named(objective)
        return coach.advise(view, legal)

    def situation(self, text: str, options: Any = None) -> Match[ThreeCardState]:
        """Return a session with an Ante of one chip, in which these cards were dealt."""
        (cards,) = self.situation_cards(text, (rules.HAND_SIZE,))
        match = create_match(self, ["you"], seed=b"", options=options, host=Terms(1))
        return replace(match, game=replace(match.game, player=cards), turn=replace(match.turn, phase="decide"))

    # Simulation.

    def policy_numbers(
        self, policy: Policy | LowestHand, options: ThreeCardOptions, super_mode: bool
    ) -> tuple[int, ...]:
        """Return the hands that a policy plays."""
        return policies.hands_played(policy, options, super_mode)

    # Text.

    def describe(self, action: Action, before: Match[ThreeCardState], after: Match[ThreeCardState]) -> str:
        if after.result is not None and after.game.outcome:
            return f"{outcome_words(after.game, after.options)}; {after.result.reason}"
        if len(after.game.player) > len(before.game.player):
            return dealt_words(after.game)
        return super().describe(action, before, after)

    def render(self, view: MatchView[ThreeCardState]) -> str:
        return render_cards(view)
