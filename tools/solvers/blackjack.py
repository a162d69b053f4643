# The numeric subset spells things out.
# ruff: noqa: SIM109, SIM110
"""Solver of blackjack: the worth of hands over every card that can come, behind the strategy tables and the edges.

Everything here is for one up card. A player's hand is one of 3,083 compositions, counts of the ten values whose hard
total is 21 at most. The chances of the dealer's totals (`croupier.games.blackjack.solver.dealer_nodes`) are products of
the cards left, so nothing is rounded but the floats, at about 1e-15 each.

A player who follows a table looks at one hand and at nothing else, so the hands of a split are worth the same one by
one as if each were played alone: the unseen cards may be dealt in any order. That makes splits exact too, re-splits
included, once the cards that became hands are counted (`split_paths`, `split_values`).

Values are of one chip on the hand, over a mass of chance: all of it where the dealer has no hole card, and all but the
dealer's natural where the dealer has peeked. `hands` returns plain lists. The functions below it are in the numeric
subset, floats aside, and the simulator compiles them (`tools.blackjack_tables`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import cache
from typing import NamedTuple

from croupier.games.blackjack import rules
from croupier.games.blackjack.solver import ENDS, Nodes, hard_total, with_card

CHANCES = ENDS + 1  # those without a natural, and the natural
NATURAL_AT = ENDS
NET, STAKED, WIN, PUSH, BOOSTED, SQUARE = range(6)
FIELDS = 6
EXTRA_MAX = 6  # how many more cards of a pair's rank than the hand's own can be known to be gone

Floats = Sequence[float]
Column = MutableSequence[float]


class Hands(NamedTuple):
    """Every composition of a hand that has not busted, in an order in which a hand comes after all it can become.

    Hands of one row of the strategy table are neighbours; `row_ends` are the places after the last of each row, and
    hands of 21, which no table asks about, come before the first. `counts` and `next` have ten numbers a hand.
    """

    counts: Sequence[int]
    hard: Sequence[int]
    has_ace: Sequence[bool]
    size: Sequence[int]
    next: Sequence[int]
    """The hand with one more card of each value, -1 where that busts."""
    row_ends: Sequence[int]


@cache
def hands() -> Hands:
    """Return the compositions of players' hands, those of fewer than two cards included.

    >>> len(hands().hard)
    3083
    """
    found = _compositions((0,) * 10, 0, 1)
    found.sort(key=_play_order)
    place = {counts: index for index, counts in enumerate(found)}
    hard = [hard_total(counts) for counts in found]
    following = [place.get(with_card(counts, value), -1) for counts in found for value in range(1, 11)]
    rows = [_play_order(counts)[0] for counts in found]
    ends = [index for index in range(1, len(rows) + 1) if index == len(rows) or rows[index] != rows[index - 1]]
    return Hands(
        [count for counts in found for count in counts],
        hard,
        [counts[0] > 0 for counts in found],
        [sum(counts) for counts in found],
        following,
        ends,
    )


def _compositions(counts: tuple[int, ...], hard: int, lowest: int) -> list[tuple[int, ...]]:
    found = [counts]
    for value in range(lowest, 11):
        if hard + value <= rules.TWENTY_ONE:
            found += _compositions(with_card(counts, value), hard + value, value)
    return found


def _play_order(counts: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return what sorts hands: 21, hard 20 to 11, soft 20 to 12, hard 10 to 4, then fewer than two cards.

    A hard total of 11 or more stays hard; a soft one becomes soft or hard, but not less than hard 12.
    """
    hard, has_ace = hard_total(counts), counts[0] > 0
    total = rules.best_total(hard, has_ace)
    if sum(counts) < 2:
        return 100, counts
    if rules.is_soft(hard, has_ace):
        return (50 - total if total < rules.TWENTY_ONE else 0), counts
    return (rules.TWENTY_ONE - total if total > 10 else 80 - total), counts


# From here on in the numeric subset, floats aside.


def fill_chances(
    compositions: Hands, nodes: Nodes, shoe: Floats, natural_value: int, extra_value: int, extra: int, chances: Column
) -> None:
    """Write how the dealer ends for every hand: the chances of 17 to 21 without a natural, then that of a natural.

    `shoe` is what is left of each value without the up card; the hand's own cards are taken from it here, and `extra`
    more of a value. Hands that need more cards than there are get zeros.
    """
    left = [0.0] * 10
    products = [0.0] * len(nodes.size)
    for hand in range(len(compositions.size)):
        total = 0.0
        enough = True
        for i in range(10):
            left[i] = shoe[i] - compositions.counts[10 * hand + i]
            if i == extra_value - 1:
                left[i] -= extra
            enough = enough and left[i] >= 0.0
            total += left[i]
        for i in range(CHANCES):
            chances[CHANCES * hand + i] = 0.0
        if enough:
            _dealer_chances(nodes, left, total, products, chances, CHANCES * hand)
            if natural_value > 0:
                chances[CHANCES * hand + NATURAL_AT] = left[natural_value - 1] / total


