"""The draws look fair: chi-square tests with fixed seeds.

The seeds are fixed, so a test passes always or never; its false-alarm chance is the chance that a fair
generator would have failed with the seed that was chosen. Each critical value is the point of the chi-square
distribution that a fair generator exceeds with a chance of 1e-7, rounded up; `chance_above` checks them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import permutations

import pytest

from croupier.rng import GameRng

# Degrees of freedom -> critical value: the closed form of the upper tail, solved for 1e-7 by bisection.
CRITICAL = {5: 40.87, 23: 76.91, 35: 96.96, 36: 98.56, 51: 121.81, 2601: 2993.52}

SEED = b"croupier statistics"


def chance_above(critical: float, freedom: int) -> float:
    """Return the chance that a chi-square value lies above `critical`.

    The tail is a finite sum: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    half = critical / 2
    odd = freedom % 2 / 2
    terms = (math.exp((k + odd) * math.log(half) - half - math.lgamma(k + odd + 1)) for k in range(freedom // 2))
    return math.fsum(terms) + (math.erfc(math.sqrt(half)) if odd else 0)


def chi_square(drawn: Iterable[Hashable], possible: Iterable[Hashable]) -> float:
    """Return how far the counts of `drawn` are from equal; a value that is not possible is an error."""
    counts = Counter(drawn)
    cells = list(possible)
    assert set(counts) <= set(cells)
    expected = counts.total() / len(cells)
    return sum((counts[cell] - expected) ** 2 for cell in cells) / expected


# Textbook tables, upper 5 % and 0.1 % points to three decimals.
@pytest.mark.parametrize(
    ("critical", "freedom", "chance"),
    [(11.070, 5, 0.05), (20.515, 5, 0.001), (9.488, 4, 0.05), (55.758, 40, 0.05), (86.661, 50, 0.001)],
)
def test_the_tail_agrees_with_the_textbook_tables(critical, freedom, chance):
    assert chance_above(critical, freedom) == pytest.approx(chance, rel=1e-3)


@pytest.mark.parametrize("freedom", CRITICAL)
def test_a_fair_generator_fails_with_a_chance_of_one_in_ten_million(freedom):
    assert 0.99e-7 < chance_above(CRITICAL[freedom], freedom) < 1e-7


@pytest.mark.parametrize("bound", [6, 37, 52])
def test_each_value_below_a_bound_comes_equally_often(bound):
    """2000 draws a value on one long stream: 12,000, 74,000 and 104,000. False alarm: 1e-7 each."""
    rng = GameRng.new(SEED, bound, 0)

    drawn = [rng.next_bounded(bound) for _ in range(2000 * bound)]

    assert chi_square(drawn, range(bound)) < CRITICAL[bound - 1]


def test_the_first_draws_of_many_streams_are_fair_too():
    """52,000 sessions, one draw each, as games make them. False alarm: 1e-7."""
    drawn = [GameRng.new(SEED, session, 1).next_bounded(52) for session in range(52_000)]

    assert chi_square(drawn, range(52)) < CRITICAL[51]


def test_one_draw_tells_nothing_about_the_next():
    """36,000 pairs of faces that follow each other, 36 cells. False alarm: 1e-7."""
    rng = GameRng.new(SEED, 0, 0)
    pairs = [(rng.roll_die(), rng.roll_die()) for _ in range(36_000)]

    cells = [(first, second) for first in range(1, 7) for second in range(1, 7)]
    assert chi_square(pairs, cells) < CRITICAL[35]


def test_every_order_of_four_comes_equally_often():
    """24,000 shuffles over 24 orders. False alarm: 1e-7."""
    rng = GameRng.new(SEED, 4, 0)
    orders = [tuple(rng.shuffle(["a", "b", "c", "d"])) for _ in range(24_000)]

    assert chi_square(orders, permutations("abcd")) < CRITICAL[23]


def test_every_card_comes_to_every_place_of_a_deck_equally_often():
    """5200 decks, 100 expected in each of 52 x 52 cells. False alarm: 1e-7.

    Rows and columns of the table have fixed sums: 51 x 51 degrees of freedom. A random permutation matrix
    varies in each by 1/51, where the sum below reckons with the 1/52 of free cells; hence the factor.
    """
    counts: Counter[tuple[int, int]] = Counter()
    for session in range(5200):
        counts.update(enumerate(GameRng.new(SEED, session, 0).create_deck()))

    cells = [(place, card) for place in range(52) for card in range(52)]
    assert chi_square(counts.elements(), cells) * 51 / 52 < CRITICAL[2601]


def plain_modulo(rng: GameRng) -> int:
    return rng.next_byte() % 52


def skewed_by_two_percent(rng: GameRng) -> int:
    return 0 if rng.next_bounded(50) == 0 else rng.next_bounded(52)


@pytest.mark.parametrize("unfair", [plain_modulo, skewed_by_two_percent])
def test_a_draw_that_is_a_little_unfair_would_be_found(unfair: Callable[[GameRng], int]):
    """The control: 104,000 draws, as above, with the usual mistake of taking a byte modulo 52."""
    rng = GameRng.new(SEED, 52, 0)

    drawn = [unfair(rng) for _ in range(104_000)]

    assert chi_square(drawn, range(52)) > CRITICAL[51]
