"""The main bet of blackjack worked out a second time, from its sheet: nothing of the rules or the solver is used.

A chart says what the player does; the letters are read here. Cards of other hands that are known not to be of a split
rank, and nothing else, change what is drawn: of T cards J lie elsewhere and are none of the n of that rank, so one of
them is drawn with chance n / (T - J), and what is left is shared by the other ranks as they are. The dealer's ends
beside a hand are sums over the sets of cards a dealer can hold, each with the orders in which it can be drawn.

With a peek nothing but the opening stake is lost to a natural: such rounds are taken out and lose one chip, since what
is drawn and whether a natural lies there do not depend on which of them is looked at first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

from croupier.games.blackjack import Blackjack, strategy
from croupier.games.blackjack.options import BlackjackOptions

Hand = tuple[int, ...]  # how many cards of each value, ace first
Place = tuple[Hand, int, int, int]  # a hand; the split value, further cards of it that are gone, others that are not it
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


class Model:
    """A round of one table, for one chart and one card of the dealer's."""

    def __init__(self, options: BlackjackOptions, policy: str, up: int) -> None:
        self.options, self.policy, self.up = options, policy, up
        self.chart = strategy.chart(options)
        self.shoe = [4 * options.decks] * 9 + [16 * options.decks]
        self.shoe[up - 1] -= 1
        self.asked: dict[Place, int] = {}
        self.ends: Any = None
        self.known: dict[tuple[Place, bool], tuple[float, float]] = {}

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

    # What a hand comes to: profit and stake, of rounds without a natural of the dealer's where there is a peek.

    def stood(self, place: Place, stake: int) -> tuple[float, float]:
        ends, count = self.end(place), total(place[0])[0]
        natural = float(ends[6])
        there = 1 - natural if self.options.peek else 1.0
        if count > 21:
            return -stake * there, stake * there
        won = float(ends[5]) + sum(float(ends[i]) for i in range(5) if count > 17 + i)
        lost = sum(float(ends[i]) for i in range(5) if count < 17 + i) + (0 if self.options.peek else natural)
        return stake * (won - lost), stake * there

    def hit(self, place: Place, doubled: bool) -> tuple[float, float]:
        net = staked = 0.0
        for value, chance in self.draws(place):
            grown = (plus(place[0], value), *place[1:])
            over = doubled or total(grown[0])[0] >= 21
            found = self.stood(grown, 1 + doubled) if over else self.play(grown, False)
            net += chance * found[0]
            staked += chance * found[1]
        return net, staked

    def play(self, place: Place, may_double: bool) -> tuple[float, float]:
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

    def split(self, value: int) -> tuple[float, float]:
        own = plus(plus((0,) * 10, value), value)
        left = self.left((own, 0, 0, 0))
        net = staked = 0.0
        for statuses, drawn, chance in self.hands(value, (None, None), 0, 0, 2, left):
            for status in statuses:
                found = self.split_hand(value, status, drawn, statuses.count(False), left)
                net += chance * found[0]
                staked += chance * found[1]
        return net, staked

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
            more = (*pending[:place], *pending[place + 1 :], None, None)
            yield from self.hands(value, more, alike, other, count + 1, left)
            return
        yield tuple(bool(status) for status in pending), alike, 1.0

    def split_hand(self, value: int, status: bool, alike: int, other: int, left: list[int]) -> tuple[float, float]:
        one = plus((0,) * 10, value)
        if status:
            seconds = [(value, 1.0, (plus(one, value), value, alike, other))]
        else:
            rest = sum(left) - left[value - 1]
            seconds = [
                (y, left[y - 1] / rest, (plus(one, y), value, alike + 1, other - 1))
                for y in range(1, 11)
                if y != value and left[y - 1]
            ]
        net = staked = 0.0
        for _, chance, place in seconds:
            if (value == 1 and not self.options.hit_split_aces) or total(place[0])[0] == 21:
                found = self.stood(place, 1)
            else:
                found = self.play(place, self.options.double_after_split)
            net += chance * found[0]
            staked += chance * found[1]
        return net, staked

    # The round.

    def first(self, one: int, other: int) -> tuple[float, float]:
        hand = plus(plus((0,) * 10, one), other)
        place = hand, 0, 0, 0
        natural = float(self.end(place)[6])
        if total(hand)[0] == 21:
            return (1.2 if self.options.six_to_five else 1.5) * (1 - natural), 1.0
        letter = self.letter(hand, one == other)
        if letter in "Rrp" and self.options.surrender and letter != "P":
            return -0.5 * (1 - natural) - natural, 1.0
        if letter in "Pp" and one == other:
            found = self.split(one)
        elif self.letter(hand, False) in "Rr" and self.options.surrender:
            return -0.5 * (1 - natural) - natural, 1.0
        else:
            found = self.play(place, True)
        return (found[0] - natural, found[1] + natural) if self.options.peek else found

    def whole(self) -> tuple[float, float]:
        """Return profit and stake of a round with this card up, on average over the player's first two."""
        self._whole()  # tells which hands the dealer's ends are wanted for
        self.fill_ends()
        self.known.clear()
        return self._whole()

    def _whole(self) -> tuple[float, float]:
        net = staked = 0.0
        cards = sum(self.shoe)
        for one, other in combinations_with_replacement(range(1, 11), 2):
            pairs = self.shoe[one - 1] * (self.shoe[other - 1] - (one == other)) * (1 + (one != other))
            found = self.first(one, other)
            net += pairs / (cards * (cards - 1)) * found[0]
            staked += pairs / (cards * (cards - 1)) * found[1]
        return net, staked


def round_of(options: BlackjackOptions, policy: str) -> tuple[float, float]:
    """Return profit and stake of a round, per chip of the opening stake."""
    net = staked = 0.0
    for up in range(1, 11):
        share = (4 if up < 10 else 16) / 52
        found = Model(options, policy, up).whole()
        net += share * found[0]
        staked += share * found[1]
    return net, staked


CASES = [
    *product(
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
]
SUITE = [({"peek": True}, "mimic_dealer")]  # the others take seconds each
SOAK = pytest.mark.soak


@pytest.mark.parametrize(
    ("options", "policy"),
    [case if case in SUITE else pytest.param(*case, marks=SOAK) for case in CASES],
    ids=str,
)
def test_the_main_bet_is_worth_what_a_second_program_finds(options, policy, checks):
    """To ten digits, which is how far apart the bounds are that the odds tell."""
    chosen = BlackjackOptions(**options)
    (row,) = [row for row in Blackjack().odds(chosen) if (row.bet, row.policy) == ("main", policy)]

    net, staked = round_of(chosen, policy)

    assert -net == pytest.approx(float(row.edge), abs=3e-10)
    assert -net / staked == pytest.approx(float(row.edge_per_chip), abs=3e-10)
    checks("model", "blackjack", [row])
