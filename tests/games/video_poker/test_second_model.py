"""Video poker worked out a second time, from its rules page: no rule, table or count of the package is used.

All 2,598,960 hands are paid by a reading of their own, over arrays. What a hold is worth is the sum over the hands that
contain the held cards, those with a discarded card taken off again by inclusion and exclusion.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from croupier.games.video_poker import odds
from croupier.games.video_poker.coach import hold_values
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.house import OddsRow
from tests.games.video_poker.test_odds import FEE, mean_boost
from tests.games.video_poker.test_vectors import PRICES

Array = np.ndarray[Any, Any]
DEALS = comb(52, 5)
# The hands in the order in which they are paid here, and what comes back for a chip.
NATURAL = "high_pair two_pair three_of_a_kind straight flush full_house four_of_a_kind four_twos_to_fours four_aces"
WILD = "three_of_a_kind straight flush full_house four_of_a_kind straight_flush five_of_a_kind wild_royal_flush"
ORDERS = {name: f"{NATURAL} straight_flush royal_flush".split() for name in PRICES}
ORDERS["deuces_wild"] = f"{WILD} four_deuces royal_flush".split()
PAYS = {name: tuple(prices[hand] for hand in ORDERS[name]) for name, prices in PRICES.items()}


@cache
def all_hands() -> Array:
    """Return every hand as five cards from the lowest: card // 4 is the rank, 0 an ace, card % 4 the suit."""
    flat = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int8, 5 * DEALS)
    return np.ascontiguousarray(flat.reshape(DEALS, 5).T)


@cache
def in_window() -> tuple[Array, Array]:
    """Return for every set of ranks whether five in a row hold it, the ace at either end; and whether a royal does."""
    masks = np.arange(1 << 13)
    long = masks | (masks & 1) << 13  # an ace stands for both ends
    runs = [0b11111 << low for low in range(9)]
    fits = np.zeros(1 << 13, bool)
    for run in runs:
        fits |= masks & ~run == 0
    high = 0b11111 << 9
    royal = (long & ~1) & ~high == 0
    return fits | royal, royal


@cache
def shape(is_wild: bool) -> tuple[Array, Array, Array, Array]:
    """Return for every hand its deuces (if wild), its pairs of equal ranks, its ranks as a set, if it is suited."""
    hands = all_hands()
    ranks, suits = hands // 4, hands % 4
    wild = ranks == 1 if is_wild else np.zeros_like(hands, bool)
    pairs = np.zeros(DEALS, np.int8)
    for one, other in combinations(range(5), 2):
        pairs += (ranks[one] == ranks[other]) & ~wild[one]
    ranks_set, suits_set = np.zeros(DEALS, np.int16), np.zeros(DEALS, np.int8)
    for place in range(5):
        ranks_set |= np.where(wild[place], 0, 1 << ranks[place].astype(np.int16)).astype(np.int16)
        suits_set |= np.where(wild[place], 0, 1 << suits[place]).astype(np.int8)
    one_suit = np.isin(suits_set, (1, 2, 4, 8))
    return wild.sum(axis=0).astype(np.int8), pairs, ranks_set, one_suit


@cache
def paid(name: str) -> Array:
    """Return what every hand returns for a chip."""
    deuces, pairs, ranks, flush = shape(name == "deuces_wild")
    fits, royal = (table[ranks] for table in in_window())
    straight = fits & (pairs == 0)
    pays, found = PAYS[name], np.zeros(DEALS, np.int64)

    def pay(where: Array, price: int) -> None:
        found[where] = np.maximum(found[where], price)

    if name == "deuces_wild":
        left = 5 - deuces
        most = np.select([pairs == 0, pairs <= 2, pairs <= 4], [1, 2, 3], 4) + deuces  # of one rank, deuces with it
        pay(most >= 3, pays[0])
        pay(straight, pays[1])
        pay(flush, pays[2])
        pay(((pairs == 4) & (deuces == 0)) | ((pairs == 2) & (deuces == 1)), pays[3])
        pay((most >= 4) & ~((pairs == 4) & (deuces == 0)), pays[4])
        pay(straight & flush, pays[5])
        pay((most >= 5) & (left < 5), pays[6])
        pay(straight & flush & royal & (deuces > 0), pays[7])
        pay(deuces == 4, pays[8])
        pay(straight & flush & royal & (deuces == 0), pays[9])
        return found
    middle = all_hands() // 4
    pair_rank = np.select([middle[k] == middle[k + 1] for k in range(4)], [middle[k] for k in range(4)], -1)
    high = np.isin(pair_rank, (0, 10, 11, 12))
    for where, price in (
        ((pairs == 1) & high, pays[0]),
        (pairs == 2, pays[1]),
        (pairs == 3, pays[2]),
        (straight, pays[3]),
        (flush, pays[4]),
        (pairs == 4, pays[5]),
        (pairs == 6, pays[6]),
        ((pairs == 6) & np.isin(middle[2], (1, 2, 3)), pays[7]),
        ((pairs == 6) & (middle[2] == 0), pays[8]),
        (straight & flush, pays[9]),
        (straight & flush & royal, pays[10]),
    ):
        pay(where, price)
    return found


