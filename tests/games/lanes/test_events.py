"""Events tell all that can be seen: a front end that knows nothing else shows the right board and the right powers."""

from __future__ import annotations

from typing import Any

from croupier.games.lanes.compat import GameState, load_cards
from croupier.games.lanes.play.position import tile_name
from croupier.games.lanes.play.public_events import ROOM, recorded
from croupier.games.lanes.rules import layout, turns
from croupier.rng import GameRng
from tests.games.lanes.conftest import make_move, random_deck

FIELDS = {
    "start": {"first_side", "seed", "rules"},
    "mulligan": {"owner", "indices"},
    "draw": {"owner", "card"},
    "draw_empty": {"owner"},
    "play": {"tile", "card", "owner", "uid", "hand_index"},
    "pawn": {"tile", "before", "after"},
    "power": {"tile", "amount", "cause", "source"},
    "one_shot": {"tile", "card", "owner", "uid", "ability"},
    "destroyed": {"tile", "card", "owner", "uid", "cause"},
    "spawned": {"tile", "card", "owner", "uid", "rank"},
    "hand_add": {"card", "owner", "source"},
    "pass": {"owner"},
    "turn_end": {"owner"},
    "over": {"reason", "score"},
}


class FrontEnd:
    """Knows the start board, the printed powers and the events; nothing of the rules."""

    def __init__(self, powers: dict[str, int], state: GameState) -> None:
        self.powers = powers
        self.pawns = {tile_name(tile): "N0" for tile in range(15)}
        self.pawns.update({f"{lane}-1": "Y1" for lane in ("TOP", "MID", "BOT")})
        self.pawns.update({f"{lane}-5": "E1" for lane in ("TOP", "MID", "BOT")})
        self.cards: dict[str, list[Any]] = {}
        self.hands = {"Y": state.player_hand.as_card_ids(), "E": state.enemy_hand.as_card_ids()}
        self.to_replace = ""
        self.freed: dict[str, str] = {}

    def hear(self, event: dict[str, Any]) -> None:
        kind, tile = event["type"], event.get("tile", "")
        if kind == "play":
            assert self.hands[event["owner"]].pop(event["hand_index"]) == event["card"]
            if tile in self.cards:
                self.to_replace = tile
            self.pending = event
            if not self.to_replace:
                self.put(event)
        elif kind == "pawn":
            assert tile not in self.cards  # what lies under a card is not to be seen
            assert event["before"] == self.freed.pop(tile, self.pawns[tile]) != event["after"]
            self.pawns[tile] = event["after"]
        elif kind == "spawned":
            assert self.pawns[tile] == f"{event['owner']}{event['rank']}"
            self.put(event)
        elif kind == "destroyed":
            assert self.cards[tile][:3] == [event["card"], event["owner"], event["uid"]]
            del self.cards[tile]
            self.freed[tile] = event["owner"] + "0"
            if event["cause"] == "replaced":
                assert tile == self.to_replace
        elif kind == "power":
            self.settle_in(tile)
            self.cards[tile][3] += event["amount"]
        elif kind in ("hand_add", "draw"):
            self.hands[event["owner"]].append(event["card"])
        elif kind in ("turn_end", "over") and self.to_replace:
            self.settle_in(self.to_replace)

    def settle_in(self, tile: str) -> None:
        """Put a replace card down once its place is free: nothing marks the moment but what happens next to it."""
        if tile == self.to_replace and tile not in self.cards:
            self.put(self.pending)
            self.to_replace = ""

    def put(self, event: dict[str, Any]) -> None:
        self.cards[event["tile"]] = [event["card"], event["owner"], event["uid"], self.powers[event["card"]]]


def test_a_front_end_that_only_listens_shows_the_true_board(any_file, rules):
    cards = load_cards(any_file)
    powers = {card.id: card.power for card in cards}
    rng = GameRng.new(b"events", 0, 0)
    kinds = set()
    for game in range(20):
        state = GameState.new(random_deck(cards, rng), random_deck(cards, rng), cards=cards, rules=rules, seed=game)
        front = FrontEnd(powers, state)
        heard = 0
        while not state.is_game_over():
            state.draw_start_of_turn()
            move = rng.pick(state.legal_moves())
            make_move(state, move)
            events = state.events
            for event in events[heard:]:
                assert set(event) == {"n", "turn", "side", "type"} | FIELDS[event["type"]]
                kinds.add(event["type"])
                front.hear(event)
            heard = len(events)
            for tile in state.board.tiles():
                name = tile_name(5 * tile.lane + tile.col)
                if tile.card is None:
                    assert name not in front.cards
                    assert front.pawns[name] == tile.text
                else:
                    card = tile.card
                    assert front.cards[name] == [card.card_id, card.side, card.uid, card.power]
            assert front.hands == {"Y": state.player_hand.as_card_ids(), "E": state.enemy_hand.as_card_ids()}
    assert kinds >= set(FIELDS) - {"start", "mulligan", "draw_empty", "spawned", "one_shot"}


def test_a_play_with_more_events_than_there_is_room_for_tells_them_all():
    """Four cards with sixteen one-shots each on eleven targets: far more than the log holds at first."""
    pattern = ",".join(
        f"{column}{lane}E" for column in "ABCDE" for lane in (1, 2, 3, 4, 5) if (column, lane) != ("C", 3)
    )
    shots = [{"when": "on_first_enhanced", "do": "power", "who": "all", "amount": 1}] * 16
    plain = {"name": "X", "tier": "common", "cost": 1, "power": 1, "pattern": pattern}
    raise_all = [{"when": "on_play", "do": "power", "who": "all", "amount": 1}]
    listed = [{**plain, "id": "A", "abilities": shots}, {**plain, "id": "B", "abilities": raise_all}]
    cards = load_cards({"format": 1, "set": {"id": "x", "version": "1"}, "cards": listed})
    state = GameState.new(["B"] * 15, ["B"] * 15, cards=cards)
    state.board.set_up("TOP-2=Y1:A, MID-2=Y1:A, BOT-2=Y1:A, MID-3=Y1:A")

    state.play_card_from_hand("Y", 0, 1, 0)

    events = state.events
    assert len([event for event in events if event["type"] == "one_shot"]) == 64
    assert len(events) > 4 * ROOM
    cells = state.cells
    for tile in (1, 5, 6, 7, 11):
        told = sum(e["amount"] for e in events if e["type"] == "power" and e["tile"] == tile_name(tile))
        assert state.board.power_at(tile // 5, tile % 5) == 1 + told
    assert cells[layout.UNSETTLED] == 0


def test_recording_leaves_what_it_is_given_alone(probe):
    state = GameState.new(["K01"] * 15, ["K01"] * 15, cards=probe)
    cells = state.cells
    before = list(cells)

    after, noted = recorded(cells, lambda row, log: turns.play(row, probe.tables, log, 0, 0, 5))

    silent = list(cells)
    turns.play(silent, probe.tables, None, 0, 0, 5)
    assert cells == before
    assert after == silent != before
    assert [event[0] for event in noted] == [layout.EVENT_PLAY] + [layout.EVENT_PAWN] * 3
