"""`GameRng`, the only source of chance in croupier: a SHA-256 hash chain that anyone can recompute.

The first block of 32 bytes is SHA-256(seed ‖ session id, 8 bytes ‖ move number, 4 bytes), both big-endian. Bytes are
handed out in order; when all are used the block is replaced by its own SHA-256. Every draw is a function of those
bytes (`croupier.draws`), so the same seed, session, move and order of draws give the same values everywhere.

Each move of a match draws from a fresh stream. That keeps the seed secret although a block hands out all its bytes,
makes any one move checkable on its own, and lets a simulator jump to any round.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from hashlib import sha256
from random import Random
from secrets import token_bytes
from struct import Struct as Packer
from struct import error as StructError
from typing import Any, NoReturn, Self, TypeVar

from croupier import draws
from croupier.errors import BadSeed, DrawError
from croupier.rounds import SUPER_MOVE

__all__ = ["SUPER_MOVE", "GameRng", "Seed", "StreamRandom", "draw_seed", "seed_bytes"]

T = TypeVar("T")

SESSION_MAX = 2**64 - 1
MOVE_MAX = 2**32 - 1

Seed = bytes
"""The seed that a stream is opened with: any bytes, 32 of them where croupier draws one."""
TEXT_TAG = b"croupier: a seed in words\0"
SEED_LENGTH = 32
Whole = int
Truth = bool

_pack_counters = Packer(">QI").pack


class GameRng:
    """A stream of bytes and the draws made from it. `new` opens one; the constructor goes on from a block of it.

    >>> rng = GameRng.new(bytes(32), session_id=1, move_number=0)
    >>> [rng.roll_die() for _ in range(5)], rng.bytes_used
    ([1, 1, 2, 4, 1], 5)
    """

    __slots__ = ("_bytes_before", "block", "index")

    block: bytes
    """The 32 bytes being handed out."""
    index: int
    """Place of the next byte in the block, 0 … 32; 32 means that the next byte re-hashes first."""

    def __init__(self, block: bytes, index: int = 0, *more: int) -> None:
        if more:
            raise TypeError("a stream is opened by GameRng.new(seed, session_id, move_number)")
        self.block, self.index, self._bytes_before = block, index, -index

    @classmethod
    def new(cls, seed: bytes, session_id: int, move_number: int) -> GameRng:
        """Return the stream of one move of one session. The seed is any bytes, and is not mixed in again."""
        # Packing takes True for 1, and a bytearray adds up: look at the types first.
        if type(session_id) is int and type(move_number) is int and isinstance(seed, bytes):
            rng = cls.__new__(cls)  # what __init__ would do, spelled out: every move of every match begins here
            rng.index = rng._bytes_before = 0
            try:
                rng.block = sha256(seed + _pack_counters(session_id, move_number)).digest()
            except StructError:
                raise _bad_seed(seed, session_id, move_number) from None
            return rng
        raise _bad_seed(seed, session_id, move_number)

    @classmethod
    def from_state(cls, block: bytes, index: int = 0) -> GameRng:
        """Return a stream that goes on from `block` at `index`; without the index it replays the block."""
        if not isinstance(block, bytes) or len(block) != 32:
            raise BadSeed("a stream's state is 32 bytes")  # not what came: it may be a secret
        if type(index) is not int or not 0 <= index <= 32:
            raise BadSeed(f"a stream's index is 0 to 32, got {index!r}")
        return cls(block, index)

    def state(self) -> bytes:
        """Return the current block of 32 bytes. Keep `index` beside it to go on at the very next byte."""
        return self.block

    @property
    def bytes_used(self) -> int:
        """Count of bytes drawn since this object was made."""
        return self._bytes_before + self.index

    def rehash(self) -> None:
        """Replace the block by its SHA-256; `draws.next_byte` calls this when the block is used up."""
        self.block = sha256(self.block).digest()
        self.index = 0
        self._bytes_before += 32

    def copy(self) -> GameRng:
        """Return a stream of its own that goes on with the same bytes."""
        return _restore(self.block, self.index, self._bytes_before)

    clone = __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> GameRng:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.block, self.index, self._bytes_before)

    def __eq__(self, other: object) -> bool:
        """Tell whether both will hand out the same bytes from here on."""
        if not isinstance(other, GameRng):
            return NotImplemented
        return (self.block, self.index) == (other.block, other.index)

    def __hash__(self) -> int:
        return hash((self.block, self.index))

    def __repr__(self) -> str:
        # The block is the whole state: a log line must not hand out the rest of the stream.
        return f"<GameRng after {self.bytes_used} bytes>"

    # The draws of `croupier.draws` as methods: the very functions, so that there is nothing to keep in step.

    next_byte = next_u8 = draws.next_byte
    next_u32 = draws.next_u32
    next_u64 = draws.next_u64
    next_bounded = draws.bounded
    next_bounded_u32 = draws.bounded_u32
    next_bounded_usize = draws.bounded_usize
    roll_die = draws.roll_die
    spin_roulette = draws.spin_roulette

    def next_f32(self) -> float:
        """Return a value in [0, 1) that a 32-bit float holds exactly. No game uses it."""
        return draws.f32_numerator(self) / 16777216

    def fill_bytes(self, count: int | bytearray | memoryview) -> bytes:
        """Return the next `count` bytes; a buffer given instead is filled with as many as it holds."""
        wanted = count if isinstance(count, Whole) else len(count)
        taken = bytes([draws.next_byte(self) for _ in range(wanted)])
        if not isinstance(count, Whole):
            count[:] = taken
        return taken

    try_fill_bytes = fill_bytes  # there is no outside source that could fail

    # For game authors.

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`, at most 2**32 - 1 of them, each equally likely."""
        if not 1 <= len(items) <= draws.U32_MAX:
            raise DrawError(f"pick takes 1 to 2**32 - 1 items to pick from, got {len(items)}")
        return items[draws.bounded_usize(self, len(items))]

    def dice(self, sides: int = 6, count: int = 1) -> tuple[int, ...]:
        """Return `count` faces of fair dice with `sides` sides, in the order they were rolled."""
        if type(sides) is not int or not 1 <= sides <= draws.U32_MAX or count < 0:
            raise DrawError(f"dice takes at least one side and no fewer than 0 dice, got {count} of {sides} sides")
        return tuple([draws.bounded_usize(self, sides) + 1 for _ in range(count)])

    # Cards: ints 0 … 51 (`croupier.kit.cards`).

    def shuffle(self, items: Sequence[T]) -> MutableSequence[T]:
        """Shuffle a list in place and return it; a tuple or another fixed sequence gives a new list."""
        mixed = items if isinstance(items, MutableSequence) else list(items)
        draws.shuffle(self, mixed, len(mixed))
        return mixed

    def draw_card(self, deck: MutableSequence[int]) -> int | None:
        """Take a card from anywhere in the deck; the last card fills its place. None when the deck is empty."""
        if not deck:
            return None
        card = draws.draw_card(self, deck, len(deck))
        deck.pop()
        return card

    def create_deck(self, *, shuffled: bool = True) -> list[int]:
        """Return the 52 cards."""
        return self._made(list(range(52)), shuffled)

    def create_shoe(self, decks: int, *, shuffled: bool = True) -> list[int]:
        """Return several decks (0 counts as 1): deck after deck before the shuffle, sorted by card without one.

        House games draw from the sorted shoe, which has the same chances: docs/decisions/0017-sorted-packs.md.
        """
        decks = max(decks, 1)
        if not shuffled:
            return [card for card in range(52) for _ in range(decks)]
        return self._made(list(range(52)) * decks, shuffled)

    def create_deck_excluding(self, cards: Iterable[int], *, shuffled: bool = True) -> list[int]:
        """Return the deck without `cards`; a card named twice is gone once, values above 51 are ignored."""
        gone = frozenset(cards)
        return self._made([card for card in range(52) if card not in gone], shuffled)

    def create_shoe_excluding(self, cards: Iterable[int], decks: int, *, shuffled: bool = True) -> list[int]:
        """Return several decks less `cards`: each mention takes one copy out, values above 51 are ignored."""
        counts = [0] * 52
        for card in cards:
            if 0 <= card < 52:
                counts[card] += 1
        return self.create_shoe_excluding_counts(counts, decks, shuffled=shuffled)

    def create_shoe_excluding_counts(self, counts: Sequence[int], decks: int, *, shuffled: bool = True) -> list[int]:
        """Return several decks less `counts[card]` copies of each card, ascending with equal cards adjacent."""
        if len(counts) != 52 or min(counts) < 0:
            raise DrawError(f"counts has one entry a card, 52 in all and none below 0, got {counts}")
        pack = [card for card in range(52) for _ in range(max(decks, 1) - counts[card])]
        return self._made(pack, shuffled)

    def _made(self, pack: list[int], shuffled: bool) -> list[int]:
        if shuffled:
            draws.shuffle(self, pack, len(pack))
        return pack

    def as_random(self) -> StreamRandom:
        """Return a `random.Random` that takes its bits from this stream, for code that expects one.

        >>> GameRng.new(bytes(32), 1, 0).as_random().getrandbits(32)
        1412489161

        Its `random`, `choice`, `shuffle` and so on are the standard library's, and so are their rounding and their
        use of bits: fine for tools, not for rules.
        """
        return StreamRandom(self)

    # Last, because from here on the names `int` and `bool` mean these methods.

    def int(self, low: Whole, high: Whole) -> Whole:
        """Return a fair whole number from `low` to `high`, both included."""
        if type(low) is not Whole or type(high) is not Whole or high < low or high - low >= draws.U32_MAX:
            raise DrawError(f"int takes low <= high less than 2**32 - 1 apart, got {low} and {high}")
        return low + draws.bounded_usize(self, high - low + 1)

    def bool(self, numerator: Whole = 1, denominator: Whole = 2) -> Truth:
        """Return True with the exact chance numerator / denominator."""
        if type(numerator) is not Whole or type(denominator) is not Whole:
            raise DrawError(f"bool takes a chance as two whole numbers, got {numerator!r} and {denominator!r}")
        if not 0 <= numerator <= denominator or not 0 < denominator <= draws.U32_MAX:
            raise DrawError(f"bool takes a chance from 0 to 1, got {numerator}/{denominator}")
        return draws.bounded_usize(self, denominator) < numerator


