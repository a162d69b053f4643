"""Chance laid open: force what a stream gives, or list everything it could give with exact probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Generic, TypeVar

import msgspec

from croupier.engine.game import Game
from croupier.engine.model import Action, Match
from croupier.engine.transition import apply_action
from croupier.errors import DrawError
from croupier.rng import GameRng

__all__ = ["Outcome", "ScriptedRng", "chance_outcomes"]

S = TypeVar("S")


class ScriptedRng(GameRng):
    """A stream whose bounded draws come from a list: each entry is the value 0 … m - 1 that the next draw gives.

    >>> rng = ScriptedRng([2, 5])
    >>> rng.roll_die(), rng.roll_die()
    (3, 6)

    It is loud when the list runs out, when a value does not fit its draw, and when raw bytes are asked for. Every draw
    croupier makes works: shuffles and card draws take one entry a step.
    """

    __slots__ = ("_script", "bounds")

    def __init__(self, outcomes: Iterable[int]) -> None:
        super().__init__(_Bytes(self))  # type: ignore[arg-type]
        self._script = list(outcomes)
        self.bounds: list[int] = []
        """How many values each draw so far could have given."""

    @classmethod
    def of_dice(cls, *faces: int) -> ScriptedRng:
        """Return a stream that rolls these faces."""
        return cls(face - 1 for face in faces)

    def rehash(self) -> None:
        """Start over with nothing to hash: there is no block."""
        self.index = 0
        self._bytes_before += 32

    def choose(self, m: int) -> int:
        """Return the next entry for a draw with m possible values."""
        position = len(self.bounds)
        if position >= len(self._script):
            raise DrawError(f"the script ran out: it has {position} entries and another draw was made")
        value = self._script[position]
        if not 0 <= value < m:
            raise DrawError(f"entry {position} of the script is {value}; that draw gives 0 to {m - 1}")
        self.bounds.append(m)
        return value


class _Explorer(ScriptedRng):
    """A scripted stream that goes on with 0 where its script ends, and remembers what it gave."""

    __slots__ = ("taken",)

    def __init__(self, prefix: Iterable[int]) -> None:
        super().__init__(prefix)
        self.taken: list[int] = []

    def choose(self, m: int) -> int:
        position = len(self.bounds)
        value = self._script[position] if position < len(self._script) else 0
        self.bounds.append(m)
        self.taken.append(value)
        return value


class _Bytes:
    """Stands where a stream keeps its block: every byte taken from it is a choice not yet made."""

    def __init__(self, owner: ScriptedRng) -> None:
        self.owner = owner

    def __getitem__(self, index: int) -> _Undecided:
        return _Undecided(self.owner)


class _Undecided:
    """A byte, or several joined, that becomes a value when the draw divides by its bound.

    Every bounded draw compares with a limit (never too high, here) and then takes the remainder by its bound: that
    is where the bound becomes known. So the draws themselves need no second version.
    """

    __slots__ = ("_is_fair", "_owner")

    def __init__(self, owner: ScriptedRng) -> None:
        self._owner = owner
        self._is_fair = False

    def __lshift__(self, bits: int) -> _Undecided:
        return self

    def __or__(self, other: _Undecided) -> _Undecided:
        return self

    def __ge__(self, limit: int) -> bool:
        self._is_fair = True
        return False

    def __mod__(self, m: int) -> int:
        if not self._is_fair:
            raise DrawError("a remainder of a raw byte is not a fair draw; use next_bounded")
        return self._owner.choose(m)


class Outcome(msgspec.Struct, Generic[S], frozen=True):
    """One way chance can fall: its exact probability, the draws, and the match that follows."""

    chance: Fraction
    draws: tuple[int, ...]
    state: Match[S]


def chance_outcomes(game: Game[S], match: Match[S], action: Action, *, limit: int = 100_000) -> tuple[Outcome[S], ...]:
    """Return every outcome of a legal action, in the order of the draws; the chances add up to 1.

    More outcomes than `limit` (a shuffle has 52!) is a `DrawError`.
    """
    found: list[Outcome[S]] = []
    prefix: list[int] | None = []
    while prefix is not None:
        if len(found) >= limit:
            raise DrawError(f"{action.type} has more than {limit} outcomes")
        rng = _Explorer(prefix)
        answer = apply_action(game, match, action, rng=rng)
        if not answer.ok:
            raise DrawError(f"{action.type} is not legal here: {answer.error}")
        chance = Fraction(1)
        for bound in rng.bounds:
            chance /= bound
        found.append(Outcome(chance, tuple(rng.taken), answer.state))
        prefix = _following(rng.taken, rng.bounds)
    return tuple(found)


def _following(taken: list[int], bounds: list[int]) -> list[int] | None:
    """Return the draws that come next in counting order, like an odometer; None after the last."""
    for place in range(len(taken) - 1, -1, -1):
        if taken[place] + 1 < bounds[place]:
            return [*taken[:place], taken[place] + 1]
    return None
