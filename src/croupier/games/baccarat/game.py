"""Baccarat: bet on Player, on Banker, or on how their hands come out; one deal settles every bet.

The cards come from eight fresh decks in a fixed order: two to Player, two to Banker, then the third cards that the
drawing table asks for. Nobody chooses anything once the bets are down.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView
from croupier.games.baccarat import odds, rules
from croupier.games.baccarat.bets import BETS
from croupier.games.baccarat.options import BaccaratOptions
from croupier.games.baccarat.render import deal_words, render_hands
from croupier.house import BetCodes, GameType, HouseState, LitKind
from croupier.house.table_game import TableGame
from croupier.house.table_round import table_steps


class BaccaratState(HouseState, frozen=True):
    """The two hands, each in the order its cards were drawn; empty until the deal."""

    player: tuple[int, ...] = ()
    banker: tuple[int, ...] = ()

    @property
    def slots(self) -> tuple[int, ...]:
        """The six slots of `rules`, in the order of the draw, once the cards are dealt."""
        thirds = [hand[2] if len(hand) > 2 else rules.NO_CARD for hand in (self.player, self.banker)]
        return (*self.player[:2], *self.banker[:2], *thirds)


class Baccarat(TableGame[BaccaratState]):
    """Punto banco from eight decks; a Banker six pays half, and there is no other commission."""

    id, name = "baccarat", "Baccarat"
    description = "Back Player, Banker, a tie, or a special hand; a fixed table draws the cards."
    category = "card"
    tags = ("casino", "cards")
    game_type = GameType.BACCARAT
    stake_limits = (1, 10_000)
    lights = LitKind.CARD, rules.generate
    Options = BaccaratOptions
    sheet = odds.odds, odds.super_odds, odds.prices
    codes = BetCodes(BETS, numbered=False)
    bets_max = len(BETS)
    sample_bets = ("player", "banker", "tie", "player_pair")
    decide, drawing = "deal", "Deal both hands and settle every bet."
    steps = table_steps(rules)
    card_fields = ("player", "banker")

    def with_draw(self, state: BaccaratState, find: Sequence[int]) -> BaccaratState:
        _, _, player_count, banker_count, _ = rules.outcome(find)
        player, banker = (find[0], find[1], find[4]), (find[2], find[3], find[5])
        return replace(state, player=player[:player_count], banker=banker[:banker_count])

    def card_copies(self, options: BaccaratOptions) -> int:
        return rules.DECKS

    # What bets there are.

    def most_returned(self, bet: str, stake: int, options: BaccaratOptions, super_mode: bool) -> int:
        return rules.return_max(BETS[bet][0], stake, options.tie_pays, options.pair_pays, super_mode)

    # Simulation.

    def kernel_options(self, options: BaccaratOptions) -> tuple[int, ...]:
        return options.tie_pays, options.pair_pays

    def facts(self, state: BaccaratState) -> tuple[int, ...]:
        return state.slots if state.player else ()

    # Text.

    def describe(self, action: Action, before: Match[BaccaratState], after: Match[BaccaratState]) -> str:
        if not after.game.player:
            return super().describe(action, before, after)
        reason = after.result.reason if after.result else ""
        return f"{deal_words(after.game, after.options)}; {reason}"

    def render(self, view: MatchView[BaccaratState]) -> str:
        return render_hands(view)
