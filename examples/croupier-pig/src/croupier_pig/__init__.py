"""Pig: roll as often as you dare, and hold before the 1 comes.

On your turn you roll one die again and again, and what it shows is at risk. Hold, and the points are yours; roll a 1,
and they are gone. Either way the next player rolls. The first to hold 100 points wins.
"""

from typing import Annotated

from croupier import Action, Game, GameRng, Match, MatchResult, Setup, Turn, act, action, require
from croupier.engine import MatchView
from msgspec import Meta, Struct
from msgspec.structs import replace

__all__ = ["Pig", "PigOptions", "PigState", "hold_at_20"]


class PigOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agree on before the match."""

    target: Annotated[int, Meta(ge=10, le=1000)] = 100


class PigState(Struct, frozen=True):
    """The points each seat holds, the points at risk in this turn, and the die as it lies."""

    held: tuple[int, ...]
    at_risk: int = 0
    die: int = 0  # not rolled yet


class Pig(Game[PigState]):
    """Pig for two to six players."""

    id, name, players = "pig", "Pig", (2, 6)
    description = "Roll as often as you dare; a 1 loses the points of the turn, holding keeps them."
    category = "dice"
    Options = PigOptions

    def setup(self, table: Setup) -> PigState:
        """Start everybody with nothing."""
        return PigState(held=(0,) * len(table.players))

    def on_turn_begin(self, state: PigState, turn: Turn) -> PigState:
        """Put nothing at risk: also when the player before left in the middle of a turn."""
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
        if points >= turn.options.target:
            result = MatchResult("win", (turn.actor,), scores={player.id: held[player.seat] for player in turn.players})
            turn.events.end_game(result)
        else:
            turn.events.end_turn()
        return PigState(held, die=state.die)

    def describe(self, action: Action, before: Match[PigState], after: Match[PigState]) -> str:
        """Say what the die showed and what was held; the usual words do for the rest."""
        if action.type == "roll":
            return f"{action.player_id} rolled {after.game.die}"
        if action.type == "hold":
            return f"{action.player_id} held {before.game.at_risk}"
        return super().describe(action, before, after)

    def render(self, view: MatchView[PigState]) -> str:
        """Show a line for each player, and what is at risk."""
        points = [f"{player.id:>12} {view.game.held[player.seat]:>4}" for player in view.players]
        return "\n".join([*points, f"{view.turn.current} has {view.game.at_risk} at risk"])


def hold_at_20(view: MatchView[PigState], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Roll until 20 or more are at risk, or enough to win."""
    seat = next(player.seat for player in view.players if player.id == view.turn.current)
    enough = min(20, view.options.target - view.game.held[seat])
    return act("hold" if view.game.at_risk >= enough else "roll")


Pig.bots = {"hold_at_20": hold_at_20}
