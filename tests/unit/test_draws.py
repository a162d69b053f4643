"""The draw functions on crafted blocks: which tries count, what they cost, and what a stream has to offer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import draws
from croupier.errors import DrawError
from croupier.rng import GameRng

LIMITS = json.loads((Path(__file__).parents[1] / "vectors" / "rng" / "limits.json").read_text())["cases"]
DRAWS = {"next_bounded": (draws.bounded, 1), "next_bounded_u32": (draws.bounded_u32, 4)}
"""Those that limits are published for: the function, and how many bytes a try takes."""

U32_MAX = 2**32 - 1


def block_of(*tries: int, width: int) -> GameRng:
    """Return a stream whose block begins with these tries of `width` bytes each; the rest is zeros."""
    head = b"".join(value.to_bytes(width, "big") for value in tries)
    return GameRng.from_state(head.ljust(32, b"\0"))


class Reel:
    """A stream that is no `GameRng`: a list of bytes, and how often it was asked to go on."""

    def __init__(self, block: list[int]) -> None:
        self.block: Any = block
        self.index = 0
        self.turned = 0

    def rehash(self) -> None:
        self.turned += 1
        self.index = 0


# Bytes and words


def test_words_take_the_first_byte_as_the_most_significant():
    assert draws.next_u32(Reel(list(range(1, 33)))) == 0x01020304
    assert draws.next_u64(Reel(list(range(1, 33)))) == 0x0102030405060708
    assert draws.f32_numerator(Reel(list(range(1, 33)))) == 0x010203


def test_a_word_may_straddle_two_blocks():
    first = bytes(range(32))
    rng = GameRng.from_state(first, 30)

    assert draws.next_u32(rng) == int.from_bytes(b"\x1e\x1f" + sha256(first).digest()[:2], "big")


def test_any_object_with_a_block_and_an_index_is_a_stream():
    reel = Reel([7] * 32)

    assert [draws.bounded(reel, 10) for _ in range(32)] == [7] * 32
    assert (reel.index, reel.turned) == (32, 0)  # the 32nd byte does not turn it yet

    assert draws.next_byte(reel) == 7
    assert (reel.index, reel.turned) == (1, 1)


# Limits: 255 and 2**32 - 1 are the bases, as the published tables say


@pytest.mark.parametrize(("name", "bound", "limit"), [(case["draw"], case["bound"], case["limit"]) for case in LIMITS])
def test_a_try_counts_up_to_the_published_limit_and_no_further(name, bound, limit):
    draw, width = DRAWS[name]
    below = block_of(limit - 1, width=width)
    assert (draw(below, bound), below.bytes_used) == (bound - 1, width)

    at = block_of(limit, 256**width - 1, limit - 1, width=width)
    assert (draw(at, bound), at.bytes_used) == (bound - 1, 3 * width)


def test_every_bound_of_a_byte_gives_each_value_equally_often_over_all_256_bytes():
    """All bounds and all bytes, counted whole: fair to the last byte, and no byte wasted that 255 allows."""
    streams = [block_of(value, width=1).block for value in range(256)]
    for bound in range(1, 256):
        counts: Counter[int] = Counter()
        for block in streams:
            rng = GameRng.from_state(block)
            value = draws.bounded(rng, bound)
            if rng.bytes_used == 1:
                counts[value] += 1
        assert counts == dict.fromkeys(range(bound), 255 // bound)


@given(bound=st.integers(256, U32_MAX), data=st.data())
def test_a_word_counts_exactly_when_it_is_below_the_largest_multiple_of_the_bound(bound, data):
    limit = U32_MAX // bound * bound
    word = data.draw(st.integers(0, U32_MAX) | st.sampled_from([limit - 1, limit, U32_MAX]))
    word = min(word, U32_MAX)
    rng = block_of(word, width=4)

    value = draws.bounded_u32(rng, bound)

    assert (value, rng.bytes_used) == ((word % bound, 4) if word < limit else (0, 8))


def test_thrown_away_tries_go_on_into_the_next_block():
    full = b"\xff" * 32
    rng = GameRng.from_state(full)
    next_bytes = sha256(full).digest()
    tries = next(number for number, byte in enumerate(next_bytes) if byte < 252)

    assert draws.bounded(rng, 6) == next_bytes[tries] % 6
    assert rng.bytes_used == 32 + tries + 1


# Small, zero and too large bounds


@pytest.mark.parametrize("draw", [draws.bounded, draws.bounded_u32, draws.bounded_usize])
@pytest.mark.parametrize("bound", [0, -1, -(2**40)])
def test_a_bound_below_one_gives_zero_and_uses_no_byte(draw, bound):
    rng = GameRng.from_state(b"\x09" * 32)

    assert (draw(rng, bound), rng.bytes_used) == (0, 0)


@pytest.mark.parametrize(("draw", "width"), [(draws.bounded, 1), (draws.bounded_usize, 1), (draws.bounded_u32, 4)])
def test_a_bound_of_one_gives_zero_and_still_uses_a_try(draw, width):
    rng = GameRng.from_state(b"\x09" * 32)
    assert (draw(rng, 1), rng.bytes_used) == (0, width)

    rejected = GameRng.from_state(b"\xff" * width + bytes(32 - width))
    assert (draw(rejected, 1), rejected.bytes_used) == (0, 2 * width)


@pytest.mark.parametrize("first_byte", [0, 1, 254, 255])
@pytest.mark.parametrize(
    ("draw", "bound"),
    [
        (draws.bounded, 256),
        (draws.bounded, 257),
        (draws.bounded, 2**64),
        (draws.bounded_u32, 2**32),
        (draws.bounded_u32, 2**32 + 1),
        (draws.bounded_u32, 2**64),
    ],
)
def test_a_bound_too_large_for_its_draw_is_an_error_whatever_the_bytes_are(
    draw: Callable[..., int], bound: int, first_byte: int
):
    """No value is below the limit 0, so a draw that only went on trying would never end."""
    with pytest.raises(DrawError):
        draw(GameRng.from_state(bytes([first_byte]) * 32), bound)


@pytest.mark.parametrize(
    ("bound", "bytes_used", "value"),
    [
        (255, 1, 0x12),
        (256, 4, 0x78),
        (2**32 - 1, 4, 0x12345678),
        (2**32, 4, 0x12345678),  # cut to 2**32 - 1
        (2**80, 4, 0x12345678),
    ],
)
def test_bounded_usize_changes_from_a_byte_to_a_word_at_256(bound, bytes_used, value):
    rng = GameRng.from_state(bytes.fromhex("12345678").ljust(32, b"\0"))

    assert (draws.bounded_usize(rng, bound), rng.bytes_used) == (value, bytes_used)


def test_bounded_usize_never_gives_the_largest_word_even_when_it_is_cut():
    rng = block_of(U32_MAX, U32_MAX - 1, width=4)

    assert (draws.bounded_usize(rng, 2**40), rng.bytes_used) == (U32_MAX - 1, 8)


@pytest.mark.parametrize(
    ("draw", "shown"),
    [(draws.roll_die, {0: 1, 5: 6, 6: 1, 251: 6}), (draws.spin_roulette, {0: 0, 36: 36, 37: 0, 221: 36})],
)
def test_a_die_shows_one_more_than_the_draw_and_a_wheel_has_the_pockets_0_to_36(draw, shown):
    assert {byte: draw(block_of(byte, width=1)) for byte in shown} == shown


# Shuffle and draw


def test_a_shuffle_swaps_from_the_top_down():
    items = list("abcd")
    # 3 picks place 0, then 2 picks place 1, then 1 picks place 1 (itself): abcd, dbca, dcba, dcba
    draws.shuffle(Reel([0, 1, 1] + [9] * 29), items, 4)

    assert items == list("dcba")


@pytest.mark.parametrize(("count", "bytes_min"), [(0, 0), (1, 0), (2, 1), (52, 51), (255, 254), (256, 258), (416, 898)])
def test_a_shuffle_uses_a_word_a_step_above_255_items_and_a_byte_below(count, bytes_min):
    """A reel of zeros throws nothing away, so the cost is the least there is."""
    reel = Reel([0] * 32)
    draws.shuffle(reel, list(range(count)), count)

    assert reel.turned * 32 + reel.index == bytes_min


def test_a_shuffle_leaves_what_lies_beyond_its_count():
    items = list(range(10))
    draws.shuffle(GameRng.new(b"beyond", 0, 0), items, 4)

    assert sorted(items[:4]) == [0, 1, 2, 3]
    assert items[4:] == [4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("index", "card", "rest"), [(0, 10, [40, 20, 30]), (1, 20, [10, 40, 30]), (3, 40, [10, 20, 30])]
)
def test_the_last_card_fills_the_place_of_the_one_drawn(index, card, rest):
    deck = [10, 20, 30, 40]

    assert draws.draw_card(block_of(index, width=1), deck, 4) == card
    assert deck[:3] == rest


def test_a_card_is_drawn_from_the_first_count_cards_only():
    deck = [10, 20, 30, 40]

    assert draws.draw_card(block_of(1, width=1), deck, 2) == 20
    assert deck == [10, 20, 30, 40]


@given(seed=st.binary(max_size=8), count=st.integers(1, 300))
def test_a_shuffle_from_the_back_is_one_draw_after_the_other(seed, count):
    """The same indices do both: a shuffle fills the last place first, with the card a draw would take."""
    shuffled = list(range(count))
    shuffling = GameRng.new(seed, 0, 0)
    draws.shuffle(shuffling, shuffled, count)

    deck = list(range(count))
    drawing = GameRng.new(seed, 0, 0)
    drawn = [draws.draw_card(drawing, deck, left) for left in range(count, 1, -1)]

    assert [*drawn, deck[0]] == shuffled[::-1]
    assert drawing == shuffling
