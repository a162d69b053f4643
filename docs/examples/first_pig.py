from msgspec import Struct
from msgspec.structs import replace

from croupier import Game, Setup, Turn, action


class PigState(Struct, frozen=True):
    held: tuple[int, ...]
    at_risk: int = 0
    die: int = 0


class Pig(Game[PigState]):
    id, name, players = "pig", "Pig", (2, 6)

    def setup(self, table: Setup) -> PigState:
        return PigState(held=(0,) * len(table.players))

    @action()
    def roll(self, state: PigState, turn: Turn) -> PigState:
        """Roll the die. A 1 ends the turn, anything else is at risk."""
        die = turn.rng.roll_die()
        if die == 1:
            turn.events.end_turn()
        return replace(state, die=die, at_risk=0 if die == 1 else state.at_risk + die)
