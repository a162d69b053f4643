"""The names of the blackjack bets and their codes.

The number of a raise is that of the hand it is on, in the order in which hands were made: the opening stake lies on
hand 1, `split:2` is the stake of the first hand that was split off, `double:2` what that one was doubled with.
"""

from __future__ import annotations

from croupier.games.blackjack import rules

MAIN, INSURANCE = "main", "insurance"

# Their order is that of the payload that lays all five (docs/protocol.md, Opcodes).
SIDE_BETS: dict[str, int] = {
    "twenty_one_plus_three": rules.TWENTY_ONE_PLUS_THREE,
    "lucky_ladies": rules.LUCKY_LADIES,
    "perfect_pairs": rules.PERFECT_PAIRS,
    "bust_it": rules.BUST_IT,
    "royal_match": rules.ROYAL_MATCH,
}


def hand_bet(number: int) -> str:
    """Return the bet that the stake of a hand is.

    >>> hand_bet(1), hand_bet(2)
    ('main', 'split:2')
    """
    return MAIN if number == 1 else f"split:{number}"


def double_bet(number: int) -> str:
    """Return the bet that a hand is doubled with."""
    return f"double:{number}"


# Name -> (kind, number). Raises and insurance come during play and have kinds after those of the opening.
BETS: dict[str, tuple[int, int]] = {
    MAIN: (rules.MAIN, 0),
    **{name: (kind, 0) for name, kind in SIDE_BETS.items()},
    INSURANCE: (rules.INSURANCE, 0),
    **{double_bet(number): (rules.DOUBLED, number) for number in range(1, rules.HANDS_MAX + 1)},
    **{hand_bet(number): (rules.SPLIT_OFF, number) for number in range(2, rules.HANDS_MAX + 1)},
}
