"""A second calculation of the generator, in another style, and any sequence of calls played through both.

The oracle has no cursor and changes nothing: a tape that can be read at any place, and for each draw a
function from a place on it to the value and the place after it. It follows docs/fairness.md.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from itertools import count as count_from
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rng import GameRng

VECTORS = Path(__file__).parents[1] / "vectors" / "rng"


class Tape:
    """The bytes of a stream by their place, as many as are looked at."""

    def __init__(self, block: bytes) -> None:
        self.data = block

    @classmethod
    def of(cls, seed: bytes, session_id: int, move_number: int) -> Tape:
        return cls(sha256(seed + session_id.to_bytes(8, "big") + move_number.to_bytes(4, "big")).digest())

    def number(self, at: int, width: int) -> int:
        while len(self.data) < at + width:
            self.data += sha256(self.data[-32:]).digest()
        return int.from_bytes(self.data[at : at + width], "big")


def word(width: int) -> Callable[[Tape, int], tuple[int, int]]:
    return lambda tape, at: (tape.number(at, width), at + width)


def below(tape: Tape, at: int, bound: int, width: int) -> tuple[int, int]:
    if bound == 0:
        return 0, at
    limit = (256**width - 1) // bound * bound
    tries = ((tape.number(at + used - width, width), at + used) for used in count_from(width, width))
    value, after = next(one for one in tries if one[0] < limit)
    return value % bound, after


below_byte = partial(below, width=1)
below_u32 = partial(below, width=4)


def below_usize(tape: Tape, at: int, bound: int) -> tuple[int, int]:
    return below(tape, at, min(bound, 2**32 - 1), 1 if bound < 256 else 4)


def fraction(tape: Tape, at: int) -> tuple[float, int]:
    return tape.number(at, 3) / 2**24, at + 3


def filled(tape: Tape, at: int, count: int) -> tuple[bytes, int]:
    return tape.number(at, count).to_bytes(count, "big"), at + count


def die(tape: Tape, at: int) -> tuple[int, int]:
    value, at = below(tape, at, 6, 1)
    return value + 1, at


def pocket(tape: Tape, at: int) -> tuple[int, int]:
    return below(tape, at, 37, 1)


def drawn(tape: Tape, at: int, deck: Sequence[Any]) -> tuple[tuple[Any, list[Any]], int]:
    """Draw one: what was drawn, and what is left with the last in its place."""
    if not deck:
        return (None, []), at
    index, at = below_usize(tape, at, len(deck))
    *rest, last = deck
    rest[index : index + 1] = [last] if index < len(rest) else []
    return (deck[index], rest), at


def mixed(tape: Tape, at: int, items: Sequence[Any]) -> tuple[list[Any], int]:
    """Shuffle by drawing: the first one drawn goes to the last place."""
    rest, back = list(items), []
    while len(rest) > 1:
        (item, rest), at = drawn(tape, at, rest)
        back.append(item)
    return rest + back[::-1], at


def pack(tape: Tape, at: int, cards: list[int], shuffled: bool) -> tuple[list[int], int]:
    return mixed(tape, at, cards) if shuffled else (sorted(cards), at)


def shoe(tape: Tape, at: int, decks: int, shuffled: bool = True) -> tuple[list[int], int]:
    return pack(tape, at, [card % 52 for card in range(52 * (decks or 1))], shuffled)


def deck_less(tape: Tape, at: int, cards: list[int], shuffled: bool = True) -> tuple[list[int], int]:
    return pack(tape, at, sorted(set(range(52)) - set(cards)), shuffled)


def shoe_less(tape: Tape, at: int, cards: list[int], decks: int, shuffled: bool = True) -> tuple[list[int], int]:
    left = sorted(list(range(52)) * (decks or 1))
    for card in cards:
        if card in left:
            left.remove(card)
    return pack(tape, at, left, shuffled)


def shoe_less_counts(
    tape: Tape, at: int, counts: list[int], decks: int, shuffled: bool = True
) -> tuple[list[int], int]:
    named = [card for card, count in enumerate(counts) for _ in range(count)]
    return shoe_less(tape, at, named, decks, shuffled)


def ranged(tape: Tape, at: int, low: int, high: int) -> tuple[int, int]:
    value, at = below_usize(tape, at, high - low + 1)
    return low + value, at


def chance(tape: Tape, at: int, numerator: int, denominator: int) -> tuple[bool, int]:
    value, at = below_usize(tape, at, denominator)
    return value in range(numerator), at


def picked(tape: Tape, at: int, items: Sequence[Any]) -> tuple[Any, int]:
    index, at = below_usize(tape, at, len(items))
    return items[index], at


def rolled(tape: Tape, at: int, sides: int, count: int) -> tuple[tuple[int, ...], int]:
    faces = []
    for _ in range(count):
        face, at = below_usize(tape, at, sides)
        faces.append(face + 1)
    return tuple(faces), at


# Calls to make, with bounds that favour the edges

u32s = st.integers(1, 2**32 - 1) | st.sampled_from([255, 256, 257, 2**31, 2**31 + 1, 2**32 - 1])
packs = (st.integers(0, 2) | st.integers(0, 330)).map(lambda size: list(range(size)))  # nothing to shuffle, or much
# Cards twice and thrice, values that are no card, more copies than there are decks, and all of them.
cards = st.lists(st.sampled_from([-1, 0, 5, 51, 52, 255]) | st.integers(0, 60), max_size=12) | st.just([*range(52)])
counts = st.lists(st.integers(0, 4), min_size=52, max_size=52)
decks, shuffles, sizes = st.integers(0, 3), st.booleans(), st.integers(0, 100)
ranges = st.tuples(st.integers(-(2**63), 2**63), u32s).map(lambda low: (low[0], low[0] + low[1] - 1))
chances = st.tuples(u32s, u32s).map(sorted).map(tuple) | st.tuples(st.just(0), u32s) | u32s.map(lambda n: (n, n))

DRAWS: dict[str, tuple[Callable[..., tuple[Any, int]], st.SearchStrategy[tuple[Any, ...]]]] = {
    "next_byte": (word(1), st.tuples()),
    "next_u8": (word(1), st.tuples()),
    "next_u32": (word(4), st.tuples()),
    "next_u64": (word(8), st.tuples()),
    "next_f32": (fraction, st.tuples()),
    "fill_bytes": (filled, st.tuples(sizes)),
    "try_fill_bytes": (filled, st.tuples(sizes)),
    "next_bounded": (below_byte, st.tuples(st.integers(0, 255))),
    "next_bounded_u32": (below_u32, st.tuples(u32s | st.just(0))),
    "next_bounded_usize": (below_usize, st.tuples(st.integers(0, 2**40) | u32s)),
    "roll_die": (die, st.tuples()),
    "spin_roulette": (pocket, st.tuples()),
    "int": (ranged, ranges),
    "bool": (chance, chances),
    "pick": (picked, st.tuples(st.text(min_size=1) | packs.filter(len))),
    "dice": (rolled, st.tuples(u32s, st.integers(0, 8))),
    "shuffle": (mixed, st.tuples(packs)),
    "draw_card": (drawn, st.tuples(packs)),
    "create_deck": (lambda tape, at, shuffled=True: shoe(tape, at, 1, shuffled), st.tuples(shuffles)),
    "create_shoe": (shoe, st.tuples(decks, shuffles)),
    "create_deck_excluding": (deck_less, st.tuples(cards, shuffles)),
    "create_shoe_excluding": (shoe_less, st.tuples(cards, decks, shuffles)),
    "create_shoe_excluding_counts": (shoe_less_counts, st.tuples(counts, decks, shuffles)),
}
"""The oracle's function for each draw, and arguments to try it with."""
ORACLE = {name: draw for name, (draw, _) in DRAWS.items()}
calls = st.one_of(*[st.tuples(st.just(name), args) for name, (_, args) in DRAWS.items()])
scripts = st.lists(calls, max_size=12)
openings = st.tuples(st.binary(max_size=80), st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1))


