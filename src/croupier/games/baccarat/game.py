"""Baccarat: bet on Player, on Banker, or on how their hands come out; one deal settles every bet.

The cards come from eight fresh decks in a fixed order: two to Player, two to Banker, then the third cards that the
drawing table asks for. Nobody chooses anything once the bets are down.
"""

from fractions import Fraction

from msgspec.structs import replace

from croupier.engine import Action, Match, MatchView, action
from croupier.games.baccarat import kernel, odds, rules
from croupier.games.baccarat.bets import BETS
from croupier.games.baccarat.options import BaccaratOptions
from croupier.games.baccarat.render import deal_words, render_hands
from croupier.house import BetCodes, GameType, HouseState, HouseTurn, Lit, LitKind, OddsRow
from croupier.house.table_game import BetOpcodes, TableGame
from croupier.rng import GameRng

__all__ = ["Baccarat", "BaccaratState"]


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
    starting_phase = "betting"
    Options = BaccaratOptions
    codes = BetCodes(BETS, numbered=False)
    opcodes = BetOpcodes(place=0, clear=2, batch=3)
    bets_max = len(BETS)
    sample_bets = ("player", "banker", "tie", "player_pair")
    decide = "deal"

    def setup(self, table: object) -> BaccaratState:
        return BaccaratState()

    @action(phase="betting", opcode=1)
    def deal(self, state: BaccaratState, turn: HouseTurn) -> BaccaratState:
        """Deal both hands and settle every bet."""
        self.require_bets(turn)
        return self.drawn(state, turn)

    def drawn(self, state: BaccaratState, turn: HouseTurn) -> BaccaratState:
        options: BaccaratOptions = turn.options
        pack, cards = [0] * rules.PACK_SIZE, [0] * rules.SLOTS
        found = rules.deal_round(turn.rng, pack, rules.fill_pack(pack), cards)
        lit = turn.light()
        ids, multipliers = [entry.id for entry in lit], [entry.multiplier for entry in lit]
        for laid in turn.stakes:
            kind, _ = BETS[laid.bet]
            if laid.boosted:
                boost = rules.boost_of(kind, cards, ids, multipliers, len(lit))
                returned = rules.super_return(kind, laid.stake, found, boost, options.tie_pays, options.pair_pays)
            else:
                returned = rules.bet_return(kind, laid.stake, found, options.tie_pays, options.pair_pays)
            turn.settle(laid.bet, returned)
        turn.finish()
        player, banker = (cards[0], cards[1], cards[4]), (cards[2], cards[3], cards[5])
        return replace(state, player=player[: found[2]], banker=banker[: found[3]])

    # What bets there are.

    def most_returned(self, bet: str, stake: int, options: BaccaratOptions, super_mode: bool) -> int:
        return rules.return_max(BETS[bet][0], stake, options.tie_pays, options.pair_pays, super_mode)

    def is_eligible(self, bet: str) -> bool:
        return rules.is_eligible(BETS[bet][0])

    def super_multipliers(self, stream: GameRng) -> tuple[Lit, ...]:
        ids, multipliers = [0] * rules.LIT_MAX, [0] * rules.LIT_MAX
        count = rules.generate(stream, ids, multipliers)
        return tuple(Lit(LitKind.CARD, ids[i], multipliers[i]) for i in range(count))

    def odds(self, options: BaccaratOptions | None = None) -> tuple[OddsRow, ...]:
        return odds.odds(self.read_options(options))

    def prices(self, options: BaccaratOptions | None = None) -> dict[str, tuple[Fraction, ...]]:
        return odds.prices(self.read_options(options))

    def super_odds(self, options: BaccaratOptions | None = None) -> tuple[OddsRow, ...]:
        return odds.super_odds(self.read_options(options))

    # Simulation.

    step = staticmethod(kernel.step)
    step_stake_max = rules.STAKE_MAX
    work_size = kernel.WORK_SIZE
    plain_row_size = kernel.PLAIN_ROW_SIZE

    def kernel_options(self, options: BaccaratOptions) -> tuple[int, ...]:
        return options.tie_pays, options.pair_pays

    def facts(self, state: BaccaratState) -> tuple[int, ...]:
        return state.slots

    # Text.

    def describe(self, action: Action, before: Match[BaccaratState], after: Match[BaccaratState]) -> str:
        if not after.game.player:
            return super().describe(action, before, after)
        reason = after.result.reason if after.result else ""
        return f"{deal_words(after.game, after.options)}; {reason}"

    def render(self, view: MatchView[BaccaratState]) -> str:
        return render_hands(view)