@cache
def places(mask: int) -> Array:
    """Return the number of the set that these cards of each hand are among all sets of as many."""
    found = np.zeros(DEALS, np.int32)
    for size, place in enumerate((place for place in range(5) if mask >> place & 1), 1):
        found += np.array([comb(card, size) for card in range(52)], np.int32)[all_hands()[place]]
    return found


def set_sums(values: Array) -> list[Array]:
    """Return for every set of 0 to 5 cards what the hands that contain it are worth together."""
    found = [np.zeros(comb(52, size)) for size in range(6)]
    for mask in range(32):
        size = mask.bit_count()
        found[size] += np.bincount(places(mask), values, minlength=comb(52, size))
    return found


def hold_sums(sums: list[Array], deals: Array | slice) -> Array:
    """Return for each hold (a row) and each of these deals what all draws after it are worth together."""
    found = np.stack([sums[mask.bit_count()][places(mask)[deals]] for mask in range(32)])
    for place in range(5):  # hands that hold a discarded card are taken off
        for mask in range(32):
            if not mask >> place & 1:
                found[mask] -= found[mask | 1 << place]
    return found


DRAWS = np.array([comb(47, 5 - mask.bit_count()) for mask in range(32)], np.int64)


PREFERRED = np.array(sorted(range(32), key=lambda mask: (-mask.bit_count(), mask)))


def best_holds(sums: Array) -> Array:
    """Return the best hold of each deal; of equals the one that keeps more cards, then the one with the lowest mask."""
    whole = 5 * comb(47, 5) // DRAWS  # in these units means are whole numbers, and floats hold them exactly
    best: Array = PREFERRED[np.argmax((sums * whole[:, None])[PREFERRED], axis=0)]
    return best


@cache
def kinds() -> tuple[Array, Array]:
    """Return one deal of each kind, and how many there are: deals are alike where only their suits have other names."""
    suit_sets = np.zeros((4, DEALS), np.int64)
    for place in range(5):
        rank, suit = all_hands()[place] // 4, all_hands()[place] % 4
        for number in range(4):
            suit_sets[number] |= np.where(suit == number, 1 << rank.astype(np.int64), 0)
    suit_sets.sort(axis=0)
    keys = suit_sets[0] | suit_sets[1] << 13 | suit_sets[2] << 26 | suit_sets[3] << 39
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return first, counts


def best_return(worth: Array, wanted: Array) -> Fraction:
    """Return what a chip brings, by what holds of each kind are worth, who takes the hold that is wanted most."""
    counts, best, total = kinds()[1], best_holds(wanted), Fraction(0)
    for mask in range(32):
        exact = np.round(worth[mask][best == mask]).astype(np.int64)
        total += Fraction(int((exact * counts[best == mask]).sum()), int(DRAWS[mask]))
    return total / DEALS


def hunted(name: str) -> Array:
    """Return what the hunter plays for: thousandths of a chip in super mode, as if any four cards were marked."""
    chances = [Fraction(comb(5, k) * comb(47, 4 - k), comb(52, 4)) for k in range(5)]
    prices = np.zeros(801)
    for price in PAYS[name]:
        tenths = (10, *(5000,) * 4) if price == 800 else (10, 12, 20, 500, 5000)
        mean = sum(p * Fraction(m - 10, 250) for p, m in zip(chances, tenths, strict=True))
        prices[price] = int(1000 * (price + max(price - 1, 0) * mean))
    return prices[paid(name)]


