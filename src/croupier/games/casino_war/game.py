"""Casino war: one card each, and the higher wins; on a tie give up half the bet, or raise it and go to war.

The main bet is the stake the session opens with. A tie bet may be laid, changed or taken back until the cards are
dealt; equal first cards settle it at once, whatever happens to the main bet afterwards.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta
from msgspec.structs import replace

from croupier.engine import Action, Bot, Match, MatchView, Range, Setup, Turn, act, action
from croupier.errors import BadOptions
from croupier.games.casino_war import kernel, odds, rules
from croupier.games.casino_war.bets import BETS
from croupier.games.casino_war.options import CasinoWarOptions
from croupier.games.casino_war.render import outcome_words, render_cards
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
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE

__all__ = ["CasinoWar", "Outcome", "WarState"]

# The position of a word is its number in `rules`.
Outcome = Literal["lost", "won", "tied", "surrendered", "war_lost", "war_won", "war_tied"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

TieStake = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]


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


class CasinoWar(HouseGame[WarState]):
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

    def setup(self, table: Setup) -> WarState:
        assert isinstance(table, HouseSetup)
        self._take(table, "main", table.stake, table.options)
        return WarState()

    def _take(self, table: HouseSetup | HouseTurn, bet: str, stake: int, options: CasinoWarOptions) -> None:
        kind, _ = BETS[bet]
        most = rules.return_max(kind, stake, options.tie_pays, options.second_tie_bonus, table.super_mode)
        table.take(bet, stake, most=most, boosted=kind == rules.MAIN)

    @action(phase="deal", opcode=3)
    def tie_bet(self, state: WarState, turn: HouseTurn, stake: TieStake) -> WarState:
        """Lay a bet on equal first cards. The stake replaces one laid before; 0 takes it back."""
        if turn.stake_on("tie"):
            turn.withdraw("tie")
        if stake:
            self._take(turn, "tie", stake, turn.options)
        return state

    @action(phase="deal", opcode=0)
    def play(self, state: WarState, turn: HouseTurn) -> WarState:
        """Deal one card each and compare them."""
        pack = [0] * rules.PACK_SIZE
        player, dealer = rules.deal(turn.rng, pack, rules.fill_pack(pack))
        found = rules.compare(player, dealer)
        dealt = replace(state, player=(player,), dealer=(dealer,), outcome=OUTCOMES[found])
        if turn.stake_on("tie"):
            self._settle(turn, "tie", found)
        if found != rules.DEAL_TIED:
            return self._finish(dealt, turn, found)
        turn.events.set_phase("war")
        return dealt

    @action(phase="war", opcode=2)
    def surrender(self, state: WarState, turn: HouseTurn) -> WarState:
        """Give up half the main bet and end the round."""
        return self._finish(state, turn, rules.SURRENDERED)

    @action(phase="war", opcode=1)
    def war(self, state: WarState, turn: HouseTurn) -> WarState:
        """Raise by as much as the main bet, burn three cards, and compare one more card each."""
        self._take(turn, "raise", state.stake, turn.options)
        pack = [0] * rules.WAR_PACK_SIZE
        size = rules.fill_war_pack(pack, state.player[0], state.dealer[0])
        player, dealer = rules.deal_war(turn.rng, pack, size)
        dealt = replace(state, player=(*state.player, player), dealer=(*state.dealer, dealer))
        return self._finish(dealt, turn, rules.compare_war(player, dealer))

    def _finish(self, state: WarState, turn: HouseTurn, found: int) -> WarState:
        # Not before: a player who knew the marked ranks would answer a tie by them.
        marked = [lit.id for lit in turn.light()]
        if turn.super_mode:
            boost = rules.boost_of(found, state.player[0], state.player[-1], marked, len(marked))
            turn.settle("main", rules.super_main_return(state.stake, found, boost))
        else:
            self._settle(turn, "main", found)
        if turn.stake_on("raise"):
            self._settle(turn, "raise", found)
        turn.finish()
        return replace(state, outcome=OUTCOMES[found])

    def _settle(self, turn: HouseTurn, bet: str, found: int) -> None:
        laid = turn.stake_on(bet)
        assert laid is not None
        options: CasinoWarOptions = turn.options
        kind, _ = BETS[bet]
        turn.settle(bet, rules.bet_return(kind, laid.stake, found, options.tie_pays, options.second_tie_bonus))

    # What can be done.

    def legal(self, state: WarState, turn: Turn) -> Iterator[Action]:
        yield act("play")
        yield act("war")
        yield act("surrender")
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
        policy = policy or self.usual_policy
        if policy not in ANSWERS:
            raise BadOptions(f"{self.name} has no policy {policy!r}; there are {', '.join(ANSWERS)}")
        if "main" not in bets or not set(bets) <= {"main", "tie"}:
            raise BadOptions(f"a round has the bet main, and tie if wanted; got {', '.join(bets) or 'none'}")
        for bet, stake in bets.items():
            check_stake(bet, stake, rules.STAKE_MAX, super_mode and bet == "main")
        stakes = {"main": bets["main"], **bets}  # whichever order they came in
        play_move = 2 if "tie" in bets else 1
        return Plan(
            step=kernel.step,
            first_move=SUPER_MOVE if super_mode else play_move,
            bets=tuple(stakes),
            kinds=tuple(BETS[bet][0] for bet in stakes),
            numbers=tuple(BETS[bet][1] for bet in stakes),
            stakes=tuple(stakes.values()),
            options=(chosen.tie_pays, int(chosen.second_tie_bonus), int(policy == "always_war"), int(super_mode)),
            work_size=kernel.WORK_SIZE,
            terms=Terms(bets["main"], super_mode),
            policy=partial(_play, ANSWERS[policy], bets.get("tie", 0)),
            facts=self.facts,
        )

    def facts(self, state: WarState) -> tuple[int, ...]:
        """Return what decided a finished session: the first cards, the war cards or -1, and the outcome's number."""
        assert state.outcome is not None
        cards = (state.player[0], state.dealer[0])
        war_cards = (state.player[1], state.dealer[1]) if len(state.player) > 1 else (-1, -1)
        return (*cards, *war_cards, OUTCOMES.index(state.outcome))

    # Text.

    def describe(self, action: Action, before: Match[WarState], after: Match[WarState]) -> str:
        if after.game.outcome == before.game.outcome:
            return super().describe(action, before, after)
        lines = after.game.money.lines[len(before.game.money.lines) :]
        ending = f"; {after.result.reason}" if after.result else "; surrender half, or go to war?"
        return outcome_words(after.game, lines) + ending

    def render(self, view: MatchView[WarState]) -> str:
        return render_cards(view)
