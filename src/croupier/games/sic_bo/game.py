"""Sic bo: lay chips on what three dice will show, roll once, and every bet is won or lost."""

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView
from croupier.games.sic_bo import odds, rules
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions
from croupier.games.sic_bo.render import render_table, roll_words
from croupier.house import BetCodes, GameType, HouseState, LitKind
from croupier.house.table_game import TableGame
from croupier.house.table_round import table_steps


class SicBoState(HouseState, frozen=True):
    """The three dice in the order they were drawn; empty until the roll."""

    dice: tuple[int, ...] = ()


class SicBo(TableGame[SicBoState]):
    """Sic bo with the bets of Macau and of Atlantic City."""

    id, name = "sic-bo", "Sic Bo"
    description = "Back totals, sizes, faces and combinations; one roll of three dice settles them all."
    category = "dice"
    tags = ("casino", "dice")
    game_type = GameType.SIC_BO
    stake_limits = (1, 5_000)
    lights = LitKind.TOTAL, rules.generate
    Options = SicBoOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    codes = BetCodes(BETS)
    bets_max = rules.BETS_MAX
    sample_bets = ("small", "total:9", "single:5", "domino:1-4")
    decide, drawing = "roll", "Roll the dice and settle every bet."
    steps = table_steps(rules)

    def with_draw(self, state: SicBoState, find: Sequence[int]) -> SicBoState:
        return replace(state, dice=tuple(find))

    # What bets there are.

    def most_returned(self, bet: str, stake: int, options: SicBoOptions, super_mode: bool) -> int:
        return rules.return_max(*BETS[bet], stake, options.pay_table_code, super_mode)

    # Simulation.

    def kernel_options(self, options: SicBoOptions) -> tuple[int, ...]:
        return (options.pay_table_code,)

    def facts(self, state: SicBoState) -> tuple[int, ...]:
        return state.dice

    # Text.

    def describe(self, action: Action, before: Match[SicBoState], after: Match[SicBoState]) -> str:
        if after.result is None or not after.game.dice:
            return super().describe(action, before, after)
        return f"{roll_words(after.game, after.options)}; {after.result.reason}"

    def render(self, view: MatchView[SicBoState]) -> str:
        return render_table(view)
