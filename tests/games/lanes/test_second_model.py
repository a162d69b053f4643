"""The rules against a second model, written from the specification alone: plain objects, everything worked out anew.

Both play the same random games, and after every step they must agree on every tile, card, hand, deck and score. The
model treats its sides alike but for the way they face, so the rules that agree with it do so, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from msgspec.structs import astuple

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.compat import PASS, GameState, Move, Rules, load_cards
from croupier.games.lanes.play.board import check_cells
from croupier.games.lanes.play.legality import list_moves
from croupier.games.lanes.play.position import SIDES, deck_of, hand_of, read_tiles
from croupier.games.lanes.play.scores import score_of
from croupier.games.lanes.rules import layout, turns
from croupier.rng import GameRng
from tests.games.lanes.conftest import RULES, random_deck

FORWARD = {"E": -2, "D": -1, "C": 0, "B": 1, "A": 2}


class Placed:
    """A card in play."""

    def __init__(self, uid: int, card: dict[str, Any], side: str, place: tuple[int, int]) -> None:
        self.uid, self.card, self.side, self.place = uid, card, side, place
        self.permanent = self.gain = self.aura = self.count = 0
        self.fired: set[int] = set()

    @property
    def change(self) -> int:
        return self.permanent + self.gain + self.aura

    @property
    def power(self) -> int:
        return int(self.card["power"]) + self.change + self.count

    @property
    def status(self) -> str:
        return "enhanced" if self.change > 0 else "enfeebled" if self.change < 0 else "plain"


class Model:
    """A game by the specification, read aloud."""

    def __init__(self, document: dict[str, Any], rules: Rules, decks: dict[str, list[str]]) -> None:
        self.cards = {card["id"]: card for card in document["cards"]}
        self.rules = rules
        self.base = {(lane, col): ("N", 0) for lane in range(3) for col in range(5)}
        for lane in range(3):
            self.base[lane, 0], self.base[lane, 4] = ("Y", 1), ("E", 1)
        self.log: dict[tuple[int, int], list[tuple[int, str, int]]] = {place: [] for place in self.base}
        self.kept = dict(self.base)
        self.placed: dict[tuple[int, int], Placed] = {}
        self.hands: dict[str, list[str]] = {"Y": [], "E": []}
        self.decks = {side: list(ids) for side, ids in decks.items()}
        self.next_uid = self.turn = 1
        self.side = "Y"
        self.passes = 0
        self.over = False

    # Pawns.

    def pawn(self, state: tuple[str, int], side: str, amount: int) -> tuple[str, int]:
        owner, rank = state
        if owner == "N":
            return side, min(3, amount)
        if owner == side:
            return side, min(3, rank + amount)
        if self.rules.capture == "convert":
            return side, rank
        if rank - amount >= 1:
            return owner, rank - amount
        return side, min(3, amount)

    def pawns(self, place: tuple[int, int]) -> tuple[str, int]:
        """Return owner and rank of a tile as if there were no card on it."""
        if self.rules.destroyed == "keep":
            return self.kept[place]
        state = self.base[place]
        for _, side, amount in self.log[place]:
            state = self.pawn(state, side, amount)
        return state

    def put_pawn(self, place: tuple[int, int], source: Placed) -> None:
        amount = source.card.get("raise", 1)
        if self.rules.destroyed == "rollback":
            self.log[place].append((source.uid, source.side, amount))
        else:
            self.kept[place] = self.pawn(self.kept[place], source.side, amount)

    def cells(self, placed: Placed, kinds: str) -> list[tuple[int, int]]:
        found = []
        for cell in filter(None, placed.card["pattern"].split(",")):
            forward, down = FORWARD[cell[0]], int(cell[1]) - 3
            lane, col = placed.place[0] + down, placed.place[1] + (forward if placed.side == "Y" else -forward)
            if cell[2] in kinds and lane in range(3) and col in range(5):
                found.append((lane, col))
        return found

    # Cards.

    def matching(self, placed: Placed, who: str) -> list[Placed]:
        cards = [self.placed[place] for place in sorted(self.cells(placed, "EX")) if place in self.placed]
        return [card for card in cards if self.is_seen_as(card.side, placed.side, who)]

    @staticmethod
    def is_seen_as(side: str, viewer: str, who: str) -> bool:
        return who == "all" or (who == "allies") == (side == viewer)

    def abilities(self, placed: Placed, when: str) -> list[tuple[int, dict[str, Any]]]:
        listed = placed.card.get("abilities", [])
        return [(index, ability) for index, ability in enumerate(listed) if ability["when"] == when]

    def in_scan_order(self) -> list[Placed]:
        return [self.placed[place] for place in sorted(self.placed)]

    def recompute(self) -> None:
        cards = self.in_scan_order()
        for card in cards:
            card.aura = card.count = 0
        for card in cards:
            for _, ability in self.abilities(card, "while_in_play"):
                if ability["do"] == "power":
                    for target in self.matching(card, ability["who"]):
                        target.aura += ability["amount"]
        for card in cards:
            for _, ability in self.abilities(card, "while_in_play"):
                if ability["do"] == "power_per":
                    wanted = ("enhanced", "enfeebled") if ability["count"] == "either" else (ability["count"],)
                    others = [other for other in cards if other is not card and other.status in wanted]
                    seen = [other for other in others if self.is_seen_as(other.side, card.side, ability["of"])]
                    card.count += ability["amount"] * len(seen)

    def settle(self) -> None:
        while True:
            self.recompute()
            dead = [card for card in self.in_scan_order() if card.power <= 0]
            if dead:
                self.destroy(dead)
                continue
            due = []
            for card in self.in_scan_order():
                for when, holds in (
                    ("on_first_enhanced", lambda card, ability: card.status == "enhanced"),
                    ("on_first_enfeebled", lambda card, ability: card.status == "enfeebled"),
                    ("on_power_reaches", lambda card, ability: card.power >= ability["threshold"]),
                ):
                    for index, ability in self.abilities(card, when):
                        if index not in card.fired and holds(card, ability):
                            due.append((card, index, ability))
            for card, index, _ in due:
                card.fired.add(index)
            for card, _, ability in due:
                self.change(card, ability["who"], ability["amount"])
            if not due:
                return

    def change(self, source: Placed, who: str, amount: int) -> None:
        for target in self.matching(source, who):
            target.permanent += amount

    def destroy(self, batch: list[Placed]) -> None:
        batch = sorted(batch, key=lambda card: card.place)
        uids = {card.uid for card in batch}
        for card in batch:
            del self.placed[card.place]
            if self.rules.destroyed == "keep" and self.rules.occupied == "defer":
                rank = self.kept[card.place][1]
                self.kept[card.place] = (card.side, rank) if rank else ("N", 0)
        for entries in self.log.values():
            entries[:] = [entry for entry in entries if entry[0] not in uids]
        for card in batch:
            for _, ability in self.abilities(card, "on_destroyed"):
                if ability["do"] == "power":
                    self.change(card, ability["who"], ability["amount"])
                else:
                    self.hands[card.side] += ability["cards"]
        for watcher in self.in_scan_order():
            for _, ability in self.abilities(watcher, "on_card_destroyed"):
                for card in batch:
                    if self.is_seen_as(card.side, watcher.side, ability["watch"]):
                        watcher.gain += ability["amount"]

    def place(self, card: dict[str, Any], side: str, place: tuple[int, int]) -> Placed:
        placed = Placed(self.next_uid, card, side, place)
        self.next_uid += 1
        self.placed[place] = placed
        return placed

    # Turns.

    def legal_moves(self, side: str) -> list[tuple[int, int, int]]:
        pawns = {place: self.pawns(place) for place in self.base}
        legal = {
            cost: [place for place in self.base if self.legal(side, cost, self.placed.get(place), pawns[place])]
            for cost in (1, 2, 3, "replace")
        }
        return [
            (index, *place)
            for index, card_id in enumerate(self.hands[side])
            for place in legal[self.cards[card_id]["cost"]]
        ]

    @staticmethod
    def legal(side: str, cost: Any, there: Placed | None, pawns: tuple[str, int]) -> bool:
        if cost == "replace":
            return there is not None and there.side == side
        return there is None and pawns[0] == side and pawns[1] >= cost

    def draw(self, side: str) -> None:
        if self.decks[side]:
            self.hands[side].append(self.decks[side].pop(0))

    def play(self, index: int, place: tuple[int, int]) -> None:
        side = self.side
        card = self.cards[self.hands[side].pop(index)]
        replaced = 0
        if card["cost"] == "replace":
            old = self.placed[place]
            replaced = old.power
            self.destroy([old])
            self.settle()
        placed = self.place(card, side, place)
        for watcher in self.in_scan_order():
            for _, ability in self.abilities(watcher, "on_card_played"):
                if watcher is not placed and self.is_seen_as(side, watcher.side, ability["watch"]):
                    watcher.gain += ability["amount"]
        deferred = []
        for target in self.cells(placed, "PX"):
            if target in self.placed and self.rules.occupied == "defer":
                deferred.append(target)
            else:
                self.put_pawn(target, placed)
        for _, ability in self.abilities(placed, "on_play"):
            self.on_play(placed, ability, replaced)
        self.settle()
        for target in sorted(deferred):
            gone_with_it = self.rules.destroyed == "rollback" and self.placed.get(place) is not placed
            if target not in self.placed and not gone_with_it:
                self.put_pawn(target, placed)
        self.passes = 0
        self.over = len(self.placed) == 15

    def on_play(self, placed: Placed, ability: dict[str, Any], replaced: int) -> None:
        match ability["do"]:
            case "power":
                self.change(placed, ability["who"], ability["amount"])
            case "power_by_replaced":
                self.change(placed, ability["who"], ability["sign"] * replaced)
            case "destroy":
                targets = self.matching(placed, ability["who"])
                if targets:
                    self.destroy(targets)
            case "add_to_hand":
                self.hands[placed.side] += ability["cards"]
            case "spawn":
                spawned = []
                for place in sorted(self.base):
                    owner, rank = self.pawns(place)
                    if place not in self.placed and owner == placed.side and rank >= 1:
                        token = self.cards[ability["tokens"][str(rank)]]
                        spawned.append((self.place(token, placed.side, place), rank))
                for token, rank in spawned:
                    for _, own in self.abilities(token, "on_spawned"):
                        token.permanent += own["by_rank"][str(rank)]

    def pass_turn(self) -> None:
        self.passes += 1
        self.over = self.passes == 2
        self.end_turn()

    def end_turn(self) -> None:
        self.side = "E" if self.side == "Y" else "Y"
        self.turn += 1

    # Scoring.

    def score(self) -> list[tuple[int, int, str | None, int]]:
        found: list[tuple[int, int, str | None, int]] = []
        for lane in range(3):
            cards = [card for card in self.in_scan_order() if card.place[0] == lane]
            power = {side: sum(card.power for card in cards if card.side == side) for side in "YE"}
            if power["Y"] == power["E"]:
                found.append((power["Y"], power["E"], None, 0))
                continue
            winner, loser = ("Y", "E") if power["Y"] > power["E"] else ("E", "Y")
            points = power[winner]
            mine = [card for card in cards if card.side == winner]
            points += sum(ability["amount"] for card in mine for _, ability in self.abilities(card, "on_lane_won"))
            if self.rules.transfer == "own_lane":
                points += power[loser] * sum(1 for card in mine if self.abilities(card, "on_round_end"))
            elif any(self.abilities(card, "on_round_end") for card in self.in_scan_order()):
                points += power[loser]
            found.append((power["Y"], power["E"], winner, points))
        return found

    def picture(self) -> list[Any]:
        put = Counter(entry[0] for entries in self.log.values() for entry in entries)
        tiles = []
        for place in self.base:
            card = self.placed.get(place)
            seen = None
            if card is not None:
                seen = (card.uid, card.card["id"], card.side, card.permanent, card.gain, card.aura, card.count,
                        card.power, card.status, tuple(sorted(card.fired)), put[card.uid])  # fmt: skip
            tiles.append((self.pawns(place), seen))
        return [tiles, self.hands, self.decks]

    def facts(self) -> list[Any]:
        return [self.turn, self.side, self.passes, self.over, self.next_uid]


# --- Playing both -----------------------------------------------------------------------------------------------------


def picture_of(cells: list[int], cards: CardSet) -> list[Any]:
    """Return what the rules' row holds, read as views read it, in the form of `Model.picture`."""
    tiles: list[Any] = []
    for tile in read_tiles(cells, cards):
        card = tile.card
        seen = card and (card.uid, card.card_id, card.side, card.permanent, card.gain, card.aura, card.count,
                         card.power, card.status, card.fired, len(card.pawns))  # fmt: skip
        tiles.append(((tile.under, tile.rank), seen))

    def ids(held: Callable[[list[int], int], list[int]]) -> dict[str, list[str]]:
        return {name: [cards.cards[each >> 1].id for each in held(cells, side)] for side, name in enumerate(SIDES)}

    return [tiles, ids(hand_of), ids(deck_of)]


