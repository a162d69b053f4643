"""Super mode: the multipliers that a session lights up, their returns and chances; the fee is in `croupier.rounds`.

What the fee does to an edge is in `croupier.house.odds` (docs/house.md, Super mode). What may be lit, and what it is
worth, is in the rules of each game as `generate`, `is_eligible`, `boost` and `super_settle`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import Any

from croupier.house.game import GameType, HouseGame, Lit, house_game
from croupier.house.money import Stake
from croupier.house.odds import add
from croupier.house.table_round import SettleSteps
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE, super_fee


def get_super_mode_fee(bet: int) -> int:
    """Return the fee for a bet in super mode, a fifth of it rounded down: `croupier.rounds.SUPER_FEE_DIVISOR` is fixed.

    >>> get_super_mode_fee(100), get_super_mode_fee(4)
    (20, 0)
    """
    return super_fee(bet)


def generate_super_multipliers(
    game: HouseGame[Any] | GameType | str, seed: bytes | GameRng, session_id: int = 0
) -> tuple[Lit, ...]:
    """Return what is lit in a super session, in the order drawn, from the stream that is kept for it.

    Or from a stream that is given in place of the seed.
    """
    rng = seed if isinstance(seed, GameRng) else GameRng.new(seed, session_id, SUPER_MOVE)
    return house_game(game).super_multipliers(rng)


def settled(
    steps: SettleSteps,
    laid: Stake,
    code: tuple[int, int],
    find: Sequence[int],
    options: Sequence[int],
    lit: Sequence[Lit],
) -> int:
    """Return the chips handed back for a bet by the steps of its game, or `STAYS`; boosted if it paid the fee."""
    if not laid.boosted:
        return steps.settle(*code, laid.stake, find, options)
    ids, multipliers = [each.id for each in lit], [each.multiplier for each in lit]
    boost = steps.boost(*code, find, ids, multipliers, len(lit))
    return steps.super_settle(*code, laid.stake, find, options, boost)


def lit_chance(place: int, m: int, count: int) -> Fraction:
    """Return the chance that one of `m` ids, the one at `place`, is among the `count` that `draw_unlit` lights.

    >>> lit_chance(0, 2, 1), lit_chance(0, 37, 37), lit_chance(0, 37, 6) > lit_chance(36, 37, 6)
    (Fraction(1, 2), Fraction(1, 1), True)
    """
    one = (1, 0) if place < 256 % m else (0, 1)
    return exactly_lit(m, count, one, one)


@cache
def exactly_lit(m: int, count: int, lit: tuple[int, int], known: tuple[int, int]) -> Fraction:
    """Return the chance that of some of `m` ids just certain ones are among the `count` that `draw_unlit` lights.

    Where 256 bytes do not divide by m, the first ids have one byte more than the others and are lit more often. Both
    pairs of numbers count those heavy ones first: how many are lit, and how many there are.
    """
    every = (256 % m, m - 256 % m)
    chance = Fraction(0)
    for drawn, weight in _lit_counts(m, count).items():
        for total, found, own, mine in zip(every, drawn, known, lit, strict=True):
            weight *= Fraction(comb(total - own, found - mine) if found >= mine else 0, comb(total, found))
        chance += weight
    return chance


@cache
def marked_chances(m: int, count: int) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of every set of `count` of `m` ids, the lowest first, that `draw_unlit` may light.

    >>> marked_chances(4, 2)[0, 3], marked_chances(13, 2)[0, 1] > marked_chances(13, 2)[11, 12]
    (Fraction(1, 6), True)
    """
    chances = {}
    for marked in combinations(range(m), count):
        heavy = sum(place < 256 % m for place in marked)
        chances[marked] = exactly_lit(m, count, (heavy, count - heavy), (heavy, count - heavy))
    return chances


