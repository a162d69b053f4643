"""`GameRng`: opening and showing a stream, and the helpers for authors; test_rng_oracle has all draws in all cases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadSeed, DrawError
from croupier.rng import SUPER_MOVE, GameRng

BLOCK = bytes.fromhex("5430dfc9c0a729db4f9409f336f5398b88bac9fe70f1d82890ecde22eac0e97a")  # V1, stream Z,1,0


def fresh() -> GameRng:
    return GameRng.new(bytes(32), session_id=1, move_number=0)


# Opening a stream


def test_super_mode_has_the_last_stream_there_is():
    assert SUPER_MOVE == 4294967295
    with pytest.raises(BadSeed):
        GameRng.new(b"", 0, SUPER_MOVE + 1)


NO_WHOLE_NUMBER = (-1, 2**64, True, False, 0.0, 1.0, "1", b"\1", None)
OPENINGS: dict[str, tuple[Callable[[Any], GameRng], tuple[Any, ...]]] = {
    "seed": (
        lambda seed: GameRng.new(seed, 1, 0),
        ("", "00" * 32, None, 7, 1.5, [0, 1], bytearray(32), memoryview(bytes(32)), True),
    ),
    "session": (lambda number: GameRng.new(bytes(32), number, 0), (*NO_WHOLE_NUMBER, 2**200, -(2**64))),
    "move": (lambda number: GameRng.new(bytes(32), 1, number), (*NO_WHOLE_NUMBER, 2**32)),
    "state": (GameRng.from_state, (b"", bytes(31), bytes(33), bytearray(32), "00" * 32, None, [0] * 32)),
    "index": (lambda index: GameRng.from_state(BLOCK, index), (-1, 33, True, False, 1.0, "1", None)),
}


@pytest.mark.parametrize(
    ("part", "value"), [(part, value) for part, (_, values) in OPENINGS.items() for value in values]
)
def test_a_stream_is_not_opened_with_a_part_of_another_type_or_out_of_bounds(part, value):
    with pytest.raises(BadSeed):
        OPENINGS[part][0](value)


def test_the_refusal_names_the_argument_at_fault_and_never_the_seed():
    with pytest.raises(BadSeed, match="session id"):
        GameRng.new(b"secret", -1, 0)
    with pytest.raises(BadSeed, match="move number"):
        GameRng.new(b"secret", 1, -1)
    with pytest.raises(BadSeed, match="seed") as refused:
        GameRng.new("secret", 1, 0)  # type: ignore[arg-type]
    assert "secret" not in str(refused.value)


def test_a_stream_restored_at_the_end_of_its_block_rehashes_first():
    rng = GameRng.from_state(BLOCK, 32)

    assert rng.state() == BLOCK
    assert rng.fill_bytes(4).hex() == "6129592c"  # V2, bytes 32 to 35
    assert rng.bytes_used == 4


# Comparing and showing


def test_streams_are_equal_when_block_and_index_are():
    rng = fresh()

    assert rng == fresh() == GameRng.from_state(BLOCK)
    assert hash(rng) == hash(GameRng.from_state(BLOCK))
    rng.next_byte()
    assert rng != fresh()
    assert rng == GameRng.from_state(BLOCK, 1)  # though they have not used equally many bytes
    assert hash(rng) == hash(GameRng.from_state(BLOCK, 1))
    assert fresh() != GameRng.new(bytes(32), 1, 1)
    assert fresh() != BLOCK
    assert fresh() != (BLOCK, 0)


@given(seeds=st.lists(st.binary(min_size=1), min_size=2, max_size=2, unique=True), used=st.integers(0, 100))
def test_the_text_of_a_stream_tells_nothing_of_its_seed_or_block(seeds, used):
    """Two secrets, one text: it depends on nothing but the bytes used."""
    one, other = (GameRng.new(seed, 1, 0) for seed in seeds)
    one.fill_bytes(used)
    other.fill_bytes(used)

    assert one.block != other.block
    assert repr(one) == repr(other)
    assert f"{one} {one!s}" == f"{other} {other!s}"
    assert str(used) in repr(one)


@pytest.mark.parametrize("block", [b"a park ticket", bytearray(b"a park ticket".ljust(32))])
def test_a_refused_state_is_not_shown_either(block):
    """A value that was meant as a state may well be one, or a seed, and errors are logged."""
    with pytest.raises(BadSeed) as refused:
        GameRng.from_state(block)

    assert "park ticket" not in str(refused.value)


def test_a_stream_takes_no_stray_attributes():
    with pytest.raises(AttributeError):
        fresh().seed = b""  # type: ignore[attr-defined]


# For authors: int, bool, pick, dice


def test_int_is_the_low_end_plus_the_published_draw():
    rng = fresh()
    assert [rng.int(1, 6) for _ in range(10)] == [1, 1, 2, 4, 1, 6, 6, 4, 2, 5]  # V5, roll_die of Z,1,0

    rng = fresh()
    assert [rng.int(100, 515) for _ in range(5)] == [365, 159, 375, 111, 322]  # V5, bounded_usize(416)
    assert rng.bytes_used == 20
    assert fresh().int(0, 2**32 - 2) == 1412489161  # V3, the widest range there is

    rng = fresh()
    assert (rng.int(7, 7), rng.bytes_used) == (7, 1)  # a single number uses a byte all the same


REFUSED: dict[str, list[tuple[Any, ...]]] = {
    # More than four bytes can tell apart, nothing in it, fractions.
    "int": [(0, 2**32 - 1), (-1, 2**32 - 2), (0, 2**64), (2, 1), (1.0, 6), (1, 6.0), (1, 6.5), (0.5, 0.75)],
    # No chance, or none of two whole numbers: `bool(0.25)` would be true half the time.
    "bool": [
        *[(-1, 2), (3, 2), (0, 0), (1, 0), (1, -2), (1, 2**32)],
        *[(0.25,), (0.5, 1), (1, 2.0), (Fraction(1, 3), 1)],
    ],
    # `bounded_usize` cuts the last of these bounds, so that the items behind it would never come.
    "pick": [([],), ((),), ("",), (range(0),), (range(2**32),)],
    "dice": [(0, 1), (-6, 1), (2**32, 1), (6, -1), (6.0,), (2.5,)],
    # One entry a card, and none that would add cards.
    "create_shoe_excluding_counts": [*(([0] * length, 6) for length in (0, 51, 53)), ([-1] + [0] * 51, 6)],
}


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, given in REFUSED.items() for args in given])
def test_an_impossible_draw_is_refused_and_uses_no_byte(name, args):
    rng = fresh()

    with pytest.raises(DrawError):
        getattr(rng, name)(*args)
    assert rng.bytes_used == 0


def test_bool_is_true_below_the_numerator():
    # The stream begins 54 30 df c9 (V1): 84, 48, 223, 201.
    rng = fresh()
    assert [rng.bool() for _ in range(4)] == [True, True, False, False]

    rng = fresh()
    assert [rng.bool(84, 100), rng.bool(49, 100)] == [False, True]
    assert rng.bytes_used == 2


def test_bool_has_its_exact_chance_over_all_bytes():
    """Each byte once: 5 of every 17 that count come out true."""
    streams = [GameRng.from_state(bytes([byte]) + bytes(31)) for byte in range(255)]

    assert Fraction(sum(rng.bool(5, 17) for rng in streams), 255) == Fraction(5, 17)


def test_pick_takes_the_item_at_the_published_draw():
    rng = fresh()
    faces = ["one", "two", "three", "four", "five", "six"]

    assert [rng.pick(faces) for _ in range(5)] == ["one", "one", "two", "four", "one"]  # V5, bounded(6)
    assert rng.bytes_used == 5
    assert fresh().pick(range(1000, 1416)) == 1265  # V5, bounded_usize(416)
    assert fresh().pick("x") == "x"


def test_pick_takes_from_as_many_items_as_four_bytes_can_tell_apart():
    rng = GameRng.from_state(bytes(28) + b"\xff\xff\xff\xfe", 28)

    assert rng.pick(range(2**32 - 1)) == 2**32 - 2


def test_dice_come_in_the_order_they_were_rolled():
    assert fresh().dice(6, 10) == (1, 1, 2, 4, 1, 6, 6, 4, 2, 5)  # V5, roll_die
    assert fresh().dice() == (1,)
    assert fresh().dice(sides=52, count=3) == (33, 49, 46)  # V5, bounded(52)
    assert fresh().dice(416, 5) == (266, 60, 276, 12, 223)  # V5, bounded_usize(416)
    assert fresh().dice(6, 0) == ()


# Shuffle and draw


def test_shuffle_mixes_a_list_in_place_and_returns_it():
    letters = list("abcdefghij")

    assert fresh().shuffle(letters) is letters
    assert letters == list("jigbcafhde")  # V10


@pytest.mark.parametrize("fixed", ["abcdefghij", tuple("abcdefghij")])
def test_shuffle_of_a_fixed_sequence_gives_a_new_list(fixed):
    assert fresh().shuffle(fixed) == list("jigbcafhde")  # V10
    assert "".join(fixed) == "abcdefghij"


# Packs


def test_a_shuffled_shoe_is_laid_deck_after_deck_and_an_excluding_one_card_by_card():
    """Same cards, same bytes, another order: a hazard for whoever swaps one builder for the other."""
    shoe, other = fresh().create_shoe(2), fresh().create_shoe_excluding([], 2)

    assert sorted(shoe) == sorted(other)
    assert shoe != other
    assert fresh().create_shoe(1) == fresh().create_shoe_excluding([], 1) == fresh().create_deck()


def test_the_cards_to_exclude_are_left_as_they_were_and_may_come_one_by_one():
    cards, counts = [3, 1, 3], [1] * 52
    rng = fresh()
    rng.create_shoe_excluding(cards, 2)
    rng.create_shoe_excluding_counts(counts, 2)

    assert (cards, counts) == ([3, 1, 3], [1] * 52)
    assert len(rng.create_deck_excluding(iter(cards))) == 50
    assert len(rng.create_shoe_excluding(iter(cards), 2)) == 101