def facts_of(cells: list[int]) -> list[Any]:
    over = cells[layout.OVER] != 0
    return [cells[layout.TURN], "YE"[cells[layout.SIDE]], cells[layout.PASSES], over, cells[layout.NEXT_UID]]


def play_both(document: dict[str, Any], cards: CardSet, rules: Rules, rng: GameRng) -> int:
    """Play one random game in both, compare them after every step, and return how many plays it had."""
    pair = random_deck(cards, rng), random_deck(cards, rng)
    state = GameState.new(*pair, cards=cards, rules=rules, seed=rng.next_u32())
    decks = {"Y": state.player_deck, "E": state.enemy_deck}
    model = Model(document, rules, {side: list(deck.value.left) for side, deck in decks.items()})
    model.hands = {"Y": state.player_hand.as_card_ids(), "E": state.enemy_hand.as_card_ids()}
    cells, tables = state.cells, cards.tables
    plays = 0
    while not model.over:
        turns.begin_turn(cells, None)
        if model.turn > 2:
            model.draw(model.side)
        moves = model.legal_moves(model.side)
        found = list_moves(cells, tables, "YE".index(model.side))
        assert [astuple(Move.of(move)) for move in found] == [*moves, astuple(PASS)]
        if moves and rng.next_bounded(14):
            index, lane, col = rng.pick(moves)
            model.play(index, (lane, col))
            turns.play(cells, tables, None, cells[layout.SIDE], index, 5 * lane + col)
            plays += 1
            assert picture_of(cells, cards) == model.picture()
            check_cells(cells, cards)
            model.end_turn()
            turns.end_turn(cells, None)
        else:
            model.pass_turn()
            turns.pass_turn(cells, None)
        assert facts_of(cells) == model.facts()
        assert [astuple(lane)[1:] for lane in score_of(cells, tables).lanes] == model.score()
    return plays