@cache
def _lit_counts(m: int, count: int) -> dict[tuple[int, int], Fraction]:
    """Return the chances of how many heavy ids are lit, and how many of the others."""
    chances = {(0, 0): Fraction(1)}
    for _ in range(count):
        following: dict[tuple[int, int], Fraction] = {}
        for (heavy, light), chance in chances.items():
            ways = ((256 % m - heavy) * (256 // m + 1), (m - 256 % m - light) * (256 // m))
            for after, share in zip(((heavy + 1, light), (heavy, light + 1)), ways, strict=True):
                if share:
                    add(following, after, chance * Fraction(share, sum(ways)))
        chances = following
    return chances


def multiplier_chances(lit: Fraction, multipliers: Iterable[int]) -> dict[int, Fraction]:
    """Return the chance of each multiplier on something that is lit with chance `lit`; 0 stands for not lit.

    The multipliers are those of every draw that there is, all equally likely.

    >>> multiplier_chances(Fraction(1, 2), (2, 2, 5, 2))
    {0: Fraction(1, 2), 2: Fraction(3, 8), 5: Fraction(1, 8)}
    """
    counts = Counter(multipliers)
    total = counts.total()
    return {0: 1 - lit} | {multiplier: lit * Fraction(count, total) for multiplier, count in counts.items()}


# Boosts of cards from a shoe: the multipliers of those that are lit, multiplied. Three things are left to chance once
# the values of the cards are known: which cards they are, which cards are lit, and the multipliers. Cards of one kind
# are alike in all three, so it is enough to count how many there are.

# How often each distinct card among some was dealt, for common cards and for rare ones: a nine and two kings of clubs
# are ((1,), (2,)). A byte modulo 52 is five times in 256 each of the cards 0 to 47, the common ones, and four times
# each of 48 to 51, the rare ones: ten, jack, queen and king of clubs.
Copies = tuple[tuple[int, ...], tuple[int, ...]]
RARE = 4


def shares_of(values: Iterable[int], limits: Sequence[int]) -> dict[int, int]:
    """Return how many of the draws that `limits` cut into steps give each value.

    >>> shares_of((2, 3, 8), (6000, 9000, 10000))
    {2: 6000, 3: 3000, 8: 1000}
    """
    return {value: high - low for value, low, high in zip(values, (0, *limits), limits, strict=False)}


def mean_boosts(
    decks: int, lit: Mapping[int, int], multipliers: Mapping[int, int], most: int, power: int = 1
) -> Callable[[int, tuple[int, ...]], Fraction]:
    """Return what gives the mean boost of cards, from how many are tens or courts, and how many of each other value.

    How many cards are lit, and what each is worth, is drawn by these shares; boosts, `most` at most, count to a power.
    """

    @cache
    def mean_product(powers: tuple[int, ...]) -> Fraction:
        """Return the mean of the capped product of independent multipliers, as often each as `powers` says."""
        total = 0
        for chosen in product(multipliers, repeat=len(powers)):
            boost = prod(multiplier**power for multiplier, power in zip(chosen, powers, strict=True))
            total += min(boost, most) ** power * prod(multipliers[multiplier] for multiplier in chosen)
        return Fraction(total, sum(multipliers.values()) ** len(powers))

    @cache
    def mean_of(copies: Copies) -> Fraction:
        """Return the mean boost of given cards: over every choice of those that are lit, and their multipliers."""
        common, rare = copies
        mean = Fraction(0)
        for chosen in product((0, 1), repeat=len(common) + len(rare)):
            powers = [dealt for dealt, is_lit in zip(common + rare, chosen, strict=True) if is_lit]
            certain = sum(chosen[: len(common)]), sum(chosen[len(common) :])
            for count, share in lit.items():
                if len(powers) <= count:
                    chance = exactly_lit(52, count, certain, (len(common), len(rare)))
                    mean += share * chance * mean_product(_sorted(powers))
        return mean / sum(lit.values())

    @cache
    def mean_boost(tens: int, others: tuple[int, ...]) -> Fraction:
        # Twelve of the sixteen cards from ten to king are common, and so are all four of every other value. Cards of
        # the same value elsewhere need no thought: they are as likely to be any of the rest.
        found = _copies_within(tens, 12, RARE, decks)
        for count in others:
            joined: dict[Copies, Fraction] = {}
            for (one, one_chance), (two, two_chance) in product(
                found.items(), _copies_within(count, 4, 0, decks).items()
            ):
                add(joined, (_sorted(one[0] + two[0]), one[1]), one_chance * two_chance)
            found = joined
        return sum((chance * mean_of(copies) for copies, chance in found.items()), Fraction(0))

    return mean_boost


@cache
def _copies_within(count: int, common: int, rare: int, decks: int) -> dict[Copies, Fraction]:
    """Return the chances of which cards are behind `count` of one value, with so many common and rare ones a pack."""
    if count == 0:
        return {((), ()): Fraction(1)}
    found: dict[Copies, Fraction] = {}
    cards_left = decks * (common + rare) - (count - 1)
    for (common_copies, rare_copies), chance in _copies_within(count - 1, common, rare, decks).items():
        for after, ways in _one_more(common_copies, common, decks):
            add(found, (after, rare_copies), chance * Fraction(ways, cards_left))
        for after, ways in _one_more(rare_copies, rare, decks):
            add(found, (common_copies, after), chance * Fraction(ways, cards_left))
    return found


def _one_more(copies: tuple[int, ...], distinct: int, decks: int) -> list[tuple[tuple[int, ...], int]]:
    """Return what one more card of `distinct` different ones makes of the copies, and in how many ways."""
    steps = [(_sorted((*copies, 1)), decks * (distinct - len(copies)))]
    for index, dealt in enumerate(copies):
        steps.append((_sorted((*copies[:index], dealt + 1, *copies[index + 1 :])), decks - dealt))
    return [(after, ways) for after, ways in steps if ways > 0]


def _sorted(copies: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(copies))
