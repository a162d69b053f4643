"""Game-tree search: the most that a coalition can make of a protocol, exactly, over every choice it has.

A protocol is a function of a `Game`. It says who draws secrets, what is published, who may choose what, and returns
what the coalition gets. Parties outside the coalition do as the protocol asks; the coalition tries everything.

What the coalition knows follows from rules, so that no protocol says where an attack might be. It knows its own secrets
and what was published. It knows a chaining value that was published as a digest, or that follows from one it knows by
blocks of which it knows every byte. It sees the dice of the chaining values it knows. Those of all others are drawn
independently of everything it has seen, and that is exact, not a bound: no way of thinking about what it saw helps.
Before every choice it works out what each of its options would lead to, and the options after that, up to the first
dice that it cannot know. In worlds that look alike to it, it chooses alike.

So smallness is not mistaken for an attack. Secrets have no values that could be tried one by one, and no two digests
are the same by chance; a coalition gains by what it knows and when, or not at all. Granted, and not tested, is that
SHA-256 is as good: its secrets cannot be guessed and its digests do not collide. Signatures hold as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from tests.unit.fairness.model.hashing import Byte, Free, Hash, Link, Message, Part, secret_of

T = TypeVar("T")
World = dict[Hashable, int]
View = frozenset[tuple[Hashable, int]]
Dice = Sequence[Fraction]

FOUR_FACES: Dice = (Fraction(1, 4),) * 4
ONE_IN_FOUR: Dice = (Fraction(1, 4), Fraction(3, 4))
"""Face 0, and all the others taken together."""
ONE_IN_SIX: Dice = (Fraction(1, 6), Fraction(5, 6))


class _Draw(Exception):
    """The run needs dice that have not been drawn."""

    def __init__(self, key: Hashable, chances: Dice) -> None:
        self.key, self.chances = key, chances

    def split(self, weight: Fraction, world: World) -> list[_State]:
        """Return the worlds that a world becomes when the dice are drawn."""
        return [_State(weight * chance, {**world, self.key: face}) for face, chance in enumerate(self.chances)]


class _Fork(Exception):
    """The coalition has to choose."""

    def __init__(self, count: int, game: Game) -> None:
        self.count, self.game = count, game


class _Blind(Exception):
    """Raised where the next step depends on what the coalition does not know."""


class Game(Hash):
    """One run of a protocol, with the dice in `world` and the coalition's choices so far.

    After more than `made` choices the run is a thought of the coalition's: what is published then is not known yet.
    """

    def __init__(self, search: Search, world: World, choices: tuple[int, ...], made: int) -> None:
        super().__init__(search.free)
        self.coalition = search.coalition
        self._search, self._world, self._choices, self._made = search, world, choices, made
        self._taken = 0
        self._secrets: set[str] = set()
        self._told: set[int] = {0}
        self._rolled: set[Hashable] = set()

    def secret(self, owner: str, name: str) -> Message:
        """Return fresh random bytes of a party: nobody else can write them until they are published."""
        whole = f"{owner} {name}"
        if owner in self.coalition:
            self._secrets.add(whole)
        return secret_of(whole)

    def publish(self, *messages: Message) -> None:
        """Tell everybody digests and secrets."""
        if self._is_thought:
            return
        for byte in (byte for message in messages for byte in message):
            if isinstance(byte, Link):
                self._told.add(byte.number)
            elif isinstance(byte, Part):
                self._secrets |= byte.names

    def choose(self, party: str, options: Iterable[T], honest: T | None = None) -> T:
        """Return what a party does: the honest thing (the first, unless named), or whatever suits the coalition."""
        if party not in self.coalition:
            return next(iter(options)) if honest is None else honest
        options = list(options)
        if len(options) == 1:
            return options[0]
        if self._taken == len(self._choices):
            raise _Fork(len(options), self)
        self._taken += 1
        return options[self._choices[self._taken - 1]]

    def dice(self, digest: Message) -> int:
        """Return what the dice of a seed show."""
        (byte,) = digest
        assert isinstance(byte, Link)
        if self._is_thought and not self.knows(byte):
            raise _Blind
        return self._draw(byte, self._search.dice)

    def roll(self, name: str, chances: Dice) -> int:
        """Return dice that everybody sees and nobody foresees, for games that are not about seeds."""
        if self._is_thought:
            raise _Blind
        face = self._draw(name, chances)
        self._rolled.add(name)
        return face

    def _draw(self, key: Hashable, chances: Dice) -> int:
        if key not in self._world:
            raise _Draw(key, chances)
        return self._world[key]

    @property
    def _is_thought(self) -> bool:
        return self._taken > self._made

    def knows(self, byte: Byte) -> bool:
        """Tell whether the coalition can write a byte."""
        if isinstance(byte, Part):
            return byte.names <= self._secrets
        return isinstance(byte, int) or self._reaches(byte.number)

    def _reaches(self, number: int) -> bool:
        while number not in self._told:
            number, block = self._search.free.links[number]
            if not all(map(self.knows, block)):
                return False
        return True

    def view(self) -> View:
        """Return all that the coalition has seen of the dice."""
        return frozenset(
            (key, face)
            for key, face in self._world.items()
            if key in self._rolled or (isinstance(key, Link) and self.knows(key))
        )


Play = Callable[[Game], Fraction | int]


class _State(NamedTuple):
    weight: Fraction
    world: World


class Search:
    """The search for one protocol and one coalition."""

    def __init__(self, play: Play, coalition: frozenset[str], dice: Dice, most: int) -> None:
        self.play, self.coalition, self.dice, self.most = play, coalition, dice, most
        self.free = Free()

    def run(self, world: World, choices: tuple[int, ...], made: int) -> Fraction | int:
        """Return what a run comes to, or raise what stops it."""
        return self.play(Game(self, world, choices, made))

    def best(self, states: list[_State], choices: tuple[int, ...]) -> Fraction:
        """Return the value of worlds that look alike to the coalition, after the same choices."""
        total = Fraction(0)
        alike: dict[tuple[View, int], list[_State]] = defaultdict(list)
        while states:
            weight, world = states.pop()
            try:
                total += weight * self.run(world, choices, len(choices))
            except _Draw as draw:
                states += draw.split(weight, world)
            except _Fork as fork:
                try:
                    is_won = self.foresee(world, choices, fork.count, len(choices))
                except _Draw as draw:
                    states += draw.split(weight, world)
                else:
                    if is_won:
                        total += weight * self.most
                    else:
                        alike[fork.game.view(), fork.count].append(_State(weight, world))
        for (_, count), group in alike.items():
            total += max(self.best(list(group), (*choices, index)) for index in range(count))
        return total

    def foresee(self, world: World, choices: tuple[int, ...], count: int, made: int) -> bool:
        """Follow every option as far as the coalition can, until it needs dice that it can work out.

        True if one of them is known to give the most there is: no need to look further.
        """
        for index in range(count):
            path = (*choices, index)
            try:
                if self.run(world, path, made) >= self.most:
                    return True
            except _Blind:
                pass
            except _Fork as fork:
                if self.foresee(world, path, fork.count, made):
                    return True
        return False


def value(play: Play, *coalition: str, dice: Dice = ONE_IN_FOUR, most: int = 1) -> Fraction:
    """Return what a coalition gets from a protocol on average if it plays as well as can be.

    `most` is the most it can ever get: what is known to give that much ends the search.
    """
    return Search(play, frozenset(coalition), dice, most).best([_State(Fraction(1), {})], ())
