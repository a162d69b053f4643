"""Ultimate texas hold'em counted a second time, from its rules page: no rule, ranking or table of the package is used.

The package goes from boards to hands and keeps what to do on the flop in a table. This goes the way of a round: each
flop (1,755 that differ in more than the names of suits), every turn and river on it, and on every such board all 1,081
hands in the order of their worth. What was counted before a hand, less what shares a card with it, is beaten by it.
Hands are ranked by which ranks there are once, twice, three and four times, as masks.
"""

# mypy: warn-return-any=False
from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import Any

import pytest

pytest.importorskip("numba", reason="all boards in Python would take days")

import numpy as np

from croupier.games.ultimate_texas_holdem.odds import odds, super_odds
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.rules import player_rank, simple_flop, simple_preflop
from croupier.kit.poker import category
from croupier.sim import compiled

# By the rules page, from high card to royal flush: what the Blind pays in halves, and m of super mode.
BLIND_HALVES = np.array([0, 0, 0, 0, 2, 3, 6, 20, 100, 1000])
BOOSTS = np.array([1, 2, 2, 4, 3, 3, 5, 10, 15, 30])
FLUSH, STRAIGHT_FLUSH, ROYAL = 5, 8, 9
TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12  # ranks count from the deuce
SHOWDOWNS = comb(45, 2)

# Sums of a way to play, over the dealer's hands: profit of Ante, Blind and Play in halves of the Ante; Antes on Play;
# rounds won and tied; profit squared. Gains are boosts less one of Antes that win, and what they add to the square.
PROFIT, BET, WINS, TIES, SQUARE = range(5)
GAIN, MORE = range(2)
# Ways to play from the flop on: the best check and the simple one, with a dealer who needs a pair and one who does not,
# and a showdown whatever comes, whose profit is without Play; Play brings AHEAD times its multiple, in Antes, and is
# squared in the last two fields: what an Ante brings times what the others do, and rounds in which it brings anything.
WAYS = [
    ("best", "pair"),
    ("best", "always"),
    ("simple", "pair"),
    ("simple", "always"),
    ("show", "pair"),
    ("show", "always"),
]
AHEAD = BET  # of a showdown: won less lost
ACROSS, DECIDED = 5, 6
SHOW = 4


# Hands as masks of 13 bits; cards are 13 times suit and rank.


def high(mask: int, tops: Any) -> int:
    """Return the highest bit of a mask, as a mask."""
    return tops[mask, 1]


def straight(mask: int) -> int:
    """Return the rank that the highest straight ends with, -1 where there is none; an ace is also below the deuce."""
    runs = mask << 1 | mask >> ACE
    runs &= runs >> 1
    runs &= runs >> 2
    runs &= runs >> 1
    top = -1
    while runs:
        runs >>= 1
        top += 1
    return top + 3 if top >= 0 else -1


def ranked(once: int, twice: int, thrice: int, four: int, suited: int, tops: Any) -> int:
    """Return what a hand is worth: its kind, the ranks that make it, and the others of its five, 13 bits each."""
    if suited:
        top = straight(suited)
        if top >= 0:
            return (ROYAL if top == ACE else STRAIGHT_FLUSH) << 26 | 1 << 13 + top
    if four:
        return 7 << 26 | four << 13 | high(once & ~four, tops)
    if thrice:
        trips = high(thrice, tops)
        if twice & ~trips:
            return 6 << 26 | trips << 13 | high(twice & ~trips, tops)
    if suited:
        return FLUSH << 26 | tops[suited, 5]
    top = straight(once)
    if top >= 0:
        return 4 << 26 | 1 << 13 + top
    if thrice:
        return 3 << 26 | thrice << 13 | tops[once & ~thrice, 2]
    pairs = tops[twice, 2]
    if pairs & pairs - 1:
        return 2 << 26 | pairs << 13 | high(once & ~pairs, tops)
    if pairs:
        return 1 << 26 | pairs << 13 | tops[once & ~pairs, 3]
    return tops[once, 5]