def test_hands_are_as_many_as_published():
    """Published: 875,504 chips come back for all hands at 9/6."""
    assert int(paid("jacks_9_6").sum()) == 875_504
    assert len(kinds()[0]) == 134_459


def rows_of(name: str, super_mode: bool = False) -> dict[str, OddsRow]:
    found = (odds.super_odds if super_mode else odds.odds)(VideoPokerOptions(name))  # type: ignore[arg-type]
    return {row.policy: row for row in found}


SUITE = ("double_bonus_9_7", "deuces_wild")


@pytest.mark.parametrize(
    "name", [*SUITE, *(pytest.param(name, marks=pytest.mark.soak) for name in PAYS if name not in SUITE)]
)
def test_every_policy_is_worth_what_a_second_program_finds(name, checks):
    """The best by the pay table, the best by what super mode pays on average, and keeping all; exactly."""
    rows = rows_of(name)
    worth, wanted = (hold_sums(set_sums(values), kinds()[0]) for values in (paid(name), hunted(name)))

    assert rows["optimal"].edge == 1 - best_return(worth, worth)
    assert rows["royal_hunter"].edge == 1 - best_return(worth, wanted)
    assert rows["hold_all"].edge == 1 - Fraction(int(paid(name).sum()), DEALS)
    checks("model", "video-poker", rows.values())


SOME_DEALS = range(12_345, DEALS, 500_000)


@pytest.mark.parametrize("name", PAYS)
def test_the_coach_knows_what_a_second_program_finds(name):
    """All 32 holds of a few deals: what they return, and how likely they win and push."""
    deals = np.array(SOME_DEALS)
    prices = paid(name)
    worths, wins, pushes = (hold_sums(set_sums(values), deals) for values in (prices, prices > 1, prices == 1))
    for column, deal in enumerate(deals):
        cards = [int(card) % 4 * 13 + int(card) // 4 for card in all_hands()[:, deal]]
        for worth in hold_values(cards, VideoPokerOptions(name)):
            counted = (round(float(sums[worth.mask, column])) for sums in (worths, wins, pushes))
            chances = [Fraction(count, int(DRAWS[worth.mask])) for count in counted]
            assert [worth.value, worth.win, worth.push] == chances, (cards, worth.mask)


# Super mode: what a hand pays there on average depends on how many of the last four cards it holds.


def light_counts() -> Array:
    found: Array = ((all_hands() % 4 == 3) & (all_hands() // 4 >= 9)).sum(axis=0)
    return found


def boosted_prices(name: str) -> dict[tuple[int, int], Fraction]:
    """Return what a hand brings on average in super mode, by what it pays and by its light cards."""
    return {
        (price, light): price + max(price - 1, 0) * mean_boost(light, price == 800)
        for price in {0, *PAYS[name]}
        for light in range(5)
    }


@pytest.mark.parametrize("name", PAYS)
def test_keeping_all_cards_in_super_mode_costs_what_a_second_program_finds(name, checks):
    counts = np.bincount(5 * paid(name) + light_counts(), minlength=4005)
    returned = sum(int(counts[5 * price + light]) * worth for (price, light), worth in boosted_prices(name).items())
    row = rows_of(name, super_mode=True)["hold_all"]

    assert row.edge == 1 + FEE - returned / DEALS
    checks("model", "video-poker", [row], super_mode=True)


@pytest.mark.soak
@pytest.mark.parametrize("name", PAYS)
def test_super_mode_costs_what_a_second_program_finds(name, checks):
    """Over all deals, since the light cards make suits differ: floats, so to twelve digits."""
    worth = np.zeros(4005)
    for (price, light), value in boosted_prices(name).items():
        worth[5 * price + light] = float(value)
    boosted = set_sums(worth[5 * paid(name) + light_counts()])
    rows = rows_of(name, super_mode=True)
    for policy, values in {"optimal": paid(name), "royal_hunter": hunted(name)}.items():
        chosen_by, total = set_sums(values), 0.0
        for first in range(0, DEALS, 100_000):
            deals = slice(first, first + 100_000)
            best = best_holds(hold_sums(chosen_by, deals))
            means = hold_sums(boosted, deals) / DRAWS[:, None]
            total += float(means[best, np.arange(len(best))].sum())
        assert float(rows[policy].edge) == pytest.approx(1.2 - total / DEALS, abs=1e-11)
    checks("model", "video-poker", [rows["optimal"], rows["royal_hunter"]], super_mode=True)
