from typing import Any

from croupier import Game, Setup, Turn, action


class ForgetfulPig(Game[dict[str, Any]]):
    """A Pig with two faults: it changes the state it is given, and it never ends."""

    id, name, players = "forgetful-pig", "Forgetful Pig", (2, 6)

    def setup(self, table: Setup) -> dict[str, Any]:
        return {"at_risk": 0}

    @action()
    def roll(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        state["at_risk"] += turn.rng.roll_die()
        return state
