"""Roulette: lay chips on the layout, spin once, and every bet is settled.

Under the prison rules an even-money bet that meets zero stays on the layout, and the next spin decides whether its
stake comes back.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView, Turn, act, action
from croupier.games.roulette import kernel, odds, rules
from croupier.games.roulette.bets import BETS
from croupier.games.roulette.options import RouletteOptions
from croupier.games.roulette.render import pocket_words, render_layout
from croupier.house import BetCodes, GameType, HouseState, HouseTurn, Lit, LitKind, OddsRow
from croupier.house.table_game import BetOpcodes, TableGame
from croupier.rng import GameRng

__all__ = ["Roulette", "RouletteState"]


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
    starting_phase = "betting"
    Options = RouletteOptions
    codes = BetCodes(BETS)
    opcodes = BetOpcodes(place=0, clear=2, batch=4)
    bets_max = rules.BETS_MAX
    sample_bets = ("red", "straight:17", "dozen:1", "split:1-2")
    decide = "spin"

    def setup(self, table: object) -> RouletteState:
        return RouletteState()

    @action(phase=("betting", "prison"), opcode=1)
    def spin(self, state: RouletteState, turn: HouseTurn) -> RouletteState:
        """Spin the wheel."""
        self.require_bets(turn)
        return self.drawn(state, turn) if turn.phase == "betting" else self._prison_spin(state, turn)

    def drawn(self, state: RouletteState, turn: HouseTurn) -> RouletteState:
        zero_rule = turn.options.zero_rule_code
        pocket = rules.spin(turn.rng, zero_rule)
        multiplier = next((lit.multiplier for lit in turn.light() if lit.id == pocket), 0)
        for laid in turn.stakes:
            kind, number = BETS[laid.bet]
            if laid.boosted:
                turn.settle(laid.bet, rules.super_return(number, laid.stake, pocket, multiplier))
                continue
            result = rules.fate(kind, number, pocket, zero_rule)
            if result != rules.IMPRISONED:
                turn.settle(laid.bet, rules.fate_return(kind, laid.stake, result))
        if turn.stakes:
            turn.events.set_phase("prison")
        else:
            turn.finish()
        return replace(state, pockets=(pocket,))

    def _prison_spin(self, state: RouletteState, turn: HouseTurn) -> RouletteState:
        zero_rule = turn.options.zero_rule_code
        pocket = rules.spin(turn.rng, zero_rule)
        if not rules.stays_imprisoned(pocket, zero_rule):
            for laid in turn.stakes:
                kind, number = BETS[laid.bet]
                turn.settle(laid.bet, rules.prison_return(kind, number, laid.stake, pocket))
            turn.finish()
        return replace(state, pockets=(*state.pockets, pocket))

    # What bets there are.

    def most_returned(self, bet: str, stake: int, options: RouletteOptions, super_mode: bool) -> int:
        return rules.return_max(*BETS[bet], stake, super_mode)

    def is_eligible(self, bet: str) -> bool:
        return rules.is_eligible(*BETS[bet])

    def bet_problem(self, bet: str, options: RouletteOptions) -> str | None:
        if rules.valid(*BETS[bet], options.zero_rule_code):
            return None
        return f"there is no {bet} on the layout of this wheel ({options.zero_rule})"

    def legal(self, state: RouletteState, turn: Turn) -> Iterator[Action]:
        if turn.phase == "prison":
            yield act("spin")
            return
        yield from super().legal(state, turn)

    def super_multipliers(self, stream: GameRng) -> tuple[Lit, ...]:
        ids, multipliers = [0] * rules.LIT_COUNT_MAX, [0] * rules.LIT_COUNT_MAX
        count = rules.generate(stream, ids, multipliers)
        return tuple(Lit(LitKind.NUMBER, ids[i], multipliers[i]) for i in range(count))

    def odds(self, options: RouletteOptions | None = None) -> tuple[OddsRow, ...]:
        return odds.odds(self.read_options(options))

    def prices(self, options: RouletteOptions | None = None) -> dict[str, tuple[Fraction, ...]]:
        return odds.prices(self.read_options(options))

    def super_odds(self, options: RouletteOptions | None = None) -> tuple[OddsRow, ...]:
        return odds.super_odds(self.read_options(options))

    # Simulation.

    step = staticmethod(kernel.step)
    step_stake_max = rules.STAKE_MAX
    work_size = kernel.WORK_SIZE
    plain_row_size = kernel.PLAIN_ROW_SIZE

    def kernel_options(self, options: RouletteOptions) -> tuple[int, ...]:
        return (options.zero_rule_code,)

    def facts(self, state: RouletteState) -> tuple[int, ...]:
        return state.pockets[0], state.pockets[-1], len(state.pockets)

    # Text.

    def describe(self, action: Action, before: Match[RouletteState], after: Match[RouletteState]) -> str:
        if len(after.game.pockets) == len(before.game.pockets):
            return super().describe(action, before, after)
        text = f"the ball falls into {pocket_words(after.game.pockets[-1])}"
        return f"{text}; {after.result.reason}" if after.result else f"{text}; bets are imprisoned"

    def render(self, view: MatchView[RouletteState]) -> str:
        return render_layout(view)