def _dealer_chances(nodes: Nodes, left: Floats, total: float, products: Column, chances: Column, at: int) -> None:
    """Add up, over the dealer's hands that go on, the chances that the next card ends them."""
    for node in range(len(nodes.size)):
        products[node] = 1.0
        if node > 0:
            parent = nodes.parent[node]
            i = nodes.value[node] - 1
            products[node] = 0.0
            if products[parent] > 0.0:
                share = (left[i] - nodes.held[10 * parent + i]) / (total - nodes.size[parent])
                products[node] = products[parent] * share
        if products[node] > 0.0 and total > nodes.size[node]:
            weight = products[node] * nodes.orders[node] / (total - nodes.size[node])
            for end in range(ENDS):
                value = nodes.ends[ENDS * node + end]
                if value > 0:
                    chances[at + end] += weight * (left[value - 1] - nodes.held[10 * node + value - 1])


def _mass(chances: Floats, hand: int, is_peeked: bool) -> float:
    """Return the mass of chance that a hand's values are over."""
    return 1.0 - chances[CHANCES * hand + NATURAL_AT] if is_peeked else 1.0


def _bust_mass(left: float, natural_left: float, is_natural: bool, is_peeked: bool) -> float:
    """Return the same for a hand that has busted, from what was left of all cards before its last."""
    if not is_peeked:
        return 1.0
    return 1.0 - (natural_left - 1.0 if is_natural else natural_left) / (left - 1.0)


def _stand(compositions: Hands, chances: Floats, hand: int, is_peeked: bool, out: Column, at: int) -> None:
    """Write what a hand is worth that stands."""
    total = rules.best_total(compositions.hard[hand], compositions.has_ace[hand])
    busts = 1.0 - chances[CHANCES * hand + NATURAL_AT]
    below = 0.0
    equal = 0.0
    for end in range(ENDS):
        chance = chances[CHANCES * hand + end]
        busts -= chance
        if 17 + end < total:
            below += chance
        elif 17 + end == total:
            equal = chance
    mass = _mass(chances, hand, is_peeked)
    out[at + WIN] = busts + below
    out[at + PUSH] = equal
    out[at + STAKED] = mass
    out[at + NET] = 2.0 * (busts + below) + equal - mass
    out[at + SQUARE] = mass - equal


def play(
    compositions: Hands,
    chances: Floats,
    boosts: Floats,
    shoe: Floats,
    extra_value: int,
    extra: int,
    up_value: int,
    table: Sequence[int],
    is_peeked: bool,
    may_double: bool,
    may_surrender: bool,
    out: Column,
) -> None:
    """Write what every hand is worth to a player who follows a table, six numbers a hand; a pair is not split.

    They are the net result, what is staked, the chances that the first chip wins and pushes, the chance that it wins
    times the hand's mean boost then, and the square of the net result; hands are those of `fill_chances`.
    """
    one = [0.0] * FIELDS
    natural_value = rules.natural_value(up_value)
    for hand in range(len(compositions.size)):
        at = FIELDS * hand
        size = compositions.size[hand]
        if size < 2:
            return
        hard, has_ace, first_two = compositions.hard[hand], compositions.has_ace[hand], size == 2
        action = rules.choose(
            table, 0, hard, has_ace, 0, up_value, first_two and may_double, first_two and may_surrender
        )
        _stand(compositions, chances, hand, is_peeked, out, at)
        out[at + BOOSTED] = out[at + WIN] * boosts[hand]
        if action == rules.SURRENDER:
            half = (1.0 - chances[CHANCES * hand + NATURAL_AT]) / 2.0
            out[at + NET] = half - out[at + STAKED]
            out[at + SQUARE] = out[at + STAKED] - 1.5 * half  # a quarter where half comes back
            for field in range(WIN, BOOSTED + 1):
                out[at + field] = 0.0
        elif action != rules.STAND:
            for field in range(FIELDS):
                out[at + field] = 0.0
            left = 0.0
            for i in range(10):
                left += shoe[i]
            left -= size + extra
            natural_left = 0.0
            if natural_value > 0:
                natural_left = shoe[natural_value - 1] - compositions.counts[10 * hand + natural_value - 1]
                natural_left -= extra if natural_value == extra_value else 0
            raised = 2.0 if action == rules.DOUBLE else 1.0
            for i in range(10):
                cards = shoe[i] - compositions.counts[10 * hand + i] - (extra if i == extra_value - 1 else 0)
                if cards > 0.0 and left > 1.0:  # nobody comes to hands of more cards than there are
                    following = compositions.next[10 * hand + i]
                    if following < 0:
                        lost = raised * _bust_mass(left, natural_left, i == natural_value - 1, is_peeked)
                        out[at + NET] -= lost * cards / left
                        out[at + STAKED] += lost * cards / left
                        out[at + SQUARE] += raised * lost * cards / left
                    elif action == rules.HIT:
                        for field in range(FIELDS):
                            out[at + field] += out[FIELDS * following + field] * cards / left
                    else:
                        _stand(compositions, chances, following, is_peeked, one, 0)
                        one[NET] *= raised
                        one[STAKED] *= raised
                        one[BOOSTED] = one[WIN] * boosts[following]
                        one[SQUARE] *= raised * raised
                        for field in range(FIELDS):
                            out[at + field] += one[field] * cards / left