def played(rng: GameRng, name: str, args: tuple[Any, ...]) -> Any:
    """Make one call of a `GameRng`; a list among the arguments is copied first."""
    args = copy.deepcopy(args)
    if name.startswith("create_"):
        *args_before, shuffled = args
        return getattr(rng, name)(*args_before, shuffled=shuffled)
    value = getattr(rng, name)(*args)
    if name == "shuffle":
        return args[0]
    return (value, args[0]) if name == "draw_card" else value


def played_through(opening: tuple[bytes, int, int], script: list[tuple[str, tuple[Any, ...]]]) -> GameRng:
    rng = GameRng.new(*opening)
    for name, args in script:
        played(rng, name, args)
    return rng


# The laws


def follows_the_oracle(rng: GameRng, tape: Tape, first: int, script: list[tuple[str, tuple[Any, ...]]]) -> None:
    """Hold a stream, opened at a place of the tape, to the oracle's values and its count of bytes."""
    at = first
    for name, args in script:
        value, at = ORACLE[name](tape, at, *args)
        assert played(rng, name, args) == value
        assert rng.bytes_used == at - first


@given(opening=openings, script=scripts)
def test_any_calls_give_the_values_and_use_the_bytes_of_the_oracle(opening, script):
    follows_the_oracle(GameRng.new(*opening), Tape.of(*opening), 0, script)


