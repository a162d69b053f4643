"""Roll as often as you dare: a 1 loses the points of your turn, holding keeps them. The first to hold 100 wins."""

from msgspec import Struct
from msgspec.structs import replace

from croupier import Game, MatchResult, Setup, Turn, action, require


class PigState(Struct, frozen=True):
    held: tuple[int, ...]
    at_risk: int = 0
    die: int = 0


class Pig(Game[PigState]):
    """Pig for two to six players."""

    id, name, players = "pig", "Pig", (2, 6)

    def setup(self, table: Setup) -> PigState:
        return PigState(held=(0,) * len(table.players))

    def on_turn_begin(self, state: PigState, turn: Turn) -> PigState:
        return replace(state, at_risk=0)

    @action()
    def roll(self, state: PigState, turn: Turn) -> PigState:
        """Roll the die. A 1 ends the turn, anything else is at risk."""
        die = turn.rng.roll_die()
        if die == 1:
            turn.events.end_turn()
        return replace(state, die=die, at_risk=0 if die == 1 else state.at_risk + die)

    @action()
    def hold(self, state: PigState, turn: Turn) -> PigState:
        """Keep what is at risk and pass the die on, or win."""
        require(state.at_risk > 0, "nothing_at_risk", "roll first: there is nothing to hold yet")
        points = state.held[turn.seat] + state.at_risk
        held = (*state.held[: turn.seat], points, *state.held[turn.seat + 1 :])
        if points >= 100:
            result = MatchResult("win", (turn.actor,), scores={player.id: held[player.seat] for player in turn.players})
            turn.events.end_game(result)
        else:
            turn.events.end_turn()
        return PigState(held, die=state.die)
