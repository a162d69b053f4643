"""Published sessions of blackjack, played by the engine and worked out a second time from SHA-256 and the rules' page.

The calculation here shares nothing with the package: its own draws from a pack that is really built, its own way to
count hands, its own prices. The file was written with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from tests.games.second_stream import accounts, below, lit, moves, vectors

FILE = vectors("blackjack")
CASES: list[dict[str, Any]] = FILE["cases"]
SIDES = ("twenty_one_plus_three", "lucky_ladies", "perfect_pairs", "bust_it", "royal_match")

# The second calculation.


def draw(source: Iterator[int], pack: list[int], barred: int | None = None) -> int:
    """Take a card of the pack; not one that counts `barred`."""
    while True:
        place = below(source, len(pack))
        if worth(pack[place]) != barred:
            break
    pack[place], pack[-1] = pack[-1], pack[place]
    return pack.pop()


def worth(card: int) -> int:
    return 11 if card % 13 == 0 else min(card % 13 + 1, 10)


def points(cards: list[int]) -> int:
    total = sum(map(worth, cards))
    for card in cards:
        if total > 21 and card % 13 == 0:
            total -= 10
    return total


def is_soft(cards: list[int]) -> bool:
    return points(cards) != sum(1 if card % 13 == 0 else worth(card) for card in cards)


def is_natural(cards: list[int]) -> bool:
    return len(cards) == 2 and points(cards) == 21


def lit_cards(case: dict[str, Any]) -> dict[int, int]:
    return lit(case, 52, 5, {2: 5000, 3: 8500, 4: 9700, 6: 9950, 8: 10_000})


class Table:
    """One session, move by move."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case, self.options = case, case["options"]
        self.stake: int = case["stake"]
        self.sides = dict.fromkeys(SIDES, 0)
        self.hands: list[dict[str, Any]] = []
        self.dealer: list[int] = []
        self.first: list[int] = []
        self.peeked = self.over = False
        self.insurance = 0
        self.lines: list[list[Any]] = []
        for _, payload, self.source in moves(case):
            self.move(payload)

    def shoe(self) -> list[int]:
        pack = sorted(self.options["decks"] * list(range(52)))
        for card in [card for hand in self.hands for card in hand["cards"]] + self.dealer:
            pack.remove(card)
        return pack

    def hole(self, pack: list[int]) -> int:
        """Draw the dealer's second card; after a peek it is no natural."""
        barred = 21 - worth(self.dealer[0]) if self.peeked else None
        return draw(self.source, pack, barred)

    def move(self, payload: bytes) -> None:
        playing = [hand for hand in self.hands if hand["how"] == "playing"]
        hand = playing[0] if playing else None
        match payload[1]:
            case 5:
                self.sides["twenty_one_plus_three"] = int.from_bytes(payload[2:], "big")
            case 4 | 7:
                for place, side in enumerate(SIDES if payload[1] == 7 else ()):
                    self.sides[side] = int.from_bytes(payload[2 + 8 * place : 10 + 8 * place], "big")
                self.deal()
            case 10 | 11 | 12:
                self.insurance = self.stake // 2 if payload[1] == 10 else 0
                if payload[1] == 11:
                    self.hands[0]["how"] = "even money"
                else:
                    self.look(self.shoe())
            case 1 | 9:
                assert hand is not None
                hand["how"] = "standing" if payload[1] == 1 else "surrendered"
            case 0 | 2:
                assert hand is not None
                self.one_card(hand, payload[1] == 2)
            case 3:
                assert hand is not None
                self.split(hand)
            case 6:
                pack = self.shoe()
                self.dealer.append(self.hole(pack))
                self.play_out(pack)
                self.settle()

    def deal(self) -> None:
        pack = self.shoe()
        self.first = [draw(self.source, pack), draw(self.source, pack)]
        self.dealer = [draw(self.source, pack)]
        how = "natural" if is_natural(self.first) else "playing"
        self.hands = [{"number": 1, "cards": list(self.first), "how": how, "stakes": 1}]
        if self.options["peek"] and worth(self.dealer[0]) == 10:
            self.look(pack)

    def look(self, pack: list[int]) -> None:
        card = draw(self.source, pack)
        if is_natural([*self.dealer, card]):
            self.dealer.append(card)
            self.settle()
            return
        self.peeked = True
        if self.insurance:
            self.lines.append(["insurance", self.insurance, 0])
            self.insurance = 0

    def one_card(self, hand: dict[str, Any], is_double: bool) -> None:
        pack = self.shoe()
        aside = self.hole(pack) if self.peeked else None
        hand["cards"].append(draw(self.source, pack))
        hand["stakes"] += is_double
        if points(hand["cards"]) > 21:
            hand["how"] = "busted"
        elif is_double or points(hand["cards"]) == 21:
            hand["how"] = "standing"
        if all(other["how"] == "busted" for other in self.hands):
            if self.sides["lucky_ladies"] or self.sides["bust_it"]:
                self.dealer.append(self.hole(pack) if aside is None else aside)
                if self.sides["bust_it"]:
                    self.play_out(pack)
            self.settle()

    def split(self, hand: dict[str, Any]) -> None:
        pack = self.shoe()
        if self.peeked:
            self.hole(pack)
        one, other = hand["cards"]
        hand["cards"] = [one, draw(self.source, pack)]
        new = {"number": len(self.hands) + 1, "cards": [other, draw(self.source, pack)], "how": "playing", "stakes": 1}
        if one % 13 == 0 and not self.options["hit_split_aces"]:
            hand["how"] = new["how"] = "standing"
        self.hands.insert(self.hands.index(hand) + 1, new)

    def play_out(self, pack: list[int]) -> None:
        while points(self.dealer) < 17 or (
            points(self.dealer) == 17 and is_soft(self.dealer) and self.options["hit_soft_17"]
        ):
            self.dealer.append(draw(self.source, pack))

    def settle(self) -> None:
        self.over = True
        natural, total = is_natural(self.dealer), points(self.dealer)
        for hand in self.hands:
            six_to_five = self.options["six_to_five"]
            back = hand_back(hand["how"], self.stake, points(hand["cards"]), total, natural, six_to_five)
            name = "main" if hand["number"] == 1 else f"split:{hand['number']}"
            self.lines.append([name, self.stake, self.boosted(hand, back) if hand["number"] == 1 else back])
            if hand["stakes"] == 2:
                self.lines.append([f"double:{hand['number']}", self.stake, back])
        if self.insurance:
            self.lines.append(["insurance", self.insurance, 3 * self.insurance])
        for side, stake in self.sides.items():
            if stake:
                price = side_price(side, self.first, self.dealer[0], natural, total, len(self.dealer))
                self.lines.append([side, stake, stake + int(stake * price) if price else 0])

    def boosted(self, hand: dict[str, Any], back: int) -> int:
        if not self.case["super"] or back <= self.stake:
            return back
        light = lit_cards(self.case)
        product = prod(light.get(card, 1) for card in hand["cards"])
        return self.stake + (back - self.stake) * (1 + 3 * min(product, 512)) // 4