def decide(
    compositions: Hands, chances: Floats, shoe: Floats, up_value: int, is_peeked: bool, table: MutableSequence[int]
) -> None:
    """Write a column of a strategy table: what is best with each total, on the average of its hands of two cards.

    Pairs are left out of the average where a total has other hands, and the rows of pairs are not written. To hit is
    valued by what the rows decided before then do.
    """
    values = [0.0] * len(compositions.size)
    one = [0.0] * FIELDS
    begin = 0
    for row in range(len(compositions.row_ends)):
        end = compositions.row_ends[row]
        if compositions.size[begin] < 2:
            return
        total = rules.best_total(compositions.hard[begin], compositions.has_ace[begin])
        stand = 0.0
        hit = 0.0
        double = 0.0
        surrender = 0.0
        if total <= rules.TOTAL_HIGH:
            has_others = False
            for hand in range(begin, end):
                has_others = has_others or (compositions.size[hand] == 2 and not _is_pair(compositions, hand))
            for hand in range(begin, end):
                if compositions.size[hand] == 2 and not (has_others and _is_pair(compositions, hand)):
                    weight = _deal_weight(compositions, shoe, hand)
                    _stand(compositions, chances, hand, is_peeked, one, 0)
                    stand += weight * one[NET]
                    surrender += weight * ((1.0 - chances[CHANCES * hand + NATURAL_AT]) / 2.0 - one[STAKED])
                    hit += weight * _hit_value(compositions, chances, shoe, up_value, is_peeked, values, hand, False)
                    double += weight * _hit_value(compositions, chances, shoe, up_value, is_peeked, values, hand, True)
            code = rules.HIT_BIT if hit > stand else 0
            if double > max(hit, stand):
                code += rules.DOUBLE_BIT
            if surrender > max(hit, stand, double):
                code = (rules.HIT_BIT if hit > stand else 0) + rules.SURRENDER_BIT
            soft = rules.is_soft(compositions.hard[begin], compositions.has_ace[begin])
            table[rules.total_cell(total, soft, up_value)] = code
        for hand in range(begin, end):
            if hit > stand:
                values[hand] = _hit_value(compositions, chances, shoe, up_value, is_peeked, values, hand, False)
            else:
                _stand(compositions, chances, hand, is_peeked, one, 0)
                values[hand] = one[NET]
        begin = end


def best_values(
    compositions: Hands, chances: Floats, shoe: Floats, up_value: int, stand: Column, hit: Column, double: Column
) -> None:
    """Write the net result of standing, hitting and doubling with every hand, under the best play for its very cards.

    The dealer has not peeked. Who looks at nothing but the hand itself would not do otherwise after a peek: as long as
    no chips are added, what a natural takes is the same whatever is done.
    """
    values = [0.0] * len(compositions.size)
    one = [0.0] * FIELDS
    for hand in range(len(compositions.size)):
        if compositions.size[hand] < 2:
            return
        _stand(compositions, chances, hand, False, one, 0)
        stand[hand] = one[NET]
        hit[hand] = _hit_value(compositions, chances, shoe, up_value, False, values, hand, False)
        double[hand] = _hit_value(compositions, chances, shoe, up_value, False, values, hand, True)
        values[hand] = max(stand[hand], hit[hand])


def _is_pair(compositions: Hands, hand: int) -> bool:
    for i in range(10):
        if compositions.counts[10 * hand + i] == 2:
            return True
    return False


def _deal_weight(compositions: Hands, shoe: Floats, hand: int) -> float:
    """Return in how many ways two cards make a hand."""
    ways = 2.0
    for i in range(10):
        if compositions.counts[10 * hand + i] == 2:
            return shoe[i] * (shoe[i] - 1.0)
        if compositions.counts[10 * hand + i] == 1:
            ways *= shoe[i]
    return ways


