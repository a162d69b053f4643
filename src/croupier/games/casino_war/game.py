"""Casino war: one card each, and the higher wins; on a tie give up half the bet, or raise it and go to war.

The main bet is the stake the session opens with. A tie bet may be laid, changed or taken back until the cards are
dealt; equal first cards settle it at once, whatever happens to the main bet afterwards.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, get_args

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView
from croupier.games.casino_war import odds, rules
from croupier.games.casino_war.bets import BETS
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.games.casino_war.render import outcome_words, render_cards
from croupier.house import GameType, HouseState, LitKind
from croupier.house.card_game import CardGame, dealing, decision, side_bet
from croupier.house.card_round import card_steps

# The position of a word is its number in `rules`.
Outcome = Literal["lost", "won", "tied", "surrendered", "war_lost", "war_won", "war_tied"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class WarState(HouseState, frozen=True):
    """The cards of both sides in the order dealt, one each and another in a war, and how the round stands."""

    player: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    outcome: Outcome | None = None


# What each policy of `odds` answers to a tie.
ANSWERS: dict[str, str] = {"always_war": "war", "always_surrender": "surrender"}


class CasinoWar(CardGame[WarState]):
    """Casino war from six decks, ace high, with a tie bet."""

    id, name = "casino-war", "Casino War"
    description = "One card each, and the higher wins. On a tie: surrender half, or go to war."
    game_type = GameType.CASINO_WAR
    stake_limits = (1, 5_000)
    lights = LitKind.RANK, rules.generate
    Options = CasinoWarOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    policies, usual_policy = ANSWERS, "always_war"
    steps = card_steps(rules)
    card_fields = ("player", "dealer")
    bets = BETS
    side_bets = early_bets = ("tie",)
    side_actions: ClassVar = {"tie": "tie_bet"}
    round_phases = ("deal", "war")
    choices: ClassVar = {"war": rules.WAR, "surrender": rules.SURRENDER}
    # War costs less on average than to surrender, but takes chips that the player never put on the table.
    away: ClassVar = {"deal": "play", "war": "surrender"}
    has_edge_by_opening = False

    def card_copies(self, options: CasinoWarOptions) -> int:
        return rules.DECKS

    def most_returned(self, bet: str, stake: int, options: CasinoWarOptions, super_mode: bool) -> int:
        return rules.return_max(BETS[bet][0], stake, options.tie_pays, options.second_tie_bonus, super_mode)

    tie_bet = side_bet("tie", 3, "Lay a bet on equal first cards. The stake replaces one laid before; 0 takes it back.")
    play = dealing(0, "Deal one card each and compare them.")

    surrender = decision(rules.SURRENDER, "war", "Give up half the main bet and end the round.", 2)
    war = decision(
        rules.WAR, "war", "Raise by as much as the main bet, burn three cards, and compare one more card each.", 1
    )

    def with_hand(self, state: WarState, hand: Sequence[int]) -> WarState:
        cards = tuple(hand[: rules.ENDING])
        count = 1 if hand[rules.WAR_PLAYER_CARD] == rules.NO_CARD else 2
        return replace(
            state, player=cards[0::2][:count], dealer=cards[1::2][:count], outcome=OUTCOMES[hand[rules.ENDING]]
        )

    def facts(self, state: WarState) -> tuple[int, ...]:
        """Return the first cards, the war cards or -1, and the outcome's number."""
        assert state.outcome is not None
        cards = (state.player[0], state.dealer[0])
        war_cards = (state.player[1], state.dealer[1]) if len(state.player) > 1 else (rules.NO_CARD, rules.NO_CARD)
        return (*cards, *war_cards, OUTCOMES.index(state.outcome))

    def policy_numbers(self, policy: str, options: CasinoWarOptions, super_mode: bool) -> tuple[int, ...]:
        """Return the one decision that a policy always makes."""
        return (self.choices[ANSWERS[policy]],)

    # Text.

    def describe(self, action: Action, before: Match[WarState], after: Match[WarState]) -> str:
        if after.game.outcome == before.game.outcome:
            return super().describe(action, before, after)
        lines = after.game.money.lines[len(before.game.money.lines) :]
        ending = f"; {after.result.reason}" if after.result else "; surrender half, or go to war?"
        return outcome_words(after.game, lines) + ending

    def render(self, view: MatchView[WarState]) -> str:
        return render_cards(view)