def worth(cards: Any, count: int, tops: Any, suits: Any) -> int:
    """Return what the best five of some cards are worth."""
    once = twice = thrice = four = suited = 0
    for suit in range(4):
        suits[suit] = 0
    for place in range(count):
        bit = 1 << cards[place] % 13
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        suits[cards[place] // 13] |= bit
    for suit in range(4):
        if tops[suits[suit], 0] >= 5:
            suited = suits[suit]
    return ranked(once, twice, thrice, four, suited, tops)


def mean_boost(value: int, one: int, other: int, marks: Any, touched: Any, boosts: Any, found: Any) -> None:
    """Write the mean of a boost less one, and of its square.

    `marks` has the chances of two marked ranks, and `touched` of one among some.
    """
    kind = value >> 26
    five = (value >> 13 | value) & 8191
    if kind == 4 or kind >= STRAIGHT_FLUSH:
        top = straight_top(value)
        five = (31 << top >> 4 | (1 << ACE if top == 3 else 0)) & 8191
    gain = boosts[kind] - 1
    found[0], found[1] = gain * touched[five], gain**2 * touched[five]
    if boosts[kind] < 4:
        both = 0.0  # both hole cards are marked, and a marked rank is among the five
        if one != other:
            both = marks[one, other] if five & (1 << one | 1 << other) else 0.0
        else:
            for rank in range(13):
                if rank != one and five & (1 << one | 1 << rank):
                    both += marks[one, rank]
        found[0] += (3 - gain) * both
        found[1] += (9 - gain**2) * both


def straight_top(value: int) -> int:
    top = 0
    while not value >> 13 + top & 1:
        top += 1
    return top


def simple_on_flop(cards: Any, tops: Any, suits: Any) -> bool:
    """Tell whether the simple policy bets twice the Ante: hole cards first, then the flop."""
    made = worth(cards, 5, tops, suits) >> 26
    deuces = cards[0] % 13 == 0 and cards[1] % 13 == 0
    for suit in range(4):
        if tops[suits[suit], 0] == 4:
            for place in range(2):
                if cards[place] // 13 == suit and cards[place] % 13 >= TEN:
                    return True
    return made > worth(cards[2:], 3, tops, suits) >> 26 and not (made == 1 and deuces)


def play_flop(flop: Any, tables: Any, results: Any, raised: Any) -> None:
    """Fill in, for every two hole cards, what the ways to play come to on a flop, and where simple raises on it.

    Results, sums and gains, are by the lower card, the higher one and the way.
    """
    _, _, tops, blinds, _ = tables
    cards, suits = np.zeros(7, np.int64), np.zeros(4, np.int64)
    hands = np.zeros(1081, np.int64), np.zeros((1081, 2)), np.zeros(47, np.int64)
    cards[2:5] = flop
    taken = np.zeros(52, np.bool_)
    taken[flop] = True
    for one in range(52):
        for other in range(one):
            if not (taken[one] or taken[other]):
                cards[0], cards[1] = other, one
                raised[other, one] = simple_on_flop(cards, tops, suits)
    for turn in range(52):
        for river in range(turn):
            if taken[turn] or taken[river]:
                continue
            taken[turn] = taken[river] = True
            cards[5], cards[6] = turn, river
            board_kind = worth(cards[2:], 5, tops, suits) >> 26
            play_board(cards, taken, tables, hands)
            settle_board(hands, board_kind, blinds, results)
            taken[turn] = taken[river] = False


def play_board(cards: Any, taken: Any, tables: Any, hands: Any) -> None:
    """Write what all hands on a board are worth, in order, and the mean boost of each; and the board with a card."""
    marks, touched, tops, _, boosts = tables
    keys, found, singles = hands
    suits = np.zeros(4, np.int64)
    place = single = 0
    for one in range(52):
        if taken[one]:
            continue
        cards[1] = one
        singles[single] = worth(cards[1:], 6, tops, suits)
        single += 1
        for other in range(one):
            if not taken[other]:
                cards[0] = other
                keys[place] = worth(cards, 7, tops, suits) << 12 | other << 6 | one
                place += 1
    keys.sort()
    singles.sort()
    for place in range(1081):
        key = keys[place]
        mean_boost(key >> 12, (key >> 6 & 63) % 13, (key & 63) % 13, marks, touched, boosts, found[place])


def settle_board(hands: Any, board_kind: int, blinds: Any, results: Any) -> None:
    """Add what every hand comes to on a board against the 990 others that share no card with it."""
    keys, found, singles = hands
    sums, gains = results
    below, equal, idle = np.zeros(52, np.int64), np.zeros(52, np.int64), np.zeros(52, np.int64)
    idle_all = 0
    while idle_all < 1081 and keys[idle_all] >> 38 == 0:
        idle_all += 1
    count_cards(keys, 0, idle_all, idle)
    start = single = 0
    while start < 1081:
        value = keys[start] >> 12
        end = start
        while end < 1081 and keys[end] >> 12 == value:
            end += 1
        equal[:] = 0
        count_cards(keys, start, end, equal)
        while single < 47 and singles[single] <= value:
            single += 1
        kind = value >> 26
        plays = kind > board_kind or 47 - single < 21
        for place in range(start, end):
            one, other = keys[place] >> 6 & 63, keys[place] & 63
            won = start - below[one] - below[other]
            tied = end - start - equal[one] - equal[other] + 1
            nothing = idle_all - idle[one] - idle[other] + (kind == 0)  # hands of the dealer without a pair
            if kind > 0:
                idle_won, idle_lost = nothing, 0
            else:
                idle_won, idle_lost = won, nothing - won - tied
            counts = won, tied, idle_won, idle_lost
            add_hand(sums[one, other], gains[one, other], counts, blinds[kind], plays, found[place])
        below += equal
        start = end


def count_cards(keys: Any, start: int, end: int, counts: Any) -> None:
    """Add how many of some hands each card is in."""
    for place in range(start, end):
        counts[keys[place] >> 6 & 63] += 1
        counts[keys[place] & 63] += 1


def add_hand(sums: Any, gains: Any, counts: Any, blind: int, plays: bool, boost: Any) -> None:
    """Add what a hand on a board comes to in all ways; counts are hands of the dealer, the last two without a pair."""
    won, tied, idle_won, idle_lost = counts
    lost = 990 - won - tied
    ahead = won - lost
    for always in range(2):
        idle = (1 - always) * idle_won, (1 - always) * idle_lost
        paid = won - idle[0]
        # Each way a showdown can end but for ties: how often, what an Ante on Play brings, and what the others bring.
        ends = ((paid, 2, blind + 2), (idle[0], 2, blind), (idle[1], -2, -2), (lost - idle[1], -2, -4))
        rest = 0
        for count, _, others in ends:
            rest += count * others
        for way in (always, 2 + always, SHOW + always):
            multiple = 1
            if way >= SHOW:
                multiple = 0
                sums[way, AHEAD] += ahead
                sums[way, DECIDED] += won + lost
                for count, one, others in ends:
                    sums[way, ACROSS] += count * one * others
            elif plays if way >= 2 else 2 * ahead + rest > -4 * 990:
                sums[way, BET] += 990
            else:
                sums[way, PROFIT] -= 4 * 990
                sums[way, SQUARE] += 16 * 990
                continue
            sums[way, PROFIT] += 2 * multiple * ahead + rest
            for count, one, others in ends:
                sums[way, SQUARE] += count * (multiple * one + others) ** 2
            sums[way, WINS] += won
            sums[way, TIES] += tied
            gains[way, GAIN] += paid * boost[0]
            gains[way, MORE] += paid * (2 * (2 * multiple + blind + 2) * boost[0] + boost[1])


# All flops.


def top_bits() -> Any:
    """Return for every mask how many bits it has, and in the other columns its highest one to five."""
    found = np.zeros((8192, 6), np.int64)
    for mask in range(8192):
        bits = [1 << rank for rank in range(ACE, -1, -1) if mask >> rank & 1]
        found[mask] = [len(bits), *(sum(bits[:count]) for count in range(1, 6))]
    return found


def marked() -> tuple[Any, Any]:
    """Return the chances that two ranks are marked, and for every mask that one of its ranks is.

    A byte modulo 13, an ace first: ace to nine come up 20 times in 256, the others 19 times. Repeats are drawn again.
    """
    weights = [19 if rank in (TEN, JACK, QUEEN, KING) else 20 for rank in range(13)]
    marks = np.zeros((13, 13))
    for one, other in permutations(range(13), 2):
        a, b = weights[one], weights[other]
        marks[one, other] = a * b / 256 * (1 / (256 - a) + 1 / (256 - b))
    touched = np.zeros(8192)
    for mask in range(8192):
        free = [rank for rank in range(13) if not mask >> rank & 1]
        touched[mask] = 1 - sum(marks[one, other] for one, other in combinations(free, 2))
    return marks, touched


@cache
def tables() -> Any:
    return *marked(), top_bits(), BLIND_HALVES, BOOSTS


def kinds_of_flops() -> dict[tuple[int, ...], int]:
    """Return one flop of each kind that differs in more than the names of suits, with how many there are of it."""
    found: dict[tuple[int, ...], int] = {}
    for flop in combinations(range(52), 3):
        names = [tuple(sorted(13 * order[card // 13] + card % 13 for card in flop)) for order in permutations(range(4))]
        found[min(names)] = found.get(min(names), 0) + 1
    return found


def raises_simply(one: int, other: int) -> bool:
    """Tell whether the simple policy bets before the flop."""
    ranks, suited = sorted((one % 13, other % 13)), one // 13 == other // 13
    if ranks[0] == ranks[1]:
        return ranks[0] > 0
    least = {ACE: (0, 0), KING: (0, 3), QUEEN: (4, 6), JACK: (6, 8)}.get(ranks[1], (99, 99))
    return ranks[0] >= least[not suited]


class Count:
    """Sums over some flops: for every two hole cards and way to play what it comes to until the end."""

    def __init__(self) -> None:
        self.rounds = 0
        shape = 52, 52, len(WAYS)
        self.sums, self.gains = np.zeros((*shape, 7), np.int64), np.zeros((*shape, 2))

    def add(self, flop: tuple[int, ...], weight: int) -> None:
        """Add a flop, as often as there are flops of its kind."""
        sums, gains = np.zeros_like(self.sums), np.zeros_like(self.gains)
        raised = np.zeros((52, 52), np.bool_)
        compiled(play_flop, strict=False)(np.array(flop), tables(), (sums, gains), raised)
        for way, (policy, _) in enumerate(WAYS[:SHOW]):
            show = SHOW + way % 2
            twice, gained = raise_by(2, sums[:, :, show], gains[:, :, show])
            twice[:, :, BET] = 2 * SHOWDOWNS * comb(47, 2)
            better = raised if policy == "simple" else twice[:, :, PROFIT] > sums[:, :, way, PROFIT]
            sums[:, :, way][better] = twice[better]
            gains[:, :, way][better] = gained[better]
        self.sums += weight * sums
        self.gains += weight * gains
        self.rounds += weight * comb(49, 2) * comb(47, 2) * SHOWDOWNS

    def whole(self, options: HoldemOptions, policy: str) -> tuple[list[Fraction], list[float]]:
        """Return the sums and the gains of a policy, from the first hole cards to the end, on average a round."""
        way = WAYS.index((policy, options.dealer_qualifies))
        show = SHOW + way % 2
        total, gain = np.zeros(7, object), np.zeros(2)
        offers = [3] * options.play_3x + [4] * options.play_4x
        for kind in hole_kinds():  # of one kind all hole cards are worth the same, over all flops
            hands = tuple(np.array(kind).T)
            shown = self.sums[(*hands, show)].sum(axis=0), self.gains[(*hands, show)].sum(axis=0)
            plans = [(self.sums[(*hands, way)].sum(axis=0), self.gains[(*hands, way)].sum(axis=0))]
            for multiple in offers:
                plans.append(raise_by(multiple, *shown))
                plans[-1][0][BET] = multiple * (self.rounds * len(kind) // comb(52, 2))
            if policy == "simple":
                chosen = plans[-1 if raises_simply(*kind[0]) else 0]
            else:
                chosen = max(plans, key=lambda plan: int(plan[0][PROFIT]))
            total += chosen[0].astype(object)
            gain += chosen[1]
        return [Fraction(int(number), self.rounds) for number in total], (gain / self.rounds).tolist()


def raise_by(multiple: int, shown: Any, gains: Any) -> tuple[Any, Any]:
    """Return sums and gains of showdowns with so many Antes on Play, from those without; but for `BET`."""
    sums, more = shown.copy(), gains.copy()
    sums[..., PROFIT] += 2 * multiple * shown[..., AHEAD]
    sums[..., SQUARE] += 2 * multiple * shown[..., ACROSS] + 4 * multiple**2 * shown[..., DECIDED]
    more[..., MORE] += 4 * multiple * gains[..., GAIN]
    return sums, more


@cache
def hole_kinds() -> list[list[tuple[int, int]]]:
    """Return all hole cards by their ranks and whether they are suited: 169 kinds."""
    found: dict[Any, list[tuple[int, int]]] = {}
    for one, other in combinations(range(52), 2):
        kind = *sorted((one % 13, other % 13)), one // 13 == other // 13
        found.setdefault(kind, []).append((one, other))
    return list(found.values())


def test_hands_rank_and_the_simple_policy_raises_as_in_the_package():
    """The parts of the long count below, for some thousand hands without a compiler."""
    pack, tops, suits = Random(20), top_bits(), np.zeros(4, np.int64)
    found = []
    for _ in range(3_000):
        cards = np.array(pack.sample(range(52), 7))
        named = [13 * (card // 13) + (card + 1) % 13 for card in cards.tolist()]  # the package counts from the ace
        found.append((player_rank(named), worth(cards, 7, tops, suits)))
        assert category(found[-1][0]) == found[-1][1] >> 26
        assert simple_on_flop(cards, tops, suits) == simple_flop(named)
        assert raises_simply(*cards[:2].tolist()) == simple_preflop(*named[:2])
    ranks, worths = zip(*sorted(found), strict=True)
    assert list(worths) == sorted(worths)
    assert len(set(ranks)) == len(set(worths)) == len(set(found))


@pytest.mark.soak
def test_the_main_game_is_worth_what_a_second_program_finds(checks):
    """Two million boards with all their hands, some five minutes; every figure, and in super mode too."""
    count = Count()
    for flop, weight in kinds_of_flops().items():
        count.add(flop, weight)
    assert count.rounds == comb(52, 2) * comb(50, 3) * comb(47, 2) * SHOWDOWNS

    for qualifies, play_3x, play_4x in ALL_OPTIONS:
        options = HoldemOptions(qualifies, play_3x, play_4x)
        for plain, boosted in zip(odds(options)[:2], super_odds(options), strict=True):
            (halves, bet, wins, ties, square, *_), (gain, more) = count.whole(options, plain.policy)
            profit = halves / 2
            assert (plain.edge, plain.edge_per_chip) == (-profit, -profit / (2 + bet))
            assert (plain.win, plain.push) == (boosted.win, boosted.push) == (wins, ties)
            assert plain.variance == square / 4 - profit**2
            edge = 0.2 - float(profit) - gain / 2  # the fee, and half of what boosts add
            assert edge == pytest.approx(float(boosted.edge), abs=1e-12)
            assert edge / (2.2 + float(bet)) == pytest.approx(float(boosted.edge_per_chip), abs=1e-12)
            variance = (float(square) + more) / 4 - (edge - 0.2) ** 2  # the fee does not stray
            assert variance == pytest.approx(float(boosted.variance or 0), abs=1e-10)
            checks("model", "ultimate-texas-holdem", [plain])
            checks("model", "ultimate-texas-holdem", [boosted], super_mode=True)


ALL_OPTIONS: list[tuple[Any, bool, bool]] = [
    (qualifies, play_3x, play_4x)
    for qualifies in ("pair", "always")
    for play_3x in (True, False)
    for play_4x in (True, False)
]
