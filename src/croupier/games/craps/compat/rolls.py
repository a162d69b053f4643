"""Dice as plain objects: a roll, where it came from, and a row of rolls with what is striking about it.

`roll_dice_secure` and `roll_dice_from_sources` are for practice on one machine. Nobody can check such a roll later, and
it says so: `is_verifiable` is True only for a roll that a round of commit and reveal has made (`DiceRoll.of`).
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable, Sequence

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.fairness.dice import Reveal, Rolled, encoding
from croupier.fairness.dice.messages import Commit, to_sign
from croupier.fairness.dice.signing import Verifier
from croupier.games.craps.layout import HISTORY_MAX
from croupier.games.craps.rules import ids
from croupier.games.craps.rules.roll import roll_dice
from croupier.rng import GameRng

__all__ = ["BadRoll", "DiceRoll", "EntropyContribution", "RollSequence", "roll_dice_from_sources", "roll_dice_secure"]


class BadRoll(CroupierError, ValueError):
    """Dice that cannot be: a face outside 1 … 6, sources that are not 32 bytes, a roll that nobody can check."""

    code = "bad_roll"


class DiceRoll(Struct, frozen=True):
    """Two dice in the order they were drawn.

    >>> roll = DiceRoll(4, 4)
    >>> roll.total(), roll.is_hard_way(), DiceRoll(6, 6).is_hard_way()
    (8, True, False)
    """

    die1: int
    die2: int
    is_verifiable: bool = False
    """Whether the roll is that of a round which anyone can work out again."""

    def __post_init__(self) -> None:
        for die in (self.die1, self.die2):
            if type(die) is not int or not 1 <= die <= 6:
                raise BadRoll(f"a die shows 1 to 6, not {die!r:.40}")

    @classmethod
    def of(cls, rolled: Rolled) -> DiceRoll:
        """Return the roll that a round of shared dice has made."""
        if len(rolled.faces) != 2:
            raise BadRoll(f"craps is played with two dice, the round made {len(rolled.faces)}")
        return cls(*rolled.faces, is_verifiable=True)

    def total(self) -> int:
        """Return what the dice add up to."""
        return self.die1 + self.die2

    def is_hard_way(self) -> bool:
        """Tell whether it is a 4, 6, 8 or 10 with equal dice; 1-1 and 6-6 are doubles, and no hardways."""
        return self.die1 == self.die2 and ids.is_point(self.total())


def roll_dice_secure() -> DiceRoll:
    """Return a roll from the operating system's generator. Nobody can check it."""
    return _roll(os.urandom(encoding.SECRET_LENGTH))


def roll_dice_from_sources(entropy_sources: Sequence[bytes]) -> DiceRoll:
    """Return the roll that follows from everybody's 32 bytes together, in whatever order they come.

    >>> roll_dice_from_sources([bytes([1] * 32), bytes([2] * 32)])
    DiceRoll(die1=5, die2=1, is_verifiable=False)

    Whoever hands theirs in last, having seen the others', can choose the roll; so it counts as one that nobody can
    check. Where people do not trust each other they commit first: `croupier.fairness.dice`.
    """
    if not entropy_sources:
        raise BadRoll("dice from no source at all")
    for source in entropy_sources:
        if not isinstance(source, bytes) or len(source) != encoding.SECRET_LENGTH:
            raise BadRoll(f"a source is {encoding.SECRET_LENGTH} bytes")
    return _roll(encoding.roll_seed(b"", encoding.xor(entropy_sources)))


def _roll(seed: bytes) -> DiceRoll:
    return DiceRoll(*roll_dice(GameRng.new(seed, 0, 0)))


class EntropyContribution(Struct, frozen=True):
    """What one player adds to a roll: 32 secret bytes, a nonce that is never used again, and a signature.

    It is a REVEAL of the protocol in other words, and worth nothing without the COMMIT before it.
    """

    player: str
    """The public key, in hex."""
    entropy: bytes
    nonce: int
    signature: bytes

    @classmethod
    def of(cls, reveal: Reveal) -> EntropyContribution:
        """Return what a REVEAL contributes."""
        return cls(reveal.key, bytes.fromhex(reveal.secret), reveal.nonce, bytes.fromhex(reveal.signature))

    def opens(self, commit: Commit) -> bool:
        """Tell whether these are the bytes that were committed to."""
        context, key = bytes.fromhex(commit.context), bytes.fromhex(self.player)
        found = encoding.commitment(context, key, self.nonce, self.entropy)
        return (self.player, self.nonce, found.hex()) == (commit.key, commit.nonce, commit.commitment)

    def is_signed(self, commits: bytes, verifier: Verifier) -> bool:
        """Tell whether the player signed this for the round with these commitments (K)."""
        reveal = Reveal(0, self.player, self.nonce, self.entropy.hex())
        message = to_sign(reveal, b"", commits=commits)
        return verifier.verify(bytes.fromhex(self.player), message, self.signature)


class RollSequence:
    """The last rolls, and how often each pattern is among them.

    Patterns are totals (`total:7`), pairs (`hop:1-6`), hardways (`hard:8`), and a total twice in a row (`again:6`).

    >>> sequence = RollSequence([DiceRoll(3, 3), DiceRoll(2, 4)])
    >>> sequence.patterns["total:6"], sequence.patterns["again:6"], sequence.patterns["hard:6"]
    (2, 1, 1)
    """

    __slots__ = ("patterns", "rolls")

    def __init__(self, rolls: Iterable[DiceRoll] = (), *, keep: int = HISTORY_MAX) -> None:
        if keep < 1:
            raise BadRoll(f"a sequence keeps one roll or more, not {keep}")
        self.rolls: deque[DiceRoll] = deque(maxlen=keep)
        self.patterns: Counter[str] = Counter()
        for roll in rolls:
            self.add(roll)

    def add(self, roll: DiceRoll) -> None:
        """Append a roll; the oldest drops out, and its patterns with it."""
        if len(self.rolls) == self.rolls.maxlen:
            self._count(-1, self.rolls[0])
            if len(self.rolls) > 1 and self.rolls[0].total() == self.rolls[1].total():
                self._add(f"again:{self.rolls[0].total()}", -1)
            elif len(self.rolls) == 1:
                self.rolls.clear()
        if self.rolls and self.rolls[-1].total() == roll.total():
            self._add(f"again:{roll.total()}", 1)
        self.rolls.append(roll)
        self._count(1, roll)

    def _count(self, change: int, roll: DiceRoll) -> None:
        self._add(f"total:{roll.total()}", change)
        self._add(f"hop:{min(roll.die1, roll.die2)}-{max(roll.die1, roll.die2)}", change)
        if roll.is_hard_way():
            self._add(f"hard:{roll.total()}", change)

    def _add(self, pattern: str, change: int) -> None:
        self.patterns[pattern] += change
        if not self.patterns[pattern]:
            del self.patterns[pattern]

    def __len__(self) -> int:
        return len(self.rolls)
