"""Best play worked out for every deal, in the numeric subset; `tools.video_poker_tables` compiles and runs it.

All sets of up to five cards are numbered: first by size, and those of one size by the cards in them. Cards go by rank
here, and by suit within a rank, as in `rules.holds.sort_by_rank`: card n is `card_at(n)`.

`solve` goes through all 2,598,960 deals. Beside choosing a hold for each it notes, set by set, what the choices make of
the chance that the final hand contains the set. `tally` reads from that how likely every single final hand is.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.games.video_poker.rules.hands import hand_of
from croupier.games.video_poker.rules.holds import KEPT, SCALES, best_hold, fill_slots, leave_out
from croupier.games.video_poker.rules.rounds import FIRST_LIGHT_CARD, LIGHT_CARDS, PACK_SIZE

DEALS = 2_598_960
FIRST_SETS = (0, 1, 53, 1_379, 23_479, 294_204)
SMALL_SETS = FIRST_SETS[5]
"""How many sets of up to four cards there are; those of five come after them, in the order of the deals."""

LIGHT_COUNTS = LIGHT_CARDS + 1
"""How many light cards a hand may hold: none to four."""


def card_at(number: int) -> int:
    """Return the card with a number by rank.

    >>> [card_at(number) for number in (0, 3, 4, 51)]  # ace of spades, ace of clubs, two of spades, king of clubs
    [0, 39, 1, 51]
    """
    return number % 4 * 13 + number // 4


def fill_choose(choose: MutableSequence[int]) -> None:
    """Write C(n, k) at 52 * k + n, for k up to 5 and n below 52."""
    for n in range(PACK_SIZE):
        choose[n] = 1
        for k in range(1, 6):
            choose[PACK_SIZE * k + n] = 0
            if n > 0:
                choose[PACK_SIZE * k + n] = choose[PACK_SIZE * k + n - 1] + choose[PACK_SIZE * (k - 1) + n - 1]


def fill_kinds(kinds: MutableSequence[int], is_wild: bool) -> None:
    """Write of every deal what it is: the hand times five, plus how many light cards are in it."""
    deal = 0
    for e in range(4, PACK_SIZE):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        kinds[deal] = _kind(card_at(a), card_at(b), card_at(c), card_at(d), card_at(e), is_wild)
                        deal += 1


def _kind(a: int, b: int, c: int, d: int, e: int, is_wild: bool) -> int:
    light = 0
    for card in (a, b, c, d, e):
        if card >= FIRST_LIGHT_CARD:
            light += 1
    return hand_of(a, b, c, d, e, is_wild) * LIGHT_COUNTS + light


def _number_sets(
    a: int, b: int, c: int, d: int, e: int, deal: int, choose: Sequence[int], sets: MutableSequence[int]
) -> None:
    """Write the numbers of the 32 subsets of five cards, by mask."""
    sets[0] = 0
    bit = 1
    for card in (a, b, c, d, e):
        for mask in range(bit):
            sets[mask | bit] = sets[mask] + choose[PACK_SIZE * KEPT[mask | bit] + card]
        bit <<= 1
    for mask in range(31):
        sets[mask] += FIRST_SETS[KEPT[mask]]
    sets[31] = SMALL_SETS + deal


def fill_set_slots(
    choose: Sequence[int],
    slots: MutableSequence[int],
    cards: MutableSequence[int],
    order: MutableSequence[int],
    sets: MutableSequence[int],
    work: MutableSequence[int],
) -> None:
    """Write the slot of every set of up to four cards."""
    for place in range(4):
        order[place] = place
    for d in range(3, PACK_SIZE):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    cards[0], cards[1], cards[2], cards[3] = card_at(a), card_at(b), card_at(c), card_at(d)
                    fill_slots(cards, 0, order, 4, work)
                    _number_sets(a, b, c, d, d, 0, choose, sets)  # a fifth card is only in the masks from 16 on
                    for mask in range(16):
                        slots[sets[mask]] = work[mask]


def add_sums(
    kinds: Sequence[int],
    values: Sequence[int],
    choose: Sequence[int],
    sums: MutableSequence[int],
    sets: MutableSequence[int],
) -> None:
    """Add the value of every hand, by its kind, to all its subsets of up to four cards."""
    deal = 0
    for e in range(4, PACK_SIZE):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        value = values[kinds[deal]]
                        if value != 0:
                            _number_sets(a, b, c, d, e, deal, choose, sets)
                            for mask in range(31):
                                sums[sets[mask]] += value
                        deal += 1


def solve(
    kinds: Sequence[int],
    values: Sequence[int],
    choose: Sequence[int],
    sums: Sequence[int],
    weights: MutableSequence[int],
    sets: MutableSequence[int],
    work: MutableSequence[int],
) -> None:
    """Choose the best hold of every deal, and add to `weights` what that does to every set.

    The chance that a final hand contains a set K, less what is counted for the sets that K contains, is weights[K] of
    DEALS * COMMON: see `tally`.
    """
    deal = 0
    for e in range(4, PACK_SIZE):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        _number_sets(a, b, c, d, e, deal, choose, sets)
                        for mask in range(31):
                            work[mask] = sums[sets[mask]]
                        work[31] = values[kinds[deal]]
                        leave_out(work)
                        _weigh(best_hold(work), sets, weights)
                        deal += 1


def _weigh(hold: int, sets: Sequence[int], weights: MutableSequence[int]) -> None:
    """Count every hand that contains what is kept, and leave out again those that contain a discarded card."""
    scale = SCALES[KEPT[hold]]
    for mask in range(hold, 32):
        if mask & hold == hold:
            if (KEPT[mask] - KEPT[hold]) % 2 == 0:
                weights[sets[mask]] += scale
            else:
                weights[sets[mask]] -= scale


def tally(
    kinds: Sequence[int],
    weights: Sequence[int],
    choose: Sequence[int],
    counts: MutableSequence[int],
    sets: MutableSequence[int],
) -> None:
    """Add to `counts`, by kind, how often a hand of that kind is the final one: of DEALS * COMMON times in all."""
    deal = 0
    for e in range(4, PACK_SIZE):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        _number_sets(a, b, c, d, e, deal, choose, sets)
                        found = 0
                        for mask in range(32):
                            found += weights[sets[mask]]
                        counts[kinds[deal]] += found
                        deal += 1