def hand_back(how: str, stake: int, own: int, total: int, natural: bool, six_to_five: bool) -> int:
    """Return what a hand brings back, by how it stands, what it counts, and the dealer's total or natural."""
    match how:
        case "busted":
            return 0
        case "even money":
            return 2 * stake
        case "natural":
            return stake if natural else stake * 11 // 5 if six_to_five else stake * 5 // 2
        case "surrendered":
            return 0 if natural else stake // 2
    if natural or (own < total <= 21):
        return 0
    return stake if own == total else 2 * stake


def side_price(side: str, first: list[int], up: int, natural: bool = False, total: int = 0, size: int = 0) -> float:
    """Return what a side bet pays to 1 by the player's first cards, the dealer's up card, and how the dealer ended."""
    (one, other), price = first, 0.0
    suited, ranks = one // 13 == other // 13, {one % 13, other % 13}
    if side == "perfect_pairs" and len(ranks) == 1:
        red = {card // 13 in (1, 2) for card in (one, other)}
        price = 25 if one == other else 10 if len(red) == 1 else 5
    elif side == "royal_match" and suited:
        price = 25 if ranks == {11, 12} else 2.5
    elif side == "lucky_ladies" and points(first) == 20:
        matched = 125 + 875 * natural if one == 24 else 19
        price = matched if one == other else 9 if suited else 4
    elif side == "bust_it" and total > 21:
        price = {3: 1, 4: 2, 5: 9}.get(size, 50)
    elif side == "twenty_one_plus_three":
        three = sorted(card % 13 for card in (one, other, up))
        flush = suited and one // 13 == up // 13
        straight = three == [0, 11, 12] or three == [three[0] + step for step in range(3)]
        if len(set(three)) == 1:
            price = 100 if flush else 30
        elif straight:
            price = 40 if flush else 10
        elif flush:
            price = 5
    return price


def work_out(case: dict[str, Any]) -> dict[str, Any]:
    """Return what a session gives, from its seed, its stake, its options and its moves alone."""
    table = Table(case)
    assert table.over
    return {
        "hands": [hand["cards"] for hand in table.hands],
        "dealer": table.dealer,
        "lit": [[card, times] for card, times in lit_cards(case).items()],
        **accounts(table.lines, case["stake"] // 5 if case["super"] else 0),
    }


# The tests.


def shown(state: Any) -> dict[str, Any]:
    return {"hands": [list(hand.cards) for hand in state.hands], "dealer": state.dealer}


def test_the_sessions_show_every_action_and_every_kind_of_line():
    opcodes = {bytes.fromhex(payload)[1] for case in CASES for payload in case["moves"]}
    lines = {line[0] for case in CASES for line in case["lines"]}

    assert opcodes == {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12}
    assert lines >= {"main", "insurance", "double:1", "double:2", "split:2", "split:3", "split:4", *SIDES}
    assert {case["options"]["decks"] for case in CASES} == {1, 2, 4, 6, 8}
    assert {case["super"] for case in CASES} == {False, True}
    for option in ("hit_soft_17", "six_to_five", "surrender", "double_after_split", "hit_split_aces", "peek"):
        assert {case["options"][option] for case in CASES} == {False, True}


def test_every_side_bet_is_won_and_lost_somewhere():
    for side in SIDES:
        outcomes = {line[2] > 0 for case in CASES for line in case["lines"] if line[0] == side}
        assert outcomes == {False, True}, side
