"""Bets that every roll decides: Field, NEXT, hops, AnyCraps, Horn, World, C&E (docs/games/craps.md)."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.craps.rules.ids import ANY_CRAPS, C_AND_E, FIELD, HOP, HORN, hop_bet, target
from croupier.games.craps.rules.prices import FIELD_PAYS, HORN_PAYS, LOSES, PART_WINS, WINS


def judge_one_roll(bet: int, die1: int, die2: int, prices: Sequence[int]) -> int:
    """Return the verdict on a bet that this roll decides."""
    total = die1 + die2
    if bet == FIELD:
        return _field(total, prices)
    if bet < HOP:
        wins = total == target(bet)
    elif bet < ANY_CRAPS:
        wins = bet == hop_bet(die1, die2)
    elif bet == ANY_CRAPS:
        wins = total <= 3 or total == 12
    else:
        return _combination(bet, total, prices)
    return WINS if wins else LOSES


def _field(total: int, prices: Sequence[int]) -> int:
    if total == 2:
        return prices[FIELD_PAYS]
    if total == 12:
        return prices[FIELD_PAYS + 1]
    return WINS if total <= 4 or total >= 9 else LOSES


def _combination(bet: int, total: int, prices: Sequence[int]) -> int:
    """Return what the part that wins pays; the other parts are lost."""
    ends = total == 2 or total == 12
    if bet == C_AND_E:
        if ends or total == 3:
            return PART_WINS + prices[HORN_PAYS + 3]
        return PART_WINS + prices[HORN_PAYS + 1] if total == 11 else LOSES
    if ends:
        return PART_WINS + prices[HORN_PAYS]
    if total == 3 or total == 11:
        return PART_WINS + prices[HORN_PAYS + 1]
    if total == 7 and bet != HORN:
        return PART_WINS + prices[HORN_PAYS + 2]
    return LOSES
