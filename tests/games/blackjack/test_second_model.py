"""The main bet of blackjack worked out a second time, from its rules page: nothing of the rules or the solver is used.

A chart says what the player does; the letters are read here. Cards of other hands that are known not to be of a split
rank, and nothing else, change what is drawn: of T cards J lie elsewhere and are none of the n of that rank, so one of
them is drawn with chance n / (T - J), and what is left is shared by the other ranks as they are. The dealer's ends
beside a hand are sums over the sets of cards a dealer can hold, each with the orders in which it can be drawn.

With a peek nothing but the opening stake is lost to a natural: such rounds are taken out and lose one chip, since what
is drawn and whether a natural lies there do not depend on which of them is looked at first.

Super mode begins with the lit cards here and asks which of them a hand has; the game's own sum begins with the hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction as F
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, perm, prod
from typing import Any

import numpy as np
import pytest

from croupier.games.blackjack import Blackjack, strategy
from croupier.games.blackjack.options import BlackjackOptions
from tests.games.blackjack.second_dealer import BUST, NATURAL, sized_ends

Hand = tuple[int, ...]  # how many cards of each value, ace first
Place = tuple[Hand, int, int, int]  # a hand; the split value, further cards of it that are gone, others that are not it
Worth = tuple[float, float, float]  # profit, stake, and what super mode adds to the profit
UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


def plus(hand: Hand, value: int) -> Hand:
    return (*hand[: value - 1], hand[value - 1] + 1, *hand[value:])


def total(hand: Hand) -> tuple[int, bool]:
    """Return what a hand counts, and whether an ace counts eleven."""
    hard = sum(value * count for value, count in enumerate(hand, 1))
    return (hard + 10, True) if hand[0] and hard <= 11 else (hard, False)


@cache
def dealer_sets(up: int, hits: bool) -> list[tuple[Hand, int, int]]:
    """Return what a dealer can end with besides the card that is up: the cards, in how many orders, the end.

    An end is a total, 22 for a bust, 0 for a natural.
    """
    ends: list[tuple[Hand, int, int]] = []
    level: dict[Hand, int] = {(0,) * 10: 1}
    while level:
        following: dict[Hand, int] = {}
        for held, orders in level.items():
            for value in range(1, 11):
                grown = plus(held, value)
                count, soft = total(plus(grown, up))
                if sum(grown) == 1 and count == 21:
                    ends.append((grown, orders, 0))
                elif count > 21:
                    ends.append((grown, orders, 22))
                elif count > 17 or (count == 17 and not (soft and hits)):
                    ends.append((grown, orders, count))
                else:
                    following[grown] = following.get(grown, 0) + orders
        level = following
    merged: dict[tuple[Hand, int], int] = {}
    for held, orders, end in ends:
        merged[held, end] = merged.get((held, end), 0) + orders
    return [(held, orders, end) for (held, end), orders in merged.items()]


# Super mode: a byte modulo 52 five times, a card that is lit already drawn again; see the rules page.

MULTIPLIERS = {2: F(50, 100), 3: F(35, 100), 4: F(12, 100), 6: F(25, 1000), 8: F(5, 1000)}
LIT, RARE, CAP = 5, 4, 512  # the last four of 52 are behind one byte less of 256 than the others
BOOSTS = sorted({min(prod(chosen), CAP) for n in range(11) for chosen in combinations_with_replacement(MULTIPLIERS, n)})


@cache
def rare_lit(drawn: int, rare: int) -> F:
    """Return the chance that of the first cards lit so many are rare ones, by which came last."""
    if not drawn or rare not in range(RARE + 1):
        return F(int(drawn == rare == 0))
    last_common, last_rare = (
        rare_lit(drawn - 1, before) * F(bytes_left, 5 * (48 - (drawn - 1 - before)) + 4 * (RARE - before))
        for before, bytes_left in ((rare, 5 * (48 - (drawn - 1 - rare))), (rare - 1, 4 * (RARE - rare + 1)))
    )
    return last_common + last_rare


@cache
def boosts_within(cards: int, lit: int, kinds: int, decks: int) -> dict[int, F]:
    """Return the boosts of some cards of one value, of whose `kinds` so many are lit, with their chances."""
    if not cards or not lit:
        return {1: F(1)}
    found: dict[int, F] = {}
    whole = comb(kinds * decks, cards)
    for copies in range(min(cards, decks) + 1):  # of the first lit card, then the others
        others = kinds * decks - decks
        ways = F(comb(decks, copies) * comb(others, cards - copies), whole)
        for (multiplier, share), (boost, chance) in product(
            MULTIPLIERS.items(), boosts_within(cards - copies, lit - 1, kinds - 1, decks).items() if ways else ()
        ):
            key = min(boost * multiplier**copies, CAP)
            found[key] = found.get(key, F(0)) + ways * share * chance
    return found


@cache
def value_step(cards: int, decks: int) -> Any:
    """Return what cards of a value below ten do to a row by lit cards and boosts: ways to light some, times chances."""
    size = len(BOOSTS)
    step = np.zeros((LIT + 1, size, LIT + 1, size))
    for lit in range(5):
        for boost, chance in boosts_within(cards, lit, 4, decks).items():
            for row, before in enumerate(BOOSTS):
                after = BOOSTS.index(min(before * boost, CAP))
                for known in range(LIT + 1 - lit):
                    step[known, row, known + lit, after] += comb(4, lit) * float(chance)
    return step.reshape((LIT + 1) * size, -1)


@cache
def last_step(tens: int, values: int, decks: int) -> Any:
    """Return the mean boost from what values below ten came to, so many of them in the hand, and some tens."""
    size = len(BOOSTS)
    found = np.zeros((LIT + 1, size))
    for known, rare, common in product(range(LIT + 1), range(RARE + 1), range(LIT + 1)):
        rest = LIT - known - rare - common  # lit cards of values that the hand has not
        if rest < 0:
            continue
        chance = float(rare_lit(LIT, rare)) / comb(RARE, rare) / comb(48, LIT - rare)
        ways = chance * comb(RARE, rare) * comb(12, common) * comb(4 * (9 - values), rest)
        boosts = boosts_within(tens, rare + common, 16, decks)
        for row, before in enumerate(BOOSTS):
            mean = sum(float(share) * min(before * boost, CAP) for boost, share in boosts.items())
            found[known, row] += ways * mean
    return found.reshape(-1)


@cache
def below_ten(held: Hand, decks: int) -> Any:
    """Return the chances of boosts of cards below ten, by how many of their values' cards are lit."""
    values = [value for value, count in enumerate(held) if count]
    if not values:
        found = np.zeros((LIT + 1) * len(BOOSTS))
        found[0] = 1.0
        return found
    last = values[-1]
    return below_ten((*held[:last], *[0] * (9 - last)), decks) @ value_step(held[last], decks)