def _hit_value(
    compositions: Hands,
    chances: Floats,
    shoe: Floats,
    up_value: int,
    is_peeked: bool,
    values: Floats,
    hand: int,
    is_double: bool,
) -> float:
    """Return the net result of one more card: for a double and the end, or of a hit that goes on as `values` say."""
    one = [0.0] * FIELDS
    natural_value = rules.natural_value(up_value)
    left = 0.0
    for i in range(10):
        left += shoe[i] - compositions.counts[10 * hand + i]
    natural_left = 0.0
    if natural_value > 0:
        natural_left = shoe[natural_value - 1] - compositions.counts[10 * hand + natural_value - 1]
    worth = 0.0
    for i in range(10):
        cards = shoe[i] - compositions.counts[10 * hand + i]
        if cards > 0.0:
            following = compositions.next[10 * hand + i]
            if following < 0:
                worth -= _bust_mass(left, natural_left, i == natural_value - 1, is_peeked) * cards / left
            elif is_double:
                _stand(compositions, chances, following, is_peeked, one, 0)
                worth += one[NET] * cards / left
            else:
                worth += values[following] * cards / left
    return 2.0 * worth if is_double else worth


def split_values(worths: Floats, same_left: float, cards_left: float, paths: Sequence[int], out: Column) -> None:
    """Write what a split pair is worth: net and staked of all its hands, the other fields of the first hand.

    The square is that of all hands together, and not counted but bounded from above: how hands that one dealer settles
    hang together is not known here, and the square of a sum of h numbers is at most h times the sum of their squares.

    `worths` has for 0 to 5 further cards of the pair's rank gone what one hand is worth after its second card: its
    six fields times the chance of that card, first over every card of another rank, then for one of the same. `paths`
    are those of `split_paths`, four numbers each. `same_left` and `cards_left` are what is left after the pair and the
    up card.
    """
    other_hand = [0.0] * ((EXTRA_MAX + 1) * (EXTRA_MAX + 1) * FIELDS)
    same_hand = [0.0] * ((EXTRA_MAX + 1) * (EXTRA_MAX + 1) * FIELDS)
    width = EXTRA_MAX + 1
    # [gone, others]: the same, and that so many more cards are of other ranks. Either such a card is, or it is not.
    for gone in range(EXTRA_MAX):
        for field in range(FIELDS):
            other_hand[FIELDS * width * gone + field] = worths[2 * FIELDS * gone + field]
            same_hand[FIELDS * width * gone + field] = worths[2 * FIELDS * gone + FIELDS + field]
    for others in range(1, EXTRA_MAX):
        for gone in range(EXTRA_MAX - others):
            same = max(same_left - gone, 0.0) / (cards_left - gone)
            at = FIELDS * (width * gone + others)
            one_more = FIELDS * (width * (gone + 1) + others - 1)
            for field in range(FIELDS):
                other_hand[at + field] = other_hand[at - FIELDS + field] - same * other_hand[one_more + field]
                same_hand[at + field] = same_hand[at - FIELDS + field] - same * same_hand[one_more + field]
    for field in range(FIELDS):
        out[field] = 0.0
    for path in range(0, len(paths), 4):
        same, others, first_is_same, ways = paths[path], paths[path + 1], paths[path + 2], paths[path + 3]
        chance = 1.0 * ways
        for gone in range(same):
            chance *= max(same_left - gone, 0.0) / (cards_left - gone)
        _add_path(other_hand, same_hand, same, others, first_is_same, chance, same_left, cards_left, ways, out)


def _add_path(
    other_hand: Floats,
    same_hand: Floats,
    same: int,
    others: int,
    first_is_same: int,
    chance: float,
    same_left: float,
    cards_left: float,
    ways: int,
    out: Column,
) -> None:
    width = EXTRA_MAX + 1
    # Each split but the first took one of the cards; with h hands there were h - 1 splits, so 2 (h - 1) cards came.
    hand_count = (same + others) // 2 + 1
    same_hands = hand_count - others
    other_at = FIELDS * (width * same + others - 1)
    same_at = FIELDS * (width * (same - 1) + others)
    # Without the card that the hand itself got: it is in `same_hand`.
    chance_without = 1.0 * ways
    for gone in range(same - 1):
        chance_without *= max(same_left - gone, 0.0) / (cards_left - gone)
    for field in range(FIELDS):
        by_other = chance * other_hand[other_at + field] if others > 0 else 0.0
        by_same = chance_without * same_hand[same_at + field] if same_hands > 0 else 0.0
        if field == NET or field == STAKED:
            out[field] += others * by_other + same_hands * by_same
        elif field == SQUARE:
            out[field] += hand_count * (others * by_other + same_hands * by_same)
        else:
            out[field] += by_same if first_is_same else by_other