def seed_bytes(seed: bytes | Whole | str) -> bytes:
    """Return a seed as the bytes that streams are opened with, by the one rule for seeds.

    Bytes are themselves; a whole number below 2**64 is its eight bytes, big-endian; a text is the SHA-256 of a tag and
    its UTF-8, so that no text gives the bytes of a number.

    >>> seed_bytes(2024).hex(), seed_bytes("lucky").hex()[:16]
    ('00000000000007e8', '7c3677690a647ff6')
    """
    if isinstance(seed, bytes):
        return seed
    if isinstance(seed, str):
        try:
            return sha256(TEXT_TAG + seed.encode()).digest()
        except UnicodeEncodeError:
            raise BadSeed("a seed in words is Unicode text, and this one has half a character") from None
    if type(seed) is Whole and 0 <= seed < 2**64:
        return seed.to_bytes(8, "big")
    # What it was is not told: it may be a secret.
    raise BadSeed(f"a seed is bytes, a text, or a whole number from 0 to 2**64 - 1, got another {type(seed).__name__}")


def draw_seed() -> bytes:
    """Return 32 fresh bytes from the system: what hosts and bare objects begin with where nobody names a seed.

    Rules never do this, and neither does `create_match`. Whoever draws a seed keeps it: from there on every draw is
    fixed and can be checked.
    """
    return token_bytes(SEED_LENGTH)


