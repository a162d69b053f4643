"""`find_rounds`: rounds of a simulation that someone wants to see, and `play_again`: the engine's record of one.

What is sought is one comparison, such as `net > 500x`, where `x` is the opening stake:

    net, staked, returned, fees   >  >=  <  <=  ==  !=   a number of chips, or of opening stakes with an x
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.engine import MatchClient, MatchRecord, create_match, legal_actions, make_record, view_for
from croupier.errors import BadOptions
from croupier.house import HouseGame, Plan
from croupier.house.plan import FEES, RETURNED, STAKED
from croupier.rng import GameRng
from croupier.sim.simulate import CHUNK, play_rounds

__all__ = ["Condition", "Found", "find_rounds", "play_again", "read_condition"]

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
FORM = re.compile(r"\s*(net|staked|returned|fees)\s*(>=|<=|==|!=|>|<)\s*(-?\d{1,15}(?:\.\d{1,6})?)\s*(x?)\s*")


class Condition(Struct, frozen=True):
    """A comparison of one of a round's accounts with a number of chips or of opening stakes."""

    field: str
    comparison: str
    number: Fraction
    in_stakes: bool

    def holds(self, rows: NDArray[np.int64], opening: int) -> NDArray[np.bool_]:
        """Return for each row whether it holds."""
        accounts = {"staked": rows[:, STAKED], "returned": rows[:, RETURNED], "fees": rows[:, FEES]}
        accounts["net"] = accounts["returned"] - accounts["staked"] - accounts["fees"]
        bound = self.number * opening if self.in_stakes else self.number
        held: NDArray[np.bool_] = COMPARISONS[self.comparison](
            accounts[self.field] * bound.denominator, bound.numerator
        )
        return held


class Found(Struct, frozen=True):
    """One round: its session, and what it came to."""

    session_id: int
    staked: int
    returned: int
    fees: int

    @property
    def net(self) -> int:
        """What the player won, fees paid."""
        return self.returned - self.staked - self.fees


def read_condition(text: str) -> Condition:
    """Return the condition that a text says, or refuse it.

    >>> read_condition("net > 500x").number, read_condition("net > 500x").in_stakes
    (Fraction(500, 1), True)
    """
    found = FORM.fullmatch(text)
    if found is None:
        raise BadOptions(f"{text!r} is no condition: write one like 'net > 500x', 'returned == 0' or 'staked >= 40'")
    field, comparison, number, in_stakes = found.groups()
    return Condition(field, comparison, Fraction(number), bool(in_stakes))


def find_rounds(
    plan: Plan, condition: Condition, seed: bytes, *, first_session: int = 0, rounds: int = 1_000_000
) -> Iterator[Found]:
    """Yield the rounds for which the condition holds, in order."""
    for start in range(first_session, first_session + rounds, CHUNK):
        rows = play_rounds(plan, seed, start, min(CHUNK, first_session + rounds - start))
        for place in np.flatnonzero(condition.holds(rows, plan.opening)).tolist():
            staked, returned, fees = (int(rows[place, at]) for at in (STAKED, RETURNED, FEES))
            yield Found(start + place, staked, returned, fees)


def play_again(game: HouseGame[Any], plan: Plan, seed: bytes, session_id: int, options: Any = None) -> MatchRecord:
    """Return the record of a simulated round, played by the engine with the plan's own policy."""
    match = create_match(game, ["player"], seed=seed, session_id=session_id, options=options, host=plan.terms)
    client = MatchClient(game, match)
    choices = GameRng.new(seed, session_id, 0)  # policies that are simulated do not draw from it
    while client.get_state().status == "active":
        state = client.get_state()
        answer = client.dispatch(plan.policy(view_for(game, state, "player"), legal_actions(game, state), choices))
        if not answer.ok:
            raise BadOptions(f"the engine refused a simulated action: {answer.error}")
    return make_record(game, client.base, client.get_log())
