"""Dice against plain enumeration."""

from __future__ import annotations

import unicodedata
from collections import Counter
from fractions import Fraction
from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import DrawError
from croupier.kit.dice import Roll, d6, dice_art, die_glyph, roll, sum_distribution
from croupier.kit.errors import KitError
from croupier.rng import GameRng

faces = st.integers(1, 6)


def stream() -> GameRng:
    return GameRng.new(bytes(32), session_id=1, move_number=0)


def test_rolls_match_the_published_vector() -> None:
    """Ten dice of the stream of zeros, session 1, move 0."""
    assert roll(stream(), 6, 10) == Roll(dice=(1, 1, 2, 4, 1, 6, 6, 4, 2, 5), total=32)


def test_one_six_sided_die_is_rolled_unless_said_otherwise_and_d6_gives_the_bare_face() -> None:
    rng, other = stream(), stream()
    faces = [1, 1, 2, 4, 1, 6, 6, 4, 2, 5]

    assert [roll(rng) for _ in faces] == [Roll((face,), face) for face in faces]
    assert [d6(other) for _ in faces] == faces


@given(st.binary(max_size=8), st.integers(1, 1000), st.integers(0, 20))
def test_a_roll_has_its_dice_within_bounds_and_their_sum(seed: bytes, sides: int, count: int) -> None:
    rolled = roll(GameRng.new(seed, 0, 0), sides, count)

    assert len(rolled.dice) == count
    assert all(1 <= die <= sides for die in rolled.dice)
    assert sum(rolled.dice) == rolled.total


@pytest.mark.parametrize(("sides", "count"), [(0, 1), (-6, 1), (6, -1), (0, 2), (-1, 2)])
def test_impossible_dice_are_refused_by_the_stream_and_have_no_chances(sides: int, count: int) -> None:
    with pytest.raises(DrawError):
        roll(stream(), sides, count)
    with pytest.raises(KitError, match=f"{count} dice of {sides} sides"):
        sum_distribution(sides, count)


def test_a_roll_survives_being_saved_and_loaded() -> None:
    rolled = Roll((3, 4), 7)

    assert msgspec.json.decode(msgspec.json.encode(rolled), type=Roll) == rolled


def test_two_dice_have_the_chances_everyone_knows() -> None:
    ways = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}

    assert sum_distribution(6, 2) == {total: Fraction(count, 36) for total, count in ways.items()}
    assert list(sum_distribution(6, 2)) == list(ways)
    assert sum_distribution(6, 0) == {0: Fraction(1)}  # no dice add up to nothing for certain


@pytest.mark.parametrize(("sides", "count"), [(1, 4), (2, 5), (3, 4), (4, 3), (6, 1), (6, 3), (6, 5), (20, 2)])
def test_chances_match_counting_every_roll(sides: int, count: int) -> None:
    counted = Counter(sum(rolled) for rolled in product(range(1, sides + 1), repeat=count))

    assert sum_distribution(sides, count) == {total: Fraction(n, sides**count) for total, n in counted.items()}


@given(st.integers(1, 30), st.integers(0, 12))
def test_chances_add_up_to_one_and_mirror_around_the_middle(sides: int, count: int) -> None:
    chances = sum_distribution(sides, count)

    assert sum(chances.values()) == 1
    assert list(chances) == list(range(count, sides * count + 1))
    assert list(chances.values()) == list(chances.values())[::-1]


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_the_glyph_is_the_character_that_unicode_names_after_the_face(face: int) -> None:
    assert unicodedata.name(die_glyph(face)) == f"DIE FACE-{face}"


@pytest.mark.parametrize("face", [-1, 0, 7])
def test_a_face_that_no_die_has_is_an_error(face: int) -> None:
    with pytest.raises(KitError, match=f"^{face} is no face"):
        die_glyph(face)
    with pytest.raises(KitError, match=f"^{face} is no face"):
        dice_art((1, face))


def test_each_face_is_drawn_as_on_a_real_die() -> None:
    assert dice_art((1, 2, 3, 4, 5, 6)) == [
        "╭───────╮ ╭───────╮ ╭───────╮ ╭───────╮ ╭───────╮ ╭───────╮",
        "│       │ │ ●     │ │ ●     │ │ ●   ● │ │ ●   ● │ │ ●   ● │",
        "│   ●   │ │       │ │   ●   │ │       │ │   ●   │ │ ●   ● │",
        "│       │ │     ● │ │     ● │ │ ●   ● │ │ ●   ● │ │ ●   ● │",
        "╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯",
    ]


@given(st.lists(faces, max_size=8))
def test_art_is_five_even_lines_with_a_dot_for_every_pip(dice: list[int]) -> None:
    art = dice_art(dice)

    assert len(art) == 5
    assert {len(line) for line in art} == {max(0, 10 * len(dice) - 1)}
    assert "".join(art).count("●") == sum(dice)
    turned = [line[::-1] for line in dice_art(dice[::-1])[::-1]]
    assert turned[1:4] == art[1:4]  # the same upside down