@given(block=st.binary(min_size=32, max_size=32), index=st.integers(0, 32), script=scripts)
def test_a_stream_restored_anywhere_goes_on_as_the_oracle_does(block, index, script):
    """Blocks that no hash would give, such as all 255, are reached this way too."""
    follows_the_oracle(GameRng.from_state(block, index), Tape(block), index, script)


def test_every_draw_a_stream_offers_is_checked_against_the_oracle():
    offered = {name for name in dir(GameRng) if not name.startswith("_")}
    no_draws = {"new", "from_state", "state", "block", "index", "bytes_used", "rehash", "copy", "clone", "as_random"}

    assert offered - no_draws == set(ORACLE)


@given(opening=openings, script=scripts, ahead=calls)
def test_state_and_index_resume_at_the_very_next_byte(opening, script, ahead):
    rng = played_through(opening, script)

    resumed = GameRng.from_state(rng.state(), rng.index)

    assert resumed.bytes_used == 0
    assert resumed == rng
    assert played(resumed, *ahead) == played(rng, *ahead)
    assert resumed.fill_bytes(70) == rng.fill_bytes(70)
    assert resumed == rng


@given(opening=openings, script=scripts)
def test_the_block_alone_replays_from_its_first_byte(opening, script):
    rng = played_through(opening, script)

    replayed = GameRng.from_state(rng.state())

    assert replayed.fill_bytes(32) == rng.state()
    replayed = GameRng.from_state(rng.state())
    replayed.fill_bytes(rng.index)
    assert replayed == rng


COPIES: dict[str, Callable[[GameRng], GameRng]] = {
    "method": GameRng.copy,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda rng: pickle.loads(pickle.dumps(rng)),
    "oldest pickle": lambda rng: pickle.loads(pickle.dumps(rng, protocol=0)),
}


@given(opening=openings, script=scripts, copied=st.sampled_from(list(COPIES)))
def test_a_copy_keeps_its_place_and_goes_its_own_way(opening, script, copied):
    rng = played_through(opening, script)
    block, index, used = rng.block, rng.index, rng.bytes_used

    twin = COPIES[copied](rng)

    assert type(twin) is GameRng
    assert (twin.block, twin.index, twin.bytes_used) == (block, index, used)
    assert twin == rng
    ahead = twin.fill_bytes(40)
    assert (rng.block, rng.index, rng.bytes_used) == (block, index, used)
    assert rng.fill_bytes(40) == ahead


# The oracle itself holds the published vectors


def published(file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / file).read_text())["cases"]
    return found


def tape_of(case: dict[str, Any]) -> Tape:
    if "seed" not in case:
        return Tape(bytes.fromhex(case["block"]))
    return Tape.of(bytes.fromhex(case["seed"]), int(case["session_id"]), case["move_number"])


def hand_of(tape: Tape, at: int, deck: list[int], count: int) -> tuple[list[int], int]:
    """Draw several cards: the cards, and the place after them."""
    hand = []
    for _ in range(count):
        (card, deck), at = drawn(tape, at, deck)
        hand.append(card)
    return hand, at


@pytest.mark.parametrize("case", published("v05_bounded.json") + published("v06_rejection_edges.json"))
def test_the_oracle_holds_the_published_bounded_draws(case):
    tape, at, values = tape_of(case), 0, []
    for _ in case["values"]:
        value, at = ORACLE[case["draw"]](tape, at, *case["args"])
        values.append(value)

    assert (values, at) == (case["values"], case["bytes_used"])


@pytest.mark.parametrize(
    "case", published("v07_deck.json") + published("v08_shoe.json") + published("v09_exclusions.json")
)
def test_the_oracle_holds_the_published_packs(case):
    tape = tape_of(case)

    made, at = ORACLE[case["build"]](tape, 0, *case["args"])
    assert sha256(bytes(made)).hexdigest()[:16] == case["h16"]
    assert at == case["bytes_used"]
    assert hand_of(tape, at, made, len(case["draws"]))[0] == case["draws"]


@pytest.mark.parametrize("case", published("v15_sorted_packs.json"))
def test_the_oracle_holds_the_published_draws_from_sorted_packs(case):
    tape = tape_of(case)

    made, at = shoe_less(tape, 0, case["without"], case["decks"], shuffled=False)

    assert hand_of(tape, at, made, len(case["draws"])) == (case["draws"], case["bytes_used"])