@cache
def mean_boost(hand: Hand, decks: int) -> float:
    """Return the mean boost of a hand."""
    held = hand[:9]
    return float(below_ten(held, decks) @ last_step(hand[9], sum(map(bool, held)), decks))


class Model:
    """A round of one table, for one chart and one card of the dealer's."""

    def __init__(self, options: BlackjackOptions, policy: str, up: int) -> None:
        self.options, self.policy, self.up = options, policy, up
        self.chart = strategy.chart(options)
        self.shoe = [4 * options.decks] * 9 + [16 * options.decks]
        self.shoe[up - 1] -= 1
        self.asked: dict[Place, int] = {}
        self.ends: Any = None
        self.known: dict[tuple[Place, bool], Worth] = {}

    # What the chart says.

    def letter(self, hand: Hand, is_pair: bool) -> str:
        count, soft = total(hand)
        column = UPS.index(self.up)
        if count == 21:
            return "S"
        if self.policy == "mimic_dealer":
            return "H" if count < 17 or (count == 17 and soft and self.options.hit_soft_17) else "S"
        if is_pair:
            letter = self.chart.pairs[next(value for value in range(10) if hand[value])][column]
            if letter != ".":
                return letter
        if self.policy == "never_bust" and not soft and count >= 12:
            return "S"
        return self.chart.soft[count - 12][column] if soft else self.chart.hard[count - 4][column]

    # What is drawn.

    def left(self, place: Place) -> list[int]:
        hand, value, gone, _ = place
        found = [there - held for there, held in zip(self.shoe, hand, strict=True)]
        if value:
            found[value - 1] -= gone
        return found

    def draws(self, place: Place) -> Iterator[tuple[int, float]]:
        """Yield the values that may be drawn, with their chances."""
        _, split, _, others = place
        left = self.left(place)
        whole = sum(left)
        for value, count in enumerate(left, 1):
            if count <= 0:
                continue
            if not split:
                yield value, count / whole
            elif value == split:
                yield value, count / (whole - others)
            else:
                same = left[split - 1]
                yield value, (whole - others - same) / (whole - others) * count / (whole - same)

    def fill_ends(self) -> None:
        """Work out how the dealer ends beside every hand that was asked for: totals 17 to 21, bust, natural."""
        places = list(self.asked)
        left = np.array([self.left(place) for place in places], float)
        split = np.array([place[1] for place in places])
        others = np.array([place[3] for place in places], float)
        whole = left.sum(axis=1)
        same = np.where(split > 0, left[np.arange(len(places)), split - 1], 0.0)

        def falling(start: Any) -> list[Any]:
            found = [np.ones(len(places))]
            for step in range(12):
                found.append(found[-1] * (start - step))
            return found

        powers = [falling(left[:, value]) for value in range(10)]
        not_same, any_card, elsewhere = falling(whole - others - same), falling(whole - others), falling(whole - same)
        all_cards = falling(whole)
        rows_of = {value: np.flatnonzero(split == value) for value in range(11)}
        self.ends = np.zeros((len(places), 7))
        for held, orders, end in dealer_sets(self.up, self.options.hit_soft_17):
            size = sum(held)
            ways = np.full(len(places), float(orders))
            for value, count in enumerate(held):
                if count:
                    ways = ways * powers[value][count]
            column = self.ends[:, {0: 6, 22: 5}.get(end, end - 17)]
            for value, here in rows_of.items():
                if not len(here):
                    continue
                rest = size - held[value - 1]
                chance = ways[here] / all_cards[size][here]
                if value:  # whether a card is of the split value, then which of the others it is
                    chance = ways[here] * not_same[rest][here] / any_card[size][here] / elsewhere[rest][here]
                column[here] += chance

    def end(self, place: Place) -> Any:
        if self.ends is None:
            self.asked.setdefault(place, len(self.asked))
            return np.zeros(7)
        return self.ends[self.asked[place]]

    # What a hand comes to, of rounds without a natural of the dealer's where there is a peek.

    def boosted(self, hand: Hand, won: float) -> float:
        """Return what super mode adds to a profit of one chip won so often: three quarters of the boost less one."""
        return won * 0.75 * (mean_boost(hand, self.options.decks) - 1) if won else 0.0

    def stood(self, place: Place, stake: int) -> Worth:
        ends, count = self.end(place), total(place[0])[0]
        natural = float(ends[6])
        there = 1 - natural if self.options.peek else 1.0
        if count > 21:
            return -stake * there, stake * there, 0.0
        won = float(ends[5]) + sum(float(ends[i]) for i in range(5) if count > 17 + i)
        lost = sum(float(ends[i]) for i in range(5) if count < 17 + i) + (0 if self.options.peek else natural)
        return stake * (won - lost), stake * there, self.boosted(place[0], won)

    def hit(self, place: Place, doubled: bool) -> Worth:
        found = []
        for value, chance in self.draws(place):
            grown = (plus(place[0], value), *place[1:])
            over = doubled or total(grown[0])[0] >= 21
            found.append((chance, self.stood(grown, 1 + doubled) if over else self.play(grown, False)))
        return mean(found)

    def play(self, place: Place, may_double: bool) -> Worth:
        """Return what a hand comes to that is played on by its total."""
        key = place, may_double
        if key not in self.known:
            letter = self.letter(place[0], False)
            if letter in "Dd" and may_double:
                self.known[key] = self.hit(place, True)
            else:
                self.known[key] = self.hit(place, False) if letter in "HDR" else self.stood(place, 1)
        return self.known[key]

    # A split: which of the second cards are of the same value decides how many hands there are.

    def split(self, value: int) -> Worth:
        own = plus(plus((0,) * 10, value), value)
        left = self.left((own, 0, 0, 0))
        found = []
        for statuses, drawn, chance in self.hands(value, (None, None), 0, 0, 2, left):
            for place, status in enumerate(statuses):
                net, staked, boost = self.split_hand(value, status, drawn, statuses.count(False), left)
                found.append((chance, (net, staked, 0.0 if place else boost)))  # the first hand's alone
        return mean(found)

    def hands(
        self, value: int, pending: tuple[bool | None, ...], alike: int, other: int, count: int, left: list[int]
    ) -> Iterator[tuple[tuple[bool, ...], int, float]]:
        """Yield whether the second card of each hand is of the split value, how many such were drawn, the chance."""
        if None in pending:
            place = pending.index(None)
            share = (left[value - 1] - alike) / (sum(left) - alike - other)
            for status, chance in ((True, share), (False, 1 - share)):
                if chance > 0:
                    filled = (*pending[:place], status, *pending[place + 1 :])
                    for ending in self.hands(value, filled, alike + status, other + (not status), count, left):
                        yield ending[0], ending[1], chance * ending[2]
            return
        again = value != 1 or (self.options.resplit_aces and self.options.hit_split_aces)
        if again and count < 4 and True in pending:
            place = pending.index(True)
            more = (*pending[:place], None, None, *pending[place + 1 :])
            yield from self.hands(value, more, alike, other, count + 1, left)
            return
        yield tuple(bool(status) for status in pending), alike, 1.0

    def split_hand(self, value: int, status: bool, alike: int, other: int, left: list[int]) -> Worth:
        one = plus((0,) * 10, value)
        if status:
            seconds = [(1.0, (plus(one, value), value, alike, other))]
        else:
            rest = sum(left) - left[value - 1]
            seconds = [
                (left[y - 1] / rest, (plus(one, y), value, alike + 1, other - 1))
                for y in range(1, 11)
                if y != value and left[y - 1]
            ]
        found = []
        for chance, place in seconds:
            over = (value == 1 and not self.options.hit_split_aces) or total(place[0])[0] == 21
            found.append((chance, self.stood(place, 1) if over else self.play(place, self.options.double_after_split)))
        return mean(found)

    # The round.

    def first(self, one: int, other: int) -> Worth:
        hand = plus(plus((0,) * 10, one), other)
        place = hand, 0, 0, 0
        natural = float(self.end(place)[6])
        if total(hand)[0] == 21:
            pays = 1.2 if self.options.six_to_five else 1.5
            return pays * (1 - natural), 1.0, pays * self.boosted(hand, 1 - natural)
        letter = self.letter(hand, one == other)
        if letter in "Rrp" and self.options.surrender:
            return -0.5 * (1 - natural) - natural, 1.0, 0.0
        found = self.split(one) if letter in "Pp" else self.play(place, True)
        return (found[0] - natural, found[1] + natural, found[2]) if self.options.peek else found

    def whole(self) -> Worth:
        """Return what a round with this card up comes to, on average over the player's first two."""
        self._whole()  # tells which hands the dealer's ends are wanted for
        self.fill_ends()
        self.known.clear()
        return self._whole()

    def _whole(self) -> Worth:
        found = []
        cards = sum(self.shoe)
        for one, other in combinations_with_replacement(range(1, 11), 2):
            pairs = self.shoe[one - 1] * (self.shoe[other - 1] - (one == other)) * (1 + (one != other))
            found.append((pairs / (cards * (cards - 1)), self.first(one, other)))
        return mean(found)


