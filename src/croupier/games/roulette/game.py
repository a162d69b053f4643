"""Roulette as a `TableGame`: options, state and words; the bets and what they pay are in `rules`.

Under the prison rules an even-money bet that meets zero stays on the layout, and the next spin decides whether its
stake comes back.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView
from croupier.games.roulette import odds, rules
from croupier.games.roulette.bets import BETS
from croupier.games.roulette.options import RouletteOptions
from croupier.games.roulette.render import pocket_words, render_layout
from croupier.house import BetCodes, GameType, HouseState, LitKind
from croupier.house.table_game import BetOpcodes, TableGame
from croupier.house.table_round import table_steps


class RouletteState(HouseState, frozen=True):
    """The pockets the ball has fallen into, in order; more than one only where bets were imprisoned."""

    pockets: tuple[int, ...] = ()


class Roulette(TableGame[RouletteState]):
    """Roulette with one zero or two, la partage and en prison."""

    id, name = "roulette", "Roulette"
    description = "Lay chips on numbers, colours and groups; one spin of the wheel settles them all."
    category = "hybrid"
    tags = ("casino", "wheel")
    game_type = GameType.ROULETTE
    stake_limits = (1, 10_000)
    lights = LitKind.NUMBER, rules.generate
    Options = RouletteOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    codes = BetCodes(BETS)
    opcodes = BetOpcodes(place=0, clear=2, batch=4)
    bets_max = rules.BETS_MAX
    sample_bets = ("red", "straight:17", "dozen:1", "split:1-2")
    decide, drawing = "spin", "Spin the wheel."
    steps = table_steps(rules)
    staying_phase = "prison"

    def with_draw(self, state: RouletteState, find: Sequence[int]) -> RouletteState:
        return replace(state, pockets=(*state.pockets, find[rules.LAST_POCKET]))

    def position(self, state: RouletteState) -> int:
        """Return how many times the ball has fallen: none, once, or more; where, no bet that lies on remembers."""
        return min(len(state.pockets), 2)

    # What bets there are.

    def most_returned(self, bet: str, stake: int, options: RouletteOptions, super_mode: bool) -> int:
        return rules.return_max(*BETS[bet], stake, super_mode)

    def bet_problem(self, bet: str, options: RouletteOptions) -> str | None:
        if rules.valid(*BETS[bet], options.zero_rule_code):
            return None
        return f"there is no {bet} on the layout of this wheel ({options.zero_rule})"

    # Simulation.

    def kernel_options(self, options: RouletteOptions) -> tuple[int, ...]:
        return (options.zero_rule_code,)

    def facts(self, state: RouletteState) -> tuple[int, ...]:
        return (state.pockets[0], state.pockets[-1], len(state.pockets)) if state.pockets else ()

    # Text.

    def describe(self, action: Action, before: Match[RouletteState], after: Match[RouletteState]) -> str:
        if len(after.game.pockets) == len(before.game.pockets):
            return super().describe(action, before, after)
        text = f"the ball falls into {pocket_words(after.game.pockets[-1])}"
        return f"{text}; {after.result.reason}" if after.result else f"{text}; bets are imprisoned"

    def render(self, view: MatchView[RouletteState]) -> str:
        return render_layout(view)