def _restore(block: bytes, index: int, bytes_before: int) -> GameRng:
    rng = GameRng(block, index)
    rng._bytes_before = bytes_before
    return rng


def _bad_seed(seed: object, session_id: object, move_number: object) -> BadSeed:
    if not isinstance(seed, bytes):
        return BadSeed(f"a stream opens with bytes, got a seed of {type(seed).__name__}: seed_bytes makes bytes of it")
    if type(session_id) is not int or not 0 <= session_id <= SESSION_MAX:
        return BadSeed(f"a session id is a whole number from 0 to {SESSION_MAX}, got {_told(session_id)}")
    return BadSeed(f"a move number is a whole number from 0 to {MOVE_MAX}, got {_told(move_number)}")


def _told(number: object) -> str:
    """Return a number as an error tells it: the longest ones cannot be written out."""
    is_long = isinstance(number, int) and number.bit_length() > 200
    return f"one of {number.bit_length()} bits" if is_long else repr(number)  # type: ignore[attr-defined]


class StreamRandom(Random):
    """A `random.Random` whose every bit comes from one `GameRng`, byte after byte, the first most significant."""

    def __new__(cls, stream: GameRng) -> Self:
        """Skip the standard seeding."""
        return super().__new__(cls)

    def __init__(self, stream: GameRng) -> None:
        self.stream = stream
        self.gauss_next = None

    def __getattr__(self, name: str) -> Any:
        """Return what the stream has and a `Random` has not, such as `next_u32`."""
        if name == "stream" or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.stream, name)

    def getrandbits(self, k: int, /) -> int:
        """Return a number of `k` bits from as few whole bytes as hold them; spare low bits are dropped."""
        if k < 0:
            raise DrawError(f"getrandbits takes 0 or more bits, got {k}")
        count = (k + 7) // 8
        return int.from_bytes(self.stream.fill_bytes(count), "big") >> (count * 8 - k)

    def random(self) -> float:
        """Return a value in [0, 1) with 53 bits, from seven bytes."""
        return self.getrandbits(53) / 9007199254740992

    def seed(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: the stream was seeded when it was opened."""
        raise DrawError("a croupier stream is seeded when it is opened and cannot be seeded again")

    def getstate(self) -> Any:
        """Return the block and the index of the stream, and the half of a Gaussian pair not yet handed out."""
        return self.stream.state(), self.stream.index, self.gauss_next

    def setstate(self, state: Any) -> None:
        """Go on from what `getstate` returned."""
        block, index, self.gauss_next = state
        self.stream = GameRng.from_state(block, index)