MIXTURES = [
    pytest.param(rules, id="-".join(words))
    for words in product(("erode", "convert"), ("log", "defer"), ("rollback", "keep"), ("own_lane", "all_lanes"))
    if (rules := Rules(*words)) not in RULES.values()  # type: ignore[arg-type]
]


def plays_of_both(document: dict[str, Any], rules: Rules, games: int, seed: bytes) -> int:
    """Play random games in both, and return how many plays they had."""
    cards, rng = load_cards(document), GameRng.new(seed, 0, 0)
    return sum(play_both(document, cards, rules, rng) for _ in range(games))


def test_four_hundred_random_games_with_probe_cards_are_those_of_the_second_model(probe_file, rules):
    assert plays_of_both(probe_file, rules, 400, b"second model") > 5_200  # they are whole games


def test_random_games_with_every_card_set_are_those_of_the_second_model(any_file, rules):
    """More of them with the cards of the game that the rules come from, which are a test's alone."""
    games = 600 if any_file["set"]["id"] == "compatibility" else 100
    assert plays_of_both(any_file, rules, games, b"every card set") > 10 * games


@pytest.mark.parametrize("rules", MIXTURES)
def test_mixtures_of_the_switches_are_those_of_the_second_model(probe_file, rules):
    assert plays_of_both(probe_file, rules, 20, b"mixtures") > 200


@pytest.mark.soak
def test_many_random_games_with_every_card_set_are_those_of_the_second_model(any_file, rules):
    """Too long for every change: 5,000 games a set and profile, about half a minute each."""
    assert plays_of_both(any_file, rules, 5000, b"soak") > 50_000
