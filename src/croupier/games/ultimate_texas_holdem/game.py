"""Ultimate texas hold'em: Ante and Blind, two cards, and one raise, the larger the earlier it comes.

The Ante is the stake the session opens with, and a Blind of the same size is taken with it. Side bets are laid, changed
or taken back until the cards are dealt, and are decided even where the player folds.
"""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Literal, get_args

from msgspec.structs import replace

from croupier.engine import Action, Advice, Match, MatchView, action, create_match
from croupier.games.ultimate_texas_holdem import coach, odds, rules
from croupier.games.ultimate_texas_holdem.bets import BETS, POLICIES, SIDE_BETS
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.render import dealt_words, outcome_words, render_cards
from croupier.games.ultimate_texas_holdem.tables import guide
from croupier.house import GameType, HouseState, HouseTurn, LitKind, Terms
from croupier.house.card_game import CardGame, SideStake, dealing, decision, side_bet
from croupier.house.card_round import card_steps
from croupier.rounds import DONE, PHASE

# The position of a word is its number in `rules`.
Outcome = Literal["folded", "lost", "lost_unqualified", "tied", "won_unqualified", "won"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


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


class UltimateTexasHoldem(CardGame[HoldemState]):
    """Ultimate texas hold'em with Trips, Six-Card Bonus and Progressive."""

    id, name = "ultimate-texas-holdem", "Ultimate Texas Hold'em"
    description = "Two cards and a board of five: raise once, the earlier the more, and beat the dealer."
    tags = ("casino", "cards", "poker")
    game_type = GameType.ULTIMATE_HOLDEM
    stake_limits = (1, 5_000)
    lights = LitKind.RANK, rules.generate
    Options = HoldemOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    policies, usual_policy = POLICIES, "best"
    objectives = ("profit",)
    situation_help = "your two cards, then the board if it is there, such as KS 7D or KS 7D:QH 7C 2S"

    steps = card_steps(rules)
    card_fields = ("cards",)
    bets, side_bets = BETS, SIDE_BETS
    fixed_bets = ("play", "progressive")  # Play goes by the Ante
    round_phases = ("deal", "preflop", "flop", "river", "reveal")
    choices: ClassVar = {
        "check": rules.CHECK,
        **{f"play_{multiple}x": multiple for multiple in (4, 3, 2, 1)},
        "fold": rules.FOLD,
        "reveal": rules.REVEAL,
    }
    away: ClassVar = {"deal": "deal", "preflop": "check", "flop": "check", "river": "fold", "reveal": "reveal"}

    def most_returned(self, bet: str, stake: int, options: HoldemOptions, super_mode: bool) -> int:
        return rules.return_max(BETS[bet][0], stake, super_mode)

    # Before the deal.

    trips = side_bet(
        "trips",
        6,
        "Bet that your own hand is three of a kind or better. The stake replaces one laid before; 0 takes it back.",
    )
    six_card = side_bet(
        "six_card",
        9,
        "Bet on your two cards with four extra ones: three of a kind or better. The stake replaces one laid before.",
    )
    progressive = side_bet(
        "progressive",
        10,
        "Bet one chip that your two cards and the flop are three of a kind or better; 0 takes it back.",
    )
    deal = dealing(5, "Get your two cards, with the side bets as they lie.")

    @action(phase="deal", opcode=11)
    def deal_with(
        self, state: HoldemState, turn: HouseTurn, trips: SideStake, six_card: SideStake, progressive: SideStake
    ) -> HoldemState:
        """Lay all three side bets, in place of any laid before, and get your two cards."""
        self.lay(turn, trips=trips, six_card=six_card, progressive=progressive)
        return self.dealt(state, turn)

    # With cards in hand.

    check = decision(
        rules.CHECK,
        ("preflop", "flop"),
        "Bet nothing now: see the flop, and after it the last two cards of the board.",
        0,
    )
    play_4x = decision(4, "preflop", "Bet four times the Ante on Play, before the flop.", 1)
    play_3x = decision(3, "preflop", "Bet three times the Ante on Play, before the flop.", 8)
    play_2x = decision(2, "flop", "Bet twice the Ante on Play, on the flop.", 2)
    play_1x = decision(1, "river", "Bet as much as the Ante on Play, with the whole board on the table.", 3)
    fold = decision(
        rules.FOLD,
        "river",
        "Give up Ante and Blind. The dealer's cards are drawn all the same, and side bets are decided.",
        4,
    )
    reveal = decision(
        rules.REVEAL, "reveal", "Draw what is missing of the board and the dealer's cards, and compare.", 7
    )

    def not_offered(self, state: HoldemState, choice: int) -> tuple[str, str]:
        times = {4: "four", 3: "three"}[choice]
        return "raise_not_offered", f"this table does not take {times} times the Ante before the flop"

    def with_hand(self, state: HoldemState, hand: Sequence[int]) -> HoldemState:
        cards = tuple(card for card in hand[: rules.EXTRA_KNOWN] if card != rules.NO_CARD)
        return replace(
            state,
            hole=cards[: rules.HOLE_KNOWN],
            board=cards[rules.HOLE_KNOWN : rules.BOARD_KNOWN],
            dealer=cards[rules.BOARD_KNOWN : rules.DEALER_KNOWN],
            extra=cards[rules.DEALER_KNOWN :],
            play=hand[rules.RAISED],
            outcome=OUTCOMES[hand[rules.ENDING]] if hand[PHASE] == DONE else None,
        )

    def facts(self, state: HoldemState) -> tuple[int, ...]:
        """Return the cards, -1 for those not drawn, the Antes bet on Play, and the outcome's number."""
        missing = (rules.NO_CARD,) * (rules.EXTRA_KNOWN - len(state.cards))
        return (*state.cards, *missing, state.play, OUTCOMES.index(state.outcome) if state.outcome else 0)

    def kernel_options(self, options: HoldemOptions, super_mode: bool, bets: Collection[str]) -> tuple[int, ...]:
        _, needs_pair, _, *offers = options.numbers
        return int(super_mode), needs_pair, int("six_card" in bets), *offers

    # What an action is worth.

    def advise(
        self, view: MatchView[HoldemState], legal: tuple[Action, ...], objective: str = ""
    ) -> tuple[Advice, ...]:
        """Value each action by the Antes that are then won on average, under best play; see `coach`."""
        self.objective_named(objective)
        return coach.advise(view, legal)

    def situation(self, text: str, options: Any = None) -> Match[HoldemState]:
        """Return a session in which these cards were dealt, and nothing was bet yet."""
        phases = {0: "preflop", 3: "flop", 5: "river"}
        hole, *rest = self.situation_cards(text, (2,), *((2, count) for count in phases))
        board = rest[0] if rest else ()
        match = create_match(self, ["you"], seed=b"", options=options, host=Terms(2))
        state = replace(match.game, hole=hole, board=board)
        return replace(match, game=state, turn=replace(match.turn, phase=phases[len(board)]))

    # Simulation.

    def policy_numbers(self, policy: str, options: HoldemOptions, super_mode: bool) -> tuple[int, ...]:
        """Return what a policy bets with every hand, as `tables` has it."""
        return guide(options, POLICIES[policy])[rules.POLICY_AT :]

    # Text.

    def describe(self, action: Action, before: Match[HoldemState], after: Match[HoldemState]) -> str:
        if after.result is not None and after.game.outcome:
            return f"{outcome_words(after.game)}; {after.result.reason}"
        if len(after.game.cards) > len(before.game.cards):
            return dealt_words(after.game, after.options)
        return super().describe(action, before, after)

    def render(self, view: MatchView[HoldemState]) -> str:
        return render_cards(view)