def mean(found: Iterable[tuple[float, Worth]]) -> Worth:
    """Return the sum of worths, each times its chance."""
    net = staked = boost = 0.0
    for chance, worth in found:
        net += chance * worth[0]
        staked += chance * worth[1]
        boost += chance * worth[2]
    return net, staked, boost


def round_of(options: BlackjackOptions, policy: str) -> Worth:
    """Return what a round comes to, per chip of the opening stake."""
    return mean(((4 if up < 10 else 16) / 52, Model(options, policy, up).whole()) for up in range(1, 11))


CASES = product(
    [
        {},
        {"peek": True},
        {"hit_soft_17": False},
        {"six_to_five": True},
        {"surrender": True},
        {"hit_split_aces": False},
        {"double_after_split": False},
        {"resplit_aces": False},
        {"decks": 6},
        {"decks": 1},
        {"surrender": True, "peek": True, "decks": 2},
    ],
    ("basic", "never_bust", "mimic_dealer"),
)
SUITE = [({"peek": True}, "mimic_dealer")]  # the others take seconds each
SOAK = pytest.mark.soak


@pytest.mark.parametrize(
    ("options", "policy"), [case if case in SUITE else pytest.param(*case, marks=SOAK) for case in CASES], ids=str
)
def test_the_main_bet_is_worth_what_a_second_program_finds(options, policy, checks):
    """To ten digits, which is how far apart the bounds are that the odds tell; in super mode twice as far."""
    chosen = BlackjackOptions(**options)
    rows = [*Blackjack().odds(chosen), *Blackjack().super_odds(chosen)]
    plain, boosted = [row for row in rows if (row.bet, row.policy) == ("main", policy)]

    net, staked, boost = round_of(chosen, policy)

    assert -net == pytest.approx(float(plain.edge), abs=3e-10)
    assert -net / staked == pytest.approx(float(plain.edge_per_chip), abs=3e-10)
    edge = 0.2 - net - boost  # the fee of a fifth is of the opening stake, raises pay none
    assert edge == pytest.approx(float(boosted.edge), abs=6e-10)
    assert edge / (staked + 0.2) == pytest.approx(float(boosted.edge_per_chip), abs=6e-10)
    checks("model", "blackjack", [plain])
    checks("model", "blackjack", [boosted], super_mode=True)


