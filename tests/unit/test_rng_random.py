"""`GameRng.as_random`: the standard library's methods over the bytes of a stream, and over nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import DrawError
from croupier.rng import GameRng


def fresh() -> GameRng:
    return GameRng.new(bytes(32), session_id=1, move_number=0)


def shuffled(dice: random.Random, items: Iterable[int]) -> list[int]:
    mixed = list(items)
    dice.shuffle(mixed)
    return mixed


@given(count=st.integers(0, 100), used=st.integers(0, 40))
def test_whole_bytes_of_bits_are_the_bytes_of_the_stream(count, used):
    rng, twin = fresh(), fresh()
    rng.fill_bytes(used)
    twin.fill_bytes(used)

    assert rng.as_random().getrandbits(8 * count) == int.from_bytes(twin.fill_bytes(count), "big")
    assert rng == twin


@pytest.mark.parametrize(
    ("bits", "value", "bytes_used"),
    # The stream begins 54 30 df c9 (V1).
    [
        (0, 0, 0),
        (1, 0, 1),
        (2, 1, 1),
        (7, 0x54 >> 1, 1),
        (8, 0x54, 1),
        (9, 0x5430 >> 7, 2),
        (12, 0x543, 2),
        (32, 0x5430DFC9, 4),
    ],
)
def test_bits_that_fill_no_byte_are_the_high_ones_of_the_bytes_used(bits, value, bytes_used):
    rng = fresh()

    assert rng.as_random().getrandbits(bits) == value
    assert rng.bytes_used == bytes_used


def test_random_is_the_high_53_bits_of_seven_bytes():
    rng = fresh()
    dice = rng.as_random()

    assert dice.random() == (0x5430DFC9C0A729 >> 3) / 2**53
    assert dice.random() == (0xDB4F9409F336F5 >> 3) / 2**53
    assert rng.bytes_used == 14
    assert GameRng.from_state(b"\xff" * 32).as_random().random() == 1 - 2**-53


def test_an_adapter_and_its_stream_take_turns_on_the_same_bytes():
    rng, twin = fresh(), fresh()
    dice = rng.as_random()
    assert isinstance(dice, random.Random)  # for code that asks

    taken = [dice.getrandbits(8), rng.next_byte(), dice.getrandbits(8), rng.next_byte()]

    assert bytes(taken) == twin.fill_bytes(4)
    assert rng.bytes_used == 4


CALLS = {
    "randrange": lambda dice: [dice.randrange(-3, 1000, 7) for _ in range(20)],
    "randint": lambda dice: [dice.randint(1, 6) for _ in range(20)],
    "choice": lambda dice: [dice.choice("abcdef") for _ in range(20)],
    "choices": lambda dice: dice.choices("abc", weights=[1, 2, 3], k=20),
    "sample": lambda dice: dice.sample(range(1000), 20),
    "random": lambda dice: [dice.random() for _ in range(20)],
    "uniform": lambda dice: [dice.uniform(-1, 1) for _ in range(20)],
    "gauss": lambda dice: [dice.gauss(0, 1) for _ in range(21)],
    "expovariate": lambda dice: [dice.expovariate(1.0) for _ in range(20)],
    "randbytes": lambda dice: dice.randbytes(20),
    "shuffle": lambda dice: shuffled(dice, range(52)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_equal_streams_give_equal_values_and_end_equal_and_leave_the_librarys_own_generator_alone(call):
    one, other, third = fresh(), fresh(), GameRng.new(bytes(32), 1, 1)
    before = random.getstate()

    assert call(one.as_random()) == call(other.as_random())
    assert one == other
    assert one.bytes_used == other.bytes_used >= 20
    assert call(third.as_random()) != call(fresh().as_random())
    assert random.getstate() == before


def test_values_lie_where_the_library_says():
    dice = fresh().as_random()

    assert {dice.randrange(6) for _ in range(200)} == set(range(6))
    assert {dice.randint(1, 6) for _ in range(200)} == set(range(1, 7))
    assert all(0 <= dice.random() < 1 for _ in range(200))
    assert len(set(dice.sample(range(52), 52))) == 52
    assert list(range(52)) == sorted(mixed := shuffled(dice, range(52))) != mixed


@pytest.mark.parametrize(
    ("name", "args"), [*(("seed", args) for args in ((), (1,), (None,), ("text", 2))), ("getrandbits", (-1,))]
)
def test_seeding_and_fewer_than_no_bits_are_refused_and_change_nothing(name, args):
    dice = fresh().as_random()
    dice.getrandbits(24)

    with pytest.raises(DrawError):
        getattr(dice, name)(*args)

    assert dice.getrandbits(8) == 0xC9  # V1, the fourth byte


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("used", [0, 5, 32, 40])
def test_a_state_that_was_kept_resumes_exactly(call, used):
    dice = fresh().as_random()
    dice.getrandbits(8 * used)
    kept = dice.getstate()

    first = call(dice)
    dice.setstate(kept)

    assert call(dice) == first


def test_a_state_kept_between_two_gauss_values_resumes_exactly():
    """`gauss` makes two values at a time and holds the second back: it is part of the state."""
    dice = fresh().as_random()
    dice.gauss(0, 1)
    kept = dice.getstate()

    ahead = [dice.gauss(0, 1) for _ in range(4)]
    dice.setstate(kept)

    assert [dice.gauss(0, 1) for _ in range(4)] == ahead


def test_the_text_of_an_adapter_shows_no_block():
    rng = fresh()

    assert rng.block.hex() not in repr(rng.as_random())
    assert repr(rng.block) not in repr(rng.as_random())
