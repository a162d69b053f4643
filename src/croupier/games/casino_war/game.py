"""Casino war: one card each, and the higher wins; on a tie give up half the bet, or raise it and go to war.

The main bet is the stake the session opens with. A tie bet may be laid, changed or taken back until the cards are
dealt; equal first cards settle it at once, whatever happens to the main bet afterwards.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, get_args

from msgspec.structs import replace

from croupier.engine import Action, Bot, Match, MatchView, Range, Setup, Turn, act, action
from croupier.games.casino_war import odds, rules
from croupier.games.casino_war.bets import BETS
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.games.casino_war.render import outcome_words, render_cards
from croupier.house import GameType, HouseSetup, HouseState, HouseTurn, LitKind, Plan
from croupier.house.card_game import CardGame, SideStake, decision
from croupier.house.card_round import card_steps
from croupier.rng import GameRng

__all__ = ["CasinoWar", "Outcome", "WarState"]

# The position of a word is its number in `rules`.
Outcome = Literal["lost", "won", "tied", "surrendered", "war_lost", "war_won", "war_tied"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class WarState(HouseState, frozen=True):
    """The cards of both sides in the order dealt, one each and another in a war, and how the round stands."""

    player: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    outcome: Outcome | None = None


def _play(answer: str, tie_stake: int, view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Lay the tie bet if there is to be one, deal, and answer a tie always in the same way."""
    if view.turn.phase == "war":
        return act(answer)
    has_tie_bet = any(stake.bet == "tie" for stake in view.game.money.open)
    return act("tie_bet", stake=tie_stake) if tie_stake and not has_tie_bet else act("play")


# What each policy of `odds` answers to a tie.
ANSWERS: dict[str, str] = {"always_war": "war", "always_surrender": "surrender"}
BOTS: dict[str, Bot] = {policy: partial(_play, answer, 0) for policy, answer in ANSWERS.items()}


class CasinoWar(CardGame[WarState]):
    """Casino war from six decks, ace high, with a tie bet."""

    id, name = "casino-war", "Casino War"
    description = "One card each, and the higher wins. On a tie: surrender half, or go to war."
    category = "card"
    tags = ("casino", "cards")
    game_type = GameType.CASINO_WAR
    stake_limits = (1, 5_000)
    lights = LitKind.RANK, rules.generate
    starting_phase = "deal"
    Options = CasinoWarOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    bots = BOTS
    usual_policy = "always_war"
    steps = card_steps(rules)
    card_fields = ("player", "dealer")
    bets = BETS
    opening_bet, side_bets, early_bets = "main", ("tie",), ("tie",)
    round_phases = ("deal", "war")
    choices: ClassVar = {"war": rules.WAR, "surrender": rules.SURRENDER}
    has_edge_by_opening = False
    step_stake_max = rules.STAKE_MAX

    def card_copies(self, options: CasinoWarOptions) -> int:
        return rules.DECKS

    def setup(self, table: Setup) -> WarState:
        assert isinstance(table, HouseSetup)
        self.open_bets(table)
        return WarState()

    def most_returned(self, bet: str, stake: int, options: CasinoWarOptions, super_mode: bool) -> int:
        return rules.return_max(BETS[bet][0], stake, options.tie_pays, options.second_tie_bonus, super_mode)

    @action(phase="deal", opcode=3)
    def tie_bet(self, state: WarState, turn: HouseTurn, stake: SideStake) -> WarState:
        """Lay a bet on equal first cards. The stake replaces one laid before; 0 takes it back."""
        self.lay(turn, tie=stake)
        return state

    @action(phase="deal", opcode=0)
    def play(self, state: WarState, turn: HouseTurn) -> WarState:
        """Deal one card each and compare them."""
        return self.dealt(state, turn)

    surrender = decision(rules.SURRENDER, "war", 2, "Give up half the main bet and end the round.")
    war = decision(
        rules.WAR, "war", 1, "Raise by as much as the main bet, burn three cards, and compare one more card each."
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

    def kernel_options(self, options: CasinoWarOptions, super_mode: bool, bets: Collection[str]) -> tuple[int, ...]:
        return int(super_mode), options.tie_pays, int(options.second_tie_bonus)

    # What can be done.

    def legal(self, state: WarState, turn: Turn) -> Iterator[Action]:
        if turn.phase == "war":
            yield from super().legal(state, turn)
            return
        yield act("play")
        yield act("tie_bet", stake=1)
        yield act("tie_bet", stake=10)
        if any(stake.bet == "tie" for stake in state.money.open):
            yield act("tie_bet", stake=0)

    def ranges(self, state: WarState, turn: Turn) -> dict[str, dict[str, Range]]:
        return {"tie_bet": {"stake": Range(0, self.stake_limits[1])}} if turn.phase == "deal" else {}

    def auto_action(self, state: WarState, turn: Turn) -> Action:
        """Deal, and surrender on a tie.

        War costs less on average, but it takes chips that the player never put on the table, and may not have; nobody
        who is away loses more than they had staked.
        """
        return act("surrender" if turn.phase == "war" else "play")

    # Simulation.

    def plan(self, bets: Mapping[str, int], policy: str = "", options: Any = None, super_mode: bool = False) -> Plan:
        """Return how a round is simulated: bets are `main` and, if wanted, `tie`; `always_war` is the usual policy.

        The raise is no bet of the opening and has no line; it is in what is staked and returned in all.
        """
        chosen: CasinoWarOptions = self.read_options(options)
        answer = ANSWERS[self.policy_named(policy)]
        play = partial(_play, answer, bets.get("tie", 0))
        return self.plan_round(bets, chosen, super_mode, (self.choices[answer],), play)

    # Text.

    def describe(self, action: Action, before: Match[WarState], after: Match[WarState]) -> str:
        if after.game.outcome == before.game.outcome:
            return super().describe(action, before, after)
        lines = after.game.money.lines[len(before.game.money.lines) :]
        ending = f"; {after.result.reason}" if after.result else "; surrender half, or go to war?"
        return outcome_words(after.game, lines) + ending

    def render(self, view: MatchView[WarState]) -> str:
        return render_cards(view)
