"""Policies: which hands are played, by the best there is, and rules of thumb."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Literal, get_args

from msgspec import Struct

from croupier.games.three_card_poker import rules
from croupier.games.three_card_poker.bets import QUALIFIERS
from croupier.games.three_card_poker.dealer import Hand, outcome_counts, starting_hands
from croupier.games.three_card_poker.options import ThreeCardOptions
from croupier.kit.cards import RANKS, rank0, suit
from croupier.kit.poker import rank3

Policy = Literal["best", "q64", "q72", "queen_high", "always_play"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

# The lowest rank that each rule of thumb plays; `best` has none.
LOWEST_PLAYED: dict[str, int] = {"q64": 0xC6400, "q72": 0xC7200, "queen_high": 0xC0000, "always_play": 0}


class LowestHand(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own strategy: the lowest hand that is played, as three ranks, such as Q-6-4; 2-2-3 is the lowest pair.

    >>> hex(LowestHand("Q-6-4").rank)
    '0xc6400'
    """

    play_from: str

    def __post_init__(self) -> None:
        ranks = self.play_from.upper().split("-")
        if len(ranks) != 3 or not set(ranks) <= set(RANKS):
            raise ValueError(f"play_from is {self.play_from!r}, and needs three ranks, such as Q-6-4 or 2-2-3")

    @property
    def rank(self) -> int:
        """Its rank, the cards being of three suits."""
        a, b, c = (13 * number + RANKS.index(rank) for number, rank in enumerate(self.play_from.upper().split("-")))
        return rank3(a, b, c)


MARKED = tuple(combinations(range(4), rules.MARKED_COUNT))


UNIT = rules.BOOST_DENOMINATOR  # an Ante that no boost rounds


def play_value(held: Hand, options: ThreeCardOptions, super_mode: bool) -> Fraction:
    """Return what Ante and Play win together on average, per chip of the Ante, when the hand is played.

    Folding is worth -1. In super mode what the boost brings is counted, over all the suits that may be marked; the fee
    is not: it has been paid by then.

    >>> play_value((11, 18, 29), ThreeCardOptions(), False)  # Q-6-4 loses less than the Ante, just so
    Fraction(-9151, 9212)
    """
    suits: dict[int, int] = {}  # numbered as they appear: hands that differ only in them are worth the same
    by_rank = sorted(held, key=rank0)
    a, b, c = (13 * suits.setdefault(suit(card), len(suits)) + rank0(card) for card in by_rank)
    return _value((a, b, c), options, super_mode)


@lru_cache(8192)  # all there are under one set of options, in both modes
def _value(held: Hand, options: ThreeCardOptions, super_mode: bool) -> Fraction:
    profits = play_profits(held, options, super_mode)
    return Fraction(sum(profit * count for profit, count in profits), UNIT * sum(count for _, count in profits))


def play_profits(held: Hand, options: ThreeCardOptions, super_mode: bool) -> list[tuple[int, int]]:
    """Return what Ante and Play win together for an Ante of `UNIT` chips, and in how many of the cases."""
    rank = rank3(*held)
    boosts = [rules.boost_of(marked, len(marked), rank, *held) if super_mode else 1 for marked in MARKED]
    counts = outcome_counts(held, QUALIFIERS[options.qualifier])
    return [
        (_profit(rank, found, boost), count * boosts.count(boost))
        for boost in sorted(set(boosts))
        for found, count in enumerate(counts)
        if count
    ]


def _profit(rank: int, found: int, boost: int) -> int:
    ante = rules.super_ante_return(UNIT, found, rank, boost) - UNIT
    return ante + rules.bet_return(rules.PLAY, UNIT, found, rank, 0, 0) - UNIT


def plays(policy: Policy | LowestHand, held: Hand, options: ThreeCardOptions, super_mode: bool) -> bool:
    """Tell whether a policy plays the hand; the best plays where that is worth more than the Ante."""
    if policy == "best":
        return play_value(held, options, super_mode) > -1
    if isinstance(policy, LowestHand):
        return rank3(*held) >= policy.rank
    return rank3(*held) >= LOWEST_PLAYED[policy]


@cache
def hands_played(policy: Policy | LowestHand, options: ThreeCardOptions, super_mode: bool) -> tuple[int, ...]:
    """Return the hands that a policy plays, as the words that `rules.is_played` reads."""
    words = [0] * rules.POLICY_WORDS
    for hand, _ in starting_hands():
        if plays(policy, hand, options, super_mode):
            for suits in permutations(range(4)):
                number = rules.hand_number(*(suits[suit(card)] * 13 + rank0(card) for card in hand))
                words[number // rules.HANDS_PER_WORD] |= 1 << number % rules.HANDS_PER_WORD
    return tuple(words)