def test_one_card_is_boosted_as_often_as_it_is_lit():
    """The rare cards are lit as two bytes say, worked out by hand; the 48 others have equal shares of what is left."""
    assert [rare_lit(2, rare) for rare in (0, 2)] == [F(240, 256) * F(235, 251), F(16, 256) * F(12, 252)]
    rare_mean = sum(rare * rare_lit(LIT, rare) for rare in range(RARE + 1))
    once = sum(multiplier * share for multiplier, share in MULTIPLIERS.items()) - 1
    ace, ten = (LIT - rare_mean) / 48, ((LIT - rare_mean) / 48 * 12 + rare_mean) / 16

    assert sum(rare_lit(LIT, rare) for rare in range(RARE + 1)) == sum(MULTIPLIERS.values()) == 1
    for hand, lit in (((1, *[0] * 9), ace), ((*[0] * 9, 1), ten)):
        assert [mean_boost(hand, decks) for decks in (1, 8)] == pytest.approx([1 + float(once * lit)] * 2, abs=1e-14)


@pytest.mark.parametrize(("decks", "hits"), [*product((1, 6), (True, False)), (8, True)])
def test_bust_it_is_worth_what_the_dealers_sets_of_cards_come_to(decks, hits, checks):
    """Its prices are for how many cards a dealer busts with, from the rules page; every set in every order."""
    (row,) = [row for row in Blackjack().odds(BlackjackOptions(decks=decks, hit_soft_17=hits)) if row.bet == "bust_it"]
    pays = {3: 1, 4: 2, 5: 9, 6: 50}
    back = F(0)
    for up in range(1, 11):
        there = [4 * decks] * 9 + [16 * decks]
        for held, orders, end in dealer_sets(up, hits):
            if end == 22:
                size = 1 + sum(held)
                ways = there[up - 1] * orders * prod(perm(n, k) for n, k in zip(less(there, up), held, strict=True))
                back += F(ways, perm(52 * decks, size)) * (1 + pays[min(size, 6)])
    assert row.edge == 1 - back
    checks("model", "blackjack", [row])


def less(shoe: list[int], value: int) -> list[int]:
    """Return a shoe with a card taken out."""
    return [count - (place == value) for place, count in enumerate(shoe, 1)]


@pytest.mark.parametrize("hits", [False, True])
def test_dealers_followed_card_by_card_end_as_their_sets_of_cards_do(hits):
    """Two calculations of the tests, which share nothing: a fault of the one that three files use is seen here."""
    for up in range(1, 11):
        left = less([4] * 9 + [16], up)
        found: dict[tuple[int, int], F] = {}
        for held, orders, end in dealer_sets(up, hits):
            key = {22: BUST, 0: NATURAL}.get(end, end), 1 + sum(held)
            ways = orders * prod(perm(n, k) for n, k in zip(left, held, strict=True))
            found[key] = found.get(key, F(0)) + F(ways, perm(51, sum(held)))
        assert {end: chance for end, chance in found.items() if chance} == sized_ends(up, up == 1, 1, tuple(left), hits)
