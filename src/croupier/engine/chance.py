"""Scripted streams and chance outcomes: force what a stream gives, or list all it could give, with probabilities."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Generic, NoReturn, TypeVar

import msgspec

from croupier.draws import U32_MAX
from croupier.engine.game import Game
from croupier.engine.model import Action, Match
from croupier.engine.transition import apply_action
from croupier.errors import DrawError, GameFault
from croupier.rng import GameRng

S = TypeVar("S")
Drawn = TypeVar("Drawn")


class ScriptedRng(GameRng):
    """A stream whose bounded draws come from a list: each entry is the value 0 … m - 1 that the next draw gives.

    >>> rng = ScriptedRng([2, 5])
    >>> rng.roll_die(), rng.roll_die()
    (3, 6)

    It is loud when the list runs out, when a value does not fit its draw, and when raw bytes are asked for. Every draw
    croupier makes works: shuffles and card draws take one entry a step.
    """

    __slots__ = ("_block", "_script", "bounds")

    def __init__(self, outcomes: Iterable[int]) -> None:
        self._block = _Undecided(self)
        super().__init__(self._block)  # type: ignore[arg-type]
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

    @property
    def bytes_used(self) -> int:
        """Count of bytes that a real stream would have given for these draws; loud if one of them was used raw."""
        self._block.settle()
        return self._bytes_before + self.index

    def choose(self, m: int) -> int:
        """Return the next entry for a draw with m possible values."""
        position = len(self.bounds)
        if position >= len(self._script):
            raise DrawError(f"the script ran out: it has {position} entries and another draw was made")
        value = self._script[position]
        if type(value) is not int or not 0 <= value < m:
            raise DrawError(f"entry {position} of the script is {value!r}; that draw gives 0 to {m - 1}")
        self.bounds.append(m)
        return value

    def _raw(self, *_: Any) -> NoReturn:
        """Refuse: there are no bytes, only values of bounded draws."""
        raise DrawError("a scripted stream has bounded draws only; raw bytes have no outcomes that could be listed")

    next_byte = next_u8 = next_u32 = next_u64 = next_f32 = fill_bytes = try_fill_bytes = _raw  # type: ignore[assignment]
    state = copy = clone = __copy__ = _raw


class _Explorer(ScriptedRng):
    """A scripted stream that goes on with 0 where its script ends, and remembers what it gave."""

    __slots__ = ("_counts", "_left", "_of", "_pack", "_ways", "is_over_limit", "taken")

    def __init__(self, prefix: Iterable[int], left: int, pack: Iterable[Hashable], counts: Counter[Hashable]) -> None:
        super().__init__(prefix)
        self.taken: list[int] = []
        self._ways = self._of = 1
        self._pack = list(pack)
        self._counts = counts.copy()
        self._left = left - 1  # outcomes that there may be besides this one and those that are known
        self.is_over_limit = self._left < 0
        """Whether there are more outcomes than the limit."""

    def choose(self, m: int) -> int:
        pack = self._pack if len(self._pack) == m else []
        kinds = [kind for kind, count in self._counts.items() if count] if pack else []
        ways = len(kinds) if pack else m
        position = len(self.bounds)
        if position >= len(self._script):
            self._left -= ways - 1  # every other value of this draw leads to an outcome of its own, at least
        if self._left < 0:
            self.is_over_limit = True
            raise DrawError("there are more outcomes than the limit")
        value = self._script[position] if position < len(self._script) else 0
        self.bounds.append(ways)
        self.taken.append(value)
        self._of *= m
        if not pack:
            return value
        kind = kinds[value]
        self._ways *= self._counts[kind]
        self._counts[kind] -= 1
        place = pack.index(kind)
        pack[place] = pack[-1]  # as `draw_card` does
        pack.pop()
        return place

    @property
    def chance(self) -> Fraction:
        """The chance of all draws so far."""
        return Fraction(self._ways, self._of)


class _Undecided:
    """Stands where a stream keeps its block, for every byte taken from it, and for several of them joined.

    Every bounded draw takes one byte or joins four, compares with a limit (never too high, here) and then takes the
    remainder by its bound: that is where the bound becomes known and the value is chosen. So the draws themselves need
    no second version; and whatever else is done with a byte is loud.
    """

    __slots__ = ("_count", "_limit", "_owner")

    def __init__(self, owner: ScriptedRng) -> None:
        self._owner = owner
        self._count = 0  # bytes taken for a draw that is not decided yet
        self._limit: int | None = None  # what they were compared with

    def settle(self) -> None:
        """Raise unless every byte taken so far became part of a bounded draw."""
        if self._count:
            self._owner._raw()

    def __getitem__(self, index: int) -> _Undecided:
        if self._limit is not None:
            self.settle()  # the last draw was compared with a limit and never decided
        self._count += 1
        return self

    def __lshift__(self, bits: int) -> _Undecided:
        return self

    def __or__(self, other: _Undecided) -> _Undecided:
        return self

    def __ge__(self, limit: int) -> bool:
        self._limit = limit
        return limit <= 0  # a bound that is too large for its draw: the draw itself says so

    def __mod__(self, m: int) -> int:
        highest = {1: 255, 4: U32_MAX}.get(self._count)
        if highest is None or self._limit != highest - highest % m:
            self._owner._raw()
        self._count, self._limit = 0, None
        return self._owner.choose(m)

    def _loud(self, *_: object) -> NoReturn:
        self._owner._raw()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __bool__ = __int__ = __index__ = __float__ = __hash__ = _loud
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __truediv__ = __and__ = _loud
    __xor__ = __rshift__ = __divmod__ = __invert__ = __neg__ = _loud


class Outcome(msgspec.Struct, Generic[S], frozen=True):
    """One way chance can fall: its exact probability, the draws, and the match that follows."""

    chance: Fraction
    draws: tuple[int, ...]
    state: Match[S]


def chance_outcomes(game: Game[S], match: Match[S], action: Action, *, limit: int = 100_000) -> tuple[Outcome[S], ...]:
    """Return every outcome of a legal action, in the order of the draws; the chances add up to 1.

    More outcomes than `limit` (a shuffle has 52!) is a `DrawError`.
    """

    def make(rng: GameRng) -> Match[S]:
        answer = apply_action(game, match, action, rng=rng)
        if not answer.ok:
            raise DrawError(f"{action.type} is not legal here: {answer.error}")
        return answer.state

    found = sorted(every_draw(make, action.type, limit=limit), key=lambda outcome: outcome[1])
    return tuple(Outcome(*outcome) for outcome in found)


def every_draw(
    draw: Callable[[GameRng], Drawn],
    name: str = "it",
    *,
    limit: int = 100_000,
    pack: Sequence[Hashable] = (),
) -> Iterator[tuple[Fraction, tuple[int, ...], Drawn]]:
    """Yield everything that a function can make of a stream, with the chance and the draws it took, in any order.

    A run tells which other values its draws could have had, and each of those is an outcome at least. As soon as more
    than `limit` are known so, it is a `DrawError`, long before so many were run.

    A `pack` says what matters of each card in the pack that cards are drawn from: those that are alike are drawn once,
    with the chance of all of them, and the draws then count kinds of cards.

    >>> [(str(chance), total) for chance, _, total in every_draw(lambda rng: rng.next_bounded(3) // 2)]
    [('1/3', 0), ('1/3', 0), ('1/3', 1)]
    >>> [(str(chance), drawn) for chance, drawn, _ in every_draw(lambda rng: rng.next_bounded(3), pack="aab")]
    [('2/3', (0,)), ('1/3', (1,))]
    """
    counts, done, waiting = Counter(pack), 0, deque[tuple[int, ...]]([()])
    while waiting:
        prefix = waiting.popleft()
        rng = _Explorer(prefix, limit - done - len(waiting), pack, counts)
        try:
            drawn = draw(rng)
        except (DrawError, GameFault):
            if not rng.is_over_limit:
                raise
        if rng.is_over_limit:
            raise DrawError(f"{name} has more than {limit} outcomes")
        done += 1
        taken = tuple(rng.taken)
        for place in range(len(prefix), len(taken)):
            waiting.extend((*taken[:place], value) for value in range(1, rng.bounds[place]))
        yield rng.chance, taken, drawn
